/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed in bands (blocks.c): what is kept of all bands (blocks-memory.c), who works on them
 * (blocks-workers.c), a visit of one of them (band-visit.c), and which can be finished before all
 * have been summarized (blocks-early.c).
 */

#pragma once

#include "band-relief.h"
#include "engine/blocks/seams.h"
#include "engine/blocks/workers.h"
#include "engine/core/tasks.h"
#include "engine/label/label-set.h"

/* At each seam there are two sides: the last row of the band before it and the first row of the
 * band after it.  Seam i is that between the bands i and i + 1 of this rank; seam −1 is that with
 * the rank before, and the last one that with the rank after, if there are such.
 */
typedef enum
{
  WF_SIDE_BEFORE,
  WF_SIDE_AFTER
} WfSide;

/**
 * WfPathEnd:
 * @WF_END_IN_BAND: a label in the band, or a pixel of its halo
 * @WF_END_IN_WHOLE: a label in the whole
 * @WF_END_OUTSIDE: a pixel of another rank, numbered from the seam before, then that after
 * @WF_END_NEAR: a label in the whole, found in the step that is under way
 *
 * What ends a path, or a part of it.
 */
typedef enum
{
  WF_END_IN_BAND,
  WF_END_IN_WHOLE,
  WF_END_OUTSIDE,
  WF_END_NEAR
} WfPathEnd;

/**
 * WfFloodSeat:
 * @image: a band of what is flooded with its halo, or of the image with what filters look at; a
 *   view where that is in memory
 * @ground: the same of the relief, with a tolerance
 * @markers: likewise of the markers
 * @arrows, @basins, @lines: of a CPU, for a band with its halo; @lines the result if lines are
 *   drawn
 * @labels: of the band itself; a view of the result, or of what a CPU has made
 * @outside, @inside: L2 of both sides of a band, as #WfFloodBand has it
 * @minima: numbers of the minima of its first and last row, for a finish
 * @tell: whether this visit has lowered L2 in the halo of the band before, and after
 *
 * What one lane needs for a visit.
 */
typedef struct
{
  WfImage   image;
  WfImage   ground;
  WfImage   markers;
  guint8   *arrows;
  guint32  *basins;
  guint32  *lines;
  WfImage   labels;
  guint32  *outside[2];
  guint32  *inside[2];
  guint32  *minima[2];
  gboolean  tell[2];
} WfFloodSeat;

/**
 * WfFloodKept:
 * @has_begun: whether a summary of it has begun, with @join_lock
 * @is_known: whether it has been summarized, and is not being so once more
 * @n_minima: of the band itself
 * @on_device: what a device keeps of it, or %NULL
 * @worker: whose device that is
 *
 * What is known of a band after its summary.
 */
typedef struct
{
  gboolean  has_begun;
  gboolean  is_known;
  guint32   n_minima;
  gpointer  on_device;
  guint     worker;
} WfFloodKept;

/**
 * WfFloodEarly:
 * @is_open: whether bands may be finished before all have been summarized, with @join_lock
 * @n_queued: bands, from the first on, that can be finished, as far as devices keep them
 * @n_waiting: how many of them wait for that, or are being finished
 * @n_done: how many have been
 * @n_before: for each band, minima of the whole whose first pixels lie before it
 * @minima: at its sides of the seams, the numbers of minima that are joined to others, or 0
 * @beyond: likewise the labels of the pixels beyond the seam
 * @is_done: whether the band was finished with these
 *
 * What bands were given that are finished early; the arrays are NULL where none is.
 */
typedef struct
{
  gboolean  is_open;
  gint64    n_queued;
  gint64    n_waiting;
  gint64    n_done;
  gint64   *n_before;
  guint32  *minima;
  guint32  *beyond;
  gboolean *is_done;
} WfFloodEarly;

/**
 * WfFloodBlocks:
 * @markers: labels of the markers, or %NULL where the minima are the markers
 * @scratch: for L1, where it is not the relief
 * @made: L1 in the scratch
 * @source: of L1: @made or the relief; with a tolerance minima have the levels of the relief
 * @is_made: whether it is @made, or will be
 * @rows: of a band, at most; 0 for no limit but memory
 * @connectivity: of the whole image
 * @rim: pixels of a side of a seam
 * @has_outer: whether there are seams with other ranks
 * @labels: of the result so far, from markers
 * @distance: L2 at the seams, which lanes look at with @lock
 * @label: of the paths from there: in the band, after the solve step of the whole
 * @known: for each of them what it is
 * @minima: numbers of the minima there, in the band
 * @spare: for each worker bytes that it can keep of bands, with @lock
 * @n_joined: bands whose minima are in @seams, from the first on
 * @join_lock: of that and of @seams
 * @early: of bands that are finished before all have been summarized
 * @home: for each band the worker that keeps it, or −1; then for each summary
 * @waits: which bands wait in a pass, or seams, of which there is one more at most; or bands for
 *   their finish and their summary
 * @pass: the one of summaries, while it is under way
 */
typedef struct
{
  WfContext            *context;
  WfBandRelief          relief;
  const WfBlockSource  *markers;
  const WfBlockSink    *scratch;
  WfBlockSource         made;
  const WfBlockSource  *source;
  gboolean              is_made;
  const WfBlockSink    *sink;
  WfWatershedOptions    options;
  gint64                rows;
  int                   connectivity;
  WfBands               bands;
  WfWorkers            *workers;
  WfFloodSeat          *seats;
  guint                 n_seats;
  GMutex                lock;
  GRWLock               join_lock;
  WfSeams               seams;
  gint64                n_joined;
  gint64                rim;
  gboolean              has_outer;
  WfFloodKept          *kept;
  guint64              *spare;
  WfFloodEarly          early;
  int                  *home;
  gboolean             *waits;
  WfPass               *pass;
  guint32              *distance;
  guint32              *label;
  guint8               *known;
  guint32              *minima;
  WfLabelSet            labels;
} WfFloodBlocks;

/* Where the values of a side of a seam begin. */
static inline gint64
wf_flood_side (const WfFloodBlocks *blocks,
               gint64               seam,
               WfSide               side)
{
  return (2 * (seam + (blocks->has_outer ? 1 : 0)) + side) * blocks->rim;
}

/* Pixels of all sides. */
static inline gint64
wf_flood_count_sides (const WfFloodBlocks *blocks)
{
  return 2 * (blocks->bands.n + (blocks->has_outer ? 1 : -1)) * blocks->rim;
}

/* Whether the seam of a band at a side, 0 or 1, is there. */
static inline gboolean
wf_flood_has_seam (const WfFloodBlocks *blocks,
                   gint64               band,
                   int                  side)
{
  return wf_bands_have_seam (&blocks->bands, band, side == 0 ? WF_BAND_FIRST : WF_BAND_LAST);
}

/* Where the values of the band's own pixels at one of its sides begin. */
static inline gint64
wf_flood_inside (const WfFloodBlocks *blocks,
                 gint64               band,
                 int                  side)
{
  return side == 0 ? wf_flood_side (blocks, band - 1, WF_SIDE_AFTER)
                   : wf_flood_side (blocks, band, WF_SIDE_BEFORE);
}

/* Likewise those of its halo. */
static inline gint64
wf_flood_outside (const WfFloodBlocks *blocks,
                  gint64               band,
                  int                  side)
{
  return side == 0 ? wf_flood_side (blocks, band - 1, WF_SIDE_BEFORE)
                   : wf_flood_side (blocks, band, WF_SIDE_AFTER);
}

/* Whether a lane works in main memory. */
static inline gboolean
wf_flood_works_here (const WfFloodBlocks *blocks,
                     guint                lane)
{
  return ! wf_workers_is_on_gpu (blocks->workers, lane);
}

gboolean wf_flood_blocks_divide    (WfFloodBlocks  *blocks,
                                    GError        **error);
gboolean wf_flood_blocks_allocate  (WfFloodBlocks  *blocks,
                                    GError        **error);
void     wf_flood_blocks_clear     (WfFloodBlocks  *blocks);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfFloodBlocks, wf_flood_blocks_clear)

gboolean wf_flood_share            (WfFloodBlocks  *blocks,
                                    GError        **error);
void     wf_flood_begin_keeping    (WfFloodBlocks  *blocks);
gboolean wf_flood_reserve          (WfFloodBlocks  *blocks,
                                    guint           worker);
void     wf_flood_give_back        (WfFloodBlocks  *blocks,
                                    guint           worker);
void     wf_flood_release          (WfFloodBlocks  *blocks,
                                    gint64          band);

gboolean wf_flood_can_be_early     (const WfFloodBlocks
                                                   *blocks);
gboolean wf_flood_early_init       (WfFloodBlocks  *blocks,
                                    GError        **error);
void     wf_flood_early_clear      (WfFloodEarly   *early);
void     wf_flood_end_early        (WfFloodBlocks  *blocks);
void     wf_flood_number_bands     (WfFloodBlocks  *blocks);
void     wf_flood_queue_numbered   (WfFloodBlocks  *blocks);
void     wf_flood_note_finished    (WfFloodBlocks  *blocks,
                                    gint64          band);
gint64   wf_flood_count_later      (const WfFloodBlocks
                                                   *blocks);
gboolean wf_flood_settle_band      (WfFloodBlocks  *blocks,
                                    gint64          band);
gboolean wf_flood_is_numbered      (const WfFloodBlocks
                                                   *blocks);
gboolean wf_flood_is_done          (const WfFloodBlocks
                                                   *blocks);
gboolean wf_flood_check_early      (WfFloodBlocks  *blocks,
                                    GError        **error);

gint64   wf_flood_find_exit        (const WfFloodBlocks
                                                   *blocks,
                                    gint64          p);
gint64   wf_flood_band_of          (const WfFloodBlocks
                                                   *blocks,
                                    gint64          p);
void     wf_flood_tell_joined      (const WfFloodBlocks
                                                   *blocks,
                                    gint64          band,
                                    int             side,
                                    guint32        *minima);
gboolean wf_flood_solve_exits      (WfFloodBlocks  *blocks,
                                    GError        **error);
guint64  wf_flood_exits_memory     (const WfFloodBlocks
                                                   *blocks);

gboolean wf_flood_measure_strip    (gpointer        data,
                                    const WfLane   *lane,
                                    gint64          seam,
                                    GError        **error);
gboolean wf_flood_summarize_band   (gpointer        data,
                                    const WfLane   *lane,
                                    gint64          number,
                                    GError        **error);
gboolean wf_flood_finish_band      (gpointer        data,
                                    const WfLane   *lane,
                                    gint64          number,
                                    GError        **error);
gboolean wf_flood_visit_band       (gpointer        data,
                                    const WfLane   *lane,
                                    gint64          block,
                                    GError        **error);

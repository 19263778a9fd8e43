/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed in bands (blocks.c): what is kept of all bands (blocks-memory.c), and a visit of
 * one of them (band-visit.c).
 */

#pragma once

#include "band-relief.h"
#include "engine/blocks/seams.h"
#include "engine/watershed/cpu/flood.h"
#include "label-set.h"

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
 *
 * What ends a path, or a part of it.
 */
typedef enum
{
  WF_END_IN_BAND,
  WF_END_IN_WHOLE,
  WF_END_OUTSIDE
} WfPathEnd;

/**
 * WfFloodBlocks:
 * @markers: labels of the markers, or %NULL where the minima are the markers
 * @scratch: for L1, where it is not the relief
 * @made: L1 in the scratch
 * @source: of L1: @made or the relief; with a tolerance minima have the levels of the relief
 * @rows: of a band, at most; 0 for no limit but memory
 * @connectivity: of the whole image
 * @rim: pixels of a side of a seam
 * @has_outer: whether there are seams with other ranks
 * @image: a band of L1 with its halo; @arrows, @basins, @lines: its, @lines the result if lines are
 *   drawn
 * @ground: the same of the relief, with a tolerance
 * @labels: of the result so far, from markers
 * @distance: L2 at the seams
 * @label: of the paths from there: in the band, after the solve step of the whole
 * @known: for each of them what it is
 * @n_told: bands whose summary is counted as progress
 */
typedef struct
{
  WfContext            *context;
  WfBandRelief          relief;
  const WfBlockSource  *markers;
  const WfBlockSink    *scratch;
  WfBlockSource         made;
  const WfBlockSource  *source;
  const WfBlockSink    *sink;
  WfWatershedOptions    options;
  gint64                rows;
  int                   connectivity;
  WfBands               bands;
  WfSeams               seams;
  gint64                rim;
  gboolean              has_outer;
  WfImage               image;
  WfImage               ground;
  guint8               *arrows;
  guint32              *basins;
  guint32              *lines;
  guint32              *distance;
  guint32              *label;
  guint8               *known;
  WfLabelSet            labels;
  gint64                n_told;
} WfFloodBlocks;

/**
 * WfBandVisit:
 * @first: row, or slice, with the halo
 * @before, @after: rows, or slices, of the halo: 0 or 1
 * @units: rows, or slices, with the halo
 * @n_ends: of paths in the band itself: its minima, or runs of markers
 * @label_of: of runs of markers, or %NULL
 * @marked: for each pixel of the halo, before and after, whether it is a marker, or %NULL
 * @changed: whether L2 at a seam was lowered
 * @tell: whether it was in the halo before, or after: that band can change
 *
 * One band at work, or a strip around a seam.
 */
typedef struct
{
  WfFloodBlocks    *blocks;
  gint64            number;
  gint64            first;
  gint64            before;
  gint64            after;
  gint64            units;
  WfWatershedTask   task;
  WfFlood           flood;
  gpointer          plateau;
  guint32           n_ends;
  guint32          *label_of;
  guint8           *marked[2];
  gboolean          changed;
  gboolean          tell[2];
} WfBandVisit;

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

gboolean wf_flood_blocks_divide   (WfFloodBlocks  *blocks,
                                   GError        **error);
gboolean wf_flood_blocks_allocate (WfFloodBlocks  *blocks,
                                   GError        **error);
void     wf_flood_blocks_clear    (WfFloodBlocks  *blocks);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfFloodBlocks, wf_flood_blocks_clear)

gboolean wf_flood_solve_exits      (WfFloodBlocks  *blocks,
                                   GError        **error);
guint64  wf_flood_exits_memory     (const WfFloodBlocks
                                                   *blocks);

gboolean wf_strip_measure        (WfFloodBlocks  *blocks,
                                  gint64          seam,
                                  GError        **error);
gboolean wf_band_visit_begin     (WfBandVisit    *visit,
                                  WfFloodBlocks  *blocks,
                                  gint64          number,
                                  GError        **error);
gboolean wf_band_visit_measure   (WfBandVisit    *visit,
                                  GError        **error);
gboolean wf_band_visit_summarize (WfBandVisit    *visit,
                                  GError        **error);
gboolean wf_band_visit_finish    (WfBandVisit    *visit,
                                  GError        **error);
void     wf_band_visit_clear     (WfBandVisit    *visit);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBandVisit, wf_band_visit_clear)

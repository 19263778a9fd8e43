/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runs of equal labels of an image, piece by piece, and the steps compiled for each instruction
 * set that find and write them.
 *
 * A piece is a stretch of at most WF_PIECE pixels of a row; where the pixels of an image have no
 * gaps, all of it is one row.  Its runs are a bit for each pixel at which one begins, as in
 * bit-rows.h, and the labels of the runs in their order, as u32 for every type of pixels.
 */

#pragma once

#include "engine/core/image.h"
#include "engine/core/run.h"
#include "engine/cpu/simd.h"
#include "label-counts.h"
#include "label-pixels.h"

#define WF_PIECE_WORDS (WF_PIECE / 64)

/* Pieces that a worker takes at once: the wait for non-temporal stores costs little then. */
#define WF_GROUP (2 * WF_STREAMS)

/**
 * WfLabelSweeps:
 * @find_u8: sets the bits of the pixels at which runs begin and lists the labels of the runs;
 *   returns their number; likewise for u16
 * @find_u32: the same; also finds the highest label, and lists the pixels at which runs begin
 *   unless @places is %NULL
 * @write_u8: the reverse; likewise for the other types
 * @list_places: lists the pixels whose bits are set
 *
 * All lists have room for WF_PIECE elements, of which all may be read, and those past the
 * last one written.  @n is 1 to WF_PIECE.
 */
typedef struct
{
  gint64 (* find_u8)     (gconstpointer pixels, gint64 n, guint64 *starts, guint32 *labels);
  gint64 (* find_u16)    (gconstpointer pixels, gint64 n, guint64 *starts, guint32 *labels);
  gint64 (* find_u32)    (const guint32 *pixels, gint64 n, const WfLabelAhead *ahead,
                          guint64 *starts, guint32 *labels, guint32 *places, guint32 *highest);
  void   (* write_u8)    (const guint64 *starts, gint64 n, const guint32 *labels, gpointer pixels);
  void   (* write_u16)   (const guint64 *starts, gint64 n, const guint32 *labels, gpointer pixels);
  void   (* write_u32)   (const guint64 *starts, gint64 n, const guint32 *labels, gpointer pixels);
  void   (* list_places) (const guint64 *starts, gint64 n, guint32 *places);
} WfLabelSweeps;

WF_SIMD_DECLARE (WfLabelSweeps, wf_label_sweeps);

/**
 * WfLabelScratch:
 * @starts, @labels: of the runs of a piece that are not kept
 * @others: places or new labels of the runs
 * @pixels: those that are written
 *
 * The memory of a worker, as its row of wf_run_rows() has it.
 */
typedef struct
{
  guint64 starts[WF_PIECE_WORDS];
  guint32 labels[WF_PIECE];
  guint32 others[WF_PIECE];
  guint32 pixels[WF_PIECE];
} WfLabelScratch;

/**
 * WfLabelPiece:
 * @n_pixels: pixels of the piece
 * @n_runs: runs in it, at least 1
 * @starts: their first pixels
 * @labels: their labels
 * @places: their first pixels, if they were listed when the runs were found; else %NULL
 * @highest: of @labels, if the runs of u32 were just found
 *
 * The runs of a piece.
 */
typedef struct
{
  gint64         n_pixels;
  gint64         n_runs;
  const guint64 *starts;
  const guint32 *labels;
  const guint32 *places;
  guint32        highest;
} WfLabelPiece;

/* Where in the list of kept labels those of a piece begin: @first is -1 if they are not kept. */
typedef struct
{
  gint64 first;
  gint64 n_runs;
} WfKeptPiece;

/**
 * WfLabelRuns:
 * @whole: the pixels have no gaps: the image is one row
 * @with_places: the first pixels of runs of u32 are listed as they are found
 * @alone: one worker keeps runs
 * @streamed: what is written bypasses the caches
 * @pieces_a_stream: of each of WF_STREAMS parts of the image, the last of which has fewer
 * @pieces: by number; %NULL where nothing is kept
 * @starts: WF_PIECE_WORDS for each piece
 * @labels: of the runs of the kept pieces
 * @room: of @labels
 * @used: of @labels; may exceed @room, then nothing more is kept
 *
 * The runs of an image: those of a piece are found when they are first asked for, and kept where
 * they are long, as long as there is room.
 */
typedef struct
{
  const WfLabelSweeps      *sweeps;
  const WfLabelPixelSweeps *pixel_sweeps;
  const WfImage            *image;
  gboolean                  whole;
  gboolean                  with_places;
  gboolean                  alone;
  gboolean                  streamed;
  gint64                    width;
  gint64                    pieces_a_row;
  gint64                    n_pieces;
  gint64                    pieces_a_stream;
  WfKeptPiece              *pieces;
  guint64                  *starts;
  guint32                  *labels;
  gint64                    room;
  gint64                    used;
} WfLabelRuns;

void           wf_label_runs_init    (WfLabelRuns         *runs,
                                      const WfImage       *image,
                                      const WfImage       *out);
gboolean       wf_label_runs_keep    (WfLabelRuns         *runs,
                                      GError             **error);
void           wf_label_runs_clear   (WfLabelRuns         *runs);
guint64        wf_label_runs_memory  (const WfLabelRuns   *runs);
WfRows         wf_label_runs_rows    (const WfLabelRuns   *runs);
gint64         wf_label_runs_piece   (const WfLabelRuns   *runs,
                                      gint64               group,
                                      int                  i);
void           wf_label_runs_get     (WfLabelRuns         *runs,
                                      gint64               number,
                                      WfLabelPiece        *piece,
                                      WfLabelScratch      *scratch);
gboolean       wf_label_runs_look_up (const WfLabelRuns   *runs,
                                      gint64               number,
                                      const guint32       *table,
                                      WfImage             *out);
const guint32 *wf_label_runs_places  (const WfLabelRuns   *runs,
                                      const WfLabelPiece  *piece,
                                      WfLabelScratch      *scratch);
void           wf_label_runs_write   (const WfLabelRuns   *runs,
                                      gint64               number,
                                      const WfLabelPiece  *piece,
                                      const guint32       *labels,
                                      WfImage             *out,
                                      WfLabelScratch      *scratch);
void           wf_label_runs_finish  (const WfLabelRuns   *runs);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfLabelRuns, wf_label_runs_clear)

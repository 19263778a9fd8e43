/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components of a foreground given as bits, numbered in raster order of their
 * first pixels.
 */

#pragma once

#include "engine/cpu/cpu.h"
#include "bit-rows.h"

/**
 * WfBand:
 * @row0: its first row
 * @row1: the row after its last one
 * @n_components: components in the band
 * @first_component: components in the bands before it
 * @n_roots: those of its components that are not part of one that begins in an earlier band
 *
 * Rows that one thread connects.
 */
typedef struct
{
  gint64  row0;
  gint64  row1;
  gint64  n_components;
  gint64  first_component;
  gint64  n_roots;
} WfBand;

/**
 * WfRuns:
 * @steps: for this processor
 * @shape: of the image
 * @connectivity: 4, 8, 6 or 26
 * @n_rows: of all slices
 * @n_words: words of bits in a row
 * @bits: the foreground, set by the caller row by row
 * @first_run: for each row the number of runs before it; one entry more than rows
 * @node: for each run its parent in the band, counted from the band's first run;
 *   later its component's number in the band, counted from 0
 * @bands: divide the rows
 * @rows_a_band: rows of a band; the last one may have fewer
 * @label: for each component of a band its label, or %NULL if there is one band
 */
typedef struct
{
  const WfLabelSteps *steps;
  WfShape             shape;
  int                 connectivity;
  gint64              n_rows;
  gint64              n_words;
  guint64            *bits;
  gint64             *first_run;
  guint32            *node;
  WfBand             *bands;
  gint64              n_bands;
  gint64              rows_a_band;
  guint32            *label;
} WfRuns;

gboolean wf_runs_init     (WfRuns         *runs,
                           const WfShape  *shape,
                           int             connectivity,
                           const WfRun    *run,
                           GError        **error);
void     wf_runs_clear    (WfRuns         *runs);
gboolean wf_runs_connect  (WfRuns         *runs,
                           WfRun          *run,
                           guint32        *n_components,
                           GError        **error);
gboolean wf_runs_renumber (WfRuns         *runs,
                           const guint32  *number_of,
                           guint32         n_components,
                           GError        **error);
void     wf_runs_fill_row (const WfRuns   *runs,
                           gint64          row,
                           guint32        *labels);
void     wf_runs_fill_part (const WfRuns   *runs,
                            gint64          row,
                            gint64          start,
                            gint64          end,
                            guint32        *labels);
guint64  wf_runs_memory   (const WfShape  *shape);
guint64  wf_runs_most_memory (const WfShape  *shape,
                              guint           n_threads);

/* run-areas.c */
gint64   wf_runs_count_parts (const WfRuns   *runs);
void     wf_runs_add_row     (const WfRuns   *runs,
                              gint64          row,
                              guint64        *areas);
void     wf_runs_join_areas  (const WfRuns   *runs,
                              guint64        *areas);
void     wf_runs_drop_row    (const WfRuns   *runs,
                              gint64          row,
                              const guint64  *areas,
                              guint64         least);

static inline guint64 *
wf_runs_row (const WfRuns *runs,
             gint64        row)
{
  return runs->bits + row * runs->n_words;
}

/* Must be called for each row, by any thread, when its bits are set. */
static inline void
wf_runs_count_row (const WfRuns *runs,
                   gint64        row)
{
  runs->first_run[row + 1] = runs->steps->count_runs (wf_runs_row (runs, row), runs->n_words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfRuns, wf_runs_clear)

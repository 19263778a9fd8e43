/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is done to images of labels: regions removed, renumbered, expanded. */

#pragma once

#include "engine/core/context.h"
#include "engine/core/tasks.h"
#include "label-index.h"
#include "label-runs.h"

/**
 * WfLabelTable:
 * @labels: the image
 * @context: whose limit of memory holds
 * @run: the work under way
 * @areas: the pixels of each label are counted; else only which labels occur
 * @n: entries
 * @counts: the number of pixels of each label, if @areas
 * @marks: whether each label occurs, if not
 * @others: the label that each gets: @counts.low, where that is there
 * @n_cleared: that many entries of @counts or @marks are valid; no higher label was found yet
 * @lock: of clearing more
 * @has_higher: there is a label without an entry
 * @index: the entries of labels; empty: label i has entry i
 * @entries: of those in @index, the number of pixels, then the label that each gets
 * @runs: those of the image
 *
 * The regions of an image.
 */
typedef struct
{
  const WfImage   *labels;
  const WfContext *context;
  WfRun           *run;
  gboolean         areas;
  gint64           n;
  WfLabelCounts    counts;
  guint8          *marks;
  guint32         *others;
  gint64           n_cleared;
  GMutex           lock;
  gboolean         has_higher;
  WfLabelIndex     index;
  guint64         *entries;
  WfLabelRuns      runs;
} WfLabelTable;

/* Labels have entries in the order in which they were met. */
static inline gboolean
wf_label_table_is_sparse (const WfLabelTable *table)
{
  return table->index.n > 0;
}

gboolean wf_label_table_count  (WfLabelTable        *table,
                                const WfImage       *out,
                                double               share,
                                GError             **error);
gboolean wf_label_table_decide (WfLabelTable        *table,
                                const WfLabelsTask  *task,
                                GError             **error);
gboolean wf_label_table_write  (WfLabelTable        *table,
                                WfImage             *out,
                                double               share,
                                GError             **error);
void     wf_label_table_clear  (WfLabelTable        *table);
guint64  wf_label_table_memory (const WfImage       *labels,
                                const WfImage       *out);

gboolean wf_cpu_expand_labels        (const WfLabelsTask  *task,
                                      WfRun               *run,
                                      GError             **error);
guint64  wf_cpu_expand_labels_memory (const WfLabelsTask  *task,
                                      guint                n_threads);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfLabelTable, wf_label_table_clear)

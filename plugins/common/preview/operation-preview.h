/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/line-contrast.h"
#include "ui/preview/pane.h"
#include "plugins/common/procedure/run.h"
#include "result-images.h"

G_BEGIN_DECLS

/**
 * WfPreviewSettings:
 * @procedure: what is to be previewed
 * @type: of the levels
 * @operation: the operation's options struct
 * @own: the procedure's own options struct, or %NULL
 * @colors: what becomes of colors: %WF_COLORS_GRAY if there are none
 * @format: of the pixels that levels and components are taken from
 * @context: the options of the context
 * @merge_by: the argument "merge-by", or %NULL
 * @strokes: (nullable): that draw the operation's second input, in pixels of everything that the
 *   procedure would work on; WfPreviewKind.prepare sets them
 * @line: the color of lines, if the procedure draws any
 * @size: of everything that the procedure would work on
 * @slice: which slice of the levels is shown
 * @error: why the arguments cannot be used, or %NULL
 *
 * A copy of a procedure's arguments.
 */
typedef struct
{
  const WfProcedure *procedure;
  WfType             type;
  gpointer           operation;
  gpointer           own;
  WfColorWay         colors;
  const Babl        *format;
  WfContextOptions   context;
  char              *merge_by;
  WfStrokes         *strokes;
  WfLineContrast     line;
  gint64             size[3];
  gint64             slice;
  GError            *error;
} WfPreviewSettings;

/**
 * WfPreviewKind:
 * @basins: whether the results are basins; else they are levels
 * @reads: (nullable): the arguments that change what @read_second reads, ended by %NULL
 * @ignored: (nullable): the arguments that change nothing that is shown
 * @fetch_second: (nullable): fetches some of what @read_second reads, if that takes long to
 *   come, and keeps it in @fetched, which is %NULL at first; @part is a run on what is
 *   previewed, with its options
 * @invalidate_second: of a kind with @fetch_second: has what @fetched keeps fetched again, as
 *   it may have changed
 * @free_second: likewise: frees @fetched
 * @read_second: (nullable): reads the operation's input besides the levels into @second, or
 *   leaves that empty; @fetched is complete for the same @part
 * @read_third: (nullable): likewise reads levels that are only measured, from the same @fetched; of
 *   a stack as many slices as @levels, from @first_slice on
 * @read_second_colors: (nullable): likewise, where colors are kept: red, green and blue of the
 *   second input, or nothing
 * @prepare: (nullable): changes valid settings, where that needs GIMP; may set their error
 * @compute: does what the procedure does; in a thread of its own, without GIMP
 * @complete: (nullable): computes, likewise, what is not needed to show the result; not
 *   called if @compute marks the result as complete
 *
 * How a procedure is previewed.
 */
typedef struct
{
  gboolean           basins;
  const char *const *reads;
  const char *const *ignored;
  gboolean        (* fetch_second) (WfJob                    *part,
                                    gpointer                 *fetched,
                                    WfFetch                  *fetch,
                                    GError                  **error);
  void            (* invalidate_second) (gpointer                  fetched);
  void            (* free_second)  (gpointer                  fetched);
  gboolean        (* read_second)  (WfJob                    *part,
                                    gpointer                  fetched,
                                    const WfImage            *levels,
                                    WfImage                  *second,
                                    GError                  **error);
  gboolean        (* read_third)   (WfJob                    *part,
                                    gpointer                  fetched,
                                    const WfImage            *levels,
                                    gint64                    first_slice,
                                    WfImage                  *third,
                                    GError                  **error);
  gboolean        (* read_second_colors)
                                   (WfJob                    *part,
                                    gpointer                  fetched,
                                    const WfImage             components[3],
                                    WfImage                   second[3],
                                    GError                  **error);
  void            (* prepare)      (WfJob                    *run,
                                    WfPreviewSettings        *settings);
  gboolean        (* compute)      (WfContext                *context,
                                    const WfPreviewInputs    *inputs,
                                    const WfPreviewSettings  *settings,
                                    WfPreviewResult          *result,
                                    GError                  **error);
  gboolean        (* complete)     (WfContext                *context,
                                    const WfPreviewInputs    *inputs,
                                    const WfPreviewSettings  *settings,
                                    WfPreviewResult          *result,
                                    GError                  **error);
} WfPreviewKind;

GtkWidget * wf_operation_preview_new (WfJob *run);

G_END_DECLS

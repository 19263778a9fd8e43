/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of a procedure's preview share.
 *
 *   operation-preview.c    the widget, and following the arguments and the image
 *   operation-inputs.c     what the preview reads
 *   operation-settings.c   the arguments as it computes with them
 */

#pragma once

#include "color-pixels.h"
#include "operation-preview.h"
#include "whole-preview.h"

G_BEGIN_DECLS

/**
 * WfPreviewLink:
 * @pixels: what is previewed, or %NULL
 * @colors: its components, if colors are kept, or %NULL
 * @problem: why there is nothing, or %NULL
 * @slice: the index of the shown slice among those that were read last
 * @fetched: what is kept of the second input, or %NULL
 * @whole: of basins: the computation of the whole image
 * @whole_fetched: what is kept of its second input, or %NULL
 *
 * The data of the preview's functions.
 */
typedef struct
{
  WfJob          *run;
  WfPreview      *preview;
  WfSourcePixels *pixels;
  WfColorPixels  *colors;
  GError         *problem;
  gint64          slice;
  gpointer        fetched;
  WfWholePreview *whole;
  gpointer        whole_fetched;
} WfPreviewLink;

/* Of operation-inputs.c */
extern const WfWholeReader wf_preview_whole_reader;

gboolean wf_preview_link_read_colors    (const WfPreviewRegion  *region,
                                         guint8                 *pixels,
                                         gpointer                data,
                                         GError                **error);
gboolean wf_preview_link_fetch          (const WfPreviewRegion  *region,
                                         WfPreviewPart           part,
                                         WfFetch                *fetch,
                                         gpointer                data,
                                         GError                **error);
gboolean wf_preview_link_read_inputs    (const WfPreviewRegion  *region,
                                         WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                                         gpointer                data,
                                         GError                **error);
void     wf_preview_link_forget_fetched (WfPreviewLink          *link);

/* Of operation-settings.c */
extern const WfPreviewComputation wf_preview_link_computation;

gboolean wf_preview_link_read_options   (WfPreviewLink          *link,
                                         const WfOptionGroup    *group,
                                         WfType                  type,
                                         gpointer               *options,
                                         GError                **error);

G_END_DECLS

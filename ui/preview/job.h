/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview computes: the pixels that go in, the computation, which the dialog
 * defines, and the result.
 */

#pragma once

#include "wavefront.h"

#include "source.h"

G_BEGIN_DECLS

/**
 * WfPreviewInputs:
 * @region: part of the image
 * @images: as read_inputs() of a source gives them
 *
 * Pixels to compute on.  They are reference-counted, as successive computations with
 * different settings share them.
 */
typedef struct
{
  WfPreviewRegion region;
  WfImage         images[WF_PREVIEW_N_INPUTS];
} WfPreviewInputs;

WfPreviewInputs * wf_preview_inputs_new   (const WfPreviewSource  *source,
                                           gpointer                data,
                                           const WfPreviewRegion  *region,
                                           GError                **error);
WfPreviewInputs * wf_preview_inputs_new_empty
                                          (const WfPreviewRegion  *region);
WfPreviewInputs * wf_preview_inputs_ref   (WfPreviewInputs        *inputs);
void              wf_preview_inputs_unref (WfPreviewInputs        *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfPreviewInputs, wf_preview_inputs_unref)

/**
 * WfPreviewResult:
 * @region: that it was computed from
 * @image: u8, u16 or f32: levels; u32: labels, or colors
 * @slice: which slice of the inputs it belongs to
 * @mask: (nullable): u8: 0 where the image itself is shown, as nothing is computed there
 * @values: (nullable): f32: distances, if @image shows something else
 * @distances: whether @values, or else @image, are distances
 * @colors: of u32: whether these are colors: R, G, B, A of 8 bits, not premultiplied
 * @black: of levels: the one that is shown black
 * @white: of levels: the one that is shown white
 * @n_labels: of labels: the largest
 * @lines: of labels: whether label 0 is a line between basins; if not, lines are drawn where
 *   two labels meet
 * @diagonals: of labels: whether pixels that touch at a corner are neighbors
 * @label_lines: (nullable): of labels with lines: the basins around them, for merging
 * @extra: what else the computation hands to the main thread
 * @free_extra: frees @extra
 * @complete: whether everything is there; if not, the computation's complete() is still
 *   running, and only it may access what it computes
 *
 * The reference-counted result of a computation.  It does not change any more, except for
 * what completes it.
 */
typedef struct
{
  WfPreviewRegion  region;
  WfImage          image;
  gint64           slice;
  WfImage          mask;
  WfImage          values;
  gboolean         distances;
  gboolean         colors;
  double           black;
  double           white;
  guint32          n_labels;
  gboolean         lines;
  gboolean         diagonals;
  WfLabelLines    *label_lines;
  gpointer         extra;
  GDestroyNotify   free_extra;
  gboolean         complete;
} WfPreviewResult;

WfPreviewResult * wf_preview_result_new   (const WfPreviewRegion *region);
WfPreviewResult * wf_preview_result_ref   (WfPreviewResult       *result);
void              wf_preview_result_unref (WfPreviewResult       *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfPreviewResult, wf_preview_result_unref)

/**
 * WfPreviewComputation:
 * @copy_settings: returns a copy of the present settings; called in the main thread
 * @free_settings: frees such a copy; called in either thread
 * @compute: computes, in a thread of its own, with a context that is cancelled when the
 *   result is no longer wanted.  It uses nothing but its arguments.
 * @complete: (nullable): computes what is not needed to show the result, but for other uses;
 *   called in the same thread after @compute, while the result is shown, unless @compute
 *   has marked the result as complete
 *
 * What is computed.  @compute fills @image, which is all zero before, by
 * wf_image_allocate(), and whatever else it knows of the result.  Settings that are lengths
 * in pixels of the image are to be multiplied by the region's scale, areas by its square.
 */
typedef struct
{
  gpointer (* copy_settings) (gpointer                data);
  void     (* free_settings) (gpointer                settings);
  gboolean (* compute)       (WfContext              *context,
                              const WfPreviewInputs  *inputs,
                              gconstpointer           settings,
                              WfPreviewResult        *result,
                              GError                **error);
  gboolean (* complete)      (WfContext              *context,
                              const WfPreviewInputs  *inputs,
                              gconstpointer           settings,
                              WfPreviewResult        *result,
                              GError                **error);
} WfPreviewComputation;

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/preview/operation-preview.h"

G_BEGIN_DECLS

typedef struct _WfPreviewFlood WfPreviewFlood;

/**
 * WfPreviewBasins:
 * @flood: the data for completing the result, until it is complete
 * @inputs: what was flooded
 * @labels: of a stack, of which the result is a slice; else empty
 * @covers: whether they are basins of all that the procedure works on, perhaps scaled
 * @hierarchy: (nullable): of the basins, if there are any
 * @measure: of @hierarchy
 * @measurements: of each basin, in the order of their labels
 * @n_measurements: the number of measurements
 * @type: of the relief, for values that are fractions of the range of levels
 * @part: whether they are basins of a part of what the procedure works on, or of a scaled image
 * @value_factor: the factor from a value to that of @hierarchy
 * @histogram: (nullable): of the levels, if a threshold is used
 * @relief: what was flooded; may be a view of @inputs
 * @objects: 0 in the background; empty if there is none
 * @smoothing: of the relief, in pixels of @inputs
 * @connectivity: of the flood
 * @last_index: of the flood
 * @verdicts: (nullable): of basins that were corrected by hand, for each label: −1 if it is
 *   deleted, 1 if it is kept whatever limits say
 *
 * The properties of the basins in a preview.
 */
typedef struct
{
  WfPreviewFlood  *flood;
  WfPreviewInputs *inputs;
  WfImage          labels;
  gboolean         covers;
  WfHierarchy     *hierarchy;
  WfMeasure        measure;
  WfBasin         *measurements;
  guint32          n_measurements;
  WfType           type;
  gboolean         part;
  double           value_factor;
  WfHistogram     *histogram;
  WfImage          relief;
  WfImage          objects;
  double           smoothing;
  int              connectivity;
  gboolean         last_index;
  gint8           *verdicts;
} WfPreviewBasins;

/* Of a packed image. */
static inline double
wf_preview_get_level (const WfImage *levels,
                      gint64         i)
{
  switch (levels->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) levels->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) levels->data)[i];
    default:
      return (double) ((const float *) levels->data)[i];
    }
}

WfPreviewBasins *
         wf_preview_basins_new_like (const WfPreviewBasins *like);
void     wf_preview_basins_free    (gpointer                  data);

gboolean wf_preview_relabel        (WfContext                *context,
                                    const WfPreviewBasins    *basins,
                                    const guint32            *regions,
                                    const WfImage            *labels,
                                    WfImage                  *merged,
                                    GError                  **error);

guint32 * wf_preview_find_regions (const WfPreviewBasins  *basins,
                                   guint32                 count,
                                   GError                **error);
guint32 * wf_preview_list_merged  (const guint32          *map,
                                   guint32                 n_labels);

gboolean wf_preview_find_lines     (WfContext                *context,
                                    WfPreviewResult          *result,
                                    GError                  **error);
const WfImage *
         wf_preview_get_measured   (const WfPreviewInputs    *inputs);
gboolean wf_preview_flood          (WfContext                *context,
                                    const WfPreviewInputs    *inputs,
                                    const WfPreviewSettings  *settings,
                                    WfPreviewResult          *result,
                                    GError                  **error);
gboolean wf_preview_complete_flood (WfContext                *context,
                                    const WfPreviewInputs    *inputs,
                                    const WfPreviewSettings  *settings,
                                    WfPreviewResult          *result,
                                    GError                  **error);

G_END_DECLS

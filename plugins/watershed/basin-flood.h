/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/preview/operation-preview.h"

G_BEGIN_DECLS

typedef struct _WfPreviewFlood WfPreviewFlood;

/**
 * WfPreviewBasins:
 * @flood: what completing the result needs, until that is done
 * @hierarchy: of the basins, or %NULL where there are none
 * @measure: of @hierarchy
 * @figures: of each basin, in the order of their labels
 * @n_figures: how many
 * @type: of what was flooded, for the levels that values are fractions of
 * @value_factor: what a value is to be multiplied by for @hierarchy
 * @histogram: of the levels, or %NULL where no threshold is needed
 *
 * What a preview knows of basins beside where they are.
 */
typedef struct
{
  WfPreviewFlood *flood;
  WfHierarchy    *hierarchy;
  WfMeasure       measure;
  WfBasin        *figures;
  guint32         n_figures;
  WfType          type;
  double          value_factor;
  WfHistogram    *histogram;
} WfPreviewBasins;

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

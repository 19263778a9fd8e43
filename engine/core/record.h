/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each operation says of itself to wf_estimate_memory() and wf_context_forecast(). */

#pragma once

#include "context.h"
#include "operations.h"

gboolean wf_reconstruct_estimate (const WfImage               *image,
                                  const WfReconstructOptions  *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_distance_estimate    (const WfImage               *image,
                                  const WfDistanceOptions     *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_watershed_estimate   (const WfImage               *image,
                                  const WfWatershedOptions    *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_label_estimate       (const WfImage               *image,
                                  const WfLabelOptions        *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_hierarchy_estimate   (const WfImage               *image,
                                  const WfHierarchyOptions    *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_filter_estimate      (WfOperation                  operation,
                                  const WfImage               *image,
                                  const WfFilterOptions       *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);
gboolean wf_morphology_estimate  (WfOperation                  operation,
                                  const WfImage               *image,
                                  const WfMorphologyOptions   *options,
                                  WfEstimate                  *estimate,
                                  GError                     **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each operation tells wf_estimate_memory(). */

#pragma once

#include "wavefront.h"

gboolean wf_reconstruct_estimate (const WfImage               *image,
                                  const WfReconstructOptions  *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_distance_estimate    (const WfImage               *image,
                                  const WfDistanceOptions     *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_watershed_estimate   (const WfImage               *image,
                                  const WfWatershedOptions    *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_label_estimate       (const WfImage               *image,
                                  const WfLabelOptions        *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_hierarchy_estimate   (const WfImage               *image,
                                  const WfHierarchyOptions    *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_filter_estimate      (WfOperation                  operation,
                                  const WfImage               *image,
                                  const WfFilterOptions       *options,
                                  guint64                     *bytes,
                                  GError                     **error);
gboolean wf_morphology_estimate  (WfOperation                  operation,
                                  const WfImage               *image,
                                  const WfMorphologyOptions   *options,
                                  guint64                     *bytes,
                                  GError                     **error);

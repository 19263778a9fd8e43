/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_swap_run         (WfContext                   *context,
                              WfOperation                  operation,
                              const WfImage               *image,
                              WfImage                     *result,
                              gconstpointer                options,
                              GError                     **error);
void     wf_swap_invert      (WfImage                     *image);
gboolean wf_swap_distance    (WfContext                   *context,
                              const WfImage               *image,
                              WfImage                     *distances,
                              WfImage                     *nearest,
                              const WfDistanceOptions     *options,
                              GError                     **error);
gboolean wf_swap_reconstruct (WfContext                   *context,
                              const WfImage               *mask,
                              WfImage                     *marker,
                              const WfReconstructOptions  *options,
                              GError                     **error);
gboolean wf_swap_count_labels
                             (WfContext                   *context,
                              const WfImage               *labels,
                              guint32                     *n_labels,
                              GError                     **error);
gboolean wf_swap_watershed   (WfContext                   *context,
                              const WfImage               *relief,
                              gboolean                     from_markers,
                              WfImage                     *labels,
                              guint32                     *n_basins,
                              const WfWatershedOptions    *options,
                              GError                     **error);
WfHierarchy *
         wf_swap_hierarchy   (WfContext                   *context,
                              const WfImage               *relief,
                              const WfImage               *labels,
                              const WfHierarchyOptions    *options,
                              GError                     **error);
gboolean wf_swap_relabel     (WfContext                   *context,
                              const WfHierarchy           *hierarchy,
                              const guint32               *regions,
                              WfImage                     *labels,
                              GError                     **error);
gboolean wf_swap_measure     (WfContext                   *context,
                              const WfImage               *levels,
                              const WfImage               *relief,
                              const WfImage               *labels,
                              int                          connectivity,
                              WfBasin                    **basins,
                              guint32                     *n_basins,
                              GError                     **error);

G_END_DECLS

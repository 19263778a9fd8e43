/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_masked_filter_run (WfContext                  *context,
                               WfOperation                 operation,
                               const WfImage              *mask,
                               const WfImage              *image,
                               WfImage                    *result,
                               gconstpointer               options,
                               GError                    **error);
void     wf_levels_differ     (const WfImage              *levels,
                               const WfImage              *others,
                               WfImage                    *difference);
gboolean wf_masked_reconstruct
                              (WfContext                   *context,
                               const WfImage               *mask,
                               WfImage                     *levels,
                               WfImage                     *marker,
                               const WfReconstructOptions  *options,
                               GError                     **error);

G_END_DECLS

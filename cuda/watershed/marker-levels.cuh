/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the watershed on a GPU does before and after its floods: the markers of its
 * reconstructions, and counting labels.
 */

#pragma once

#include "cuda/core/device.cuh"

/* @result: @image + @tolerance, at most the type's largest value. */
gboolean wf_cuda_raise_levels (WfCuda         *cuda,
                               WfType          type,
                               gint64          n,
                               gconstpointer   image,
                               double          tolerance,
                               gpointer        result,
                               GError        **error);

/* @result: @image at markers, the type's largest value elsewhere. */
gboolean wf_cuda_start_levels (WfCuda         *cuda,
                               WfType          type,
                               gint64          n,
                               gconstpointer   image,
                               const guint32  *markers,
                               gpointer        result,
                               GError        **error);

/* How many different labels there are, 0 not counted. */
gboolean wf_cuda_count_labels (WfCuda         *cuda,
                               const guint32  *labels,
                               gint64          n,
                               guint32        *n_labels,
                               GError        **error);

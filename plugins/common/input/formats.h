/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gegl.h>

#include "wavefront.h"

G_BEGIN_DECLS

WfType       wf_format_get_type   (const Babl *format);
gboolean     wf_format_is_grey    (const Babl *format);
const Babl * wf_format_find_grey  (const Babl *format,
                                   gboolean    alpha,
                                   WfType      type);
const Babl * wf_format_find_color (const Babl *format,
                                   gboolean    alpha,
                                   WfType      type);
const Babl * wf_format_find_encoded
                                  (const Babl *format,
                                   gboolean    alpha,
                                   WfType      type);
gboolean     wf_format_is_linear  (const Babl *format);
const Babl * wf_format_find_non_linear
                                  (const Babl *format,
                                   gboolean    alpha,
                                   WfType      type);
const Babl * wf_format_find       (const Babl *format,
                                   gboolean    alpha,
                                   WfType      type);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The formats of outlines, for wf_outlines_format(). */

#pragma once

#include "wavefront.h"

char *   wf_outlines_format_geojson (const WfOutlines  *outlines,
                                     gboolean           is_stack,
                                     const char        *object_type,
                                     const double      *spacing);
GBytes * wf_outlines_format_rois    (const WfOutlines  *outlines,
                                     gboolean           is_stack,
                                     GError           **error);

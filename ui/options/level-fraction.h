/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_level_is_fraction   (const WfOption *option);
double   wf_level_get_factor    (const WfOption *option,
                                 WfType          type);
double   wf_level_lowest        (const WfOption *option);
double   wf_level_maximum       (WfType          type);
double   wf_level_from_fraction (double          fraction,
                                 WfType          type);

G_END_DECLS

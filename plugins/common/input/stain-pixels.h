/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "region.h"

G_BEGIN_DECLS

gboolean wf_stain_pixels_pick (GimpDrawable    *drawable,
                               const WfRegion  *region,
                               double           densities[3],
                               GError         **error);

G_END_DECLS

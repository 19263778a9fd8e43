/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of images that libvips reads. */

#pragma once

#include <vips/vips.h>

#include "engine/wavefront.h"

gboolean    vips_luminance_is_linear (VipsImage     *colour);
VipsImage * vips_luminance           (VipsImage     *colour,
                                      const WfStain *stain);

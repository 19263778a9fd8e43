/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colors of image files, through libvips. */

#pragma once

#include "color-image.h"

gboolean vips_colors_read  (ColorImage       *image,
                            const char       *path,
                            const Choice     *choice,
                            GError          **error);
gboolean vips_colors_write (const ColorImage *image,
                            const WfImage    *joined,
                            int               descriptor,
                            const char       *path,
                            const char       *suffix,
                            TiffCompression   compression,
                            GError          **error);

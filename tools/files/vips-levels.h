/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels of the types that libvips has and the engine has not. */

#pragma once

#include <vips/vips.h>

gboolean vips_levels_to_float  (gconstpointer    pixels,
                                VipsBandFormat   format,
                                gsize            n,
                                float           *levels,
                                const char      *path,
                                char           **notice,
                                GError         **error);
gboolean vips_levels_to_labels (gconstpointer    pixels,
                                VipsBandFormat   format,
                                gsize            n,
                                guint32         *labels,
                                GError         **error);

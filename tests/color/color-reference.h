/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The color of a pixel that gets another luminance, by the definition in engine/color/luminance.c,
 * in double precision and linear light.
 */

#pragma once

#include <glib.h>

void color_reference_set (const double *color,
                          double        luminance,
                          double        wanted,
                          gboolean      limited,
                          double       *out);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levels in 64-bit floating point, which the engine has in 32 bits. */

#pragma once

#include <glib.h>

gboolean doubles_to_floats    (const double  *doubles,
                               gsize          n,
                               float         *levels,
                               gboolean      *rounded,
                               GError       **error);
char *   doubles_make_notice  (const char    *path);

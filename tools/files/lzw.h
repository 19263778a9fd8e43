/* SPDX-License-Identifier: GPL-3.0-or-later */

/* LZW as TIFF has it, in memory. */

#pragma once

#include <glib.h>

gsize lzw_bound    (gsize          n);
gsize lzw_compress (gconstpointer  bytes,
                    gsize          n,
                    gpointer       out,
                    gsize          room);

/* What libtiff takes for it, beside the bytes once more. */
#define LZW_BYTES ((gsize) 512 << 10)

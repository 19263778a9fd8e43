/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files of the tests of blocks, and what they compare. */

#pragma once

#ifdef HAVE_VIPS
#include "pictures.h"
#endif
#include "pixels.h"

G_BEGIN_DECLS

guint8 *    make_spots         (int             width,
                                int             height);
void        make_seeds         (guint8         *levels,
                                gsize           n);
void        assert_same_files  (const Scratch  *scratch,
                                const char     *name,
                                const char     *other);
double      find_number        (const Run      *done,
                                const char     *name);

#ifdef HAVE_VIPS
VipsImage * wrap               (gpointer        bytes,
                                int             width,
                                int             height,
                                int             bands);
void        write_tiff         (const Scratch  *scratch,
                                const char     *name,
                                VipsImage      *image,
                                int             tile);
void        assert_same_pixels (const Scratch  *scratch,
                                const char     *name,
                                const char     *raw,
                                const char     *type,
                                gsize           n);
#endif

G_END_DECLS

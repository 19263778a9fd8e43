/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images of the tests: doubles in memory, raw files on disk. */

#pragma once

#include "harness.h"
#include "tests/reference/reference.h"

/**
 * Pixels:
 * @type: "u8", "u16", "f32", "u32", "u64" or "f64"
 * @size: width, height, depth
 * @n: number of pixels
 * @values: their exact values
 */
typedef struct
{
  const char *type;
  RefSize     size;
  gint64      n;
  double     *values;
} Pixels;

Pixels * pixels_new          (const char    *type,
                              gint64         width,
                              gint64         height,
                              gint64         depth);
Pixels * pixels_random       (const char    *type,
                              gint64         width,
                              gint64         height,
                              gint64         depth,
                              int            n_levels);
Pixels * pixels_read         (const Scratch *scratch,
                              const char    *name,
                              const char    *type,
                              const RefSize *size);
void     pixels_write        (const Scratch *scratch,
                              const char    *name,
                              const Pixels  *pixels);
gpointer pixels_to_bytes     (const Pixels  *pixels,
                              gsize         *length);
char *   pixels_spec         (const Pixels  *pixels);
void     pixels_assert_equal (const Pixels  *found,
                              const double  *expected);
void     pixels_free         (Pixels        *pixels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pixels, pixels_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel, which goes from the first input that has one to the outputs. */

#pragma once

#include <glib.h>

/**
 * PixelSize:
 * @size: along x, y and z
 * @unit: (nullable): of them, such as "micrometer"
 * @of_print: whether it is no more than the resolution of a picture, which is seldom the size of
 *   what it shows
 */
typedef struct
{
  double    size[3];
  char     *unit[3];
  gboolean  of_print;
} PixelSize;

#define PIXEL_SIZE_NONE { .size = { 1.0, 1.0, 1.0 } }

const char *      pixel_size_name_unit   (const char      *name);
const char *      pixel_size_sign_unit   (const char      *unit);
double            pixel_size_get_density (const PixelSize *size,
                                          guint            axis);
void              pixel_size_note        (const PixelSize *size);
const PixelSize * pixel_size_get         (void);
void              pixel_size_forget      (void);
void              pixel_size_clear       (PixelSize       *size);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PixelSize, pixel_size_clear)

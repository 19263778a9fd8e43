/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel, which goes from the first input that has one to the outputs. */

#pragma once

#include <glib.h>

/**
 * PixelSize:
 * @size: along x, y and z
 * @unit: (nullable): of them, such as "micrometer"
 */
typedef struct
{
  double  size[3];
  char   *unit[3];
} PixelSize;

void              pixel_size_note   (const PixelSize *size);
const PixelSize * pixel_size_get    (void);
void              pixel_size_forget (void);

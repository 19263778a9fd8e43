/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The axes of a TIFF file with several pages, as OME-TIFF and ImageJ describe them. */

#pragma once

#include <glib.h>

/**
 * Axes:
 * @n_series: number of images in the file, at least 1
 * @n_channels: of the chosen one, at least 1
 * @n_slices: along z, at least 1
 * @n_frames: along time, at least 1
 * @lengths: of a pixel along x, y and z, where they are described
 * @units: (nullable): of them, as in #PixelSize; they point to constants, as @unit
 * @unit: (nullable): that of ImageJ, of the resolution and of @lengths along z
 * @pages: the page of each plane, −1 if the file lacks it: ((frame * n_slices) + slice) *
 *   n_channels + channel
 */
typedef struct
{
  int         n_series;
  int         n_channels;
  int         n_slices;
  int         n_frames;
  double      lengths[3];
  const char *units[3];
  const char *unit;
  int        *pages;
} Axes;

gboolean axes_find     (Axes        *axes,
                        const char  *description,
                        int          n_pages,
                        int          series);
int      axes_get_page (const Axes  *axes,
                        int          channel,
                        int          slice,
                        int          frame);
void     axes_clear    (Axes        *axes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Axes, axes_clear)

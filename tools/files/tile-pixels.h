/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a tile of TIFF: made smaller, and prepared to be compressed. */

#pragma once

#include "wavefront.h"

/**
 * TilePart:
 * @pixels: the first one
 * @stride: pixels from row to row
 * @width: in pixels
 * @height: in pixels
 */
typedef struct
{
  gpointer pixels;
  gint64   stride;
  gint64   width;
  gint64   height;
} TilePart;

void tile_pixels_shrink  (WfType           type,
                          gboolean         pick,
                          const TilePart  *from,
                          gpointer         to);
void tile_pixels_predict (WfType           type,
                          gint64           width,
                          gint64           height,
                          gpointer         pixels,
                          guint8          *row);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a TIFF file says of the size of a pixel. */

#pragma once

#include "axes.h"

/**
 * TiffResolution:
 * @x: pixels in a millimeter, or in a unit that has another place
 * @y: likewise
 * @unit: (nullable): "in" or "cm": that of the tags
 */
typedef struct
{
  double      x;
  double      y;
  const char *unit;
} TiffResolution;

void     tiff_size_note            (const Axes           *axes,
                                    const TiffResolution *resolution,
                                    int                   factor);
gboolean tiff_size_has_description (void);
char *   tiff_size_describe        (const char           *type,
                                    int                   n_bands,
                                    gint64                width,
                                    gint64                height,
                                    gint64                depth);

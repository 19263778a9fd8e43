/* SPDX-License-Identifier: GPL-3.0-or-later */

/* OME-Zarr, version 0.4: which arrays of a folder are an image, and what their axes are. */

#pragma once

#include "array.h"
#include "tools/files/choice.h"
#include "tools/files/pixel-size.h"

/**
 * ZarrAxis:
 * @name: "t", "c", "z", "y" or "x", or another one
 * @unit: (nullable): such as "micrometer"
 * @scale: size of an element
 */
typedef struct
{
  char   *name;
  char   *unit;
  double  scale;
} ZarrAxis;

/**
 * ZarrLevel:
 * @folder: of the array
 * @n_axes: how many axes are described; 0: none
 * @axes: in the order of the array
 *
 * A level of the pyramid of an image.
 */
typedef struct
{
  char     *folder;
  guint     n_axes;
  ZarrAxis  axes[ZARR_MAX_AXES];
} ZarrLevel;

gboolean zarr_level_find  (ZarrLevel        *level,
                           const char       *folder,
                           const Choice     *choice,
                           GString          *notes,
                           GError          **error);
void     zarr_level_clear (ZarrLevel        *level);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ZarrLevel, zarr_level_clear)

gboolean zarr_ome_write   (int               root,
                           const char       *name,
                           gboolean          stack,
                           gboolean          labels,
                           guint             n_levels,
                           const PixelSize  *size,
                           GError          **error);

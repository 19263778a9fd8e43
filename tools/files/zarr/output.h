/* SPDX-License-Identifier: GPL-3.0-or-later */

/* OME-Zarr images, written as the rows of an image come. */

#pragma once

#include "tools/files/tile-blocks.h"

typedef struct _ZarrOutput ZarrOutput;

guint64      zarr_output_get_memory  (const TilePlan  *plan,
                                      const WfImage   *model,
                                      guint64          most);
gint64       zarr_output_get_granule (const TilePlan  *plan,
                                      const WfImage   *model);
ZarrOutput * zarr_output_new         (const TilePlan  *plan,
                                      const WfImage   *model,
                                      guint64          most,
                                      int              root,
                                      GError         **error);
gboolean     zarr_output_write       (ZarrOutput      *output,
                                      gint64           x,
                                      gint64           y,
                                      gint64           z,
                                      const WfImage   *block,
                                      GError         **error);
gboolean     zarr_output_finish      (ZarrOutput      *output,
                                      const char      *name,
                                      GError         **error);
gboolean     zarr_output_write_image (const TilePlan  *plan,
                                      const WfImage   *image,
                                      int              root,
                                      const char      *name,
                                      GError         **error);
void         zarr_output_free        (ZarrOutput      *output);

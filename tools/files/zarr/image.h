/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in Zarr folders, read as a whole or in blocks. */

#pragma once

#include "tools/files/choice.h"
#include "wavefront.h"

typedef struct _ZarrImage ZarrImage;

ZarrImage * zarr_image_open       (const char     *path,
                                   gboolean        labels,
                                   const Choice   *choice,
                                   guint           n_threads,
                                   WfBlockSource  *source,
                                   char          **notice,
                                   GError        **error);
guint64     zarr_image_get_memory (const ZarrImage *image);
gboolean    zarr_image_read       (ZarrImage      *image,
                                   gint64          x,
                                   gint64          y,
                                   gint64          z,
                                   WfImage        *block,
                                   GError        **error);
gboolean    zarr_image_is_rounded (const ZarrImage *image);
void        zarr_image_free       (ZarrImage      *image);

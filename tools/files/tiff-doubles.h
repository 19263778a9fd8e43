/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TIFF files of 64-bit floating point, which libvips writes but does not read. */

#pragma once

#include "wavefront.h"

gboolean tiff_doubles_are_in (const char  *path);
gboolean tiff_doubles_read   (const char  *path,
                              WfImage     *image,
                              gboolean    *rounded,
                              GError     **error);

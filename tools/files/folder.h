/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outputs that are folders. */

#pragma once

#include <glib.h>

int      folder_make      (const char  *path);
gboolean folder_is_zarr   (const char  *path);
gboolean folder_is_input  (const char  *path);
gboolean folder_replace   (const char  *path,
                           const char  *target);
gboolean folder_remove    (const char  *path);

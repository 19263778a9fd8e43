/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What reading and writing with libvips share. */

#pragma once

#include <vips/vips.h>

/* Damaged files are errors. */
#define VIPS_STRICT "fail_on", VIPS_FAIL_ON_ERROR

/* Only newer headers of libvips define this for VipsImage itself. */
typedef VipsImage Picture;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, g_object_unref)

gboolean vips_library_start       (GError    **error);
char *   vips_library_take_reason (void);
int      vips_library_count_pages (VipsImage  *image);

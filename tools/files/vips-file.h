/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Image files of all formats, through libvips. */

#pragma once

#include "wavefront.h"

gboolean vips_file_can_write (const char      *suffix);

gboolean vips_file_read      (const char      *path,
                              gboolean         labels,
                              WfImage         *image,
                              gpointer        *owner,
                              GDestroyNotify  *release,
                              char           **notice,
                              GError         **error);
gboolean vips_file_write     (const char      *path,
                              const WfImage   *image,
                              GError         **error);

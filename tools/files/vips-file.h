/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Image files of all formats, through libvips. */

#pragma once

#include <vips/vips.h>

#include "choice.h"
#include "tiff-compression.h"
#include "wavefront.h"

gboolean vips_file_can_write (const char      *suffix);
gboolean vips_file_has_target
                             (const char      *suffix);

gboolean vips_file_check     (const char      *path,
                              GError         **error);
VipsImage *
         vips_file_open      (const char      *path,
                              gboolean         labels,
                              const Choice    *choice,
                              VipsAccess       access,
                              int             *page_height,
                              char           **notice);
WfType   vips_file_get_type  (VipsImage       *image,
                              gboolean         labels,
                              gboolean        *is_same);
gboolean vips_file_read      (const char      *path,
                              gboolean         labels,
                              const Choice    *choice,
                              WfImage         *image,
                              gpointer        *owner,
                              GDestroyNotify  *release,
                              char           **notice,
                              GError         **error);
gboolean vips_file_is_rgb    (const VipsImage *image);
gboolean vips_file_is_color  (VipsImage       *image);
VipsBandFormat
         vips_file_get_format
                             (WfType           type);
gboolean vips_file_save      (VipsImage       *view,
                              const WfImage   *image,
                              int              descriptor,
                              const char      *path,
                              const char      *suffix,
                              TiffCompression  compression,
                              GError         **error);
gboolean vips_file_write     (int              descriptor,
                              const char      *path,
                              const char      *suffix,
                              TiffCompression  compression,
                              const WfImage   *image,
                              GError         **error);

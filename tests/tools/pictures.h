/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes and reads image files of the tests with libvips. */

#pragma once

#include <vips/vips.h>

#include "pixels.h"

void pictures_begin             (const char     *program);
void picture_write              (const Scratch  *scratch,
                                 const char     *name,
                                 const Pixels   *pixels);
void picture_write_bands        (const Scratch  *scratch,
                                 const char     *name,
                                 const Pixels   *pixels,
                                 int             n_bands);
void picture_write_rgb          (const Scratch  *scratch,
                                 const char     *name,
                                 const guint8   *colours,
                                 int             n);
void picture_write_rgb16        (const Scratch  *scratch,
                                 const char     *name,
                                 const guint16  *colours,
                                 int             n);
void picture_write_float_rgb    (const Scratch  *scratch,
                                 const char     *name,
                                 const float    *colours,
                                 int             n,
                                 GBytes         *profile);
void picture_write_values       (const Scratch  *scratch,
                                 const char     *name,
                                 VipsBandFormat  format,
                                 const double   *values,
                                 int             n);
void picture_write_uneven_pages (const Scratch  *scratch,
                                 const char     *name);
void picture_assert             (const Scratch  *scratch,
                                 const char     *name,
                                 const char     *type,
                                 const RefSize  *size,
                                 const double   *expected);

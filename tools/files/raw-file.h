/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Headerless files of little-endian pixels, row after row, slice after slice. */

#pragma once

#include "wavefront.h"

/**
 * RawSpec:
 * @type: of the pixels: u8, u16, f32 or f64
 * @width: pixels in a row
 * @height: rows in a slice
 * @depth: slices
 *
 * What --raw says of the inputs.
 */
typedef struct
{
  WfType type;
  gint64 width;
  gint64 height;
  gint64 depth;
} RawSpec;

gboolean raw_spec_parse    (RawSpec        *spec,
                            const char     *text,
                            GError        **error);
WfType   raw_spec_get_type (const RawSpec  *spec,
                            WfContent       content);

int      raw_file_open     (const char     *path,
                            const RawSpec  *spec,
                            WfType         *type,
                            GError        **error);
gboolean raw_file_read     (const char     *path,
                            const RawSpec  *spec,
                            WfType          type,
                            WfImage        *image,
                            GMappedFile   **mapping,
                            GError        **error);
gboolean raw_file_write    (int             descriptor,
                            const WfImage  *image,
                            GError        **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrays of NumPy, one in a file. */

#pragma once

#include "elements.h"
#include "wavefront.h"

/**
 * NpyHeader:
 * @type: of the pixels; that of truth values is u8
 * @swapped: whether their bytes are in the other order than the machine's
 * @width: pixels in a row
 * @height: rows in a slice
 * @depth: slices
 * @n_sides: of the array: 3 for a stack, even of one slice
 * @length: bytes before the pixels
 *
 * What the beginning of a file says.
 */
typedef struct
{
  ElementType type;
  gboolean    swapped;
  gint64      width;
  gint64      height;
  gint64      depth;
  guint       n_sides;
  gsize       length;
} NpyHeader;

gboolean npy_header_parse   (NpyHeader      *header,
                             const char     *bytes,
                             gsize           n,
                             GError        **error);
char *   npy_header_format  (const WfImage  *image,
                             guint           n_sides,
                             gsize          *length);
gboolean npy_file_is_likely (const char     *path);
int      npy_file_open      (const char     *path,
                             NpyHeader      *header,
                             GError        **error);
GMappedFile *
         npy_file_map       (const char       *path,
                             NpyHeader        *header,
                             GError          **error);
gboolean npy_file_take      (GMappedFile      *mapping,
                             const char       *path,
                             const NpyHeader  *header,
                             gboolean          labels,
                             WfImage          *image,
                             gboolean         *rounded,
                             GError          **error);
gboolean npy_file_write     (int             descriptor,
                             const WfImage  *image,
                             guint           n_sides,
                             GError        **error);

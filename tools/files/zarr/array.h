/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An array of Zarr, version 2: a folder with .zarray and a file for each chunk. */

#pragma once

#include "codec.h"
#include "tools/files/elements.h"

/* Of OME-Zarr: time, channel, z, y, x. */
#define ZARR_MAX_AXES 5

/**
 * ZarrArray:
 * @folder: its name
 * @root: descriptor of the folder that @folder is in; its own name, absolute or as the process
 *   sees it, if it is read
 * @n_axes: 2 to %ZARR_MAX_AXES
 * @shape: elements along each axis
 * @chunks: those of a chunk, all of which have this size
 * @type: of the elements
 * @swapped: whether their bytes are in the other order than the machine's
 * @codec: of the chunks
 * @fill: an element of missing chunks, as the machine has it
 * @separator: of the numbers in the names of chunks
 *
 * The last axis changes fastest.
 */
typedef struct
{
  char        *folder;
  int          root;
  guint        n_axes;
  gint64       shape[ZARR_MAX_AXES];
  gint64       chunks[ZARR_MAX_AXES];
  ElementType  type;
  gboolean     swapped;
  ZarrCodec    codec;
  guint64      fill;
  char         separator;
} ZarrArray;

gboolean zarr_array_is_there    (const char        *folder);
gboolean zarr_array_open        (ZarrArray         *array,
                                 const char        *folder,
                                 GError           **error);
gsize    zarr_array_chunk_bytes (const ZarrArray   *array);
gboolean zarr_array_read_chunk  (const ZarrArray   *array,
                                 const gint64      *index,
                                 gpointer           stored,
                                 gpointer           pixels,
                                 GError           **error);

gboolean zarr_array_create      (const ZarrArray   *array,
                                 GError           **error);
gboolean zarr_array_write_chunk (const ZarrArray   *array,
                                 const gint64      *index,
                                 ZarrCoder         *coder,
                                 gconstpointer      pixels,
                                 GError           **error);
void     zarr_array_clear       (ZarrArray         *array);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files are read and written with offsets and not mapped: the pages of a mapping count as memory
 * of the process, and a disk that fails would be a signal.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "bytes.h"
#include "doubles.h"
#include "raw-blocks.h"
#include "tools/message.h"
#include "tools/ranks.h"

/* Pixels of f64 that are converted at a time. */
#define PART ((gint64) 1 << 15)


/* Consecutive pixels of a block that are consecutive in the file. */
static gint64
find_run (const RawBlocks *blocks,
          const WfImage   *block)
{
  const gboolean whole_rows = block->width == blocks->width && block->row_stride == block->width;

  return whole_rows ? block->width * block->height : block->width;
}

static gint64
find_offset (const RawBlocks *blocks,
             gint64           x,
             gint64           y,
             gint64           z)
{
  return blocks->offset +
         ((z * blocks->height + y) * blocks->width + x) * (gint64) wf_type_size (blocks->stored);
}

static gpointer
pixel_of (const WfImage *block,
          gint64         y,
          gint64         z)
{
  return (guint8 *) block->data + (z * block->slice_stride + y * block->row_stride) *
                                  (gint64) wf_type_size (block->type);
}

/* Reads pixels of @size bytes. */
static gboolean
read_bytes (const RawBlocks  *blocks,
            gint64            offset,
            gpointer          bytes,
            gsize             n,
            gsize             size,
            GError          **error)
{
  g_autoptr (GError) problem = NULL;

  if (! blocks->shared)
    return bytes_read_at (blocks->descriptor, offset, bytes, n, size, error);
  return wf_rank_file_read (blocks->shared, offset, bytes, n, &problem) ||
         refuse_because (problem->message, error);
}

static gboolean
write_bytes (const RawBlocks  *blocks,
             gint64            offset,
             gconstpointer     bytes,
             gsize             n,
             gsize             size,
             GError          **error)
{
  g_autoptr (GError) problem = NULL;

  if (! blocks->shared)
    return bytes_write_at (blocks->descriptor, offset, bytes, n, size, error);
  return wf_rank_file_write (blocks->shared, offset, bytes, n, &problem) ||
         refuse_because (problem->message, error);
}

/**
 * raw_blocks_share:
 * @blocks: a file
 * @path: its name
 * @writable: whether it is written
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Opens the file once more, to be read and written together with other processes.  Its bytes are
 * in the order of the file, which must be the machine's.
 *
 * Returns: success
 */
gboolean
raw_blocks_share (RawBlocks   *blocks,
                  const char  *path,
                  gboolean     writable,
                  GError     **error)
{
  g_autoptr (GError) problem = NULL;

  if (G_BYTE_ORDER != G_LITTLE_ENDIAN)
    return refuse_because (_("several processes need a machine that is little-endian"), error);
  blocks->shared = wf_rank_file_open (ranks_get (), path, writable, &problem);
  return blocks->shared || refuse_because (problem->message, error);
}

/**
 * raw_blocks_close:
 * @blocks: a file
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Ends what raw_blocks_share() began.
 *
 * Returns: whether what was written is on the disk
 */
gboolean
raw_blocks_close (RawBlocks  *blocks,
                  GError    **error)
{
  g_autoptr (GError) problem = NULL;

  return ! blocks->shared ||
         wf_rank_file_close (g_steal_pointer (&blocks->shared), &problem) ||
         refuse_because (problem->message, error);
}

static gboolean
read_doubles (RawBlocks  *blocks,
              gint64      offset,
              float      *levels,
              gint64      n,
              GError    **error)
{
  g_autofree double *doubles = g_new (double, MIN (n, PART));

  for (gint64 at = 0; at < n; at += PART)
    {
      const gsize part = (gsize) MIN (PART, n - at);

      if (! read_bytes (blocks, offset + at * (gint64) sizeof (double), doubles,
                        part * sizeof (double), sizeof (double), error) ||
          ! doubles_to_floats (doubles, part, levels + at, &blocks->rounded, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * raw_blocks_read:
 * @blocks: a file
 * @x: the block's first pixel
 * @y: likewise
 * @z: likewise
 * @block: to be filled; f32 where the file has f64, else the type of the file
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * The disk is asked for what follows, another block of this size.
 *
 * Returns: success
 */
gboolean
raw_blocks_read (RawBlocks  *blocks,
                 gint64      x,
                 gint64      y,
                 gint64      z,
                 WfImage    *block,
                 GError    **error)
{
  const gint64 run  = find_run (blocks, block);
  const gsize  size = wf_type_size (blocks->stored);

  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j += run / block->width)
      {
        const gint64 offset = find_offset (blocks, x, y + j, z + k);

        if (blocks->stored == WF_TYPE_F64
            ? ! read_doubles (blocks, offset, pixel_of (block, j, k), run, error)
            : ! read_bytes (blocks, offset, pixel_of (block, j, k), (gsize) run * size, size,
                            error))
          return FALSE;
      }
  if (! blocks->shared)
    bytes_read_ahead (blocks->descriptor,
                      (guint64) find_offset (blocks, x, y + block->height, z + block->depth - 1),
                      (guint64) wf_image_n_pixels (block) * size);
  return TRUE;
}

/**
 * raw_blocks_write:
 * @blocks: a file
 * @x: the block's first pixel
 * @y: likewise
 * @z: likewise
 * @block: its pixels, of the file's type
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
raw_blocks_write (const RawBlocks  *blocks,
                  gint64            x,
                  gint64            y,
                  gint64            z,
                  const WfImage    *block,
                  GError          **error)
{
  const gint64 run  = find_run (blocks, block);
  const gsize  size = wf_type_size (blocks->stored);

  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j += run / block->width)
      if (! write_bytes (blocks, find_offset (blocks, x, y + j, z + k), pixel_of (block, j, k),
                         (gsize) run * size, size, error))
        return FALSE;
  return TRUE;
}

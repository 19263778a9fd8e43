/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "block-store.h"

static guint8 *
pixel_of (const WfImage *image,
          gint64         x,
          gint64         y,
          gint64         z)
{
  return (guint8 *) image->data
         + (z * image->slice_stride + y * image->row_stride + x) * wf_type_size (image->type);
}

static void
check_block (const BlockStore *store,
             gint64            x,
             gint64            y,
             gint64            z,
             const WfImage    *block)
{
  const WfImage *whole = &store->image->view;

  g_assert_cmpint (block->type, ==, whole->type);
  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (y, >=, 0);
  g_assert_cmpint (z, >=, 0);
  g_assert_cmpint (block->width, >=, 1);
  g_assert_cmpint (block->height, >=, 1);
  g_assert_cmpint (block->depth, >=, 1);
  g_assert_cmpint (x + block->width, <=, whole->width);
  g_assert_cmpint (y + block->height, <=, whole->height);
  g_assert_cmpint (z + block->depth, <=, whole->depth);
}

static gboolean
fail_now (guint    call,
          guint    failing,
          GError **error)
{
  if (call != failing)
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "Call %u fails.", call);
  return TRUE;
}

static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  BlockStore    *store = data;
  const WfImage *whole = &store->image->view;
  const gsize    bytes = block->width * wf_type_size (block->type);

  check_block (store, x, y, z, block);
  store->largest = MAX (store->largest, wf_image_n_pixels (block));
  if (fail_now (++store->n_reads, store->fail_at_read, error))
    return FALSE;
  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j++)
      memcpy (pixel_of (block, 0, j, k), pixel_of (whole, x, y + j, z + k), bytes);
  return TRUE;
}

/* Whether an operation has finished all of these rows, or slices. */
static gboolean
are_finished (gpointer data,
              gint64   first,
              gint64   end)
{
  const BlockStore *store = data;

  for (gint64 i = first; i < end; i++)
    if (! store->finished[i])
      return FALSE;
  return TRUE;
}

static gboolean
finish (gpointer   data,
        gint64     first,
        gint64     end,
        GError   **error)
{
  BlockStore *store = data;

  memset (store->finished + first, TRUE, end - first);
  return TRUE;
}

static gboolean
write_block (gpointer        data,
             gint64          x,
             gint64          y,
             gint64          z,
             const WfImage  *block,
             GError        **error)
{
  BlockStore    *store = data;
  const WfImage *whole = &store->image->view;
  const gsize    bytes = block->width * wf_type_size (block->type);

  check_block (store, x, y, z, block);
  if (fail_now (++store->n_writes, store->fail_at_write, error))
    return FALSE;
  store->in_order  &= x == 0 && block->width == whole->width &&
                      (z * whole->height + y) * whole->width == store->n_written;
  store->n_written += wf_image_n_pixels (block);
  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j++)
      memcpy (pixel_of (whole, x, y + j, z + k), pixel_of (block, 0, j, k), bytes);
  return TRUE;
}

/* @image: (transfer full) */
void
block_store_init (BlockStore   *store,
                  GuardedImage *image)
{
  const WfImage *view = &image->view;

  *store = (BlockStore) {
    .image    = image,
    .in_order = TRUE,
    .source   = { view->type, view->width, view->height, view->depth, read_block, store },
    .sink     = { write_block, read_block, store },
  };
}

/* Operations go on from what is @finished, and say there what they finish. */
void
block_store_resume (BlockStore *store,
                    guint8     *finished)
{
  store->finished          = finished;
  store->sink.are_finished = are_finished;
  store->sink.finish       = finish;
}

void
block_store_clear (BlockStore *store)
{
  g_clear_pointer (&store->image, guarded_image_free);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "block-output.h"
#include "format.h"
#include "space.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "tools/ranks.h"

#ifdef HAVE_ZARR
#include "zarr/output.h"
#endif

/* Of the memory that is left, for rows that wait to be written. */
#define WAITING_PART 16


static gboolean
is_raw (const Output *output)
{
  return output->format->kind == FORMAT_RAW;
}

/* Of WfWriteBlockFunc. */
static gboolean
write_block (gpointer        data,
             gint64          x,
             gint64          y,
             gint64          z,
             const WfImage  *block,
             GError        **error)
{
  BlockOutput        *blocks  = data;
  g_autoptr (GError)  problem = NULL;
  gboolean            written = FALSE;

  blocks->n_blocks++;
#ifdef HAVE_VIPS
  if (blocks->tiff)
    written = tiff_blocks_write (blocks->tiff, x, y, z, block, &problem);
#endif
#ifdef HAVE_ZARR
  if (blocks->zarr)
    written = zarr_output_write (blocks->zarr, x, y, z, block, &problem);
#endif
  if (! blocks->tiff && ! blocks->zarr)
    written = raw_blocks_write (&blocks->raw, x, y, z, block, &problem);
  return written || refuse_to_write (blocks->output->name, problem->message, error);
}

/* Of WfReadBlockFunc, for raw files. */
static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  BlockOutput        *blocks  = data;
  g_autoptr (GError)  problem = NULL;

  return raw_blocks_read (&blocks->raw, x, y, z, block, &problem) ||
         refuse_to_write (blocks->output->name, problem->message, error);
}

/**
 * block_output_check:
 * @output: a prepared output
 * @content: what is to be written
 * @type: type of a pixel
 * @model: an image of the same size
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file can be written in blocks.
 */
gboolean
block_output_check (const Output   *output,
                    WfContent       content,
                    WfType          type,
                    const WfImage  *model,
                    GError        **error)
{
  if (! output->target)
    return refuse_to_write (output->name, _("in blocks a result is written only to a file with a "
                                            "name"), error);
  if (! is_raw (output) && ranks_are_several ())
    return refuse_to_write (output->name, _("several processes write only .raw files"), error);
  if (! is_raw (output) && ! output_is_tiff (output) && ! output_is_zarr (output))
    return refuse_to_write (output->name, _("in blocks only .raw, .tif and .zarr files are "
                                            "written"), error);
  if (! output_accepts (output, content, type, model->depth, error) ||
      ! format_accepts_size (output->format, output->name, model, error))
    return FALSE;
  if (! format_has_type (output->format, type))
    return refuse_to_write (output->name, _("in blocks pixels of this type are written only to "
                                            ".raw files"), error);
  return TRUE;
}

/* How much memory may be taken to write TIFF faster. */
static guint64
find_most_memory (void)
{
  const guint64 left = memory_left ();

  return left > 0 ? left / WAITING_PART : G_MAXUINT64;
}

static gboolean
claim (const Output    *output,
       const TilePlan  *plan,
       const WfImage   *model,
       guint64          most,
       GError         **error)
{
  const gint64     n      = wf_image_n_pixels (model);
  g_autofree char *reason = NULL;

  if (is_raw (output))
    reason = space_claim (output->target, format_count_bytes (output->format, plan->type, n));
#ifdef HAVE_ZARR
  else if (output_is_zarr (output))
    reason = memory_claim (zarr_output_get_memory (plan, model, most));
#endif
#ifdef HAVE_VIPS
  else
    {
      reason = space_claim (output->target, tiff_blocks_get_size (plan, model));
      if (! reason)
        reason = memory_claim (tiff_blocks_get_memory (plan, model, most));
    }
#endif
  return ! reason || refuse_to_write (output->name, reason, error);
}

/* Opens the temporary file: of several processes, the first one's. */
static gboolean
open_file (BlockOutput  *blocks,
           guint64       bytes,
           GError      **error)
{
  Output *output = blocks->output;

  if (ranks_is_first ())
    {
      blocks->descriptor = output_open_file (output, error);
      if (blocks->descriptor < 0)
        return FALSE;
      if (ranks_are_several () && ftruncate (blocks->descriptor, (off_t) bytes) != 0)
        return refuse_to_write (output->name, g_strerror (errno), error);
    }
  blocks->descriptor = ranks_share_file (blocks->descriptor, output->temporary, output->name,
                                         error);
  return blocks->descriptor >= 0;
}

/**
 * block_output_open:
 * @blocks: filled; to be cleared whatever the result
 * @output: for which block_output_check() is true
 * @plan: what is written, and how if it is TIFF
 * @model: an image of the same size
 * @error: %TOOL_ERROR_FILE
 *
 * Begins a temporary file, as output_write() does, if there is room for it.
 *
 * Returns: success
 */
gboolean
block_output_open (BlockOutput    *blocks,
                   Output         *output,
                   const TilePlan *plan,
                   const WfImage  *model,
                   GError        **error)
{
  g_autoptr (GError) problem = NULL;
  const guint64      most    = find_most_memory ();

  *blocks = (BlockOutput) { .sink = { write_block, NULL, blocks }, .output = output,
                            .descriptor = -1 };
  if (! claim (output, plan, model, most, error))
    return FALSE;
  if (! open_file (blocks, format_count_bytes (output->format, plan->type,
                                               wf_image_n_pixels (model)), error))
    return FALSE;

  if (is_raw (output))
    {
      blocks->raw       = (RawBlocks) { blocks->descriptor, plan->type, model->width,
                                        model->height };
      blocks->sink.read      = read_block;
      blocks->sink.any_order = TRUE;
      return TRUE;
    }
#ifdef HAVE_ZARR
  if (output_is_zarr (output))
    blocks->zarr = zarr_output_new (plan, model, most, blocks->descriptor, &problem);
#endif
#ifdef HAVE_VIPS
  if (output_is_tiff (output))
    blocks->tiff = tiff_blocks_new (plan, model, most, blocks->descriptor, &problem);
#endif
  return blocks->tiff || blocks->zarr || refuse_to_write (output->name, problem->message, error);
}

/* Another process gives the file its name. */
static gboolean
finish_part (BlockOutput  *blocks,
             GError      **error)
{
  const int descriptor = g_steal_fd (&blocks->descriptor);

  if (fsync (descriptor) != 0 && errno != EINVAL)
    {
      refuse_to_write (blocks->output->name, g_strerror (errno), error);
      close (descriptor);
      return FALSE;
    }
  return close (descriptor) == 0 ||
         refuse_to_write (blocks->output->name, g_strerror (errno), error);
}

/**
 * block_output_finish:
 * @blocks: an output whose blocks are all written
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file is complete and on the disk, ready for output_commit().
 */
gboolean
block_output_finish (BlockOutput  *blocks,
                     GError      **error)
{
  g_autoptr (GError) problem = NULL;

#ifdef HAVE_ZARR
  if (blocks->zarr)
    {
      g_autofree char *name = output_name_image (blocks->output);

      if (! zarr_output_finish (blocks->zarr, name, &problem))
        return refuse_to_write (blocks->output->name, problem->message, error);
    }
#endif
#ifdef HAVE_VIPS
  if (blocks->tiff && ! tiff_blocks_finish (blocks->tiff, &problem))
    return refuse_to_write (blocks->output->name, problem->message, error);
#endif
  if (! ranks_is_first ())
    return finish_part (blocks, error);
  return output_close_file (blocks->output, g_steal_fd (&blocks->descriptor), TRUE, error);
}

void
block_output_clear (BlockOutput *blocks)
{
#ifdef HAVE_VIPS
  g_clear_pointer ((TiffBlocks **) &blocks->tiff, tiff_blocks_free);
#endif
#ifdef HAVE_ZARR
  g_clear_pointer ((ZarrOutput **) &blocks->zarr, zarr_output_free);
#endif
  if (blocks->output && blocks->descriptor >= 0)
    close (blocks->descriptor);
  *blocks = (BlockOutput) { .descriptor = -1 };
}

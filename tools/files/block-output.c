/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "block-output.h"
#include "bytes.h"
#include "format.h"
#include "npy-file.h"
#include "space.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "tools/ranks.h"
#include "tools/signals.h"

#ifdef HAVE_ZARR
#include "zarr/output.h"
#endif

/* Of the memory that is left, for rows that wait to be written. */
#define WAITING_PART 16


static gboolean
is_npy (const Output *output)
{
  return output->format->kind == FORMAT_NPY;
}

/* Whether pixels lie in the file as they do in memory. */
static gboolean
is_raw (const Output *output)
{
  return output->format->kind == FORMAT_RAW || is_npy (output);
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

/* Of WfAreUnitsFinishedFunc. */
static gboolean
are_finished (gpointer data,
              gint64   first,
              gint64   end)
{
  const BlockOutput *blocks = data;
  const gint64       n      = blocks->n_rows;

  return unfinished_count_rows (blocks->unfinished, first * n, end * n) == (end - first) * n;
}

/* Of WfFinishUnitsFunc.  Rows of Zarr are kept when their chunks are written. */
static gboolean
finish (gpointer   data,
        gint64     first,
        gint64     end,
        GError   **error)
{
  BlockOutput        *blocks  = data;
  const gint64        n       = blocks->n_rows;
  g_autoptr (GError)  problem = NULL;

  return ! is_raw (blocks->output) ||
         unfinished_add (blocks->unfinished, first * n, end * n, blocks->descriptor, FALSE,
                         &problem) ||
         refuse_to_write (blocks->output->name, problem->message, error);
}

/**
 * block_output_check:
 * @output: a prepared output
 * @content: what is to be written
 * @type: type of a pixel
 * @model: an image of the same size
 * @resume: whether what is written is to be kept if the command is interrupted
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file can be written in blocks.
 */
gboolean
block_output_check (const Output   *output,
                    WfContent       content,
                    WfType          type,
                    const WfImage  *model,
                    gboolean        resume,
                    GError        **error)
{
  const gboolean in_place = (is_raw (output) && ! is_npy (output)) || output_is_zarr (output);

  if (! output->target)
    return refuse_to_write (output->name, _("in blocks a result is written only to a file with a "
                                            "name"), error);
  if (! in_place && resume)
    return refuse_to_write (output->name, _("--resume takes only .raw and .zarr files"), error);
  if (! in_place && ranks_are_several ())
    return refuse_to_write (output->name, _("several processes write only .raw and .zarr files"),
                            error);
  if (! in_place && ! output_is_tiff (output) && ! is_npy (output))
    return refuse_to_write (output->name, _("in blocks only .raw, .npy, .tif and .zarr files are "
                                            "written"), error);
  if (! output_accepts (output, content, type, model->depth, error) ||
      ! format_accepts_size (output->format, output->name, model, error))
    return FALSE;
  if (! format_has_type (output->format, type))
    return refuse_to_write (output->name, _("in blocks pixels of this type are written only to "
                                            ".raw files"), error);
  return TRUE;
}

/**
 * block_output_is_readable:
 * @output: a prepared output
 *
 * Returns: whether blocks that were written can be read back.
 */
gboolean
block_output_is_readable (const Output *output)
{
  return is_raw (output);
}

/* How much memory may be taken to write TIFF faster. */
static guint64
find_most_memory (void)
{
  const guint64 left = memory_left ();

  return left > 0 ? left / WAITING_PART : G_MAXUINT64;
}

/* The rows of the image that an earlier run has finished. */
static gint64
count_finished (const BlockOutput *blocks,
                const WfImage     *model)
{
  return blocks->unfinished
         ? unfinished_count_rows (blocks->unfinished, 0, model->height * model->depth) : 0;
}

static gboolean
claim (const BlockOutput  *blocks,
       const TilePlan     *plan,
       const WfImage      *model,
       guint64             most,
       GError            **error)
{
  const Output    *output = blocks->output;
  const gint64     n      = wf_image_n_pixels (model)
                            - count_finished (blocks, model) * model->width;
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

/* Opens it in another process, to write chunks, or to know that rows are on the disk. */
static gboolean
reopen (BlockOutput  *blocks,
        const char   *path,
        GError      **error)
{
  const int how = is_raw (blocks->output) ? O_RDWR : O_RDONLY | O_DIRECTORY;

  blocks->descriptor = open (path, how | O_CLOEXEC);
  return blocks->descriptor >= 0 ||
         refuse_to_write (blocks->output->name, g_strerror (errno), error);
}

/* A signal removes it in any process: the first one may have been killed. */
static void
watch_shared (BlockOutput *blocks,
              const char  *path)
{
  blocks->shared = g_strdup (path);
  blocks->slot   = signals_add_temporary (blocks->shared);
}

static void
unwatch_shared (BlockOutput *blocks)
{
  if (blocks->shared)
    signals_drop (blocks->slot);
  g_clear_pointer (&blocks->shared, g_free);
}

/* Opens the temporary file, or folder, of the first of several processes. */
static gboolean
share_file (BlockOutput  *blocks,
            GError      **error)
{
  Output             *output  = blocks->output;
  g_autofree char    *path    = ranks_share_path (output->temporary, output->name, error);
  g_autoptr (GError)  problem = NULL;

  if (! path)
    return FALSE;
  if (! ranks_is_first () && ! blocks->unfinished)
    watch_shared (blocks, path);
  if (is_raw (output) && ! raw_blocks_share (&blocks->raw, path, TRUE, &problem))
    return refuse_to_write (output->name, problem->message, error);
  if (is_raw (output) && ! blocks->unfinished)
    return TRUE;
  return ranks_is_first () || reopen (blocks, path, error);
}

/* Makes the temporary file: of several processes, the first one does. */
static gboolean
open_file (BlockOutput  *blocks,
           guint64       bytes,
           GError      **error)
{
  Output *output = blocks->output;

  if (! ranks_is_first ())
    return TRUE;
  blocks->descriptor = blocks->unfinished
                       ? output_open_kept (output, unfinished_get_image (blocks->unfinished), error)
                       : output_open_file (output, error);
  if (blocks->descriptor < 0)
    return FALSE;
  return (! ranks_are_several () && ! blocks->unfinished) || ! is_raw (output) ||
         ftruncate (blocks->descriptor, (off_t) bytes) == 0 ||
         refuse_to_write (output->name, g_strerror (errno), error);
}

#ifdef HAVE_ZARR
/* Of several processes each writes whole rows of chunks. */
static void
open_zarr (BlockOutput     *blocks,
           const TilePlan  *plan,
           const WfImage   *model,
           guint64          most,
           GError         **error)
{
  TilePlan own = *plan;

  own.unfinished = blocks->unfinished;
  if (ranks_are_several ())
    {
      wf_communicator_set_granule (ranks_get (), zarr_output_get_granule (plan, model));
      ranks_find_rows (model->height, model->depth, &own.first, &own.end);
    }
  blocks->zarr = zarr_output_new (&own, model, most, blocks->descriptor, error);
}
#endif

static gboolean
keep (BlockOutput  *blocks,
      const char   *task,
      GError      **error)
{
  const Output *output = blocks->output;

  blocks->unfinished        = unfinished_open (output->target, output->format->suffix, task, error);
  blocks->sink.are_finished = are_finished;
  blocks->sink.finish       = finish;
  return blocks->unfinished != NULL;
}

/* Writes what precedes the pixels. */
static gboolean
begin_npy (BlockOutput    *blocks,
           const WfImage  *model,
           GError        **error)
{
  const WfImage       image   = { .type = blocks->raw.stored, .width = model->width,
                                  .height = model->height, .depth = model->depth };
  gsize               length;
  g_autofree char    *header  = npy_header_format (&image, 0, &length);
  g_autoptr (GError)  problem = NULL;

  blocks->raw.offset = (gint64) length;
  return bytes_write_at (blocks->descriptor, 0, header, length, 1, &problem) ||
         refuse_to_write (blocks->output->name, problem->message, error);
}

/**
 * block_output_open:
 * @blocks: filled; to be cleared whatever the result
 * @output: for which block_output_check() is true
 * @plan: what is written, and how if it is TIFF
 * @model: an image of the same size
 * @task: (nullable): of unfinished_open(), if what is written is to be kept, and what was kept is
 *   to be used
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
                   const char     *task,
                   GError        **error)
{
  g_autoptr (GError) problem = NULL;
  const guint64      most    = find_most_memory ();

  *blocks = (BlockOutput) { .sink = { write_block, NULL, blocks }, .output = output,
                            .descriptor = -1, .n_rows = model->depth > 1 ? model->height : 1,
                            .n_image_rows = model->height * model->depth };
  if (task && ! keep (blocks, task, error))
    return FALSE;
  if (! claim (blocks, plan, model, most, error))
    return FALSE;
  if (! open_file (blocks, format_count_bytes (output->format, plan->type,
                                               wf_image_n_pixels (model)), error))
    return FALSE;

  if (blocks->unfinished)
    blocks->n_finished = unfinished_count_rows (blocks->unfinished, 0, blocks->n_image_rows);
  blocks->raw = (RawBlocks) { blocks->descriptor, plan->type, model->width, model->height };
  if (is_npy (output) && ! begin_npy (blocks, model, error))
    return FALSE;
  if (ranks_are_several () && ! share_file (blocks, error))
    return FALSE;
  if (is_raw (output))
    {
      blocks->sink.read  = read_block;
      blocks->sink.flags = WF_SINK_TAKES_ANY_ORDER;
      return TRUE;
    }
#ifdef HAVE_ZARR
  if (output_is_zarr (output))
    open_zarr (blocks, plan, model, most, &problem);
#endif
#ifdef HAVE_VIPS
  if (output_is_tiff (output))
    blocks->tiff = tiff_blocks_new (plan, model, most, blocks->descriptor, &problem);
#endif
  return blocks->tiff || blocks->zarr || refuse_to_write (output->name, problem->message, error);
}

/* Another process gives the folder its name; a file is closed already. */
static gboolean
finish_part (BlockOutput  *blocks,
             GError      **error)
{
  const int descriptor = g_steal_fd (&blocks->descriptor);
  gboolean  done       = descriptor < 0 || syncfs (descriptor) == 0 || errno == EINVAL ||
                         refuse_to_write (blocks->output->name, g_strerror (errno), error);

  if (descriptor >= 0 && close (descriptor) != 0 && done)
    done = refuse_to_write (blocks->output->name, g_strerror (errno), error);
  unwatch_shared (blocks);
  return done;
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
  if (! raw_blocks_close (&blocks->raw, &problem))
    return refuse_to_write (blocks->output->name, problem->message, error);
  if (! ranks_is_first ())
    return finish_part (blocks, error);
  return output_close_file (blocks->output, g_steal_fd (&blocks->descriptor), TRUE, error);
}

/**
 * block_output_commit:
 * @blocks: a finished output
 * @error: %TOOL_ERROR_FILE
 *
 * Gives the output its name, with output_commit(), in the first of several processes, and removes
 * what was kept for --resume.
 *
 * Returns: success; if not, all rows are kept
 */
gboolean
block_output_commit (BlockOutput  *blocks,
                     GError      **error)
{
  if (! ranks_is_first ())
    return TRUE;
  if (blocks->unfinished && ! unfinished_forget (blocks->unfinished, error))
    return FALSE;
  if (! output_commit (blocks->output, error))
    {
      if (blocks->unfinished)
        unfinished_recall (blocks->unfinished, blocks->n_image_rows);
      return FALSE;
    }
  if (blocks->unfinished)
    unfinished_remove (blocks->unfinished, FALSE);
  return TRUE;
}

/**
 * block_output_end:
 * @blocks: an output that has its name
 */
void
block_output_end (BlockOutput *blocks)
{
  g_clear_pointer (&blocks->unfinished, unfinished_free);
}

/* The output has failed: what is finished is kept, if anything is. */
static void
leave_unfinished (BlockOutput *blocks)
{
  if (blocks->descriptor >= 0)
    unfinished_flush (blocks->unfinished, blocks->descriptor, ! is_raw (blocks->output), NULL);
  unfinished_remove (blocks->unfinished, TRUE);
  g_clear_pointer (&blocks->unfinished, unfinished_free);
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
  raw_blocks_close (&blocks->raw, NULL);
  unwatch_shared (blocks);
  if (blocks->unfinished)
    leave_unfinished (blocks);
  if (blocks->output && blocks->descriptor >= 0)
    close (blocks->descriptor);
  *blocks = (BlockOutput) { .descriptor = -1 };
}

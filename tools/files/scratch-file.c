/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The file lies in the folder of the output, where there is room for large results, and has no
 * name, so nothing is left of it however the command ends.  Several processes share one with a
 * name, which the first of them removes, or any that a signal ends: the first may have been killed.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "scratch-file.h"
#include "space.h"
#include "tools/message.h"
#include "tools/ranks.h"
#include "tools/signals.h"


/* Bytes that are copied at a time. */
#define PIECE ((gint64) 4 << 20)


/* Of WfWriteBlockFunc. */
static gboolean
write_block (gpointer        data,
             gint64          x,
             gint64          y,
             gint64          z,
             const WfImage  *block,
             GError        **error)
{
  const ScratchFile  *scratch = data;
  g_autoptr (GError)  problem = NULL;

  return raw_blocks_write (&scratch->raw, x, y, z, block, &problem) ||
         refuse_to_write (scratch->output->name, problem->message, error);
}

/* Of WfReadBlockFunc. */
static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  ScratchFile        *scratch = data;
  g_autoptr (GError)  problem = NULL;

  return raw_blocks_read (&scratch->raw, x, y, z, block, &problem) ||
         refuse_to_write (scratch->output->name, problem->message, error);
}

/* Some file systems make no files without a name: there it is removed as soon as it is open. */
static int
open_nameless (const char *folder)
{
  g_autofree char *path       = g_build_filename (folder, ".wavefront-XXXXXX", NULL);
  int              descriptor = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (descriptor >= 0)
    return descriptor;
  descriptor = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    g_unlink (path);
  return descriptor;
}

/* The first of several processes makes a file with a name, for all to open. */
static gboolean
open_shared (ScratchFile  *scratch,
             const char   *folder,
             GError      **error)
{
  const Output       *output  = scratch->output;
  g_autofree char    *own     = NULL;
  g_autoptr (GError)  problem = NULL;

  if (ranks_is_first ())
    {
      own                     = g_build_filename (folder, ".wavefront-XXXXXX", NULL);
      scratch->raw.descriptor = g_mkstemp_full (own, O_RDWR | O_CLOEXEC, 0600);
      if (scratch->raw.descriptor < 0)
        return refuse_to_write (output->name, g_strerror (errno), error);
      scratch->path = g_steal_pointer (&own);
      scratch->slot = signals_add_temporary (scratch->path);
    }
  own = ranks_share_path (scratch->path, output->name, error);
  if (! own)
    return FALSE;
  if (! scratch->path)
    {
      scratch->path = g_strdup (own);
      scratch->slot = signals_add_temporary (scratch->path);
    }
  return raw_blocks_share (&scratch->raw, own, TRUE, &problem) ||
         refuse_to_write (output->name, problem->message, error);
}

/**
 * scratch_file_open:
 * @scratch: filled; to be cleared whatever the result
 * @output: a prepared output, with a name
 * @model: an image of the same type and size
 * @error: %TOOL_ERROR_FILE, with the output's name
 *
 * Returns: whether there is room for it
 */
gboolean
scratch_file_open (ScratchFile    *scratch,
                   const Output   *output,
                   const WfImage  *model,
                   GError        **error)
{
  const guint64    bytes  = (guint64) wf_image_n_pixels (model) * wf_type_size (model->type);
  g_autofree char *folder = g_path_get_dirname (output->target);
  g_autofree char *reason = space_claim (output->target, bytes);

  *scratch = (ScratchFile) {
    .sink   = { write_block, read_block, scratch },
    .output = output,
    .raw    = { .descriptor = -1, .stored = model->type, .width = model->width,
                .height = model->height },
    .depth  = model->depth,
  };
  if (reason)
    return refuse_to_write (output->name, reason, error);
  if (ranks_are_several ())
    return open_shared (scratch, folder, error);
  scratch->raw.descriptor = open_nameless (folder);
  return scratch->raw.descriptor >= 0 ||
         refuse_to_write (output->name, g_strerror (errno), error);
}

/**
 * scratch_file_copy:
 * @scratch: open, and written to the end
 * @sink: takes the image, in raster order; of several processes each copies its part
 * @progress: (nullable): is called with the share that is done
 * @error: %TOOL_ERROR_FILE, with the output's name, or that of @sink
 *
 * Returns: success
 */
gboolean
scratch_file_copy (ScratchFile        *scratch,
                   const WfBlockSink  *sink,
                   WfProgressFunc      progress,
                   GError            **error)
{
  const RawBlocks  *raw   = &scratch->raw;
  const gint64      rows  = CLAMP (PIECE / (raw->width * wf_type_size (raw->stored)), 1,
                                   raw->height);
  g_auto (WfImage)  piece = { 0 };
  gint64            first, end;

  if (! wf_image_allocate (&piece, raw->stored, raw->width, rows, 1, error))
    return FALSE;
  ranks_find_rows (raw->height, scratch->depth, &first, &end);
  for (gint64 row = first; row < end; row += piece.height)
    {
      const gint64 y = row % raw->height;
      const gint64 z = row / raw->height;

      piece.height = MIN (MIN (rows, raw->height - y), end - row);
      if (! read_block (scratch, 0, y, z, &piece, error) ||
          ! sink->write (sink->data, 0, y, z, &piece, error))
        return FALSE;
      if (progress)
        progress ((double) (row - first) / (double) (end - first), NULL);
    }
  return TRUE;
}

void
scratch_file_clear (ScratchFile *scratch)
{
  raw_blocks_close (&scratch->raw, NULL);
  if (scratch->raw.descriptor >= 0)
    close (scratch->raw.descriptor);
  if (scratch->path)
    {
      if (ranks_is_first ())
        g_unlink (scratch->path);
      signals_drop (scratch->slot);
      g_free (scratch->path);
    }
  *scratch = (ScratchFile) SCRATCH_FILE_NONE;
}

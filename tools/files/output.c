/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The result goes to a temporary file in the folder of the file that is asked
 * for, is checked to be on the disk, and takes its name by rename().  Whether
 * the folder lets itself be written to is tried before anything is computed.
 * A result for standard output is completed in memory before it is written there.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "bytes.h"
#include "existing.h"
#include "folder.h"
#include "format.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "output.h"
#include "output-pixels.h"
#include "space.h"
#include "store.h"
#include "stream.h"
#include "tiff-storage.h"
#include "tools/signals.h"

#ifdef HAVE_VIPS
#include "vips-file.h"
#endif


/* It holds every result, and the command reads it without being told what it is. */
#define DEFAULT_FORMAT "tif"


static gboolean
is_zarr (const Format *format)
{
  return format && format->kind == FORMAT_ZARR;
}

static gboolean
refuse (const Output  *output,
        const char    *reason,
        GError       **error)
{
  return refuse_to_write (output->name, reason, error);
}

static gboolean
accept_zarr (const Output  *output,
             GError       **error)
{
#ifdef HAVE_ZARR
  return output->target ||
         refuse (output, _("an OME-Zarr is a folder, which needs a name"), error);
#else
  return refuse (output, _("this build has no json-glib and libdeflate, which OME-Zarr takes"),
                 error);
#endif
}

/* @wanted: (nullable): what --format says, for a result without a name */
static gboolean
find_format (Output      *output,
             const char  *wanted,
             GError     **error)
{
  if (output->stored)
    {
      output->format = format_of_store ();
      return TRUE;
    }
  if (! output->target)
    output->format = format_find_name (wanted ? wanted : DEFAULT_FORMAT);
  else
    output->format = format_find (output->target);
  if (output->format && output->format->kind == FORMAT_ZARR)
    return accept_zarr (output, error);
  if (output->format && output->format->kind != FORMAT_VIPS)
    return TRUE;

#ifdef HAVE_VIPS
  if (output->format && ! output->target && ! vips_file_has_target (output->format->suffix))
    return refuse (output, _("libvips writes its own format only to files with a name"), error);
  if (output->format && vips_file_can_write (output->format->suffix))
    return TRUE;

  return refuse (output, _("its name does not end in the suffix of an output format, such as .tif, "
                           ".png, .pgm, .pfm, .npy or .raw"), error);
#else
  return refuse (output, _("this build has no libvips, so it writes only raw, NPY and PFM "
                           "files, whose names end in .raw, .npy and .pfm"), error);
#endif
}

/* Makes an empty temporary file or folder beside the target, which nobody else can read until it is
 * complete.
 */
static int
open_temporary (Output  *output,
                GError **error)
{
  const char      *suffix = output->format ? output->format->suffix : "";
  g_autofree char *folder = g_path_get_dirname (output->target);
  int              descriptor;

  do
    {
      g_autofree char *name = g_strdup_printf (".wavefront-%08x%08x%s", g_random_int (),
                                               g_random_int (), suffix);

      output->temporary = g_build_filename (folder, name, NULL);
      output->slot      = signals_add_temporary (output->temporary);
      descriptor = output_is_zarr (output)
                   ? folder_make (output->temporary)
                   : open (output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (descriptor < 0)
        {
          int reason = errno;

          signals_drop (output->slot);
          g_clear_pointer (&output->temporary, g_free);
          errno = reason;
        }
    }
  while (descriptor < 0 && errno == EEXIST);

  if (descriptor < 0)
    refuse (output, g_strerror (errno), error);
  return descriptor;
}

static void
forget_temporary (Output *output)
{
  if (! output->kept)
    signals_drop (output->slot);
  g_clear_pointer (&output->temporary, g_free);
}

static void
remove_temporary (Output *output)
{
  if (! output->temporary)
    return;

  if (! output->kept)
    folder_remove (output->temporary);
  forget_temporary (output);
}

static gboolean
find_target (Output      *output,
             const char  *path,
             GError     **error)
{
  g_autofree char *plain  = g_strdup (path);
  gsize            length = strlen (plain);
  gboolean         folder;

  memset (output, 0, sizeof *output);
  output->store     = -1;
  output->overviews = -1;
  output->n_threads = g_get_num_processors ();
  if (path[0] == '\0')
    return refuse_usage (_("The name of the output is empty."), error);
  if (store_is_named (path))
    {
      output->name   = g_strdup (path);
      output->stored = g_strdup (path);
      return TRUE;
    }
  if (stream_is_named (path))
    {
      output->name = g_strdup (_("standard output"));
      stdout_take ();
      return TRUE;
    }

  output->name   = g_filename_display_name (path);
  while (length > 1 && plain[length - 1] == '/')
    plain[--length] = '\0';
  folder         = is_zarr (format_find (plain));
  output->target = existing_resolve (folder ? plain : path);
  return existing_check (path, output->target, output->name, folder, error);
}

static gboolean
try_folder (Output  *output,
            GError **error)
{
  int descriptor;

  if (! output->target)
    return TRUE;
  descriptor = open_temporary (output, error);
  if (descriptor < 0)
    return FALSE;
  close (descriptor);
  remove_temporary (output);
  return TRUE;
}

/**
 * output_prepare:
 * @output: filled; to be cleared whatever the result
 * @path: the file to be written in the end, or “-”
 * @format: (nullable): the format for “-”, or %NULL
 * @compression: if it is TIFF
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Finds out, before anything is computed, whether the file of an image can be made.
 * The folder is tried by making a file in it, which is removed at once.
 *
 * Returns: whether it can.
 */
gboolean
output_prepare (Output           *output,
                const char       *path,
                const char       *format,
                TiffCompression   compression,
                GError          **error)
{
  if (! find_target (output, path, error))
    return FALSE;
  output->compression = compression;
  if (! output->target && ! output->stored && isatty (STDOUT_FILENO))
    return refuse (output, _("it is a terminal, which shows no images"), error);
  return find_format (output, format, error) && try_folder (output, error);
}

/**
 * output_prepare_text:
 * @output: filled; to be cleared whatever the result
 * @path: the file to be written in the end, or “-”
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * As output_prepare(), for a file of text, whose name may end as it likes.
 *
 * Returns: whether it can be made.
 */
gboolean
output_prepare_text (Output      *output,
                     const char  *path,
                     GError     **error)
{
  return find_target (output, path, error) && try_folder (output, error);
}

/**
 * output_accepts:
 * @output: a prepared output
 * @content: what is to be written
 * @type: type of a pixel
 * @depth: slices
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file's format can hold such an image.
 */
gboolean
output_accepts (const Output  *output,
                WfContent      content,
                WfType         type,
                gint64         depth,
                GError       **error)
{
  return format_accepts (output->format, output->name, content, type, depth, error);
}

/* As format_count_bytes(). */
static guint64
count_bytes (const Output *output,
             WfType        type,
             gint64        n_pixels)
{
  if (output_is_tiff (output) &&
      tiff_storage_choose (output->compression, TIFF_COMPRESSION_NONE) > TIFF_COMPRESSION_NONE)
    return 0;
  return format_count_bytes (output->format, type, n_pixels);
}

/**
 * output_allocate:
 * @output: a prepared output
 * @content: what is to be written
 * @type: type of a pixel
 * @model: an image of the same size
 * @result: set to an image for it, to be cleared
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: whether the file's format can hold such an image, and there is room for one, in memory
 *   and on the disk.
 */
gboolean
output_allocate (const Output   *output,
                 WfContent       content,
                 WfType          type,
                 const WfImage  *model,
                 WfImage        *result,
                 GError        **error)
{
  guint64          bytes = (guint64) wf_image_n_pixels (model) * wf_type_size (type);
  g_autofree char *reason = NULL;

  if (! output_accepts (output, content, type, model->depth, error) ||
      ! format_accepts_size (output->format, output->name, model, error))
    return FALSE;
  if (output->target)
    reason = space_claim (output->target, count_bytes (output, type, wf_image_n_pixels (model)));
  if (! reason)
    reason = memory_claim (bytes);
  if (reason)
    return refuse (output, reason, error);
  return wf_image_allocate (result, type, model->width, model->height, model->depth, error);
}

/**
 * output_accepts_labels:
 * @output: an output that accepts labels
 * @labels: packed labels, all of which will be in the result
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file's format can hold all of them.
 */
gboolean
output_accepts_labels (const Output   *output,
                       const WfImage  *labels,
                       GError        **error)
{
  return format_accepts_labels (output->format, output->name, labels, error);
}

/**
 * output_is_tiff:
 * @output: a prepared output
 *
 * Returns: whether its format is TIFF.
 */
gboolean
output_is_tiff (const Output *output)
{
  return output->format && format_is_tiff (output->format);
}

/**
 * output_is_zarr:
 * @output: a prepared output
 *
 * Returns: whether its format is OME-Zarr.
 */
gboolean
output_is_zarr (const Output *output)
{
  return is_zarr (output->format);
}

/**
 * output_set_overviews:
 * @output: a prepared output
 * @overviews: whether the file gets copies of the image in half the size, a quarter and so on,
 *   where the format has them
 * @n_threads: that write them
 */
void
output_set_overviews (Output   *output,
                      gboolean  overviews,
                      guint     n_threads)
{
  output->overviews = overviews;
  output->n_threads = n_threads;
}

/**
 * output_name_image:
 * @output: a prepared output with a name
 *
 * Returns: (transfer full): the file's name without folder and suffix, in UTF-8
 */
char *
output_name_image (const Output *output)
{
  g_autofree char *file = g_path_get_basename (output->target);
  char            *name = g_filename_display_name (file);

  name[strlen (name) - strlen (output->format->suffix)] = '\0';
  return name;
}

/**
 * output_is_same:
 * @output: a prepared output
 * @other: another
 *
 * Returns: whether both would be the same file, or standard output.
 */
gboolean
output_is_same (const Output *output,
                const Output *other)
{
  g_autofree char *path       = NULL;
  g_autofree char *other_path = NULL;
  struct stat      status;
  struct stat      other_status;

  if (output->stored || other->stored)
    return g_strcmp0 (output->stored, other->stored) == 0;
  if (! output->target || ! other->target)
    return output->target == other->target;

  path       = g_canonicalize_filename (output->target, NULL);
  other_path = g_canonicalize_filename (other->target, NULL);
  if (stat (path, &status) == 0 && stat (other_path, &other_status) == 0)
    return status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;

  return strcmp (path, other_path) == 0;
}

static gboolean
write_bytes (Output   *output,
             int       descriptor,
             GBytes   *bytes,
             GError  **error)
{
  g_autoptr (GError) problem = NULL;
  gsize              n;
  gconstpointer      data    = g_bytes_get_data (bytes, &n);

  return bytes_write (descriptor, data, n, 1, &problem) ||
         refuse (output, problem->message, error);
}

/* Some file systems report a full disk only here. */
static gboolean
finish_file (Output   *output,
             int       descriptor,
             GError  **error)
{
  output->notice = existing_hand_on (output->target, output->name, descriptor);

  /* EINVAL: a file system that cannot; EROFS and the like come from open() already. */
  while ((output_is_zarr (output) ? syncfs (descriptor) : fsync (descriptor)) != 0)
    if (errno == EINVAL)
      break;
    else if (errno != EINTR)
      return refuse (output, g_strerror (errno), error);
  return TRUE;
}

/**
 * output_close_file:
 * @output: an output
 * @descriptor: of output_open_file()
 * @written: whether its contents are complete
 * @error: %TOOL_ERROR_FILE; not set if it was not @written
 *
 * Closes the temporary file, or keeps that for standard output open until output_commit().
 *
 * Returns: whether the file is complete and on the disk.
 */
gboolean
output_close_file (Output    *output,
                   int        descriptor,
                   gboolean   written,
                   GError   **error)
{
  if (! output->target)
    return written;

  written = written && finish_file (output, descriptor, error);
  if (close (descriptor) != 0 && written)
    written = refuse (output, g_strerror (errno), error);
  return written;
}

/**
 * output_open_file:
 * @output: a prepared output
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: a descriptor of an empty temporary file, for output_close_file(), or −1.
 */
int
output_open_file (Output  *output,
                  GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (output->target)
    return open_temporary (output, error);

  output->store = stream_open_store (&problem);
  if (output->store < 0)
    refuse (output, problem->message, error);
  return output->store;
}

/**
 * output_open_kept:
 * @output: a prepared output with a name
 * @path: a file, or folder, that may be there
 * @error: %TOOL_ERROR_FILE
 *
 * As output_open_file(), with a temporary file that has a name, and stays whatever happens before
 * output_commit().
 *
 * Returns: a descriptor of it, or −1
 */
int
output_open_kept (Output      *output,
                  const char  *path,
                  GError     **error)
{
  const gboolean folder     = output_is_zarr (output);
  int            descriptor = -1;

  if (! folder || mkdir (path, 0700) == 0 || errno == EEXIST)
    descriptor = folder ? open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                        : open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    refuse (output, g_strerror (errno), error);
  output->temporary = g_strdup (path);
  output->kept      = TRUE;
  return descriptor;
}

/**
 * output_write:
 * @output: a prepared output
 * @image: packed pixels; a format without their type has them changed where they lie; for the store
 *   they may be on a GPU
 * @content: what they mean
 * @error: %TOOL_ERROR_FILE
 *
 * Writes the image to a temporary file; output_commit() gives it its name, and
 * output_clear() removes it otherwise.
 *
 * Returns: success.
 */
gboolean
output_write (Output   *output,
              WfImage  *image,
              WfContent content,
              GError  **error)
{
  int descriptor;

  if (output->stored && image->memory != WF_MEMORY_HOST)
    {
      store_put_image (output->stored, image, content);
      return TRUE;
    }
  if (! output_accepts (output, content, image->type, image->depth, error) ||
      ! format_adapt (output->format, output->name, content, image, error))
    return FALSE;

  if (output->stored)
    {
      store_put_image (output->stored, image, content);
      return TRUE;
    }
  descriptor = output_open_file (output, error);
  return descriptor >= 0 &&
         output_close_file (output, descriptor,
                            output_write_pixels (output, descriptor, image, content, error), error);
}

/**
 * output_write_bytes:
 * @output: an output prepared for text
 * @bytes: what is to be in the file
 * @error: %TOOL_ERROR_FILE
 *
 * As output_write().
 *
 * Returns: success.
 */
gboolean
output_write_bytes (Output  *output,
                    GBytes  *bytes,
                    GError **error)
{
  int descriptor;

  if (output->stored)
    {
      store_put_bytes (output->stored, bytes);
      return TRUE;
    }
  descriptor = output_open_file (output, error);
  return descriptor >= 0 &&
         output_close_file (output, descriptor, write_bytes (output, descriptor, bytes, error),
                            error);
}

/**
 * output_write_text:
 * @output: an output prepared for text
 * @text: what is to be in the file
 * @error: %TOOL_ERROR_FILE
 *
 * As output_write().
 *
 * Returns: success.
 */
gboolean
output_write_text (Output      *output,
                   const char  *text,
                   GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return output_write_bytes (output, bytes, error);
}

static gboolean
send_result (Output  *output,
             GError **error)
{
  g_autoptr (GError) problem = NULL;

  return stream_send (output->store, &problem) || refuse (output, problem->message, error);
}

/**
 * output_commit:
 * @output: a written output
 * @error: %TOOL_ERROR_FILE
 *
 * Gives the file its name, or copies the result to standard output, and tells what could not
 * be kept of a file that was replaced.
 *
 * Returns: whether the file now stands under its name.
 */
gboolean
output_commit (Output  *output,
               GError **error)
{
  if (output->stored)
    return TRUE;
  if (! output->target)
    return send_result (output, error);

  g_return_val_if_fail (output->temporary != NULL, FALSE);

  if (output_is_zarr (output) ? ! folder_replace (output->temporary, output->target)
                              : g_rename (output->temporary, output->target) != 0)
    return refuse (output, g_strerror (errno), error);

  forget_temporary (output);
  if (output->notice)
    message_print (output->notice);
  return TRUE;
}

/**
 * output_clear:
 * @output: an output
 *
 * Forgets the output; what was written and not committed is removed.
 */
void
output_clear (Output *output)
{
  remove_temporary (output);
  if (output->name && output->store >= 0)
    close (output->store);
  g_free (output->name);
  g_free (output->notice);
  g_free (output->target);
  g_free (output->stored);
  memset (output, 0, sizeof *output);
}

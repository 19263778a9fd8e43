/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The result goes to a temporary file in the folder of the file that is asked
 * for, is checked to be on the disk, and takes its name by rename().  Whether
 * the folder lets itself be written to is tried before anything is computed.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "bytes.h"
#include "format.h"
#include "tools/message.h"
#include "output.h"
#include "pfm-file.h"
#include "raw-file.h"
#include "tools/signals.h"

#ifdef HAVE_VIPS
#include "vips-file.h"
#endif


static gboolean
refuse (const Output  *output,
        const char    *reason,
        GError       **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot write “%s”: %s."), output->name, reason);
  return FALSE;
}

/* What is there may be replaced only if it is a file that may be written to: a
 * rename would take the place of a device, or of a file that is protected.
 */
static gboolean
check_existing (const Output  *output,
                GError       **error)
{
  struct stat status;

  if (stat (output->target, &status) != 0)
    {
      int reason = errno;

      if (reason == ENOENT)
        return TRUE;
      return refuse (output, g_strerror (reason), error);
    }
  if (S_ISDIR (status.st_mode))
    return refuse (output, _("it is a folder"), error);
  if (! S_ISREG (status.st_mode))
    return refuse (output, _("it is not a regular file"), error);
  if (access (output->target, W_OK) != 0)
    return refuse (output, g_strerror (errno), error);
  return TRUE;
}

static gboolean
find_format (Output  *output,
             GError **error)
{
  output->format = format_find (output->target);
  if (output->format && output->format->kind != FORMAT_VIPS)
    return TRUE;

#ifdef HAVE_VIPS
  if (output->format && vips_file_can_write (output->format->suffix))
    return TRUE;

  return refuse (output, _("its name does not end in the suffix of an output format, such as .tif, "
                           ".png, .pgm, .pfm or .raw"), error);
#else
  return refuse (output, _("this build has no libvips, so it writes only raw and PFM "
                           "files, whose names end in .raw and .pfm"), error);
#endif
}

/* Makes an empty temporary file beside the target. */
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
      descriptor = open (output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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
remove_temporary (Output *output)
{
  if (! output->temporary)
    return;

  unlink (output->temporary);
  signals_drop (output->slot);
  g_clear_pointer (&output->temporary, g_free);
}

/* @reason: why it is not written to standard output */
static gboolean
find_target (Output      *output,
             const char  *path,
             const char  *reason,
             GError     **error)
{
  char *resolved;

  memset (output, 0, sizeof *output);
  output->name = g_filename_display_name (path);

  if (path[0] == '\0')
    {
      g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                           _("The name of the output is empty."));
      return FALSE;
    }
  if (strcmp (path, "-") == 0)
    {
      g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE, reason);
      return FALSE;
    }

  /* A link stays a link: what it leads to is replaced. */
  resolved = realpath (path, NULL);
  output->target = g_strdup (resolved ? resolved : path);
  free (resolved);
  return check_existing (output, error);
}

static gboolean
try_folder (Output  *output,
            GError **error)
{
  int descriptor = open_temporary (output, error);

  if (descriptor < 0)
    return FALSE;
  close (descriptor);
  remove_temporary (output);
  return TRUE;
}

/**
 * output_prepare:
 * @output: filled; to be cleared whatever the result
 * @path: the file to be written in the end
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Finds out, before anything is computed, whether the file of an image can be made.
 * The folder is tried by making a file in it, which is removed at once.
 *
 * Returns: whether it can.
 */
gboolean
output_prepare (Output      *output,
                const char  *path,
                GError     **error)
{
  return find_target (output, path,
                      _("Images cannot be written to standard output (“-”): give the name of a "
                        "file."), error) &&
         find_format (output, error) &&
         try_folder (output, error);
}

/**
 * output_prepare_text:
 * @output: filled; to be cleared whatever the result
 * @path: the file to be written in the end
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
  return find_target (output, path,
                      _("Tables cannot be written to standard output (“-”): give the name of a "
                        "file."), error) &&
         try_folder (output, error);
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

/**
 * output_allocate:
 * @output: a prepared output
 * @content: what is to be written
 * @type: type of a pixel
 * @model: an image of the same size
 * @result: set to an image for it, to be cleared
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: whether the file's format can hold such an image, and there is room for one.
 */
gboolean
output_allocate (const Output   *output,
                 WfContent       content,
                 WfType          type,
                 const WfImage  *model,
                 WfImage        *result,
                 GError        **error)
{
  return output_accepts (output, content, type, model->depth, error) &&
         wf_image_allocate (result, type, model->width, model->height, model->depth, error);
}

/**
 * output_is_same:
 * @output: a prepared output
 * @other: another
 *
 * Returns: whether both would be the same file.
 */
gboolean
output_is_same (const Output *output,
                const Output *other)
{
  g_autofree char *path       = g_canonicalize_filename (output->target, NULL);
  g_autofree char *other_path = g_canonicalize_filename (other->target, NULL);
  struct stat      status;
  struct stat      other_status;

  if (stat (path, &status) == 0 && stat (other_path, &other_status) == 0)
    return status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;

  return strcmp (path, other_path) == 0;
}

static gboolean
write_pixels (Output         *output,
              int             descriptor,
              const WfImage  *image,
              GError        **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean           written = FALSE;

  switch (output->format->kind)
    {
    case FORMAT_RAW:
      written = raw_file_write (descriptor, image, &problem);
      break;
    case FORMAT_PFM:
      written = pfm_file_write (descriptor, image, &problem);
      break;
    case FORMAT_VIPS:
#ifdef HAVE_VIPS
      written = vips_file_write (output->temporary, image, &problem);
#endif
      break;
    }
  return written || refuse (output, problem->message, error);
}

static gboolean
write_text (Output      *output,
            int          descriptor,
            const char  *text,
            GError     **error)
{
  g_autoptr (GError) problem = NULL;

  return bytes_write (descriptor, text, strlen (text), 1, &problem) ||
         refuse (output, problem->message, error);
}

/* Some file systems report a full disk only here. */
static gboolean
finish_file (Output   *output,
             int       descriptor,
             GError  **error)
{
  struct stat status;

  /* A file that is replaced hands its permissions on. */
  if (stat (output->target, &status) == 0 &&
      fchmod (descriptor, status.st_mode & 0777) != 0)
    g_debug ("The permissions of %s are new ones.", output->target);

  /* EINVAL: a file system that cannot; EROFS and the like come from open() already. */
  while (fsync (descriptor) != 0)
    if (errno == EINVAL)
      break;
    else if (errno != EINTR)
      return refuse (output, g_strerror (errno), error);
  return TRUE;
}

static gboolean
close_file (Output    *output,
            int        descriptor,
            gboolean   written,
            GError   **error)
{
  written = written && finish_file (output, descriptor, error);
  if (close (descriptor) != 0 && written)
    written = refuse (output, g_strerror (errno), error);
  return written;
}

/**
 * output_write:
 * @output: a prepared output
 * @image: packed pixels; a format without their type has them changed where they lie
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

  if (! output_accepts (output, content, image->type, image->depth, error) ||
      ! format_adapt (output->format, output->name, content, image, error))
    return FALSE;

  descriptor = open_temporary (output, error);
  return descriptor >= 0 &&
         close_file (output, descriptor, write_pixels (output, descriptor, image, error), error);
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
  int descriptor = open_temporary (output, error);

  return descriptor >= 0 &&
         close_file (output, descriptor, write_text (output, descriptor, text, error), error);
}

/**
 * output_commit:
 * @output: a written output
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file now stands under its name.
 */
gboolean
output_commit (Output  *output,
               GError **error)
{
  g_return_val_if_fail (output->temporary != NULL, FALSE);

  if (g_rename (output->temporary, output->target) != 0)
    return refuse (output, g_strerror (errno), error);

  signals_drop (output->slot);
  g_clear_pointer (&output->temporary, g_free);
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
  g_free (output->name);
  g_free (output->target);
  memset (output, 0, sizeof *output);
}

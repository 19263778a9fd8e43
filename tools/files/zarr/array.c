/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chunk is read and written as a whole, without any state: threads and processes may do so with
 * different chunks of one array at the same time.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "array.h"
#include "header.h"
#include "json.h"
#include "tools/files/bytes.h"
#include "tools/message.h"

#define HEADER ".zarray"


/**
 * zarr_array_is_there:
 * @folder: a folder
 *
 * Returns: whether it holds an array
 */
gboolean
zarr_array_is_there (const char *folder)
{
  return zarr_json_is_there (folder, HEADER);
}

/**
 * zarr_array_open:
 * @array: filled; to be cleared whatever the result
 * @folder: of the array
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether it is an array that can be read
 */
gboolean
zarr_array_open (ZarrArray   *array,
                 const char  *folder,
                 GError     **error)
{
  g_autoptr (JsonNode)  header  = zarr_json_read (folder, HEADER, error);
  g_autoptr (GError)    problem = NULL;
  g_autofree char      *path    = g_build_filename (folder, HEADER, NULL);

  *array = (ZarrArray) { .folder = g_strdup (folder), .root = AT_FDCWD };
  return header &&
         (zarr_header_parse (array, json_node_get_object (header), &problem) ||
          refuse_to_read (path, problem->message, error));
}

/**
 * zarr_array_chunk_bytes:
 * @array: an array
 *
 * Returns: the bytes of the elements of a chunk
 */
gsize
zarr_array_chunk_bytes (const ZarrArray *array)
{
  gsize bytes = elements_size (array->type);

  for (guint i = 0; i < array->n_axes; i++)
    bytes *= (gsize) array->chunks[i];
  return bytes;
}

static char *
name_chunk (const ZarrArray *array,
            const gint64    *index)
{
  GString *name = g_string_new (array->folder);

  for (guint i = 0; i < array->n_axes; i++)
    g_string_append_printf (name, "%c%" G_GINT64_FORMAT, i == 0 ? '/' : array->separator, index[i]);
  return g_string_free (name, FALSE);
}


/*  Reading  */

static void
fill_chunk (const ZarrArray *array,
            guint8          *pixels)
{
  const gsize size  = elements_size (array->type);
  const gsize bytes = zarr_array_chunk_bytes (array);

  if (array->fill == 0)
    memset (pixels, 0, bytes);
  else
    for (gsize at = 0; at < bytes; at += size)
      memcpy (pixels + at, &array->fill, size);
}

/* @stored: room for zarr_codec_bound(); @error: the reason alone */
static gboolean
load_chunk (const ZarrArray  *array,
            int               descriptor,
            gpointer          stored,
            gpointer          pixels,
            GError          **error)
{
  const gsize bytes = zarr_array_chunk_bytes (array);
  const gsize bound = zarr_codec_bound (bytes);
  struct stat status;

  if (fstat (descriptor, &status) != 0)
    return refuse_because (g_strerror (errno), error);
  if (! S_ISREG (status.st_mode))
    return refuse_because (_("it is not a regular file"), error);
  if ((guint64) status.st_size > bound)
    return refuse_because (_("it is larger than a chunk can be"), error);
  return bytes_read_at (descriptor, 0, stored, (gsize) status.st_size, 1, error) &&
         zarr_codec_decode (array->codec, stored, (gsize) status.st_size, pixels, bytes, error);
}

/**
 * zarr_array_read_chunk:
 * @array: an open array
 * @index: of the chunk, along each axis
 * @stored: room for zarr_codec_bound() of its bytes
 * @pixels: gets all elements of the chunk, in the machine's byte order
 * @error: %TOOL_ERROR_FILE, with the name of the chunk's file
 *
 * A chunk without a file has the array's fill value.
 *
 * Returns: success
 */
gboolean
zarr_array_read_chunk (const ZarrArray  *array,
                       const gint64     *index,
                       gpointer          stored,
                       gpointer          pixels,
                       GError          **error)
{
  g_autofree char    *path       = name_chunk (array, index);
  const int           descriptor = openat (array->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autoptr (GError)  problem    = NULL;

  if (descriptor < 0 && errno == ENOENT)
    {
      fill_chunk (array, pixels);
      return TRUE;
    }
  if (descriptor < 0)
    return refuse_to_read (path, g_strerror (errno), error);

  load_chunk (array, descriptor, stored, pixels, &problem);
  close (descriptor);
  if (problem)
    return refuse_to_read (path, problem->message, error);
  if (array->swapped)
    bytes_swap (pixels, zarr_array_chunk_bytes (array), elements_size (array->type));
  return TRUE;
}


/*  Writing  */

/* Makes the folders of a file. */
static gboolean
make_folders (int     root,
              char   *path,
              GError **error)
{
  for (char *end = strchr (path, '/'); end; end = strchr (end + 1, '/'))
    {
      gboolean failed;

      *end   = '\0';
      failed = mkdirat (root, path, 0777) != 0 && errno != EEXIST;
      *end   = '/';
      if (failed)
        return refuse_because (g_strerror (errno), error);
    }
  return TRUE;
}

static int
create_chunk (const ZarrArray  *array,
              const gint64     *index,
              GError          **error)
{
  const int        flags      = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  g_autofree char *path       = name_chunk (array, index);
  int              descriptor = openat (array->root, path, flags, 0666);

  if (descriptor < 0 && errno == ENOENT)
    {
      if (! make_folders (array->root, path, error))
        return -1;
      descriptor = openat (array->root, path, flags, 0666);
    }
  if (descriptor < 0)
    refuse_because (g_strerror (errno), error);
  return descriptor;
}

/**
 * zarr_array_create:
 * @array: an array without elements so far: in the machine's byte order, for chunks of a #ZarrCoder
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Makes its folder, unless an interrupted run has left it.
 *
 * Returns: success
 */
gboolean
zarr_array_create (const ZarrArray  *array,
                   GError          **error)
{
  g_autoptr (JsonBuilder)  builder = json_builder_new ();
  g_autofree char         *name    = g_strconcat (array->folder, "/" HEADER, NULL);

  zarr_header_build (array, builder);
  if (mkdirat (array->root, array->folder, 0777) != 0 && errno != EEXIST)
    return refuse_because (g_strerror (errno), error);
  return zarr_json_write (array->root, name, builder, error);
}

/**
 * zarr_array_write_chunk:
 * @array: an array
 * @index: of the chunk, along each axis
 * @coder: for its bytes
 * @pixels: all elements of the chunk
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
zarr_array_write_chunk (const ZarrArray  *array,
                        const gint64     *index,
                        ZarrCoder        *coder,
                        gconstpointer     pixels,
                        GError          **error)
{
  gconstpointer  stored  = NULL;
  const gsize    n       = zarr_coder_encode (coder, pixels, &stored);
  gboolean       written = FALSE;
  int            descriptor;

  if (n == 0)
    return refuse_because (_("a chunk cannot be compressed"), error);
  descriptor = create_chunk (array, index, error);
  if (descriptor < 0)
    return FALSE;
  written = bytes_write (descriptor, stored, n, 1, error);
  if (close (descriptor) != 0 && written)
    written = refuse_because (g_strerror (errno), error);
  return written;
}

void
zarr_array_clear (ZarrArray *array)
{
  g_free (array->folder);
  *array = (ZarrArray) { 0 };
}

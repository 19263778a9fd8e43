/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of NumPy's format.  What the engine works on as it is, stays in the mapped file; the
 * rest is converted.  Results are little-endian, whatever the machine.
 */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "npy-file.h"
#include "tools/memory.h"
#include "tools/message.h"

/* What is read of a file to find its header. */
#define MOST_HEADER 16384


/* Whether @n bytes are the header and its pixels, nothing else. */
static gboolean
has_length (const NpyHeader *header,
            guint64          n)
{
  guint64 expected;

  return g_uint64_checked_mul (&expected, (guint64) header->width, (guint64) header->height) &&
         g_uint64_checked_mul (&expected, expected, (guint64) header->depth) &&
         g_uint64_checked_mul (&expected, expected, elements_size (header->type)) &&
         g_uint64_checked_add (&expected, expected, header->length) &&
         n == expected;
}

static gboolean
check_file (const char  *path,
            NpyHeader   *header,
            const char  *bytes,
            gsize        n,
            guint64      length,
            GError     **error)
{
  g_autoptr (GError) problem = NULL;

  if (! npy_header_parse (header, bytes, n, &problem))
    return refuse_to_read (path, problem->message, error);
  return has_length (header, length) ||
         refuse_to_read (path, _("its length does not match its header"), error);
}

/**
 * npy_file_is_likely:
 * @path: a file
 *
 * Returns: whether it begins as NPY files do.
 */
gboolean
npy_file_is_likely (const char *path)
{
  g_autoptr (GMappedFile) mapping = bytes_map (path, NULL);

  return mapping && g_mapped_file_get_length (mapping) >= 6 &&
         memcmp (g_mapped_file_get_contents (mapping), "\x93NUMPY", 6) == 0;
}

/**
 * npy_file_open:
 * @path: a file
 * @header: filled
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: a descriptor to read blocks from, to be closed, or −1
 */
int
npy_file_open (const char  *path,
               NpyHeader   *header,
               GError     **error)
{
  char        bytes[MOST_HEADER];
  const int   descriptor = bytes_open (path, error);
  struct stat status;
  ssize_t     n;

  if (descriptor < 0)
    return -1;
  n = fstat (descriptor, &status) == 0 ? pread (descriptor, bytes, sizeof bytes, 0) : -1;
  if (n < 0)
    refuse_to_read (path, g_strerror (errno), error);
  else if (check_file (path, header, bytes, (gsize) n, (guint64) status.st_size, error))
    return descriptor;
  close (descriptor);
  return -1;
}

/* As the engine takes the pixels.  @pixels: aligned, in the machine's order */
static gboolean
convert (const NpyHeader  *header,
         gconstpointer     pixels,
         gboolean          labels,
         gboolean          is_same,
         WfImage          *image,
         gboolean         *rounded,
         GError          **error)
{
  const gsize n = (gsize) wf_image_n_pixels (image);

  if (is_same)
    memcpy (image->data, pixels, n * elements_size (header->type));
  else if (labels)
    return elements_to_labels (pixels, header->type, n, image->data, error);
  else
    return elements_to_levels (pixels, header->type, n, image->data, rounded, error);
  return TRUE;
}

/* Fills @image with what lies in the file in another way.  @pixels: of the file, anywhere */
static gboolean
copy_pixels (const char       *path,
             const NpyHeader  *header,
             const char       *pixels,
             gboolean          labels,
             gboolean          is_same,
             WfType            type,
             WfImage          *image,
             gboolean         *rounded,
             GError          **error)
{
  const gsize          size    = elements_size (header->type);
  const gsize          n       = (gsize) header->width * header->height * header->depth;
  g_autofree gpointer  ordered = NULL;
  g_autoptr (GError)   problem = NULL;

  if (! memory_claim_to_read (path, n * wf_type_size (type), error) ||
      ! wf_image_allocate (image, type, header->width, header->height, header->depth, error))
    return FALSE;
  if (header->swapped || (guintptr) pixels % size != 0)
    {
      if (! memory_claim_to_read (path, n * size, error))
        return FALSE;
      ordered = g_try_malloc (n * size);
      if (! ordered)
        return refuse_to_read (path, g_strerror (ENOMEM), error);
      memcpy (ordered, pixels, n * size);
      if (header->swapped)
        bytes_swap (ordered, n * size, size);
      memory_release (n * size);
      pixels = ordered;
    }
  return convert (header, pixels, labels, is_same, image, rounded, &problem) ||
         refuse_to_read (path, problem->message, error);
}

/**
 * npy_file_map:
 * @path: a file
 * @header: filled
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: (transfer full) (nullable): the mapped file
 */
GMappedFile *
npy_file_map (const char  *path,
              NpyHeader   *header,
              GError     **error)
{
  g_autoptr (GMappedFile) mapping = bytes_map (path, error);
  gsize                   n;

  if (! mapping)
    return NULL;
  n = g_mapped_file_get_length (mapping);
  if (! check_file (path, header, g_mapped_file_get_contents (mapping), n, n, error))
    return NULL;
  return g_steal_pointer (&mapping);
}

/**
 * npy_file_take:
 * @mapping: what npy_file_map() gave
 * @path: its name
 * @header: its header
 * @labels: whether it holds labels, not gray levels
 * @image: set to its pixels, not to be written to; to be cleared.  Without memory of its own it is
 *   a view of @mapping
 * @rounded: set to %TRUE if 64-bit floating point was rounded
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: success.
 */
gboolean
npy_file_take (GMappedFile      *mapping,
               const char       *path,
               const NpyHeader  *header,
               gboolean          labels,
               WfImage          *image,
               gboolean         *rounded,
               GError          **error)
{
  const char   *pixels = g_mapped_file_get_contents (mapping) + header->length;
  gboolean      is_same;
  const WfType  type   = elements_get_type (header->type, labels, &is_same);

  if (! is_same || header->swapped || (guintptr) pixels % wf_type_size (type) != 0)
    return copy_pixels (path, header, pixels, labels, is_same, type, image, rounded, error);
  return wf_image_init (image, type, header->width, header->height, header->depth,
                        (gpointer) pixels, error);
}

/**
 * npy_file_write:
 * @descriptor: of an open file
 * @image: packed
 * @n_sides: as npy_header_format() takes it
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Returns: success.
 */
gboolean
npy_file_write (int             descriptor,
                const WfImage  *image,
                guint           n_sides,
                GError        **error)
{
  const gsize      size = wf_type_size (image->type);
  gsize            length;
  g_autofree char *header = npy_header_format (image, n_sides, &length);

  return bytes_write (descriptor, header, length, 1, error) &&
         bytes_write (descriptor, image->data, (gsize) wf_image_n_pixels (image) * size, size,
                      error);
}

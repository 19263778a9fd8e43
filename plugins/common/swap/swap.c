/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images larger than the memory that a run may take.
 *
 * While the swap is on, every image of the run is a file in GIMP's swap folder, mapped into memory.
 * So the code that makes results has the same images to read as always.  It visits them part by
 * part and releases what it has touched: the pages then belong to the system, which writes
 * them to the file where memory is short.  The engine's operations read and write them in blocks
 * (operations.c).
 *
 * Such a file has no name: it vanishes with the process, also where Cancel ends it.  The file of a
 * buffer in GEGL's own swap would remain in that case, and GEGL compresses what it writes there.
 * The whole file is reserved on the disk before it is used, so no access to it can fail for want of
 * space.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "swap.h"

/* Pixels of a part. */
#define PART_PIXELS ((gint64) 1 << 20)

/* Pieces that may be touched before memory is released, and those that are not worth it. */
#define MOST_PIECES  (WF_REACH_PIECES / 2)
#define SMALL_PIECES (WF_REACH_PIECES / 16)

/* What of the limit is left to parts of images, to threads, and to gaps between what is allocated:
 * a share of it, and at least so many bytes.
 */
#define SHARE_OF_REST 16
#define LEAST_REST    ((guint64) 8 << 20)

typedef struct
{
  gpointer data;
  gsize    size;
  gboolean is_kept;
} Mapping;

/* There is one run at a time in a process, hence one state. */
static gboolean  is_on;
static guint64   limit;
static char     *folder;
static GArray   *mappings;

static void
unmap (guint i)
{
  const Mapping *mapping = &g_array_index (mappings, Mapping, i);

  munmap (mapping->data, mapping->size);
}


/*  The mode  */

/**
 * wf_swap_begin:
 * @memory: bytes that this process may take in all
 * @path: (nullable): the folder of the swap; %NULL, or none that there is: that of temporary files
 *
 * From now on images are made in the swap.
 */
void
wf_swap_begin (guint64     memory,
               const char *path)
{
  g_return_if_fail (! is_on);

  is_on    = TRUE;
  limit    = memory;
  folder   = g_strdup (path && g_file_test (path, G_FILE_TEST_IS_DIR) ? path : g_get_tmp_dir ());
  mappings = g_array_new (FALSE, FALSE, sizeof (Mapping));
}

/**
 * wf_swap_end:
 *
 * Frees all images in the swap; those made from now on are in memory.
 */
void
wf_swap_end (void)
{
  for (guint i = 0; i < wf_swap_count (); i++)
    unmap (i);
  g_clear_pointer (&mappings, g_array_unref);
  g_clear_pointer (&folder, g_free);
  is_on = FALSE;
}

/**
 * wf_swap_is_on:
 *
 * Returns: whether images are in the swap
 */
gboolean
wf_swap_is_on (void)
{
  return is_on;
}

/**
 * wf_swap_get_resident:
 *
 * Returns: bytes of the memory that this process has now; 0 if that is not known
 */
guint64
wf_swap_get_resident (void)
{
  g_autofree char *text  = NULL;
  const char      *found = NULL;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    found = strchr (text, ' ');
  return found ? g_ascii_strtoull (found, NULL, 10) * (guint64) sysconf (_SC_PAGESIZE) : 0;
}

/**
 * wf_swap_get_memory:
 *
 * Memory that was freed goes back to the system first, such as the hundreds of megabytes that babl
 * takes to choose a conversion.
 *
 * Returns: bytes that an operation may take now, beyond what this process has; at least 1
 */
guint64
wf_swap_get_memory (void)
{
  guint64 taken;

#ifdef __GLIBC__
  malloc_trim (0);
#endif
  taken = wf_swap_get_resident () + MAX (limit / SHARE_OF_REST, LEAST_REST);
  return limit > taken ? limit - taken : 1;
}


/*  Images  */

/* Opens a file without a name that has this size; −1 with errno set. */
static int
open_file (gsize size)
{
  g_autofree char *path = g_build_filename (folder, "wavefront-XXXXXX", NULL);
  const int        file = g_mkstemp (path);

  if (file < 0)
    return -1;
  g_unlink (path);
  errno = posix_fallocate (file, 0, (off_t) size);
  if (errno == 0)
    return file;
  close (file);
  return -1;
}

static gpointer
map_file (gsize    size,
          GError **error)
{
  const int        file   = open_file (size);
  gpointer         data   = file < 0 ? MAP_FAILED
                                     : mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                                             0);
  const int        reason = errno;
  g_autofree char *text   = NULL;
  g_autofree char *name   = NULL;

  if (file >= 0)
    close (file);
  if (data != MAP_FAILED)
    return data;

  text = g_format_size (size);
  name = g_filename_display_name (folder);
  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("The image does not fit into memory, and the swap folder “%s” cannot take %s of "
                 "it: %s."), name, text, g_strerror (reason));
  return NULL;
}

/**
 * wf_swap_allocate:
 * @image: set to a new image without gaps between its rows, to be cleared by wf_image_clear(); its
 *   file lasts until wf_swap_clear() or wf_swap_end()
 * @type: of its pixels
 * @width: in pixels
 * @height: in pixels
 * @depth: slices
 * @error: %WF_ERROR_MEMORY
 *
 * Makes an image, in memory or in the swap.  There its pixels are 0.
 *
 * Returns: whether there was room for it
 */
gboolean
wf_swap_allocate (WfImage  *image,
                  WfType    type,
                  gint64    width,
                  gint64    height,
                  gint64    depth,
                  GError  **error)
{
  Mapping mapping = { NULL, (gsize) (width * height * depth) * wf_type_size (type), FALSE };

  if (! is_on)
    return wf_image_allocate (image, type, width, height, depth, error);
  mapping.data = map_file (mapping.size, error);
  if (! mapping.data)
    return FALSE;
  g_array_append_val (mappings, mapping);
  return wf_image_init (image, type, width, height, depth, mapping.data, error);
}

/**
 * wf_swap_clear:
 * @image: an image that wf_swap_allocate() has made, and no other has the pixels of; set to 0
 *
 * Frees its pixels.
 */
void
wf_swap_clear (WfImage *image)
{
  for (guint i = 0; i < wf_swap_count (); i++)
    if (g_array_index (mappings, Mapping, i).data == image->data)
      {
        unmap (i);
        g_array_remove_index (mappings, i);
        break;
      }
  wf_image_clear (image);
}

/**
 * wf_swap_keep:
 * @image: an image that wf_swap_allocate() has made
 *
 * Its pixels stay when wf_swap_clear_after() frees those of others.
 */
void
wf_swap_keep (const WfImage *image)
{
  for (guint i = 0; i < wf_swap_count (); i++)
    {
      Mapping *mapping = &g_array_index (mappings, Mapping, i);

      mapping->is_kept |= mapping->data == image->data;
    }
}

/**
 * wf_swap_count:
 *
 * Returns: how many images there are in the swap
 */
guint
wf_swap_count (void)
{
  return mappings ? mappings->len : 0;
}

/**
 * wf_swap_clear_after:
 * @n: as many images stay, those made first
 *
 * Frees the pixels of all others that are not kept.
 */
void
wf_swap_clear_after (guint n)
{
  while (n < wf_swap_count ())
    if (g_array_index (mappings, Mapping, n).is_kept)
      n++;
    else
      {
        unmap (n);
        g_array_remove_index (mappings, n);
      }
}

/**
 * wf_swap_release:
 *
 * Gives the memory back that images in the swap have taken since they were touched.
 */
void
wf_swap_release (void)
{
  for (guint i = 0; i < wf_swap_count (); i++)
    madvise (g_array_index (mappings, Mapping, i).data, g_array_index (mappings, Mapping, i).size,
             MADV_DONTNEED);
}

/**
 * wf_swap_reach:
 * @reach: of one thread and one image
 * @offset: of bytes of the image that will be read or written
 *
 * For images that are not visited in order: releases memory when much was touched.
 */
void
wf_swap_reach (WfReach *reach,
               gsize    offset)
{
  const gsize number = offset >> WF_REACH_SHIFT;
  gsize      *place  = &reach->seen[number % WF_REACH_PIECES];

  if (! is_on || *place == number + 1)
    return;
  if (reach->n == MOST_PIECES)
    {
      wf_swap_release ();
      *reach = (WfReach) { 0 };
    }
  *place = number + 1;
  reach->n++;
}

/**
 * wf_swap_reach_end:
 * @reach: no longer used
 *
 * Releases what was touched, unless that is little.
 */
void
wf_swap_reach_end (WfReach *reach)
{
  if (reach->n > SMALL_PIECES)
    wf_swap_release ();
}


/*  Parts  */

static WfPart
make_part (const WfImage *image,
           gint64         row)
{
  const gint64 left = image->height * image->depth - row;
  const gint64 rows = is_on ? MAX (1, PART_PIXELS / image->width) : left;
  const gint64 n    = MIN (rows, left);

  return (WfPart) { row, n, row * image->width, (row + n) * image->width };
}

/**
 * wf_swap_first_part:
 * @image: an image without gaps between its rows
 *
 * Returns: its first part
 */
WfPart
wf_swap_first_part (const WfImage *image)
{
  return make_part (image, 0);
}

/**
 * wf_swap_next_part:
 * @part: a part that has been visited; set to the next one, or without rows
 * @image: as above
 */
void
wf_swap_next_part (WfPart        *part,
                   const WfImage *image)
{
  wf_swap_release ();
  *part = make_part (image, part->row + part->n_rows);
}

/**
 * wf_swap_view:
 * @image: an image without gaps between its rows
 * @part: of it, or of another image of its size
 *
 * Returns: these rows as an image of one slice
 */
WfImage
wf_swap_view (const WfImage *image,
              const WfPart  *part)
{
  WfImage view = *image;

  view.data         = (guint8 *) image->data + (gsize) part->first * wf_type_size (image->type);
  view.height       = part->n_rows;
  view.depth        = 1;
  view.slice_stride = part->n_rows * image->width;
  view.allocated    = NULL;
  return view;
}


/*  Blocks  */

static guint8 *
find_row (const WfImage *image,
          gint64         x,
          gint64         y,
          gint64         z)
{
  return (guint8 *) image->data + (gsize) (z * image->slice_stride + y * image->row_stride + x) *
                                  wf_type_size (image->type);
}

/* Copies a block of @image to @block, or @block to there.  What is copied is released soon, because
 * a block may be as large as the memory that is left.
 */
static void
copy_block (const WfImage *image,
            const WfImage *block,
            gint64         x,
            gint64         y,
            gint64         z,
            gboolean       to_block)
{
  const gsize  size  = (gsize) block->width * wf_type_size (image->type);
  const gint64 often = MAX (1, PART_PIXELS / block->width);

  for (gint64 row = 0; row < block->height * block->depth; row++)
    {
      const gint64 j      = row % block->height;
      const gint64 k      = row / block->height;
      guint8      *inside = find_row (image, x, y + j, z + k);
      guint8      *there  = find_row (block, 0, j, k);

      memcpy (to_block ? there : inside, to_block ? inside : there, size);
      if (row % often == often - 1)
        wf_swap_release ();
    }
  wf_swap_release ();
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
  copy_block (data, block, x, y, z, TRUE);
  return TRUE;
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
  copy_block (data, block, x, y, z, FALSE);
  return TRUE;
}

/**
 * wf_swap_source:
 * @image: an image in the swap; it stays as long as the source
 *
 * Returns: its blocks
 */
WfBlockSource
wf_swap_source (const WfImage *image)
{
  return (WfBlockSource) { image->type, image->width, image->height, image->depth, read_block,
                           (gpointer) image };
}

/**
 * wf_swap_sink:
 * @image: an image in the swap; it stays as long as the sink
 *
 * Returns: where its blocks are written, and read back
 */
WfBlockSink
wf_swap_sink (WfImage *image)
{
  return (WfBlockSink) { write_block, read_block, image };
}

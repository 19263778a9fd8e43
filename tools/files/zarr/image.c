/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of an array with up to five axes a stack is read, or a slice: the last two axes are y and x, z
 * are its slices, and of the others one element is chosen.  Threads decode one chunk each, into
 * memory of their own, and copy what the block has of it.
 *
 * Where a block ends within a row of chunks, its chunks are decoded again for the next block.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_OPENMP
#include <omp.h>
#endif

#include <glib/gi18n.h>

#include "image.h"
#include "ome.h"
#include "tools/memory.h"
#include "tools/message.h"

/* No axis has this number. */
#define NONE ZARR_MAX_AXES

/* The part of the memory that may be taken for decoding. */
#define DECODING_PART 4

/**
 * ZarrImage:
 * @slices: the axis of the slices, or %NONE
 * @first: the element of each axis where the image begins
 * @size: along each axis; 1 where one element was chosen
 * @is_same: whether elements are what the engine takes
 * @stored: for each thread a chunk as it is in its file
 * @pixels: for each thread a chunk that is decoded
 * @rounded: whether 64-bit floating point was rounded
 */
struct _ZarrImage
{
  ZarrArray  array;
  guint      slices;
  gint64     first[ZARR_MAX_AXES];
  gint64     size[ZARR_MAX_AXES];
  gboolean   labels;
  gboolean   is_same;
  guint      n_threads;
  guint8   **stored;
  guint8   **pixels;
  gboolean   rounded;
};

/**
 * Box:
 * @first: of its elements, along each axis of the array
 * @end: the one after its last
 */
typedef struct
{
  gint64 first[ZARR_MAX_AXES];
  gint64 end[ZARR_MAX_AXES];
} Box;


/*  Axes  */

/* The name of an axis; without a description it is the usual one. */
static const char *
name_axis (const ZarrImage *image,
           const ZarrLevel *level,
           guint            axis)
{
  static const char * const usual[] = { "t", "c", "z", "y", "x" };

  return level->n_axes > 0 ? level->axes[axis].name
                           : usual[ZARR_MAX_AXES - image->array.n_axes + axis];
}

static guint
find_axis (const ZarrImage *image,
           const ZarrLevel *level,
           const char      *name)
{
  for (guint axis = 0; axis + 2 < image->array.n_axes; axis++)
    if (strcmp (name_axis (image, level, axis), name) == 0)
      return axis;
  return NONE;
}

static int
count_along (const ZarrImage *image,
             guint            axis)
{
  return axis == NONE ? 1 : (int) image->array.shape[axis];
}

/* Axes that have no meaning here must have one element; @error: the reason alone */
static gboolean
check_axes (const ZarrImage  *image,
            const ZarrLevel  *level,
            GError          **error)
{
  const guint      n      = image->array.n_axes;
  g_autofree char *reason = NULL;

  if (level->n_axes > 0 && level->n_axes != n)
    return refuse_because (_("its array has not as many axes as its .zattrs says"), error);
  if (strcmp (name_axis (image, level, n - 2), "y") != 0 ||
      strcmp (name_axis (image, level, n - 1), "x") != 0)
    return refuse_because (_("its last two axes are not y and x"), error);
  for (guint axis = 0; axis + 2 < n; axis++)
    {
      const char *name = name_axis (image, level, axis);

      if (image->array.shape[axis] == 1 || strcmp (name, "t") == 0 || strcmp (name, "c") == 0 ||
          strcmp (name, "z") == 0)
        continue;
      reason = g_strdup_printf (_("its axis “%s” is neither time nor channel nor z"), name);
      return refuse_because (reason, error);
    }
  return TRUE;
}

/* What is read along each axis; @error: the reason alone */
static gboolean
choose_planes (ZarrImage        *image,
               const ZarrLevel  *level,
               const Choice     *choice,
               GString          *notes,
               GError          **error)
{
  const guint n       = image->array.n_axes;
  const guint frame   = find_axis (image, level, "t");
  const guint channel = find_axis (image, level, "c");
  const guint slice   = find_axis (image, level, "z");
  Planes      planes;

  if (! choice_find_planes (choice, count_along (image, channel), count_along (image, slice),
                            count_along (image, frame), &planes, notes, error))
    return FALSE;
  for (guint axis = 0; axis < n; axis++)
    image->size[axis] = axis + 2 < n ? 1 : image->array.shape[axis];
  if (channel != NONE)
    image->first[channel] = planes.channel;
  image->slices = planes.timed ? frame : slice;
  if (image->slices != NONE)
    {
      image->first[image->slices] = planes.first;
      image->size[image->slices]  = planes.n;
    }
  return TRUE;
}

static void
note_pixel_size (const ZarrImage *image,
                 const ZarrLevel *level)
{
  const guint axes[] = { image->array.n_axes - 1, image->array.n_axes - 2,
                         find_axis (image, level, "z") };
  PixelSize   size   = PIXEL_SIZE_NONE;

  if (level->n_axes == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i] != NONE)
      {
        size.size[i] = level->axes[axes[i]].scale;
        size.unit[i] = level->axes[axes[i]].unit;
      }
  pixel_size_note (&size);
}


/*  Opening  */

/* Where chunks are large and memory is not, fewer threads. */
static void
limit_threads (ZarrImage *image)
{
  const guint64 left = memory_left ();

  while (image->n_threads > 1 && left > 0 &&
         zarr_image_get_memory (image) > left / DECODING_PART)
    image->n_threads--;
}

static gboolean
open_level (ZarrImage      *image,
            const char     *path,
            const Choice   *choice,
            WfBlockSource  *source,
            GString        *notes,
            GError        **error)
{
  g_auto (ZarrLevel)  level   = { 0 };
  g_autoptr (GError)  problem = NULL;
  WfImage             model;

  if (! zarr_level_find (&level, path, choice, notes, error) ||
      ! zarr_array_open (&image->array, level.folder, error))
    return FALSE;
  if (! check_axes (image, &level, &problem) ||
      ! choose_planes (image, &level, choice, notes, &problem))
    return refuse_to_read (level.folder, problem->message, error);
  note_pixel_size (image, &level);
  source->type   = elements_get_type (image->array.type, image->labels, &image->is_same);
  source->width  = image->size[image->array.n_axes - 1];
  source->height = image->size[image->array.n_axes - 2];
  source->depth  = image->slices == NONE ? 1 : image->size[image->slices];
  /* labels and distances of the same image take up to eight bytes a pixel */
  return wf_image_init (&model, WF_TYPE_U64, source->width, source->height, source->depth, image,
                        NULL) ||
         refuse_to_read (level.folder, _("the image is too large for any memory"), error);
}

/**
 * zarr_image_open:
 * @path: a folder
 * @labels: whether it holds labels, not gray levels
 * @choice: which of its planes are read
 * @n_threads: that decode, if there is memory for them
 * @source: gets type and size
 * @notice: set to what is left out, or %NULL
 * @error: %TOOL_ERROR_FILE
 *
 * Nothing large is allocated yet.
 *
 * Returns: (nullable): the image
 */
ZarrImage *
zarr_image_open (const char     *path,
                 gboolean        labels,
                 const Choice   *choice,
                 guint           n_threads,
                 WfBlockSource  *source,
                 char          **notice,
                 GError        **error)
{
  ZarrImage           *image = g_new0 (ZarrImage, 1);
  g_autoptr (GString)  notes = g_string_new (NULL);
  g_autofree char     *name  = g_filename_display_name (path);

  if (! choice_refuse_stain (choice, name, error))
    {
      g_free (image);
      return NULL;
    }
  image->labels    = labels;
  image->n_threads = MAX (n_threads, 1);
  image->stored    = g_new0 (guint8 *, image->n_threads);
  image->pixels    = g_new0 (guint8 *, image->n_threads);
  if (! open_level (image, path, choice, source, notes, error))
    {
      zarr_image_free (image);
      return NULL;
    }
  limit_threads (image);
  if (notes->len > 0)
    *notice = g_strdup_printf (_("“%s”: %s."), name, notes->str);
  return image;
}

/**
 * zarr_image_get_memory:
 * @image: an open image
 *
 * Returns: the bytes that reading takes beside the blocks
 */
guint64
zarr_image_get_memory (const ZarrImage *image)
{
  const guint64 bytes = zarr_array_chunk_bytes (&image->array);

  return image->n_threads * (bytes + zarr_codec_bound (bytes));
}

void
zarr_image_free (ZarrImage *image)
{
  for (guint i = 0; i < image->n_threads; i++)
    {
      g_free (image->stored[i]);
      g_free (image->pixels[i]);
    }
  g_free (image->stored);
  g_free (image->pixels);
  zarr_array_clear (&image->array);
  g_free (image);
}


/*  Pixels  */

static gboolean
allocate (ZarrImage  *image,
          GError    **error)
{
  const gsize bytes = zarr_array_chunk_bytes (&image->array);

  for (guint i = 0; i < image->n_threads; i++)
    {
      if (! image->stored[i])
        image->stored[i] = g_try_malloc (zarr_codec_bound (bytes));
      if (! image->pixels[i])
        image->pixels[i] = g_try_malloc (bytes);
      if (! image->stored[i] || ! image->pixels[i])
        return refuse_to_read (image->array.folder, g_strerror (ENOMEM), error);
    }
  return TRUE;
}

/* The elements of the array that a block has. */
static Box
find_box (const ZarrImage *image,
          gint64           x,
          gint64           y,
          gint64           z,
          const WfImage   *block)
{
  const guint n   = image->array.n_axes;
  Box         box = { 0 };

  for (guint axis = 0; axis < n; axis++)
    {
      box.first[axis] = image->first[axis];
      box.end[axis]   = image->first[axis] + 1;
    }
  if (image->slices != NONE)
    {
      box.first[image->slices] += z;
      box.end[image->slices]    = box.first[image->slices] + block->depth;
    }
  box.first[n - 2] = y;
  box.end[n - 2]   = y + block->height;
  box.first[n - 1] = x;
  box.end[n - 1]   = x + block->width;
  return box;
}

/* How many chunks a box touches, and which is number @k of them. */
static gint64
find_chunk (const ZarrImage *image,
            const Box       *box,
            gint64           k,
            gint64          *index)
{
  gint64 n = 1;

  for (guint axis = image->array.n_axes; axis-- > 0;)
    {
      const gint64 side  = image->array.chunks[axis];
      const gint64 first = box->first[axis] / side;
      const gint64 along = (box->end[axis] - 1) / side + 1 - first;

      index[axis] = first + k % along;
      k /= along;
      n *= along;
    }
  return n;
}

/* One row of a chunk, as the engine takes it; @error: the reason alone */
static gboolean
take_row (const ZarrImage  *image,
          gconstpointer     from,
          gsize             n,
          gpointer          to,
          gboolean         *rounded,
          GError          **error)
{
  if (image->is_same)
    {
      memcpy (to, from, n * elements_size (image->array.type));
      return TRUE;
    }
  return image->labels
         ? elements_to_labels (from, image->array.type, n, to, error)
         : elements_to_levels (from, image->array.type, n, to, rounded, error);
}

/* Elements from one to the next along an axis of a chunk. */
static gint64
find_stride (const ZarrImage *image,
             guint            axis)
{
  gint64 stride = 1;

  for (guint i = axis + 1; i < image->array.n_axes; i++)
    stride *= image->array.chunks[i];
  return stride;
}

/* Copies what a block has of a decoded chunk; @part: that, in elements of the array */
static gboolean
copy_part (const ZarrImage  *image,
           const Box        *box,
           const Box        *part,
           const guint8     *pixels,
           const WfImage    *block,
           gboolean         *rounded,
           GError          **error)
{
  const guint  n      = image->array.n_axes;
  const guint  slices = image->slices;
  const gint64 depth  = slices == NONE ? 1 : part->end[slices] - part->first[slices];
  const gint64 above  = slices == NONE ? 0 : part->first[slices] - box->first[slices];
  const gint64 slice  = slices == NONE ? 0 : find_stride (image, slices);
  const gint64 row    = find_stride (image, n - 2);
  const gsize  from   = elements_size (image->array.type);
  const gsize  to     = wf_type_size (block->type);
  const gint64 width  = part->end[n - 1] - part->first[n - 1];
  gint64       start  = 0;

  for (guint axis = 0; axis < n; axis++)
    start += part->first[axis] % image->array.chunks[axis] * find_stride (image, axis);
  for (gint64 z = 0; z < depth; z++)
    for (gint64 y = 0; y < part->end[n - 2] - part->first[n - 2]; y++)
      {
        const gint64 at = (above + z) * block->slice_stride
                          + (part->first[n - 2] - box->first[n - 2] + y) * block->row_stride
                          + part->first[n - 1] - box->first[n - 1];

        if (! take_row (image, pixels + (gsize) (start + z * slice + y * row) * from,
                        (gsize) width, (guint8 *) block->data + (gsize) at * to, rounded, error))
          return FALSE;
      }
  return TRUE;
}

/* Decodes chunk @k of those that a block touches. */
static gboolean
read_chunk (const ZarrImage  *image,
            guint             thread,
            const Box        *box,
            gint64            k,
            const WfImage    *block,
            gboolean         *rounded,
            GError          **error)
{
  g_autoptr (GError) problem = NULL;
  gint64             index[ZARR_MAX_AXES];
  Box                part;

  find_chunk (image, box, k, index);
  for (guint axis = 0; axis < image->array.n_axes; axis++)
    {
      const gint64 side = image->array.chunks[axis];

      part.first[axis] = MAX (box->first[axis], index[axis] * side);
      part.end[axis]   = MIN (box->end[axis], (index[axis] + 1) * side);
    }
  if (! zarr_array_read_chunk (&image->array, index, image->stored[thread], image->pixels[thread],
                               error))
    return FALSE;
  return copy_part (image, box, &part, image->pixels[thread], block, rounded, &problem) ||
         refuse_to_read (image->array.folder, problem->message, error);
}

/**
 * zarr_image_read:
 * @image: an open image
 * @x: the block's first pixel
 * @y: likewise
 * @z: likewise
 * @block: to be filled
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: success
 */
gboolean
zarr_image_read (ZarrImage  *image,
                 gint64      x,
                 gint64      y,
                 gint64      z,
                 WfImage    *block,
                 GError    **error)
{
  const Box  box     = find_box (image, x, y, z, block);
  gboolean   rounded = FALSE;
  GError    *failure = NULL;
  gint64     index[ZARR_MAX_AXES];
  gint64     n;

  if (! allocate (image, error))
    return FALSE;
  n = find_chunk (image, &box, 0, index);

#ifdef HAVE_OPENMP
#pragma omp parallel for num_threads((int) image->n_threads) schedule(dynamic) \
  reduction(|| : rounded)
#endif
  for (gint64 k = 0; k < n; k++)
    {
#ifdef HAVE_OPENMP
      const guint  thread  = (guint) omp_get_thread_num ();
#else
      const guint  thread  = 0;
#endif
      GError      *problem = NULL;

      if (! g_atomic_pointer_get (&failure) &&
          ! read_chunk (image, thread, &box, k, block, &rounded, &problem) &&
          ! g_atomic_pointer_compare_and_exchange (&failure, NULL, problem))
        g_error_free (problem);
    }
  image->rounded |= rounded;
  if (failure)
    g_propagate_error (error, failure);
  return ! failure;
}

/**
 * zarr_image_is_rounded:
 * @image: an image that was read
 *
 * Returns: whether 64-bit floating point was rounded
 */
gboolean
zarr_image_is_rounded (const ZarrImage *image)
{
  return image->rounded;
}

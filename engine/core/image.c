/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images: typed views of pixels, with sizes checked in 64 bits.
 *
 * The public operations take views with strides; the variants of the back ends
 * work on packed pixels.  A view that is packed already is used where it lies.
 */

#include "config.h"

#include <inttypes.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <glib/gi18n-lib.h>

#include "backend.h"

#define CACHE_LINE 64
#define HUGE_PAGE  (2 << 20)


static const struct
{
  WfType      type;
  const char *name;
  gsize       size;
} types[] =
{
  { WF_TYPE_U8,  "u8",  1 },
  { WF_TYPE_U16, "u16", 2 },
  { WF_TYPE_F32, "f32", 4 },
  { WF_TYPE_U32, "u32", 4 },
  { WF_TYPE_U64, "u64", 8 },
  { WF_TYPE_F64, "f64", 8 },
};

/**
 * wf_type_size:
 * @type: a type of pixel
 *
 * Gives the memory that a pixel of the type takes, in bytes.
 *
 * Returns: the bytes of a pixel, or 0 if there is no such type.
 */
gsize
wf_type_size (WfType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return types[i].size;
  return 0;
}

/**
 * wf_type_name:
 * @type: a type of pixel
 *
 * Gives the short name of a type, as messages and help pages show it.  The string is static.
 *
 * Returns: (nullable): its name, as in "f32", or %NULL if there is no such type.
 */
const char *
wf_type_name (WfType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return types[i].name;
  return NULL;
}

static gboolean
check_geometry (WfType       type,
                gint64       width,
                gint64       height,
                gint64       depth,
                const char  *what,
                GError     **error)
{
  const gint64 most = G_MAXINT64 / 8;

  if (wf_type_size (type) == 0)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The %s has no known pixel type (%d)."), what, (int) type);
      return FALSE;
    }
  if (width < 1 || height < 1 || depth < 1)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The size of the %s, %" PRId64 " × %" PRId64
                     " × %" PRId64 ", has a side that is not positive."),
                   what, width, height, depth);
      return FALSE;
    }
  if (width > WF_MAX_SIDE || height > WF_MAX_SIDE || depth > WF_MAX_SIDE ||
      width > most / height / depth)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The size of the %s, %" PRId64 " × %" PRId64
                     " × %" PRId64 ", is too large to be addressed."),
                   what, width, height, depth);
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_image_init:
 * @image: a view to fill
 * @type: type of a pixel
 * @width: pixels in a row, at least 1
 * @height: rows, at least 1
 * @depth: slices, 1 for a 2-D image
 * @data: (not nullable): @width × @height × @depth pixels, row after row and
 *   slice after slice, that outlive the view
 * @error: %WF_ERROR_INVALID
 *
 * Makes a view of packed pixels.  Set @image->row_stride and
 * @image->slice_stride afterwards for pixels that are not packed.
 *
 * Returns: %FALSE if the sizes are not positive, a side is longer than
 *   %WF_MAX_SIDE, the pixels are too many to be addressed, the type is unknown
 *   or there is no data; then @image is empty.
 */
gboolean
wf_image_init (WfImage   *image,
               WfType     type,
               gint64     width,
               gint64     height,
               gint64     depth,
               gpointer   data,
               GError   **error)
{
  g_return_val_if_fail (image != NULL, FALSE);

  memset (image, 0, sizeof *image);
  if (! check_geometry (type, width, height, depth, _("image"), error))
    return FALSE;
  if (! data)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("The image has no pixels."));
      return FALSE;
    }

  image->type         = type;
  image->width        = width;
  image->height       = height;
  image->depth        = depth;
  image->row_stride   = width;
  image->slice_stride = width * height;
  image->data         = data;
  return TRUE;
}

/**
 * wf_image_allocate:
 * @image: a view to fill
 * @type: type of a pixel
 * @width: pixels in a row
 * @height: rows
 * @depth: slices
 * @error: %WF_ERROR_INVALID as for wf_image_init(), %WF_ERROR_MEMORY
 *
 * Makes an image with memory of its own, freed by wf_image_clear().  The pixels
 * are not set.
 *
 * Returns: %FALSE on failure; then @image is empty.
 */
gboolean
wf_image_allocate (WfImage  *image,
                   WfType    type,
                   gint64    width,
                   gint64    height,
                   gint64    depth,
                   GError  **error)
{
  gpointer data;

  g_return_val_if_fail (image != NULL, FALSE);

  memset (image, 0, sizeof *image);
  if (! check_geometry (type, width, height, depth, _("image"), error))
    return FALSE;
  data = wf_allocate (width * height * depth, wf_type_size (type), error);
  if (! data)
    return FALSE;

  wf_image_init (image, type, width, height, depth, data, NULL);
  image->allocated = data;
  return TRUE;
}

/**
 * wf_image_clear:
 * @image: an image
 *
 * Frees what wf_image_allocate() or wf_image_allocate_on() took, and empties the view.  What the
 * caller has queued on a GPU with the image must be done.
 */
void
wf_image_clear (WfImage *image)
{
  g_return_if_fail (image != NULL);

  if (image->memory == WF_MEMORY_HOST)
    g_free (image->allocated);
  else if (image->allocated)
    wf_backend_loaded (NULL)->release (image->allocated);
  memset (image, 0, sizeof *image);
}

/**
 * wf_image_n_pixels:
 * @image: an image
 *
 * Counts the pixels of an image, without the padding between its rows and slices.
 *
 * Returns: width × height × depth.
 */
gint64
wf_image_n_pixels (const WfImage *image)
{
  g_return_val_if_fail (image != NULL, 0);

  return image->width * image->height * image->depth;
}

WfShape
wf_image_shape (const WfImage *image)
{
  return (WfShape) { image->width, image->height, image->depth };
}

/* An address that CUDA knows nothing of would make the device fail for the whole process. */
static gboolean
check_memory (const WfImage  *image,
              const char     *what,
              GError        **error)
{
  const guint         device  = (guint) image->memory - 1;
  g_autoptr (GError)  problem = NULL;
  const WfBackend    *backend;
  const char         *first   = image->data;

  if (image->memory == WF_MEMORY_HOST)
    return TRUE;
  backend = image->memory > 0 ? wf_backend_loaded (&problem) : NULL;
  if (! backend || device >= backend->n_devices || ! backend->owns)
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The %s is in the memory of cuda:%d, which this machine does not have."), what,
                 image->memory - 1);
  else if (! backend->owns (device, first) ||
           ! backend->owns (device, first + wf_image_extent (image) - 1))
    g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                 _("The pixels of the %s are not in the memory of cuda:%u."), what, device);
  else
    return TRUE;
  return FALSE;
}

/* Refuses views in the memory of a GPU, for what only the CPU does. */
gboolean
wf_image_check_host (const WfImage  *image,
                     const char     *what,
                     GError        **error)
{
  if (image->memory == WF_MEMORY_HOST)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
               _("The %s is in the memory of cuda:%d; here it must be in main memory."), what,
               image->memory - 1);
  return FALSE;
}

/* No version sets the distance of the pixels of a row yet. */
gboolean
wf_image_check_pixel_stride (const WfImage  *image,
                             const char     *what,
                             GError        **error)
{
  if (image->pixel_stride == 0)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The pixel stride of the %s is %" PRId64 "; it must be 0."), what,
               image->pixel_stride);
  return FALSE;
}

/* Checks a view that a caller has given, strides included, for what reads pixels on the CPU. */
gboolean
wf_image_check (const WfImage  *image,
                const char     *what,
                GError        **error)
{
  return wf_image_check_view (image, what, error) && wf_image_check_host (image, what, error);
}

/* Checks a view that a caller has given, strides included, wherever its pixels are. */
gboolean
wf_image_check_view (const WfImage  *image,
                     const char     *what,
                     GError        **error)
{
  gint64 most = G_MAXINT64 / 8;

  if (! image || ! image->data)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("The %s has no pixels."), what);
      return FALSE;
    }
  if (! check_geometry (image->type, image->width, image->height, image->depth, what, error))
    return FALSE;
  if (image->row_stride < image->width ||
      image->row_stride > most / image->height ||
      (image->depth > 1 &&
       (image->slice_stride < image->row_stride * (image->height - 1) + image->width ||
        image->slice_stride > most / image->depth)))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The strides of the %s, %" PRId64 " and %" PRId64
                     " pixels, do not fit its size."),
                   what, image->row_stride, image->slice_stride);
      return FALSE;
    }
  return wf_image_check_pixel_stride (image, what, error) && check_memory (image, what, error);
}

gboolean
wf_image_check_work_type (const WfImage  *image,
                          const char     *what,
                          GError        **error)
{
  if (image->type == WF_TYPE_U8 || image->type == WF_TYPE_U16 || image->type == WF_TYPE_F32)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s has pixels of type %s; they must be u8, u16 or f32."),
               what, wf_type_name (image->type));
  return FALSE;
}

gboolean
wf_image_check_type (const WfImage  *image,
                     WfType          type,
                     const char     *what,
                     GError        **error)
{
  if (image->type == type)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s has pixels of type %s; they must be %s."),
               what, wf_type_name (image->type), wf_type_name (type));
  return FALSE;
}

gboolean
wf_image_check_size (const WfImage  *image,
                     const char     *what,
                     const WfImage  *model,
                     const char     *model_what,
                     GError        **error)
{
  if (image->width == model->width && image->height == model->height &&
      image->depth == model->depth)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s is %" PRId64 " × %" PRId64 " × %" PRId64
                 " pixels, but the %s is %" PRId64 " × %" PRId64
                 " × %" PRId64 "."),
               what, image->width, image->height, image->depth,
               model_what, model->width, model->height, model->depth);
  return FALSE;
}

/* An image to work on, and labels for its pixels, given or to be found, wherever they are. */
gboolean
wf_image_check_labels (const WfImage  *image,
                       const WfImage  *labels,
                       GError        **error)
{
  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_image_check_view (labels, _("label image"), error) &&
         wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error) &&
         wf_image_check_size (labels, _("label image"), image, _("image"), error);
}

/* 4 and 8 go with images, 6 and 26 with stacks; 0 means all neighbours. */
gboolean
wf_connectivity_resolve (int             connectivity,
                         const WfShape  *shape,
                         int            *resolved,
                         GError        **error)
{
  gboolean stack = shape->depth > 1;

  if (connectivity == 0)
    connectivity = stack ? 26 : 8;
  if (stack ? connectivity != 6 && connectivity != 26 : connectivity != 4 && connectivity != 8)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   stack ? _("A connectivity of %d does not fit a stack of %" PRId64
                             " slices: it must be 6 or 26.")
                         : _("A connectivity of %d does not fit an image of %" PRId64
                             " slice: it must be 4 or 8."),
                   connectivity, shape->depth);
      return FALSE;
    }
  *resolved = connectivity;
  return TRUE;
}

/* Large memory is asked for in huge pages where the kernel has them: to be handed
 * small pages one by one can take longer than the work that is done in them.
 */
static gpointer
allocate_large (gsize bytes)
{
  gpointer memory = NULL;

  if (posix_memalign (&memory, HUGE_PAGE, bytes) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise (memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

/* Returns: %FALSE */
gboolean
wf_refuse_memory (double   bytes,
                  GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("There is not enough memory: %.1f MB more are needed."), bytes / 1e6);
  return FALSE;
}

/* Memory that may be more than there is: an error, never the end of the program.
 * It starts on a cache line, and is freed with g_free().
 */
gpointer
wf_allocate (gint64   n,
             gsize    size,
             GError **error)
{
  gpointer memory = NULL;

  if (n >= 0 && (gsize) n <= G_MAXSSIZE / size - HUGE_PAGE)
    {
      gsize bytes = MAX (n, 1) * size;

      if (bytes >= 2 * HUGE_PAGE)
        memory = allocate_large (bytes);
      else if (posix_memalign (&memory, CACHE_LINE, bytes) != 0)
        memory = NULL;
    }
  if (! memory)
    wf_refuse_memory ((double) n * size, error);
  return memory;
}

/* The same, full of zeros: pages that nobody writes to cost nothing. */
gpointer
wf_allocate_zeroed (gint64   n,
                    gsize    size,
                    GError **error)
{
  gpointer memory = n >= 0 ? g_try_malloc0_n (MAX (n, 1), size) : NULL;

  if (! memory)
    wf_refuse_memory ((double) n * size, error);
  return memory;
}

/* Bytes from the first pixel to the end of the last. */
gsize
wf_image_extent (const WfImage *image)
{
  return ((image->depth - 1) * image->slice_stride + (image->height - 1) * image->row_stride
          + image->width) * wf_type_size (image->type);
}

/* Whether the two may share memory; views into one larger image count too. */
gboolean
wf_image_overlaps (const WfImage *image,
                   const WfImage *other)
{
  const char *a = image->data;
  const char *b = other->data;

  return a < b + wf_image_extent (other) && b < a + wf_image_extent (image);
}

/* Whether each pixel of the one is the same memory as that of the other. */
gboolean
wf_image_is_same_view (const WfImage *image,
                       const WfImage *other)
{
  return image->data == other->data && image->type == other->type &&
         (image->row_stride == other->row_stride || (image->height == 1 && image->depth == 1)) &&
         (image->slice_stride == other->slice_stride || image->depth == 1);
}

gboolean
wf_image_is_packed (const WfImage *image)
{
  return (image->row_stride == image->width || (image->height == 1 && image->depth == 1)) &&
         (image->slice_stride == image->width * image->height || image->depth == 1);
}

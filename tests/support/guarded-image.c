/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "guarded-image.h"

/* As a float this pattern is NaN: an operation that reads it as a pixel fails. */
#define PATTERN 0xff
#define GUARD   64

GuardedImage *
guarded_image_new (WfType         type,
                   const RefSize *size,
                   gboolean       strided)
{
  GuardedImage *image         = g_new0 (GuardedImage, 1);
  gint64        row_padding   = strided ? g_test_rand_int_range (0, 6) : 0;
  gint64        slice_padding = strided ? g_test_rand_int_range (0, 4) : 0;
  GError       *error         = NULL;

  g_assert_true (wf_image_init (&image->view, type, size->width, size->height, size->depth,
                                image, &error));
  g_assert_no_error (error);
  image->view.row_stride   = size->width + row_padding;
  image->view.slice_stride = image->view.row_stride * size->height + slice_padding;

  image->n_bytes   = 2 * GUARD + image->view.slice_stride * size->depth * wf_type_size (type);
  image->memory    = g_malloc (image->n_bytes);
  image->view.data = image->memory + GUARD;
  guarded_image_wipe (image);
  return image;
}

/* All bytes are as in a new image. */
void
guarded_image_wipe (GuardedImage *image)
{
  memset (image->memory, PATTERN, image->n_bytes);
}

void
guarded_image_free (GuardedImage *image)
{
  if (! image)
    return;
  g_free (image->memory);
  g_free (image);
}

static guint8 *
row_address (const GuardedImage *image,
             gint64              y,
             gint64              z)
{
  return (guint8 *) image->view.data +
         (z * image->view.slice_stride + y * image->view.row_stride) *
         wf_type_size (image->view.type);
}

static guint8 *
pixel_address (const GuardedImage *image,
               gint64              index)
{
  gint64 x = index % image->view.width;
  gint64 y = index / image->view.width % image->view.height;
  gint64 z = index / image->view.width / image->view.height;

  return row_address (image, y, z) + x * wf_type_size (image->view.type);
}

/* @pixels: contiguous, of the image's type */
void
guarded_image_write (GuardedImage  *image,
                     gconstpointer  pixels)
{
  gsize         row_bytes = image->view.width * wf_type_size (image->view.type);
  const guint8 *from      = pixels;

  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++, from += row_bytes)
      memcpy (row_address (image, y, z), from, row_bytes);
}

/* @image: f32 */
void
guarded_image_set_float (GuardedImage *image,
                         gint64        index,
                         float         value)
{
  *(float *) pixel_address (image, index) = value;
}

/* @image: u32 */
guint32
guarded_image_get_label (const GuardedImage *image,
                         gint64              index)
{
  return *(const guint32 *) pixel_address (image, index);
}

/* The first pixel whose bytes differ from those of @pixels, or -1. */
gint64
guarded_image_find_difference (const GuardedImage *image,
                               gconstpointer       pixels)
{
  gsize         pixel_bytes = wf_type_size (image->view.type);
  gsize         row_bytes   = image->view.width * pixel_bytes;
  const guint8 *expected    = pixels;
  gint64        index       = 0;

  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      {
        const guint8 *row = row_address (image, y, z);

        for (gint64 x = 0; memcmp (row, expected, row_bytes) != 0; x++)
          if (memcmp (row + x * pixel_bytes, expected + x * pixel_bytes, pixel_bytes) != 0)
            return index + x;
        expected += row_bytes;
        index    += image->view.width;
      }
  return -1;
}

/* Whether the guard bytes around the pixels are unchanged. */
gboolean
guarded_image_is_guarded (const GuardedImage *image)
{
  g_autofree guint8 *wiped = g_memdup2 (image->memory, image->n_bytes);

  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      memset (wiped + (row_address (image, y, z) - image->memory), PATTERN,
              image->view.width * wf_type_size (image->view.type));
  for (gsize i = 0; i < image->n_bytes; i++)
    if (wiped[i] != PATTERN)
      return FALSE;
  return TRUE;
}

/* Whether all bytes, including the pixels, are as guarded_image_new() set them. */
gboolean
guarded_image_is_untouched (const GuardedImage *image)
{
  for (gsize i = 0; i < image->n_bytes; i++)
    if (image->memory[i] != PATTERN)
      return FALSE;
  return TRUE;
}

/* Returns: (transfer full): @levels as pixels of @type.  Infinity is the largest
 * integer.
 */
gpointer
pack_levels (WfType        type,
             const double *levels,
             gint64        n)
{
  gpointer pixels = g_malloc (MAX (1, n * wf_type_size (type)));

  for (gint64 p = 0; p < n; p++)
    switch (type)
      {
      case WF_TYPE_U8:
        ((guint8 *) pixels)[p] = (guint8) levels[p];
        break;
      case WF_TYPE_U16:
        ((guint16 *) pixels)[p] = (guint16) levels[p];
        break;
      case WF_TYPE_U32:
        ((guint32 *) pixels)[p] = (guint32) levels[p];
        break;
      case WF_TYPE_U64:
        ((guint64 *) pixels)[p] = levels[p] > G_MAXDOUBLE ? G_MAXUINT64 : (guint64) levels[p];
        break;
      case WF_TYPE_F32:
        ((float *) pixels)[p] = (float) levels[p];
        break;
      case WF_TYPE_F64:
        ((double *) pixels)[p] = levels[p];
        break;
      }
  return pixels;
}

GuardedImage *
guarded_image_new_levels (WfType         type,
                          const RefSize *size,
                          const double  *levels)
{
  GuardedImage        *image  = guarded_image_new (type, size, g_test_rand_bit ());
  g_autofree gpointer  pixels = pack_levels (type, levels, ref_n_pixels (size));

  guarded_image_write (image, pixels);
  return image;
}

GuardedImage *
guarded_image_new_labels (const RefSize *size,
                          const guint32 *labels)
{
  GuardedImage *image = guarded_image_new (WF_TYPE_U32, size, g_test_rand_bit ());

  guarded_image_write (image, labels);
  return image;
}

char *
format_packed (WfType        type,
               gconstpointer pixels,
               gint64        index)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return g_strdup_printf ("%u", ((const guint8 *) pixels)[index]);
    case WF_TYPE_U16:
      return g_strdup_printf ("%u", ((const guint16 *) pixels)[index]);
    case WF_TYPE_U32:
      return g_strdup_printf ("%u", ((const guint32 *) pixels)[index]);
    case WF_TYPE_U64:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, ((const guint64 *) pixels)[index]);
    case WF_TYPE_F32:
      return g_strdup_printf ("%.9g", ((const float *) pixels)[index]);
    case WF_TYPE_F64:
      return g_strdup_printf ("%.17g", ((const double *) pixels)[index]);
    }
  g_return_val_if_reached (NULL);
}

char *
guarded_image_format_pixel (const GuardedImage *image,
                            gint64              index)
{
  return format_packed (image->view.type, pixel_address (image, index), 0);
}

/* Appends the first levels to the report of a failure. */
void
append_levels (GString       *text,
               const char    *title,
               const RefSize *size,
               const double  *levels)
{
  gint64 n = ref_n_pixels (size);

  g_string_append_printf (text, "\n%s:", title);
  for (gint64 p = 0; p < MIN (n, 700); p++)
    g_string_append_printf (text, "%s%.9g", p % size->width ? " " : "\n  ", levels[p]);
}

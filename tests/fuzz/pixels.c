/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>

#include "pixels.h"

/* As a float this is NaN, so code that reads it as a pixel refuses the image. */
#define PATTERN 0xff


/* Often a row, a column or a single pixel; sometimes a stack. */
void
fuzz_size (FuzzSize  *size,
           FuzzBytes *bytes)
{
  size->width  = 1 + fuzz_below (bytes, 100);
  size->height = 1 + fuzz_below (bytes, 100);
  size->depth  = fuzz_rarely (bytes, 4) ? 2 + fuzz_below (bytes, 4) : 1;
  if (fuzz_rarely (bytes, 8))
    size->height = 1;
  while (size->width * size->height * size->depth > FUZZ_MOST_PIXELS)
    if (size->height > size->width)
      size->height /= 2;
    else
      size->width /= 2;
}

static guint8 *
row_of (const FuzzImage *image,
        gint64           y,
        gint64           z)
{
  return (guint8 *) image->view.data +
         (z * image->view.slice_stride + y * image->view.row_stride) *
         wf_type_size (image->view.type);
}

static gsize
row_bytes (const FuzzImage *image)
{
  return image->view.width * wf_type_size (image->view.type);
}

/* @strides: decides the gaps between rows and slices; %NULL for none */
void
fuzz_image_init (FuzzImage      *image,
                 WfType          type,
                 const FuzzSize *size,
                 FuzzBytes      *strides)
{
  GError *error = NULL;
  gint64  last;

  /* wf_image_init() refuses NULL; the memory is allocated below */
  wf_image_init (&image->view, type, size->width, size->height, size->depth, image, &error);
  g_assert_no_error (error);
  if (strides && fuzz_rarely (strides, 3))
    {
      image->view.row_stride   = size->width + fuzz_below (strides, 5);
      image->view.slice_stride = image->view.row_stride * size->height +
                                 fuzz_below (strides, 7);
    }
  last = (size->depth - 1) * image->view.slice_stride +
         (size->height - 1) * image->view.row_stride + size->width;

  image->n_bytes   = last * wf_type_size (type);
  image->view.data = malloc (image->n_bytes);
  image->copy      = NULL;
  memset (image->view.data, PATTERN, image->n_bytes);
}

void
fuzz_image_clear (FuzzImage *image)
{
  free (image->view.data);
  g_free (image->copy);
}

/* Kinds above 0 have few different levels, for plateaux; kind 0 covers the range of the type. */
static void
fill_row (FuzzImage *image,
          guint8    *row,
          guint      kind,
          FuzzBytes *bytes)
{
  static const float hostile[] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, 1e-45f, 3e38f };

  for (gint64 x = 0; x < image->view.width; x++)
    switch (image->view.type)
      {
      case WF_TYPE_U8:
        row[x] = fuzz_byte (bytes) >> kind;
        break;
      case WF_TYPE_U16:
        ((guint16 *) row)[x] = kind == 0 ? fuzz_byte (bytes) * 256 + fuzz_byte (bytes)
                                         : fuzz_byte (bytes) >> kind;
        break;
      case WF_TYPE_U32:
        ((guint32 *) row)[x] = kind == 0 ? fuzz_byte (bytes) * 0x1010101u
                                         : fuzz_byte (bytes) >> kind;
        break;
      case WF_TYPE_F32:
        if (kind == 0)
          fuzz_take (bytes, (float *) row + x, sizeof (float));
        else if (kind < 4)
          ((float *) row)[x] = hostile[fuzz_below (bytes, G_N_ELEMENTS (hostile))];
        else
          ((float *) row)[x] = (fuzz_byte (bytes) >> (kind - 3)) / 16.0f - 1;
        break;
      default:
        g_assert_not_reached ();
      }
}

void
fuzz_image_fill (FuzzImage *image,
                 FuzzBytes *bytes)
{
  guint kind = fuzz_below (bytes, 8);

  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      fill_row (image, row_of (image, y, z), kind, bytes);
}

void
fuzz_image_copy (FuzzImage       *image,
                 const FuzzImage *from)
{
  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      memcpy (row_of (image, y, z), row_of (from, y, z), row_bytes (image));
}

/* Whether it was initialized; the functions below take an image that was not, too. */
gboolean
fuzz_image_exists (const FuzzImage *image)
{
  return image->view.data != NULL;
}

void
fuzz_image_remember (FuzzImage *image)
{
  g_free (image->copy);
  image->copy = g_memdup2 (image->view.data, image->n_bytes);
}

gboolean
fuzz_image_is_untouched (const FuzzImage *image)
{
  return ! fuzz_image_exists (image) ||
         memcmp (image->view.data, image->copy, image->n_bytes) == 0;
}

/* Whether the bytes between the rows are unchanged. */
gboolean
fuzz_image_is_guarded (const FuzzImage *image)
{
  g_autofree guint8 *now = g_memdup2 (image->view.data, image->n_bytes);

  if (! fuzz_image_exists (image))
    return TRUE;
  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      {
        gsize offset = row_of (image, y, z) - (guint8 *) image->view.data;

        memcpy (now + offset, image->copy + offset, row_bytes (image));
      }
  return memcmp (now, image->copy, image->n_bytes) == 0;
}

gboolean
fuzz_image_equals (const FuzzImage *image,
                   const FuzzImage *other)
{
  for (gint64 z = 0; z < image->view.depth; z++)
    for (gint64 y = 0; y < image->view.height; y++)
      if (memcmp (row_of (image, y, z), row_of (other, y, z), row_bytes (image)) != 0)
        return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a region of pixels in memory, for a preview's source: at scale 1 they are copied,
 * at a smaller one a pixel of the region is the mean of the pixels under it.  No pixel is
 * under two pixels of the region.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "array.h"

#define TOLERANCE 1e-6


/* The first pixel under pixel @i of a scaled image. */
static gint64
first_under (int    i,
             double scale,
             gint64 size)
{
  return (gint64) CLAMP (floor (i / scale + TOLERANCE), 0, size - 1);
}

/* The first pixel after those. */
static gint64
end_under (int    i,
           double scale,
           gint64 size)
{
  const gint64 first = first_under (i, scale, size);

  return CLAMP ((gint64) floor ((i + 1) / scale + TOLERANCE), first + 1, size);
}

#define MEAN_OF(Type, Sum, round_up)                                                    \
static Type                                                                             \
mean_of_##Type (const Type *first,                                                      \
                gint64      stride,                                                     \
                gint64      width,                                                      \
                gint64      height)                                                     \
{                                                                                       \
  Sum sum = 0;                                                                          \
                                                                                        \
  for (gint64 y = 0; y < height; y++)                                                   \
    for (gint64 x = 0; x < width; x++)                                                  \
      sum += first[y * stride + x];                                                     \
  return (Type) ((sum + (round_up) * (Sum) (width * height) / 2) / (Sum) (width * height)); \
}

MEAN_OF (guint8, guint64, 1)
MEAN_OF (guint16, guint64, 1)
MEAN_OF (float, double, 0)

static void
mean_level (const WfImage *levels,
            gint64         x,
            gint64         y,
            gint64         width,
            gint64         height,
            WfImage       *out,
            gsize          to)
{
  const gsize from = (gsize) y * levels->row_stride + x;

  switch (levels->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) out->data)[to] = mean_of_guint8 ((const guint8 *) levels->data + from,
                                                   levels->row_stride, width, height);
      break;
    case WF_TYPE_U16:
      ((guint16 *) out->data)[to] = mean_of_guint16 ((const guint16 *) levels->data + from,
                                                     levels->row_stride, width, height);
      break;
    default:
      ((float *) out->data)[to] = mean_of_float ((const float *) levels->data + from,
                                                 levels->row_stride, width, height);
      break;
    }
}

static void
copy_levels (const WfImage         *levels,
             const WfPreviewRegion *region,
             WfImage               *out)
{
  const gsize size = wf_type_size (levels->type);

  for (int y = 0; y < region->height; y++)
    memcpy ((guint8 *) out->data + (gsize) y * out->row_stride * size,
            (const guint8 *) levels->data +
            ((gsize) (region->y + y) * levels->row_stride + region->x) * size,
            region->width * size);
}

/**
 * wf_preview_array_read_levels:
 * @levels: u8, u16 or f32, a 2-D image
 * @region: a region of it
 * @out: all zero; set to a new image of the type of @levels
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: %FALSE with @error set.
 */
gboolean
wf_preview_array_read_levels (const WfImage          *levels,
                              const WfPreviewRegion  *region,
                              WfImage                *out,
                              GError                **error)
{
  if (! wf_image_allocate (out, levels->type, region->width, region->height, 1, error))
    return FALSE;
  if (region->scale == 1)
    {
      copy_levels (levels, region, out);
      return TRUE;
    }

#pragma omp parallel for
  for (int j = 0; j < region->height; j++)
    {
      const gint64 y      = first_under (region->y + j, region->scale, levels->height);
      const gint64 height = end_under (region->y + j, region->scale, levels->height) - y;

      for (int i = 0; i < region->width; i++)
        {
          const gint64 x     = first_under (region->x + i, region->scale, levels->width);
          const gint64 width = end_under (region->x + i, region->scale, levels->width) - x;

          mean_level (levels, x, y, width, height, out, (gsize) j * out->row_stride + i);
        }
    }
  return TRUE;
}

/* Colours are weighted by their alpha. */
static void
mean_color (const guint8 *first,
            gint64        stride,
            gint64        width,
            gint64        height,
            guint8       *out)
{
  guint64 sums[3] = { 0 };
  guint64 alphas  = 0;
  guint64 n       = width * height;

  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      {
        const guint8 *pixel = first + 4 * (y * stride + x);

        for (int i = 0; i < 3; i++)
          sums[i] += pixel[i] * pixel[3];
        alphas += pixel[3];
      }
  for (int i = 0; i < 3; i++)
    out[i] = alphas ? (guint8) ((sums[i] + alphas / 2) / alphas) : 0;
  out[3] = (guint8) ((alphas + n / 2) / n);
}

/**
 * wf_preview_array_read_colors:
 * @colors: R, G, B, A of 8 bits, not premultiplied
 * @width: of the image, in pixels
 * @height: of the image, in pixels
 * @region: a region of it
 * @out: set to the region's pixels
 */
void
wf_preview_array_read_colors (const guint8          *colors,
                              int                    width,
                              int                    height,
                              const WfPreviewRegion *region,
                              guint8                *out)
{
#pragma omp parallel for
  for (int j = 0; j < region->height; j++)
    {
      guint8       *row = out + 4 * (gsize) j * region->width;
      const gint64  y   = first_under (region->y + j, region->scale, height);
      const gint64  end = end_under (region->y + j, region->scale, height);

      if (region->scale == 1)
        {
          memcpy (row, colors + 4 * ((gsize) y * width + region->x), 4 * (gsize) region->width);
          continue;
        }
      for (int i = 0; i < region->width; i++)
        {
          const gint64 x = first_under (region->x + i, region->scale, width);

          mean_color (colors + 4 * ((gsize) y * width + x), width,
                      end_under (region->x + i, region->scale, width) - x, end - y, row + 4 * i);
        }
    }
}

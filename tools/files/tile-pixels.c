/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "tile-pixels.h"


/*  Half the size  */

/* Each pixel of the smaller image is the first of four. */
#define PICK(Type)                                                              \
  static void                                                                   \
  pick_##Type (const TilePart *from,                                            \
               gpointer        to)                                              \
  {                                                                             \
    for (gint64 y = 0; y < from->height; y += 2)                                \
      {                                                                         \
        const Type *row = (const Type *) from->pixels + y * from->stride;       \
        Type       *out = (Type *) to + y / 2 * from->stride;                   \
                                                                                \
        for (gint64 x = 0; x < from->width; x += 2)                             \
          out[x / 2] = row[x];                                                  \
      }                                                                         \
  }

/* Each is the mean of four; at an edge of odd length those that there are count twice. */
#define AVERAGE(Type, Sum, mean_of)                                             \
  static void                                                                   \
  average_##Type (const TilePart *from,                                         \
                  gpointer        to)                                           \
  {                                                                             \
    for (gint64 y = 0; y < from->height; y += 2)                                \
      {                                                                         \
        const Type *row   = (const Type *) from->pixels + y * from->stride;     \
        const Type *below = y + 1 < from->height ? row + from->stride : row;    \
        Type       *out   = (Type *) to + y / 2 * from->stride;                 \
        gint64      x     = 0;                                                  \
                                                                                \
        for (; x + 1 < from->width; x += 2)                                     \
          out[x / 2] = mean_of ((Sum) row[x] + row[x + 1]                       \
                                + below[x] + below[x + 1]);                     \
        if (x < from->width)                                                    \
          out[x / 2] = mean_of (2 * ((Sum) row[x] + below[x]));                 \
      }                                                                         \
  }

#define ROUNDED(sum) (((sum) + 2) / 4)
#define QUARTER(sum) ((float) ((sum) / 4))
#define EXACT(sum)   ((sum) / 4)

PICK (guint8)
PICK (guint16)
PICK (guint32)
PICK (guint64)
AVERAGE (guint8, guint, ROUNDED)
AVERAGE (guint16, guint, ROUNDED)
AVERAGE (float, double, QUARTER)
AVERAGE (double, double, EXACT)

/**
 * tile_pixels_shrink:
 * @type: of the pixels
 * @pick: whether one of four pixels is taken, as of labels, and not their mean
 * @from: what is in the image of a tile
 * @to: gets half the rows and columns, rounded up, with the same stride
 */
void
tile_pixels_shrink (WfType          type,
                    gboolean        pick,
                    const TilePart *from,
                    gpointer        to)
{
  switch (type)
    {
    case WF_TYPE_U8:
      (pick ? pick_guint8 : average_guint8) (from, to);
      break;
    case WF_TYPE_U16:
      (pick ? pick_guint16 : average_guint16) (from, to);
      break;
    case WF_TYPE_U32:
      pick_guint32 (from, to);
      break;
    case WF_TYPE_F32:
      (pick ? pick_guint32 : average_float) (from, to);
      break;
    case WF_TYPE_F64:
      (pick ? pick_guint64 : average_double) (from, to);
      break;
    default:
      g_return_if_reached ();
    }
}


/*  Differences  */

#define SUBTRACT(Type)                                                          \
  static void                                                                   \
  subtract_##Type (Type   *pixel,                                               \
                   gint64  n)                                                   \
  {                                                                             \
    Type before = 0;                                                            \
                                                                                \
    for (gint64 i = 0; i < n; i++)                                              \
      {                                                                         \
        const Type value = pixel[i];                                            \
                                                                                \
        pixel[i] = (Type) (value - before);                                     \
        before   = value;                                                       \
      }                                                                         \
  }

SUBTRACT (guint8)
SUBTRACT (guint16)
SUBTRACT (guint32)

/* First the most significant bytes of all pixels of the row, then the next ones. */
static void
subtract_real (guint8 *bytes,
               gint64  n,
               gint64  size,
               guint8 *row)
{
  for (gint64 k = 0; k < size; k++)
    {
      const gint64  at  = G_BYTE_ORDER == G_LITTLE_ENDIAN ? size - 1 - k : k;
      guint8       *out = row + k * n;

      for (gint64 i = 0; i < n; i++)
        out[i] = bytes[i * size + at];
    }
  subtract_guint8 (row, n * size);
  memcpy (bytes, row, (gsize) (n * size));
}

/**
 * tile_pixels_predict:
 * @type: of the pixels
 * @width: of the tile
 * @height: of the tile
 * @pixels: of the tile; what a predictor of TIFF leaves of them replaces them: of integers the
 *   differences to the left neighbor, of real numbers those of their bytes
 * @row: as many bytes as a row of the tile
 */
void
tile_pixels_predict (WfType    type,
                     gint64    width,
                     gint64    height,
                     gpointer  pixels,
                     guint8   *row)
{
  for (gint64 y = 0; y < height; y++)
    switch (type)
      {
      case WF_TYPE_U8:
        subtract_guint8 ((guint8 *) pixels + y * width, width);
        break;
      case WF_TYPE_U16:
        subtract_guint16 ((guint16 *) pixels + y * width, width);
        break;
      case WF_TYPE_U32:
        subtract_guint32 ((guint32 *) pixels + y * width, width);
        break;
      case WF_TYPE_F32:
        subtract_real ((guint8 *) pixels + y * width * 4, width, 4, row);
        break;
      case WF_TYPE_F64:
        subtract_real ((guint8 *) pixels + y * width * 8, width, 8, row);
        break;
      default:
        g_return_if_reached ();
      }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "rim.h"


/* The rims of all bands of an image of @shape; @connectivity: of the whole image. */
WfRim
wf_rim_of_image (const WfShape *shape,
                 WfType         type,
                 WfDirection    by,
                 int            connectivity)
{
  return (WfRim) {
    .width  = shape->width,
    .height = shape->depth > 1 ? shape->height : 1,
    .type   = type,
    .by     = by,
    .reach  = connectivity == 8 || connectivity == 26 ? 1 : 0,
  };
}

/* The pixels of a rim of @band, which is packed. */
static gpointer
find_pixels (const WfRim   *rim,
             const WfImage *band,
             WfBandSide      side)
{
  const gint64 n = wf_rim_n_pixels (rim);

  return (char *) band->data +
         (side == WF_BAND_LAST ? wf_image_n_pixels (band) - n : 0) * wf_type_size (rim->type);
}

static inline void
store_pixel (const WfRim *rim,
             gpointer     pixels,
             gint64       i,
             guint32      key)
{
  const double level = wf_key_level (rim->by == WF_BY_DILATION ? key : ~key, rim->type);

  if (rim->type == WF_TYPE_U8)
    ((guint8 *) pixels)[i] = level;
  else if (rim->type == WF_TYPE_U16)
    ((guint16 *) pixels)[i] = level;
  else
    ((float *) pixels)[i] = level;
}

/* @flip: all bits, where erosion lowers levels */
#define READ_KEYS(key) \
  for (gint64 i = 0; i < n; i++) \
    keys[i] = (key) ^ flip

/* The keys of the pixels of a rim; one loop for each type, for vectors. */
void
wf_rim_read (const WfRim   *rim,
             const WfImage *band,
             WfBandSide      side,
             guint32       *keys)
{
  const gint64  n      = wf_rim_n_pixels (rim);
  const guint32 flip   = rim->by == WF_BY_DILATION ? 0 : G_MAXUINT32;
  gconstpointer pixels = find_pixels (rim, band, side);

  if (rim->type == WF_TYPE_U8)
    READ_KEYS (((const guint8 *) pixels)[i]);
  else if (rim->type == WF_TYPE_U16)
    READ_KEYS (((const guint16 *) pixels)[i]);
  else
    READ_KEYS (wf_float_key (((const float *) pixels)[i]));
}

/* Gives the pixels of a rim the levels of @keys. */
void
wf_rim_write (const WfRim   *rim,
              WfImage       *band,
              WfBandSide      side,
              const guint32 *keys)
{
  gpointer pixels = find_pixels (rim, band, side);

  for (gint64 i = 0; i < wf_rim_n_pixels (rim); i++)
    store_pixel (rim, pixels, i, keys[i]);
}

/* The same for integers; one loop for each type, for vectors. */
#define RAISE_PIXELS(type) \
  for (gint64 i = 0; i < n; i++) \
    { \
      const guint32 own = ((const type *) pixels)[i] ^ flip; \
\
      ((type *) pixels)[i] = (type) (MAX (own, keys[i]) ^ flip); \
    }

/* Raises the pixels of a rim to @keys where they are lower. */
void
wf_rim_raise (const WfRim   *rim,
              WfImage       *band,
              WfBandSide      side,
              const guint32 *keys)
{
  const gint64  n      = wf_rim_n_pixels (rim);
  const guint32 flip   = rim->by == WF_BY_DILATION ? 0 : G_MAXUINT32;
  gpointer      pixels = find_pixels (rim, band, side);

  if (rim->type == WF_TYPE_U8)
    RAISE_PIXELS (guint8)
  else if (rim->type == WF_TYPE_U16)
    RAISE_PIXELS (guint16)
  else
    for (gint64 i = 0; i < n; i++)
      if (keys[i] > wf_rim_key (rim, pixels, i))
        store_pixel (rim, pixels, i, keys[i]);
}

/* The highest of a row of keys and of those beside each. */
static void
spread_row (const guint32 *keys,
            gint64         width,
            guint32       *highest)
{
  if (width == 1)
    {
      highest[0] = keys[0];
      return;
    }
  highest[0] = MAX (keys[0], keys[1]);
  for (gint64 x = 1; x < width - 1; x++)
    highest[x] = MAX (MAX (keys[x - 1], keys[x]), keys[x + 1]);
  highest[width - 1] = MAX (keys[width - 2], keys[width - 1]);
}

/* Raises a row of keys to another row. */
static void
raise_row (guint32       *row,
           const guint32 *other,
           gint64         width)
{
  for (gint64 x = 0; x < width; x++)
    row[x] = MAX (row[x], other[x]);
}

/* For each pixel of a rim the highest of the pixels across the seam that it touches, of which
 * @keys are; first along rows, then across them.
 */
void
wf_rim_spread (const WfRim   *rim,
               const guint32 *keys,
               guint32       *highest)
{
  const gint64        width = rim->width;
  g_autofree guint32 *rows  = rim->reach > 0 && rim->height > 1 ? g_new (guint32, 2 * width) : NULL;

  if (rim->reach == 0)
    {
      memcpy (highest, keys, wf_rim_n_pixels (rim) * sizeof *keys);
      return;
    }
  for (gint64 y = 0; y < rim->height; y++)
    spread_row (keys + y * width, width, highest + y * width);
  for (gint64 y = 0; rows && y < rim->height; y++)
    {
      guint32 *kept   = rows + y % 2 * width;          /* this row as it was */
      guint32 *before = rows + (y + 1) % 2 * width;    /* the row before, likewise */
      guint32 *row    = highest + y * width;

      memcpy (kept, row, width * sizeof *row);
      if (y > 0)
        raise_row (row, before, width);
      if (y < rim->height - 1)
        raise_row (row, row + width, width);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

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
             WfRimSide      side)
{
  const gint64 n = wf_rim_n_pixels (rim);

  return (char *) band->data +
         (side == WF_RIM_LAST ? wf_image_n_pixels (band) - n : 0) * wf_type_size (rim->type);
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

/* The keys of the pixels of a rim. */
void
wf_rim_read (const WfRim   *rim,
             const WfImage *band,
             WfRimSide      side,
             guint32       *keys)
{
  gconstpointer pixels = find_pixels (rim, band, side);

  for (gint64 i = 0; i < wf_rim_n_pixels (rim); i++)
    keys[i] = wf_rim_key (rim, pixels, i);
}

/* Gives the pixels of a rim the levels of @keys. */
void
wf_rim_write (const WfRim   *rim,
              WfImage       *band,
              WfRimSide      side,
              const guint32 *keys)
{
  gpointer pixels = find_pixels (rim, band, side);

  for (gint64 i = 0; i < wf_rim_n_pixels (rim); i++)
    store_pixel (rim, pixels, i, keys[i]);
}

/* Raises the pixels of a rim to @keys where they are lower. */
void
wf_rim_raise (const WfRim   *rim,
              WfImage       *band,
              WfRimSide      side,
              const guint32 *keys)
{
  gpointer pixels = find_pixels (rim, band, side);

  for (gint64 i = 0; i < wf_rim_n_pixels (rim); i++)
    if (keys[i] > wf_rim_key (rim, pixels, i))
      store_pixel (rim, pixels, i, keys[i]);
}

/* For each pixel of a rim the highest of the pixels across the seam that it touches, of which
 * @keys are.
 */
void
wf_rim_spread (const WfRim   *rim,
               const guint32 *keys,
               guint32       *highest)
{
  for (gint64 y = 0; y < rim->height; y++)
    for (gint64 x = 0; x < rim->width; x++)
      {
        const gint64 x0 = MAX (x - rim->reach, 0);
        const gint64 x1 = MIN (x + rim->reach, rim->width - 1);
        guint32      most = 0;

        for (gint64 v = MAX (y - rim->reach, 0); v <= MIN (y + rim->reach, rim->height - 1); v++)
          for (gint64 u = x0; u <= x1; u++)
            most = MAX (most, keys[v * rim->width + u]);
        highest[y * rim->width + x] = most;
      }
}

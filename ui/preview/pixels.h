/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the painters of a preview: rows of surfaces of the view's size, and mixing two
 * colours of 8 bits.
 */

#pragma once

#include <cairo.h>
#include <string.h>

#include "axis.h"

G_BEGIN_DECLS

/* Shares are counted in 256 parts, so that a full share gives exactly the colour. */
#define WF_SHARE_WHOLE 256u

#define WF_OPAQUE 0xff000000u

/* The greys of the checkerboard behind transparent pixels. */
#define WF_LIGHT_CHECK 0x999999u
#define WF_DARK_CHECK  0x666666u

static inline guint32 *
wf_surface_row (cairo_surface_t *surface,
                int              y)
{
  return (guint32 *) (cairo_image_surface_get_data (surface) +
                      (gsize) y * cairo_image_surface_get_stride (surface));
}

/* Copies the pixels outside of @columns and @rows from @under, which has the same size. */
static inline void
wf_surface_copy_around (cairo_surface_t     *surface,
                        cairo_surface_t     *under,
                        const WfPreviewAxis *columns,
                        const WfPreviewAxis *rows)
{
  const gsize size  = sizeof (guint32);
  const int   width = cairo_image_surface_get_width (surface);

  if (surface == under)
    return;
  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    {
      guint32       *to   = wf_surface_row (surface, y);
      const guint32 *from = wf_surface_row (under, y);

      if (y < rows->first || y >= rows->end)
        {
          memcpy (to, from, width * size);
          continue;
        }
      memcpy (to, from, columns->first * size);
      memcpy (to + columns->end, from + columns->end, (width - columns->end) * size);
    }
}

/* @share parts of @over, the rest @under; opaque, unless @under is transparent and @share 0. */
static inline guint32
wf_mix (guint32 under,
        guint32 over,
        guint32 share)
{
  const guint32 rest  = WF_SHARE_WHOLE - share;
  const guint32 sides = (((under & 0xff00ff) * rest + (over & 0xff00ff) * share) >> 8) & 0xff00ff;
  const guint32 green = (((under & 0x00ff00) * rest + (over & 0x00ff00) * share) >> 8) & 0x00ff00;

  return (under & WF_OPAQUE) | (share ? WF_OPAQUE : 0) | sides | green;
}

/* From 0 … 255 to parts of 256; both ends are exact. */
static inline guint32
wf_share_of_alpha (guint8 alpha)
{
  return alpha + (alpha >> 7);
}

static inline guint32
wf_check_at (int x,
             int y,
             int check_size)
{
  return WF_OPAQUE | ((x / check_size + y / check_size) % 2 ? WF_DARK_CHECK : WF_LIGHT_CHECK);
}

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of the image that a preview shows, as far as they are there: pixels that are
 * still missing keep the old picture, moved and stretched.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "private.h"


static gboolean
is_opaque (const guint8 *pixels,
           gint64        n)
{
  guint8 all = 255;

#pragma omp parallel for simd reduction (&: all)
  for (gint64 i = 0; i < n; i++)
    all &= pixels[4 * i + 3];
  return all == 255;
}

/* Fills transparent pixels with what @old shows there. */
static void
fill_gaps (const WfPreviewColors *old,
           const WfPreviewRegion *region,
           guint8                *pixels)
{
  const double factor = old->region.scale / region->scale;

  if (! old->pixels)
    return;
  for (int j = 0; j < region->height; j++)
    {
      const double y   = floor ((region->y + j + 0.5) * factor) - old->region.y;
      guint8      *row = pixels + 4 * (gsize) j * region->width;

      if (y < 0 || y >= old->region.height)
        continue;
      for (int i = 0; i < region->width; i++)
        {
          const double x = floor ((region->x + i + 0.5) * factor) - old->region.x;

          if (row[4 * i + 3] == 0 && x >= 0 && x < old->region.width)
            memcpy (row + 4 * i,
                    old->pixels + 4 * ((gsize) y * old->region.width + (gsize) x), 4);
        }
    }
}

/* Writing to memory that was used before is much faster than to fresh pages. */
static guint8 *
make_room (WfPreview *preview,
           gint64     n_pixels,
           gboolean   complete)
{
  if (complete && preview->colors.pixels &&
      wf_preview_region_n_pixels (&preview->colors.region) == n_pixels)
    return g_steal_pointer (&preview->colors.pixels);
  return g_new (guint8, 4 * n_pixels);
}

/**
 * wf_preview_read_colors:
 * @preview: a preview
 * @wanted: the region to show
 * @complete: whether all of it is fetched
 * @error: as the source sets it
 *
 * Shows the image in @wanted.
 *
 * Returns: whether it could be read
 */
gboolean
wf_preview_read_colors (WfPreview              *preview,
                        const WfPreviewRegion  *wanted,
                        gboolean                complete,
                        GError                **error)
{
  const gint64       n_pixels = wf_preview_region_n_pixels (wanted);
  g_autofree guint8 *pixels   = make_room (preview, n_pixels, complete);

  if (! preview->source.read_colors (wanted, pixels, preview->source_data, error))
    return FALSE;
  if (! complete)
    fill_gaps (&preview->colors, wanted, pixels);

  g_free (preview->colors.pixels);
  preview->colors.region   = *wanted;
  preview->colors.opaque   = is_opaque (pixels, n_pixels);
  preview->colors.pixels   = g_steal_pointer (&pixels);
  preview->colors_complete = complete;
  preview->colors_valid    = TRUE;
  preview->before_dirty    = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A layer with the number of each basin, as the table and the paths have it.  A number is as large
 * as its basin, but not smaller than it can be read, so that it may reach beyond a small one.
 *
 * The layer is kept as gray levels with an opacity, 2 bytes a pixel, because its rows are taken in
 * any order: each number is drawn by itself, and moved there.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-numbers.h"
#include "object-places.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/swap/swap.h"

/* Of the font, in pixels. */
#define LEAST_SIZE    9.0
#define GREATEST_SIZE 48.0

/* Of what would fill the circle. */
#define SHARE 0.6

/* Of an entry of the layer: opacity, and level in the lower bits. */
#define LEVEL_BITS 8
#define LEVEL_MASK 0xff


/* Moves a drawn number to the layer, where it covers others that are less opaque there. */
static void
move (cairo_surface_t *drawn,
      gint64           left,
      gint64           top,
      WfImage         *layer,
      gint64           slice)
{
  const int     stride = cairo_image_surface_get_stride (drawn);
  const guint8 *pixels = cairo_image_surface_get_data (drawn);

  for (int y = 0; y < cairo_image_surface_get_height (drawn); y++)
    {
      const guint32 *from = (const guint32 *) (gconstpointer) (pixels + (gsize) y * (gsize) stride);
      guint16       *to;

      if (top + y < 0 || top + y >= layer->height)
        continue;
      to = (guint16 *) layer->data + (slice * layer->height + top + y) * layer->width;
      for (int x = 0; x < cairo_image_surface_get_width (drawn); x++)
        {
          const guint32 alpha = from[x] >> 24;
          const guint32 level = from[x] & 0xff;   /* premultiplied gray */
          const gint64  place = left + x;

          if (alpha > 0 && place >= 0 && place < layer->width &&
              alpha >= to[place] >> LEVEL_BITS)
            to[place] = (guint16) (alpha << LEVEL_BITS | (level * 255 + alpha / 2) / alpha);
        }
    }
}

static void
draw_number (cairo_t               *measuring,
             const WfPreviewNumber *number,
             WfImage               *layer,
             gint64                 slice)
{
  const double     full = wf_number_find_size (measuring, number->number, number->radius);
  const double     size = CLAMP (SHARE * full, LEAST_SIZE, GREATEST_SIZE);
  cairo_surface_t *drawn;
  cairo_t         *cr;
  double           width, height;
  gint64           left, top;

  wf_number_get_box (measuring, number->number, size, &width, &height);
  left  = (gint64) floor (number->x - width / 2) - 1;
  top   = (gint64) floor (number->y - height / 2) - 1;
  drawn = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (width) + 3,
                                      (int) ceil (height) + 3);
  cr    = cairo_create (drawn);
  wf_number_draw (cr, number->number, number->x - (double) left, number->y - (double) top, size);
  cairo_destroy (cr);
  cairo_surface_flush (drawn);
  move (drawn, left, top, layer, slice);
  cairo_surface_destroy (drawn);
}

static gboolean
draw_slice (WfJob          *run,
            const WfImage  *labels,
            gint64          slice,
            WfImage        *layer,
            GError        **error)
{
  guint32           *pixels  = (guint32 *) labels->data + slice * labels->width * labels->height;
  g_autoptr (GArray) places  = NULL;
  cairo_surface_t   *surface;
  cairo_t           *cr;
  WfImage            view;

  if (! wf_image_init (&view, WF_TYPE_U32, labels->width, labels->height, 1, pixels, error))
    return FALSE;
  places = wf_object_places_find (run->context, &view, error);
  if (! places)
    return FALSE;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, 1);
  cr      = cairo_create (surface);
  for (guint i = 0; i < places->len; i++)
    draw_number (cr, &g_array_index (places, WfPreviewNumber, i), layer, slice);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return TRUE;
}

static void
get_entries (int       row,
             guint32  *entries,
             gpointer  data)
{
  const WfImage *layer = data;
  const guint16 *from  = (const guint16 *) layer->data + (gsize) row * (gsize) layer->width;

  for (gint64 x = 0; x < layer->width; x++)
    entries[x] = from[x];
}

static void
get_color (guint32  entry,
           float    color[4],
           gpointer data)
{
  color[0] = color[1] = color[2] = (float) (entry & LEVEL_MASK) / 255;
  color[3] = (float) (entry >> LEVEL_BITS) / 255;
}

/**
 * wf_basin_numbers_make:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_MEMORY
 *
 * Makes "numbers-layer", a transparent layer with the numbers of the basins; of a stack in each
 * slice.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_basin_numbers_make (WfJob           *run,
                       const WfBasins  *basins,
                       GError         **error)
{
  const WfImage   *labels = basins->labels;
  g_auto (WfImage) pixels = { 0 };
  GimpLayer       *layer;

  if (! wf_image_allocate (&pixels, WF_TYPE_U16, labels->width, labels->height, labels->depth,
                           error))
    return FALSE;
  memset (pixels.data, 0, (gsize) wf_image_n_pixels (&pixels) * sizeof (guint16));
  for (gint64 slice = 0; slice < labels->depth; slice++)
    if (! draw_slice (run, labels, slice, &pixels, error))
      return FALSE;
  layer = wf_result_layer_new (run, _("Numbers of %s"), TRUE);
  wf_result_layer_set_colors (run, layer, get_entries, get_color, NULL, &pixels);
  g_value_set_object (wf_job_get_value (run, "numbers-layer"), layer);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A distance map as a layer of levels, as an image of numbers, as a layer of contour lines,
 * and as a layer in which each pixel has the colour of its nearest pixel.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "distances.h"
#include "outputs.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/results/image.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/swap/swap.h"
#include "ui/options/level-entry.h"


/*  Levels  */

typedef struct
{
  const WfImage   *distances;
  WfDistanceScale  scale;
} Levels;


static void
get_levels (int       row,
            float    *levels,
            gpointer  data)
{
  const Levels *map = data;

  wf_distances_get_levels (map->distances, row, &map->scale, levels);
}

/* A layer, not yet in the image. */
static GimpLayer *
make_levels (WfJob                  *run,
             const WfDistancesShown *shown,
             WfDistancesOutput       output)
{
  GimpLayer *layer  = wf_result_layer_new (run, shown->layer_name, FALSE);
  Levels     levels = { .distances = shown->distances };

  wf_distance_scale_init (&levels.scale, shown->minimum, shown->maximum, shown->white, output,
                          run->type);
  wf_result_layer_set_levels (run, layer, get_levels, &levels);
  return layer;
}

/* A new image of the distances themselves. */
static GimpImage *
make_image (WfJob                  *run,
            const WfDistancesShown *shown)
{
  Levels levels = { shown->distances, { .factor = 1 } };

  return wf_result_image_new (run, _("Distances in %s"), 0, get_levels, &levels);
}


/*  Contour lines  */

static void
mark_contours (int       row,
               guint8   *marks,
               gpointer  data)
{
  const WfDistancesShown *shown = data;

  wf_distances_mark_contours (shown->distances, row, shown->step, marks);
}

/* A transparent layer with lines. */
static GimpLayer *
make_contours (WfJob                   *run,
               const WfDistancesShown  *shown,
               GError                 **error)
{
  GimpLayer *layer = wf_result_layer_new (run, _("Contour lines of %s"), TRUE);
  float      color[4];

  wf_line_color_get (G_OBJECT (run->config), color);
  return wf_result_layer_set_lines (run, layer, color, mark_contours, (gpointer) shown, error)
         ? layer : NULL;
}


/*  Nearest pixels  */

/**
 * Source:
 * @nearest: the index of the nearest pixel of each
 * @pixels: of the processed region, in the format of the layer
 * @size: of a pixel, in bytes
 */
typedef struct
{
  const WfImage *nearest;
  const guint8  *pixels;
  gsize          size;
} Source;

static void
get_nearest (int       row,
             guint8   *pixels,
             gpointer  data)
{
  const Source *source = data;

  wf_nearest_copy_row (source->nearest, row, source->pixels, source->size, pixels);
}

/* Reads all pixels as an image of their bytes. */
static gboolean
read_pixels (WfJob       *run,
             const Babl  *format,
             WfImage     *bytes,
             GError     **error)
{
  const WfRegion *region = &run->region;
  gsize           row    = (gsize) region->width * babl_format_get_bytes_per_pixel (format);
  gsize           slice  = row * region->height;

  if (! wf_swap_allocate (bytes, WF_TYPE_U8, (gint64) row, region->height, run->source->n_slices,
                          error))
    return FALSE;
  for (guint i = 0; i < run->source->n_slices; i++)
    for (int y = 0; y < region->height; y += WF_STRIP_ROWS)
      {
        wf_slice_read_colors (&run->source->slices[i], region, y,
                              MIN (WF_STRIP_ROWS, region->height - y), format,
                              (guint8 *) bytes->data + i * slice + y * row);
        wf_swap_release ();
      }
  return TRUE;
}

/* A layer that is transparent where there is no nearest pixel.  Needs as much memory as the pixels
 * of the layer: 2 bytes for gray and 4 for colors with 8 bits, twice as much with 16 bits, 8 and 16
 * bytes with more.
 */
static GimpLayer *
make_nearest (WfJob                   *run,
              const WfDistancesShown  *shown,
              GError                 **error)
{
  const Babl       *format = wf_pixels_get_format (run->drawable, TRUE, run->type);
  g_auto (WfImage)  bytes  = { 0 };
  GimpLayer        *layer;
  Source            source;

  if (! read_pixels (run, format, &bytes, error))
    return NULL;

  source = (Source) { shown->nearest, bytes.data,
                      (gsize) babl_format_get_bytes_per_pixel (format) };
  layer  = wf_result_layer_new (run, _("Nearest colors in %s"), TRUE);
  wf_result_layer_set_pixels (run, layer, get_nearest, &source);
  return layer;
}


/*  All of them  */

/**
 * wf_distances_make_result:
 * @run: the run, with the return values "layer" and "distance-image"
 * @shown: the map
 * @output: what to make
 * @error: %WF_ERROR_MEMORY
 *
 * Makes a layer or an image, and sets the return value.
 *
 * Returns: whether there is a result
 */
gboolean
wf_distances_make_result (WfJob                   *run,
                          const WfDistancesShown  *shown,
                          WfDistancesOutput        output,
                          GError                 **error)
{
  GimpLayer *layer = NULL;

  switch (output)
    {
    case WF_DISTANCES_IMAGE:
      g_value_set_object (wf_job_get_value (run, "distance-image"), make_image (run, shown));
      return TRUE;
    case WF_DISTANCES_CONTOURS:
      layer = make_contours (run, shown, error);
      break;
    case WF_DISTANCES_NEAREST:
      layer = make_nearest (run, shown, error);
      break;
    default:
      layer = make_levels (run, shown, output);
      break;
    }
  if (layer)
    g_value_set_object (wf_job_get_value (run, "layer"), layer);
  return layer != NULL;
}

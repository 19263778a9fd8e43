/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The previews in the dialogs of the distance map and of geodesic distances: the distances as the
 * new layer or image shows them; contour lines over the image, as the new layer has them; the
 * colours of the nearest pixels.  Levels take the place of colours that would take long to read (a
 * very large image as a whole, large stacks), and with geodesic distances always.
 *
 * The pixels of a scaled image are larger by the same factor, so distances do not change.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "distance-preview.h"
#include "distances.h"
#include "marks.h"
#include "measuring.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/preview/layer-pixels.h"
#include "plugins/common/procedure/plug-in.h"
#include "resolution.h"
#include "ui/options/level-entry.h"
#include "ways.h"

/* The number of pixels whose colours are read without a noticeable delay. */
#define MOST_COLORS 16e6

/**
 * Map:
 * @levels: from which distances are measured
 * @colors: u32: of the same pixels; empty if they are not shown
 * @slice: the index of the displayed slice
 * @out: the displayed values: f32: levels; u32: colors
 */
typedef struct
{
  const WfImage *levels;
  const WfImage *colors;
  WfImage        distances;
  WfImage        nearest;
  gint64         slice;
  WfImage       *out;
} Map;


static float
get_level (const WfImage *image,
           gsize          i)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) image->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) image->data)[i];
    default:
      return ((const float *) image->data)[i];
    }
}

static void
show_distances (const Map *map,
                WfImage   *out)
{
  const WfDistanceScale scale = { .factor = 1 };

  for (gint64 y = 0; y < out->height; y++)
    wf_distances_get_levels (&map->distances, map->slice * out->height + y, &scale,
                             (float *) out->data + y * out->width);
}

/* R, G, B, A in the order of memory. */
static guint32
color_of_level (const WfImage *levels,
                gsize          i)
{
  const double  share = get_level (levels, i) / wf_level_maximum (levels->type);
  const guint32 grey  = (guint32) (CLAMP (share, 0, 1) * 255 + 0.5);

  return GUINT32_TO_LE (0xff000000 | grey << 16 | grey << 8 | grey);
}

static guint32
line_on (const WfLineContrast *line,
         guint32               picture)
{
  const guint32 pixel = GUINT32_FROM_LE (picture);
  const guint32 color = wf_line_contrast_get (line, (pixel & 0xff) << 16 | (pixel & 0xff00) |
                                                    (pixel >> 16 & 0xff));

  return GUINT32_TO_LE ((pixel & 0xff000000) | (color & 0xff) << 16 | (color & 0xff00) |
                        color >> 16);
}

static void
show_contours (const Map            *map,
               double                step,
               const WfLineContrast *line)
{
  const gint64       width  = map->out->width;
  const guint32     *colors = map->colors->data;
  g_autofree guint8 *marks  = g_new (guint8, width);

  for (gint64 y = 0; y < map->out->height; y++)
    {
      const gint64  row = map->slice * map->out->height + y;
      guint32      *out = (guint32 *) map->out->data + y * width;

      wf_distances_mark_contours (&map->distances, row, step, marks);
      for (gint64 x = 0; x < width; x++)
        {
          const gsize i = (gsize) (row * width + x);

          out[x] = colors ? colors[i] : color_of_level (map->levels, i);
          if (marks[x])
            out[x] = line_on (line, out[x]);
        }
    }
}

static void
show_nearest (const Map *map)
{
  const gint64   n       = map->out->width * map->out->height;
  const guint64 *nearest = (const guint64 *) map->nearest.data + map->slice * n;

  for (gint64 i = 0; i < n; i++)
    ((float *) map->out->data)[i] = nearest[i] == WF_NEAREST_NONE
                                    ? 0 : get_level (map->levels, nearest[i]);
}

static void
show_nearest_colors (const Map *map)
{
  const gint64   n       = map->out->width * map->out->height;
  const guint64 *nearest = (const guint64 *) map->nearest.data + map->slice * n;
  const guint32 *colors  = map->colors->data;

  for (gint64 i = 0; i < n; i++)
    ((guint32 *) map->out->data)[i] = nearest[i] == WF_NEAREST_NONE ? 0 : colors[nearest[i]];
}

/* A map with one distance only is all black, or all white if the distance is infinite. */
static void
show (const Map               *map,
      const WfPreviewSettings *settings,
      WfPreviewResult         *result)
{
  const WfDistanceMapOptions *own = settings->own;
  double                      least, most;

  result->white = wf_level_maximum (map->levels->type);
  switch (own->output)
    {
    case WF_DISTANCES_CONTOURS:
      show_contours (map, own->step, &settings->line);
      return;
    case WF_DISTANCES_NEAREST:
      (result->colors ? show_nearest_colors : show_nearest) (map);
      return;
    case WF_DISTANCES_CLIPPED:
      result->white = own->maximum;
      break;
    case WF_DISTANCES_RAW:
      break;
    default:
      wf_distances_find_range (&map->distances, &least, &most);
      result->black = least;
      result->white = most > least ? most : least + 1;
      break;
    }
  show_distances (map, map->out);
}

/* The distances under the pointer, where the picture shows something else. */
static gboolean
keep_distances (const Map                   *map,
                const WfDistanceMapOptions  *own,
                WfImage                     *values,
                GError                     **error)
{
  if (own->output != WF_DISTANCES_CONTOURS && own->output != WF_DISTANCES_NEAREST)
    return TRUE;
  if (! wf_image_allocate (values, WF_TYPE_F32, map->out->width, map->out->height, 1, error))
    return FALSE;
  show_distances (map, values);
  return TRUE;
}

static gboolean
measure (WfContext                *context,
         const WfPreviewInputs    *inputs,
         const WfPreviewSettings  *settings,
         Map                      *map,
         GError                  **error)
{
  const WfDistanceMapOptions *own     = settings->own;
  WfDistanceOptions           options = *(const WfDistanceOptions *) settings->operation;
  g_auto (WfImage)            image   = inputs->images[0];
  double                      fraction;

  image.allocated     = NULL;
  options.spacing[0] /= inputs->region.scale;
  options.spacing[1] /= inputs->region.scale;
  return wf_distance_map_measure (context, &image, &inputs->images[2], own, &options,
                                  &map->distances, &map->nearest, &fraction, error);
}

static gboolean
compute (WfContext                *context,
         const WfPreviewInputs    *inputs,
         const WfPreviewSettings  *settings,
         WfPreviewResult          *result,
         GError                  **error)
{
  const WfDistanceMapOptions *own    = settings->own;
  const WfImage              *levels = &inputs->images[0];
  const WfImage              *colors = &inputs->images[1];
  Map                         map    = { .levels = levels, .colors = colors,
                                         .slice = settings->slice, .out = &result->image };
  gboolean                    colored = own->output == WF_DISTANCES_CONTOURS ||
                                        (own->output == WF_DISTANCES_NEAREST && colors->data);
  gboolean                    success;

  result->colors     = colored;
  result->distances  = TRUE;
  success = wf_threshold_control_keep_histogram (inputs, result, error) &&
            wf_distance_map_check (own, error) &&
            measure (context, inputs, settings, &map, error) &&
            wf_image_allocate (&result->image, colored ? WF_TYPE_U32 : WF_TYPE_F32,
                               levels->width, levels->height, 1, error) &&
            keep_distances (&map, own, &result->values, error);
  if (success)
    show (&map, settings, result);
  if (success && colored)
    wf_mask_fill (&result->mask, &result->image, 0);
  wf_image_clear (&map.distances);
  wf_image_clear (&map.nearest);
  return success;
}

/* In the unit of the image, GIMP gives the size of a pixel. */
static void
prepare (WfJob             *run,
         WfPreviewSettings *settings)
{
  const WfDistanceMapOptions *own     = settings->own;
  WfDistanceOptions          *options = settings->operation;

  if (own->unit == WF_DISTANCES_BY_RESOLUTION)
    wf_resolution_get_spacing (run->image, options->spacing);
}

static gboolean
wants_colors (const WfJob *part)
{
  const WfDistanceMapOptions *own    = part->own;
  const WfRegion             *region = &part->region;

  return (own->output == WF_DISTANCES_NEAREST || own->output == WF_DISTANCES_CONTOURS) &&
         (double) region->width * region->height * part->source->n_slices /
         (region->scale * region->scale) <= MOST_COLORS;
}

static WfLayerPixels *
open_colors (const WfSource  *source,
             GError         **error)
{
  g_autoptr (GPtrArray) drawables = g_ptr_array_new ();

  for (guint i = 0; i < source->n_slices; i++)
    {
      if (! gimp_item_is_valid (GIMP_ITEM (source->slices[i].drawable)))
        {
          g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
          return NULL;
        }
      g_ptr_array_add (drawables, source->slices[i].drawable);
    }
  return wf_layer_pixels_new (drawables, source->type, WF_COMPONENT_LUMINANCE, TRUE);
}

static gboolean
fetch_colors (WfJob     *part,
              gpointer  *fetched,
              WfFetch   *fetch,
              GError   **error)
{
  if (! wants_colors (part))
    return TRUE;
  if (! *fetched && ! (*fetched = open_colors (part->source, error)))
    return FALSE;
  wf_layer_pixels_fetch (fetched, &part->region, fetch);
  return TRUE;
}

static gboolean
read_colors (WfJob          *part,
             gpointer        fetched,
             const WfImage  *levels,
             WfImage        *colors,
             GError        **error)
{
  if (! wants_colors (part) || levels->depth != part->source->n_slices)
    return TRUE;
  if (! wf_image_allocate (colors, WF_TYPE_U32, levels->width, levels->height, levels->depth,
                           error))
    return FALSE;
  for (guint i = 0; i < levels->depth; i++)
    wf_layer_pixels_read_colors (fetched, i, &part->region,
                                 (guint8 *) colors->data +
                                 4 * (gsize) i * levels->width * levels->height);
  return TRUE;
}

static const char *const reads[] = { "output", NULL };

const WfPreviewKind wf_distance_map_preview =
{
  .reads        = reads,
  .fetch_second = fetch_colors,
  .invalidate_second = wf_layer_pixels_invalidate,
  .free_second  = wf_layer_pixels_free,
  .read_second  = read_colors,
  .prepare      = prepare,
  .compute      = compute,
};


/*  Geodesic distances  */

/* A part of a large layer need not have a part of the marker. */
static gboolean
is_whole (const WfPreviewInputs   *inputs,
          const WfPreviewSettings *settings)
{
  const WfImage *levels = &inputs->images[0];

  return inputs->region.scale == 1 && levels->width == settings->size[0] &&
         levels->height == settings->size[1] && levels->depth == settings->size[2];
}

static gboolean
compute_ways (WfContext                *context,
              const WfPreviewInputs    *inputs,
              const WfPreviewSettings  *settings,
              WfPreviewResult          *result,
              GError                  **error)
{
  const WfDistanceMapOptions *own     = settings->own;
  const WfImage              *levels  = &inputs->images[0];
  const WfImage              *mask    = &inputs->images[2];
  const WfImage               none    = { 0 };
  Map                         map     = { .levels = levels, .colors = &none,
                                          .slice = settings->slice, .out = &result->image };
  gboolean                    success;
  double                      fraction;

  result->colors    = own->output == WF_DISTANCES_CONTOURS;
  result->distances = TRUE;
  success = wf_threshold_control_keep_histogram (inputs, result, error) &&
            wf_distance_map_check (own, error) &&
            wf_ways_measure (context, levels, &inputs->images[1], mask,
                             is_whole (inputs, settings), own, settings->operation,
                             &map.distances, &fraction, error) &&
            wf_image_allocate (&result->image, result->colors ? WF_TYPE_U32 : WF_TYPE_F32,
                               levels->width, levels->height, 1, error);
  if (success)
    wf_ways_finish (&map.distances, mask, own->pixel / inputs->region.scale, own->output);
  success = success && keep_distances (&map, own, &result->values, error);
  if (success)
    show (&map, settings, result);
  if (success && result->colors)
    wf_mask_fill (&result->mask, &result->image, 0);
  wf_image_clear (&map.distances);
  return success;
}

static void
prepare_ways (WfJob             *run,
              WfPreviewSettings *settings)
{
  if (! settings->error)
    wf_resolution_get_side (run->image, settings->own, &settings->error);
}

static gboolean
read_marks (WfJob          *part,
            gpointer        fetched,
            const WfImage  *levels,
            WfImage        *marks,
            GError        **error)
{
  return wf_marks_read_fetched (part, fetched, levels, marks, error);
}

static const char *const markers[]  = { "marker", NULL };
static const char *const memories[] = { "marker-name", "marker-kind", NULL };

const WfPreviewKind wf_geodesic_preview =
{
  .reads             = markers,
  .ignored           = memories,
  .fetch_second      = wf_marks_fetch,
  .invalidate_second = wf_layer_pixels_invalidate,
  .free_second       = wf_layer_pixels_free,
  .read_second       = read_marks,
  .prepare           = prepare_ways,
  .compute           = compute_ways,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the dialog of the distance map previews: the distances as the new layer or image
 * shows them; contour lines white on the darkened levels; of nearest pixels the levels.
 *
 * The pixels of a scaled image are larger by as much, so distances are what they are.
 */

#include "config.h"

#include "distance-preview.h"
#include "distances.h"
#include "level-entry.h"
#include "measuring.h"
#include "plug-in.h"
#include "resolution.h"
#include "threshold-histogram.h"

/* Of the levels, below contour lines. */
#define BRIGHTNESS 0.6f

/**
 * Map:
 * @levels: that the distances are of
 * @slice: the one that is shown
 * @out: f32: what is shown
 */
typedef struct
{
  const WfImage *levels;
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
show_distances (const Map *map)
{
  const WfDistanceScale scale = { .factor = 1 };

  for (gint64 y = 0; y < map->out->height; y++)
    wf_distances_get_levels (&map->distances, map->slice * map->out->height + y, &scale,
                             (float *) map->out->data + y * map->out->width);
}

static void
show_contours (const Map *map,
               double     step)
{
  const gint64       width = map->out->width;
  const float        white = (float) wf_level_maximum (map->levels->type);
  g_autofree guint8 *marks = g_new (guint8, width);

  for (gint64 y = 0; y < map->out->height; y++)
    {
      const gint64  row = map->slice * map->out->height + y;
      float        *out = (float *) map->out->data + y * width;

      wf_distances_mark_contours (&map->distances, row, step, marks);
      for (gint64 x = 0; x < width; x++)
        out[x] = marks[x] ? white
                          : BRIGHTNESS * get_level (map->levels, (gsize) (row * width + x));
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

/* A map of one distance only is all black, or if that is infinite all white. */
static void
show (const Map                  *map,
      const WfDistanceMapOptions *own,
      WfPreviewResult            *result)
{
  double least, most;

  result->white = wf_level_maximum (map->levels->type);
  switch (own->output)
    {
    case WF_DISTANCES_CONTOURS:
      show_contours (map, own->step);
      return;
    case WF_DISTANCES_NEAREST:
      show_nearest (map);
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
  show_distances (map);
}

static void
free_histogram (gpointer histogram)
{
  wf_histogram_free (histogram);
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
  return wf_distance_map_measure (context, &image, own, &options, &map->distances,
                                  &map->nearest, &fraction, error);
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
  Map                         map    = { .levels = levels, .slice = settings->slice,
                                         .out = &result->image };
  gboolean                    success;

  result->extra      = wf_histogram_new (levels, error);
  result->free_extra = free_histogram;
  success = result->extra != NULL &&
            wf_distance_map_check (own, error) &&
            measure (context, inputs, settings, &map, error) &&
            wf_image_allocate (&result->image, WF_TYPE_F32, levels->width, levels->height, 1,
                               error);
  if (success)
    show (&map, own, result);
  wf_image_clear (&map.distances);
  wf_image_clear (&map.nearest);
  return success;
}

/* Where the unit is the image's, the size of a pixel is what GIMP says. */
static void
prepare (WfRun             *run,
         WfPreviewSettings *settings)
{
  const WfDistanceMapOptions *own     = settings->own;
  WfDistanceOptions          *options = settings->operation;

  if (own->unit == WF_DISTANCES_BY_RESOLUTION)
    wf_resolution_get_spacing (run->image, options->spacing);
}

static void
show_histogram (WfPreview            *preview,
                WfPreviewResult      *result,
                WfThresholdHistogram *threshold)
{
  wf_threshold_histogram_set_histogram (threshold, result->extra);
}

/**
 * wf_distance_map_preview_show_histogram:
 * @preview: the preview of the dialog
 * @threshold: a #WfThresholdHistogram: shows the histogram of what is previewed
 */
void
wf_distance_map_preview_show_histogram (WfPreview *preview,
                                        GtkWidget *threshold)
{
  g_signal_connect_object (preview, "computed", G_CALLBACK (show_histogram), threshold, 0);
}

static const char *const ignored[] = { "line-color", NULL };

const WfPreviewKind wf_distance_map_preview =
{
  .ignored = ignored,
  .prepare = prepare,
  .compute = compute,
};

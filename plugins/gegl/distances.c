/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance map: levels, contour lines, or the colors of nearest pixels. */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "buffers.h"
#include "names.h"
#include "plugins/common/results/rounding.h"
#include "plugins/distance-map/distances.h"
#include "plugins/distance-map/options.h"


/**
 * Map:
 * @distances: the distances
 * @nearest: of each pixel the nearest one, if its color is wanted
 * @scale: to levels
 * @step: between contour lines
 * @pixels: of the input, in the format of the output, for nearest colors
 * @size: of one, in bytes
 */
typedef struct
{
  const WfGeglWork *work;
  WfImage           distances;
  WfImage           nearest;
  WfDistanceScale   scale;
  double            step;
  guint8           *pixels;
  gsize             size;
} Map;

static void
map_clear (Map *map)
{
  wf_image_clear (&map->distances);
  wf_image_clear (&map->nearest);
  g_free (map->pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Map, map_clear)

#define ROUND(Type) \
  for (gsize x = 0; x < n; x++) \
    ((Type *) whole)[x] = (Type) levels[x]

static void
set_levels (gint64    y,
            int       first,
            int       n_pixels,
            guint8   *pixels,
            gpointer  data)
{
  const Map           *map    = data;
  const gsize          n      = (gsize) n_pixels;
  g_autofree float    *levels = g_new (float, n);
  g_autofree gpointer  whole  = g_malloc (n * sizeof (guint16));

  wf_distances_get_levels (&map->distances, y, &map->scale, levels);
  if (map->work->type == WF_TYPE_U8)
    ROUND (guint8);
  else if (map->work->type == WF_TYPE_U16)
    ROUND (guint16);
  wf_gegl_set_row (map->work, map->work->type == WF_TYPE_F32 ? (gpointer) levels : whole,
                   n, pixels);
}

static void
mark_contours (gint64    y,
               guint8   *marks,
               gpointer  data)
{
  const Map *map = data;

  wf_distances_mark_contours (&map->distances, y, map->step, marks);
}

#define GET_ALPHA(Type, white) \
  for (gsize x = 0; x < n; x++) \
    alpha[x] = ((const Type *) pixels)[(x + 1) * n_components - 1] / (float) (white)

/* The alpha of the nearest pixel is multiplied by that of the pixel itself. */
static void
set_nearest (gint64    y,
             int       first,
             int       n_pixels,
             guint8   *pixels,
             gpointer  data)
{
  const Map        *map          = data;
  const WfGeglWork *work         = map->work;
  const gsize       n            = (gsize) n_pixels;
  const int         n_components = babl_format_get_n_components (work->format);
  const gboolean    transparent  = babl_format_has_alpha (work->own) &&
                                   work->component != WF_COMPONENT_ALPHA;
  g_autofree float *alpha        = transparent ? g_new (float, n) : NULL;

  if (! transparent)
    {
      wf_nearest_copy_row (&map->nearest, y, map->pixels, map->size, pixels);
      return;
    }
  if (work->type == WF_TYPE_U8)
    GET_ALPHA (guint8, G_MAXUINT8);
  else if (work->type == WF_TYPE_U16)
    GET_ALPHA (guint16, G_MAXUINT16);
  else
    GET_ALPHA (float, 1);
  wf_nearest_copy_row (&map->nearest, y, map->pixels, map->size, pixels);
  wf_alpha_multiply (work->type, alpha, n, n_components, pixels);
}

static gboolean
write_nearest (Map     *map,
               GError **error)
{
  const WfGeglWork *work = map->work;
  gsize             stride;

  map->size   = (gsize) babl_format_get_bytes_per_pixel (work->format);
  stride      = map->size * (gsize) work->region.width;
  map->pixels = g_try_malloc (stride * (gsize) work->region.height);
  if (! map->pixels)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory for the colors of the layer."));
      return FALSE;
    }
  gegl_buffer_get (work->input, &work->region, 1.0, work->format, map->pixels,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  wf_gegl_write_rows (work, set_nearest, map);
  return TRUE;
}

static void
write_levels (Map                        *map,
              const WfDistanceMapOptions *own)
{
  double minimum;
  double maximum;

  wf_distances_find_range (&map->distances, &minimum, &maximum);
  wf_distance_scale_init (&map->scale, minimum, maximum, own->maximum,
                          (WfDistancesOutput) own->output, map->work->type);
  wf_gegl_write_rows (map->work, set_levels, map);
}

static gboolean
compute (const WfGeglWork  *work,
         GError           **error)
{
  const WfDistanceMapOptions *own    = work->own_options;
  g_auto (WfImage)            levels = { 0 };
  g_auto (Map)                map    = { .work = work, .step = own->step };
  double                      fraction;

  if (! wf_distance_map_check (own, error) ||
      ! wf_gegl_read_levels (work, &levels, error) ||
      ! wf_distance_map_measure (work->context, &levels, NULL, own, work->options, &map.distances,
                                 &map.nearest, &fraction, error))
    return FALSE;
  switch (own->output)
    {
    case WF_DISTANCES_NEAREST:
      return write_nearest (&map, error);
    case WF_DISTANCES_CONTOURS:
      wf_gegl_write_lines (work, FALSE, mark_contours, &map);
      return TRUE;
    default:
      write_levels (&map, own);
      return TRUE;
    }
}

/* Without a background no pixel has a nearest one. */
static gboolean
may_lack_nearest (gconstpointer options,
                  gconstpointer own_options)
{
  return ((const WfDistanceMapOptions *) own_options)->output == WF_DISTANCES_NEAREST;
}

/* The connectivity does not change an exact map; the resolution of an image and an image of
 * numbers belong to GIMP.
 */
static const char * const hidden[] = { "connectivity", "unit", "result/image", NULL };

static const WfGeglSensitivity sensitive[] =
{
  { "threshold",         "! automatic-threshold" },
  { "border-background", "side {inside}" },
  { "maximum",           "result {clipped}" },
  { "step",              "result {contours}" },
  { "line-color",        "result {contours}" },
  { NULL,                NULL }
};

static const WfGeglKind kinds[] =
{
  {
    .operation   = WF_OPERATION_DISTANCE,
    .name        = WF_GEGL_DISTANCE_MAP,
    .own         = &wf_distance_map_options_group,
    .notes       = wf_distance_map_notes,
    .hidden      = hidden,
    .sensitive   = sensitive,
    .has_lines   = TRUE,
    .leaves_gaps = may_lack_nearest,
    .compute     = compute,
  },
};

const WfGeglKinds wf_gegl_distances = { kinds, G_N_ELEMENTS (kinds) };

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances within a mask, compared with the least over all pixels of the mask. */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "masked-scene.h"
#include "plugins/distance-map/measuring.h"
#include "tests/support/tiers.h"

typedef struct
{
  const Masked         *masked;
  WfDistanceMapOptions  own;
  WfDistanceOptions     options;
  guint8                side[MOST_PIXELS];   /* whose distances are measured */
} Map;


static double
distance_between (const Map *map,
                  int        dx,
                  int        dy,
                  int        dz)
{
  switch (map->options.metric)
    {
    case WF_METRIC_CITY_BLOCK:
      return ABS (dx) + ABS (dy) + ABS (dz);
    case WF_METRIC_CHESSBOARD:
      return MAX (MAX (ABS (dx), ABS (dy)), ABS (dz));
    default:
      return sqrt (dx * dx + dy * dy + dz * dz);
    }
}

/* Whether (@x, @y, @z), perhaps beyond the border, is where a distance leads. */
static gboolean
is_target (const Map *map,
           int        x,
           int        y,
           int        z,
           guint8     side)
{
  const Masked   *masked = map->masked;
  const gboolean  beyond = x < 0 || y < 0 || z < 0 || x >= masked->width ||
                           y >= masked->height || z >= masked->depth;
  const int       q      = (z * masked->height + y) * masked->width + x;

  if (beyond && masked->depth == 1 && z != 0)
    return FALSE;
  if (beyond || ! masked->inside[q])
    return map->options.border_background && map->own.side == WF_DISTANCES_INSIDE && side;
  return map->side[q] != side;
}

static double
find_distance (const Map *map,
               int        p)
{
  const Masked *masked = map->masked;
  const int     px     = p % masked->width;
  const int     py     = p / masked->width % masked->height;
  const int     pz     = p / masked->width / masked->height;
  double        least  = INFINITY;

  for (int z = -1; z <= masked->depth; z++)
    for (int y = -1; y <= masked->height; y++)
      for (int x = -1; x <= masked->width; x++)
        if (is_target (map, x, y, z, map->side[p]))
          least = MIN (least, distance_between (map, px - x, py - y, pz - z));
  return (double) (float) least;
}

static void
draw_options (Map *map)
{
  static const int metrics[] = { WF_METRIC_EUCLIDEAN, WF_METRIC_CITY_BLOCK,
                                 WF_METRIC_CHESSBOARD };

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &map->options);
  map->options.metric            = metrics[g_test_rand_int_range (0, 3)];
  map->options.threshold         = map->masked->level[0];
  map->options.border_background = g_test_rand_bit () != 0;
  map->options.signed_distance   = g_test_rand_bit () != 0;
  map->own.side   = g_test_rand_bit () ? WF_DISTANCES_INSIDE : WF_DISTANCES_OUTSIDE;
  map->own.output = g_test_rand_bit () ? WF_DISTANCES_NEAREST : WF_DISTANCES_RAW;
}

static void
assert_nearest (const Map *map,
                int        p,
                guint64    nearest,
                double     distance)
{
  const Masked *masked = map->masked;
  int           dx, dy, dz;

  if (nearest == WF_NEAREST_NONE)
    return;
  dx = p % masked->width - (int) nearest % masked->width;
  dy = p / masked->width % masked->height - (int) nearest / masked->width % masked->height;
  dz = p / masked->width / masked->height - (int) nearest / masked->width / masked->height;
  g_assert_true (masked->inside[nearest]);
  g_assert_cmpfloat ((double) (float) distance_between (map, dx, dy, dz), ==, fabs (distance));
}

static void
check (Masked *masked)
{
  Map                 map       = { .masked = masked };
  g_auto (WfImage)    image     = { 0 };
  g_auto (WfImage)    distances = { 0 };
  g_auto (WfImage)    nearest   = { 0 };
  g_autoptr (GError)  error     = NULL;
  double              found[MOST_PIXELS];
  double              fraction;

  draw_options (&map);
  for (int i = 0; i < masked->n; i++)
    map.side[i] = (masked->level[i] > map.options.threshold) ==
                  (map.own.side == WF_DISTANCES_INSIDE);
  image           = masked->levels;
  masked->levels  = (WfImage) { 0 };
  wf_distance_map_measure (masked->context, &image, &masked->mask, &map.own, &map.options,
                           &distances, &nearest, &fraction, &error);
  g_assert_no_error (error);

  masked_read (&distances, found);
  for (int i = 0; i < masked->n; i++)
    {
      const double wanted = ! masked->inside[i] ? 0
                            : map.side[i] ? find_distance (&map, i)
                            : map.options.signed_distance ? -find_distance (&map, i) : 0;

      g_assert_cmpfloat (found[i], ==, wanted);
      if (nearest.data)
        {
          g_assert_true (masked->inside[i] ||
                         ((const guint64 *) nearest.data)[i] == WF_NEAREST_NONE);
          assert_nearest (&map, i, ((const guint64 *) nearest.data)[i], wanted);
        }
    }
}

static void
test_distances (void)
{
  masked_for_each (400, 1500, check);
}

/* A mask of all pixels changes nothing. */
static void
check_whole (Masked *masked)
{
  Map                map     = { .masked = masked };
  g_auto (WfImage)   copy    = { 0 };
  WfImage            out[2]  = { 0 };
  WfImage            index[2] = { 0 };
  double             fraction;
  const gsize        size    = masked->n * wf_type_size (masked->levels.type);

  draw_options (&map);
  memset (masked->inside, 1, masked->n);
  g_assert_true (wf_image_allocate (&copy, masked->levels.type, masked->width, masked->height,
                                    masked->depth, NULL));
  memcpy (copy.data, masked->levels.data, size);
  g_assert_true (wf_distance_map_measure (masked->context, &masked->levels, &masked->mask,
                                          &map.own, &map.options, &out[0], &index[0], &fraction,
                                          NULL));
  g_assert_true (wf_distance_map_measure (masked->context, &copy, NULL, &map.own, &map.options,
                                          &out[1], &index[1], &fraction, NULL));
  g_assert_cmpmem (out[0].data, masked->n * sizeof (float),
                   out[1].data, masked->n * sizeof (float));
  if (index[0].data)
    g_assert_cmpmem (index[0].data, masked->n * sizeof (guint64),
                     index[1].data, masked->n * sizeof (guint64));
  for (int k = 0; k < 2; k++)
    {
      wf_image_clear (&out[k]);
      wf_image_clear (&index[k]);
    }
}

static void
test_whole (void)
{
  masked_for_each (200, 600, check_whole);
}

/* What is refused without a mask is refused with one. */
static void
test_refusal (void)
{
  guint8              pixels[4]  = { 0, 255, 255, 0 };
  guint8              inside[4]  = { 1, 1, 1, 0 };
  g_auto (WfImage)    image      = { 0 };
  g_auto (WfImage)    distances  = { 0 };
  g_auto (WfImage)    nearest    = { 0 };
  g_autoptr (GError)  error      = NULL;
  WfImage             mask;
  Map                 map        = { 0 };
  double              fraction;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &map.options);
  map.options.metric          = WF_METRIC_SQUARED;
  map.options.signed_distance = TRUE;
  map.options.threshold       = 128;
  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, 2, 2, 1, NULL));
  memcpy (image.data, pixels, 4);
  g_assert_true (wf_image_init (&mask, WF_TYPE_U8, 2, 2, 1, inside, NULL));
  g_assert_false (wf_distance_map_measure (NULL, &image, &mask, &map.own, &map.options,
                                           &distances, &nearest, &fraction, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/masked-distances/random", test_distances);
  g_test_add_func ("/masked-distances/whole", test_whole);
  g_test_add_func ("/masked-distances/refusal", test_refusal);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tests of the references: against known results, against second formulations of the same
 * definitions, and of properties.
 */

#include <math.h>
#include <string.h>

#include "reference.h"
#include "stored.h"
#include "tests/support/tiers.h"

#define MOST 600

static void
random_size (RefSize *size)
{
  gboolean stack = g_test_rand_int_range (0, 3) == 0;

  size->width  = g_test_rand_int_range (1, stack ? 7 : 17);
  size->height = g_test_rand_int_range (1, stack ? 7 : 17);
  size->depth  = stack ? g_test_rand_int_range (2, 6) : 1;
}

static int
random_connectivity (const RefSize *size)
{
  if (g_test_rand_bit ())
    return size->depth > 1 ? 6 : 4;
  return size->depth > 1 ? 26 : 8;
}

static void
random_levels (const RefSize *size,
               double        *image)
{
  int n_levels = g_test_rand_int_range (1, 8);

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    image[p] = g_test_rand_int_range (0, n_levels);
}

static void
assert_same (const double *a,
             const double *b,
             gint64        n)
{
  for (gint64 p = 0; p < n; p++)
    g_assert_cmpfloat (a[p], ==, b[p]);
}


/*  Grid  */

static void
test_neighbours (void)
{
  const RefSize image = { 3, 3, 1 };
  const RefSize stack = { 3, 3, 3 };
  gint64        found[REF_MAX_NEIGHBOURS];

  g_assert_cmpint (ref_neighbours (&image, 4, 4, found), ==, 4);
  g_assert_true (found[0] == 1 && found[1] == 3 && found[2] == 5 && found[3] == 7);
  g_assert_cmpint (ref_neighbours (&image, 8, 4, found), ==, 8);
  g_assert_cmpint (ref_neighbours (&image, 0, 4, found), ==, 8);
  g_assert_cmpint (ref_neighbours (&image, 4, 0, found), ==, 2);
  g_assert_cmpint (ref_neighbours (&image, 8, 0, found), ==, 3);
  g_assert_cmpint (ref_neighbours (&image, 8, 5, found), ==, 5);
  g_assert_cmpint (ref_neighbours (&stack, 6, 13, found), ==, 6);
  g_assert_true (found[0] == 4 && found[1] == 10 && found[2] == 12 &&
                 found[3] == 14 && found[4] == 16 && found[5] == 22);
  g_assert_cmpint (ref_neighbours (&stack, 26, 13, found), ==, 26);
  g_assert_cmpint (ref_neighbours (&stack, 0, 13, found), ==, 26);
  g_assert_cmpint (ref_neighbours (&stack, 26, 26, found), ==, 7);
}


/*  Reconstruction  */

static void
test_stored_reconstructions (void)
{
  for (guint i = 0; i < stored_n_reconstructions; i++)
    {
      const StoredReconstruction *stored = &stored_reconstructions[i];
      gint64                      n      = ref_n_pixels (&stored->size);
      double                      result[STORED_MOST];

      g_test_message ("%s", stored->name);
      ref_reconstruct (&stored->size, stored->connectivity, stored->by_erosion,
                       stored->mask, stored->marker, result);
      assert_same (result, stored->result, n);
      ref_reconstruct_quick (&stored->size, stored->connectivity, stored->by_erosion,
                             stored->mask, stored->marker, result);
      assert_same (result, stored->result, n);
    }
}

/* Cut at level t, a reconstruction holds the components of the cut mask that
 * contain a pixel of the cut marker (Vincent 1993, the definition by thresholds).
 */
static void
reconstruct_by_thresholds (const RefSize *size,
                           int            connectivity,
                           const double  *mask,
                           const double  *marker,
                           int            n_levels,
                           double        *out)
{
  gint64 n = ref_n_pixels (size);

  for (gint64 p = 0; p < n; p++)
    out[p] = 0;

  for (int level = 1; level < n_levels; level++)
    {
      guint8 reached[MOST] = { 0 };
      gint64 stack[MOST];
      gint64 n_stack = 0;

      for (gint64 p = 0; p < n; p++)
        if (MIN (mask[p], marker[p]) >= level)
          {
            reached[p]       = TRUE;
            stack[n_stack++] = p;
          }
      while (n_stack > 0)
        {
          gint64 p = stack[--n_stack];
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (size, connectivity, p, neighbours);

          out[p] = level;
          for (int i = 0; i < n_neighbours; i++)
            if (! reached[neighbours[i]] && mask[neighbours[i]] >= level)
              {
                reached[neighbours[i]] = TRUE;
                stack[n_stack++]       = neighbours[i];
              }
        }
    }
}

static void
test_reconstruction_by_thresholds (void)
{
  for (int i = 0; i < 500; i++)
    {
      RefSize size;
      int     connectivity;
      double  mask[MOST], marker[MOST], plain[MOST], cut[MOST];

      random_size (&size);
      connectivity = random_connectivity (&size);
      random_levels (&size, mask);
      random_levels (&size, marker);

      ref_reconstruct (&size, connectivity, FALSE, mask, marker, plain);
      reconstruct_by_thresholds (&size, connectivity, mask, marker, 8, cut);
      assert_same (plain, cut, ref_n_pixels (&size));
    }
}

static void
test_reconstruction_dual_and_quick (void)
{
  for (int i = 0; i < 500; i++)
    {
      RefSize size;
      int     connectivity;
      gint64  n;
      double  mask[MOST], marker[MOST], plain[MOST], dual[MOST], quick[MOST];

      random_size (&size);
      connectivity = random_connectivity (&size);
      n            = ref_n_pixels (&size);
      random_levels (&size, mask);
      random_levels (&size, marker);

      ref_reconstruct (&size, connectivity, FALSE, mask, marker, plain);
      ref_reconstruct_quick (&size, connectivity, FALSE, mask, marker, quick);
      assert_same (plain, quick, n);

      for (gint64 p = 0; p < n; p++)
        {
          mask[p]   = -mask[p];
          marker[p] = -marker[p];
        }
      ref_reconstruct (&size, connectivity, TRUE, mask, marker, dual);
      ref_reconstruct_quick (&size, connectivity, TRUE, mask, marker, quick);
      assert_same (dual, quick, n);
      for (gint64 p = 0; p < n; p++)
        {
          g_assert_cmpfloat (dual[p], ==, -plain[p]);
          g_assert_false (dual[p] == 0 && signbit (dual[p]));
        }
    }
}


/*  Distance  */

static void
test_stored_distances (void)
{
  for (guint i = 0; i < stored_n_distances; i++)
    {
      const StoredDistance *stored = &stored_distances[i];
      gint64                n      = ref_n_pixels (&stored->size);
      guint8                foreground[STORED_MOST];
      double                distance[STORED_MOST];
      guint64               nearest[STORED_MOST];

      g_test_message ("%s", stored->name);
      g_assert_cmpint (strlen (stored->picture), ==, n);
      for (gint64 p = 0; p < n; p++)
        foreground[p] = stored->picture[p] == '#';
      ref_distance (&stored->size, foreground, &stored->options, distance, nearest);
      for (gint64 p = 0; p < n; p++)
        {
          g_assert_cmpfloat (distance[p], ==, stored->distance[p]);
          g_assert_cmpint ((gint64) nearest[p], ==, stored->nearest[p]);
        }
    }
}

/* Around a single background pixel the distances up to r make a ball of radius r. */
static void
test_stored_balls (void)
{
  for (guint i = 0; i < stored_n_balls; i++)
    {
      const StoredBall    *ball       = &stored_balls[i];
      int                  n_radii    = ball->dimensions == 3 ? 6 : STORED_RADII;
      gint64               side       = 2 * n_radii - 1;
      RefSize              size       = { side, side, ball->dimensions == 3 ? side : 1 };
      RefDistance          options    = { ball->metric, { 1, 1, 1 }, 0 };
      gint64               n          = ref_n_pixels (&size);
      g_autofree guint8   *foreground = g_new (guint8, n);
      g_autofree double   *distance   = g_new (double, n);
      g_autofree guint64  *nearest    = g_new (guint64, n);

      memset (foreground, TRUE, n);
      foreground[n / 2] = FALSE;
      ref_distance (&size, foreground, &options, distance, nearest);
      for (int radius = 0; radius < n_radii; radius++)
        {
          double most     = ball->metric == REF_EUCLIDEAN_SQUARED ? radius * radius : radius;
          guint  n_within = 0;

          for (gint64 p = 0; p < n; p++)
            n_within += distance[p] <= most;
          g_assert_cmpuint (n_within, ==, ball->n[radius]);
        }
    }
}

/* With pixels of size 1 the city-block and the chessboard distance are the
 * numbers of steps between 4 (6) and between 8 (26) neighbours.
 */
static void
test_distance_by_steps (void)
{
  for (int i = 0; i < 300; i++)
    {
      gboolean    chessboard = g_test_rand_bit ();
      RefDistance options    = { chessboard ? REF_CHESSBOARD : REF_CITY_BLOCK, { 1, 1, 1 }, 0 };
      RefSize     size;
      int         connectivity;
      gint64      n;
      guint8      foreground[MOST];
      double      distance[MOST], steps[MOST];
      guint64     nearest[MOST];
      gint64      queue[MOST];
      gint64      n_queue = 0;

      random_size (&size);
      n            = ref_n_pixels (&size);
      connectivity = chessboard ? 0 : size.depth > 1 ? 6 : 4;
      for (gint64 p = 0; p < n; p++)
        {
          foreground[p] = g_test_rand_int_range (0, 12) != 0;
          steps[p]      = foreground[p] ? INFINITY : 0;
          if (! foreground[p])
            queue[n_queue++] = p;
        }
      for (gint64 head = 0; head < n_queue; head++)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (&size, connectivity, queue[head], neighbours);

          for (int k = 0; k < n_neighbours; k++)
            if (isinf (steps[neighbours[k]]))
              {
                steps[neighbours[k]] = steps[queue[head]] + 1;
                queue[n_queue++]     = neighbours[k];
              }
        }
      ref_distance (&size, foreground, &options, distance, nearest);
      assert_same (distance, steps, n);
    }
}

/* Spacings with which distances are equal only due to rounding, or only without it. */
static void
test_distance_quick (void)
{
  static const double spacings[][3] =
  {
    { 1, 1, 1 }, { 0.1, 0.3, 0.7 }, { 3, 2, 1 }, { 1, 1e-9, 1 }, { 1e-9, 1, 1 }, { 0.1, 0.1, 0.1 },
  };

  for (int i = 0; i < 1500; i++)
    {
      RefDistance   options = { g_test_rand_int_range (0, 3), { 1, 1, 1 }, g_test_rand_bit () };
      const double *spacing = spacings[g_test_rand_int_range (0, G_N_ELEMENTS (spacings))];
      int           rarity  = g_test_rand_int_range (1, 100);
      RefSize       size;
      gint64        n;
      guint8        foreground[MOST];
      double        plain[MOST], quick[MOST];
      guint64       nearest[MOST], nearest_quick[MOST];

      random_size (&size);
      n = ref_n_pixels (&size);
      memcpy (options.spacing, spacing, sizeof options.spacing);
      for (gint64 p = 0; p < n; p++)
        foreground[p] = g_test_rand_int_range (0, rarity) != 0;
      ref_distance (&size, foreground, &options, plain, nearest);
      ref_distance_quick (&size, foreground, &options, quick, nearest_quick);
      assert_same (plain, quick, n);
      g_assert_cmpmem (nearest, n * sizeof *nearest, nearest_quick, n * sizeof *nearest_quick);
    }
}

/* One ring of pixels is equivalent to all of the outside. */
static void
test_distance_margin (void)
{
  for (int i = 0; i < 300; i++)
    {
      RefDistance options = { g_test_rand_int_range (0, 3), { 1, 1, 1 }, 1 };
      RefSize     size;
      gint64      n;
      guint8      foreground[MOST];
      double      near[MOST], far[MOST];
      guint64     nearest[MOST], nearest_far[MOST];

      do
        random_size (&size);
      while (ref_n_pixels (&size) > 100);
      n = ref_n_pixels (&size);
      for (int axis = 0; axis < 3; axis++)
        options.spacing[axis] = g_test_rand_bit () ? 1 : g_test_rand_double_range (0.1, 2);
      for (gint64 p = 0; p < n; p++)
        foreground[p] = g_test_rand_int_range (0, 12) != 0;

      ref_distance (&size, foreground, &options, near, nearest);
      options.margin = 3;
      ref_distance (&size, foreground, &options, far, nearest_far);
      assert_same (near, far, n);
      g_assert_cmpmem (nearest, n * sizeof *nearest, nearest_far, n * sizeof *nearest_far);
    }
}


/*  Watershed  */

static void
test_stored_watersheds (void)
{
  for (guint i = 0; i < stored_n_watersheds; i++)
    {
      const StoredWatershed *stored  = &stored_watersheds[i];
      gint64                 n       = ref_n_pixels (&stored->size);
      const guint32         *markers = stored->marked ? stored->markers : NULL;
      guint32                labels[STORED_MOST];

      g_test_message ("%s", stored->name);
      g_assert_cmpuint (ref_watershed (&stored->size, stored->image, markers,
                                       &stored->options, labels), ==, stored->n_basins);
      g_assert_cmpmem (labels, n * sizeof *labels, stored->labels, n * sizeof *labels);
      g_assert_cmpuint (ref_watershed_quick (&stored->size, stored->image, markers,
                                             &stored->options, labels), ==, stored->n_basins);
      g_assert_cmpmem (labels, n * sizeof *labels, stored->labels, n * sizeof *labels);
    }
}

static void
random_markers (const RefSize *size,
                guint32       *markers)
{
  gint64 n       = ref_n_pixels (size);
  int    n_marks = g_test_rand_int_range (1, 7);

  memset (markers, 0, n * sizeof *markers);
  for (int i = 0; i < n_marks; i++)
    markers[g_test_rand_int_range (0, n)] = g_test_rand_int_range (1, 5);
}

static void
test_watershed_quick (void)
{
  for (int i = 0; i < 1500; i++)
    {
      RefSize      size;
      RefWatershed options = { 0 };
      gboolean     marked  = g_test_rand_bit ();
      double       image[MOST];
      guint32      markers[MOST], plain[MOST], quick[MOST];
      guint32      n_plain, n_quick;

      random_size (&size);
      random_levels (&size, image);
      random_markers (&size, markers);
      options.connectivity = random_connectivity (&size);
      options.lines        = g_test_rand_bit ();
      options.last_index   = g_test_rand_bit ();
      options.tolerance    = marked ? 0 : g_test_rand_int_range (0, 4) / 2.0;
      options.single       = g_test_rand_bit ();

      n_plain = ref_watershed (&size, image, marked ? markers : NULL, &options, plain);
      n_quick = ref_watershed_quick (&size, image, marked ? markers : NULL, &options, quick);
      g_assert_cmpuint (n_plain, ==, n_quick);
      g_assert_cmpmem (plain, ref_n_pixels (&size) * sizeof *plain,
                       quick, ref_n_pixels (&size) * sizeof *quick);
    }
}

/* On a plain each pixel goes to one of the markers that are the fewest steps away. */
static void
test_watershed_of_a_plain (void)
{
  for (int i = 0; i < 300; i++)
    {
      RefSize      size;
      RefWatershed options = { 0 };
      RefDistance  metric  = { REF_CHESSBOARD, { 1, 1, 1 }, 0 };
      gint64       n;
      double       image[MOST] = { 0 };
      guint32      markers[MOST], labels[MOST];
      double       all[MOST], own[MOST];
      guint64      nearest[MOST];
      guint8       foreground[MOST];

      random_size (&size);
      n = ref_n_pixels (&size);
      random_markers (&size, markers);
      options.connectivity = random_connectivity (&size);
      options.last_index   = g_test_rand_bit ();
      if (options.connectivity == 4 || options.connectivity == 6)
        metric.metric = REF_CITY_BLOCK;
      ref_watershed (&size, image, markers, &options, labels);

      for (gint64 p = 0; p < n; p++)
        foreground[p] = markers[p] == 0;
      ref_distance (&size, foreground, &metric, all, nearest);
      for (guint32 label = 1; label < 5; label++)
        {
          for (gint64 p = 0; p < n; p++)
            foreground[p] = markers[p] != label;
          ref_distance (&size, foreground, &metric, own, nearest);
          for (gint64 p = 0; p < n; p++)
            if (labels[p] == label)
              g_assert_cmpfloat (own[p], ==, all[p]);
        }
    }
}

/* A tolerance merges minima of less depth: their number is that of the minima
 * of the image whose shallow ones are filled, and a large one leaves one.
 */
static void
test_watershed_tolerance (void)
{
  for (int i = 0; i < 300; i++)
    {
      RefSize      size;
      RefWatershed options  = { 0 };
      guint32      previous = G_MAXUINT32;
      double       image[MOST];
      guint32      labels[MOST];

      random_size (&size);
      random_levels (&size, image);
      options.connectivity = random_connectivity (&size);
      g_assert_cmpuint (ref_watershed (&size, image, NULL, &options, labels), ==,
                        ref_minima (&size, options.connectivity, image, labels));
      for (options.tolerance = 0; options.tolerance < 9; options.tolerance += 0.5)
        {
          guint32 n_basins = ref_watershed (&size, image, NULL, &options, labels);

          /* Levels are whole: half a level more merges nothing. */
          g_assert_cmpuint (n_basins, <=, previous);
          if (options.tolerance != floor (options.tolerance))
            g_assert_cmpuint (n_basins, ==, previous);
          previous = n_basins;
        }
      g_assert_cmpuint (previous, ==, 1);
    }
}


/*  Openings  */

static void
test_opening_quick (void)
{
  for (int i = 0; i < 1500; i++)
    {
      RefSize       size;
      RefMorphology options = { .highest = 255 };
      gboolean      closing = g_test_rand_bit ();
      double        image[MOST], plain[MOST], quick[MOST];

      random_size (&size);
      random_levels (&size, image);
      options.connectivity = random_connectivity (&size);
      options.disc         = g_test_rand_bit ();
      options.radius       = g_test_rand_int_range (0, i % 10 == 0 ? 60 : 6);
      ref_opening (&size, &options, closing, image, plain);
      options.quick = TRUE;
      ref_opening (&size, &options, closing, image, quick);
      assert_same (plain, quick, ref_n_pixels (&size));
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/reference/neighbors", test_neighbours);
  g_test_add_func ("/reference/reconstruction/stored", test_stored_reconstructions);
  g_test_add_func ("/reference/reconstruction/thresholds", test_reconstruction_by_thresholds);
  g_test_add_func ("/reference/reconstruction/dual", test_reconstruction_dual_and_quick);
  g_test_add_func ("/reference/distance/stored", test_stored_distances);
  g_test_add_func ("/reference/distance/balls", test_stored_balls);
  g_test_add_func ("/reference/distance/steps", test_distance_by_steps);
  g_test_add_func ("/reference/distance/quick", test_distance_quick);
  g_test_add_func ("/reference/distance/margin", test_distance_margin);
  g_test_add_func ("/reference/watershed/stored", test_stored_watersheds);
  g_test_add_func ("/reference/watershed/quick", test_watershed_quick);
  g_test_add_func ("/reference/opening/quick", test_opening_quick);
  g_test_add_func ("/reference/watershed/plain", test_watershed_of_a_plain);
  g_test_add_func ("/reference/watershed/tolerance", test_watershed_tolerance);

  return g_test_run ();
}

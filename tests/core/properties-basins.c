/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Properties of components, basins and the hierarchy of basins. */

#include <math.h>
#include <string.h>

#include "tests/support/guarded-image.h"
#include "properties.h"
#include "tests/support/tiers.h"

static WfWatershedOptions
plain_options (void)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.last_index = g_test_rand_bit ();
  return options;
}

/* Asserts that the labels 1 to @n all occur, numbered by their first pixels in raster order. */
static void
assert_in_raster_order (const Operand *o,
                        const guint32 *labels,
                        guint32        n)
{
  guint32 most = 0;

  for (gint64 p = 0; p < o->n; p++)
    {
      g_assert_cmpuint (labels[p], <=, most + 1);
      most = MAX (most, labels[p]);
    }
  g_assert_cmpuint (most, ==, n);
}

/* Returns the number of connected sets of equal labels, not counting label 0. */
static guint32
count_pieces (const Operand *o,
              const guint32 *labels)
{
  g_autofree guint8 *seen  = g_new0 (guint8, o->n);
  g_autofree gint64 *stack = g_new (gint64, o->n);
  gint64             near[REF_MAX_NEIGHBOURS];
  guint32            n     = 0;

  for (gint64 first = 0; first < o->n; first++)
    {
      gint64 height = 0;

      if (seen[first] || labels[first] == 0)
        continue;
      n++;
      seen[first]     = 1;
      stack[height++] = first;
      while (height > 0)
        {
          gint64 p     = stack[--height];
          int    n_near = ref_neighbours (&o->size, o->connectivity, p, near);

          for (int i = 0; i < n_near; i++)
            if (! seen[near[i]] && labels[near[i]] == labels[p])
              {
                seen[near[i]]   = 1;
                stack[height++] = near[i];
              }
        }
    }
  return n;
}

/* Foreground neighbours have the same label, each component is connected, and a larger
 * connectivity gives no more components.
 */
static void
check_components (const Operand *o)
{
  Operand             all      = *o;
  g_autofree double  *image    = operand_levels (o);
  guint32             n, n_all;
  g_autofree guint32 *labels   = NULL;
  g_autofree guint32 *of_all   = NULL;

  all.connectivity = o->size.depth > 1 ? 26 : 8;
  labels = apply_label (o, image, &n);
  of_all = apply_label (&all, image, &n_all);
  assert_everywhere (o, p, (labels[p] == 0) == (image[p] == 0));
  assert_in_raster_order (o, labels, n);
  g_assert_cmpuint (count_pieces (o, labels), ==, n);
  g_assert_cmpuint (n_all, <=, n);
  for (gint64 p = 0; p < o->n; p++)
    {
      gint64 near[REF_MAX_NEIGHBOURS];
      int    n_near = ref_neighbours (&o->size, o->connectivity, p, near);

      for (int i = 0; i < n_near; i++)
        g_assert_true (labels[p] == 0 || labels[near[i]] == 0 || labels[p] == labels[near[i]]);
    }
}

/* The basins cover the image, each is connected, and there is one for each regional
 * minimum, with the number of that minimum.
 */
static void
check_cover (const Operand *o)
{
  WfWatershedOptions  options = plain_options ();
  WfMorphologyOptions whole;
  Operand             map     = *o;
  g_autofree double  *image   = operand_levels (o);
  g_autofree double  *minima  = NULL;
  guint32             n, n_minima;
  g_autofree guint32 *labels  = apply_watershed (o, &options, image, NULL, &n);
  g_autofree guint32 *numbers = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_REGIONAL_MINIMA), &whole);
  minima   = apply_morphology (o, wf_regional_minima, WF_TYPE_U8, &whole, image);
  map.type = WF_TYPE_U8;
  numbers  = apply_label (&map, minima, &n_minima);
  g_assert_cmpuint (n, ==, n_minima);
  assert_everywhere (o, p, labels[p] >= 1 && labels[p] <= n);
  assert_everywhere (o, p, minima[p] == 0 || labels[p] == numbers[p]);
  g_assert_cmpuint (count_pieces (o, labels), ==, n);
}

/* A strictly increasing map of the levels and another type of pixels give the same basins. */
static void
check_contrast (const Operand *o)
{
  WfWatershedOptions  options = plain_options ();
  Operand             other   = *o;
  g_autofree double  *image   = operand_tame_levels (o);
  g_autofree double  *mapped  = g_new (double, o->n);
  guint32             n, n_mapped;
  g_autofree guint32 *labels  = NULL;
  g_autofree guint32 *same    = NULL;

  for (gint64 p = 0; p < o->n; p++)
    mapped[p] = 2 * image[p] + (image[p] > 50 ? 7 : 3);
  other.type   = g_test_rand_bit () ? WF_TYPE_U16 : WF_TYPE_F32;
  options.lines = g_test_rand_bit ();
  labels = apply_watershed (o, &options, image, NULL, &n);
  same   = apply_watershed (&other, &options, mapped, NULL, &n_mapped);
  g_assert_cmpuint (n, ==, n_mapped);
  assert_everywhere (o, p, labels[p] == same[p]);
}

/* With lines no two basins touch, no basin vanishes, and every pixel that is not on a line has
 * the same label as without lines.
 */
static void
check_lines (const Operand *o)
{
  WfWatershedOptions  options = plain_options ();
  g_autofree double  *image   = operand_levels (o);
  guint32             n, n_lines;
  g_autofree guint32 *labels  = apply_watershed (o, &options, image, NULL, &n);
  g_autofree guint32 *divided = NULL;
  g_autofree guint8  *found   = g_new0 (guint8, n + 1);

  options.lines = TRUE;
  divided = apply_watershed (o, &options, image, NULL, &n_lines);
  g_assert_cmpuint (n, ==, n_lines);
  assert_everywhere (o, p, divided[p] == 0 || divided[p] == labels[p]);
  for (gint64 p = 0; p < o->n; p++)
    {
      gint64 near[REF_MAX_NEIGHBOURS];
      int    n_near = ref_neighbours (&o->size, o->connectivity, p, near);

      found[divided[p]] = 1;
      for (int i = 0; i < n_near; i++)
        g_assert_true (divided[p] == 0 || divided[near[i]] == 0 ||
                       divided[p] == divided[near[i]]);
    }
  for (guint32 label = 1; label <= n; label++)
    g_assert_cmpuint (found[label], ==, 1);
}

/* Marked pixels keep their labels, and every pixel has a label of a marker. */
static void
check_markers (const Operand *o)
{
  WfWatershedOptions  options = plain_options ();
  g_autofree double  *image   = operand_levels (o);
  g_autofree guint32 *marks   = operand_marks (o, 9);
  guint32             n;
  g_autofree guint32 *labels  = apply_watershed (o, &options, image, marks, &n);
  gboolean            given[10] = { FALSE };
  guint32             n_given = 0;

  for (gint64 p = 0; p < o->n; p++)
    given[marks[p]] = TRUE;
  for (int i = 1; i < 10; i++)
    n_given += given[i];
  g_assert_cmpuint (n, ==, n_given);
  assert_everywhere (o, p, marks[p] == 0 || labels[p] == marks[p]);
  assert_everywhere (o, p, labels[p] >= 1 && labels[p] < 10 && given[labels[p]]);
}

/* With a tolerance there is one basin for each extended minimum of that height, with its number. */
static void
check_tolerance (const Operand *o)
{
  WfWatershedOptions  options = plain_options ();
  WfMorphologyOptions deep;
  Operand             map     = *o;
  g_autofree double  *image   = operand_tame_levels (o);
  g_autofree double  *minima  = NULL;
  guint32             n, n_minima;
  g_autofree guint32 *labels  = NULL;
  g_autofree guint32 *numbers = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_EXTENDED_MINIMA), &deep);
  options.tolerance = deep.height = g_test_rand_int_range (0, 60);
  labels   = apply_watershed (o, &options, image, NULL, &n);
  minima   = apply_morphology (o, wf_extended_minima, WF_TYPE_U8, &deep, image);
  map.type = WF_TYPE_U8;
  numbers  = apply_label (&map, minima, &n_minima);
  g_assert_cmpuint (n, ==, n_minima);
  assert_everywhere (o, p, minima[p] == 0 || labels[p] == numbers[p]);
}


/*  Hierarchy  */

static WfHierarchy *
new_hierarchy (const Operand *o,
               const double  *levels,
               const guint32 *labels,
               int            measure)
{
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (o->type, &o->size, levels);
  g_autoptr (GuardedImage)  basins  = guarded_image_new_labels (&o->size, labels);
  WfHierarchyOptions        options = { .size = sizeof options, .measure = measure,
                                        .connectivity = o->connectivity };
  GError                   *error   = NULL;
  WfHierarchy              *hierarchy;

  hierarchy = wf_hierarchy_new (configurations_pick_coarse (o->configurations)->context,
                                &image->view, &basins->view, &options, &error);
  g_assert_no_error (error);
  return hierarchy;
}

/* Whether each region of @fine lies in one region of @coarse. */
static gboolean
is_nested (guint32        n,
           const guint32 *fine,
           const guint32 *coarse)
{
  g_autofree guint32 *of = g_new0 (guint32, n + 1);

  for (guint32 basin = 0; basin < n; basin++)
    {
      if (of[fine[basin]] != 0 && of[fine[basin]] != coarse[basin])
        return FALSE;
      of[fine[basin]] = coarse[basin];
    }
  return TRUE;
}

static guint32
highest (const guint32 *regions,
         guint32        n)
{
  guint32 most = 0;

  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpuint (regions[i], >=, 1);
      g_assert_cmpuint (regions[i], <=, most + 1);    /* numbered by their first basins */
      most = MAX (most, regions[i]);
    }
  return most;
}

/* Regions of a cut into fewer regions are unions of those of finer cuts.  The depths of such cuts
 * do not decrease, and a cut at such a depth gives at most that number of regions.
 */
static void
check_nested (const Operand *o)
{
  WfWatershedOptions       options   = plain_options ();
  g_autofree double       *image     = operand_tame_levels (o);
  guint32                  n, previous;
  g_autofree guint32      *labels    = apply_watershed (o, &options, image, NULL, &n);
  g_autoptr (WfHierarchy)  hierarchy = new_hierarchy (o, image, labels,
                                                      g_test_rand_int_range (0, 3));
  g_autofree guint32      *fine      = g_new (guint32, n);
  g_autofree guint32      *coarse    = g_new (guint32, n);
  g_autofree guint32      *deep      = g_new (guint32, n);
  double                   depth     = -1;

  g_assert_cmpuint (wf_hierarchy_get_n_basins (hierarchy), ==, n);
  for (guint32 basin = 0; basin < n; basin++)
    g_assert_cmpuint (wf_hierarchy_get_label (hierarchy, basin), ==, basin + 1);
  g_assert_cmpuint (wf_hierarchy_cut_to_count (hierarchy, n, fine), ==, n);
  previous = n;

  for (guint32 wished = n; wished >= 1; wished -= 1 + wished / 8)
    {
      guint32 got = wf_hierarchy_cut_to_count (hierarchy, wished, coarse);
      double  at  = wf_hierarchy_get_depth (hierarchy, wished);
      guint32 left;

      /* without lines the basins cover the whole image, so every count is reached */
      g_assert_cmpuint (got, ==, wished);
      g_assert_cmpuint (got, <=, previous);
      g_assert_cmpuint (highest (coarse, n), ==, got);
      g_assert_true (is_nested (n, fine, coarse));
      g_assert_cmpfloat (at, >=, depth);
      left = wf_hierarchy_cut_at_depth (hierarchy, at, deep);
      g_assert_cmpuint (left, <=, wished);
      g_assert_cmpuint (highest (deep, n), ==, left);
      g_assert_true (is_nested (n, coarse, deep));
      memcpy (fine, coarse, n * sizeof (guint32));
      previous = got;
      depth    = at;
    }
}

/* The pixels with a saliency above a depth are the region boundaries of the cut at that depth. */
static void
check_saliency (const Operand *o)
{
  WfWatershedOptions        options   = plain_options ();
  g_autofree double        *image     = operand_tame_levels (o);
  guint32                   n;
  g_autofree guint32       *labels    = apply_watershed (o, &options, image, NULL, &n);
  g_autoptr (WfHierarchy)   hierarchy = new_hierarchy (o, image, labels, WF_MEASURE_DYNAMICS);
  g_autoptr (GuardedImage)  basins    = guarded_image_new_labels (&o->size, labels);
  g_autoptr (GuardedImage)  out       = guarded_image_new (WF_TYPE_F32, &o->size, FALSE);
  g_autofree guint32       *regions   = g_new (guint32, n);
  GError                   *error     = NULL;
  double                    depth     = g_test_rand_int_range (0, 50);
  const float              *saliency  = out->view.data;

  wf_hierarchy_saliency (NULL, hierarchy, &basins->view, &out->view, &error);
  g_assert_no_error (error);
  wf_hierarchy_cut_at_depth (hierarchy, depth, regions);
  for (gint64 p = 0; p < o->n; p++)
    {
      gint64   near[REF_MAX_NEIGHBOURS];
      int      n_near   = ref_neighbours (&o->size, o->connectivity, p, near);
      gboolean boundary = FALSE;

      for (int i = 0; i < n_near; i++)
        if (regions[labels[near[i]] - 1] != regions[labels[p] - 1])
          boundary = TRUE;
      g_assert_true (boundary == (saliency[p] > depth));
    }
}


static void
run_components (void)
{
  run_properties (check_components, test_count (25, 100));
}

static void
run_cover (void)
{
  run_properties (check_cover, test_count (25, 100));
}

static void
run_contrast (void)
{
  run_properties (check_contrast, test_count (25, 100));
}

static void
run_lines (void)
{
  run_properties (check_lines, test_count (25, 100));
}

static void
run_markers (void)
{
  run_properties (check_markers, test_count (25, 100));
}

static void
run_tolerance (void)
{
  run_properties (check_tolerance, test_count (25, 100));
}

static void
run_nested (void)
{
  run_properties (check_nested, test_count (25, 100));
}

static void
run_saliency (void)
{
  run_properties (check_saliency, test_count (25, 100));
}

void
add_basin_properties (void)
{
  g_test_add_func ("/properties/components",          run_components);
  g_test_add_func ("/properties/watershed/cover",     run_cover);
  g_test_add_func ("/properties/watershed/contrast",  run_contrast);
  g_test_add_func ("/properties/watershed/lines",     run_lines);
  g_test_add_func ("/properties/watershed/markers",   run_markers);
  g_test_add_func ("/properties/watershed/tolerance", run_tolerance);
  g_test_add_func ("/properties/hierarchy/nested",    run_nested);
  g_test_add_func ("/properties/hierarchy/saliency",  run_saliency);
}

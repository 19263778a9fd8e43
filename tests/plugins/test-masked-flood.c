/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floods of the pixels of a mask, compared with a plain reference that walks over them alone; in
 * memory and in the swap.
 */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "masked-scene.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/swap.h"
#include "plugins/watershed/boundary.h"
#include "plugins/watershed/flooding.h"
#include "plugins/watershed/masked-flood.h"
#include "tests/support/tiers.h"

typedef struct
{
  WfImage            relief;
  WfImage            objects;
  WfImage            labels;
  WfWatershedOptions options;
  guint32            n_basins;
} Flood;


/*  The reference  */

/* The level at which each pixel is reached from a marker. */
static void
find_passes (const Masked *masked,
             const double *heights,
             const int    *marker,
             double       *passes)
{
  for (int i = 0; i < masked->n; i++)
    passes[i] = marker[i] ? heights[i] : INFINITY;
  masked_reconstruct (masked, heights, FALSE, passes);
}

static void
find_steps (const Masked *masked,
            const int    *marker,
            const double *passes,
            int          *steps)
{
  for (int i = 0; i < masked->n; i++)
    {
      steps[i] = marker[i] ? 0 : MOST_PIXELS;
      for (int k = 0; k < masked->n_neighbors[i]; k++)
        if (passes[masked->neighbors[i][k]] < passes[i])
          steps[i] = 0;
    }
  for (gboolean changed = TRUE; changed; )
    {
      changed = FALSE;
      for (int i = 0; i < masked->n; i++)
        for (int k = 0; k < masked->n_neighbors[i]; k++)
          {
            const int q = masked->neighbors[i][k];

            if (passes[q] == passes[i] && steps[q] + 1 < steps[i])
              {
                steps[i] = steps[q] + 1;
                changed  = TRUE;
              }
          }
    }
}

static gboolean
comes_before (int           p,
              int           q,
              const double *passes,
              const int    *steps)
{
  if (passes[p] != passes[q])
    return passes[p] < passes[q];
  return steps[p] != steps[q] ? steps[p] < steps[q] : p < q;
}

static int
find_label (const Masked *masked,
            const int    *marker,
            const double *passes,
            const int    *steps,
            int           p)
{
  while (! marker[p])
    {
      int parent = -1;

      for (int k = 0; k < masked->n_neighbors[p]; k++)
        {
          const int q = masked->neighbors[p][k];

          if (parent < 0 || comes_before (q, parent, passes, steps))
            parent = q;
        }
      p = parent;
    }
  return marker[p];
}

static void
draw_lines (const Masked *masked,
            const int    *marker,
            const double *passes,
            const int    *steps,
            const int    *labels,
            int          *out)
{
  memcpy (out, labels, masked->n * sizeof (int));
  for (int p = 0; p < masked->n; p++)
    for (int k = 0; k < masked->n_neighbors[p]; k++)
      {
        const int q = masked->neighbors[p][k];

        if (labels[p] && labels[q] && labels[q] != labels[p] && ! (marker[p] && ! marker[q]) &&
            ((marker[q] && ! marker[p]) || comes_before (q, p, passes, steps)))
          out[p] = 0;
      }
}

/* @heights: infinite outside; @marker: labels of markers inside, 0 elsewhere */
static void
flood_plainly (const Masked *masked,
               const double *heights,
               const int    *marker,
               gboolean      lines,
               int          *out)
{
  double passes[MOST_PIXELS];
  int    steps[MOST_PIXELS];
  int    labels[MOST_PIXELS];

  find_passes (masked, heights, marker, passes);
  find_steps (masked, marker, passes, steps);
  for (int p = 0; p < masked->n; p++)
    labels[p] = masked->inside[p] && isfinite (passes[p])
                ? find_label (masked, marker, passes, steps, p) : 0;
  if (lines)
    draw_lines (masked, marker, passes, steps, labels, out);
  else
    memcpy (out, labels, sizeof labels);
}

static void
find_minima (const Masked *masked,
             const double *heights,
             double        tolerance,
             int          *marker)
{
  double raised[MOST_PIXELS];

  for (int i = 0; i < masked->n; i++)
    raised[i] = heights[i] + tolerance;
  masked_reconstruct (masked, heights, FALSE, raised);
  masked_extrema (masked, raised, FALSE, marker);
}


/*  The flood  */

static void
flood_init (Flood  *flood,
            Masked *masked)
{
  memset (flood, 0, sizeof *flood);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &flood->options);
  flood->options.connectivity = masked->connectivity;
  flood->options.lines        = g_test_rand_bit () != 0;
  g_assert_true (wf_swap_allocate (&flood->labels, WF_TYPE_U32, masked->width, masked->height,
                                   masked->depth, NULL));
  memset (flood->labels.data, 0, masked->n * sizeof (guint32));
}

static void
flood_clear (Flood *flood)
{
  wf_swap_clear (&flood->relief);
  wf_swap_clear (&flood->objects);
  wf_swap_clear (&flood->labels);
}

static void
make_relief (Flood                 *flood,
             Masked                *masked,
             const WfReliefOptions *options)
{
  g_autoptr (GError) error = NULL;

  wf_masked_relief_make (masked->context, &masked->mask, &masked->levels, TRUE, options,
                         &flood->relief, &flood->objects, &error);
  g_assert_no_error (error);
}

static void
run (Flood    *flood,
     Masked   *masked,
     gboolean  from_markers)
{
  g_autoptr (GError) error = NULL;

  wf_masked_relief_flood (masked->context, &masked->mask, &flood->relief, &flood->objects,
                          from_markers, &flood->labels, &flood->n_basins, &flood->options, &error);
  g_assert_no_error (error);
}

static void
assert_labels (const Flood  *flood,
               const Masked *masked,
               const int    *wanted)
{
  const guint32 *labels = flood->labels.data;
  GHashTable    *met    = g_hash_table_new (NULL, NULL);

  for (int i = 0; i < masked->n; i++)
    {
      g_assert_cmpuint (labels[i], ==, wanted[i]);
      if (labels[i])
        g_hash_table_add (met, GUINT_TO_POINTER (labels[i]));
    }
  g_assert_cmpuint (flood->n_basins, ==, g_hash_table_size (met));
  g_hash_table_unref (met);
}

static void
heights_of (const Flood  *flood,
            double       *heights)
{
  masked_read (&flood->relief, heights);
}

static void
check_minima (Masked *masked)
{
  WfReliefOptions  options;
  Flood            flood;
  double           heights[MOST_PIXELS];
  int              marker[MOST_PIXELS] = { 0 };
  int              wanted[MOST_PIXELS];

  wf_option_group_init (wf_relief_get_options (), &options);
  flood_init (&flood, masked);
  make_relief (&flood, masked, &options);
  heights_of (&flood, heights);
  for (int i = 0; i < masked->n; i++)
    g_assert_cmpfloat (heights[i], ==, masked->inside[i] ? masked->level[i] : INFINITY);

  if (g_test_rand_bit ())
    flood.options.tolerance = g_test_rand_bit () ? 1 : 1e9;
  find_minima (masked, heights, flood.options.tolerance, marker);
  flood_plainly (masked, heights, marker, flood.options.lines, wanted);
  run (&flood, masked, FALSE);
  assert_labels (&flood, masked, wanted);
  flood_clear (&flood);
}

static void
test_minima (void)
{
  masked_for_each (150, 500, check_minima);
}

/* Markers lie anywhere; parts without one are left out. */
static void
check_markers (Masked *masked)
{
  WfReliefOptions options;
  Flood           flood;
  double          heights[MOST_PIXELS];
  int             marker[MOST_PIXELS] = { 0 };
  int             wanted[MOST_PIXELS];
  gboolean        any = FALSE;

  wf_option_group_init (wf_relief_get_options (), &options);
  flood_init (&flood, masked);
  make_relief (&flood, masked, &options);
  heights_of (&flood, heights);
  for (int i = 0; i < masked->n; i++)
    {
      const guint32 label = g_test_rand_int_range (0, 8) == 0 ? g_test_rand_int_range (1, 9) : 0;

      ((guint32 *) flood.labels.data)[i] = label;
      marker[i] = masked->inside[i] ? (int) label : 0;
      any      |= marker[i] != 0;
    }
  flood_plainly (masked, heights, marker, flood.options.lines, wanted);
  if (any)
    {
      run (&flood, masked, TRUE);
      assert_labels (&flood, masked, wanted);
    }
  else
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (wf_masked_relief_flood (masked->context, &masked->mask, &flood.relief,
                                              &flood.objects, TRUE, &flood.labels,
                                              &flood.n_basins, &flood.options, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
    }
  flood_clear (&flood);
}

static void
test_markers (void)
{
  masked_for_each (150, 500, check_markers);
}

static double
distance_within (const Masked *masked,
                 const guint8 *objects,
                 int           p)
{
  double least = INFINITY;

  for (int q = 0; q < masked->n; q++)
    if (masked->inside[q] && ! objects[q])
      {
        const int dx = p % masked->width - q % masked->width;
        const int dy = p / masked->width % masked->height - q / masked->width % masked->height;
        const int dz = p / masked->width / masked->height - q / masked->width / masked->height;

        least = MIN (least, sqrt (dx * dx + dy * dy + dz * dz));
      }
  return (double) (float) least;
}

/* The distances of objects lead to background inside; and labels are those of the objects. */
static void
check_objects (Masked *masked)
{
  WfReliefOptions options;
  Flood           flood;
  double          heights[MOST_PIXELS];
  guint8          objects[MOST_PIXELS];

  wf_option_group_init (wf_relief_get_options (), &options);
  options.input     = WF_INPUT_OBJECTS;
  options.invert    = g_test_rand_bit () != 0;
  options.threshold = masked->level[g_test_rand_int_range (0, masked->n)];
  flood_init (&flood, masked);
  make_relief (&flood, masked, &options);
  for (int i = 0; i < masked->n; i++)
    objects[i] = masked->inside[i] && (masked->level[i] > options.threshold) != options.invert;
  g_assert_cmpmem (flood.objects.data, masked->n, objects, masked->n);

  run (&flood, masked, FALSE);
  heights_of (&flood, heights);
  for (int i = 0; i < masked->n; i++)
    {
      const guint32 label = ((const guint32 *) flood.labels.data)[i];

      g_assert_cmpfloat (heights[i], ==, objects[i] ? -distance_within (masked, objects, i)
                                                    : INFINITY);
      g_assert_true (objects[i] ? label != 0 || flood.options.lines : label == 0);
    }
  flood_clear (&flood);
}

static void
test_objects (void)
{
  masked_for_each (150, 500, check_objects);
}

/* Runs a check with its images in the swap, with all the memory that there may be. */
static void
in_swap (Masked     *masked,
         MaskedFunc  check)
{
  wf_swap_begin (G_MAXINT64, NULL);
  check (masked);
  wf_swap_end ();
}

static void
check_swapped (Masked *masked)
{
  in_swap (masked, check_minima);
  in_swap (masked, check_markers);
  in_swap (masked, check_objects);
}

static void
test_swapped (void)
{
  masked_for_each (20, 150, check_swapped);
}

/* Without a mask.  @markers: labels of them, or 0 */
static gboolean
flood_whole (Flood                    *flood,
             Masked                   *masked,
             const WfReliefOptions    *relief,
             const WfWatershedOptions *options,
             const guint32            *markers)
{
  WfImage            levels = { 0 };
  g_autoptr (GError) error  = NULL;
  gboolean           success;

  flood_init (flood, masked);
  flood->options = *options;
  if (markers)
    memcpy (flood->labels.data, markers, masked->n * sizeof *markers);
  g_assert_true (wf_mask_copy (&masked->levels, &levels, NULL));
  wf_masked_relief_make (masked->context, NULL, &levels, FALSE, relief, &flood->relief,
                         &flood->objects, &error);
  g_assert_no_error (error);
  success = wf_masked_relief_flood (masked->context, NULL, &flood->relief,
                                    flood->objects.data ? &flood->objects : NULL, markers != NULL,
                                    &flood->labels, &flood->n_basins, &flood->options, &error);
  g_assert_true (success == (error == NULL));
  wf_swap_clear (&levels);
  return success;
}

static void
choose_options (const Masked       *masked,
                WfReliefOptions    *relief,
                WfWatershedOptions *options)
{
  static const int inputs[] = { WF_INPUT_LEVELS, WF_INPUT_GRADIENT, WF_INPUT_OBJECTS };

  wf_option_group_init (wf_relief_get_options (), relief);
  relief->input     = inputs[g_test_rand_int_range (0, 3)];
  relief->invert    = g_test_rand_bit () != 0;
  relief->threshold = masked->level[g_test_rand_int_range (0, masked->n)];
  relief->gradient  = g_test_rand_int_range (0, 3);
  relief->smoothing = g_test_rand_bit () ? g_test_rand_double_range (0, 2) : 0;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), options);
  options->connectivity = masked->connectivity;
  options->lines        = g_test_rand_bit () != 0;
}

/* In the swap the same, also what is refused. */
static void
check_whole (Masked *masked)
{
  guint32            markers[MOST_PIXELS];
  const gboolean     marked = g_test_rand_bit () != 0;
  const int          rarity = g_test_rand_bit () ? 8 : 200;
  WfReliefOptions    relief;
  WfWatershedOptions options;
  Flood              plain;
  Flood              swapped;
  gboolean           success;

  choose_options (masked, &relief, &options);
  if (! marked)
    options.tolerance = g_test_rand_int_range (0, 3);
  for (int i = 0; i < masked->n; i++)
    markers[i] = g_test_rand_int_range (0, rarity) == 0 ? g_test_rand_int_range (1, 9) : 0;
  success = flood_whole (&plain, masked, &relief, &options, marked ? markers : NULL);
  wf_swap_begin (G_MAXINT64, NULL);
  g_assert_true (flood_whole (&swapped, masked, &relief, &options, marked ? markers : NULL) ==
                 success);
  if (success)
    {
      g_assert_cmpuint (swapped.n_basins, ==, plain.n_basins);
      g_assert_cmpmem (swapped.labels.data, masked->n * sizeof (guint32),
                       plain.labels.data, masked->n * sizeof (guint32));
    }
  wf_swap_end ();
  flood_clear (&plain);
}

static void
test_whole (void)
{
  masked_for_each (60, 600, check_whole);
}

/* Whatever is flooded, levels outside make no difference. */
static void
check_blind (Masked *masked)
{
  static const int  inputs[] = { WF_INPUT_LEVELS, WF_INPUT_GRADIENT, WF_INPUT_OBJECTS };
  WfReliefOptions   options;
  Flood             floods[2];

  wf_option_group_init (wf_relief_get_options (), &options);
  options.input      = inputs[g_test_rand_int_range (0, 3)];
  options.invert     = g_test_rand_bit () != 0;
  options.threshold  = masked->level[0];
  options.gradient   = g_test_rand_int_range (0, 3);
  options.smoothing  = g_test_rand_double_range (0, 2);
  options.background = g_test_rand_int_range (WF_BACKGROUND_NONE, WF_BACKGROUND_BRIGHT + 1);
  for (int k = 0; k < 2; k++)
    {
      flood_init (&floods[k], masked);
      floods[k].options.lines = floods[0].options.lines;
      make_relief (&floods[k], masked, &options);
      run (&floods[k], masked, FALSE);
      masked_scramble (masked);
    }
  g_assert_cmpmem (floods[0].relief.data, masked->n * sizeof (float),
                   floods[1].relief.data, masked->n * sizeof (float));
  g_assert_cmpmem (floods[0].labels.data, masked->n * sizeof (guint32),
                   floods[1].labels.data, masked->n * sizeof (guint32));
  for (int k = 0; k < 2; k++)
    flood_clear (&floods[k]);
}

static void
test_blind (void)
{
  masked_for_each (150, 500, check_blind);
}

static void
narrow (Masked *masked)
{
  for (int i = 0; i < masked->n; i++)
    {
      int n = 0;

      for (int k = 0; masked->inside[i] && k < masked->n_neighbors[i]; k++)
        if (masked->inside[masked->neighbors[i][k]])
          masked->neighbors[i][n++] = masked->neighbors[i][k];
      masked->n_neighbors[i] = n;
    }
}

/* Basins lie inside the mask on one side of the threshold, where they are those of these pixels
 * alone, and no part of the mask without such a pixel counts as one.
 */
static void
check_background (Masked *masked)
{
  WfReliefOptions  options;
  Flood            flood;
  double           heights[MOST_PIXELS];
  int              marker[MOST_PIXELS] = { 0 };
  int              wanted[MOST_PIXELS];
  WfFlooding       flooding = { .mask = &flood.objects, .relief = &flood.relief,
                                .objects = &flood.objects, .labels = &flood.labels,
                                .options = &flood.options, .type = WF_TYPE_F32 };

  wf_option_group_init (wf_relief_get_options (), &options);
  options.background = g_test_rand_bit () ? WF_BACKGROUND_DARK : WF_BACKGROUND_BRIGHT;
  options.threshold  = masked->level[g_test_rand_int_range (0, masked->n)];
  flood_init (&flood, masked);
  make_relief (&flood, masked, &options);
  masked_read (&flood.relief, heights);
  for (int i = 0; i < masked->n; i++)
    {
      const gboolean above = masked->level[i] > options.threshold;

      masked->inside[i] &= above == (options.background == WF_BACKGROUND_DARK);
      g_assert_cmpfloat (heights[i], ==, masked->inside[i] ? masked->level[i] : INFINITY);
    }
  narrow (masked);
  find_minima (masked, heights, 0, marker);
  flood_plainly (masked, heights, marker, flood.options.lines, wanted);
  g_assert_true (wf_flooding_flood (&flooding, masked->context, NULL));
  flood.n_basins = flooding.n_basins;
  assert_labels (&flood, masked, wanted);
  flood_clear (&flood);
}

static void
test_background (void)
{
  masked_for_each (150, 500, check_background);
}

/* No measure joins parts that do not touch, and each part is one in the end. */
static void
check_merging (Masked *masked)
{
  static const WfMergeBy measures[] = { WF_MERGE_BY_DYNAMICS, WF_MERGE_BY_AREA,
                                        WF_MERGE_BY_VOLUME };
  WfReliefOptions  relief;
  Flood            flood;
  int              part[MOST_PIXELS];
  const int        n_parts  = masked_components (masked, part);
  WfFlooding       flooding = { .mask = &masked->mask, .relief = &flood.relief,
                                .objects = &flood.objects, .labels = &flood.labels,
                                .options = &flood.options, .type = WF_TYPE_F32,
                                .merge_by = measures[g_test_rand_int_range (0, 3)],
                                .merge_value = 1e12 };
  const guint32   *labels;

  wf_option_group_init (wf_relief_get_options (), &relief);
  flood_init (&flood, masked);
  flood.options.lines = FALSE;
  make_relief (&flood, masked, &relief);
  g_assert_true (wf_flooding_flood (&flooding, masked->context, NULL));
  g_assert_true (wf_flooding_merge (&flooding, masked->context, NULL));
  g_assert_cmpuint (flooding.n_basins, ==, n_parts);
  labels = flood.labels.data;
  for (int i = 0; i < masked->n; i++)
    for (int q = 0; q < i; q++)
      g_assert_cmpint (labels[q] == labels[i], ==, part[q] == part[i]);
  flood_clear (&flood);
}

static void
test_merging (void)
{
  masked_for_each (150, 500, check_merging);
}

/* A boundary lies between two pixels of the mask, and parts them. */
static void
check_boundary (Masked *masked)
{
  g_auto (WfImage) labels = { 0 };
  guint8           marks[MOST_PIXELS];
  guint32         *label;
  const gboolean   diagonals = masked->connectivity == 8;

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, masked->width, masked->height,
                                    masked->depth, NULL));
  label = labels.data;
  for (int i = 0; i < masked->n; i++)
    label[i] = masked->inside[i] ? g_test_rand_int_range (1, 3) : 0;
  for (int row = 0; row < masked->height * masked->depth; row++)
    wf_boundary_mark_row (&labels, &masked->mask, &masked->mask, row, FALSE, diagonals,
                          marks + row * masked->width);
  for (int i = 0; i < masked->n; i++)
    {
      gboolean beside = FALSE;

      for (int k = 0; k < masked->n_neighbors[i]; k++)
        {
          const int q = masked->neighbors[i][k];

          beside |= label[q] != label[i];
          if (q / masked->width == i / masked->width || q % masked->width == i % masked->width)
            g_assert_true (label[q] == label[i] || marks[i] || marks[q]);
        }
      g_assert_true (! marks[i] || (masked->inside[i] && (beside || diagonals)));
    }
}

static void
check_flat_boundary (Masked *masked)
{
  if (masked->depth == 1)
    check_boundary (masked);
}

static void
test_boundary (void)
{
  masked_for_each (100, 400, check_flat_boundary);
}

static void
check_histogram (Masked *masked)
{
  g_autoptr (WfHistogram)  found  = wf_mask_histogram (&masked->mask, &masked->levels, NULL);
  g_autoptr (WfHistogram)  wanted = NULL;
  g_auto (WfImage)         inside = { 0 };
  const gsize              size   = wf_type_size (masked->levels.type);
  int                      n      = 0;

  g_assert_true (wf_image_allocate (&inside, masked->levels.type, masked->n, 1, 1, NULL));
  for (int i = 0; i < masked->n; i++)
    if (masked->inside[i])
      memcpy ((char *) inside.data + size * n++, (char *) masked->levels.data + size * i, size);
  g_assert_nonnull (found);
  if (n == 0)
    return;
  inside.width = inside.row_stride = inside.slice_stride = n;
  wanted = wf_histogram_new (&inside, NULL);
  g_assert_cmpfloat (wf_histogram_find_threshold (found, WF_THRESHOLD_OTSU, 0), ==,
                     wf_histogram_find_threshold (wanted, WF_THRESHOLD_OTSU, 0));
}

static void
test_histogram (void)
{
  masked_for_each (100, 400, check_histogram);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/masked-flood/minima", test_minima);
  g_test_add_func ("/masked-flood/markers", test_markers);
  g_test_add_func ("/masked-flood/objects", test_objects);
  g_test_add_func ("/masked-flood/swapped", test_swapped);
  g_test_add_func ("/masked-flood/whole", test_whole);
  g_test_add_func ("/masked-flood/levels-outside-do-not-matter", test_blind);
  g_test_add_func ("/masked-flood/background", test_background);
  g_test_add_func ("/masked-flood/merging", test_merging);
  g_test_add_func ("/masked-flood/boundary", test_boundary);
  g_test_add_func ("/masked-flood/threshold", test_histogram);
  return g_test_run ();
}

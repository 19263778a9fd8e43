/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies of basins by several ranks, their partitions and saliency maps, and measurements:
 * those of the whole image in memory.
 */

#include <string.h>

#include "tests/support/landscape.h"
#include "tests/support/random-labels.h"
#include "tests/support/same-basins.h"
#include "tests/support/tiers.h"
#include "joint.h"

/**
 * Basins:
 * @expected: of the whole
 * @regions: a partition of it
 * @basins: measurements of the basins
 */
typedef struct
{
  WfHierarchyOptions  options;
  WfHierarchy        *expected;
  guint32            *regions;
  WfType              saliency;
  WfBasin            *basins;
  guint32             n_basins;
} Basins;

static void
basins_clear (Basins *basins)
{
  g_clear_pointer (&basins->expected, wf_hierarchy_unref);
  g_free (basins->regions);
  g_free (basins->basins);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Basins, basins_clear)

static gboolean
run_hierarchy (const Joint  *joint,
               Site         *site,
               GError      **error)
{
  const Basins            *basins = joint->options;
  g_autoptr (WfHierarchy)  found  = NULL;

  found = wf_hierarchy_new_blocks (site->context, &site->sources[IMAGE].source,
                                   &site->sources[MARKER].source, &basins->options,
                                   BLOCKS_OF (joint->rows), error);
  if (! found)
    return FALSE;
  assert_same_hierarchies (found, basins->expected);
  return wf_hierarchy_relabel_blocks (site->context, found, basins->regions,
                                      &site->sources[MARKER].source, &site->results[RESULT].sink,
                                      BLOCKS_OF (joint->rows), error) &&
         wf_hierarchy_saliency_blocks (site->context, found, &site->sources[MARKER].source,
                                       &site->results[SECOND_RESULT].sink, basins->saliency,
                                       BLOCKS_OF (joint->rows), error);
}

static void
init_hierarchy (Joint  *joint,
                Basins *basins)
{
  const WfImage *labels = &joint->sources[MARKER]->view;
  guint32        n;

  joint->run       = run_hierarchy;
  joint->options   = basins;
  basins->expected = wf_hierarchy_new (NULL, &joint->sources[IMAGE]->view, labels,
                                       &basins->options, NULL);
  n                = wf_hierarchy_get_n_basins (basins->expected);
  basins->regions  = g_new (guint32, n);
  basins->saliency = g_test_rand_bit () ? WF_TYPE_F32 : WF_TYPE_F64;
  wf_hierarchy_cut_to_count (basins->expected, g_test_rand_int_range (1, (gint32) n + 1),
                             basins->regions);
  joint_init_result (joint, RESULT, WF_TYPE_U32);
  joint_init_result (joint, SECOND_RESULT, basins->saliency);
  g_assert_true (wf_hierarchy_relabel (NULL, basins->expected, basins->regions, labels,
                                       &joint->expected[RESULT]->view, NULL));
  g_assert_true (wf_hierarchy_saliency (NULL, basins->expected, labels,
                                        &joint->expected[SECOND_RESULT]->view, NULL));
}

static void
init_labels (Joint   *joint,
             Palette *palette,
             Basins  *basins)
{
  g_autofree double  *levels = NULL;
  g_autofree guint32 *labels = NULL;
  const WfType        type   = random_type ();

  random_size (&joint->size);
  levels = g_new (double, ref_n_pixels (&joint->size));
  labels = g_new0 (guint32, ref_n_pixels (&joint->size));
  random_palette (type, palette);
  random_content (&joint->size, palette, levels);
  random_basins (&joint->size, type, levels, labels);
  joint_init_levels (joint, type, levels);
  joint->sources[MARKER] = guarded_image_new_labels (&joint->size, labels);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &basins->options);
  basins->options.measure      = g_test_rand_int_range (0, 3);
  basins->options.connectivity = random_connectivity (&joint->size);
}

static void
test_hierarchy (void)
{
  for (guint i = 0; i < test_count (150, 1500); i++)
    {
      g_auto (Basins) basins = { 0 };
      g_auto (Joint)  joint  = { 0 };
      Palette         palette;

      init_labels (&joint, &palette, &basins);
      init_hierarchy (&joint, &basins);
      joint_check (&joint);
    }
}

/* Corridors of unlabelled pixels and of basins that cross all seams many times. */
static void
test_long (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    {
      g_auto (Basins)     basins = { 0 };
      g_auto (Joint)      joint  = { .size = { 61, 83, 1 } };
      g_autofree double  *levels = g_new (double, 61 * 83);
      g_autofree guint32 *labels = g_new0 (guint32, 61 * 83);

      if (i % 2)
        make_corridor (&joint.size, 3, 200, levels);
      else
        make_landscape (WF_TYPE_U8, &joint.size, i / 2 % 4, levels);
      for (gint64 p = 0; p < 61 * 83; p++)
        labels[p] = levels[p] > (i % 3 == 0 ? 250 : 100) ? 1 + p / 300 : 0;
      labels[17] = 1;
      joint_init_levels (&joint, WF_TYPE_U8, levels);
      joint.sources[MARKER] = guarded_image_new_labels (&joint.size, labels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &basins.options);
      basins.options.measure      = i / 2 % 3;
      basins.options.connectivity = i % 4 < 2 ? 4 : 8;
      init_hierarchy (&joint, &basins);
      joint_check (&joint);
    }
}

/* Only the first rank gets the measurements. */
static gboolean
run_measure (const Joint  *joint,
             Site         *site,
             GError      **error)
{
  const Basins       *basins = joint->options;
  g_autofree WfBasin *found  = NULL;
  guint32             n      = 0;

  if (! wf_basins_measure_blocks (site->context, &site->sources[IMAGE].source, NULL,
                                  &site->sources[MARKER].source, basins->options.connectivity,
                                  &found, &n, BLOCKS_OF (joint->rows), error))
    return FALSE;
  g_assert_cmpuint (n, ==, basins->n_basins);
  if (found)
    assert_same_basins (found, n, basins->basins, basins->n_basins);
  else
    g_assert_cmpuint (site->rank, >, 0);
  return TRUE;
}

static void
test_measure (void)
{
  for (guint i = 0; i < test_count (150, 1500); i++)
    {
      g_auto (Basins) basins = { 0 };
      g_auto (Joint)  joint  = { 0 };
      Palette         palette;

      init_labels (&joint, &palette, &basins);
      joint.run     = run_measure;
      joint.options = &basins;
      g_assert_true (wf_basins_measure (NULL, &joint.sources[IMAGE]->view, NULL,
                                        &joint.sources[MARKER]->view,
                                        basins.options.connectivity, &basins.basins,
                                        &basins.n_basins, NULL));
      joint_check (&joint);
    }
}

/* No rank waits for one that has failed. */
static void
test_failures (void)
{
  for (guint i = 0; i < test_count (60, 300); i++)
    {
      g_auto (Basins)  basins = { 0 };
      g_auto (Joint)   joint  = { 0 };
      Palette          palette;
      const guint      n      = g_test_rand_int_range (2, MOST_TEST_RANKS + 1);
      const gint64     shares[MOST_TEST_RANKS] = { 1 };

      init_labels (&joint, &palette, &basins);
      init_hierarchy (&joint, &basins);
      joint.fail_rank  = 0;
      joint.fail_call  = 1;
      joint.fail_write = i % 2;
      run_ranks (n, shares, joint_run_rank, &joint);
      for (guint k = 0; k < n; k++)
        {
          g_assert_nonnull (joint.failures[k]);
          g_assert_nonnull (strstr (joint.failures[k], "Call 1 fails."));
        }
    }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/ranks-basins/hierarchy", test_hierarchy);
  g_test_add_func ("/ranks-basins/long", test_long);
  g_test_add_func ("/ranks-basins/measure", test_measure);
  g_test_add_func ("/ranks-basins/failures", test_failures);
  return g_test_run ();
}

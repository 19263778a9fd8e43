/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations in blocks by several ranks, which are threads here: any number of them, with any parts
 * of the image, give the result of one.
 */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "joint.h"

static double
random_threshold (const Palette *palette)
{
  const double threshold = palette->level[g_test_rand_int_range (0, palette->n)];

  return isfinite (threshold) ? threshold : NAN;
}


/*  Distances  */

static gboolean
run_distances (const Joint  *joint,
               Site         *site,
               GError      **error)
{
  WfBlockSink *sinks[N_RESULTS] = { NULL };

  for (int i = 0; i < N_RESULTS; i++)
    if (joint->results[i])
      sinks[i] = &site->results[i].sink;
  if (! wf_distance_blocks (site->context, &site->sources[IMAGE].source, sinks[0], sinks[1],
                            joint->options, BLOCKS_OF (joint->rows), error))
    return FALSE;
  g_assert_cmpint (wf_context_get_report (site->context)->no_background, ==,
                   joint->no_background);
  return TRUE;
}

static void
init_distances (Joint             *joint,
                WfDistanceOptions *options)
{
  const int             wishes  = g_test_rand_int_range (1, 4);
  g_autoptr (WfContext) context = wf_context_new ();

  joint->run     = run_distances;
  joint->options = options;
  for (int i = 0; i < N_RESULTS; i++)
    if (wishes & 1 << i)
      joint_init_result (joint, i, i == 0 ? wf_distance_get_type (options) : WF_TYPE_U64);
  g_assert_true (wf_distance (context, &joint->sources[IMAGE]->view,
                              joint->expected[0] ? &joint->expected[0]->view : NULL,
                              joint->expected[1] ? &joint->expected[1]->view : NULL, options,
                              NULL));
  joint->no_background = wf_context_get_report (context)->no_background;
}

static void
test_distances (void)
{
  for (guint i = 0; i < test_count (150, 1200); i++)
    {
      g_auto (Joint)    joint = { 0 };
      Palette           palette;
      WfDistanceOptions options;

      joint_init_random (&joint, &palette);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
      options.metric            = g_test_rand_int_range (0, 4);
      options.border_background = g_test_rand_bit ();
      options.signed_distance   = options.metric != WF_METRIC_SQUARED && g_test_rand_bit ();
      options.threshold         = random_threshold (&palette);
      options.connectivity      = random_connectivity (&joint.size);
      if (g_test_rand_bit ())
        options.spacing[1] = 1.5;
      init_distances (&joint, &options);
      joint_check (&joint);
    }
}


/*  Labels  */

static gboolean
run_label (const Joint  *joint,
           Site         *site,
           GError      **error)
{
  guint32 n = 0;

  if (! wf_label_blocks (site->context, &site->sources[IMAGE].source, &site->results[RESULT].sink,
                         &n, joint->options, BLOCKS_OF (joint->rows), error))
    return FALSE;
  g_assert_cmpuint (n, ==, joint->count);
  return TRUE;
}

static void
init_label (Joint          *joint,
            WfLabelOptions *options)
{
  guint32 n = 0;

  joint->run     = run_label;
  joint->options = options;
  joint_init_result (joint, RESULT, WF_TYPE_U32);
  g_assert_true (wf_label (NULL, &joint->sources[IMAGE]->view, &joint->expected[RESULT]->view, &n,
                           options, NULL));
  joint->count = n;
}

static void
test_label (void)
{
  for (guint i = 0; i < test_count (150, 1200); i++)
    {
      g_auto (Joint) joint = { 0 };
      Palette        palette;
      WfLabelOptions options;

      joint_init_random (&joint, &palette);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
      options.threshold    = random_threshold (&palette);
      options.connectivity = random_connectivity (&joint.size);
      init_label (&joint, &options);
      joint_check (&joint);
    }
}

/* One component that crosses all seams many times, and a comb whose teeth meet in the last row. */
static void
test_label_long (void)
{
  for (guint i = 0; i < test_count (30, 300); i++)
    {
      g_auto (Joint)      joint  = { .size = { 61, 83, 1 } };
      g_autofree double  *levels = g_new (double, 61 * 83);
      WfLabelOptions      options;

      make_corridor (&joint.size, 200, 3, levels);
      for (gint64 p = 0; i % 2 && p < 61 * 83; p++)
        levels[p] = p % 61 % 2 == 0 || p / 61 == 82 ? 200 : 3;
      joint_init_levels (&joint, WF_TYPE_U8, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
      options.threshold    = 100;
      options.connectivity = 4;
      init_label (&joint, &options);
      joint_check (&joint);
    }
}


/*  Reconstruction  */

static gboolean
run_reconstruct (const Joint  *joint,
                 Site         *site,
                 GError      **error)
{
  return wf_reconstruct_blocks (site->context, &site->sources[IMAGE].source,
                                &site->sources[MARKER].source, &site->results[RESULT].sink,
                                joint->options, BLOCKS_OF (joint->rows), error);
}

static gboolean
run_reconstruct_queue (const Joint  *joint,
                       Site         *site,
                       GError      **error)
{
  return wf_reconstruct_blocks (site->context, &site->sources[IMAGE].source,
                                &site->sources[MARKER].source, &site->results[RESULT].sink,
                                joint->options, BLOCKS (WF_BLOCKS_QUEUE, joint->rows), error);
}

static void
init_reconstruct (Joint                *joint,
                  WfReconstructOptions *options)
{
  joint->run     = run_reconstruct;
  joint->options = options;
  joint_init_result (joint, RESULT, joint->sources[IMAGE]->view.type);
  g_assert_true (wf_reconstruct (NULL, &joint->sources[IMAGE]->view,
                                 &joint->sources[MARKER]->view, &joint->expected[RESULT]->view,
                                 options, NULL));
}

static void
test_reconstruct (void)
{
  for (guint i = 0; i < test_count (150, 1200); i++)
    {
      g_auto (Joint)       joint  = { 0 };
      g_autofree double   *levels = NULL;
      Palette              palette;
      WfReconstructOptions options;

      joint_init_random (&joint, &palette);
      levels = g_new (double, ref_n_pixels (&joint.size));
      random_content (&joint.size, &palette, levels);
      joint.sources[MARKER] = guarded_image_new_levels (joint.sources[IMAGE]->view.type,
                                                        &joint.size, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
      options.by           = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
      options.connectivity = random_connectivity (&joint.size);
      init_reconstruct (&joint, &options);
      joint_check (&joint);
    }
}

/* A level that goes through corridors, which cross all seams many times; on a landscape, as holes
 * are filled.
 */
static void
test_reconstruct_long (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    {
      g_auto (Joint)       joint  = { .size = { 61, 83, 1 } };
      g_autofree double   *levels = g_new (double, 61 * 83);
      WfReconstructOptions options;

      if (i % 2)
        make_corridor (&joint.size, 200, 3, levels);
      else
        make_landscape (WF_TYPE_U8, &joint.size, i / 2 % 4, levels);
      joint_init_levels (&joint, WF_TYPE_U8, levels);
      for (gint64 p = i % 2; p < 61 * 83; p++)
        levels[p] = i % 4 == 0 && (p < 61 || p >= 61 * 82 || p % 61 % 60 == 0) ? levels[p] : 0;
      if (i % 4 == 2)
        levels[30 * 61 + 30] = 255;
      joint.sources[MARKER] = guarded_image_new_levels (WF_TYPE_U8, &joint.size, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
      init_reconstruct (&joint, &options);
      joint_check (&joint);
    }
}


/*  Watershed  */

static gboolean
run_watershed (const Joint  *joint,
               Site         *site,
               GError      **error)
{
  guint32 n = 0;

  if (! wf_watershed_blocks (site->context, &site->sources[IMAGE].source,
                             joint->sources[MARKER] ? &site->sources[MARKER].source : NULL,
                             joint->results[SECOND_RESULT] ? &site->results[SECOND_RESULT].sink
                                                           : NULL,
                             &site->results[RESULT].sink, &n, joint->options,
                             BLOCKS_OF (joint->rows), error))
    return FALSE;
  g_assert_cmpuint (n, ==, joint->count);
  return TRUE;
}

/* The second result is the scratch. */
static void
init_watershed (Joint              *joint,
                WfWatershedOptions *options)
{
  guint32 n = 0;

  joint->run     = run_watershed;
  joint->options = options;
  joint_init_result (joint, RESULT, WF_TYPE_U32);
  if (joint->sources[MARKER] || options->tolerance > 0)
    joint->results[SECOND_RESULT] = guarded_image_new (joint->sources[IMAGE]->view.type,
                                                       &joint->size, FALSE);
  g_assert_true (wf_watershed (NULL, &joint->sources[IMAGE]->view,
                               joint->sources[MARKER] ? &joint->sources[MARKER]->view : NULL,
                               &joint->expected[RESULT]->view, &n, options, NULL));
  joint->count = n;
}

static void
random_markers (Joint *joint)
{
  const gint64        n      = ref_n_pixels (&joint->size);
  g_autofree guint32 *labels = g_new0 (guint32, n);

  for (int k = g_test_rand_int_range (1, 9); k > 0; k--)
    labels[g_test_rand_int_range (0, (gint32) n)] = g_test_rand_int_range (1, 4) * 1000000007u;
  joint->sources[MARKER] = guarded_image_new_labels (&joint->size, labels);
}

static void
random_watershed (WfWatershedOptions *options,
                  const RefSize      *size,
                  const Palette      *palette)
{
  const double tolerance = palette->level[palette->n / 2] - palette->level[0];

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), options);
  options->connectivity = random_connectivity (size);
  options->lines        = g_test_rand_bit ();
  if (g_test_rand_bit ())
    options->gradient = g_test_rand_int_range (1, 3);
  if (g_test_rand_int_range (0, 3) == 0)
    options->smoothing = 0.7;
  if (g_test_rand_bit () && isfinite (tolerance))
    options->tolerance = tolerance;
}

static void
test_watershed (void)
{
  for (guint i = 0; i < test_count (400, 1500); i++)
    {
      g_auto (Joint)     joint = { 0 };
      Palette            palette;
      WfWatershedOptions options;

      joint_init_random (&joint, &palette);
      random_watershed (&options, &joint.size, &palette);
      if (i % 3 == 0)
        {
          options.tolerance = 0;
          random_markers (&joint);
        }
      init_watershed (&joint, &options);
      joint_check (&joint);
    }
}

/* Plateaux and paths that cross all seams many times. */
static void
test_watershed_long (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    {
      g_auto (Joint)      joint  = { .size = { 61, 83, 1 } };
      g_autofree double  *levels = g_new (double, 61 * 83);
      WfWatershedOptions  options;

      if (i % 2)
        make_corridor (&joint.size, 3, 200, levels);
      else
        make_landscape (WF_TYPE_U8, &joint.size, i / 2 % 4, levels);
      for (gint64 p = 0; i % 4 == 1 && p < 61 * 83; p++)
        levels[p] = levels[p] == 3 ? 3 + p / 61 : 200;
      levels[82 * 61] = i % 8 == 3 ? 1 : levels[82 * 61];
      joint_init_levels (&joint, WF_TYPE_U8, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
      options.lines = i / 2 % 2;
      if (i % 5 == 0)
        random_markers (&joint);
      init_watershed (&joint, &options);
      joint_check (&joint);
    }
}


/*  What is built on these  */

/* Room for the options of any operation, and which it is. */
typedef union
{
  WfMorphologyOptions morphology;
  WfFilterOptions     filter;
  WfThresholdOptions  threshold;
} AnyOptions;

typedef struct
{
  const WfOperationInfo *info;
  AnyOptions             options;
} Operation;

static gboolean
run_operation (const Joint  *joint,
               Site         *site,
               GError      **error)
{
  const Operation     *operation = joint->options;
  const WfBlockSource *inputs[]  = { &site->sources[IMAGE].source,
                                     &site->sources[MARKER].source };

  return wf_operation_run_blocks (site->context, operation->info->operation, inputs,
                                  &site->results[RESULT].sink,
                                  &site->results[SECOND_RESULT].sink, &operation->options,
                                  BLOCKS_OF (joint->rows), error);
}

static void
random_operation (Operation     *operation,
                  const RefSize *size,
                  const Palette *palette)
{
  const double range = palette->level[palette->n - 1] - palette->level[0];

  do
    operation->info = wf_operation_describe (g_test_rand_int_range (0, WF_N_OPERATIONS));
  while (! (operation->info->flags & WF_WORKS_IN_BLOCKS));
  wf_option_group_init (operation->info->options, &operation->options);
  if (operation->info->operation == WF_OPERATION_THRESHOLD)
    {
      random_threshold_options (size, palette, FALSE, &operation->options.threshold);
      return;
    }
  if (! (operation->info->flags & WF_WORKS_BY_RECONSTRUCTION))
    {
      operation->options.filter.sigma  = g_test_rand_int_range (0, 20) / 5.0;
      operation->options.filter.radius = g_test_rand_int_range (0, 8);
      return;
    }
  operation->options.morphology.connectivity = random_connectivity (size);
  operation->options.morphology.height       = isfinite (range) ? range * g_test_rand_double ()
                                                                : 1.5;
  operation->options.morphology.radius       = g_test_rand_int_range (0, 8);
}

/* The second result is the scratch. */
static void
init_operation (Joint           *joint,
                const Operation *operation)
{
  const WfType   type     = joint->sources[IMAGE]->view.type;
  const WfImage *inputs[] = { &joint->sources[IMAGE]->view, NULL };
  WfImage       *outputs[1];

  joint->run     = run_operation;
  joint->options = operation;
  if (operation->info->n_inputs > 1)
    {
      random_markers (joint);
      inputs[1] = &joint->sources[MARKER]->view;
    }
  joint_init_result (joint, RESULT,
                     wf_operation_get_output_type (operation->info->operation, 0, type,
                                                   &operation->options));
  joint->results[SECOND_RESULT] = guarded_image_new (type, &joint->size, FALSE);
  outputs[0] = &joint->expected[RESULT]->view;
  g_assert_true (wf_operation_run (NULL, operation->info->operation, inputs, outputs, NULL,
                                   &operation->options, NULL));
}

static void
test_operations (void)
{
  for (guint i = 0; i < test_count (400, 4000); i++)
    {
      g_auto (Joint) joint = { 0 };
      Palette        palette;
      Operation      operation;

      joint_init_random (&joint, &palette);
      random_operation (&operation, &joint.size, &palette);
      init_operation (&joint, &operation);
      g_test_message ("%s", operation.info->options->name);
      joint_check (&joint);
    }
}

static gpointer
row_of (const WfImage *image,
        gint64         row)
{
  return (char *) image->data + (row / image->height * image->slice_stride
                                 + row % image->height * image->row_stride)
                                * wf_type_size (image->type);
}

/* Puts something else in the place of what is finished, which is expected to stay, and lets each
 * block be a row, or slice.
 */
static void
replace_finished (Joint *joint)
{
  const RefSize *size = &joint->size;
  const gint64   unit = size->depth > 1 ? size->height : 1;
  const gsize    row  = size->width * wf_type_size (joint->results[RESULT]->view.type);

  guarded_image_wipe (joint->results[RESULT]);
  for (gint64 y = 0; y < size->height * size->depth; y++)
    if (joint->finished[RESULT][y / unit])
      memcpy (row_of (&joint->expected[RESULT]->view, y), row_of (&joint->results[RESULT]->view, y),
              row);
  joint->rows = 1;
}

/* What was finished is not made again. */
static void
test_resumed (void)
{
  guint n_begun = 0;

  for (guint i = 0; i < test_count (40, 400); i++)
    {
      g_auto (Joint)     joint = { 0 };
      Palette            palette;
      WfLabelOptions     options;
      WfDistanceOptions  metric;

      joint_init_random (&joint, &palette);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &metric);
      if (i % 2)
        init_label (&joint, &options);
      else
        init_distances (&joint, &metric);
      joint_interrupt (&joint);
      if (! joint.expected[RESULT] || joint.expected[SECOND_RESULT] || ! joint_is_begun (&joint))
        continue;
      n_begun++;
      replace_finished (&joint);
      joint_check_parts (&joint);
    }
  g_assert_cmpuint (n_begun, >, 3);
}


/*  Failures  */

/* All ranks end, and each tells which one failed and why. */
static void
check_failure (Joint *joint)
{
  const guint      n      = g_test_rand_int_range (1, MOST_TEST_RANKS + 1);
  g_autofree char *prefix = NULL;

  joint->fail_rank  = g_test_rand_int_range (0, n);
  joint->fail_call  = 1;
  joint->fail_write = g_test_rand_bit ();
  prefix            = g_strdup_printf ("Rank %d on %s: Call 1 fails.", joint->fail_rank,
                                       g_get_host_name ());
  run_ranks (n, NULL, joint_run_rank, joint);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (joint->failures[i], ==, n == 1 ? "Call 1 fails." : prefix);
}

static void
test_failures (void)
{
  for (guint i = 0; i < test_count (120, 600); i++)
    {
      g_auto (Joint)       joint  = { .size = { 40, 50, 1 } };
      g_autofree double   *levels = g_new (double, 40 * 50);
      WfDistanceOptions    distance;
      WfLabelOptions       label;
      WfReconstructOptions reconstruct;
      WfWatershedOptions   watershed;

      make_landscape (WF_TYPE_U8, &joint.size, 1, levels);
      joint_init_levels (&joint, WF_TYPE_U8, levels);
      joint.sources[MARKER] = guarded_image_new_levels (WF_TYPE_U8, &joint.size, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &distance);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &label);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &reconstruct);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &watershed);
      if (i % 4 == 0)
        {
          init_distances (&joint, &distance);
          if (! joint.results[RESULT])
            joint_init_result (&joint, RESULT, WF_TYPE_F32);
        }
      else if (i % 4 == 1)
        init_label (&joint, &label);
      else if (i % 4 == 2)
        init_reconstruct (&joint, &reconstruct);
      else
        {
          g_clear_pointer (&joint.sources[MARKER], guarded_image_free);
          init_watershed (&joint, &watershed);
        }
      check_failure (&joint);
    }
}

/* A rank that is refused its memory; the way that ranks do not know. */
static void
test_refusals (void)
{
  g_auto (Joint)       joint  = { .size = { 40, 50, 1 } };
  g_autofree double   *levels = g_new (double, 40 * 50);
  WfReconstructOptions options;

  make_landscape (WF_TYPE_U8, &joint.size, 1, levels);
  joint_init_levels (&joint, WF_TYPE_U8, levels);
  joint.sources[MARKER] = guarded_image_new_levels (WF_TYPE_U8, &joint.size, levels);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  init_reconstruct (&joint, &options);
  joint.memory_limit = 1000;
  run_ranks (3, NULL, joint_run_rank, &joint);
  for (int i = 0; i < 3; i++)
    {
      g_assert_nonnull (joint.failures[i]);
      g_assert_nonnull (strstr (joint.failures[i], "of memory"));
      g_clear_pointer (&joint.failures[i], g_free);
    }
  joint.memory_limit = 0;
  joint.run          = run_reconstruct_queue;
  run_ranks (2, NULL, joint_run_rank, &joint);
  for (int i = 0; i < 2; i++)
    g_assert_nonnull (strstr (joint.failures[i], "by their summary only."));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/ranks/distances", test_distances);
  g_test_add_func ("/ranks/label", test_label);
  g_test_add_func ("/ranks/label-long", test_label_long);
  g_test_add_func ("/ranks/reconstruct", test_reconstruct);
  g_test_add_func ("/ranks/reconstruct-long", test_reconstruct_long);
  g_test_add_func ("/ranks/watershed", test_watershed);
  g_test_add_func ("/ranks/watershed-long", test_watershed_long);
  g_test_add_func ("/ranks/operations", test_operations);
  g_test_add_func ("/ranks/resumed", test_resumed);
  g_test_add_func ("/ranks/failures", test_failures);
  g_test_add_func ("/ranks/refusals", test_refusals);
  return g_test_run ();
}

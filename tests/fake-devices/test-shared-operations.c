/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations but reconstruction by several devices, in memory and in files: any of them, in any
 * order, with delays and failures, give the result of one.
 */

#include <math.h>

#include "sharing.h"
#include "tests/support/block-store.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* @files: whether blocks were written */
static void
check_result (const BlockStore   *store,
              const GuardedImage *expected,
              gboolean            files)
{
  g_assert_cmpint (guarded_image_find_difference (store->image, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (store->image));
  if (files)
    {
      g_assert_cmpint (store->n_written, ==, wf_image_n_pixels (&expected->view));
      g_assert_true (store->in_order || store->sink.any_order);
    }
}


/*  Labels  */

/* In memory or in files, which may take their blocks in any order. */
static void
check_labels (const RefSize  *size,
              GuardedImage   *image,
              WfLabelOptions *options,
              WfContext      *context,
              gint64          rows)
{
  GuardedImage          *expected   = guarded_image_new (WF_TYPE_U32, size, FALSE);
  GuardedImage          *labels     = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_auto (BlockStore)    source     = { 0 };
  g_auto (BlockStore)    sink       = { 0 };
  g_autoptr (GError)     error      = NULL;
  guint32                n_expected = 0, n_found = 0;

  block_store_init (&source, image);
  block_store_init (&sink, labels);
  sink.sink.any_order = g_test_rand_bit ();
  g_assert_true (wf_label (NULL, &image->view, &expected->view, &n_expected, options, NULL));
  if (rows > 0)
    wf_label_blocks (context, &source.source, &sink.sink, &n_found, options, rows, &error);
  else
    wf_label (context, &image->view, &labels->view, &n_found, options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_found, ==, n_expected);
  check_result (&sink, expected, rows > 0);
  guarded_image_free (expected);
}

static void
test_labels (void)
{
  for (guint i = 0; i < test_count (300, 3000); i++)
    {
      const char           *devices = random_devices ();
      const gboolean        files   = g_test_rand_bit ();
      const int             rows    = g_test_rand_int_range (1, 9);
      g_autoptr (WfContext) context = new_context (devices, files ? 0 : rows, WF_FALLBACK_CPU,
                                                   g_test_rand_bit ());
      WfLabelOptions        options;
      Palette               palette;
      RefSize               size;
      GuardedImage         *image   = random_packed (random_type (), &palette, &size);

      wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
      options.threshold    = palette.level[g_test_rand_int_range (0, palette.n)];
      if (! isfinite (options.threshold))
        options.threshold = NAN;
      options.connectivity = random_connectivity (&size);
      set_disturbance (i % 3 * 50, i % 2 * 300);
      check_labels (&size, image, &options, context, files ? rows : 0);
    }
  set_disturbance (0, 0);
}


/*  Distances  */

/* Of distances and of nearest pixels, as far as they are wanted. */
typedef struct
{
  WfDistanceOptions  options;
  BlockStore         image;
  gboolean           wanted[2];
  BlockStore         results[2];
  GuardedImage      *expected[2];
} Distances;

static void
distances_clear (Distances *work)
{
  block_store_clear (&work->image);
  for (int i = 0; i < 2; i++)
    {
      block_store_clear (&work->results[i]);
      g_clear_pointer (&work->expected[i], guarded_image_free);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Distances, distances_clear)

static void
random_options (WfDistanceOptions *options,
                const Palette     *palette)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  options->metric            = g_test_rand_int_range (0, 4);
  options->border_background = g_test_rand_bit ();
  options->signed_distance   = options->metric != WF_METRIC_SQUARED && g_test_rand_bit ();
  options->threshold         = palette->level[g_test_rand_int_range (0, palette->n)];
  if (! isfinite (options->threshold))
    options->threshold = NAN;
  if (g_test_rand_bit ())
    options->spacing[1] = 1.5;
}

static void
random_distances (Distances *work)
{
  const int  wishes = g_test_rand_int_range (1, 4);
  Palette    palette;
  RefSize    size;

  block_store_init (&work->image, random_packed (random_type (), &palette, &size));
  random_options (&work->options, &palette);
  for (int i = 0; i < 2; i++)
    {
      const WfType type = i == 0 ? wf_distance_get_type (&work->options) : WF_TYPE_U64;

      work->wanted[i]   = (wishes & 1 << i) != 0;
      work->expected[i] = guarded_image_new (type, &size, FALSE);
      block_store_init (&work->results[i], guarded_image_new (type, &size, FALSE));
      work->results[i].sink.any_order = g_test_rand_bit ();
    }
}

static void
measure (Distances  *work,
         WfContext  *context,
         gint64      rows,
         GError    **error)
{
  BlockStore     *results  = work->results;
  const gboolean *wanted   = work->wanted;

  if (rows > 0)
    wf_distance_blocks (context, &work->image.source, wanted[0] ? &results[0].sink : NULL,
                        wanted[1] ? &results[1].sink : NULL, &work->options, rows, error);
  else
    wf_distance (context, &work->image.image->view, wanted[0] ? &results[0].image->view : NULL,
                 wanted[1] ? &results[1].image->view : NULL, &work->options, error);
}

static void
test_distances (void)
{
  for (guint i = 0; i < test_count (300, 3000); i++)
    {
      const gboolean        files   = g_test_rand_bit ();
      const int             rows    = g_test_rand_int_range (1, 9);
      g_auto (Distances)    work    = { 0 };
      g_autoptr (WfContext) one     = wf_context_new ();
      g_autoptr (WfContext) context = new_context (random_devices (), files ? 0 : rows,
                                                   WF_FALLBACK_CPU, g_test_rand_bit ());
      g_autoptr (GError)    error   = NULL;

      random_distances (&work);
      g_assert_true (wf_distance (one, &work.image.image->view, &work.expected[0]->view,
                                  &work.expected[1]->view, &work.options, NULL));
      set_disturbance (i % 3 * 50, i % 2 * 300);
      measure (&work, context, files ? rows : 0, &error);
      g_assert_no_error (error);
      for (int k = 0; k < 2; k++)
        if (work.wanted[k])
          check_result (&work.results[k], work.expected[k], files);
      g_assert_cmpint (wf_context_get_report (context)->no_background, ==,
                       wf_context_get_report (one)->no_background);
    }
  set_disturbance (0, 0);
}

static void
see_forward (double   fraction,
             gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >, *last);
  *last = fraction;
}

/* Windows are right where no distance is longer than their margins; else the map is made anew. */
static void
test_windows (void)
{
  static const char * const devices[] = { "cuda:0", "cuda:0,cuda:1", "cuda:2,cpu" };
  guint                     n_made    = 0;
  const guint               n         = test_count (200, 2000);

  for (guint i = 0; i < n; i++)
    {
      const RefSize            size    = { g_test_rand_int_range (1, 90),
                                           g_test_rand_int_range (1, 90), 1 };
      /* one pixel of so many; of two, surely none is far from all of them */
      const int                sparse  = i % 2 == 0 ? 600 : i % 12 == 3 ? 2 : 6;
      g_autoptr (WfContext)    context = new_context (devices[i % G_N_ELEMENTS (devices)],
                                                      g_test_rand_int_range (8, 60),
                                                      WF_FALLBACK_CPU, TRUE);
      g_autoptr (GuardedImage) image   = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      g_autoptr (GuardedImage) made    = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      g_autoptr (GuardedImage) whole   = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      g_autofree guint8       *levels  = g_new (guint8, ref_n_pixels (&size));
      WfDistanceOptions        options;
      g_autoptr (GError)       error   = NULL;
      double                   fraction = 0.0;
      guint                    n_workers;

      for (gint64 p = 0; p < ref_n_pixels (&size); p++)
        levels[p] = g_test_rand_int_range (0, sparse) > 0;
      guarded_image_write (image, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
      options.metric          = (WfMetric) g_test_rand_int_range (0, 4);
      options.signed_distance = options.metric != WF_METRIC_SQUARED && g_test_rand_bit ();
      set_disturbance (i % 4 * 40, i % 2 * 300);
      if (options.metric == WF_METRIC_SQUARED)
        continue;
      g_assert_true (wf_distance (NULL, &image->view, &whole->view, NULL, &options, NULL));
      wf_context_set_progress (context, see_forward, &fraction);
      wf_distance (context, &image->view, &made->view, NULL, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (fraction, ==, 1.0);
      g_assert_cmpint (guarded_image_find_difference (made, whole->view.data), ==, -1);
      g_assert_true (guarded_image_is_guarded (made));
      n_made += i % G_N_ELEMENTS (devices) == 0 &&
                wf_context_get_worker_reports (context, &n_workers) != NULL;
    }
  set_disturbance (0, 0);
  g_assert_cmpuint (n_made, >, 0);
  g_assert_cmpuint (n_made, <, n / 3);
}

/* The distances may take the place of an image of their type; blocks are read after others have
 * been written.
 */
static void
test_distances_in_place (void)
{
  for (guint i = 0; i < test_count (50, 500); i++)
    {
      g_autoptr (WfContext)    context  = new_context ("all", g_test_rand_int_range (1, 9),
                                                       WF_FALLBACK_CPU, g_test_rand_bit ());
      g_autoptr (GError)       error    = NULL;
      Palette                  palette;
      RefSize                  size;
      g_autoptr (GuardedImage) image    = random_packed (WF_TYPE_F32, &palette, &size);
      g_autoptr (GuardedImage) expected = guarded_image_new (WF_TYPE_F32, &size, FALSE);

      g_assert_true (wf_distance (NULL, &image->view, &expected->view, NULL, NULL, NULL));
      wf_distance (context, &image->view, &image->view, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (image, expected->view.data), ==, -1);
      g_assert_true (guarded_image_is_guarded (image));
    }
}


/*  Files that fail  */

/* Lets the k-th call of a store fail: a write, or a read. */
static void
let_fail (BlockStore *store,
          gboolean    write,
          guint       k)
{
  store->n_reads       = store->n_writes = 0;
  store->fail_at_read  = write ? 0 : k;
  store->fail_at_write = write ? k : 0;
}

/* Each call fails once, whichever lane makes it; the error is that of the file. */
static void
test_files_fail (void)
{
  const RefSize             size      = { 40, 40, 1 };
  g_autofree double        *levels    = g_new (double, 40 * 40);
  g_auto (BlockStore)       image     = { 0 };
  g_auto (BlockStore)       labels    = { 0 };
  g_auto (BlockStore)       distances = { 0 };
  g_autoptr (WfContext)     context   = new_context ("all", 0, WF_FALLBACK_CPU, TRUE);
  guint32                   n;

  for (int p = 0; p < 40 * 40; p++)
    levels[p] = p % 7 == 0;
  block_store_init (&image, new_packed (WF_TYPE_U8, &size, levels));
  block_store_init (&labels, guarded_image_new (WF_TYPE_U32, &size, FALSE));
  block_store_init (&distances, guarded_image_new (WF_TYPE_F32, &size, FALSE));
  for (guint i = 0; i < 20; i++)
    {
      const gboolean  write = i % 2 == 0;
      const guint     k     = 1 + i / 2;

      let_fail (write ? &labels : &image, write, k);
      assert_refused_with (wf_label_blocks (context, &image.source, &labels.sink, &n, NULL, 4,
                                            &refusal), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      let_fail (write ? &distances : &image, write, k);
      assert_refused_with (wf_distance_blocks (context, &image.source, &distances.sink, NULL, NULL,
                                               4, &refusal), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      let_fail (&image, FALSE, 0);
    }
}


/*  Watershed  */

/* Its relief and its levels are sources, which lanes read; images in memory are sources, too. */
static void
test_watershed (void)
{
  for (guint i = 0; i < test_count (60, 600); i++)
    {
      const char           *devices = random_devices ();
      g_autoptr (WfContext) context = new_context (devices, 0, WF_FALLBACK_CPU, TRUE);
      g_autoptr (GError)    error   = NULL;
      g_auto (BlockStore)   image   = { 0 };
      g_auto (BlockStore)   scratch = { 0 };
      g_auto (BlockStore)   labels  = { 0 };
      GuardedImage         *expected;
      WfWatershedOptions    options;
      Palette               palette;
      RefSize               size;

      block_store_init (&image, random_packed (WF_TYPE_U8, &palette, &size));
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
      options.connectivity = random_connectivity (&size);
      options.gradient     = g_test_rand_int_range (0, 3);
      options.tolerance    = g_test_rand_int_range (0, 3);
      block_store_init (&scratch, guarded_image_new (WF_TYPE_U8, &size, FALSE));
      block_store_init (&labels, guarded_image_new (WF_TYPE_U32, &size, FALSE));
      expected = guarded_image_new (WF_TYPE_U32, &size, FALSE);
      g_assert_true (wf_watershed (NULL, &image.image->view, NULL, &expected->view, NULL, &options,
                                   NULL));
      if (g_test_rand_bit ())
        {
          image.source.image = &image.image->view;
          scratch.sink.image = &scratch.image->view;
          labels.sink.image  = &labels.image->view;
        }
      set_disturbance (i % 3 * 50, i % 2 * 200);
      wf_watershed_blocks (context, &image.source, NULL, &scratch.sink, &labels.sink, NULL,
                           &options, g_test_rand_int_range (1, 9), &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (labels.image, expected->view.data), ==, -1);
      guarded_image_free (expected);
    }
  set_disturbance (0, 0);
}



/*  What is built on reconstruction  */

static void
check_built (WfOperation    operation,
             WfContext     *context,
             GuardedImage  *levels,
             const RefSize *size,
             double         height)
{
  const WfType        type     = levels->view.type;
  const WfType        out_type = wf_operation_get_output_type (operation, 0, type, NULL);
  const WfImage      *inputs[] = { &levels->view };
  GuardedImage       *expected = guarded_image_new (out_type, size, FALSE);
  WfImage            *outputs[] = { &expected->view };
  g_auto (BlockStore) image    = { 0 };
  g_auto (BlockStore) scratch  = { 0 };
  g_auto (BlockStore) out      = { 0 };
  g_autoptr (GError)  error    = NULL;
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  options.connectivity = random_connectivity (size);
  options.height       = height;
  options.radius       = g_test_rand_int_range (0, 4);
  block_store_init (&image, levels);
  block_store_init (&scratch, guarded_image_new (type, size, FALSE));
  block_store_init (&out, guarded_image_new (out_type, size, FALSE));
  scratch.sink.any_order = g_test_rand_bit ();
  if (g_test_rand_bit ())
    out.sink.read = NULL;
  g_assert_true (wf_operation_run (NULL, operation, inputs, outputs, NULL, &options, NULL));
  wf_operation_run_blocks (context, operation, &image.source, &out.sink, &scratch.sink, &options,
                           (WfBlocksWay) g_test_rand_int_range (0, 3),
                           g_test_rand_int_range (1, 9), &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (out.image, expected->view.data), ==, -1);
  guarded_image_free (expected);
}

static void
test_built_on_reconstruction (void)
{
  static const WfOperation operations[] =
  {
    WF_OPERATION_FILL_HOLES, WF_OPERATION_CLEAR_BORDER, WF_OPERATION_H_MAXIMA,
    WF_OPERATION_H_BASIN, WF_OPERATION_EXTENDED_MINIMA, WF_OPERATION_OPENING_BY_RECONSTRUCTION,
    WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
  };

  for (guint i = 0; i < test_count (140, 1400); i++)
    {
      g_autoptr (WfContext) context = new_context (random_devices (), 0, WF_FALLBACK_CPU, TRUE);
      Palette               palette;
      RefSize               size;
      GuardedImage         *levels  = random_packed (random_type (), &palette, &size);

      set_disturbance (i % 3 * 50, i % 2 * 200);
      check_built (operations[i % G_N_ELEMENTS (operations)], context, levels, &size,
                   g_test_rand_int_range (0, 4));
    }
  set_disturbance (0, 0);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/shared-operations/labels", test_labels);
  g_test_add_func ("/shared-operations/distances", test_distances);
  g_test_add_func ("/shared-operations/distances-in-place", test_distances_in_place);
  g_test_add_func ("/shared-operations/windows", test_windows);
  g_test_add_func ("/shared-operations/files-fail", test_files_fail);
  g_test_add_func ("/shared-operations/watershed", test_watershed);
  g_test_add_func ("/shared-operations/built-on-reconstruction", test_built_on_reconstruction);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations but reconstruction by several devices, in memory and in files: any of them, in any
 * order, with delays and failures, give the result of one.
 */

#include <math.h>

#include "sharing.h"
#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static guint
random_sink_flags (void)
{
  return g_test_rand_bit () ? WF_SINK_TAKES_ANY_ORDER : 0;
}

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
      g_assert_true (store->in_order || (store->sink.flags & WF_SINK_TAKES_ANY_ORDER));
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
  sink.sink.flags = random_sink_flags ();
  g_assert_true (wf_label (NULL, &image->view, &expected->view, &n_expected, options, NULL));
  if (rows > 0)
    wf_label_blocks (context, &source.source, &sink.sink, &n_found, options, BLOCKS_OF (rows),
                     &error);
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
      work->results[i].sink.flags = random_sink_flags ();
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
                        wanted[1] ? &results[1].sink : NULL, &work->options, BLOCKS_OF (rows),
                        error);
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
      assert_refused_with (wf_label_blocks (context, &image.source, &labels.sink, &n, NULL,
                                            BLOCKS_OF (4), &refusal),
                           G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      let_fail (write ? &distances : &image, write, k);
      assert_refused_with (wf_distance_blocks (context, &image.source, &distances.sink, NULL, NULL,
                                               BLOCKS_OF (4), &refusal),
                           G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      let_fail (&image, FALSE, 0);
    }
}


/*  Watershed  */

/**
 * Flood:
 * @markers: without an image where the minima are the markers
 */
typedef struct
{
  BlockStore          image;
  BlockStore          markers;
  BlockStore          scratch;
  BlockStore          labels;
  GuardedImage       *expected;
  guint32             n_expected;
  WfWatershedOptions  options;
} Flood;

static void
flood_clear (Flood *flood)
{
  block_store_clear (&flood->image);
  block_store_clear (&flood->markers);
  block_store_clear (&flood->scratch);
  block_store_clear (&flood->labels);
  guarded_image_free (flood->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Flood, flood_clear)

static void
flood_init (Flood         *flood,
            GuardedImage  *image,
            const RefSize *size)
{
  WfWatershedOptions *options = &flood->options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), options);
  options->connectivity = random_connectivity (size);
  options->lines        = g_test_rand_bit ();
  options->last_index   = g_test_rand_bit ();
  options->gradient     = g_test_rand_bit () ? g_test_rand_int_range (1, 4) : 0;
  options->smoothing    = g_test_rand_bit () ? g_test_rand_double_range (0, 2) : 0;
  block_store_init (&flood->image, image);
  block_store_init (&flood->scratch, guarded_image_new (image->view.type, size, FALSE));
  block_store_init (&flood->labels, guarded_image_new (WF_TYPE_U32, size, FALSE));
  flood->labels.sink.flags = random_sink_flags ();
  flood->expected = guarded_image_new (WF_TYPE_U32, size, FALSE);
}

/* Some pixels, one at least. */
static void
add_markers (Flood         *flood,
             const RefSize *size)
{
  const gint64       n      = ref_n_pixels (size);
  g_autofree double *labels = g_new0 (double, n);

  for (gint64 p = 0; p < n; p++)
    labels[p] = g_test_rand_int_range (0, 10) == 0 ? g_test_rand_int_range (1, 5) : 0;
  labels[g_test_rand_int_range (0, n)] = 7;
  block_store_init (&flood->markers, new_packed (WF_TYPE_U32, size, labels));
}

/* Bands are of @rows rows; of an image in memory without markers, where @files is not set, or
 * of sources and sinks, which may be in memory, too.
 */
static void
check_flood (Flood      *flood,
             const char *devices,
             gboolean    files,
             int         rows)
{
  g_autoptr (WfContext)  context = new_context (devices, files ? 0 : rows, WF_FALLBACK_CPU,
                                                g_test_rand_bit ());
  const WfBlockSource   *markers = flood->markers.image ? &flood->markers.source : NULL;
  const WfImage         *marked  = markers ? &flood->markers.image->view : NULL;
  g_autoptr (GError)     error   = NULL;
  guint32                n       = 0;

  wf_watershed (NULL, &flood->image.image->view, marked, &flood->expected->view,
                &flood->n_expected, &flood->options, &error);
  g_assert_no_error (error);
  if (files)
    wf_watershed_blocks (context, &flood->image.source, markers, &flood->scratch.sink,
                         &flood->labels.sink, &n, &flood->options, BLOCKS_OF (rows), &error);
  else
    wf_watershed (context, &flood->image.image->view, marked, &flood->labels.image->view, &n,
                  &flood->options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, flood->n_expected);
  check_result (&flood->labels, flood->expected, files && ! flood->labels.sink.image);
}

/* Any image, from minima, with a tolerance or from markers; sometimes some or all strips at seams
 * tell nothing.
 */
static void
test_watershed (void)
{
  for (guint i = 0; i < test_count (400, 4000); i++)
    {
      g_auto (Flood)  flood = { 0 };
      const gboolean  files = g_test_rand_bit ();
      Palette         palette;
      RefSize         size;
      GuardedImage   *image = random_packed (random_type (), &palette, &size);

      flood_init (&flood, image, &size);
      if (i % 4 == 1)
        flood.options.tolerance = g_test_rand_int_range (1, 3);
      if (i % 4 == 2)
        add_markers (&flood, &size);
      if (files && g_test_rand_bit ())
        {
          flood.image.source.image = &flood.image.image->view;
          flood.scratch.sink.image = &flood.scratch.image->view;
          flood.labels.sink.image  = &flood.labels.image->view;
        }
      set_disturbance (i % 3 * 50, i / 3 % 2 * 200);
      g_setenv ("WAVEFRONT_FAKE_BLIND", i % 8 == 4 ? "300" : i % 8 == 7 ? "1000" : "0", TRUE);
      check_flood (&flood, random_devices (), files, g_test_rand_int_range (1, 9));
    }
  g_unsetenv ("WAVEFRONT_FAKE_BLIND");
  set_disturbance (0, 0);
}

/* Plateaux that lie over many seams: constant images, one pixel lower, and corridors that wind
 * through the bands.
 */
static void
test_watershed_plateaux (void)
{
  static const RefSize sizes[] = { { 40, 50, 1 }, { 1, 70, 1 }, { 17, 90, 1 }, { 9, 8, 12 } };

  for (guint i = 0; i < test_count (80, 800); i++)
    {
      const RefSize     *size   = &sizes[i % G_N_ELEMENTS (sizes)];
      const gint64       n      = ref_n_pixels (size);
      g_autofree double *levels = g_new (double, n);
      g_auto (Flood)     flood  = { 0 };

      for (gint64 p = 0; p < n; p++)
        levels[p] = 7;
      if (i / 4 % 4 == 1)
        levels[g_test_rand_int_range (0, n)] = 2;
      else if (i / 4 % 4 == 2)
        make_corridor (size, 3, 200, levels);
      else if (i / 4 % 4 == 3)
        make_corridor (size, 200, 3, levels);
      flood_init (&flood, new_packed (WF_TYPE_U8, size, levels), size);
      flood.options.gradient  = 0;
      flood.options.smoothing = 0;
      set_disturbance (i % 3 * 30, i % 2 * 200);
      check_flood (&flood, random_devices (), g_test_rand_bit (), g_test_rand_int_range (1, 9));
    }
  set_disturbance (0, 0);
}

/* Seams so wide that several threads follow the paths from them.  Images are noise, or corridors
 * that lead through many bands.
 */
static void
test_watershed_wide_seams (void)
{
  const RefSize size = { 5000, 40, 1 };
  const gint64  n    = ref_n_pixels (&size);

  for (guint i = 0; i < test_count (4, 40); i++)
    {
      WfContextOptions      options;
      g_autoptr (WfContext) context = wf_context_new ();
      g_autofree double    *levels  = g_new (double, n);
      g_auto (Flood)        flood   = { 0 };
      g_autoptr (GError)    error   = NULL;
      guint32               n_found = 0;

      wf_option_group_init (wf_context_get_options (), &options);
      options.device    = "cuda:0,cuda:1";
      options.threads   = 40;
      options.tile_size = g_test_rand_int_range (3, 12);
      g_assert_true (wf_context_configure (context, &options, NULL));
      for (gint64 p = 0; p < n; p++)
        levels[p] = g_test_rand_int_range (0, i % 2 ? 200 : 3);
      if (i % 4 > 1)
        make_corridor (&size, 3, 200, levels);
      flood_init (&flood, new_packed (WF_TYPE_U8, &size, levels), &size);
      wf_watershed (NULL, &flood.image.image->view, NULL, &flood.expected->view,
                    &flood.n_expected, &flood.options, &error);
      g_assert_no_error (error);
      wf_watershed (context, &flood.image.image->view, NULL, &flood.labels.image->view, &n_found,
                    &flood.options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n_found, ==, flood.n_expected);
      check_result (&flood.labels, flood.expected, FALSE);
    }
}

/* Devices that have room for some bands, or for none. */
static void
test_watershed_memory (void)
{
  for (guint i = 0; i < test_count (60, 600); i++)
    {
      g_auto (Flood)   flood = { 0 };
      const RefSize    size  = { 100, 300, 1 };
      g_autofree char *bytes = g_strdup_printf ("%d", g_test_rand_int_range (30000, 600000));
      Palette          palette;
      g_autofree double *levels = g_new (double, 100 * 300);

      random_palette (WF_TYPE_U8, &palette);
      random_content (&size, &palette, levels);
      flood_init (&flood, new_packed (WF_TYPE_U8, &size, levels), &size);
      g_setenv ("WAVEFRONT_FAKE_MEMORY", bytes, TRUE);
      set_disturbance (i % 3 * 20, 100);
      check_flood (&flood, random_devices (), i % 2, g_test_rand_int_range (5, 40));
    }
  g_unsetenv ("WAVEFRONT_FAKE_MEMORY");
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
  const WfBlockSource *sources[] = { &image.source };
  g_autoptr (GError)  error    = NULL;
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  options.connectivity = random_connectivity (size);
  options.height       = height;
  options.radius       = g_test_rand_int_range (0, 4);
  block_store_init (&image, levels);
  block_store_init (&scratch, guarded_image_new (type, size, FALSE));
  block_store_init (&out, guarded_image_new (out_type, size, FALSE));
  scratch.sink.flags = random_sink_flags ();
  if (g_test_rand_bit ())
    out.sink.read = NULL;
  g_assert_true (wf_operation_run (NULL, operation, inputs, outputs, NULL, &options, NULL));
  wf_operation_run_blocks (context, operation, sources, &out.sink, &scratch.sink, &options,
                           BLOCKS (g_test_rand_int_range (0, 3), g_test_rand_int_range (1, 9)),
                           &error);
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
  g_test_add_func ("/shared-operations/watershed-plateaux", test_watershed_plateaux);
  g_test_add_func ("/shared-operations/watershed-wide-seams", test_watershed_wide_seams);
  g_test_add_func ("/shared-operations/watershed-memory", test_watershed_memory);
  g_test_add_func ("/shared-operations/built-on-reconstruction", test_built_on_reconstruction);
  return g_test_run ();
}

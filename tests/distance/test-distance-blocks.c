/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps of images in blocks against those of the whole image in memory. */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/cases.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* @with_distances, @with_nearest: the outputs that are requested */
typedef struct
{
  WfDistanceOptions  options;
  BlockStore         image;
  BlockStore         distances;
  BlockStore         nearest;
  GuardedImage      *expected;
  GuardedImage      *expected_nearest;
  gboolean           with_distances;
  gboolean           with_nearest;
  gboolean           no_background;
} Blocks;

static void
init_options (WfDistanceOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
}

static WfContext *
context_with_threads (int threads)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device  = "cpu";
  options.threads = threads;
  g_assert_true (wf_context_configure (context, &options, NULL));
  return context;
}

/* The options are set by the caller. */
static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *levels)
{
  const WfType          out     = wf_distance_get_type (&blocks->options);
  g_autoptr (WfContext) context = context_with_threads (2);
  g_autoptr (GError)    error   = NULL;

  blocks->with_distances = blocks->with_nearest = TRUE;
  block_store_init (&blocks->image, guarded_image_new_levels (type, size, levels));
  block_store_init (&blocks->distances, guarded_image_new (out, size, TRUE));
  block_store_init (&blocks->nearest, guarded_image_new (WF_TYPE_U64, size, TRUE));
  blocks->expected         = guarded_image_new (out, size, FALSE);
  blocks->expected_nearest = guarded_image_new (WF_TYPE_U64, size, FALSE);

  g_assert_true (wf_distance (context, &blocks->image.image->view, &blocks->expected->view,
                              &blocks->expected_nearest->view, &blocks->options, &error));
  g_assert_no_error (error);
  blocks->no_background = wf_context_get_report (context)->no_background;
}

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->image);
  block_store_clear (&blocks->distances);
  block_store_clear (&blocks->nearest);
  g_clear_pointer (&blocks->expected, guarded_image_free);
  g_clear_pointer (&blocks->expected_nearest, guarded_image_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gboolean
run (Blocks     *blocks,
     WfContext  *context,
     gint64      rows,
     GError    **error)
{
  BlockStore * const stores[] = { &blocks->image, &blocks->distances, &blocks->nearest };

  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      stores[i]->n_reads   = stores[i]->n_writes = 0;
      stores[i]->n_written = 0;
      stores[i]->in_order  = TRUE;
    }
  return wf_distance_blocks (context, &blocks->image.source,
                             blocks->with_distances ? &blocks->distances.sink : NULL,
                             blocks->with_nearest ? &blocks->nearest.sink : NULL,
                             &blocks->options, BLOCKS_OF (rows), error);
}

static void
check_output (const BlockStore   *store,
              const GuardedImage *expected,
              gboolean            requested)
{
  if (! requested)
    {
      g_assert_cmpuint (store->n_writes, ==, 0);
      return;
    }
  g_assert_cmpint (guarded_image_find_difference (store->image, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (store->image));
  g_assert_true (store->in_order);
  g_assert_cmpint (store->n_written, ==, wf_image_n_pixels (&expected->view));
}

static void
check_in (Blocks    *blocks,
          WfContext *context,
          gint64     rows)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (run (blocks, context, rows, &error));
  g_assert_no_error (error);
  check_output (&blocks->distances, blocks->expected, blocks->with_distances);
  check_output (&blocks->nearest, blocks->expected_nearest, blocks->with_nearest);
  g_assert_cmpint (wf_context_get_report (context)->no_background, ==, blocks->no_background);
}

static void
check (Blocks *blocks,
       gint64  rows)
{
  g_autoptr (WfContext) context = context_with_threads (g_test_rand_int_range (1, 4));

  check_in (blocks, context, rows);
}

/* Both outputs, or one of them, for which there are other algorithms. */
static void
check_wishes (Blocks *blocks,
              gint64  rows)
{
  for (int wish = 1; wish <= 3; wish++)
    {
      blocks->with_distances = wish & 1;
      blocks->with_nearest   = wish >> 1;
      check (blocks, rows);
    }
}

static gint64
count_units (const RefSize *size)
{
  return size->depth > 1 ? size->depth : size->height;
}


/*  Random images  */

static void
random_options (WfDistanceOptions *options,
                const RefSize     *size)
{
  init_options (options);
  options->metric            = g_test_rand_int_range (0, 4);
  options->border_background = g_test_rand_bit ();
  options->connectivity      = random_connectivity (size);
  options->signed_distance   = options->metric != WF_METRIC_SQUARED && g_test_rand_bit ();
  random_spacing (g_test_rand_int_range (0, 4) == 0 ? SPACINGS_EXTREME : SPACINGS_ANY,
                  options->spacing);
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (400, 4000); i++)
    {
      g_auto (Blocks)     blocks = { 0 };
      g_autofree double  *levels = NULL;
      WfType              type   = random_type ();
      RefSize             size;
      Palette             palette;

      random_size (&size);
      levels = g_new (double, ref_n_pixels (&size));
      random_palette (type, &palette);
      random_content (&size, &palette, levels);
      random_options (&blocks.options, &size);
      if (g_test_rand_bit () && isfinite (palette.level[palette.n / 2]))
        blocks.options.threshold = palette.level[palette.n / 2];
      blocks_init (&blocks, type, &size, levels);
      check_wishes (&blocks, g_test_rand_int_range (1, count_units (&size) + 2));
    }
}

/* Long distances across many bands, also where many pixels are at equal distances. */
static void
test_few_sites (void)
{
  for (guint i = 0; i < test_count (60, 600); i++)
    {
      g_auto (Blocks)     blocks = { 0 };
      const gboolean      stack  = g_test_rand_int_range (0, 3) == 0;
      const RefSize       size   = { g_test_rand_int_range (1, stack ? 8 : 40),
                                     g_test_rand_int_range (1, stack ? 8 : 90),
                                     stack ? g_test_rand_int_range (2, 20) : 1 };
      const gint64        n      = ref_n_pixels (&size);
      g_autofree double  *levels = g_new (double, n);

      for (gint64 p = 0; p < n; p++)
        levels[p] = 1;
      for (int k = g_test_rand_int_range (1, 9); k > 0; k--)
        levels[g_test_rand_int_range (0, (gint32) n)] = 0;
      random_options (&blocks.options, &size);
      blocks_init (&blocks, WF_TYPE_U8, &size, levels);
      check_wishes (&blocks, g_test_rand_int_range (1, 8));
    }
}

/* Background in the first row or slice alone, in the last alone, in both, nowhere. */
static void
test_ends (void)
{
  static const RefSize sizes[] = { { 70, 40, 1 }, { 6, 5, 9 } };

  for (guint i = 0; i < 2 * 4 * 8; i++)
    {
      g_auto (Blocks)     blocks = { 0 };
      const RefSize      *size   = &sizes[i % 2];
      const int           where  = i / 2 % 4;
      const gint64        n      = ref_n_pixels (size);
      const gint64        a_unit = n / count_units (size);
      g_autofree double  *levels = g_new (double, n);

      for (gint64 p = 0; p < n; p++)
        levels[p] = ! ((where & 1 && p < a_unit) || (where & 2 && p >= n - a_unit));
      init_options (&blocks.options);
      blocks.options.metric            = i / 8 % 4;
      blocks.options.border_background = i / 32;
      blocks.options.signed_distance   = blocks.options.metric != WF_METRIC_SQUARED && where % 2;
      blocks_init (&blocks, WF_TYPE_U16, size, levels);
      g_assert_cmpint (blocks.no_background, ==, where == 0 && i < 32);
      check_wishes (&blocks, 1 + i % 5);
    }
}

/* Distances that do not fit 16 bits: in some columns, where those in others do, and in all. */
static void
test_tall (void)
{
  const RefSize       size   = { 3, 140000, 1 };
  const gint64        n      = ref_n_pixels (&size);
  g_autofree double  *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    levels[p] = 1;
  levels[0] = 0;
  levels[2] = 0;

  for (int i = 0; i < 4; i++)
    {
      g_auto (Blocks) blocks = { 0 };

      init_options (&blocks.options);
      blocks.options.signed_distance = i % 2;
      levels[210002] = levels[n - 2] = i / 2;
      blocks_init (&blocks, WF_TYPE_U8, &size, levels);
      blocks.with_nearest = FALSE;
      check (&blocks, 9000);
      check (&blocks, 66000);
    }
}


/*  Memory, refusals, failures  */

static void
test_memory_limit (void)
{
  const RefSize         size    = { 1500, 2000, 1 };
  g_autofree double    *levels  = g_new (double, ref_n_pixels (&size));
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();

  make_landscape (WF_TYPE_U8, &size, 1, levels);
  init_options (&blocks.options);
  blocks.options.threshold = 127;
  blocks_init (&blocks, WF_TYPE_U8, &size, levels);
  blocks.with_nearest = FALSE;
  wf_context_set_memory_limit (context, 4 << 20);
  check_in (&blocks, context, 0);
  /* image and distances of a block take 5 bytes a pixel */
  g_assert_cmpint (blocks.image.largest * 5, <, 4 << 20);
  g_assert_cmpint (blocks.image.largest * 12, >, 4 << 20);
  g_assert_cmpuint (blocks.image.n_reads, ==, 2 * blocks.distances.n_writes);

  blocks.with_nearest = TRUE;
  check_in (&blocks, context, 0);

  /* the positions of 2000 bands take 12 MB */
  assert_refused (run (&blocks, context, 1, &refusal), WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, 10000);
  assert_refused (run (&blocks, context, 0, &refusal), WF_ERROR_MEMORY);
}

/* Bytes that a message of a refusal names, rounded up. */
static guint64
find_needed (const GError *error)
{
  const char *number = strpbrk (error->message, "0123456789");
  char       *unit;
  double      needed = g_ascii_strtod (number, &unit);

  unit = g_utf8_next_char (unit);
  return ceil ((needed + 0.05) * (*unit == 'M' ? 1e6 : *unit == 'k' ? 1e3 : 1));
}

/* A refusal names a limit that is enough, and a larger one is as well; long blocks keep few
 * positions, short ones many.
 */
static void
test_least_memory (void)
{
  static const RefSize sizes[] = { { 50, 40, 30 }, { 70, 300, 1 }, { 3, 900, 1 }, { 9, 4, 200 } };

  for (guint i = 0; i < test_count (24, 240); i++)
    {
      const RefSize      *size    = &sizes[i % G_N_ELEMENTS (sizes)];
      g_autofree double  *levels  = g_new (double, ref_n_pixels (size));
      g_auto (Blocks)     blocks  = { 0 };
      gboolean            refused = FALSE;

      make_landscape (WF_TYPE_U8, size, i % 3, levels);
      init_options (&blocks.options);
      blocks.options.threshold       = 127;
      blocks.options.signed_distance = i / 4 % 2;
      blocks_init (&blocks, WF_TYPE_U8, size, levels);
      blocks.with_nearest = i / 8 % 2;
      for (guint64 limit = 1 << 10, needed = 0; limit < 4 << 20; limit += limit / 3)
        {
          g_autoptr (WfContext) context = context_with_threads (1);
          g_autoptr (GError)    error   = NULL;

          if (needed)
            limit = needed;
          wf_context_set_memory_limit (context, limit);
          if (! needed && ! refused && ! run (&blocks, context, 0, &error))
            {
              g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
              needed  = find_needed (error);
              refused = TRUE;
              g_assert_cmpuint (needed, >, limit);
              continue;
            }
          check_in (&blocks, context, 0);
          needed = 0;
        }
      g_assert_true (refused);
    }
}

/* Among equally near pixels the first lie above the bands. */
static void
init_small (Blocks *blocks)
{
  static const double levels[] = { 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1 };
  const RefSize       size     = { 3, 6, 1 };

  init_options (&blocks->options);
  blocks->options.metric = WF_METRIC_CHESSBOARD;
  blocks_init (blocks, WF_TYPE_F32, &size, levels);
}

static void
test_refused_options (void)
{
  static const char * const algorithms[] = { "propagation", "proximate", "scan" };
  g_auto (Blocks)           blocks       = { 0 };

  init_small (&blocks);
  blocks.options.connectivity = 26;
  assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  init_options (&blocks.options);
  blocks.options.metric          = WF_METRIC_SQUARED;
  blocks.options.signed_distance = TRUE;
  assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.options.signed_distance = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (algorithms); i++)
    {
      blocks.options.algorithm = algorithms[i];
      assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_UNSUPPORTED);
    }
  init_options (&blocks.options);
  blocks.with_distances = blocks.with_nearest = FALSE;
  assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
}

static void
test_refused_images (void)
{
  g_auto (Blocks)              blocks      = { 0 };
  g_autoptr (WfContext)        context     = wf_context_new ();
  g_autoptr (GError)           error       = NULL;
  g_autoptr (GCancellable)     cancellable = g_cancellable_new ();

  init_small (&blocks);
  blocks.image.source.type = WF_TYPE_U32;
  assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.image.source.type   = WF_TYPE_F32;
  blocks.image.source.height = 0;
  assert_refused (run (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.image.source.height = 6;

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (run (&blocks, context, 2, &refusal), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (blocks.distances.n_written, ==, 0);

  guarded_image_set_float (blocks.image.image, 13, NAN);
  g_assert_false (run (&blocks, NULL, 2, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "row 4"));
}

static void
check_failures (Blocks *blocks,
                guint  *failing,
                guint   n_calls)
{
  for (*failing = 1; *failing <= n_calls; (*failing)++)
    assert_refused_with (run (blocks, NULL, 2, &refusal), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  *failing = 0;
}

/* Each call to the source and the sinks fails once. */
static void
test_failures (void)
{
  g_auto (Blocks) blocks = { 0 };

  init_small (&blocks);
  check (&blocks, 2);
  /* 2 reads for each of 3 bands; above the last two, nearest pixels are searched for */
  g_assert_cmpuint (blocks.image.n_reads, >, 6);
  check_failures (&blocks, &blocks.image.fail_at_read, blocks.image.n_reads);
  check_failures (&blocks, &blocks.distances.fail_at_write, 3);
  check_failures (&blocks, &blocks.nearest.fail_at_write, 3);
  check (&blocks, 2);
}


/*  Progress and cancelling  */

/* @cancellable: cancelled at the call @cancel_at, if that is not 0 */
typedef struct
{
  double        last;
  guint         n_calls;
  guint         cancel_at;
  GCancellable *cancellable;
} Seen;

static void
see (double   fraction,
     gpointer data)
{
  Seen *seen = data;

  g_assert_cmpfloat (fraction, >=, seen->last);
  g_assert_cmpfloat (fraction, <=, 1);
  seen->last = fraction;
  if (++seen->n_calls == seen->cancel_at)
    g_cancellable_cancel (seen->cancellable);
}

static void
test_progress (void)
{
  g_auto (Blocks)          blocks      = { 0 };
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Seen                     seen        = { .cancellable = cancellable };
  guint                    n_calls;

  init_small (&blocks);
  wf_context_set_progress (context, see, &seen);
  wf_context_set_cancellable (context, cancellable);
  g_assert_true (run (&blocks, context, 2, NULL));
  g_assert_cmpfloat (seen.last, ==, 1);
  g_assert_cmpuint (seen.n_calls, >=, 6);

  n_calls = seen.n_calls;
  for (guint i = 1; i < n_calls; i++)
    {
      g_cancellable_reset (cancellable);
      seen = (Seen) { .cancel_at = i, .cancellable = cancellable };
      assert_refused_with (run (&blocks, context, 2, &refusal), G_IO_ERROR,
                           G_IO_ERROR_CANCELLED);
    }

  /* the caller's function is there again */
  g_cancellable_reset (cancellable);
  seen = (Seen) { 0 };
  g_assert_true (wf_distance (context, &blocks.image.image->view, &blocks.distances.image->view,
                              NULL, &blocks.options, NULL));
  g_assert_cmpfloat (seen.last, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/distance-blocks/random", test_random);
  g_test_add_func ("/distance-blocks/few-sites", test_few_sites);
  g_test_add_func ("/distance-blocks/ends", test_ends);
  g_test_add_func ("/distance-blocks/tall", test_tall);
  g_test_add_func ("/distance-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/distance-blocks/least-memory", test_least_memory);
  g_test_add_func ("/distance-blocks/refused-options", test_refused_options);
  g_test_add_func ("/distance-blocks/refused-images", test_refused_images);
  g_test_add_func ("/distance-blocks/failures", test_failures);
  g_test_add_func ("/distance-blocks/progress", test_progress);
  return g_test_run ();
}

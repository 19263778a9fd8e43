/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Watersheds of images in blocks against those of the whole image in memory. */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/**
 * Blocks:
 * @markers: without pixels where the minima are the markers
 * @scratch: of the type and size of @image
 */
typedef struct
{
  WfWatershedOptions  options;
  BlockStore          image;
  BlockStore          markers;
  BlockStore          scratch;
  BlockStore          labels;
  GuardedImage       *expected;
  guint32             n_expected;
} Blocks;

static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *levels,
             int            connectivity)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &blocks->options);
  blocks->options.connectivity = connectivity;
  block_store_init (&blocks->image, guarded_image_new_levels (type, size, levels));
  block_store_init (&blocks->scratch, guarded_image_new (type, size, TRUE));
  block_store_init (&blocks->labels, guarded_image_new (WF_TYPE_U32, size, TRUE));
  blocks->expected = guarded_image_new (WF_TYPE_U32, size, FALSE);
}

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->image);
  block_store_clear (&blocks->markers);
  block_store_clear (&blocks->scratch);
  block_store_clear (&blocks->labels);
  guarded_image_free (blocks->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

/* @way: 0: from minima, 1: with a tolerance, 2: from markers at two places */
static void
set_way (Blocks *blocks,
         int     way)
{
  const WfImage *image = &blocks->image.image->view;
  const RefSize  size  = { image->width, image->height, image->depth };
  const gint64   n     = ref_n_pixels (&size);

  if (way == 1)
    blocks->options.tolerance = 1;
  if (way == 2)
    {
      g_autofree double *labels = g_new0 (double, n);

      labels[n / 3]     = 70000;
      labels[n / 3 + 1] = 70000;
      labels[n - 2]     = 4;
      block_store_init (&blocks->markers, guarded_image_new_levels (WF_TYPE_U32, &size, labels));
    }
}

static void
expect (Blocks *blocks)
{
  const WfImage *markers = blocks->markers.image ? &blocks->markers.image->view : NULL;

  g_assert_true (wf_watershed (NULL, &blocks->image.image->view, markers, &blocks->expected->view,
                               &blocks->n_expected, &blocks->options, NULL));
}

static gboolean
run (Blocks     *blocks,
     WfContext  *context,
     gint64      rows,
     guint32    *n,
     GError    **error)
{
  blocks->labels.n_written = 0;
  blocks->labels.in_order  = TRUE;
  return wf_watershed_blocks (context, &blocks->image.source,
                              blocks->markers.image ? &blocks->markers.source : NULL,
                              blocks->markers.image || blocks->options.tolerance > 0
                              ? &blocks->scratch.sink : NULL,
                              &blocks->labels.sink, n, &blocks->options, BLOCKS_OF (rows), error);
}

static void
check (Blocks    *blocks,
       WfContext *context,
       gint64     rows)
{
  g_autoptr (GError) error = NULL;
  guint32            n     = 0;

  g_assert_true (run (blocks, context, rows, &n, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, blocks->n_expected);
  g_assert_cmpint (guarded_image_find_difference (blocks->labels.image,
                                                  blocks->expected->view.data), ==, -1);
  g_assert_true (blocks->labels.in_order);
  g_assert_cmpint (blocks->labels.n_written, ==, wf_image_n_pixels (&blocks->expected->view));
}

/* With filters in every second case, whose windows may be larger than the image. */
static void
random_options (WfWatershedOptions *options)
{
  options->lines      = g_test_rand_bit ();
  options->last_index = g_test_rand_bit ();
  if (g_test_rand_bit ())
    options->smoothing = g_test_rand_double_range (0, 3);
  if (g_test_rand_bit ())
    options->gradient = g_test_rand_int_range (1, g_test_rand_bit () ? 3 : 40);
}

/* About the difference of two levels of the image. */
static double
random_tolerance (const Palette *palette)
{
  const double a = palette->level[g_test_rand_int_range (0, palette->n)];
  const double b = palette->level[g_test_rand_int_range (0, palette->n)];

  return isfinite (a - b) ? fabs (a - b) + g_test_rand_int_range (0, 3) / 2.0 : 1;
}

/* Markers of some labels, which may be any, on a part of the pixels; one pixel at least. */
static void
add_random_markers (Blocks *blocks)
{
  const WfImage *image    = &blocks->image.image->view;
  const RefSize  size     = { image->width, image->height, image->depth };
  const gint64   n        = ref_n_pixels (&size);
  const guint32  top      = g_test_rand_bit () ? G_MAXUINT32 : g_test_rand_int_range (1, 9);
  const int      share    = g_test_rand_int_range (1, 30);
  g_autofree double *labels = g_new0 (double, n);

  for (gint64 p = 0; p < n; p++)
    if (g_test_rand_int_range (0, share) == 0)
      labels[p] = top - (guint32) g_test_rand_int_range (0, MIN (top, 7));
  labels[g_test_rand_int_range (0, n)] = top;
  block_store_init (&blocks->markers, guarded_image_new_levels (WF_TYPE_U32, &size, labels));
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (200, 4000); i++)
    {
      g_auto (Blocks)       blocks  = { 0 };
      g_autoptr (WfContext) context = wf_context_new ();
      g_autofree double    *levels  = NULL;
      WfContextOptions      where;
      WfType                type    = random_type ();
      RefSize               size;
      Palette               palette;

      random_size (&size);
      levels = g_new (double, ref_n_pixels (&size));
      random_palette (type, &palette);
      random_content (&size, &palette, levels);
      blocks_init (&blocks, type, &size, levels, random_connectivity (&size));
      random_options (&blocks.options);
      if (g_test_rand_int_range (0, 3) == 0)
        add_random_markers (&blocks);
      else if (g_test_rand_bit ())
        blocks.options.tolerance = random_tolerance (&palette);
      expect (&blocks);

      wf_option_group_init (wf_context_get_options (), &where);
      where.threads   = g_test_rand_int_range (1, 4);
      where.tile_size = g_test_rand_int_range (0, 9);
      g_assert_true (wf_context_configure (context, &where, NULL));
      check (&blocks, context,
             g_test_rand_int_range (1, (size.depth > 1 ? size.depth : size.height) + 2));
    }
}

static void
check_plateau (const RefSize *size,
               const double  *levels)
{
  for (int i = 0; i < 12; i++)
    {
      g_auto (Blocks) blocks = { 0 };

      blocks_init (&blocks, WF_TYPE_U16, size, levels, i % 2 ? 4 : 8);
      blocks.options.lines = i / 2 % 2;
      set_way (&blocks, i / 4);
      expect (&blocks);
      for (gint64 rows = test_count (5, 1); rows <= size->height; rows *= 2)
        check (&blocks, NULL, rows);
    }
}

/* A plateau that fills all bands, with one lower pixel at an end; one that winds through them; and
 * one that holds nothing lower.
 */
static void
test_wide_plateaux (void)
{
  const RefSize      size   = { 23, 320, 1 };
  const RefSize      winds  = { 61, 83, 1 };
  const gint64       n      = ref_n_pixels (&size);
  g_autofree double *levels = g_new (double, MAX (n, ref_n_pixels (&winds)));

  for (gint64 p = 0; p < n; p++)
    levels[p] = 7;
  check_plateau (&size, levels);
  levels[n - 3] = 2;
  check_plateau (&size, levels);
  levels[5] = 3;
  check_plateau (&size, levels);
  make_corridor (&winds, 3, 200, levels);
  check_plateau (&winds, levels);
  make_corridor (&winds, 200, 3, levels);
  check_plateau (&winds, levels);
}

static void
check_memory_limit (int way)
{
  const RefSize         size    = { 1500, 2000, 1 };
  g_autofree double    *levels  = g_new (double, ref_n_pixels (&size));
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();
  const BlockStore     *flooded = way == 2 ? &blocks.markers : &blocks.image;

  make_landscape (WF_TYPE_U8, &size, 3, levels);
  blocks_init (&blocks, WF_TYPE_U8, &size, levels, 8);
  set_way (&blocks, way);
  expect (&blocks);
  wf_context_set_memory_limit (context, 8 << 20);
  check (&blocks, context, 0);
  /* levels, L2, arrows and labels of a block take 10 bytes a pixel */
  g_assert_cmpint (flooded->largest * 10, <, 8 << 20);
  g_assert_cmpint (flooded->largest * 30, >, 8 << 20);

  wf_context_set_memory_limit (context, 10000);
  assert_refused (run (&blocks, context, 0, NULL, &refusal), WF_ERROR_MEMORY);
}

static void
test_memory_limit (void)
{
  check_memory_limit (0);
  check_memory_limit (2);
}

/* Limits from one that is too small to one for the whole: what fits once fits from there on. */
static void
check_limits (int way)
{
  const RefSize         size    = { 4000, 70, 1 };
  g_autofree double    *levels  = g_new (double, ref_n_pixels (&size));
  g_autoptr (WfContext) context = wf_context_new ();
  guint64               least   = 0;

  make_landscape (WF_TYPE_U8, &size, 5, levels);
  for (guint64 limit = 300000; limit < 8 << 20; limit += limit / test_count (4, 16))
    {
      g_auto (Blocks)    blocks = { 0 };
      g_autoptr (GError) error  = NULL;

      blocks_init (&blocks, WF_TYPE_U8, &size, levels, 8);
      set_way (&blocks, way);
      wf_context_set_memory_limit (context, limit);
      if (least == 0 && ! run (&blocks, context, 0, NULL, &error))
        {
          g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
          continue;
        }
      if (least == 0)
        least = limit;
      expect (&blocks);
      check (&blocks, context, 0);
    }
  /* a row takes 80 kB, all that is kept at a seam as much as two, and a visit needs two more */
  g_assert_cmpuint (least, >, 300000);
  g_assert_cmpuint (least, <, 30 * 80000);
}

static void
test_limits (void)
{
  for (int way = 0; way < 3; way++)
    check_limits (way);
}

static void
init_small (Blocks *blocks)
{
  static const double levels[] = { 1, 0, 1, 1, 0, 1, 1, 1, 1, 2, 2, 0, 1, 0, 1 };
  const RefSize       size     = { 3, 5, 1 };

  blocks_init (blocks, WF_TYPE_F32, &size, levels, 8);
}

static void
test_refusals (void)
{
  g_auto (Blocks)          blocks      = { 0 };
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  init_small (&blocks);
  blocks.options.connectivity = 6;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.options.connectivity   = 8;
  blocks.options.reduction_rate = 1;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.options.reduction_rate = 0;
  blocks.options.block_width    = 32;
  blocks.options.block_height   = 16;
  blocks.options.block_depth    = 3;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.options.block_depth    = 2;
  g_assert_true (run (&blocks, NULL, 2, NULL, NULL));
  blocks.labels.n_written       = 0;

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (run (&blocks, context, 2, NULL, &refusal), G_IO_ERROR,
                       G_IO_ERROR_CANCELLED);
  g_assert_cmpint (blocks.labels.n_written, ==, 0);
}

/* Markers with a tolerance, without pixels, of another type or size. */
static void
test_refused_markers (void)
{
  g_auto (Blocks) blocks = { 0 };
  WfBlockSource  *markers = &blocks.markers.source;

  init_small (&blocks);
  set_way (&blocks, 2);
  blocks.options.tolerance = 1;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.options.tolerance = 0;
  markers->height--;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  markers->height++;
  markers->type = WF_TYPE_U16;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  markers->type = WF_TYPE_U32;
  for (gint64 y = 0; y < 5; y++)
    memset ((guint32 *) blocks.markers.image->view.data
            + y * blocks.markers.image->view.row_stride, 0, 3 * sizeof (guint32));
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  g_assert_cmpint (blocks.labels.n_written, ==, 0);
}

/* NaN is found in the image, not in what is made of it. */
static void
test_nan (void)
{
  for (int i = 0; i < 9; i++)
    {
      g_auto (Blocks)    blocks = { 0 };
      g_autoptr (GError) error  = NULL;

      init_small (&blocks);
      set_way (&blocks, i / 3);
      blocks.options.smoothing = i % 3 == 1 ? 0.5 : 0;
      blocks.options.gradient  = i % 3 == 2;
      ((float *) blocks.image.image->view.data)[3 * blocks.image.image->view.row_stride + 2] = NAN;
      g_assert_false (run (&blocks, NULL, 1, NULL, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "image"));
      g_assert_nonnull (strstr (error->message, "row 3"));
      g_assert_cmpint (blocks.labels.n_written, ==, 0);
    }
}

/* Each call to a source or a sink fails once.  @calls, @failing: of the store */
static void
check_failing (Blocks *blocks,
               guint  *calls,
               guint  *failing)
{
  guint n = 0;

  for (;;)
    {
      g_autoptr (GError) error = NULL;

      *calls   = 0;
      *failing = n + 1;
      if (run (blocks, NULL, 2, NULL, &error))
        break;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      n++;
    }
  g_assert_cmpuint (n, ==, *calls);
  g_assert_cmpuint (n, >=, 3);
  *failing = 0;
}

static void
test_failures (void)
{
  for (int way = 0; way < 3; way++)
    for (int gradient = 0; gradient < 2; gradient++)
      {
        g_auto (Blocks) blocks = { 0 };

        init_small (&blocks);
        blocks.options.gradient = gradient;
        set_way (&blocks, way);
        check_failing (&blocks, &blocks.image.n_reads, &blocks.image.fail_at_read);
        check_failing (&blocks, &blocks.labels.n_writes, &blocks.labels.fail_at_write);
        if (way > 0)
          {
            check_failing (&blocks, &blocks.scratch.n_reads, &blocks.scratch.fail_at_read);
            check_failing (&blocks, &blocks.scratch.n_writes, &blocks.scratch.fail_at_write);
          }
        if (way == 2)
          check_failing (&blocks, &blocks.markers.n_reads, &blocks.markers.fail_at_read);
        expect (&blocks);
        check (&blocks, NULL, 2);
      }
}

static void
see (double   fraction,
     gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
}

static void
test_progress (void)
{
  for (int way = 0; way < 3; way++)
    {
      g_auto (Blocks)       blocks  = { 0 };
      g_autoptr (WfContext) context = wf_context_new ();
      double                last    = 0;

      init_small (&blocks);
      set_way (&blocks, way);
      wf_context_set_progress (context, see, &last);
      expect (&blocks);
      check (&blocks, context, 1);
      g_assert_cmpfloat (last, ==, 1);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watershed-blocks/random", test_random);
  g_test_add_func ("/watershed-blocks/wide-plateaux", test_wide_plateaux);
  g_test_add_func ("/watershed-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/watershed-blocks/limits", test_limits);
  g_test_add_func ("/watershed-blocks/refusals", test_refusals);
  g_test_add_func ("/watershed-blocks/refused-markers", test_refused_markers);
  g_test_add_func ("/watershed-blocks/nan", test_nan);
  g_test_add_func ("/watershed-blocks/failures", test_failures);
  g_test_add_func ("/watershed-blocks/progress", test_progress);
  return g_test_run ();
}

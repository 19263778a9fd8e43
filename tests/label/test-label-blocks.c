/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Components of images in blocks against those of the whole image in memory. */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

typedef struct
{
  WfLabelOptions  options;
  BlockStore      image;
  BlockStore      labels;
  GuardedImage   *expected;
  guint32         n_expected;
} Blocks;

static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *levels,
             double         threshold,
             int            connectivity)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &blocks->options);
  blocks->options.threshold    = threshold;
  blocks->options.connectivity = connectivity;
  block_store_init (&blocks->image, guarded_image_new_levels (type, size, levels));
  block_store_init (&blocks->labels, guarded_image_new (WF_TYPE_U32, size, TRUE));
  blocks->expected = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_assert_true (wf_label (NULL, &blocks->image.image->view, &blocks->expected->view,
                           &blocks->n_expected, &blocks->options, NULL));
}

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->image);
  block_store_clear (&blocks->labels);
  guarded_image_free (blocks->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gboolean
run (Blocks     *blocks,
     WfContext  *context,
     gint64      rows,
     guint32    *n,
     GError    **error)
{
  return wf_label_blocks (context, &blocks->image.source, &blocks->labels.sink, n,
                          &blocks->options, BLOCKS_OF (rows), error);
}

static void
check (Blocks *blocks,
       gint64  rows)
{
  g_autoptr (GError) error = NULL;
  guint32            n     = 0;

  g_assert_true (run (blocks, NULL, rows, &n, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, blocks->n_expected);
  g_assert_cmpint (guarded_image_find_difference (blocks->labels.image,
                                                  blocks->expected->view.data), ==, -1);
  g_assert_true (blocks->labels.in_order);
  g_assert_cmpint (blocks->labels.n_written, ==, wf_image_n_pixels (&blocks->expected->view));
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
      double              threshold;
      gint64              units;

      random_size (&size);
      levels = g_new (double, ref_n_pixels (&size));
      random_palette (type, &palette);
      random_content (&size, &palette, levels);
      threshold = palette.level[palette.n / 2];
      blocks_init (&blocks, type, &size, levels, isfinite (threshold) ? threshold : NAN,
                   random_connectivity (&size));
      units = size.depth > 1 ? size.depth : size.height;
      check (&blocks, g_test_rand_int_range (1, units + 2));
    }
}

/* One component that crosses each seam many times, and a comb whose teeth meet in the last band. */
static void
test_long_components (void)
{
  const RefSize       size   = { 61, 83, 1 };
  g_autofree double  *levels = g_new (double, ref_n_pixels (&size));
  g_auto (Blocks)     winds  = { 0 };
  g_auto (Blocks)     comb   = { 0 };

  make_corridor (&size, 200, 3, levels);
  blocks_init (&winds, WF_TYPE_U8, &size, levels, 100, 4);
  for (gint64 y = 0; y < size.height; y++)
    for (gint64 x = 0; x < size.width; x++)
      levels[y * size.width + x] = x % 2 == 0 || y == size.height - 1;
  blocks_init (&comb, WF_TYPE_U8, &size, levels, 0, 4);
  g_assert_cmpuint (comb.n_expected, ==, 1);

  for (gint64 rows = 1; rows <= size.height; rows += 1 + rows / 8)
    {
      check (&winds, rows);
      check (&comb, rows);
      winds.labels.n_written = comb.labels.n_written = 0;
    }
}

static void
test_memory_limit (void)
{
  const RefSize         size    = { 1500, 2000, 1 };
  g_autofree double    *levels  = g_new (double, ref_n_pixels (&size));
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();
  guint32               n       = 0;

  make_landscape (WF_TYPE_U8, &size, 1, levels);
  blocks_init (&blocks, WF_TYPE_U8, &size, levels, 127, 8);
  wf_context_set_memory_limit (context, 4 << 20);
  g_assert_true (run (&blocks, context, 0, &n, NULL));
  g_assert_cmpuint (n, ==, blocks.n_expected);
  g_assert_cmpint (guarded_image_find_difference (blocks.labels.image,
                                                  blocks.expected->view.data), ==, -1);
  /* image and labels of a block take 5 bytes a pixel */
  g_assert_cmpint (blocks.image.largest * 5, <, 4 << 20);
  g_assert_cmpint (blocks.image.largest * 12, >, 4 << 20);
  g_assert_cmpuint (blocks.image.n_reads, ==, 2 * blocks.labels.n_writes);

  wf_context_set_memory_limit (context, 10000);
  assert_refused (run (&blocks, context, 0, &n, &refusal), WF_ERROR_MEMORY);
}

static void
init_small (Blocks *blocks)
{
  static const double levels[] = { 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1 };
  const RefSize       size     = { 3, 5, 1 };

  blocks_init (blocks, WF_TYPE_F32, &size, levels, 0, 8);
}

static void
test_refusals (void)
{
  g_auto (Blocks)         blocks  = { 0 };
  g_autoptr (WfContext)   context = wf_context_new ();
  g_autoptr (GError)      error   = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  init_small (&blocks);
  blocks.options.connectivity = 26;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.options.connectivity = 8;
  blocks.image.source.type    = WF_TYPE_U32;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.image.source.type   = WF_TYPE_F32;
  blocks.image.source.height = 0;
  assert_refused (run (&blocks, NULL, 2, NULL, &refusal), WF_ERROR_INVALID);
  blocks.image.source.height = 5;

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (run (&blocks, context, 2, NULL, &refusal), G_IO_ERROR,
                       G_IO_ERROR_CANCELLED);
  g_assert_cmpint (blocks.labels.n_written, ==, 0);

  guarded_image_set_float (blocks.image.image, 13, NAN);
  g_assert_false (run (&blocks, NULL, 2, NULL, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "row 4"));
}

/* Each call to the source and the sink fails once. */
static void
test_failures (void)
{
  g_auto (Blocks) blocks = { 0 };

  init_small (&blocks);
  for (guint i = 1; i <= 6; i++)
    {
      blocks.image.n_reads      = 0;
      blocks.image.fail_at_read = i;
      assert_refused_with (run (&blocks, NULL, 2, NULL, &refusal), G_IO_ERROR,
                           G_IO_ERROR_NO_SPACE);
    }
  blocks.image.fail_at_read = 0;
  for (guint i = 1; i <= 3; i++)
    {
      blocks.labels.n_writes      = 0;
      blocks.labels.fail_at_write = i;
      assert_refused_with (run (&blocks, NULL, 2, NULL, &refusal), G_IO_ERROR,
                           G_IO_ERROR_NO_SPACE);
    }
  blocks.labels.fail_at_write = 0;
  blocks.labels.n_written     = 0;
  blocks.labels.in_order      = TRUE;
  check (&blocks, 2);
}

typedef struct
{
  double last;
  guint  n_calls;
} Seen;

static void
see (double   fraction,
     gpointer data)
{
  Seen *seen = data;

  g_assert_cmpfloat (fraction, >=, seen->last);
  g_assert_cmpfloat (fraction, <=, 1);
  seen->last = fraction;
  seen->n_calls++;
}

static void
test_progress (void)
{
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();
  Seen                  seen    = { 0 };

  init_small (&blocks);
  wf_context_set_progress (context, see, &seen);
  g_assert_true (run (&blocks, context, 2, NULL, NULL));
  g_assert_cmpfloat (seen.last, ==, 1);
  g_assert_cmpuint (seen.n_calls, >=, 6);

  /* the caller's function is there again */
  seen = (Seen) { 0 };
  g_assert_true (wf_label (context, &blocks.image.image->view, &blocks.labels.image->view, NULL,
                           &blocks.options, NULL));
  g_assert_cmpfloat (seen.last, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label-blocks/random", test_random);
  g_test_add_func ("/label-blocks/long-components", test_long_components);
  g_test_add_func ("/label-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/label-blocks/refusals", test_refusals);
  g_test_add_func ("/label-blocks/failures", test_failures);
  g_test_add_func ("/label-blocks/progress", test_progress);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measurements of basins of images in blocks against those of the whole image in memory; and that
 * the sums of both do not depend on the order of the pixels.
 */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/random-image.h"
#include "tests/support/random-labels.h"
#include "tests/support/refusals.h"
#include "tests/support/same-basins.h"
#include "tests/support/tiers.h"

typedef struct
{
  RefSize     size;
  int         connectivity;
  gboolean    with_relief;
  BlockStore  image;
  BlockStore  relief;
  BlockStore  labels;
} Blocks;

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->image);
  block_store_clear (&blocks->relief);
  block_store_clear (&blocks->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gboolean
measure (Blocks     *blocks,
         WfContext  *context,
         gint64      rows,
         WfBasin   **basins,
         guint32    *n,
         GError    **error)
{
  return wf_basins_measure_blocks (context, &blocks->image.source,
                                   blocks->with_relief ? &blocks->relief.source : NULL,
                                   &blocks->labels.source, blocks->connectivity, basins, n,
                                   BLOCKS_OF (rows), error);
}

static void
check (Blocks *blocks,
       gint64  rows)
{
  g_autofree WfBasin *found      = NULL;
  g_autofree WfBasin *expected   = NULL;
  guint32             n_found    = 0;
  guint32             n_expected = 0;

  g_assert_true (wf_basins_measure (NULL, &blocks->image.image->view,
                                    blocks->with_relief ? &blocks->relief.image->view : NULL,
                                    &blocks->labels.image->view, blocks->connectivity, &expected,
                                    &n_expected, NULL));
  g_assert_true (measure (blocks, NULL, rows, &found, &n_found, NULL));
  assert_same_basins (found, n_found, expected, n_expected);
}

/* Numbers of all sizes, of which a double holds no sum. */
static void
add_hard_levels (GuardedImage *image,
                 gint64        n,
                 gboolean      with_nan)
{
  for (gint64 i = 0; i < n; i++)
    switch (g_test_rand_int_range (0, 6))
      {
      case 0:
        guarded_image_set_float (image, i, (float) ldexp (1, g_test_rand_int_range (-149, 127)));
        break;
      case 1:
        guarded_image_set_float (image, i, -(float) ldexp (1.3, g_test_rand_int_range (-30, 120)));
        break;
      case 2:
        if (g_test_rand_int_range (0, 8) == 0)
          guarded_image_set_float (image, i, with_nan && g_test_rand_bit () ? NAN : INFINITY);
        break;
      default:
        break;
      }
}

static void
blocks_init (Blocks *blocks)
{
  const WfType        type   = random_type ();
  g_autofree double  *levels = NULL;
  g_autofree double  *other  = NULL;
  g_autofree guint32 *labels = NULL;
  Palette             palette;
  gint64              n;

  random_size (&blocks->size);
  n      = ref_n_pixels (&blocks->size);
  levels = g_new (double, n);
  other  = g_new (double, n);
  labels = g_new0 (guint32, n);
  random_palette (type, &palette);
  random_content (&blocks->size, &palette, levels);
  random_content (&blocks->size, &palette, other);
  if (g_test_rand_int_range (0, 20))
    random_basins (&blocks->size, type, levels, labels);
  blocks->connectivity = random_connectivity (&blocks->size);
  blocks->with_relief  = g_test_rand_bit ();
  block_store_init (&blocks->image, guarded_image_new_levels (type, &blocks->size, levels));
  block_store_init (&blocks->relief, guarded_image_new_levels (type, &blocks->size, other));
  block_store_init (&blocks->labels, guarded_image_new_labels (&blocks->size, labels));
  if (type == WF_TYPE_F32 && g_test_rand_bit ())
    add_hard_levels (blocks->image.image, n, blocks->with_relief);
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (600, 6000); i++)
    {
      g_auto (Blocks) blocks = { 0 };

      blocks_init (&blocks);
      check (&blocks, g_test_rand_int_range (1, blocks.size.height + blocks.size.depth + 1));
      g_assert_cmpuint (blocks.image.n_reads, <=, blocks.labels.n_reads);
    }
}

/* One basin whose levels cancel each other but for the last bits, in any order. */
static void
test_exact (void)
{
  static const float  levels[] = { 1e30f, 1, -1e30f, 0x1p-140f, 3, 1e-30f, -1e-30f, 2 };
  const guint         n        = G_N_ELEMENTS (levels);

  for (guint i = 0; i < 40; i++)
    {
      g_autofree WfBasin *basins   = NULL;
      guint32             n_basins = 0;
      float               shuffled[G_N_ELEMENTS (levels)];
      guint32             labels[G_N_ELEMENTS (levels)];
      WfImage             image, label_image;

      memcpy (shuffled, levels, sizeof levels);
      for (guint k = 0; k < n; k++)
        {
          const guint other = g_test_rand_int_range (k, n);
          const float level = shuffled[k];

          shuffled[k]     = shuffled[other];
          shuffled[other] = level;
          labels[k]       = 5;
        }
      g_assert_true (wf_image_init (&image, WF_TYPE_F32, n, 1, 1, shuffled, NULL));
      g_assert_true (wf_image_init (&label_image, WF_TYPE_U32, n, 1, 1, labels, NULL));
      g_assert_true (wf_basins_measure (NULL, &image, NULL, &label_image, 0, &basins, &n_basins,
                                        NULL));
      g_assert_cmpuint (n_basins, ==, 1);
      g_assert_cmpfloat (basins[0].mean, ==, 6.0 / n);
    }
}

static void
test_negative (void)
{
  float               levels[]   = { -1e20f, 1, -3, -1e20f };
  guint32             labels[]   = { 1, 2, 2, 1 };
  g_autofree WfBasin *basins     = NULL;
  guint32             n_basins   = 0;
  WfImage             image, label_image;

  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 4, 1, 1, levels, NULL));
  g_assert_true (wf_image_init (&label_image, WF_TYPE_U32, 4, 1, 1, labels, NULL));
  g_assert_true (wf_basins_measure (NULL, &image, NULL, &label_image, 0, &basins, &n_basins, NULL));
  g_assert_cmpfloat (basins[0].mean, ==, (double) -1e20f);
  g_assert_cmpfloat (basins[1].mean, ==, -1);
}

static void
test_refusals (void)
{
  g_auto (Blocks)          blocks      = { 0 };
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WfBasin                 *basins      = NULL;
  guint32                  n           = 7;

  blocks_init (&blocks);
  blocks.image.fail_at_read = 1;
  blocks.with_relief        = FALSE;
  assert_refused_with (measure (&blocks, NULL, 2, &basins, &n, &refusal), G_IO_ERROR,
                       G_IO_ERROR_NO_SPACE);
  blocks.image.fail_at_read = 0;
  blocks.connectivity       = 7;
  assert_refused (measure (&blocks, NULL, 2, &basins, &n, &refusal), WF_ERROR_INVALID);
  blocks.connectivity = 0;
  wf_context_set_memory_limit (context, 100);
  assert_refused (measure (&blocks, context, 0, &basins, &n, &refusal), WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, 0);
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (measure (&blocks, context, 2, &basins, &n, &refusal), G_IO_ERROR,
                       G_IO_ERROR_CANCELLED);
  g_assert_null (basins);
  g_assert_cmpuint (n, ==, 7);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/basins-blocks/random", test_random);
  g_test_add_func ("/basins-blocks/exact", test_exact);
  g_test_add_func ("/basins-blocks/negative", test_negative);
  g_test_add_func ("/basins-blocks/refusals", test_refusals);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many labels there are, and the largest one: against a table of all, in memory and in blocks;
 * files that fail; refusals; cancelling.
 */

#include "tests/support/block-store.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"


static guint32
random_label (guint32 range)
{
  const guint32 label = (guint32) g_test_rand_int () % range;

  return g_test_rand_int_range (0, 4) == 0 ? 0 : range < 1000 ? label : label * 40503u;
}

static void
check (const RefSize *size,
       guint32        range)
{
  const gint64            n       = ref_n_pixels (size);
  const gint64            units   = size->depth > 1 ? size->depth : size->height;
  g_autofree guint32     *labels  = g_new (guint32, n);
  g_autoptr (GHashTable)  met     = g_hash_table_new (NULL, NULL);
  g_auto (BlockStore)     store   = { 0 };
  WfBlockSource           source  = { 0 };
  guint32                 highest = 0;
  guint32                 n_found = 7;
  WfImage                 packed;

  for (gint64 i = 0; i < n; i++)
    {
      labels[i] = random_label (range);
      highest   = MAX (highest, labels[i]);
      if (labels[i] != 0)
        g_hash_table_add (met, GUINT_TO_POINTER (labels[i]));
    }
  block_store_init (&store, guarded_image_new_labels (size, labels));
  g_assert_cmpuint (wf_labels_get_highest (&store.image->view), ==, highest);
  g_assert_true (wf_labels_count_blocks (NULL, &store.source, &n_found,
                                         BLOCKS_OF (g_test_rand_int_range (0, (int) units + 2)),
                                         NULL));
  g_assert_cmpuint (n_found, ==, g_hash_table_size (met));

  g_assert_true (wf_image_init (&packed, WF_TYPE_U32, size->width, size->height, size->depth,
                                labels, NULL));
  source  = (WfBlockSource) { .type = WF_TYPE_U32, .width = size->width, .height = size->height,
                              .depth = size->depth, .image = &packed };
  n_found = 7;
  g_assert_true (wf_labels_count_blocks (NULL, &source, &n_found,
                                         BLOCKS_OF (g_test_rand_int_range (0, (int) units + 2)),
                                         NULL));
  g_assert_cmpuint (n_found, ==, g_hash_table_size (met));
}

static void
test_random (void)
{
  static const guint32 ranges[] = { 1, 2, 50, 100000, G_MAXUINT32 };

  for (guint i = 0; i < test_count (200, 1000); i++)
    {
      RefSize size;

      random_size (&size);
      check (&size, ranges[i % G_N_ELEMENTS (ranges)]);
    }
}

static void
test_refusals (void)
{
  const RefSize             size        = { 9, 40, 1 };
  guint32                   labels[360] = { 0 };
  g_auto (BlockStore)       store       = { 0 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  guint32                   n           = 7;
  WfBlockSource             other;

  for (guint32 i = 0; i < 360; i++)
    labels[i] = i * 10007u;
  block_store_init (&store, guarded_image_new_labels (&size, labels));
  other      = store.source;
  other.type = WF_TYPE_F32;
  assert_refused (wf_labels_count_blocks (NULL, &other, &n, NULL, &refusal), WF_ERROR_INVALID);
  store.fail_at_read = 3;
  assert_refused_with (wf_labels_count_blocks (NULL, &store.source, &n, BLOCKS_OF (4), &refusal),
                       G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  store.fail_at_read = 0;
  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_labels_count_blocks (context, &store.source, &n, NULL, &refusal),
                  WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, 0);
  g_cancellable_cancel (cancellable);
  wf_context_set_cancellable (context, cancellable);
  assert_refused_with (wf_labels_count_blocks (context, &store.source, &n, BLOCKS_OF (4),
                                               &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (n, ==, 7);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/label-count/random", test_random);
  g_test_add_func ("/label-count/refusals", test_refusals);
  return g_test_run ();
}

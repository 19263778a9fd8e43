/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies of images in blocks, their partitions and saliency maps, against those of the whole
 * image in memory.
 */

#include <math.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/random-labels.h"
#include "tests/support/refusals.h"
#include "tests/support/same-basins.h"
#include "tests/support/tiers.h"

typedef struct
{
  RefSize             size;
  WfHierarchyOptions  options;
  BlockStore          image;
  BlockStore          labels;
  WfHierarchy        *expected;
} Blocks;

static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *levels,
             const guint32 *labels)
{
  blocks->size = *size;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &blocks->options);
  block_store_init (&blocks->image, guarded_image_new_levels (type, size, levels));
  block_store_init (&blocks->labels, guarded_image_new_labels (size, labels));
}

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->image);
  block_store_clear (&blocks->labels);
  g_clear_pointer (&blocks->expected, wf_hierarchy_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gint64
count_units (const RefSize *size)
{
  return size->depth > 1 ? size->depth : size->height;
}

static WfHierarchy *
build (Blocks     *blocks,
       WfContext  *context,
       gint64      rows,
       GError    **error)
{
  return wf_hierarchy_new_blocks (context, &blocks->image.source, &blocks->labels.source,
                                  &blocks->options, BLOCKS_OF (rows), error);
}

static gboolean
can_build (Blocks     *blocks,
           WfContext  *context,
           gint64      rows,
           GError    **error)
{
  g_autoptr (WfHierarchy) found = build (blocks, context, rows, error);

  return found != NULL;
}

static guint32 *
cut_anywhere (const WfHierarchy *hierarchy)
{
  const guint32  n       = wf_hierarchy_get_n_basins (hierarchy);
  guint32       *regions = g_new (guint32, n);

  wf_hierarchy_cut_to_count (hierarchy, g_test_rand_int_range (1, (gint32) n + 1), regions);
  return regions;
}

static void
check_written (const BlockStore   *store,
               const GuardedImage *expected)
{
  g_assert_cmpint (guarded_image_find_difference (store->image, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (store->image));
  g_assert_true (store->in_order);
  g_assert_cmpint (store->n_written, ==, wf_image_n_pixels (&expected->view));
}

static void
check_partition (Blocks            *blocks,
                 const WfHierarchy *found,
                 gint64             rows)
{
  g_autofree guint32      *regions  = cut_anywhere (blocks->expected);
  g_autoptr (GuardedImage) expected = guarded_image_new (WF_TYPE_U32, &blocks->size, FALSE);
  g_auto (BlockStore)      out      = { 0 };

  block_store_init (&out, guarded_image_new (WF_TYPE_U32, &blocks->size, TRUE));
  g_assert_true (wf_hierarchy_relabel (NULL, blocks->expected, regions, &blocks->labels.image->view,
                                       &expected->view, NULL));
  g_assert_true (wf_hierarchy_relabel_blocks (NULL, found, regions, &blocks->labels.source,
                                              &out.sink, BLOCKS_OF (rows), NULL));
  check_written (&out, expected);
}

static void
check_saliency (Blocks            *blocks,
                const WfHierarchy *found,
                gint64             rows)
{
  const WfType             type     = g_test_rand_bit () ? WF_TYPE_F32 : WF_TYPE_F64;
  g_autoptr (GuardedImage) expected = guarded_image_new (type, &blocks->size, FALSE);
  g_auto (BlockStore)      out      = { 0 };

  block_store_init (&out, guarded_image_new (type, &blocks->size, TRUE));
  g_assert_true (wf_hierarchy_saliency (NULL, blocks->expected, &blocks->labels.image->view,
                                        &expected->view, NULL));
  g_assert_true (wf_hierarchy_saliency_blocks (NULL, found, &blocks->labels.source, &out.sink,
                                               type, BLOCKS_OF (rows), NULL));
  check_written (&out, expected);
}

static void
check (Blocks *blocks,
       gint64  rows)
{
  g_autoptr (GError)      error = NULL;
  g_autoptr (WfHierarchy) found = NULL;

  g_clear_pointer (&blocks->expected, wf_hierarchy_unref);
  blocks->expected = wf_hierarchy_new (NULL, &blocks->image.image->view,
                                       &blocks->labels.image->view, &blocks->options, &error);
  g_assert_no_error (error);
  found = build (blocks, NULL, rows, &error);
  g_assert_no_error (error);
  assert_same_hierarchies (found, blocks->expected);
  check_partition (blocks, found, rows);
  check_saliency (blocks, found, rows);
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (600, 6000); i++)
    {
      g_auto (Blocks)     blocks = { 0 };
      g_autofree double  *levels = NULL;
      g_autofree guint32 *labels = NULL;
      const WfType        type   = random_type ();
      RefSize             size;
      Palette             palette;
      const char         *kind;

      random_size (&size);
      levels = g_new (double, ref_n_pixels (&size));
      labels = g_new0 (guint32, ref_n_pixels (&size));
      random_palette (type, &palette);
      random_content (&size, &palette, levels);
      kind = random_basins (&size, type, levels, labels);
      g_test_message ("%s", kind);
      blocks_init (&blocks, type, &size, levels, labels);
      blocks.options.measure      = g_test_rand_int_range (0, 3);
      blocks.options.connectivity = random_connectivity (&size);
      check (&blocks, g_test_rand_int_range (1, count_units (&size) + 2));
    }
}

/* Basins, lines and unlabelled valleys that cross each seam many times: paths over unlabelled
 * pixels go from band to band and back.
 */
static void
test_long (void)
{
  const RefSize size = { 61, 83, 1 };

  for (guint i = 0; i < test_count (24, 240); i++)
    {
      g_auto (Blocks)     blocks = { 0 };
      g_autofree double  *levels = g_new (double, ref_n_pixels (&size));
      g_autofree guint32 *labels = g_new0 (guint32, ref_n_pixels (&size));
      const gint64        n      = ref_n_pixels (&size);

      if (i % 2)
        make_corridor (&size, 3, 200, levels);
      else
        make_landscape (WF_TYPE_U8, &size, i / 2 % 4, levels);
      if (i % 3 == 0)
        random_basins (&size, WF_TYPE_U8, levels, labels);
      for (gint64 p = 0; i % 3 == 1 && p < n; p++)
        labels[p] = levels[p] > 100 ? 1 + p / 300 : 0;
      for (int k = 0; i % 3 == 2 && k < 5; k++)
        labels[g_test_rand_int_range (0, (gint32) n)] = 1 + k;
      if (ref_count_labels (labels, n) == 0)
        labels[n - 1] = 7;
      blocks_init (&blocks, WF_TYPE_U8, &size, levels, labels);
      blocks.options.measure      = i / 2 % 3;
      blocks.options.connectivity = i % 4 < 2 ? 4 : 8;
      for (gint64 rows = 1; rows <= size.height; rows += 1 + rows / 4)
        check (&blocks, rows);
    }
}

/* A path that falls along a corridor of unlabelled pixels over all bands, many times. */
static void
test_falling_path (void)
{
  const RefSize       size   = { 31, 40, 1 };
  g_auto (Blocks)     blocks = { 0 };
  g_autofree double  *levels = g_new (double, ref_n_pixels (&size));
  g_autofree guint32 *labels = g_new0 (guint32, ref_n_pixels (&size));

  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    {
      const gint64 x = p % size.width;
      const gint64 y = p / size.width;
      const gint64 s = x / 2 * size.height + (x / 2 % 2 ? size.height - 1 - y : y);

      levels[p] = x % 2 == 0 || y == (x / 2 % 2 ? 0 : size.height - 1) ? 60000 - 10 * s : 65000;
      labels[p] = levels[p] == 65000 ? 1 + (guint32) (x / 6) : 0;
    }
  labels[size.width - 1] = 77;
  blocks_init (&blocks, WF_TYPE_U16, &size, levels, labels);
  blocks.options.connectivity = 4;
  for (gint64 rows = 1; rows <= size.height; rows++)
    check (&blocks, rows);
}

static void
test_memory_limit (void)
{
  const RefSize           size     = { 1500, 2000, 1 };
  g_autofree double      *levels   = g_new (double, ref_n_pixels (&size));
  g_autofree guint32     *labels   = g_new0 (guint32, ref_n_pixels (&size));
  g_auto (Blocks)         blocks   = { 0 };
  g_autoptr (WfContext)   context  = wf_context_new ();
  g_autoptr (WfHierarchy) found    = NULL;

  make_landscape (WF_TYPE_U8, &size, 1, levels);
  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    labels[p] = 1 + (guint32) (p % size.width / 50 + 30 * (p / size.width / 50));
  blocks_init (&blocks, WF_TYPE_U8, &size, levels, labels);
  wf_context_set_memory_limit (context, 8 << 20);
  found           = build (&blocks, context, 0, NULL);
  blocks.expected = wf_hierarchy_new (NULL, &blocks.image.image->view, &blocks.labels.image->view,
                                      &blocks.options, NULL);
  assert_same_hierarchies (found, blocks.expected);
  /* image and labels of a block take 5 bytes a pixel */
  g_assert_cmpint (blocks.image.largest * 5, <, 8 << 20);
  g_assert_cmpuint (blocks.image.n_reads, >, 4);
  g_assert_cmpuint (blocks.image.n_reads, ==, blocks.labels.n_reads);

  wf_context_set_memory_limit (context, 100000);
  assert_refused (can_build (&blocks, context, 0, &refusal), WF_ERROR_MEMORY);
  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    labels[p] = (guint32) p + 1;
  guarded_image_write (blocks.labels.image, labels);
  wf_context_set_memory_limit (context, 16 << 20);
  assert_refused (can_build (&blocks, context, 0, &refusal), WF_ERROR_MEMORY);
}

static void
init_small (Blocks *blocks)
{
  static const double  levels[] = { 1, 4, 1, 1, 4, 1, 1, 5, 1, 4, 4, 4, 1, 3, 1 };
  static const guint32 labels[] = { 1, 0, 2, 1, 0, 2, 1, 0, 2, 0, 0, 0, 3, 3, 4 };
  const RefSize        size     = { 3, 5, 1 };

  blocks_init (blocks, WF_TYPE_F32, &size, levels, labels);
}

static void
test_refusals (void)
{
  g_auto (Blocks)          blocks      = { 0 };
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WfHierarchy)  hierarchy   = NULL;
  g_auto (BlockStore)      out         = { 0 };
  g_autofree guint32      *regions     = NULL;
  const guint32            none[15]    = { 0 };

  init_small (&blocks);
  blocks.options.connectivity = 26;
  assert_refused (can_build (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.options.connectivity = 8;
  blocks.labels.source.type   = WF_TYPE_U8;
  assert_refused (can_build (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.labels.source.type  = WF_TYPE_U32;
  blocks.labels.source.width = 2;
  assert_refused (can_build (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  blocks.labels.source.width = 3;
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (can_build (&blocks, context, 2, &refusal), G_IO_ERROR, G_IO_ERROR_CANCELLED);

  hierarchy = build (&blocks, NULL, 2, NULL);
  regions   = cut_anywhere (hierarchy);
  block_store_init (&out, guarded_image_new (WF_TYPE_U32, &blocks.size, TRUE));
  ((guint32 *) blocks.labels.image->view.data)[0] = 99;
  assert_refused (wf_hierarchy_relabel_blocks (NULL, hierarchy, regions, &blocks.labels.source,
                                               &out.sink, BLOCKS_OF (2), &refusal),
                  WF_ERROR_INVALID);
  guarded_image_write (blocks.labels.image, none);
  assert_refused (can_build (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
  ((guint32 *) blocks.labels.image->view.data)[0] = 1;
  guarded_image_set_float (blocks.image.image, 13, NAN);
  assert_refused (can_build (&blocks, NULL, 2, &refusal), WF_ERROR_INVALID);
}

/* Each call to a source and a sink fails once. */
static void
test_failures (void)
{
  g_auto (Blocks)         blocks    = { 0 };
  g_auto (BlockStore)     out       = { 0 };
  g_autoptr (WfHierarchy) hierarchy = NULL;
  g_autofree guint32     *regions   = NULL;

  init_small (&blocks);
  blocks.options.measure = WF_MEASURE_VOLUME;
  for (guint i = 1; i <= 6; i++)
    {
      blocks.image.n_reads      = 0;
      blocks.image.fail_at_read = i;
      assert_refused_with (can_build (&blocks, NULL, 2, &refusal), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    }
  blocks.image.fail_at_read = 0;
  hierarchy = build (&blocks, NULL, 2, NULL);
  regions   = cut_anywhere (hierarchy);
  block_store_init (&out, guarded_image_new (WF_TYPE_U32, &blocks.size, TRUE));
  for (guint i = 1; i <= 3; i++)
    {
      out.n_writes      = 0;
      out.fail_at_write = i;
      assert_refused_with (wf_hierarchy_relabel_blocks (NULL, hierarchy, regions,
                                                        &blocks.labels.source, &out.sink,
                                                        BLOCKS_OF (2), &refusal),
                           G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    }
}

/* What was finished before is not made again. */
static void
test_resumed (void)
{
  g_auto (Blocks)         blocks    = { 0 };
  g_auto (BlockStore)     out       = { 0 };
  g_autoptr (WfHierarchy) hierarchy = NULL;
  g_autofree guint32     *regions   = NULL;
  guint8                  finished[] = { FALSE, FALSE, TRUE, TRUE, FALSE };

  init_small (&blocks);
  hierarchy = build (&blocks, NULL, 2, NULL);
  regions   = cut_anywhere (hierarchy);
  block_store_init (&out, guarded_image_new (WF_TYPE_U32, &blocks.size, TRUE));
  block_store_resume (&out, finished);
  g_assert_true (wf_hierarchy_relabel_blocks (NULL, hierarchy, regions, &blocks.labels.source,
                                              &out.sink, BLOCKS_OF (2), NULL));
  g_assert_cmpuint (out.n_writes, ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (finished); i++)
    g_assert_true (finished[i]);
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
  for (int measure = 0; measure < 3; measure++)
    {
      g_auto (Blocks)         blocks    = { 0 };
      g_autoptr (WfContext)   context   = wf_context_new ();
      g_autoptr (WfHierarchy) hierarchy = NULL;
      Seen                    seen      = { 0 };

      init_small (&blocks);
      blocks.options.measure = measure;
      wf_context_set_progress (context, see, &seen);
      hierarchy = build (&blocks, context, 2, NULL);
      g_assert_nonnull (hierarchy);
      g_assert_cmpfloat (seen.last, ==, 1);
      g_assert_cmpuint (seen.n_calls, >=, 6);
    }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/hierarchy-blocks/random", test_random);
  g_test_add_func ("/hierarchy-blocks/long", test_long);
  g_test_add_func ("/hierarchy-blocks/falling-path", test_falling_path);
  g_test_add_func ("/hierarchy-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/hierarchy-blocks/refusals", test_refusals);
  g_test_add_func ("/hierarchy-blocks/failures", test_failures);
  g_test_add_func ("/hierarchy-blocks/resumed", test_resumed);
  g_test_add_func ("/hierarchy-blocks/progress", test_progress);
  return g_test_run ();
}

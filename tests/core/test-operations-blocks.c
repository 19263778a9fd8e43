/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on images in blocks, by wf_operation_run_blocks(), against those of the whole image in
 * memory.
 */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Room for the options of any operation. */
typedef union
{
  gsize                size;
  WfMorphologyOptions  morphology;
  WfFilterOptions      filter;
} Options;

typedef struct
{
  const WfOperationInfo *info;
  Options                options;
  BlockStore             inputs[2];
  BlockStore             out;
  BlockStore             scratch;
  GuardedImage          *expected;
} Blocks;

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->inputs[0]);
  block_store_clear (&blocks->inputs[1]);
  block_store_clear (&blocks->out);
  block_store_clear (&blocks->scratch);
  g_clear_pointer (&blocks->expected, guarded_image_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

/* @marks: of imposed minima, or NULL */
static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *levels,
             const double  *marks,
             WfType         marks_type)
{
  const WfImage *inputs[2];
  WfImage       *outputs[1];
  WfType         out_type;

  block_store_init (&blocks->inputs[0], guarded_image_new_levels (type, size, levels));
  inputs[0] = &blocks->inputs[0].image->view;
  if (blocks->info->n_inputs > 1)
    {
      block_store_init (&blocks->inputs[1], guarded_image_new_levels (marks_type, size, marks));
      inputs[1] = &blocks->inputs[1].image->view;
    }
  out_type = wf_operation_get_output_type (blocks->info->operation, 0, type, &blocks->options);
  block_store_init (&blocks->out, guarded_image_new (out_type, size, TRUE));
  block_store_init (&blocks->scratch, guarded_image_new (type, size, FALSE));
  blocks->expected = guarded_image_new (out_type, size, FALSE);
  outputs[0]       = &blocks->expected->view;
  g_assert_true (wf_operation_run (NULL, blocks->info->operation, inputs, outputs, NULL,
                                   &blocks->options, NULL));
}

/* What an earlier run has left. */
static void
forget (BlockStore *store)
{
  WfImage     *view = &store->image->view;
  const gsize  size = wf_type_size (view->type);

  for (gint64 z = 0; z < view->depth; z++)
    for (gint64 y = 0; y < view->height; y++)
      memset ((char *) view->data + (z * view->slice_stride + y * view->row_stride) * size, 0x5a,
              view->width * size);
  store->n_written = 0;
  store->in_order  = TRUE;
  store->n_reads = store->n_writes = 0;
}

/* Whether the result goes to a scratch before, if it cannot be read back. */
static gboolean
is_extended (const Blocks *blocks)
{
  return blocks->info->operation == WF_OPERATION_EXTENDED_MAXIMA ||
         blocks->info->operation == WF_OPERATION_EXTENDED_MINIMA;
}

static gboolean
run (Blocks       *blocks,
     WfContext    *context,
     WfBlocksWay   way,
     gboolean      with_scratch,
     gint64        rows,
     GError      **error)
{
  const WfBlockSource inputs[2] = { blocks->inputs[0].source, blocks->inputs[1].source };
  WfBlockSink         out       = blocks->out.sink;

  forget (&blocks->out);
  forget (&blocks->scratch);
  blocks->inputs[0].n_reads = blocks->inputs[1].n_reads = 0;
  if (with_scratch)
    out.read = NULL;
  return wf_operation_run_blocks (context, blocks->info->operation, inputs, &out,
                                  with_scratch || is_extended (blocks) ? &blocks->scratch.sink
                                                                       : NULL,
                                  &blocks->options, way, rows, error);
}

static void
check (Blocks      *blocks,
       WfContext   *context,
       WfBlocksWay  way,
       gboolean     with_scratch,
       gint64       rows)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (run (blocks, context, way, with_scratch, rows, &error));
  g_assert_no_error (error);
  g_test_message ("%s, way %d, scratch %d, rows %" G_GINT64_FORMAT, blocks->info->options->name,
                  way, with_scratch, rows);
  g_assert_cmpint (guarded_image_find_difference (blocks->out.image,
                                                  blocks->expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (blocks->out.image));
  if (! with_scratch)
    return;
  g_assert_true (blocks->out.in_order);
  g_assert_cmpint (blocks->out.n_written, ==, wf_image_n_pixels (&blocks->expected->view));
  if (way == WF_BLOCKS_SUMMARY && ! is_extended (blocks))
    g_assert_cmpuint (blocks->scratch.n_writes, ==, 0);
}

static gint64
count_units (const RefSize *size)
{
  return size->depth > 1 ? size->depth : size->height;
}


/*  Random images  */

/* 0, a step between levels, about their range, beyond their range. */
static double
random_height (const Palette *palette)
{
  const double range = palette->level[palette->n - 1] - palette->level[0];

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      return 0;
    case 1:
      return isfinite (range) ? range * g_test_rand_double () : 1.5;
    case 2:
      return isfinite (range) ? range + 1 : 1000;
    default:
      return g_test_rand_int_range (1, 4) + (g_test_rand_bit () ? 0.75 : 0);
    }
}

static void
random_options (Blocks        *blocks,
                const RefSize *size,
                const Palette *palette)
{
  wf_option_group_init (blocks->info->options, &blocks->options);
  if (! (blocks->info->flags & WF_WORKS_BY_RECONSTRUCTION))
    {
      blocks->options.filter.sigma   = g_test_rand_int_range (0, 20) / 5.0;
      blocks->options.filter.element = g_test_rand_int_range (0, 2);
      blocks->options.filter.radius  = g_test_rand_int_range (0, 8);
      return;
    }
  blocks->options.morphology.connectivity = random_connectivity (size);
  blocks->options.morphology.height       = random_height (palette);
  blocks->options.morphology.element      = g_test_rand_int_range (0, 2);
  blocks->options.morphology.radius       = g_test_rand_int_range (0, 8);
}

/* A few pixels, many, or all of them, but never none. */
static double *
random_marks (const RefSize *size)
{
  const gint64 n      = ref_n_pixels (size);
  const int    rarity = g_test_rand_int_range (1, 40);
  double      *marks  = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    marks[p] = g_test_rand_int_range (0, rarity) == 0 ? g_test_rand_int_range (1, 256) : 0;
  marks[g_test_rand_int_range (0, n)] = 1;
  return marks;
}

static WfOperation
random_operation (void)
{
  for (;;)
    {
      const WfOperation operation = (WfOperation) g_test_rand_int_range (0, WF_N_OPERATIONS);

      if (wf_operation_describe (operation)->flags & WF_WORKS_IN_BLOCKS)
        return operation;
    }
}

static void
random_blocks (Blocks  *blocks,
               RefSize *size,
               gboolean large)
{
  static const WfType marks_types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };
  const WfType        type          = random_type ();
  g_autofree double  *levels        = NULL;
  g_autofree double  *marks         = NULL;
  Palette             palette;

  if (large)
    random_large_size (size);
  else
    random_size (size);
  blocks->info = wf_operation_describe (random_operation ());
  levels       = g_new (double, ref_n_pixels (size));
  marks        = random_marks (size);
  random_palette (type, &palette);
  random_content (size, &palette, levels);
  random_options (blocks, size, &palette);
  blocks_init (blocks, type, size, levels, marks,
               marks_types[g_test_rand_int_range (0, G_N_ELEMENTS (marks_types))]);
}

static void
use_threads (WfContext *context,
             int        n)
{
  WfContextOptions options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.threads = n;
  g_assert_true (wf_context_configure (context, &options, NULL));
}

static void
test_random (void)
{
  g_autoptr (WfContext) context = wf_context_new ();

  for (guint i = 0; i < test_count (600, 6000); i++)
    {
      g_auto (Blocks) blocks = { 0 };
      RefSize         size;
      gint64          units;

      random_blocks (&blocks, &size, i % 10 == 0);
      units = count_units (&size);
      use_threads (context, g_test_rand_int_range (1, 4));
      for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
        check (&blocks, context, (WfBlocksWay) way, g_test_rand_bit (),
               g_test_rand_int_range (1, (g_test_rand_bit () ? MIN (4, units) : units) + 2));
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/operations-blocks/random", test_random);
  return g_test_run ();
}

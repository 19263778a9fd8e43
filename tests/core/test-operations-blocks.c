/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on images in blocks, by wf_operation_run_blocks(), against those of the whole image in
 * memory.
 */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/cases.h"
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
  WfThresholdOptions   threshold;
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
  const WfBlockSource *inputs[2] = { &blocks->inputs[0].source, &blocks->inputs[1].source };
  WfBlockSink          out       = blocks->out.sink;

  forget (&blocks->out);
  forget (&blocks->scratch);
  blocks->inputs[0].n_reads = blocks->inputs[1].n_reads = 0;
  if (with_scratch)
    out.read = NULL;
  return wf_operation_run_blocks (context, blocks->info->operation, inputs, &out,
                                  with_scratch || is_extended (blocks) ? &blocks->scratch.sink
                                                                       : NULL,
                                  &blocks->options, BLOCKS (way, rows), error);
}

static void
check (Blocks      *blocks,
       WfContext   *context,
       WfBlocksWay  way,
       gboolean     with_scratch,
       gint64       rows)
{
  g_autoptr (GError) error = NULL;
  gboolean           done  = run (blocks, context, way, with_scratch, rows, &error);

  g_assert_no_error (error);
  g_assert_true (done);
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

static gboolean
has_lines (const Blocks *blocks)
{
  return wf_option_group_find (blocks->info->options, "angle") != NULL;
}

static void
random_options (Blocks        *blocks,
                const RefSize *size,
                const Palette *palette,
                gboolean       large)
{
  wf_option_group_init (blocks->info->options, &blocks->options);
  if (blocks->info->operation == WF_OPERATION_THRESHOLD)
    {
      random_threshold_options (size, palette, large, &blocks->options.threshold);
      return;
    }
  if (! (blocks->info->flags & WF_WORKS_BY_RECONSTRUCTION))
    {
      blocks->options.filter.sigma   = g_test_rand_int_range (0, 20) / 5.0;
      blocks->options.filter.element = g_test_rand_int_range (0, has_lines (blocks) ? 3 : 2);
      blocks->options.filter.angle   = g_test_rand_int_range (-18, 19) * 10;
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
  random_options (blocks, size, &palette, large);
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



/*  Images in memory  */

/* Sources and sinks that are images. */
static void
test_in_memory (void)
{
  for (guint i = 0; i < test_count (200, 2000); i++)
    {
      g_auto (Blocks)      blocks    = { 0 };
      g_autoptr (GError)   error     = NULL;
      WfBlockSource        inputs[2];
      const WfBlockSource *sources[] = { &inputs[0], &inputs[1] };
      WfBlockSink          out       = { 0 };
      WfBlockSink          levels    = { 0 };
      WfImage              image, scratch, result;
      RefSize              size;

      random_blocks (&blocks, &size, i % 10 == 0);
      inputs[0] = blocks.inputs[0].source;
      inputs[1] = blocks.inputs[1].source;
      g_assert_true (wf_image_allocate (&image, inputs[0].type, size.width, size.height,
                                        size.depth, NULL));
      g_assert_true (wf_image_allocate (&scratch, inputs[0].type, size.width, size.height,
                                        size.depth, NULL));
      g_assert_true (wf_image_allocate (&result, blocks.expected->view.type, size.width,
                                        size.height, size.depth, NULL));
      g_assert_true (inputs[0].read (inputs[0].data, 0, 0, 0, &image, NULL));
      inputs[0].image = &image;
      out.image       = &result;
      levels.image    = &scratch;
      g_assert_true (wf_operation_run_blocks (NULL, blocks.info->operation, sources, &out, &levels,
                                              &blocks.options,
                                              BLOCKS (i % 3, g_test_rand_int_range (1, 9)),
                                              &error));
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (blocks.expected, result.data), ==, -1);
      wf_image_clear (&image);
      wf_image_clear (&scratch);
      wf_image_clear (&result);
    }
}


/*  Plateaux  */

/* A plateau, a pixel wide, that crosses all seams many times: it is an extremum, or the pixel at
 * one of its ends exceeds it.
 */
static void
test_long_plateaux (void)
{
  static const gint64   heights[] = { 1, 2, 7, 30 };
  const RefSize         size      = { 61, 61, 1 };
  const gint64          n         = ref_n_pixels (&size);
  g_autofree double    *levels    = g_new (double, n);
  g_autoptr (WfContext) context   = wf_context_new ();

  for (int minima = 0; minima <= 1; minima++)
    for (int end = 0; end <= 2; end++)
      {
        g_auto (Blocks) blocks = { 0 };

        make_corridor (&size, minima ? 50 : 200, minima ? 200 : 50, levels);
        if (end > 0)
          levels[end == 1 ? 0 : n - 1] += minima ? -1 : 1;
        blocks.info = wf_operation_describe (minima ? WF_OPERATION_REGIONAL_MINIMA
                                                    : WF_OPERATION_REGIONAL_MAXIMA);
        wf_option_group_init (blocks.info->options, &blocks.options);
        blocks.options.morphology.connectivity = 4;
        blocks_init (&blocks, WF_TYPE_U8, &size, levels, NULL, WF_TYPE_U8);
        for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
          {
            use_threads (context, 1 + i % 3);
            check (&blocks, context, WF_BLOCKS_AUTO, i % 2, heights[i]);
          }
      }
}


/*  All operations on one image  */

/* Calls @visit for each operation, with options for which it does something. */
static void
visit_each (const RefSize *size,
            void        (* visit) (Blocks *blocks))
{
  g_autofree double *levels = g_new (double, ref_n_pixels (size));
  g_autofree double *marks  = g_new0 (double, ref_n_pixels (size));

  make_landscape (WF_TYPE_U8, size, 2, levels);
  marks[ref_n_pixels (size) / 2] = 1;
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      g_auto (Blocks) blocks = { .info = wf_operation_describe ((WfOperation) i) };

      if (! (blocks.info->flags & WF_WORKS_IN_BLOCKS))
        continue;
      wf_option_group_init (blocks.info->options, &blocks.options);
      if (blocks.info->flags & WF_WORKS_BY_RECONSTRUCTION)
        blocks.options.morphology.height = 9;
      blocks_init (&blocks, WF_TYPE_U8, size, levels, marks, WF_TYPE_U16);
      visit (&blocks);
    }
}

static void
stay_within_memory (Blocks *blocks)
{
  g_autoptr (WfContext) context = wf_context_new ();

  use_threads (context, 2);
  for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
    {
      wf_context_set_memory_limit (context, 5 << 20);
      blocks->inputs[0].largest = 0;
      check (blocks, context, (WfBlocksWay) way, way != WF_BLOCKS_QUEUE, 0);
      /* at least the block, and one of the result */
      g_assert_cmpint (blocks->inputs[0].largest, <, 5 << 20);
      g_assert_cmpint (blocks->inputs[0].largest * 40, >, 5 << 20);

      wf_context_set_memory_limit (context, 5000);
      assert_refused (run (blocks, context, (WfBlocksWay) way, TRUE, 0, &refusal),
                      WF_ERROR_MEMORY);
    }
}

static void
test_memory_limit (void)
{
  visit_each (&(RefSize) { 800, 2400, 1 }, stay_within_memory);
}

/* Lets each call of the sources and sinks fail once. */
static void
fail_each (Blocks *blocks)
{
  guint *const failing[] = { &blocks->inputs[0].fail_at_read,  &blocks->inputs[1].fail_at_read,
                             &blocks->out.fail_at_write,       &blocks->scratch.fail_at_write,
                             &blocks->scratch.fail_at_read };

  for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
    {
      guint n_calls[G_N_ELEMENTS (failing)];

      check (blocks, NULL, (WfBlocksWay) way, TRUE, 5);
      n_calls[0] = blocks->inputs[0].n_reads;
      n_calls[1] = blocks->inputs[1].n_reads;
      n_calls[2] = blocks->out.n_writes;
      n_calls[3] = blocks->scratch.n_writes;
      n_calls[4] = blocks->scratch.n_reads;
      g_assert_cmpuint (n_calls[0], >=, 3);
      g_assert_cmpuint (n_calls[2], >=, 3);
      for (guint i = 0; i < G_N_ELEMENTS (failing); i++)
        {
          for (*failing[i] = 1; *failing[i] <= n_calls[i]; ++*failing[i])
            assert_refused_with (run (blocks, NULL, (WfBlocksWay) way, TRUE, 5, &refusal),
                                 G_IO_ERROR, G_IO_ERROR_NO_SPACE);
          *failing[i] = 0;
        }
    }
}

static void
test_failures (void)
{
  visit_each (&(RefSize) { 12, 20, 1 }, fail_each);
}

static void
refuse_each (Blocks *blocks)
{
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (run (blocks, context, WF_BLOCKS_AUTO, TRUE, 5, &refusal), G_IO_ERROR,
                       G_IO_ERROR_CANCELLED);
  g_assert_cmpint (blocks->out.n_written, ==, 0);

  blocks->inputs[0].source.type = WF_TYPE_U32;
  assert_refused (run (blocks, NULL, WF_BLOCKS_AUTO, TRUE, 5, &refusal), WF_ERROR_INVALID);
  blocks->inputs[0].source.type  = WF_TYPE_U8;
  blocks->inputs[0].source.width = 0;
  assert_refused (run (blocks, NULL, WF_BLOCKS_AUTO, TRUE, 5, &refusal), WF_ERROR_INVALID);
  blocks->inputs[0].source.width = 12;

  if (! (blocks->info->flags & WF_WORKS_BY_RECONSTRUCTION))
    return;
  blocks->options.morphology.connectivity = 26;
  assert_refused (run (blocks, NULL, WF_BLOCKS_AUTO, TRUE, 5, &refusal), WF_ERROR_INVALID);
  blocks->options.morphology.connectivity = 8;
  if (wf_option_group_find (blocks->info->options, "height"))
    {
      blocks->options.morphology.height = NAN;
      assert_refused (run (blocks, NULL, WF_BLOCKS_AUTO, TRUE, 5, &refusal), WF_ERROR_INVALID);
    }
  if (blocks->info->n_inputs > 1)
    {
      blocks->inputs[1].source.height--;
      assert_refused (run (blocks, NULL, WF_BLOCKS_AUTO, TRUE, 5, &refusal), WF_ERROR_INVALID);
    }
}

/* The error names what has the NaN, and its row in the whole image. */
static void
refuse_nan (WfOperation operation)
{
  static const double levels[3 * 5] = { 1, 2, 3 };
  const RefSize       size          = { 3, 5, 1 };
  g_auto (Blocks)     blocks        = { .info = wf_operation_describe (operation) };
  const gboolean      has_markers   = blocks.info->n_inputs > 1;
  GuardedImage       *image;

  wf_option_group_init (blocks.info->options, &blocks.options);
  if (blocks.info->flags & WF_WORKS_BY_RECONSTRUCTION)
    blocks.options.morphology.height = 1;
  blocks_init (&blocks, WF_TYPE_F32, &size, levels, levels, WF_TYPE_F32);
  for (int i = 0; i <= has_markers; i++)
    for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
      {
        g_autoptr (GError) error = NULL;

        image = blocks.inputs[i].image;
        guarded_image_set_float (image, 13, NAN);
        g_assert_false (run (&blocks, NULL, (WfBlocksWay) way, TRUE, 2, &error));
        g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
        g_assert_nonnull (strstr (error->message, i == 0 ? "The image" : "The marker image"));
        g_assert_nonnull (strstr (error->message, "row 4"));
        guarded_image_set_float (image, 13, 0);
      }
}

static void
test_refusals (void)
{
  static const double nothing[3 * 5] = { 0 };
  const RefSize       size           = { 3, 5, 1 };
  g_auto (Blocks)     blocks         = { .info = wf_operation_describe
                                           (WF_OPERATION_REGIONAL_MINIMA) };

  visit_each (&(RefSize) { 12, 20, 1 }, refuse_each);
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_IN_BLOCKS)
      refuse_nan ((WfOperation) i);

  wf_option_group_init (blocks.info->options, &blocks.options);
  blocks_init (&blocks, WF_TYPE_U8, &size, nothing, NULL, WF_TYPE_U8);
  blocks.options.morphology.algorithm = "tiled";
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, TRUE, 2, &refusal), WF_ERROR_UNSUPPORTED);
}

static void
refuse_no_markers (Blocks *blocks)
{
  if (blocks->info->n_inputs < 2)
    return;
  memset (blocks->inputs[1].image->view.data, 0, 12 * 20 * sizeof (guint16));
  for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
    assert_refused (run (blocks, NULL, (WfBlocksWay) way, TRUE, 5, &refusal), WF_ERROR_INVALID);
}

static void
test_no_markers (void)
{
  visit_each (&(RefSize) { 12, 20, 1 }, refuse_no_markers);
}


/*  Progress and cancelling  */

typedef struct
{
  GCancellable *cancellable;
  double        cancel_at;
  double        last;
  guint         n_calls;
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
  if (seen->cancellable && fraction >= seen->cancel_at)
    g_cancellable_cancel (seen->cancellable);
}

/* Complete, and cancelled early, in the middle, and late. */
static void
follow_progress (Blocks *blocks)
{
  g_autoptr (WfContext) context = wf_context_new ();

  for (int way = WF_BLOCKS_AUTO; way <= WF_BLOCKS_SUMMARY; way++)
    for (double at = 0.1; at < 1.2; at += 0.25)
      {
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        Seen                     seen        = { .cancellable = cancellable, .cancel_at = at };

        wf_context_set_progress (context, see, &seen);
        wf_context_set_cancellable (context, cancellable);
        if (at < 1)
          {
            assert_refused_with (run (blocks, context, (WfBlocksWay) way, TRUE, 3, &refusal),
                                 G_IO_ERROR, G_IO_ERROR_CANCELLED);
            g_assert_cmpfloat (seen.last, <, 1);
            continue;
          }
        check (blocks, context, (WfBlocksWay) way, TRUE, 3);
        g_assert_cmpfloat (seen.last, ==, 1);
        g_assert_cmpuint (seen.n_calls, >=, 7);
      }
}

static void
test_progress (void)
{
  visit_each (&(RefSize) { 12, 20, 1 }, follow_progress);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/operations-blocks/random", test_random);
  g_test_add_func ("/operations-blocks/in-memory", test_in_memory);
  g_test_add_func ("/operations-blocks/long-plateaux", test_long_plateaux);
  g_test_add_func ("/operations-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/operations-blocks/failures", test_failures);
  g_test_add_func ("/operations-blocks/refusals", test_refusals);
  g_test_add_func ("/operations-blocks/no-markers", test_no_markers);
  g_test_add_func ("/operations-blocks/progress", test_progress);
  return g_test_run ();
}

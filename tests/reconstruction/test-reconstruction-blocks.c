/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images in blocks against that of the whole image in memory. */

#include <math.h>
#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfBlocksWay ways[] = { WF_BLOCKS_QUEUE, WF_BLOCKS_SUMMARY, WF_BLOCKS_AUTO };

typedef struct
{
  WfReconstructOptions  options;
  BlockStore            mask;
  BlockStore            marker;
  BlockStore            out;
  GuardedImage         *expected;
} Blocks;

static void
blocks_init (Blocks        *blocks,
             WfType         type,
             const RefSize *size,
             const double  *mask,
             const double  *marker,
             WfDirection    by,
             int            connectivity)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &blocks->options);
  blocks->options.by           = by;
  blocks->options.connectivity = connectivity;
  block_store_init (&blocks->mask, guarded_image_new_levels (type, size, mask));
  block_store_init (&blocks->marker, guarded_image_new_levels (type, size, marker));
  block_store_init (&blocks->out, guarded_image_new (type, size, TRUE));
  blocks->expected = guarded_image_new (type, size, FALSE);
  g_assert_true (wf_reconstruct (NULL, &blocks->mask.image->view, &blocks->marker.image->view,
                                 &blocks->expected->view, &blocks->options, NULL));
}

static void
blocks_clear (Blocks *blocks)
{
  block_store_clear (&blocks->mask);
  block_store_clear (&blocks->marker);
  block_store_clear (&blocks->out);
  guarded_image_free (blocks->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gboolean
run (Blocks       *blocks,
     WfContext    *context,
     WfBlocksWay   way,
     gint64        rows,
     GError      **error)
{
  blocks->out.n_written = 0;
  blocks->out.in_order  = TRUE;
  blocks->mask.n_reads = blocks->marker.n_reads = 0;
  blocks->out.n_reads = blocks->out.n_writes = 0;
  return wf_reconstruct_blocks (context, &blocks->mask.source, &blocks->marker.source,
                                &blocks->out.sink, &blocks->options, BLOCKS (way, rows), error);
}

/* What an earlier run has left in the output. */
static void
forget (Blocks *blocks)
{
  WfImage     *view = &blocks->out.image->view;
  const gsize  size = wf_type_size (view->type);

  for (gint64 z = 0; z < view->depth; z++)
    for (gint64 y = 0; y < view->height; y++)
      memset ((char *) view->data + (z * view->slice_stride + y * view->row_stride) * size, 0x5a,
              view->width * size);
}

static void
check (Blocks      *blocks,
       WfContext   *context,
       WfBlocksWay  way,
       gint64       rows)
{
  g_autoptr (GError) error = NULL;

  forget (blocks);
  g_assert_true (run (blocks, context, way, rows, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (blocks->out.image,
                                                  blocks->expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (blocks->out.image));
  if (way == WF_BLOCKS_SUMMARY)
    {
      g_assert_true (blocks->out.in_order);
      g_assert_cmpint (blocks->out.n_written, ==, wf_image_n_pixels (&blocks->expected->view));
      g_assert_cmpuint (blocks->out.n_reads, ==, 0);
      g_assert_cmpuint (blocks->mask.n_reads, <=, 2 * blocks->out.n_writes);
      g_assert_cmpuint (blocks->marker.n_reads, ==, blocks->mask.n_reads);
    }
}

static gint64
count_units (const RefSize *size)
{
  return size->depth > 1 ? size->depth : size->height;
}


/*  Random images  */

static gboolean
is_on_border (const RefSize *size,
              gint64         p)
{
  const gint64 x = p % size->width;
  const gint64 y = p / size->width % size->height;
  const gint64 z = p / size->width / size->height;

  return x == 0 || x == size->width - 1 || y == 0 || y == size->height - 1 ||
         (size->depth > 1 && (z == 0 || z == size->depth - 1));
}

/* Any image, the mask less a level, a few pixels of the mask, its border, or one pixel. */
static void
random_marker (WfType         type,
               const RefSize *size,
               const Palette *palette,
               WfDirection    by,
               const double  *mask,
               double        *marker)
{
  const double nothing = by == WF_BY_DILATION ? type_lowest (type) : type_highest (type);
  const int    kind    = g_test_rand_int_range (0, 5);
  const int    rarity  = g_test_rand_int_range (2, 60);
  const gint64 n       = ref_n_pixels (size);
  const gint64 chosen  = g_test_rand_int_range (0, n);

  if (kind == 0)
    random_content (size, palette, marker);
  for (gint64 p = 0; p < n && kind > 0; p++)
    if (kind == 1)
      marker[p] = CLAMP (by == WF_BY_DILATION ? mask[p] - 1 : mask[p] + 1, type_lowest (type),
                         type_highest (type));
    else
      marker[p] = (kind == 2 ? g_test_rand_int_range (0, rarity) == 0
                             : kind == 3 ? is_on_border (size, p) : p == chosen)
                  ? mask[p] : nothing;
}

static void
random_blocks (Blocks  *blocks,
               RefSize *size,
               gboolean large)
{
  const WfType       type   = random_type ();
  const WfDirection  by     = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  g_autofree double *mask   = NULL;
  g_autofree double *marker = NULL;
  Palette            palette;

  if (large)
    random_large_size (size);
  else
    random_size (size);
  mask   = g_new (double, ref_n_pixels (size));
  marker = g_new (double, ref_n_pixels (size));
  random_palette (type, &palette);
  random_content (size, &palette, mask);
  random_marker (type, size, &palette, by, mask, marker);
  blocks_init (blocks, type, size, mask, marker, by, random_connectivity (size));
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (600, 6000); i++)
    {
      g_auto (Blocks) blocks = { 0 };
      RefSize         size;
      gint64          units;

      random_blocks (&blocks, &size, i % 20 == 0);
      units = count_units (&size);
      for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
        check (&blocks, NULL, ways[k],
               g_test_rand_int_range (1, (g_test_rand_bit () ? MIN (4, units) : units) + 2));
    }
}


/*  Long ways  */

/* A corridor, a pixel wide, from the corner to the middle. */
static void
make_spiral (const RefSize *size,
             double         floor,
             double         wall,
             double        *levels)
{
  gint64 x = 0, y = 0, dx = 1, dy = 0;

#define IS_FLOOR(u, v) ((u) >= 0 && (u) < size->width && (v) >= 0 && (v) < size->height && \
                        levels[(v) * size->width + (u)] == floor)
#define IS_INSIDE(u, v) ((u) >= 0 && (u) < size->width && (v) >= 0 && (v) < size->height)
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = wall;
  for (int turns = 0; turns < 2;)
    {
      levels[y * size->width + x] = floor;
      if (IS_INSIDE (x + dx, y + dy) && ! IS_FLOOR (x + 2 * dx, y + 2 * dy))
        {
          x    += dx;
          y    += dy;
          turns = 0;
          continue;
        }
      {
        const gint64 turned = dx;

        dx = -dy;
        dy = turned;
        turns++;
      }
    }
#undef IS_FLOOR
#undef IS_INSIDE
}

/* The transposed @levels of a square. */
static void
transpose (gint64  side,
           double *levels)
{
  for (gint64 y = 0; y < side; y++)
    for (gint64 x = 0; x < y; x++)
      {
        const double kept = levels[y * side + x];

        levels[y * side + x] = levels[x * side + y];
        levels[x * side + y] = kept;
      }
}

static void
check_way_through (const RefSize *size,
                   const double  *levels,
                   WfDirection    by,
                   gint64         start)
{
  static const gint64 heights[] = { 1, 2, 7, 16, 40 };
  const double        nothing   = by == WF_BY_DILATION ? 0 : 255;
  g_autofree double  *marker    = g_new (double, ref_n_pixels (size));
  g_auto (Blocks)     blocks    = { 0 };

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    marker[p] = p == start ? levels[p] : nothing;
  blocks_init (&blocks, WF_TYPE_U8, size, levels, marker, by, 4);
  for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      check (&blocks, NULL, ways[k], heights[i]);
}

/* Corridors that cross each seam many times, from both ends and from the middle. */
static void
test_long_ways (void)
{
  const RefSize      size   = { 61, 61, 1 };
  const gint64       n      = ref_n_pixels (&size);
  g_autofree double *levels = g_new (double, n);

  for (int by = WF_BY_DILATION; by <= WF_BY_EROSION; by++)
    {
      const double floor = by == WF_BY_DILATION ? 200 : 3;
      const double wall  = by == WF_BY_DILATION ? 3 : 200;

      make_corridor (&size, floor, wall, levels);
      check_way_through (&size, levels, by, 0);
      check_way_through (&size, levels, by, n - 1);
      transpose (size.width, levels);
      check_way_through (&size, levels, by, 0);
      check_way_through (&size, levels, by, n - 1);
      make_spiral (&size, floor, wall, levels);
      g_assert_cmpfloat (levels[n / 2], ==, floor);
      check_way_through (&size, levels, by, 0);
      check_way_through (&size, levels, by, n / 2);
    }
}

/* Holes are filled from the border of the image, by erosion. */
static void
test_fill_holes (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  static const RefSize sizes[] = { { 300, 400, 1 }, { 40, 50, 60 } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        const gint64       n      = ref_n_pixels (&sizes[s]);
        g_autofree double *mask   = g_new (double, n);
        g_autofree double *marker = g_new (double, n);
        g_auto (Blocks)    blocks = { 0 };

        make_landscape (types[i], &sizes[s], 2, mask);
        for (gint64 p = 0; p < n; p++)
          marker[p] = is_on_border (&sizes[s], p) ? mask[p] : type_highest (types[i]);
        blocks_init (&blocks, types[i], &sizes[s], mask, marker, WF_BY_EROSION, 0);
        for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
          check (&blocks, NULL, ways[k], 17);
      }
}


/*  Memory  */

static void
test_memory_limit (void)
{
  const RefSize         size    = { 1500, 2000, 1 };
  g_autofree double    *mask    = g_new (double, ref_n_pixels (&size));
  g_autofree double    *marker  = g_new (double, ref_n_pixels (&size));
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();

  make_landscape (WF_TYPE_U8, &size, 1, mask);
  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    marker[p] = MAX (mask[p] - 20, 0);
  blocks_init (&blocks, WF_TYPE_U8, &size, mask, marker, WF_BY_DILATION, 8);

  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    {
      wf_context_set_memory_limit (context, 8 << 20);
      blocks.mask.largest = 0;
      check (&blocks, context, ways[k], 0);
      /* the images of a block and what reconstruction takes are at least 3 bytes a pixel */
      g_assert_cmpint (blocks.mask.largest * 3, <, 8 << 20);
      g_assert_cmpint (blocks.mask.largest * 20, >, 8 << 20);

      wf_context_set_memory_limit (context, 10000);
      assert_refused (run (&blocks, context, ways[k], 0, &refusal), WF_ERROR_MEMORY);
    }
}


/*  Failures  */

static void
init_small (Blocks *blocks)
{
  static const double mask[]   = { 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1 };
  static const double marker[] = { 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  const RefSize       size     = { 3, 5, 1 };

  blocks_init (blocks, WF_TYPE_F32, &size, mask, marker, WF_BY_DILATION, 8);
}

static void
test_refusals (void)
{
  g_auto (Blocks)          blocks      = { 0 };
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GError)       error       = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  init_small (&blocks);
  blocks.options.connectivity = 26;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &refusal), WF_ERROR_INVALID);
  blocks.options.connectivity = 8;
  blocks.mask.source.type     = WF_TYPE_U32;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &refusal), WF_ERROR_INVALID);
  blocks.mask.source.type   = WF_TYPE_F32;
  blocks.marker.source.type = WF_TYPE_U8;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &refusal), WF_ERROR_INVALID);
  blocks.marker.source.type   = WF_TYPE_F32;
  blocks.marker.source.height = 4;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &refusal), WF_ERROR_INVALID);
  blocks.marker.source.height = 5;
  blocks.mask.source.width    = 0;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &refusal), WF_ERROR_INVALID);
  blocks.mask.source.width = 3;

  /* a summary numbers the pixels of a slice by 32 bits; none is read */
  blocks.options.connectivity = 26;
  blocks.mask.source.width = blocks.mask.source.height = 1 << 16;
  blocks.mask.source.depth                             = 2;
  blocks.marker.source = blocks.mask.source;
  assert_refused (run (&blocks, NULL, WF_BLOCKS_SUMMARY, 0, &refusal), WF_ERROR_UNSUPPORTED);
  g_assert_cmpuint (blocks.mask.n_reads, ==, 0);
  blocks_clear (&blocks);
  init_small (&blocks);

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    {
      assert_refused_with (run (&blocks, context, ways[k], 2, &refusal), G_IO_ERROR,
                           G_IO_ERROR_CANCELLED);
      g_assert_cmpint (blocks.out.n_written, ==, 0);
    }

  guarded_image_set_float (blocks.marker.image, 13, NAN);
  g_assert_false (run (&blocks, NULL, WF_BLOCKS_AUTO, 2, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "marker"));
  g_assert_nonnull (strstr (error->message, "row 4"));
}

/* Lets each call of one of the sources and the sink fail once. */
static void
fail_each (Blocks      *blocks,
           WfBlocksWay  way,
           guint       *failing,
           guint        n_calls)
{
  for (*failing = 1; *failing <= n_calls; ++*failing)
    assert_refused_with (run (blocks, NULL, way, 2, &refusal), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  *failing = 0;
}

static void
test_failures (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    {
      g_auto (Blocks) blocks = { 0 };
      guint           n_mask, n_marker, n_read, n_written;

      init_small (&blocks);
      check (&blocks, NULL, ways[k], 2);
      n_mask    = blocks.mask.n_reads;
      n_marker  = blocks.marker.n_reads;
      n_read    = blocks.out.n_reads;
      n_written = blocks.out.n_writes;
      g_assert_cmpuint (n_mask, >=, 3);
      g_assert_cmpuint (n_marker, >=, 3);
      g_assert_cmpuint (n_written, >=, 3);

      fail_each (&blocks, ways[k], &blocks.mask.fail_at_read, n_mask);
      fail_each (&blocks, ways[k], &blocks.marker.fail_at_read, n_marker);
      fail_each (&blocks, ways[k], &blocks.out.fail_at_read, n_read);
      fail_each (&blocks, ways[k], &blocks.out.fail_at_write, n_written);
      check (&blocks, NULL, ways[k], 2);
    }
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

/* A corridor for which bands are visited many times. */
static void
init_long (Blocks *blocks)
{
  const RefSize      size   = { 40, 40, 1 };
  g_autofree double *mask   = g_new (double, ref_n_pixels (&size));
  g_autofree double *marker = g_new0 (double, ref_n_pixels (&size));

  make_corridor (&size, 200, 3, mask);
  transpose (size.width, mask);
  marker[0] = 200;
  blocks_init (blocks, WF_TYPE_U8, &size, mask, marker, WF_BY_DILATION, 4);
}

static void
test_progress (void)
{
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();

  init_long (&blocks);
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    for (gint64 rows = 3; rows <= 40; rows += 37)
      {
        Seen seen = { 0 };

        wf_context_set_progress (context, see, &seen);
        check (&blocks, context, ways[k], rows);
        g_assert_cmpfloat (seen.last, ==, 1);
        g_assert_cmpuint (seen.n_calls, >=, rows == 3 ? 28 : 1);

        /* the caller's function is there again */
        seen = (Seen) { 0 };
        g_assert_true (wf_reconstruct (context, &blocks.mask.image->view,
                                       &blocks.marker.image->view, &blocks.out.image->view,
                                       &blocks.options, NULL));
        g_assert_cmpfloat (seen.last, ==, 1);
      }
}

/* Cancelled early, in the middle, and late. */
static void
test_cancelled (void)
{
  g_auto (Blocks)       blocks  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();

  init_long (&blocks);
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    for (double at = 0.1; at < 1; at += 0.2)
      {
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        Seen                     seen        = { .cancellable = cancellable, .cancel_at = at };

        wf_context_set_progress (context, see, &seen);
        wf_context_set_cancellable (context, cancellable);
        assert_refused_with (run (&blocks, context, ways[k], 3, &refusal), G_IO_ERROR,
                             G_IO_ERROR_CANCELLED);
        g_assert_cmpfloat (seen.last, <, 1);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/reconstruction-blocks/random", test_random);
  g_test_add_func ("/reconstruction-blocks/long-ways", test_long_ways);
  g_test_add_func ("/reconstruction-blocks/fill-holes", test_fill_holes);
  g_test_add_func ("/reconstruction-blocks/memory-limit", test_memory_limit);
  g_test_add_func ("/reconstruction-blocks/refusals", test_refusals);
  g_test_add_func ("/reconstruction-blocks/failures", test_failures);
  g_test_add_func ("/reconstruction-blocks/progress", test_progress);
  g_test_add_func ("/reconstruction-blocks/cancelled", test_cancelled);
  return g_test_run ();
}

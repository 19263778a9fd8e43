/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Halving of blocks, and comparison of blocks. */

#include <glib.h>

#include "plugins/common/preview/block.h"
#include "tests/support/tiers.h"

/* Creates a block with varying colours and with levels from @least to @most. */
static WfBlock *
make_block (WfType type,
            int    width,
            int    height,
            double least,
            double most)
{
  WfBlock *block = wf_block_new (1, width, height, type, TRUE);

  for (int i = 0; i < width * height; i++)
    {
      const double level = least + (i * 37 % 101) / 100.0 * (most - least);

      if (type == WF_TYPE_U8)
        ((guint8 *) block->levels)[i] = (guint8) level;
      else if (type == WF_TYPE_U16)
        ((guint16 *) block->levels)[i] = (guint16) level;
      else
        ((float *) block->levels)[i] = (float) level;
      for (int c = 0; c < 4; c++)
        block->colors[4 * i + c] = (guint8) (i * (31 + 12 * c) % 256);
    }
  return block;
}

static double
get_level (const WfBlock *block,
           int            x,
           int            y)
{
  const int i = y * block->width + x;

  if (block->type == WF_TYPE_U8)
    return ((const guint8 *) block->levels)[i];
  if (block->type == WF_TYPE_U16)
    return ((const guint16 *) block->levels)[i];
  return ((const float *) block->levels)[i];
}

static void
check_color (const WfBlock *half,
             int            left,
             int            top,
             const WfBlock *large,
             int            x,
             int            y)
{
  const guint8 *pixel   = half->colors + 4 * ((top + y) * half->width + left + x);
  double        opacity = 0;
  double        sums[3] = { 0 };

  for (int k = 0; k < 4; k++)
    {
      const guint8 *one = large->colors + 4 * ((2 * y + k / 2) * large->width + 2 * x + k % 2);

      opacity += one[3];
      for (int c = 0; c < 3; c++)
        sums[c] += one[3] * one[c];
    }
  g_assert_cmpfloat_with_epsilon (pixel[3], opacity / 4, 0.51);
  for (int c = 0; c < 3; c++)
    g_assert_cmpfloat_with_epsilon (pixel[c], opacity > 0 ? sums[c] / opacity : 0, 0.51);
}

/* Halving a block with odd sides into a part of another sets that part and nothing else. */
static void
check_type (WfType type,
            double most,
            double tolerance)
{
  g_autoptr (WfBlock) large = make_block (type, 7, 9, 0, most);
  g_autoptr (WfBlock) half  = make_block (type, 8, 6, most, most);
  g_autoptr (WfBlock) old   = make_block (type, 8, 6, most, most);

  g_assert_false (wf_block_differs (half, old));
  wf_block_put_halved (half, 4, 1, 3, 4, large);
  g_assert_true (wf_block_differs (half, old));
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 8; x++)
      {
        double mean = 0;

        if (x < 4 || x >= 7 || y < 1 || y >= 5)
          {
            g_assert_cmpfloat (get_level (half, x, y), ==, most);
            continue;
          }
        for (int k = 0; k < 4; k++)
          mean += get_level (large, 2 * (x - 4) + k % 2, 2 * (y - 1) + k / 2) / 4;
        g_assert_cmpfloat_with_epsilon (get_level (half, x, y), mean, tolerance);
        check_color (half, 4, 1, large, x - 4, y - 1);
      }
}

static void
test_halves (void)
{
  check_type (WF_TYPE_U8, G_MAXUINT8, 0.51);
  check_type (WF_TYPE_U16, G_MAXUINT16, 0.51);
  check_type (WF_TYPE_F32, 1.0, 1e-6);
}

/* Transparent pixels do not contribute to colours, and white stays white. */
static void
test_extremes (void)
{
  g_autoptr (WfBlock) large = make_block (WF_TYPE_U8, 4, 2, G_MAXUINT8, G_MAXUINT8);
  g_autoptr (WfBlock) half  = wf_block_new (2, 2, 1, WF_TYPE_U8, TRUE);

  for (int i = 0; i < 8; i++)
    {
      large->colors[4 * i]     = large->colors[4 * i + 1] = large->colors[4 * i + 2] = 255;
      large->colors[4 * i + 3] = i % 4 < 2 ? 0 : 255;
    }
  wf_block_put_halved (half, 0, 0, 2, 1, large);
  g_assert_cmpuint (((guint8 *) half->levels)[0], ==, 255);
  for (int c = 0; c < 4; c++)
    {
      g_assert_cmpuint (half->colors[c], ==, 0);
      g_assert_cmpuint (half->colors[4 + c], ==, 255);
    }
}

static void
test_sizes (void)
{
  g_autoptr (WfBlock) colored = wf_block_new (3, 5, 7, WF_TYPE_U16, TRUE);
  g_autoptr (WfBlock) plain   = wf_block_new (3, 5, 7, WF_TYPE_U16, FALSE);

  g_assert_cmpuint (wf_block_n_bytes (colored), ==, 5 * 7 * 6);
  g_assert_cmpuint (wf_block_n_bytes (plain), ==, 5 * 7 * 2);
  g_assert_null (plain->colors);
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/block/halves", test_halves);
  g_test_add_func ("/block/extremes", test_extremes);
  g_test_add_func ("/block/sizes", test_sizes);
  return g_test_run ();
}

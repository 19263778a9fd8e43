/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers computed from the mask: lowered, raised, or limited to the selection. */

#include "config.h"

#include <math.h>

#include "plugins/reconstruction/marker-levels.h"
#include "tests/support/tiers.h"

#define N 6

static void
init (WfImage *image,
      WfType   type,
      gint64   depth,
      gpointer data)
{
  g_autoptr (GError) error = NULL;

  wf_image_init (image, type, N, 1, depth, data, &error);
  g_assert_no_error (error);
}

static void
test_shift_u8 (void)
{
  guint8       mask[N]     = { 0, 1, 10, 128, 250, 255 };
  const guint8 lowered[N]  = { 0, 0, 0, 118, 240, 245 };
  const guint8 raised[N]   = { 10, 11, 20, 138, 255, 255 };
  guint8       made[N];
  WfImage      image;
  WfImage      marker;

  init (&image, WF_TYPE_U8, 1, mask);
  init (&marker, WF_TYPE_U8, 1, made);
  wf_marker_shift (&image, -10, &marker);
  g_assert_cmpmem (made, sizeof made, lowered, sizeof lowered);
  wf_marker_shift (&image, 10, &marker);
  g_assert_cmpmem (made, sizeof made, raised, sizeof raised);
}

static void
test_shift_u16 (void)
{
  guint16       mask[N]    = { 0, 1, 300, 40000, 65530, 65535 };
  const guint16 lowered[N] = { 0, 0, 0, 39700, 65230, 65235 };
  const guint16 raised[N]  = { 300, 301, 600, 40300, 65535, 65535 };
  guint16       made[N];
  WfImage       image;
  WfImage       marker;

  init (&image, WF_TYPE_U16, 1, mask);
  init (&marker, WF_TYPE_U16, 1, made);
  wf_marker_shift (&image, -300, &marker);
  g_assert_cmpmem (made, sizeof made, lowered, sizeof lowered);
  wf_marker_shift (&image, 300, &marker);
  g_assert_cmpmem (made, sizeof made, raised, sizeof raised);
}

/* Floating-point levels are not clamped. */
static void
test_shift_f32 (void)
{
  float       mask[N]    = { -1, 0, 0.25f, 1, 7, INFINITY };
  const float lowered[N] = { -1.5f, -0.5f, -0.25f, 0.5f, 6.5f, INFINITY };
  float       made[N];
  WfImage     image;
  WfImage     marker;

  init (&image, WF_TYPE_F32, 1, mask);
  init (&marker, WF_TYPE_F32, 1, made);
  wf_marker_shift (&image, -0.5, &marker);
  g_assert_cmpmem (made, sizeof made, lowered, sizeof lowered);
}

static void
test_coverage_u8 (void)
{
  guint8       mask[N]     = { 20, 40, 60, 80, 100, 120 };
  const float  coverage[N] = { 1, 0, 0.5f, 1, 0.25f, 0 };
  const guint8 up[N]       = { 20, 20, 40, 80, 40, 20 };
  const guint8 down[N]     = { 20, 120, 90, 80, 115, 120 };
  guint8       made[N];
  WfImage      image;
  WfImage      marker;

  init (&image, WF_TYPE_U8, 1, mask);
  init (&marker, WF_TYPE_U8, 1, made);
  wf_marker_from_coverage (&image, coverage, WF_BY_DILATION, &marker);
  g_assert_cmpmem (made, sizeof made, up, sizeof up);
  wf_marker_from_coverage (&image, coverage, WF_BY_EROSION, &marker);
  g_assert_cmpmem (made, sizeof made, down, sizeof down);
}

/* Where the coverage is 0 or 1 levels are not rounded, and infinity does not become NaN. */
static void
test_coverage_f32 (void)
{
  float       mask[N]     = { -INFINITY, -2, 1e-30f, 0.1f, 1e30f, INFINITY };
  const float coverage[N] = { 0, 1, 1, 1, 1, 1 };
  const float all[N]      = { 1, 1, 1, 1, 1, 1 };
  float       made[N];
  WfImage     image;
  WfImage     marker;

  init (&image, WF_TYPE_F32, 1, mask);
  init (&marker, WF_TYPE_F32, 1, made);
  wf_marker_from_coverage (&image, coverage, WF_BY_DILATION, &marker);
  g_assert_cmpmem (made, sizeof made, mask, sizeof mask);
  wf_marker_from_coverage (&image, all, WF_BY_EROSION, &marker);
  g_assert_cmpmem (made, sizeof made, mask, sizeof mask);
}

/* The selection applies to every slice; unselected pixels get the minimum of the whole stack. */
static void
test_coverage_stack (void)
{
  guint16       mask[2 * N] = { 9, 900, 90, 9, 90, 9000, 5, 50, 500, 5000, 5, 50 };
  const float   coverage[N] = { 0, 1, 0, 1, 0, 1 };
  const guint16 up[2 * N]   = { 5, 900, 5, 9, 5, 9000, 5, 50, 5, 5000, 5, 50 };
  guint16       made[2 * N];
  WfImage       image;
  WfImage       marker;

  init (&image, WF_TYPE_U16, 2, mask);
  init (&marker, WF_TYPE_U16, 2, made);
  wf_marker_from_coverage (&image, coverage, WF_BY_DILATION, &marker);
  g_assert_cmpmem (made, sizeof made, up, sizeof up);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/marker-levels/shift/u8", test_shift_u8);
  g_test_add_func ("/marker-levels/shift/u16", test_shift_u16);
  g_test_add_func ("/marker-levels/shift/f32", test_shift_f32);
  g_test_add_func ("/marker-levels/coverage/u8", test_coverage_u8);
  g_test_add_func ("/marker-levels/coverage/f32", test_coverage_f32);
  g_test_add_func ("/marker-levels/coverage/stack", test_coverage_stack);
  return g_test_run ();
}

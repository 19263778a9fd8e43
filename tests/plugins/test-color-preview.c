/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview of a filter in colors: of gray pixels it is the filter's own result, in every way;
 * and its time in a view of four megapixels.
 */

#include <math.h>
#include <string.h>

#include <gegl.h>

#include "plugins/reconstruction/color-preview.h"
#include "plugins/reconstruction/filter-colors.h"
#include "tests/support/tiers.h"

#define SIDE       90
#define LARGE_SIDE 2048

/* Generous, so that a busy machine with two processors does not fail. */
#define MOST_SECONDS 3.0

static const char *const ways[] =
{
  [WF_COLORS_GRAY]       = NULL,
  [WF_COLORS_COMPONENTS] = "components",
  [WF_COLORS_LUMINANCE]  = "luminance",
};


/* A view with waves and noise, in random colors or in grays. */
static WfPreviewInputs *
make_inputs (int      side,
             gboolean gray)
{
  const WfPreviewRegion  region = { 1, 0, 0, side, side, 0 };
  WfPreviewInputs       *inputs = wf_preview_inputs_new_empty (&region);
  WfImage               *images = inputs->images + WF_PREVIEW_COMPONENTS;

  for (int c = 0; c < 3; c++)
    g_assert_true (wf_image_allocate (&images[c], WF_TYPE_U8, side, side, 1, NULL));
  for (gint64 i = 0; i < (gint64) side * side; i++)
    {
      const double x    = (double) (i % side);
      const double y    = (double) (i / side);
      const double wave = 128 + 50 * sin (x * 0.21) * cos (y * 0.17) + 30 * sin (x * y * 1e-4);

      for (int c = 0; c < 3; c++)
        ((guint8 *) images[c].data)[i] = gray && c > 0 ? ((const guint8 *) images[0].data)[i]
                                         : (guint8) (wave + g_test_rand_int_range (-20, 21));
    }
  return inputs;
}

static WfPreviewResult *
compute (WfContext        *context,
         WfPreviewInputs  *inputs,
         WfColorWay        way,
         double           *seconds)
{
  WfMorphologyOptions         options;
  WfFilterStep                step     = { context, WF_OPERATION_FILL_HOLES, &inputs->images[2],
                                           &options, FALSE };
  WfPreviewSettings           settings = { .colors = way, .format = babl_format ("R'G'B' u8") };
  g_autoptr (WfPreviewResult) result   = wf_preview_result_new (&inputs->region);
  const gint64                start    = g_get_monotonic_time ();
  GError                     *error    = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_FILL_HOLES), &options);
  wf_color_preview_compute (inputs, &settings, wf_filter_step, &step, result, &error);
  g_assert_no_error (error);
  *seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  return g_steal_pointer (&result);
}

static void
test_gray (void)
{
  g_autoptr (WfContext)       context = wf_context_new ();
  g_autoptr (WfPreviewInputs) inputs  = make_inputs (SIDE, TRUE);
  g_auto (WfImage)            filled  = { 0 };
  WfMorphologyOptions         options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_FILL_HOLES), &options);
  g_assert_true (wf_image_allocate (&filled, WF_TYPE_U8, SIDE, SIDE, 1, NULL));
  g_assert_true (wf_fill_holes (context, &inputs->images[WF_PREVIEW_COMPONENTS], &filled, &options,
                                NULL));
  for (int way = WF_COLORS_GRAY + 1; way < (int) G_N_ELEMENTS (ways); way++)
    {
      double                       seconds;
      g_autoptr (WfPreviewResult)  result = compute (context, inputs, (WfColorWay) way, &seconds);

      g_assert_true (result->colors);
      for (int i = 0; i < SIDE * SIDE; i++)
        {
          const guint8  level = ((const guint8 *) filled.data)[i];
          const guint8 *shown = (const guint8 *) result->image.data + 4 * i;

          g_assert_cmpint (((const guint8 *) result->values.data)[i], ==, level);
          for (int c = 0; c < 3; c++)
            g_assert_cmpint (shown[c], ==, level);
          g_assert_cmpint (shown[3], ==, G_MAXUINT8);
        }
    }
}

static void
test_speed (void)
{
  g_autoptr (WfContext)       context = wf_context_new ();
  g_autoptr (WfPreviewInputs) inputs  = make_inputs (LARGE_SIDE, FALSE);

  for (int way = WF_COLORS_GRAY + 1; way < (int) G_N_ELEMENTS (ways); way++)
    for (int i = 0; i < 3; i++)
      {
        double                       seconds;
        g_autoptr (WfPreviewResult)  result = compute (context, inputs, (WfColorWay) way, &seconds);

        g_test_message ("filled holes of 4 megapixels in colors, by %s: %.0f ms", ways[way],
                        seconds * 1e3);
        g_assert_cmpfloat (seconds, <, MOST_SECONDS);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  gegl_init (NULL, NULL);

  g_test_add_func ("/color-preview/gray", test_gray);
  g_test_add_func ("/color-preview/speed", test_speed);
  return g_test_run ();
}

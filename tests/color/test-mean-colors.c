/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mean colors of regions: by hand, and against sums in the order of the pixels, for each type and
 * number of components, in one call and in several; refusals.
 */

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

static void
test_by_hand (void)
{
  static const guint32 labels[] = { 2, 2, 0, 3, 2, 5 };
  static const float   pixels[] = { 1, 0, 0, 1,  0, 1, 0, 1,  1, 1, 1, 1,
                                    1, 1, 1, 0,  0, 0, 1, 0.5f,  0.2f, 0.4f, 0.6f, 0.1f };
  g_autoptr (WfMeanColors) means = wf_mean_colors_new (NULL, 5, NULL);
  float                    mean[4];

  wf_mean_colors_add (means, labels, WF_TYPE_F32, pixels, 4, 3);
  wf_mean_colors_add (means, labels + 3, WF_TYPE_F32, pixels + 12, 4, 3);
  wf_mean_colors_get (means, 2, mean);
  for (int i = 0; i < 2; i++)
    g_assert_cmpfloat_with_epsilon (mean[i], 0.4, 1e-6);
  g_assert_cmpfloat_with_epsilon (mean[2], 0.2, 1e-6);
  g_assert_cmpfloat (mean[3], ==, 1);
  for (guint32 label = 1; label <= 4; label += 2)
    {
      wf_mean_colors_get (means, label, mean);
      for (int i = 0; i < 4; i++)
        g_assert_cmpfloat (mean[i], ==, 0);
    }
  wf_mean_colors_get (means, 5, mean);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (mean[i], 0.2 * (i + 1), 1e-6);
}

/* Component @i as a float from 0 to 1. */
static double
value_of (WfType        type,
          gconstpointer pixels,
          gsize         i)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) pixels)[i] / 255.0f;
    case WF_TYPE_U16:
      return ((const guint16 *) pixels)[i] / 65535.0f;
    default:
      return ((const float *) pixels)[i];
    }
}

static void
set_random (WfType   type,
            gpointer pixels,
            gsize    i)
{
  if (type == WF_TYPE_U8)
    ((guint8 *) pixels)[i] = (guint8) g_test_rand_int ();
  else if (type == WF_TYPE_U16)
    ((guint16 *) pixels)[i] = (guint16) g_test_rand_int ();
  else
    ((float *) pixels)[i] = (float) g_test_rand_double_range (-0.1, 1.2);
}

typedef struct
{
  double sums[4];
} Sums;

static void
add_pixel (Sums          *sums,
           WfType         type,
           gconstpointer  pixels,
           gsize          first,
           guint          n_components)
{
  const double opacity = n_components % 2 == 0 ? value_of (type, pixels, first + n_components - 1)
                                               : 1;

  for (guint c = 0; c < 3; c++)
    sums->sums[c] += opacity * value_of (type, pixels, first + (n_components > 2 ? c : 0));
  sums->sums[3] += opacity;
}

/* Many pixels are added by several threads: the bits are those of the sums in their order. */
static void
check (WfType  type,
       guint   n_components,
       guint32 n,
       guint32 highest)
{
  g_autofree guint32       *labels = g_new (guint32, n);
  g_autofree guint8        *pixels = g_malloc ((gsize) n * n_components * wf_type_size (type));
  g_autofree Sums          *sums   = g_new0 (Sums, highest + 1);
  g_autoptr (WfMeanColors)  means  = wf_mean_colors_new (NULL, highest, NULL);
  const guint32             cut    = (guint32) g_test_rand_int_range (0, (gint32) n);

  for (gsize i = 0; i < (gsize) n * n_components; i++)
    set_random (type, pixels, i);
  for (guint32 i = 0; i < n; i++)
    {
      labels[i] = i > 0 && g_test_rand_int_range (0, 4) > 0
                  ? labels[i - 1] : (guint32) g_test_rand_int_range (0, (gint32) highest + 1);
      add_pixel (&sums[labels[i]], type, pixels, (gsize) i * n_components, n_components);
    }
  wf_mean_colors_add (means, labels, type, pixels, n_components, cut);
  wf_mean_colors_add (means, labels + cut, type,
                      pixels + (gsize) cut * n_components * wf_type_size (type), n_components,
                      n - cut);
  for (guint32 label = 0; label <= highest; label++)
    {
      const double *sum = sums[label].sums;
      float         mean[4];

      wf_mean_colors_get (means, label, mean);
      g_assert_cmpfloat (mean[3], ==, sum[3] > 0);
      for (int c = 0; c < 3; c++)
        g_assert_cmpfloat (mean[c], ==, sum[3] > 0 ? (float) (sum[c] / sum[3]) : 0);
    }
}

static void
test_sums (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint n_components = 1; n_components <= 4; n_components++)
      {
        check (types[i], n_components, 300000, 8);
        check (types[i], n_components, 70000, 300);
        for (guint k = 0; k < test_count (10, 50); k++)
          check (types[i], n_components, (guint32) g_test_rand_int_range (1, 200),
                 (guint32) g_test_rand_int_range (0, 20));
      }
}

static void
test_refusals (void)
{
  g_autoptr (WfContext) context = wf_context_new ();

  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_mean_colors_new (context, 1000, &refusal) != NULL, WF_ERROR_MEMORY);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/mean-colors/by-hand", test_by_hand);
  g_test_add_func ("/mean-colors/sums", test_sums);
  g_test_add_func ("/mean-colors/refusals", test_refusals);
  return g_test_run ();
}

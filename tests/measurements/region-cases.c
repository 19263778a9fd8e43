/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "region-cases.h"


void
region_case_clear (RegionCase *c)
{
  wf_image_clear (&c->labels);
  wf_image_clear (&c->image);
}

static guint32
choose_label (RegionLayout layout,
              gint64       x,
              gint64       y,
              gint64       z,
              guint        n)
{
  switch (layout)
    {
    case LAYOUT_NOISE:
      return g_test_rand_int_range (0, (gint) n);
    case LAYOUT_BLOBS:
      return g_test_rand_int_range (0, 6) == 0 ? 0 : 1 + (x / 4 + y / 5 * 7 + z / 2) % n;
    case LAYOUT_LINES:
      return (x + y + z) % 3 == 0 ? 0 : 1 + (x - y + 100) / 3 % n;
    case LAYOUT_WHOLE:
      return 1;
    case LAYOUT_POINTS:
      return g_test_rand_int_range (0, 20) == 0 ? 1 + g_test_rand_int_range (0, (gint) n) : 0;
    default:
      return 1 + (guint32) (x + 97 * y + 9973 * z);
    }
}

void
region_case_make_levels (RegionCase *c)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const WfType        type    = types[g_test_rand_int_range (0, 3)];
  const double        offset  = g_test_rand_bit () ? 0 : -40.25;
  gint64              n;

  g_assert_true (wf_image_allocate (&c->image, type, c->labels.width, c->labels.height,
                                    c->labels.depth, NULL));
  n = wf_image_n_pixels (&c->image);
  for (gint64 i = 0; i < n; i++)
    switch (type)
      {
      case WF_TYPE_U8:
        ((guint8 *) c->image.data)[i] = g_test_rand_int_range (0, 256);
        break;
      case WF_TYPE_U16:
        ((guint16 *) c->image.data)[i] = g_test_rand_int_range (0, 65536);
        break;
      default:
        ((float *) c->image.data)[i] = g_test_rand_int_range (0, 4000) / 16.0f + offset;
        break;
      }
}

void
region_case_make (RegionCase  *c,
                  RegionLayout layout,
                  gboolean     stack)
{
  static const int connectivities[2][3] = { { 0, 4, 8 }, { 0, 6, 26 } };
  const guint32    step                 = g_test_rand_bit () ? 1 : 400000000;
  const guint      n                    = g_test_rand_int_range (2, 10);
  const guint      side                 = stack ? 9 : 24;

  memset (c, 0, sizeof *c);
  wf_option_group_init (wf_regions_get_options (), &c->options);
  c->options.connectivity = connectivities[stack][g_test_rand_int_range (0, 3)];
  if (g_test_rand_bit ())
    for (int axis = 0; axis < 3; axis++)
      c->options.spacing[axis] = g_test_rand_int_range (1, 9) / 4.0;
  g_assert_true (wf_image_allocate (&c->labels, WF_TYPE_U32, g_test_rand_int_range (1, side),
                                    g_test_rand_int_range (1, side),
                                    stack ? g_test_rand_int_range (2, 6) : 1, NULL));
  for (gint64 z = 0, i = 0; z < c->labels.depth; z++)
    for (gint64 y = 0; y < c->labels.height; y++)
      for (gint64 x = 0; x < c->labels.width; x++, i++)
        ((guint32 *) c->labels.data)[i] = choose_label (layout, x, y, z, n)
                                          * (layout == LAYOUT_ALL_DIFFERENT ? 1 : step);
  c->with_image = g_test_rand_int_range (0, 4) != 0;
  if (c->with_image)
    region_case_make_levels (c);
}

WfRegions *
region_case_measure (const RegionCase *c,
                     guint64           measures,
                     int               threads)
{
  g_autoptr (WfContext) context = wf_context_new ();
  g_autoptr (GError) error      = NULL;
  WfContextOptions options;
  WfRegions       *regions;

  wf_option_group_init (wf_context_get_options (), &options);
  options.threads   = threads;
  options.tile_size = threads > 1 ? 64 : 0;
  g_assert_true (wf_context_configure (context, &options, NULL));
  regions = wf_regions_measure (context, &c->labels, c->with_image ? &c->image : NULL, measures,
                                &c->options, &error);
  g_assert_no_error (error);
  return regions;
}

/* All bits, of NaN as well. */
void
regions_assert_same (const WfRegions *a,
                     const WfRegions *b)
{
  const gint64 n = wf_regions_get_n_regions (a);

  g_assert_cmpint (n, ==, wf_regions_get_n_regions (b));
  g_assert_cmpuint (wf_regions_get_n_columns (a), ==, wf_regions_get_n_columns (b));
  for (guint i = 0; i < wf_regions_get_n_columns (a); i++)
    for (gint64 k = 0; k < n; k++)
      {
        const double *one   = wf_regions_get_values (a, i) + k;
        const double *other = wf_regions_get_values (b, i) + k;

        if (memcmp (one, other, sizeof *one) != 0 && ! (isnan (*one) && isnan (*other)))
          g_error ("%s differs: %.17g, %.17g", wf_regions_get_column (a, i)->name, *one, *other);
      }
}

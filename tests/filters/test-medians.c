/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median of images by networks of comparisons and beyond their widest windows: all radii up
 * to there, images of one and several blocks, of few rows, narrower than the windows and just
 * wide enough, with levels that are hard for sorting; on all instruction sets, numbers of threads
 * and in place. The reference selects from each window; it is faster than the one for all
 * filters, so that images can be large enough for the networks.
 */

#include <math.h>
#include <string.h>

#include "filter-call.h"
#include "tests/support/configurations.h"
#include "tests/support/tiers.h"

#define WIDEST 21

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

typedef struct
{
  WfType  type;
  gint64  width;
  gint64  height;
  int     radius;
} Case;


/*  The reference  */

/* The one of rank @rank of @n levels, whose order changes. */
static double
select_level (double *levels,
              gint64  n,
              gint64  rank)
{
  gint64 first = 0, last = n - 1;

  while (first < last)
    {
      const double pivot = levels[(first + last) / 2];
      gint64       i = first, j = last;

      while (i <= j)
        {
          while (levels[i] < pivot)
            i++;
          while (levels[j] > pivot)
            j--;
          if (i <= j)
            {
              const double level = levels[i];

              levels[i++] = levels[j];
              levels[j--] = level;
            }
        }
      if (rank <= j)
        last = j;
      else if (rank >= i)
        first = i;
      else
        break;
    }
  return levels[rank];
}

static double *
find_expected (const Case   *c,
               const double *levels)
{
  const gint64       side     = 2 * c->radius + 1;
  double            *expected = g_new (double, c->width * c->height);
  g_autofree double *window   = g_new (double, side * side);

  for (gint64 y = 0; y < c->height; y++)
    for (gint64 x = 0; x < c->width; x++)
      {
        gint64 n = 0;

        for (gint64 j = y - c->radius; j <= y + c->radius; j++)
          for (gint64 i = x - c->radius; i <= x + c->radius; i++)
            window[n++] = levels[CLAMP (j, 0, c->height - 1) * c->width
                                 + CLAMP (i, 0, c->width - 1)];
        expected[y * c->width + x] = select_level (window, n, n / 2) + 0.0;
      }
  return expected;
}


/*  The cases  */

static double
get_level (const Case *c,
           const void *pixels,
           gint64      i)
{
  switch (c->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) pixels)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) pixels)[i];
    default:
      return ((const float *) pixels)[i];
    }
}

static void
set_level (const Case *c,
           void       *pixels,
           gint64      i,
           double      level)
{
  switch (c->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) pixels)[i] = (guint8) level;
      break;
    case WF_TYPE_U16:
      ((guint16 *) pixels)[i] = (guint16) level;
      break;
    default:
      ((float *) pixels)[i] = (float) level;
      break;
    }
}

/* Of all kinds: any; few; two; the same; slopes up and down; the ends of the type, for f32 the
 * infinities, and zeros of both signs.
 */
static double
random_level (const Case *c,
              int         content,
              gint64      i)
{
  const gboolean real    = c->type == WF_TYPE_F32;
  const gint32   highest = c->type == WF_TYPE_U8 ? G_MAXUINT8 : G_MAXUINT16;

  switch (content)
    {
    case 0:
      return real ? g_test_rand_double_range (-1e6, 1e6) : g_test_rand_int_range (0, highest + 1);
    case 1:
      return g_test_rand_int_range (0, 5) - (real ? 2 : 0);
    case 2:
      return g_test_rand_bit () ? highest : highest - 1;
    case 3:
      return 7;
    case 4:
      return (i % c->width + 3 * (i / c->width)) % (highest + 1);
    case 5:
      return highest - (2 * (i % c->width) + i / c->width) % (highest + 1);
    default:
      switch (g_test_rand_int_range (0, 4))
        {
        case 0:
          return real ? -INFINITY : 0;
        case 1:
          return real ? INFINITY : highest;
        case 2:
          return real ? -0.0 : 1;
        default:
          return 0;
        }
    }
}

#define CONTENTS 7

static void
check_result (const Case          *c,
              const Configuration *configuration,
              gconstpointer        pixels,
              const double        *expected)
{
  const gsize         bytes    = c->width * c->height * wf_type_size (c->type);
  const gboolean      in_place = g_test_rand_int_range (0, 4) == 0;
  WfFilterOptions     options  = filter_options (WF_OPERATION_MEDIAN);
  g_autofree gpointer image    = g_memdup2 (pixels, bytes);
  g_autofree gpointer results  = g_malloc0 (bytes);
  g_autoptr (GError)  error    = NULL;
  WfImage             in, out;

  options.radius = c->radius;
  g_assert_true (wf_image_init (&in, c->type, c->width, c->height, 1, image, NULL));
  g_assert_true (wf_image_init (&out, c->type, c->width, c->height, 1, in_place ? image : results,
                                NULL));
  configuration_note (configuration);
  g_assert_true (wf_median (configuration->context, &in, &out, &options, &error));
  g_assert_no_error (error);
  for (gint64 i = 0; i < c->width * c->height; i++)
    {
      const double level = get_level (c, out.data, i);

      if (level != expected[i] || (level == 0 && signbit (level)))
        g_error ("type %d, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT ", radius %d: pixel %"
                 G_GINT64_FORMAT " is %g, not %g", c->type, c->width, c->height, c->radius, i,
                 level, expected[i]);
    }
}

/* In several configurations, each of which has any of the instruction sets. */
static void
check_case (const Case           *c,
            const Configurations *configurations)
{
  const gint64        n        = c->width * c->height;
  const int           content  = g_test_rand_int_range (0, CONTENTS);
  g_autofree gpointer pixels   = g_malloc0 (n * wf_type_size (c->type));
  g_autofree double  *levels   = g_new (double, n);
  g_autofree double  *expected = NULL;

  for (gint64 i = 0; i < n; i++)
    {
      set_level (c, pixels, i, random_level (c, content, i));
      levels[i] = get_level (c, pixels, i);
    }
  expected = find_expected (c, levels);
  for (int i = 0; i < 6; i++)
    check_result (c, configurations_pick (configurations), pixels, expected);
}

/* Images that are just large enough for a network, or larger: 100 r² pixels. */
static Case
random_case (int radius)
{
  const gint64 least = 100 * radius * radius;
  Case         c     = { .type = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))],
                         .radius = radius };

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      c.width = 4 * radius + g_test_rand_int_range (0, 3);
      break;
    case 1:
      c.width = g_test_rand_int_range (1, radius < 9 ? 5 : 3) * 512 / (gint64) wf_type_size (c.type)
                + g_test_rand_int_range (-1, 2);
      break;
    default:
      c.width = 4 * radius + g_test_rand_int_range (0, 700);
      break;
    }
  c.height = least / c.width + g_test_rand_int_range (1, 10);
  return c;
}

static void
test_networks (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int radius = 1; radius <= WIDEST; radius++)
    for (int i = 0; i < test_count (radius < 9 ? 6 : 2, 12); i++)
      {
        const Case c = random_case (radius);

        check_case (&c, configurations);
      }
}

/* Rows that are fewer than a network finds together. */
static void
test_few_rows (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (20, 100); i++)
    {
      const int  radius = g_test_rand_int_range (1, i % 4 ? 6 : 12);
      const Case c      = { .type   = types[i % G_N_ELEMENTS (types)],
                            .radius = radius,
                            .height = g_test_rand_int_range (1, 9),
                            .width  = 100 * radius * radius };

      check_case (&c, configurations);
    }
}

/* Images that are smaller than the window, and small ones: not by networks. */
static void
test_small_images (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (100, 500); i++)
    {
      const Case c = { .type   = types[i % G_N_ELEMENTS (types)],
                       .radius = g_test_rand_int_range (1, WIDEST),
                       .width  = g_test_rand_int_range (1, i % 2 ? 12 : 70),
                       .height = g_test_rand_int_range (1, i % 3 ? 12 : 40) };

      check_case (&c, configurations);
    }
}

/* Wherever a NaN lies, it is found, and without partial outputs nothing is written. */
static void
test_nan (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (200, 1000); i++)
    {
      const Configuration *configuration = configurations_pick (configurations);
      const gint64         width         = g_test_rand_int_range (1, 300);
      const gint64         height        = g_test_rand_int_range (1, 40);
      const gint64         n             = width * height;
      g_autofree float    *pixels        = g_new0 (float, n);
      g_autofree float    *results       = g_new (float, n);
      g_autoptr (GError)   error         = NULL;
      WfFilterOptions      options       = filter_options (WF_OPERATION_MEDIAN);
      WfImage              image, out;

      for (gint64 p = 0; p < n; p++)
        results[p] = 5;
      pixels[g_test_rand_int_range (0, (gint32) n)] = g_test_rand_bit () ? NAN : -NAN;
      options.radius = g_test_rand_int_range (0, i % 2 ? 4 : 16);
      g_assert_true (wf_image_init (&image, WF_TYPE_F32, width, height, 1, pixels, NULL));
      g_assert_true (wf_image_init (&out, WF_TYPE_F32, width, height, 1, results, NULL));
      if (configuration->context)
        wf_context_set_partial_outputs (configuration->context, FALSE);
      configuration_note (configuration);
      g_assert_false (wf_median (configuration->context, &image, &out, &options, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
      for (gint64 p = 0; p < n; p++)
        g_assert_true (results[p] == 5);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/filters/medians-by-networks", test_networks);
  g_test_add_func ("/filters/medians-of-few-rows", test_few_rows);
  g_test_add_func ("/filters/medians-of-small-images", test_small_images);
  g_test_add_func ("/filters/medians-of-nan", test_nan);
  return g_test_run ();
}

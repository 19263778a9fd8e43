/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plateaux that run through all tiles, divided between several threads: every number of threads and
 * every size of tiles gives the basins, and the components, of the references.
 */

#include "tests/reference/reference.h"
#include "tests/support/configurations.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "tests/support/tiers.h"

#define LOW  4
#define MID  5
#define HIGH 9

#define MOST_THREADS 8

static const int tile_sizes[] = { 0, 64, 33 };

typedef void (* FillFunc) (const RefSize *size,
                           double        *levels);

static gint64
random_pixel (const RefSize *size)
{
  return g_test_rand_int_range (0, ref_n_pixels (size));
}

/* One plateau that runs out at one pixel. */
static void
fill_plain (const RefSize *size,
            double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = MID;
  levels[random_pixel (size)] = LOW;
}

/* Discs wider than a byte counts. */
static void
fill_discs (const RefSize *size,
            double        *levels)
{
  const gint64 pitch  = g_test_rand_int_range (90, 800);
  const gint64 radius = pitch * 2 / 5;

  for (gint64 y = 0; y < size->height; y++)
    for (gint64 x = 0; x < size->width; x++)
      {
        const gint64 dx = x % pitch - pitch / 2;
        const gint64 dy = y % pitch - pitch / 2;

        levels[ref_index (size, x, y, 0)] = dx * dx + dy * dy < radius * radius ? LOW : HIGH;
      }
}

/* A path through the whole image, one pixel wide, which runs out at one of its pixels. */
static void
fill_corridor (const RefSize *size,
               double        *levels)
{
  gint64 p;

  make_corridor (size, MID, HIGH, levels);
  do
    p = random_pixel (size);
  while (levels[p] != MID);
  levels[p] = LOW;
}

/* A spiral, some pixels wide, which runs out in the middle. */
static void
fill_spiral (const RefSize *size,
             double        *levels)
{
  const gint64 wide = g_test_rand_int_range (1, 6);
  const gint64 ring = 2 * wide;

  for (gint64 y = 0; y < size->height; y++)
    for (gint64 x = 0; x < size->width; x++)
      {
        const gint64 rim  = MIN (MIN (x, y), MIN (size->width - 1 - x, size->height - 1 - y));
        const gint64 turn = x < y && x + wide == y ? wide : 0;   /* the step to the next ring */

        levels[ref_index (size, x, y, 0)] = (rim + turn) % ring < wide ? MID : HIGH;
      }
  levels[ref_index (size, size->width / 2, size->height / 2, 0)] = LOW;
}

/* Two levels at random: plateaux with many arms. */
static void
fill_noise (const RefSize *size,
            double        *levels)
{
  const double share = 0.35 + 0.3 * g_test_rand_double ();

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = g_test_rand_double () < share ? LOW : HIGH;
}

/* Squares of any of three levels, which end where tiles do or near it. */
static void
fill_squares (const RefSize *size,
              double        *levels)
{
  static const double any[] = { LOW, MID, HIGH };
  const gint64        side  = g_test_rand_int_range (30, 67);
  const guint32       seed  = g_test_rand_int ();

  for (gint64 y = 0; y < size->height; y++)
    for (gint64 x = 0; x < size->width; x++)
      levels[ref_index (size, x, y, 0)]
        = any[((seed ^ x / side * 2654435761u ^ y / side * 2246822519u) >> 7) % 3];
}

static WfContext *
context_new (guint threads,
             int   tile_size)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;
  GError           *error = NULL;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = "cpu";
  options.threads   = threads;
  options.tile_size = tile_size;
  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  wf_context_set_partial_outputs (context, g_test_rand_bit ());
  return context;
}

static void
check_basins (WfContext     *context,
              const RefSize *size,
              const WfImage *image,
              int            connectivity,
              const guint32 *expected,
              guint32        n_expected)
{
  g_autoptr (GuardedImage) labels   = guarded_image_new (WF_TYPE_U32, size, FALSE);
  guint32                  n_basins = 0;
  WfWatershedOptions       options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = connectivity;
  g_assert_true (wf_watershed (context, image, NULL, &labels->view, &n_basins, &options, NULL));
  g_assert_cmpuint (n_basins, ==, n_expected);
  g_assert_cmpint (guarded_image_find_difference (labels, expected), ==, -1);
}

static void
check_components (WfContext     *context,
                  const RefSize *size,
                  const WfImage *image,
                  int            connectivity,
                  const guint32 *expected,
                  guint32        n_expected)
{
  g_autoptr (GuardedImage) labels = guarded_image_new (WF_TYPE_U32, size, FALSE);
  guint32                  n      = 0;
  WfLabelOptions           options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = connectivity;
  options.threshold    = LOW;
  g_assert_true (wf_label (context, image, &labels->view, &n, &options, NULL));
  g_assert_cmpuint (n, ==, n_expected);
  g_assert_cmpint (guarded_image_find_difference (labels, expected), ==, -1);
}

static void
check_levels (const RefSize *size,
              WfType         type,
              int            connectivity,
              const double  *levels)
{
  const gint64             n          = ref_n_pixels (size);
  const RefWatershed       watershed  = { .connectivity = connectivity };
  g_autoptr (GuardedImage) image      = guarded_image_new_levels (type, size, levels);
  g_autofree guint32      *basins     = g_new (guint32, n);
  g_autofree guint32      *components = g_new (guint32, n);
  g_autofree guint8       *foreground = g_new (guint8, n);
  guint32                  n_basins, n_components;

  for (gint64 p = 0; p < n; p++)
    foreground[p] = levels[p] > LOW;
  n_basins     = ref_watershed_quick (size, levels, NULL, &watershed, basins);
  n_components = ref_label_quick (size, connectivity, foreground, components);
  for (guint threads = 1; threads <= MOST_THREADS; threads++)
    for (guint k = 0; k < G_N_ELEMENTS (tile_sizes); k++)
      if (test_takes_turn (threads * G_N_ELEMENTS (tile_sizes) + k, 5))
        {
          g_autoptr (WfContext) context = context_new (threads, tile_sizes[k]);

          g_test_message ("%u threads, tiles of %d", threads, tile_sizes[k]);
          check_basins (context, size, &image->view, connectivity, basins, n_basins);
          check_components (context, size, &image->view, connectivity, components, n_components);
        }
}

static void
test_plateaux (gconstpointer data)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  FillFunc            fill    = *(const FillFunc *) data;

  for (int i = 0; i < test_count (2, 12); i++)
    {
      const RefSize      size   = { g_test_rand_int_range (250, 700),
                                    g_test_rand_int_range (250, 700), 1 };
      g_autofree double *levels = g_new (double, ref_n_pixels (&size));

      fill (&size, levels);
      check_levels (&size, types[i % G_N_ELEMENTS (types)], i % 2 ? 8 : 4, levels);
    }
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char *path;
    FillFunc    fill;
  } contents[] = {
    { "/watershed-threads/plain", fill_plain },
    { "/watershed-threads/discs", fill_discs },
    { "/watershed-threads/corridor", fill_corridor },
    { "/watershed-threads/spiral", fill_spiral },
    { "/watershed-threads/noise", fill_noise },
    { "/watershed-threads/squares", fill_squares },
  };

  tests_begin (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    g_test_add_data_func (contents[i].path, &contents[i].fill, test_plateaux);
  return g_test_run ();
}

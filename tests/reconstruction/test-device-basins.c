/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction over the graph of basins gives the CPU's result, bit for bit, in images of several
 * tiles: contents with few and many basins, long ways, plateaux and ties.  So does reconstruction
 * by tiles if it is stopped after the first visits, or before them, and goes on in another way.
 */

#include <math.h>

#include "tests/support/device-calls.h"
#include "tests/support/landscape.h"
#include "tests/support/tiers.h"

/* Makes every run by tiles go on over the graph, or by bit planes, or of u8 begin with them; see
 * cuda/reconstruction/worklist.cu.
 */
#define HURRY "WAVEFRONT_CUDA_HURRY"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static const RefSize sizes[] =
{
  { 64, 64, 1 }, { 65, 65, 1 }, { 131, 70, 1 }, { 67, 200, 1 }, { 3, 150, 1 }, { 300, 2, 1 },
  { 193, 129, 1 }, { 528, 70, 1 }, { 261, 70, 1 },
};

static guint32
scatter (gint64 p,
         gint64 seed)
{
  guint32 bits = (guint32) (p + 1) * 2654435761u ^ (guint32) (seed + 7) * 2246822519u;

  bits ^= bits >> 15;
  bits *= 2246822519u;
  return bits ^ bits >> 13;
}

static void
smooth_noise (const RefSize *size,
              WfType         type,
              double        *levels)
{
  make_landscape (type, size, 5, levels);
}

static void
plateaux (const RefSize *size,
          WfType         type,
          double        *levels)
{
  make_landscape (WF_TYPE_U8, size, 4, levels);
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = floor (levels[p] / 30) * 30;
}

static void
white_noise (const RefSize *size,
             WfType         type,
             double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = scatter (p, 1) % 256;
}

static void
few_levels (const RefSize *size,
            WfType         type,
            double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = 10 + scatter (p, 2) % 3 * 40;
}

static void
checkerboard (const RefSize *size,
              WfType         type,
              double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = (p % size->width + p / size->width) % 2 ? 200 : 20 + p % size->width % 7;
}

static void
ramp (const RefSize *size,
      WfType         type,
      double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = (p % size->width * 3 + p / size->width) % 250;
}

static void
constant (const RefSize *size,
          WfType         type,
          double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = 77;
}

static void
corridor (const RefSize *size,
          WfType         type,
          double        *levels)
{
  make_corridor (size, 200, 3, levels);
}

static void
walls (const RefSize *size,
       WfType         type,
       double        *levels)
{
  make_corridor (size, 3, 200, levels);
}

/* Rings one inside the other; the wall between two has an opening, on one side and on the other. */
static void
rings (const RefSize *size,
       WfType         type,
       double        *levels)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      const gint64 x    = p % size->width;
      const gint64 y    = p / size->width;
      const gint64 ring = MIN (MIN (x, size->width - 1 - x), MIN (y, size->height - 1 - y));

      levels[p] = ring % 2 == 0 || (y == size->height / 2 && (x < size->width / 2) == ring / 2 % 2)
                  ? 200 : 3;
    }
}

/* The floor rises and falls on the way. */
static void
hilly_rings (const RefSize *size,
             WfType         type,
             double        *levels)
{
  rings (size, type, levels);
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    levels[p] = levels[p] > 3 ? 100 + scatter (p / 5, 3) % 100 : scatter (p, 4) % 5;
}

static const struct
{
  const char *name;
  void     (* make) (const RefSize *size, WfType type, double *levels);
} contents[] =
{
  { "smooth noise", smooth_noise }, { "plateaux", plateaux }, { "white noise", white_noise },
  { "few levels", few_levels }, { "checkerboard", checkerboard }, { "ramp", ramp },
  { "constant", constant }, { "corridor", corridor }, { "walls", walls }, { "rings", rings },
  { "hilly rings", hilly_rings },
};

/* One pixel, some pixels beyond the mask, the border of the image, or everything a little. */
static void
make_marker (const RefSize *size,
             const double  *mask,
             double         nothing,
             int            kind,
             double        *levels)
{
  const gint64 n    = ref_n_pixels (size);
  const gint64 step = kind == 0 ? n : 997;

  for (gint64 p = 0; p < n; p++)
    {
      const gint64   x      = p % size->width;
      const gint64   y      = p / size->width;
      const gboolean border = x == 0 || y == 0 || x == size->width - 1 || y == size->height - 1;

      if (kind < 2 && p % step != n / 3 % step)
        levels[p] = nothing;
      else if (kind < 2)
        levels[p] = kind == 0 ? mask[p] : nothing > 0 ? 0 : 255;
      else if (kind == 2)
        levels[p] = border ? mask[p] : nothing;
      else
        levels[p] = nothing > 0 ? MIN (mask[p] + 9, nothing) : MAX (mask[p] - 9, 0);
    }
}

static void
check (WfContext     *device,
       WfContext     *cpu,
       const char    *algorithm,
       WfType         type,
       const RefSize *size,
       WfDirection    by,
       int            connectivity,
       int            kind,
       const double  *levels)
{
  const gint64             n        = ref_n_pixels (size);
  const double             most     = type == WF_TYPE_U16 ? 65535 : 255;
  WfReconstructOptions     options  = { .size = sizeof options, .by = by,
                                        .connectivity = connectivity };
  g_autofree double       *values   = g_new (double, n);
  g_autoptr (GuardedImage) mask     = guarded_image_new_levels (type, size, levels);
  g_autoptr (GuardedImage) expected = guarded_image_new (type, size, FALSE);
  g_autoptr (GuardedImage) result   = guarded_image_new (type, size, kind % 2);
  g_autoptr (GuardedImage) marker   = NULL;
  g_autoptr (GError)       error    = NULL;

  make_marker (size, levels, by == WF_BY_DILATION ? 0 : most, kind, values);
  marker = guarded_image_new_levels (type, size, values);
  wf_reconstruct (cpu, &mask->view, &marker->view, &expected->view, &options, &error);
  g_assert_no_error (error);
  options.algorithm = algorithm;
  wf_reconstruct (device, &mask->view, &marker->view, &result->view, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (result, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (result));
}

static void
check_contents (gconstpointer  name,
                const char    *algorithm)
{
  g_autoptr (WfContext) device = device_context_new (name);
  g_autoptr (WfContext) cpu    = device_context_new ("cpu");
  guint                 turn   = 0;

  for (guint c = 0; c < G_N_ELEMENTS (contents); c++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint way = 0; way < 4; way++)
        {
          const WfType       type   = types[(c + s + way) % G_N_ELEMENTS (types)];
          g_autofree double *levels = g_new (double, ref_n_pixels (&sizes[s]));

          if (! test_takes_turn (turn++, 3))
            continue;
          g_test_message ("%s, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT, contents[c].name,
                          sizes[s].width, sizes[s].height);
          contents[c].make (&sizes[s], type, levels);
          check (device, cpu, algorithm, type, &sizes[s], way / 2 ? WF_BY_EROSION : WF_BY_DILATION,
                 way % 2 ? 4 : 8, (int) (turn / 3 % 4), levels);
        }
}

static void
test_contents (gconstpointer name)
{
  check_contents (name, "basins");
}

static void
test_runaways (gconstpointer name)
{
  static const char *const ways[] = { "levels", "planes", "samples" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_setenv (HURRY, ways[i], TRUE);
      check_contents (name, "tiled");
    }
  g_unsetenv (HURRY);
}

/* Four tiles of bit planes meet at (256, 32).  A way that is too long for the first visits leads
 * there from the lower right and goes on to the upper left.  A pixel in the lower left is open,
 * too, but of a lower class.
 */
static void
test_corner (gconstpointer name)
{
  static const RefSize   size   = { 640, 160, 1 };
  g_autoptr (WfContext)  device = device_context_new (name);
  g_autoptr (WfContext)  cpu    = device_context_new ("cpu");
  g_autofree double     *levels = g_new0 (double, ref_n_pixels (&size));

  for (int y = 53; y <= 140; y++)
    levels[y * size.width + 213] = 200;
  for (int x = 213; x <= 600; x++)
    levels[140 * size.width + x] = 200;
  for (int y = 33; y <= 140; y++)
    levels[y * size.width + 600] = 200;
  for (int x = 257; x <= 600; x++)
    levels[33 * size.width + x] = 200;
  levels[32 * size.width + 256] = levels[31 * size.width + 255] = 200;
  levels[32 * size.width + 255] = 100;

  g_setenv (HURRY, "planes", TRUE);
  check (device, cpu, "tiled", WF_TYPE_U8, &size, WF_BY_DILATION, 8, 0, levels);
  g_unsetenv (HURRY);
}

/* Stacks have no graph of basins on a GPU. */
static void
test_stack (gconstpointer name)
{
  const RefSize            size    = { 5, 6, 7 };
  WfReconstructOptions     options = { .size = sizeof options, .by = WF_BY_DILATION,
                                       .connectivity = 6, .algorithm = "basins" };
  g_autoptr (WfContext)    device  = device_context_new (name);
  g_autoptr (GuardedImage) image   = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  g_autoptr (GuardedImage) result  = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  g_autoptr (GError)       error   = NULL;

  g_assert_false (wf_reconstruct (device, &image->view, &image->view, &result->view, &options,
                                  &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    {
      const char      *name     = names->pdata[i];
      g_autofree char *whole    = g_strdup_printf ("/device-basins/%s/contents", name);
      g_autofree char *runaways = g_strdup_printf ("/device-basins/%s/runaways", name);
      g_autofree char *corner   = g_strdup_printf ("/device-basins/%s/corner", name);
      g_autofree char *stack    = g_strdup_printf ("/device-basins/%s/stack", name);

      g_test_add_data_func_full (whole, g_strdup (name), test_contents, g_free);
      g_test_add_data_func_full (runaways, g_strdup (name), test_runaways, g_free);
      g_test_add_data_func_full (corner, g_strdup (name), test_corner, g_free);
      g_test_add_data_func_full (stack, g_strdup (name), test_stack, g_free);
    }
  if (problem)
    g_test_add_data_func ("/device-basins/none", problem, device_test_none);

  return g_test_run ();
}

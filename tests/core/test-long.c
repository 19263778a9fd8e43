/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images of more than 2³¹ pixels, for which 32 bits are too few for an index, a size or a count.
 *
 * References are too slow for such images, so the images are constructed such that the result
 * of every pixel follows from its coordinates.  A test is skipped if the machine has too little
 * memory for it; its time and memory are printed.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/estimate.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define SPARE (G_GUINT64_CONSTANT (1) << 30)


/*  The machine  */

/* Returns a field of a file in /proc in bytes, or 0 if there is none. */
static guint64
proc_bytes (const char *file,
            const char *field)
{
  g_autofree char *text = NULL;
  const char      *found;

  if (! g_file_get_contents (file, &text, NULL, NULL))
    return 0;
  found = strstr (text, field);
  return found ? g_ascii_strtoull (found + strlen (field), NULL, 10) * 1024 : 0;
}

static gboolean
has_memory (guint64 images,
            guint64 estimate)
{
  guint64          wanted = images + estimate + SPARE;
  guint64          there  = proc_bytes ("/proc/meminfo", "MemAvailable:");
  g_autofree char *reason = NULL;

  g_test_message ("%.1f GB for the images, %.1f GB for the operation",
                  images / 1e9, estimate / 1e9);
  if (there >= wanted)
    return TRUE;
  reason = g_strdup_printf ("it takes %.1f GB, and %.1f GB are free", wanted / 1e9, there / 1e9);
  g_test_skip (reason);
  return FALSE;
}

static void
print_report (const WfContext *context,
              gint64           n)
{
  const WfReport *report = wf_context_get_report ((WfContext *) context);

  g_test_message ("%s, %u threads: %.1f s, %.0f Mpx/s, peak of the process %.2f GB",
                  report->algorithm, report->threads, report->seconds,
                  n / report->seconds / 1e6, proc_bytes ("/proc/self/status", "VmHWM:") / 1e9);
}

static guint64
estimate (WfOperation    operation,
          const WfImage *image,
          gconstpointer  options)
{
  GError  *error = NULL;
  guint64  bytes = estimate_memory (operation, image, options, &error);

  g_assert_no_error (error);
  return bytes;
}

/* An image with a size but no pixels, for estimates. */
static WfImage
shape_of (gint64 width,
          gint64 height,
          gint64 depth)
{
  static guint8  nothing;
  WfImage        image;
  GError        *error = NULL;

  wf_image_init (&image, WF_TYPE_U8, width, height, depth, &nothing, &error);
  g_assert_no_error (error);
  g_assert_cmpint (wf_image_n_pixels (&image), >, G_GINT64_CONSTANT (1) << 31);
  return image;
}

static void
allocate (WfImage       *image,
          WfType         type,
          const WfImage *model)
{
  GError *error = NULL;

  wf_image_allocate (image, type, model->width, model->height, model->depth, &error);
  g_assert_no_error (error);
}


/*  Reconstruction
 *
 * Walls one pixel thick divide the image along x into chambers of full height and depth.  In
 * each chamber the marker is one pixel of the first row with the chamber's level.  The mask is
 * at least that level, except in isolated pits.  So the result is the chamber's level, or the
 * level of the mask in pits and walls.
 */

#define CHAMBER 1024

static guint32
scrambled (gint64 x,
           gint64 y,
           gint64 z)
{
  guint64 h = (guint64) x * 0x9e3779b97f4a7c15u + (guint64) y * 0xc2b2ae3d27d4eb4fu +
              (guint64) z * 0x165667b19e3779f9u;

  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h >> 40;
}

static guint8
level_of_chamber (gint64 x)
{
  return 60 + x / CHAMBER * 37 % 120;
}

static guint8
mask_at (gint64 x,
         gint64 y,
         gint64 z)
{
  guint8  level = level_of_chamber (x);
  guint32 h     = scrambled (x, y, z);

  if (x % CHAMBER == CHAMBER - 1)
    return 0;
  if (x % 3 == 1 && y % 3 == 1 && z % 3 == 0)
    return h % level;
  return level + h % (256 - level);
}

static void
fill_chambers (WfImage *mask,
               WfImage *marker)
{
  memset (marker->data, 0, wf_image_n_pixels (marker));
  for (gint64 x = 0; x < marker->width; x += CHAMBER)
    ((guint8 *) marker->data)[x + CHAMBER / 2] = level_of_chamber (x);
  for (gint64 z = 0; z < mask->depth; z++)
    for (gint64 y = 0; y < mask->height; y++)
      {
        guint8 *row = (guint8 *) mask->data + (z * mask->height + y) * mask->width;

        for (gint64 x = 0; x < mask->width; x++)
          row[x] = mask_at (x, y, z);
      }
}

static void
assert_chambers (const WfImage *result)
{
  for (gint64 z = 0; z < result->depth; z++)
    for (gint64 y = 0; y < result->height; y++)
      {
        const guint8 *row = (const guint8 *) result->data +
                            (z * result->height + y) * result->width;

        for (gint64 x = 0; x < result->width; x++)
          if (row[x] != MIN (mask_at (x, y, z), level_of_chamber (x)))
            g_error ("pixel %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                     " is %u", x, y, z, row[x]);
      }
}

static void
check_reconstruction (gint64 width,
                      gint64 height,
                      gint64 depth,
                      int    connectivity)
{
  g_autoptr (WfContext)  context = wf_context_new ();
  WfImage                shape   = shape_of (width, height, depth);
  g_auto (WfImage)       mask    = { 0 };
  g_auto (WfImage)       marker  = { 0 };
  WfReconstructOptions   options;
  GError                *error   = NULL;
  gint64                 n       = wf_image_n_pixels (&shape);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.connectivity = connectivity;
  if (! has_memory (2 * n, estimate (WF_OPERATION_RECONSTRUCT, &shape, &options)))
    return;

  allocate (&mask, WF_TYPE_U8, &shape);
  allocate (&marker, WF_TYPE_U8, &shape);
  fill_chambers (&mask, &marker);
  wf_reconstruct (context, &mask, &marker, &marker, &options, &error);
  g_assert_no_error (error);
  print_report (context, n);
  assert_chambers (&marker);
}

static void
test_reconstruction_image (void)
{
  check_reconstruction (65536, 33000, 1, 4);
}

static void
test_reconstruction_stack (void)
{
  check_reconstruction (2048, 1024, 1030, 26);
}


/*  Distance
 *
 * The background is a lattice of single pixels.  The one nearest to a pixel is in the nearest
 * column and the nearest row of the lattice.
 */

#define PITCH_X 4093
#define PITCH_Y 2999

/* The distance from each coordinate to the nearest multiple of @pitch in 1 to @length − 1. */
static double *
steps_to_lattice (gint64 length,
                  gint64 pitch)
{
  double *steps = g_new (double, length);
  gint64  last  = (length - 1) / pitch * pitch;

  for (gint64 i = 0; i < length; i++)
    {
      gint64 nearest = CLAMP ((i + pitch / 2) / pitch * pitch, pitch, last);

      steps[i] = ABS (i - nearest);
    }
  return steps;
}

static void
fill_lattice (WfImage *image)
{
  memset (image->data, 1, wf_image_n_pixels (image));
  for (gint64 y = PITCH_Y; y < image->height; y += PITCH_Y)
    for (gint64 x = PITCH_X; x < image->width; x += PITCH_X)
      ((guint8 *) image->data)[y * image->width + x] = 0;
}

static void
assert_distances (const WfImage *map)
{
  g_autofree double *dx = steps_to_lattice (map->width, PITCH_X);
  g_autofree double *dy = steps_to_lattice (map->height, PITCH_Y);

  for (gint64 y = 0; y < map->height; y++)
    {
      const float *row = (const float *) map->data + y * map->width;

      for (gint64 x = 0; x < map->width; x++)
        if (row[x] != (float) sqrt (dx[x] * dx[x] + dy[y] * dy[y]))
          g_error ("pixel %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " is %.9g", x, y, row[x]);
    }
}

static void
test_distance (void)
{
  g_autoptr (WfContext)  context = wf_context_new ();
  WfImage                shape   = shape_of (65536, 33000, 1);
  g_auto (WfImage)       image   = { 0 };
  g_auto (WfImage)       map     = { 0 };
  WfDistanceOptions      options;
  GError                *error   = NULL;
  gint64                 n       = wf_image_n_pixels (&shape);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  /* if partial outputs are allowed, the operation needs no second copy of the map */
  wf_context_set_partial_outputs (context, TRUE);
  /* the estimate includes a map of the nearest pixels; distances alone need 2 bytes a pixel */
  if (! has_memory (5 * n, 2 * n))
    return;

  allocate (&image, WF_TYPE_U8, &shape);
  allocate (&map, WF_TYPE_F32, &shape);
  fill_lattice (&image);
  wf_distance (context, &image, &map, NULL, &options, &error);
  g_assert_no_error (error);
  print_report (context, n);
  assert_distances (&map);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/long/reconstruction/image", test_reconstruction_image);
  g_test_add_func ("/long/reconstruction/stack", test_reconstruction_stack);
  g_test_add_func ("/long/distance", test_distance);

  return g_test_run ();
}

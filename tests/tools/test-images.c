/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Image files that the command reads with libvips. */

#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "pixels.h"
#include "tests/support/tiers.h"

#ifdef HAVE_VIPS

#include "pictures.h"


/*  Inputs  */

typedef struct
{
  const char *suffix;
  const char *type;
} Kept;

static const Kept kept[] =
{
  { ".tif", "u8" },  { ".tif", "u16" }, { ".tif", "f32" }, { ".tiff", "u8" }, { ".TIF", "u8" },
  { ".png", "u8" },  { ".png", "u16" }, { ".pgm", "u8" },  { ".pgm", "u16" },
  { ".v", "u8" },    { ".v", "u16" },   { ".v", "f32" },
};

/* Reading and writing the same format keeps every level. */
static void
test_kept (Scratch       *scratch,
           gconstpointer  data)
{
  const Kept         *item     = data;
  g_autoptr (Pixels)  mask     = pixels_random (item->type, 37, 23, 1, 200);
  g_autoptr (Pixels)  marker   = pixels_random (item->type, 37, 23, 1, 200);
  g_autofree char    *in       = g_strconcat ("mask", item->suffix, NULL);
  g_autofree char    *in_too   = g_strconcat ("marker", item->suffix, NULL);
  g_autofree char    *out      = g_strconcat ("out", item->suffix, NULL);
  g_autofree double  *expected = g_new (double, mask->n);

  picture_write (scratch, in, mask);
  picture_write (scratch, in_too, marker);
  succeed (scratch, "reconstruct %s %s -o %s", in, in_too, out);
  ref_reconstruct (&mask->size, 8, FALSE, mask->values, marker->values, expected);
  picture_assert (scratch, out, item->type, &mask->size, expected);

  succeed (scratch, "reconstruct %s %s -o out.raw", in, in_too);
  {
    g_autoptr (Pixels) raw = pixels_read (scratch, "out.raw", item->type, &mask->size);

    pixels_assert_equal (raw, expected);
  }
}

/* Returns the levels that the command reads: the reconstruction of an image from itself. */
static Pixels *
read_through (const Scratch *scratch,
              const char    *name,
              const char    *type,
              const RefSize *size)
{
  succeed (scratch, "reconstruct %s %s -o through.raw", name, name);
  return pixels_read (scratch, "through.raw", type, size);
}

/* Two bands are grey and alpha, or two channels: that one is not read is said. */
static void
test_two_bands (Scratch      *scratch,
                const Pixels *image)
{
  g_autoptr (Run)    result = NULL;
  g_autoptr (Pixels) found  = NULL;

  picture_write_bands (scratch, "color.tif", image, 2);
  result = run (scratch, "h-maxima color.tif --height 0 -o through.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "second band");
  found = pixels_read (scratch, "through.raw", image->type, &image->size);
  pixels_assert_equal (found, image->values);
}

/* A grey pixel of a colour image is read as its grey level. */
static void
test_colourless (Scratch       *scratch,
                 gconstpointer  data)
{
  const char         *type   = data;
  int                 levels = strcmp (type, "u8") == 0 ? 256 : 65536;
  g_autoptr (Pixels)  image  = pixels_new (type, 256, levels / 256, 1);

  for (int i = 0; i < levels; i++)
    image->values[i] = i;
  test_two_bands (scratch, image);
  for (int bands = 3; bands <= 4; bands++)
    {
      g_autoptr (Pixels) found = NULL;

      picture_write_bands (scratch, "color.tif", image, bands);
      found = read_through (scratch, "color.tif", type, &image->size);
      pixels_assert_equal (found, image->values);
    }
}

static double
linear (double encoded)
{
  return encoded <= 0.04045 ? encoded / 12.92 : pow ((encoded + 0.055) / 1.055, 2.4);
}

static double
encoded (double luminance)
{
  return luminance <= 0.0031308 ? luminance * 12.92 : 1.055 * pow (luminance, 1 / 2.4) - 0.055;
}

/* By linear light, with the weights that GIMP has. */
static double
luminance (const double colour[3])
{
  return 0.22248840 * colour[0] + 0.71690369 * colour[1] + 0.06060791 * colour[2];
}

/* A colour profile of a curve without points: a straight line. */
static GBytes *
linear_profile (void)
{
  static const guint8  entry[]   = { 'r', 'T', 'R', 'C', 0, 0, 0, 144, 0, 0, 0, 12 };
  static const guint8  curve[12] = { 'c', 'u', 'r', 'v' };
  guint8              *bytes     = g_malloc0 (156);

  bytes[3]   = 156;
  bytes[131] = 1;
  memcpy (bytes + 12, "mntrRGB XYZ ", 12);
  memcpy (bytes + 36, "acsp", 4);
  memcpy (bytes + 132, entry, sizeof entry);
  memcpy (bytes + 144, curve, sizeof curve);
  return g_bytes_new_take (bytes, 156);
}

/* The same picture at 8, 16 and 32 bits has the same luminance. */
static void
test_luminance (Scratch       *scratch,
                gconstpointer  data)
{
  enum { N = 300 };
  const RefSize       size      = { N, 1, 1 };
  g_autofree guint8  *bytes     = g_new (guint8, 3 * N);
  g_autofree guint16 *words     = g_new (guint16, 3 * N);
  g_autofree float   *floats    = g_new (float, 3 * N);
  g_autofree float   *light     = g_new (float, 3 * N);
  g_autoptr (GBytes)  profile   = linear_profile ();
  g_autoptr (Pixels)  of_bytes  = NULL;
  g_autoptr (Pixels)  of_words  = NULL;
  g_autoptr (Pixels)  of_floats = NULL;
  g_autoptr (Pixels)  of_light  = NULL;

  for (int i = 0; i < 3 * N; i++)
    {
      bytes[i]  = i < 6 ? i % 2 * 255 : i < 3 * 60 && i % 3 ? bytes[i - 1]
                                      : (guint8) g_test_rand_int_range (0, 256);
      words[i]  = bytes[i] * 257;
      floats[i] = bytes[i] / 255.0f;
      light[i]  = (float) linear (bytes[i] / 255.0);
    }
  picture_write_rgb (scratch, "color.png", bytes, N);
  picture_write_rgb16 (scratch, "color16.png", words, N);
  picture_write_float_rgb (scratch, "color.tif", floats, N, NULL);
  picture_write_float_rgb (scratch, "light.tif", light, N, profile);
  of_bytes  = read_through (scratch, "color.png", "u8", &size);
  of_words  = read_through (scratch, "color16.png", "u16", &size);
  of_floats = read_through (scratch, "color.tif", "f32", &size);
  of_light  = read_through (scratch, "light.tif", "f32", &size);
  for (int i = 0; i < N; i++)
    {
      double colour[3] = { linear (bytes[3 * i] / 255.0), linear (bytes[3 * i + 1] / 255.0),
                           linear (bytes[3 * i + 2] / 255.0) };
      double y         = luminance (colour);

      g_assert_cmpfloat_with_epsilon (of_bytes->values[i], 255 * encoded (y), 0.5001);
      g_assert_cmpfloat_with_epsilon (of_words->values[i], 65535 * encoded (y), 0.5001);
      g_assert_cmpfloat_with_epsilon (of_floats->values[i], encoded (y), 1e-6);
      g_assert_cmpfloat_with_epsilon (of_light->values[i], y, 1e-6);
      if (bytes[3 * i] == bytes[3 * i + 1] && bytes[3 * i] == bytes[3 * i + 2])
        {
          g_assert_cmpfloat (of_bytes->values[i], ==, bytes[3 * i]);
          g_assert_cmpfloat (of_words->values[i], ==, words[3 * i]);
          g_assert_cmpfloat (of_floats->values[i], ==, floats[3 * i]);
          g_assert_cmpfloat (of_light->values[i], ==, light[3 * i]);
        }
    }
}

/* Floating-point colour keeps its range and precision. */
static void
test_float_colour (Scratch       *scratch,
                   gconstpointer  data)
{
  const RefSize       size     = { 4, 1, 1 };
  static const float  colour[] = { 1000, 0, 0, 0.25f, 0.5f, -2, 1e30f, 1e30f, 1e30f, -3, -3, -3 };
  g_autoptr (GBytes)  profile  = linear_profile ();
  const double        y[2]     =
  {
    luminance ((double[]) { linear (1000), 0, 0 }),
    luminance ((double[]) { linear (0.25), linear (0.5), -linear (2) }),
  };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (Pixels) found = NULL;

      picture_write_float_rgb (scratch, "color.tif", colour, 4, i ? profile : NULL);
      found = read_through (scratch, "color.tif", "f32", &size);
      g_assert_cmpfloat_with_epsilon (found->values[0], i ? 222.4884 : encoded (y[0]), 1e-4);
      g_assert_cmpfloat_with_epsilon (found->values[1],
                                      i ? 0.0556221 + 0.358451845 - 0.12121582
                                      : y[1] < 0 ? -encoded (-y[1]) : encoded (y[1]), 1e-6);
      g_assert_cmpfloat (found->values[2], ==, 1e30f);
      g_assert_cmpfloat (found->values[3], ==, -3);
    }
}

/* Types that the engine does not have are converted to f32.  Integers that f32 cannot represent and
 * levels beyond its range are refused.
 */
static void
test_other_types (Scratch       *scratch,
                  gconstpointer  data)
{
  static const double small[4]  = { -3, 0, 7, 100 };
  static const double whole[4]  = { -16777216, 0, 1, 16777216 };
  static const double large[4]  = { 0, 1, 2, 16777217 };
  static const double third[4]  = { 0, 1, 2, 1.0 / 3 };
  static const double beyond[4] = { 0, 1, 2, 1e39 };
  static const double half[4]   = { INFINITY, 1, -2, 0.5 };
  const RefSize       size      = { 4, 1, 1 };
  g_autoptr (Pixels)  found     = NULL;
  g_autoptr (Run)     result    = NULL;

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_SHORT, small, 4);
  found = read_through (scratch, "a.tif", "f32", &size);
  pixels_assert_equal (found, small);
  pixels_free (found);

  picture_write_values (scratch, "a.v", VIPS_FORMAT_CHAR, small, 4);
  found = read_through (scratch, "a.v", "f32", &size);
  pixels_assert_equal (found, small);
  pixels_free (found);

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_INT, whole, 4);
  found = read_through (scratch, "a.tif", "f32", &size);
  pixels_assert_equal (found, whole);
  pixels_free (found);

  picture_write_values (scratch, "a.v", VIPS_FORMAT_DOUBLE, half, 4);
  found = read_through (scratch, "a.v", "f32", &size);
  pixels_assert_equal (found, half);

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_UINT, large, 4);
  refuse (scratch, 1, "a.tif", "reconstruct a.tif a.tif -o out.raw");
  picture_write_values (scratch, "a.v", VIPS_FORMAT_DOUBLE, beyond, 4);
  refuse (scratch, 1, "a.v", "reconstruct a.v a.v -o out.raw");
  picture_write_values (scratch, "a.v", VIPS_FORMAT_COMPLEX, small, 4);
  refuse (scratch, 1, "complex", "reconstruct a.v a.v -o out.raw");

  /* A warning reports rounding. */
  picture_write_values (scratch, "a.v", VIPS_FORMAT_DOUBLE, third, 4);
  result = run (scratch, "distance a.v -o out.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "a.v");
}

/* Files of 64-bit floating point, with a stack, and the rounding that is reported. */
static void
test_doubles (Scratch       *scratch,
              gconstpointer  data)
{
  static const double  third[4]  = { 0, 1, 2, 1.0 / 3 };
  static const double  beyond[4] = { 0, 1, 2, 1e39 };
  const RefSize        size      = { 131, 97, 1 };
  const RefSize        stack     = { 9, 7, 5 };
  g_autoptr (Pixels)   flat      = pixels_random ("f64", 131, 97, 1, 1000);
  g_autoptr (Pixels)   deep      = pixels_random ("f64", 9, 7, 5, 1000);
  g_autoptr (Pixels)   picture   = NULL;
  g_autoptr (Pixels)   raw       = NULL;
  g_autoptr (Pixels)   rounded   = NULL;
  g_autoptr (Run)      result    = NULL;

  picture_write (scratch, "flat.tif", flat);
  picture = read_through (scratch, "flat.tif", "f32", &size);
  pixels_assert_equal (picture, flat->values);
  pixels_free (picture);
  picture_write (scratch, "deep.tif", deep);
  picture = read_through (scratch, "deep.tif", "f32", &stack);
  pixels_assert_equal (picture, deep->values);

  pixels_write (scratch, "deep.raw", deep);
  succeed (scratch, "reconstruct deep.raw deep.raw --raw 9x7x5:f64 -o through.raw");
  raw = pixels_read (scratch, "through.raw", "f32", &stack);
  pixels_assert_equal (raw, deep->values);

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_DOUBLE, beyond, 4);
  refuse (scratch, 1, "a.tif", "distance a.tif -o out.raw");
  scratch_write (scratch, "a.raw", beyond, sizeof beyond);
  refuse (scratch, 1, "a.raw", "distance a.raw --raw 4x1:f64 -o out.raw");

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_DOUBLE, third, 4);
  result = run (scratch, "distance a.tif -o out.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "a.tif");
  run_free (result);
  scratch_write (scratch, "a.raw", third, sizeof third);
  result = run (scratch, "distance a.raw --raw 4x1:f64 -o out.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "a.raw");
}

/* What the command has written as 64-bit floating point it reads again; a file that ends early
 * is refused.
 */
static void
test_doubles_again (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autoptr (Pixels)   image    = pixels_random ("u8", 200, 150, 1, 3);
  g_autofree char     *path     = scratch_path (scratch, "squared.tif");
  g_autofree char     *whole    = NULL;
  g_autofree guint8   *direct   = NULL;
  g_autofree guint8   *indirect = NULL;
  gsize                length;

  pixels_write (scratch, "in.raw", image);
  succeed (scratch, "distance in.raw --raw 200x150:u8 --metric squared -o squared.tif");
  succeed (scratch, "distance in.raw --raw 200x150:u8 --metric squared -o squared.raw");
  succeed (scratch, "extended-maxima squared.tif -o maxima.raw --height 2");
  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  scratch_write (scratch, "cut.tif", whole, length / 2);
  refuse (scratch, 1, "cut.tif", "extended-maxima cut.tif -o cut.raw --height 2");

  succeed (scratch, "distance in.raw --raw 200x150:u8 --metric squared --spacing 1,1 -o same.v");
  succeed (scratch, "extended-maxima same.v -o expected.raw --height 2");
  direct   = scratch_read (scratch, "expected.raw", 200 * 150);
  indirect = scratch_read (scratch, "maxima.raw", 200 * 150);
  g_assert_cmpmem (indirect, 200 * 150, direct, 200 * 150);
}

static void
test_not_a_number (Scratch       *scratch,
                   gconstpointer  data)
{
  static const double values[4] = { 0, NAN, 2, 3 };

  picture_write_values (scratch, "a.tif", VIPS_FORMAT_FLOAT, values, 4);
  refuse (scratch, 1, "a.tif", "watershed a.tif -o out.tif");
  picture_write_values (scratch, "a.v", VIPS_FORMAT_DOUBLE, values, 4);
  refuse (scratch, 1, "NaN", "watershed a.v -o out.tif");
}

static void
test_bands (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 5, 4, 1, 200);

  for (int n_bands = 5; n_bands <= 8; n_bands++)
    {
      picture_write_bands (scratch, "many.tif", image, n_bands);
      refuse (scratch, 1, "many.tif", "distance many.tif -o out.tif");
      picture_write_bands (scratch, "many.v", image, n_bands);
      refuse (scratch, 1, "bands", "distance many.v -o out.tif");
    }
}


/*  Markers  */

static void
test_markers (Scratch       *scratch,
              gconstpointer  data)
{
  static const double levels[4] = { 3, 4, 5, 4 };
  static const double labels[4] = { 9, 0, 0, 200 };
  static const double large[4]  = { 70000, 0, 0, 4294967295.0 };
  const RefSize       size      = { 4, 1, 1 };
  const double        small_expected[4] = { 9, 9, 9, 200 };
  const double        large_expected[4] = { 70000, 70000, 70000, 4294967295.0 };
  const VipsBandFormat small_types[] = { VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT, VIPS_FORMAT_SHORT,
                                         VIPS_FORMAT_UINT, VIPS_FORMAT_INT, VIPS_FORMAT_FLOAT,
                                         VIPS_FORMAT_DOUBLE };

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 4);
  for (guint i = 0; i < G_N_ELEMENTS (small_types); i++)
    {
      picture_write_values (scratch, "markers.v", small_types[i], labels, 4);
      succeed_counting (scratch, "watershed in.tif --markers markers.v -o out.tif");
      picture_assert (scratch, "out.tif", "u32", &size, small_expected);
    }

  picture_write_values (scratch, "markers.tif", VIPS_FORMAT_UINT, large, 4);
  succeed_counting (scratch, "watershed in.tif --markers markers.tif -o out.tif");
  picture_assert (scratch, "out.tif", "u32", &size, large_expected);
  picture_write_values (scratch, "markers.v", VIPS_FORMAT_DOUBLE, large, 4);
  succeed_counting (scratch, "watershed in.tif --markers markers.v -o out.tif");
  picture_assert (scratch, "out.tif", "u32", &size, large_expected);

  picture_write_values (scratch, "markers.png", VIPS_FORMAT_UCHAR, labels, 4);
  succeed_counting (scratch, "watershed in.tif --markers markers.png -o out.tif");
  picture_assert (scratch, "out.tif", "u32", &size, small_expected);
}

static void
test_bad_markers (Scratch       *scratch,
                  gconstpointer  data)
{
  static const double levels[4]   = { 3, 4, 5, 4 };
  static const double below[4]    = { 1, 0, 0, -1 };
  static const double between[4]  = { 1, 0, 0, 1.5 };
  static const double above[4]    = { 1, 0, 0, 4294967296.0 };
  static const double nan_too[4]  = { 1, 0, 0, NAN };
  static const double none[4]     = { 0, 0, 0, 0 };
  g_autoptr (Pixels)  larger      = pixels_new ("u16", 4, 2, 1);

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 4);
#define REFUSE(culprit) \
  refuse (scratch, 1, culprit, "watershed in.tif --markers m.tif -o out.tif")
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_SHORT, below, 4);
  REFUSE ("m.tif");
  REFUSE ("below 0");
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_FLOAT, between, 4);
  REFUSE ("whole number");
  picture_write_values (scratch, "m.v", VIPS_FORMAT_DOUBLE, above, 4);
  refuse (scratch, 1, "2^32 - 1", "watershed in.tif --markers m.v -o out.tif");
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_FLOAT, nan_too, 4);
  REFUSE ("m.tif");
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_UCHAR, none, 4);
  REFUSE ("m.tif");
  picture_write (scratch, "m.tif", larger);
  REFUSE ("m.tif");
  REFUSE ("in.tif");
  picture_write_bands (scratch, "m.tif", larger, 3);
  REFUSE ("m.tif");
#undef REFUSE
}

/* Marks of impose-minima count as set unless they are 0. */
static void
test_marks (Scratch       *scratch,
            gconstpointer  data)
{
  static const double  levels[4]   = { 30, 40, 50, 40 };
  static const double  marks[4]    = { 0, 0, 0, 255 };
  static const double  between[4]  = { 0, 0, 0, 0.5 };
  const double         expected[4] = { 51, 51, 51, 0 };
  const RefSize        size        = { 4, 1, 1 };
  const VipsBandFormat types[]     = { VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT, VIPS_FORMAT_UINT,
                                       VIPS_FORMAT_FLOAT };
  g_autoptr (Pixels)   larger      = pixels_new ("u16", 4, 2, 1);

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 4);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      picture_write_values (scratch, "m.tif", types[i], marks, 4);
      succeed (scratch, "impose-minima in.tif m.tif -o out.png");
      picture_assert (scratch, "out.png", "u8", &size, expected);
    }
  picture_write_values (scratch, "m.png", VIPS_FORMAT_UCHAR, marks, 4);
  succeed (scratch, "impose-minima in.tif m.png -o out.png");
  picture_assert (scratch, "out.png", "u8", &size, expected);

#define REFUSE(culprit) refuse (scratch, 1, culprit, "impose-minima in.tif m.tif -o new.tif")
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_FLOAT, between, 4);
  REFUSE ("m.tif");
  picture_write (scratch, "m.tif", larger);
  REFUSE ("“in.tif” is 4 × 1 × 1 pixels, but “m.tif” is 4 × 2 × 1.");
  picture_write_bands (scratch, "m.tif", larger, 3);
  REFUSE ("3");
#undef REFUSE
  scratch_write (scratch, "m.pfm", "Pf\n4 1\n-1\n0123456789abcdef", 26);
  refuse (scratch, 1, "m.pfm", "impose-minima in.tif m.pfm -o new.tif");
}


/*  Stacks  */

static void
test_stack (Scratch       *scratch,
            gconstpointer  data)
{
  static const char * const  suffixes[] = { ".tif", ".v" };
  g_autoptr (Pixels)         stack      = pixels_random ("u8", 6, 5, 4, 4);
  g_autoptr (Pixels)         expected   = NULL;
  g_autoptr (Pixels)         found      = NULL;

  stack->values[0] = 0;
  pixels_write (scratch, "in.raw", stack);
  succeed (scratch, "distance in.raw --raw 6x5x4:u8 -o out.raw");
  expected = pixels_read (scratch, "out.raw", "f32", &stack->size);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *in  = g_strconcat ("in", suffixes[i], NULL);
      g_autofree char *out = g_strconcat ("out", suffixes[i], NULL);

      picture_write (scratch, in, stack);
      succeed (scratch, "distance %s -o %s --connectivity 6", in, out);
      picture_assert (scratch, out, "f32", &stack->size, expected->values);
    }

  /* One page of a stack is a 2-D image. */
  succeed (scratch, "distance in.tif[page=2] -o page.raw --threshold -1 --border-background "
                    "--connectivity 4");
  found = pixels_read (scratch, "page.raw", "f32", &(RefSize) { 6, 5, 1 });
  g_assert_cmpfloat (found->values[0], ==, 1);

  refuse (scratch, 1, "out.png", "reconstruct in.tif in.tif -o out.png");
  refuse (scratch, 1, "stack", "watershed in.tif -o out.pgm");
  refuse (scratch, 1, "out.pfm", "distance in.tif -o out.pfm");
}

static void
test_pages_differ (Scratch       *scratch,
                   gconstpointer  data)
{
  picture_write_uneven_pages (scratch, "in.tif");
  refuse (scratch, 1, "in.tif", "distance in.tif -o out.tif");
  succeed (scratch, "distance in.tif[page=0] -o out.tif");
}


/*  Files that cannot be read  */

static void
test_mismatch (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Pixels) narrow = pixels_random ("u8", 16, 16, 1, 200);
  g_autoptr (Pixels) wide   = pixels_random ("u16", 16, 16, 1, 200);
  g_autoptr (Pixels) larger = pixels_random ("u8", 17, 16, 1, 200);

  picture_write (scratch, "u8.png", narrow);
  picture_write (scratch, "u16.png", wide);
  picture_write (scratch, "larger.png", larger);
  refuse (scratch, 1, "u8.png", "reconstruct u8.png u16.png -o out.png");
  refuse (scratch, 1, "u16.png", "reconstruct u8.png u16.png -o out.png");
  refuse (scratch, 1, "larger.png", "reconstruct u8.png larger.png -o out.png");
  refuse (scratch, 1, "17", "reconstruct larger.png u8.png -o out.png");
}

static void
cut (const Scratch *scratch,
     const char    *name,
     const char    *shorter)
{
  g_autofree char *path  = scratch_path (scratch, name);
  g_autofree char *bytes = NULL;
  gsize            n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  scratch_write (scratch, shorter, bytes, n * 2 / 3);
}

static void
test_unreadable (Scratch       *scratch,
                 gconstpointer  data)
{
  static const char * const  suffixes[] = { "png", "tif", "pgm", "jpg", "v" };
  g_autoptr (Pixels)         image      = pixels_random ("u8", 200, 150, 1, 250);
  g_autofree char           *folder     = scratch_path (scratch, "folder.png");
  g_autofree char           *pipe       = scratch_path (scratch, "pipe.png");

  scratch_write (scratch, "garbage.png", "This is no picture, whatever its name says.\n", 44);
  scratch_write (scratch, "empty.png", "", 0);
  scratch_write (scratch, "text", "hello\n", 6);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  refuse (scratch, 1, "garbage.png", "distance garbage.png -o out.tif");
  refuse (scratch, 1, "empty.png", "distance empty.png -o out.tif");
  refuse (scratch, 1, "text", "distance text -o out.tif");
  refuse (scratch, 1, "folder.png", "distance folder.png -o out.tif");
  refuse (scratch, 1, "pipe.png", "distance pipe.png -o out.tif");
  refuse (scratch, 1, "gone.png", "distance gone.png -o out.tif");
  refuse (scratch, 1, "No such file", "distance gone.png -o out.tif");
  refuse (scratch, 1, "garbage.png", "watershed garbage.png -o out.tif");

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *whole = g_strconcat ("whole.", suffixes[i], NULL);
      g_autofree char *part  = g_strconcat ("part.", suffixes[i], NULL);

      picture_write (scratch, whole, image);
      cut (scratch, whole, part);
      refuse (scratch, 1, part, "distance %s -o out.tif", part);
      refuse (scratch, 1, part, "reconstruct %s %s -o out.tif", whole, part);
      refuse (scratch, 1, part, "watershed %s --markers %s -o out.tif", whole, part);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  pictures_begin (argv[0]);

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autofree char *path = g_strdup_printf ("/kept/%s/%s", kept[i].suffix + 1, kept[i].type);

      add_test (path, &kept[i], test_kept);
    }
  add_test ("/input/colorless/u8", "u8", test_colourless);
  add_test ("/input/colorless/u16", "u16", test_colourless);
  add_test ("/input/luminance", NULL, test_luminance);
  add_test ("/input/float-color", NULL, test_float_colour);
  add_test ("/input/other-types", NULL, test_other_types);
  add_test ("/input/doubles", NULL, test_doubles);
  add_test ("/input/doubles-again", NULL, test_doubles_again);
  add_test ("/input/not-a-number", NULL, test_not_a_number);
  add_test ("/input/bands", NULL, test_bands);
  add_test ("/input/markers", NULL, test_markers);
  add_test ("/input/bad-markers", NULL, test_bad_markers);
  add_test ("/input/marks", NULL, test_marks);
  add_test ("/input/stack", NULL, test_stack);
  add_test ("/input/pages-differ", NULL, test_pages_differ);
  add_test ("/input/mismatch", NULL, test_mismatch);
  add_test ("/input/unreadable", NULL, test_unreadable);
  return run_tests (argc, argv);
}

#else

/* Without libvips the message says so, and raw files work. */
static void
test_without (Scratch       *scratch,
              gconstpointer  data)
{
  scratch_write (scratch, "in.png", "not looked at", 13);
  scratch_write (scratch, "in.raw", "123456", 6);
  refuse (scratch, 1, "libvips", "distance in.png -o out.raw");
  refuse (scratch, 1, "in.png", "distance in.png -o out.raw");
  refuse (scratch, 1, "--raw", "watershed in.png -o out.raw");
  refuse (scratch, 1, "libvips", "distance in.raw --raw 3x2:u8 -o out.png");
  refuse (scratch, 1, "out.tif", "distance in.raw --raw 3x2:u8 -o out.tif");
  refuse (scratch, 1, "PFM", "distance in.raw --raw 3x2:u8 -o out");
  refuse (scratch, 1, ".raw", "distance in.raw --raw 3x2:u8 -o out.raw --nearest near.tif");
  succeed_counting (scratch, "watershed in.raw --raw 3x2:u8 -o out.raw");
}

static void
test_pictures (Scratch       *scratch,
               gconstpointer  data)
{
  g_test_skip ("this build has no libvips");
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/without-libvips", NULL, test_without);
  add_test ("/pictures", NULL, test_pictures);
  return run_tests (argc, argv);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Portable float maps, byte by byte. */

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"


/* Writes rows from bottom to top, as the format requires. */
static void
write_map (const Scratch *scratch,
           const char    *name,
           const char    *header,
           gboolean       big_endian,
           const float   *values,
           int            row,
           int            n_rows)
{
  GByteArray *file = g_byte_array_new ();

  g_byte_array_append (file, (const guint8 *) header, strlen (header));
  for (int y = n_rows - 1; y >= 0; y--)
    for (int x = 0; x < row; x++)
      {
        guint32 bits;

        memcpy (&bits, &values[y * row + x], sizeof bits);
        bits = big_endian ? GUINT32_TO_BE (bits) : GUINT32_TO_LE (bits);
        g_byte_array_append (file, (const guint8 *) &bits, sizeof bits);
      }
  scratch_write (scratch, name, file->data, file->len);
  g_byte_array_unref (file);
}

static const float  levels[6]   = { 0.5f, -1, 2, 3e30f, INFINITY, 0 };
static const double expected[6] = { 0.5, -1, 2, 3e30f, INFINITY, 0 };

static void
test_read (Scratch       *scratch,
           gconstpointer  data)
{
  static const struct { const char *header; gboolean big_endian; } kinds[] =
  {
    { "Pf\n3 2\n-1.0\n",                        FALSE },
    { "Pf\n3 2\n1.0\n",                         TRUE },
    { "Pf 3 2 -0.003 ",                         FALSE },
    { "Pf\n# made by hand 9 9\n3\t2\n#\n-1e0\n", FALSE },
    { "Pf\r3\r2\r1\r",                          TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (Pixels) found = NULL;

      write_map (scratch, "in.pfm", kinds[i].header, kinds[i].big_endian, levels, 3, 2);
      succeed (scratch, "reconstruct in.pfm in.pfm -o out.raw");
      found = pixels_read (scratch, "out.raw", "f32", &(RefSize) { 3, 2, 1 });
      pixels_assert_equal (found, expected);
    }
}

/* Pixels whose bytes look like white space or a comment are read as pixels. */
static void
test_data_like_text (Scratch       *scratch,
                     gconstpointer  data)
{
  static const char   file[]   = "Pf\n1 2\n-1\n\n\n#\n    ";
  g_autofree guint8  *found    = NULL;

  scratch_write (scratch, "in.pfm", file, strlen (file));
  succeed (scratch, "reconstruct in.pfm in.pfm -o out.raw");
  found = scratch_read (scratch, "out.raw", 8);
  g_assert_cmpmem (found, 8, "    \n\n#\n", 8);
}

static void
test_colour (Scratch       *scratch,
             gconstpointer  data)
{
  static const float  colours[6] = { 10, 20, 30, -1, 0, 1000 };
  g_autoptr (Pixels)  found      = NULL;

  write_map (scratch, "in.pfm", "PF\n1 2\n-1\n", FALSE, colours, 3, 2);
  succeed (scratch, "reconstruct in.pfm in.pfm -o out.raw");
  found = pixels_read (scratch, "out.raw", "f32", &(RefSize) { 1, 2, 1 });
  g_assert_cmpfloat_with_epsilon (found->values[0],
                                  2.2248840 + 20 * 0.71690369 + 30 * 0.06060791, 1e-5);
  g_assert_cmpfloat_with_epsilon (found->values[1], -0.22248840 + 60.60791, 1e-5);
}

static void
test_write (Scratch       *scratch,
            gconstpointer  data)
{
  static const guint8  image[6]   = { 1, 1, 0, 1, 1, 1 };
  static const char    header[]   = "Pf\n3 2\n-1.0\n";
  const float          rows[6]    = { sqrtf (5), sqrtf (2), 1, 2, 1, 0 };
  g_autofree char     *found      = NULL;
  g_autoptr (Run)      result     = NULL;
  const char          *german[]   = { "LC_ALL=de_DE.UTF-8", NULL };
  const Surroundings   in_german  = { .environment = german };
  gsize                length     = strlen (header) + sizeof rows;

  scratch_write (scratch, "in.raw", image, sizeof image);
  result = run_in (scratch, &in_german, "distance in.raw --raw 3x2:u8 -o out.PFM");
  assert_success (result);
  found = scratch_read (scratch, "out.PFM", length);
  g_assert_cmpmem (found, strlen (header), header, strlen (header));
  for (int i = 0; i < 6; i++)
    {
      guint32 bits;
      float   value;

      memcpy (&bits, found + strlen (header) + 4 * i, sizeof bits);
      bits = GUINT32_FROM_LE (bits);
      memcpy (&value, &bits, sizeof value);
      g_assert_cmpfloat (value, ==, rows[i]);
    }
}

/* Has more rows than are written at once. */
static void
test_large (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Pixels)  image  = pixels_random ("u8", 700, 900, 1, 9);
  g_autoptr (Pixels)  direct = NULL;
  g_autoptr (Pixels)  found  = NULL;

  pixels_write (scratch, "in.raw", image);
  succeed (scratch, "distance in.raw --raw 700x900:u8 -o direct.raw");
  succeed (scratch, "distance in.raw --raw 700x900:u8 -o map.pfm");
  succeed (scratch, "reconstruct map.pfm map.pfm -o found.raw");
  direct = pixels_read (scratch, "direct.raw", "f32", &image->size);
  found  = pixels_read (scratch, "found.raw", "f32", &image->size);
  pixels_assert_equal (found, direct->values);
}

static void
test_bad (Scratch       *scratch,
          gconstpointer  data)
{
  static const char * const headers[] =
  {
    "", "Pf", "Pf\n", "Pf\n3 2\n-1.0", "P5\n3 2\n255\n", "pf\n3 2\n-1\n", "Pf\n0 2\n-1\n",
    "Pf\n3 -2\n-1\n", "Pf\n3 two\n-1\n", "Pf\n3 2\n0\n", "Pf\n3 2\nnan\n", "Pf\n3 2\n-1,0\n",
    "Pf\n3 3\n-1\n", "Pf\n3 1\n-1\n", "PF\n3 2\n-1\n", "Pf\n1073741824 1073741824\n-1\n",
    "Pf\n99999999999999999999 2\n-1\n",
    "Pf\n3333333333333333333333333333333333333333333333333333333333333333333333333333 2\n-1\n",
  };
  const float nan_too[6] = { 0, 1, 2, NAN, 4, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      write_map (scratch, "in.pfm", headers[i], FALSE, levels, 3, 2);
      refuse (scratch, 1, "in.pfm", "distance in.pfm -o out.raw");
      scratch_write (scratch, "in.pfm", headers[i], strlen (headers[i]));
      refuse (scratch, 1, "in.pfm", "distance in.pfm -o out.raw");
    }

  write_map (scratch, "in.pfm", "Pf\n3 2\n-1\n", FALSE, nan_too, 3, 2);
  refuse (scratch, 1, "in.pfm", "distance in.pfm -o out.raw");
  refuse (scratch, 1, "gone.pfm", "distance gone.pfm -o out.raw");
  write_map (scratch, "in.pfm", "Pf\n3 2\n-1\n", FALSE, levels, 3, 2);
  refuse (scratch, 1, "in.pfm", "watershed in.pfm --markers in.pfm -o out.raw");
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  scratch_write (scratch, "in.raw", "123456", 6);
  refuse (scratch, 1, "out.pfm", "watershed in.raw --raw 3x2:u8 -o out.pfm --progress");
  refuse (scratch, 1, "out.pfm", "reconstruct in.raw in.raw --raw 3x2:u8 -o out.pfm --progress");
  refuse (scratch, 1, "out.pfm",
          "distance in.raw --raw 3x2:u8 -o out.pfm --metric squared --progress");
  refuse (scratch, 1, "stack", "distance in.raw --raw 3x1x2:u8 -o out.pfm --progress");
  refuse (scratch, 1, "near.pfm",
          "distance in.raw --raw 3x2:u8 -o out.raw --nearest near.pfm --progress");
}

static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  static const int limits[] = { 0, 5, 12, 13, 35 };

  scratch_write (scratch, "in.raw", "\0\1\2\3\4\5", 6);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const Surroundings full   = { .prepare = limit_files,
                                    .data = GUINT_TO_POINTER (limits[i]) };
      g_autoptr (Run)    result = run_in (scratch, &full,
                                          "distance in.raw --raw 3x2:u8 -o out.pfm");

      assert_refused (result, 1, "out.pfm");
      scratch_assert (scratch, "in.raw");
    }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/read/gray", NULL, test_read);
  add_test ("/read/data-like-text", NULL, test_data_like_text);
  add_test ("/read/color", NULL, test_colour);
  add_test ("/read/bad", NULL, test_bad);
  add_test ("/write/bytes", NULL, test_write);
  add_test ("/write/large", NULL, test_large);
  add_test ("/write/refused", NULL, test_refused);
  add_test ("/write/full", NULL, test_full);
  return run_tests (argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Dark and bright: --invert gives what the inverted image gives without it, --threshold otsu what
 * the threshold gives that it reports, and --input objects divides touching discs.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


static const char * const types[] = { "u8", "u16", "f32" };

/* Of an integer its difference to white, of a real number its negative. */
static Pixels *
invert (const Pixels *image)
{
  const double  white    = strcmp (image->type, "u8") == 0    ? G_MAXUINT8
                           : strcmp (image->type, "u16") == 0 ? G_MAXUINT16
                                                              : 0;
  Pixels       *inverted = pixels_new (image->type, image->size.width, image->size.height,
                                       image->size.depth);

  for (gint64 i = 0; i < image->n; i++)
    inverted->values[i] = white - image->values[i];
  return inverted;
}

typedef struct
{
  const char *command;
  const char *type;             /* NULL: that of the image */
  gboolean    inverts_result;
} InvertedCase;

/* in.raw is the image, turned.raw the inverted one. */
static const InvertedCase inverted_cases[] =
{
  { "watershed %s",                                         "u32", FALSE },
  { "watershed %s --smoothing 1 --tolerance 2 --lines",     "u32", FALSE },
  { "watershed %s --markers markers.raw --connectivity 4",  "u32", FALSE },
  { "hierarchy %s basins.raw --count 3",                    "u32", FALSE },
  { "hierarchy %s basins.raw --saliency --measure area",    "f32", FALSE },
  { "fill-holes %s --connectivity 4",                       NULL,  TRUE },
  { "clear-border %s",                                      NULL,  FALSE },
  { "impose-minima %s markers.raw",                         NULL,  TRUE },
};

/* Runs @format, with @file as its image, and reads what it writes. */
static Pixels *
compute (Scratch       *scratch,
         const char    *format,
         const char    *file,
         const char    *more,
         const char    *type,
         const Pixels  *image)
{
  g_autoptr (GString) line   = g_string_new (format);
  g_autoptr (Run)     result = NULL;
  g_autofree char    *spec   = pixels_spec (image);

  g_string_replace (line, "%s", file, 1);
  result = run (scratch, "%s --raw %s -o out.raw %s", line->str, spec, more);
  assert_success (result);
  return pixels_read (scratch, "out.raw", type, &image->size);
}

static void
test_inverted (Scratch       *scratch,
               gconstpointer  data)
{
  const InvertedCase *item = data;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels) image    = pixels_random (types[i], 19, 14, i == 1 ? 3 : 1, 9);
      g_autoptr (Pixels) turned   = invert (image);
      g_autoptr (Pixels) markers  = pixels_new ("u32", 19, 14, i == 1 ? 3 : 1);
      g_autoptr (Pixels) expected = NULL;
      g_autoptr (Pixels) found    = NULL;
      g_autoptr (Run)    basins   = NULL;
      g_autofree char   *spec     = pixels_spec (image);
      const char        *type     = item->type ? item->type : types[i];
      const char        *format   = item->command;

      if (i == 1 && strstr (format, "--connectivity 4"))
        continue;
      markers->values[3]   = 1;
      markers->values[120] = 2;
      pixels_write (scratch, "in.raw", image);
      pixels_write (scratch, "turned.raw", turned);
      pixels_write (scratch, "markers.raw", markers);
      basins = run (scratch, "watershed turned.raw --raw %s -o basins.raw", spec);
      assert_success (basins);

      expected = compute (scratch, format, "turned.raw", "", type, image);
      if (item->inverts_result)
        {
          Pixels *back = invert (expected);

          pixels_free (expected);
          expected = back;
        }
      found = compute (scratch, format, "in.raw", "--invert", type, image);
      pixels_assert_equal (found, expected->values);
    }
}

static double
find_lowest (const Pixels *image)
{
  double lowest = image->values[0];

  for (gint64 i = 1; i < image->n; i++)
    lowest = MIN (lowest, image->values[i]);
  return lowest;
}

/* Something lies above the lowest level, and something does not. */
static void
test_labels (Scratch       *scratch,
             gconstpointer  data)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint k = 0; k < 2; k++)
      {
        g_autoptr (Pixels) image    = pixels_random (types[i], 21, 17, 1, 5);
        const double       t        = k == 0 ? NAN : find_lowest (image);
        g_autoptr (Pixels) mask     = pixels_new ("u8", 21, 17, 1);
        g_autoptr (Pixels) expected = NULL;
        g_autoptr (Pixels) found    = NULL;
        g_autofree char   *given    = isnan (t) ? g_strdup ("--invert")
                                                : g_strdup_printf ("--invert --threshold %.17g", t);

        for (gint64 p = 0; p < image->n; p++)
          mask->values[p] = ! (isnan (t) ? image->values[p] != 0 : image->values[p] > t);
        pixels_write (scratch, "in.raw", image);
        pixels_write (scratch, "mask.raw", mask);
        expected = compute (scratch, "label %s", "mask.raw", "", "u32", mask);
        found    = compute (scratch, "label %s", "in.raw", given, "u32", image);
        pixels_assert_equal (found, expected->values);

        g_clear_pointer (&expected, pixels_free);
        g_clear_pointer (&found, pixels_free);
        expected = compute (scratch, "distance %s --signed", "mask.raw", "", "f32", mask);
        found    = compute (scratch, "distance %s --signed", "in.raw", given, "f32", image);
        pixels_assert_equal (found, expected->values);
      }
}

/* The threshold is in the middle of the gap between two levels. */
static void
test_otsu (Scratch       *scratch,
           gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_new ("u8", 8, 4, 1);
  g_autoptr (Run)    found = NULL;
  g_autoptr (Run)    given = NULL;
  g_autoptr (Pixels) left  = NULL;
  g_autoptr (Pixels) right = NULL;

  for (gint64 p = 0; p < image->n; p++)
    image->values[p] = p % 8 == 2 || p % 8 == 5 ? 90 : 30;
  pixels_write (scratch, "in.raw", image);

  found = run (scratch, "label in.raw --raw 8x4:u8 -o out.raw --threshold otsu");
  g_assert_cmpint (found->status, ==, 0);
  g_assert_cmpstr (found->out, ==, "2\n");
  assert_message (found->err, "is 59.");
  left = pixels_read (scratch, "out.raw", "u32", &image->size);

  /* The last one counts. */
  given = run (scratch, "label in.raw --raw 8x4:u8 -o out.raw --threshold otsu --threshold 59");
  assert_success (given);
  right = pixels_read (scratch, "out.raw", "u32", &image->size);
  pixels_assert_equal (left, right->values);
}

/* Levels 30 (23 pixels), 90 (7) and 200 (2): each way gives the threshold that its definition says,
 * whole and in blocks, and the labels that this threshold gives.
 */
static void
test_ways (Scratch       *scratch,
           gconstpointer  data)
{
  static const struct { const char *way; const char *threshold; const char *objects; } ways[] =
  {
    { "otsu", "59", "3\n" }, { "li", "59", "3\n" }, { "triangle", "31", "3\n" },
    { "0%", "30", "3\n" }, { "71.875%", "30", "3\n" }, { "71.9%", "90", "2\n" },
    { "93.75%", "90", "2\n" }, { "93.8%", "200", "0\n" }, { "100%", "200", "0\n" },
  };
  g_autoptr (Pixels) image = pixels_new ("u8", 8, 4, 1);

  for (gint64 p = 0; p < image->n; p++)
    image->values[p] = p == 2 || p == 16 ? 200 : p % 8 == 2 || p % 8 == 5 ? 90 : 30;
  pixels_write (scratch, "in.raw", image);

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    for (int k = 0; k < 2; k++)
      {
        g_autoptr (Run)    found    = NULL;
        g_autoptr (Run)    given    = NULL;
        g_autoptr (Pixels) left     = NULL;
        g_autoptr (Pixels) right    = NULL;
        g_autofree char   *sentence = g_strdup_printf ("is %s.", ways[i].threshold);

        found = run (scratch, "label in.raw --raw 8x4:u8 -o out.raw --threshold %s%s", ways[i].way,
                     k == 0 ? "" : " --blocks auto");
        g_assert_cmpint (found->status, ==, 0);
        g_assert_cmpstr (found->out, ==, ways[i].objects);
        assert_message (found->err, sentence);
        left = pixels_read (scratch, "out.raw", "u32", &image->size);

        given = run (scratch, "label in.raw --raw 8x4:u8 -o out.raw --threshold %s",
                     ways[i].threshold);
        assert_success (given);
        right = pixels_read (scratch, "out.raw", "u32", &image->size);
        pixels_assert_equal (left, right->values);
      }
}

/* Two overlapping discs, one that is alone, and a hole in it. */
static Pixels *
draw_discs (const char *type,
            double      low,
            double      high)
{
  static const int discs[][3] = { { 12, 12, 8 }, { 26, 12, 8 }, { 48, 28, 7 } };
  Pixels          *image      = pixels_new (type, 60, 40, 1);

  for (int p = 0; p < 60 * 40; p++)
    {
      image->values[p] = low;
      for (guint k = 0; k < G_N_ELEMENTS (discs); k++)
        {
          int dx = p % 60 - discs[k][0];
          int dy = p / 60 - discs[k][1];

          if (dx * dx + dy * dy <= discs[k][2] * discs[k][2])
            image->values[p] = high;
        }
    }
  return image;
}

static void
test_objects (Scratch       *scratch,
              gconstpointer  data)
{
  for (guint i = 0; i < 2 * G_N_ELEMENTS (types); i++)
    {
      const gboolean     dark   = i % 2;
      g_autoptr (Pixels) image  = draw_discs (types[i / 2], dark ? 200 : 40, dark ? 40 : 200);
      g_autoptr (Pixels) labels = NULL;
      g_autofree char   *path   = scratch_path (scratch, "t.csv");
      g_autofree char   *table  = NULL;
      g_auto (GStrv)     lines  = NULL;

      pixels_write (scratch, "in.raw", image);
      labels = compute (scratch, "watershed %s --input objects --threshold 100 --table t.csv",
                        "in.raw", dark ? "--invert" : "", "u32", image);
      for (int p = 0; p < 60 * 40; p++)
        {
          const gboolean inside = image->values[p] == (dark ? 40 : 200);
          const int      disc   = p % 60 < 19 ? 1 : p % 60 > 19 && p / 60 < 21 ? 2 : 3;

          /* The column of the neck belongs to either. */
          if (p % 60 == 19 && inside)
            g_assert_cmpfloat (labels->values[p], >, 0);
          else
            g_assert_cmpfloat (labels->values[p], ==, inside ? disc : 0);
        }

      g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
      lines = g_strsplit (table, "\n", -1);
      g_assert_cmpint (g_strv_length (lines), ==, 5);
    }
}

static void
test_object_markers (Scratch       *scratch,
                     gconstpointer  data)
{
  g_autoptr (Pixels) image   = draw_discs ("u8", 40, 200);
  g_autoptr (Pixels) markers = pixels_new ("u32", 60, 40, 1);
  g_autoptr (Pixels) labels  = NULL;

  pixels_write (scratch, "in.raw", image);
  markers->values[0] = 9;
  pixels_write (scratch, "markers.raw", markers);
  refuse (scratch, 1, "No marker lies on an object",
          "watershed in.raw --raw 60x40:u8 -o out.raw --input objects --threshold 100 "
          "--markers markers.raw");

  markers->values[12 * 60 + 12] = 7;
  pixels_write (scratch, "markers.raw", markers);
  labels = compute (scratch, "watershed %s --input objects --threshold 100 --markers markers.raw",
                    "in.raw", "", "u32", image);
  for (int p = 0; p < 60 * 40; p++)
    g_assert_cmpfloat (labels->values[p], ==, image->values[p] == 200 ? 7 : 0);
}

static void
test_gradient (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Pixels) image    = pixels_random ("u8", 19, 14, 1, 9);
  g_autoptr (Pixels) expected = NULL;
  g_autoptr (Pixels) found    = NULL;

  pixels_write (scratch, "in.raw", image);
  expected = compute (scratch, "watershed %s --gradient 1", "in.raw", "", "u32", image);
  found    = compute (scratch, "watershed %s --input gradient", "in.raw", "", "u32", image);
  pixels_assert_equal (found, expected->values);
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  static const struct
  {
    const char *culprit;
    const char *line;
  } lines[] =
  {
    { "--input objects", "watershed in.raw --threshold 3" },
    { "--input objects", "watershed in.raw --threshold otsu --input gradient" },
    { "--gradient",      "watershed in.raw --input objects --gradient 2" },
    { "--gradient",      "watershed in.raw --input levels --gradient 2" },
    { "--invert",        "h-maxima in.raw --height 3 --invert" },
    { "--invert",        "label in.raw --invert=no" },
    { "otsi",            "label in.raw --threshold otsi" },
    { "threshold --method", "label in.raw --threshold sauvola" },
    { "Unknown threshold",  "threshold in.raw --threshold mean" },
  };
  g_autoptr (Pixels) image = pixels_random ("u8", 8, 4, 1, 5);

  pixels_write (scratch, "in.raw", image);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    refuse (scratch, 2, lines[i].culprit, "%s --raw 8x4:u8 -o out.raw", lines[i].line);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (inverted_cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      add_case ("/foreground/inverted/", name, &inverted_cases[i], test_inverted);
    }
  add_test ("/foreground/labels-and-distances", NULL, test_labels);
  add_test ("/foreground/otsu", NULL, test_otsu);
  add_test ("/foreground/ways", NULL, test_ways);
  add_test ("/foreground/objects", NULL, test_objects);
  add_test ("/foreground/object-markers", NULL, test_object_markers);
  add_test ("/foreground/gradient", NULL, test_gradient);
  add_test ("/foreground/refused", NULL, test_refused);
  return run_tests (argc, argv);
}

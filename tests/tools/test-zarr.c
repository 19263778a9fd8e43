/* SPDX-License-Identifier: GPL-3.0-or-later */

/* OME-Zarr: what is written is read again, whole and in blocks; arrays as other programs write
 * them; metadata and chunks that are damaged; what is replaced, and what is left of failures.
 * Files of the Python package zarr are in test-zarr.py.
 */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "block-files.h"
#include "mounts.h"
#include "tests/support/tiers.h"


/*  Arrays  */

/* Writes a file of a folder, which is made. */
static void
put (const Scratch *scratch,
     const char    *name,
     gconstpointer  bytes,
     gssize         n)
{
  g_autofree char *path   = scratch_path (scratch, name);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  scratch_write (scratch, name, bytes, n < 0 ? strlen (bytes) : (gsize) n);
}

#define HEADER(shape, chunks, dtype, more)                                              \
  "{ \"zarr_format\": 2, \"shape\": " shape ", \"chunks\": " chunks ", \"dtype\": \""   \
  dtype "\", \"compressor\": null, \"fill_value\": 0, \"filters\": null, \"order\": \"C\"" more "}"

/* An array of 4 × 3 pixels 0 to 11 in one chunk. */
static void
put_small (const Scratch *scratch,
           const char    *header)
{
  static const guint8 levels[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

  put (scratch, "in.zarr/.zarray", header, -1);
  put (scratch, "in.zarr/0.0", levels, sizeof levels);
}

static char *
read_text (const Scratch *scratch,
           const char    *name)
{
  g_autofree char    *path  = scratch_path (scratch, name);
  g_autoptr (GError)  error = NULL;
  char               *text  = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* Asserts that a file has a text, whatever its white space. */
static void
assert_has (const Scratch *scratch,
            const char    *name,
            const char    *expected)
{
  g_autofree char *text  = read_text (scratch, name);
  g_auto (GStrv)   words = g_strsplit_set (text, " \n", -1);
  g_autofree char *plain = g_strjoinv ("", words);

  if (! strstr (plain, expected))
    g_error ("%s has no %s: %s", name, expected, plain);
}


/*  There and back  */

typedef struct
{
  const char *type;
  gint64      width;
  gint64      height;
  gint64      depth;
} Size;

/* All types of levels; the second and third have several chunks, the last one edge chunks. */
static const Size sizes[] =
{
  { "u8", 7, 5, 1 }, { "u8", 1100, 2100, 1 }, { "u16", 1030, 1029, 1 }, { "f32", 300, 700, 1 },
  { "u16", 60, 50, 9 }, { "f32", 1, 1, 1 }, { "u8", 1500, 3, 1 }, { "u8", 3, 1500, 2 },
};

/* The reconstruction of an image from itself is the image. */
static void
test_round_trip (Scratch       *scratch,
                 gconstpointer  data)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const Size        *size  = &sizes[i];
      g_autoptr (Pixels) image = pixels_random (size->type, size->width, size->height, size->depth,
                                                200);
      g_autofree char   *spec  = pixels_spec (image);

      pixels_write (scratch, "in.raw", image);
      succeed (scratch, "reconstruct in.raw in.raw --raw %s -o whole.zarr --overviews no", spec);
      succeed (scratch, "reconstruct whole.zarr whole.zarr/ -o whole.raw");
      assert_same_files (scratch, "whole.raw", "in.raw");
      succeed (scratch, "reconstruct in.raw in.raw --raw %s -o out.zarr/ --overviews no"
                        " --blocks auto --memory-limit 40M", spec);
      succeed (scratch, "reconstruct out.zarr/0 out.zarr -o out.raw --blocks auto"
                        " --memory-limit 40M");
      assert_same_files (scratch, "out.raw", "in.raw");
    }
}

static void
test_labels (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (700, 900);
  g_autoptr (Run)    whole  = NULL;
  g_autoptr (Run)    blocks = NULL;

  scratch_write (scratch, "in.raw", levels, 700 * 900);
  succeed_counting (scratch, "label in.raw --raw 700x900:u8 --threshold 120 -o labels.raw");
  succeed_counting (scratch, "label in.raw --raw 700x900:u8 --threshold 120 -o labels.zarr");
  succeed_counting (scratch, "label in.raw --raw 700x900:u8 --threshold 120 -o in-blocks.zarr"
                             " --blocks auto --memory-limit 12M");
  succeed (scratch, "reconstruct in.raw in.raw --raw 700x900:u8 -o in.zarr");
  assert_has (scratch, "labels.zarr/.zattrs", "\"image-label\":{\"version\":\"0.4\"}");
  assert_has (scratch, "labels.zarr/0/.zarray", "\"dtype\":\"<u4\"");
  assert_has (scratch, "labels.zarr/1/.zarray", "\"shape\":[450,350]");

  /* Labels are read as such by the watershed, which keeps them as they are. */
  whole  = run (scratch, "watershed in.zarr --level 0 --markers labels.zarr/0 -o whole.raw");
  blocks = run (scratch, "watershed in.zarr --level 0 --markers in-blocks.zarr/0 -o out.raw"
                         " --blocks auto --memory-limit 20M");
  assert_success (whole);
  assert_success (blocks);
  g_assert_cmpstr (whole->out, ==, blocks->out);
  assert_same_files (scratch, "whole.raw", "out.raw");
}

/* Overviews: means of levels, single pixels of labels, by each level itself. */
static void
test_overviews (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (1301, 601);
  g_autofree guint8 *half   = g_new (guint8, 651 * 301);
  g_autofree guint8 *found  = NULL;

  for (int y = 0; y < 301; y++)
    for (int x = 0; x < 651; x++)
      {
        const int right = MIN (2 * x + 1, 1300);
        const int below = MIN (2 * y + 1, 600);

        half[y * 651 + x] = (guint8) ((levels[2 * y * 1301 + 2 * x] + levels[2 * y * 1301 + right]
                                       + levels[below * 1301 + 2 * x]
                                       + levels[below * 1301 + right] + 2) / 4);
      }
  scratch_write (scratch, "in.raw", levels, 1301 * 601);
  succeed (scratch, "reconstruct in.raw in.raw --raw 1301x601:u8 -o in.zarr");
  succeed (scratch, "reconstruct in.zarr/1 in.zarr/1 -o half.raw");
  found = scratch_read (scratch, "half.raw", 651 * 301);
  g_assert_cmpmem (found, 651 * 301, half, 651 * 301);
  succeed (scratch, "reconstruct in.zarr in.zarr --level 1 -o level.raw");
  assert_same_files (scratch, "half.raw", "level.raw");
  refuse (scratch, 1, "--level 3: it holds the numbers 0 to 2",
          "reconstruct in.zarr in.zarr --level 3 -o out.raw");
  assert_has (scratch, "in.zarr/.zattrs", "\"scale\":[4.0,4.0]");
}


/*  As other programs write them  */

/* Byte orders, separators, fill values, chunks beyond the edge and time, channels and z. */
static void
test_arrays (Scratch       *scratch,
             gconstpointer  data)
{
  static const guint8 swapped[]  = { 1, 2, 3, 4, 5, 6, 7, 8 };
  static const guint8 straight[] = { 2, 1, 4, 3, 6, 5, 8, 7, 7, 0, 7, 0 };
  static const guint8 planes[]   = { 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 };
  static const guint8 stack[]    = { 1, 1, 3, 3, 5, 5 };
  g_autofree guint8  *found      = NULL;
  g_autofree guint8  *second     = NULL;

  /* 2 × 3, of which the last row has no chunk */
  put (scratch, "a.zarr/.zarray",
       "{ \"zarr_format\": 2, \"shape\": [3, 2], \"chunks\": [2, 2], \"dtype\": \">u2\", "
       "\"compressor\": null, \"fill_value\": 7, \"filters\": [], \"order\": \"C\", "
       "\"dimension_separator\": \"/\" }", -1);
  put (scratch, "a.zarr/0/0", swapped, sizeof swapped);
  succeed (scratch, "reconstruct a.zarr a.zarr -o a.raw");
  found = scratch_read (scratch, "a.raw", sizeof straight);
  g_assert_cmpmem (found, sizeof straight, straight, sizeof straight);

  /* one point in time, z before the channels; channel 1 is chosen */
  put (scratch, "b.zarr/0/.zarray", HEADER ("[1, 3, 2, 1, 2]", "[1, 3, 2, 1, 2]", "|u1", ""), -1);
  put (scratch, "b.zarr/0/0.0.0.0.0", planes, sizeof planes);
  put (scratch, "b.zarr/.zgroup", "{ \"zarr_format\": 2 }", -1);
  put (scratch, "b.zarr/.zattrs",
       "{ \"multiscales\": [ { \"version\": \"0.4\", \"axes\": [ { \"name\": \"t\" }, "
       "{ \"name\": \"z\", \"unit\": \"micrometer\" }, { \"name\": \"c\" }, { \"name\": \"y\" }, "
       "{ \"name\": \"x\", \"unit\": \"micrometer\" } ], \"datasets\": [ { \"path\": \"0\", "
       "\"coordinateTransformations\": [ { \"type\": \"scale\", "
       "\"scale\": [1, 2.5, 1, 0.25, 0.125] } ] } ] } ] }", -1);
  succeed (scratch, "reconstruct b.zarr b.zarr --channel 1 -o b.raw");
  second = scratch_read (scratch, "b.raw", sizeof stack);
  g_assert_cmpmem (second, sizeof stack, stack, sizeof stack);

  /* the size of a pixel goes into the result */
  succeed (scratch, "reconstruct b.zarr b.zarr --channel 1 -o c.zarr");
  assert_has (scratch, "c.zarr/.zattrs", "\"scale\":[2.5,0.25,0.125]");
  assert_has (scratch, "c.zarr/.zattrs",
              "{\"name\":\"x\",\"type\":\"space\",\"unit\":\"micrometer\"}");
}

static void
test_notes (Scratch       *scratch,
            gconstpointer  data)
{
  static const guint8 planes[12] = { 0 };
  g_autoptr (Run)     done       = NULL;

  put (scratch, "in.zarr/.zarray", HEADER ("[3, 2, 2]", "[3, 2, 2]", "|u1", ""), -1);
  put (scratch, "in.zarr/0.0.0", planes, sizeof planes);
  put (scratch, "more.zarr/.zarray", HEADER ("[3, 1, 2, 2]", "[3, 1, 2, 2]", "|u1", ""), -1);
  put (scratch, "more.zarr/0.0.0.0", planes, sizeof planes);
  done = run (scratch, "label more.zarr -o out.raw");
  g_assert_cmpint (done->status, ==, 0);
  assert_message (done->err, "of its 3 channels only number 0 is read");
  refuse (scratch, 1, "--channel 3", "reconstruct more.zarr more.zarr --channel 3 -o out.raw");
  refuse (scratch, 1, "--slice 3", "reconstruct in.zarr in.zarr --slice 3 -o out.raw");
  refuse (scratch, 1, "--series 1", "reconstruct in.zarr in.zarr --series 1 -o out.raw");
}


/*  Damage  */

typedef struct
{
  const char *header;
  const char *culprit;
} Damage;

#define GOOD(more) HEADER ("[3, 4]", "[3, 4]", "|u1", more)

static const Damage damages[] =
{
  { "",                                                       "no valid JSON" },
  { "[]",                                                     "no valid JSON" },
  { "{ \"zarr_format\": 2",                                   "no valid JSON" },
  { "{ \"zarr_format\": 2, \"x\": \"\xff\" }",                "no valid JSON" },
  { "{ \"zarr_format\": 3 }",                                 "version 2" },
  { "{}",                                                     "version 2" },
  { "{ \"zarr_format\": 2, \"order\": \"F\" }",               "order" },
  { HEADER ("[3, 4]", "[3, 4]", "|S1", ""),                   "“|S1”" },
  { HEADER ("[3, 4]", "[3, 4]", "u1", ""),                    "“u1”" },
  { HEADER ("[3, 4]", "[3, 4]", "<c8", ""),                   "“<c8”" },
  { HEADER ("[3, 4]", "[3, 0]", "|u1", ""),                   "“chunks”" },
  { HEADER ("[3, 4]", "[3]", "|u1", ""),                      "“chunks”" },
  { HEADER ("[3, 4]", "[3, 4, 1]", "|u1", ""),                "differ in length" },
  { HEADER ("[3, -4]", "[3, 4]", "|u1", ""),                  "“shape”" },
  { HEADER ("[3, 4.5]", "[3, 4]", "|u1", ""),                 "“shape”" },
  { HEADER ("[3, 1e300]", "[3, 4]", "|u1", ""),               "“shape”" },
  { HEADER ("[3, 9223372036854775807]", "[3, 4]", "|u1", ""), "“shape”" },
  { HEADER ("[3, null]", "[3, 4]", "|u1", ""),                "“shape”" },
  { HEADER ("[12]", "[12]", "|u1", ""),                       "2 to 5 numbers" },
  { HEADER ("[1,1,1,1,3,4]", "[1,1,1,1,3,4]", "|u1", ""),     "2 to 5 numbers" },
  { HEADER ("[3, 4]", "[65536, 65536]", "|u1", ""),           "2 GiB" },
  { HEADER ("[1073741824, 1073741824]", "[3, 4]", "|u1", ""), "any memory" },
  { HEADER ("[3, 4]", "[2, 4]", "|u1", ""),                   "0.0" },
  { HEADER ("[3, 4]", "[3, 5]", "|u1", ""),                   "0.0" },
  { HEADER ("[3, 4]", "[3, 4]", "<u2", ""),                   "0.0" },
  { GOOD (", \"dimension_separator\": \"x\""),                "dimension_separator" },
  { GOOD (", \"fill_value\": 256"),                           "fill_value" },
  { GOOD (", \"fill_value\": \"NaN\""),                       "fill_value" },
  { GOOD (", \"fill_value\": []"),                            "fill_value" },
  { GOOD (", \"filters\": [{ \"id\": \"delta\" }]"),          "filters" },
  { GOOD (", \"compressor\": \"zlib\""),                      "compressor" },
  { GOOD (", \"compressor\": { \"id\": \"other\" }"),         "by other" },
  { GOOD (", \"compressor\": { \"id\": \"zlib\" }"),          "0.0" },
  { GOOD (", \"compressor\": { \"id\": \"gzip\" }"),          "0.0" },
#ifdef HAVE_BLOSC
  { GOOD (", \"compressor\": { \"id\": \"blosc\" }"),         "0.0" },
#else
  { GOOD (", \"compressor\": { \"id\": \"blosc\" }"),         "by blosc" },
#endif
#ifdef HAVE_ZSTD
  { GOOD (", \"compressor\": { \"id\": \"zstd\" }"),          "0.0" },
#else
  { GOOD (", \"compressor\": { \"id\": \"zstd\" }"),          "by zstd" },
#endif
};

static void
test_damaged (Scratch       *scratch,
              gconstpointer  data)
{
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      put_small (scratch, damages[i].header);
      refuse (scratch, 1, damages[i].culprit, "reconstruct in.zarr in.zarr -o out.raw");
      refuse (scratch, 1, "in.zarr",
              "reconstruct in.zarr in.zarr -o out.raw --blocks auto");
      scratch_assert (scratch, "in.zarr");
    }
}

static const Damage attributes[] =
{
  { "{ \"multiscales\": [] }",                                               "no image" },
  { "{ \"multiscales\": 5 }",                                                "no OME-Zarr" },
  { "{}",                                                                    "no OME-Zarr" },
  { "{ \"multiscales\": [ 5 ] }",                                            "no image" },
  { "{ \"multiscales\": [ { \"datasets\": [] } ] }",                         "no image" },
  { "{ \"multiscales\": [ { \"datasets\": [ {} ] } ] }",                     "“path”" },
  { "{ \"multiscales\": [ { \"datasets\": [ { \"path\": \"../a\" } ] } ] }", "leads out" },
  { "{ \"multiscales\": [ { \"datasets\": [ { \"path\": \"/a\" } ] } ] }",   "leads out" },
  { "{ \"multiscales\": [ { \"datasets\": [ { \"path\": \"1\" } ] } ] }",    "1/.zarray" },
  { "{ \"multiscales\": [ { \"axes\": [ 1 ], \"datasets\": [ { \"path\": \"0\" } ] } ] }",
    "no name" },
  { "{ \"multiscales\": [ { \"axes\": [ \"x\" ], \"datasets\": [ { \"path\": \"0\" } ] } ] }",
    "axes" },
  { "{ \"multiscales\": [ { \"axes\": [ \"x\", \"y\" ], "
    "\"datasets\": [ { \"path\": \"0\" } ] } ] }", "not y and x" },
  { "{ \"bioformats2raw.layout\": 3 }",                                      "no OME-Zarr" },
};

static void
test_damaged_attributes (Scratch       *scratch,
                         gconstpointer  data)
{
  g_autoptr (GString) deep = g_string_new ("{ \"a\": ");

  put (scratch, "in.zarr/.zgroup", "{ \"zarr_format\": 2 }", -1);
  put (scratch, "in.zarr/0/.zarray", GOOD (""), -1);
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      put (scratch, "in.zarr/.zattrs", attributes[i].header, -1);
      refuse (scratch, 1, attributes[i].culprit, "label in.zarr -o out.raw");
    }

  for (int i = 0; i < 1000000; i++)
    g_string_append_c (deep, '[');
  put (scratch, "in.zarr/.zattrs", deep->str, -1);
  refuse (scratch, 1, "no valid JSON", "label in.zarr -o out.raw");
  scratch_assert (scratch, "in.zarr");
}

/* What is no plain file, and what is not there. */
static void
test_missing (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree char *chunk = scratch_path (scratch, "in.zarr/0.0");
  g_autofree char *large = g_malloc0 (200000);

  refuse (scratch, 1, g_strerror (ENOENT), "label none.zarr -o out.raw");
  put (scratch, "three.zarr/zarr.json", "{}", -1);
  refuse (scratch, 1, "version 3", "label three.zarr -o out.raw");
  put (scratch, "empty.zarr/other", "", 0);
  refuse (scratch, 1, "no OME-Zarr", "label empty.zarr -o out.raw");
  put_small (scratch, GOOD (""));
  put (scratch, "in.zarr/0.0", large, 200000);
  refuse (scratch, 1, "larger than a chunk", "label in.zarr -o out.raw");
  g_assert_cmpint (g_unlink (chunk), ==, 0);
  g_assert_cmpint (mkfifo (chunk, 0600), ==, 0);
  refuse (scratch, 1, "not a regular file", "label in.zarr -o out.raw");
}


/*  What is replaced, and what is left  */

static void
test_replacing (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree char *mine = scratch_path (scratch, "mine.zarr");
  g_autofree char *link = scratch_path (scratch, "link.zarr");
  g_autofree char *real = scratch_path (scratch, "real.zarr");
  g_autofree char *gone = scratch_path (scratch, "real.zarr/1");
  struct stat      status;

  scratch_write_inputs (scratch);
  g_assert_cmpint (g_mkdir (mine, 0700), ==, 0);
  refuse (scratch, 1, "not one of Zarr", "label in.raw --raw 4x3:u8 -o mine.zarr");
  scratch_write (scratch, "file.zarr", "mine", 4);
  refuse (scratch, 1, "not a folder", "label in.raw --raw 4x3:u8 -o file.zarr");
  refuse (scratch, 1, "needs a name", "label in.raw --raw 4x3:u8 -o - --format zarr");

  put (scratch, "real.zarr/.zgroup", "{}", -1);
  put (scratch, "real.zarr/1/2/3/4", "old", 3);
  g_assert_cmpint (g_chmod (real, 0750), ==, 0);
  g_assert_cmpint (symlink ("real.zarr", link), ==, 0);
  succeed_counting (scratch, "label in.raw --raw 4x3:u8 -o link.zarr");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_false (g_file_test (gone, G_FILE_TEST_EXISTS));
  g_assert_cmpint (stat (real, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0750);

  /* the result replaces the image that it was computed from */
  succeed_counting (scratch, "label real.zarr -o real.zarr");
  succeed_counting (scratch, "label real.zarr -o real.zarr --blocks auto");
  scratch_assert (scratch, "file.zarr in.raw link.zarr marker.raw markers.raw mine.zarr real.zarr");
}

static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const more[] = { "", "--blocks auto" };
  const Surroundings        full   = { .prepare = limit_files, .data = GUINT_TO_POINTER (3000) };
  g_autofree guint8        *levels = make_spots (300, 400);

  scratch_write (scratch, "in.raw", levels, 300 * 400);
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    {
      g_autoptr (Run) result = run_in (scratch, &full, "label in.raw --raw 300x400:u8 "
                                       "--threshold 120 -o out.zarr %s", more[i]);

      assert_refused (result, 1, "out.zarr");
      g_assert_nonnull (strstr (result->err, g_strerror (EFBIG)));
      scratch_assert (scratch, "in.raw");
    }
}

static void
mount_small_disk (gpointer folder)
{
  if (! mounts_are_own () || mount ("tmpfs", folder, "tmpfs", 0, "size=64k") != 0)
    _exit (77);
}

static void
test_full_disk (Scratch       *scratch,
                gconstpointer  data)
{
  static const char * const more[] = { "", "--blocks auto" };
  g_autofree char          *folder = scratch_path (scratch, "disk");
  const Surroundings        small  = { .prepare = mount_small_disk, .data = folder,
                                       .through = "\"$@\"; status=$?; ls -A disk; exit $status" };
  g_autofree guint8        *levels = make_spots (800, 900);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  scratch_write (scratch, "in.raw", levels, 800 * 900);
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    {
      g_autoptr (Run) result = run_in (scratch, &small, "label in.raw --raw 800x900:u8 "
                                       "--threshold 120 -o disk/out.zarr %s", more[i]);

      if (result->status == 77)
        {
          g_test_skip ("this machine allows no mounts, so no small disk");
          return;
        }
      assert_message (result->err, "disk/out.zarr");
      g_assert_nonnull (strstr (result->err, g_strerror (ENOSPC)));
      g_assert_cmpstr (result->out, ==, "");
      g_assert_cmpint (result->status, ==, 1);
    }
}

/* A signal at any time leaves all of it or nothing, hidden folders included. */
static void
test_signals (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree guint8 *levels  = make_spots (2000, 3000);
  guint              n_ended = 0;

  scratch_write (scratch, "in.raw", levels, 2000 * 3000);
  for (int k = 0; k < (int) test_count (12, 60); k++)
    {
      g_autofree char    *script = g_strdup_printf ("\"$@\" & sleep 0.%02d; kill $!; wait $!",
                                                    5 + 2 * k % 40);
      const Surroundings  soon   = { .through = script };
      g_autoptr (Run)     done   = run_in (scratch, &soon, "distance in.raw --raw 2000x3000:u8 "
                                           "--threshold 120 -o out.zarr --threads 2");
      g_autofree char    *there  = scratch_list (scratch);

      n_ended += done->status == 128 + SIGTERM;
      g_assert_true (strcmp (there, "in.raw") == 0 || strcmp (there, "in.raw out.zarr") == 0);
    }
  g_test_message ("%u were ended", n_ended);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  add_test ("/zarr/round-trip", NULL, test_round_trip);
  add_test ("/zarr/labels", NULL, test_labels);
  add_test ("/zarr/overviews", NULL, test_overviews);
  add_test ("/zarr/arrays", NULL, test_arrays);
  add_test ("/zarr/notes", NULL, test_notes);
  add_test ("/zarr/damaged", NULL, test_damaged);
  add_test ("/zarr/damaged-attributes", NULL, test_damaged_attributes);
  add_test ("/zarr/missing", NULL, test_missing);
  add_test ("/zarr/replacing", NULL, test_replacing);
  add_test ("/zarr/full/limit", NULL, test_full);
  add_test ("/zarr/full/disk", NULL, test_full_disk);
  add_test ("/zarr/signals", NULL, test_signals);
  return run_tests (argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction, from file to file.  The library has its own tests; these check
 * that the command calls the right function with the options of the command line.
 */

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


typedef gboolean (* MorphologyFunc) (WfContext                  *context,
                                     const WfImage              *image,
                                     WfImage                    *out,
                                     const WfMorphologyOptions  *options,
                                     GError                    **error);

typedef struct
{
  const char          *line;
  MorphologyFunc       function;
  gboolean             marks;
  WfMorphologyOptions  options;
} Case;

#define SIZE      sizeof (WfMorphologyOptions)
#define NO_HEIGHT NAN

/* Each case has a different result on the image of test_differences(). */
static const Case cases[] =
{
  { "fill-holes", wf_fill_holes, FALSE, { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "fill-holes --connectivity 8", wf_fill_holes, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 8, NULL } },
  { "clear-border", wf_clear_border, FALSE, { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "clear-border --connectivity=4", wf_clear_border, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 4, NULL } },
  { "h-maxima --height 3", wf_h_maxima, FALSE, { SIZE, 3, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "h-maxima --height 6", wf_h_maxima, FALSE, { SIZE, 6, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "h-minima --height 3", wf_h_minima, FALSE, { SIZE, 3, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "h-dome --height 3", wf_h_dome, FALSE, { SIZE, 3, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "h-dome --height=3 --connectivity 4", wf_h_dome, FALSE,
    { SIZE, 3, WF_ELEMENT_SQUARE, 1, 4, NULL } },
  { "h-basin --height 3", wf_h_basin, FALSE, { SIZE, 3, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "regional-maxima", wf_regional_maxima, TRUE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "regional-maxima --connectivity 4", wf_regional_maxima, TRUE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 4, NULL } },
  { "regional-minima", wf_regional_minima, TRUE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "extended-maxima --height 4", wf_extended_maxima, TRUE,
    { SIZE, 4, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "extended-minima --height 4", wf_extended_minima, TRUE,
    { SIZE, 4, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "opening-by-reconstruction", wf_opening_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "opening-by-reconstruction --element disc --radius 2", wf_opening_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_DISC, 2, 0, NULL } },
  { "opening-by-reconstruction --element square --radius 2", wf_opening_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 2, 0, NULL } },
  { "closing-by-reconstruction --radius 2", wf_closing_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 2, 0, NULL } },
  { "closing-by-reconstruction --element disc --connectivity 4", wf_closing_by_reconstruction,
    FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_DISC, 1, 4, NULL } },
  { "white-top-hat-by-reconstruction --element=disc --radius=2", wf_white_top_hat_by_reconstruction,
    FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_DISC, 2, 0, NULL } },
  { "white-top-hat-by-reconstruction", wf_white_top_hat_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 1, 0, NULL } },
  { "black-top-hat-by-reconstruction --radius 2", wf_black_top_hat_by_reconstruction, FALSE,
    { SIZE, NO_HEIGHT, WF_ELEMENT_SQUARE, 2, 0, NULL } },
};

/* Overlapping discs of many sizes with noise, so that structuring elements of different shapes fit
 * and maxima have different heights.
 */
static Pixels *
make_image (const char *type,
            gint64      width,
            gint64      height,
            gint64      depth)
{
  Pixels *image = pixels_random ("u8", width, height, depth, 7);

  for (gint64 disc = 0; disc < width * height / 8; disc++)
    {
      gint64 x0     = g_test_rand_int_range (0, (int) width);
      gint64 y0     = g_test_rand_int_range (0, (int) height);
      gint64 z0     = g_test_rand_int_range (0, (int) depth);
      gint64 radius = g_test_rand_int_range (0, 5);
      int    level  = 10 * g_test_rand_int_range (0, 12);

      for (gint64 i = 0; i < image->n; i++)
        {
          gint64 x = i % width - x0;
          gint64 y = i / width % height - y0;
          gint64 z = i / width / height - z0;

          if (x * x + y * y + z * z <= radius * radius)
            image->values[i] = level + fmod (image->values[i], 10);
        }
    }

  image->type = type;
  for (gint64 i = 0; i < image->n; i++)
    if (strcmp (type, "f32") == 0)
      image->values[i] = image->values[i] * 0.5 - 20;
    else if (strcmp (type, "u8") != 0)
      image->values[i] = image->values[i] * 3 + 300;
  return image;
}

static void
view (const Pixels *pixels,
      const char   *type,
      gpointer      data,
      WfImage      *image)
{
  static const WfType  types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32 };
  g_autoptr (GError)   error   = NULL;
  WfType               found   = 0;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (type, wf_type_name (types[i])) == 0)
      found = types[i];
  wf_image_init (image, found, pixels->size.width, pixels->size.height, pixels->size.depth,
                 data, &error);
  g_assert_no_error (error);
}

static const char *
type_of_result (const Case   *item,
                const Pixels *image)
{
  return item->marks ? "u8" : image->type;
}

/* Returns the result of the library, as bytes. */
static gpointer
compute (const Case   *item,
         const Pixels *image,
         gsize        *length)
{
  gsize                in_length;
  g_autofree gpointer  bytes  = pixels_to_bytes (image, &in_length);
  g_autoptr (GError)   error  = NULL;
  const char          *type   = type_of_result (item, image);
  gpointer             result;
  WfImage              in;
  WfImage              out;

  view (image, image->type, bytes, &in);
  *length = (gsize) image->n * (item->marks ? 1 : wf_type_size (in.type));
  result  = g_malloc (*length);
  view (image, type, result, &out);
  item->function (NULL, &in, &out, &item->options, &error);
  g_assert_no_error (error);
  return result;
}

static void
check (const Scratch *scratch,
       const Case    *item,
       const Pixels  *image)
{
  g_autofree char     *spec  = pixels_spec (image);
  gsize                length;
  g_autofree gpointer  wanted = compute (item, image, &length);
  g_autofree gpointer  found  = NULL;

  pixels_write (scratch, "in.raw", image);
  succeed (scratch, "%s in.raw --raw %s -o out.raw", item->line, spec);
  found = scratch_read (scratch, "out.raw", length);
  g_assert_cmpmem (found, length, wanted, length);
  scratch_assert (scratch, "in.raw out.raw");
}

static void
test_case (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const types[] = { "u8", "u16", "f32" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels) image = make_image (types[i], 43, 37, 1);

      check (scratch, data, image);
    }
}

/* Runs on stacks the cases that do not set a connectivity, which would be one of 2-D images. */
static void
test_stacks (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Pixels) image = make_image ("u8", 19, 18, 17);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].options.connectivity == 0)
      check (scratch, &cases[i], image);
}

/* All cases give different results; otherwise the tests above could not detect a wrong function. */
static void
test_differences (Scratch       *scratch,
                  gconstpointer  data)
{
  g_autoptr (Pixels) image = make_image ("u8", 60, 50, 1);
  gpointer           results[G_N_ELEMENTS (cases)];
  gsize              length;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      results[i] = compute (&cases[i], image, &length);
      for (guint k = 0; k < i; k++)
        if (memcmp (results[i], results[k], length) == 0)
          g_error ("%s and %s give the same result.", cases[i].line, cases[k].line);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_free (results[i]);
}

/* Compares two operations with their definitions, without the library. */
static void
test_definitions (Scratch       *scratch,
                  gconstpointer  data)
{
  g_autoptr (Pixels)  image   = pixels_random ("u8", 23, 17, 1, 12);
  g_autoptr (Pixels)  domes   = NULL;
  g_autoptr (Pixels)  marks   = NULL;
  g_autofree double  *lowered = g_new (double, image->n);
  g_autofree double  *cut     = g_new (double, image->n);
  g_autofree guint32 *minima  = g_new (guint32, image->n);
  g_autofree double  *dome    = g_new (double, image->n);
  g_autofree double  *mark    = g_new (double, image->n);

  pixels_write (scratch, "in.raw", image);
  for (gint64 i = 0; i < image->n; i++)
    lowered[i] = MAX (image->values[i] - 3, 0);
  ref_reconstruct (&image->size, 8, FALSE, image->values, lowered, cut);
  ref_minima (&image->size, 4, image->values, minima);
  for (gint64 i = 0; i < image->n; i++)
    {
      dome[i] = image->values[i] - cut[i];
      mark[i] = minima[i] ? 255 : 0;
    }

  succeed (scratch, "h-dome in.raw --raw 23x17:u8 -o out.raw --height 3.75");
  domes = pixels_read (scratch, "out.raw", "u8", &image->size);
  pixels_assert_equal (domes, dome);
  succeed (scratch, "regional-minima in.raw --raw 23x17:u8 -o out.raw --connectivity 4");
  marks = pixels_read (scratch, "out.raw", "u8", &image->size);
  pixels_assert_equal (marks, mark);
}


/*  Impose minima  */

static Pixels *
make_markers (const Pixels *image,
              const char   *type)
{
  Pixels *markers = pixels_new (type, image->size.width, image->size.height,
                                image->size.depth);

  /* Some markers have low bytes that are 0. */
  markers->values[3]                = strcmp (type, "u8") == 0 ? 1 : 256;
  markers->values[markers->n / 2]   = 255;
  markers->values[markers->n - 1]   = strcmp (type, "u32") == 0 ? 65536 : 7;
  return markers;
}

/* Markers may have 8, 16 or 32 bits, whatever the image has. */
static void
test_impose_minima (Scratch       *scratch,
                    gconstpointer  data)
{
  static const char * const types[] = { "u8", "u16", "u32" };
  const char               *type    = data;
  g_autoptr (Pixels)        image   = make_image (type, 23, 17, 1);
  gsize                     length;
  g_autofree gpointer       bytes   = pixels_to_bytes (image, &length);
  g_autofree gpointer       wanted  = g_malloc (length);
  WfImage                   in;
  WfImage                   out;

  pixels_write (scratch, "in.raw", image);
  view (image, type, bytes, &in);
  view (image, type, wanted, &out);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels)   markers = make_markers (image, types[i]);
      gsize                marker_length;
      g_autofree gpointer  marker_bytes = pixels_to_bytes (markers, &marker_length);
      g_autofree gpointer  found        = NULL;
      g_autoptr (GError)   error        = NULL;
      WfImage              mark;

      view (markers, types[i], marker_bytes, &mark);
      wf_impose_minima (NULL, &in, &mark, &out, NULL, &error);
      g_assert_no_error (error);
      pixels_write (scratch, "markers.raw", markers);
      succeed (scratch, "impose-minima in.raw markers.raw --raw 23x17:%s -o out.raw", type);
      found = scratch_read (scratch, "out.raw", length);
      g_assert_cmpmem (found, length, wanted, length);
    }
}

/* The regional minima of the result are exactly the marked pixels. */
static void
test_imposed (Scratch       *scratch,
              gconstpointer  data)
{
  g_autoptr (Pixels)  image   = pixels_random ("u8", 23, 17, 1, 12);
  g_autoptr (Pixels)  markers = make_markers (image, "u8");
  g_autoptr (Pixels)  found   = NULL;
  g_autofree double  *mark    = g_new (double, image->n);

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "markers.raw", markers);
  for (gint64 i = 0; i < image->n; i++)
    mark[i] = markers->values[i] != 0 ? 255 : 0;
  succeed (scratch, "impose-minima in.raw markers.raw --raw 23x17:u8 -o relief.raw");
  succeed (scratch, "regional-minima relief.raw --raw 23x17:u8 -o out.raw");
  found = pixels_read (scratch, "out.raw", "u8", &image->size);
  pixels_assert_equal (found, mark);
}


/*  Errors  */

static void
test_errors (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Pixels) image   = pixels_random ("u8", 4, 3, 1, 5);
  g_autoptr (Pixels) float_image = pixels_random ("f32", 4, 3, 1, 5);
  g_autoptr (Pixels) none    = pixels_new ("u32", 4, 3, 1);

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "none.raw", none);
  scratch_write (scratch, "short.raw", "12345", 5);

  refuse (scratch, 1, "gone.raw", "fill-holes gone.raw --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "gone.raw", "impose-minima in.raw gone.raw --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "short.raw", "impose-minima in.raw short.raw --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "short.raw", "closing-by-reconstruction short.raw --raw 4x3:u8 -o out.raw");
  /* No pixel is marked. */
  refuse (scratch, 1, "none.raw", "impose-minima in.raw none.raw --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "connectivity of 6",
          "fill-holes in.raw --raw 4x3:u8 -o out.raw --connectivity 6");
  refuse (scratch, 1, "nowhere/out.raw",
          "opening-by-reconstruction in.raw --raw 4x3:u8 -o nowhere/out.raw --progress");
  refuse (scratch, 1, "nowhere/out.raw",
          "impose-minima in.raw in.raw --raw 4x3:u8 -o nowhere/out.raw --progress");
  refuse (scratch, 1, "out.pfm", "h-dome in.raw --raw 4x3:u8 --height 1 -o out.pfm --progress");
  refuse (scratch, 1, "marks", "regional-maxima in.raw --raw 4x3:u8 -o out.pfm --progress");

  float_image->values[5] = NAN;
  pixels_write (scratch, "bad.raw", float_image);
  refuse (scratch, 1, "“bad.raw” holds a pixel that is not a number (NaN), at 1, 1, 0",
          "h-basin bad.raw --raw 4x3:f32 --height 1 -o out.raw");
  refuse (scratch, 1, "bad.raw", "regional-minima bad.raw --raw 4x3:f32 -o out.raw");
}

/* The line of --stats contains the operation, the algorithm and the device. */
static void
test_stats (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Pixels) image  = pixels_random ("u16", 30, 20, 1, 9);
  g_autoptr (Run)    result = NULL;

  pixels_write (scratch, "in.raw", image);
  result = run (scratch, "closing-by-reconstruction in.raw --raw 30x20:u16 -o out.raw --stats "
                "--repeat 2 "
                         "--device cpu --algorithm hybrid --radius 3");
  assert_success (result);
  g_assert_true (g_str_has_prefix (result->out, "{\"operation\":\"closing-by-reconstruction\","
                                                "\"algorithm\":\"hybrid\",\"device\":\"cpu\","));
  g_assert_nonnull (strstr (result->out, "\"pixels\":600,"));
  g_assert_true (g_str_has_suffix (result->out, "\"type\":\"u16\",\"repeat\":2}\n"));
}


int
main (int    argc,
      char **argv)
{
  static const char * const types[] = { "u8", "u16", "f32" };

  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/morphology/", cases[i].line, &cases[i], test_case);
  add_test ("/morphology/stacks", NULL, test_stacks);
  add_test ("/morphology/differences", NULL, test_differences);
  add_test ("/morphology/definitions", NULL, test_definitions);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    add_case ("/impose-minima/", types[i], types[i], test_impose_minima);
  add_test ("/impose-minima/minima", NULL, test_imposed);
  add_test ("/errors", NULL, test_errors);
  add_test ("/stats", NULL, test_stats);
  return run_tests (argc, argv);
}

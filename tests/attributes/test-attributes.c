/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings by attributes: against their definitions; what is known of some pictures;
 * properties; refusals; their functions.
 */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/operation-call.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

typedef gboolean (* OpeningFunc) (WfContext                 *context,
                                  const WfImage             *image,
                                  WfImage                   *out,
                                  const WfAttributeOptions  *options,
                                  GError                   **error);

static const struct
{
  WfOperation operation;
  OpeningFunc call;
} openings[] =
{
  { WF_OPERATION_AREA_OPENING, wf_area_opening }, { WF_OPERATION_AREA_CLOSING, wf_area_closing },
  { WF_OPERATION_HEIGHT_OPENING, wf_height_opening },
  { WF_OPERATION_HEIGHT_CLOSING, wf_height_closing },
  { WF_OPERATION_VOLUME_OPENING, wf_volume_opening },
  { WF_OPERATION_VOLUME_CLOSING, wf_volume_closing },
};

static WfAttributeOptions
options_of (WfOperation operation,
            double      least)
{
  WfAttributeOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  options.area = options.height = options.volume = least;
  return options;
}

static void
test_random (gconstpointer data)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_attribute_cases (configurations, openings[GPOINTER_TO_INT (data)].operation, FALSE,
                       test_count (120, 800));
}

static void
test_two_levels (gconstpointer data)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_attribute_cases (configurations, openings[GPOINTER_TO_INT (data)].operation, TRUE,
                       test_count (120, 800));
}


/*  Results that are known  */

#define WIDTH 16

/* On a ground of 10: a line of 6 pixels of 100, a pixel of 250, and a hill of 20 and 30. */
static const guint8 picture[3 * WIDTH] =
{
  100, 100, 100, 100, 100, 100,  10,  10, 10, 10, 10, 20, 20, 20, 10, 10,
   10,  10,  10,  10,  10,  10,  10, 250, 10, 10, 10, 20, 30, 20, 10, 10,
   10,  10,  10,  10,  10,  10,  10,  10, 10, 10, 10, 20, 20, 20, 10, 10,
};

static void
assert_opens (WfOperation operation,
              double      least,
              guint8      line,
              guint8      pixel,
              guint8      top,
              guint8      hill)
{
  const WfAttributeOptions  options = options_of (operation, least);
  guint8                    from[3 * WIDTH];
  guint8                    to[3 * WIDTH];
  WfImage                   image;
  WfImage                   out;
  GError                   *error   = NULL;

  memcpy (from, picture, sizeof from);
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, WIDTH, 3, 1, from, NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_U8, WIDTH, 3, 1, to, NULL));
  wf_operation_run (NULL, operation, (const WfImage *[]) { &image }, (WfImage *[]) { &out }, NULL,
                    &options, &error);
  g_assert_no_error (error);
  g_test_message ("%s, %g", wf_operation_get_options (operation)->name, least);
  for (int p = 0; p < 3 * WIDTH; p++)
    g_assert_cmpuint (to[p], ==, picture[p] == 100   ? line
                                 : picture[p] == 250 ? pixel
                                 : picture[p] == 30  ? top
                                 : picture[p] == 20  ? hill
                                                     : 10);
}

static void
test_known (void)
{
  const WfOperation area   = WF_OPERATION_AREA_OPENING;
  const WfOperation height = WF_OPERATION_HEIGHT_OPENING;
  const WfOperation volume = WF_OPERATION_VOLUME_OPENING;

  assert_opens (area, 0, 100, 250, 30, 20);
  assert_opens (area, 1, 100, 250, 30, 20);
  assert_opens (area, 2, 100, 10, 20, 20);
  assert_opens (area, 6, 100, 10, 20, 20);
  assert_opens (area, 6.5, 10, 10, 20, 20);
  assert_opens (area, 9, 10, 10, 20, 20);
  assert_opens (area, 10, 10, 10, 10, 10);
  assert_opens (area, 1e9, 10, 10, 10, 10);

  /* The line is 90 higher than the ground, the hill 20; nothing is higher than the pixel. */
  assert_opens (height, 20, 100, 250, 30, 20);
  assert_opens (height, 21, 100, 250, 10, 10);
  assert_opens (height, 90, 100, 250, 10, 10);
  assert_opens (height, 91, 10, 250, 10, 10);
  assert_opens (height, 1e9, 10, 250, 10, 10);

  /* The line has 540, the pixel 240, the hill 8 · 10 + 20, its top 10. */
  assert_opens (volume, 10, 100, 250, 30, 20);
  assert_opens (volume, 11, 100, 250, 20, 20);
  assert_opens (volume, 100, 100, 250, 20, 20);
  assert_opens (volume, 101, 100, 250, 10, 10);
  assert_opens (volume, 240, 100, 250, 10, 10);
  assert_opens (volume, 241, 100, 10, 10, 10);
  assert_opens (volume, 540, 100, 10, 10, 10);
  assert_opens (volume, 541, 10, 10, 10, 10);

  /* The dark part on the right has 6 pixels; nothing else is darker than what is around it. */
  assert_opens (WF_OPERATION_AREA_CLOSING, 6, 100, 250, 30, 20);
}

/* A line of u16 of all levels: each step is a component of one pixel more. */
static void
test_all_levels (void)
{
  g_autofree guint16 *pixels  = g_new (guint16, G_MAXUINT16 + 1);
  WfAttributeOptions  options = options_of (WF_OPERATION_AREA_OPENING, 100);
  WfImage             image;

  for (int i = 0; i <= G_MAXUINT16; i++)
    pixels[i] = (guint16) i;
  g_assert_true (wf_image_init (&image, WF_TYPE_U16, G_MAXUINT16 + 1, 1, 1, pixels, NULL));
  g_assert_true (wf_area_opening (NULL, &image, &image, &options, NULL));
  for (int i = 0; i <= G_MAXUINT16; i++)
    g_assert_cmpuint (pixels[i], ==, MIN (i, G_MAXUINT16 - 99));
  g_assert_true (wf_area_closing (NULL, &image, &image, &options, NULL));
  for (int i = 0; i <= G_MAXUINT16; i++)
    g_assert_cmpuint (pixels[i], ==, CLAMP (i, 99, G_MAXUINT16 - 99));
}


/*  Two levels, by the labels of components  */

/* What stays of a mask, as the areas of its components have it. */
static void
find_staying_marks (const guint8 *marks,
                    gint64        width,
                    gint64        height,
                    gint64        depth,
                    int           connectivity,
                    guint64       least,
                    guint8       *stays)
{
  const gint64         n       = width * height * depth;
  g_autofree guint32  *labels  = g_new (guint32, n);
  g_autofree guint64  *areas   = g_new0 (guint64, n + 1);
  WfLabelOptions       options = { .size = sizeof options, .threshold = NAN };
  WfImage              image, out;

  options.connectivity = connectivity;
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, width, height, depth, (gpointer) marks, NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_U32, width, height, depth, labels, NULL));
  g_assert_true (wf_label (NULL, &image, &out, NULL, &options, NULL));
  for (gint64 p = 0; p < n; p++)
    areas[labels[p]]++;
  for (gint64 p = 0; p < n; p++)
    stays[p] = labels[p] && areas[labels[p]] >= least;
}

static void
set_pixel (WfImage *image,
           gint64   p,
           double   level)
{
  if (image->type == WF_TYPE_U8)
    ((guint8 *) image->data)[p] = (guint8) level;
  else if (image->type == WF_TYPE_U16)
    ((guint16 *) image->data)[p] = (guint16) level;
  else
    ((float *) image->data)[p] = (float) level;
}

static void
check_masks (WfContext *context,
             WfType     type,
             gint64     depth,
             int        connectivity,
             double     density)
{
  const gint64        width   = g_test_rand_int_range (200, 700);
  const gint64        height  = depth > 1 ? 60 : g_test_rand_int_range (100, 400);
  const gint64        n       = width * height * depth;
  const gsize         bytes   = n * wf_type_size (type);
  const guint         least   = g_test_rand_int_range (1, 40);
  const double        low     = type == WF_TYPE_F32 ? -0.0 : 3;
  g_autofree guint8  *marks   = g_new (guint8, n);
  g_autofree guint8  *stays   = g_new (guint8, n);
  g_auto (WfImage)    image   = { 0 };
  g_auto (WfImage)    should  = { 0 };
  g_auto (WfImage)    out     = { 0 };

  g_assert_true (wf_image_allocate (&image, type, width, height, depth, NULL));
  g_assert_true (wf_image_allocate (&should, type, width, height, depth, NULL));
  g_assert_true (wf_image_allocate (&out, type, width, height, depth, NULL));
  for (gint64 p = 0; p < n; p++)
    marks[p] = g_test_rand_double () < density;
  find_staying_marks (marks, width, height, depth, connectivity, least, stays);
  for (int closing = 0; closing < 2; closing++)
    {
      const WfOperation  operation = closing ? WF_OPERATION_AREA_CLOSING
                                             : WF_OPERATION_AREA_OPENING;
      WfAttributeOptions options   = options_of (operation, least);

      options.connectivity = connectivity;
      for (gint64 p = 0; p < n; p++)
        {
          set_pixel (&image, p, marks[p] != closing ? 200 : low);
          set_pixel (&should, p, stays[p] != closing ? 200 : low + 0.0);
        }
      g_assert_true (wf_operation_run (context, operation, (const WfImage *[]) { &image },
                                       (WfImage *[]) { &out }, NULL, &options, NULL));
      g_assert_cmpmem (out.data, bytes, should.data, bytes);
      g_assert_true (wf_operation_run (context, operation, (const WfImage *[]) { &image },
                                       (WfImage *[]) { &image }, NULL, &options, NULL));
      g_assert_cmpmem (image.data, bytes, should.data, bytes);
    }
}

/* Images of many rows, by any number of threads. */
static void
test_masks (void)
{
  const WfType          types[]     = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const int             counts[]    = { 1, 2, 5, 8 };
  const double          densities[] = { 0.02, 0.3, 0.42, 0.5, 0.6, 0.95 };
  const int             n_rounds    = test_count (1, 4);
  g_autoptr (WfContext) context     = wf_context_new ();
  WfContextOptions      threads;

  wf_option_group_init (wf_context_get_options (), &threads);
  threads.device = "cpu";
  for (int round = 0; round < 6 * n_rounds; round++)
    {
      threads.threads = counts[round % 4];
      g_assert_true (wf_context_configure (context, &threads, NULL));
      for (guint i = 0; i < G_N_ELEMENTS (densities); i++)
        {
          const gint64 depth = i % 3 == 0 ? 4 : 1;

          check_masks (context, types[(round + i) % 3], depth,
                       depth > 1 ? (round % 2 ? 6 : 26) : (round % 2 ? 4 : 8), densities[i]);
        }
    }
}

/* A cancelled call leaves the result as it was. */
static void
test_cancelled (gconstpointer data)
{
  const WfOperation         operation   = openings[GPOINTER_TO_INT (data)].operation;
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autofree guint8        *pixels      = g_new (guint8, 300 * 300);
  WfAttributeOptions        options     = options_of (operation, 4);
  GError                   *error       = NULL;
  WfImage                   image;

  for (int p = 0; p < 300 * 300; p++)
    pixels[p] = p * 7 % 11 > 5;
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 300, 300, 1, pixels, NULL));
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (wf_operation_run (context, operation, (const WfImage *[]) { &image },
                                    (WfImage *[]) { &image }, NULL, &options, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  for (int p = 0; p < 300 * 300; p++)
    g_assert_cmpuint (pixels[p], ==, p * 7 % 11 > 5);
}


/*  Properties  */

/* An opening lowers, a closing raises; what stays at a higher limit stays at a lower one; by area
 * and height it is the same when it is done twice.
 */
static void
test_properties (gconstpointer data)
{
  const WfOperation operation = openings[GPOINTER_TO_INT (data)].operation;
  const OpeningFunc call      = openings[GPOINTER_TO_INT (data)].call;
  const gboolean    closing   = GPOINTER_TO_INT (data) % 2;
  const gboolean    volume    = wf_option_group_find (wf_operation_get_options (operation),
                                                      "volume") != NULL;
  const int         n_rounds  = test_count (5, 40);

  for (int round = 0; round < n_rounds; round++)
    {
      const RefSize            size   = { g_test_rand_int_range (1, 90),
                                          g_test_rand_int_range (1, 70), 1 };
      const gint64             n      = ref_n_pixels (&size);
      g_autofree guint8       *image  = g_new (guint8, n);
      g_autofree guint8       *once   = g_new (guint8, n);
      g_autofree guint8       *twice  = g_new (guint8, n);
      g_autofree guint8       *more   = g_new (guint8, n);
      const double             least  = g_test_rand_int_range (1, 60);
      const WfAttributeOptions few    = options_of (operation, least);
      const WfAttributeOptions many   = options_of (operation, least * 3);
      WfImage                  views[4];

      for (gint64 p = 0; p < n; p++)
        image[p] = (guint8) (round % 2 ? g_test_rand_int_range (0, 256)
                                       : 100 + 60 * sin (p % size.width / 4.0)
                                         + g_test_rand_int_range (0, 20));
      for (int i = 0; i < 4; i++)
        g_assert_true (wf_image_init (&views[i], WF_TYPE_U8, size.width, size.height, 1,
                                      (guint8 *[]) { image, once, twice, more }[i], NULL));
      g_assert_true (call (NULL, &views[0], &views[1], &few, NULL));
      g_assert_true (call (NULL, &views[1], &views[2], &few, NULL));
      g_assert_true (call (NULL, &views[0], &views[3], &many, NULL));
      g_assert_true (volume || memcmp (once, twice, n) == 0);
      for (gint64 p = 0; p < n; p++)
        {
          g_assert_true (closing ? once[p] >= image[p] : once[p] <= image[p]);
          g_assert_true (closing ? more[p] >= once[p] : more[p] <= once[p]);
        }
    }
}

/* On these the trees of union-find become as deep as they can. */
static void
test_hostile (void)
{
  const int           side    = test_count (300, 1500);
  g_autofree guint16 *pixels  = g_new (guint16, side * side);
  WfAttributeOptions  options = options_of (WF_OPERATION_AREA_OPENING, side);
  WfImage             image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U16, side, side, 1, pixels, NULL));
  for (int kind = 0; kind < 4; kind++)
    {
      for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
          {
            const int way = y % 2 == 0 || x == (y / 2 % 2 ? 0 : side - 1);

            pixels[y * side + x] = (guint16) (kind == 0   ? (y * side + x) % 65536
                                              : kind == 1 ? way * 65535
                                              : kind == 2 ? way * ((y * side + x) / 40 % 65536)
                                                          : 65535 - (x + y) % 65536);
          }
      options.connectivity = kind % 2 ? 4 : 8;
      g_assert_true (wf_area_opening (NULL, &image, &image, &options, NULL));
      if (kind == 1)
        g_assert_cmpuint (pixels[0], ==, 65535);
    }
}


/*  Trees  */

/* Light of all sizes, with grain. */
static double
draw_level (gint64 x,
            gint64 y,
            double most)
{
  return most * (0.5 + 0.3 * sin ((double) x / 17.0) * cos ((double) y / 11.0))
         + g_test_rand_int_range (0, (int) MIN (most / 20, 2000));
}

/* Many cuts of one tree, by any threads, are what many openings make. */
static void
check_cuts (WfOperation operation,
            WfType      type,
            int         round,
            WfContext  *context)
{
  const double                leasts[] = { 1e12, 0, 3, 40, 2.5, 1000, 1, 30000, 200 };
  const gint64                width    = g_test_rand_int_range (1, 300);
  const gint64                height   = g_test_rand_int_range (1, 200);
  const gint64                n        = width * height;
  WfAttributeOptions          options  = options_of (operation, 1);
  g_autoptr (WfAttributeTree) tree     = NULL;
  g_auto (WfImage)            image    = { 0 };
  g_auto (WfImage)            opened   = { 0 };
  g_auto (WfImage)            cut      = { 0 };

  g_assert_true (wf_image_allocate (&image, type, width, height, 1, NULL));
  g_assert_true (wf_image_allocate (&opened, type, width, height, 1, NULL));
  g_assert_true (wf_image_allocate (&cut, type, width, height, 1, NULL));
  for (gint64 p = 0; p < n; p++)
    if (type == WF_TYPE_U8)
      ((guint8 *) image.data)[p] = (guint8) draw_level (p % width, p / width, 250);
    else if (type == WF_TYPE_U16)
      ((guint16 *) image.data)[p] = (guint16) draw_level (p % width, p / width, 60000);
    else
      ((float *) image.data)[p] = (float) (draw_level (p % width, p / width, 3000) / 7);
  options.connectivity = round % 2 ? 4 : 8;
  tree = wf_attribute_tree_new (context, operation, &image, &options, NULL);
  g_assert_nonnull (tree);
  g_assert_cmpuint (wf_attribute_tree_get_size (tree), >, 4 * (guint64) n);
  for (guint i = 0; i < G_N_ELEMENTS (leasts); i++)
    {
      const WfAttributeOptions one   = { .size         = sizeof one,
                                         .area         = leasts[i],
                                         .height       = leasts[i],
                                         .volume       = leasts[i],
                                         .connectivity = options.connectivity };
      const gsize              bytes = (gsize) n * wf_type_size (type);

      g_assert_true (wf_operation_run (NULL, operation, (const WfImage *[]) { &image },
                                       (WfImage *[]) { &opened }, NULL, &one, NULL));
      g_assert_true (wf_attribute_tree_cut (i % 2 ? context : NULL, tree, leasts[i], &cut, NULL));
      g_assert_cmpmem (cut.data, bytes, opened.data, bytes);
    }
}

static void
test_tree (gconstpointer data)
{
  const WfOperation     operation = openings[GPOINTER_TO_INT (data)].operation;
  const gboolean        volume    = operation >= WF_OPERATION_VOLUME_OPENING;
  const int             n_rounds  = test_count (4, 16);
  g_autoptr (WfContext) context   = wf_context_new ();
  WfContextOptions      threads;

  wf_option_group_init (wf_context_get_options (), &threads);
  threads.device    = "cpu";
  threads.tile_size = 16;
  for (int round = 0; round < n_rounds; round++)
    {
      threads.threads = round % 3 + 2;
      g_assert_true (wf_context_configure (context, &threads, NULL));
      check_cuts (operation, WF_TYPE_U8, round, context);
      check_cuts (operation, WF_TYPE_U16, round, context);
      if (! volume)
        check_cuts (operation, WF_TYPE_F32, round, context);
    }
}

static void
test_tree_refusals (gconstpointer data)
{
  const WfOperation           operation = openings[GPOINTER_TO_INT (data)].operation;
  const gboolean              volume    = operation >= WF_OPERATION_VOLUME_OPENING;
  WfAttributeOptions          options   = options_of (operation, NAN);
  guint8                      pixels[6] = { 1, 2, 3, 4, 5, 6 };
  float                       floats[6] = { 0, 1, NAN, 3, 4, 5 };
  guint32                     labels[6] = { 0 };
  g_autoptr (WfAttributeTree) tree      = NULL;
  WfImage                     image, wrong, other, holes;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  g_assert_true (wf_image_init (&other, WF_TYPE_U8, 2, 3, 1, pixels, NULL));
  g_assert_true (wf_image_init (&wrong, WF_TYPE_U32, 3, 2, 1, labels, NULL));
  g_assert_true (wf_image_init (&holes, WF_TYPE_F32, 3, 2, 1, floats, NULL));
  assert_refused (wf_attribute_tree_new (NULL, operation, &wrong, &options, &refusal) != NULL,
                  WF_ERROR_INVALID);
  assert_refused (wf_attribute_tree_new (NULL, operation, &holes, &options, &refusal) != NULL,
                  (int) (volume ? WF_ERROR_UNSUPPORTED : WF_ERROR_INVALID));
  options.connectivity = 26;
  assert_refused (wf_attribute_tree_new (NULL, operation, &image, &options, &refusal) != NULL,
                  WF_ERROR_INVALID);
  options.connectivity = 4;
  tree = wf_attribute_tree_new (NULL, operation, &image, &options, NULL);
  g_assert_nonnull (tree);
  assert_refused (wf_attribute_tree_cut (NULL, tree, 2, &wrong, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_attribute_tree_cut (NULL, tree, 2, &other, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_attribute_tree_cut (NULL, tree, NAN, &image, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_attribute_tree_cut (NULL, tree, -1, &image, &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (pixels[5], ==, 6);
}


/*  Refusals  */

static void
test_refusals (gconstpointer data)
{
  const WfOperation   operation = openings[GPOINTER_TO_INT (data)].operation;
  const OpeningFunc   call      = openings[GPOINTER_TO_INT (data)].call;
  WfAttributeOptions  options   = options_of (operation, 5);
  guint8              pixels[6] = { 1, 2, 3, 4, 5, 6 };
  float               floats[6] = { 0, 1, NAN, 3, 4, 5 };
  guint32             labels[6];
  WfImage             image, wrong, other, out;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  g_assert_true (wf_image_init (&other, WF_TYPE_U8, 2, 3, 1, pixels, NULL));
  g_assert_true (wf_image_init (&wrong, WF_TYPE_U32, 3, 2, 1, labels, NULL));
  assert_refused (call (NULL, &wrong, &wrong, &options, &refusal), WF_ERROR_INVALID);
  assert_refused (call (NULL, &image, &wrong, &options, &refusal), WF_ERROR_INVALID);
  assert_refused (call (NULL, &image, &other, &options, &refusal), WF_ERROR_INVALID);
  options.connectivity = 6;
  assert_refused (call (NULL, &image, &out, &options, &refusal), WF_ERROR_INVALID);
  options.connectivity = 8;
  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 3, 2, 1, floats, NULL));
  assert_refused (call (NULL, &image, &image, &options, &refusal), WF_ERROR_INVALID);
  g_assert_true (floats[1] == 1 && isnan (floats[2]));

  /* What is not set */
  options = options_of (operation, NAN);
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  assert_refused (call (NULL, &image, &image, &options, &refusal), WF_ERROR_INVALID);
  assert_refused (call (NULL, &image, &image, NULL, &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (pixels[0], ==, 1);
}

static void
add (const char    *name,
     GTestDataFunc  function)
{
  for (guint i = 0; i < G_N_ELEMENTS (openings); i++)
    {
      const char      *which = wf_operation_get_options (openings[i].operation)->name;
      g_autofree char *path  = g_strdup_printf ("/attributes/%s/%s", which, name);

      g_test_add_data_func (path, GINT_TO_POINTER (i), function);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add ("random", test_random);
  g_test_add_func ("/attributes/known", test_known);
  g_test_add_func ("/attributes/all-levels", test_all_levels);
  add ("two-levels", test_two_levels);
  g_test_add_func ("/attributes/masks", test_masks);
  add ("cancelled", test_cancelled);
  add ("properties", test_properties);
  g_test_add_func ("/attributes/hostile", test_hostile);
  add ("tree", test_tree);
  add ("tree-refusals", test_tree_refusals);
  add ("refusals", test_refusals);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reliefs compared with operations of the engine, and floods of scenes with known basins. */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "plugins/watershed/flooding.h"
#include "tests/support/pixel-value.h"
#include "tests/support/tiers.h"

#define WIDTH  60
#define HEIGHT 40
#define N      (WIDTH * HEIGHT)

typedef struct
{
  WfContext *context;
  WfImage    levels;
  WfImage    relief;
  WfImage    objects;
  WfImage    labels;
} Scene;


static void
scene_init (Scene  *scene,
            WfType  type)
{
  memset (scene, 0, sizeof *scene);
  scene->context = wf_context_new ();
  g_assert_true (wf_image_allocate (&scene->levels, type, WIDTH, HEIGHT, 1, NULL));
  g_assert_true (wf_image_allocate (&scene->labels, WF_TYPE_U32, WIDTH, HEIGHT, 1, NULL));
  memset (scene->labels.data, 0, N * sizeof (guint32));
}

static void
scene_clear (Scene *scene)
{
  wf_image_clear (&scene->relief);
  wf_image_clear (&scene->levels);
  wf_image_clear (&scene->objects);
  wf_image_clear (&scene->labels);
  wf_context_unref (scene->context);
}

static void
set_level (WfImage *image,
           int      i,
           int      level)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) image->data)[i] = (guint8) level;
      break;
    case WF_TYPE_U16:
      ((guint16 *) image->data)[i] = (guint16) (level * 257);
      break;
    default:
      ((float *) image->data)[i] = (float) level / 255;
      break;
    }
}

static guint32
label_at (const Scene *scene,
          int          x,
          int          y)
{
  return ((const guint32 *) scene->labels.data)[y * WIDTH + x];
}

static void
fill_noise (Scene *scene)
{
  for (int i = 0; i < N; i++)
    set_level (&scene->levels, i, g_test_rand_int_range (0, 256));
}


/*  Reliefs  */

static void
make_relief (Scene                 *scene,
             gboolean               keep_levels,
             const WfReliefOptions *options)
{
  g_autoptr (GError) error = NULL;

  wf_relief_make (scene->context, &scene->levels, keep_levels, options, &scene->relief,
                  &scene->objects, &error);
  g_assert_no_error (error);
}

static void
make_expected (Scene                 *scene,
               const WfReliefOptions *options,
               WfImage               *expected)
{
  WfFilterOptions filter;
  WfType          type = scene->levels.type;
  double          top  = type == WF_TYPE_U8 ? 255 : type == WF_TYPE_U16 ? 65535 : 0;

  g_assert_true (wf_image_allocate (expected, type, WIDTH, HEIGHT, 1, NULL));
  memcpy (expected->data, scene->levels.data, N * wf_type_size (type));
  if (options->smoothing > 0)
    {
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_GAUSSIAN), &filter);
      filter.sigma = options->smoothing;
      g_assert_true (wf_gaussian (NULL, expected, expected, &filter, NULL));
    }
  if (options->input == WF_INPUT_GRADIENT)
    {
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_GRADIENT), &filter);
      filter.radius = MAX (options->gradient, 1);
      g_assert_true (wf_gradient (NULL, expected, expected, &filter, NULL));
    }
  for (int i = 0; options->invert && i < N; i++)
    switch (type)
      {
      case WF_TYPE_U8:
        ((guint8 *) expected->data)[i] = (guint8) (top - pixel_value (expected, i));
        break;
      case WF_TYPE_U16:
        ((guint16 *) expected->data)[i] = (guint16) (top - pixel_value (expected, i));
        break;
      default:
        ((float *) expected->data)[i] = -((float *) expected->data)[i];
        break;
      }
}

static void
test_reliefs (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (int round = 0; round < 48; round++)
    {
      const gboolean   keep     = round / 3 % 2;
      WfReliefOptions  options  = {
        .size      = sizeof options,
        .input     = round / 6 % 2 ? WF_INPUT_GRADIENT : WF_INPUT_LEVELS,
        .smoothing = round / 12 % 2 ? 1.5 : 0,
        .gradient  = round % 4,
        .invert    = round / 24,
      };
      g_auto (WfImage) expected = { 0 };
      g_auto (WfImage) before   = { 0 };
      Scene            scene;
      gsize            n_bytes;

      scene_init (&scene, types[round % 3]);
      n_bytes = N * wf_type_size (scene.levels.type);
      fill_noise (&scene);
      g_assert_true (wf_image_allocate (&before, scene.levels.type, WIDTH, HEIGHT, 1, NULL));
      memcpy (before.data, scene.levels.data, n_bytes);
      make_expected (&scene, &options, &expected);
      make_relief (&scene, keep, &options);
      g_assert_cmpmem (scene.relief.data, n_bytes, expected.data, n_bytes);
      if (keep)
        g_assert_cmpmem (scene.levels.data, n_bytes, before.data, n_bytes);
      else
        g_assert_null (scene.levels.data);
      g_assert_null (scene.objects.data);
      scene_clear (&scene);
    }
}

/* The mask of objects, and the relief: minus the distance to the outside. */
static void
test_objects (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (int round = 0; round < 6; round++)
    {
      gboolean        dark    = round / 3;
      WfReliefOptions options = { .size = sizeof options, .input = WF_INPUT_OBJECTS,
                                  .invert = dark };
      Scene           scene;

      scene_init (&scene, types[round % 3]);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          set_level (&scene.levels, y * WIDTH + x, (x < 20) != dark ? 200 : 100);
      options.threshold = pixel_value (&scene.levels, dark ? 0 : WIDTH - 1);
      make_relief (&scene, FALSE, &options);
      g_assert_cmpint (scene.relief.type, ==, WF_TYPE_F32);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          {
            int   i      = y * WIDTH + x;
            float height = ((const float *) scene.relief.data)[i];

            g_assert_cmpuint (((const guint8 *) scene.objects.data)[i], ==, x < 20);
            g_assert_cmpfloat (height, ==, x < 20 ? (float) (x - 20) : INFINITY);
          }
      scene_clear (&scene);
    }
}

/* Where the smoothed levels are on one side of the threshold, the relief of all pixels; infinity
 * elsewhere.
 */
static void
test_backgrounds (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (int round = 0; round < 48; round++)
    {
      const gboolean   keep     = round / 3 % 2;
      const gboolean   dark     = g_test_rand_bit () != 0;
      WfReliefOptions  options  = {
        .size       = sizeof options,
        .input      = round / 6 % 2 ? WF_INPUT_GRADIENT : WF_INPUT_LEVELS,
        .smoothing  = round / 12 % 2 ? 1.5 : 0,
        .invert     = round / 24,
        .background = dark ? WF_BACKGROUND_DARK : WF_BACKGROUND_BRIGHT,
      };
      WfReliefOptions  levels   = { .size = sizeof levels, .smoothing = options.smoothing };
      g_auto (WfImage) expected = { 0 };
      g_auto (WfImage) smoothed = { 0 };
      g_auto (WfImage) before   = { 0 };
      Scene            scene;
      gsize            n_bytes;

      scene_init (&scene, types[round % 3]);
      n_bytes = N * wf_type_size (scene.levels.type);
      fill_noise (&scene);
      g_assert_true (wf_image_allocate (&before, scene.levels.type, WIDTH, HEIGHT, 1, NULL));
      memcpy (before.data, scene.levels.data, n_bytes);
      make_expected (&scene, &options, &expected);
      make_expected (&scene, &levels, &smoothed);
      options.threshold = pixel_value (&smoothed, g_test_rand_int_range (0, N));
      make_relief (&scene, keep, &options);
      g_assert_cmpint (scene.relief.type, ==, WF_TYPE_F32);
      for (int i = 0; i < N; i++)
        {
          const gboolean inside = (pixel_value (&smoothed, i) > options.threshold) == dark;

          g_assert_cmpuint (((const guint8 *) scene.objects.data)[i], ==, inside);
          g_assert_cmpfloat (pixel_value (&scene.relief, i), ==,
                             inside ? pixel_value (&expected, i) : INFINITY);
        }
      if (keep)
        g_assert_cmpmem (scene.levels.data, n_bytes, before.data, n_bytes);
      scene_clear (&scene);
    }
}


/*  Floods  */

static void
draw_disc (Scene *scene,
           int    center_x,
           int    center_y,
           int    radius,
           int    level)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if ((x - center_x) * (x - center_x) + (y - center_y) * (y - center_y) <= radius * radius)
        set_level (&scene->levels, y * WIDTH + x, level);
}

/* Draws two overlapping discs and a separate one. */
static void
draw_discs (Scene *scene)
{
  memset (scene->levels.data, 0, N * wf_type_size (scene->levels.type));
  draw_disc (scene, 12, 12, 8, 200);
  draw_disc (scene, 26, 12, 8, 220);
  draw_disc (scene, 48, 28, 7, 180);
}

static const WfReliefOptions split = { .size = sizeof split, .input = WF_INPUT_OBJECTS,
                                       .threshold = 100 };

static guint32
flood (Scene      *scene,
       gboolean    markers,
       gboolean    lines,
       double      tolerance,
       WfMergeBy   merge_by,
       double      merge_value,
       GError    **error)
{
  WfWatershedOptions options;
  WfFlooding         flooding = { .relief = &scene->relief,
                                  .objects = scene->objects.data ? &scene->objects : NULL,
                                  .labels = &scene->labels, .markers = markers,
                                  .options = &options, .type = WF_TYPE_F32,
                                  .merge_by = merge_by,
                                  .merge_value = merge_value };

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.lines     = lines;
  options.tolerance = tolerance;
  if (! wf_flooding_flood (&flooding, scene->context, error) ||
      ! wf_flooding_merge (&flooding, scene->context, error))
    return G_MAXUINT32;
  return flooding.n_basins;
}

/* Asserts that the background has label 0; returns the number of object pixels with label 0. */
static int
count_lines (const Scene *scene)
{
  const guint8  *inside = scene->objects.data;
  const guint32 *labels = scene->labels.data;
  int            n      = 0;

  for (int i = 0; i < N; i++)
    {
      if (! inside[i])
        g_assert_cmpuint (labels[i], ==, 0);
      n += inside[i] && labels[i] == 0;
    }
  return n;
}

static void
test_split (void)
{
  g_autoptr (GError) error = NULL;
  Scene              scene;

  scene_init (&scene, WF_TYPE_U8);
  draw_discs (&scene);
  make_relief (&scene, FALSE, &split);

  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_COUNT, 0, &error), ==, 3);
  g_assert_cmpint (count_lines (&scene), ==, 0);
  g_assert_cmpuint (label_at (&scene, 12, 12), !=, label_at (&scene, 26, 12));
  g_assert_cmpuint (label_at (&scene, 6, 12), ==, label_at (&scene, 12, 12));
  g_assert_cmpuint (label_at (&scene, 48, 28), !=, 0);

  g_assert_cmpuint (flood (&scene, FALSE, TRUE, 1, WF_MERGE_BY_COUNT, 0, &error), ==, 3);
  g_assert_cmpint (count_lines (&scene), >, 0);
  g_assert_cmpint (count_lines (&scene), <, 20);
  scene_clear (&scene);
}

/* The basins of the markers that strokes draw, without that of the background, which merging leaves
 * alone.
 */
static void
test_strokes (void)
{
  static const char *const text    = "[{\"object\":[[5,5],[12,9]],\"width\":3}, "
                                     "{\"object\":[[30,20]],\"width\":5}, "
                                     "{\"object\":[[50,30],[50,35]]}, "
                                     "{\"background\":[[0,39],[59,39]],\"width\":2}, "
                                     "{\"background\":[[40,0],[41,10]]}]";
  g_autoptr (WfStrokes)    strokes = wf_strokes_parse (text, NULL);
  g_autoptr (GError)       error   = NULL;
  g_autofree guint32      *wanted  = NULL;
  WfWatershedOptions       options;
  Scene                    scene;
  const guint32           *labels;
  const guint8            *inside;
  guint32                  n_objects, n_wanted;
  WfFlooding               flooding = { .relief = &scene.relief, .objects = &scene.objects,
                                        .labels = &scene.labels, .strokes = strokes,
                                        .options = &options, .type = WF_TYPE_U8,
                                        .merge_by = WF_MERGE_BY_DYNAMICS, .merge_value = 1e6 };

  scene_init (&scene, WF_TYPE_U8);
  fill_noise (&scene);
  g_assert_true (wf_image_allocate (&scene.relief, WF_TYPE_U8, WIDTH, HEIGHT, 1, NULL));
  memcpy (scene.relief.data, scene.levels.data, N);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  g_assert_true (wf_strokes_draw (NULL, strokes, 0, &scene.labels, &n_objects, NULL));
  g_assert_cmpuint (n_objects, ==, 3);
  g_assert_true (wf_watershed (scene.context, &scene.levels, &scene.labels, &scene.labels,
                               &n_wanted, &options, NULL));
  g_assert_cmpuint (n_wanted, ==, 4);
  wanted = g_memdup2 (scene.labels.data, N * sizeof (guint32));

  g_assert_true (wf_flooding_flood (&flooding, scene.context, &error));
  g_assert_cmpuint (flooding.n_basins, ==, 3);
  labels = scene.labels.data;
  inside = scene.objects.data;
  for (int i = 0; i < N; i++)
    {
      const gboolean out = wanted[i] == WF_STROKES_BACKGROUND;

      g_assert_cmpuint (labels[i], ==, out ? 0 : wanted[i]);
      g_assert_cmpint (inside[i] == 0, ==, out);
      g_assert_true (((const float *) scene.relief.data)[i] ==
                     (out ? INFINITY : (float) ((const guint8 *) scene.levels.data)[i]));
    }
  g_assert_true (wf_flooding_merge (&flooding, scene.context, &error));
  for (int i = 0; i < N; i++)
    g_assert_cmpint (labels[i] == 0, ==, wanted[i] == WF_STROKES_BACKGROUND);

  wf_strokes_truncate (strokes, 0);
  g_assert_false (wf_flooding_flood (&flooding, scene.context, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  scene_clear (&scene);
}

/* Merging by a measure joins parts of one object, but never separate objects. */
static void
test_merge (void)
{
  g_autoptr (GError) error = NULL;
  Scene              scene;

  scene_init (&scene, WF_TYPE_U8);
  draw_discs (&scene);
  make_relief (&scene, FALSE, &split);

  g_assert_cmpuint (flood (&scene, FALSE, TRUE, 1, WF_MERGE_BY_DYNAMICS, 1e30, &error), ==, 2);
  g_assert_cmpint (count_lines (&scene), ==, 0);
  g_assert_cmpuint (label_at (&scene, 12, 12), ==, label_at (&scene, 26, 12));
  g_assert_cmpuint (label_at (&scene, 12, 12), !=, label_at (&scene, 48, 28));

  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_DYNAMICS, 0.5, &error), ==, 3);
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_COUNT, 2, &error), ==, 2);
  g_assert_cmpuint (label_at (&scene, 12, 12), ==, label_at (&scene, 26, 12));
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_COUNT, 1e12, &error), ==, 3);
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_AREA, N, &error), ==, 2);
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_COUNT, 1, &error), ==, 2);
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_VOLUME, 0, &error), ==, 3);
  g_assert_no_error (error);
  scene_clear (&scene);
}

static void
test_markers (void)
{
  g_autoptr (GError) error = NULL;
  Scene              scene;
  guint32           *labels;

  scene_init (&scene, WF_TYPE_F32);
  draw_discs (&scene);
  make_relief (&scene, FALSE, &(WfReliefOptions) { .size      = sizeof (WfReliefOptions),
                                                   .input     = WF_INPUT_OBJECTS,
                                                   .threshold = 0.4 });
  labels = scene.labels.data;
  labels[12 * WIDTH + 12] = 5;
  labels[12 * WIDTH + 26] = 7;
  labels[39 * WIDTH + 1]  = 9;
  g_assert_cmpuint (flood (&scene, TRUE, FALSE, 0, WF_MERGE_BY_COUNT, 0, &error), ==, 2);
  g_assert_cmpuint (label_at (&scene, 6, 12), ==, 5);
  g_assert_cmpuint (label_at (&scene, 30, 12), ==, 7);
  count_lines (&scene);

  memset (labels, 0, N * sizeof *labels);
  labels[39 * WIDTH + 1] = 9;
  g_assert_cmpuint (flood (&scene, TRUE, FALSE, 0, WF_MERGE_BY_COUNT, 0, &error), ==, G_MAXUINT32);
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  scene_clear (&scene);
}

static void
test_no_objects (void)
{
  g_autoptr (GError) error = NULL;
  Scene              scene;

  scene_init (&scene, WF_TYPE_U8);
  memset (scene.levels.data, 0, N);
  memset (scene.labels.data, 1, N);
  make_relief (&scene, FALSE, &split);
  g_assert_cmpuint (flood (&scene, FALSE, FALSE, 1, WF_MERGE_BY_COUNT, 2, &error), ==, 0);
  g_assert_no_error (error);
  for (int i = 0; i < N; i++)
    g_assert_cmpuint (((guint32 *) scene.labels.data)[i], ==, 0);
  scene_clear (&scene);
}

/* Floods inside the objects that the relief has, from markers if @from holds some, and as the
 * engine does inside a mask.
 */
static void
flood_both (Scene          *scene,
            const WfImage  *from,
            WfImage        *wanted,
            guint32        *n_wanted,
            guint32        *n_basins)
{
  WfWatershedOptions options;
  WfFlooding         flooding = { .mask = &scene->objects, .relief = &scene->relief,
                                  .objects = &scene->objects, .labels = &scene->labels,
                                  .markers = from != NULL, .options = &options,
                                  .type = scene->levels.type };

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  g_assert_true (wf_image_allocate (wanted, WF_TYPE_U32, WIDTH, HEIGHT, 1, NULL));
  g_assert_true (wf_watershed_masked (NULL, &scene->relief, from, &scene->objects, wanted,
                                      n_wanted, &options, NULL));
  if (from)
    memcpy (scene->labels.data, from->data, N * sizeof (guint32));
  g_assert_true (wf_flooding_flood (&flooding, scene->context, NULL));
  *n_basins = flooding.n_basins;
}

/* The pixels that are no background, each with a basin; from markers those of objects that have
 * one, and no flood crosses the background.
 */
static void
test_within (void)
{
  static const WfReliefOptions bright = { .size = sizeof bright, .threshold = 100,
                                          .background = WF_BACKGROUND_DARK };

  for (int round = 0; round < 8; round++)
    {
      const gboolean   marked  = round % 2;
      g_auto (WfImage) markers = { 0 };
      g_auto (WfImage) wanted  = { 0 };
      guint32          n_wanted, n_basins;
      Scene            scene;

      scene_init (&scene, WF_TYPE_U8);
      draw_discs (&scene);
      for (int i = 0; i < N; i++)
        if (pixel_value (&scene.levels, i) > 0)
          set_level (&scene.levels, i, g_test_rand_int_range (101, 256));
      make_relief (&scene, TRUE, &bright);
      g_assert_true (wf_image_allocate (&markers, WF_TYPE_U32, WIDTH, HEIGHT, 1, NULL));
      memset (markers.data, 0, N * sizeof (guint32));
      ((guint32 *) markers.data)[12 * WIDTH + 12] = 7;
      ((guint32 *) markers.data)[12 * WIDTH + 26] = 9;
      ((guint32 *) markers.data)[0]               = 3;
      flood_both (&scene, marked ? &markers : NULL, &wanted, &n_wanted, &n_basins);
      g_assert_cmpuint (n_basins, ==, n_wanted);
      g_assert_cmpmem (scene.labels.data, N * sizeof (guint32), wanted.data, N * sizeof (guint32));
      for (int i = 0; i < N; i++)
        g_assert_cmpint (((const guint32 *) scene.labels.data)[i] != 0, ==,
                         pixel_value (&scene.levels, i) > 100 && ! (marked && i % WIDTH > 38));
      scene_clear (&scene);
    }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/flooding/reliefs", test_reliefs);
  g_test_add_func ("/flooding/objects", test_objects);
  g_test_add_func ("/flooding/backgrounds", test_backgrounds);
  g_test_add_func ("/flooding/split", test_split);
  g_test_add_func ("/flooding/strokes", test_strokes);
  g_test_add_func ("/flooding/merge", test_merge);
  g_test_add_func ("/flooding/markers", test_markers);
  g_test_add_func ("/flooding/no-objects", test_no_objects);
  g_test_add_func ("/flooding/within", test_within);
  return g_test_run ();
}

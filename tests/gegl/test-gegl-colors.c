/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters of levels on colors, in GEGL: red, green and blue each by itself are what the engine
 * makes of them; with the luminance filtered each pixel has, by the definition in
 * engine/color/luminance.c, the luminance that the engine makes, and its color.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <gegl.h>

#include "tests/color/color-reference.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define WIDTH  61
#define HEIGHT 43
#define N      (WIDTH * HEIGHT)

/* As the property has them. */
enum
{
  GRAY,
  COMPONENTS,
  LUMINANCE
};

/**
 * Format:
 * @gray: of its luminance, as it is encoded
 */
typedef struct
{
  const char *name;
  const char *gray;
  WfType      type;
} Format;

static const Format formats[] =
{
  { "R'G'B' u8",    "Y' u8",    WF_TYPE_U8 },
  { "R'G'B'A u8",   "Y' u8",    WF_TYPE_U8 },
  { "R'G'B'A u16",  "Y' u16",   WF_TYPE_U16 },
  { "RGB u16",      "Y u16",    WF_TYPE_U16 },
  { "RGBA float",   "Y float",  WF_TYPE_F32 },
  { "R'G'B' float", "Y' float", WF_TYPE_F32 },
};

/* Without options in levels. */
static const WfOperation operations[] =
{
  WF_OPERATION_FILL_HOLES,
  WF_OPERATION_CLEAR_BORDER,
  WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
  WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION,
  WF_OPERATION_EROSION,
  WF_OPERATION_BLACK_TOP_HAT,
  WF_OPERATION_MEDIAN,
};


/* Few levels of each component: holes and objects. */
static GeglBuffer *
make_picture (const Format *format)
{
  const Babl             *own     = babl_format (format->name);
  const int               n       = babl_format_get_n_components (own);
  g_autofree guint8      *pixels  = g_malloc (N * (gsize) babl_format_get_bytes_per_pixel (own));
  GeglBuffer             *picture = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), own);

  for (gsize i = 0; i < (gsize) N * n; i++)
    {
      const double level = g_test_rand_int_range (0, 6) / 5.0;

      if (format->type == WF_TYPE_U8)
        pixels[i] = (guint8) (255 * level);
      else if (format->type == WF_TYPE_U16)
        ((guint16 *) pixels)[i] = (guint16) (65535 * level);
      else
        ((float *) pixels)[i] = (float) level;
    }
  gegl_buffer_set (picture, NULL, 0, own, pixels, GEGL_AUTO_ROWSTRIDE);
  return picture;
}

static guint8 *
read_all (GeglBuffer *buffer,
          const Babl *format)
{
  guint8 *pixels = g_malloc (N * (gsize) babl_format_get_bytes_per_pixel (format));

  gegl_buffer_get (buffer, NULL, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return pixels;
}

static guint8 *
render (GeglBuffer  *picture,
        WfOperation  operation,
        int          colors,
        const Babl  *format)
{
  g_autofree char *name   = g_strconcat ("wavefront:", wf_operation_get_options (operation)->name,
                                         NULL);
  GeglNode        *root   = gegl_node_new ();
  GeglNode        *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer",
                                                 picture, NULL);
  GeglNode        *filter = gegl_node_new_child (root, "operation", name, "encoding", 1, "colors",
                                                 colors, NULL);
  guint8          *pixels = g_malloc (N * (gsize) babl_format_get_bytes_per_pixel (format));

  gegl_node_link (source, filter);
  gegl_node_blit (filter, 1.0, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), format, pixels,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_object_unref (root);
  return pixels;
}

/* What the engine makes of levels, in place. */
static void
filter_levels (WfOperation operation,
               WfType      type,
               gpointer    levels)
{
  WfImage            image;
  const WfImage     *inputs[]  = { &image };
  WfImage           *outputs[] = { &image };
  g_autoptr (GError) error     = NULL;

  g_assert_true (wf_image_init (&image, type, WIDTH, HEIGHT, 1, levels, &error));
  wf_operation_run (NULL, operation, inputs, outputs, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
check_components (WfOperation   operation,
                  const Format *format)
{
  const Babl             *own     = babl_format (format->name);
  const gsize             n       = (gsize) babl_format_get_n_components (own);
  const gsize             size    = wf_type_size (format->type);
  g_autoptr (GeglBuffer)  picture = make_picture (format);
  g_autofree guint8      *pixels  = read_all (picture, own);
  g_autofree guint8      *got     = render (picture, operation, COMPONENTS, own);
  g_autofree guint8      *levels  = g_malloc (N * size);

  for (gsize c = 0; c < n; c++)
    {
      for (gsize i = 0; i < N; i++)
        memcpy (levels + i * size, pixels + (i * n + c) * size, size);
      if (c < 3)   /* alpha stays */
        filter_levels (operation, format->type, levels);
      for (gsize i = 0; i < N; i++)
        g_assert_cmpmem (got + (i * n + c) * size, size, levels + i * size, size);
    }
}

static double
get_component (const guint8 *pixels,
               WfType        type,
               gsize         i)
{
  return type == WF_TYPE_U8    ? pixels[i]
         : type == WF_TYPE_U16 ? ((const guint16 *) pixels)[i]
                               : (double) ((const float *) pixels)[i];
}

/* babl may choose a way through linear levels of 16 bits, one of which is 12.92 levels of dark
 * colors.
 */
static void
check_luminance (WfOperation   operation,
                 const Format *format)
{
  const Babl             *own      = babl_format (format->name);
  const Babl             *gray     = babl_format (format->gray);
  const gsize             n        = (gsize) babl_format_get_n_components (own);
  const gsize             size     = wf_type_size (format->type);
  const double            accepted = format->type == WF_TYPE_F32 ? 1e-3
                                     : format->type == WF_TYPE_U16 ? 14 : 1.5;
  g_autoptr (GeglBuffer)  picture  = make_picture (format);
  g_autofree guint8      *pixels   = read_all (picture, own);
  g_autofree guint8      *before   = g_malloc (N * size);
  g_autofree guint8      *after    = NULL;
  g_autofree double      *colors   = g_new (double, 4 * N);
  g_autofree double      *were     = g_new (double, N);
  g_autofree double      *wanted   = g_new (double, N);
  g_autofree double      *made     = g_new (double, 4 * N);
  g_autofree guint8      *expected = g_malloc (N * n * size);
  g_autofree guint8      *got      = render (picture, operation, LUMINANCE, own);
  int                     n_kept   = 0;

  babl_process (babl_fish (own, gray), pixels, before, N);
  after = g_memdup2 (before, N * size);
  filter_levels (operation, format->type, after);
  babl_process (babl_fish (own, babl_format ("RGBA double")), pixels, colors, N);
  babl_process (babl_fish (babl_format ("RGBA double"), babl_format ("Y double")), colors, were, N);
  babl_process (babl_fish (gray, babl_format ("Y double")), after, wanted, N);
  for (gsize i = 0; i < N; i++)
    {
      color_reference_set (colors + 4 * i, were[i], wanted[i], format->type != WF_TYPE_F32,
                           made + 4 * i);
      made[4 * i + 3] = colors[4 * i + 3];
    }
  babl_process (babl_fish (babl_format ("RGBA double"), own), made, expected, N);

  for (gsize i = 0; i < N; i++)
    if (memcmp (before + i * size, after + i * size, size) == 0)
      {
        g_assert_cmpmem (got + i * n * size, n * size, pixels + i * n * size, n * size);
        n_kept++;
      }
    else
      for (gsize c = 0; c < n; c++)
        g_assert_cmpfloat_with_epsilon (get_component (got, format->type, i * n + c),
                                        get_component (c < 3 ? expected : pixels, format->type,
                                                       i * n + c), accepted);
  g_assert_cmpint (n_kept, <, N);
}

static void
test_components (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      check_components (operations[i], &formats[f]);
}

static void
test_luminance (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      check_luminance (operations[i], &formats[f]);
}

/* A gray picture has one way. */
static void
test_gray (void)
{
  static const Format     gray    = { "Y' u8", "Y' u8", WF_TYPE_U8 };
  g_autoptr (GeglBuffer)  picture = make_picture (&gray);
  g_autofree guint8      *plain   = render (picture, WF_OPERATION_FILL_HOLES, GRAY,
                                            babl_format ("Y' u8"));

  for (int colors = COMPONENTS; colors <= LUMINANCE; colors++)
    {
      g_autofree guint8 *got = render (picture, WF_OPERATION_FILL_HOLES, colors,
                                       babl_format ("Y' u8"));

      g_assert_cmpmem (got, N, plain, N);
    }
}

/* A marker of colors: each component is reconstructed from that of the marker. */
static void
test_marker (void)
{
  static const guint8     levels[] = { 9, 50, 90, 9, 50, 90, 9, 50, 90 };
  static const guint8     marked[] = { 9, 0, 0, 0, 20, 0, 0, 0, 0 };
  static const guint8     expected[] = { 9, 20, 0, 9, 20, 0, 9, 20, 0 };
  const Babl             *color    = babl_format ("R'G'B' u8");
  const GeglRectangle     place    = { 0, 0, 3, 1 };
  g_autoptr (GeglBuffer)  mask     = gegl_buffer_new (&place, color);
  g_autoptr (GeglBuffer)  marker   = gegl_buffer_new (&place, color);
  GeglNode               *root     = gegl_node_new ();
  GeglNode               *source   = gegl_node_new_child (root, "operation", "gegl:buffer-source",
                                                          "buffer", mask, NULL);
  GeglNode               *second   = gegl_node_new_child (root, "operation", "gegl:buffer-source",
                                                          "buffer", marker, NULL);
  GeglNode               *filter   = gegl_node_new_child (root, "operation",
                                                          "wavefront:reconstruct", "encoding", 1,
                                                          "colors", COMPONENTS, NULL);
  guint8                  got[9];

  gegl_buffer_set (mask, NULL, 0, color, levels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (marker, NULL, 0, color, marked, GEGL_AUTO_ROWSTRIDE);
  gegl_node_link (source, filter);
  gegl_node_connect (second, "output", filter, "aux");
  gegl_node_blit (filter, 1.0, &place, color, got, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmpmem (got, 9, expected, 9);
  g_object_unref (root);
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  /* GEGL offers operations under the GPL to programs that say so */
  g_object_set (gegl_config (), "application-license", "GPL3", NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/gegl-colors/components", test_components);
  g_test_add_func ("/gegl-colors/luminance", test_luminance);
  g_test_add_func ("/gegl-colors/gray", test_gray);
  g_test_add_func ("/gegl-colors/marker", test_marker);
  return g_test_run ();
}

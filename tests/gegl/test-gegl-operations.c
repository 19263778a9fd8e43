/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations for GEGL in graphs of GEGL: buffers of any place and format, read in one piece and
 * in many; what is computed again after a change, and how often; what has no result.
 *
 * The reference takes the levels by babl, and calls the engine.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <gegl.h>
#include <gegl-plugin.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

#define PREFIX "wavefront:"

/* @grey: of its levels */
typedef struct
{
  const char *name;
  const char *grey;
  WfType      type;
  gboolean    alpha;
} Format;

static const Format formats[] =
{
  { "Y' u8",          "Y' u8",   WF_TYPE_U8,  FALSE },
  { "Y'A u8",         "Y' u8",   WF_TYPE_U8,  TRUE },
  { "R'G'B' u8",      "Y' u8",   WF_TYPE_U8,  FALSE },
  { "R'G'B'A u16",    "Y' u16",  WF_TYPE_U16, TRUE },
  { "Y u16",          "Y u16",   WF_TYPE_U16, FALSE },
  { "RGBA float",     "Y float", WF_TYPE_F32, TRUE },
  { "YA float",       "Y float", WF_TYPE_F32, TRUE },
  { "R~G~B~ float",   "Y~ float", WF_TYPE_F32, FALSE },
};

static int     n_computed;
static int     n_stopped;
static int     n_kept;
static int     n_basins_kept;
static int     n_reliefs_kept;
static int     n_warnings;
static GRand  *source;


/* Counts computations and the messages to the user. */
static void
count_messages (const char     *domain,
                GLogLevelFlags  level,
                const char     *text,
                gpointer        data)
{
  if (g_str_has_prefix (text, PREFIX) && strstr (text, " took "))
    n_computed++;
  else if (g_str_has_prefix (text, PREFIX) && strstr (text, " stopped after "))
    n_stopped++;
  else if (strcmp (text, "a kept tree was cut") == 0)
    n_kept++;
  else if (strcmp (text, "the basins were kept") == 0)
    n_basins_kept++;
  else if (strcmp (text, "the relief was kept") == 0)
    n_reliefs_kept++;
  else if (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL))
    {
      n_warnings++;
      g_printerr ("%s\n", text);
    }
}


/*  Pictures  */

/* Blocks of few levels: plateaux, holes, objects at the border. */
static GeglBuffer *
make_picture (const Format *format)
{
  const GeglRectangle  place = { g_rand_int_range (source, -300, 300),
                                 g_rand_int_range (source, -300, 300),
                                 g_rand_int_range (source, 1, 180),
                                 g_rand_int_range (source, 1, 180) };
  const Babl          *own   = babl_format (format->name);
  const int            n     = babl_format_get_n_components (own);
  GeglBuffer          *made  = gegl_buffer_new (&place, own);
  g_autofree float    *row   = g_new (float, place.width * n);
  const char          *model = strchr (format->name, ' ');
  g_autofree char     *real  = g_strdup_printf ("%.*s float", (int) (model - format->name),
                                                format->name);

  for (int y = 0; y < place.height; y++)
    {
      for (int i = 0; i < place.width * n; i++)
        row[i] = (float) g_rand_int_range (source, 0, 6) / 5;
      for (int i = n; i < place.width * n; i++)
        if (i / n % 4 != 0)
          row[i] = row[i - n];
      gegl_buffer_set (made, GEGL_RECTANGLE (place.x, place.y + y, place.width, 1), 0,
                       babl_format (real), row, GEGL_AUTO_ROWSTRIDE);
    }
  return made;
}

static guint8 *
read_all (GeglBuffer *buffer,
          const Babl *format)
{
  const GeglRectangle *place = gegl_buffer_get_extent (buffer);
  guint8              *out   = g_malloc ((gsize) place->width * place->height *
                                         babl_format_get_bytes_per_pixel (format));

  gegl_buffer_get (buffer, place, 1.0, format, out, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return out;
}


/*  Graphs  */

/* Values of the property "encoding". */
#define NON_LINEAR 0
#define STORED     1

typedef struct
{
  GeglNode *root;
  GeglNode *source;
  GeglNode *operation;
} Graph;

static void
graph_init (Graph      *graph,
            GeglBuffer *buffer,
            const char *name)
{
  graph->root      = gegl_node_new ();
  graph->source    = gegl_node_new_child (graph->root, "operation", "gegl:buffer-source",
                                          "buffer", buffer, NULL);
  graph->operation = gegl_node_new_child (graph->root, "operation", name, "encoding", STORED,
                                          NULL);
  gegl_node_link (graph->source, graph->operation);
}

static void
graph_clear (Graph *graph)
{
  g_clear_object (&graph->root);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

static guint8 *
render (const Graph         *graph,
        const GeglRectangle *place,
        const Babl          *format)
{
  guint8 *out = g_malloc ((gsize) place->width * place->height *
                          babl_format_get_bytes_per_pixel (format));

  gegl_node_blit (graph->operation, 1.0, place, format, out, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  return out;
}

/* As render(), in pieces of any size, in any order. */
static guint8 *
render_pieces (const Graph         *graph,
               const GeglRectangle *place,
               const Babl          *format)
{
  const gsize  size  = (gsize) babl_format_get_bytes_per_pixel (format);
  const int    step  = g_rand_int_range (source, 7, 90);
  const int    across = (place->width + step - 1) / step;
  const int    n     = across * ((place->height + step - 1) / step);
  const int    first = g_rand_int_range (source, 0, n);
  guint8      *out   = g_malloc ((gsize) place->width * place->height * size);

  for (int k = 0; k < n; k++)
    {
      const int           at    = (first + k) % n;
      const GeglRectangle piece = { at % across * step, at / across * step,
                                    MIN (step, place->width - at % across * step),
                                    MIN (step, place->height - at / across * step) };

      gegl_node_blit (graph->operation, 1.0,
                      GEGL_RECTANGLE (place->x + piece.x, place->y + piece.y, piece.width,
                                      piece.height), format,
                      out + size * ((gsize) piece.y * place->width + piece.x),
                      (int) size * place->width, GEGL_BLIT_CACHE);
    }
  return out;
}


/*  The reference  */

/* The operation of this name, from one image to another. */
static const WfOperationInfo *
find_operation (const char *name)
{
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOperationInfo *info = wf_operation_describe ((WfOperation) i);

      if (strcmp (info->options->name, name + strlen (PREFIX)) == 0 && info->n_inputs == 1 &&
          info->n_outputs == 1)
        return info;
    }
  return NULL;
}

/* Properties and options alike: small radii, a fifth of the range. */
static void
choose_options (const WfOptionGroup *group,
                const Graph         *graph,
                WfType               type,
                gpointer             options)
{
  const double white = type == WF_TYPE_U8 ? 255 : type == WF_TYPE_U16 ? 65535 : 1;

  wf_option_group_init (group, options);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];
      gpointer        field  = G_STRUCT_MEMBER_P (options, option->offset);

      if (option->kind == WF_OPTION_INT)
        {
          *(int *) field = g_rand_int_range (source, 0, 6);
          gegl_node_set (graph->operation, option->name, *(int *) field, NULL);
        }
      else if (option->kind == WF_OPTION_REAL && option->meaning == WF_OPTION_LEVEL)
        {
          *(double *) field = type == WF_TYPE_F32 ? (float) 0.2 : 0.2 * white;
          gegl_node_set (graph->operation, option->name, 0.2, NULL);
        }
      else if (option->kind == WF_OPTION_REAL)
        {
          *(double *) field = option->meaning == WF_OPTION_VOLUME ? 3 * white : 3;
          gegl_node_set (graph->operation, option->name, 3.0, NULL);
        }
      else if (option->meaning == WF_OPTION_CONNECTIVITY)
        {
          *(int *) field = g_rand_boolean (source) ? 4 : 8;
          gegl_node_set (graph->operation, option->name, *(int *) field, NULL);
        }
    }
}

#define SPREAD(Type, white) \
  for (gsize i = 0; i < n; i++) \
    for (int c = 0; c < n_colors; c++) \
      ((Type *) expected)[i * n_components + c] = \
        marks ? (result[i] ? (white) : 0) : ((const Type *) result)[i]

static void
check_levels (const WfOperationInfo *info,
              gconstpointer          options,
              GeglBuffer            *picture,
              const Format          *format,
              const guint8          *got)
{
  const GeglRectangle *place        = gegl_buffer_get_extent (picture);
  const gsize          n            = (gsize) place->width * place->height;
  const Babl          *own          = babl_format (format->name);
  const int            n_components = babl_format_get_n_components (own);
  const int            n_colors     = n_components - format->alpha;
  const gboolean       marks        = info->outputs[0].content == WF_CONTENT_MARKS;
  g_autofree guint8   *expected     = read_all (picture, own);
  g_autofree guint8   *levels       = g_malloc (n * wf_type_size (format->type));
  g_autofree guint8   *result       = g_malloc0 (n * wf_type_size (format->type));
  WfImage              in;
  WfImage              out;
  const WfImage       *inputs[]     = { &in };
  WfImage             *outputs[]    = { &out };
  g_autoptr (GError)   error        = NULL;

  babl_process (babl_fish (own, babl_format (format->grey)), expected, levels, (long) n);
  wf_image_init (&in, format->type, place->width, place->height, 1, levels, &error);
  wf_image_init (&out, marks ? WF_TYPE_U8 : format->type, place->width, place->height, 1, result,
                 &error);
  wf_operation_run (NULL, info->operation, inputs, outputs, NULL, options, &error);
  g_assert_no_error (error);
  if (format->type == WF_TYPE_U8)
    SPREAD (guint8, G_MAXUINT8);
  else if (format->type == WF_TYPE_U16)
    SPREAD (guint16, G_MAXUINT16);
  else
    SPREAD (float, 1);
  g_assert_cmpmem (got, n * babl_format_get_bytes_per_pixel (own), expected,
                   n * babl_format_get_bytes_per_pixel (own));
}


/*  Tests  */

static char **
list_operations (void)
{
  guint   n;
  char  **all  = gegl_list_operations (&n);
  GStrv   ours = g_new0 (char *, n + 1);
  guint   k    = 0;

  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (all[i], PREFIX))
      ours[k++] = g_strdup (all[i]);
  g_free (all);
  return ours;
}

static void
check_pieces (const char   *name,
              const Format *format)
{
  g_autoptr (GeglBuffer)  picture = make_picture (format);
  const GeglRectangle    *place   = gegl_buffer_get_extent (picture);
  const WfOperationInfo  *info    = find_operation (name);
  g_autofree gpointer     options = info ? g_malloc0 (info->options->size) : NULL;
  g_auto (Graph)          graph   = { NULL };
  g_autofree guint8      *pieces  = NULL;
  g_autofree guint8      *whole   = NULL;
  const Babl             *own     = babl_format (format->name);

  graph_init (&graph, picture, name);
  if (info)
    choose_options (info->options, &graph, format->type, options);
  n_computed = 0;
  pieces     = render_pieces (&graph, place, own);
  g_assert_cmpint (n_computed, ==, 1);
  whole = render (&graph, place, own);
  g_assert_cmpmem (pieces, 1, whole, 1);
  g_assert_true (memcmp (pieces, whole, (gsize) place->width * place->height *
                                        babl_format_get_bytes_per_pixel (own)) == 0);
  if (info)
    check_levels (info, options, picture, format, pieces);
}

/* All operations, in all formats, in pieces: computed once. */
static void
test_random (void)
{
  g_auto (GStrv) names = list_operations ();
  const guint    n     = test_count (2, 30);

  g_assert_cmpuint (g_strv_length (names), ==, 30);
  for (char **name = names; *name; name++)
    for (guint i = 0; i < n; i++)
      check_pieces (*name, &formats[g_rand_int_range (source, 0, G_N_ELEMENTS (formats))]);
  g_assert_cmpint (n_warnings, ==, 0);
}

static void
check_abyss (const char   *name,
             const Format *format)
{
  g_autoptr (GeglBuffer)  picture = make_picture (format);
  const GeglRectangle    *place   = gegl_buffer_get_extent (picture);
  const Babl             *own     = babl_format (format->name);
  const gsize             size    = (gsize) babl_format_get_bytes_per_pixel (own);
  const guint8            zero[4 * sizeof (float)] = { 0 };
  g_autofree guint8      *whole   = NULL;
  g_auto (Graph)          graph   = { NULL };

  graph_init (&graph, picture, name);
  whole = render (&graph, place, own);
  for (int i = 0; i < 9; i++)
    {
      /* one beyond each side and corner, and one around all */
      const GeglRectangle wanted = i == 4
        ? (GeglRectangle) { place->x - 7, place->y - 5, place->width + 20, place->height + 9 }
        : (GeglRectangle) { place->x + (i % 3 - 1) * (place->width / 2 + 1),
                            place->y + (i / 3 - 1) * (place->height / 2 + 1),
                            place->width, place->height };
      g_autofree guint8   *got    = render (&graph, &wanted, own);

      for (int y = 0; y < wanted.height; y++)
        for (int x = 0; x < wanted.width; x++)
          {
            const int     column = wanted.x + x - place->x;
            const int     row    = wanted.y + y - place->y;
            const guint8 *pixel  = column < 0 || row < 0 || column >= place->width ||
                                   row >= place->height
                                   ? zero : whole + size * ((gsize) row * place->width + column);

            g_assert_cmpmem (got + size * ((gsize) y * wanted.width + x), size, pixel, size);
          }
    }
}

/* Beyond the input, which begins anywhere, there is nothing. */
static void
test_abyss (void)
{
  g_auto (GStrv) names = list_operations ();

  for (char **name = names; *name; name++)
    for (guint i = 0; i < G_N_ELEMENTS (formats); i += 2)
      check_abyss (*name, &formats[i]);
}

/* A part of a buffer has the result of a buffer that holds no more than this part. */
static void
test_part (void)
{
  g_auto (GStrv)      names = list_operations ();
  const GeglRectangle place = { -40, 25, 150, 130 };
  const GeglRectangle part  = { -13, 60, 71, 67 };

  for (char **name = names; *name; name++)
    {
      const Babl             *own     = babl_format ("R'G'B'A u8");
      g_autoptr (GeglBuffer)  picture = gegl_buffer_new (&place, own);
      g_autoptr (GeglBuffer)  alone   = gegl_buffer_new (&part, own);
      g_autofree guint8      *pixels  = g_malloc (4 * 150 * 130);
      g_autofree guint8      *got     = NULL;
      g_autofree guint8      *wanted  = NULL;
      g_auto (Graph)          graph   = { NULL };
      g_auto (Graph)          fresh   = { NULL };
      GeglNode               *crop;

      for (gsize i = 0; i < 4 * 150 * 130; i++)
        pixels[i] = (guint8) (g_rand_int_range (source, 0, 6) * 51);
      gegl_buffer_set (picture, NULL, 0, own, pixels, GEGL_AUTO_ROWSTRIDE);
      gegl_buffer_copy (picture, &part, GEGL_ABYSS_NONE, alone, &part);
      graph_init (&graph, picture, *name);
      graph_init (&fresh, alone, *name);
      crop = gegl_node_new_child (graph.root, "operation", "gegl:crop", "x", (double) part.x, "y",
                                  (double) part.y, "width", (double) part.width, "height",
                                  (double) part.height, NULL);
      gegl_node_link_many (graph.source, crop, graph.operation, NULL);
      got    = render (&graph, &place, own);
      wanted = render (&fresh, &place, own);
      g_assert_cmpmem (got, 4 * 150 * 130, wanted, 4 * 150 * 130);
    }
}

/* A change of a pixel or a property is seen everywhere; nothing else is computed again. */
static void
test_changes (void)
{
  static const guint8     gap       = 0;
  const Babl             *grey      = babl_format ("Y' u8");
  g_autoptr (GeglBuffer)  picture   = gegl_buffer_new (GEGL_RECTANGLE (-5, 9, 300, 200), grey);
  const GeglRectangle    *place     = gegl_buffer_get_extent (picture);
  g_autofree guint8      *light     = g_malloc (300 * 200);
  g_auto (Graph)          graph     = { NULL };
  g_autofree guint8      *filled    = NULL;
  g_autofree guint8      *open      = NULL;
  g_autofree guint8      *four      = NULL;

  memset (light, 90, 300 * 200);
  for (int y = 10; y < 190; y++)
    memset (light + y * 300 + 10, 20, 280);
  gegl_buffer_set (picture, place, 0, grey, light, GEGL_AUTO_ROWSTRIDE);
  graph_init (&graph, picture, PREFIX "fill-holes");
  n_computed = 0;
  filled     = render_pieces (&graph, place, grey);
  g_assert_cmpint (filled[100 * 300 + 150], ==, 90);
  g_assert_cmpint (n_computed, ==, 1);

  for (int x = 0; x < 10; x++)   /* from the corner of the hole to that of the picture */
    gegl_buffer_set (picture, GEGL_RECTANGLE (place->x + x, place->y + x, 1, 1), 0, grey, &gap,
                     GEGL_AUTO_ROWSTRIDE);
  n_computed = 0;
  open       = render_pieces (&graph, place, grey);
  g_assert_cmpint (open[100 * 300 + 150], ==, 90);   /* it touches at corners only */
  g_assert_cmpint (n_computed, ==, 1);

  gegl_node_set (graph.operation, "connectivity", 8, NULL);
  n_computed = 0;
  four       = render_pieces (&graph, place, grey);
  g_assert_cmpint (four[100 * 300 + 150], ==, 20);
  g_assert_cmpint (n_computed, ==, 1);
}

/**
 * ByAttribute:
 * @property: the area, height or volume
 * @scale: of its values here
 * @most: the highest one
 * @format: of the picture
 * @keeps: whether a tree is kept
 *
 * An opening or closing.
 */
typedef struct
{
  WfOperation  operation;
  const char  *name;
  const char  *property;
  double       scale;
  double       most;
  const char  *format;
  WfType       type;
  gboolean     keeps;
} ByAttribute;

/* The engine's value: heights are fractions of white, and white is the unit of volumes. */
static double
find_least (const ByAttribute *by,
            double             value)
{
  const double white = by->type == WF_TYPE_U8    ? G_MAXUINT8
                       : by->type == WF_TYPE_U16 ? G_MAXUINT16
                                                 : 1;

  if (strcmp (by->property, "height") == 0)
    return by->type == WF_TYPE_F32 ? (float) value : round (white * value);
  return strcmp (by->property, "volume") == 0 ? white * value : value;
}

/* What it makes of a gray picture.  @reuse: whether the tree should have been kept */
static void
check_by_attribute (const ByAttribute *by,
                    const Graph       *graph,
                    GeglBuffer        *picture,
                    double             value,
                    int                connectivity,
                    gboolean           reuse)
{
  const Babl          *grey      = babl_format (by->format);
  const double         set       = MIN (value * by->scale, by->most);
  const double         least     = find_least (by, set);
  const GeglRectangle *place     = gegl_buffer_get_extent (picture);
  const gsize          n         = (gsize) place->width * place->height;
  const gsize          bytes     = n * wf_type_size (by->type);
  g_autofree guint8   *expected  = read_all (picture, grey);
  g_autofree guint8   *got       = NULL;
  WfAttributeOptions   options   = { .size         = sizeof options,
                                     .area         = least,
                                     .height       = least,
                                     .volume       = least,
                                     .connectivity = connectivity };
  WfImage              image;
  const WfImage       *inputs[]  = { &image };
  WfImage             *outputs[] = { &image };

  wf_image_init (&image, by->type, place->width, place->height, 1, expected, NULL);
  g_assert_true (wf_operation_run (NULL, by->operation, inputs, outputs, NULL, &options, NULL));
  gegl_node_set (graph->operation, by->property, set, "connectivity", connectivity, NULL);
  n_kept     = 0;
  n_warnings = 0;
  got        = render (graph, place, grey);
  g_assert_cmpint (n_warnings, ==, 0);
  g_assert_cmpmem (got, bytes, expected, bytes);
  g_assert_cmpint (n_kept, ==, reuse && by->keeps ? 1 : 0);
}

/* Steps up and down, and back. */
static void
check_steps (const ByAttribute *by,
             const Graph       *graph,
             GeglBuffer        *picture)
{
  check_by_attribute (by, graph, picture, 5, 8, FALSE);
  check_by_attribute (by, graph, picture, 300, 8, TRUE);
  check_by_attribute (by, graph, picture, 40, 8, TRUE);
  check_by_attribute (by, graph, picture, 5, 8, TRUE);
  check_by_attribute (by, graph, picture, 1e6, 8, TRUE);
  check_by_attribute (by, graph, picture, 40, 4, FALSE);
  check_by_attribute (by, graph, picture, 41, 4, TRUE);
}

static void
check_kept (const ByAttribute *by)
{
  static const guint16    dot     = 60000;   /* no level of the picture */
  const Babl             *grey    = babl_format ("Y' u16");
  const Babl             *stored  = babl_format (by->format);
  g_autoptr (GeglBuffer)  picture = gegl_buffer_new (GEGL_RECTANGLE (3, -8, 170, 130), stored);
  g_autoptr (GeglBuffer)  other   = gegl_buffer_new (GEGL_RECTANGLE (3, -8, 170, 130), stored);
  g_autofree guint16     *levels  = g_new (guint16, 170 * 130);
  g_auto (Graph)          graph   = { NULL };
  guint64                 limit   = 0;

  for (int i = 0; i < 170 * 130; i++)
    levels[i] = (guint16) (20000 + 150 * (i / 170) + g_rand_int_range (source, 0, 9000));
  gegl_buffer_set (picture, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  graph_init (&graph, picture, by->name);
  check_steps (by, &graph, picture);

  /* another pixel: neither the result nor the tree is the old one */
  gegl_buffer_set (picture, GEGL_RECTANGLE (50, 40, 1, 1), 0, grey, &dot, GEGL_AUTO_ROWSTRIDE);
  check_by_attribute (by, &graph, picture, 41, 4, FALSE);
  check_by_attribute (by, &graph, picture, 2, 4, TRUE);

  /* another source of the same size, and the first one again, as after an undo */
  levels[777] ^= 0x4000;
  gegl_buffer_set (other, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  gegl_node_set (graph.source, "buffer", other, NULL);
  check_by_attribute (by, &graph, other, 2, 4, FALSE);
  gegl_node_set (graph.source, "buffer", picture, NULL);
  check_by_attribute (by, &graph, picture, 2, 4, FALSE);
  check_by_attribute (by, &graph, picture, 3, 4, TRUE);

  /* without room nothing is kept */
  g_object_get (gegl_config (), "tile-cache-size", &limit, NULL);
  g_object_set (gegl_config (), "tile-cache-size", (guint64) 1, NULL);
  check_by_attribute (by, &graph, picture, 4, 4, TRUE);
  check_by_attribute (by, &graph, picture, 5, 4, FALSE);
  g_object_set (gegl_config (), "tile-cache-size", limit, NULL);
}

#define BY(which, name, property, scale, most) \
  { WF_OPERATION_##which, PREFIX name, property, scale, most, "Y' u8", WF_TYPE_U8, TRUE }, \
  { WF_OPERATION_##which, PREFIX name, property, scale, most, "Y' u16", WF_TYPE_U16, TRUE }, \
  { WF_OPERATION_##which, PREFIX name, property, scale, most, "Y' float", WF_TYPE_F32, \
    WF_OPERATION_##which < WF_OPERATION_VOLUME_OPENING }

/* The slider of an area, height or volume uses what was kept, and nothing that was made of other
 * pixels.
 */
static void
test_kept (void)
{
  static const ByAttribute all[] =
  {
    BY (AREA_OPENING, "area-opening", "area", 1, G_MAXDOUBLE),
    BY (AREA_CLOSING, "area-closing", "area", 1, G_MAXDOUBLE),
    BY (HEIGHT_OPENING, "height-opening", "height", 1e-3, 1),
    BY (HEIGHT_CLOSING, "height-closing", "height", 1e-3, 1),
    BY (VOLUME_OPENING, "volume-opening", "volume", 0.02, G_MAXDOUBLE),
    BY (VOLUME_CLOSING, "volume-closing", "volume", 0.02, G_MAXDOUBLE),
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_test_message ("%s of %s", all[i].name, all[i].format);
      check_kept (&all[i]);
    }
}

/* What a watershed uses again. */
typedef enum { NOTHING, RELIEF, BASINS } Reuse;

/* A change of a property, and what is used again after it. */
typedef struct
{
  const char *property;
  double      value;
  Reuse       reuse;
} Change;

static void
set_number (GeglNode   *node,
            const char *property,
            double      number)
{
  GParamSpec *spec  = gegl_node_find_property (node, property);
  GValue      value = G_VALUE_INIT;

  g_value_init (&value, spec->value_type);
  if (G_IS_PARAM_SPEC_ENUM (spec))
    g_value_set_enum (&value, (int) number);
  else if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (&value, number != 0);
  else if (G_IS_PARAM_SPEC_INT (spec))
    g_value_set_int (&value, (int) number);
  else
    g_value_set_double (&value, number);
  gegl_node_set_property (node, property, &value);
  g_value_unset (&value);
}

/* The result is that of a new operation with the same properties, those of the first @n changes. */
static void
check_reuse (const Graph  *graph,
             GeglBuffer   *picture,
             const char   *name,
             const Change *changes,
             guint         n,
             Reuse         reuse)
{
  const GeglRectangle *place  = gegl_buffer_get_extent (picture);
  const Babl          *format = babl_format ("R'G'B'A u8");
  const gsize          bytes  = 4 * (gsize) place->width * place->height;
  g_auto (Graph)       fresh  = { NULL };
  g_autofree guint8   *got    = NULL;
  g_autofree guint8   *wanted = NULL;

  graph_init (&fresh, picture, name);
  for (guint i = 0; i < n; i++)
    set_number (fresh.operation, changes[i].property, changes[i].value);
  n_computed = n_basins_kept = n_reliefs_kept = 0;
  got        = render (graph, place, format);
  g_assert_cmpint (n_computed, ==, 1);
  g_assert_cmpint (n_basins_kept, ==, reuse == BASINS);
  g_assert_cmpint (n_reliefs_kept, ==, reuse == RELIEF);
  wanted = render (&fresh, place, format);
  g_assert_cmpmem (got, bytes, wanted, bytes);
}

static const Change watershed_changes[] =
{
  { "merge-value", 0.1, NOTHING },
  { "merge-value", 0.3, BASINS },
  { "merge-by", 1, BASINS },          /* area */
  { "merge-value", 40, BASINS },
  { "merge-by", 3, BASINS },          /* the number of basins */
  { "tolerance", 0.05, RELIEF },
  { "merge-value", 3, BASINS },
  { "merge-value", 0, BASINS },
  { "lines", 1, RELIEF },
  { "merge-value", 7, BASINS },
  { "smoothing", 1.5, NOTHING },
  { "connectivity", 4, RELIEF },
  { "background", 1, NOTHING },
  { "merge-value", 4, BASINS },
  { "threshold", 0.4, NOTHING },
  { "tolerance", 0.02, RELIEF },
  { "merge-value", 9, BASINS },
  { "relief", 1, NOTHING },           /* edges */
  { "gradient", 2, NOTHING },
  { "relief", 2, NOTHING },           /* distances */
  { "split-tolerance", 1.5, RELIEF },
  { "lines", 0, RELIEF },
  { "merge-value", 2, BASINS },
  { "source", 1, NOTHING },           /* red */
  { "merge-value", 5, BASINS },
};

static GeglBuffer *
make_colors (guint8 *pixels)
{
  const Babl *format = babl_format ("R'G'B' u8");
  GeglBuffer *made   = gegl_buffer_new (GEGL_RECTANGLE (-7, 11, 150, 120), format);

  gegl_buffer_set (made, NULL, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  return made;
}

static void
check_watershed (const char *name)
{
  static const guint8     dot[]   = { 255, 0, 60 };
  const guint             n       = G_N_ELEMENTS (watershed_changes);
  const Change           *changes = watershed_changes;
  g_autofree guint8      *pixels  = g_new (guint8, 3 * 150 * 120);
  g_autoptr (GeglBuffer)  picture = NULL;
  g_autoptr (GeglBuffer)  other   = NULL;
  g_auto (Graph)          graph   = { NULL };
  guint64                 limit   = 0;

  for (int i = 0; i < 150 * 120; i++)
    for (int c = 0; c < 3; c++)
      pixels[3 * i + c] = (guint8) (i % 150 / 25 * 20 + i / 150 / 20 * 15 + 5 * c +
                                    g_rand_int_range (source, 0, 40));
  picture = make_colors (pixels);
  graph_init (&graph, picture, name);
  for (guint i = 0; i < n; i++)
    {
      set_number (graph.operation, changes[i].property, changes[i].value);
      check_reuse (&graph, picture, name, changes, i + 1, changes[i].reuse);
    }

  /* another pixel, and another source of the same size */
  gegl_buffer_set (picture, GEGL_RECTANGLE (40, 50, 1, 1), 0, babl_format ("R'G'B' u8"), dot,
                   GEGL_AUTO_ROWSTRIDE);
  check_reuse (&graph, picture, name, changes, n, NOTHING);
  pixels[3 * 777] ^= 1;
  other = make_colors (pixels);
  gegl_node_set (graph.source, "buffer", other, NULL);
  check_reuse (&graph, other, name, changes, n, NOTHING);

  /* without room nothing is kept */
  g_object_get (gegl_config (), "tile-cache-size", &limit, NULL);
  g_object_set (gegl_config (), "tile-cache-size", (guint64) 1, NULL);
  set_number (graph.operation, "merge-value", 0);
  set_number (graph.operation, "merge-value", changes[n - 1].value);
  gegl_node_set (graph.source, "buffer", picture, NULL);
  check_reuse (&graph, picture, name, changes, n, NOTHING);
  gegl_node_set (graph.source, "buffer", other, NULL);
  gegl_node_set (graph.source, "buffer", picture, NULL);
  check_reuse (&graph, picture, name, changes, n, NOTHING);
  g_object_set (gegl_config (), "tile-cache-size", limit, NULL);
}

/* The sliders of a watershed use what was kept, and nothing that was made of other pixels or by
 * other options.
 */
static void
test_kept_basins (void)
{
  check_watershed (PREFIX "watershed-lines");
  check_watershed (PREFIX "watershed-means");
}

/* An infinite plane passes unchanged. */
static void
test_infinite (void)
{
  static const guint8  color[] = { 10, 200, 30, 255 };
  const Babl          *format  = babl_format ("R'G'B'A u8");
  g_auto (GStrv)       names   = list_operations ();

  for (char **name = names; *name; name++)
    {
      g_autoptr (GeglNode)  root  = gegl_node_new ();
      GeglColor            *green = gegl_color_new (NULL);
      GeglNode             *plane;
      const Graph           graph = { root, NULL,
                                      gegl_node_new_child (root, "operation", *name, NULL) };
      g_autofree guint8    *out   = NULL;

      gegl_color_set_pixel (green, format, color);
      plane = gegl_node_new_child (root, "operation", "gegl:color", "value", green, "format",
                                   format, NULL);
      gegl_node_link (plane, graph.operation);
      n_computed = 0;
      out        = render (&graph, GEGL_RECTANGLE (1000, -70, 3, 2), format);
      g_assert_cmpint (n_computed, ==, 0);
      for (int i = 0; i < 6; i++)
        g_assert_cmpmem (out + 4 * i, 4, color, 4);
      g_object_unref (green);
    }
}

/**
 * Interruption:
 * @graph: of the operation
 * @at: the least progress that the change waits for
 * @property: (nullable): that changes; %NULL: the input is lost
 * @value: its new value
 * @n_begun: how often the operation began
 * @n_ended: and ended
 * @last: the last progress
 * @before: the last progress before the operation began again
 *
 * What a program does in the middle of a computation.
 */
typedef struct
{
  const Graph *graph;
  double       at;
  const char  *property;
  double       value;
  int          n_begun;
  int          n_ended;
  double       last;
  double       before;
} Interruption;

static void
interrupt (GeglNode     *node,
           double        progress,
           Interruption *interruption)
{
  if (progress == 0)
    {
      g_assert_cmpint (interruption->n_begun++, ==, interruption->n_ended);
      interruption->last = 0;
    }
  g_assert_cmpint (interruption->n_begun, ==, interruption->n_ended + 1);
  g_assert_cmpfloat (progress, >=, interruption->last);
  if (progress == 1)
    {
      interruption->n_ended++;
      interruption->before = interruption->last;
    }
  interruption->last = progress;
  if (progress < interruption->at)
    return;
  interruption->at = G_MAXDOUBLE;
  if (interruption->property)
    set_number (node, interruption->property, interruption->value);
  else
    gegl_node_disconnect (node, "input");
}

static gboolean
are_equal (const guint8        *a,
           const guint8        *b,
           const GeglRectangle *place)
{
  return memcmp (a, b, (gsize) place->width * place->height) == 0;
}

/* A filter below another one; both are cached. */
static GeglNode *
add_second (const Graph *graph)
{
  GeglNode *second = gegl_node_new_child (graph->root, "operation", PREFIX "h-minima", "height",
                                          0.1, NULL);

  gegl_node_link (graph->operation, second);
  return second;
}

/* Another value of the radius while a median is computed: no pixel is of the value before. */
static void
check_change (GeglBuffer *picture,
              double      at)
{
  const GeglRectangle *place        = gegl_buffer_get_extent (picture);
  const Babl          *grey         = babl_format ("Y' u8");
  g_auto (Graph)       graph        = { NULL };
  g_auto (Graph)       fresh        = { NULL };
  Interruption         interruption = { &graph, at, "radius", 2, 0, 0, 0, 0 };
  Graph                last;
  Graph                fresh_last;
  g_autofree guint8   *got          = NULL;
  g_autofree guint8   *again        = NULL;
  g_autofree guint8   *wanted       = NULL;

  graph_init (&graph, picture, PREFIX "median");
  graph_init (&fresh, picture, PREFIX "median");
  set_number (graph.operation, "radius", 60);
  set_number (fresh.operation, "radius", 2);
  last       = (Graph) { NULL, NULL, add_second (&graph) };
  fresh_last = (Graph) { NULL, NULL, add_second (&fresh) };
  wanted     = render (&fresh_last, place, grey);
  g_signal_connect (graph.operation, "progress", G_CALLBACK (interrupt), &interruption);
  n_computed = n_stopped = 0;
  got        = render (&last, place, grey);
  g_assert_cmpint (interruption.n_begun, ==, 2);
  g_assert_cmpint (interruption.n_ended, ==, 2);
  /* a change after the end finds a result that it makes stale */
  g_assert_cmpint (n_stopped, ==, at < 1);
  g_assert_cmpint (n_computed, ==, at < 1 ? 2 : 3);
  g_assert_true (are_equal (got, wanted, place));
  again = render (&last, place, grey);
  g_assert_true (are_equal (again, wanted, place));
  g_assert_cmpint (n_computed, ==, at < 1 ? 2 : 3);
}

/* The input is lost while a median is computed: there is no result, and nothing is cached. */
static void
check_loss (GeglBuffer *picture,
            double      at)
{
  const GeglRectangle *place        = gegl_buffer_get_extent (picture);
  const Babl          *grey         = babl_format ("Y' u8");
  g_auto (Graph)       graph        = { NULL };
  g_auto (Graph)       fresh        = { NULL };
  Interruption         interruption = { &graph, at, NULL, 0, 0, 0, 0, 0 };
  g_autofree guint8   *lost         = NULL;
  g_autofree guint8   *got          = NULL;
  g_autofree guint8   *wanted       = NULL;

  graph_init (&graph, picture, PREFIX "median");
  graph_init (&fresh, picture, PREFIX "median");
  set_number (graph.operation, "radius", 9);
  set_number (fresh.operation, "radius", 9);
  g_signal_connect (graph.operation, "progress", G_CALLBACK (interrupt), &interruption);
  n_computed = n_stopped = 0;
  lost       = render (&graph, place, grey);
  g_assert_cmpint (n_stopped, ==, at < 1);
  g_assert_cmpint (interruption.n_begun, ==, 1);
  g_assert_cmpint (interruption.n_ended, ==, 1);
  gegl_node_link (graph.source, graph.operation);
  n_computed = 0;
  got        = render (&graph, place, grey);
  g_assert_cmpint (n_computed, ==, 1);
  wanted     = render (&fresh, place, grey);
  g_assert_true (are_equal (got, wanted, place));
}

static GeglBuffer *
make_noise (int width,
            int height)
{
  const Babl        *grey   = babl_format ("Y' u8");
  GeglBuffer        *made   = gegl_buffer_new (GEGL_RECTANGLE (-30, 20, width, height), grey);
  g_autofree guint8 *levels = g_malloc ((gsize) width * height);

  for (gsize i = 0; i < (gsize) width * height; i++)
    levels[i] = (guint8) g_rand_int_range (source, 0, 256);
  gegl_buffer_set (made, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  return made;
}

/* What changes while an operation computes stops it. */
static void
test_interrupted (void)
{
  g_autoptr (GeglBuffer) picture = make_noise (200, 150);

  check_change (picture, 0);
  check_change (picture, 1);
  check_loss (picture, 0);
  check_loss (picture, 1);
}

/* In the middle it stops soon: the engine reports twenty times a second. */
static void
test_interrupted_early (void)
{
  g_autoptr (GeglBuffer)  picture      = make_noise (3000, 2500);
  const GeglRectangle    *place        = gegl_buffer_get_extent (picture);
  const Babl             *grey         = babl_format ("Y' u8");
  g_auto (Graph)          graph        = { NULL };
  Interruption            interruption = { &graph, 0.01, NULL, 0, 0, 0, 0, 0 };
  g_autofree guint8      *whole        = NULL;
  g_autofree guint8      *lost         = NULL;
  gint64                  start        = g_get_monotonic_time ();
  gint64                  whole_time;
  int                     threads;

  g_object_get (gegl_config (), "threads", &threads, NULL);
  g_object_set (gegl_config (), "threads", 1, NULL);
  graph_init (&graph, picture, PREFIX "median");
  set_number (graph.operation, "radius", 90);
  whole      = render (&graph, place, grey);
  whole_time = g_get_monotonic_time () - start;
  set_number (graph.operation, "radius", 91);
  g_signal_connect (graph.operation, "progress", G_CALLBACK (interrupt), &interruption);
  n_computed = n_stopped = 0;
  start      = g_get_monotonic_time ();
  lost       = render (&graph, place, grey);
  g_test_message ("whole: %.3f s, stopped: %.3f s, at %.3f", (double) whole_time / 1e6,
                  (double) (g_get_monotonic_time () - start) / 1e6, interruption.before);
  g_assert_cmpint (n_stopped, ==, 1);
  g_assert_cmpint (n_computed, ==, 0);
  g_assert_cmpfloat (interruption.before, <, 0.5);
  g_assert_cmpint (g_get_monotonic_time () - start, <, whole_time / 2);
  check_change (picture, 0.01);
  g_object_set (gegl_config (), "threads", threads, NULL);
}

/* Each computation begins once and ends once, with any number of runs of the engine. */
static void
test_progress (void)
{
  g_auto (GStrv)          names   = list_operations ();
  g_autoptr (GeglBuffer)  picture = make_picture (&formats[2]);

  for (char **name = names; *name; name++)
    {
      g_auto (Graph)     graph        = { NULL };
      Interruption       interruption = { &graph, G_MAXDOUBLE, NULL, 0, 0, 0, 0, 0 };
      g_autofree guint8 *out          = NULL;

      graph_init (&graph, picture, *name);
      if (gegl_node_find_property (graph.operation, "colors"))
        set_number (graph.operation, "colors", 1);
      g_signal_connect (graph.operation, "progress", G_CALLBACK (interrupt), &interruption);
      out = render (&graph, gegl_buffer_get_extent (picture), babl_format (formats[2].name));
      g_assert_cmpint (interruption.n_begun, ==, 1);
      g_assert_cmpint (interruption.n_ended, ==, 1);
    }
}

/* What is refused leaves the pixels unchanged, and tells why. */
static void
test_refused (void)
{
  g_autoptr (GeglBuffer)  picture  = make_picture (&formats[3]);
  const Babl             *own      = babl_format (formats[3].name);
  const GeglRectangle    *place    = gegl_buffer_get_extent (picture);
  g_autofree guint8      *expected = read_all (picture, own);
  g_auto (Graph)          graph    = { NULL };
  Interruption            none     = { &graph, G_MAXDOUBLE, NULL, 0, 0, 0, 0, 0 };
  g_autofree guint8      *out      = NULL;
  const gsize             n        = (gsize) place->width * place->height *
                                     babl_format_get_bytes_per_pixel (own);

  graph_init (&graph, picture, PREFIX "distance-map");
  gegl_node_set (graph.operation, "result", 2, "maximum", 0.0, NULL);
  g_signal_connect (graph.operation, "progress", G_CALLBACK (interrupt), &none);
  n_warnings = 0;
  out        = render (&graph, place, own);
  g_assert_cmpint (none.n_ended, ==, 1);
  g_assert_cmpint (n_warnings, ==, 1);
  g_assert_cmpmem (out, n, expected, n);
  n_warnings = 0;
}

/* The marker is another buffer; beyond it levels are 0. */
static void
test_marker (void)
{
  const Babl             *grey   = babl_format ("Y' u8");
  g_autoptr (GeglBuffer)  mask   = gegl_buffer_new (GEGL_RECTANGLE (3, 4, 9, 1), grey);
  g_autoptr (GeglBuffer)  marker = gegl_buffer_new (GEGL_RECTANGLE (4, 0, 2, 30), grey);
  static const guint8     levels[]   = { 5, 7, 9, 0, 8, 8, 8, 8, 8 };
  static const guint8     expected[] = { 5, 6, 6, 0, 0, 0, 0, 0, 0 };
  guint8                  marked[60];
  g_auto (Graph)          graph  = { NULL };
  g_autofree guint8      *out    = NULL;

  memset (marked, 6, sizeof marked);
  gegl_buffer_set (mask, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (marker, NULL, 0, grey, marked, GEGL_AUTO_ROWSTRIDE);
  graph_init (&graph, mask, PREFIX "reconstruct");
  gegl_node_connect (gegl_node_new_child (graph.root, "operation", "gegl:buffer-source", "buffer",
                                          marker, NULL), "output", graph.operation, "aux");
  out = render (&graph, GEGL_RECTANGLE (3, 4, 9, 1), grey);
  g_assert_cmpmem (out, 9, expected, 9);
}

/* Linear light gives what the same colors give in the encoding in which they are shown. */
static void
check_encoding (const char *name,
                const char *linear,
                double      height)
{
  const Babl             *grey    = babl_format ("Y' u8");
  const GeglRectangle     place   = { -7, 3, 40, 30 };
  g_autoptr (GeglBuffer)  picture = gegl_buffer_new (&place, grey);
  g_autoptr (GeglBuffer)  light   = gegl_buffer_new (&place, babl_format (linear));
  GeglBuffer             *inputs[2] = { picture, light };
  guint8                  levels[40 * 30];
  guint8                 *out[2];

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    levels[i] = (guint8) g_rand_int_range (source, 0, 256);
  gegl_buffer_set (picture, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (light, NULL, 0, grey, levels, GEGL_AUTO_ROWSTRIDE);
  for (int i = 0; i < 2; i++)
    {
      g_auto (Graph) graph = { NULL };

      graph_init (&graph, inputs[i], name);
      gegl_node_set (graph.operation, "encoding", NON_LINEAR, NULL);
      if (height > 0)
        gegl_node_set (graph.operation, "height", height, NULL);
      out[i] = render (&graph, &place, grey);
    }
  g_assert_cmpmem (out[0], sizeof levels, out[1], sizeof levels);
  g_assert_true (memcmp (out[0], levels, sizeof levels) != 0);
  g_free (out[0]);
  g_free (out[1]);
}

static void
test_encoding (void)
{
  static const char * const formats_of_light[] = { "Y float", "YA float", "RGB float",
                                                   "RGBA float", "RaGaBaA float" };

  for (guint i = 0; i < G_N_ELEMENTS (formats_of_light); i++)
    {
      check_encoding (PREFIX "fill-holes", formats_of_light[i], 0);
      check_encoding (PREFIX "h-maxima", formats_of_light[i], 51 / 255.0);
    }
}

/* Linear light has to the bit the result of its non-linear colors, converted to linear light; what
 * lines are drawn on stays as it is.
 */
static void
check_light (const char *name,
             const char *linear,
             const char *non_linear,
             int         colors)
{
  const Babl             *from     = babl_format (linear);
  const Babl             *to       = babl_format (non_linear);
  const GeglRectangle     place    = { -7, 30, 300, 170 };
  const gsize             n        = 300 * 170;
  const gsize             size     = (gsize) babl_format_get_bytes_per_pixel (from);
  g_autoptr (GeglBuffer)  light    = gegl_buffer_new (&place, from);
  g_autoptr (GeglBuffer)  picture  = gegl_buffer_new (&place, to);
  g_autofree float       *pixels   = g_malloc (n * size);
  g_autofree float       *shown    = g_malloc (n * size);
  g_autofree guint8      *got      = NULL;
  g_autofree guint8      *result   = NULL;
  g_autofree guint8      *expected = g_malloc (n * size);
  g_auto (Graph)          graph    = { NULL };
  g_auto (Graph)          other    = { NULL };

  for (gsize i = 0; i < n * size / sizeof (float); i++)
    pixels[i] = (float) g_rand_int_range (source, 0, 1000) / 997;
  babl_process (babl_fish (from, to), pixels, shown, (long) n);
  gegl_buffer_set (light, &place, 0, from, pixels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (picture, &place, 0, to, shown, GEGL_AUTO_ROWSTRIDE);
  graph_init (&graph, light, name);
  graph_init (&other, picture, name);
  gegl_node_set (graph.operation, "encoding", NON_LINEAR, NULL);
  if (gegl_node_find_property (graph.operation, "colors"))
    {
      set_number (graph.operation, "colors", colors);
      set_number (other.operation, "colors", colors);
    }
  got    = render (&graph, &place, from);
  result = render (&other, &place, to);
  babl_process (babl_fish (to, from), result, expected, (long) n);
  if (g_str_equal (name, PREFIX "watershed-lines") && size == 4 * sizeof (float))
    for (gsize i = 0; i < n; i++)
      if (memcmp (result + size * i, (guint8 *) shown + size * i, size) == 0)
        memcpy (expected + size * i, (guint8 *) pixels + size * i, size);
  g_assert_cmpmem (got, n * size, expected, n * size);
}

static void
test_light (void)
{
  g_auto (GStrv) names = list_operations ();

  for (char **name = names; *name; name++)
    for (int colors = 0; colors < 3; colors++)
      {
        check_light (*name, "RGBA float", "R'G'B'A float", colors);
        check_light (*name, "Y float", "Y' float", colors);
        check_light (*name, "YA float", "Y'A float", colors);
      }
}

/* A layer is no stack. */
static void
check_text (const char *text)
{
  g_assert_true (*text != 0);
  g_assert_null (strstr (text, "stack"));
  g_assert_null (strstr (text, "slice"));
  g_assert_null (strstr (text, "26"));
}

static void
check_property (const char *operation,
                GParamSpec *spec)
{
  GEnumClass *values;

  check_text (g_param_spec_get_nick (spec));
  g_assert_null (strchr (g_param_spec_get_nick (spec), '_'));
  check_text (g_param_spec_get_blurb (spec));
  g_assert_cmpstr (spec->name, !=, "algorithm");
  g_assert_cmpstr (spec->name, !=, "input");
  g_assert_cmpstr (spec->name, !=, "output");
  if (! G_IS_PARAM_SPEC_ENUM (spec))
    return;
  values = G_PARAM_SPEC_ENUM (spec)->enum_class;
  for (guint i = 0; i < values->n_values; i++)
    {
      check_text (values->values[i].value_name);
      g_assert_false (g_str_equal (spec->name, "connectivity") && values->values[i].value > 8);
    }
}

/* Every operation is in GIMP's menu, and its properties are described. */
static void
test_descriptions (void)
{
  g_auto (GStrv) names = list_operations ();

  for (char **name = names; *name; name++)
    {
      guint        n;
      GParamSpec **specs = gegl_operation_list_properties (*name, &n);

      g_assert_cmpstr (gegl_operation_get_key (*name, "gimp:menu-path"), ==,
                       "<Image>/Filters/Mor_phology/_Non-Destructive");
      g_assert_true (g_str_has_suffix (gegl_operation_get_key (*name, "gimp:menu-label"), "..."));
      check_text (gegl_operation_get_key (*name, "description"));
      for (guint i = 0; i < n; i++)
        check_property (*name, specs[i]);
      g_free (specs);
    }
}

int
main (int    argc,
      char **argv)
{
  int result;

  tests_begin (&argc, &argv);
  g_log_set_default_handler (count_messages, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);   /* complaints are counted */
  /* GEGL offers operations under the GPL to programs that say so */
  g_object_set (gegl_config (), "application-license", "GPL3", NULL);
  gegl_init (NULL, NULL);
  source = g_rand_new_with_seed (7);
  g_test_add_func ("/gegl-operations/random", test_random);
  g_test_add_func ("/gegl-operations/abyss", test_abyss);
  g_test_add_func ("/gegl-operations/part", test_part);
  g_test_add_func ("/gegl-operations/changes", test_changes);
  g_test_add_func ("/gegl-operations/kept", test_kept);
  g_test_add_func ("/gegl-operations/kept-basins", test_kept_basins);
  g_test_add_func ("/gegl-operations/infinite", test_infinite);
  g_test_add_func ("/gegl-operations/interrupted", test_interrupted);
  g_test_add_func ("/gegl-operations/interrupted-early", test_interrupted_early);
  g_test_add_func ("/gegl-operations/progress", test_progress);
  g_test_add_func ("/gegl-operations/refused", test_refused);
  g_test_add_func ("/gegl-operations/marker", test_marker);
  g_test_add_func ("/gegl-operations/encoding", test_encoding);
  g_test_add_func ("/gegl-operations/light", test_light);
  g_test_add_func ("/gegl-operations/descriptions", test_descriptions);
  result = g_test_run ();
  g_rand_free (source);
  return result;
}

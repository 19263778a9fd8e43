/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-bench-copy: the time of a plug-in that reads the pixels of a layer once and
 * writes the pixels of new layers once, with one call each: the whole layer into memory, in its
 * own format, and from memory into layers of the formats that the measured procedure makes.
 * It is never installed.
 *
 * The written pixels are in memory before the clock starts, as the engine's results are.
 */

#include <stdlib.h>
#include <time.h>

#include <libgimp/gimp.h>

#define BENCH_COPY "plug-in-wavefront-bench-copy"

typedef struct
{
  GimpPlugIn parent_instance;
} BenchCopy;

typedef struct
{
  GimpPlugInClass parent_class;
} BenchCopyClass;

GType bench_copy_get_type (void);

G_DEFINE_TYPE (BenchCopy, bench_copy, GIMP_TYPE_PLUG_IN)


static gboolean by_processors;


/* Wall-clock seconds, or the processor time of this process. */
static double
now (void)
{
  return by_processors ? (double) clock () / CLOCKS_PER_SEC
                       : g_get_monotonic_time () / (double) G_USEC_PER_SEC;
}

static double
read_layer (GimpDrawable *drawable)
{
  const Babl             *format = gimp_drawable_get_format (drawable);
  int                     width  = gimp_drawable_get_width (drawable);
  int                     height = gimp_drawable_get_height (drawable);
  gsize                   size   = (gsize) babl_format_get_bytes_per_pixel (format);
  double                  start  = now ();
  g_autoptr (GeglBuffer)  buffer = gimp_drawable_get_buffer (drawable);
  g_autofree guchar      *pixels = g_malloc (size * (gsize) width * height);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, width, height), 1.0, format, pixels,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_clear_object (&buffer);
  return now () - start;
}

static double
write_layer (GimpImage     *image,
             GimpDrawable  *drawable,
             GimpImageType  type)
{
  int                width  = gimp_drawable_get_width (drawable);
  int                height = gimp_drawable_get_height (drawable);
  GeglBuffer        *buffer;
  GimpLayer         *layer;
  const Babl        *format;
  gsize              bytes;
  g_autofree guchar *pixels = NULL;
  double             start  = now ();
  double             spent;

  layer  = gimp_layer_new (image, "copy", width, height, type, 100, GIMP_LAYER_MODE_NORMAL);
  format = gimp_drawable_get_format (GIMP_DRAWABLE (layer));
  spent  = now () - start;

  bytes  = (gsize) babl_format_get_bytes_per_pixel (format) * (gsize) width * height;
  pixels = g_malloc (bytes);
  for (gsize i = 0; i < bytes; i++)
    pixels[i] = (guchar) (i / 61);

  start  = now ();
  buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  gegl_buffer_set (buffer, GEGL_RECTANGLE (0, 0, width, height), 0, format, pixels,
                   GEGL_AUTO_ROWSTRIDE);
  g_object_unref (buffer);
  gimp_image_insert_layer (image, layer, NULL, 0);
  return spent + now () - start;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpProcedureConfig *config,
     gpointer             data)
{
  GimpValueArray          *values;
  g_autoptr (GimpDrawable) drawable = NULL;
  g_autofree char         *types    = NULL;
  g_auto (GStrv)           list     = NULL;
  double                   written  = 0;
  GimpImage               *image;

  gegl_init (NULL, NULL);
  g_object_get (config, "drawable", &drawable, "types", &types,
                "by-processors", &by_processors, NULL);
  image  = gimp_item_get_image (GIMP_ITEM (drawable));
  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  g_value_set_double (gimp_value_array_index (values, 1), read_layer (drawable));

  list = g_strsplit (types, ",", -1);
  for (int i = 0; list[i]; i++)
    written += write_layer (image, drawable, (GimpImageType) atoi (list[i]));
  g_value_set_double (gimp_value_array_index (values, 2), written);
  return values;
}

static GList *
query (GimpPlugIn *plug_in)
{
  return g_list_append (NULL, g_strdup (BENCH_COPY));
}

static GimpProcedure *
create (GimpPlugIn *plug_in,
        const char *name)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                                 NULL, NULL);

  gimp_procedure_set_documentation (procedure, "Reads a layer and writes new layers", NULL, name);
  gimp_procedure_add_drawable_argument (procedure, "drawable", "Drawable", "The layer to read",
                                        FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "types", "Types",
                                      "The GimpImageType of each layer to write, by its number",
                                      "", G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "by-processors", "By processors",
                                       "Whether to measure processor time",
                                       FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "read", "Read", "Seconds",
                                          0, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "written", "Written", "Seconds",
                                          0, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  return procedure;
}

static gboolean
set_i18n (GimpPlugIn   *plug_in,
          const char   *name,
          char        **domain,
          char        **folder)
{
  return FALSE;
}

static void
bench_copy_class_init (BenchCopyClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->query_procedures = query;
  plug_in_class->create_procedure = create;
  plug_in_class->set_i18n         = set_i18n;
}

static void
bench_copy_init (BenchCopy *copy)
{
}

GIMP_MAIN (bench_copy_get_type ())

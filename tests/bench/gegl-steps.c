/* SPDX-License-Identifier: GPL-3.0-or-later */

/* wavefront-bench-gegl SIZE OPERATION FORMAT PROPERTY VALUE…: the time of a filter for GEGL on a
 * picture of SIZE × SIZE pixels, for one value of the property after the other, as when its slider
 * is moved; the first value is the first evaluation.  A line for each: value, seconds, and seconds
 * of all processors together, by which one can compare where others use them, too.  A VALUE that is
 * NAME=VALUE sets another property, and takes no time of its own.
 *
 * The picture is like a photograph: light and shadow of all sizes, and grain.  GEGL_PATH leads to
 * the module.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gegl.h>

#define N_OCTAVES   8
#define GRAIN       0.015
#define STRIP_ROWS  64


/* Uncorrelated numbers below 1. */
static inline float
noise (guint32 x,
       guint32 y,
       guint32 salt)
{
  guint32 n = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ salt * 0xC2B2AE3Du;

  n ^= n >> 15;
  n *= 0x2C1B3C6Du;
  n ^= n >> 12;
  n *= 0x297A2D39u;
  n ^= n >> 15;
  return (float) (n >> 8) / (1 << 24);
}

static float
smooth_noise (guint32 x,
              guint32 y,
              int     octave)
{
  const guint32 step = 1u << (octave + 2);
  const guint32 i    = x / step;
  const guint32 j    = y / step;
  const guint32 salt = (guint32) octave;
  const float   u    = (float) (x % step) / (float) step;
  const float   v    = (float) (y % step) / (float) step;
  const float   top  = noise (i, j, salt) * (1 - u) + noise (i + 1, j, salt) * u;
  const float   base = noise (i, j + 1, salt) * (1 - u) + noise (i + 1, j + 1, salt) * u;

  return top * (1 - v) + base * v;
}

static float
light (guint32 x,
       guint32 y,
       guint32 channel)
{
  float sum    = 0;
  float weight = 1;
  float whole  = 0;

  for (int octave = N_OCTAVES - 1; octave >= 0; octave--, weight *= 0.55f)
    {
      sum   += weight * smooth_noise (x, y, octave);
      whole += weight;
    }
  sum = sum / whole * (0.9f + 0.1f * (float) channel / 2);
  for (guint32 i = 0; i < 4; i++)
    sum += (float) GRAIN * (noise (x, y, 100 + 4 * channel + i) - 0.5f);
  return CLAMP (sum, 0.0f, 1.0f);
}

static GeglBuffer *
make_picture (int         size,
              const Babl *format)
{
  GeglBuffer       *made = gegl_buffer_new (GEGL_RECTANGLE (0, 0, size, size), format);
  const Babl       *real = babl_format ("R'G'B' float");
  g_autofree float *rows = g_new (float, 3 * STRIP_ROWS * (gsize) size);

  for (int y = 0; y < size; y += STRIP_ROWS)
    {
      const int n_rows = MIN (STRIP_ROWS, size - y);

#pragma omp parallel for
      for (int row = 0; row < n_rows; row++)
        for (int x = 0; x < size; x++)
          for (int c = 0; c < 3; c++)
            rows[((gsize) row * size + x) * 3 + c] = light ((guint32) x, (guint32) (y + row),
                                                            (guint32) c);
      gegl_buffer_set (made, GEGL_RECTANGLE (0, y, size, n_rows), 0, real, rows,
                       GEGL_AUTO_ROWSTRIDE);
    }
  return made;
}

/* The number that a nick, or a number, stands for. */
static int
find_enum (GParamSpec *spec,
           const char *text)
{
  const GEnumValue *value = g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (spec)->enum_class, text);

  return value ? value->value : (int) g_ascii_strtoll (text, NULL, 10);
}

static void
set_property (GeglNode   *node,
              const char *name,
              const char *text)
{
  GParamSpec *spec  = gegl_node_find_property (node, name);
  GValue      real  = G_VALUE_INIT;
  GValue      value = G_VALUE_INIT;

  if (! spec)
    g_error ("There is no property \"%s\".", name);
  g_value_init (&real, G_TYPE_DOUBLE);
  g_value_set_double (&real, g_ascii_strtod (text, NULL));
  g_value_init (&value, spec->value_type);
  if (G_IS_PARAM_SPEC_ENUM (spec))
    g_value_set_enum (&value, find_enum (spec, text));
  else
    g_value_transform (&real, &value);
  gegl_node_set_property (node, name, &value);
}

int
main (int    argc,
      char **argv)
{
  const int              size = argc > 5 ? atoi (argv[1]) : 0;
  const GeglRectangle    all  = { 0, 0, size, size };
  g_autoptr (GeglNode)   root = NULL;
  g_autoptr (GeglBuffer) from = NULL;
  g_autoptr (GeglBuffer) to   = NULL;
  GeglNode              *source;
  GeglNode              *filter;

  if (size <= 0)
    {
      g_printerr ("%s SIZE OPERATION FORMAT PROPERTY VALUE…\n", argv[0]);
      return EXIT_FAILURE;
    }
  g_object_set (gegl_config (), "application-license", "GPL3", "tile-cache-size",
                (guint64) 8 << 30, NULL);
  gegl_init (NULL, NULL);
  root   = gegl_node_new ();
  from   = make_picture (size, babl_format (argv[3]));
  to     = gegl_buffer_new (&all, babl_format (argv[3]));
  source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", from, NULL);
  filter = gegl_node_new_child (root, "operation", argv[2], NULL);
  gegl_node_link (source, filter);
  for (int i = 5; i < argc; i++)
    {
      g_auto (GStrv) other = g_strsplit (argv[i], "=", 2);
      gint64         start;
      clock_t        used;

      if (other[1])
        {
          set_property (filter, other[0], other[1]);
          continue;
        }
      set_property (filter, argv[4], argv[i]);
      start = g_get_monotonic_time ();
      used  = clock ();
      gegl_node_blit_buffer (filter, to, &all, 0, GEGL_ABYSS_NONE);
      g_print ("%s\t%.3f\t%.3f\n", argv[i], (double) (g_get_monotonic_time () - start) / 1e6,
               (double) (clock () - used) / CLOCKS_PER_SEC);
    }
  return EXIT_SUCCESS;
}

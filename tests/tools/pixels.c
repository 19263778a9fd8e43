/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "pixels.h"


static gsize
type_size (const char *type)
{
  static const struct { const char *name; gsize size; } types[] =
  {
    { "u8", 1 }, { "u16", 2 }, { "f32", 4 }, { "u32", 4 }, { "u64", 8 }, { "f64", 8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (type, types[i].name) == 0)
      return types[i].size;
  g_assert_not_reached ();
}

/* Raw files are little-endian on every machine: reverses the bytes on big-endian ones. */
static void
swap_if_big (guint8 *bytes,
             gsize   size)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return;
  for (gsize low = 0, high = size - 1; low < high; low++, high--)
    {
      guint8 byte = bytes[low];

      bytes[low]  = bytes[high];
      bytes[high] = byte;
    }
}

#define STORE(Type) \
  { Type stored = (Type) value; memcpy (bytes, &stored, sizeof stored); }
#define LOAD(Type) \
  { Type stored; memcpy (&stored, bytes, sizeof stored); value = (double) stored; }
#define FOR_TYPE(type, DO) \
  if (strcmp (type, "u8") == 0) DO (guint8) \
  else if (strcmp (type, "u16") == 0) DO (guint16) \
  else if (strcmp (type, "u32") == 0) DO (guint32) \
  else if (strcmp (type, "u64") == 0) DO (guint64) \
  else if (strcmp (type, "f32") == 0) DO (float) \
  else DO (double)

static void
store (guint8     *bytes,
       const char *type,
       double      value)
{
  FOR_TYPE (type, STORE)
  swap_if_big (bytes, type_size (type));
}

static double
load (guint8     *bytes,
      const char *type)
{
  double value;

  swap_if_big (bytes, type_size (type));
  FOR_TYPE (type, LOAD)
  return value;
}

Pixels *
pixels_new (const char *type,
            gint64      width,
            gint64      height,
            gint64      depth)
{
  Pixels *pixels = g_new (Pixels, 1);

  pixels->type   = type;
  pixels->size   = (RefSize) { width, height, depth };
  pixels->n      = width * height * depth;
  pixels->values = g_new0 (double, pixels->n);
  return pixels;
}

/* Few levels, for plateaux.  Those of u16 use both bytes, those of f32 include negative numbers
 * and fractions.
 */
Pixels *
pixels_random (const char *type,
               gint64      width,
               gint64      height,
               gint64      depth,
               int         n_levels)
{
  Pixels *pixels = pixels_new (type, width, height, depth);

  for (gint64 i = 0; i < pixels->n; i++)
    {
      int level = g_test_rand_int_range (0, n_levels);

      if (strcmp (type, "u16") == 0)
        pixels->values[i] = level * (65535 / (n_levels - 1));
      else if (strcmp (type, "f32") == 0)
        pixels->values[i] = (level - n_levels / 2) * 0.375;
      else
        pixels->values[i] = level;
    }
  return pixels;
}

gpointer
pixels_to_bytes (const Pixels *pixels,
                 gsize        *length)
{
  gsize   size  = type_size (pixels->type);
  guint8 *bytes = g_malloc (size * (gsize) pixels->n);

  for (gint64 i = 0; i < pixels->n; i++)
    store (bytes + size * (gsize) i, pixels->type, pixels->values[i]);
  *length = size * (gsize) pixels->n;
  return bytes;
}

void
pixels_write (const Scratch *scratch,
              const char    *name,
              const Pixels  *pixels)
{
  gsize               length;
  g_autofree gpointer bytes = pixels_to_bytes (pixels, &length);

  scratch_write (scratch, name, bytes, length);
}

/* Reads a raw file and asserts that its length fits @size. */
Pixels *
pixels_read (const Scratch *scratch,
             const char    *name,
             const char    *type,
             const RefSize *size)
{
  Pixels            *pixels = pixels_new (type, size->width, size->height, size->depth);
  g_autofree guint8 *bytes  = scratch_read (scratch, name, type_size (type) * (gsize) pixels->n);

  for (gint64 i = 0; i < pixels->n; i++)
    pixels->values[i] = load (bytes + type_size (type) * (gsize) i, type);
  return pixels;
}

/* Returns size and type in the syntax of --raw. */
char *
pixels_spec (const Pixels *pixels)
{
  if (pixels->size.depth == 1)
    return g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ":%s",
                            pixels->size.width, pixels->size.height, pixels->type);
  return g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ":%s",
                          pixels->size.width, pixels->size.height, pixels->size.depth,
                          pixels->type);
}

void
pixels_assert_equal (const Pixels *found,
                     const double *expected)
{
  for (gint64 i = 0; i < found->n; i++)
    if (found->values[i] != expected[i])
      g_error ("Pixel %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
               " × %" G_GINT64_FORMAT " is %.17g, but should be %.17g.",
               i, found->size.width, found->size.height, found->size.depth,
               found->values[i], expected[i]);
}

void
pixels_free (Pixels *pixels)
{
  g_free (pixels->values);
  g_free (pixels);
}

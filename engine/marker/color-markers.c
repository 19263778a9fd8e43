/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that were painted: each color is one marker, whether or not its pixels are connected.  So
 * parts of one object, or the background around several, can be marked by separate strokes; two
 * objects need two colors.  Pixels that are less than half opaque are no markers, so that the soft
 * edge of a stroke does not add colors; without alpha, black pixels are no markers.  Markers are
 * numbered in the order in which their colors occur, row by row.
 *
 * Colors are kept in a table; pixels of the same color follow each other mostly, and are compared
 * with the last one first.
 */

#include "config.h"

#include <string.h>

#include "engine/wavefront.h"

/* The minimum opacity of a marker. */
#define LEAST_ALPHA 0.5f

/* Integers, or the bits of floats. */
typedef struct
{
  guint32 red;
  guint32 green;
  guint32 blue;
} Color;

/**
 * WfColorMarkers:
 * @numbers: from a color, owned by the table, to its number
 * @last: the color that was met last, if @last_number is not 0
 */
struct _WfColorMarkers
{
  GHashTable *numbers;
  Color       last;
  guint32     last_number;
};


static guint
hash (gconstpointer key)
{
  const Color *color = key;
  guint32      mixed = color->red * 0x9e3779b1u;

  mixed = (mixed ^ (mixed >> 15) ^ color->green) * 0x85ebca77u;
  mixed = (mixed ^ (mixed >> 13) ^ color->blue) * 0xc2b2ae3du;
  return mixed ^ (mixed >> 16);
}

static gboolean
is_same (gconstpointer a,
         gconstpointer b)
{
  return memcmp (a, b, sizeof (Color)) == 0;
}

/**
 * wf_color_markers_new:
 *
 * Prepares the markers of an image whose colors are added row by row.
 *
 * Returns: (transfer full): markers without colors, to be freed by wf_color_markers_free()
 */
WfColorMarkers *
wf_color_markers_new (void)
{
  WfColorMarkers *markers = g_new0 (WfColorMarkers, 1);

  markers->numbers = g_hash_table_new_full (hash, is_same, g_free, NULL);
  return markers;
}

/**
 * wf_color_markers_free:
 * @markers: (transfer full): markers
 *
 * Frees them.
 */
void
wf_color_markers_free (WfColorMarkers *markers)
{
  g_hash_table_unref (markers->numbers);
  g_free (markers);
}

/**
 * wf_color_markers_get_n:
 * @markers: markers
 *
 * Counts the markers so far.
 *
 * Returns: the number of colors
 */
guint32
wf_color_markers_get_n (const WfColorMarkers *markers)
{
  return g_hash_table_size (markers->numbers);
}

static guint32
number_of (WfColorMarkers *markers,
           const Color    *color)
{
  gpointer number;

  if (markers->last_number && is_same (color, &markers->last))
    return markers->last_number;

  number = g_hash_table_lookup (markers->numbers, color);
  if (! number)
    {
      number = GUINT_TO_POINTER (g_hash_table_size (markers->numbers) + 1);
      g_hash_table_insert (markers->numbers, g_memdup2 (color, sizeof *color), number);
    }
  markers->last        = *color;
  markers->last_number = GPOINTER_TO_UINT (number);
  return markers->last_number;
}

/* Returns the bits of a component; −0 becomes 0. */
static inline guint32
bits_of (float component)
{
  guint32 bits;

  component += 0.0f;
  memcpy (&bits, &component, sizeof bits);
  return bits;
}

/* @bits: of a component, by which colors are compared; @most: that of an opaque pixel */
#define ADD(Type, bits, most) \
  { \
    const Type *pixel = colors; \
\
    for (gint64 i = 0; i < n; i++, pixel += n_components) \
      { \
        const Color    color = { bits (pixel[0]), bits (pixel[1]), bits (pixel[2]) }; \
        const gboolean here  = alpha ? (float) pixel[3] >= LEAST_ALPHA * (most) \
                                     : (color.red | color.green | color.blue) != 0; \
\
        labels[i] = here ? number_of (markers, &color) : 0; \
      } \
  }

/**
 * wf_color_markers_add:
 * @markers: markers
 * @type: u8, u16 or f32, in all calls the same; white and opaque are 255, 65535 or 1
 * @colors: pixels that begin with red, green and blue, and, with @alpha, their alpha
 * @n_components: of each of them, 3 or more, with @alpha 4 or more
 * @alpha: whether markers are the pixels that are at least half opaque; otherwise those that are
 *   not black
 * @n: how many pixels
 * @labels: (out caller-allocates) (array length=n): set to the marker of each pixel, or 0
 *
 * Numbers the colors of the following pixels: new ones get the next numbers, from 1 on.
 *
 * Time: linear in the pixels, by one thread.  Memory: some 50 bytes for each color.
 */
void
wf_color_markers_add (WfColorMarkers *markers,
                      WfType          type,
                      gconstpointer   colors,
                      guint           n_components,
                      gboolean        alpha,
                      gint64          n,
                      guint32        *labels)
{
  g_return_if_fail (type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32);
  g_return_if_fail (n_components >= (alpha ? 4 : 3));

  switch (type)
    {
    case WF_TYPE_U8:
      ADD (guint8, (guint32), G_MAXUINT8)
      break;
    case WF_TYPE_U16:
      ADD (guint16, (guint32), G_MAXUINT16)
      break;
    default:
      ADD (float, bits_of, 1)
      break;
    }
}

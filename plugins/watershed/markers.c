/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that were painted or set as points.
 *
 * In a layer each colour is one marker, whether or not its pixels are connected: parts of
 * one object, or the background around several, can be marked by separate strokes.
 * Two objects need two colours.  Pixels that are less than half opaque are no markers, so that
 * the soft edge of a stroke does not add colours; in a layer without alpha,
 * black pixels are no markers.  Markers are numbered in the order in which their colours occur,
 * row by row.
 *
 * Each point is one marker of a single pixel.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "markers.h"

/* The minimum opacity of a marker. */
#define LEAST_ALPHA 0.5f

typedef struct
{
  guint32 red;
  guint32 green;
  guint32 blue;
} Color;

struct _WfColorMarkers
{
  GHashTable *numbers;   /* from a colour, owned by the table, to its number */
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
 * Returns: (transfer full): markers without colors
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
 * Returns: the number of colors found so far
 */
guint32
wf_color_markers_get_n (WfColorMarkers *markers)
{
  return g_hash_table_size (markers->numbers);
}

/* Returns the bits of a component; −0 becomes 0. */
static guint32
bits_of (float component)
{
  guint32 bits;

  component += 0.0f;
  memcpy (&bits, &component, sizeof bits);
  return bits;
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

/**
 * wf_color_markers_add_row:
 * @markers: markers
 * @pixels: red, green, blue and alpha of each pixel
 * @alpha: whether markers are the opaque pixels; otherwise those that are not black
 * @n: how many pixels
 * @labels: set to the marker of each pixel, or 0
 */
void
wf_color_markers_add_row (WfColorMarkers *markers,
                          const float    *pixels,
                          gboolean        alpha,
                          gint64          n,
                          guint32        *labels)
{
  for (gint64 i = 0; i < n; i++, pixels += 4)
    {
      Color    color = { bits_of (pixels[0]), bits_of (pixels[1]), bits_of (pixels[2]) };
      gboolean here  = alpha ? pixels[3] >= LEAST_ALPHA
                             : (color.red | color.green | color.blue) != 0;

      labels[i] = here ? number_of (markers, &color) : 0;
    }
}

/**
 * wf_point_markers_draw:
 * @points: x and y of each point, in pixels of the image
 * @n_points: the number of points
 * @left: left edge of @labels in the image
 * @top: upper edge of @labels in the image
 * @labels: u32, a 2-D image, all 0; set to 1, 2, … at the points, in their order
 *
 * Ignores points outside @labels, and points on a pixel that already has one.
 *
 * Returns: the number of markers
 */
guint32
wf_point_markers_draw (const double *points,
                       gsize         n_points,
                       double        left,
                       double        top,
                       WfImage      *labels)
{
  guint32 n = 0;

  for (gsize i = 0; i < n_points; i++)
    {
      double   x = floor (points[2 * i] - left);
      double   y = floor (points[2 * i + 1] - top);
      guint32 *label;

      if (! (x >= 0 && y >= 0 && x < labels->width && y < labels->height))
        continue;

      label = (guint32 *) labels->data + (gint64) y * labels->row_stride + (gint64) x;
      if (*label == 0)
        *label = ++n;
    }
  return n;
}

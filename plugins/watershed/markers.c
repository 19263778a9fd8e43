/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that a person has painted or pointed at.
 *
 * Of a layer each colour is one marker, be its pixels connected or not: so the parts of
 * one thing, or the background around many, can be marked by strokes that do not touch.
 * Two things are marked by two colours.  What is less than half opaque is none, so that
 * the soft edge of a stroke has no colours of its own; in a layer without transparency
 * black is none.  The markers are numbered in the order in which their colours are met,
 * row by row.
 *
 * Of points each is one marker, a single pixel.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "markers.h"

/* Less than this is no marker. */
#define LEAST_ALPHA 0.5f

typedef struct
{
  guint32 red;
  guint32 green;
  guint32 blue;
} Color;

struct _WfColorMarkers
{
  GHashTable *numbers;   /* from a color's own copy to its number */
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
 * Returns: (transfer full): markers of no colours yet.
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
 * Returns: how many colours have been met.
 */
guint32
wf_color_markers_get_n (WfColorMarkers *markers)
{
  return g_hash_table_size (markers->numbers);
}

/* The bits of a component; −0 is 0. */
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
 * @alpha: whether alpha tells what is a marker; else it is what is not black
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
 * @points: x and y of one point after the other, in pixels of the image
 * @n_points: how many points
 * @left: where the labels' left edge is in the image
 * @top: where their upper edge is
 * @labels: u32, a 2-D image, all 0; set to 1, 2, … where there is a point, in their order
 *
 * Points outside are left out, and those on a pixel that has one already.
 *
 * Returns: how many there are.
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

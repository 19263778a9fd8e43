/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Results of a filter of levels in color, row by row: from the results of the three components, or
 * from the luminance before and after (engine/color/luminance.c).
 *
 * Which way suits an image: components treat red, green and blue as three images, so that each of
 * them is exactly what the filter says, but where they change differently new colors appear.  With
 * the luminance a pixel changes only where its brightness does, and no new hues appear, but parts
 * that differ from their surroundings in color alone are not seen.
 */

#include "config.h"

#include <string.h>

#include <gegl.h>
#include <glib/gi18n-lib.h>

#include "color-way.h"
#include "plugins/common/input/formats.h"

const WfChoice wf_color_ways[] =
{
  { "gray",       WF_COLORS_GRAY,       N_("Gray") },
  { "components", WF_COLORS_COMPONENTS, N_("Each component") },
  { "luminance",  WF_COLORS_LUMINANCE,  N_("Luminance, colors kept") },
  { NULL,         0,                    NULL }
};

#define INTERLEAVE(Type) \
  for (gsize i = 0; i < n; i++) \
    for (int c = 0; c < 3; c++) \
      ((Type *) pixels)[i * (gsize) n_components + (gsize) c] = ((const Type *) components[c])[i]

/**
 * wf_colors_interleave:
 * @type: of a component
 * @components: red, green and blue of @n pixels
 * @n: the number of pixels
 * @n_components: of a pixel
 * @pixels: their red, green and blue are set
 */
void
wf_colors_interleave (WfType         type,
                      const gpointer components[3],
                      gsize          n,
                      int            n_components,
                      gpointer       pixels)
{
  switch (type)
    {
    case WF_TYPE_U8:
      INTERLEAVE (guint8);
      break;
    case WF_TYPE_U16:
      INTERLEAVE (guint16);
      break;
    default:
      INTERLEAVE (float);
      break;
    }
}

/* Copies the colors of the pixels whose level has changed, without their alpha. */
static void
copy_changed (WfType        type,
              gconstpointer before,
              gconstpointer after,
              gconstpointer colors,
              gsize         pixel,
              gsize         n,
              guint8       *pixels)
{
  const gsize size = wf_type_size (type);

  for (gsize i = 0; i < n; i++)
    if (memcmp ((const guint8 *) before + i * size, (const guint8 *) after + i * size, size) != 0)
      memcpy (pixels + i * pixel, (const guint8 *) colors + i * pixel, 3 * size);
}

/**
 * wf_colors_keep:
 * @format: the #Babl format of @pixels, of colors, with @type as the type of a component
 * @type: of levels and components
 * @before: the luminance of each of @n pixels, in the encoding of @format
 * @after: the luminance that it is to have
 * @n: the number of pixels
 * @pixels: get it, and keep their color and alpha; pixels whose luminance stays are not touched
 */
void
wf_colors_keep (gconstpointer format,
                WfType        type,
                gconstpointer before,
                gconstpointer after,
                gsize         n,
                gpointer      pixels)
{
  const Babl        *space  = babl_format_get_space (format);
  const Babl        *linear = babl_format_with_space ("RGBA float", space);
  const Babl        *gray   = babl_format_with_space ("Y float", space);
  const gsize        pixel  = (gsize) babl_format_get_bytes_per_pixel (format);
  g_autofree float  *colors = g_new (float, 4 * n);
  g_autofree float  *were   = g_new (float, n);
  g_autofree float  *wanted = g_new (float, n);
  g_autofree guint8 *made   = g_malloc (n * pixel);

  babl_process (babl_fish (format, linear), pixels, colors, (long) n);
  babl_process (babl_fish (linear, gray), colors, were, (long) n);
  babl_process (babl_fish (wf_format_find_grey (format, FALSE, type), gray), after, wanted,
                (long) n);
  wf_colors_set_luminance (colors, 4, were, wanted, (gint64) n, type != WF_TYPE_F32);
  babl_process (babl_fish (linear, format), colors, made, (long) n);
  copy_changed (type, before, after, made, pixel, n, pixels);
}

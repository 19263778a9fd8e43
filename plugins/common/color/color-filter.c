/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters of levels on images of colors, as three images of their components, in the ways that
 * engine/color/color-ways.c describes.
 *
 * The engine knows the luminance of sRGB, encoded or in linear light, which is that of nearly all
 * images; so the command makes the same of a file.  Of other primaries and curves, as a color
 * profile has them, babl knows it.
 */

#include "config.h"

#include <string.h>

#include <gegl.h>

#include "color-filter.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/swap.h"

/* Pixels that a thread takes at a time. */
#define PIECE 8192

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

#define DIVIDE(Type) \
  for (gsize i = 0; i < n; i++) \
    for (int c = 0; c < 3; c++) \
      ((Type *) components[c])[i] = ((const Type *) pixels)[3 * i + (gsize) c]

/* The inverse, of pixels without alpha. */
static void
divide (WfType         type,
        gconstpointer  pixels,
        gsize          n,
        const gpointer components[3])
{
  switch (type)
    {
    case WF_TYPE_U8:
      DIVIDE (guint8);
      break;
    case WF_TYPE_U16:
      DIVIDE (guint16);
      break;
    default:
      DIVIDE (float);
      break;
    }
}


/*  Colors of a format  */

/**
 * Colors:
 * @format: of pixels, without alpha
 * @type: of its components
 * @is_srgb: whether the engine knows it
 * @encoding: if so
 */
typedef struct
{
  const Babl      *format;
  WfType           type;
  gboolean         is_srgb;
  WfColorEncoding  encoding;
} Colors;


static void
colors_init (Colors     *colors,
             const Babl *format,
             WfType      type)
{
  colors->format   = wf_format_find_color (format, FALSE, type);
  colors->type     = type;
  colors->is_srgb  = babl_format_get_space (format) == babl_space ("sRGB");
  colors->encoding = wf_format_is_linear (format) ? WF_ENCODING_LINEAR : WF_ENCODING_SRGB;
}

static gpointer
find_pixel (const WfImage *image,
            gint64         i)
{
  return (char *) image->data + (gsize) i * wf_type_size (image->type);
}

static void
take_luminance (const Colors   *colors,
                const gpointer  components[3],
                gsize           n,
                gpointer        levels)
{
  g_autofree gpointer pixels = NULL;

  if (colors->is_srgb)
    {
      wf_colors_take_luminance (colors->type, colors->encoding, components, 1, (gint64) n, levels);
      return;
    }
  pixels = g_malloc_n (n, (gsize) babl_format_get_bytes_per_pixel (colors->format));
  wf_colors_interleave (colors->type, components, n, 3, pixels);
  babl_process (babl_fish (colors->format, wf_format_find_grey (colors->format, FALSE,
                                                                colors->type)),
                pixels, levels, (long) n);
}

/* Returns how many pixels have another level. */
static gsize
find_changed (WfType          type,
              gconstpointer   before,
              gconstpointer   after,
              gsize           n,
              guint8         *changed)
{
  gsize n_changed = 0;

  for (gsize i = 0; i < n; i++)
    {
      changed[i] = type == WF_TYPE_U8    ? ((const guint8 *) before)[i] !=
                                           ((const guint8 *) after)[i]
                   : type == WF_TYPE_U16 ? ((const guint16 *) before)[i] !=
                                           ((const guint16 *) after)[i]
                                         : ((const float *) before)[i] !=
                                           ((const float *) after)[i];
      n_changed += changed[i];
    }
  return n_changed;
}

/* By babl. */
static void
convert_luminance (const Colors  *colors,
                   gconstpointer  before,
                   gconstpointer  after,
                   gsize          n,
                   guint8        *pixels)
{
  const Babl        *space   = babl_format_get_space (colors->format);
  const Babl        *linear  = babl_format_with_space ("RGB float", space);
  const Babl        *gray    = babl_format_with_space ("Y float", space);
  const gsize        pixel   = (gsize) babl_format_get_bytes_per_pixel (colors->format);
  g_autofree float  *light   = g_new (float, 3 * n);
  g_autofree float  *were    = g_new (float, n);
  g_autofree float  *wanted  = g_new (float, n);
  g_autofree guint8 *changed = g_new (guint8, n);
  g_autofree guint8 *made    = g_malloc (n * pixel);

  if (find_changed (colors->type, before, after, n, changed) == 0)
    return;
  babl_process (babl_fish (colors->format, linear), pixels, light, (long) n);
  babl_process (babl_fish (linear, gray), light, were, (long) n);
  babl_process (babl_fish (wf_format_find_grey (colors->format, FALSE, colors->type), gray),
                after, wanted, (long) n);
  wf_colors_set_luminance (light, 3, were, wanted, (gint64) n, colors->type != WF_TYPE_F32);
  babl_process (babl_fish (linear, colors->format), light, made, (long) n);
  for (gsize i = 0; i < n; i++)
    if (changed[i])
      memcpy (pixels + i * pixel, made + i * pixel, pixel);
}

static void
keep_colors (const Colors   *colors,
             gconstpointer   before,
             gconstpointer   after,
             gsize           n,
             const gpointer  components[3])
{
  g_autofree guint8 *pixels = NULL;

  if (colors->is_srgb)
    {
      wf_colors_keep (colors->type, colors->encoding, components, 1, before, after, (gint64) n);
      return;
    }
  pixels = g_malloc_n (n, (gsize) babl_format_get_bytes_per_pixel (colors->format));
  wf_colors_interleave (colors->type, components, n, 3, pixels);
  convert_luminance (colors, before, after, n, pixels);
  divide (colors->type, pixels, n, components);
}


/*  Images  */

/**
 * wf_colors_find_luminance:
 * @format: of pixels, with alpha or without
 * @components: red, green and blue, in its encoding, without gaps between their rows
 * @levels: set to a new image of their luminance
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_colors_find_luminance (const Babl     *format,
                          const WfImage   components[3],
                          WfImage        *levels,
                          GError        **error)
{
  const WfImage *red = &components[0];
  Colors         colors;

  colors_init (&colors, format, red->type);
  if (! wf_swap_allocate (levels, red->type, red->width, red->height, red->depth, error))
    return FALSE;
  WF_FOR_PARTS (part, red)
    {
#pragma omp parallel for schedule (dynamic)
      for (gint64 i = part.first; i < part.end; i += PIECE)
        {
          const gpointer places[] = { find_pixel (red, i), find_pixel (&components[1], i),
                                      find_pixel (&components[2], i) };

          take_luminance (&colors, places, (gsize) MIN (PIECE, part.end - i),
                          find_pixel (levels, i));
        }
    }
  return TRUE;
}

static gboolean
filter_luminance (const Babl     *format,
                  WfImage         components[3],
                  WfColorFilter   filter,
                  gpointer        data,
                  GError        **error)
{
  const WfImage    *red    = &components[0];
  g_auto (WfImage)  before = { 0 };
  g_auto (WfImage)  after  = { 0 };
  Colors            colors;

  colors_init (&colors, format, red->type);
  if (! wf_colors_find_luminance (format, components, &before, error) ||
      ! wf_mask_copy (&before, &after, error) ||
      ! filter (WF_COMPONENT_LUMINANCE, &after, data, error))
    return FALSE;
  WF_FOR_PARTS (part, red)
    {
#pragma omp parallel for schedule (dynamic)
      for (gint64 i = part.first; i < part.end; i += PIECE)
        {
          const gpointer places[] = { find_pixel (red, i), find_pixel (&components[1], i),
                                      find_pixel (&components[2], i) };

          keep_colors (&colors, find_pixel (&before, i), find_pixel (&after, i),
                       (gsize) MIN (PIECE, part.end - i), places);
        }
    }
  wf_swap_clear (&before);
  wf_swap_clear (&after);
  return TRUE;
}

/**
 * wf_colors_filter:
 * @way: of components, or of the luminance
 * @format: of the pixels, with alpha or without
 * @components: red, green and blue, in its encoding, without gaps between their rows; set to
 *   those of the result, also if it fails
 * @filter: of levels
 * @data: for @filter
 * @error: as @filter sets it; %WF_ERROR_MEMORY
 *
 * Filters an image of colors.
 *
 * Returns: success
 */
gboolean
wf_colors_filter (WfColorWay      way,
                  const Babl     *format,
                  WfImage         components[3],
                  WfColorFilter   filter,
                  gpointer        data,
                  GError        **error)
{
  if (way == WF_COLORS_LUMINANCE)
    return filter_luminance (format, components, filter, data, error);
  for (int i = 0; i < 3; i++)
    if (! filter ((WfComponent) (WF_COMPONENT_RED + i), &components[i], data, error))
      return FALSE;
  return TRUE;
}

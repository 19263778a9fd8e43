/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview of a filter that keeps colors: the components are filtered as in a run, and converted
 * to those of the screen.  What is not selected is shown as it is.
 */

#include "config.h"

#include <string.h>

#include "color-preview.h"
#include "filter-colors.h"
#include "plugins/common/input/formats.h"


/* Undoes the filter outside the mask. */
static void
restore (const WfImage *mask,
         const WfImage *before,
         WfImage       *after)
{
  const guint8 *inside = mask->data;
  const gsize   size   = wf_type_size (after->type);
  const gint64  n      = inside ? wf_image_n_pixels (after) : 0;

  for (gint64 i = 0; i < n; i++)
    if (! inside[i])
      memcpy ((char *) after->data + (gsize) i * size,
              (const char *) before->data + (gsize) i * size, size);
}

static guint8
get_alpha (const WfImage *alpha,
           gsize          i)
{
  switch (alpha->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) alpha->data)[i];
    case WF_TYPE_U16:
      return (guint8) ((((const guint16 *) alpha->data)[i] + 128) / 257);
    default:
      return (guint8) (CLAMP (((const float *) alpha->data)[i], 0, 1) * G_MAXUINT8 + 0.5f);
    }
}

/* A row, as the preview shows colors. */
static void
show_row (const Babl     *format,
          WfType          type,
          const gpointer  places[3],
          const WfImage  *alpha,
          gsize           first,
          gsize           n,
          guint8         *shown)
{
  const Babl        *colors = wf_format_find_color (format, FALSE, type);
  g_autofree guint8 *pixels = g_malloc_n (n, (gsize) babl_format_get_bytes_per_pixel (colors));
  g_autofree guint8 *bytes  = g_malloc (3 * n);

  wf_colors_interleave (type, places, n, 3, pixels);
  babl_process (babl_fish (colors, babl_format ("R'G'B' u8")), pixels, bytes, (long) n);
  for (gsize i = 0; i < n; i++)
    {
      memcpy (shown + 4 * i, bytes + 3 * i, 3);
      shown[4 * i + 3] = alpha->data ? get_alpha (alpha, first + i) : G_MAXUINT8;
    }
}

static gboolean
show_slice (const WfPreviewInputs    *inputs,
            const WfPreviewSettings  *settings,
            const WfImage             components[3],
            WfPreviewResult          *result,
            GError                  **error)
{
  const WfImage *red   = &components[0];
  const gint64   start = settings->slice * red->height * red->width;
  const gsize    size  = wf_type_size (red->type);

  if (! wf_image_allocate (&result->image, WF_TYPE_U32, red->width, red->height, 1, error))
    return FALSE;
#pragma omp parallel for
  for (gint64 y = 0; y < red->height; y++)
    {
      const gint64 first = start + y * red->width;
      gpointer     places[3];

      for (int c = 0; c < 3; c++)
        places[c] = (char *) components[c].data + (gsize) first * size;
      show_row (settings->format, red->type, places, &inputs->images[WF_PREVIEW_ALPHA],
                (gsize) first, (gsize) red->width,
                (guint8 *) result->image.data + 4 * (gsize) (y * red->width));
    }
  result->colors = TRUE;
  return TRUE;
}

static gboolean
compute (const WfPreviewInputs    *inputs,
         const WfPreviewSettings  *settings,
         WfColorFilter             filter,
         gpointer                  data,
         WfImage                   components[3],
         WfPreviewResult          *result,
         GError                  **error)
{
  const WfImage    *before = &inputs->images[WF_PREVIEW_COMPONENTS];
  g_auto (WfImage)  levels = { 0 };

  if (! wf_components_copy (before, components, error) ||
      ! wf_colors_filter (settings->colors, settings->format, components, filter, data, error))
    return FALSE;
  for (int c = 0; c < 3; c++)
    restore (&inputs->images[2], &before[c], &components[c]);
  return show_slice (inputs, settings, components, result, error) &&
         wf_colors_find_luminance (settings->format, components, &levels, error) &&
         wf_preview_take_slice (&levels, settings->slice, &result->values, error);
}

/**
 * wf_color_preview_compute:
 * @inputs: with components
 * @settings: with colors
 * @filter: of levels
 * @data: for @filter
 * @result: gets colors, and their luminance as values
 * @error: as @filter sets it; %WF_ERROR_MEMORY
 *
 * Filters what is previewed, without GIMP.
 *
 * Returns: success
 */
gboolean
wf_color_preview_compute (const WfPreviewInputs    *inputs,
                          const WfPreviewSettings  *settings,
                          WfColorFilter             filter,
                          gpointer                  data,
                          WfPreviewResult          *result,
                          GError                  **error)
{
  WfImage  components[3] = { 0 };
  gboolean success       = compute (inputs, settings, filter, data, components, result, error);

  wf_components_clear (components);
  return success;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers from images in memory: levels, marks, and pixels from a
 * function.
 */

#include "config.h"

#include "plugins/common/color/color-filter.h"
#include "rounding.h"
#include "strip.h"


/*  Levels  */

#define PACK(Type, white, round) \
  for (gsize i = 0; i < n; i++) \
    { \
      const Type  level = ((const Type *) levels)[i]; \
      Type       *pixel = (Type *) pixels + i * n_components; \
\
      pixel[0] = level; \
      if (n_colors == 3) \
        pixel[1] = pixel[2] = level; \
      if (alpha) \
        pixel[n_colors] = coverage ? (Type) (coverage[i] * (white) + (round)) : (white); \
    }

/* Levels are written in the layer's own format, so that no conversion rounds
 * them or takes time.
 */
static void
pack_row (const WfStrip *strip,
          int            row,
          gconstpointer  levels)
{
  const gsize     n            = wf_strip_get_width (strip);
  const float    *coverage     = wf_strip_get_coverage (strip, row);
  const int       n_colors     = strip->n_colors;
  const gboolean  alpha        = strip->alpha;
  const int       n_components = n_colors + alpha;
  guint8         *pixels       = wf_strip_get_pixels (strip, row);

  if (strip->type == WF_TYPE_U8)
    PACK (guint8, G_MAXUINT8, 0.5f)
  else if (strip->type == WF_TYPE_U16)
    PACK (guint16, G_MAXUINT16, 0.5f)
  else
    PACK (float, 1, 0)
}

static gpointer
levels_new (const WfStrip *strip)
{
  return g_malloc (wf_strip_get_width (strip) * wf_type_size (strip->type));
}

static void
fill_image (const WfStrip *strip,
            int            first,
            int            n)
{
  const WfImage *image = strip->data;
  const char    *start = image->data;

  for (int row = first; row < first + n; row++)
    pack_row (strip, row,
              start + (strip->slice * image->slice_stride +
                       (strip->row + row) * image->row_stride) * wf_type_size (image->type));
}

/**
 * wf_result_layer_set_image:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @image: u8, u16 or f32 as the run's pixels are; its rows must follow each other
 *
 * Fills @layer with gray levels, directly from memory.
 */
void
wf_result_layer_set_image (WfJob         *run,
                           GimpLayer     *layer,
                           const WfImage *image)
{
  GimpDrawable *drawable = wf_result_find (run, layer)->layers->pdata[0];
  gboolean      packed   = gimp_drawable_is_rgb (drawable) || gimp_drawable_has_alpha (drawable);

  g_return_if_fail (image->row_stride == image->width);

  wf_strips_write (run, layer, FALSE, packed ? fill_image : NULL, (gpointer) image);
}

#define SET_ALPHA(Type, white, round) \
  for (gsize i = 0; i < n; i++) \
    ((Type *) pixels)[i * 4 + 3] = coverage ? (Type) (coverage[i] * (white) + (round)) : (white)

/* Of pixels with alpha. */
static void
set_alpha (const WfStrip *strip,
           int            row)
{
  const gsize  n        = wf_strip_get_width (strip);
  const float *coverage = wf_strip_get_coverage (strip, row);
  guint8      *pixels   = wf_strip_get_pixels (strip, row);

  if (strip->type == WF_TYPE_U8)
    SET_ALPHA (guint8, G_MAXUINT8, 0.5f);
  else if (strip->type == WF_TYPE_U16)
    SET_ALPHA (guint16, G_MAXUINT16, 0.5f);
  else
    SET_ALPHA (float, 1, 0);
}

static void
fill_components (const WfStrip *strip,
                 int            first,
                 int            n)
{
  const WfImage *components = strip->data;

  for (int row = first; row < first + n; row++)
    {
      const gsize place = (gsize) (strip->slice * components[0].slice_stride +
                                   (strip->row + row) * components[0].row_stride)
                          * wf_type_size (strip->type);
      gpointer    rows[3];

      for (int c = 0; c < 3; c++)
        rows[c] = (char *) components[c].data + place;
      wf_colors_interleave (strip->type, rows, wf_strip_get_width (strip), 3 + strip->alpha,
                            wf_strip_get_pixels (strip, row));
      if (strip->alpha)
        set_alpha (strip, row);
    }
}

/**
 * wf_result_layer_set_components:
 * @run: the run
 * @layer: a layer of colors, or a group of such layers, made for it
 * @components: red, green and blue, of the type of the run's pixels; their rows must follow each
 *   other
 *
 * Fills @layer with colors.
 */
void
wf_result_layer_set_components (WfJob         *run,
                                GimpLayer     *layer,
                                const WfImage  components[3])
{
  g_return_if_fail (gimp_drawable_is_rgb (wf_result_find (run, layer)->layers->pdata[0]));

  wf_strips_write (run, layer, FALSE, fill_components, (gpointer) components);
}

#define MARK(Type, white) \
  for (gsize i = 0; i < n; i++) \
    ((Type *) levels)[i] = marks[i] ? (white) : 0

static void
mark_row (WfType        type,
          const guint8 *marks,
          gsize         n,
          gpointer      levels)
{
  if (type == WF_TYPE_U8)
    MARK (guint8, G_MAXUINT8);
  else if (type == WF_TYPE_U16)
    MARK (guint16, G_MAXUINT16);
  else
    MARK (float, 1);
}

static void
fill_marks (const WfStrip *strip,
            int            first,
            int            n)
{
  const WfImage       *image  = strip->data;
  const guint8        *marks  = (const guint8 *) image->data +
                                strip->slice * image->slice_stride;
  g_autofree gpointer  levels = levels_new (strip);

  for (int row = first; row < first + n; row++)
    {
      mark_row (strip->type, marks + (strip->row + row) * image->row_stride,
                wf_strip_get_width (strip), levels);
      pack_row (strip, row, levels);
    }
}

/**
 * wf_result_layer_set_marks:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @marks: u8; its rows must follow each other
 *
 * Fills @layer with white where @marks is not 0, and with black elsewhere.
 */
void
wf_result_layer_set_marks (WfJob         *run,
                           GimpLayer     *layer,
                           const WfImage *marks)
{
  g_return_if_fail (marks->type == WF_TYPE_U8 && marks->row_stride == marks->width);

  wf_strips_write (run, layer, FALSE, fill_marks, (gpointer) marks);
}

typedef struct
{
  WfRowFunc func;
  gpointer  data;
} Levels;

/* Converts levels, which are integers, to the type of the layer. */
static void
round_row (WfType       type,
           const float *levels,
           gsize        n,
           gpointer     whole)
{
  if (type == WF_TYPE_U8)
    for (gsize i = 0; i < n; i++)
      ((guint8 *) whole)[i] = (guint8) levels[i];
  else
    for (gsize i = 0; i < n; i++)
      ((guint16 *) whole)[i] = (guint16) levels[i];
}

static void
fill_levels (const WfStrip *strip,
             int            first,
             int            n)
{
  const Levels        *source = strip->data;
  const gsize          width  = wf_strip_get_width (strip);
  g_autofree float    *levels = g_new (float, width);
  g_autofree gpointer  whole  = strip->type != WF_TYPE_F32 ? levels_new (strip) : NULL;

  for (int row = first; row < first + n; row++)
    {
      source->func (wf_strip_get_row (strip, row), levels, source->data);
      if (whole)
        round_row (strip->type, levels, width, whole);
      pack_row (strip, row, whole ? whole : levels);
    }
}

/**
 * wf_result_layer_set_levels:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @func: sets the levels of a row, in the units of the image's precision: integers
 *   from 0 to 255 or 65535, or real numbers
 * @data: for @func
 *
 * Fills @layer with gray levels.
 */
void
wf_result_layer_set_levels (WfJob     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  Levels levels = { func, data };

  wf_strips_write (run, layer, FALSE, fill_levels, &levels);
}


/*  Pixels  */

typedef struct
{
  WfPixelFunc func;
  gpointer    data;
} Pixels;

static void
fill_pixels (const WfStrip *strip,
             int            first,
             int            n)
{
  const Pixels *source = strip->data;

  for (int row = first; row < first + n; row++)
    {
      guint8 *pixels = wf_strip_get_pixels (strip, row);

      source->func (wf_strip_get_row (strip, row), pixels, source->data);
      if (strip->coverage)
        wf_alpha_multiply (strip->type, wf_strip_get_coverage (strip, row),
                           wf_strip_get_width (strip), strip->n_colors + 1, pixels);
    }
}

/**
 * wf_result_layer_set_pixels:
 * @run: the run
 * @layer: a layer, or a group, made for it, with alpha
 * @func: sets the pixels of a row
 * @data: for @func
 *
 * Fills @layer.  The alpha of the pixels is multiplied by the opacity of the pixel, if it is
 * partly selected or partly transparent.
 */
void
wf_result_layer_set_pixels (WfJob       *run,
                            GimpLayer   *layer,
                            WfPixelFunc  func,
                            gpointer     data)
{
  Pixels pixels = { func, data };

  g_return_if_fail (gimp_drawable_has_alpha (wf_result_find (run, layer)->layers->pdata[0]));

  wf_strips_write (run, layer, FALSE, fill_pixels, &pixels);
}

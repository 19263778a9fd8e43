/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers that hold what was computed.
 *
 * They have the size and the place of the region that was worked on, and the kind
 * and the precision of its image.  They are filled before they enter the image:
 * whatever fails or is killed until then leaves it as it was.
 *
 * The result for a stack is a group with a layer for each slice.  GIMP lets nothing
 * into a group that is not in an image, so the layers wait beside it.
 *
 * Where what was worked on is transparent or not selected, results are too.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "result-layer.h"

/**
 * WfResult:
 * @layer: the layer, or for a stack the group
 * @layers: (element-type GimpLayer): a layer for each slice, the lowest first; @layer
 *   itself where there is only one slice
 * @source: what it was computed from
 */
typedef struct
{
  GimpLayer      *layer;
  GPtrArray      *layers;
  const WfSource *source;
} WfResult;


static GimpImageType
layer_type (GimpImage *image,
            gboolean   alpha)
{
  if (gimp_image_get_base_type (image) == GIMP_GRAY)
    return alpha ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE;
  return alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE;
}

static char *
fill_in (const char *format,
         const char *name)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);

  return g_strjoinv (name, parts);
}

static GimpLayer *
layer_new (WfRun        *run,
           const char   *format,
           GimpDrawable *drawable,
           gboolean      alpha)
{
  const WfRegion  *region = &run->region;
  g_autofree char *source = gimp_item_get_name (GIMP_ITEM (drawable));
  g_autofree char *name   = fill_in (format, source);
  GimpLayer       *layer;

  layer = gimp_layer_new (run->image, name, region->width, region->height,
                          layer_type (run->image, alpha), 100.0,
                          gimp_image_get_default_new_layer_mode (run->image));
  gimp_layer_set_offsets (layer, region->image_x, region->image_y);
  return layer;
}

/**
 * wf_result_layer_new:
 * @run: the run
 * @name: of the layer, with %s where the name of the layer worked on goes
 * @alpha: whether some of its pixels are transparent; where not all of the region
 *   is selected and opaque it has alpha in any case
 *
 * Makes an empty layer, or for a stack a group of such, and has it inserted when the
 * run succeeds, above those made before it.
 *
 * Returns: (transfer none): the layer or the group, not yet in the image.
 */
GimpLayer *
wf_result_layer_new (WfRun      *run,
                     const char *name,
                     gboolean    alpha)
{
  const WfSource *source = run->source;
  WfResult       *result = g_new0 (WfResult, 1);

  alpha |= wf_source_has_alpha (source);
  result->source = source;
  result->layers = g_ptr_array_new ();
  for (guint i = 0; i < source->n_slices; i++)
    g_ptr_array_add (result->layers,
                     layer_new (run, name, source->slices[i].drawable, alpha));

  if (source->n_slices == 1)
    result->layer = result->layers->pdata[0];
  else
    {
      g_autofree char *full = fill_in (name, source->name);

      result->layer = GIMP_LAYER (gimp_group_layer_new (run->image, full));
    }
  g_ptr_array_add (run->results, result);
  return result->layer;
}

static const WfResult *
find_result (WfRun     *run,
             GimpLayer *layer)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const WfResult *result = run->results->pdata[i];

      if (result->layer == layer)
        return result;
    }
  g_return_val_if_reached (NULL);
}


/*  Writing, a strip of rows at a time  */

/**
 * Strip:
 * @run: the run
 * @source: what the layer was computed from
 * @type: of the layer's components
 * @n_colors: how many of them are no alpha
 * @alpha: whether one is
 * @format: of pixels of levels
 * @buffer: what is written to
 * @slice: which slice of @source it is
 * @row: the first row, in the region
 * @n_rows: how many
 * @coverage: how far each pixel is seen, or %NULL where all are
 */
typedef struct
{
  WfRun          *run;
  const WfSource *source;
  WfType          type;
  int             n_colors;
  gboolean        alpha;
  const Babl     *format;
  GeglBuffer     *buffer;
  guint           slice;
  int             row;
  int             n_rows;
  float          *coverage;
} Strip;

typedef void (* StripFunc) (const Strip *strip,
                            gpointer     data);

static gsize
strip_n_pixels (const Strip *strip)
{
  return (gsize) strip->source->region.width * strip->n_rows;
}

static void
strip_write (const Strip   *strip,
             const Babl    *format,
             gconstpointer  pixels)
{
  gegl_buffer_set (strip->buffer,
                   GEGL_RECTANGLE (0, strip->row, strip->source->region.width, strip->n_rows),
                   0, format, pixels, GEGL_AUTO_ROWSTRIDE);
}

static void
write_strips (WfRun     *run,
              GimpLayer *layer,
              StripFunc  func,
              gpointer   data)
{
  const WfResult   *result   = find_result (run, layer);
  const WfSource   *source   = result->source;
  int               height   = source->region.height;
  double            n_rows   = (double) height * source->n_slices;
  g_autofree float *coverage = NULL;

  if (wf_source_is_transparent (source))
    coverage = g_new (float, (gsize) source->region.width * WF_STRIP_ROWS);

  for (guint i = 0; i < source->n_slices; i++)
    {
      GimpDrawable           *drawable = result->layers->pdata[i];
      g_autoptr (GeglBuffer)  buffer   = gimp_drawable_get_buffer (drawable);
      Strip                   strip    = { run, source, .buffer = buffer, .slice = i,
                                           .coverage = coverage };

      strip.type     = wf_pixels_get_type (drawable);
      strip.n_colors = gimp_drawable_is_rgb (drawable) ? 3 : 1;
      strip.alpha    = gimp_drawable_has_alpha (drawable);
      strip.format   = wf_pixels_get_format (drawable, strip.alpha, strip.type);
      for (int row = 0; row < height; row += WF_STRIP_ROWS)
        {
          strip.row    = row;
          strip.n_rows = MIN (WF_STRIP_ROWS, height - row);
          if (coverage)
            wf_source_read_coverage (source, i, row, strip.n_rows, coverage);
          func (&strip, data);
          wf_run_set_progress (run, ((double) i * height + row + strip.n_rows) / n_rows);
        }
    }
}

#define PACK(Type, white, round) \
  for (gsize i = 0; i < n_pixels; i++) \
    { \
      Type *pixel = (Type *) pixels + i * n_components; \
\
      for (int k = 0; k < strip->n_colors; k++) \
        pixel[k] = ((const Type *) levels)[i]; \
      if (strip->alpha) \
        pixel[strip->n_colors] = coverage ? (Type) (coverage[i] * (white) + (round)) : (white); \
    }

static void
pack (const Strip   *strip,
      gconstpointer  levels,
      int            n_components,
      gpointer       pixels)
{
  const float *coverage = strip->coverage;
  gsize        n_pixels = strip_n_pixels (strip);

  switch (strip->type)
    {
    case WF_TYPE_U8:
      PACK (guint8, G_MAXUINT8, 0.5f);
      break;
    case WF_TYPE_U16:
      PACK (guint16, G_MAXUINT16, 0.5f);
      break;
    default:
      PACK (float, 1, 0);
      break;
    }
}

/* Levels are written as they are, in the layer's own format, so that no conversion rounds
 * them, nor takes its time.
 */
static void
write_levels (const Strip   *strip,
              gconstpointer  levels)
{
  int                  n_components = strip->n_colors + strip->alpha;
  g_autofree gpointer  pixels       = NULL;

  if (n_components > 1)
    {
      pixels = g_malloc (n_components * strip_n_pixels (strip) * wf_type_size (strip->type));
      pack (strip, levels, n_components, pixels);
    }
  strip_write (strip, strip->format, pixels ? pixels : levels);
}

static void
write_image_strip (const Strip *strip,
                   gpointer     data)
{
  const WfImage *image = data;
  const char    *start = image->data;

  write_levels (strip,
                start + (strip->slice * image->slice_stride + strip->row * image->row_stride) *
                        wf_type_size (image->type));
}

/**
 * wf_result_layer_set_image:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @image: u8, u16 or f32 as the run's pixels are; its rows must follow each other
 *
 * Fills @layer with grey levels, straight from memory.
 */
void
wf_result_layer_set_image (WfRun         *run,
                           GimpLayer     *layer,
                           const WfImage *image)
{
  g_return_if_fail (image->row_stride == image->width);

  write_strips (run, layer, write_image_strip, (gpointer) image);
}

#define MARK(Type, white) \
  for (gsize i = 0; i < n_pixels; i++) \
    ((Type *) levels)[i] = marks[i] ? (white) : 0

static void
write_marks_strip (const Strip *strip,
                   gpointer     data)
{
  const WfImage       *image    = data;
  const guint8        *marks    = (const guint8 *) image->data +
                                  strip->slice * image->slice_stride +
                                  strip->row * image->row_stride;
  gsize                n_pixels = strip_n_pixels (strip);
  g_autofree gpointer  levels   = g_malloc (n_pixels * wf_type_size (strip->type));

  switch (strip->type)
    {
    case WF_TYPE_U8:
      MARK (guint8, G_MAXUINT8);
      break;
    case WF_TYPE_U16:
      MARK (guint16, G_MAXUINT16);
      break;
    default:
      MARK (float, 1);
      break;
    }
  write_levels (strip, levels);
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
wf_result_layer_set_marks (WfRun         *run,
                           GimpLayer     *layer,
                           const WfImage *marks)
{
  g_return_if_fail (marks->type == WF_TYPE_U8 && marks->row_stride == marks->width);

  write_strips (run, layer, write_marks_strip, (gpointer) marks);
}

typedef struct
{
  WfRowFunc func;
  gpointer  data;
  float    *pixels;
} Rows;

static void
call_rows (const Strip *strip,
           const Rows  *rows,
           int          n_components)
{
  const WfRegion *region = &strip->source->region;
  int             first  = (int) strip->slice * region->height + strip->row;

  for (int i = 0; i < strip->n_rows; i++)
    rows->func (first + i, rows->pixels + (gsize) n_components * i * region->width, rows->data);
}

static void
write_levels_strip (const Strip *strip,
                    gpointer     data)
{
  const Rows          *rows     = data;
  const float         *levels   = rows->pixels;
  gsize                n_pixels = strip_n_pixels (strip);
  g_autofree gpointer  whole    = NULL;

  call_rows (strip, rows, 1);
  if (strip->type != WF_TYPE_F32)
    whole = g_malloc (n_pixels * wf_type_size (strip->type));
  for (gsize i = 0; whole && i < n_pixels; i++)
    if (strip->type == WF_TYPE_U8)
      ((guint8 *) whole)[i] = (guint8) levels[i];
    else
      ((guint16 *) whole)[i] = (guint16) levels[i];
  write_levels (strip, whole ? whole : levels);
}

static void
write_rows (WfRun     *run,
            GimpLayer *layer,
            StripFunc  write,
            int        n_components,
            WfRowFunc  func,
            gpointer   data)
{
  gsize             n_pixels = (gsize) run->region.width * WF_STRIP_ROWS;
  g_autofree float *pixels   = g_new (float, n_components * n_pixels);
  Rows              rows     = { func, data, pixels };

  write_strips (run, layer, write, &rows);
}

/**
 * wf_result_layer_set_levels:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @func: gives the levels of a row, in the units of the image's precision: whole
 *   numbers from 0 to 255 or 65535, or real numbers
 * @data: for @func
 *
 * Fills @layer with grey levels.
 */
void
wf_result_layer_set_levels (WfRun     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  write_rows (run, layer, write_levels_strip, 1, func, data);
}

static void
write_colors_strip (const Strip *strip,
                    gpointer     data)
{
  const Rows *rows     = data;
  gsize       n_pixels = strip_n_pixels (strip);

  call_rows (strip, rows, 4);
  if (strip->coverage)
    for (gsize i = 0; i < n_pixels; i++)
      rows->pixels[4 * i + 3] *= strip->coverage[i];
  strip_write (strip, babl_format ("R'G'B'A float"), rows->pixels);
}

/**
 * wf_result_layer_set_colors:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @func: gives the colours of a row: non-linear sRGB and alpha, from 0 to 1
 * @data: for @func
 *
 * Fills @layer with colours; where a pixel is partly selected or partly transparent,
 * it is more transparent than @func says.
 */
void
wf_result_layer_set_colors (WfRun     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  write_rows (run, layer, write_colors_strip, 4, func, data);
}


/*  The results of a run  */

static void
result_free (WfResult *result)
{
  g_ptr_array_unref (result->layers);
  g_free (result);
}

/**
 * wf_results_new:
 *
 * Returns: (transfer full): an empty list of results
 */
GPtrArray *
wf_results_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) result_free);
}

/* A mask's layers go above the layer that has it, those of a channel on top. */
static void
find_place (GimpImage  *image,
            GimpItem   *item,
            GimpLayer **parent,
            int        *position)
{
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));

  *parent   = NULL;
  *position = 0;
  if (item && GIMP_IS_LAYER (item))
    {
      *parent   = GIMP_LAYER (gimp_item_get_parent (item));
      *position = gimp_image_get_item_position (image, item);
    }
}

static void
insert (GimpImage      *image,
        const WfResult *result,
        const WfResult *below)
{
  gboolean   first = ! below || below->source != result->source;
  GimpLayer *parent;
  int        position;

  find_place (image, first ? result->source->anchor : GIMP_ITEM (below->layer),
              &parent, &position);
  gimp_image_insert_layer (image, result->layer, parent, position);
  if (result->source->n_slices > 1)
    for (guint i = 0; i < result->layers->len; i++)
      gimp_image_insert_layer (image, result->layers->pdata[i], result->layer, 0);
}

/* Inserting a layer selects it.  The next filter should find what the user had
 * selected, which for "Repeat" and "Re-show" is what this one worked on.
 */
static void
select_again (GimpImage  *image,
              GimpItem  **selected)
{
  if (! selected[0])
    return;

  if (GIMP_IS_LAYER (selected[0]))
    gimp_image_set_selected_layers (image, (const GimpLayer **) selected);
  else if (GIMP_IS_LAYER_MASK (selected[0]))
    {
      const GimpLayer *layers[] = { gimp_layer_from_mask (GIMP_LAYER_MASK (selected[0])), NULL };

      gimp_image_set_selected_layers (image, layers);
    }
  else if (GIMP_IS_CHANNEL (selected[0]))
    gimp_image_set_selected_channels (image, (const GimpChannel **) selected);
}

/**
 * wf_results_insert:
 * @run: the run
 *
 * Puts the layers into the image, above what they were computed from: the first one
 * lowest.
 */
void
wf_results_insert (WfRun *run)
{
  g_autofree GimpItem **selected = NULL;

  selected = (GimpItem **) gimp_image_get_selected_drawables (run->image);
  for (guint i = 0; i < run->results->len; i++)
    insert (run->image, run->results->pdata[i], i > 0 ? run->results->pdata[i - 1] : NULL);
  select_again (run->image, selected);
}

/**
 * wf_results_delete:
 * @run: the run
 *
 * Deletes the layers, which are not in the image yet.
 */
void
wf_results_delete (WfRun *run)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const WfResult *result = run->results->pdata[i];

      for (guint k = 0; k < result->layers->len; k++)
        gimp_item_delete (result->layers->pdata[k]);
      if (result->source->n_slices > 1)
        gimp_item_delete (GIMP_ITEM (result->layer));
    }
}

/**
 * wf_results_list:
 * @run: the run
 *
 * Returns: (array zero-terminated=1) (transfer full): the layers, for a stack the groups,
 *   in the order in which they were made, as a #GimpCoreObjectArray
 */
GObject **
wf_results_list (WfRun *run)
{
  GObject **list = g_new0 (GObject *, run->results->len + 1);

  for (guint i = 0; i < run->results->len; i++)
    list[i] = G_OBJECT (((const WfResult *) run->results->pdata[i])->layer);
  return list;
}

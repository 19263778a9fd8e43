/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers that hold what was computed.
 *
 * They have the size and the place of the region that was worked on, and the kind
 * and the precision of its image.  They are filled before they enter the image:
 * whatever fails or is killed until then leaves it as it was.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "level-entry.h"
#include "result-layer.h"


static GimpImageType
layer_type (GimpImage *image,
            gboolean   alpha)
{
  if (gimp_image_get_base_type (image) == GIMP_GRAY)
    return alpha ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE;
  return alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE;
}

/**
 * wf_result_layer_new:
 * @run: the run
 * @name: of the layer, with %s where the name of the layer worked on goes
 * @alpha: whether some of its pixels are transparent; where not all of the region
 *   is selected it has alpha in any case
 *
 * Makes an empty layer and has it inserted when the run succeeds, above those made
 * before it.
 *
 * Returns: (transfer none): the layer, not yet in the image.
 */
GimpLayer *
wf_result_layer_new (WfRun      *run,
                     const char *name,
                     gboolean    alpha)
{
  g_autofree char *source = gimp_item_get_name (GIMP_ITEM (run->drawable));
  g_auto (GStrv)   parts  = g_strsplit (name, "%s", 2);
  g_autofree char *full   = g_strjoinv (source, parts);
  GimpLayer       *layer;

  layer = gimp_layer_new (run->image, full, run->region.width, run->region.height,
                          layer_type (run->image, alpha || run->region.selection),
                          100.0, gimp_image_get_default_new_layer_mode (run->image));
  gimp_layer_set_offsets (layer, run->region.image_x, run->region.image_y);
  wf_run_add_layer (run, layer);
  return layer;
}

static gsize
store_u8 (gpointer pixels,
          gsize    i,
          float    level)
{
  ((guint8 *) pixels)[i] = (guint8) level;
  return i + 1;
}

static gsize
store_u16 (gpointer pixels,
           gsize    i,
           float    level)
{
  ((guint16 *) pixels)[i] = (guint16) level;
  return i + 1;
}

static gsize
store_f32 (gpointer pixels,
           gsize    i,
           float    level)
{
  ((float *) pixels)[i] = level;
  return i + 1;
}

/* Levels are written as they are, so that no conversion rounds them. */
static void
pack_levels (WfType       type,
             const float *levels,
             const float *coverage,
             gsize        n_pixels,
             gpointer     pixels)
{
  gsize   (* store) (gpointer, gsize, float) = type == WF_TYPE_U8  ? store_u8 :
                                               type == WF_TYPE_U16 ? store_u16 : store_f32;
  gsize   n   = 0;

  for (gsize i = 0; i < n_pixels; i++)
    {
      n = store (pixels, n, levels[i]);
      if (coverage)
        n = store (pixels, n, (float) wf_level_from_fraction (coverage[i], type));
    }
}

/**
 * wf_result_layer_set_levels:
 * @run: the run
 * @layer: a layer made for it
 * @func: gives the levels of a row, in the units of the image's precision: whole
 *   numbers from 0 to 255 or 65535, or real numbers
 * @data: for @func
 *
 * Fills @layer with grey levels; where a pixel is partly selected, it is partly
 * transparent.
 */
void
wf_result_layer_set_levels (WfRun     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  const WfRegion         *region   = &run->region;
  gsize                   n        = (gsize) region->width * WF_STRIP_ROWS;
  WfType                  type     = wf_pixels_get_type (GIMP_DRAWABLE (layer));
  gboolean                alpha    = gimp_drawable_has_alpha (GIMP_DRAWABLE (layer));
  const Babl             *format   = wf_pixels_get_grey_format (GIMP_DRAWABLE (layer),
                                                                alpha, type);
  g_autoptr (GeglBuffer)  buffer   = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  g_autofree float       *levels   = g_new (float, n);
  g_autofree float       *coverage = alpha ? g_new (float, n) : NULL;
  g_autofree gpointer     pixels   = g_malloc (n * 2 * sizeof (float));

  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int n_rows = MIN (WF_STRIP_ROWS, region->height - row);

      for (int i = 0; i < n_rows; i++)
        func (row + i, levels + (gsize) i * region->width, data);
      if (coverage)
        wf_region_read_coverage (region, row, n_rows, coverage);
      pack_levels (type, levels, coverage, (gsize) region->width * n_rows, pixels);
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, row, region->width, n_rows),
                       0, format, pixels, GEGL_AUTO_ROWSTRIDE);
      wf_run_set_progress (run, (double) (row + n_rows) / region->height);
    }
}

/**
 * wf_result_layer_set_colors:
 * @run: the run
 * @layer: a layer made for it
 * @func: gives the colours of a row: non-linear sRGB and alpha, from 0 to 1
 * @data: for @func
 *
 * Fills @layer with colours; where a pixel is partly selected, it is more
 * transparent than @func says.
 */
void
wf_result_layer_set_colors (WfRun     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  const WfRegion         *region   = &run->region;
  gsize                   n        = (gsize) region->width * WF_STRIP_ROWS;
  g_autoptr (GeglBuffer)  buffer   = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  g_autofree float       *colors   = g_new (float, 4 * n);
  g_autofree float       *coverage = region->selection ? g_new (float, n) : NULL;

  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int   n_rows   = MIN (WF_STRIP_ROWS, region->height - row);
      gsize n_pixels = (gsize) region->width * n_rows;

      for (int i = 0; i < n_rows; i++)
        func (row + i, colors + 4 * (gsize) i * region->width, data);
      if (coverage)
        {
          wf_region_read_coverage (region, row, n_rows, coverage);
          for (gsize i = 0; i < n_pixels; i++)
            colors[4 * i + 3] *= coverage[i];
        }
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, row, region->width, n_rows),
                       0, babl_format ("R'G'B'A float"), colors, GEGL_AUTO_ROWSTRIDE);
      wf_run_set_progress (run, (double) (row + n_rows) / region->height);
    }
}

/* A mask's layers go above the layer that has it, those of a channel on top. */
static void
find_place (WfRun      *run,
            GimpLayer **parent,
            int        *position)
{
  GimpItem *item = GIMP_ITEM (run->drawable);

  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));

  *parent   = NULL;
  *position = 0;
  if (item && GIMP_IS_LAYER (item))
    {
      *parent   = GIMP_LAYER (gimp_item_get_parent (item));
      *position = gimp_image_get_item_position (run->image, item);
    }
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
 * wf_result_layers_insert:
 * @run: the run
 * @layers: (element-type GimpLayer): the layers, from the bottom to the top
 *
 * Puts the layers into the image, above what was worked on, in one step of undo.
 */
void
wf_result_layers_insert (WfRun     *run,
                         GPtrArray *layers)
{
  g_autofree GimpItem **selected = NULL;
  GimpLayer            *parent;
  int                   position;

  selected = (GimpItem **) gimp_image_get_selected_drawables (run->image);
  find_place (run, &parent, &position);

  gimp_image_undo_group_start (run->image);
  for (guint i = 0; i < layers->len; i++)
    gimp_image_insert_layer (run->image, layers->pdata[i], parent, position);
  select_again (run->image, selected);
  gimp_image_undo_group_end (run->image);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins as layers of lines and colours, as an image of their numbers, and as a selection;
 * each is also a return value of the procedure.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-colors.h"
#include "boundary.h"
#include "options.h"
#include "outputs.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/results/image.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/results/palette.h"
#include "plugins/common/swap/swap.h"

/* In per cent, as the preview tints basins. */
#define TINT_OPACITY (100 * WF_PREVIEW_BASIN_OPACITY)


static const guint32 *
row_of (const WfBasins *basins,
        int             row)
{
  return (const guint32 *) basins->labels->data + (gsize) row * basins->labels->width;
}

/* Pixels that belong to no basin are transparent. */
static gboolean
leaves_gaps (const WfBasins *basins)
{
  return basins->lines || basins->objects;
}

static void
set_value (WfJob      *run,
           const char *name,
           gpointer    object)
{
  g_value_set_object (wf_job_get_value (run, name), object);
}


/*  Lines  */

static void
mark_lines (int       row,
            guint8   *marks,
            gpointer  data)
{
  const WfBasins *basins = data;

  wf_boundary_mark_row (basins->labels, basins->objects, basins->mask, row, basins->lines,
                        basins->diagonals, marks);
}

/**
 * wf_basins_make_lines:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_MEMORY
 *
 * Makes "lines-layer", a transparent layer with lines.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_basins_make_lines (WfJob           *run,
                      const WfBasins  *basins,
                      GError         **error)
{
  const WfBasinOptions *own   = run->own;
  GimpLayer            *layer = wf_result_layer_new (run, _("Watershed lines of %s"), TRUE);
  float                 color[4];

  wf_line_color_get (G_OBJECT (run->config), color);
  if (! wf_result_layer_set_lines (run, layer, color, mark_lines, (gpointer) basins, error))
    return FALSE;
  gimp_layer_set_opacity (layer, own->line_opacity);
  set_value (run, "lines-layer", layer);
  return TRUE;
}


/*  Colours  */

typedef struct
{
  const WfBasins *basins;
  gboolean        grey;
  WfMeanColors   *means;
} Colors;

static void
get_labels (int       row,
            guint32  *labels,
            gpointer  data)
{
  const Colors *picture = data;

  memcpy (labels, row_of (picture->basins, row),
          (gsize) picture->basins->labels->width * sizeof *labels);
}

static void
get_color (guint32   label,
           float     color[4],
           gpointer  data)
{
  const Colors *picture = data;

  color[0] = color[1] = color[2] = color[3] = 0;
  if (label == 0)
    return;
  if (picture->grey)
    color[0] = color[1] = color[2] = wf_palette_get_grey (label);
  else
    wf_palette_get_color (label, color);
  color[3] = 1;
}

/* As the preview showed them.  Beside lines, which are to be seen over the picture, basins are
 * hidden unless they were shown.
 */
static void
set_visibility (WfJob     *run,
                GimpLayer *layer)
{
  const WfBasinOptions *own = run->own;

  if (run->shown == WF_PREVIEW_BASINS || run->shown == WF_PREVIEW_LINES_AND_BASINS)
    gimp_layer_set_opacity (layer, TINT_OPACITY);
  else if (run->shown != WF_PREVIEW_RESULT && own->lines_layer)
    gimp_item_set_visible (GIMP_ITEM (layer), FALSE);
}

/**
 * wf_basins_make_colors:
 * @run: the run
 * @basins: the basins
 * @error: not set
 *
 * Makes "basins-layer", with a color for each basin.
 *
 * Returns: %TRUE
 */
gboolean
wf_basins_make_colors (WfJob           *run,
                       const WfBasins  *basins,
                       GError         **error)
{
  GimpLayer *layer   = wf_result_layer_new (run, _("Basins of %s"), leaves_gaps (basins));
  Colors     picture = { .basins = basins };

  picture.grey = ! gimp_drawable_is_rgb (wf_result_find (run, layer)->layers->pdata[0]);
  wf_result_layer_set_colors (run, layer, get_labels, get_color, NULL, &picture);
  set_visibility (run, layer);
  set_value (run, "basins-layer", layer);
  return TRUE;
}

static void
get_mean (guint32   label,
          float     color[4],
          gpointer  data)
{
  const Colors *picture = data;

  if (label == 0)
    color[0] = color[1] = color[2] = color[3] = 0;
  else
    wf_mean_colors_get (picture->means, label, color);
}

static void
add_slice (WfJob          *run,
           const WfBasins *basins,
           guint           slice,
           WfMeanColors   *means)
{
  const WfRegion   *region = &run->region;
  const Babl       *format = wf_pixels_get_color_format (run->drawable, WF_TYPE_F32);
  g_autofree float *pixels = g_new (float, 4 * (gsize) region->width * WF_STRIP_ROWS);

  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int n = MIN (WF_STRIP_ROWS, region->height - row);

      wf_slice_read_colors (&run->source->slices[slice], region, row, n, format, pixels);
      wf_mean_colors_add (means, row_of (basins, (int) slice * region->height + row), WF_TYPE_F32,
                          pixels, 4, (gint64) n * region->width);
      wf_swap_release ();
    }
}

/**
 * wf_basins_make_means:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_MEMORY
 *
 * Makes "mean-layer", with the mean color of each basin, computed from the components as they
 * are stored.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_basins_make_means (WfJob           *run,
                      const WfBasins  *basins,
                      GError         **error)
{
  g_autoptr (WfMeanColors)  means = NULL;
  GimpLayer                *layer;
  Colors                    picture;

  means = wf_basin_means_new (run->context, wf_basin_labels_get_highest (basins->labels), error);
  if (! means)
    return FALSE;

  for (guint i = 0; i < run->source->n_slices; i++)
    add_slice (run, basins, i, means);

  layer   = wf_result_layer_new (run, _("Mean colors of %s"), leaves_gaps (basins));
  picture = (Colors) { .basins = basins, .means = means };
  wf_result_layer_set_colors (run, layer, get_labels, get_mean,
                              wf_pixels_get_color_format (run->drawable, WF_TYPE_F32), &picture);
  set_value (run, "mean-layer", layer);
  return TRUE;
}


/*  Numbers  */

static void
get_numbers (int       row,
             float    *numbers,
             gpointer  data)
{
  const WfBasins *basins = data;
  const guint32  *labels = row_of (basins, row);

  for (gint64 x = 0; x < basins->labels->width; x++)
    numbers[x] = (float) labels[x];
}

/**
 * wf_basins_make_label_image:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_LABELS if there are more basins than such an image can represent
 *
 * Makes "label-image", a new image of the basins' numbers.
 *
 * Returns: whether the image was made
 */
gboolean
wf_basins_make_label_image (WfJob           *run,
                            const WfBasins  *basins,
                            GError         **error)
{
  const guint32 highest = wf_basin_labels_get_highest (basins->labels);

  if (! wf_labels_check_exact (highest, error))
    return FALSE;
  set_value (run, "label-image",
             wf_result_image_new (run, _("Basins in %s"), MAX (highest, 1), get_numbers,
                                  (gpointer) basins));
  return TRUE;
}


/*  Selection  */

/**
 * Selected:
 * @pixels: u8: 255 for selected pixels
 * @region: the region of @pixels
 * @is_first: whether they replace the selection; otherwise they are added to it
 */
typedef struct
{
  WfImage   pixels;
  WfRegion  region;
  gboolean  is_first;
} Selected;

static void
selected_free (gpointer data)
{
  Selected *selected = data;

  wf_swap_clear (&selected->pixels);
  g_free (selected);
}

/* The part of the region that lies in the image: a layer may lie partly outside. */
static void
write_selected (GeglBuffer     *buffer,
                const Babl     *format,
                const Selected *selected)
{
  const WfRegion *region = &selected->region;
  const guint8   *pixels = selected->pixels.data;
  GeglRectangle   place  = { region->image_x, region->image_y, region->width, region->height };
  GeglRectangle   inside;

  if (! gegl_rectangle_intersect (&inside, &place, gegl_buffer_get_extent (buffer)))
    return;
  for (int y = 0, n; y < inside.height; y += n)
    {
      const gsize first = (gsize) (inside.y + y - place.y) * place.width +
                          (gsize) (inside.x - place.x);

      n = wf_level_reader_find_strip_end (y, inside.y, inside.height) - y;
      gegl_buffer_set (buffer, GEGL_RECTANGLE (inside.x, inside.y + y, inside.width, n), 0, format,
                       pixels + first, place.width);
      wf_swap_release ();
    }
  gegl_buffer_flush (buffer);
}

/* A temporary channel.  Inserting it changes the selected items of the image's lists from layers
 * to this channel.
 */
static void
select_pixels (WfJob    *run,
               gpointer  data)
{
  const Selected *selected = data;
  const int       width    = gimp_image_get_width (run->image);
  const int       height   = gimp_image_get_height (run->image);
  GeglColor      *color    = gegl_color_new ("black");
  GimpChannel    *channel  = gimp_channel_new (run->image, "basins", width, height, 50, color);
  GimpLayer     **layers   = gimp_image_get_selected_layers (run->image);
  GeglBuffer     *buffer;

  gimp_image_insert_channel (run->image, channel, NULL, 0);
  buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (channel));
  write_selected (buffer, wf_pixels_get_grey_format (GIMP_DRAWABLE (channel), FALSE, WF_TYPE_U8),
                  selected);
  g_object_unref (buffer);
  gimp_drawable_update (GIMP_DRAWABLE (channel), 0, 0, width, height);
  gimp_image_select_item (run->image,
                          selected->is_first ? GIMP_CHANNEL_OP_REPLACE : GIMP_CHANNEL_OP_ADD,
                          GIMP_ITEM (channel));
  gimp_image_remove_channel (run->image, channel);
  gimp_image_set_selected_layers (run->image, (const GimpLayer **) layers);
  g_free (layers);
  g_object_unref (color);
}

static guint32 *
mark_basins (WfJob          *run,
             const WfBasins *basins,
             guint32        *n_selected,
             GError        **error)
{
  WfRegion          region   = run->region;
  guint32          *marks    = wf_basin_marks_new (wf_basin_labels_get_highest (basins->labels),
                                                   error);
  g_autofree float *selected = g_new (float, (gsize) region.width * WF_STRIP_ROWS);

  *n_selected      = 0;
  region.selection = GIMP_DRAWABLE (gimp_image_get_selection (run->image));
  for (int row = 0; marks && row < region.height; row += WF_STRIP_ROWS)
    {
      int n = MIN (WF_STRIP_ROWS, region.height - row);

      wf_region_read_selection (&region, row, n, selected);
      *n_selected += wf_basin_marks_add_row (marks, row_of (basins, row), selected,
                                             (gint64) n * region.width);
      wf_swap_release ();
    }
  return marks;
}

/* Returns: (nullable): what the change selects */
static Selected *
select_marked (WfJob          *run,
               const WfBasins *basins,
               const guint32  *marks,
               GError        **error)
{
  const WfImage *labels   = basins->labels;
  const guint32  highest  = wf_basin_labels_get_highest (labels);
  Selected      *selected = g_new0 (Selected, 1);

  selected->region   = run->region;
  selected->is_first = run->drawable == run->drawables[0];
  if (! wf_swap_allocate (&selected->pixels, WF_TYPE_U8, labels->width, labels->height, 1, error))
    {
      g_free (selected);
      return NULL;
    }
  wf_swap_keep (&selected->pixels);
  WF_FOR_PARTS (part, labels)
    {
      const WfImage view   = wf_swap_view (labels, &part);
      WfImage       pixels = wf_swap_view (&selected->pixels, &part);

      wf_labels_map (&view, marks, highest + 1, &pixels);
    }
  return selected;
}

static gboolean
check_selection (WfJob   *run,
                 GError **error)
{
  if (run->source->n_slices > 1)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The basins of a stack cannot be selected: the selection is "
                             "two-dimensional."));
      return FALSE;
    }
  if (gimp_selection_is_empty (run->image))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("Nothing is selected, so there are no basins to select."));
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_basins_add_selection:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_INVALID if nothing is selected, and for a stack; %WF_ERROR_MEMORY
 *
 * Selects the whole basins that the selection touches, "selected-basins", if the run
 * succeeds.
 *
 * Returns: whether there are such basins
 */
gboolean
wf_basins_add_selection (WfJob           *run,
                         const WfBasins  *basins,
                         GError         **error)
{
  g_autofree guint32 *marks = NULL;
  Selected           *selected;
  guint32             n_selected;

  if (! check_selection (run, error))
    return FALSE;
  marks    = mark_basins (run, basins, &n_selected, error);
  selected = marks ? select_marked (run, basins, marks, error) : NULL;
  if (! selected)
    return FALSE;
  wf_job_add_change (run, select_pixels, selected, selected_free);
  g_value_set_int (wf_job_get_value (run, "selected-basins"), (int) MIN (n_selected, G_MAXINT));
  return TRUE;
}

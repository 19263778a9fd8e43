/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The texts of a preview: the values under the pointer, the measurements of the highlighted basin,
 * why there is no result, and, for screen readers, all of them and the zoom.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "private.h"


/* The reason that concerns the whole image is the one that counts. */
static const char *
find_message (WfPreview *preview)
{
  return preview->whole_error ? preview->whole_error : preview->error;
}

/**
 * wf_preview_get_message:
 * @preview: a preview
 *
 * Returns: (nullable): the reason to be shown; while a new result is computed that of the last one
 *   may be outdated
 */
const char *
wf_preview_get_message (WfPreview *preview)
{
  return preview->busy && ! preview->whole_error ? NULL : find_message (preview);
}

/**
 * wf_preview_update_description:
 * @preview: a preview
 *
 * Updates the description for screen readers.
 */
void
wf_preview_update_description (WfPreview *preview)
{
  AtkObject       *accessible = gtk_widget_get_accessible (GTK_WIDGET (preview));
  g_autofree char *zoom       = wf_zoom_format (preview->viewport.zoom);
  /* TRANSLATORS: %s is a scale like 1:4 */
  g_autofree char *shown      = g_strdup_printf (_("Shown at %s"), zoom);
  GString         *text       = g_string_new (shown);

  if (preview->inspecting && preview->values)
    g_string_append_printf (text, ". %s", preview->values);
  if (preview->measurements)
    g_string_append_printf (text, ". %s", preview->measurements);
  if (find_message (preview))
    g_string_append_printf (text, ". %s", find_message (preview));
  if (g_strcmp0 (atk_object_get_description (accessible), text->str) != 0)
    atk_object_set_description (accessible, text->str);
  g_string_free (text, TRUE);
}

/* A part of a large image, or a reduced one, can lack what the whole has, such as markers. */
static gboolean
is_whole (WfPreview *preview)
{
  return (gint64) preview->viewport.image_width * preview->viewport.image_height <=
         WF_PREVIEW_WHOLE_LIMIT;
}

/**
 * wf_preview_is_refused:
 * @preview: a preview
 *
 * Returns: whether the operation cannot work with the present settings
 */
gboolean
wf_preview_is_refused (WfPreview *preview)
{
  return preview->whole_error || (preview->error && is_whole (preview));
}

/**
 * wf_preview_error_changed:
 * @preview: a preview
 *
 * Shows the present messages.
 */
void
wf_preview_error_changed (WfPreview *preview)
{
  wf_preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  g_object_notify (G_OBJECT (preview), "refused");
}

/**
 * wf_preview_set_error:
 * @preview: a preview
 * @error: (nullable): why there is no result
 *
 * Shows the message.
 */
void
wf_preview_set_error (WfPreview    *preview,
                      const GError *error)
{
  g_free (preview->error);
  preview->error = error ? g_strdup (error->message) : NULL;
  if (error)
    g_signal_emit_by_name (preview, "failed", preview->error);
  wf_preview_error_changed (preview);
}

/**
 * wf_preview_set_hovered:
 * @preview: a preview
 * @basin: the representative of a basin, or 0
 * @changed: whether the basin differs from the one before even if its label is the same
 *
 * Highlights a basin and reports its measurements.
 */
void
wf_preview_set_hovered (WfPreview *preview,
                        guint32    basin,
                        gboolean   changed)
{
  if (basin == preview->hovered && (basin == 0 || ! changed))
    return;

  preview->hovered     = basin;
  preview->after_dirty = TRUE;
  g_clear_pointer (&preview->measurements, g_free);
  if (basin && preview->describe && preview->result->complete)
    preview->measurements = preview->describe (preview->result, preview->map, basin,
                                          preview->describe_data);
  wf_preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  g_signal_emit_by_name (preview, "basin-hovered", basin, preview->measurements);
}

/* The pixel of @region at a point of the widget; returns whether there is one. */
static gboolean
find_pixel (WfPreview             *preview,
            const WfPreviewRegion *region,
            double                 x,
            double                 y,
            int                   *column,
            int                   *row)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  double    image_x, image_y;

  wf_viewport_to_image (&preview->viewport, x * scale, y * scale, &image_x, &image_y);
  image_x = floor (image_x * region->scale) - region->x;
  image_y = floor (image_y * region->scale) - region->y;
  if (image_x < 0 || image_y < 0 || image_x >= region->width || image_y >= region->height)
    return FALSE;
  *column = (int) image_x;
  *row    = (int) image_y;
  return TRUE;
}


/*  Values  */

static char *
format_value (const WfImage *image,
              gint64         slice,
              int            column,
              int            row)
{
  const gsize i = (gsize) ((slice * image->height + row) * image->width + column);

  switch (image->type)
    {
    case WF_TYPE_U8:
      return g_strdup_printf ("%u", ((const guint8 *) image->data)[i]);
    case WF_TYPE_U16:
      return g_strdup_printf ("%u", ((const guint16 *) image->data)[i]);
    default:
      {
        const float value = ((const float *) image->data)[i];

        return isinf (value) ? g_strdup (value > 0 ? "∞" : "−∞")
                             : g_strdup_printf ("%.5g", (double) value);
      }
    }
}

/* Whether a pixel of the result was not computed. */
static gboolean
is_left_out (const WfPreviewResult *result,
             int                    column,
             int                    row)
{
  const guint8 *inside = result->mask.data;

  return inside && ! inside[(gsize) row * result->region.width + column];
}

/* Inputs and result are of the same pixels, unless a new result is being computed. */
static char *
describe_values (WfPreview *preview,
                 double     x,
                 double     y)
{
  const WfPreviewInputs *inputs = preview->inputs;
  const WfPreviewResult *result = preview->result;
  const WfImage         *values;
  g_autofree char       *level  = NULL;
  g_autofree char       *value  = NULL;
  int                    column, row;

  if (! result || ! inputs ||
      memcmp (&inputs->region, &result->region, sizeof result->region) != 0 ||
      ! find_pixel (preview, &result->region, x, y, &column, &row))
    return NULL;

  level  = format_value (&inputs->images[0], result->slice, column, row);
  values = result->values.data ? &result->values : &result->image;
  /* TRANSLATORS: %s is the level of the pixel under the pointer */
  if (values->type == WF_TYPE_U32 || is_left_out (result, column, row))
    return g_strdup_printf (_("Level %s"), level);
  value = format_value (values, 0, column, row);
  return result->distances
         /* TRANSLATORS: the level of the pixel under the pointer, and the distance there */
         ? g_strdup_printf (_("Level %s, distance %s"), level, value)
         /* TRANSLATORS: the level of the pixel under the pointer, and the level of the result */
         : g_strdup_printf (_("Level %s, result %s"), level, value);
}

static void
set_values (WfPreview *preview,
            char      *values)
{
  g_autofree char *before = preview->values;

  preview->values = values;
  if (g_strcmp0 (before, values) == 0)
    return;
  wf_preview_update_description (preview);
  g_signal_emit_by_name (preview, "values-changed", values);
}


/*  Basins  */

/* The representative of a pixel; a line within merged basins belongs to them. */
static guint32
representative_of (WfPreview *preview,
                   int        column,
                   int        row)
{
  const WfPreviewResult *result = preview->result;
  const guint32         *labels = (const guint32 *) result->image.data +
                                  (gsize) row * result->image.row_stride;
  const guint32          label  = MIN (labels[column], result->n_labels);

  if (! preview->map || is_left_out (result, column, row))
    return label;
  if (label == 0 && result->label_lines)
    {
      g_autofree guint32 *joined = g_new0 (guint32, result->region.width);

      wf_label_lines_join (result->label_lines, row, preview->map, joined);
      return joined[column] == WF_PREVIEW_LEFT_OUT ? 0 : joined[column];
    }
  return preview->map[label] == WF_PREVIEW_LEFT_OUT ? 0 : preview->map[label];
}

/* The representative of the basin at a point of the widget; 0 if there is none. */
static guint32
basin_at (WfPreview *preview,
          double     x,
          double     y)
{
  const WfPreviewResult *result = preview->result;
  int                    column, row;

  if (! result || result->image.type != WF_TYPE_U32 || result->colors ||
      preview->mode == WF_PREVIEW_IMAGE ||
      ! find_pixel (preview, &result->region, x, y, &column, &row))
    return 0;
  return representative_of (preview, column, row);
}

/**
 * wf_preview_get_basin_at:
 * @preview: a preview
 * @x: a place in the image, in its pixels
 * @y: likewise
 *
 * Returns: the representative of the basin there in the shown result; 0 if there is none, and
 *   %WF_PREVIEW_LEFT_OUT where it is left out
 */
guint32
wf_preview_get_basin_at (WfPreview *preview,
                         double     x,
                         double     y)
{
  const WfPreviewResult *result;
  double                 column, row;
  guint32                label;

  g_return_val_if_fail (WF_IS_PREVIEW (preview), 0);

  result = preview->result;
  if (! result || result->image.type != WF_TYPE_U32 || result->colors)
    return 0;
  column = floor (x * result->region.scale) - result->region.x;
  row    = floor (y * result->region.scale) - result->region.y;
  if (column < 0 || row < 0 || column >= result->region.width || row >= result->region.height)
    return 0;
  label = ((const guint32 *) result->image.data)[(gsize) row * result->image.row_stride +
                                                 (gsize) column];
  return preview->map && label <= result->n_labels &&
         preview->map[label] == WF_PREVIEW_LEFT_OUT
         ? WF_PREVIEW_LEFT_OUT : representative_of (preview, (int) column, (int) row);
}

/**
 * wf_preview_update_hovered:
 * @preview: a preview
 * @changed: whether the basins have changed
 *
 * Finds the values and the basin under the pointer, or in the middle of the view for the keyboard.
 */
void
wf_preview_update_hovered (WfPreview *preview,
                           gboolean   changed)
{
  const gboolean  inspecting = preview->inspecting;
  GtkWidget      *widget     = GTK_WIDGET (preview);
  double          x          = preview->pointer_x;
  double          y          = preview->pointer_y;

  if (inspecting)
    {
      x = gtk_widget_get_allocated_width (widget) / 2.0;
      y = gtk_widget_get_allocated_height (widget) / 2.0;
    }
  if (inspecting || preview->pointer_inside)
    {
      set_values (preview, describe_values (preview, x, y));
      wf_preview_set_hovered (preview, basin_at (preview, x, y), changed);
    }
  else
    {
      set_values (preview, NULL);
      wf_preview_set_hovered (preview, 0, changed);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The texts of a preview: the measurements of the highlighted basin, why there is no result,
 * and, for screen readers, both and the zoom.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "private.h"


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

  if (preview->measurements)
    g_string_append_printf (text, ". %s", preview->measurements);
  if (preview->error)
    g_string_append_printf (text, ". %s", preview->error);
  if (g_strcmp0 (atk_object_get_description (accessible), text->str) != 0)
    atk_object_set_description (accessible, text->str);
  g_string_free (text, TRUE);
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
  wf_preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  if (error)
    g_signal_emit_by_name (preview, "failed", preview->error);
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

  if (! preview->map)
    return label;
  if (label == 0 && result->label_lines)
    {
      g_autofree guint32 *joined = g_new0 (guint32, result->region.width);

      wf_label_lines_join (result->label_lines, row, preview->map, joined);
      return joined[column];
    }
  return preview->map[label];
}

/* The representative of the basin at a point of the widget; 0 if there is none. */
static guint32
basin_at (WfPreview *preview,
          double     x,
          double     y)
{
  const WfPreviewResult *result = preview->result;
  const int              scale  = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  double                 image_x, image_y, column, row;

  if (! result || result->image.type != WF_TYPE_U32 || result->colors ||
      preview->mode == WF_PREVIEW_IMAGE)
    return 0;

  wf_viewport_to_image (&preview->viewport, x * scale, y * scale, &image_x, &image_y);
  column = floor (image_x * result->region.scale) - result->region.x;
  row    = floor (image_y * result->region.scale) - result->region.y;
  if (column < 0 || row < 0 || column >= result->region.width || row >= result->region.height)
    return 0;
  return representative_of (preview, (int) column, (int) row);
}

/**
 * wf_preview_update_hovered:
 * @preview: a preview
 * @changed: whether the basins have changed
 *
 * Finds the basin under the pointer, or in the middle of the view for the keyboard.
 */
void
wf_preview_update_hovered (WfPreview *preview,
                           gboolean   changed)
{
  GtkWidget *widget = GTK_WIDGET (preview);
  guint32    basin  = 0;

  if (preview->inspecting)
    basin = basin_at (preview,
                      gtk_widget_get_allocated_width (widget) / 2.0,
                      gtk_widget_get_allocated_height (widget) / 2.0);
  else if (preview->pointer_inside)
    basin = basin_at (preview, preview->pointer_x, preview->pointer_y);
  wf_preview_set_hovered (preview, basin, changed);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of a dialog for the unit of distances and for what is made of them. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "controls.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/line-color.h"
#include "ui/options/unit-box.h"


static gboolean
has_spacing (GObject *config)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (config), "spacing") != NULL;
}

static const char *
find_unit (GObject   *config,
           GimpImage *image)
{
  g_autofree char *unit    = NULL;
  g_autofree char *spacing = NULL;

  g_object_get (config, "unit", &unit, NULL);
  if (g_strcmp0 (unit, "image") == 0)
    return gimp_unit_get_abbreviation (gimp_image_get_unit (image));
  if (has_spacing (config))
    g_object_get (config, "spacing", &spacing, NULL);
  return ! spacing || g_strcmp0 (spacing, "1,1") == 0 || g_strcmp0 (spacing, "1,1,1") == 0
         ? _("pixels") : _("units of the spacing");
}

static void
show_unit (GObject    *config,
           GParamSpec *pspec,
           WfUnitBox  *box)
{
  wf_unit_box_set_unit (box, find_unit (config,
                                        g_object_get_data (G_OBJECT (box), "wavefront-image")));
}

/* Adds a row for a distance in the unit of the distances. */
static GtkWidget *
add_distance (WfDialog     *dialog,
              WfOptionGrid *grid,
              const char   *name)
{
  WfJob     *run    = wf_dialog_get_run (dialog);
  GObject   *config = G_OBJECT (run->config);
  GtkWidget *widget = wf_dialog_add_option (dialog, grid, name);

  g_object_set_data (G_OBJECT (widget), "wavefront-image", run->image);
  show_unit (config, NULL, WF_UNIT_BOX (widget));
  g_signal_connect_object (config, "notify::unit", G_CALLBACK (show_unit), widget, 0);
  if (has_spacing (config))
    g_signal_connect_object (config, "notify::spacing", G_CALLBACK (show_unit), widget, 0);
  return widget;
}

/**
 * wf_distance_controls_add_result:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds the rows for the arguments "unit" and "output", and for those that they need.
 */
void
wf_distance_controls_add_result (WfDialog     *dialog,
                                 WfOptionGrid *grid)
{
  GObject   *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  GtkWidget *conversion;

  wf_dialog_add_option (dialog, grid, "unit");
  if (has_spacing (config))
    wf_condition_show (config, "unit", "spacing", wf_dialog_add_option (dialog, grid, "spacing"));
  wf_dialog_add_option (dialog, grid, "output");
  wf_condition_show (config, "output", "clipped", add_distance (dialog, grid, "maximum"));
  wf_condition_show (config, "output", "contours", add_distance (dialog, grid, "step"));
  wf_condition_show (config, "output", "contours", wf_line_color_add_control (dialog, grid));
  conversion = wf_line_color_add_conversion (dialog, grid);
  if (conversion)
    wf_condition_show (config, "output", "contours", conversion);
}

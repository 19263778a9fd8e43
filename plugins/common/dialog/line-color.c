/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The colour of the lines that a procedure draws: the argument "line-color". */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "line-color.h"
#include "plugins/common/procedure/run.h"

/* Visible on stained tissue, which is not green, and on grey. */
#define LINE_COLOR "#00e05a"

#define BUTTON_WIDTH  40
#define BUTTON_HEIGHT 24


/**
 * wf_line_color_add_argument:
 * @procedure: a procedure under construction
 */
void
wf_line_color_add_argument (GimpProcedure *procedure)
{
  GeglColor *color;

  gegl_init (NULL, NULL);   /* GIMP creates the procedure without it */

  color = gegl_color_new (LINE_COLOR);
  gimp_procedure_add_color_argument (procedure, "line-color", _("Line colo_ur"),
                                     _("The colour of the lines"),
                                     FALSE, color, G_PARAM_READWRITE);
  g_object_unref (color);
}

/* GIMP 3.0 does not pass the default of a colour argument to its core: an argument
 * that was not given arrives as transparent black.  Lines cannot be
 * transparent, so this value means the default.
 */
static GeglColor *
get_color (GObject *config)
{
  GeglColor *color;
  float      rgba[4];

  g_object_get (config, "line-color", &color, NULL);
  if (color)
    {
      gegl_color_get_pixel (color, babl_format ("R'G'B'A float"), rgba);
      if (rgba[3] > 0)
        return color;
      g_object_unref (color);
    }
  return gegl_color_new (LINE_COLOR);
}

/**
 * wf_line_color_get:
 * @config: the arguments' values
 * @color: set to red, green and blue, non-linear sRGB, and opaque
 */
void
wf_line_color_get (GObject *config,
                   float    color[4])
{
  GeglColor *given = get_color (config);

  gegl_color_get_pixel (given, babl_format ("R'G'B'A float"), color);
  color[3] = 1;
  g_object_unref (given);
}

/**
 * wf_line_color_add_control:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds a row with the colour.
 *
 * Returns: (transfer none): the button
 */
GtkWidget *
wf_line_color_add_control (WfDialog     *dialog,
                           WfOptionGrid *grid)
{
  GObject   *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  GeglColor *color  = get_color (config);
  GtkWidget *button;

  g_object_set (config, "line-color", color, NULL);
  g_object_unref (color);
  button = gimp_prop_color_select_new (config, "line-color", BUTTON_WIDTH, BUTTON_HEIGHT,
                                       GIMP_COLOR_AREA_FLAT);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  wf_dialog_add_argument (dialog, grid, "line-color", button);
  return button;
}

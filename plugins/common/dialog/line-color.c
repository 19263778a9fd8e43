/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The colour of the lines that a procedure draws: the argument "line-color"; and whether an image
 * that holds greys only becomes RGB to hold it: "convert-to-rgb".
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "line-color.h"
#include "plugins/common/procedure/run.h"
#include "plugins/common/results/line-kinds.h"

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

  color = gegl_color_new (WF_LINE_COLOR);
  gimp_procedure_add_color_argument (procedure, "line-color", _("_Line color"),
                                     _("The color of the lines"),
                                     FALSE, color, G_PARAM_READWRITE);
  g_object_unref (color);
  gimp_procedure_add_boolean_argument (procedure, WF_TO_RGB,
                                       _("Con_vert the image to RGB, for lines in color"),
                                       _("In an image that is not RGB, lines are only black and "
                                         "white, and basins gray.  Convert it with the same undo "
                                         "step, so that they have colors"),
                                       FALSE, G_PARAM_READWRITE);
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
  return gegl_color_new (WF_LINE_COLOR);
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
 * wf_line_color_is_used:
 * @run: a run
 *
 * Returns: whether its procedure has the argument "line-color"
 */
gboolean
wf_line_color_is_used (const WfJob *run)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (run->config), "line-color") != NULL;
}

/**
 * wf_line_color_wants_rgb:
 * @run: a run whose procedure has the arguments
 *
 * Returns: whether the gray image is to be converted to RGB; %FALSE if it is not gray
 */
gboolean
wf_line_color_wants_rgb (const WfJob *run)
{
  gboolean wanted;

  g_object_get (run->config, WF_TO_RGB, &wanted, NULL);
  return wanted && gimp_image_get_base_type (run->image) == GIMP_GRAY;
}

/**
 * wf_line_color_get_contrast:
 * @run: a run whose procedure has the arguments
 * @line: set to the color of lines that are visible on any picture
 */
void
wf_line_color_get_contrast (const WfJob    *run,
                            WfLineContrast *line)
{
  float   color[4];
  guint32 packed = 0;

  wf_line_color_get (G_OBJECT (run->config), color);
  for (int i = 0; i < 3; i++)
    packed = packed << 8 | (guint32) (CLAMP (color[i], 0.0f, 1.0f) * 255 + 0.5f);
  wf_line_contrast_init (line, packed, ! wf_job_makes_colors (run));
}

/**
 * wf_line_color_add_control:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds a row with the color.
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

/**
 * wf_line_color_add_conversion:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds a row that offers the conversion to RGB, if the image is gray.
 *
 * Returns: (transfer none) (nullable): the check box
 */
GtkWidget *
wf_line_color_add_conversion (WfDialog     *dialog,
                              WfOptionGrid *grid)
{
  WfJob      *run   = wf_dialog_get_run (dialog);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (run->config), WF_TO_RGB);
  GtkWidget  *check;

  if (gimp_image_get_base_type (run->image) != GIMP_GRAY)
    return NULL;
  check = gimp_prop_check_button_new (G_OBJECT (run->config), WF_TO_RGB,
                                      g_param_spec_get_nick (pspec));
  wf_option_grid_add_widget (grid, NULL, check, g_param_spec_get_blurb (pspec));
  return check;
}

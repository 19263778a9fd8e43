/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the description of an option to the widget that sets it.
 *
 * The widget is bound to a property of a settings object that has the option's name:
 * booleans, numbers and fractions of the grey range (levels) as they are, everything else
 * as the text that wf_option_parse() reads.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "auto-spin-button.h"
#include "connectivity-chooser.h"
#include "device-chooser.h"
#include "level-entry.h"
#include "option-widget.h"
#include "spacing-entry.h"
#include "tiling-chooser.h"
#include "unit-box.h"

/* Automatic numbers with a higher maximum are sizes, and change in larger steps. */
#define MANY_STEPS 10000
#define SIZE_STEP  64

/* Numbers change in small steps if their default is small. */
#define STEP       0.5
#define SMALL_STEP 0.05
#define SLOPE_STEP 0.001

#define NUMBER_CHARS 8
/* More than an image has of pixels. */
#define AREA_CHARS   13
#define HIGHEST      1e12

/* Longer choices are ellipsized if there is no room for them. */
#define CHOICE_CHARS 28


static void
bind_option (GObject        *settings,
             const WfOption *option,
             GtkWidget      *widget,
             const char     *property)
{
  g_object_bind_property (settings, option->name, widget, property,
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
allow_to_be_short (GtkCellLayout *combo)
{
  g_autoptr (GList) cells = gtk_cell_layout_get_cells (combo);

  g_object_set (cells->data, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", CHOICE_CHARS, NULL);
}

/* Algorithms that exist to be compared with are left to scripts. */
static GtkWidget *
choice_widget_new (const WfOption *option)
{
  GtkWidget *combo   = gtk_combo_box_text_new ();
  glong      longest = 0;

  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (! choice->for_comparison)
      {
        const char *label = g_dgettext (GETTEXT_PACKAGE, choice->label);

        gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (combo), choice->name, label);
        longest = MAX (longest, g_utf8_strlen (label, -1));
      }
  if (longest > CHOICE_CHARS)
    allow_to_be_short (GTK_CELL_LAYOUT (combo));
  return combo;
}

static GtkWidget *
int_widget_new (const WfOption *option)
{
  GtkWidget *spin;

  if (option->minimum == 0 && option->default_value == 0)
    spin = wf_auto_spin_button_new ((int) option->maximum,
                                    option->maximum > MANY_STEPS ? SIZE_STEP : 1);
  else
    {
      spin = gtk_spin_button_new_with_range (option->minimum, option->maximum, 1);
      if (option->maximum > MANY_STEPS)
        gtk_entry_set_width_chars (GTK_ENTRY (spin), AREA_CHARS);
    }
  gtk_entry_set_activates_default (GTK_ENTRY (spin), TRUE);
  gtk_widget_set_halign (spin, GTK_ALIGN_START);
  return spin;
}

/* Hundredths of a pixel are precise enough; a difference of one level a pixel is large. */
static GtkWidget *
number_widget_new (const WfOption *option)
{
  const gboolean  area  = option->meaning == WF_OPTION_AREA;
  const gboolean  slope = option->meaning == WF_OPTION_SLOPE;
  const gboolean  small = option->default_value > 0 && option->default_value < STEP;
  const double    step  = area ? 1 : slope ? SLOPE_STEP : small ? SMALL_STEP : STEP;
  GtkWidget      *spin  = gtk_spin_button_new_with_range (option->minimum,
                                                          MIN (option->maximum, HIGHEST), step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), area ? 0 : slope ? 4 : 2);
  gtk_entry_set_activates_default (GTK_ENTRY (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), area ? AREA_CHARS : NUMBER_CHARS);
  gtk_widget_set_halign (spin, GTK_ALIGN_START);
  return spin;
}

static GtkWidget *
level_widget_new (const WfOption *option,
                  WfType          type)
{
  GtkWidget *entry = wf_level_entry_new (type);

  wf_level_entry_set_lowest (WF_LEVEL_ENTRY (entry), wf_level_lowest (option));
  return entry;
}

/**
 * wf_option_widget_new:
 * @option: set by the widget
 * @settings: an object with a property of the option's name
 * @type: of the image, for levels
 *
 * Returns: a widget bound to the property, with its unit, if it has one, but without a label,
 *   except for a boolean: a check button has its own.
 */
GtkWidget *
wf_option_widget_new (const WfOption *option,
                      GObject        *settings,
                      WfType          type)
{
  GtkWidget  *widget   = NULL;
  const char *property = NULL;

  g_return_val_if_fail (option != NULL && G_IS_OBJECT (settings), NULL);

  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      widget   = gtk_check_button_new_with_mnemonic (g_dgettext (GETTEXT_PACKAGE,
                                                                 option->label));
      property = "active";
      break;
    case WF_OPTION_INT:
      widget   = option->meaning == WF_OPTION_SIZE
                 ? wf_tiling_chooser_new ((int) option->maximum) : int_widget_new (option);
      property = "value";
      break;
    case WF_OPTION_CHOICE:
    case WF_OPTION_NAME:
      if (option->meaning == WF_OPTION_CONNECTIVITY)
        {
          widget   = wf_connectivity_chooser_new ();
          property = "connectivity";
          wf_connectivity_chooser_set_automatic (WF_CONNECTIVITY_CHOOSER (widget),
                                                 g_dgettext (GETTEXT_PACKAGE,
                                                             option->choices[0].label));
        }
      else
        {
          widget   = choice_widget_new (option);
          property = "active-id";
        }
      break;
    case WF_OPTION_DEVICE:
      widget   = wf_device_chooser_new ();
      property = "device";
      break;
    case WF_OPTION_REAL:
      widget   = wf_level_is_fraction (option) ? level_widget_new (option, type)
                                               : number_widget_new (option);
      property = wf_level_is_fraction (option) ? "fraction" : "value";
      break;
    case WF_OPTION_SPACING:
      widget   = wf_spacing_entry_new ();
      property = "spacing";
      break;
    }

  if (option->meaning == WF_OPTION_LENGTH || option->meaning == WF_OPTION_AREA)
    widget = wf_unit_box_new (widget, _("pixels"));
  else if (option->meaning == WF_OPTION_VOLUME || option->meaning == WF_OPTION_SLOPE)
    widget = wf_unit_box_new (widget, wf_level_get_compound_unit (option->meaning, FALSE));
  else if (option->meaning == WF_OPTION_ANGLE)
    widget = wf_unit_box_new (widget, "°");
  bind_option (settings, option, widget, property);
  return widget;
}

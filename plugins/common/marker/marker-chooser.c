/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The control that chooses a marker: none, the selection, or a drawable that covers the processed
 * region.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "marker-chooser.h"
#include "marker.h"

/* Not the IDs of items. */
#define NO_MARKER     -1
#define THE_SELECTION -2


static gboolean
is_worked_on (WfJob    *run,
              GimpItem *item)
{
  for (gsize i = 0; run->drawables[i]; i++)
    if (item == GIMP_ITEM (run->drawables[i]))
      return TRUE;
  return FALSE;
}

/* Offers only items that can be the marker. */
static gboolean
is_eligible (GimpImage *image,
             GimpItem  *item,
             gpointer   run)
{
  return ! is_worked_on (run, item) && wf_marker_check (run, GIMP_DRAWABLE (item), NULL);
}

static void
chosen (GimpIntComboBox *combo,
        WfJob           *run)
{
  int id = NO_MARKER;

  if (gimp_int_combo_box_get_active (combo, &id))
    g_object_set (run->config,
                  "marker", id >= 0 ? gimp_drawable_get_by_id (id) : NULL,
                  "from-selection", id == THE_SELECTION,
                  NULL);
}

/* Follows settings that were reset or loaded. */
static void
show_marker (GObject         *config,
             GParamSpec      *pspec,
             GimpIntComboBox *combo)
{
  g_autoptr (GimpDrawable) marker = NULL;
  gboolean                 selection;
  int                      id     = NO_MARKER;

  g_object_get (config, "marker", &marker, "from-selection", &selection, NULL);
  if (selection)
    id = THE_SELECTION;
  else if (marker)
    id = gimp_item_get_id (GIMP_ITEM (marker));
  if (! gimp_int_combo_box_set_active (combo, id))
    gimp_int_combo_box_set_active (combo, NO_MARKER);
}

/**
 * wf_marker_chooser_new:
 * @run: the run with the arguments "marker" and "from-selection"
 * @none: what it means that no marker is chosen, translated
 *
 * Returns: a widget that offers the drawables that can be the marker, the selection if
 *   there is one, and none
 */
GtkWidget *
wf_marker_chooser_new (WfJob      *run,
                       const char *none)
{
  GtkWidget *combo = gimp_drawable_combo_box_new (is_eligible, run, NULL);

  if (! gimp_selection_is_empty (run->image))
    gimp_int_combo_box_prepend (GIMP_INT_COMBO_BOX (combo),
                                GIMP_INT_STORE_VALUE, THE_SELECTION,
                                GIMP_INT_STORE_LABEL, _("The selection"),
                                -1);
  gimp_int_combo_box_prepend (GIMP_INT_COMBO_BOX (combo),
                              GIMP_INT_STORE_VALUE, NO_MARKER,
                              GIMP_INT_STORE_LABEL, none,
                              -1);
  show_marker (G_OBJECT (run->config), NULL, GIMP_INT_COMBO_BOX (combo));
  chosen (GIMP_INT_COMBO_BOX (combo), run);

  g_signal_connect (combo, "changed", G_CALLBACK (chosen), run);
  g_signal_connect_object (run->config, "notify::marker", G_CALLBACK (show_marker), combo, 0);
  g_signal_connect_object (run->config, "notify::from-selection", G_CALLBACK (show_marker),
                           combo, 0);
  return combo;
}

static void
set_sensitivity (GimpIntComboBox *combo,
                 GtkWidget       *widget)
{
  int id = NO_MARKER;

  gimp_int_combo_box_get_active (combo, &id);
  gtk_widget_set_sensitive (widget, id == NO_MARKER);
}

/**
 * wf_marker_chooser_make_alternative:
 * @chooser: a marker chooser
 * @widget: a control that has an effect only without a marker
 *
 * Makes @widget insensitive while a marker is chosen.
 */
void
wf_marker_chooser_make_alternative (GtkWidget *chooser,
                                    GtkWidget *widget)
{
  set_sensitivity (GIMP_INT_COMBO_BOX (chooser), widget);
  g_signal_connect_object (chooser, "changed", G_CALLBACK (set_sensitivity), widget, 0);
}

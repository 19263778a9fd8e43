/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a dialog in which an item of the image is chosen. */

#include "config.h"

#include "item-choice.h"

/* Not the ID of an item. */
#define NO_ITEM -1


static const char *
property_of (GimpIntComboBox *combo)
{
  return g_object_get_data (G_OBJECT (combo), "wavefront-property");
}

static void
chosen (GimpIntComboBox *combo,
        GObject         *config)
{
  int id = NO_ITEM;

  if (gimp_int_combo_box_get_active (combo, &id))
    g_object_set (config, property_of (combo), id == NO_ITEM ? NULL : gimp_item_get_by_id (id),
                  NULL);
}

/* Follows settings that were reset or loaded. */
static void
show_item (GObject         *config,
           GParamSpec      *pspec,
           GimpIntComboBox *combo)
{
  g_autoptr (GimpItem) item = NULL;
  int                  id   = NO_ITEM;

  g_object_get (config, property_of (combo), &item, NULL);
  if (item)
    id = gimp_item_get_id (item);
  gimp_int_combo_box_set_active (combo, id);
}

/**
 * wf_item_choice_add:
 * @dialog: a dialog
 * @grid: of a frame
 * @combo: offers items
 * @property: the argument
 * @none: what it means that no item is chosen, translated
 *
 * Adds a row in which the item is chosen.
 */
void
wf_item_choice_add (WfDialog     *dialog,
                    WfOptionGrid *grid,
                    GtkWidget    *combo,
                    const char   *property,
                    const char   *none)
{
  GObject         *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  g_autofree char *signal = g_strconcat ("notify::", property, NULL);

  g_object_set_data (G_OBJECT (combo), "wavefront-property", (gpointer) property);
  gimp_int_combo_box_prepend (GIMP_INT_COMBO_BOX (combo), GIMP_INT_STORE_VALUE, NO_ITEM,
                              GIMP_INT_STORE_LABEL, none, -1);
  show_item (config, NULL, GIMP_INT_COMBO_BOX (combo));
  g_signal_connect_object (combo, "changed", G_CALLBACK (chosen), config, 0);
  g_signal_connect_object (config, signal, G_CALLBACK (show_item), combo, 0);
  wf_dialog_add_argument (dialog, grid, property, combo);
}

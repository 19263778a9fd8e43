/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arguments that are items of the image.  GIMP does not keep items among a procedure's last values;
 * so that "Repeat" uses the same items, their names are kept, in arguments that only dialogs use.
 */

#include "config.h"

#include "item-choice.h"

/* Not the ID of an item. */
#define NO_ITEM -1


/*  What was chosen last time  */

/**
 * wf_item_choice_remember:
 * @run: a run that succeeded
 * @property: the argument
 * @memory: the argument that keeps the name
 *
 * Keeps the item for wf_item_choice_recall().
 */
void
wf_item_choice_remember (WfJob      *run,
                         const char *property,
                         const char *memory)
{
  g_autoptr (GimpItem)  item = NULL;
  g_autofree char      *name = NULL;

  g_object_get (run->config, property, &item, NULL);
  if (item)
    name = gimp_item_get_name (item);
  g_object_set (run->config, memory, name ? name : "", NULL);
}

/**
 * wf_item_choice_recall:
 * @run: a run that starts from the last values
 * @property: the argument
 * @memory: the argument that keeps the name
 * @find: the item
 *
 * Sets the last item, unless one is given or there was none.
 *
 * Returns: (transfer full) (nullable): the name of the item, if it is missing and no dialog will
 *   show that
 */
char *
wf_item_choice_recall (WfJob      *run,
                       const char *property,
                       const char *memory,
                       WfItemFind  find)
{
  g_autoptr (GimpItem)  given = NULL;
  g_autofree char      *name  = NULL;
  GimpItem             *item;

  g_object_get (run->config, property, &given, memory, &name, NULL);
  if (given || ! name || ! *name)
    return NULL;

  item = find (run->image, name);
  if (item)
    g_object_set (run->config, property, item, NULL);
  return item || run->mode == GIMP_RUN_INTERACTIVE ? NULL : g_steal_pointer (&name);
}

/**
 * wf_item_choice_find_drawable:
 * @image: an image
 * @name: of a layer or channel
 *
 * Returns: (transfer none) (nullable): it
 */
GimpItem *
wf_item_choice_find_drawable (GimpImage  *image,
                              const char *name)
{
  GimpLayer *layer = gimp_image_get_layer_by_name (image, name);

  return layer ? GIMP_ITEM (layer) : GIMP_ITEM (gimp_image_get_channel_by_name (image, name));
}


/*  In the dialog  */

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

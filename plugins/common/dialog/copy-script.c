/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The button of a dialog that copies a script to the clipboard, in a language chosen from its menu.
 *
 * The labels of a dialog take all letters that mnemonics could have, so the button has a key.
 *
 * A clipboard manager takes the text, if there is one; without one it is lost when the dialog
 * closes.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "copy-script.h"
#include "plugins/common/script/call.h"

#define KIND    "wavefront-script-kind"
#define SPACING 6

/* The key that opens the menu, with its modifiers. */
#define KEY       GDK_KEY_c
#define MODIFIERS (GDK_CONTROL_MASK | GDK_SHIFT_MASK)

static const char *const labels[WF_N_SCRIPTS] =
{
  [WF_SCRIPT_PYTHON]    = N_("_Python-Fu"),
  [WF_SCRIPT_SCRIPT_FU] = N_("_Script-Fu"),
  [WF_SCRIPT_COMMAND]   = N_("Command _wavefront"),
};

typedef struct
{
  GimpImage  *image;
  WfListCalls list;
  gpointer    data;
} Calls;


static void
copy (GtkMenuItem *item,
      const Calls *calls)
{
  GtkClipboard          *clipboard = gtk_clipboard_get (GDK_SELECTION_CLIPBOARD);
  const WfScriptKind     kind      = (WfScriptKind)
                                     GPOINTER_TO_INT (g_object_get_data (G_OBJECT (item), KIND));
  g_autoptr (GPtrArray)  list      = calls->list (calls->data);
  g_autofree char       *script    = NULL;

  if (! list || list->len == 0)
    return;
  script = wf_script_write (kind, list, calls->image);
  gtk_clipboard_set_text (clipboard, script, -1);
  gtk_clipboard_set_can_store (clipboard, NULL, 0);
  gtk_clipboard_store (clipboard);
}

static GtkWidget *
menu_new (const Calls *calls)
{
  GtkWidget *menu = gtk_menu_new ();

  for (int kind = 0; kind < WF_N_SCRIPTS; kind++)
    {
      GtkWidget *item = gtk_menu_item_new_with_mnemonic (_(labels[kind]));

      g_object_set_data (G_OBJECT (item), KIND, GINT_TO_POINTER (kind));
      g_signal_connect (item, "activate", G_CALLBACK (copy), (gpointer) calls);
      gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
    }
  gtk_widget_show_all (menu);
  return menu;
}

static GtkWidget *
contents_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_box_pack_start (GTK_BOX (box), gtk_label_new (_("Copy as Script")), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box),
                      gtk_image_new_from_icon_name ("pan-down-symbolic", GTK_ICON_SIZE_BUTTON),
                      FALSE, FALSE, 0);
  return box;
}

/* The dialog would treat the click as a response. */
static void
clicked (GtkButton *button)
{
  g_signal_stop_emission_by_name (button, "clicked");
}

static gboolean
key_pressed (GtkWidget   *dialog,
             GdkEventKey *event,
             GtkWidget   *button)
{
  if (gdk_keyval_to_lower (event->keyval) != KEY ||
      (event->state & gtk_accelerator_get_default_mod_mask ()) != MODIFIERS)
    return FALSE;
  gtk_widget_grab_focus (button);
  gtk_button_clicked (GTK_BUTTON (button));
  return TRUE;
}

static void
set_tooltip (GtkWidget *button)
{
  g_autofree char *key  = gtk_accelerator_get_label (KEY, MODIFIERS);
  g_autofree char *text = g_strdup_printf ("%s (%s)",
                                           _("Copy a script to the clipboard that does this with "
                                             "the present settings"), key);

  gtk_widget_set_tooltip_text (button, text);
}

/**
 * wf_copy_script_add:
 * @dialog: a dialog
 * @image: the image that a script is for
 * @list: lists what a script is to do when one is copied
 * @data: for @list
 *
 * Adds the button to the buttons of @dialog.
 */
void
wf_copy_script_add (GtkDialog   *dialog,
                    GimpImage   *image,
                    WfListCalls  list,
                    gpointer     data)
{
  GtkWidget *button = gtk_menu_button_new ();
  Calls     *calls  = g_new (Calls, 1);

  *calls = (Calls) { image, list, data };
  g_object_set_data_full (G_OBJECT (button), "wavefront-calls", calls, g_free);
  gtk_container_add (GTK_CONTAINER (button), contents_new ());
  gtk_menu_button_set_popup (GTK_MENU_BUTTON (button), menu_new (calls));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  set_tooltip (button);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked), NULL);
  g_signal_connect_object (dialog, "key-press-event", G_CALLBACK (key_pressed), button, 0);
  gtk_dialog_add_action_widget (dialog, button, GTK_RESPONSE_HELP);
  gtk_widget_show_all (button);
}

/* Lists nothing if a layer was deleted while the dialog was open. */
static GPtrArray *
list_run (gpointer data)
{
  WfJob     *run = data;
  GPtrArray *calls;

  for (gsize i = 0; run->drawables[i]; i++)
    if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[i])))
      return NULL;
  calls = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_call_free);
  g_ptr_array_add (calls, wf_call_new (run, run->drawables));
  return calls;
}

/**
 * wf_copy_script_add_run:
 * @dialog: the dialog of a run
 * @run: the run
 *
 * Adds the button for what @run would do now.
 */
void
wf_copy_script_add_run (GtkDialog *dialog,
                        WfJob     *run)
{
  wf_copy_script_add (dialog, run->image, list_run, run);
}

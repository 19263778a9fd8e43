/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pages of the dialogs' Help buttons.
 *
 * They are installed beside the plug-in, if it was copied into a profile, or in the data
 * folder of the package.  The page of a procedure has its
 * name, without the common prefix: help/de/fill-holes.html, in the
 * first of the user's languages that has it, otherwise in English.  A dialog without a page
 * has no button.
 *
 * GIMP's own help does not cover the procedures: they have no help ID, so that GIMP's
 * dialogs add no button.  F1, for which GIMP would show a page "(null)", is handled here.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

#include "help.h"

#define PREFIX "plug-in-wavefront-"


static char *
find_in (const char *folder,
         const char *file)
{
  const char *const *languages = g_get_language_names ();
  g_autofree char   *english   = NULL;

  for (; *languages; languages++)
    {
      g_autofree char *page = NULL;

      if (strcmp (*languages, "C") == 0)
        break;
      page = g_build_filename (folder, "help", *languages, file, NULL);
      if (g_file_test (page, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&page);
    }

  english = g_build_filename (folder, "help", "en", file, NULL);
  if (g_file_test (english, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&english);
  return NULL;
}

/**
 * wf_help_find_page:
 * @procedure: the name of a procedure
 *
 * Returns: (transfer full) (nullable): the path of the page about it
 */
char *
wf_help_find_page (const char *procedure)
{
  const char      *name   = g_str_has_prefix (procedure, PREFIX)
                            ? procedure + strlen (PREFIX) : procedure;
  g_autofree char *file   = g_strconcat (name, ".html", NULL);
  g_autofree char *beside = g_path_get_dirname (gimp_get_progname ());
  char            *page   = find_in (beside, file);

  return page ? page : find_in (WF_DATA_DIR, file);
}

static void
show (const char *page)
{
  g_autoptr (GError)  error = NULL;
  g_autofree char    *uri   = g_filename_to_uri (page, NULL, &error);

  if (! uri || ! g_app_info_launch_default_for_uri (uri, NULL, &error))
    gimp_message (error->message);
}

/* The dialog would treat the click as a response. */
static void
button_clicked (GtkButton  *button,
                const char *page)
{
  g_signal_stop_emission_by_name (button, "clicked");
  show (page);
}

static gboolean
key_pressed (GtkWidget   *window,
             GdkEventKey *event,
             const char  *page)
{
  if (event->keyval != GDK_KEY_F1 && event->keyval != GDK_KEY_KP_F1)
    return FALSE;

  if (page)
    show (page);
  return TRUE;
}

static void
free_page (gpointer  page,
           GClosure *closure)
{
  g_free (page);
}

static void
add_button (GtkDialog  *dialog,
            const char *page)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Help"));

  gtk_widget_set_can_default (button, TRUE);
  g_signal_connect_data (button, "clicked", G_CALLBACK (button_clicked),
                         g_strdup (page), free_page, 0);
  gtk_dialog_add_action_widget (dialog, button, GTK_RESPONSE_HELP);
  gtk_widget_show (button);
}

/**
 * wf_help_connect:
 * @dialog: a dialog
 * @page: (nullable): the path of the page about it
 *
 * Makes F1 open the page in the user's browser, and adds a button if there is a page.
 */
void
wf_help_connect (GtkDialog  *dialog,
                 const char *page)
{
  if (page)
    add_button (dialog, page);
  g_signal_connect_data (dialog, "key-press-event", G_CALLBACK (key_pressed),
                         g_strdup (page), free_page, 0);
}

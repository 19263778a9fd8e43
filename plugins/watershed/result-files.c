/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The file of the table.
 *
 * It belongs to one image, so it is chosen anew for every run: it is not among the last values,
 * or the table of the next image would replace it.  A repetition without a dialog therefore
 * writes no table and reports that.  The dialog asks before it replaces a file; a script has
 * named the file in its call.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "table-file.h"


/**
 * wf_table_file_add_argument:
 * @procedure: a procedure under construction
 *
 * Adds the argument "table-file".
 */
void
wf_table_file_add_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_file_argument (procedure, "table-file", _("_Table"),
                                    _("A file for the measurements of the basins, as "
                                      "comma-separated values; chosen anew for every run"),
                                    GIMP_FILE_CHOOSER_ACTION_SAVE, TRUE, NULL,
                                    G_PARAM_READWRITE);
  gimp_procedure_add_boolean_aux_argument (procedure, "table-written", "Table written",
                                           "Whether a table was written last time", FALSE,
                                           G_PARAM_READWRITE);
}

/**
 * wf_table_file_recall:
 * @run: a run that starts from the last values
 *
 * Clears a file that an older version has kept, and reports that a repetition writes no table.
 */
void
wf_table_file_recall (WfJob *run)
{
  gboolean written;

  g_object_set (run->config, "table-file", NULL, NULL);
  g_object_get (run->config, "table-written", &written, NULL);
  if (written && run->mode == GIMP_RUN_WITH_LAST_VALS)
    wf_job_report (run, _("No table is written: its file must be chosen anew in the dialog."));
}

/**
 * wf_table_file_remember:
 * @run: a run that succeeded
 *
 * Keeps whether a table was written, but not where.
 */
void
wf_table_file_remember (WfJob *run)
{
  g_autoptr (GFile) file = NULL;

  g_object_get (run->config, "table-file", &file, NULL);
  g_object_set (run->config, "table-file", NULL, "table-written", file != NULL, NULL);
}

/* The button in the widget gets the focus, as the widget itself takes none. */
static gboolean
focus_button (GtkWidget *chooser,
              gboolean   group_cycling)
{
  return gtk_widget_child_focus (chooser, GTK_DIR_TAB_FORWARD);
}

/**
 * wf_table_file_chooser_new:
 * @config: the arguments' values
 *
 * Returns: a widget that sets "table-file"
 */
GtkWidget *
wf_table_file_chooser_new (GObject *config)
{
  GtkWidget *chooser = gimp_prop_file_chooser_new (config, "table-file", "", _("Table of Basins"));

  g_signal_connect (chooser, "mnemonic-activate", G_CALLBACK (focus_button), NULL);
  return chooser;
}

static GtkWidget *
question_new (GtkWindow *dialog,
              GFile     *file)
{
  g_autofree char  *name   = g_file_get_parse_name (file);
  g_autofree char  *shown  = g_filename_display_basename (name);
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autofree char  *folder = parent ? g_file_get_parse_name (parent) : g_strdup (name);
  GtkWidget        *question;
  GtkWidget        *replace;

  question = gtk_message_dialog_new (dialog, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                     GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                                     _("The file “%s” already exists.  Replace it?"), shown);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (question),
                                            _("It is in “%s”.  The table of this image would "
                                              "replace its contents."), folder);
  gtk_window_set_title (GTK_WINDOW (question), _("Replace the File"));
  gtk_dialog_add_button (GTK_DIALOG (question), _("_Cancel"), GTK_RESPONSE_CANCEL);
  replace = gtk_dialog_add_button (GTK_DIALOG (question), _("_Replace"), GTK_RESPONSE_ACCEPT);
  gtk_style_context_add_class (gtk_widget_get_style_context (replace), "destructive-action");
  gtk_dialog_set_default_response (GTK_DIALOG (question), GTK_RESPONSE_CANCEL);
  return question;
}

/**
 * wf_table_file_confirm:
 * @run: a run whose dialog was accepted
 * @dialog: the dialog
 *
 * Asks whether to replace the file, if it exists.
 *
 * Returns: %FALSE to return to the dialog
 */
gboolean
wf_table_file_confirm (WfJob     *run,
                       GtkWindow *dialog)
{
  g_autoptr (GFile)  file = NULL;
  GtkWidget         *question;
  int                response;

  g_object_get (run->config, "table-file", &file, NULL);
  if (! file || ! g_file_query_exists (file, NULL))
    return TRUE;

  question = question_new (dialog, file);
  response = gtk_dialog_run (GTK_DIALOG (question));
  gtk_widget_destroy (question);
  return response == GTK_RESPONSE_ACCEPT;
}

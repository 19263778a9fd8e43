/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files of the table and of the outlines.
 *
 * They belong to one image, so they are chosen anew for every run: they are not among the last
 * values, or the table of the next image would replace it.  A repetition without a dialog therefore
 * writes none and reports that.  The dialog asks before it replaces a file; a script has named the
 * file in its call.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "result-files.h"

/**
 * Kind:
 * @argument: the file
 * @written: the argument that keeps whether one was written last time
 * @label: of the argument
 * @blurb: of the argument
 * @title: of the window in which it is chosen
 * @missing: a repetition writes none
 * @replaces: what happens to a file in a folder that is there
 *
 * What there is to say of a file.
 */
typedef struct
{
  const char *argument;
  const char *written;
  const char *label;
  const char *blurb;
  const char *title;
  const char *missing;
  const char *replaces;
} Kind;

static const Kind kinds[WF_N_RESULT_FILES] =
{
  [WF_RESULT_TABLE] =
  {
    .argument = "table-file",
    .written  = "table-written",
    .label    = N_("_Table"),
    .blurb    = N_("A file for the measurements of the basins, as comma-separated values; chosen "
                   "anew for every run"),
    .title    = N_("Table of Basins"),
    .missing  = N_("No table is written: its file must be chosen anew in the dialog."),
    .replaces = N_("It is in “%s”.  The table of this image would replace its contents."),
  },
  [WF_RESULT_OUTLINES] =
  {
    .argument = "outline-file",
    .written  = "outlines-written",
    .label    = N_("E_xport outlines"),
    .blurb    = N_("A file for the outlines of the basins, along the edges of pixels: GeoJSON, "
                   "which QuPath opens, if its name ends in .geojson or .json, or a list of "
                   "regions for ImageJ if it ends in .zip; chosen anew for every run"),
    .title    = N_("Outlines of Basins"),
    .missing  = N_("No outlines are written: their file must be chosen anew in the dialog."),
    .replaces = N_("It is in “%s”.  The outlines of this image would replace its contents."),
  },
};


/**
 * wf_result_files_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds the arguments "table-file" and "outline-file".
 */
void
wf_result_files_add_arguments (GimpProcedure *procedure)
{
  for (guint i = 0; i < WF_N_RESULT_FILES; i++)
    {
      gimp_procedure_add_file_argument (procedure, kinds[i].argument,
                                        g_dgettext (GETTEXT_PACKAGE, kinds[i].label),
                                        g_dgettext (GETTEXT_PACKAGE, kinds[i].blurb),
                                        GIMP_FILE_CHOOSER_ACTION_SAVE, TRUE, NULL,
                                        G_PARAM_READWRITE);
      gimp_procedure_add_boolean_aux_argument (procedure, kinds[i].written, kinds[i].written,
                                               "Whether this file was written last time", FALSE,
                                               G_PARAM_READWRITE);
    }
}

/**
 * wf_result_files_recall:
 * @run: a run that starts from the last values
 *
 * Clears files that an older version has kept, and reports that a repetition writes none.
 */
void
wf_result_files_recall (WfJob *run)
{
  for (guint i = 0; i < WF_N_RESULT_FILES; i++)
    {
      gboolean written;

      g_object_set (run->config, kinds[i].argument, NULL, NULL);
      g_object_get (run->config, kinds[i].written, &written, NULL);
      if (written && run->mode == GIMP_RUN_WITH_LAST_VALS)
        wf_job_report (run, g_dgettext (GETTEXT_PACKAGE, kinds[i].missing));
    }
}

/* Where it is written now: of a folder of images, files are moved when all are complete. */
static GFile *
find_place (WfJob *run,
            GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return run->watch && run->watch->scratch ? g_file_get_child (run->watch->scratch, name)
                                           : g_object_ref (file);
}

/**
 * wf_result_file_get:
 * @run: a run
 * @result: what is written
 *
 * Returns: (transfer full) (nullable): where to
 */
GFile *
wf_result_file_get (WfJob        *run,
                    WfResultFile  result)
{
  g_autoptr (GFile) file = NULL;

  g_object_get (run->config, kinds[result].argument, &file, NULL);
  if (file)
    return find_place (run, file);
  return result == WF_RESULT_TABLE && run->watch && run->watch->table
         ? g_object_ref (run->watch->table) : NULL;
}

/**
 * wf_result_files_remember:
 * @run: a run that succeeded
 *
 * Keeps which files were written, but not where.
 */
void
wf_result_files_remember (WfJob *run)
{
  for (guint i = 0; i < WF_N_RESULT_FILES; i++)
    {
      g_autoptr (GFile) file = wf_result_file_get (run, i);

      g_object_set (run->config, kinds[i].argument, NULL, kinds[i].written, file != NULL, NULL);
    }
}

/* The button in the widget gets the focus, as the widget itself takes none. */
static gboolean
focus_button (GtkWidget *chooser,
              gboolean   group_cycling)
{
  return gtk_widget_child_focus (chooser, GTK_DIR_TAB_FORWARD);
}

/**
 * wf_result_files_add_controls:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds a row for each file.
 */
void
wf_result_files_add_controls (WfDialog     *dialog,
                              WfOptionGrid *grid)
{
  GObject *config = G_OBJECT (wf_dialog_get_run (dialog)->config);

  for (guint i = 0; i < WF_N_RESULT_FILES; i++)
    {
      GtkWidget *chooser = gimp_prop_file_chooser_new (config, kinds[i].argument, "",
                                                       g_dgettext (GETTEXT_PACKAGE,
                                                                   kinds[i].title));

      g_signal_connect (chooser, "mnemonic-activate", G_CALLBACK (focus_button), NULL);
      wf_dialog_add_argument (dialog, grid, kinds[i].argument, chooser);
    }
}

static GtkWidget *
question_new (GtkWindow  *dialog,
              const Kind *kind,
              GFile      *file)
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
                                            g_dgettext (GETTEXT_PACKAGE, kind->replaces), folder);
  gtk_window_set_title (GTK_WINDOW (question), _("Replace the File"));
  gtk_dialog_add_button (GTK_DIALOG (question), _("_Cancel"), GTK_RESPONSE_CANCEL);
  replace = gtk_dialog_add_button (GTK_DIALOG (question), _("_Replace"), GTK_RESPONSE_ACCEPT);
  gtk_style_context_add_class (gtk_widget_get_style_context (replace), "destructive-action");
  gtk_dialog_set_default_response (GTK_DIALOG (question), GTK_RESPONSE_CANCEL);
  return question;
}

static gboolean
confirm (const Kind *kind,
         GFile      *file,
         GtkWindow  *dialog)
{
  GtkWidget *question;
  int        response;

  if (! g_file_query_exists (file, NULL))
    return TRUE;

  question = question_new (dialog, kind, file);
  response = gtk_dialog_run (GTK_DIALOG (question));
  gtk_widget_destroy (question);
  return response == GTK_RESPONSE_ACCEPT;
}

/**
 * wf_result_files_confirm:
 * @run: a run whose dialog was accepted
 * @dialog: the dialog
 *
 * Asks whether to replace each file that exists.
 *
 * Returns: %FALSE to return to the dialog
 */
gboolean
wf_result_files_confirm (WfJob     *run,
                         GtkWindow *dialog)
{
  for (guint i = 0; i < WF_N_RESULT_FILES; i++)
    {
      g_autoptr (GFile) file = wf_result_file_get (run, i);

      if (file && ! confirm (&kinds[i], file, dialog))
        return FALSE;
    }
  return TRUE;
}

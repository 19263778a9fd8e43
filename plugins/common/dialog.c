/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog of a procedure: the frames and rows that the procedure asks for, the
 * widgets made from the descriptions of its options, and below them, folded away,
 * where the work is done.  What a control shows and what the procedure's config
 * holds are bound to each other, so that GIMP's Reset and saved settings work.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "dialog.h"
#include "mnemonics.h"
#include "plug-in.h"

#define SPACING 6

struct _WfDialog
{
  WfRun        *run;
  GtkWidget    *content;
  GtkSizeGroup *labels;
};


static const WfOption *
find_option (const WfProcedure *procedure,
             const char        *name)
{
  const WfOptionGroup *groups[] =
  {
    procedure->own,
    wf_operation_get_options (procedure->operation),
    wf_context_get_options (),
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const WfOption *option = groups[i] ? wf_option_group_find (groups[i], name) : NULL;

      if (option)
        return option;
    }
  return NULL;
}

static GtkWidget *
grid_new (WfDialog *dialog)
{
  return wf_option_grid_new (G_OBJECT (dialog->run->config), dialog->run->type,
                             dialog->labels);
}

/**
 * wf_dialog_get_run:
 * @dialog: a dialog
 *
 * Returns: (transfer none): the run that the dialog is for.
 */
WfRun *
wf_dialog_get_run (WfDialog *dialog)
{
  return dialog->run;
}

/**
 * wf_dialog_add_frame:
 * @dialog: a dialog
 * @title: translated
 *
 * Returns: (transfer none): a grid for rows, under the title.
 */
WfOptionGrid *
wf_dialog_add_frame (WfDialog   *dialog,
                     const char *title)
{
  GtkWidget *frame = gimp_frame_new (title);
  GtkWidget *grid  = grid_new (dialog);

  gtk_container_add (GTK_CONTAINER (frame), grid);
  gtk_box_pack_start (GTK_BOX (dialog->content), frame, FALSE, FALSE, 0);
  gtk_widget_show_all (frame);
  return WF_OPTION_GRID (grid);
}

/**
 * wf_dialog_add_option:
 * @dialog: a dialog
 * @grid: a frame's
 * @name: of an option
 *
 * Adds a row with the option's label and a widget to set it with.
 *
 * Returns: (transfer none): the widget
 */
GtkWidget *
wf_dialog_add_option (WfDialog     *dialog,
                      WfOptionGrid *grid,
                      const char   *name)
{
  const WfOption *option = find_option (dialog->run->procedure, name);

  g_return_val_if_fail (option != NULL, NULL);

  return wf_option_grid_add_option (grid, option);
}

/**
 * wf_dialog_add_argument:
 * @dialog: a dialog
 * @grid: a frame's
 * @name: of an argument that is no option
 * @widget: what sets it
 *
 * Adds a row with the argument's label and description.
 */
void
wf_dialog_add_argument (WfDialog     *dialog,
                        WfOptionGrid *grid,
                        const char   *name,
                        GtkWidget    *widget)
{
  GObjectClass *class = G_OBJECT_GET_CLASS (dialog->run->config);
  GParamSpec   *pspec = g_object_class_find_property (class, name);

  g_return_if_fail (pspec != NULL);

  wf_option_grid_add_widget (grid, g_param_spec_get_nick (pspec), widget,
                             g_param_spec_get_blurb (pspec));
}

/* An algorithm is offered where there are several to choose from. */
static gboolean
has_algorithms (const WfProcedure *procedure)
{
  const WfOption *option = find_option (procedure, "algorithm");
  guint           n      = 0;

  while (option && option->choices[n].name)
    n++;
  return n > 2;   /* "auto" and more than one */
}

static void
add_devices (WfDialog *dialog)
{
  const WfOptionGroup *context  = wf_context_get_options ();
  const char          *title    = g_dgettext (GETTEXT_PACKAGE, context->title);
  g_autofree char     *label    = g_strconcat ("_", title, NULL);
  GtkWidget           *expander = gtk_expander_new_with_mnemonic (label);
  GtkWidget           *frame    = gimp_frame_new (NULL);   /* indents as the others do */
  GtkWidget           *grid     = grid_new (dialog);

  gtk_widget_set_tooltip_text (expander, g_dgettext (GETTEXT_PACKAGE, context->blurb));
  gtk_expander_set_resize_toplevel (GTK_EXPANDER (expander), TRUE);
  gtk_widget_set_margin_top (frame, SPACING);

  for (guint i = 0; i < context->n_options; i++)
    wf_dialog_add_option (dialog, WF_OPTION_GRID (grid), context->options[i].name);
  if (dialog->run->procedure->offer_algorithms && has_algorithms (dialog->run->procedure))
    wf_dialog_add_option (dialog, WF_OPTION_GRID (grid), "algorithm");

  /* A mnemonic reaches even what is folded away, unless it is insensitive. */
  g_object_bind_property (expander, "expanded", grid, "sensitive", G_BINDING_SYNC_CREATE);
  gtk_container_add (GTK_CONTAINER (frame), grid);
  gtk_container_add (GTK_CONTAINER (expander), frame);
  gtk_box_pack_start (GTK_BOX (dialog->content), expander, FALSE, FALSE, 0);
  gtk_widget_show_all (expander);
}

static void
repair (WfRun *run)
{
  const WfProcedure *procedure = run->procedure;
  GObject           *config    = G_OBJECT (run->config);

  wf_arguments_repair (config, wf_operation_get_options (procedure->operation),
                       procedure->notes);
  wf_arguments_repair (config, wf_context_get_options (), NULL);
  if (procedure->own)
    wf_arguments_repair (config, procedure->own, procedure->notes);
}

/**
 * wf_dialog_run:
 * @run: the run
 * @procedure: the procedure
 *
 * Asks the user for the arguments' values.
 *
 * Returns: whether the work is to be done.
 */
gboolean
wf_dialog_run (WfRun         *run,
               GimpProcedure *procedure)
{
  const WfOptionGroup *operation = wf_operation_get_options (run->procedure->operation);
  WfDialog             dialog    = { run, NULL, NULL };
  GtkWidget           *window;
  gboolean             accepted;

  gimp_ui_init (run->procedure->name);
  repair (run);

  window         = gimp_procedure_dialog_new (procedure, run->config,
                                              g_dgettext (GETTEXT_PACKAGE, operation->title));
  dialog.content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);
  dialog.labels  = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_widget_set_margin_bottom (dialog.content, 2 * SPACING);
  gtk_box_pack_start (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window))),
                      dialog.content, FALSE, FALSE, 0);
  gtk_widget_show (dialog.content);

  run->procedure->fill_dialog (&dialog);
  add_devices (&dialog);
  wf_mnemonics_make_unique (window, dialog.content);

  accepted = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (window));
  gtk_widget_destroy (window);
  g_object_unref (dialog.labels);
  return accepted;
}

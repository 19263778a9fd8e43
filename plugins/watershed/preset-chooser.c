/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The menu of the presets that come with the watershed, beside the buttons for saved settings in
 * its dialog.  GIMP's dialogs of procedures keep one set of values that the user saves, and have no
 * list that a plug-in could add to.
 *
 * The first entry stands for values that are those of no preset: it says whose values were changed,
 * if a preset was chosen before.  It is no preset itself: choosing it changes nothing.
 *
 * Presets of stains need colors: a gray layer is not offered any.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "preset-chooser.h"
#include "preset-values.h"
#include "plugins/common/procedure/plug-in.h"

#define SPACING 6
#define OWN     "own"   /* the identifier of the first entry */

/**
 * Chooser:
 * @has_colors: whether the image has colors, so that presets with a stain suit it
 * @chosen: (nullable): the preset that was chosen last, or that the values were those of
 * @setting: whether values, or the menu, are being changed here
 */
typedef struct
{
  GObject                 *config;
  GtkComboBoxText         *combo;
  gboolean                 has_colors;
  const WfWatershedPreset *chosen;
  gboolean                 setting;
} Chooser;


static const char *
get_label (const WfWatershedPreset *preset)
{
  return g_dgettext (GETTEXT_PACKAGE, preset->label);
}

static const WfWatershedPreset *
find_holding (const Chooser *chooser)
{
  const WfWatershedPreset *preset;

  if (chooser->chosen && wf_preset_holds (chooser->chosen, chooser->config))
    return chooser->chosen;
  for (guint i = 0; (preset = wf_watershed_get_preset (i)); i++)
    if ((chooser->has_colors || ! preset->stain) && wf_preset_holds (preset, chooser->config))
      return preset;
  return NULL;
}

/* Replaces the text of the first entry. */
static void
name_own (Chooser  *chooser,
          gboolean  changed)
{
  g_autofree char *text = changed
                          /* TRANSLATORS: the title of a preset whose values were changed */
                          ? g_strdup_printf (_("%s, changed"), get_label (chooser->chosen))
                          : g_strdup (_("None"));
  GtkTreeModel    *model = gtk_combo_box_get_model (GTK_COMBO_BOX (chooser->combo));
  GtkTreeIter      first;

  if (gtk_tree_model_get_iter_first (model, &first))
    gtk_list_store_set (GTK_LIST_STORE (model), &first, 0, text, -1);
}

/* Shows whose values those of the dialog are. */
static void
update (Chooser *chooser)
{
  const WfWatershedPreset *holding = find_holding (chooser);

  if (holding)
    chooser->chosen = holding;
  chooser->setting = TRUE;
  name_own (chooser, chooser->chosen && ! holding);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (chooser->combo), holding ? holding->name : OWN);
  gtk_widget_set_tooltip_text (GTK_WIDGET (chooser->combo),
                               holding ? g_dgettext (GETTEXT_PACKAGE, holding->blurb)
                                       : _("Settings that come with the watershed, for kinds of "
                                           "images"));
  chooser->setting = FALSE;
}

static void
config_changed (Chooser    *chooser,
                GParamSpec *pspec)
{
  if (! chooser->setting && wf_preset_concerns (pspec->name))
    update (chooser);
}

static void
chosen (Chooser *chooser)
{
  const char              *name   = gtk_combo_box_get_active_id (GTK_COMBO_BOX (chooser->combo));
  const WfWatershedPreset *preset = name ? wf_watershed_find_preset (name) : NULL;

  if (chooser->setting)
    return;
  if (preset)
    {
      chooser->chosen  = preset;
      chooser->setting = TRUE;
      wf_preset_apply (preset, chooser->config);
      chooser->setting = FALSE;
    }
  update (chooser);
}

static void
fill (Chooser *chooser)
{
  const WfWatershedPreset *preset;

  gtk_combo_box_text_append (chooser->combo, OWN, _("None"));
  for (guint i = 0; (preset = wf_watershed_get_preset (i)); i++)
    if (chooser->has_colors || ! preset->stain)
      gtk_combo_box_text_append (chooser->combo, preset->name, get_label (preset));
}

/* The dialog's widgets go before its values. */
static void
chooser_free (gpointer data)
{
  Chooser *chooser = data;

  g_signal_handlers_disconnect_by_data (chooser->config, chooser);
  g_object_unref (chooser->config);
  g_free (chooser);
}

/**
 * wf_preset_chooser_add:
 * @dialog: the dialog of the watershed
 *
 * Adds the menu.
 */
void
wf_preset_chooser_add (WfDialog *dialog)
{
  WfJob     *run     = wf_dialog_get_run (dialog);
  GtkWidget *row     = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *label   = gtk_label_new (_("Preset"));
  Chooser   *chooser = g_new0 (Chooser, 1);

  chooser->config     = g_object_ref (G_OBJECT (run->config));
  chooser->combo      = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());
  chooser->has_colors = ! gimp_drawable_is_gray (run->drawable);
  fill (chooser);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), GTK_WIDGET (chooser->combo));
  gtk_widget_set_valign (GTK_WIDGET (chooser->combo), GTK_ALIGN_CENTER);
  gtk_box_pack_end (GTK_BOX (row), GTK_WIDGET (chooser->combo), FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_widget_show_all (row);
  wf_dialog_add_to_settings (dialog, row);

  update (chooser);
  g_signal_connect_swapped (chooser->combo, "changed", G_CALLBACK (chosen), chooser);
  g_signal_connect_swapped (chooser->config, "notify", G_CALLBACK (config_changed), chooser);
  g_object_set_data_full (G_OBJECT (row), "wavefront-chooser", chooser, chooser_free);
}

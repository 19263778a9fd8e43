/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What there is to choose for a folder of images: the images, and their results.
 *
 * Folders are entries with a button, so that one that does not exist yet can be named.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "folder-form.h"
#include "plugins/common/folder/kind.h"
#include "plugins/common/procedure/plug-in.h"

#define SPACING     6
#define ENTRY_CHARS 44
#define LABELS      "wavefront-labels"

static const char *const types[] =
{
  "*.png *.tif *.tiff *.jpg *.jpeg *.xcf", "*.tif *.tiff", "*.png", "*.jpg *.jpeg", "*.xcf", "*",
};

static const char *const formats[] =
{
  N_("XCF, with layers and paths"), N_("TIFF, as it is seen"), N_("PNG, as it is seen"),
};

static const char *const contents[] =
{
  N_("The image with the new layers"), N_("The new layers only"),
};

static const char *const existing[] =
{
  N_("Ask"), N_("Skip the image"), N_("Replace them"),
};

struct _WfFolderForm
{
  WfJob        *run;
  GtkSizeGroup *labels;
  GtkWidget    *box;
  GtkWidget    *input;
  GtkWidget    *types;
  GtkWidget    *count;
  GtkWidget    *output;
  GtkWidget    *name;
  GtkWidget    *format;
  GtkWidget    *contents;
  GtkWidget    *existing;
  GtkWidget    *table;
  GtkWidget    *outlines;
  GtkWidget    *joined;
};


/*  Rows  */

/* Labels of all grids are equally wide. */
static GtkWidget *
grid_new (WfFolderForm *form,
          const char   *title)
{
  GtkWidget *frame = gimp_frame_new (title);
  GtkWidget *grid  = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), SPACING);
  gtk_grid_set_column_spacing (GTK_GRID (grid), SPACING);
  gtk_container_add (GTK_CONTAINER (frame), grid);
  gtk_box_pack_start (GTK_BOX (form->box), frame, FALSE, FALSE, 0);
  g_object_set_data (G_OBJECT (grid), LABELS, form->labels);
  return grid;
}

static int
count_rows (GtkWidget *grid)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (grid));
  int               n        = 0;

  for (GList *child = children; child; child = child->next)
    {
      int top;

      gtk_container_child_get (GTK_CONTAINER (grid), child->data, "top-attach", &top, NULL);
      n = MAX (n, top + 1);
    }
  return n;
}

static void
add_row (GtkWidget  *grid,
         const char *title,
         GtkWidget  *widget,
         GtkWidget  *focus,
         const char *tooltip)
{
  const int  row   = count_rows (grid);
  GtkWidget *label = title ? gtk_label_new_with_mnemonic (title) : NULL;

  if (label)
    {
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_mnemonic_widget (GTK_LABEL (label), focus);
      gtk_size_group_add_widget (g_object_get_data (G_OBJECT (grid), LABELS), label);
      gtk_grid_attach (GTK_GRID (grid), label, 0, row, 1, 1);
    }
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_tooltip_text (widget, tooltip);
  gtk_grid_attach (GTK_GRID (grid), widget, 1, row, 1, 1);
}

static void
browse (GtkButton *button,
        GtkWidget *entry)
{
  GtkWidget      *window  = gtk_widget_get_toplevel (entry);
  GtkWidget      *dialog  = gtk_file_chooser_dialog_new (_("Choose a Folder"), GTK_WINDOW (window),
                                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                         _("_Cancel"), GTK_RESPONSE_CANCEL,
                                                         _("_Choose"), GTK_RESPONSE_ACCEPT, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  const char     *before  = gtk_entry_get_text (GTK_ENTRY (entry));

  if (g_file_test (before, G_FILE_TEST_IS_DIR))
    gtk_file_chooser_set_current_folder (chooser, before);
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    {
      g_autofree char *path = gtk_file_chooser_get_filename (chooser);

      if (path)
        gtk_entry_set_text (GTK_ENTRY (entry), path);
    }
  gtk_widget_destroy (dialog);
}

static GtkWidget *
add_folder (GtkWidget  *grid,
            const char *title,
            const char *text,
            const char *tooltip)
{
  GtkWidget *row    = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *entry  = gtk_entry_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("folder-open-symbolic", GTK_ICON_SIZE_BUTTON);

  gtk_entry_set_text (GTK_ENTRY (entry), text);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), ENTRY_CHARS);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_set_tooltip_text (button, _("Choose a Folder"));
  g_signal_connect (button, "clicked", G_CALLBACK (browse), entry);
  gtk_box_pack_start (GTK_BOX (row), entry, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), button, FALSE, FALSE, 0);
  add_row (grid, title, row, entry, tooltip);
  return entry;
}

static GtkWidget *
add_choice (GtkWidget         *grid,
            const char        *title,
            const char *const *choices,
            guint              n,
            int                chosen,
            const char        *tooltip)
{
  GtkWidget *combo = gtk_combo_box_text_new ();

  for (guint i = 0; i < n; i++)
    gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (combo),
                                    g_dgettext (GETTEXT_PACKAGE, choices[i]));
  gtk_combo_box_set_active (GTK_COMBO_BOX (combo), chosen);
  add_row (grid, title, combo, combo, tooltip);
  return combo;
}

static GtkWidget *
add_check (GtkWidget  *grid,
           const char *title,
           gboolean    active,
           const char *tooltip)
{
  GtkWidget *check = gtk_check_button_new_with_mnemonic (title);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (check), active);
  add_row (grid, NULL, check, check, tooltip);
  return check;
}


/*  The images  */

static const char *
get_text (GtkWidget *entry)
{
  return gtk_entry_get_text (GTK_ENTRY (entry));
}

static GtkWidget *
get_types_entry (WfFolderForm *form)
{
  return gtk_bin_get_child (GTK_BIN (form->types));
}

/* How many images there are, or why none can be found. */
static void
count (WfFolderForm *form)
{
  g_autoptr (GError)    error = NULL;
  g_autoptr (GPtrArray) items = NULL;
  g_autofree char      *text  = NULL;

  if (*get_text (form->input))
    {
      items = wf_folder_list (get_text (form->input), get_text (get_types_entry (form)), &error);
      text  = items ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u image", "%u images",
                                                    items->len), items->len)
                    : g_strdup (error->message);
    }
  gtk_label_set_text (GTK_LABEL (form->count), text ? text : "");
}

static void
add_images (WfFolderForm           *form,
            const WfFolderSettings *settings)
{
  GtkWidget *grid = grid_new (form, _("Images"));

  form->input = add_folder (grid, _("_Folder"), settings->input, _("The folder of the images"));
  form->types = gtk_combo_box_text_new_with_entry ();
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (form->types), types[i]);
  gtk_entry_set_text (GTK_ENTRY (get_types_entry (form)), settings->types);
  add_row (grid, _("F_iles"), form->types, get_types_entry (form),
           _("Patterns of the names of the images, with blanks between them; * stands for "
             "anything"));
  form->count = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (form->count), 0);
  gtk_label_set_ellipsize (GTK_LABEL (form->count), PANGO_ELLIPSIZE_END);
  add_row (grid, NULL, form->count, form->count, NULL);
  g_signal_connect_swapped (form->input, "changed", G_CALLBACK (count), form);
  g_signal_connect_swapped (get_types_entry (form), "changed", G_CALLBACK (count), form);
  count (form);
}

static void
add_results (WfFolderForm           *form,
             const WfFolderSettings *settings)
{
  const WfFolderKind *kind = form->run->procedure->folder;
  GtkWidget          *grid = grid_new (form, _("Results"));

  form->output = add_folder (grid, _("F_older"), settings->output,
                             _("The folder of the results, which is made if it does not exist"));
  form->name = gtk_entry_new ();
  gtk_entry_set_text (GTK_ENTRY (form->name), settings->name);
  gtk_entry_set_activates_default (GTK_ENTRY (form->name), TRUE);
  add_row (grid, _("_Name"), form->name, form->name,
           _("The name of each result without its suffix; {name} becomes the name of the image"));
  form->format   = add_choice (grid, _("For_mat"), formats, G_N_ELEMENTS (formats),
                               settings->format,
                               _("TIFF and PNG files hold one layer, and no paths.  New images of "
                                 "numbers or distances are TIFF files instead of PNG"));
  form->contents = add_choice (grid, _("Cont_ents"), contents, G_N_ELEMENTS (contents),
                               settings->layers_only,
                               _("What is in the file of each image"));
  if (kind->table_argument)
    {
      form->joined = add_check (grid, _("One _table of all objects (CSV)"), settings->joined,
                                _("A line for each object of all images, with the name of its "
                                  "image, in objects.csv"));
      form->table  = add_check (grid, _("A t_able for each image (CSV)"), settings->table,
                                _("A line for each object, in a file of its own for each image"));
    }
  if (kind->outlines_argument)
    form->outlines = add_check (grid, _("O_utlines of each image (GeoJSON)"), settings->outlines,
                                _("The outlines of the objects, which QuPath opens"));
  form->existing = add_choice (grid, _("If files e_xist"), existing, G_N_ELEMENTS (existing),
                               settings->existing,
                               _("What becomes of results that exist.  Lines of skipped images "
                                 "stay in the table of all objects"));
}

/**
 * wf_folder_form_new:
 * @run: the run whose dialog is open
 * @settings: what was chosen last time
 *
 * Returns: (transfer full): a form with @settings
 */
WfFolderForm *
wf_folder_form_new (WfJob                  *run,
                    const WfFolderSettings *settings)
{
  WfFolderForm *form = g_new0 (WfFolderForm, 1);

  form->run    = run;
  form->labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  form->box    = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);
  add_images (form, settings);
  add_results (form, settings);
  gtk_widget_show_all (form->box);
  return form;
}

/**
 * wf_folder_form_get_widget:
 * @form: a form
 *
 * Returns: (transfer none): its widget
 */
GtkWidget *
wf_folder_form_get_widget (WfFolderForm *form)
{
  return form->box;
}

static void
set_text (char       **text,
          const char  *value)
{
  g_free (*text);
  *text = g_strdup (value);
}

static gboolean
is_active (GtkWidget *check,
           gboolean   otherwise)
{
  return check ? gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (check)) : otherwise;
}

/**
 * wf_folder_form_read:
 * @form: a form
 * @settings: set to what is chosen; what the form does not have stays
 */
void
wf_folder_form_read (WfFolderForm     *form,
                     WfFolderSettings *settings)
{
  set_text (&settings->input, get_text (form->input));
  set_text (&settings->types, get_text (get_types_entry (form)));
  set_text (&settings->output, get_text (form->output));
  set_text (&settings->name, get_text (form->name));
  settings->format      = gtk_combo_box_get_active (GTK_COMBO_BOX (form->format));
  settings->layers_only = gtk_combo_box_get_active (GTK_COMBO_BOX (form->contents));
  settings->existing    = gtk_combo_box_get_active (GTK_COMBO_BOX (form->existing));
  settings->table       = is_active (form->table, settings->table);
  settings->outlines    = is_active (form->outlines, settings->outlines);
  settings->joined      = is_active (form->joined, settings->joined);
}

/**
 * wf_folder_form_free:
 * @form: a form whose widget is destroyed
 */
void
wf_folder_form_free (WfFolderForm *form)
{
  g_object_unref (form->labels);
  g_free (form);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Objects that are saved from the dialog: their table as comma-separated values or JSON, or their
 * outlines as GeoJSON or regions of ImageJ.  The name of the file tells which.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "object-save.h"
#include "ui/merge/region-memory.h"

/* What the chooser offers; names are those of new files. */
static const struct
{
  const char *label;
  const char *suffix;
} kinds[] =
{
  { N_("Table (.csv)"), ".csv" },
  { N_("Table (.json)"), ".json" },
  { N_("Outlines for QuPath (.geojson)"), ".geojson" },
  { N_("Outlines for ImageJ (.zip)"), ".zip" },
};


/*  Outlines  */

/* The objects that are saved, numbered as in their table, of the basins of the dialog. */
static gboolean
number_pixels (const WfObjectsToSave  *objects,
               const WfImage          *labels,
               WfImage                *numbered,
               GError                **error)
{
  const WfObjectTable *table    = objects->table;
  const guint32        n_labels = table->result->n_labels;
  g_autofree guint32  *numbers  = g_new0 (guint32, (gsize) table->n + 1);
  g_autofree guint32  *map      = wf_region_memory_new ((gint64) n_labels + 1, sizeof *map, error);
  guint32              n        = 0;

  if (! map || ! wf_image_allocate (numbered, WF_TYPE_U32, labels->width, labels->height,
                                    labels->depth, error))
    return FALSE;
  for (gint64 i = 0; i < table->n; i++)
    if (! objects->kept)
      numbers[i] = table->representatives[i];
    else if (objects->kept[i])
      numbers[i] = ++n;
  for (gsize label = 0; label <= n_labels; label++)
    map[label] = table->numbers[label] < 0 ? 0 : numbers[table->numbers[label]];
  wf_labels_map (labels, map, n_labels + 1, numbered);
  return TRUE;
}

static gboolean
save_outlines (const WfObjectsToSave  *objects,
               GFile                  *file,
               GError                **error)
{
  const WfPreviewResult  *result   = objects->table->result;
  const WfPreviewBasins  *basins   = result->extra;
  const WfImage          *labels   = basins->labels.data ? &basins->labels : &result->image;
  g_auto (WfImage)        numbered = { 0 };
  g_autoptr (WfOutlines)  outlines = NULL;

  if (! number_pixels (objects, labels, &numbered, error))
    return FALSE;
  outlines = wf_outlines_trace (NULL, &numbered, error);
  if (! outlines)
    return FALSE;
  wf_outlines_move (outlines, (gint32) objects->place.left, (gint32) objects->place.top);
  return wf_outlines_write (outlines, file, labels->depth > 1, error);
}


/*  Files  */

/* Returns: (nullable): the suffix of one of the kinds */
static const char *
find_suffix (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const gsize n      = strlen (name);
      const gsize length = strlen (kinds[i].suffix);

      if (n > length && g_ascii_strcasecmp (name + n - length, kinds[i].suffix) == 0)
        return kinds[i].suffix;
    }
  return NULL;
}

static gboolean
save (const WfObjectsToSave  *objects,
      GFile                  *file,
      GError                **error)
{
  g_autofree char *name   = g_file_get_parse_name (file);
  const char      *suffix = find_suffix (name);

  if (! suffix)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The name must end in .csv, .json, .geojson or .zip, but “%s” does not."),
                   name);
      return FALSE;
    }
  if (strcmp (suffix, ".geojson") == 0 || strcmp (suffix, ".zip") == 0)
    return save_outlines (objects, file, error);
  return wf_regions_write (objects->regions, file,
                           strcmp (suffix, ".json") == 0 ? WF_TABLE_JSON : WF_TABLE_CSV,
                           objects->unit, &objects->place, error);
}

/* The name gets the suffix of the kind. */
static void
kind_changed (GtkFileChooser *chooser)
{
  GtkFileFilter   *filter = gtk_file_chooser_get_filter (chooser);
  const char      *suffix = filter ? g_object_get_data (G_OBJECT (filter), "suffix") : NULL;
  g_autofree char *name   = gtk_file_chooser_get_current_name (chooser);
  const char      *before = name ? find_suffix (name) : NULL;
  g_autofree char *stem   = NULL;
  g_autofree char *whole  = NULL;

  if (! suffix || ! before || strcmp (suffix, before) == 0)
    return;
  stem  = g_strndup (name, strlen (name) - strlen (before));
  whole = g_strconcat (stem, suffix, NULL);
  gtk_file_chooser_set_current_name (chooser, whole);
}

static void
add_kinds (GtkFileChooser *chooser)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      GtkFileFilter   *filter  = gtk_file_filter_new ();
      g_autofree char *pattern = g_strconcat ("*", kinds[i].suffix, NULL);

      gtk_file_filter_set_name (filter, g_dgettext (GETTEXT_PACKAGE, kinds[i].label));
      gtk_file_filter_add_pattern (filter, pattern);
      g_object_set_data (G_OBJECT (filter), "suffix", (gpointer) kinds[i].suffix);
      gtk_file_chooser_add_filter (chooser, filter);
    }
  g_signal_connect (chooser, "notify::filter", G_CALLBACK (kind_changed), NULL);
}

static GFile *
choose_file (GtkWindow *window)
{
  GtkWidget *dialog = gtk_file_chooser_dialog_new (_("Save the Objects"), window,
                                                   GTK_FILE_CHOOSER_ACTION_SAVE,
                                                   _("_Cancel"), GTK_RESPONSE_CANCEL,
                                                   _("_Save"), GTK_RESPONSE_ACCEPT, NULL);
  GFile     *file   = NULL;

  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "objects.csv");
  add_kinds (GTK_FILE_CHOOSER (dialog));
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  gtk_widget_destroy (dialog);
  return file;
}

/**
 * wf_objects_save:
 * @window: the dialog
 * @objects: the objects
 *
 * Asks for a file, and writes it; says why it could not.
 */
void
wf_objects_save (GtkWindow             *window,
                 const WfObjectsToSave *objects)
{
  g_autoptr (GFile)   file  = choose_file (window);
  g_autoptr (GError)  error = NULL;
  GtkWidget          *message;

  if (! file || save (objects, file, &error))
    return;
  message = gtk_message_dialog_new (window, GTK_DIALOG_MODAL, GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE,
                                    "%s", error->message);
  gtk_dialog_run (GTK_DIALOG (message));
  gtk_widget_destroy (message);
}

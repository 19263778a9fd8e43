/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user chooses for a folder of images, kept for each procedure in a persistent parasite of
 * GIMP, as a key file.  At first it is the folder of the image, with the results in a folder
 * inside.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "kind.h"
#include "plugins/common/procedure/plug-in.h"
#include "settings.h"

#define PARASITE "wavefront-folder:%s"
#define GROUP    "folder"
#define TYPES    "*.png *.tif *.tiff *.jpg *.jpeg *.xcf"
#define NAME     "{name}"
#define RESULTS  "results"
#define JOINED   "objects.csv"

static const char *const suffixes[WF_FOLDER_N_FORMATS] =
{
  [WF_FOLDER_XCF]  = ".xcf",
  [WF_FOLDER_TIFF] = ".tif",
  [WF_FOLDER_PNG]  = ".png",
};


/*  What was chosen last time  */

static GKeyFile *
recall (WfJob *run)
{
  g_autofree char *name     = g_strdup_printf (PARASITE, run->procedure->name);
  GimpParasite    *parasite = gimp_get_parasite (name);
  GKeyFile        *file     = g_key_file_new ();
  gconstpointer    data;
  guint32          size;

  if (! parasite)
    return file;
  data = gimp_parasite_get_data (parasite, &size);
  if (size > 0)
    g_key_file_load_from_data (file, data, size, G_KEY_FILE_NONE, NULL);
  gimp_parasite_free (parasite);
  return file;
}

static void
take_text (GKeyFile    *file,
           const char  *key,
           char       **value)
{
  char *text = g_key_file_get_string (file, GROUP, key, NULL);

  if (! text)
    return;
  g_free (*value);
  *value = text;
}

static int
take_number (GKeyFile *file,
             const char *key,
             int         most,
             int         otherwise)
{
  g_autoptr (GError) error  = NULL;
  const int          number = g_key_file_get_integer (file, GROUP, key, &error);

  return error || number < 0 || number > most ? otherwise : number;
}

static char *
find_folder (GimpImage *image)
{
  GFile             *file   = gimp_image_get_file (image);
  g_autoptr (GFile)  parent = NULL;

  if (! file)
    file = gimp_image_get_imported_file (image);
  parent = file && g_file_is_native (file) ? g_file_get_parent (file) : NULL;
  return parent ? g_file_get_path (parent) : NULL;
}

static gboolean
has_file (WfJob      *run,
          const char *argument)
{
  g_autoptr (GFile) file = NULL;

  if (argument)
    g_object_get (run->config, argument, &file, NULL);
  return file != NULL;
}

/**
 * wf_folder_settings_init:
 * @settings: set; to be cleared
 * @run: the run whose dialog is open
 *
 * Gets what was chosen last time.  Files that the dialog wants of its image are wanted of each.
 */
void
wf_folder_settings_init (WfFolderSettings *settings,
                         WfJob            *run)
{
  const WfFolderKind  *kind   = run->procedure->folder;
  g_autoptr (GKeyFile) file   = recall (run);
  char                *folder = find_folder (run->image);

  *settings = (WfFolderSettings) {
    .input  = folder ? folder : g_strdup (""),
    .types  = g_strdup (TYPES),
    .output = folder ? g_build_filename (folder, RESULTS, NULL) : g_strdup (""),
    .name   = g_strdup (NAME),
  };
  take_text (file, "input", &settings->input);
  take_text (file, "types", &settings->types);
  take_text (file, "output", &settings->output);
  take_text (file, "name", &settings->name);
  settings->format      = take_number (file, "format", WF_FOLDER_N_FORMATS - 1, WF_FOLDER_XCF);
  settings->layers_only = take_number (file, "layers-only", 1, FALSE);
  settings->existing    = take_number (file, "existing", WF_FOLDER_REPLACE, WF_FOLDER_ASK);
  settings->table       = take_number (file, "table", 1, FALSE) ||
                          has_file (run, kind->table_argument);
  settings->outlines    = take_number (file, "outlines", 1, FALSE) ||
                          has_file (run, kind->outlines_argument);
  settings->joined      = take_number (file, "joined", 1, TRUE);
}

/**
 * wf_folder_settings_keep:
 * @settings: what was chosen
 * @run: the run whose dialog is open
 *
 * Keeps it for the next time.
 */
void
wf_folder_settings_keep (const WfFolderSettings *settings,
                         WfJob                  *run)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char     *name = g_strdup_printf (PARASITE, run->procedure->name);
  g_autofree char     *text = NULL;
  GimpParasite        *parasite;

  g_key_file_set_string (file, GROUP, "input", settings->input);
  g_key_file_set_string (file, GROUP, "types", settings->types);
  g_key_file_set_string (file, GROUP, "output", settings->output);
  g_key_file_set_string (file, GROUP, "name", settings->name);
  g_key_file_set_integer (file, GROUP, "format", settings->format);
  g_key_file_set_integer (file, GROUP, "layers-only", settings->layers_only);
  g_key_file_set_integer (file, GROUP, "existing", settings->existing);
  g_key_file_set_integer (file, GROUP, "table", settings->table);
  g_key_file_set_integer (file, GROUP, "outlines", settings->outlines);
  g_key_file_set_integer (file, GROUP, "joined", settings->joined);
  text     = g_key_file_to_data (file, NULL, NULL);
  parasite = gimp_parasite_new (name, GIMP_PARASITE_PERSISTENT, (guint32) strlen (text), text);
  gimp_attach_parasite (parasite);
  gimp_parasite_free (parasite);
}

/**
 * wf_folder_settings_clear:
 * @settings: settings
 */
void
wf_folder_settings_clear (WfFolderSettings *settings)
{
  g_clear_pointer (&settings->input, g_free);
  g_clear_pointer (&settings->types, g_free);
  g_clear_pointer (&settings->output, g_free);
  g_clear_pointer (&settings->name, g_free);
}


/*  What is to be done  */

/* Numbers need TIFF, as PNG has no floating point; paths alone need XCF. */
static void
choose_suffixes (const WfFolderSettings *settings,
                 WfJob                  *run,
                 WfFolderTask           *task)
{
  const WfFolderKind *kind   = run->procedure->folder;
  GObject            *config = G_OBJECT (run->config);
  const char         *number = suffixes[settings->format == WF_FOLDER_XCF ? WF_FOLDER_XCF
                                                                          : WF_FOLDER_TIFF];

  if (wf_folder_makes_layers (kind, config))
    task->suffixes[WF_FOLDER_LAYERS] = g_strdup (suffixes[settings->format]);
  else if (kind->makes_paths && kind->makes_paths (config))
    task->suffixes[WF_FOLDER_LAYERS] = g_strdup (suffixes[WF_FOLDER_XCF]);
  if (kind->makes_image && kind->makes_image (config))
    task->suffixes[WF_FOLDER_NUMBERS] = g_strconcat (kind->image_suffix, number, NULL);
  if (settings->table && kind->table_argument)
    task->suffixes[WF_FOLDER_TABLE] = g_strdup (".csv");
  if (settings->outlines && kind->outlines_argument)
    task->suffixes[WF_FOLDER_OUTLINES] = g_strdup (".geojson");
  if (settings->joined && kind->table_argument)
    task->joined = g_strdup (JOINED);
  if (task->joined && kind->list_columns)
    task->columns = kind->list_columns (config);
}

static gboolean
makes_nothing (const WfFolderTask *task)
{
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    if (task->suffixes[i])
      return FALSE;
  return ! task->joined;
}

/* “~” is for shells, but people write it. */
static char *
find_path (const char *text)
{
  if (strcmp (text, "~") == 0 || g_str_has_prefix (text, "~" G_DIR_SEPARATOR_S))
    return g_build_filename (g_get_home_dir (), text + 1, NULL);
  return g_strdup (text);
}

/**
 * wf_folder_settings_get_task:
 * @settings: what was chosen
 * @run: the run whose dialog is open
 * @task: set; to be cleared
 * @error: %WF_ERROR_INVALID if nothing would be made
 *
 * Returns: whether there is something to do
 */
gboolean
wf_folder_settings_get_task (const WfFolderSettings  *settings,
                             WfJob                   *run,
                             WfFolderTask            *task,
                             GError                 **error)
{
  *task = (WfFolderTask) {
    .input    = find_path (settings->input),
    .types    = g_strdup (settings->types),
    .output   = find_path (settings->output),
    .name     = g_strdup (settings->name),
    .existing = (WfFolderExisting) settings->existing,
  };
  choose_suffixes (settings, run, task);
  if (! makes_nothing (task))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("No result is selected: no layers, numbers, tables or outlines."));
  return FALSE;
}

/**
 * wf_folder_check:
 * @run: the run whose dialog is open
 * @left_out: (element-type utf8): gets a sentence for each setting that belongs to its image, and
 *   is left out
 * @error: %WF_ERROR_INVALID if the settings make no sense without one that belongs to its image
 *
 * Returns: whether the settings can be those of a folder
 */
gboolean
wf_folder_check (WfJob      *run,
                 GPtrArray  *left_out,
                 GError    **error)
{
  const WfFolderKind *kind = run->procedure->folder;

  if (kind->check && ! kind->check (run, left_out, error))
    return FALSE;
  if (! gimp_selection_is_empty (run->image))
    g_ptr_array_add (left_out, (gpointer) _("The selection is that of this image: all of each "
                                            "image is processed."));
  return TRUE;
}

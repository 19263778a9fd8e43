/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a folder of images leads to: the files of each image, named before anything is done.
 *
 * Names are compared without regard to case, as some file systems do: two results of one name, and
 * a result that would replace one of the images, are refused.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "plan.h"
#include "wavefront.h"

#define NAME "{name}"


/**
 * wf_folder_plan_free:
 * @plan: (nullable): a plan
 */
void
wf_folder_plan_free (WfFolderPlan *plan)
{
  if (! plan)
    return;
  g_clear_object (&plan->output);
  g_clear_pointer (&plan->items, g_ptr_array_unref);
  g_free (plan);
}

/**
 * wf_folder_task_clear:
 * @task: a task whose texts are freed
 */
void
wf_folder_task_clear (WfFolderTask *task)
{
  g_clear_pointer (&task->input, g_free);
  g_clear_pointer (&task->types, g_free);
  g_clear_pointer (&task->output, g_free);
  g_clear_pointer (&task->name, g_free);
  g_clear_pointer (&task->joined, g_free);
  g_clear_pointer (&task->columns, g_strfreev);
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    g_clear_pointer (&task->suffixes[i], g_free);
}


/*  The results  */

static gboolean
refuse (GError     **error,
        const char  *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError     **error,
        const char  *format,
        ...)
{
  g_autofree char *message = NULL;
  va_list          arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}

/* A leading point would hide the results from the next run. */
static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (! strstr (name, NAME))
    return refuse (error, _("The name of the results must contain {name}, which becomes the name "
                            "of the image, but “%s” does not."), name);
  if (strchr (name, G_DIR_SEPARATOR) || strchr (name, '/') || *name == '.')
    return refuse (error, _("“%s” is no name of a file: the folder is chosen above it."), name);
  return TRUE;
}

static void
name_results (WfFolderItem       *item,
              const WfFolderTask *task)
{
  g_autofree char *base = g_file_get_basename (item->input);
  char            *dot  = strrchr (base, '.');
  GString         *stem = g_string_new (task->name);

  if (dot && dot != base)
    *dot = '\0';
  g_string_replace (stem, NAME, base, 0);
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    if (task->suffixes[i])
      item->results[i] = g_strconcat (stem->str, task->suffixes[i], NULL);
  g_string_free (stem, TRUE);
}

static char *
fold (const char *name)
{
  g_autofree char *shown = g_filename_display_name (name);

  return g_utf8_casefold (shown, -1);
}

static gboolean
claim (GHashTable          *claimed,
       const char          *name,
       const WfFolderItem  *item,
       GError             **error)
{
  char               *folded = fold (name);
  const WfFolderItem *other  = g_hash_table_lookup (claimed, folded);

  if (! g_hash_table_contains (claimed, folded))
    {
      g_hash_table_insert (claimed, folded, (gpointer) item);
      return TRUE;
    }
  g_free (folded);
  if (! other || ! item)
    return refuse (error, _("“%s” is also the name of the table of all objects."), name);
  if (other == item)
    return refuse (error, _("Two results of “%s” would have the name “%s”."), item->name, name);
  return refuse (error, _("The results of “%s” and “%s” would both have the name “%s”."),
                 other->name, item->name, name);
}

static gboolean
check_distinct (const WfFolderPlan  *plan,
                GError             **error)
{
  g_autoptr (GHashTable) claimed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (plan->task->joined && ! claim (claimed, plan->task->joined, NULL, error))
    return FALSE;
  for (guint i = 0; i < plan->items->len; i++)
    {
      const WfFolderItem *item = plan->items->pdata[i];

      for (int k = 0; k < WF_FOLDER_N_FILES; k++)
        if (item->results[k] && ! claim (claimed, item->results[k], item, error))
          return FALSE;
    }
  return TRUE;
}

static char *
find_identity (GFile *folder)
{
  g_autoptr (GFileInfo) info = g_file_query_info (folder, G_FILE_ATTRIBUTE_ID_FILE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info ? g_strdup (g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ID_FILE)) : NULL;
}

/* Whether both are one folder, by whatever paths. */
static gboolean
is_same_folder (const WfFolderPlan *plan)
{
  g_autoptr (GFile) input = g_file_new_for_path (plan->task->input);
  g_autofree char  *one   = find_identity (input);
  g_autofree char  *other = find_identity (plan->output);

  return g_file_equal (input, plan->output) || (one && g_strcmp0 (one, other) == 0);
}

static gboolean
check_images (const WfFolderPlan  *plan,
              GError             **error)
{
  g_autoptr (GHashTable) images = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (! is_same_folder (plan))
    return TRUE;
  for (guint i = 0; i < plan->items->len; i++)
    {
      const WfFolderItem *item = plan->items->pdata[i];

      g_hash_table_add (images, fold (item->name));
    }
  for (guint i = 0; i < plan->items->len; i++)
    {
      const WfFolderItem *item = plan->items->pdata[i];

      for (int k = 0; k < WF_FOLDER_N_FILES; k++)
        {
          g_autofree char *folded = item->results[k] ? fold (item->results[k]) : NULL;

          if (folded && g_hash_table_contains (images, folded))
            return refuse (error, _("The result of “%s” would replace the image “%s”: choose "
                                    "another folder or another name."),
                           item->name, item->results[k]);
        }
    }
  return TRUE;
}

static gboolean
exists (const WfFolderPlan *plan,
        const char         *name)
{
  g_autoptr (GFile) file = name ? g_file_get_child (plan->output, name) : NULL;

  return file && g_file_query_exists (file, NULL);
}

static void
look_for_existing (WfFolderPlan *plan)
{
  for (guint i = 0; i < plan->items->len; i++)
    {
      WfFolderItem *item = plan->items->pdata[i];

      for (int k = 0; k < WF_FOLDER_N_FILES && ! item->exists; k++)
        item->exists = exists (plan, item->results[k]);
      plan->n_existing += item->exists;
    }
  plan->joined_exists = exists (plan, plan->task->joined);
}

/**
 * wf_folder_plan_new:
 * @task: what is to be done; must outlive the plan
 * @error: %G_IO_ERROR if the folder of the images cannot be read; %WF_ERROR_INVALID if there is
 *   none in it, or names of results are not possible
 *
 * Names all results; nothing is written.
 *
 * Returns: (transfer full): a plan, or %NULL with @error set
 */
WfFolderPlan *
wf_folder_plan_new (const WfFolderTask  *task,
                    GError             **error)
{
  g_autoptr (WfFolderPlan) plan = g_new0 (WfFolderPlan, 1);

  if (! *task->input || ! *task->output)
    {
      refuse (error, "%s", *task->input ? _("No folder is chosen for the results.")
                                        : _("No folder of images is chosen."));
      return NULL;
    }
  plan->task   = task;
  plan->output = g_file_new_for_path (task->output);
  plan->items  = wf_folder_list (task->input, task->types, error);
  if (! plan->items)
    return NULL;
  if (plan->items->len == 0)
    {
      refuse (error, _("There is no file “%s” in “%s”."), task->types, task->input);
      return NULL;
    }
  if (! check_name (task->name, error))
    return NULL;
  for (guint i = 0; i < plan->items->len; i++)
    name_results (plan->items->pdata[i], task);
  if (! check_distinct (plan, error) || ! check_images (plan, error))
    return NULL;
  look_for_existing (plan);
  return g_steal_pointer (&plan);
}

/**
 * wf_folder_plan_join:
 * @plan: a plan with a table of all objects; its task does not ask about files that exist
 * @error: %WF_ERROR_INVALID if that is gone on with and has other columns; as GIO sets it
 *
 * Returns: (transfer full): the table, or %NULL with @error set
 */
WfJoinedTable *
wf_folder_plan_join (const WfFolderPlan  *plan,
                     GError             **error)
{
  g_autoptr (GFile) file = g_file_get_child (plan->output, plan->task->joined);

  return wf_joined_table_new (file, plan->task->existing == WF_FOLDER_SKIP,
                              (const char *const *) plan->task->columns, error);
}

/**
 * wf_folder_plan_check:
 * @plan: a plan
 * @error: %G_IO_ERROR if nothing can be written to the folder of the results; %WF_ERROR_INVALID if
 *   the table of all objects that is there has other columns
 *
 * Makes the folder of the results if it does not exist.
 *
 * Returns: whether results can be written
 */
gboolean
wf_folder_plan_check (const WfFolderPlan  *plan,
                      GError             **error)
{
  g_autoptr (GError)        failure = NULL;
  g_autoptr (GFileInfo)     info    = NULL;
  g_autoptr (WfJoinedTable) joined  = NULL;

  if (! g_file_make_directory_with_parents (plan->output, NULL, &failure) &&
      ! g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_EXISTS))
    {
      g_set_error (error, failure->domain, failure->code, _("The folder “%s” cannot be made: %s"),
                   plan->task->output, failure->message);
      return FALSE;
    }
  info = g_file_query_info (plan->output, G_FILE_ATTRIBUTE_STANDARD_TYPE ","
                            G_FILE_ATTRIBUTE_ACCESS_CAN_WRITE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (! info || g_file_info_get_file_type (info) != G_FILE_TYPE_DIRECTORY ||
      ! g_file_info_get_attribute_boolean (info, G_FILE_ATTRIBUTE_ACCESS_CAN_WRITE))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   _("Results cannot be written to the folder “%s”."), plan->task->output);
      return FALSE;
    }
  return ! plan->task->joined || (joined = wf_folder_plan_join (plan, error));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The images of a folder: the files whose names match one of some patterns, in the order of their
 * names, where numbers have the order of their values.  Hidden files are left out.
 */

#include "config.h"

#include <string.h>

#include "plan.h"


static void
item_free (gpointer data)
{
  WfFolderItem *item = data;

  g_clear_object (&item->input);
  g_free (item->name);
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    g_free (item->results[i]);
  g_free (item);
}

static GPtrArray *
read_types (const char *types)
{
  GPtrArray       *patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  g_autofree char *lower    = g_utf8_strdown (types, -1);
  g_auto (GStrv)   words    = g_strsplit_set (lower, " ,;", -1);

  for (char **word = words; *word; word++)
    if (**word)
      g_ptr_array_add (patterns, g_pattern_spec_new (*word));
  return patterns;
}

static gboolean
is_wanted (const GPtrArray *patterns,
           GFileInfo       *info)
{
  g_autofree char *name = NULL;

  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_is_hidden (info))
    return FALSE;
  name = g_utf8_strdown (g_file_info_get_display_name (info), -1);
  for (guint i = 0; i < patterns->len; i++)
    if (g_pattern_spec_match_string (patterns->pdata[i], name))
      return TRUE;
  return FALSE;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const WfFolderItem *const *one   = a;
  const WfFolderItem *const *other = b;
  g_autofree char           *x     = g_utf8_collate_key_for_filename ((*one)->name, -1);
  g_autofree char           *y     = g_utf8_collate_key_for_filename ((*other)->name, -1);

  return strcmp (x, y);
}

static gboolean
add_items (GPtrArray        *items,
           GFile            *folder,
           const GPtrArray  *patterns,
           GError          **error)
{
  g_autoptr (GFileEnumerator)  children = NULL;
  GFileInfo                   *info;
  GFile                       *child;

  children = g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME ","
                                        G_FILE_ATTRIBUTE_STANDARD_DISPLAY_NAME ","
                                        G_FILE_ATTRIBUTE_STANDARD_IS_HIDDEN ","
                                        G_FILE_ATTRIBUTE_STANDARD_TYPE,
                                        G_FILE_QUERY_INFO_NONE, NULL, error);
  while (children)
    {
      if (! g_file_enumerator_iterate (children, &info, &child, NULL, error))
        return FALSE;
      if (! info)
        return TRUE;
      if (is_wanted (patterns, info))
        {
          WfFolderItem *item = g_new0 (WfFolderItem, 1);

          item->input = g_object_ref (child);
          item->name  = g_strdup (g_file_info_get_display_name (info));
          g_ptr_array_add (items, item);
        }
    }
  return FALSE;
}

/**
 * wf_folder_list:
 * @folder: the path of a folder
 * @types: patterns of names, separated by blanks; case is ignored
 * @error: %G_IO_ERROR if @folder cannot be read
 *
 * Hidden files are left out.
 *
 * Returns: (transfer full) (nullable) (element-type WfFolderItem): the files, in the order of their
 *   names, without results; %NULL with @error set
 */
GPtrArray *
wf_folder_list (const char  *folder,
                const char  *types,
                GError     **error)
{
  g_autoptr (GFile)     file     = g_file_new_for_path (folder);
  g_autoptr (GPtrArray) patterns = read_types (types);
  g_autoptr (GPtrArray) items    = g_ptr_array_new_with_free_func (item_free);

  if (! add_items (items, file, patterns, error))
    return NULL;
  g_ptr_array_sort (items, compare);
  return g_steal_pointer (&items);
}

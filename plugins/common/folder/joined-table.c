/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of the objects of all images: the lines of each image's table behind its name, as the
 * column “file”.
 *
 * A table that exists may be gone on with: it keeps the lines of images that were not processed
 * now, because their results exist.  Its columns are compared before any image is processed.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/measurements/csv.h"
#include "joined-table.h"
#include "wavefront.h"

/* What precedes the columns of the tables of images. */
#define FIRST "file,"

/**
 * WfJoinedTable:
 * @file: where it is written
 * @keeps: whether it keeps lines of other images
 * @header: the first line, with its end; empty as long as there is none
 * @lines: all others
 * @names: the first cells of these, as they are written
 */
struct _WfJoinedTable
{
  GFile      *file;
  gboolean    keeps;
  GString    *header;
  GString    *lines;
  GHashTable *names;
};


static gboolean
refuse_columns (const WfJoinedTable  *table,
                GError              **error)
{
  g_autofree char *name = g_file_get_parse_name (table->file);

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("“%s” has other columns than the table of this run, which cannot be added to it."),
               name);
  return FALSE;
}

/* Whether @header, with its end, is that of joined tables of images, of which each has one of
 * @columns.
 */
static gboolean
is_possible (const char        *header,
             const char *const *columns)
{
  gsize n;

  if (! g_str_has_prefix (header, FIRST))
    return FALSE;
  header += strlen (FIRST);
  n       = strcspn (header, "\n");
  for (; columns && *columns; columns++)
    if (strncmp (header, *columns, n) == 0 && (*columns)[n] == '\0')
      return TRUE;
  return ! columns;
}

/* Returns: (transfer full) (nullable): the table that exists, with an end of its last line; %NULL
 * with @error set
 */
static char *
load (const WfJoinedTable  *table,
      GError              **error)
{
  g_autofree char *text = NULL;

  if (! g_file_load_contents (table->file, NULL, &text, NULL, NULL, error))
    return NULL;
  return *text == '\0' || g_str_has_suffix (text, "\n") ? g_steal_pointer (&text)
                                                         : g_strconcat (text, "\n", NULL);
}

/* Takes the columns of the table that exists. */
static gboolean
take_header (WfJoinedTable      *table,
             const char *const  *columns,
             GError            **error)
{
  g_autofree char *text = NULL;

  if (! g_file_query_exists (table->file, NULL))
    return TRUE;
  text = load (table, error);
  if (! text)
    return FALSE;
  if (*text == '\0')
    return TRUE;
  if (! is_possible (text, columns))
    return refuse_columns (table, error);
  g_string_append_len (table->header, text, wf_csv_find_line_end (text) - text);
  return TRUE;
}

/**
 * wf_joined_table_new:
 * @file: where it is written
 * @keeps: whether, if @file exists, its lines of other images are kept
 * @columns: (nullable) (array zero-terminated=1): the first lines that the tables of images may
 *   have, without their ends; %NULL for any
 * @error: %WF_ERROR_INVALID if @file has other columns and its lines are kept; as GIO sets it
 *
 * Returns: (transfer full): a table without lines of images, or %NULL with @error set
 */
WfJoinedTable *
wf_joined_table_new (GFile              *file,
                     gboolean            keeps,
                     const char *const  *columns,
                     GError            **error)
{
  g_autoptr (WfJoinedTable) table = g_new (WfJoinedTable, 1);

  table->file   = g_object_ref (file);
  table->keeps  = keeps;
  table->header = g_string_new (NULL);
  table->lines  = g_string_new (NULL);
  table->names  = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (keeps && ! take_header (table, columns, error))
    return NULL;
  return g_steal_pointer (&table);
}

/**
 * wf_joined_table_free:
 * @table: (nullable): a table
 */
void
wf_joined_table_free (WfJoinedTable *table)
{
  if (! table)
    return;
  g_object_unref (table->file);
  g_string_free (table->header, TRUE);
  g_string_free (table->lines, TRUE);
  g_hash_table_unref (table->names);
  g_free (table);
}

/**
 * wf_joined_table_accepts:
 * @table: a table
 * @name: of an image
 * @text: its own table
 * @error: %WF_ERROR_INVALID if it has other columns
 *
 * Returns: whether @text can be added
 */
gboolean
wf_joined_table_accepts (const WfJoinedTable  *table,
                         const char           *name,
                         const char           *text,
                         GError              **error)
{
  const gsize      n    = (gsize) (wf_csv_find_line_end (text) - text);
  g_autofree char *file = NULL;

  if (table->header->len == 0 ||
      (table->header->len == strlen (FIRST) + n &&
       strncmp (table->header->str + strlen (FIRST), text, n) == 0))
    return TRUE;
  file = g_file_get_basename (table->file);
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The table of “%s” has other columns than “%s”, to which it cannot be added."),
               name, file);
  return FALSE;
}

/**
 * wf_joined_table_add:
 * @table: a table
 * @name: of an image
 * @text: its own table, which is accepted
 *
 * Adds the lines of @text.
 */
void
wf_joined_table_add (WfJoinedTable *table,
                     const char    *name,
                     const char    *text)
{
  g_autoptr (GString)  cell = g_string_new (NULL);
  const char          *end  = wf_csv_find_line_end (text);

  wf_csv_append_cell (cell, name, ',');
  g_hash_table_add (table->names, g_strdup (cell->str));
  if (table->header->len == 0)
    {
      g_string_append (table->header, FIRST);
      g_string_append_len (table->header, text, end - text);
    }
  wf_csv_append_lines (table->lines, name, end);
}

/* The lines of a table that exists, of other images than those of @table. */
static gboolean
find_others (WfJoinedTable  *table,
             GString        *others,
             GError        **error)
{
  g_autofree char *text = load (table, error);
  const char      *end;

  if (! text)
    return FALSE;
  end = wf_csv_find_line_end (text);
  if (*text && strncmp (text, table->header->str, table->header->len) != 0)
    return refuse_columns (table, error);
  for (const char *at = end; *at; at = end)
    {
      const char      *cell_end = wf_csv_find_cell_end (at);
      g_autofree char *cell     = g_strndup (at, (gsize) (cell_end - at));

      end = wf_csv_find_line_end (cell_end);
      if (! g_hash_table_contains (table->names, cell))
        g_string_append_len (others, at, end - at);
    }
  return TRUE;
}

/**
 * wf_joined_table_write:
 * @table: a table
 * @missed: whether there are images that were not reached or have failed: their lines are kept if
 *   they have the same columns, as their results are still there
 * @error: %WF_ERROR_INVALID if the file has other columns and its lines are kept; as GIO sets it
 *
 * Replaces the file when all is written; without lines of images nothing is written.
 *
 * Returns: whether it was written
 */
gboolean
wf_joined_table_write (WfJoinedTable  *table,
                       gboolean        missed,
                       GError        **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (g_hash_table_size (table->names) == 0)
    return TRUE;
  if ((table->keeps || missed) && g_file_query_exists (table->file, NULL) &&
      ! find_others (table, text, table->keeps ? error : NULL) && table->keeps)
    return FALSE;
  g_string_prepend (text, table->header->str);
  g_string_append (text, table->lines->str);
  return g_file_replace_contents (table->file, text->str, text->len, NULL, FALSE,
                                  G_FILE_CREATE_NONE, NULL, NULL, error);
}

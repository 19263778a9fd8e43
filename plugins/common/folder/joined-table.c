/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of the objects of all images: the lines of each image's table behind its name, as the
 * column “file”.  Tables of images with a unit have columns that others have not; there they are
 * empty.
 *
 * A table that exists may be gone on with: it keeps the lines of images that were not processed
 * now, because their results exist.  Its columns are compared before any image is processed.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/measurements/csv-columns.h"
#include "joined-table.h"
#include "wavefront.h"

/* What precedes the columns of the tables of images. */
#define FILE_COLUMN "file"

/* What only tables of images with a unit have. */
static const char *const optional[] = { "pixels", "unit", NULL };

/**
 * WfJoinedTable:
 * @file: where it is written
 * @keeps: whether it keeps lines of other images
 * @columns: (element-type utf8): of all; empty as long as there are none
 * @parts: (element-type utf8): the tables of images, each with the column of the file
 * @names: the first cells of these, as they are written
 */
struct _WfJoinedTable
{
  GFile      *file;
  gboolean    keeps;
  GPtrArray  *columns;
  GPtrArray  *parts;
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

static guint
skip_optional (GPtrArray *columns,
               guint      i)
{
  while (i < columns->len && g_strv_contains (optional, columns->pdata[i]))
    i++;
  return i;
}

/* Whether both have the same columns but for the optional ones. */
static gboolean
fit (GPtrArray *one,
     GPtrArray *other)
{
  guint i = skip_optional (one, 0);
  guint k = skip_optional (other, 0);

  while (i < one->len && k < other->len && strcmp (one->pdata[i], other->pdata[k]) == 0)
    {
      i = skip_optional (one, i + 1);
      k = skip_optional (other, k + 1);
    }
  return i == one->len && k == other->len;
}

/* The columns of an image's table, with that of the file. */
static GPtrArray *
list_columns (const char *header)
{
  GPtrArray *columns = wf_csv_split_line (header, NULL);

  g_ptr_array_insert (columns, 0, g_strdup (FILE_COLUMN));
  return columns;
}

/* Whether @found are those of joined tables of images, of which each has one of @columns. */
static gboolean
is_possible (GPtrArray         *found,
             const char *const *columns)
{
  if (strcmp (found->pdata[0], FILE_COLUMN) != 0)
    return FALSE;
  for (guint i = 0; columns && columns[i]; i++)
    {
      g_autoptr (GPtrArray) possible = list_columns (columns[i]);

      if (fit (found, possible))
        return TRUE;
    }
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
  g_autofree char       *text  = NULL;
  g_autoptr (GPtrArray)  found = NULL;

  if (! g_file_query_exists (table->file, NULL))
    return TRUE;
  text = load (table, error);
  if (! text)
    return FALSE;
  if (*text == '\0')
    return TRUE;
  found = wf_csv_split_line (text, NULL);
  if (! is_possible (found, columns))
    return refuse_columns (table, error);
  wf_csv_merge_columns (table->columns, text);
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

  table->file    = g_object_ref (file);
  table->keeps   = keeps;
  table->columns = g_ptr_array_new_with_free_func (g_free);
  table->parts   = g_ptr_array_new_with_free_func (g_free);
  table->names   = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
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
  g_ptr_array_unref (table->columns);
  g_ptr_array_unref (table->parts);
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
  g_autoptr (GPtrArray)  columns = list_columns (text);
  g_autofree char       *file    = NULL;

  if (table->columns->len == 0 || fit (table->columns, columns))
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
  GString             *part = g_string_new (FILE_COLUMN ",");
  const char          *end  = wf_csv_find_line_end (text);

  wf_csv_append_cell (cell, name, ',');
  g_hash_table_add (table->names, g_strdup (cell->str));
  g_string_append_len (part, text, end - text);
  wf_csv_append_lines (part, name, end);
  wf_csv_merge_columns (table->columns, part->str);
  g_ptr_array_add (table->parts, g_string_free (part, FALSE));
}

/* Returns: (transfer full) (nullable): the table that exists, with the lines of other images than
 * those of @table; %NULL with @error set
 */
static char *
find_others (WfJoinedTable  *table,
             GError        **error)
{
  g_autofree char       *text   = load (table, error);
  g_autoptr (GPtrArray)  found  = NULL;
  GString               *others = NULL;
  const char            *end;

  if (! text)
    return NULL;
  found = wf_csv_split_line (text, NULL);
  if (*text && ! fit (table->columns, found))
    {
      refuse_columns (table, error);
      return NULL;
    }
  end    = wf_csv_find_line_end (text);
  others = g_string_new_len (text, end - text);
  for (const char *at = end; *at; at = end)
    {
      const char      *cell_end = wf_csv_find_cell_end (at);
      g_autofree char *cell     = g_strndup (at, (gsize) (cell_end - at));

      end = wf_csv_find_line_end (cell_end);
      if (! g_hash_table_contains (table->names, cell))
        g_string_append_len (others, at, end - at);
    }
  return g_string_free (others, FALSE);
}

/* @others: (nullable): the table with the first lines */
static GString *
join (WfJoinedTable *table,
      const char    *others)
{
  GPtrArray *columns = table->columns;
  GString   *text    = g_string_new (NULL);

  if (others && *others)
    wf_csv_merge_columns (columns, others);
  for (guint i = 0; i < columns->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", (const char *) columns->pdata[i]);
  g_string_append_c (text, '\n');
  if (others && *others)
    wf_csv_append_filled (text, columns, others);
  for (guint i = 0; i < table->parts->len; i++)
    wf_csv_append_filled (text, columns, table->parts->pdata[i]);
  return text;
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
  g_autoptr (GString)  text   = NULL;
  g_autofree char     *others = NULL;

  if (g_hash_table_size (table->names) == 0)
    return TRUE;
  if ((table->keeps || missed) && g_file_query_exists (table->file, NULL))
    {
      others = find_others (table, table->keeps ? error : NULL);
      if (! others && table->keeps)
        return FALSE;
    }
  text = join (table, others);
  return g_file_replace_contents (table->file, text->str, text->len, NULL, FALSE,
                                  G_FILE_CREATE_NONE, NULL, NULL, error);
}

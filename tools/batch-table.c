/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of CSV the first column is the name of the input.  Tables of inputs with a size of pixels have
 * columns that others have not: there are those of all, and cells of what an input has not are
 * empty.  JSON is an object “images”, an array of what there is for each input, with its name as
 * “file”.
 */

#include "config.h"

#include <string.h>

#include "batch-table.h"
#include "engine/measurements/csv.h"
#include "json-text.h"

/**
 * Part:
 * @file: the name of its input, to be shown
 * @text: its table
 */
typedef struct
{
  char *file;
  char *text;
} Part;


static void
part_free (gpointer data)
{
  Part *part = data;

  g_free (part->file);
  g_free (part->text);
  g_free (part);
}

/**
 * batch_table_prepare:
 * @table: filled; to be cleared whatever the result
 * @path: the file to be written in the end, or “-”
 * @format: (nullable): the value of --format
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Returns: whether it can be written
 */
gboolean
batch_table_prepare (BatchTable  *table,
                     const char  *path,
                     const char  *format,
                     GError     **error)
{
  const TableFormat *found = table_format_choose (path, format, error);

  if (! found || ! output_prepare_text (&table->output, path, error))
    return FALSE;
  table->format = found->format;
  table->parts  = g_ptr_array_new_with_free_func (part_free);
  return TRUE;
}

/**
 * batch_table_add:
 * @table: a prepared table
 * @file: the name of an input, to be shown
 * @text: (transfer full): its table, as the command writes it
 *
 * Makes it a part of the table.
 */
void
batch_table_add (BatchTable *table,
                 const char *file,
                 char       *text)
{
  Part *part = g_new (Part, 1);

  part->file = g_strdup (file);
  part->text = text;
  g_ptr_array_add (table->parts, part);
}


/*  CSV  */

/* The raw cells of a line, with their quotes. */
static GPtrArray *
split_line (const char *line)
{
  GPtrArray  *cells = g_ptr_array_new_with_free_func (g_free);
  const char *at    = line;
  const char *end   = wf_csv_find_cell_end (at);

  for (; *end == ','; end = wf_csv_find_cell_end (at))
    {
      g_ptr_array_add (cells, g_strndup (at, (gsize) (end - at)));
      at = end + 1;
    }
  g_ptr_array_add (cells, g_strchomp (g_strndup (at, (gsize) (end - at))));
  return cells;
}

/* Where a column is among @columns, or -1. */
static int
find_column (GPtrArray  *columns,
             const char *name)
{
  guint at;

  return g_ptr_array_find_with_equal_func (columns, name, g_str_equal, &at) ? (int) at : -1;
}

/* A column that is new comes behind the one that it follows in its own table. */
static void
merge_columns (GPtrArray  *columns,
               const char *header)
{
  g_autoptr (GPtrArray) names = split_line (header);
  int                   next  = 0;

  for (guint i = 0; i < names->len; i++)
    {
      const int at = find_column (columns, names->pdata[i]);

      if (at < 0)
        g_ptr_array_insert (columns, next, g_strdup (names->pdata[i]));
      next = (at < 0 ? next : at) + 1;
    }
}

/* Its line, with an empty cell for each column that its table has not. */
static void
append_line (GString    *lines,
             GPtrArray  *columns,
             GPtrArray  *names,
             const char *line)
{
  g_autoptr (GPtrArray) cells = split_line (line);

  for (guint i = 0; i < columns->len; i++)
    {
      const int at = find_column (names, columns->pdata[i]);

      g_string_append (lines, i > 0 ? "," : "");
      g_string_append (lines, at >= 0 && at < (int) cells->len ? cells->pdata[at] : "");
    }
  g_string_append_c (lines, '\n');
}

static void
append_csv (GString    *text,
            const Part *part,
            GPtrArray  *columns)
{
  g_autoptr (GPtrArray)  names = split_line (part->text);
  const char            *first = wf_csv_find_line_end (part->text);
  g_autoptr (GString)    lines = g_string_new (NULL);

  if (names->len < columns->len)
    for (const char *line = first; *line; line = wf_csv_find_line_end (line))
      append_line (lines, columns, names, line);
  wf_csv_append_lines (text, part->file, names->len < columns->len ? lines->str : first);
}

static GString *
format_csv (const GPtrArray *parts)
{
  g_autoptr (GPtrArray)  columns = g_ptr_array_new_with_free_func (g_free);
  GString               *text    = g_string_new ("file");

  for (guint i = 0; i < parts->len; i++)
    merge_columns (columns, ((const Part *) parts->pdata[i])->text);
  for (guint i = 0; i < columns->len; i++)
    g_string_append_printf (text, ",%s", (const char *) columns->pdata[i]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < parts->len; i++)
    append_csv (text, parts->pdata[i], columns);
  return text;
}


/*  JSON  */

static GString *
format_json (const GPtrArray *parts)
{
  GString *text = g_string_new ("{\"images\":[\n");

  for (guint i = 0; i < parts->len; i++)
    {
      const Part      *part   = parts->pdata[i];
      g_autofree char *object = g_strstrip (g_strdup (part->text));

      g_string_append (text, i > 0 ? ",\n{\"file\":" : "{\"file\":");
      json_text_append_string (text, part->file);
      g_string_append_printf (text, ",%s", object + 1);
    }
  g_string_append (text, "\n]}\n");
  return text;
}


/*  Both  */

/**
 * batch_table_write:
 * @table: a table
 * @error: %TOOL_ERROR_FILE
 *
 * Writes the table, if it has any part.
 *
 * Returns: success
 */
gboolean
batch_table_write (BatchTable  *table,
                   GError     **error)
{
  g_autoptr (GString) text = NULL;

  if (table->parts->len == 0)
    return TRUE;
  text = table->format == WF_TABLE_JSON ? format_json (table->parts) : format_csv (table->parts);
  return output_write_text (&table->output, text->str, error) &&
         output_commit (&table->output, error);
}

void
batch_table_clear (BatchTable *table)
{
  output_clear (&table->output);
  g_clear_pointer (&table->parts, g_ptr_array_unref);
}

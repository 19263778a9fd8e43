/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of CSV the first column is the name of the input.  Tables of inputs with a size of pixels have
 * columns that others have not: there are those of all, and cells of what an input has not are
 * empty.  JSON is an object “images”, an array of what there is for each input, with its name as
 * “file”.
 */

#include "config.h"

#include <string.h>

#include "batch-table.h"
#include "engine/measurements/csv-columns.h"
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

static void
append_csv (GString    *text,
            const Part *part,
            GPtrArray  *columns)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  wf_csv_append_filled (lines, columns, part->text);
  wf_csv_append_lines (text, part->file, lines->str);
}

static GString *
format_csv (const GPtrArray *parts)
{
  g_autoptr (GPtrArray)  columns = g_ptr_array_new_with_free_func (g_free);
  GString               *text    = g_string_new ("file");

  for (guint i = 0; i < parts->len; i++)
    wf_csv_merge_columns (columns, ((const Part *) parts->pdata[i])->text);
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

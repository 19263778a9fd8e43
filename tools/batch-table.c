/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of CSV the first column is the name of the input; the others must be the same for all.  JSON is
 * an object “images”, an array of what there is for each input, with its name as “file”.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "batch-table.h"
#include "engine/measurements/csv.h"
#include "json-text.h"
#include "message.h"


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
  table->text   = g_string_new (NULL);
  return TRUE;
}

static gboolean
add_csv (BatchTable  *table,
         const char  *name,
         const char  *part,
         GError     **error)
{
  const char      *lines  = wf_csv_find_line_end (part);
  g_autofree char *header = g_strchomp (g_strndup (part, (gsize) (lines - part)));

  if (! table->header)
    {
      table->header = g_strdup (header);
      table->first  = g_strdup (name);
      g_string_append_printf (table->text, "file,%s\n", header);
    }
  if (strcmp (table->header, header) != 0)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                   _("The table of “%s” has other columns than that of “%s”: they cannot be one "
                     "table of CSV."), name, table->first);
      return FALSE;
    }
  wf_csv_append_lines (table->text, name, lines);
  return TRUE;
}

static void
add_json (BatchTable *table,
          const char *name,
          const char *part)
{
  g_autofree char *object = g_strstrip (g_strdup (part));

  g_string_append (table->text, table->header ? ",\n" : "{\"images\":[\n");
  g_string_append (table->text, "{\"file\":");
  json_text_append_string (table->text, name);
  g_string_append_printf (table->text, ",%s", object + 1);
  if (! table->header)
    table->header = g_strdup ("");
}

/**
 * batch_table_add:
 * @table: a prepared table
 * @file: the name of an input, to be shown
 * @part: its table, as the command writes it
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether it is a part of the table now
 */
gboolean
batch_table_add (BatchTable  *table,
                 const char  *file,
                 const char  *part,
                 GError     **error)
{
  if (table->format == WF_TABLE_CSV)
    return add_csv (table, file, part, error);
  add_json (table, file, part);
  return TRUE;
}

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
  if (! table->header)
    return TRUE;
  if (table->format == WF_TABLE_JSON)
    g_string_append (table->text, "\n]}\n");
  return output_write_text (&table->output, table->text->str, error) &&
         output_commit (&table->output, error);
}

void
batch_table_clear (BatchTable *table)
{
  output_clear (&table->output);
  if (table->text)
    g_string_free (table->text, TRUE);
  g_free (table->header);
  g_free (table->first);
}

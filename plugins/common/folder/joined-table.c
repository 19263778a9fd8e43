/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of the objects of all images: the lines of each image's table behind its name, as the
 * column “file”.
 *
 * A table that exists may be gone on with: it keeps the lines of images that were not processed
 * now, because their results exist.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "joined-table.h"
#include "outcome.h"
#include "wavefront.h"

/**
 * WfJoinedTable:
 * @header: the first line, with its end; empty as long as there is none
 * @lines: all others
 * @names: the first cells of these, as they are written
 */
struct _WfJoinedTable
{
  GString    *header;
  GString    *lines;
  GHashTable *names;
};


/**
 * wf_joined_table_new:
 *
 * Returns: (transfer full): a table without lines
 */
WfJoinedTable *
wf_joined_table_new (void)
{
  WfJoinedTable *table = g_new (WfJoinedTable, 1);

  table->header = g_string_new (NULL);
  table->lines  = g_string_new (NULL);
  table->names  = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return table;
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
  g_string_free (table->header, TRUE);
  g_string_free (table->lines, TRUE);
  g_hash_table_unref (table->names);
  g_free (table);
}

static const char *
find_line_end (const char *at)
{
  const char *end = strchr (at, '\n');

  return end ? end + 1 : at + strlen (at);
}

/**
 * wf_joined_table_add:
 * @table: a table
 * @name: of an image
 * @text: its own table
 *
 * Adds the lines of @text.
 */
void
wf_joined_table_add (WfJoinedTable *table,
                     const char    *name,
                     const char    *text)
{
  g_autoptr (GString)  cell = g_string_new (NULL);
  const char          *end  = find_line_end (text);

  wf_folder_add_cell (cell, name, ',');
  g_hash_table_add (table->names, g_strdup (cell->str));
  if (table->header->len == 0)
    {
      g_string_append (table->header, "file,");
      g_string_append_len (table->header, text, end - text);
    }
  for (const char *at = end; *at; at = end)
    {
      end = find_line_end (at);
      g_string_append_printf (table->lines, "%s,", cell->str);
      g_string_append_len (table->lines, at, end - at);
    }
}

/* Behind the first cell of a line; quotes in it are doubled. */
static const char *
find_cell_end (const char *at)
{
  gboolean quoted = FALSE;

  for (; *at && (quoted || (*at != ',' && *at != '\n')); at++)
    if (*at == '"')
      quoted = ! quoted;
  return at;
}

/* The lines of a table that exists, of other images than those of @table. */
static gboolean
find_others (WfJoinedTable  *table,
             GFile          *file,
             GString        *others,
             GError        **error)
{
  g_autofree char *text = NULL;
  const char      *end;

  if (! g_file_load_contents (file, NULL, &text, NULL, NULL, error))
    return FALSE;
  end = find_line_end (text);
  if (table->header->len == 0)
    g_string_append_len (table->header, text, end - text);
  if (strncmp (text, table->header->str, table->header->len) != 0)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("“%s” has other columns than the table of this run, which cannot be added to "
                     "it."), name);
      return FALSE;
    }
  for (const char *at = end; *at; at = end)
    {
      const char      *cell_end = find_cell_end (at);
      g_autofree char *cell     = g_strndup (at, (gsize) (cell_end - at));

      end = find_line_end (cell_end);
      if (! g_hash_table_contains (table->names, cell))
        g_string_append_len (others, at, end - at);
    }
  return TRUE;
}

/**
 * wf_joined_table_write:
 * @table: a table
 * @file: where it is written
 * @keep_others: whether, if @file exists, its lines of other images are kept
 * @error: %WF_ERROR_INVALID if @file has other columns; as GIO sets it
 *
 * Replaces @file when all is written; without lines nothing is written.
 *
 * Returns: whether it was written
 */
gboolean
wf_joined_table_write (WfJoinedTable  *table,
                       GFile          *file,
                       gboolean        keep_others,
                       GError        **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (table->header->len == 0)
    return TRUE;
  if (keep_others && g_file_query_exists (file, NULL) && ! find_others (table, file, text, error))
    return FALSE;
  g_string_prepend (text, table->header->str);
  g_string_append (text, table->lines->str);
  return g_file_replace_contents (file, text->str, text->len, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                  NULL, error);
}

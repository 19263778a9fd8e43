/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "files/store.h"
#include "files/stream.h"
#include "message.h"
#include "table-format.h"

static const TableFormat formats[] =
{
  { "csv",  WF_TABLE_CSV },
  { "json", WF_TABLE_JSON },
};


/**
 * table_format_find:
 * @suffix: of a file, without a dot
 *
 * Returns: (nullable): the format with that suffix
 */
const TableFormat *
table_format_find (const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_ascii_strcasecmp (suffix, formats[i].suffix) == 0)
      return &formats[i];
  return NULL;
}

/**
 * table_format_refuse:
 * @suffix: for which there is no format
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: %FALSE
 */
gboolean
table_format_refuse (const char  *suffix,
                     GError     **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Unknown format “%s” of a table: it must be csv or json."), suffix);
  return FALSE;
}

/**
 * table_format_choose:
 * @path: the file of a table, or “-”
 * @format: (nullable): the value of --format, or %NULL without it
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: (nullable): the format of the table
 */
const TableFormat *
table_format_choose (const char  *path,
                     const char  *format,
                     GError     **error)
{
  const char        *dot   = strrchr (path, '.');
  const TableFormat *found = NULL;
  g_autofree char   *name  = NULL;

  if (stream_is_named (path) || (store_is_named (path) && ! dot))
    return format ? table_format_find (format) : &formats[0];
  if (dot)
    found = table_format_find (dot + 1);
  if (found || path[0] == '\0')
    return found ? found : &formats[0];

  name = g_filename_display_name (path);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The name of a table must end in .csv or .json, but “%s” does not."), name);
  return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The text of comma-separated values (RFC 4180, but lines end as on this system), for the library,
 * the command and the plug-ins.  Functions of a header, as they need nothing of the library.
 */

#pragma once

#include <string.h>

#include <glib.h>

/**
 * wf_csv_append_cell:
 * @text: grows
 * @cell: what is in the cell
 * @separator: between cells: a comma, or a tab
 *
 * Appends a cell, in quotes if the text would end it.
 */
static inline void
wf_csv_append_cell (GString    *text,
                    const char *cell,
                    char        separator)
{
  if (! strpbrk (cell, "\"\r\n") && ! strchr (cell, separator))
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  for (; *cell; cell++)
    {
      if (*cell == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *cell);
    }
  g_string_append_c (text, '"');
}

/**
 * wf_csv_find_line_end:
 * @at: in a text
 *
 * Returns: the beginning of the next line, or the end of the text
 */
static inline const char *
wf_csv_find_line_end (const char *at)
{
  const char *end = strchr (at, '\n');

  return end ? end + 1 : at + strlen (at);
}

/**
 * wf_csv_find_cell_end:
 * @at: the beginning of a cell; quotes in it are doubled
 *
 * Returns: the comma or the line end behind the cell, or the end of the text
 */
static inline const char *
wf_csv_find_cell_end (const char *at)
{
  gboolean quoted = FALSE;

  for (; *at && (quoted || (*at != ',' && *at != '\n')); at++)
    if (*at == '"')
      quoted = ! quoted;
  return at;
}

/**
 * wf_csv_append_lines:
 * @text: grows
 * @cell: the first cell of each line
 * @lines: of numbers and words, without line ends in quotes
 *
 * Appends lines behind a cell that is the same for all.
 */
static inline void
wf_csv_append_lines (GString    *text,
                     const char *cell,
                     const char *lines)
{
  const char *end;

  for (const char *at = lines; *at; at = end)
    {
      end = wf_csv_find_line_end (at);
      wf_csv_append_cell (text, cell, ',');
      g_string_append_c (text, ',');
      g_string_append_len (text, at, end - at);
      if (end[-1] != '\n')
        g_string_append_c (text, '\n');
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables that are joined and do not all have the same columns: there are those of all, and cells of
 * what a table has not are empty.  Functions of a header, as those of csv.h.
 */

#pragma once

#include "csv.h"

/**
 * wf_csv_split_line:
 * @line: in a text
 * @next: (nullable): set to the beginning of the next line, or the end of the text
 *
 * Returns: (transfer full) (element-type utf8): the cells as they are written, with their quotes
 */
static inline GPtrArray *
wf_csv_split_line (const char  *line,
                   const char **next)
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
  if (next)
    *next = *end ? end + 1 : end;
  return cells;
}

/* Where a column is among @columns, or -1. */
static inline int
wf_csv_find_column (GPtrArray  *columns,
                    const char *name)
{
  guint at;

  return g_ptr_array_find_with_equal_func (columns, name, g_str_equal, &at) ? (int) at : -1;
}

/**
 * wf_csv_merge_columns:
 * @columns: (element-type utf8): grows
 * @table: with a line of names
 *
 * A column that is new comes behind the one that it follows in its own table.
 */
static inline void
wf_csv_merge_columns (GPtrArray  *columns,
                      const char *table)
{
  g_autoptr (GPtrArray) names = wf_csv_split_line (table, NULL);
  int                   next  = 0;

  for (guint i = 0; i < names->len; i++)
    {
      const int at = wf_csv_find_column (columns, names->pdata[i]);

      if (at < 0)
        g_ptr_array_insert (columns, next, g_strdup (names->pdata[i]));
      next = (at < 0 ? next : at) + 1;
    }
}

/**
 * wf_csv_append_filled:
 * @text: grows
 * @columns: (element-type utf8): those of the joined table
 * @table: with a line of names, all among @columns
 *
 * Appends the other lines, with an empty cell for each column that they have not.
 */
static inline void
wf_csv_append_filled (GString    *text,
                      GPtrArray  *columns,
                      const char *table)
{
  const char            *line;
  g_autoptr (GPtrArray)  names = wf_csv_split_line (table, &line);

  while (*line)
    {
      g_autoptr (GPtrArray) cells = wf_csv_split_line (line, &line);

      for (guint i = 0; i < columns->len; i++)
        {
          const int at = wf_csv_find_column (names, columns->pdata[i]);

          g_string_append (text, i > 0 ? "," : "");
          g_string_append (text, at >= 0 && at < (int) cells->len ? cells->pdata[at] : "");
        }
      g_string_append_c (text, '\n');
    }
}

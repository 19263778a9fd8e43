/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of measurements as text: comma-separated values (RFC 4180, but lines end as on this
 * system), or an array of JSON objects (RFC 8259), one on each line.  Numbers and names are the
 * same in every language, because programs read them.  A number that is infinite or none is left
 * empty; in JSON it is null.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/whole-file.h"
#include "csv.h"
#include "table-text.h"


/* The caller's place, or with NULL that of a whole image, with 0 for what its struct is too short
 * for; a pixel without a size has one of 1.
 */
WfTablePlace
wf_table_place_take (const WfTablePlace *place)
{
  WfTablePlace taken = { 0 };

  if (place)
    {
      g_return_val_if_fail (place->size > 0, taken);
      memcpy (&taken, place, MIN (place->size, sizeof taken));
    }
  for (int axis = 0; axis < 3; axis++)
    if (! (taken.spacing[axis] > 0))
      taken.spacing[axis] = 1;
  taken.size = sizeof taken;
  return taken;
}

/**
 * wf_table_text_begin:
 * @table: filled
 * @format: of the text
 * @digits: of real numbers
 *
 * Begins a table; the names of its columns follow.
 */
void
wf_table_text_begin (WfTableText   *table,
                     WfTableFormat  format,
                     int            digits)
{
  *table = (WfTableText) { g_string_new (NULL), format, digits, g_ptr_array_new () };
}

/* @name: of the next column; a string that outlives the table */
void
wf_table_text_add_name (WfTableText *table,
                        const char  *name)
{
  if (table->format == WF_TABLE_CSV)
    g_string_append_printf (table->text, "%s%s", table->names->len > 0 ? "," : "", name);
  g_ptr_array_add (table->names, (gpointer) name);
}

/* The names are complete, and so is the line before. */
void
wf_table_text_begin_line (WfTableText *table)
{
  if (table->format == WF_TABLE_JSON)
    g_string_append (table->text, table->n_lines > 0 ? ",\n{" : "[\n{");
  else if (table->n_lines == 0)
    g_string_append_c (table->text, '\n');
  table->n_lines++;
  table->cell = 0;
}

static void
begin_cell (WfTableText *table)
{
  if (table->cell > 0)
    g_string_append_c (table->text, ',');
  if (table->format == WF_TABLE_JSON)
    g_string_append_printf (table->text, "\"%s\":",
                            (const char *) table->names->pdata[table->cell]);
  table->cell++;
}

void
wf_table_text_add_whole (WfTableText *table,
                         gint64       number)
{
  begin_cell (table);
  g_string_append_printf (table->text, "%" G_GINT64_FORMAT, number);
}

void
wf_table_text_add_real (WfTableText *table,
                        double       number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];

  begin_cell (table);
  g_snprintf (format, sizeof format, "%%.%dg", table->digits);
  if (isfinite (number))
    g_string_append (table->text, g_ascii_formatd (buffer, sizeof buffer, format, number));
  else if (table->format == WF_TABLE_JSON)
    g_string_append (table->text, "null");
}

/* Appends @string, which is UTF-8, in quotes. */
void
wf_table_text_append_json_string (GString    *text,
                                  const char *string)
{
  g_string_append_c (text, '"');
  for (; *string; string++)
    if (*string == '"' || *string == '\\')
      g_string_append_printf (text, "\\%c", *string);
    else if ((guchar) *string < ' ')
      g_string_append_printf (text, "\\u%04x", (guint) *string);
    else
      g_string_append_c (text, *string);
  g_string_append_c (text, '"');
}

void
wf_table_text_add_string (WfTableText *table,
                          const char  *string)
{
  begin_cell (table);
  if (table->format == WF_TABLE_JSON)
    wf_table_text_append_json_string (table->text, string);
  else
    wf_csv_append_cell (table->text, string, ',');
}

void
wf_table_text_end_line (WfTableText *table)
{
  g_string_append_c (table->text, table->format == WF_TABLE_JSON ? '}' : '\n');
}

/* Returns: (transfer full): the text */
char *
wf_table_text_end (WfTableText *table)
{
  if (table->format == WF_TABLE_JSON)
    g_string_append (table->text, table->n_lines > 0 ? "\n]" : "[]");
  else if (table->n_lines == 0)
    g_string_append_c (table->text, '\n');
  g_ptr_array_unref (table->names);
  return g_string_free (table->text, FALSE);
}

/* Writes @text to @file, which appears complete or stays as it was: %WF_ERROR_INVALID. */
gboolean
wf_table_text_write (GFile       *file,
                     const char  *text,
                     GError     **error)
{
  g_autofree char    *name   = g_file_get_parse_name (file);
  g_autoptr (GError)  reason = NULL;

  if (wf_whole_file_write (file, text, strlen (text), &reason))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("The table “%s” cannot be written: %s"),
               name, reason->message);
  return FALSE;
}

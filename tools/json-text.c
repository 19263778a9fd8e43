/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "json-text.h"


/**
 * json_text_append_string:
 * @text: gets the string, in quotes
 * @string: in UTF-8
 */
void
json_text_append_string (GString    *text,
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

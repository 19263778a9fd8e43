/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "choice.h"
#include "tools/message.h"


/**
 * choice_parse:
 * @choice: what is read
 * @name: "channel", "series", "level" or "slice"
 * @value: a number from 0 on
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether @value is such a number.
 */
gboolean
choice_parse (Choice      *choice,
              const char  *name,
              const char  *value,
              GError     **error)
{
  int    *place = strcmp (name, "channel") == 0  ? &choice->channel
                  : strcmp (name, "series") == 0 ? &choice->series
                  : strcmp (name, "level") == 0  ? &choice->level
                                                 : &choice->slice;
  gint64  number;

  if (! g_ascii_string_to_signed (value, 10, 0, G_MAXINT, &number, NULL))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The value of %s, “%s”, is not a whole number from 0 on."), name, value);
      return FALSE;
    }
  *place = (int) number;
  return TRUE;
}

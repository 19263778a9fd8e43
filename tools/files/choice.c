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

/**
 * choice_take:
 * @option: "channel", "series", "level" or "slice"
 * @chosen: its value, or −1
 * @n: how many there are
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: the chosen number, or 0; −1 if it is not below @n.
 */
int
choice_take (const char  *option,
             int          chosen,
             int          n,
             GError     **error)
{
  if (chosen < n)
    return MAX (chosen, 0);

  if (n == 1)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("--%s %d: it holds only number 0"), option,
                 chosen);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("--%s %d: it holds the numbers 0 to %d"),
                 option, chosen, n - 1);
  return -1;
}

/**
 * choice_of_input:
 * @choice: what is read of the inputs of levels
 * @number: of an input
 *
 * Returns: what is read of that one: of the first the stain, if any; others, such as a marker, are
 *   what was made of it
 */
Choice
choice_of_input (const Choice *choice,
                 guint         number)
{
  Choice own = *choice;

  if (number > 0)
    own.stain = NULL;
  return own;
}

/**
 * choice_refuse_stain:
 * @choice: what is read of an image without colors
 * @name: of its file, to the user
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: %TRUE if no stain was chosen.
 */
gboolean
choice_refuse_stain (const Choice  *choice,
                     const char    *name,
                     GError       **error)
{
  if (! choice->stain)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot read “%s”: it has no colors that a stain could be found in (--stain)."),
               name);
  return FALSE;
}

/**
 * choice_add_note:
 * @notes: what is left out of a file, in words
 * @format: another one
 */
void
choice_add_note (GString    *notes,
                 const char *format,
                 ...)
{
  va_list arguments;

  if (notes->len > 0)
    g_string_append (notes, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (notes, format, arguments);
  va_end (arguments);
}

/**
 * choice_find_planes:
 * @choice: what is read
 * @n_channels: of the image
 * @n_slices: likewise
 * @n_frames: points in time, likewise
 * @planes: filled
 * @notes: gets what is left out, in words
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * A stack of one channel, or a slice; points in time are slices where there are no others.
 *
 * Returns: whether there is what was chosen
 */
gboolean
choice_find_planes (const Choice  *choice,
                    int            n_channels,
                    int            n_slices,
                    int            n_frames,
                    Planes        *planes,
                    GString       *notes,
                    GError       **error)
{
  const gboolean timed   = n_slices == 1 && n_frames > 1;
  const int      n       = timed ? n_frames : n_slices;
  const int      channel = choice_take ("channel", choice->channel, n_channels, error);
  const int      slice   = channel < 0 ? -1 : choice_take ("slice", choice->slice, n, error);
  const gboolean one     = choice->slice >= 0;

  if (slice < 0)
    return FALSE;
  if (choice->channel < 0 && n_channels > 1)
    choice_add_note (notes, _("of its %d channels only number 0 is read (--channel)"), n_channels);
  if (timed && ! one)
    choice_add_note (notes, _("its %d points in time are read as slices (--slice)"), n);
  if (! timed && n_frames > 1)
    choice_add_note (notes, _("of its %d points in time only the first is read"), n_frames);
  *planes = (Planes) { channel, slice, one ? 1 : n, timed };
  return TRUE;
}

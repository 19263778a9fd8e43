/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "stream.h"
#include "tools/message.h"

/**
 * doubles_to_floats:
 * @doubles: levels
 * @n: how many
 * @levels: as many
 * @rounded: set to %TRUE if a level was rounded, otherwise left as it is
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: %FALSE if a finite level is beyond the range of 32 bits.
 */
gboolean
doubles_to_floats (const double  *doubles,
                   gsize          n,
                   float         *levels,
                   gboolean      *rounded,
                   GError       **error)
{
  gboolean differs = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      levels[i] = (float) doubles[i];
      if (isinf (levels[i]) && ! isinf (doubles[i]))
        return refuse_because (_("it holds levels that 32-bit floating point cannot hold"), error);
      differs |= ! isnan (doubles[i]) && levels[i] != doubles[i];
    }
  *rounded |= differs;
  return TRUE;
}

/**
 * doubles_make_notice:
 * @path: a file whose levels were rounded
 *
 * Returns: (transfer full): a sentence that says so.
 */
char *
doubles_make_notice (const char *path)
{
  g_autofree char *name = stream_show_name (path);

  return g_strdup_printf (_("“%s” holds 64-bit floating point, "
                            "which was rounded to 32 bits."), name);
}

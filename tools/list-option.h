/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An option whose value is a list in JSON. */

#pragma once

#include <glib.h>

/**
 * ListParseFunc:
 * @text: the list
 * @error: for what is none
 *
 * Returns: (transfer full): the list, or %NULL with @error set
 */
typedef gpointer (* ListParseFunc) (const char  *text,
                                    GError     **error);

gpointer list_option_read (const char    *value,
                           const char    *too_large,
                           ListParseFunc  parse,
                           GError       **error);

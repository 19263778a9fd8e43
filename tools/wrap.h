/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text in the columns of a terminal. */

#pragma once

#include <glib.h>

glong wrap_count_columns (const char *text);
void  wrap_append        (GString    *out,
                          const char *text,
                          glong       column,
                          int         indent,
                          int         width);

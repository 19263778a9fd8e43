/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is undone when a signal ends the command: its temporary files. */

#pragma once

#include <glib.h>

void signals_install       (char          *text);
void signals_add_mapping   (gconstpointer  start,
                            gsize          length,
                            char          *text);
int  signals_add_temporary (const char    *path);
void signals_drop          (int            slot);
void signals_add_child     (int            child);
void signals_drop_child    (int            child);
void signals_begin_child   (void);
void signals_set_line_open (gboolean       open);

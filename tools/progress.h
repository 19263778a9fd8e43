/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The percentage on standard error, for --progress. */

#pragma once

#include <glib.h>

void progress_begin     (const char *operation,
                         int         n_steps);
void progress_next_step (void);
void progress_update    (double      fraction,
                         gpointer    unused);
void progress_stop      (void);
void progress_end_line  (void);

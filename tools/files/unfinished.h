/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result that is kept when the command is interrupted, for --resume: beside the output, OUT, a
 * folder OUT.unfinished with
 *
 *   image    what is written so far, with the suffix of OUT
 *   task     what is computed from which files
 *   rows-N   of the process with number N: a line "first end" for rows that are finished, counted
 *            over all slices, written after they are on the disk
 */

#pragma once

#include <glib.h>

#define UNFINISHED_SUFFIX ".unfinished"

typedef struct _Unfinished Unfinished;

Unfinished * unfinished_open       (const char        *target,
                                    const char        *suffix,
                                    const char        *task,
                                    GError           **error);
const char * unfinished_get_image  (const Unfinished  *unfinished);
gint64       unfinished_count_rows (const Unfinished  *unfinished,
                                    gint64             first,
                                    gint64             end);
gboolean     unfinished_add        (Unfinished        *unfinished,
                                    gint64             first,
                                    gint64             end,
                                    int                image,
                                    gboolean           folder,
                                    GError           **error);
gboolean     unfinished_flush      (Unfinished        *unfinished,
                                    int                image,
                                    gboolean           folder,
                                    GError           **error);
gboolean     unfinished_forget     (Unfinished        *unfinished,
                                    GError           **error);
void         unfinished_recall     (Unfinished        *unfinished,
                                    gint64             n_rows);
void         unfinished_remove     (Unfinished        *unfinished,
                                    gboolean           if_empty);
void         unfinished_free       (Unfinished        *unfinished);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command as one of several processes that work on one image: the ranks of an MPI launcher.
 *
 * All ranks run the same command with the same words.  The first one speaks for all: it alone
 * prints, makes files and gives them their names.
 */

#pragma once

#include "wavefront.h"

gboolean         ranks_parse_wish     (const char  *text,
                                       GError     **error);
gboolean         ranks_open           (GError     **error);
void             ranks_close          (void);
gboolean         ranks_are_several    (void);
gboolean         ranks_is_first       (void);
guint            ranks_count          (void);
WfCommunicator * ranks_get            (void);
guint            ranks_count_on_host  (void);
void             ranks_deal           (gint64       n,
                                       gint64      *first,
                                       gint64      *end);
void             ranks_find_rows      (gint64       height,
                                       gint64       depth,
                                       gint64      *first,
                                       gint64      *end);
gboolean         ranks_wait           (GError     **error);
char *           ranks_share_path     (const char  *path,
                                       const char  *name,
                                       GError     **error);
gboolean         ranks_tell_failure   (GError      *error);

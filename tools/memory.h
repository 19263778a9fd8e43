/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much main memory the command may take, by --memory-limit. */

#pragma once

#include <glib.h>

gboolean memory_parse_limit   (const char  *text,
                               GError     **error);
char *   memory_claim         (guint64      bytes);
gboolean memory_claim_to_read (const char  *path,
                               guint64      bytes,
                               GError     **error);
void     memory_share         (guint        n);
void     memory_keep          (guint64      bytes);
guint64  memory_count         (void);
void     memory_release       (guint64      bytes);
guint64  memory_left          (void);

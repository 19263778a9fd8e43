/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * WfFolderMove:
 * @from: a file
 * @to: where it is moved, on the same file system
 *
 * A file that replaces what is there.
 */
typedef struct
{
  GFile *from;
  GFile *to;
} WfFolderMove;

gboolean wf_folder_moves_make (const WfFolderMove  *moves,
                               guint                n,
                               GError             **error);

G_END_DECLS

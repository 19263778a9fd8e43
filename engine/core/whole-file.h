/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that appears whole or not at all. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean wf_whole_file_write (GFile       *file,
                              const char  *contents,
                              gsize        length,
                              GError     **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files as bytes in memory. */

#pragma once

#include <glib.h>

int           bytes_open     (const char     *path,
                              GError        **error);
GMappedFile * bytes_map      (const char     *path,
                              GError        **error);
gboolean      bytes_write    (int             descriptor,
                              gconstpointer   bytes,
                              gsize           n,
                              gsize           pixel_size,
                              GError        **error);
gboolean      bytes_write_at (int             descriptor,
                              gint64          offset,
                              gconstpointer   bytes,
                              gsize           n,
                              gsize           pixel_size,
                              GError        **error);
gboolean      bytes_read_at  (int             descriptor,
                              gint64          offset,
                              gpointer        bytes,
                              gsize           n,
                              gsize           pixel_size,
                              GError        **error);
void          bytes_read_ahead
                             (int             descriptor,
                              guint64         offset,
                              guint64         n);
void          bytes_swap     (gpointer        bytes,
                              gsize           n,
                              gsize           pixel_size);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Standard input and output in the place of files: "-" on the command line. */

#pragma once

#include <sys/stat.h>

#include <glib.h>

gboolean     stream_is_named    (const char         *path);

gboolean     stream_claim_input (GError            **error);
const char * stream_find_input  (GError            **error);

gboolean     stream_is_own      (const struct stat  *status);

int          stream_open_store  (GError            **error);
gboolean     stream_send        (int                 store,
                                 GError            **error);

char *       stream_show_name   (const char         *path);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an output replaces. */

#pragma once

#include <glib.h>

char *   existing_resolve (const char  *path);
gboolean existing_check   (const char  *given,
                           const char  *path,
                           const char  *name,
                           gboolean     folder,
                           GError     **error);
char *   existing_hand_on (const char  *path,
                           const char  *name,
                           int          descriptor);

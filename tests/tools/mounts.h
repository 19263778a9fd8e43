/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mounts that end with the process; called in the child before the command starts. */

#pragma once

#include <glib.h>

gboolean mounts_are_own (void);
gboolean mounts_bind    (const char *path);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What --stats says of several processes. */

#pragma once

#include <glib.h>

char *rank_stats_format (double   seconds,
                         GError **error);

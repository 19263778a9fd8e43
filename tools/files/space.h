/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Room on the disk of an output. */

#pragma once

#include <glib.h>

char * space_claim (const char *path,
                    guint64     bytes);

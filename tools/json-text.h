/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts in JSON. */

#pragma once

#include <glib.h>

void json_text_append_string (GString    *text,
                              const char *string);

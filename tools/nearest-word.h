/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was meant by a word that is none. */

#pragma once

#include <glib.h>

const char * nearest_word (const char      *word,
                           const GPtrArray *words);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The text of a chain as words. */

#pragma once

#include <glib.h>

GPtrArray * chain_words_split (const char  *text,
                               GError     **error);

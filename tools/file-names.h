/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names of outputs that follow from those of the inputs. */

#pragma once

#include <glib.h>

/**
 * NamePlace:
 * @file: the input
 * @number: its number among the inputs, from 1
 * @n: of inputs
 * @tables: (element-type utf8) (nullable): names that stand for one table of all inputs; each input
 *   has its part in the store, by file_names_of_table()
 *
 * One of several inputs.
 */
typedef struct
{
  const char      *file;
  guint            number;
  guint            n;
  const GPtrArray *tables;
} NamePlace;

gboolean file_names_has_placeholder (const char       *pattern);
gboolean file_names_check           (const char       *pattern,
                                     GError          **error);
char *   file_names_resolve         (const char       *pattern,
                                     const NamePlace  *place);
char *   file_names_of_table        (guint             table,
                                     const char       *pattern);

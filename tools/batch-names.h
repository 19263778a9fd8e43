/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The outputs of a command for several inputs. */

#pragma once

#include "arguments.h"

/**
 * BatchNames:
 * @tables: (element-type utf8): names of tables of all inputs
 *
 * What is written, as far as the command line tells.
 */
typedef struct
{
  GPtrArray *tables;
} BatchNames;

gboolean batch_names_find  (BatchNames       *names,
                            const Arguments  *arguments,
                            GError          **error);
void     batch_names_clear (BatchNames       *names);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BatchNames, batch_names_clear)

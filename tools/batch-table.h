/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of several inputs. */

#pragma once

#include "files/output.h"
#include "table-format.h"

/**
 * BatchTable:
 * @output: the file
 *
 * A table that grows by the part of one input after the other.
 */
typedef struct
{
  Output         output;
  /*< private >*/
  WfTableFormat  format;
  GPtrArray     *parts;
} BatchTable;

gboolean batch_table_prepare (BatchTable  *table,
                              const char  *path,
                              const char  *format,
                              GError     **error);
void     batch_table_add     (BatchTable  *table,
                              const char  *file,
                              char        *text);
gboolean batch_table_write   (BatchTable  *table,
                              GError     **error);
void     batch_table_clear   (BatchTable  *table);

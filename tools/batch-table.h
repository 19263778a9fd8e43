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
  char          *header;    /* of CSV; NULL: no part yet */
  char          *first;     /* whose header it is */
  GString       *text;
} BatchTable;

gboolean batch_table_prepare (BatchTable  *table,
                              const char  *path,
                              const char  *format,
                              GError     **error);
gboolean batch_table_add     (BatchTable  *table,
                              const char  *file,
                              const char  *part,
                              GError     **error);
gboolean batch_table_write   (BatchTable  *table,
                              GError     **error);
void     batch_table_clear   (BatchTable  *table);

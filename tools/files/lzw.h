/* SPDX-License-Identifier: GPL-3.0-or-later */

/* LZW as TIFF has it. */

#pragma once

#include <glib.h>

typedef struct _LzwTable LzwTable;

LzwTable * lzw_table_new  (void);
void       lzw_table_free (LzwTable     *table);
gsize      lzw_bound      (gsize         n);
gsize      lzw_compress   (LzwTable     *table,
                           const guint8 *bytes,
                           gsize         n,
                           guint8       *out);

/* Of a table. */
#define LZW_TABLE_BYTES ((gsize) 128 << 10)

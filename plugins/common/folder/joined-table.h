/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _WfJoinedTable WfJoinedTable;

WfJoinedTable * wf_joined_table_new     (GFile                *file,
                                         gboolean              keeps,
                                         const char *const    *columns,
                                         GError              **error);
void            wf_joined_table_free    (WfJoinedTable        *table);
gboolean        wf_joined_table_accepts (const WfJoinedTable  *table,
                                         const char           *name,
                                         const char           *text,
                                         GError              **error);
void            wf_joined_table_add     (WfJoinedTable        *table,
                                         const char           *name,
                                         const char           *text);
gboolean        wf_joined_table_write   (WfJoinedTable        *table,
                                         gboolean              missed,
                                         GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfJoinedTable, wf_joined_table_free)

G_END_DECLS

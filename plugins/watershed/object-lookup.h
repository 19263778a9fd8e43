/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "object-measuring.h"

G_BEGIN_DECLS

gint64   wf_object_table_find_at    (const WfObjectTable *table,
                                     double               x,
                                     double               y);
gboolean wf_object_table_find_place (const WfObjectTable *table,
                                     gint64               object,
                                     double               place[2]);

G_END_DECLS

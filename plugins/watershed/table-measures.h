/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TABLE_MEASURES "table-measures"

void     wf_table_measures_add_argument (GimpProcedure  *procedure);
gboolean wf_table_measures_read         (GObject        *config,
                                         guint64        *measures,
                                         GError        **error);
guint64  wf_table_measures_get_shown    (GObject        *config);
void     wf_table_measures_choose       (GObject        *config,
                                         guint64         measures);
guint64  wf_table_measures_find_defined (guint64         measures,
                                         gboolean        stack);

G_END_DECLS

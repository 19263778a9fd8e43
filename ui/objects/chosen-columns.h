/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_chosen_columns_have   (const WfRegionColumn *column,
                                   guint64               measures);
char *   wf_chosen_columns_format (const WfRegions      *regions,
                                   guint64               measures,
                                   WfTableFormat         format,
                                   const char           *unit,
                                   const WfTablePlace   *place);

G_END_DECLS

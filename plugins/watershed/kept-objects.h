/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outputs.h"

G_BEGIN_DECLS

gboolean wf_kept_objects_select (WfContext              *context,
                                 const WfObjectOptions  *limits,
                                 const WfCorrecting     *correcting,
                                 const WfImage          *levels,
                                 WfBasins               *basins,
                                 WfImage                *lines,
                                 guint8                **kept,
                                 guint32                *n_kept,
                                 GError                **error);
void     wf_kept_objects_list   (const guint8           *kept,
                                 WfBasin                *basins,
                                 guint32                *n_basins);

G_END_DECLS

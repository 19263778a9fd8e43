/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "flooded.h"

G_BEGIN_DECLS

WfGeglKept *    wf_gegl_kept_new          (void);
void            wf_gegl_kept_free         (WfGeglKept        *kept);
gboolean        wf_gegl_kept_has_room     (guint64            bytes);
gboolean        wf_gegl_kept_open         (const WfGeglWork  *work,
                                           WfComponent        component,
                                           WfImage           *levels,
                                           GError           **error);
WfGeglFlooded * wf_gegl_kept_take_flooded (WfGeglKept        *kept);
void            wf_gegl_kept_put_flooded  (WfGeglKept        *kept,
                                           WfGeglFlooded     *flooded,
                                           guint64            bytes);

G_END_DECLS

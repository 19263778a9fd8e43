/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "kind.h"

G_BEGIN_DECLS

/**
 * WfGeglFilterFunc:
 * @work: the work
 * @component: that the levels are of; also of a second input
 * @levels: of the input; replaced by the result, of the same type and size
 * @error: as the operation sets it
 *
 * Filters levels.
 *
 * Returns: success
 */
typedef gboolean (* WfGeglFilterFunc) (const WfGeglWork  *work,
                                       WfComponent        component,
                                       WfImage           *levels,
                                       GError           **error);

gboolean wf_gegl_filter (const WfGeglWork  *work,
                         WfGeglFilterFunc   filter,
                         GError           **error);

G_END_DECLS

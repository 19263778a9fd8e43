/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/numbers.h"
#include "wavefront.h"

G_BEGIN_DECLS

GArray * wf_object_places_find (WfContext      *context,
                                const WfImage  *labels,
                                GError        **error);

G_END_DECLS

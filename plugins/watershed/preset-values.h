/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_preset_concerns (const char              *name);
void     wf_preset_apply    (const WfWatershedPreset *preset,
                             GObject                 *config);
gboolean wf_preset_holds    (const WfWatershedPreset *preset,
                             GObject                 *config);

G_END_DECLS

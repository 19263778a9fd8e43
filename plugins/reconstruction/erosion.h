/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_erode (const WfImage              *image,
                   const WfMorphologyOptions  *options,
                   WfImage                    *eroded,
                   GError                    **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the fronts of the operations built on reconstruction have in common. */

#pragma once

#include "engine/core/operations.h"

gboolean wf_morphology_run (WfOperation                 operation,
                            WfContext                  *context,
                            const WfImage              *image,
                            const WfImage              *markers,
                            WfImage                    *out,
                            const WfMorphologyOptions  *options,
                            GError                    **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction, called by operation. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef gboolean (* MorphologyFunc) (WfContext                  *context,
                                     const WfImage              *image,
                                     WfImage                    *out,
                                     const WfMorphologyOptions  *options,
                                     GError                    **error);

WfMorphologyOptions morphology_options (WfOperation                 operation);
MorphologyFunc      morphology_func    (WfOperation                 operation);
gboolean            morphology_call    (WfOperation                 operation,
                                        WfContext                  *context,
                                        const WfImage              *image,
                                        const WfImage              *markers,
                                        WfImage                    *out,
                                        const WfMorphologyOptions  *options,
                                        GError                    **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations built on reconstruction: their functions' type, and their options. */

#pragma once

#include "tests/support/operation-call.h"

G_BEGIN_DECLS

typedef gboolean (* MorphologyFunc) (WfContext                  *context,
                                     const WfImage              *image,
                                     WfImage                    *out,
                                     const WfMorphologyOptions  *options,
                                     GError                    **error);

WfMorphologyOptions morphology_options (WfOperation operation);

G_END_DECLS

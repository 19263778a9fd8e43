/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_masked_attributes_has (WfOperation                operation);
gboolean wf_masked_attributes_run (WfContext                 *context,
                                   WfOperation                operation,
                                   const WfImage             *mask,
                                   const WfImage             *image,
                                   WfImage                   *result,
                                   const WfAttributeOptions  *options,
                                   GError                   **error);

G_END_DECLS

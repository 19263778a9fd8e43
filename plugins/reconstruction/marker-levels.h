/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

void wf_marker_shift         (const WfImage *mask,
                              double         difference,
                              WfImage       *marker);
void wf_marker_from_coverage (const WfImage *mask,
                              const float   *coverage,
                              WfDirection    by,
                              WfImage       *marker);

G_END_DECLS

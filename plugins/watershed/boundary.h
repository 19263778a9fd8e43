/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/* Whether pixels of a slice that touch at a corner are neighbors. */
static inline gboolean
wf_boundary_has_diagonals (int connectivity)
{
  return connectivity != 4 && connectivity != 6;
}

void wf_boundary_mark_row (const WfImage *labels,
                           const WfImage *objects,
                           const WfImage *mask,
                           int            row,
                           gboolean       lines,
                           gboolean       diagonals,
                           guint8        *marks);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The figures of what an operation has labelled, as a table beside its result. */

#pragma once

#include "arguments.h"
#include "tools/files/output.h"
#include "wavefront.h"

/**
 * Figures:
 * @wanted: whether --table was given; if not, nothing else is done
 */
typedef struct
{
  gboolean  wanted;
  /*< private >*/
  Output    output;
  WfBasin  *basins;
  guint32   n_basins;
} Figures;

gboolean figures_prepare (Figures              *figures,
                          const Arguments      *arguments,
                          const Output         *result,
                          GError              **error);
gboolean figures_measure (Figures              *figures,
                          WfContext            *context,
                          const WfImage        *image,
                          const WfImage        *relief,
                          const WfImage        *labels,
                          int                   connectivity,
                          GError              **error);
gboolean figures_write   (Figures              *figures,
                          const WfTablePlace   *place,
                          GError              **error);
gboolean figures_commit  (Figures              *figures,
                          GError              **error);
void     figures_clear   (Figures              *figures);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Figures, figures_clear)

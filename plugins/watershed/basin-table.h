/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfTablePlace:
 * @left: where the measured pixels' left edge is in the image
 * @top: where their upper edge is
 * @stack: whether they are slices of a stack
 */
typedef struct
{
  double   left;
  double   top;
  gboolean stack;
} WfTablePlace;

char *   wf_basin_table_format (const WfBasin       *basins,
                                guint32              n_basins,
                                const WfTablePlace  *place);
gboolean wf_basin_table_write  (GFile               *file,
                                const WfBasin       *basins,
                                guint32              n_basins,
                                const WfTablePlace  *place,
                                GError             **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table of measurements of regions: regions.c makes it, region-values.c fills it,
 * region-table.c writes it.
 */

#pragma once

#include "region-passes.h"

/* The column of WF_REGION_TOUCHES_BORDER. */
#define WF_REGION_BORDER_COLUMN "touches_border"

/**
 * WfRegions:
 * @n: regions
 * @measures: of which it has columns, a bit for each
 * @is_stack: whether they are regions of a stack
 * @has_size: whether a pixel has another size than 1
 * @spacing: of a pixel
 * @columns: (element-type WfRegionColumn): the label's first
 * @values: (element-type double): of each column, then of the next
 */
struct _WfRegions
{
  gint64     n;
  guint64    measures;
  gboolean   is_stack;
  gboolean   has_size;
  double     spacing[3];
  GPtrArray *columns;
  double    *values;
};

/**
 * WfRegionSources:
 * @scan: finished
 * @with_levels: whether there is an image
 * @medians: (nullable): of each region
 * @circles: (nullable): of each region
 * @n_neighbors: (nullable): of each region
 *
 * What the values are computed from.
 */
typedef struct
{
  const WfRegionScan *scan;
  gboolean            with_levels;
  double             *medians;
  WfRegionCircle     *circles;
  guint64            *n_neighbors;
} WfRegionSources;

void     wf_regions_add_columns (WfRegions              *regions);
gboolean wf_regions_fill        (WfRegions              *regions,
                                 const WfRegionSources  *sources,
                                 double                  share,
                                 GError                **error);

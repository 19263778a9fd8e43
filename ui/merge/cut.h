/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfMergeBy:
 * @WF_MERGE_BY_DYNAMICS: up to a depth, as a fraction of the range from black to white
 * @WF_MERGE_BY_AREA: up to an area, in pixels
 * @WF_MERGE_BY_VOLUME: up to a volume: a fraction of that range times pixels
 * @WF_MERGE_BY_COUNT: in order of depth, until this many basins are left
 *
 * How a value selects the basins to merge.  A value of 0 merges none.
 */
typedef enum
{
  WF_MERGE_BY_DYNAMICS,
  WF_MERGE_BY_AREA,
  WF_MERGE_BY_VOLUME,
  WF_MERGE_BY_COUNT
} WfMergeBy;

/**
 * WfMergeStop:
 * @value: a short decimal number
 * @count: the number of basins it leaves
 */
typedef struct
{
  double  value;
  guint32 count;
} WfMergeStop;

const WfChoice * wf_merge_get_choices  (void);
gboolean         wf_merge_by_parse     (const char        *name,
                                        WfMergeBy         *by);
WfMeasure        wf_merge_by_measure   (WfMergeBy          by);

double           wf_merge_get_depth    (WfMergeBy          by,
                                        double             value,
                                        WfType             type);
guint32          wf_merge_count        (const WfHierarchy *hierarchy,
                                        WfMergeBy          by,
                                        double             value,
                                        WfType             type);
double           wf_merge_find_value   (const WfHierarchy *hierarchy,
                                        WfMergeBy          by,
                                        guint32            count,
                                        WfType             type);
GArray *         wf_merge_list_stops   (const WfHierarchy *hierarchy,
                                        WfMergeBy          by,
                                        WfType             type,
                                        guint              most);
double           wf_merge_find_stop    (const GArray      *stops,
                                        guint32            count);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "cut.h"

G_BEGIN_DECLS

/* A slider needs a pixel for each. */
#define WF_MERGE_MOST_STOPS 300

/**
 * WfMergeState:
 * @type: of the image that is flooded
 * @distances: whether that has distances in pixels, and not levels
 * @linear: whether its levels are of linear light
 * @by: by what basins are merged
 * @value: up to which value, as wf_merge_count() takes it
 * @hierarchy: of the measure of @by, or %NULL
 * @part: whether that is of a part of the image
 * @stops: of @hierarchy, or %NULL
 * @count: the number of basins left; 0 without @hierarchy
 * @wished: the number of basins to keep when a hierarchy is set, or 0
 *
 * Read-only for others.  A state that is all zero except for the type merges nothing.
 */
typedef struct
{
  WfType       type;
  gboolean     distances;
  gboolean     linear;
  WfMergeBy    by;
  double       value;
  WfHierarchy *hierarchy;
  gboolean     part;
  GArray      *stops;
  guint32      count;
  guint32      wished;
} WfMergeState;

void   wf_merge_state_clear          (WfMergeState       *state);

void   wf_merge_state_set_type       (WfMergeState       *state,
                                      WfType              type);
void   wf_merge_state_set_hierarchy  (WfMergeState       *state,
                                      WfHierarchy        *hierarchy);
void   wf_merge_state_set_part       (WfMergeState       *state,
                                      gboolean            part);
void   wf_merge_state_set_by         (WfMergeState       *state,
                                      WfMergeBy           by);
void   wf_merge_state_set_value      (WfMergeState       *state,
                                      double              value);

void   wf_merge_state_choose_by      (WfMergeState       *state,
                                      WfMergeBy           by);
void   wf_merge_state_go_to          (WfMergeState       *state,
                                      double              position);
void   wf_merge_state_step           (WfMergeState       *state,
                                      int                 direction);

double wf_merge_state_get_position   (const WfMergeState *state);
char * wf_merge_state_describe_count (const WfMergeState *state);
char * wf_merge_state_describe_unit  (const WfMergeState *state);

G_END_DECLS

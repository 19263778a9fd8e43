/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the fronts of the operations built on reconstruction have in common. */

#pragma once

#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "blocks.h"
#include "recipes.h"

gboolean wf_morphology_prepare  (WfOperation                 operation,
                                 const WfImage              *image,
                                 const WfMorphologyOptions  *options,
                                 WfMorphologyOptions        *taken,
                                 WfMorphologyTask           *task,
                                 GError                    **error);
gboolean wf_morphology_check_markers
                                (const WfImage              *image,
                                 const WfImage              *markers,
                                 GError                    **error);
gboolean wf_morphology_run      (WfOperation                 operation,
                                 WfContext                  *context,
                                 const WfImage              *image,
                                 const WfImage              *markers,
                                 WfImage                    *out,
                                 const WfMorphologyOptions  *options,
                                 GError                    **error);
gboolean wf_morphology_call     (const WfCall               *call,
                                 GError                    **error);
gboolean wf_morphology_estimate (WfOperation                 operation,
                                 const WfImage              *image,
                                 gconstpointer               options,
                                 WfEstimate                 *estimate,
                                 GError                    **error);


/*  Parts of records  */

#define WF_MORPHOLOGY_OPTIONS(algorithms) \
  WF_CONNECTIVITY_OPTION (WfMorphologyOptions, wf_connectivities, WF_NEIGHBOURS), \
  WF_ALGORITHM_OPTION (WfMorphologyOptions, algorithms, WF_SAME_RESULT)

#define WF_MORPHOLOGY_GROUP(name_of_operation, its_title, its_blurb, table) \
  .options = { \
    .name      = name_of_operation, \
    .title     = its_title, \
    .blurb     = its_blurb, \
    .options   = table, \
    .n_options = G_N_ELEMENTS (table), \
    .size      = sizeof (WfMorphologyOptions), \
  }

#define WF_MORPHOLOGY_RECIPE(its_marker, direction, its_output) \
  .recipe = &(const WfRecipe) { .marker = its_marker, .by = direction, .output = its_output }

#define WF_MORPHOLOGY_CALLS \
  .flags      = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE | WF_WORKS_BY_RECONSTRUCTION, \
  .run        = wf_morphology_call, \
  .run_blocks = wf_morphology_blocks, \
  .estimate   = wf_morphology_estimate

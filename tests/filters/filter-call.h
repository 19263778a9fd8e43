/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters, called by operation. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef gboolean (* FilterFunc) (WfContext              *context,
                                 const WfImage          *image,
                                 WfImage                *out,
                                 const WfFilterOptions  *options,
                                 GError                **error);

static inline gboolean
is_filter (WfOperation operation)
{
  return operation == WF_OPERATION_GAUSSIAN || operation == WF_OPERATION_GRADIENT ||
         operation == WF_OPERATION_EROSION || operation == WF_OPERATION_DILATION ||
         operation == WF_OPERATION_OPENING || operation == WF_OPERATION_CLOSING ||
         operation == WF_OPERATION_WHITE_TOP_HAT || operation == WF_OPERATION_BLACK_TOP_HAT ||
         operation == WF_OPERATION_MEDIAN;
}

/* Returns: (nullable): the function of @operation, if it is a filter. */
static inline FilterFunc
filter_func (WfOperation operation)
{
  return operation == WF_OPERATION_GAUSSIAN        ? wf_gaussian
         : operation == WF_OPERATION_GRADIENT      ? wf_gradient
         : operation == WF_OPERATION_EROSION       ? wf_erosion
         : operation == WF_OPERATION_DILATION      ? wf_dilation
         : operation == WF_OPERATION_OPENING       ? wf_opening
         : operation == WF_OPERATION_CLOSING       ? wf_closing
         : operation == WF_OPERATION_WHITE_TOP_HAT ? wf_white_top_hat
         : operation == WF_OPERATION_BLACK_TOP_HAT ? wf_black_top_hat
         : operation == WF_OPERATION_MEDIAN        ? wf_median
                                                   : NULL;
}

static inline gboolean
filter_call (WfOperation             operation,
             WfContext              *context,
             const WfImage          *image,
             WfImage                *out,
             const WfFilterOptions  *options,
             GError                **error)
{
  return filter_func (operation) (context, image, out, options, error);
}

static inline WfFilterOptions
filter_options (WfOperation operation)
{
  WfFilterOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  return options;
}

G_END_DECLS

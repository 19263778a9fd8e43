/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "morphology-call.h"

/* The default options. */
WfMorphologyOptions
morphology_options (WfOperation operation)
{
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  return options;
}

/* Returns: (nullable): the function of @operation, if it is one that makes an image of
 * one other.
 */
MorphologyFunc
morphology_func (WfOperation operation)
{
  static const MorphologyFunc functions[WF_N_OPERATIONS] =
  {
    [WF_OPERATION_FILL_HOLES]      = wf_fill_holes,
    [WF_OPERATION_CLEAR_BORDER]    = wf_clear_border,
    [WF_OPERATION_H_MAXIMA]        = wf_h_maxima,
    [WF_OPERATION_H_MINIMA]        = wf_h_minima,
    [WF_OPERATION_H_DOME]          = wf_h_dome,
    [WF_OPERATION_H_BASIN]         = wf_h_basin,
    [WF_OPERATION_REGIONAL_MAXIMA] = wf_regional_maxima,
    [WF_OPERATION_REGIONAL_MINIMA] = wf_regional_minima,
    [WF_OPERATION_EXTENDED_MAXIMA] = wf_extended_maxima,
    [WF_OPERATION_EXTENDED_MINIMA] = wf_extended_minima,
    [WF_OPERATION_OPENING]         = wf_opening_by_reconstruction,
    [WF_OPERATION_CLOSING]         = wf_closing_by_reconstruction,
    [WF_OPERATION_WHITE_TOP_HAT]   = wf_white_top_hat_by_reconstruction,
    [WF_OPERATION_BLACK_TOP_HAT]   = wf_black_top_hat_by_reconstruction,
  };

  return functions[operation];
}

/* @markers: where minima are imposed; other operations ignore them */
gboolean
morphology_call (WfOperation                 operation,
                 WfContext                  *context,
                 const WfImage              *image,
                 const WfImage              *markers,
                 WfImage                    *out,
                 const WfMorphologyOptions  *options,
                 GError                    **error)
{
  if (operation == WF_OPERATION_IMPOSE_MINIMA)
    return wf_impose_minima (context, image, markers, out, options, error);
  return morphology_func (operation) (context, image, out, options, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "morphology-call.h"

/* The default ones. */
WfMorphologyOptions
morphology_options (WfOperation operation)
{
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  return options;
}

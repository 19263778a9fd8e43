/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Any operation, called by its number with the images that it may take. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/* @second: of no use to operations with one input */
static inline gboolean
operation_call (WfOperation     operation,
                WfContext      *context,
                const WfImage  *image,
                const WfImage  *second,
                WfImage        *out,
                gconstpointer   options,
                GError        **error)
{
  const WfImage *inputs[WF_MAX_OPERANDS]  = { image, second };
  WfImage       *outputs[WF_MAX_OPERANDS] = { out };

  return wf_operation_run (context, operation, inputs, outputs, NULL, options, error);
}

static inline gboolean
operation_is (WfOperation      operation,
              WfOperationFlags flag)
{
  return (wf_operation_describe (operation)->flags & flag) != 0;
}

/* A type of the first input: @type, or u32 where that is labels and @type has none. */
static inline WfType
operation_input_type (WfOperation operation,
                      WfType      type)
{
  return wf_operation_describe (operation)->inputs[0].types & 1u << type ? type : WF_TYPE_U32;
}

G_END_DECLS

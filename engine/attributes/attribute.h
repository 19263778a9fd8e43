/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What openings and closings measure components by. */

#pragma once

#include "engine/core/image.h"

G_BEGIN_DECLS

typedef enum
{
  WF_ATTRIBUTE_AREA,
  WF_ATTRIBUTE_HEIGHT,
  WF_ATTRIBUTE_VOLUME
} WfAttribute;

static inline gboolean
wf_attribute_is_of (WfOperation operation)
{
  switch (operation)
    {
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
    case WF_OPERATION_VOLUME_OPENING:
    case WF_OPERATION_VOLUME_CLOSING:
      return TRUE;
    default:
      return FALSE;
    }
}

static inline WfAttribute
wf_attribute_of (WfOperation operation)
{
  switch (operation)
    {
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
      return WF_ATTRIBUTE_AREA;
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
      return WF_ATTRIBUTE_HEIGHT;
    default:
      return WF_ATTRIBUTE_VOLUME;
    }
}

static inline gboolean
wf_attribute_is_closing (WfOperation operation)
{
  return operation == WF_OPERATION_AREA_CLOSING || operation == WF_OPERATION_HEIGHT_CLOSING ||
         operation == WF_OPERATION_VOLUME_CLOSING;
}

/* What remains of the image has at least this. */
static inline double *
wf_attribute_get_least (WfAttributeOptions *options,
                        WfOperation         operation)
{
  switch (wf_attribute_of (operation))
    {
    case WF_ATTRIBUTE_AREA:
      return &options->area;
    case WF_ATTRIBUTE_HEIGHT:
      return &options->height;
    default:
      return &options->volume;
    }
}

G_END_DECLS

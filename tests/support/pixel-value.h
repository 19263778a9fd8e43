/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

/* The value of the pixel @offset pixels behind the first one, whatever the type. */
static inline double
pixel_value (const WfImage *image,
             gint64         offset)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) image->data)[offset];
    case WF_TYPE_U16:
      return ((const guint16 *) image->data)[offset];
    case WF_TYPE_F32:
      return ((const float *) image->data)[offset];
    case WF_TYPE_U32:
      return ((const guint32 *) image->data)[offset];
    case WF_TYPE_U64:
      return ((const guint64 *) image->data)[offset];
    case WF_TYPE_F64:
      return ((const double *) image->data)[offset];
    }
  g_return_val_if_reached (0);
}

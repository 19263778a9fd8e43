/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels of types that files have and the engine has not. */

#pragma once

#include "wavefront.h"

typedef enum
{
  ELEMENT_U8,
  ELEMENT_I8,
  ELEMENT_U16,
  ELEMENT_I16,
  ELEMENT_U32,
  ELEMENT_I32,
  ELEMENT_U64,
  ELEMENT_I64,
  ELEMENT_F32,
  ELEMENT_F64
} ElementType;

gsize    elements_size      (ElementType     type);
WfType   elements_get_type  (ElementType     type,
                             gboolean        labels,
                             gboolean       *is_same);
gboolean elements_to_levels (gconstpointer   pixels,
                             ElementType     type,
                             gsize           n,
                             float          *levels,
                             gboolean       *rounded,
                             GError        **error);
gboolean elements_to_labels (gconstpointer   pixels,
                             ElementType     type,
                             gsize           n,
                             guint32        *labels,
                             GError        **error);

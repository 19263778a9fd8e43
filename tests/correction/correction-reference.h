/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrections straight from their definitions, pixel by pixel of the whole image. */

#pragma once

#include "wavefront.h"
#include "tests/reference/reference.h"

G_BEGIN_DECLS

/**
 * RefCorrecting:
 * @relief: (nullable): the levels
 * @inside: (nullable): which pixels are not background
 * @labels: are corrected
 * @states: of each label: 0, or 1 for deleted, or 2 for kept
 * @highest: the highest label that was given
 */
typedef struct
{
  RefSize       size;
  const double *relief;
  const guint8 *inside;
  int           connectivity;
  gboolean      lines;
  gboolean      last_index;
  guint32      *labels;
  guint8       *states;
  guint32       highest;
} RefCorrecting;

gboolean ref_correct (RefCorrecting      *ref,
                      WfCorrectionKind    kind,
                      const WfPixelPlace *points,
                      guint               n_points);

G_END_DECLS

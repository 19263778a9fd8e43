/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of what an operation has labelled, as a table beside its result. */

#pragma once

#include "arguments.h"
#include "tools/files/output.h"
#include "wavefront.h"

/**
 * Measurements:
 * @wanted: whether --table was given; if not, nothing else is done
 */
typedef struct
{
  gboolean  wanted;
  /*< private >*/
  Output    output;
  WfBasin  *basins;
  guint32   n_basins;
} Measurements;

gboolean measurements_prepare (Measurements         *measurements,
                               const Arguments      *arguments,
                               const Output         *result,
                               GError              **error);
gboolean measurements_measure (Measurements         *measurements,
                               WfContext            *context,
                               const WfImage        *image,
                               const WfImage        *relief,
                               const WfImage        *labels,
                               const WfImage        *mask,
                               int                   connectivity,
                               GError              **error);
gboolean measurements_measure_blocks
                              (Measurements         *measurements,
                               WfContext            *context,
                               const WfBlockSource  *image,
                               const WfBlockSource  *relief,
                               const WfBlockSource  *labels,
                               int                   connectivity,
                               GError              **error);
void     measurements_keep    (Measurements         *measurements,
                               const guint8         *kept);
gboolean measurements_write   (Measurements         *measurements,
                               const WfTablePlace   *place,
                               GError              **error);
gboolean measurements_commit  (Measurements         *measurements,
                               GError              **error);
void     measurements_clear   (Measurements         *measurements);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Measurements, measurements_clear)

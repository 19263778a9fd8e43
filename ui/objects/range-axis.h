/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * WfRangeAxis:
 * @logarithmic: whether equal factors have equal lengths; values are above 0 then
 * @whole: whether all values are whole numbers
 * @least: the value at the left end
 * @most: at the right end; more than @least
 *
 * The axis of a histogram of measures.
 */
typedef struct
{
  gboolean logarithmic;
  gboolean whole;
  double   least;
  double   most;
} WfRangeAxis;

void   wf_range_axis_fit   (WfRangeAxis       *axis,
                            const double      *values,
                            gsize              n);
double wf_range_axis_place (const WfRangeAxis *axis,
                            double             value);
double wf_range_axis_value (const WfRangeAxis *axis,
                            double             place,
                            guint              n_steps);
void   wf_range_axis_fill  (const WfRangeAxis *axis,
                            const double      *values,
                            gsize              n,
                            guint              n_columns,
                            gboolean           proportional,
                            double            *heights);

G_END_DECLS

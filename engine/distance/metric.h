/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The metrics: how the steps along the axes make a distance.  distance.c defines them.
 *
 * A distance is x ⊕ (y ⊕ z), where x, y and z are the costs of the steps along the
 * axes and ⊕ is a sum or a maximum; the result is its root or the value itself.  The
 * separable algorithms need no more than what stands here.
 *
 * Adding a metric:
 *   - wavefront.h: a value of WfMetric;
 *   - distance.c: the definition; whether there is a signed map of it;
 *   - distance.c: its name, in `metrics`, the choices of the option;
 *   - here: all functions;
 *   - cuda/distance/exact-envelope/: the same as an operation of the kernels (beside
 *     SQUARES, SUMS and MAXIMA);
 *   - tests/distance/reference.c: the definition once more, by brute force.
 * `local`, `propagation` and CUDA's other algorithms measure squares only, and say so in
 * their supports functions.
 */

#pragma once

#include <math.h>

#include "engine/core/backend.h"

/* Whether distances are compared by their squares. */
static inline gboolean
wf_metric_is_squared (WfMetric metric)
{
  return metric == WF_METRIC_EUCLIDEAN || metric == WF_METRIC_SQUARED;
}

/* Whether ⊕ is the maximum. */
static inline gboolean
wf_metric_is_maximum (WfMetric metric)
{
  return metric == WF_METRIC_CHESSBOARD;
}

/* Whether positions that the passes keep give the nearest pixel.  Equal maxima hide which
 * of the pixels behind them comes first.
 */
static inline gboolean
wf_metric_keeps_ties (WfMetric metric)
{
  return ! wf_metric_is_maximum (metric);
}

/* The result for an accumulated value that is not negative. */
static inline double
wf_metric_result (WfMetric metric,
                  double   value)
{
  return metric == WF_METRIC_EUCLIDEAN ? sqrt (value) : value;
}


/*  In reals  */

/* The cost of @steps pixels along an axis. */
static inline double
wf_metric_step (WfMetric metric,
                gint64   steps,
                double   spacing)
{
  const double length = ABS (steps) * spacing;

  return wf_metric_is_squared (metric) ? length * length : length;
}

static inline double
wf_metric_combine (WfMetric metric,
                   double   step,
                   double   value)
{
  return wf_metric_is_maximum (metric) ? MAX (step, value) : step + value;
}


/*  In integers, with unit spacing  */

/* The value at position @x of a line for the site @i with the value @g. */
static inline gint64
wf_metric_value_at (WfMetric metric,
                    gint64   x,
                    gint64   i,
                    gint64   g)
{
  const gint64 step = ABS (x - i);

  switch (metric)
    {
    case WF_METRIC_CITY_BLOCK:
      return step + g;
    case WF_METRIC_CHESSBOARD:
      return MAX (step, g);
    default:
      return step * step + g;
    }
}

/* The last position where the site @i is no worse than the site @u > @i. */
static inline gint64
wf_metric_last_position (WfMetric metric,
                         gint64   i,
                         gint64   gi,
                         gint64   u,
                         gint64   gu)
{
  switch (metric)
    {
    case WF_METRIC_CITY_BLOCK:
      if (gu >= gi + u - i)
        return G_MAXINT64 - 1;
      return (gu - gi + u + i) / 2;
    case WF_METRIC_CHESSBOARD:
      return gi <= gu ? MAX (i + gu, (i + u) / 2) : MIN (u - gi, (i + u) / 2);
    default:
      return (u * u - i * i + gu - gi) / (2 * (u - i));
    }
}

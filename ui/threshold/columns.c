/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A histogram as columns of pixels, and the position of a threshold among them: arithmetic,
 * without a widget.
 *
 * The width of the graph is divided equally among the levels, from black at the left edge
 * on.  A threshold lies at the right end of its level: columns to the right of it are of
 * pixels above it.
 */

#include "config.h"

#include <math.h>

#include "ui/options/level-entry.h"
#include "columns.h"


/* The number of pixels between two positions on the axis of levels; cut levels count in part. */
static double
count_between (const WfHistogram *histogram,
               double             from,
               double             to)
{
  guint  first = (guint) from;
  guint  last  = MIN ((guint) ceil (to), histogram->n_levels);
  double sum   = 0;

  for (guint i = first; i < last; i++)
    sum += (double) histogram->counts[i] * (MIN (to, i + 1) - MAX (from, i));
  return sum;
}

/**
 * wf_threshold_columns_fill:
 * @histogram: (nullable): a histogram
 * @logarithmic: whether heights are logarithms of the counts, so that small counts remain
 *   visible beside large ones
 * @n_columns: the number of columns
 * @heights: (out caller-allocates) (array length=n_columns): heights of the columns, from 0 to 1;
 *   the largest is 1 if any pixels are counted
 */
void
wf_threshold_columns_fill (const WfHistogram *histogram,
                           gboolean           logarithmic,
                           guint              n_columns,
                           double            *heights)
{
  double highest = 0;

  for (guint i = 0; i < n_columns; i++)
    {
      double levels = histogram ? (double) histogram->n_levels / n_columns : 0;
      double n      = histogram ? count_between (histogram, i * levels, (i + 1) * levels) : 0;

      /* a level that is wider than a column has its full height in each of its columns */
      if (levels < 1 && levels > 0)
        n /= levels;
      heights[i] = logarithmic ? log1p (n) : n;
      highest    = MAX (highest, heights[i]);
    }
  for (guint i = 0; i < n_columns && highest > 0; i++)
    heights[i] /= highest;
}

/**
 * wf_threshold_columns_place:
 * @fraction: a threshold
 * @type: of the image
 * @n_columns: the number of columns
 *
 * Returns: its position, from 0, the left edge, to @n_columns: the right end of the last
 *   level that is not above it
 */
double
wf_threshold_columns_place (double fraction,
                            WfType type,
                            guint  n_columns)
{
  double white = wf_level_maximum (type);

  if (type == WF_TYPE_F32)
    return fraction * n_columns;
  return (wf_level_from_fraction (fraction, type) + 1) / (white + 1) * n_columns;
}

/**
 * wf_threshold_columns_fraction:
 * @place: on the graph, from 0 to @n_columns
 * @type: of the image
 * @n_columns: the number of columns
 *
 * Returns: the threshold that wf_threshold_columns_place() puts there; for integer types
 *   one between two levels is rounded to the nearer level when it is used
 */
double
wf_threshold_columns_fraction (double place,
                               WfType type,
                               guint  n_columns)
{
  double white = wf_level_maximum (type);
  double share = place / MAX (n_columns, 1);

  if (type != WF_TYPE_F32)
    share = (share * (white + 1) - 1) / white;
  return CLAMP (share, 0, 1);
}

/**
 * wf_threshold_get_digits:
 * @type: of an image
 *
 * Returns: how many decimal places of a fraction distinguish all levels.
 */
int
wf_threshold_get_digits (WfType type)
{
  return type == WF_TYPE_U8 ? 4 : 5;
}

/**
 * wf_threshold_round:
 * @fraction: a threshold
 * @type: of the image
 *
 * Returns: @fraction, rounded so that it can be read and typed; for integer types it means
 *   the same level
 */
double
wf_threshold_round (double fraction,
                    WfType type)
{
  double power = pow (10, wf_threshold_get_digits (type));

  return round (fraction * power) / power;
}

/**
 * wf_threshold_count_above:
 * @histogram: a histogram
 * @fraction: a threshold
 *
 * Returns: the number of pixels above it; for real numbers to the width of a bin
 */
guint64
wf_threshold_count_above (const WfHistogram *histogram,
                          double             fraction)
{
  double  level = wf_level_from_fraction (fraction, histogram->type);
  guint64 n     = 0;

  for (guint i = histogram->n_levels; i-- > 0 && wf_histogram_get_level (histogram, i) > level; )
    n += histogram->counts[i];
  return n;
}

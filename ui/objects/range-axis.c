/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values of objects along an axis: places between 0 and 1, values of few digits at them, and
 * columns.  Heights are logarithms of the counts: few large objects are seen beside many small
 * ones.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "range-axis.h"


static double
scale (const WfRangeAxis *axis,
       double             value)
{
  return axis->logarithmic ? log (MAX (value, 1e-300)) : value;
}

/**
 * wf_range_axis_fit:
 * @axis: whose ends are set
 * @values: all that are to be seen; those that are not finite are not
 * @n: their number
 */
void
wf_range_axis_fit (WfRangeAxis  *axis,
                   const double *values,
                   gsize         n)
{
  axis->whole = n > 0;
  axis->least = INFINITY;
  axis->most  = -INFINITY;
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]) && (! axis->logarithmic || values[i] > 0))
      {
        axis->whole = axis->whole && values[i] == floor (values[i]);
        axis->least = MIN (axis->least, values[i]);
        axis->most  = MAX (axis->most, values[i]);
      }
  if (axis->least > axis->most)
    axis->least = axis->most = 1;
  if (axis->least == axis->most)
    {
      axis->least = axis->logarithmic ? axis->least / 2 : axis->least - 0.5;
      axis->most  = axis->logarithmic ? axis->most * 2 : axis->most + 0.5;
    }
}

/**
 * wf_range_axis_place:
 * @axis: an axis
 * @value: a value
 *
 * Returns: its place, from 0 at the left end to 1 at the right one; outside that beyond them
 */
double
wf_range_axis_place (const WfRangeAxis *axis,
                     double             value)
{
  const double first = scale (axis, axis->least);

  return (scale (axis, value) - first) / (scale (axis, axis->most) - first);
}

/**
 * wf_range_axis_value:
 * @axis: an axis
 * @place: from 0 to 1
 * @n_steps: of places that are distinguished, as there are pixels
 *
 * Returns: the value of the fewest digits that is at @place, within half a step
 */
double
wf_range_axis_value (const WfRangeAxis *axis,
                     double             place,
                     guint              n_steps)
{
  const double first = scale (axis, axis->least);
  const double step  = (scale (axis, axis->most) - first) / MAX (n_steps, 1);
  const double exact = first + place * (scale (axis, axis->most) - first);
  const double value = axis->logarithmic ? exp (exact) : exact;
  const double width = axis->logarithmic ? value * step : step;
  const double fine  = pow (10, floor (log10 (width)));
  const double unit  = axis->whole ? MAX (fine, 1) : fine;

  return unit < 1 ? round (value / unit) / round (1 / unit) : round (value / unit) * unit;
}

/**
 * wf_range_axis_fill:
 * @axis: an axis
 * @values: values
 * @n: their number
 * @n_columns: that they are divided into
 * @proportional: whether a column is as high as the number of its values; otherwise as the
 *   logarithm of one more, so that a single value is seen beside thousands
 * @heights: set for each column: from 0, where there is none, to 1, where there are most
 */
void
wf_range_axis_fill (const WfRangeAxis *axis,
                    const double      *values,
                    gsize              n,
                    guint              n_columns,
                    gboolean           proportional,
                    double            *heights)
{
  double most = 0;

  memset (heights, 0, n_columns * sizeof *heights);
  for (gsize i = 0; i < n; i++)
    {
      const double place = isnan (values[i]) ? -1 : wf_range_axis_place (axis, values[i]);

      if (place >= 0 && place <= 1)
        heights[(guint) MIN (place * n_columns, n_columns - 1)]++;
    }
  for (guint i = 0; i < n_columns; i++)
    most = MAX (most, heights[i]);
  if (most == 0)
    return;
  for (guint i = 0; i < n_columns; i++)
    heights[i] = proportional ? heights[i] / most : log1p (heights[i]) / log1p (most);
}

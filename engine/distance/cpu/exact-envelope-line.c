/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance transform of one line: out[x] is the least, over all positions i
 * of the line, of the step from i to x combined with in[i].  For the Euclidean
 * metric they are combined as a sum of squares, for the city-block metric as a
 * sum, for the chessboard metric as the maximum (engine/distance/metric.h).  Beyond each end
 * of the line one more position may have the value 0: background outside the image, or in
 * the rows beside a band.
 *
 * In integers this is the lower envelope of Meijster, Roerdink and Hesselink
 * (2000), in linear time.  In reals the crossings of an envelope are rounded and may
 * select a neighbour of the best site.  There the line is searched outwards from x until
 * the step alone is longer than the best value, so that every result is the rounded
 * minimum; the number of steps is the length of the result in pixels.
 */

#include "config.h"

#include <math.h>

#include "exact-envelope.h"


/*  Integers: the envelope  */

typedef struct
{
  gint64   length;      /* of the line with a position at both ends */
  gint64   n;           /* sites of the envelope */
  gint64  *site;
  gint64  *value;       /* at the site */
  gint64  *start;       /* first position where the site is the best */
} Envelope;

static inline void
add_site (Envelope *envelope,
          WfMetric  metric,
          gint64    u,
          gint64    gu)
{
  gint64 start = 0;

  while (envelope->n > 0)
    {
      gint64 top = envelope->n - 1;
      gint64 x   = envelope->start[top];

      if (wf_metric_value_at (metric, x, envelope->site[top], envelope->value[top])
          <= wf_metric_value_at (metric, x, u, gu))
        break;
      envelope->n--;
    }
  if (envelope->n > 0)
    start = 1 + wf_metric_last_position (metric, envelope->site[envelope->n - 1],
                                         envelope->value[envelope->n - 1], u, gu);
  if (start >= envelope->length)
    return;

  envelope->site[envelope->n]  = u;
  envelope->value[envelope->n] = gu;
  envelope->start[envelope->n] = start;
  envelope->n++;
}

void
wf_line_envelope (const WfLineWork *work)
{
  const gint64  length   = work->length + 2;
  const gint64 *in       = work->in;
  gint64       *out      = work->out;
  Envelope      envelope = { length, 0, work->scratch, work->scratch + length,
                             work->scratch + 2 * length };
  gint64        top;

  if (work->before != WF_NO_SITE)
    add_site (&envelope, work->metric, work->before + 1, 0);
  for (gint64 x = 0; x < work->length; x++)
    if (in[x] != WF_FAR)
      add_site (&envelope, work->metric, x + 1, in[x]);
  if (work->after != WF_NO_SITE)
    add_site (&envelope, work->metric, work->after + 1, 0);

  top = envelope.n - 1;
  for (gint64 x = work->length - 1; x >= 0; x--)
    {
      while (top > 0 && envelope.start[top] > x + 1)
        top--;
      out[x] = top < 0 ? WF_FAR
                       : wf_metric_value_at (work->metric, x + 1, envelope.site[top],
                                             envelope.value[top]);
      if (work->from)
        work->from[x] = top < 0 ? WF_NO_SITE : (gint32) (envelope.site[top] - 1);
    }
}


/*  Reals: the search  */

static gboolean
is_far (const WfLineWork *work)
{
  const double *in = work->in;

  if (work->before != WF_NO_SITE || work->after != WF_NO_SITE)
    return FALSE;
  for (gint64 x = 0; x < work->length; x++)
    if (! isinf (in[x]))
      return FALSE;
  return TRUE;
}

/* The value at the position @x of the sites beyond the ends of the line. */
static double
value_beyond (const WfLineWork *work,
              gint64            x)
{
  double best = INFINITY;

  if (work->before != WF_NO_SITE)
    best = wf_metric_step (work->metric, x - work->before, work->spacing);
  if (work->after != WF_NO_SITE)
    best = MIN (best, wf_metric_step (work->metric, work->after - x, work->spacing));
  return best;
}

void
wf_line_search (const WfLineWork *work)
{
  const double *in    = work->in;
  double       *out   = work->out;
  double       *steps = (double *) work->scratch;

  if (is_far (work))
    {
      memcpy (out, in, work->length * sizeof (double));
      return;
    }

  for (gint64 k = 0; k < work->length; k++)
    steps[k] = wf_metric_step (work->metric, k, work->spacing);

  for (gint64 x = 0; x < work->length; x++)
    {
      const double beyond   = value_beyond (work, x);
      const gint64 furthest = MAX (x, work->length - 1 - x);
      double       best     = MIN (in[x], beyond);

      for (gint64 k = 1; k <= furthest && steps[k] < best; k++)
        {
          if (x - k >= 0)
            best = MIN (best, wf_metric_combine (work->metric, steps[k], in[x - k]));
          if (x + k < work->length)
            best = MIN (best, wf_metric_combine (work->metric, steps[k], in[x + k]));
        }
      out[x] = best;
    }
}

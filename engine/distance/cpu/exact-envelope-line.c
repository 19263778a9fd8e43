/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance transform of one line: out[x] is the least, over all positions i
 * of the line, of the step from i to x combined with in[i].  For the Euclidean
 * metric they are combined as a sum of squares, for the city-block metric as a
 * sum, for the chessboard as the larger.  Where the outside is background, it
 * stands at the positions −1 and length with the value 0.
 *
 * In integers this is the lower envelope of Meijster, Roerdink and Hesselink
 * (2000), in linear time.  In reals an envelope's crossings are rounded, and may
 * pick a neighbour of the best; there the line is searched outwards from x until
 * the step alone is longer than the best found, so that every result is the
 * rounded minimum itself, at the cost of as many steps as the result is long.
 */

#include "config.h"

#include "exact-envelope.h"


/*  Integers: the envelope  */

typedef struct
{
  gint64   length;      /* of the line with the outside at both ends */
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

  if (work->border_background)
    add_site (&envelope, work->metric, 0, 0);
  for (gint64 x = 0; x < work->length; x++)
    if (in[x] != WF_FAR)
      add_site (&envelope, work->metric, x + 1, in[x]);
  if (work->border_background)
    add_site (&envelope, work->metric, length - 1, 0);

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
is_far (const double *in,
        gint64        length)
{
  for (gint64 x = 0; x < length; x++)
    if (! isinf (in[x]))
      return FALSE;
  return TRUE;
}

void
wf_line_search (const WfLineWork *work)
{
  const double *in    = work->in;
  double       *out   = work->out;
  double       *steps = (double *) work->scratch;
  const int     outer = work->border_background;

  if (! outer && is_far (in, work->length))
    {
      memcpy (out, in, work->length * sizeof (double));
      return;
    }

  for (gint64 k = 0; k <= work->length; k++)
    steps[k] = wf_metric_step (work->metric, k, work->spacing);

  for (gint64 x = 0; x < work->length; x++)
    {
      double best     = in[x];
      gint64 furthest = MAX (x, work->length - 1 - x) + outer;

      for (gint64 k = 1; k <= furthest && steps[k] < best; k++)
        {
          if (x - k >= 0)
            best = MIN (best, wf_metric_combine (work->metric, steps[k], in[x - k]));
          else if (outer && x - k == -1)
            best = MIN (best, steps[k]);
          if (x + k < work->length)
            best = MIN (best, wf_metric_combine (work->metric, steps[k], in[x + k]));
          else if (outer && x + k == work->length)
            best = MIN (best, steps[k]);
        }
      out[x] = best;
    }
}

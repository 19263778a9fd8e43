/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of a network for pixels of one type.  The including file defines WF_PIXEL, WF_NAME(),
 * WF_LESS() and WF_GREATER().
 *
 * A vector is read from all rows before it is written to any, and later ones are further right;
 * rows are read where they are written, or to the right of it.  So a row may be both.
 */

#define FROM(i) (rows + step->from[i] * stride + step->at[i] * sizeof (WF_PIXEL))
#define TO(i)   (rows + step->to[i] * stride)

static inline void
WF_NAME (find_less) (const WfMedianStep *step,
                     char               *rows,
                     gsize               stride,
                     gsize               n)
{
  const char *a    = FROM (0);
  const char *b    = FROM (1);
  char       *less = TO (0);

  for (gsize i = 0; i < n; i += WF_VECTOR_BYTES)
    wf_store (less + i, WF_LESS (wf_load (a + i), wf_load (b + i)));
}

static inline void
WF_NAME (find_greater) (const WfMedianStep *step,
                        char               *rows,
                        gsize               stride,
                        gsize               n)
{
  const char *a       = FROM (0);
  const char *b       = FROM (1);
  char       *greater = TO (0);

  for (gsize i = 0; i < n; i += WF_VECTOR_BYTES)
    wf_store (greater + i, WF_GREATER (wf_load (a + i), wf_load (b + i)));
}

static inline void
WF_NAME (find_both) (const WfMedianStep *step,
                     char               *rows,
                     gsize               stride,
                     gsize               n)
{
  const char *a       = FROM (0);
  const char *b       = FROM (1);
  char       *less    = TO (0);
  char       *greater = TO (1);

  for (gsize i = 0; i < n; i += WF_VECTOR_BYTES)
    {
      const WfVector v = wf_load (a + i);
      const WfVector w = wf_load (b + i);

      wf_store (less + i, WF_LESS (v, w));
      wf_store (greater + i, WF_GREATER (v, w));
    }
}

static inline void
WF_NAME (find_four) (const WfMedianStep *step,
                     char               *rows,
                     gsize               stride,
                     gsize               n)
{
  const char *from[WF_MEDIAN_MOST] = { FROM (0), FROM (1), FROM (2), FROM (3), FROM (4) };
  char       *to[WF_MEDIAN_MOST]   = { TO (0), TO (1), TO (2), TO (3), TO (4) };

  for (gsize i = 0; i < n; i += WF_VECTOR_BYTES)
    {
      const WfVector a = wf_load (from[0] + i);
      const WfVector b = wf_load (from[1] + i);
      const WfVector c = wf_load (from[2] + i);
      const WfVector d = wf_load (from[3] + i);
      const WfVector e = wf_load (from[4] + i);
      const WfVector p = WF_LESS (b, c);
      const WfVector q = WF_GREATER (b, c);
      const WfVector r = WF_LESS (d, e);

      wf_store (to[0] + i, WF_LESS (a, p));
      wf_store (to[1] + i, WF_GREATER (a, p));
      wf_store (to[2] + i, WF_LESS (r, q));
      wf_store (to[3] + i, WF_GREATER (r, q));
      wf_store (to[4] + i, WF_GREATER (d, e));
    }
}

static void
WF_NAME (run) (const WfMedianNetwork *network,
               char                  *rows,
               gsize                  stride,
               gint64                 n)
{
  const WfMedianStep *end = network->steps + network->n_steps;

  for (const WfMedianStep *step = network->steps; step < end; step++)
    {
      const gsize bytes = (n + step->margin) * sizeof (WF_PIXEL);

      switch (step->kind)
        {
        case WF_MEDIAN_LESS:
          WF_NAME (find_less) (step, rows, stride, bytes);
          break;
        case WF_MEDIAN_GREATER:
          WF_NAME (find_greater) (step, rows, stride, bytes);
          break;
        case WF_MEDIAN_BOTH:
          WF_NAME (find_both) (step, rows, stride, bytes);
          break;
        default:
          WF_NAME (find_four) (step, rows, stride, bytes);
          break;
        }
    }
}

#undef FROM
#undef TO

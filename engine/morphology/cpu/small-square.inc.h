/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two rows of an erosion or dilation by a square of 3 × 3 pixels; included by rows.inc.h.
 *
 * Nothing is stored between: the extremes of three lines are in registers, and those beside each
 * pixel come from the vectors before and after it.  For two vectors of the result there are
 * 4 loads, 7 comparisons, 4 moves of lanes and 2 stores.
 */

#define LANES ((gint64) (WF_VECTOR_BYTES / sizeof (WF_PIXEL)))

/* The extremes of the lines of each of two rows. */
static inline __attribute__ ((always_inline)) void
WF_NAME (take_lines) (const WF_PIXEL *const *lines,
                      gint64                 x,
                      WfVector               extremes[2])
{
  const WfVector both = WF_VECTOR_EXTREME (wf_load (lines[1] + x), wf_load (lines[2] + x));

  extremes[0] = WF_VECTOR_EXTREME (wf_load (lines[0] + x), both);
  extremes[1] = WF_VECTOR_EXTREME (wf_load (lines[3] + x), both);
}

/* A vector of each row, of whose pixels both neighbors are in the lines. */
static inline void
WF_NAME (make_vectors) (const WF_PIXEL *const *lines,
                        gint64                 x,
                        WF_PIXEL *const       *targets)
{
  WfVector left[2];
  WfVector here[2];
  WfVector right[2];

  WF_NAME (take_lines) (lines, x - 1, left);
  WF_NAME (take_lines) (lines, x, here);
  WF_NAME (take_lines) (lines, x + 1, right);
  for (int i = 0; i < 2; i++)
    wf_store (targets[i] + x, WF_VECTOR_EXTREME (WF_VECTOR_EXTREME (left[i], right[i]), here[i]));
}

/* The pixel of each row. */
static inline void
WF_NAME (make_pixel) (const WfSquareRows *rows,
                      gint64              x)
{
  const WF_PIXEL *const *lines = (const WF_PIXEL *const *) rows->lines;
  const gint64           first = x > 0 || rows->has_left ? x - 1 : x;
  const gint64           last  = x < rows->n - 1 || rows->has_right ? x + 1 : x;

  for (int i = 0; i < 2; i++)
    {
      WF_PIXEL value = WF_NEUTRAL;

      for (int k = i; k < i + 3; k++)
        for (gint64 j = first; j <= last; j++)
          value = EXTREME (lines[k][j], value);
      ((WF_PIXEL *) rows->targets[i])[x] = value;
    }
}

/* All but the first and the last pixel of a row of at least three vectors. */
static inline void
WF_NAME (make_inside) (const WfSquareRows *rows)
{
  const WF_PIXEL *const *lines   = (const WF_PIXEL *const *) rows->lines;
  WF_PIXEL *const       *targets = (WF_PIXEL *const *) rows->targets;
  gint64                 x       = 0;
  WfVector               before[2];
  WfVector               here[2];
  WfVector               after[2];

  WF_NAME (take_lines) (lines, 0, here);
  before[0] = here[0];
  before[1] = here[1];
  for (; x + 2 * LANES <= rows->n; x += LANES)
    {
      WF_NAME (take_lines) (lines, x + LANES, after);
      for (int i = 0; i < 2; i++)
        {
          const WfVector beside = WF_VECTOR_EXTREME (WF_FROM_LEFT (before[i], here[i]),
                                                     WF_FROM_RIGHT (here[i], after[i]));

          wf_store (targets[i] + x, WF_VECTOR_EXTREME (beside, here[i]));
          before[i] = here[i];
          here[i]   = after[i];
        }
    }
  WF_NAME (make_vectors) (lines, MIN (x, rows->n - 1 - LANES), targets);
  WF_NAME (make_vectors) (lines, rows->n - 1 - LANES, targets);
}

static void
WF_NAME (square_rows) (const WfSquareRows *rows)
{
  const gboolean wide = rows->n >= 3 * LANES;

  if (wide)
    WF_NAME (make_inside) (rows);
  for (gint64 x = 0; x < rows->n; x += wide ? rows->n - 1 : 1)
    WF_NAME (make_pixel) (rows, x);
}

#undef LANES

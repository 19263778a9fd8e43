/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two rows of an erosion or dilation by a square of 3 × 3 pixels, or by the disc in it; included by
 * rows.inc.h.
 *
 * Nothing is stored between: the extremes of three lines are in registers, and those beside each
 * pixel come from the vectors before and after it.  For two vectors of the result there are
 * 4 loads, 7 comparisons, 4 moves of lanes and 2 stores; of f32, one more comparison finds NaN and
 * 2 additions make zeros +0; for a disc it is the same.
 */

#define LANES ((gint64) (WF_VECTOR_BYTES / sizeof (WF_PIXEL)))

/* The extremes of the lines of each of two rows.  @nan: gets bits where a line in the middle is
 * NaN
 */
static inline __attribute__ ((always_inline)) void
WF_NAME (take_lines) (const WF_PIXEL *const *lines,
                      gint64                 x,
                      WfVector               extremes[2],
                      WfVector              *nan)
{
  const WfVector upper = wf_load (lines[1] + x);
  const WfVector lower = wf_load (lines[2] + x);
  const WfVector both  = WF_VECTOR_EXTREME (upper, lower);

  *nan        = wf_or (*nan, WF_VECTOR_UNORDERED (upper, lower));
  extremes[0] = WF_VECTOR_EXTREME (wf_load (lines[0] + x), both);
  extremes[1] = WF_VECTOR_EXTREME (wf_load (lines[3] + x), both);
}

/* A vector of each row, of whose pixels both neighbors are in the lines. */
static inline void
WF_NAME (make_vectors) (const WF_PIXEL *const *lines,
                        gint64                 x,
                        WF_PIXEL *const       *targets,
                        WfVector              *nan)
{
  WfVector left[2];
  WfVector here[2];
  WfVector right[2];

  WF_NAME (take_lines) (lines, x - 1, left, nan);
  WF_NAME (take_lines) (lines, x, here, nan);
  WF_NAME (take_lines) (lines, x + 1, right, nan);
  for (int i = 0; i < 2; i++)
    {
      const WfVector beside = WF_VECTOR_EXTREME (left[i], right[i]);

      wf_store (targets[i] + x, WF_VECTOR_PLUS_ZERO (WF_VECTOR_EXTREME (beside, here[i])));
    }
}

/* The pixel of each row.  Returns whether a pixel of a line in the middle is NaN. */
static inline gboolean
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
      ((WF_PIXEL *) rows->targets[i])[x] = WF_PLUS_ZERO (value);
    }
  return WF_UNORDERED (lines[1][x], lines[2][x]);
}

/* All but the first and the last pixel of a row of at least three vectors.  Returns whether a line
 * in the middle holds NaN.
 */
static inline gboolean
WF_NAME (make_inside) (const WfSquareRows *rows)
{
  const WF_PIXEL *const *lines   = (const WF_PIXEL *const *) rows->lines;
  WF_PIXEL *const       *targets = (WF_PIXEL *const *) rows->targets;
  gint64                 x       = 0;
  WfVector               nan     = wf_zero ();
  WfVector               before[2];
  WfVector               here[2];
  WfVector               after[2];

  WF_NAME (take_lines) (lines, 0, here, &nan);
  before[0] = here[0];
  before[1] = here[1];
  for (; x + 2 * LANES <= rows->n; x += LANES)
    {
      WF_NAME (take_lines) (lines, x + LANES, after, &nan);
      for (int i = 0; i < 2; i++)
        {
          const WfVector beside = WF_VECTOR_EXTREME (WF_FROM_LEFT (before[i], here[i]),
                                                     WF_FROM_RIGHT (here[i], after[i]));

          wf_store (targets[i] + x, WF_VECTOR_PLUS_ZERO (WF_VECTOR_EXTREME (beside, here[i])));
          before[i] = here[i];
          here[i]   = after[i];
        }
    }
  WF_NAME (make_vectors) (lines, MIN (x, rows->n - 1 - LANES), targets, &nan);
  WF_NAME (make_vectors) (lines, rows->n - 1 - LANES, targets, &nan);
  return wf_any (nan);
}

static gboolean
WF_NAME (square_rows) (const WfSquareRows *rows)
{
  const gboolean wide = rows->n >= 3 * LANES;
  gboolean       nan  = FALSE;

  if (wide)
    nan = WF_NAME (make_inside) (rows);
  for (gint64 x = 0; x < rows->n; x += wide ? rows->n - 1 : 1)
    nan |= WF_NAME (make_pixel) (rows, x);
  return nan;
}


/*  Discs  */

/* A vector of each row, of whose pixels both neighbors are in the lines.  The second row comes
 * first, as it may be where the first one is.
 */
static inline __attribute__ ((always_inline)) void
WF_NAME (make_disc_vectors) (const WF_PIXEL *const *lines,
                             gint64                 x,
                             WF_PIXEL *const       *targets,
                             WfVector              *nan)
{
  const WfVector upper = wf_load (lines[1] + x);
  const WfVector lower = wf_load (lines[2] + x);
  const WfVector both  = WF_VECTOR_EXTREME (upper, lower);

  *nan = wf_or (*nan, WF_VECTOR_UNORDERED (upper, lower));
  for (int i = 1; i >= 0; i--)
    {
      const WfVector beside = WF_VECTOR_EXTREME (wf_load (lines[1 + i] + x - 1),
                                                 wf_load (lines[1 + i] + x + 1));
      const WfVector column = WF_VECTOR_EXTREME (wf_load (lines[3 * i] + x), both);

      wf_store (targets[i] + x, WF_VECTOR_PLUS_ZERO (WF_VECTOR_EXTREME (beside, column)));
    }
}

/* The pixel of each row.  Returns whether a pixel of a line in the middle is NaN. */
static inline gboolean
WF_NAME (make_disc_pixel) (const WfSquareRows *rows,
                           gint64              x)
{
  const WF_PIXEL *const *lines = (const WF_PIXEL *const *) rows->lines;
  const gint64           first = x > 0 || rows->has_left ? x - 1 : x;
  const gint64           last  = x < rows->n - 1 || rows->has_right ? x + 1 : x;

  for (int i = 1; i >= 0; i--)
    {
      WF_PIXEL value = WF_NEUTRAL;

      for (gint64 j = first; j <= last; j++)
        value = EXTREME (lines[1 + i][j], value);
      for (int k = i; k < i + 3; k += 2)
        value = EXTREME (lines[k][x], value);
      ((WF_PIXEL *) rows->targets[i])[x] = WF_PLUS_ZERO (value);
    }
  return WF_UNORDERED (lines[1][x], lines[2][x]);
}

/* All but the first and the last pixel of a row of at least three vectors.  Returns whether a line
 * in the middle holds NaN.  Pixels beside others come from the vectors before and after, as loads
 * of them would wait for the stores before where rows are whole pages apart.
 */
static inline gboolean
WF_NAME (make_disc_inside) (const WfSquareRows *rows)
{
  const WF_PIXEL *const *lines   = (const WF_PIXEL *const *) rows->lines;
  WF_PIXEL *const       *targets = (WF_PIXEL *const *) rows->targets;
  gint64                 x       = 0;
  WfVector               nan     = wf_zero ();
  WfVector               before[2];
  WfVector               here[2];
  WfVector               after[2];

  for (int i = 0; i < 2; i++)
    before[i] = here[i] = wf_load (lines[1 + i]);
  for (; x + 2 * LANES <= rows->n; x += LANES)
    {
      const WfVector both = WF_VECTOR_EXTREME (here[0], here[1]);

      nan = wf_or (nan, WF_VECTOR_UNORDERED (here[0], here[1]));
      for (int i = 1; i >= 0; i--)
        {
          WfVector beside;
          WfVector column;

          after[i] = wf_load (lines[1 + i] + x + LANES);
          beside   = WF_VECTOR_EXTREME (WF_FROM_LEFT (before[i], here[i]),
                                        WF_FROM_RIGHT (here[i], after[i]));
          column   = WF_VECTOR_EXTREME (wf_load (lines[3 * i] + x), both);
          wf_store (targets[i] + x, WF_VECTOR_PLUS_ZERO (WF_VECTOR_EXTREME (beside, column)));
          before[i] = here[i];
          here[i]   = after[i];
        }
    }
  WF_NAME (make_disc_vectors) (lines, MIN (x, rows->n - 1 - LANES), targets, &nan);
  WF_NAME (make_disc_vectors) (lines, rows->n - 1 - LANES, targets, &nan);
  return wf_any (nan);
}

static gboolean
WF_NAME (disc_rows) (const WfSquareRows *rows)
{
  const gboolean wide = rows->n >= 3 * LANES;
  gboolean       nan  = FALSE;

  if (wide)
    nan = WF_NAME (make_disc_inside) (rows);
  for (gint64 x = 0; x < rows->n; x += wide ? rows->n - 1 : 1)
    nan |= WF_NAME (make_disc_pixel) (rows, x);
  return nan;
}

#undef LANES

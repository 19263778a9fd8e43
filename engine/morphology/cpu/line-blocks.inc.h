/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Windows of lines, a block of windows at a time; included by rows.inc.h.
 *
 * The extremes of the ends of a block are made from its last line up, with the lines between the
 * block and the end of the first window, and kept.  The windows follow, in some lines at a time, so
 * that what is done with them next finds them in the first-level cache.  Four lines at a time need
 * the line before them once: for four lines of the source 5 lines are loaded and 4 stored for the
 * ends, 9 loaded and 5 stored for the windows, which is 3 comparisons a pixel.
 */

static inline const WF_PIXEL *
WF_NAME (block_line) (const WfLineBlock *block,
                      gint64             line)
{
  return wf_line_within (block->source, block->first + line, block->n_source,
                         block->source_step * (gint64) sizeof (WF_PIXEL));
}

static inline WF_PIXEL *
WF_NAME (block_kept) (const WfLineBlock *block,
                      gint64             line)
{
  return (WF_PIXEL *) block->kept + line * block->kept_step;
}

/* Keeps the ends that begin at four lines, @d the first of them, before that which begins at
 * @after.
 */
static inline void
WF_NAME (end_four) (const WF_PIXEL *restrict a,
                    const WF_PIXEL *restrict b,
                    const WF_PIXEL *restrict c,
                    const WF_PIXEL *restrict d,
                    const WF_PIXEL *restrict after,
                    WF_PIXEL *restrict       kept_a,
                    WF_PIXEL *restrict       kept_b,
                    WF_PIXEL *restrict       kept_c,
                    WF_PIXEL *restrict       kept_d,
                    gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL value_a = EXTREME (a[x], after[x]);
      WF_PIXEL value_b = EXTREME (b[x], value_a);
      WF_PIXEL value_c = EXTREME (c[x], value_b);
      WF_PIXEL value_d = EXTREME (d[x], value_c);

      kept_a[x] = value_a;
      kept_b[x] = value_b;
      kept_c[x] = value_c;
      kept_d[x] = value_d;
    }
}

static inline void
WF_NAME (end_one) (const WF_PIXEL *restrict line,
                   const WF_PIXEL *restrict after,
                   WF_PIXEL *restrict       kept,
                   gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    kept[x] = EXTREME (line[x], after[x]);
}

static void
WF_NAME (ends) (const WfLineBlock *block)
{
  const gint64  n     = block->width;
  const gint64  last  = block->n - 1;
  const gint64  after = MIN (block->block - 1, block->n_source - block->first);
  WF_PIXEL     *end   = WF_NAME (block_kept) (block, last);
  gint64        t     = last - 1;

  memcpy (end, WF_NAME (block_line) (block, block->block - 1), n * sizeof (WF_PIXEL));
  for (gint64 i = MAX (last, -block->first); i < after; i += 4)
    WF_NAME (join_four) (end, WF_NAME (block_line) (block, i),
                         WF_NAME (block_line) (block, MIN (i + 1, after - 1)),
                         WF_NAME (block_line) (block, MIN (i + 2, after - 1)),
                         WF_NAME (block_line) (block, MIN (i + 3, after - 1)), n);
  if (block->middle)
    WF_NAME (join) (end, block->middle, n);
  for (; t >= 3; t -= 4)
    WF_NAME (end_four) (WF_NAME (block_line) (block, t), WF_NAME (block_line) (block, t - 1),
                        WF_NAME (block_line) (block, t - 2), WF_NAME (block_line) (block, t - 3),
                        WF_NAME (block_kept) (block, t + 1), WF_NAME (block_kept) (block, t),
                        WF_NAME (block_kept) (block, t - 1), WF_NAME (block_kept) (block, t - 2),
                        WF_NAME (block_kept) (block, t - 3), n);
  for (; t >= 0; t--)
    WF_NAME (end_one) (WF_NAME (block_line) (block, t), WF_NAME (block_kept) (block, t + 1),
                       WF_NAME (block_kept) (block, t), n);
}

/* Adds four lines to @reached, one after the other, and joins each state with an end.  Returns
 * whether the lines hold NaN.
 */
static inline gboolean
WF_NAME (reach_four) (WF_PIXEL *restrict             reached,
                      const WF_PIXEL *const *        lines,
                      const WF_PIXEL *const *        kept,
                      WF_PIXEL *restrict             target,
                      gint64                         step,
                      gint64                         n)
{
  const WF_PIXEL *restrict a      = lines[0];
  const WF_PIXEL *restrict b      = lines[1];
  const WF_PIXEL *restrict c      = lines[2];
  const WF_PIXEL *restrict d      = lines[3];
  const WF_PIXEL *restrict kept_a = kept[0];
  const WF_PIXEL *restrict kept_b = kept[1];
  const WF_PIXEL *restrict kept_c = kept[2];
  const WF_PIXEL *restrict kept_d = kept[3];
  WF_PIXEL *restrict       to_b   = target + step;
  WF_PIXEL *restrict       to_c   = target + 2 * step;
  WF_PIXEL *restrict       to_d   = target + 3 * step;
  int                      nan    = 0;

  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL value_a = EXTREME (a[x], reached[x]);
      WF_PIXEL value_b = EXTREME (b[x], value_a);
      WF_PIXEL value_c = EXTREME (c[x], value_b);
      WF_PIXEL value_d = EXTREME (d[x], value_c);

      nan       |= WF_UNORDERED (a[x], b[x]) | WF_UNORDERED (c[x], d[x]);
      reached[x] = value_d;
      target[x]  = EXTREME (kept_a[x], value_a);
      to_b[x]    = EXTREME (kept_b[x], value_b);
      to_c[x]    = EXTREME (kept_c[x], value_c);
      to_d[x]    = EXTREME (kept_d[x], value_d);
    }
  return nan != 0;
}

/* The last line of the first window is in all of them: every window adds one line, from it on. */
static gboolean
WF_NAME (reach_block) (const WfLineBlock *block,
                       gint64             first,
                       gint64             n,
                       gpointer           target,
                       gint64             target_step)
{
  WF_PIXEL *to  = target;
  gboolean  nan = FALSE;

  if (first == 0)
    WF_NAME (fill) (block->reached, block->width);
  if (n == WF_BLOCK_LINES)
    {
      const WF_PIXEL *lines[WF_BLOCK_LINES];
      const WF_PIXEL *kept[WF_BLOCK_LINES];

      for (int i = 0; i < WF_BLOCK_LINES; i++)
        {
          lines[i] = WF_NAME (block_line) (block, block->window - 1 + first + i);
          kept[i]  = WF_NAME (block_kept) (block, first + i);
        }
      return WF_NAME (reach_four) (block->reached, lines, kept, to, target_step, block->width);
    }
  for (gint64 i = 0; i < n; i++)
    nan |= WF_NAME (reach_line) (block->reached,
                                 WF_NAME (block_line) (block, block->window - 1 + first + i),
                                 WF_NAME (block_kept) (block, first + i), to + i * target_step,
                                 block->width);
  return nan;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Windows along a row; included by rows.inc.h.
 *
 * Windows of 4 pixels are made of four loads, then those of 8, 16, … up to a vector's width in
 * registers: each is the extreme of two windows half as long.  A step takes what the one before
 * made of an earlier vector, so that none waits for the other.  A window up to four times as long
 * is the extreme of two to four of these, which overlap.
 *
 * The longer ones are windows of whole vectors, as van Herk (1992) and Gil and Werman (1993) make
 * them: blocks of vectors begin where windows do, and the extremes of the windows' last vectors,
 * each from the first one of a block on, are made on the way.  Those of their first vectors follow
 * from the end of the block to its begin, and are joined with them.  For a vector of the result
 * there are 6 loads and 3 stores, however long the window is.
 *
 * A row is done in pieces, which stay in the first-level cache.
 */

#define LANES ((gint64) (WF_VECTOR_BYTES / sizeof (WF_PIXEL)))

/* A window of @n_pixels, a constant; zeros become +0. */
static inline __attribute__ ((always_inline)) void
WF_NAME (overlap_few) (const WF_PIXEL *restrict row,
                       const int                n_pixels,
                       WF_PIXEL *restrict       target,
                       gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL value = row[x];

      for (int i = 1; i < n_pixels; i++)
        value = EXTREME (row[x + i], value);
      target[x] = WF_PLUS_ZERO (value);
    }
}

/* The extreme of a pixel and of that @a pixels after it, +0 if that is zero. */
static inline void
WF_NAME (overlap) (const WF_PIXEL *restrict row,
                   gint64                   a,
                   WF_PIXEL *restrict       target,
                   gint64                   n)
{
  const WF_PIXEL *ahead = row + a;

  for (gint64 x = 0; x < n; x++)
    target[x] = WF_PLUS_ZERO (EXTREME (row[x], ahead[x]));
}

/* The extreme of a pixel and of those @a and @b pixels after it, +0 if that is zero. */
static inline void
WF_NAME (overlap_three) (const WF_PIXEL *restrict row,
                         gint64                   a,
                         gint64                   b,
                         WF_PIXEL *restrict       target,
                         gint64                   n)
{
  const WF_PIXEL *at_a = row + a;
  const WF_PIXEL *at_b = row + b;

  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL ahead = EXTREME (at_a[x], at_b[x]);

      target[x] = WF_PLUS_ZERO (EXTREME (row[x], ahead));
    }
}

/* Sets @target to windows that are longer than those of the row, of @length pixels, but not more
 * than four times as long.
 */
static inline void
WF_NAME (join_windows) (const WF_PIXEL *row,
                        gint64          length,
                        gint64          window,
                        WF_PIXEL       *target,
                        gint64          n)
{
  const gint64 last = window - length;

  if (last <= length)
    WF_NAME (overlap) (row, last, target, n);
  else if (last <= 2 * length)
    WF_NAME (overlap_three) (row, length, last, target, n);
  else
    WF_NAME (set_four) (target, row, row + length, row + 2 * length, row + last, n);
}

/* Results of the next piece: some times @unit. */
static inline void
WF_NAME (next_piece) (WfWindow *window,
                      gint64    unit)
{
  const gint64 n = MAX (WF_PIECE / (gint64) sizeof (WF_PIXEL) / unit, 1) * unit;

  window->from = window->to;
  window->to   = MIN (window->from + n, window->n);
}


/*  Windows of up to a vector's width  */

/**
 * Widening:
 * @row: windows of 4 pixels are made from here on
 * @last: the last vector where they are needed
 * @before, @here: for each step the last two vectors before this one
 */
typedef struct
{
  const WF_PIXEL *row;
  const WF_PIXEL *last;
  WfVector        before[4];
  WfVector        here[4];
} WF_NAME (Widening);

static inline __attribute__ ((always_inline)) WfVector
WF_NAME (ahead) (WfVector  v,
                 WfVector  after,
                 const int bytes)
{
  switch (bytes)
    {
#if WF_VECTOR_BYTES > 32
    case 32:
      return wf_ahead_32 (v, after);
#endif
#if WF_VECTOR_BYTES > 16
    case 16:
      return wf_ahead_16 (v, after);
#endif
    case 8:
      return wf_ahead_8 (v, after);
    default:
      return wf_ahead_4 (v, after);
    }
}

/* The next vector of windows of @length pixels, a constant.  They come later than those of 4
 * pixels, by two vectors for each step; after the last one it does not matter what is read.
 */
static inline __attribute__ ((always_inline)) WfVector
WF_NAME (widen_next) (WF_NAME (Widening) *w,
                      const int           length)
{
  const WF_PIXEL *row  = MIN (w->row, w->last);
  WfVector        v    = WF_VECTOR_EXTREME (
                           WF_VECTOR_EXTREME (wf_load (row), wf_load (row + 1)),
                           WF_VECTOR_EXTREME (wf_load (row + 2), wf_load (row + 3)));
  int             step = 0;

  w->row += LANES;
  for (int l = 4; l < length; l *= 2, step++)
    {
      const WfVector before = w->before[step];
      const WfVector here   = w->here[step];

      w->before[step] = here;
      w->here[step]   = v;
      v = WF_VECTOR_EXTREME (before, WF_NAME (ahead) (before, here, l * sizeof (WF_PIXEL)));
    }
  return v;
}

/* Begins at @row, for @n pixels. */
static inline __attribute__ ((always_inline)) void
WF_NAME (widen_begin) (WF_NAME (Widening) *w,
                       const WF_PIXEL     *row,
                       gint64              n,
                       const int           length)
{
  w->row  = row;
  w->last = row + (n + LANES - 1) / LANES * LANES;
  for (int i = 0; i < 4; i++)
    w->before[i] = w->here[i] = wf_zero ();
  for (int l = 4; l < length; l *= 2)
    {
      WF_NAME (widen_next) (w, length);
      WF_NAME (widen_next) (w, length);
    }
}

/* At least @n windows of @length pixels, a constant. */
static inline __attribute__ ((always_inline)) void
WF_NAME (widen_row) (const WF_PIXEL *row,
                     const int       length,
                     WF_PIXEL       *target,
                     gint64          n)
{
  WF_NAME (Widening) w;

  WF_NAME (widen_begin) (&w, row, n, length);
  WF_UNROLLED
  for (gint64 x = 0; x < n; x += LANES)
    wf_store (target + x, WF_NAME (widen_next) (&w, length));
}

static void
WF_NAME (find_short) (WfWindow *window)
{
  const WF_PIXEL *row    = (const WF_PIXEL *) window->row + window->from;
  WF_PIXEL       *kept   = window->kept;
  const gint64    n      = window->to - window->from;
  gint64          length = 4;

  while (4 * length < window->window)
    length *= 2;
  if (length == 4)
    WF_NAME (widen_row) (row, 4, kept, n + window->window - 4);
  else if (length == 8)
    WF_NAME (widen_row) (row, 8, kept, n + window->window - 8);
  else if (length == 16)
    WF_NAME (widen_row) (row, 16, kept, n + window->window - 16);
  else if (length == 32)
    WF_NAME (widen_row) (row, 32, kept, n + window->window - 32);
  else
    WF_NAME (widen_row) (row, 64, kept, n + window->window - 64);
  WF_NAME (join_windows) (kept, length, window->window, window->target, n);
}


/*  Windows of vectors  */

/* Sets pixels of a row; @n: up to its end */
static inline void
WF_NAME (store_within) (WF_PIXEL *target,
                        WfVector  v,
                        gint64    n)
{
  WF_PIXEL pixels[LANES];

  if (n >= LANES)
    wf_store (target, v);
  else if (n > 0)
    {
      wf_store (pixels, v);
      memcpy (target, pixels, n * sizeof (WF_PIXEL));
    }
}

/* Results of a block of @block pixels, from its end on.  @ends: extremes of the windows' ends; @n:
 * pixels of the result
 */
static inline void
WF_NAME (join_block) (const WF_PIXEL *begins,
                      const WF_PIXEL *ends,
                      gint64          block,
                      WF_PIXEL       *target,
                      gint64          n)
{
  WfVector begin = wf_load (begins + block - LANES);
  gint64   x     = block - LANES;

  for (; x + LANES > n; x -= LANES)
    {
      WfVector whole;

      begin = WF_VECTOR_EXTREME (begin, wf_load (begins + x));
      whole = WF_VECTOR_EXTREME (begin, wf_load (ends + x));
      WF_NAME (store_within) (target + x, WF_VECTOR_PLUS_ZERO (whole), n - x);
    }
  WF_UNROLLED
  for (; x >= 0; x -= LANES)
    {
      WfVector whole;

      begin = WF_VECTOR_EXTREME (begin, wf_load (begins + x));
      whole = WF_VECTOR_EXTREME (begin, wf_load (ends + x));
      wf_store (target + x, WF_VECTOR_PLUS_ZERO (whole));
    }
}

/* Pixels of a block. */
static inline gint64
WF_NAME (window_block) (const WfWindow *window)
{
  return (window->window - 1) / LANES * LANES;
}

/* Windows of a vector's width from @row on, and the extremes of those of each block up to each of
 * them.
 */
static inline void
WF_NAME (make_ends) (const WF_PIXEL *row,
                     gint64          block,
                     WF_PIXEL       *wide,
                     WF_PIXEL       *ends,
                     gint64          n)
{
  WF_NAME (Widening) w;

  WF_NAME (widen_begin) (&w, row, n, LANES);
  for (gint64 start = 0; start < n; start += block)
    {
      const gint64 end  = MIN (start + block, n);
      WfVector     last = WF_NAME (widen_next) (&w, LANES);

      wf_store (wide + start, last);
      wf_store (ends + start, last);
      WF_UNROLLED
      for (gint64 x = start + LANES; x < end; x += LANES)
        {
          const WfVector here = WF_NAME (widen_next) (&w, LANES);

          last = WF_VECTOR_EXTREME (last, here);
          wf_store (wide + x, here);
          wf_store (ends + x, last);
        }
    }
}

/* Of a piece, which consists of blocks.  A processor waits where it loads what it has just stored
 * in two vectors: so the blocks are joined when the ends of all of them are made.
 */
static void
WF_NAME (find_long) (const WfWindow *window)
{
  const gint64    block = WF_NAME (window_block) (window);
  const gint64    ahead = window->window - LANES;
  const gint64    n     = window->to - window->from;
  const WF_PIXEL *row   = window->row;
  WF_PIXEL       *wide  = window->kept;
  WF_PIXEL       *ends  = window->next;
  WF_PIXEL       *to    = window->target;

  /* stores that are not aligned cost more than such loads */
  wide += (gint64) (-(guintptr) (wide + ahead) % WF_VECTOR_BYTES / sizeof (WF_PIXEL));
  if (window->from == 0)
    WF_NAME (widen_row) (row, LANES, wide, ahead);
  wide += window->from;
  WF_NAME (make_ends) (row + window->from + ahead, block, wide + ahead, ends, n);
  for (gint64 x = 0; x < n; x += block)
    WF_NAME (join_block) (wide + x, ends + x, block, to + x, n - x);
}

static gboolean
WF_NAME (window) (WfWindow *window)
{
  const WF_PIXEL *row  = window->row;
  const gboolean  wide = window->window > 4 * LANES;

  WF_NAME (next_piece) (window, wide ? WF_NAME (window_block) (window) : LANES);
  row += window->from;
  if (window->window == 1)
    WF_NAME (copy_finished) (window->target, row, window->to - window->from);
  else if (window->window == 3)
    WF_NAME (overlap_few) (row, 3, window->target, window->to - window->from);
  else if (window->window == 5)
    WF_NAME (overlap_few) (row, 5, window->target, window->to - window->from);
  else if (window->window == 7)
    WF_NAME (overlap_few) (row, 7, window->target, window->to - window->from);
  else if (wide)
    WF_NAME (find_long) (window);
  else
    WF_NAME (find_short) (window);
  return window->to < window->n;
}

#undef LANES

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the local search, in loops over whole blocks that the compiler
 * turns into whatever vector instructions the including file is compiled for; it
 * names their table, WF_LOCAL_TABLE.
 */

#include <math.h>

#include "vector.h"


/*  Columns  */

static void
step_down (const guint8  *foreground,
           const guint16 *above,
           guint16       *here,
           gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    {
      guint16 next = above[x] + (above[x] != WF_NO_COLUMN);

      here[x] = foreground[x] ? next : 0;
    }
}

static void
step_up (const guint16 *below,
         guint16       *here,
         gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    {
      guint16 next = below[x] + (below[x] != WF_NO_COLUMN);

      here[x] = MIN (here[x], next);
    }
}


/*  Near: the search  */

/* Squares of a row, cut off; a number is cut off before it is squared. */
static inline void
square_row (const WfLocalRow *row)
{
  gint64 n = row->width;

  for (gint64 x = 0; x < n; x++)
    {
      guint16 g = MIN (row->columns[x], 255);

      row->squares[x] = MIN ((guint16) (g * g), WF_FAR_SQUARE);
    }
}

static inline guint16
least_of_block (const guint16 *squares)
{
  guint16 least = squares[0];

  for (int i = 1; i < WF_BLOCK; i++)
    least = MIN (least, squares[i]);
  return least;
}

#define N_LANES   (WF_VECTOR_BYTES / (int) sizeof (guint16))
#define N_VECTORS (WF_BLOCK / N_LANES)

/* Takes in the columns that lie @k away on both sides. */
static inline void
take_in (const guint16 *squares,
         int            k,
         WfVector      *best)
{
  const WfVector step = wf_fill_16 (k * k);

  for (int v = 0; v < N_VECTORS; v++)
    {
      const guint16 *here = squares + v * N_LANES;

      best[v] = wf_min_16 (best[v], wf_add_16 (step, wf_min_16 (wf_load (here - k),
                                                                wf_load (here + k))));
    }
}

static inline gboolean
is_settled (const WfVector *best,
            guint16         bound)
{
  WfVector largest = best[0];

  for (int v = 1; v < N_VECTORS; v++)
    largest = wf_max_16 (largest, best[v]);
  return ! wf_any_above_16 (largest, wf_fill_16 (bound));
}

/* Columns that lie neither in the block nor in its two neighbours are so far from
 * each of its pixels, whatever their own distances are.
 */
#define WF_UNSEEN_SQUARE ((WF_BLOCK + 1) * (WF_BLOCK + 1))

/* Whether the search settled the block.  It stops as soon as no column further
 * out can bring anything below the block's largest value.
 */
static inline gboolean
search_block (const guint16 *squares,
              guint16        least_around,
              guint16       *settled)
{
  WfVector best[N_VECTORS];

  if (least_around >= WF_UNSEEN_SQUARE)
    return FALSE;

  for (int v = 0; v < N_VECTORS; v++)
    best[v] = wf_load (squares + v * N_LANES);
  for (int k = 1; k <= WF_REACH; k++)
    {
      if (is_settled (best, MIN (least_around + k * k, WF_UNSEEN_SQUARE)))
        {
          for (int v = 0; v < N_VECTORS; v++)
            wf_store (settled + v * N_LANES, best[v]);
          return TRUE;
        }
      take_in (squares, k, best);
    }
  return FALSE;
}

static inline void
write_block (const WfLocalRow *row,
             gint64            x,
             gint64            n,
             const guint16    *best)
{
  if (row->squared)
    for (gint64 i = 0; i < n; i++)
      row->squared[x + i] = best[i];
  else if (n == WF_BLOCK)
    for (int i = 0; i < WF_BLOCK; i++)
      row->distances[x + i] = sqrtf (best[i]);
  else
    for (gint64 i = 0; i < n; i++)
      row->distances[x + i] = sqrtf (best[i]);
}


/*  Far: the envelope  */

/* The lower envelope of the parabolas over the columns (Meijster, Roerdink and
 * Hesselink 2000), in integers: between equals the one on the left stays.
 */
static gint64
add_site (const WfLocalRow *row,
          gint64            n,
          gint64            u,
          gint64            square)
{
  gint64 start = 0;

  while (n > 0)
    {
      gint64 x = row->starts[n - 1];
      gint64 a = x - row->sites[n - 1];
      gint64 b = x - u;

      if (a * a + row->site_squares[n - 1] <= b * b + square)
        break;
      n--;
    }
  if (n > 0)
    {
      gint64 i = row->sites[n - 1];

      start = 1 + (u * u - i * i + square - row->site_squares[n - 1]) / (2 * (u - i));
    }
  if (start >= row->width)
    return n;

  row->sites[n]        = u;
  row->site_squares[n] = square;
  row->starts[n]       = start;
  return n + 1;
}

static inline void
write_parabola (const WfLocalRow *row,
                gint64            from,
                gint64            to,
                gint64            site,
                gint64            square)
{
  if (row->squared)
    for (gint64 x = from; x < to; x++)
      row->squared[x] = (x - site) * (x - site) + square;
  else
    for (int x = from; x < (int) to; x++)
      {
        double step = x - (int) site;

        row->distances[x] = (float) sqrt (step * step + square);
      }
}

/* Writes what one site is nearest to, in blocks that are not done. */
static void
write_segment (const WfLocalRow *row,
               gint64            from,
               gint64            end,
               gint64            site,
               gint64            square)
{
  while (from < end)
    {
      gint64 block = from / WF_BLOCK;
      gint64 to    = MIN (end, (block + 1) * WF_BLOCK);

      if (! row->done[block])
        write_parabola (row, from, to, site, square);
      from = to;
    }
}

static void
finish_far_blocks (const WfLocalRow *row)
{
  gint64 n   = 0;
  gint64 end = row->width;

  /* The outside, one pixel before the row, is at 0 of the shifted axis. */
  if (row->border_background)
    n = add_site (row, n, -1, 0);
  for (gint64 x = 0; x < row->width; x++)
    if (row->columns[x] != WF_NO_COLUMN)
      n = add_site (row, n, x, (gint64) row->columns[x] * row->columns[x]);
  if (row->border_background)
    n = add_site (row, n, row->width, 0);

  if (n == 0)
    {
      for (gint64 x = 0; x < row->width; x++)
        if (row->squared)
          row->squared[x] = G_MAXUINT64;
        else
          row->distances[x] = INFINITY;
      return;
    }
  while (n-- > 0)
    {
      write_segment (row, row->starts[n], end, row->sites[n], row->site_squares[n]);
      end = row->starts[n];
    }
}


static void
finish_row (const WfLocalRow *row)
{
  const gint64 n_blocks = (row->width + WF_BLOCK - 1) / WF_BLOCK;
  gboolean     far      = FALSE;

  square_row (row);
  for (gint64 b = -1; b <= n_blocks; b++)
    row->least[b] = least_of_block (row->squares + b * WF_BLOCK);

  for (gint64 b = 0; b < n_blocks; b++)
    {
      guint16 best[WF_BLOCK];
      guint16 least = MIN (row->least[b], MIN (row->least[b - 1], row->least[b + 1]));

      row->done[b] = search_block (row->squares + b * WF_BLOCK, least, best);
      if (row->done[b])
        write_block (row, b * WF_BLOCK, MIN (WF_BLOCK, row->width - b * WF_BLOCK), best);
      else
        far = TRUE;
    }
  if (far)
    finish_far_blocks (row);
}

const WfLocalSteps WF_LOCAL_TABLE = { step_down, step_up, finish_row };

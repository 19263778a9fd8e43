/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of exact-local.h, compiled for each instruction set: loops over whole
 * blocks, which the compiler vectorises.
 */

#include "config.h"

#include <math.h>

#include "exact-local.h"
#include "engine/cpu/vector.h"

#include "exact-local-far.inc.h"


/*  Columns  */

static void
note_row (const guint8 *pixels,
          guint8        most,
          guint8        row,
          guint8       *first,
          guint8       *last,
          gint64        n)
{
  for (gint64 x = 0; x < n; x++)
    {
      guint8 here = pixels[x] > most ? WF_NO_ROW : row;

      first[x] = MIN (first[x], here);
      last[x]  = pixels[x] > most ? last[x] : row;
    }
}

/* More than the tallest image is WF_NO_COLUMN. */
static void
pass_band (const guint16 *before,
           gint64         n_rows,
           guint16       *here,
           gint64         n)
{
  const guint16 rows = n_rows;
  const guint16 most = WF_NO_COLUMN - rows;

  for (gint64 x = 0; x < n; x++)
    {
      guint16 passed = MIN (before[x], most) + rows;

      here[x] = MIN (here[x], passed);
    }
}

static void
step_up (const guint8  *pixels,
         guint8         most,
         const guint16 *below,
         guint16       *here,
         gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    {
      guint16 next = below[x] + (below[x] != WF_NO_COLUMN);

      here[x] = pixels[x] > most ? next : 0;
    }
}

/* A number is cut off before it is squared, and its square after that. */
static void
step_down (const guint8 *pixels,
           guint8        most,
           guint16      *above,
           guint16      *here,
           guint16      *squares,
           gint64        n)
{
  for (gint64 x = 0; x < n; x++)
    {
      guint16 next = above[x] + (above[x] != WF_NO_COLUMN);
      guint16 g;

      next       = pixels[x] > most ? next : 0;
      g          = MIN (next, here[x]);
      above[x]   = next;
      here[x]    = g;
      squares[x] = g > 255 ? WF_FAR_SQUARE : (guint16) (g * g);
    }
}


/*  Near: the search  */

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

      best[v] = wf_min_16 (best[v], wf_adds_16 (step, wf_min_16 (wf_load (here - k),
                                                                 wf_load (here + k))));
    }
}

static inline gboolean
is_settled (const WfVector *best,
            int             bound)
{
  WfVector largest = best[0];

  for (int v = 1; v < N_VECTORS; v++)
    largest = wf_max_16 (largest, best[v]);
  return ! wf_any_above_16 (largest, wf_fill_16 (bound));
}

static inline int
least_of_block (const guint16 *squares)
{
  guint16 least = squares[0];

  for (int i = 1; i < WF_BLOCK; i++)
    least = MIN (least, squares[i]);
  return least;
}

/* Columns that lie neither in the block nor in its two neighbours are so far from
 * each of its pixels, whatever their own distances are.
 */
#define UNSEEN_SQUARE (WF_SETTLED * WF_SETTLED)

/* Steps that are taken before anything else is known, one by one; and how many are
 * taken at once from then on.
 */
#define FIRST_STEPS 4
#define MORE_STEPS  4

/* Whether the search settled the block, of whose pixels the first @n count.  It stops
 * as soon as no column further out can bring anything below the block's largest
 * value.
 */
static inline gboolean
search_block (const guint16 *squares,
              gint64         n,
              guint16       *settled)
{
  WfVector best[N_VECTORS];
  int      least;
  int      k = 1;

  for (int v = 0; v < N_VECTORS; v++)
    best[v] = wf_load (squares + v * N_LANES);
  if (n < WF_BLOCK)
    {
      memset (settled, 0, WF_BLOCK * sizeof *settled);
      memcpy (settled, squares, n * sizeof *settled);
      for (int v = 0; v < N_VECTORS; v++)
        best[v] = wf_load (settled + v * N_LANES);
    }

  while (! is_settled (best, k * k))
    {
      if (k > FIRST_STEPS)
        goto further;
      take_in (squares, k, best);
      k++;
    }
  goto done;

further:
  least = MIN (least_of_block (squares), MIN (least_of_block (squares - WF_BLOCK),
                                              least_of_block (squares + WF_BLOCK)));
  if (least >= UNSEEN_SQUARE)
    return FALSE;
  while (! is_settled (best, MIN (least + k * k, UNSEEN_SQUARE)))
    {
      if (k > WF_REACH - MORE_STEPS + 1)
        return FALSE;
      for (int i = 0; i < MORE_STEPS; i++, k++)
        take_in (squares, k, best);
    }

done:
  for (int v = 0; v < N_VECTORS; v++)
    wf_store (settled + v * N_LANES, best[v]);
  return TRUE;
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


/*  Rows  */

static void
search_far_blocks (const WfLocalRow *row,
                   gint64            first,
                   gint64            end)
{
  const gint64 x    = first * WF_BLOCK;
  const gint64 stop = MIN (end * WF_BLOCK, row->width);

  find_far_sites (row, x, stop);
  if (row->kept)
    for (gint64 b = first; b < end; b++)
      keep_far_block (row, b);
  else
    write_far_groups (row, x, stop);
}

static inline void
take_near_block (const WfLocalRow *row,
                 gint64            b,
                 const guint16    *squares)
{
  const gint64 x = b * WF_BLOCK;

  if (row->kept)
    memcpy (row->kept + x, squares, WF_BLOCK * sizeof *squares);
  else
    write_block (row, x, MIN (WF_BLOCK, row->width - x), squares);
}

static gboolean
search_row (const WfLocalRow *row)
{
  const gint64 n_blocks = (row->width + WF_BLOCK - 1) / WF_BLOCK;
  gint64       far      = 0;        /* blocks before the present one that are far */
  gboolean     any_far  = FALSE;
  guint16      settled[WF_BLOCK];

  for (gint64 b = 0; b < n_blocks; b++)
    {
      const gint64 x = b * WF_BLOCK;

      if (! search_block (row->squares + x, MIN (WF_BLOCK, row->width - x), settled))
        {
          far++;
          continue;
        }
      take_near_block (row, b, settled);
      if (far > 0)
        search_far_blocks (row, b - far, b);
      any_far |= far > 0;
      far      = 0;
    }
  if (far > 0)
    search_far_blocks (row, n_blocks - far, n_blocks);
  return any_far || far > 0;
}

static void
finish_row (const WfLocalRow *row)
{
  const gint64 n_blocks = (row->width + WF_BLOCK - 1) / WF_BLOCK;

  for (gint64 b = 0; b < n_blocks; b++)
    {
      const gint64 x = b * WF_BLOCK;

      if (row->kept[x] == WF_FAR_SQUARE)
        finish_far_block (row, b);
      else
        write_block (row, x, MIN (WF_BLOCK, row->width - x), row->kept + x);
    }
}

const WfLocalSteps WF_SIMD_TABLE (wf_local) =
{
  .note   = note_row,
  .pass   = pass_band,
  .up     = step_up,
  .down   = step_down,
  .search = search_row,
  .finish = finish_row,
};

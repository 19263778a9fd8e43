/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sweeps over a square of WF_SIDE × WF_SIDE distances into plateaux, for one type of L2.  The
 * including file defines WF_L2, WF_BITS, WF_UNREACHED and WF_NAME().
 *
 * A sweep computes d = min (d, the previous row + 1) down the rows and back up, a whole row at a
 * time, where both pixels belong to one plateau.  Between others there is a wall: a word of all
 * ones, which makes the sum unreached.  A sweep along the rows is a sweep of the transposed
 * square.  Only rows that may have changed since the last sweep, and the rows that these change,
 * are processed.
 */

#define WF_PIXEL WF_L2
#include "engine/cpu/transpose.inc.h"
#undef WF_PIXEL

/* The walls of a pixel stand between it and its neighbour above, above left and so on.  The
 * diagonal ones have a row of walls more, as rows are read beyond their ends.
 */
typedef struct
{
  WF_L2 guard[WF_SIDE];
  WF_L2 square[N_PIXELS];
  WF_L2 above[N_PIXELS + WF_SIDE];
  WF_L2 above_left[N_PIXELS + WF_SIDE];
  WF_L2 above_right[N_PIXELS + WF_SIDE];
  WF_L2 left[N_PIXELS];
  WF_L2 turned[N_PIXELS];
  WF_L2 left_turned[N_PIXELS + WF_SIDE];
} WF_NAME (Square);

/* The walls between a row and the one that is taken into it. */
typedef struct
{
  const WF_L2 *straight;
  const WF_L2 *left;
  const WF_L2 *right;
} WF_NAME (Walls);

static inline WF_L2
WF_NAME (next) (WF_L2 distance)
{
  return distance + (distance != WF_UNREACHED);
}

/* Takes the row @before into @row; returns whether @row changed. */
static inline gboolean
WF_NAME (sweep_row) (const WF_L2      *restrict before,
                     WF_NAME (Walls)            walls,
                     WF_L2            *restrict row,
                     WF_L2            *restrict changes,
                     gboolean                   diagonal)
{
  WF_L2 any = 0;

  for (int x = 0; x < WF_SIDE; x++)
    {
      WF_L2 least = WF_NAME (next) (before[x]) | walls.straight[x];
      WF_L2 change;

      if (diagonal)
        {
          const WF_L2 left  = WF_NAME (next) (before[x - 1]) | walls.left[x];
          const WF_L2 right = WF_NAME (next) (before[x + 1]) | walls.right[x];

          least = MIN (least, MIN (left, right));
        }
      least       = MIN (least, row[x]);
      change      = least ^ row[x];
      changes[x] |= change;
      any        |= change;
      row[x]      = least;
    }
  return any != 0;
}

/* The walls above row @y, or for the way up those above the row below it, seen from there. */
static inline WF_NAME (Walls)
WF_NAME (walls_at) (const WF_NAME (Square) *square,
                    const WF_L2            *straight,
                    int                     y,
                    gboolean                up)
{
  const int row = (y + up) * WF_SIDE;

  return (WF_NAME (Walls)) {
    straight + row,
    up ? square->above_right + row - 1 : square->above_left + row,
    up ? square->above_left + row + 1 : square->above_right + row,
  };
}

/* Sweeps down and up from the rows in @dirty.  Returns the changed rows that need another sweep,
 * and sets @lanes to the columns in which pixels changed.
 */
static inline __attribute__ ((always_inline)) guint64
WF_NAME (sweep_both_ways) (WF_NAME (Square) *square,
                           WF_L2            *rows,
                           const WF_L2      *straight,
                           guint64           dirty,
                           guint64          *lanes,
                           gboolean          diagonal)
{
  WF_L2   changes[WF_SIDE] = { 0 };
  int     first = __builtin_ctzll (dirty);
  int     last  = 63 - __builtin_clzll (dirty);
  guint64 down  = 0;
  guint64 up    = 0;

  for (int y = first + 1; y < WF_SIDE; y++)
    if (WF_NAME (sweep_row) (rows + (y - 1) * WF_SIDE,
                             WF_NAME (walls_at) (square, straight, y, FALSE),
                             rows + y * WF_SIDE, changes, diagonal))
      down |= G_GUINT64_CONSTANT (1) << y;
    else if (y > last)
      break;

  last = 63 - __builtin_clzll (dirty | down);
  for (int y = last - 1; y >= 0; y--)
    if (WF_NAME (sweep_row) (rows + (y + 1) * WF_SIDE,
                             WF_NAME (walls_at) (square, straight, y, TRUE),
                             rows + y * WF_SIDE, changes, diagonal))
      up |= G_GUINT64_CONSTANT (1) << y;
    else if (y < first)
      break;

  *lanes = 0;
  for (int x = 0; x < WF_SIDE; x++)
    *lanes |= (guint64) (changes[x] != 0) << x;

  /* With straight neighbours the sweep up does not invalidate the sweep down. */
  return diagonal ? up : 0;
}

static guint64
WF_NAME (sweep_columns) (WF_NAME (Square) *square,
                         guint64           dirty,
                         guint64          *lanes,
                         gboolean          diagonal)
{
  return diagonal
         ? WF_NAME (sweep_both_ways) (square, square->square, square->above, dirty, lanes, TRUE)
         : WF_NAME (sweep_both_ways) (square, square->square, square->above, dirty, lanes, FALSE);
}

/* Diagonal neighbours are taken in by the sweeps along columns. */
static guint64
WF_NAME (sweep_rows) (WF_NAME (Square) *square,
                      guint64           dirty,
                      guint64          *lanes)
{
  return WF_NAME (sweep_both_ways) (square, square->turned, square->left_turned, dirty, lanes,
                                    FALSE);
}

/* Sweeps along columns and along rows alternately until nothing changes. */
static void
WF_NAME (settle) (WF_NAME (Square) *square,
                  Dirty             dirty,
                  gboolean          diagonal)
{
  gboolean has_turned = FALSE;      /* whether the walls have been transposed */
  gboolean is_turned  = FALSE;      /* whether the transposed square is the current one */
  guint64  lanes;

  while (dirty.rows || dirty.columns)
    {
      if (dirty.rows)
        {
          if (is_turned)
            WF_NAME (transpose) (square->turned, square->square);
          is_turned      = FALSE;
          dirty.rows     = WF_NAME (sweep_columns) (square, dirty.rows, &lanes, diagonal);
          dirty.columns |= lanes;
        }
      if (dirty.columns)
        {
          if (! has_turned)
            WF_NAME (transpose) (square->left, square->left_turned);
          if (! is_turned)
            WF_NAME (transpose) (square->square, square->turned);
          has_turned    = TRUE;
          is_turned     = TRUE;
          dirty.columns = WF_NAME (sweep_rows) (square, dirty.columns, &lanes);
          dirty.rows   |= lanes;
        }
    }
  if (is_turned)
    WF_NAME (transpose) (square->turned, square->square);
}


/*  The border of a tile and its halo  */

/**
 * Border: a line of a tile's border, and the line of its neighbours beside it
 * @n: pixels; 0 where the image ends
 * @own: the distances of the border
 * @halo: those beside it, with one more at both ends; unreached outside the image
 * @walls: to the neighbour before, beside and after each pixel
 */
typedef struct
{
  int   n;
  WF_L2 own[WF_SIDE];
  WF_L2 halo[WF_SIDE + 2];
  WF_L2 walls[3][WF_SIDE];
} WF_NAME (Border);

/* Takes in the halo; returns a bit for each pixel that changed. */
static guint64
WF_NAME (take_in) (WF_NAME (Border) *border,
                   gboolean          diagonal)
{
  WF_L2   changes[WF_SIDE];
  WF_L2   any  = 0;
  guint64 bits = 0;

  if (border->n == 0)
    return 0;
  for (int i = 0; i < WF_SIDE; i++)
    {
      WF_L2 least = MIN (border->own[i],
                         WF_NAME (next) (border->halo[i + 1]) | border->walls[1][i]);

      if (diagonal)
        {
          const WF_L2 before = WF_NAME (next) (border->halo[i]) | border->walls[0][i];
          const WF_L2 after  = WF_NAME (next) (border->halo[i + 2]) | border->walls[2][i];

          least = MIN (least, MIN (before, after));
        }
      changes[i]      = least ^ border->own[i];
      any            |= changes[i];
      border->own[i]  = least;
    }
  for (int i = 0; any && i < WF_SIDE; i++)
    bits |= (guint64) (changes[i] != 0) << i;
  return bits;
}

/* Adds to @reach the least distance of the pixels from @start to @end that can lower their
 * neighbour before (0), beside (1) or after (2) them.
 */
static inline void
WF_NAME (add_reach) (const WF_NAME (Border) *border,
                     int                     neighbour,
                     int                     start,
                     int                     end,
                     int                     direction,
                     WfReach                *reach)
{
  const WF_L2 *walls = border->walls[neighbour];
  const WF_L2 *halo  = border->halo + neighbour;
  WF_L2        least = WF_UNREACHED;

  for (int i = start; i < end; i++)
    {
      const WF_L2 next  = WF_NAME (next) (border->own[i]) | walls[i];
      const WF_L2 value = next < halo[i] ? border->own[i] : WF_UNREACHED;

      least = MIN (least, value);
    }
  if (least != WF_UNREACHED)
    wf_reach_add (reach, direction, G_MAXUINT32 - least);
}

#undef WF_L2
#undef WF_BITS
#undef WF_UNREACHED
#undef WF_NAME

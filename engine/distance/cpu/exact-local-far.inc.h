/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of a row that are far from any background.
 *
 * The value of the column c at the pixel x is (x − c)² + g², where g is the distance to
 * the nearest background in that column.  Written as x² + (c² + g²) − 2xc, with the
 * column's height in parentheses, it takes one product and one difference.  All terms are
 * whole numbers below 2⁵³ and exact in doubles; vectors of doubles are fast on all
 * processors, those of 64-bit integers are not.
 *
 * The columns that are nearest to some pixel are the corners of the lower hull of the
 * heights.  Columns that lie on or above the line between their two neighbours are none of
 * these, nor are columns without background, whose height is infinite.  The few others
 * are the candidates.
 *
 * If a candidate is the best at x, then right of x it is better than all candidates
 * left of it: the best candidates form a monotone sequence (Aggarwal et al. 1987).  So the
 * sites at the ends of a run of pixels bound the sites between them, and the site of the
 * middle pixel halves the problem, down to groups of pixels, for which all candidates
 * between two neighbouring sites are tried.  Finding the sites takes log2 (groups) rounds
 * over the candidates, and the groups try each candidate about once: in plain vectors,
 * without the divisions and branches of an envelope.
 */

#include <math.h>

#include "exact-local-doubles.h"


/*  Candidates  */

/* Sets the heights of the columns from @first to @last and, on both sides, as many infinite
 * ones as vectors read.
 */
static void
raise_heights (const WfLocalRow *row,
               gint64            first,
               gint64            last)
{
  const gint64 from = MAX (first, 0);
  const gint64 to   = MIN (last, row->width - 1);

  for (gint64 c = from; c <= to; c++)
    {
      const double g = (int) row->columns[c];
      const double x = (int) c;

      row->heights[c] = row->columns[c] == WF_NO_COLUMN ? INFINITY : x * x + g * g;
    }
  if (first < 0)
    row->heights[-1] = 1;
  if (last == row->width)
    row->heights[last] = (double) last * last;
  row->heights[first - 1] = INFINITY;
  for (int i = 1; i <= WF_N_DOUBLES; i++)
    row->heights[last + i] = INFINITY;
}

/* Lists the candidates among the columns from @first to @last, followed by padding that
 * vectors read.  Returns their number.
 */
static gint64
list_candidates (const WfLocalRow *row,
                 gint64            first,
                 gint64            last)
{
  const double *heights = row->heights;
  gint64        n       = 0;

  raise_heights (row, first, last);
  for (gint64 c = first; c <= last; c += WF_N_DOUBLES)
    {
      const WfDoubles here   = wf_doubles_load (heights + c);
      const WfDoubles around = wf_doubles_add (wf_doubles_load (heights + c - 1),
                                               wf_doubles_load (heights + c + 1));
      const guint     keep   = wf_doubles_lanes_below (wf_doubles_add (here, here), around);

      wf_doubles_squeeze (row->candidates + n, keep, wf_doubles_count_from (c));
      n += wf_doubles_squeeze (row->candidate_heights + n, keep, here);
    }
  for (int i = 0; i < 2 * WF_N_DOUBLES; i++)
    {
      row->candidates[n + i]        = 0;
      row->candidate_heights[n + i] = INFINITY;
    }
  return n;
}


/*  Sites  */

/* The site of the pixel @x; it lies between the candidates @first and @last. */
static gint64
find_site (const WfLocalRow *row,
           gint64            x,
           gint64            first,
           gint64            last)
{
  enum { AT_ONCE = 2 * WF_N_DOUBLES };
  const WfDoubles  double_x = wf_doubles_fill (2.0 * x);
  const WfDoubles  stride   = wf_doubles_fill (AT_ONCE);
  const double    *columns  = row->candidates;
  const double    *heights  = row->candidate_heights;
  WfDoubles        index[2], least[2], at[2];
  double           leasts[WF_N_DOUBLES], indices[WF_N_DOUBLES];
  int              best     = 0;

  for (int v = 0; v < 2; v++)
    {
      at[v]    = index[v] = wf_doubles_count_from (first + v * WF_N_DOUBLES);
      least[v] = wf_doubles_fill (INFINITY);
    }
  for (gint64 i = first; i <= last; i += AT_ONCE)
    for (int v = 0; v < 2; v++)
      {
        const gint64    k        = i + v * WF_N_DOUBLES;
        const WfDoubles twice_xc = wf_doubles_mul (double_x, wf_doubles_load (columns + k));

        wf_doubles_take (&least[v], &at[v],
                         wf_doubles_sub (wf_doubles_load (heights + k), twice_xc), index[v]);
        index[v] = wf_doubles_add (index[v], stride);
      }

  wf_doubles_take (&least[0], &at[0], least[1], at[1]);
  wf_doubles_store (leasts, least[0]);
  wf_doubles_store (indices, at[0]);
  for (int i = 1; i < WF_N_DOUBLES; i++)
    if (leasts[i] < leasts[best])
      best = i;
  return (gint64) indices[best];
}

/* Finds the sites between the groups @first and @end, whose own sites are known. */
static void
find_sites_between (const WfLocalRow *row,
                    gint64            first,
                    gint64            end)
{
  const gint64 middle = first + (end - first) / 2;

  if (middle == first)
    return;
  row->sites[middle] = row->sites[first] == row->sites[end]
                       ? row->sites[first]
                       : find_site (row, middle * WF_GROUP, row->sites[first], row->sites[end]);
  find_sites_between (row, first, middle);
  find_sites_between (row, middle, end);
}

static gboolean
has_background (const guint16 *columns)
{
  guint16 least = WF_NO_COLUMN;

  for (int i = 0; i < WF_BLOCK; i++)
    least = MIN (least, columns[i]);
  return least != WF_NO_COLUMN;
}

/* Narrows the columns from @first to @last to the first and the last one with background;
 * −1 and the width are the outside.  @last becomes less than @first if there is none.
 */
static void
narrow_columns (const WfLocalRow *row,
                gint64           *first,
                gint64           *last)
{
  const guint16 *columns = row->columns;

  while (*first >= 0 && *first <= *last && *first < row->width &&
         columns[*first] == WF_NO_COLUMN)
    *first += *first % WF_BLOCK == 0 && ! has_background (columns + *first) ? WF_BLOCK : 1;
  if (*last == row->width)
    *first = MIN (*first, *last);
  while (*last >= *first && *last < row->width && columns[*last] == WF_NO_COLUMN)
    *last -= (*last + 1) % WF_BLOCK == 0 && ! has_background (columns + *last + 1 - WF_BLOCK)
             ? WF_BLOCK : 1;
}

/* Finds the sites of the far pixels from @x up to @end: whole blocks, except the row's last
 * one.  The pixels before and after them, if any, belong to settled blocks, so the two
 * ends are at most WF_SETTLED + 1 from background.
 */
static void
find_far_sites (const WfLocalRow *row,
                gint64            x,
                gint64            end)
{
  const gint64 first_group = x / WF_GROUP;
  const gint64 end_group   = (end + WF_GROUP - 1) / WF_GROUP;
  const gint64 outside     = row->border_background ? 1 : 0;
  gint64       first       = x == 0 ? 0 : x - WF_SETTLED - 1;
  gint64       last        = end == row->width ? end - 1 : end + WF_SETTLED;

  first = x == 0 ? -outside : MAX (first, -outside);
  last  = end == row->width ? end - 1 + outside : MIN (last, row->width - 1 + outside);
  narrow_columns (row, &first, &last);
  if (first > last)
    {
      for (gint64 group = first_group; group <= end_group; group++)
        row->sites[group] = WF_NO_SITE_AT_ALL;
      return;
    }

  last                    = list_candidates (row, first, last) - 1;
  row->sites[first_group] = find_site (row, x, 0, last);
  row->sites[end_group]   = find_site (row, end - 1, row->sites[first_group], last);
  find_sites_between (row, first_group, end_group);
}


/*  Distances  */

/* Finds the squared distances of a group's pixels from the candidates between its sites. */
static inline void
try_candidates (const WfLocalRow *row,
                gint64            x,
                gint64            first,
                gint64            last,
                double           *squares)
{
  enum { AT_ONCE = 2 * WF_N_DOUBLES };

  for (int i = 0; i < WF_GROUP; i += AT_ONCE)
    {
      const WfDoubles a       = wf_doubles_count_from (x + i);
      const WfDoubles b       = wf_doubles_count_from (x + i + WF_N_DOUBLES);
      const WfDoubles twice_a = wf_doubles_add (a, a);
      const WfDoubles twice_b = wf_doubles_add (b, b);
      WfDoubles       a_least = wf_doubles_fill (INFINITY);
      WfDoubles       b_least = a_least;

      for (gint64 k = first; k <= last; k++)
        {
          const WfDoubles c      = wf_doubles_fill (row->candidates[k]);
          const WfDoubles height = wf_doubles_fill (row->candidate_heights[k]);

          a_least = wf_doubles_min (a_least, wf_doubles_sub (height, wf_doubles_mul (twice_a, c)));
          b_least = wf_doubles_min (b_least, wf_doubles_sub (height, wf_doubles_mul (twice_b, c)));
        }
      wf_doubles_store (squares + i, wf_doubles_add (a_least, wf_doubles_mul (a, a)));
      wf_doubles_store (squares + i + WF_N_DOUBLES,
                        wf_doubles_add (b_least, wf_doubles_mul (b, b)));
    }
}

/* Distances of neighbours differ by at most 1.  If the square of a group's first pixel is
 * below this, single precision holds all of the group's squares exactly, and the root in
 * single precision equals the root in double precision rounded to single.
 */
#define SINGLE_SQUARE (1 << 23)

static void
write_group (const WfLocalRow *row,
             gint64            x,
             gint64            n,
             const double     *squares)
{
  float distances[WF_GROUP];

  if (row->squared)
    {
      for (gint64 i = 0; i < n; i++)
        row->squared[x + i] = (guint64) squares[i];
      return;
    }
  if (squares[0] < SINGLE_SQUARE)
    for (int i = 0; i < WF_GROUP; i++)
      distances[i] = sqrtf ((float) squares[i]);
  else
    for (int i = 0; i < WF_GROUP; i++)
      distances[i] = (float) sqrt (squares[i]);
  if (n == WF_GROUP)
    memcpy (row->distances + x, distances, sizeof distances);
  else
    memcpy (row->distances + x, distances, n * sizeof *distances);
}

static void
write_infinity (const WfLocalRow *row,
                gint64            x,
                gint64            end)
{
  for (; x < end; x++)
    if (row->squared)
      row->squared[x] = G_MAXUINT64;
    else
      row->distances[x] = INFINITY;
}

/* Writes the distances of far pixels whose sites are found. */
static void
write_far_groups (const WfLocalRow *row,
                  gint64            x,
                  gint64            end)
{
  double squares[WF_GROUP];

  if (row->sites[x / WF_GROUP] == WF_NO_SITE_AT_ALL)
    {
      write_infinity (row, x, end);
      return;
    }
  for (; x < end; x += WF_GROUP)
    {
      const gint32 *sites = row->sites + x / WF_GROUP;

      try_candidates (row, x, sites[0], sites[1], squares);
      write_group (row, x, MIN (WF_GROUP, end - x), squares);
    }
}


/*  In short  */

/* The short form of a far block: WF_FAR_SQUARE, then the columns of its groups' sites and
 * of the site after them.
 */
#define KEPT_SITES_AT 2
#define N_KEPT_SITES  (WF_GROUPS_A_BLOCK + 1)

static void
keep_far_block (const WfLocalRow *row,
                gint64            b)
{
  guint16 *kept = row->kept + b * WF_BLOCK;
  gint32   columns[N_KEPT_SITES];

  for (int i = 0; i < N_KEPT_SITES; i++)
    {
      gint32 site = row->sites[MIN (b * WF_GROUPS_A_BLOCK + i,
                                    (row->width + WF_GROUP - 1) / WF_GROUP)];

      columns[i] = site == WF_NO_SITE_AT_ALL ? site : (gint32) row->candidates[site];
    }
  kept[0] = WF_FAR_SQUARE;
  memcpy (kept + KEPT_SITES_AT, columns, sizeof columns);
}

/* Lists the candidates again from the columns. */
static void
finish_far_block (const WfLocalRow *row,
                  gint64            b)
{
  const gint64  x     = b * WF_BLOCK;
  const gint64  end   = MIN (x + WF_BLOCK, row->width);
  gint32       *sites = row->sites + b * WF_GROUPS_A_BLOCK;
  gint32        columns[N_KEPT_SITES];
  gint32        k     = 0;

  memcpy (columns, row->kept + x + KEPT_SITES_AT, sizeof columns);
  sites[0] = columns[0];
  if (columns[0] != WF_NO_SITE_AT_ALL)
    {
      list_candidates (row, columns[0], columns[N_KEPT_SITES - 1]);
      for (int i = 0; i < N_KEPT_SITES; i++)
        {
          while ((gint32) row->candidates[k] < columns[i])
            k++;
          sites[i] = k;
        }
    }
  write_far_groups (row, x, end);
}

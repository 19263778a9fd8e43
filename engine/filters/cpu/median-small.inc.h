/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Medians of 3 × 3 and 5 × 5 pixels of one type, many windows at once.  The including file defines
 * WF_PIXEL and WF_NAME().
 *
 * The columns of all windows are sorted, each of them once for all windows that have it.  Then the
 * least ones of a window's columns are sorted, the second ones, and so on.  In the table that is
 * sorted along both axes so, the one in row i and column j has (i + 1)(j + 1) − 1 before it at
 * least and (n − i)(n − j) − 1 behind it.  So only some can be the median, and of the others as
 * many are less as are greater.  Of 3 × 3 these are the greatest of the first row, the middle one
 * of the second and the least of the third; of 5 × 5 they are 13, of which the least and the
 * greatest are left out as long as there are more than three, beginning with 8 of them.
 *
 * What is sorted but not used the compiler leaves out.
 */

#define LESS(a, b)    ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) < (b) ? (b) : (a))

#define SORT(a, b) \
  do \
    { \
      const WF_PIXEL less = LESS (a, b); \
\
      b = GREATER (a, b); \
      a = less; \
    } \
  while (0)

#define SORT_FIVE(a, b, c, d, e) \
  do \
    { \
      SORT (a, b); \
      SORT (d, e); \
      SORT (c, e); \
      SORT (c, d); \
      SORT (b, e); \
      SORT (a, d); \
      SORT (a, c); \
      SORT (b, d); \
      SORT (b, c); \
    } \
  while (0)

/* The least one comes first, the greatest last. */
#define BOUND_FOUR(a, b, c, d) \
  do \
    { \
      SORT (a, b); \
      SORT (c, d); \
      SORT (a, c); \
      SORT (b, d); \
    } \
  while (0)

#define BOUND_FIVE(a, b, c, d, e) \
  do \
    { \
      BOUND_FOUR (a, b, c, d); \
      SORT (a, e); \
      SORT (d, e); \
    } \
  while (0)

#define BOUND_SIX(a, b, c, d, e, f) \
  do \
    { \
      BOUND_FOUR (a, b, c, d); \
      SORT (e, f); \
      SORT (a, e); \
      SORT (d, f); \
    } \
  while (0)

#define BOUND_SEVEN(a, b, c, d, e, f, g) \
  do \
    { \
      BOUND_SIX (a, b, c, d, e, f); \
      SORT (a, g); \
      SORT (f, g); \
    } \
  while (0)

#define BOUND_EIGHT(a, b, c, d, e, f, g, h) \
  do \
    { \
      BOUND_SIX (a, b, c, d, e, f); \
      SORT (g, h); \
      SORT (a, g); \
      SORT (f, h); \
    } \
  while (0)

/* Windows of which the sorted columns stay in the first-level cache. */
#define BLOCK 256


static inline WF_PIXEL
WF_NAME (middle) (WF_PIXEL a,
                  WF_PIXEL b,
                  WF_PIXEL c)
{
  SORT (a, b);
  b = LESS (b, c);
  return GREATER (a, b);
}

static void
WF_NAME (three) (const WfMedianRow *row)
{
  WF_PIXEL *target = row->target;
  WF_PIXEL  sorted[3][BLOCK + 2];

  for (gint64 start = 0; start < row->n; start += BLOCK)
    {
      const gint64    n = MIN (BLOCK, row->n - start);
      const WF_PIXEL *rows[3];

      for (int i = 0; i < 3; i++)
        rows[i] = (const WF_PIXEL *) row->rows[i] + start;
      for (gint64 x = 0; x < n + 2; x++)
        {
          WF_PIXEL a = rows[0][x];
          WF_PIXEL b = rows[1][x];
          WF_PIXEL c = rows[2][x];

          SORT (a, b);
          SORT (b, c);
          SORT (a, b);
          sorted[0][x] = a;
          sorted[1][x] = b;
          sorted[2][x] = c;
        }
      for (gint64 x = 0; x < n; x++)
        {
          const WF_PIXEL two   = GREATER (sorted[0][x], sorted[0][x + 1]);
          const WF_PIXEL least = GREATER (two, sorted[0][x + 2]);
          const WF_PIXEL pair  = LESS (sorted[2][x], sorted[2][x + 1]);
          const WF_PIXEL most  = LESS (pair, sorted[2][x + 2]);
          const WF_PIXEL mean  = WF_NAME (middle) (sorted[1][x], sorted[1][x + 1],
                                                   sorted[1][x + 2]);

          target[start + x] = WF_NAME (middle) (least, mean, most);
        }
    }
}

#define SORTED_ROW(i) \
  WF_PIXEL p##i##0 = sorted[i][x]; \
  WF_PIXEL p##i##1 = sorted[i][x + 1]; \
  WF_PIXEL p##i##2 = sorted[i][x + 2]; \
  WF_PIXEL p##i##3 = sorted[i][x + 3]; \
  WF_PIXEL p##i##4 = sorted[i][x + 4]; \
\
  SORT_FIVE (p##i##0, p##i##1, p##i##2, p##i##3, p##i##4)

/* Of the candidates of 5 × 5. */
static inline WF_PIXEL
WF_NAME (middle_of_13) (WF_PIXEL a,
                        WF_PIXEL b,
                        WF_PIXEL c,
                        WF_PIXEL d,
                        WF_PIXEL e,
                        WF_PIXEL f,
                        WF_PIXEL g,
                        WF_PIXEL h,
                        WF_PIXEL i,
                        WF_PIXEL j,
                        WF_PIXEL k,
                        WF_PIXEL l,
                        WF_PIXEL m)
{
  BOUND_EIGHT (a, b, c, d, e, f, g, h);
  BOUND_SEVEN (b, c, d, e, f, g, i);
  BOUND_SIX (c, d, e, f, g, j);
  BOUND_FIVE (d, e, f, g, k);
  BOUND_FOUR (e, f, g, l);
  return WF_NAME (middle) (f, g, m);
}

static void
WF_NAME (five) (const WfMedianRow *row)
{
  WF_PIXEL *target = row->target;
  WF_PIXEL  sorted[5][BLOCK + 4];

  for (gint64 start = 0; start < row->n; start += BLOCK)
    {
      const gint64    n = MIN (BLOCK, row->n - start);
      const WF_PIXEL *rows[5];

      for (int i = 0; i < 5; i++)
        rows[i] = (const WF_PIXEL *) row->rows[i] + start;
      for (gint64 x = 0; x < n + 4; x++)
        {
          WF_PIXEL a = rows[0][x];
          WF_PIXEL b = rows[1][x];
          WF_PIXEL c = rows[2][x];
          WF_PIXEL d = rows[3][x];
          WF_PIXEL e = rows[4][x];

          SORT_FIVE (a, b, c, d, e);
          sorted[0][x] = a;
          sorted[1][x] = b;
          sorted[2][x] = c;
          sorted[3][x] = d;
          sorted[4][x] = e;
        }
      for (gint64 x = 0; x < n; x++)
        {
          SORTED_ROW (0);
          SORTED_ROW (1);
          SORTED_ROW (2);
          SORTED_ROW (3);
          SORTED_ROW (4);

          target[start + x] = WF_NAME (middle_of_13) (p03, p04, p12, p13, p14, p21, p22, p23, p30,
                                                      p31, p32, p40, p41);
        }
    }
}

#undef LESS
#undef GREATER
#undef SORT
#undef SORT_FIVE
#undef BOUND_FOUR
#undef BOUND_FIVE
#undef BOUND_SIX
#undef BOUND_SEVEN
#undef BOUND_EIGHT
#undef BLOCK
#undef SORTED_ROW
#undef WF_PIXEL
#undef WF_NAME

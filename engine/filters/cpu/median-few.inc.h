/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Medians of 3 × 3 and 5 × 5 pixels of one type, by vectors, for some rows together.  The
 * including file defines WF_PIXEL, WF_NAME(), WF_LESS(), WF_GREATER() and WF_FINISH().
 *
 * What the windows of neighbouring pixels have in common is sorted once and kept in rows of
 * memory; all else stays in registers.  The networks are those of median-network.c, but that of 3
 * × 3: there the columns are sorted, and the median is the one in the middle of the greatest of
 * the first of them, the middle one of the second and the least of the last.
 *
 * Minima and maxima for one median: 17 of 3 × 3, 86 of 5 × 5.
 */

#define PIXELS(bytes) ((gint64) ((bytes) / sizeof (WF_PIXEL)))

#define SORT(a, b) \
  do \
    { \
      const WfVector less = WF_LESS (a, b); \
\
      b = WF_GREATER (a, b); \
      a = less; \
    } \
  while (0)


/*  3 × 3  */

/* Bytes of a row of medians whose columns stay in the first-level cache. */
#define BLOCK 1024

static inline WfVector
WF_NAME (middle_vector) (WfVector a,
                         WfVector b,
                         WfVector c)
{
  return WF_GREATER (WF_LESS (a, b), WF_LESS (WF_GREATER (a, b), c));
}

/* Of @n pixels; those of a vector beyond them are 0. */
static inline WfVector
WF_NAME (load_some) (const WF_PIXEL *pixels,
                     gint64          n)
{
  WfVector v = wf_zero ();

  memcpy (&v, pixels, n * sizeof (WF_PIXEL));
  return v;
}

/* The sorted columns of the two rows of windows. */
typedef struct
{
  WF_PIXEL of[2][3][PIXELS (BLOCK + 3 * WF_VECTOR_BYTES)];
} WF_NAME (Columns);

static inline void
WF_NAME (sort_columns) (WF_NAME (Columns) *columns,
                        gint64             at,
                        const WfVector    *rows)
{
  const WfVector less    = WF_LESS (rows[1], rows[2]);
  const WfVector greater = WF_GREATER (rows[1], rows[2]);

  for (int i = 0; i < 2; i++)
    {
      const WfVector other  = rows[3 * i];
      const WfVector second = WF_GREATER (other, less);

      wf_store (columns->of[i][0] + at, WF_LESS (other, less));
      wf_store (columns->of[i][1] + at, WF_LESS (second, greater));
      wf_store (columns->of[i][2] + at, WF_GREATER (second, greater));
    }
}

/* The columns of pixels @x to @end - 1; that of @x gets place @at. */
static inline void
WF_NAME (find_columns) (const WfMedianPair *pair,
                        gint64              x,
                        gint64              end,
                        gint64              at,
                        WF_NAME (Columns)  *columns)
{
  const WF_PIXEL *const *rows = (const WF_PIXEL *const *) pair->rows;
  WfVector               vectors[4];

  for (; x + PIXELS (WF_VECTOR_BYTES) <= end; x += PIXELS (WF_VECTOR_BYTES))
    {
      for (int i = 0; i < 4; i++)
        vectors[i] = wf_load (rows[i] + x);
      WF_NAME (sort_columns) (columns, at, vectors);
      at += PIXELS (WF_VECTOR_BYTES);
    }
  if (x < end)
    {
      for (int i = 0; i < 4; i++)
        vectors[i] = WF_NAME (load_some) (rows[i] + x, end - x);
      WF_NAME (sort_columns) (columns, at, vectors);
    }
}

static inline WfVector
WF_NAME (median_of_columns) (const WF_NAME (Columns) *columns,
                             int                      i,
                             gint64                   at)
{
  const WF_PIXEL *first  = columns->of[i][0] + at;
  const WF_PIXEL *second = columns->of[i][1] + at;
  const WF_PIXEL *last   = columns->of[i][2] + at;
  const WfVector  least  = WF_GREATER (WF_GREATER (wf_load (first), wf_load (first + 1)),
                                       wf_load (first + 2));
  const WfVector  middle = WF_NAME (middle_vector) (wf_load (second), wf_load (second + 1),
                                                    wf_load (second + 2));
  const WfVector  most   = WF_LESS (WF_LESS (wf_load (last), wf_load (last + 1)),
                                    wf_load (last + 2));

  return WF_FINISH (WF_NAME (middle_vector) (least, middle, most));
}

static inline void
WF_NAME (find_pair) (const WfMedianPair      *pair,
                     const WF_NAME (Columns) *columns,
                     gint64                   start,
                     gint64                   n)
{
  WF_PIXEL *first  = (WF_PIXEL *) pair->targets[0] + start;
  WF_PIXEL *second = pair->targets[1] ? (WF_PIXEL *) pair->targets[1] + start : NULL;
  gint64    x      = 0;

  for (; x + PIXELS (WF_VECTOR_BYTES) <= n; x += PIXELS (WF_VECTOR_BYTES))
    {
      wf_store (first + x, WF_NAME (median_of_columns) (columns, 0, x));
      if (second)
        wf_store (second + x, WF_NAME (median_of_columns) (columns, 1, x));
    }
  if (x < n)
    {
      const WfVector v = WF_NAME (median_of_columns) (columns, 0, x);
      const WfVector w = WF_NAME (median_of_columns) (columns, 1, x);

      memcpy (first + x, &v, (n - x) * sizeof (WF_PIXEL));
      if (second)
        memcpy (second + x, &w, (n - x) * sizeof (WF_PIXEL));
    }
}

static void
WF_NAME (three_by_vectors) (const WfMedianPair *pair)
{
  WF_NAME (Columns) columns;

  for (gint64 start = 0; start < pair->n; start += PIXELS (BLOCK))
    {
      const gint64 n     = MIN (PIXELS (BLOCK), pair->n - start);
      const gint64 first = MAX (start - 1, 0);

      WF_NAME (find_columns) (pair, first, MIN (start + n + 1, pair->n), first + 1 - start,
                              &columns);
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
          {
            WF_PIXEL *row = columns.of[i][k];

            if (start == 0)
              row[0] = row[1];
            if (start + n == pair->n)
              row[n + 1] = row[n];
          }
      WF_NAME (find_pair) (pair, &columns, start, n);
    }
}


/*  5 × 5  */

/* Each of these merges a sorted list a with a sorted list b.  The result is in the order of the
 * comments.
 */

/* a e b */
#define MERGE_2_1(a, e, b) \
  do \
    { \
      SORT (a, b); \
      SORT (e, b); \
    } \
  while (0)

/* a c e g b */
#define MERGE_4_1(a, c, e, g, b) \
  do \
    { \
      MERGE_2_1 (a, e, b); \
      SORT (c, e); \
      SORT (g, b); \
    } \
  while (0)

/* a0 a1 b0 b1 */
#define MERGE_2_2(a0, a1, b0, b1) \
  do \
    { \
      SORT (a0, b0); \
      SORT (a1, b1); \
      SORT (a1, b0); \
    } \
  while (0)

/* a0 a1 a2 b1 b0 b2 */
#define MERGE_3_3(a0, a1, a2, b0, b1, b2) \
  do \
    { \
      MERGE_2_2 (a0, a2, b0, b2); \
      SORT (a1, b1); \
      SORT (a1, a2); \
      SORT (b1, b0); \
    } \
  while (0)

/* a0 to a3, b0 to b3 */
#define MERGE_4_4(a0, a1, a2, a3, b0, b1, b2, b3) \
  do \
    { \
      MERGE_2_2 (a0, a2, b0, b2); \
      MERGE_2_2 (a1, a3, b1, b3); \
      SORT (a1, a2); \
      SORT (a3, b0); \
      SORT (b1, b2); \
    } \
  while (0)

/* a0 to a4, b1 b2 b3 b0 b4 */
#define MERGE_5_5(a0, a1, a2, a3, a4, b0, b1, b2, b3, b4) \
  do \
    { \
      MERGE_3_3 (a0, a2, a4, b0, b2, b4); \
      MERGE_2_2 (a1, a3, b1, b3); \
      SORT (a1, a2); \
      SORT (a3, a4); \
      SORT (b1, b2); \
      SORT (b3, b0); \
    } \
  while (0)

/* l[0] to l[9], of lists of 8 and 2 */
#define MERGE_8_2(l) \
  do \
    { \
      MERGE_4_1 (l[0], l[2], l[4], l[6], l[8]); \
      MERGE_4_1 (l[1], l[3], l[5], l[7], l[9]); \
      SORT (l[1], l[2]); \
      SORT (l[3], l[4]); \
      SORT (l[5], l[6]); \
      SORT (l[7], l[8]); \
    } \
  while (0)

/* a7 a8 a9 b2 b3 b4: the six in the middle */
#define MERGE_10_10(a, b) \
  do \
    { \
      MERGE_5_5 (a[0], a[2], a[4], a[6], a[8], b[0], b[2], b[4], b[6], b[8]); \
      MERGE_5_5 (a[1], a[3], a[5], a[7], a[9], b[1], b[3], b[5], b[7], b[9]); \
      SORT (a[7], a[8]); \
      SORT (a[9], b[2]); \
      SORT (b[3], b[4]); \
    } \
  while (0)

/* The numbers of the rows: those of the image, of which the first take the medians; pairs of them
 * in windows of two columns, four rows each; single ones, two rows each.
 */
#define PAIR(i)        (1 + 2 * (i))
#define PAIR_SORTED(i) (8 + 4 * (i))
#define SINGLE_SORTED(i) (20 + 2 * (i))

static const int WF_NAME (single)[4] = { 0, 5, 2, 7 };  /* the row that only one window has */

#define AT(row, x) (rows + (row) * stride + (x) * sizeof (WF_PIXEL) + i)

static inline void
WF_NAME (sort_two_columns) (char *rows,
                            gsize stride,
                            gsize n)
{
  for (gsize i = 0; i < n; i += WF_VECTOR_BYTES)
    {
      for (int k = 0; k < 3; k++)
        {
          WfVector a = wf_load (AT (PAIR (k), 0));
          WfVector b = wf_load (AT (PAIR (k) + 1, 0));
          WfVector c = wf_load (AT (PAIR (k), 1));
          WfVector d = wf_load (AT (PAIR (k) + 1, 1));

          SORT (a, b);
          SORT (c, d);
          MERGE_2_2 (a, b, c, d);
          wf_store (AT (PAIR_SORTED (k), 0), a);
          wf_store (AT (PAIR_SORTED (k) + 1, 0), b);
          wf_store (AT (PAIR_SORTED (k) + 2, 0), c);
          wf_store (AT (PAIR_SORTED (k) + 3, 0), d);
        }
      for (int k = 0; k < 4; k++)
        {
          WfVector a = wf_load (AT (WF_NAME (single)[k], 0));
          WfVector b = wf_load (AT (WF_NAME (single)[k], 1));

          SORT (a, b);
          wf_store (AT (SINGLE_SORTED (k), 0), a);
          wf_store (AT (SINGLE_SORTED (k) + 1, 0), b);
        }
    }
}

/* The 10 pixels of pair @k in five columns. */
static inline void
WF_NAME (sort_pair) (const char *rows,
                     gsize       stride,
                     gsize       i,
                     int         k,
                     WfVector   *list)
{
  for (int m = 0; m < 4; m++)
    {
      list[m]     = wf_load (AT (PAIR_SORTED (k) + m, 0));
      list[4 + m] = wf_load (AT (PAIR_SORTED (k) + m, 2));
    }
  list[8] = wf_load (AT (PAIR (k), 4));
  list[9] = wf_load (AT (PAIR (k) + 1, 4));
  MERGE_4_4 (list[0], list[1], list[2], list[3], list[4], list[5], list[6], list[7]);
  SORT (list[8], list[9]);
  MERGE_8_2 (list);
}

/* The median of a window whose other rows have the six @core in the middle. */
static inline WfVector
WF_NAME (median_with_single) (const char     *rows,
                              gsize           stride,
                              gsize           i,
                              int             k,
                              const WfVector *core)
{
  WfVector a = wf_load (AT (SINGLE_SORTED (k), 0));
  WfVector b = wf_load (AT (SINGLE_SORTED (k) + 1, 0));
  WfVector c = wf_load (AT (SINGLE_SORTED (k), 2));
  WfVector d = wf_load (AT (SINGLE_SORTED (k) + 1, 2));
  WfVector e = wf_load (AT (WF_NAME (single)[k], 4));
  WfVector median;

  MERGE_2_2 (a, b, c, d);
  MERGE_4_1 (a, b, c, d, e);
  median = WF_LESS (core[5], WF_GREATER (core[4], a));
  median = WF_LESS (median, WF_GREATER (core[3], b));
  median = WF_LESS (median, WF_GREATER (core[2], c));
  median = WF_LESS (median, WF_GREATER (core[1], d));
  return WF_FINISH (WF_LESS (median, WF_GREATER (core[0], e)));
}

static void
WF_NAME (five_by_vectors) (char   *rows,
                           gsize   stride,
                           gint64  n)
{
  WF_NAME (sort_two_columns) (rows, stride, (n + 2) * sizeof (WF_PIXEL));
  for (gsize i = 0; i < n * sizeof (WF_PIXEL); i += WF_VECTOR_BYTES)
    {
      WfVector medians[4];
      WfVector middle[10];      /* the pair that all windows have */

      WF_NAME (sort_pair) (rows, stride, i, 1, middle);
      for (int half = 0; half < 2; half++)
        {
          WfVector a[10], b[10];

          for (int m = 0; m < 10; m++)
            a[m] = middle[m];
          WF_NAME (sort_pair) (rows, stride, i, 2 * half, b);
          MERGE_10_10 (a, b);
          {
            const WfVector core[6] = { a[7], a[8], a[9], b[2], b[3], b[4] };

            for (int m = 2 * half; m < 2 * half + 2; m++)
              medians[m] = WF_NAME (median_with_single) (rows, stride, i, m, core);
          }
        }
      for (int m = 0; m < 4; m++)
        wf_store (AT (m, 0), medians[m]);
    }
}

#undef PIXELS
#undef SORT
#undef BLOCK
#undef MERGE_2_1
#undef MERGE_4_1
#undef MERGE_2_2
#undef MERGE_3_3
#undef MERGE_4_4
#undef MERGE_5_5
#undef MERGE_8_2
#undef MERGE_10_10
#undef PAIR
#undef PAIR_SORTED
#undef SINGLE_SORTED
#undef AT
#undef WF_PIXEL
#undef WF_NAME
#undef WF_LESS
#undef WF_GREATER
#undef WF_FINISH

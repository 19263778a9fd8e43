/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of median-steps.h, compiled for each instruction set.
 *
 * A row of windows of bins: each column of pixels that a row of windows covers has a histogram,
 * which one pixel leaves and another joins from row to row (in a stack one for each slice).  The
 * histogram of a window is the sum of its columns; from one window to the next a column joins and a
 * column leaves.  That is done for the 16 groups of 16 bins, in which the median's group is found;
 * then for the bins of this group alone, from where they were up to date last.  So the time of a
 * window does not depend on its size.
 *
 * Source: Perreault and Hébert, Median filtering in constant time, IEEE Transactions on Image
 * Processing 16 (2007).
 */

#include "config.h"

#include <string.h>

#include "median-steps.h"

/* As vector.h does. */
#if defined (__SSE2__) && ! defined (WF_VECTOR_PLAIN)
#define HAVE_VECTORS
#include <emmintrin.h>
#endif

#define WF_PIXEL      guint8
#define WF_NAME(name) name##_u8
#include "median-small.inc.h"

#define WF_PIXEL      guint16
#define WF_NAME(name) name##_u16
#include "median-small.inc.h"

#define WF_PIXEL      float
#define WF_NAME(name) name##_f32
#include "median-small.inc.h"


/*  Columns  */

static inline void
count (guint16 *column,
       guint8   bin,
       guint16  change)
{
  column[bin >> 4]              += change;
  column[WF_MEDIAN_GROUPS + bin] += change;
}

static const guint8 *
row_of (const WfMedianBins *bins,
        gint64              y,
        gint64              z)
{
  return bins->bins + (z * bins->size[1] + y) * bins->size[0];
}

static void
begin_columns (const WfMedianBins *bins,
               gint64              z)
{
  memset (bins->columns, 0, bins->size[0] * WF_MEDIAN_COUNTS * sizeof (guint16));
  for (gint64 k = 0; k <= 2 * bins->radius[2]; k++)
    for (gint64 j = 0; j <= 2 * bins->radius[1]; j++)
      {
        const guint8 *row = row_of (bins, j, z + k);

        for (gint64 x = 0; x < bins->size[0]; x++)
          count (bins->columns + x * WF_MEDIAN_COUNTS, row[x], 1);
      }
}

/* From the windows that begin in row @y - 1 to those that begin in row @y. */
static void
move_columns (const WfMedianBins *bins,
              gint64              y,
              gint64              z)
{
  for (gint64 k = 0; k <= 2 * bins->radius[2]; k++)
    {
      const guint8 *leaves = row_of (bins, y - 1, z + k);
      const guint8 *joins  = row_of (bins, y + 2 * bins->radius[1], z + k);

      for (gint64 x = 0; x < bins->size[0]; x++)
        {
          guint16 *column = bins->columns + x * WF_MEDIAN_COUNTS;

          count (column, leaves[x], (guint16) -1);
          count (column, joins[x], 1);
        }
    }
}


/*  Windows  */

/* 16 counts. */
static inline void
add (guint16 *restrict       counts,
     const guint16 *restrict column)
{
  for (int i = 0; i < 16; i++)
    counts[i] = (guint16) (counts[i] + column[i]);
}

static inline void
add_and_subtract (guint16 *restrict       counts,
                  const guint16 *restrict joins,
                  const guint16 *restrict leaves)
{
  for (int i = 0; i < 16; i++)
    counts[i] = (guint16) (counts[i] + joins[i] - leaves[i]);
}

/* In which of 16 counts the one is before which there are *@rank; that becomes how many are
 * before it in its own.
 */
#ifdef HAVE_VECTORS

/* Without branches, which would be mispredicted: from the sums of the counts up to each. */
static inline __m128i
sums_of_eight (__m128i counts)
{
  counts = _mm_add_epi16 (counts, _mm_slli_si128 (counts, 2));
  counts = _mm_add_epi16 (counts, _mm_slli_si128 (counts, 4));
  return _mm_add_epi16 (counts, _mm_slli_si128 (counts, 8));
}

static inline int
find (const guint16 *counts,
      gint          *rank)
{
  const __m128i zero    = _mm_setzero_si128 ();
  const __m128i wanted  = _mm_set1_epi16 ((short) *rank);
  const __m128i first   = sums_of_eight (_mm_loadu_si128 ((const __m128i *) counts));
  const __m128i last    = _mm_shufflehi_epi16 (first, 0xff);
  const __m128i second  = _mm_add_epi16 (sums_of_eight (_mm_loadu_si128 ((const __m128i *) counts
                                                                         + 1)),
                                         _mm_unpackhi_epi64 (last, last));
  const __m128i before  = _mm_cmpeq_epi16 (_mm_subs_epu16 (first, wanted), zero);
  const __m128i before2 = _mm_cmpeq_epi16 (_mm_subs_epu16 (second, wanted), zero);
  const guint   mask    = (guint) _mm_movemask_epi8 (_mm_packs_epi16 (before, before2));
  const int     i       = __builtin_ctz (~mask);
  guint16       sums[17];

  sums[0] = 0;
  _mm_storeu_si128 ((__m128i *) (sums + 1), first);
  _mm_storeu_si128 ((__m128i *) (sums + 9), second);
  *rank -= sums[i];
  return i;
}

#else

static inline int
find (const guint16 *counts,
      gint          *rank)
{
  int i = 0;

  while (*rank >= counts[i])
    *rank -= counts[i++];
  return i;
}

#endif

/* The counts of the window at @x from those at *@last, or from none if that is too far away. */
static inline void
bring_up (guint16       *counts,
          const guint16 *columns,
          gint64        *last,
          gint64         x,
          gint64         width)
{
  if (x - *last >= width / 2)
    {
      memset (counts, 0, 16 * sizeof counts[0]);
      for (gint64 i = x; i < x + width; i++)
        add (counts, columns + i * WF_MEDIAN_COUNTS);
    }
  else
    for (gint64 i = *last; i < x; i++)
      add_and_subtract (counts, columns + (i + width) * WF_MEDIAN_COUNTS,
                        columns + i * WF_MEDIAN_COUNTS);
  *last = x;
}

static void
find_row (const WfMedianBins *bins,
          gint64              y,
          gint64              z)
{
  const gint64   width   = 2 * bins->radius[0] + 1;
  const gint64   n       = bins->size[0] - 2 * bins->radius[0];
  const gint     before  = (gint) (width * (2 * bins->radius[1] + 1) * (2 * bins->radius[2] + 1)
                                   / 2);
  const guint16 *columns = bins->columns;
  guint16        groups[WF_MEDIAN_GROUPS];
  guint16        counts[WF_MEDIAN_GROUPS][16];
  gint64         last[WF_MEDIAN_GROUPS];
  gint64         last_group = -width;

  if (y == 0)
    begin_columns (bins, z);
  else
    move_columns (bins, y, z);
  for (int i = 0; i < WF_MEDIAN_GROUPS; i++)
    last[i] = -width;
  for (gint64 x = 0; x < n; x++)
    {
      gint rank = before;
      int  group;

      bring_up (groups, columns, &last_group, x, width);
      group = find (groups, &rank);
      bring_up (counts[group], columns + (group + 1) * 16, &last[group], x, width);
      bins->bin[x]  = (guint8) (16 * group + find (counts[group], &rank));
      bins->rank[x] = (guint16) rank;
    }
}


/*  Lists  */

#define IS_INSIDE(axis, i) \
  ((guint16) (list->at[axis][i] - list->start[axis]) <= list->length[axis])

#define FIND(is_inside) \
  gint64 from = 0; \
\
  for (;;) \
    { \
      guint16 inside[WF_MEDIAN_AT_ONCE]; \
      guint16 n = 0; \
\
      for (int i = 0; i < WF_MEDIAN_AT_ONCE; i++) \
        inside[i] = is_inside (from + i); \
      for (int i = 0; i < WF_MEDIAN_AT_ONCE; i++) \
        n = (guint16) (n + inside[i]); \
      if (rank < n) \
        break; \
      rank -= n; \
      from += WF_MEDIAN_AT_ONCE; \
    } \
  while (! is_inside (from) || rank-- > 0) \
    from++; \
  return from

#define IN_IMAGE(i) (IS_INSIDE (0, i) & IS_INSIDE (1, i))
#define IN_STACK(i) (IN_IMAGE (i) & IS_INSIDE (2, i))

static gint64
find_in_image (const WfMedianList *list,
               gint64              rank)
{
  FIND (IN_IMAGE);
}

static gint64
find_in_stack (const WfMedianList *list,
               gint64              rank)
{
  FIND (IN_STACK);
}


const WfMedianSteps WF_SIMD_TABLE (wf_median) =
{
  .small         = { { three_u8, five_u8 }, { three_u16, five_u16 }, { three_f32, five_f32 } },
  .row           = find_row,
  .find_in_image = find_in_image,
  .find_in_stack = find_in_stack,
};

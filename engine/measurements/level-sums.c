/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums of levels, of their squares, and of levels times coordinates, without rounding.
 *
 * Whole levels have 16 bits, coordinates 30 and an image less than 2^34 pixels, as labels have
 * four bytes: a sum has less than 64 bits, the others less than 128.  Floats are whole multiples
 * of 2^−149, their squares of 2^−298; sums of them are held in limbs (engine/cpu/exact.h).  A sum
 * is rounded once, when all of it is there.
 *
 * The variance is (n Σv² − (Σv)²) ∕ n²: the numerator is computed without rounding as well, so it
 * is right also where the levels hardly differ.
 */

#include "config.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "level-sums.h"

#define LIMB_MASK (((gint64) 1 << WF_EXACT_LIMB_BITS) - 1)

/* Where the sums begin in the limbs. */
#define SQUARES_AT WF_EXACT_LIMBS
#define WEIGHTS_AT (WF_EXACT_LIMBS + WF_SQUARE_LIMBS)

/* Enough for a square of a sum, for n sums of squares, and for carries. */
#define WIDE_LIMBS 30


/* Of the sums of floats. */
static gsize
count_limbs (gboolean squares,
             int      weights)
{
  return weights > 0 ? WEIGHTS_AT + weights * WF_EXACT_LIMBS
         : squares   ? WEIGHTS_AT
                     : SQUARES_AT;
}

/**
 * wf_level_layout_init:
 * @layout: filled
 * @type: u8, u16 or f32
 * @sums: whether sums are wanted, not the extremes only
 * @squares: whether sums of squares are
 * @weights: of how many coordinates sums of weights are
 *
 * Chooses what is kept for each region: floats take many words.
 */
void
wf_level_layout_init (WfLevelLayout *layout,
                      WfType         type,
                      gboolean       sums,
                      gboolean       squares,
                      int            weights)
{
  gsize size = weights > 0 ? offsetof (WfLevelSums, infinities)
               : squares   ? offsetof (WfLevelSums, weights)
                           : offsetof (WfLevelSums, squares);

  sums = sums || squares || weights > 0;
  if (type == WF_TYPE_F32 && sums)
    size = offsetof (WfLevelSums, limbs)
           + count_limbs (squares, weights) * sizeof (gint64);
  size    = (size + sizeof (__int128) - 1) / sizeof (__int128) * sizeof (__int128);
  *layout = (WfLevelLayout) { type, sums, squares, weights, size };
}

/* @sums: of the layout's size */
void
wf_level_sums_init (const WfLevelLayout *layout,
                    WfLevelSums         *sums)
{
  memset (sums, 0, layout->size);
  sums->least    = INFINITY;
  sums->greatest = -INFINITY;
}


/*  Runs  */

#define ADD_EXTREMES(Type) \
  { \
    const Type *levels = row; \
    Type        least  = levels[from]; \
    Type        most   = levels[from]; \
\
    for (gint64 x = from + 1; x < to; x++) \
      { \
        least = MIN (least, levels[x]); \
        most  = MAX (most, levels[x]); \
      } \
    sums->least    = MIN (sums->least, least); \
    sums->greatest = MAX (sums->greatest, most); \
  }

/* Less than 2^30 levels of 16 bits: their squares have less than 64 bits together. */
#define ADD_WHOLE(Type) \
  { \
    const Type *levels  = row; \
    guint64     sum     = 0; \
    guint64     squares = 0; \
\
    for (gint64 x = from; x < to; x++) \
      sum += levels[x]; \
    sums->sum += sum; \
    if (layout->squares) \
      { \
        for (gint64 x = from; x < to; x++) \
          squares += (guint64) levels[x] * levels[x]; \
        sums->squares += squares; \
      } \
    if (layout->weights > 0) \
      { \
        const guint64 n       = to - from; \
        guint64       weights = 0; \
\
        /* from the run's first column, so that 64 bits hold them up to 2^24 columns */ \
        for (guint64 i = 0; i < n && n <= 1 << 24; i++) \
          weights += i * levels[from + i]; \
        sums->weights[0] += (unsigned __int128) from * sum + weights; \
        for (guint64 i = 0; i < n && n > 1 << 24; i++) \
          sums->weights[0] += (unsigned __int128) (i * levels[from + i]); \
        sums->weights[1] += (unsigned __int128) y * sum; \
        sums->weights[2] += (unsigned __int128) z * sum; \
      } \
  }

/* @mantissa: less than 2^54; its bit 0 is bit @shift of the sum */
static inline void
add_shifted (gint64 *limbs,
             gint64  mantissa,
             int     shift)
{
  const __int128 shifted = (__int128) mantissa * ((gint64) 1 << shift % WF_EXACT_LIMB_BITS);
  const int      limb    = shift / WF_EXACT_LIMB_BITS;

  limbs[limb]     += (gint64) shifted & LIMB_MASK;
  limbs[limb + 1] += (gint64) (shifted >> WF_EXACT_LIMB_BITS) & LIMB_MASK;
  limbs[limb + 2] += (gint64) (shifted >> 2 * WF_EXACT_LIMB_BITS);
}

static void
add_real (const WfLevelLayout *layout,
          WfLevelSums         *sums,
          float                level,
          const gint64        *at)
{
  int    shift;
  gint64 mantissa;

  if (G_UNLIKELY (! isfinite (level)))
    {
      if (isnan (level))
        sums->n_nan++;
      else
        sums->infinities[level > 0]++;
      return;
    }
  mantissa = wf_exact_mantissa (level, &shift);
  wf_exact_add (sums->limbs, level);
  if (layout->squares)
    add_shifted (sums->limbs + SQUARES_AT, mantissa * mantissa, 2 * shift);
  for (int axis = 0; axis < layout->weights; axis++)
    add_shifted (sums->limbs + WEIGHTS_AT + axis * WF_EXACT_LIMBS, mantissa * at[axis], shift);
}

/**
 * wf_level_sums_add:
 * @layout: of @sums
 * @sums: of the region
 * @row: the image's row
 * @from: the first column of a run of the region
 * @to: the one after the last
 * @y: the row's number
 * @z: its slice's
 *
 * Adds the levels of a run.
 */
void
wf_level_sums_add (const WfLevelLayout *layout,
                   WfLevelSums         *sums,
                   gconstpointer        row,
                   gint64               from,
                   gint64               to,
                   gint64               y,
                   gint64               z)
{
  switch (layout->type)
    {
    case WF_TYPE_U8:
      ADD_EXTREMES (guint8)
      if (layout->sums)
        ADD_WHOLE (guint8)
      break;
    case WF_TYPE_U16:
      ADD_EXTREMES (guint16)
      if (layout->sums)
        ADD_WHOLE (guint16)
      break;
    default:
      ADD_EXTREMES (float)
      for (gint64 x = from; x < to && layout->sums; x++)
        add_real (layout, sums, ((const float *) row)[x], (const gint64[]) { x, y, z });
      break;
    }
}

/**
 * wf_level_sums_merge:
 * @layout: of both
 * @sums: of a part of a region
 * @other: of another part, which are added
 */
void
wf_level_sums_merge (const WfLevelLayout *layout,
                     WfLevelSums         *sums,
                     const WfLevelSums   *other)
{
  const gsize n_limbs = layout->type == WF_TYPE_F32 && layout->sums
                        ? count_limbs (layout->squares, layout->weights) : 0;

  sums->least    = MIN (sums->least, other->least);
  sums->greatest = MAX (sums->greatest, other->greatest);
  sums->sum     += other->sum;
  sums->n_nan   += other->n_nan;
  if (layout->squares)
    sums->squares += other->squares;
  for (int axis = 0; axis < layout->weights; axis++)
    sums->weights[axis] += other->weights[axis];
  for (int sign = 0; sign < 2 && n_limbs > 0; sign++)
    sums->infinities[sign] += other->infinities[sign];
  for (gsize i = 0; i < n_limbs; i++)
    sums->limbs[i] += other->limbs[i];
}


/*  Rounding  */

/* Propagates carries over @n limbs: all but the last become numbers of 28 bits. */
static void
carry (gint64 *limbs,
       int     n)
{
  for (int i = 0; i + 1 < n; i++)
    {
      limbs[i + 1] += limbs[i] >> WF_EXACT_LIMB_BITS;
      limbs[i]     &= LIMB_MASK;
    }
}

/* Copies a sum of @n limbs with its carries into %WIDE_LIMBS as a magnitude; returns its sign. */
static int
take_magnitude (const gint64 *limbs,
                int           n,
                gint64       *wide)
{
  memset (wide, 0, WIDE_LIMBS * sizeof *wide);
  memcpy (wide, limbs, n * sizeof *wide);
  carry (wide, WIDE_LIMBS);
  if (wide[WIDE_LIMBS - 1] >= 0)
    return 1;
  for (int i = 0; i < WIDE_LIMBS; i++)
    wide[i] = -wide[i];
  carry (wide, WIDE_LIMBS);
  return -1;
}

/* A magnitude in units of 2^−@one, rounded to the nearest double: four limbs hold at least 85
 * bits, and a sticky bit stands for the rest.
 */
static double
round_magnitude (const gint64 *wide,
                 int           one)
{
  unsigned __int128 head = 0;
  gboolean          rest = FALSE;
  int               top  = WIDE_LIMBS - 1;
  int               last;

  while (top > 0 && wide[top] == 0)
    top--;
  last = MAX (top - 3, 0);
  for (int i = top; i >= last; i--)
    head = head << WF_EXACT_LIMB_BITS | wide[i];
  for (int i = 0; i < last; i++)
    rest |= wide[i] != 0;
  return ldexp ((double) (head | rest), last * WF_EXACT_LIMB_BITS - one);
}

/* A sum of floats whose finite part is in @limbs. */
static double
round_real (const WfLevelSums *sums,
            const gint64      *limbs)
{
  gint64 wide[WIDE_LIMBS];
  int    sign;

  if (sums->n_nan > 0 || (sums->infinities[0] > 0 && sums->infinities[1] > 0))
    return NAN;
  if (sums->infinities[0] > 0 || sums->infinities[1] > 0)
    return sums->infinities[1] > 0 ? INFINITY : -INFINITY;
  sign = take_magnitude (limbs, WF_EXACT_LIMBS, wide);
  return sign * round_magnitude (wide, WF_EXACT_ONE) + 0.0;   /* 0, not -0 */
}

/**
 * wf_level_sums_total:
 * @layout: of @sums
 * @sums: of a region
 *
 * Returns: the sum of its levels, rounded once
 */
double
wf_level_sums_total (const WfLevelLayout *layout,
                     const WfLevelSums   *sums)
{
  return layout->type == WF_TYPE_F32 ? round_real (sums, sums->limbs) : (double) sums->sum;
}

/**
 * wf_level_sums_weight:
 * @layout: of @sums
 * @sums: of a region
 * @axis: 0 to 2
 *
 * Returns: the sum of its levels times their coordinate, rounded once
 */
double
wf_level_sums_weight (const WfLevelLayout *layout,
                      const WfLevelSums   *sums,
                      int                  axis)
{
  return layout->type == WF_TYPE_F32
         ? round_real (sums, sums->limbs + WEIGHTS_AT + axis * WF_EXACT_LIMBS)
         : (double) sums->weights[axis];
}

/* n Σv² − (Σv)² of floats. */
static double
square_real (const WfLevelSums *sums,
             guint64            n)
{
  gint64 sum[WIDE_LIMBS];
  gint64 squares[WIDE_LIMBS];
  gint64 result[WIDE_LIMBS] = { 0 };

  if (sums->n_nan > 0 || sums->infinities[0] > 0 || sums->infinities[1] > 0)
    return NAN;
  take_magnitude (sums->limbs, WF_EXACT_LIMBS, sum);
  take_magnitude (sums->limbs + SQUARES_AT, WF_SQUARE_LIMBS, squares);
  for (int part = 0; n != 0; part++, n >>= WF_EXACT_LIMB_BITS)
    for (int i = 0; i + part < WIDE_LIMBS; i++)
      result[i + part] += squares[i] * (gint64) (n & LIMB_MASK);
  for (int i = 0; i < WIDE_LIMBS / 2; i++)
    for (int k = 0; k < WIDE_LIMBS / 2; k++)
      result[i + k] -= sum[i] * sum[k];
  carry (result, WIDE_LIMBS);
  return round_magnitude (result, 2 * WF_EXACT_ONE);
}

/**
 * wf_level_sums_square:
 * @layout: of @sums
 * @sums: of a region
 * @n: its pixels
 *
 * Returns: n² times the variance of its levels, rounded once
 */
double
wf_level_sums_square (const WfLevelLayout *layout,
                      const WfLevelSums   *sums,
                      guint64              n)
{
  if (layout->type == WF_TYPE_F32)
    return square_real (sums, n);
  return (double) (n * sums->squares - (unsigned __int128) sums->sum * sums->sum);
}

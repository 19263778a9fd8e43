/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over the levels of a region (level-sums.c), without rounding, so in any order. */

#pragma once

#include "engine/cpu/exact.h"
#include "wavefront.h"

/* Limbs of a sum of squares of floats, in units of 2^−298: 554 bits, and 34 for their number. */
#define WF_SQUARE_LIMBS 21

/* Sums of levels times coordinates have the limbs of sums: 30 bits more in the last word. */
#define WF_REAL_LIMBS (4 * WF_EXACT_LIMBS + WF_SQUARE_LIMBS)

/**
 * WfLevelSums:
 * @least: the least level
 * @greatest: the greatest level
 * @sum: of whole levels
 * @n_nan: f32: how many levels are no numbers
 * @squares: sum of whole levels squared
 * @weights: sums of whole levels times column, row and slice
 * @infinities: f32: how many levels are −∞ and +∞
 * @limbs: f32: the same sums of the other levels, each in limbs (engine/cpu/exact.h)
 */
typedef struct
{
  double            least;
  double            greatest;
  guint64           sum;
  gint64            n_nan;
  unsigned __int128 squares;
  unsigned __int128 weights[3];
  gint64            infinities[2];
  gint64            limbs[WF_REAL_LIMBS];
} WfLevelSums;

/**
 * WfLevelLayout:
 * @type: of the image
 * @sums: whether sums are wanted, not the extremes only
 * @squares: whether those of squares are
 * @weights: of how many coordinates those of weights are
 * @size: bytes that the sums of a region take: WfLevelSums without what is not needed
 */
typedef struct
{
  WfType   type;
  gboolean sums;
  gboolean squares;
  int      weights;
  gsize    size;
} WfLevelLayout;

void   wf_level_layout_init (WfLevelLayout       *layout,
                             WfType               type,
                             gboolean             sums,
                             gboolean             squares,
                             int                  weights);
void   wf_level_sums_init   (const WfLevelLayout *layout,
                             WfLevelSums         *sums);
void   wf_level_sums_add    (const WfLevelLayout *layout,
                             WfLevelSums         *sums,
                             gconstpointer        row,
                             gint64               from,
                             gint64               to,
                             gint64               y,
                             gint64               z);
void   wf_level_sums_merge  (const WfLevelLayout *layout,
                             WfLevelSums         *sums,
                             const WfLevelSums   *other);
double wf_level_sums_total  (const WfLevelLayout *layout,
                             const WfLevelSums   *sums);
double wf_level_sums_weight (const WfLevelLayout *layout,
                             const WfLevelSums   *sums,
                             int                  axis);
double wf_level_sums_square (const WfLevelLayout *layout,
                             const WfLevelSums   *sums,
                             guint64              n);

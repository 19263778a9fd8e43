/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Medians by a network of minima and maxima: its steps, and the functions that are compiled for
 * each instruction set.
 */

#pragma once

#include "engine/cpu/simd.h"
#include "wavefront.h"

/* The greatest radius of a network, and the most rows of medians that one finds together. */
#define WF_MEDIAN_NETWORK  18
#define WF_MEDIAN_TOGETHER 8

/* What a step finds of rows of pixels a, b, c, d and e.  WF_MEDIAN_FOUR compares four times, with
 * the minima p and the maxima q of b and c, and the minima r of d and e.
 */
typedef enum
{
  WF_MEDIAN_LESS,       /* the minima of a and b */
  WF_MEDIAN_GREATER,    /* the maxima of a and b */
  WF_MEDIAN_BOTH,       /* the minima of a and b, and the maxima */
  WF_MEDIAN_FOUR        /* both of a and p, both of r and q, and the maxima of d and e */
} WfMedianKind;

#define WF_MEDIAN_MOST 5

/**
 * WfMedianStep:
 * @kind: what is found
 * @margin: how many pixels more than those of the result are needed
 * @at: the first pixel that is read of each of @from
 * @from: the numbers of the rows that are read
 * @to: the numbers of the rows that are written.  They may be among those that are read.
 *
 * Minima and maxima of rows of pixels.
 */
typedef struct
{
  guint8  kind;
  guint8  margin;
  guint8  at[WF_MEDIAN_MOST];
  guint16 from[WF_MEDIAN_MOST];
  guint16 to[WF_MEDIAN_MOST];
} WfMedianStep;

/**
 * WfMedianNetwork:
 * @radius: of the window
 * @n_results: how many rows of medians are found together
 * @results: their numbers among the rows
 * @n_rows: how many rows of pixels there are
 * @n_steps: how many steps
 * @steps: the steps
 * @bytes: of memory that it takes to make the network, and to keep it
 *
 * The steps that find rows of medians.  The first rows, 2 @radius + @n_results of them, are those
 * of the image, each with 2 @radius pixels more than there are medians in a row.
 */
typedef struct
{
  gint64        radius;
  int           n_results;
  guint16       results[WF_MEDIAN_TOGETHER];
  int           n_rows;
  int           n_steps;
  WfMedianStep *steps;
  gsize         bytes;
} WfMedianNetwork;

/**
 * WfMedianPair:
 * @rows: the rows above, those of the medians, and the row below
 * @n: pixels of a row
 * @targets: two rows of medians; the second may be %NULL
 *
 * Two rows of medians of 3 × 3 pixels.
 */
typedef struct
{
  gconstpointer rows[4];
  gint64        n;
  gpointer      targets[2];
} WfMedianPair;

/* Of the medians of 5 × 5 pixels: how many rows are found together, and the rows that it takes. */
#define WF_FIVE_TOGETHER 4
#define WF_FIVE_ROWS     28

/**
 * WfNetworkSteps:
 * @bytes: of a vector
 * @three: by type (u8, u16, f32): medians of 3 × 3 pixels.  Beyond the ends of the rows their
 *   pixels are repeated
 * @five: by type: @n medians of 5 × 5 pixels in each of WF_FIVE_TOGETHER rows, for which @rows
 *   begins with 8 rows of the image with 4 pixels more.  The first take the medians
 * @run: by type: does the steps of @network for @n medians in a row
 *
 * The functions for one instruction set.  Of @rows, one is @stride bytes behind the other: at
 * least those of its pixels and of a vector.
 */
typedef struct
{
  gsize  bytes;
  void (* three[3]) (const WfMedianPair    *pair);
  void (* five[3])  (char                  *rows,
                     gsize                  stride,
                     gint64                 n);
  void (* run[3])   (const WfMedianNetwork *network,
                     char                  *rows,
                     gsize                  stride,
                     gint64                 n);
} WfNetworkSteps;

WF_SIMD_DECLARE (WfNetworkSteps, wf_network);

const WfNetworkSteps  * wf_network_steps  (void);

const WfMedianNetwork * wf_median_network (gint64 radius);

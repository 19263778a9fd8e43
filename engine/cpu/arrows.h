/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which neighbour each pixel's water runs to, one byte a pixel: what the steps
 * compiled for different instruction sets share.
 */

#pragma once

#include "grid.h"

/* An arrow is the number of a neighbour, or one of these. */
#define WF_ARROW_PLATEAU 0x40   /* no neighbour is lower, and none is chosen yet */
#define WF_ARROW_PENDING 0x41   /* on a plateau, being decided */
#define WF_ARROW_ROOT    0x42   /* a marker, or a minimum */
#define WF_ARROW_TIED    0x20   /* added: several neighbours are lowest */

/**
 * WfArrowRow:
 * @n: pixels
 * @n_neighbours: of a pixel
 * @last_index: take the last of equals, not the first
 * @here: levels of the row
 * @beside: for each neighbour the level row shifted so that its pixel x is the
 *   neighbour of pixel x; what lies outside the image is the type's largest value
 * @arrows: result: an arrow for each pixel
 */
typedef struct
{
  gint64         n;
  int            n_neighbours;
  gboolean       last_index;
  gconstpointer  here;
  gconstpointer  beside[WF_MAX_NEIGHBOURS];
  guint8        *arrows;
} WfArrowRow;

typedef struct
{
  void (* of_u8)  (const WfArrowRow *row);
  void (* of_u16) (const WfArrowRow *row);
  void (* of_f32) (const WfArrowRow *row);
} WfArrowSteps;

extern const WfArrowSteps wf_arrows_plain;
extern const WfArrowSteps wf_arrows_sse2;
extern const WfArrowSteps wf_arrows_avx2;
extern const WfArrowSteps wf_arrows_avx512;

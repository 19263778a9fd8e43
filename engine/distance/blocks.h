/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps in bands: what blocks.c and blocks-nearest.c share, and the sharing of an image in
 * memory (shared.c).
 */

#pragma once

#include "distance.h"
#include "engine/blocks/workers.h"
#include "engine/ranks/tree.h"

/* Rows of a band of an image that has more: coordinates in `local` have 16 bits. */
#define WF_DISTANCE_MOST_ROWS 32768

/**
 * WfDistanceSeat:
 * @held: the band that @image holds, or −1
 * @image, @distances, @nearest: of one band: views of images in memory, or memory of the seat's own
 * @since: of WfDistanceBand
 * @above: rows above the band, read again
 * @kinds: of the band's pixels, 1 for foreground
 * @kinds_above: of the pixels of @above
 *
 * What one lane needs for a visit.
 */
typedef struct
{
  gint64   held;
  WfImage  image;
  WfImage  distances;
  WfImage  nearest;
  gint32  *since;
  WfImage  above;
  guint8  *kinds;
  guint8  *kinds_above;
} WfDistanceSeat;

/**
 * WfDistanceBlocks:
 * @connectivity: of the whole
 * @n_kinds: kinds of sites: background, and in a signed map foreground
 * @firsts: for each band, and each column, the first site in the band, later in it or below;
 *   and once more for what is below the last band
 * @lasts: the last site above the first band; and for each band the last site in it or above
 * @halves: of the two halves of this rank's interval at each level of the tree over the ranks, what
 *   is at the seam between them: the last sites of the first half, the first ones of the second
 * @summary: the first sites of this rank's interval, then the last ones
 */
typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *distances;
  const WfBlockSink    *nearest;
  gboolean              partial_outputs;    /* what the context's caller wants */
  WfDistanceOptions     options;
  int                   connectivity;
  int                   axis;
  gint64                n_columns;
  int                   n_kinds;
  WfBands               bands;
  WfWorkers            *workers;
  WfDistanceSeat       *seats;
  guint                 n_seats;
  gint32               *firsts[2];
  gint32               *lasts[2];
  gint32               *halves[WF_RANK_LEVELS];
  gint32               *summary;
} WfDistanceBlocks;

guint64  wf_distance_ranks_memory (const WfDistanceBlocks   *blocks);
gboolean wf_distance_tell_ranks   (WfDistanceBlocks         *blocks,
                                   GError                  **error);

gboolean wf_distance_search_above (const WfDistanceBlocks   *blocks,
                                   const WfLane             *lane,
                                   const WfDistanceTask     *task,
                                   GError                  **error);

gboolean wf_distance_is_shared    (WfContext                *context,
                                   const WfDistanceTask     *task,
                                   const char               *algorithm);
gboolean wf_distance_shared       (WfContext                *context,
                                   const WfDistanceTask     *task,
                                   const WfDistanceOptions  *options,
                                   GError                  **error);

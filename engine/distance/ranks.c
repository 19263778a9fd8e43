/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by several ranks: each is told, for every column, the last site before its part and
 * the first one after it.
 *
 * An interval's summary is the first and the last site of each column in it.  Sites are told for
 * all kinds together: @n values are those of all columns, kind by kind.
 */

#include "config.h"

#include <string.h>

#include "blocks.h"
#include "engine/core/context-private.h"

static gint64
count_values (const WfDistanceBlocks *blocks)
{
  return blocks->n_kinds * blocks->n_columns;
}

/* Bytes that the tree takes in any rank. */
guint64
wf_distance_ranks_memory (const WfDistanceBlocks *blocks)
{
  return wf_ranks_are_several (blocks->context->ranks)
         ? (2 + 3 * wf_ranks_count_levels (blocks->context->ranks))
           * count_values (blocks) * sizeof (gint32)
         : 0;
}

/* Where there is no site, that of @other. */
static void
fill (gint32       *sites,
      const gint32 *other,
      gint64        n)
{
  for (gint64 i = 0; i < n; i++)
    sites[i] = sites[i] == WF_NO_SITE ? other[i] : sites[i];
}

/* Of WfRankTree. */
static gboolean
send_summary (gpointer   data,
              guint      rank,
              GError   **error)
{
  WfDistanceBlocks *blocks = data;

  return wf_ranks_send (blocks->context->ranks, rank, blocks->summary, 2 * count_values (blocks),
                        sizeof (gint32), error);
}

/* Of WfRankTree. */
static gboolean
join (gpointer   data,
      guint      rank,
      guint      level,
      GError   **error)
{
  WfDistanceBlocks *blocks  = data;
  const gint64      n       = count_values (blocks);
  gint32           *firsts  = blocks->summary;
  gint32           *lasts   = blocks->summary + n;
  gint32           *half    = wf_allocate (3 * n, sizeof (gint32), error);

  /* the last sites before the seam, the first ones after it; then the last ones of the second half,
   * which are not needed longer
   */
  blocks->halves[level] = half;
  if (! half ||
      ! wf_ranks_receive (blocks->context->ranks, rank, half + n, 2 * n, sizeof (gint32), error))
    return FALSE;
  memcpy (half, lasts, n * sizeof (gint32));
  fill (firsts, half + n, n);
  fill (half + 2 * n, lasts, n);
  memcpy (lasts, half + 2 * n, n * sizeof (gint32));
  return TRUE;
}

/* Of WfRankTree. */
static void
reach_top (gpointer data)
{
  WfDistanceBlocks *blocks = data;

  for (gint64 i = 0; i < 2 * count_values (blocks); i++)
    blocks->summary[i] = WF_NO_SITE;
}

/* Of WfRankTree: @summary is now what is outside, before and after. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  WfDistanceBlocks *blocks = data;
  const gint64      n      = count_values (blocks);
  gint32           *before = blocks->summary;
  gint32           *after  = blocks->summary + n;
  gint32           *half   = blocks->halves[level];

  fill (half, before, n);
  fill (half + n, after, n);
  memcpy (half + 2 * n, after, n * sizeof (gint32));
  memcpy (after, half + n, n * sizeof (gint32));
  memcpy (half + n, half + 2 * n, n * sizeof (gint32));
  return wf_ranks_send (blocks->context->ranks, rank, half, 2 * n, sizeof (gint32), error);
}

/* Of WfRankTree. */
static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  WfDistanceBlocks *blocks = data;

  return wf_ranks_receive (blocks->context->ranks, rank, blocks->summary,
                           2 * count_values (blocks), sizeof (gint32), error);
}

/* Where the sites before the first band lie, and those after the last one. */
static gint32 *
find_outside (const WfDistanceBlocks *blocks,
              int                     kind,
              WfBandSide              side)
{
  return side == WF_BAND_FIRST ? blocks->lasts[kind]
                               : blocks->firsts[kind] + blocks->bands.n * blocks->n_columns;
}

/* Completes the sites before the first band and after the last one, when those of all bands of this
 * rank are known.
 */
gboolean
wf_distance_tell_ranks (WfDistanceBlocks  *blocks,
                        GError           **error)
{
  static const WfRankTree tree = { send_summary, join, reach_top, split, receive_outside };
  const gint64            n    = count_values (blocks);
  const gint64            row  = blocks->n_columns;
  const gsize             size = row * sizeof (gint32);

  if (! (blocks->summary = wf_allocate (2 * n, sizeof (gint32), error)))
    return FALSE;
  for (int kind = 0; kind < blocks->n_kinds; kind++)
    {
      memcpy (blocks->summary + kind * row, blocks->firsts[kind], size);
      memcpy (blocks->summary + n + kind * row, blocks->lasts[kind] + blocks->bands.n * row, size);
    }
  if (! wf_ranks_solve (blocks->context->ranks, &blocks->bands.part, &tree, blocks, error))
    return FALSE;
  for (int kind = 0; kind < blocks->n_kinds; kind++)
    {
      fill (find_outside (blocks, kind, WF_BAND_FIRST), blocks->summary + kind * row, row);
      fill (find_outside (blocks, kind, WF_BAND_LAST), blocks->summary + n + kind * row, row);
    }
  return TRUE;
}

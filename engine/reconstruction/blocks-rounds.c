/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by ranks whose parts stay in memory, without summaries.
 *
 * Each rank has reconstructed its part by itself.  In a round, ranks whose parts touch exchange the
 * levels of the rims at their seam, raise their own to what they touch there, and go on from there.
 * When no rank raises anything, all levels are those of the result.  A wave takes a round for each
 * part that it crosses, so this is for levels that propagate a short way: a round moves two rims
 * and visits the strips beside them, while the summary of a part visits most of its pixels one by
 * one.  Where a round raises more than half as many pixels as the one before, waves are long, and
 * it is given up for the summary, which goes on from what was found.
 *
 * A strip has the rows beside a raised rim.  The rest of the part was settled before, so it stays
 * so unless the innermost row of the strip is raised; then the strip is made higher.
 *
 * Source: of the propagation between tiles until none changes, Teodoro, Pan, Kurc, Kong, Cooper,
 * Saltz, Efficient irregular wavefront propagation algorithms on hybrid CPU–GPU machines, Parallel
 * Computing 39 (2013).
 */

#include "config.h"

#include <string.h>

#include "blocks-rounds.h"
#include "engine/core/context-private.h"

/* Rounds, at most. */
#define MOST_ROUNDS 16

/* Rows (of a stack: slices) of a strip, and how many times as many it has when it is too low. */
#define STRIP        8
#define STRIP_GROWTH 4

/**
 * Seam:
 * @own, @mask: keys of the rim of this rank's part
 * @theirs: those of the rim across the seam
 * @highest: the highest that each pixel touches there
 */
typedef struct
{
  guint32 *own;
  guint32 *mask;
  guint32 *theirs;
  guint32 *highest;
} Seam;


static void
seam_clear (Seam *seam)
{
  g_free (seam->own);
  g_free (seam->mask);
  g_free (seam->theirs);
  g_free (seam->highest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seam, seam_clear)

static gboolean
seam_init (Seam         *seam,
           const WfRim  *rim,
           GError      **error)
{
  const gint64 n = wf_rim_n_pixels (rim);

  return (seam->own = wf_allocate (n, sizeof (guint32), error)) &&
         (seam->mask = wf_allocate (n, sizeof (guint32), error)) &&
         (seam->theirs = wf_allocate (n, sizeof (guint32), error)) &&
         (seam->highest = wf_allocate (n, sizeof (guint32), error));
}

/* Bytes beside the part's images. */
guint64
wf_reconstruct_rounds_memory (const WfRim *rim)
{
  return 4 * sizeof (guint32) * wf_rim_n_pixels (rim);
}

/* Raises the rim at one side to what it touches in the part of @rank, which does the same.
 * @n_raised: result: pixels
 */
static gboolean
exchange_seam (const WfReconstructBlocks  *blocks,
               Seam                       *seam,
               guint                       rank,
               WfBandSide                  side,
               const WfImage              *mask,
               WfImage                    *levels,
               gint64                     *n_raised,
               GError                    **error)
{
  const WfRim  *rim    = &blocks->rim;
  const gint64  n      = wf_rim_n_pixels (rim);
  gint64        raised = 0;

  wf_rim_read (rim, levels, side, seam->own);
  wf_rim_read (rim, mask, side, seam->mask);
  if (! wf_ranks_exchange (blocks->context->ranks, rank, seam->own, seam->theirs, n,
                           sizeof (guint32), error))
    return FALSE;
  wf_rim_spread (rim, seam->theirs, seam->highest);
  for (gint64 i = 0; i < n; i++)
    {
      seam->highest[i] = MIN (seam->highest[i], seam->mask[i]);
      raised          += seam->highest[i] > seam->own[i];
    }
  if (raised > 0)
    wf_rim_raise (rim, levels, side, seam->highest);
  *n_raised = raised;
  return TRUE;
}

/* Goes on from the raised rim at one side: in a strip, or, where levels go on beyond all strips, in
 * the whole part.  If the other rim was raised as well, that goes on by itself.
 */
static gboolean
settle_side (const WfReconstructBlocks  *blocks,
             const WfBands              *bands,
             Seam                       *seam,
             WfBandSide                  side,
             const WfImage              *mask,
             WfImage                    *levels,
             GError                    **error)
{
  const gint64     units     = wf_bands_end (bands, 0) - wf_bands_first (bands, 0);
  const WfBandSide innermost = side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST;
  const gsize      size      = wf_rim_n_pixels (&blocks->rim) * sizeof (guint32);

  for (gint64 rows = STRIP; rows < units; rows *= STRIP_GROWTH)
    {
      const gint64 first = side == WF_BAND_FIRST ? 0 : units - rows;
      WfImage      strip, strip_mask;

      wf_bands_view (bands, levels, first, first + rows, &strip);
      wf_bands_view (bands, mask, first, first + rows, &strip_mask);
      wf_rim_read (&blocks->rim, &strip, innermost, seam->own);
      if (! wf_reconstruct_band (blocks, blocks->context, &strip_mask, &strip, &strip, error))
        return FALSE;
      wf_rim_read (&blocks->rim, &strip, innermost, seam->theirs);
      if (memcmp (seam->own, seam->theirs, size) == 0)
        return TRUE;
    }
  return wf_reconstruct_band (blocks, blocks->context, mask, levels, levels, error);
}

/* One round.  @bands: one, or none; @n_raised: result: pixels that all ranks have raised */
static gboolean
go_round (const WfReconstructBlocks  *blocks,
          const WfBands              *bands,
          Seam                       *seam,
          const WfImage              *mask,
          WfImage                    *levels,
          gint64                     *n_raised,
          GError                    **error)
{
  WfCommunicator *ranks             = blocks->context->ranks;
  gint64          raised[WF_N_RIMS] = { 0 };

  for (int turn = 0; turn < 2 && bands->n > 0; turn++)
    {
      const WfBandSide side = wf_ranks_begin_after (ranks) == (turn == 0) ? WF_BAND_LAST
                                                                         : WF_BAND_FIRST;
      const guint      rank = wf_communicator_get_rank (ranks) + (side == WF_BAND_LAST ? 1 : -1);

      if (wf_bands_have_seam (bands, 0, side) &&
          ! exchange_seam (blocks, seam, rank, side, mask, levels, &raised[side], error))
        return FALSE;
    }
  *n_raised = raised[WF_BAND_FIRST] + raised[WF_BAND_LAST];
  if (! wf_ranks_sum (ranks, n_raised, 1, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (raised[side] > 0 && ! settle_side (blocks, bands, seam, side, mask, levels, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_reconstruct_rounds:
 * @bands: of which this rank, as all others, has one or none
 * @mask: of the band
 * @levels: what the band has reached by itself; then more
 * @settled: (out): whether they are those of the result
 *
 * To be called by all ranks.
 */
gboolean
wf_reconstruct_rounds (const WfReconstructBlocks  *blocks,
                       const WfBands              *bands,
                       const WfImage              *mask,
                       WfImage                    *levels,
                       gboolean                   *settled,
                       GError                    **error)
{
  g_auto (Seam) seam   = { 0 };
  gint64        before = 0;

  *settled = FALSE;
  if (! seam_init (&seam, &blocks->rim, error))
    return FALSE;
  for (int i = 0; i < MOST_ROUNDS && ! *settled; i++)
    {
      gint64 n_raised;

      if (! go_round (blocks, bands, &seam, mask, levels, &n_raised, error))
        return FALSE;
      *settled = n_raised == 0;
      if (i > 0 && n_raised > before / 2)
        break;
      before = n_raised;
    }
  g_debug ("rounds of ranks: %s", *settled ? "settled" : "given up");
  return TRUE;
}

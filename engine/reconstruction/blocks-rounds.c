/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by ranks whose parts stay in memory, without summaries.
 *
 * Each rank has reconstructed its part by itself.  In a round, ranks whose parts touch exchange the
 * levels of the rims at their seam, raise their own to what they touch there, and go on from there.
 * When no rank raises anything, all levels are those of the result.  A round moves two rims and
 * visits the tiles that a wave runs through (raised-tiles.c), while the summary of a part visits
 * most of its pixels one by one; but a wave takes a round for each part that it crosses.  Where
 * rounds have taken as long as the summary takes, without an end, it goes on from what was found.
 * That is at most twice the time of the better way.
 *
 * Source: of the propagation between tiles until none changes, Teodoro, Pan, Kurc, Kong, Cooper,
 * Saltz, Efficient irregular wavefront propagation algorithms on hybrid CPU–GPU machines, Parallel
 * Computing 39 (2013).
 */

#include "config.h"

#include "blocks-rounds.h"
#include "engine/core/context-private.h"
#include "raised-tiles.h"

/* How much of a part is visited in a round: class i from 4^-i of it on, the last class less. */
#define N_CLASSES 8

/* How many visits of a whole part, tile by tile, take about the time of the summary.  A tile that
 * was settled takes a quarter to a third of its first visit.
 */
#define MOST_VISITS 8

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

/* Bytes beside the images of a part of the shape of @band. */
guint64
wf_reconstruct_rounds_memory (const WfReconstructBlocks *blocks,
                              const WfShape             *band)
{
  return 4 * sizeof (guint32) * wf_rim_n_pixels (&blocks->rim) +
         wf_raised_tiles_memory (blocks, band);
}

/* Raises the rim at one side to what it touches in the part of @rank, which does the same.
 * @n_raised: pixels, added
 */
static gboolean
exchange_seam (const WfReconstructBlocks  *blocks,
               Seam                       *seam,
               guint                       rank,
               WfBandSide                  side,
               WfRaisedTiles              *tiles,
               gint64                     *n_raised,
               GError                    **error)
{
  const WfRim  *rim    = &blocks->rim;
  const gint64  n      = wf_rim_n_pixels (rim);
  const gint64  before = *n_raised;

  wf_rim_read (rim, tiles->levels, side, seam->own);
  wf_rim_read (rim, tiles->mask, side, seam->mask);
  if (! wf_ranks_exchange (blocks->context->ranks, rank, seam->own, seam->theirs, n,
                           sizeof (guint32), error))
    return FALSE;
  wf_rim_spread (rim, seam->theirs, seam->highest);
  for (gint64 i = 0; i < n; i++)
    {
      seam->highest[i] = MIN (seam->highest[i], seam->mask[i]);
      if (seam->highest[i] > seam->own[i])
        {
          wf_raised_tiles_note (tiles, side, i);
          (*n_raised)++;
        }
    }
  if (*n_raised > before)
    wf_rim_raise (rim, tiles->levels, side, seam->highest);
  return TRUE;
}

/* The class of a part of @n pixels of which @n_visited were visited. */
static int
find_class (gint64 n_visited,
            gint64 n)
{
  int i = 0;

  for (; i < N_CLASSES - 1 && n_visited < n; i++)
    n_visited *= 4;
  return i;
}

/* Goes on from the raised rims.  @visits: result: the time of the slowest rank, in visits of a whole
 * part
 */
static gboolean
settle (const WfReconstructBlocks  *blocks,
        WfRaisedTiles              *tiles,
        double                     *visits,
        GError                    **error)
{
  gint64 in_class[N_CLASSES] = { 0 };
  gint64 n_visited;

  if (tiles)
    {
      if (! wf_raised_tiles_settle (tiles, &n_visited, error))
        return FALSE;
      in_class[find_class (n_visited, wf_image_n_pixels (tiles->levels))] = 1;
    }
  if (! wf_ranks_sum (blocks->context->ranks, in_class, N_CLASSES, error))
    return FALSE;
  *visits = 1.0;
  for (int i = 0; i < N_CLASSES - 1 && in_class[i] == 0; i++)
    *visits /= 4;
  return TRUE;
}

/* One round.  @tiles: %NULL in a rank without rows; @n_raised: result: pixels that all ranks have
 * raised; @visits: of settle()
 */
static gboolean
go_round (const WfReconstructBlocks  *blocks,
          const WfBands              *bands,
          Seam                       *seam,
          WfRaisedTiles              *tiles,
          gint64                     *n_raised,
          double                     *visits,
          GError                    **error)
{
  WfCommunicator *ranks = blocks->context->ranks;

  *n_raised = 0;
  *visits   = 0.0;
  for (int turn = 0; turn < 2 && tiles; turn++)
    {
      const WfBandSide side = wf_ranks_begin_after (ranks) == (turn == 0) ? WF_BAND_LAST
                                                                         : WF_BAND_FIRST;
      const guint      rank = wf_communicator_get_rank (ranks) + (side == WF_BAND_LAST ? 1 : -1);

      if (wf_bands_have_seam (bands, 0, side) &&
          ! exchange_seam (blocks, seam, rank, side, tiles, n_raised, error))
        return FALSE;
    }
  return wf_ranks_sum (ranks, n_raised, 1, error) &&
         (*n_raised == 0 || settle (blocks, tiles, visits, error));
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
  g_auto (Seam)          seam  = { 0 };
  g_auto (WfRaisedTiles) tiles = { 0 };
  double                 all   = 0.0;
  double                 visits;
  gint64                 n_raised;
  int                    n_rounds;

  *settled = FALSE;
  if (! seam_init (&seam, &blocks->rim, error) ||
      (bands->n > 0 && ! wf_raised_tiles_init (&tiles, blocks, mask, levels, error)))
    return FALSE;
  for (n_rounds = 0; ! *settled && all <= MOST_VISITS; n_rounds++, all += visits)
    {
      if (! go_round (blocks, bands, &seam, bands->n > 0 ? &tiles : NULL, &n_raised, &visits,
                      error))
        return FALSE;
      *settled = n_raised == 0;
    }
  g_debug ("%d rounds of ranks, %.2f visits: %s", n_rounds, all,
           *settled ? "settled" : "given up");
  return TRUE;
}

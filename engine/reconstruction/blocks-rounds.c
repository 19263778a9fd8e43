/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by ranks whose parts stay in memory, without summaries.
 *
 * Each rank has reconstructed its part by itself.  In a round, ranks whose parts touch exchange the
 * levels of the rims at their seam, raise their own to what they touch there, and go on from there.
 * When no rank raises anything, all levels are those of the result.  A wave takes a round for each
 * part that it crosses, so this is for levels that propagate a short way: a round moves two rims
 * and visits the strips beside them, while the summary of a part visits most of its pixels one by
 * one.  Where rounds come to no end in the time of some visits of whole parts, the summary goes on
 * from what was found.
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

/* Rows (of a stack: slices) of a strip, and how many times as many it has when it is too low. */
#define STRIP        8
#define STRIP_GROWTH 4

/* How much of a part has been visited in a round: class i from 1 / STRIP_GROWTH^i of it on, the
 * last class less.
 */
#define N_CLASSES 5

/* How many visits of a whole part are tried before the summary, which takes about seven. */
#define MOST_VISITS 4

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
 * the whole part.  If the other rim was raised as well, that goes on by itself.  @n_rows: visited,
 * added
 */
static gboolean
settle_side (const WfReconstructBlocks  *blocks,
             const WfBands              *bands,
             Seam                       *seam,
             WfBandSide                  side,
             const WfImage              *mask,
             WfImage                    *levels,
             gint64                     *n_rows,
             GError                    **error)
{
  const gint64     units     = wf_bands_end (bands, 0) - wf_bands_first (bands, 0);
  const WfBandSide innermost = side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST;
  const gsize      size      = wf_rim_n_pixels (&blocks->rim) * sizeof (guint32);

  for (gint64 rows = STRIP; rows < units; rows *= STRIP_GROWTH)
    {
      const gint64 first = side == WF_BAND_FIRST ? 0 : units - rows;
      WfImage      strip, strip_mask;

      *n_rows += rows;
      wf_bands_view (bands, levels, first, first + rows, &strip);
      wf_bands_view (bands, mask, first, first + rows, &strip_mask);
      wf_rim_read (&blocks->rim, &strip, innermost, seam->own);
      if (! wf_reconstruct_band (blocks, blocks->context, &strip_mask, &strip, &strip, error))
        return FALSE;
      wf_rim_read (&blocks->rim, &strip, innermost, seam->theirs);
      if (memcmp (seam->own, seam->theirs, size) == 0)
        return TRUE;
    }
  *n_rows += units;
  return wf_reconstruct_band (blocks, blocks->context, mask, levels, levels, error);
}

/* The class of @n_rows of @units. */
static int
find_class (gint64 n_rows,
            gint64 units)
{
  int i = 0;

  while (i < N_CLASSES - 1 && n_rows < units)
    {
      n_rows *= STRIP_GROWTH;
      i++;
    }
  return i;
}

/* Visits what the raised rims reach.  @visits: result: the time of the slowest rank, in visits of a
 * whole part
 */
static gboolean
settle (const WfReconstructBlocks  *blocks,
        const WfBands              *bands,
        Seam                       *seam,
        const gint64                raised[WF_N_RIMS],
        const WfImage              *mask,
        WfImage                    *levels,
        double                     *visits,
        GError                    **error)
{
  gint64 in_class[N_CLASSES] = { 0 };
  gint64 n_rows              = 0;

  for (int side = 0; side < WF_N_RIMS; side++)
    if (raised[side] > 0 &&
        ! settle_side (blocks, bands, seam, side, mask, levels, &n_rows, error))
      return FALSE;
  if (bands->n > 0)
    in_class[find_class (n_rows, wf_bands_end (bands, 0) - wf_bands_first (bands, 0))] = 1;
  if (! wf_ranks_sum (blocks->context->ranks, in_class, N_CLASSES, error))
    return FALSE;
  *visits = 1.0;
  for (int i = 0; i < N_CLASSES - 1 && in_class[i] == 0; i++)
    *visits /= STRIP_GROWTH;
  return TRUE;
}

/* One round.  @bands: one, or none; @n_raised: result: pixels that all ranks have raised; @visits:
 * of settle()
 */
static gboolean
go_round (const WfReconstructBlocks  *blocks,
          const WfBands              *bands,
          Seam                       *seam,
          const WfImage              *mask,
          WfImage                    *levels,
          gint64                     *n_raised,
          double                     *visits,
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
  *visits   = 0.0;
  return wf_ranks_sum (ranks, n_raised, 1, error) &&
         (*n_raised == 0 || settle (blocks, bands, seam, raised, mask, levels, visits, error));
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
  g_auto (Seam) seam = { 0 };
  double        all  = 0.0;
  double        visits;
  gint64        n_raised;
  int           n_rounds;

  *settled = FALSE;
  if (! seam_init (&seam, &blocks->rim, error))
    return FALSE;
  for (n_rounds = 0; ! *settled && all <= MOST_VISITS; n_rounds++, all += visits)
    {
      if (! go_round (blocks, bands, &seam, mask, levels, &n_raised, &visits, error))
        return FALSE;
      *settled = n_raised == 0;
    }
  g_debug ("%d rounds of ranks, %.2f visits: %s", n_rounds, all,
           *settled ? "settled" : "given up");
  return TRUE;
}

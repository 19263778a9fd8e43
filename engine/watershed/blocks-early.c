/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bands of a watershed that are finished before all have been summarized, so that devices send
 * labels back while they get the rest of the image.
 *
 * The minima of bands that have been summarized are joined from the first band on, and numbered as
 * soon as those of the next band have been joined, too (engine/blocks/seams.c).  Then the paths
 * from the halo of the band before are followed to their ends, and it is finished from what a
 * device keeps of it.
 *
 * What a band was given turns out to be wrong if a band after it joins two of the minima that had
 * numbers of their own, or if a band is summarized once more, as L2 was lowered in its halo.
 * Both are rare.  Then no more bands are finished early, the solve step is made from the beginning,
 * and those bands that were given anything else than it finds are finished once more.  Bands that
 * no device keeps, and those with long ways from seam to seam, are left to the finish of all bands.
 */

#include "config.h"

#include <string.h>

#include "blocks.h"
#include "engine/core/context-private.h"

/* Pixels of a row that a thread follows at a time, and how many threads help a lane at most. */
#define PIECE        2048
#define MOST_HELPERS 8

/* Seams that a path crosses at most: here each path is followed by itself. */
#define MOST_EXITS 16


/* Whether devices can keep bands between their visits, and labels can be written twice: where they
 * are in memory.
 */
gboolean
wf_flood_can_be_early (const WfFloodBlocks *blocks)
{
  return blocks->sink->image && ! blocks->markers && ! blocks->is_made && ! blocks->has_outer &&
         wf_workers_have_gpu (blocks->workers) && wf_backend_loaded (NULL)->release;
}

gboolean
wf_flood_early_init (WfFloodBlocks  *blocks,
                     GError        **error)
{
  WfFloodEarly *early = &blocks->early;
  const gint64  n     = wf_flood_count_sides (blocks);

  early->is_open  = TRUE;
  early->n_before = g_new0 (gint64, blocks->bands.n);
  early->is_done  = g_new0 (gboolean, blocks->bands.n);
  return (early->minima = wf_allocate (n, sizeof (guint32), error)) &&
         (early->beyond = wf_allocate (n, sizeof (guint32), error));
}

void
wf_flood_early_clear (WfFloodEarly *early)
{
  g_free (early->n_before);
  g_free (early->is_done);
  g_free (early->minima);
  g_free (early->beyond);
}

/* No more bands are finished early; with @join_lock. */
void
wf_flood_end_early (WfFloodBlocks *blocks)
{
  blocks->early.is_open = FALSE;
}


/*  What a band is given  */

/* The label of the path from pixel @p at a seam, or 0 where that leads into a band that has no
 * numbers yet, or far.
 */
static guint32
find_label (const WfFloodBlocks *blocks,
            gint64               p)
{
  for (int i = 0; i <= MOST_EXITS; i++)
    {
      const gint64 band = wf_flood_band_of (blocks, p);
      gint64       exit;

      if (band >= blocks->seams.n_numbered)
        return 0;
      exit = wf_flood_find_exit (blocks, p);
      if (exit < 0)
        return wf_seams_find_number (&blocks->seams, band, blocks->label[p]);
      p = exit;
    }
  return 0;
}

/* Finds the labels of @n pixels at a seam from @start on; neighbours often have the same. */
static gboolean
find_labels (const WfFloodBlocks *blocks,
             gint64               start,
             gint64               n,
             guint32             *labels)
{
  guint32 last = 0;

  for (gint64 i = 0; i < n; i++)
    {
      const guint32 end = blocks->label[start + i];

      labels[i] = i > 0 && end == last ? labels[i - 1] : find_label (blocks, start + i);
      last      = end;
      if (labels[i] == 0)
        return FALSE;
    }
  return TRUE;
}

/* The same of the row beyond a side of a band, by each lane's share of the threads. */
static gboolean
find_labels_beyond (const WfFloodBlocks *blocks,
                    gint64               band,
                    int                  side,
                    guint32             *beyond)
{
  const gint64 start     = wf_flood_outside (blocks, band, side);
  const gint64 n_pieces  = (blocks->rim + PIECE - 1) / PIECE;
  const guint  share     = wf_context_count_threads (blocks->context) / blocks->n_seats;
  const guint  n_threads = CLAMP (share, 1, MIN (n_pieces, MOST_HELPERS));
  gboolean     all       = TRUE;

#pragma omp parallel for num_threads(n_threads) reduction(&&:all) if(n_threads > 1)
  for (gint64 i = 0; i < n_pieces; i++)
    all = find_labels (blocks, start + i * PIECE, MIN (blocks->rim - i * PIECE, PIECE),
                       beyond + i * PIECE) && all;
  return all;
}

static gboolean
settle_band (WfFloodBlocks *blocks,
             gint64         band)
{
  WfFloodEarly *early = &blocks->early;

  if (! early->is_open)
    return FALSE;
  early->n_before[band] = wf_seams_count_before (&blocks->seams, band);
  for (int side = 0; side < 2; side++)
    if (wf_flood_has_seam (blocks, band, side))
      {
        const gint64 start = wf_flood_inside (blocks, band, side);

        wf_flood_tell_joined (blocks, band, side, early->minima + start);
        if (! find_labels_beyond (blocks, band, side, early->beyond + start))
          return FALSE;
      }
  return TRUE;
}

/* Finds what a band is given for its finish; returns whether that is all known, as far as bands may
 * still be finished early.
 */
gboolean
wf_flood_settle_band (WfFloodBlocks *blocks,
                      gint64         band)
{
  gboolean is_settled;

  g_rw_lock_reader_lock (&blocks->join_lock);
  is_settled = settle_band (blocks, band);
  g_rw_lock_reader_unlock (&blocks->join_lock);
  return is_settled;
}

/* The minima of one more band have been joined; with @join_lock. */
void
wf_flood_number_bands (WfFloodBlocks *blocks)
{
  const gboolean all = blocks->n_joined == blocks->bands.n;

  if (! blocks->early.is_open)
    return;
  if (blocks->seams.is_disturbed)
    wf_flood_end_early (blocks);
  else
    while (blocks->seams.n_numbered < blocks->n_joined - ! all)
      wf_seams_number_next (&blocks->seams);
}


/*  In the pass of summaries  */

/* Makes the bands wait for their finish that devices keep and beyond whose seams all is numbered,
 * or none of them any more.  A lane that is joining minima does this after that.
 */
void
wf_flood_queue_numbered (WfFloodBlocks *blocks)
{
  WfFloodEarly *early = &blocks->early;
  gint64        n;

  if (! g_rw_lock_reader_trylock (&blocks->join_lock))
    return;
  n = blocks->seams.n_numbered - (blocks->seams.n_numbered < blocks->bands.n);
  for (; early->is_open && early->n_queued < n; early->n_queued++)
    if (blocks->kept[early->n_queued].on_device)
      {
        wf_pass_set_waiting (blocks->pass, early->n_queued, TRUE);
        early->n_waiting++;
      }
  for (gint64 i = 0; ! early->is_open && i < blocks->bands.n; i++)
    {
      early->n_waiting -= blocks->pass->waits[i] != FALSE;
      wf_pass_set_waiting (blocks->pass, i, FALSE);
      blocks->home[i] = -1;
    }
  g_rw_lock_reader_unlock (&blocks->join_lock);
}

/* A band's second visit is over. */
void
wf_flood_note_finished (WfFloodBlocks *blocks,
                        gint64         band)
{
  blocks->home[band] = -1;
  blocks->early.n_waiting--;
  blocks->early.n_done += blocks->early.is_done[band];
}

/* How many finishes are to come beside those that wait. */
gint64
wf_flood_count_later (const WfFloodBlocks *blocks)
{
  return blocks->bands.n - blocks->early.n_done - blocks->early.n_waiting;
}


/*  After it  */

/* Whether all bands are numbered, and those that were finished early were given what is right. */
gboolean
wf_flood_is_numbered (const WfFloodBlocks *blocks)
{
  return blocks->early.is_open && blocks->seams.n_numbered == blocks->bands.n;
}

/* Whether all bands have been finished with what is right. */
gboolean
wf_flood_is_done (const WfFloodBlocks *blocks)
{
  gboolean all = wf_flood_is_numbered (blocks);

  for (gint64 i = 0; all && i < blocks->bands.n; i++)
    all = blocks->early.is_done[i];
  return all;
}

/* Whether a band was given what the solve step has found.  @row: for the numbers of minima */
static gboolean
was_given (const WfFloodBlocks *blocks,
           gint64               band,
           guint32             *row)
{
  const WfFloodEarly *early = &blocks->early;
  const gsize         bytes = blocks->rim * sizeof (guint32);

  if (early->n_before[band] != wf_seams_count_before (&blocks->seams, band))
    return FALSE;
  for (int side = 0; side < 2; side++)
    if (wf_flood_has_seam (blocks, band, side))
      {
        const gint64 start = wf_flood_inside (blocks, band, side);

        wf_flood_tell_joined (blocks, band, side, row);
        if (memcmp (row, early->minima + start, bytes) != 0 ||
            memcmp (blocks->label + wf_flood_outside (blocks, band, side), early->beyond + start,
                    bytes) != 0)
          return FALSE;
      }
  return TRUE;
}

/* After a solve step: bands that were given anything else are not finished. */
gboolean
wf_flood_check_early (WfFloodBlocks  *blocks,
                      GError        **error)
{
  WfFloodEarly       *early = &blocks->early;
  g_autofree guint32 *row   = NULL;

  if (! early->is_done || wf_flood_is_numbered (blocks))
    return TRUE;
  row = wf_allocate (blocks->rim, sizeof (guint32), error);
  if (! row)
    return FALSE;
  for (gint64 i = 0; i < blocks->bands.n; i++)
    early->is_done[i] = early->is_done[i] && was_given (blocks, i, row);
  return TRUE;
}

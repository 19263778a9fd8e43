/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles in synchronous rounds.
 *
 * Round 0 visits every tile.  Each later round visits the tiles that the visits of the
 * previous round asked for.  A round begins when the previous one is complete; within a
 * round all threads visit tiles in any order.  A tile is queued at most once for a round:
 * the first thread that exchanges the tile's last round queues it.
 *
 * One queue is emptied while the other is filled.  One thread exchanges them between
 * rounds while the others wait.
 */

#include "config.h"

#include "rounds.h"

#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct
{
  WfRun            *run;
  const WfTileGrid *grid;
  WfRoundFunc       visit;
  gpointer          data;
  gint64            round;
  gint64           *queue;      /* of this round */
  gint64            n;
  gint64           *next;       /* of the next one */
  gint64            n_next;
  gint64           *last;       /* the last round that each tile is queued for */
  int               stop;
} Rounds;


static void
rounds_clear (Rounds *rounds)
{
  g_free (rounds->queue);
  g_free (rounds->next);
  g_free (rounds->last);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rounds, rounds_clear)

static gboolean
rounds_init (Rounds  *rounds,
             GError **error)
{
  rounds->n = wf_tile_grid_n_tiles (rounds->grid);
  if (! (rounds->queue = wf_allocate (rounds->n, sizeof (gint64), error)) ||
      ! (rounds->next = wf_allocate (rounds->n, sizeof (gint64), error)) ||
      ! (rounds->last = wf_allocate (rounds->n, sizeof (gint64), error)))
    return FALSE;

  for (gint64 tile = 0; tile < rounds->n; tile++)
    {
      rounds->queue[tile] = tile;
      rounds->last[tile]  = 0;
    }
  return TRUE;
}

static void
queue_tile (Rounds *rounds,
            gint64  tile)
{
  const gint64 round = rounds->round + 1;

  if (__atomic_load_n (&rounds->last[tile], __ATOMIC_RELAXED) == round ||
      __atomic_exchange_n (&rounds->last[tile], round, __ATOMIC_RELAXED) == round)
    return;
  rounds->next[__atomic_fetch_add (&rounds->n_next, 1, __ATOMIC_RELAXED)] = tile;
}

static void
queue_again (Rounds  *rounds,
             gint64   tile,
             WfSpill  again)
{
  const WfPoint place = wf_tile_grid_place (rounds->grid, tile);

  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (again & wf_spill_bit (dx, dy, dz))
          queue_tile (rounds, wf_tile_grid_index (rounds->grid,
                                                  (WfPoint) { place.x + dx, place.y + dy,
                                                              place.z + dz }));
}

static void
visit_tile (Rounds *rounds,
            gint64  tile)
{
  WfSpill again = 0;
  gint64  done;
#ifdef _OPENMP
  guint   worker = omp_get_thread_num ();
#else
  guint   worker = 0;
#endif

  if (__atomic_load_n (&rounds->stop, __ATOMIC_RELAXED))
    return;
  done = rounds->visit (rounds->data, worker, tile, rounds->round, &again);
  if (again)
    queue_again (rounds, tile, again);
  if (! wf_run_advance (rounds->run, done))
    __atomic_store_n (&rounds->stop, TRUE, __ATOMIC_RELAXED);
}

static void
begin_round (Rounds *rounds)
{
  gint64 *done = rounds->queue;

  rounds->queue  = rounds->next;
  rounds->n      = rounds->n_next;
  rounds->next   = done;
  rounds->n_next = 0;
  rounds->round++;
}

/* Calls @visit for every tile, then round by round for the tiles asked for, until there
 * are none.  Cancelling takes effect between two tiles.
 */
gboolean
wf_rounds_run (WfRun             *run,
               const WfTileGrid  *grid,
               WfRoundFunc        visit,
               gpointer           data,
               GError           **error)
{
  g_auto (Rounds) rounds = { .run = run, .grid = grid, .visit = visit, .data = data };
  guint           team;

  if (! rounds_init (&rounds, error))
    return FALSE;
  team = wf_run_begin_team (run, wf_run_team (run, rounds.n,
                                              (grid->box.x1 - grid->box.x0) *
                                              (grid->box.y1 - grid->box.y0) *
                                              (grid->box.z1 - grid->box.z0)));

#pragma omp parallel num_threads(team) if (team > 1)
  while (rounds.n > 0 && ! rounds.stop)
    {
      /* No thread may set stop before all threads have read it. */
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (gint64 i = 0; i < rounds.n; i++)
        visit_tile (&rounds, rounds.queue[i]);
#pragma omp single
      begin_round (&rounds);
    }

  return rounds.stop ? wf_run_set_cancelled (error) : TRUE;
}

/* Bytes for the queues. */
guint64
wf_rounds_memory (const WfTileGrid *grid)
{
  return wf_tile_grid_n_tiles (grid) * 3 * sizeof (gint64);
}

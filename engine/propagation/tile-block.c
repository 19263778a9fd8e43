/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A block is visited until none of its tiles can change: its fresh tiles in raster order, then
 * those that a neighbour has changed, the most urgent first.
 *
 * What a tile can change in another block is added to that block's tile and to the block's
 * reach, with atomic operations: two blocks beside it may be visited at the same time.  The
 * block itself is not, and its next visitor learns of the change from the pipeline, whose lock
 * puts one after the other.
 */

#include "config.h"

#include <string.h>

#include "tile-block.h"


/* @tiles: zeroed; must be cleared even if this fails */
gboolean
wf_tiles_init (WfTiles           *tiles,
               const WfPipeline  *pipeline,
               gint64             side,
               GError           **error)
{
  gint64 n;

  tiles->pipeline = pipeline;
  tiles->grid     = wf_tile_grid (&pipeline->box, side);
  n               = wf_tile_grid_n_tiles (&tiles->grid);
  if (! (tiles->visited = wf_allocate (n, 1, error)) ||
      ! (tiles->from = wf_allocate (n, sizeof (WfSpill), error)) ||
      ! (tiles->urgency = wf_allocate (n, sizeof (guint32), error)))
    return FALSE;

  memset (tiles->visited, FALSE, n);
  memset (tiles->urgency, 0, n * sizeof (guint32));
  for (gint64 tile = 0; tile < n; tile++)
    tiles->from[tile] = WF_SPILL_ALL;
  return TRUE;
}

void
wf_tiles_clear (WfTiles *tiles)
{
  g_free (tiles->visited);
  g_free (tiles->from);
  g_free (tiles->urgency);
}

/* @block: zeroed; must be cleared even if this fails; @side: of the largest block, in tiles */
gboolean
wf_block_init (WfBlock        *block,
               const WfTiles  *tiles,
               gint64          side,
               GError        **error)
{
  const WfTileGrid *grid = &tiles->grid;

  return wf_tile_queue_init (&block->queue, MIN (side, grid->across) * MIN (side, grid->down)
                                            * MIN (side, grid->deep), error);
}

void
wf_block_clear (WfBlock *block)
{
  wf_tile_queue_clear (&block->queue);
}


/*  Places in the block and their numbers in its queue  */

static inline gboolean
holds (const WfBox   *within,
       const WfPoint *at)
{
  return wf_box_holds (within, *at, 0, 0, 0);
}

static inline gint64
number_of (const WfBox   *within,
           const WfPoint *at)
{
  return ((at->z - within->z0) * (within->y1 - within->y0) + at->y - within->y0)
         * (within->x1 - within->x0) + at->x - within->x0;
}

static inline WfPoint
place_of (const WfBox *within,
          gint64       number)
{
  const gint64 across = within->x1 - within->x0;
  const gint64 down   = within->y1 - within->y0;
  const gint64 row    = number / across;

  return (WfPoint) { within->x0 + number - row * across, within->y0 + row % down,
                     within->z0 + row / down };
}


/*  A visit  */

static inline void
raise_to (guint32 *value,
          guint32  least)
{
  guint32 old = __atomic_load_n (value, __ATOMIC_RELAXED);

  while (old < least &&
         ! __atomic_compare_exchange_n (value, &old, least, TRUE, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
    ;
}

/* A tile at @to in another block can be changed.  A fresh one takes in all its neighbours at its
 * first visit.
 */
static void
tell_other_block (WfBlock       *block,
                  WfTiles       *tiles,
                  const WfPoint *to,
                  WfSpill        from,
                  guint32        urgency)
{
  const WfBox  *within = &block->within;
  const gint64  tile   = wf_tile_grid_index (&tiles->grid, *to);

  if (! tiles->visited[tile])
    return;
  __atomic_fetch_or (&tiles->from[tile], from, __ATOMIC_RELAXED);
  raise_to (&tiles->urgency[tile], urgency);
  wf_reach_add (&block->reach, wf_direction (wf_side_of (to->x, within->x0, within->x1),
                                             wf_side_of (to->y, within->y0, within->y1),
                                             wf_side_of (to->z, within->z0, within->z1)),
                urgency);
}

static void
tell_own_block (WfBlock       *block,
                WfTiles       *tiles,
                const WfPoint *to,
                WfSpill        from,
                guint32        urgency)
{
  const gint64 tile = wf_tile_grid_index (&tiles->grid, *to);

  if (! tiles->visited[tile])
    return;
  tiles->from[tile] |= from;
  wf_tile_queue_push (&block->queue, number_of (&block->within, to), urgency);
}

/* Notes what the tile at @at can change after its visit. */
static void
spread (WfBlock       *block,
        WfTiles       *tiles,
        WfPoint        at,
        const WfReach *reach)
{
  const WfTileGrid *grid = &tiles->grid;

  for (WfSpill spill = reach->spill; spill; spill &= spill - 1)
    {
      const int     direction = __builtin_ctz (spill);
      const WfSpill from      = 1u << wf_direction_opposite (direction);
      const guint32 urgency   = reach->urgency[direction];
      const WfPoint to        = wf_step (at, direction);

      if (holds (&block->within, &to))
        tell_own_block (block, tiles, &to, from, urgency);
      else if (wf_tile_grid_holds (grid, to))
        tell_other_block (block, tiles, &to, from, urgency);
      else
        wf_reach_add (&block->beyond, wf_direction (wf_side_of (to.x, 0, grid->across),
                                                    wf_side_of (to.y, 0, grid->down),
                                                    wf_side_of (to.z, 0, grid->deep)), urgency);
    }
}

static gboolean
visit_tile (WfBlock  *block,
            WfTiles  *tiles,
            WfPoint   at,
            guint     worker,
            GError  **error)
{
  const WfPipeline *pipeline = tiles->pipeline;
  const gint64      tile     = wf_tile_grid_index (&tiles->grid, at);
  const WfBox       box      = wf_tile_grid_box (&tiles->grid, tile);
  const gboolean    first    = ! tiles->visited[tile];
  WfReach           reach    = { .from = tiles->from[tile] };

  tiles->from[tile]    = 0;
  tiles->urgency[tile] = 0;
  tiles->visited[tile] = TRUE;
  if (! pipeline->propagate (pipeline->data, worker, &box, first, &reach, error))
    return FALSE;
  spread (block, tiles, at, &reach);
  return TRUE;
}

/* Visits the fresh tiles and queues the others that can change. */
static gboolean
begin (WfBlock  *block,
       WfTiles  *tiles,
       guint     worker,
       GError  **error)
{
  const WfBox *within = &block->within;

  for (gint64 z = within->z0; z < within->z1; z++)
    for (gint64 y = within->y0; y < within->y1; y++)
      for (gint64 x = within->x0; x < within->x1; x++)
        {
          const WfPoint at   = { x, y, z };
          const gint64  tile = wf_tile_grid_index (&tiles->grid, at);

          if (tiles->visited[tile] && tiles->from[tile])
            wf_tile_queue_push (&block->queue, number_of (within, &at), tiles->urgency[tile]);
          else if (! tiles->visited[tile] && ! visit_tile (block, tiles, at, worker, error))
            return FALSE;
        }
  return TRUE;
}

/* @within: the block, by the places of its tiles.  Visits its tiles until none can change. */
gboolean
wf_block_visit (WfBlock      *block,
                WfTiles      *tiles,
                const WfBox  *within,
                guint         worker,
                GError      **error)
{
  block->within      = *within;
  block->reach.spill = 0;
  if (! begin (block, tiles, worker, error))
    return FALSE;
  while (block->queue.n > 0)
    {
      const WfPoint at = place_of (within, wf_tile_queue_pop (&block->queue));

      if (! visit_tile (block, tiles, at, worker, error))
        return FALSE;
    }
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile pipeline.
 *
 * Tile propagation: an irregular wavefront (Teodoro et al. 2013) spreads inside each
 * tile until the tile is stable.  Border propagation: a tile that can change pixels of a
 * neighbour queues that neighbour.  The pipeline ends when no tile is queued and none is
 * being visited.  Every change is monotone and the fixpoint is unique, so the result does
 * not depend on the tiling or the order.
 *
 * The time does depend on the order.  Every tile is visited once, row after row.  After
 * each band of rows the queued tiles are visited again while they are still in the cache,
 * the most urgent first (the highest arriving level, the smallest distance): its pixels
 * are more often final then, and smaller changes of the same pixels are never made.
 *
 * Idle workers take tiles from one queue under one lock.  Two workers never touch the
 * same pixels: a worker may visit a tile only while no other worker visits one of the
 * tile's neighbours (may_run()).  Tiles are taken and handed back under the lock, so a
 * later visitor of a neighbour sees all that was written.  A tile that cannot be visited
 * yet is blocked, and queued again when its neighbour is done.
 *
 * Small tiles are taken in batches of at most BATCH_PIXELS; one worker visits them one
 * after the other, so they may be neighbours.  A worker without a tile sleeps.  It is
 * woken only if there is a tile that it may visit and that the waking worker has not
 * taken itself: a front that runs through one tile after the other, as in a long
 * corridor, costs no more with many threads than with one.
 *
 * The box that is divided into tiles may itself be a tile of a coarser grid, for example
 * of a pipeline whose workers are devices.  The caller gets the changes that its tiles can
 * make outside the box.
 */

#include "config.h"

#include "pipeline.h"
#include "tile-queue.h"

/* Automatic tiles fit the second-level cache with their marker and mask. */
#define SIDE_IN_IMAGE 512
#define SIDE_IN_STACK 64

/* A single thread shares nothing, and larger tiles have a smaller border. */
#define SIDE_IN_STACK_ALONE 128

/* Limits of a batch. */
#define BATCH_TILES  16
#define BATCH_PIXELS (1 << 16)

/* Pixels of a band for each worker: few enough that they, and the data that belongs to
 * them, are still in the cache when the band's queued tiles are visited again.
 */
#define BAND_PIXELS (1 << 22)

/* How often the calling thread reports progress while it sleeps. */
#define NAP (G_USEC_PER_SEC / 25)

typedef enum
{
  TILE_FRESH,       /* never visited nor queued */
  TILE_IDLE,        /* stable, or queued */
  TILE_BLOCKED,     /* waits for a neighbour that is being visited */
  TILE_RUNNING
} TileState;

/* All members that change are used with @lock held. */
typedef struct
{
  const WfPipeline *pipeline;
  WfRun            *run;
  WfTileGrid        grid;
  gint64            n_tiles;
  guint             team;           /* how many workers there are */
  gint64            most_at_once;   /* tiles in a batch */

  GMutex            lock;
  GCond             wake;
  guint8           *state;          /* of each tile, a TileState */
  guint8           *visited;        /* whether each tile was */
  guint16          *runner;         /* of each running tile: the worker's number */
  WfSpill          *from;           /* of each tile: neighbours changed since its visit */
  WfTileQueue       queue;
  gint64            fresh;          /* tiles from here on are fresh */
  gint64            band;           /* tiles */
  gint64            band_end;       /* the end of the current band */
  gint64            n_blocked;
  guint             n_running;      /* workers */
  guint             n_waiting;
  gboolean          stop;
  GError           *error;          /* the first one */
  WfReach           beyond;         /* the box */
} Flow;

/* The tiles that one worker has taken. */
typedef struct
{
  int      n;
  gint64   tile[BATCH_TILES];
  WfPoint  at[BATCH_TILES];         /* among the tiles */
  gboolean first[BATCH_TILES];
  WfReach  reach[BATCH_TILES];
} Batch;


/*  Tiles  */

/* Whether another worker than @worker visits a neighbour of @tile. */
static gboolean
is_beside_running (const Flow *flow,
                   gint64      tile,
                   guint       worker)
{
  const WfTileGrid *grid = &flow->grid;
  const WfBox       near = wf_tile_grid_around (grid, tile);

  for (gint64 z = near.z0; z < near.z1; z++)
    for (gint64 y = near.y0; y < near.y1; y++)
      for (gint64 x = near.x0; x < near.x1; x++)
        {
          gint64 other = wf_tile_grid_index (grid, (WfPoint) { x, y, z });

          if (flow->state[other] == TILE_RUNNING && flow->runner[other] != worker)
            return TRUE;
        }
  return FALSE;
}

/* Whether @worker may visit @tile now; marks the tile as blocked if not. */
static gboolean
may_run (Flow   *flow,
         gint64  tile,
         guint   worker)
{
  if (flow->n_running == 0 || ! is_beside_running (flow, tile, worker))
    return TRUE;
  flow->state[tile] = TILE_BLOCKED;
  flow->n_blocked++;
  return FALSE;
}

/* Queues the blocked neighbours of @tile, which is no longer running. */
static void
unblock_neighbours (Flow   *flow,
                    gint64  tile)
{
  const WfTileGrid *grid = &flow->grid;
  const WfBox       near = wf_tile_grid_around (grid, tile);

  for (gint64 z = near.z0; z < near.z1; z++)
    for (gint64 y = near.y0; y < near.y1; y++)
      for (gint64 x = near.x0; x < near.x1; x++)
        {
          gint64 other = wf_tile_grid_index (grid, (WfPoint) { x, y, z });

          if (flow->state[other] != TILE_BLOCKED)
            continue;
          flow->state[other] = TILE_IDLE;
          flow->n_blocked--;
          wf_tile_queue_push (&flow->queue, other,
                              flow->visited[other] ? wf_tile_queue_urgency (&flow->queue, other)
                                                   : G_MAXUINT32);
        }
}

/* The next tile that @worker may visit, or −1. */
static gint64
next_tile (Flow  *flow,
           guint  worker)
{
  while (TRUE)
    {
      for (; flow->fresh < flow->band_end; flow->fresh++)
        if (may_run (flow, flow->fresh, worker))
          return flow->fresh;
      while (flow->queue.n > 0)
        {
          gint64 tile = wf_tile_queue_first (&flow->queue);

          if (may_run (flow, tile, worker))
            return tile;
          wf_tile_queue_pop (&flow->queue);
        }
      if (flow->fresh == flow->n_tiles)
        return -1;
      flow->band_end = MIN (flow->band_end + flow->band, flow->n_tiles);
    }
}


/*  Batches  */

/* Takes a tile that next_tile() returned. */
static void
take_tile (Flow   *flow,
           gint64  tile,
           guint   worker,
           Batch  *batch)
{
  if (tile == flow->fresh)
    flow->fresh++;
  else
    wf_tile_queue_pop (&flow->queue);

  batch->tile[batch->n]        = tile;
  batch->at[batch->n]          = wf_tile_grid_place (&flow->grid, tile);
  batch->first[batch->n]       = flow->pipeline->first && ! flow->visited[tile];
  batch->reach[batch->n].from  = flow->from[tile];
  batch->reach[batch->n].spill = 0;
  batch->n++;
  flow->from[tile]    = 0;
  flow->state[tile]   = TILE_RUNNING;
  flow->runner[tile]  = worker;
  flow->visited[tile] = TRUE;
}

/* How many tiles a worker takes.  Tiles must be left for the other workers.  While there
 * are fresh tiles the order does not matter.  Afterwards a batch takes tiles out of the
 * order of urgency, so it is only as large as needed to keep workers from waiting for the
 * lock.
 */
static gint64
batch_size (const Flow *flow)
{
  const gint64 n_fresh = flow->band_end - flow->fresh;

  if (n_fresh > 0)
    return CLAMP ((n_fresh + flow->queue.n) / (4 * flow->team), 1, flow->most_at_once);
  return flow->team > 1 ? CLAMP (flow->queue.n / (8 * flow->team), 1, flow->most_at_once) : 1;
}

static void
fill_batch (Flow  *flow,
            guint  worker,
            Batch *batch)
{
  const gint64 most = batch_size (flow);

  batch->n = 0;
  while (batch->n < most)
    {
      gint64 tile = next_tile (flow, worker);

      if (tile < 0)
        return;
      take_tile (flow, tile, worker, batch);
    }
}

static void
take_nap (Flow  *flow,
          guint  worker)
{
  flow->n_waiting++;
  if (worker > 0)
    g_cond_wait (&flow->wake, &flow->lock);
  else if (! g_cond_wait_until (&flow->wake, &flow->lock, g_get_monotonic_time () + NAP))
    {
      g_mutex_unlock (&flow->lock);
      wf_run_advance (flow->run, 0);    /* reports progress */
      g_mutex_lock (&flow->lock);
    }
  flow->n_waiting--;
}

/* Waits for tiles; FALSE when all work is done. */
static gboolean
take_batch (Flow  *flow,
            guint  worker,
            Batch *batch)
{
  while (! flow->stop)
    {
      fill_batch (flow, worker, batch);
      if (batch->n > 0)
        {
          flow->n_running++;
          if (flow->n_waiting > 0 && next_tile (flow, flow->team) >= 0)
            g_cond_signal (&flow->wake);
          return TRUE;
        }
      if (flow->n_running == 0)
        break;
      take_nap (flow, worker);
    }
  g_cond_broadcast (&flow->wake);
  return FALSE;
}

/* Queues the neighbours that a tile can change; adds those outside the box to @beyond. */
static void
spread (Flow          *flow,
        gint64         tile,
        const WfReach *reach)
{
  const WfTileGrid *grid = &flow->grid;
  const WfPoint     at   = wf_tile_grid_place (grid, tile);

  for (WfSpill spill = reach->spill; spill; spill &= spill - 1)
    {
      const int     direction = __builtin_ctz (spill);
      const guint32 urgency   = reach->urgency[direction];
      const WfPoint to        = { at.x + direction % 3 - 1, at.y + direction / 3 % 3 - 1,
                                  at.z + direction / 9 - 1 };

      if (! wf_tile_grid_holds (grid, to))
        wf_reach_add (&flow->beyond,
                      wf_direction (to.x < 0 ? -1 : to.x >= grid->across,
                                    to.y < 0 ? -1 : to.y >= grid->down,
                                    to.z < 0 ? -1 : to.z >= grid->deep), urgency);
      else
        {
          const gint64 neighbour = wf_tile_grid_index (grid, to);

          flow->from[neighbour] |= 1u << wf_direction_opposite (direction);
          if (flow->state[neighbour] != TILE_FRESH)
            wf_tile_queue_push (&flow->queue, neighbour, urgency);
        }
    }
}

static void
hand_back (Flow        *flow,
           const Batch *batch)
{
  flow->n_running--;
  for (int i = 0; i < batch->n; i++)
    flow->state[batch->tile[i]] = TILE_IDLE;
  for (int i = 0; i < batch->n && flow->n_blocked > 0; i++)
    unblock_neighbours (flow, batch->tile[i]);
  for (int i = 0; i < batch->n; i++)
    spread (flow, batch->tile[i], &batch->reach[i]);
}


/*  Workers  */

/* Adds to a batch's tile the changes of the tiles visited before it, which then need not
 * queue it.
 */
static void
pass_on (Batch *batch,
         int    later)
{
  const WfPoint to = batch->at[later];

  for (int i = 0; i < later; i++)
    {
      const gint64 dx = to.x - batch->at[i].x;
      const gint64 dy = to.y - batch->at[i].y;
      const gint64 dz = to.z - batch->at[i].z;

      if (ABS (dx) <= 1 && ABS (dy) <= 1 && ABS (dz) <= 1 &&
          (batch->reach[i].spill & wf_spill_bit (dx, dy, dz)))
        {
          batch->reach[i].spill     &= ~wf_spill_bit (dx, dy, dz);
          batch->reach[later].from  |= wf_spill_bit (-dx, -dy, -dz);
        }
    }
}

static gboolean
visit_batch (const Flow  *flow,
             guint        worker,
             Batch       *batch,
             GError     **error)
{
  const WfPipeline *pipeline = flow->pipeline;

  for (int i = 0; i < batch->n; i++)
    {
      const WfBox box = wf_tile_grid_box (&flow->grid, batch->tile[i]);

      pass_on (batch, i);
      if (! pipeline->propagate (pipeline->data, worker, &box, batch->first[i],
                                 &batch->reach[i], error))
        return FALSE;
    }
  return TRUE;
}

static void
work (gpointer data,
      guint    worker,
      guint    n_workers)
{
  Flow  *flow = data;
  Batch  batch;

  g_mutex_lock (&flow->lock);
  while (take_batch (flow, worker, &batch))
    {
      GError   *error = NULL;
      gboolean  done;

      g_mutex_unlock (&flow->lock);
      done = visit_batch (flow, worker, &batch, &error);
      g_mutex_lock (&flow->lock);

      if (done)
        hand_back (flow, &batch);
      else if (flow->stop)
        g_error_free (error);
      else
        {
          flow->stop  = TRUE;
          flow->error = error;
        }
    }
  g_mutex_unlock (&flow->lock);
}


/*  The whole  */

static gint64
automatic_side (const WfShape *shape,
                guint          n_threads)
{
  if (shape->depth == 1)
    return SIDE_IN_IMAGE;
  return n_threads > 1 ? SIDE_IN_STACK : SIDE_IN_STACK_ALONE;
}

/* Queues the tiles at the borders between this box, which was visited before, and others. */
static void
queue_border_tiles (Flow *flow)
{
  const WfTileGrid *grid  = &flow->grid;
  const WfBox      *box   = &flow->pipeline->box;
  const WfShape    *shape = &flow->pipeline->shape;

  for (gint64 tile = 0; tile < flow->n_tiles; tile++)
    {
      const WfPoint at = wf_tile_grid_place (grid, tile);

      flow->state[tile]   = TILE_IDLE;
      flow->visited[tile] = TRUE;
      if ((box->x0 > 0 && at.x == 0) || (box->x1 < shape->width && at.x == grid->across - 1) ||
          (box->y0 > 0 && at.y == 0) || (box->y1 < shape->height && at.y == grid->down - 1) ||
          (box->z0 > 0 && at.z == 0) || (box->z1 < shape->depth && at.z == grid->deep - 1))
        wf_tile_queue_push (&flow->queue, tile, 0);
      else
        flow->from[tile] = 0;
    }
  flow->fresh = flow->n_tiles;
}

/* A whole number of rows of tiles, or of slices: at least one row. */
static gint64
find_band (const WfTileGrid *grid,
           gint64            pixels,
           guint             team)
{
  const gint64 row   = grid->across;
  const gint64 slice = grid->across * grid->down;
  const gint64 tiles = (gint64) team * BAND_PIXELS / MAX (pixels, 1);

  return tiles >= slice ? tiles / slice * slice : MAX (tiles / row, 1) * row;
}

static gboolean
flow_init (Flow    *flow,
           GError **error)
{
  const WfPipeline *pipeline = flow->pipeline;
  const WfBox      *box      = &pipeline->box;
  gint64            side     = pipeline->side > 0 ? pipeline->side
                             : flow->run->tile_size > 0 ? flow->run->tile_size
                                                        : automatic_side (&pipeline->shape,
                                                                          flow->run->n_threads);
  gint64            pixels   = (box->x1 - box->x0) * (box->y1 - box->y0) * (box->z1 - box->z0);

  flow->grid         = wf_tile_grid (box, side);
  flow->n_tiles      = wf_tile_grid_n_tiles (&flow->grid);
  flow->team         = wf_run_team (flow->run, flow->n_tiles, pixels);
  flow->band         = find_band (&flow->grid, pixels / flow->n_tiles, flow->team);
  flow->most_at_once = CLAMP (BATCH_PIXELS / (pixels / flow->n_tiles), 1, BATCH_TILES);

  if (! (flow->state = wf_allocate (flow->n_tiles, 1, error)) ||
      ! (flow->visited = wf_allocate (flow->n_tiles, 1, error)) ||
      ! (flow->runner = wf_allocate (flow->n_tiles, sizeof (guint16), error)) ||
      ! (flow->from = wf_allocate (flow->n_tiles, sizeof (WfSpill), error)) ||
      ! wf_tile_queue_init (&flow->queue, flow->n_tiles, error))
    return FALSE;

  for (gint64 tile = 0; tile < flow->n_tiles; tile++)
    {
      flow->state[tile]   = TILE_FRESH;
      flow->visited[tile] = FALSE;
      flow->from[tile]    = WF_SPILL_ALL;
    }
  if (! pipeline->first)
    queue_border_tiles (flow);
  return TRUE;
}

static void
flow_clear (Flow *flow)
{
  g_free (flow->state);
  g_free (flow->visited);
  g_free (flow->runner);
  g_free (flow->from);
  wf_tile_queue_clear (&flow->queue);
  g_mutex_clear (&flow->lock);
  g_cond_clear (&flow->wake);
}

/* Calls the pipeline's function for every tile, then for tiles that their neighbours can
 * change, until there are none.  @run gives tile size and threads; the function itself
 * reports progress.  @reach: (nullable): result: which boxes around this one it can change.
 */
gboolean
wf_pipeline_run (WfRun             *run,
                 const WfPipeline  *pipeline,
                 WfReach           *reach,
                 GError           **error)
{
  Flow     flow = { .pipeline = pipeline, .run = run };
  gboolean done = FALSE;

  g_mutex_init (&flow.lock);
  g_cond_init (&flow.wake);
  if (flow_init (&flow, error))
    {
      wf_run_together (flow.team, work, &flow);
      done = ! flow.stop;
    }

  if (flow.error)
    g_propagate_error (error, flow.error);
  if (done && reach)
    *reach = flow.beyond;
  flow_clear (&flow);
  return done;
}

/* Bytes for the tiles of an image, without their pixels; @side: as in WfPipeline. */
guint64
wf_pipeline_memory (const WfShape *shape,
                    gint64         side)
{
  const WfBox      box  = wf_shape_box (shape);
  const WfTileGrid grid = wf_tile_grid (&box, side > 0 ? side : automatic_side (shape, 2));

  return wf_tile_grid_n_tiles (&grid)
         * (2 + sizeof (guint16) + sizeof (WfSpill) + WF_TILE_QUEUE_BYTES);
}

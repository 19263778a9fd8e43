/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile pipeline.
 *
 * Tile propagation: an irregular wavefront (Teodoro et al. 2013) spreads inside each
 * tile until the tile is stable.  Border propagation: a tile that can change pixels of a
 * neighbour queues that neighbour.  The pipeline ends when no tile is queued and none is
 * being visited.  Every change is monotone and the fixpoint is unique, so the result does
 * not depend on the tiling or the order.
 *
 * The time does depend on the order, and on what the threads share.  Tiles are joined to
 * blocks.  A worker takes a block and visits its tiles until none of them can change
 * (tile-block.c), with a queue of its own; only blocks are taken from one queue under one
 * lock, which is then asked once for dozens of tiles.
 *
 * Every block is visited once, row after row.  After each band of rows the queued blocks are
 * visited again while they are still in the cache, the most urgent first (the highest
 * arriving level, the smallest distance): their pixels are more often final then, and smaller
 * changes of the same pixels are never made.
 *
 * Two workers never touch the same pixels: a worker may visit a block only while no other
 * worker visits one of the block's neighbours (may_run()).  Blocks are taken and handed back
 * under the lock, so a later visitor of a neighbour sees all that was written.  A block that
 * cannot be visited yet waits, and is queued again when its neighbour is done.
 *
 * A worker without a block sleeps.  It is woken only if there is a block that it may visit and
 * that the waking worker has not taken itself: a front that runs through one block after the
 * other, as in a long corridor, costs no more with many threads than with one.
 *
 * The box that is divided into tiles may itself be a tile of a coarser grid, for example
 * of a pipeline whose workers are devices.  The caller gets the changes that its tiles can
 * make outside the box.
 */

#include "config.h"

#include <string.h>

#include "pipeline.h"
#include "tile-block.h"
#include "tile-queue.h"

/* Automatic tiles fit the second-level cache with their marker and mask. */
#define SIDE_IN_IMAGE 512
#define SIDE_IN_STACK 64

/* A single thread shares nothing, and larger tiles have a smaller border. */
#define SIDE_IN_STACK_ALONE 128

/* Pixels of a block, at most: its tiles stay in the second-level cache between their visits. */
#define BLOCK_PIXELS (1 << 18)

/* Blocks for each worker, at least: the others must find work while one is long at its own. */
#define BLOCKS_A_WORKER 16

/* Pixels of a band for each worker: few enough that they, and the data that belongs to
 * them, are still in the cache when the band's queued tiles are visited again.
 */
#define BAND_PIXELS (1 << 22)

/* How often the calling thread reports progress while it sleeps. */
#define NAP (G_USEC_PER_SEC / 25)

typedef enum
{
  BLOCK_FRESH,      /* never visited nor queued */
  BLOCK_IDLE,       /* stable, or queued */
  BLOCK_WAITING,    /* for a neighbour that is being visited */
  BLOCK_RUNNING
} BlockState;

/* From @lock on, all members are used with it held. */
typedef struct
{
  WfRun       *run;
  WfTiles      tiles;
  WfTileGrid   blocks;
  gint64       block_side;      /* in tiles */
  gint64       n_blocks;
  guint        team;            /* how many workers there are */

  GMutex       lock;
  GCond        wake;
  guint8      *state;           /* of each block, a BlockState */
  WfTileQueue  queue;           /* of blocks */
  gint64       fresh;           /* blocks from here on are fresh */
  gint64       band;            /* blocks */
  gint64       band_end;        /* the end of the current band */
  gint64       n_waiting;       /* blocks */
  guint        n_running;       /* workers */
  guint        n_sleeping;      /* workers */
  gboolean     stop;
  GError      *error;           /* the first one */
  WfReach      beyond;          /* the box */
} Flow;


/*  Blocks  */

static gboolean
is_beside_running (const Flow *flow,
                   gint64      block)
{
  const WfTileGrid *blocks = &flow->blocks;
  const WfBox       near   = wf_tile_grid_around (blocks, block);

  for (gint64 z = near.z0; z < near.z1; z++)
    for (gint64 y = near.y0; y < near.y1; y++)
      for (gint64 x = near.x0; x < near.x1; x++)
        if (flow->state[wf_tile_grid_index (blocks, (WfPoint) { x, y, z })] == BLOCK_RUNNING)
          return TRUE;
  return FALSE;
}

/* Whether a block may be visited now; notes that it waits if not. */
static gboolean
may_run (Flow   *flow,
         gint64  block)
{
  if (flow->n_running == 0 || ! is_beside_running (flow, block))
    return TRUE;
  flow->state[block] = BLOCK_WAITING;
  flow->n_waiting++;
  return FALSE;
}

/* Queues the blocks that wait for @block, which is no longer running. */
static void
release_neighbours (Flow   *flow,
                    gint64  block)
{
  const WfTileGrid *blocks = &flow->blocks;
  const WfBox       near   = wf_tile_grid_around (blocks, block);

  for (gint64 z = near.z0; z < near.z1; z++)
    for (gint64 y = near.y0; y < near.y1; y++)
      for (gint64 x = near.x0; x < near.x1; x++)
        {
          gint64 other = wf_tile_grid_index (blocks, (WfPoint) { x, y, z });

          if (flow->state[other] != BLOCK_WAITING)
            continue;
          flow->state[other] = BLOCK_IDLE;
          flow->n_waiting--;
          wf_tile_queue_push (&flow->queue, other, wf_tile_queue_urgency (&flow->queue, other));
        }
}

/* The next block that may be visited, or −1. */
static gint64
next_block (Flow *flow)
{
  while (TRUE)
    {
      for (; flow->fresh < flow->band_end; flow->fresh++)
        if (may_run (flow, flow->fresh))
          return flow->fresh;
      while (flow->queue.n > 0)
        {
          gint64 block = wf_tile_queue_first (&flow->queue);

          if (may_run (flow, block))
            return block;
          wf_tile_queue_pop (&flow->queue);
        }
      if (flow->fresh == flow->n_blocks)
        return -1;
      flow->band_end = MIN (flow->band_end + flow->band, flow->n_blocks);
    }
}

static void
take_nap (Flow  *flow,
          guint  worker)
{
  flow->n_sleeping++;
  if (worker > 0)
    g_cond_wait (&flow->wake, &flow->lock);
  else if (! g_cond_wait_until (&flow->wake, &flow->lock, g_get_monotonic_time () + NAP))
    {
      g_mutex_unlock (&flow->lock);
      wf_run_advance (flow->run, 0);    /* reports progress */
      g_mutex_lock (&flow->lock);
    }
  flow->n_sleeping--;
}

/* Waits for a block and takes it; −1 when all work is done. */
static gint64
take_block (Flow  *flow,
            guint  worker)
{
  while (! flow->stop)
    {
      gint64 block = next_block (flow);

      if (block >= 0)
        {
          if (block == flow->fresh)
            flow->fresh++;
          else
            wf_tile_queue_pop (&flow->queue);
          flow->state[block] = BLOCK_RUNNING;
          flow->n_running++;
          if (flow->n_sleeping > 0 && next_block (flow) >= 0)
            g_cond_signal (&flow->wake);
          return block;
        }
      if (flow->n_running == 0)
        break;
      take_nap (flow, worker);
    }
  g_cond_broadcast (&flow->wake);
  return -1;
}

/* Queues a block that a visited one can change. */
static void
queue_block (Flow    *flow,
             gint64   block,
             guint32  urgency)
{
  if (flow->state[block] == BLOCK_FRESH)
    return;
  if (flow->state[block] == BLOCK_WAITING)
    {
      flow->state[block] = BLOCK_IDLE;
      flow->n_waiting--;
    }
  wf_tile_queue_push (&flow->queue, block, urgency);
}

static void
hand_back (Flow          *flow,
           gint64         block,
           const WfReach *reach)
{
  const WfPoint at = wf_tile_grid_place (&flow->blocks, block);

  flow->n_running--;
  flow->state[block] = BLOCK_IDLE;
  if (flow->n_waiting > 0)
    release_neighbours (flow, block);
  for (WfSpill spill = reach->spill; spill; spill &= spill - 1)
    {
      const int direction = __builtin_ctz (spill);

      queue_block (flow, wf_tile_grid_index (&flow->blocks, wf_step (at, direction)),
                   reach->urgency[direction]);
    }
}


/*  Workers  */

/* The places of a block's tiles. */
static WfBox
find_tiles (const Flow *flow,
            gint64      block)
{
  const WfTileGrid *grid = &flow->tiles.grid;
  const WfPoint     at   = wf_tile_grid_place (&flow->blocks, block);
  const gint64      side = flow->block_side;

  return (WfBox) {
    at.x * side, at.y * side, at.z * side,
    MIN ((at.x + 1) * side, grid->across), MIN ((at.y + 1) * side, grid->down),
    MIN ((at.z + 1) * side, grid->deep),
  };
}

static void
stop (Flow   *flow,
      GError *error)
{
  if (flow->stop)
    g_error_free (error);
  else
    flow->error = error;
  flow->stop = TRUE;
}

/* Takes blocks until there are none; called and left with the lock held. */
static void
visit_blocks (Flow    *flow,
              WfBlock *block,
              guint    worker)
{
  GError *error = NULL;
  gint64  number;

  while ((number = take_block (flow, worker)) >= 0)
    {
      const WfBox within = find_tiles (flow, number);
      gboolean    done;

      g_mutex_unlock (&flow->lock);
      done = wf_block_visit (block, &flow->tiles, &within, worker, &error);
      g_mutex_lock (&flow->lock);

      if (done)
        hand_back (flow, number, &block->reach);
      else
        stop (flow, g_steal_pointer (&error));
    }
  for (WfSpill spill = block->beyond.spill; spill; spill &= spill - 1)
    wf_reach_add (&flow->beyond, __builtin_ctz (spill),
                  block->beyond.urgency[__builtin_ctz (spill)]);
}

static void
work (gpointer data,
      guint    worker,
      guint    n_workers)
{
  Flow    *flow  = data;
  WfBlock  block = { 0 };
  GError  *error = NULL;
  gboolean ready = wf_block_init (&block, &flow->tiles, flow->block_side, &error);

  g_mutex_lock (&flow->lock);
  if (ready)
    visit_blocks (flow, &block, worker);
  else
    {
      stop (flow, error);
      g_cond_broadcast (&flow->wake);
    }
  g_mutex_unlock (&flow->lock);
  wf_block_clear (&block);
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

/* Whether a tile lies at a border between this box and others. */
static gboolean
is_at_border (const WfPipeline *pipeline,
              const WfTileGrid *grid,
              WfPoint           at)
{
  const WfBox   *box   = &pipeline->box;
  const WfShape *shape = &pipeline->shape;

  return (box->x0 > 0 && at.x == 0) || (box->x1 < shape->width && at.x == grid->across - 1) ||
         (box->y0 > 0 && at.y == 0) || (box->y1 < shape->height && at.y == grid->down - 1) ||
         (box->z0 > 0 && at.z == 0) || (box->z1 < shape->depth && at.z == grid->deep - 1);
}

/* The box was visited before: only what lies at its borders can change at first. */
static void
queue_border_tiles (Flow *flow)
{
  WfTiles          *tiles = &flow->tiles;
  const WfTileGrid *grid  = &tiles->grid;
  const gint64      n     = wf_tile_grid_n_tiles (grid);

  memset (tiles->visited, TRUE, n);
  memset (flow->state, BLOCK_IDLE, flow->n_blocks);
  for (gint64 tile = 0; tile < n; tile++)
    {
      const WfPoint at = wf_tile_grid_place (grid, tile);

      if (is_at_border (tiles->pipeline, grid, at))
        queue_block (flow, wf_tile_grid_index (&flow->blocks, (WfPoint) {
                             at.x / flow->block_side, at.y / flow->block_side,
                             at.z / flow->block_side }), 0);
      else
        tiles->from[tile] = 0;
    }
  flow->fresh = flow->n_blocks;
}

/* The side of a block in tiles, for @pixels in all. */
static gint64
find_block_side (const Flow *flow,
                 gint64      pixels)
{
  const WfTileGrid *grid  = &flow->tiles.grid;
  const gint64      most  = MIN (BLOCK_PIXELS, pixels / (BLOCKS_A_WORKER * flow->team));
  gint64            wider = 1;
  gint64            size;

  if (flow->tiles.pipeline->block_side > 0)
    return flow->tiles.pipeline->block_side;
  do
    {
      wider++;
      size = wider * wider * grid->side * grid->side;
      if (grid->deep > 1)
        size *= wider * grid->side;
    }
  while (size <= most);
  return wider - 1;
}

/* A whole number of rows of blocks, or of slices of them: at least one row. */
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

static gint64
choose_side (const WfPipeline *pipeline,
             const WfRun      *run)
{
  return pipeline->side > 0 ? pipeline->side
       : run->tile_size > 0 ? run->tile_size
                            : automatic_side (&pipeline->shape, run->n_threads);
}

static gboolean
flow_init (Flow              *flow,
           const WfPipeline  *pipeline,
           GError           **error)
{
  const WfBox  *box    = &pipeline->box;
  const gint64  side   = choose_side (pipeline, flow->run);
  const gint64  pixels = (box->x1 - box->x0) * (box->y1 - box->y0) * (box->z1 - box->z0);

  if (! wf_tiles_init (&flow->tiles, pipeline, side, error))
    return FALSE;
  flow->team       = wf_run_team (flow->run, wf_tile_grid_n_tiles (&flow->tiles.grid), pixels);
  flow->block_side = find_block_side (flow, pixels);
  flow->blocks     = wf_tile_grid (box, side * flow->block_side);
  flow->n_blocks   = wf_tile_grid_n_tiles (&flow->blocks);
  flow->band       = find_band (&flow->blocks, pixels / flow->n_blocks, flow->team);
  if (! (flow->state = wf_allocate (flow->n_blocks, 1, error)) ||
      ! wf_tile_queue_init (&flow->queue, flow->n_blocks, error))
    return FALSE;

  memset (flow->state, BLOCK_FRESH, flow->n_blocks);
  for (gint64 block = 0; block < flow->n_blocks; block++)
    flow->queue.key[block] = (guint64) G_MAXUINT32 << 32;    /* of one that waits at first */
  if (! pipeline->first)
    queue_border_tiles (flow);
  return TRUE;
}

static void
flow_clear (Flow *flow)
{
  g_free (flow->state);
  wf_tiles_clear (&flow->tiles);
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
  Flow     flow = { .run = run };
  gboolean done = FALSE;

  g_mutex_init (&flow.lock);
  g_cond_init (&flow.wake);
  if (flow_init (&flow, pipeline, error))
    {
      wf_run_together (run, flow.team, work, &flow);
      done = ! flow.stop;
    }

  if (flow.error)
    g_propagate_error (error, flow.error);
  if (done && reach)
    *reach = flow.beyond;
  flow_clear (&flow);
  return done;
}

/* Bytes for the tiles of an image, without their pixels, at most; @side: as in WfPipeline. */
guint64
wf_pipeline_memory (const WfShape *shape,
                    gint64         side)
{
  const WfBox      box  = wf_shape_box (shape);
  const WfTileGrid grid = wf_tile_grid (&box, side > 0 ? side : automatic_side (shape, 2));

  return wf_tile_grid_n_tiles (&grid)
         * (WF_TILE_BYTES + 1 + WF_TILE_QUEUE_BYTES);
}

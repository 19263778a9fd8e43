/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile pipeline.
 *
 * An irregular wavefront (Teodoro et al. 2013) spreads inside each tile until the
 * tile is stable: tile propagation.  A tile that can change pixels of a neighbour
 * queues that neighbour: border propagation.  It ends when no tile is queued.
 * Since every change is monotone and the fixpoint unique, neither the tiling nor
 * the order matters to the result.
 *
 * Tiles are coloured like a chessboard in each dimension (2, 4 or 8 colours), and
 * one colour is worked on at a time: the tiles of a colour do not touch, so their
 * workers share no pixel that either may write, and a tile is in a queue at most
 * once because its flag is.
 */

#include "config.h"

#include "pipeline.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#define N_COLOURS 8

/* Automatic tiles fit the second-level cache with their marker and mask. */
#define SIDE_IN_IMAGE 512
#define SIDE_IN_STACK 64

typedef struct
{
  WfShape  shape;
  gint64   side;
  gint64   across, down, deep;     /* tiles along x, y, z */
  guint8  *queued;
  guint8  *visited;
  gint64  *queue[N_COLOURS];
  gint64   n_queued[N_COLOURS];
} WfTiling;


static void
tiling_clear (WfTiling *tiling)
{
  g_free (tiling->queued);
  g_free (tiling->visited);
  for (int colour = 0; colour < N_COLOURS; colour++)
    g_free (tiling->queue[colour]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfTiling, tiling_clear)

static gint64
automatic_side (const WfRun   *run,
                const WfShape *shape)
{
  if (run->n_threads == 1)
    return MAX (shape->width, MAX (shape->height, shape->depth));
  return shape->depth > 1 ? SIDE_IN_STACK : SIDE_IN_IMAGE;
}

static gint64
count_along (gint64 length,
             gint64 side)
{
  return (length + side - 1) / side;
}

static int
colour_of (const WfTiling *tiling,
           gint64          tile)
{
  gint64 x = tile % tiling->across;
  gint64 y = tile / tiling->across % tiling->down;
  gint64 z = tile / tiling->across / tiling->down;

  return (x & 1) | (y & 1) << 1 | (z & 1) << 2;
}

static WfBox
tile_box (const WfTiling *tiling,
          gint64          tile)
{
  gint64 x = tile % tiling->across * tiling->side;
  gint64 y = tile / tiling->across % tiling->down * tiling->side;
  gint64 z = tile / tiling->across / tiling->down * tiling->side;

  return (WfBox) {
    x, y, z,
    MIN (x + tiling->side, tiling->shape.width),
    MIN (y + tiling->side, tiling->shape.height),
    MIN (z + tiling->side, tiling->shape.depth),
  };
}

static gboolean
tiling_init (WfTiling       *tiling,
             const WfRun    *run,
             const WfShape  *shape,
             gint64          side,
             GError        **error)
{
  gint64 most[N_COLOURS] = { 0 };
  gint64 n;

  tiling->shape  = *shape;
  tiling->side   = side > 0 ? side
                 : run->tile_size > 0 ? run->tile_size : automatic_side (run, shape);
  tiling->across = count_along (shape->width, tiling->side);
  tiling->down   = count_along (shape->height, tiling->side);
  tiling->deep   = count_along (shape->depth, tiling->side);
  n = tiling->across * tiling->down * tiling->deep;

  if (! (tiling->queued = wf_allocate (n, 1, error)) ||
      ! (tiling->visited = wf_allocate (n, 1, error)))
    return FALSE;
  for (gint64 tile = 0; tile < n; tile++)
    {
      tiling->queued[tile]  = TRUE;
      tiling->visited[tile] = FALSE;
      most[colour_of (tiling, tile)]++;
    }
  for (int colour = 0; colour < N_COLOURS; colour++)
    if (! (tiling->queue[colour] = wf_allocate (most[colour], sizeof (gint64), error)))
      return FALSE;
  for (gint64 tile = 0; tile < n; tile++)
    {
      int colour = colour_of (tiling, tile);

      tiling->queue[colour][tiling->n_queued[colour]++] = tile;
    }
  return TRUE;
}

static void
queue_tile (WfTiling *tiling,
            gint64    tile)
{
  int colour;

  if (__atomic_exchange_n (&tiling->queued[tile], TRUE, __ATOMIC_ACQ_REL))
    return;
  colour = colour_of (tiling, tile);
  tiling->queue[colour][__atomic_fetch_add (&tiling->n_queued[colour], 1, __ATOMIC_ACQ_REL)] = tile;
}

static void
queue_neighbours (WfTiling *tiling,
                  gint64    tile,
                  WfSpill   spill)
{
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (spill & wf_spill_bit (dx, dy, dz))
          queue_tile (tiling, tile + (dz * tiling->down + dy) * tiling->across + dx);
}

typedef struct
{
  WfTiling   *tiling;
  WfTileFunc  propagate;
  gpointer    data;
  int         failed;
  GError     *error;       /* the first one */
} Pass;

static void
visit_tile (Pass   *pass,
            gint64  tile,
            guint   worker)
{
  WfTiling  *tiling = pass->tiling;
  WfBox      box    = tile_box (tiling, tile);
  gboolean   first  = ! tiling->visited[tile];
  WfSpill    spill  = 0;
  GError    *error  = NULL;

  if (__atomic_load_n (&pass->failed, __ATOMIC_RELAXED))
    return;

  tiling->visited[tile] = TRUE;
  __atomic_store_n (&tiling->queued[tile], FALSE, __ATOMIC_RELEASE);
  if (pass->propagate (pass->data, worker, &box, first, &spill, &error))
    {
      queue_neighbours (tiling, tile, spill);
      return;
    }
  if (__atomic_exchange_n (&pass->failed, TRUE, __ATOMIC_ACQ_REL))
    g_error_free (error);
  else
    pass->error = error;
}

/* A tile of one colour can only queue tiles of others, so the queue that is being
 * worked off stays as it is.
 */
static void
visit_colour (Pass  *pass,
              int    colour,
              guint  n_threads)
{
  WfTiling *tiling = pass->tiling;
  gint64    n      = tiling->n_queued[colour];

  tiling->n_queued[colour] = 0;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n > 1 && n_threads > 1)
  for (gint64 i = 0; i < n; i++)
    {
#ifdef _OPENMP
      guint worker = omp_get_thread_num ();
#else
      guint worker = 0;
#endif

      visit_tile (pass, tiling->queue[colour][i], worker);
    }
}

static gboolean
anything_queued (const WfTiling *tiling)
{
  for (int colour = 0; colour < N_COLOURS; colour++)
    if (tiling->n_queued[colour] > 0)
      return TRUE;
  return FALSE;
}

/* Calls @propagate on every tile, and again on those that their neighbours can
 * change, until there are none.  @run gives tile size and threads; progress is
 * for @propagate to report.
 */
gboolean
wf_pipeline_run (WfRun          *run,
                 const WfShape  *shape,
                 gint64          side,
                 WfTileFunc      propagate,
                 gpointer        data,
                 GError        **error)
{
  g_auto (WfTiling) tiling = { 0 };
  Pass              pass   = { &tiling, propagate, data, FALSE, NULL };

  if (! tiling_init (&tiling, run, shape, side, error))
    return FALSE;

  while (anything_queued (&tiling) && ! pass.failed)
    for (int colour = 0; colour < N_COLOURS; colour++)
      if (tiling.n_queued[colour] > 0)
        visit_colour (&pass, colour, run->n_threads);

  if (pass.failed)
    g_propagate_error (error, pass.error);
  return ! pass.failed;
}

/* Bytes for the flags and queues of automatic tiles: next to nothing. */
guint64
wf_pipeline_memory (const WfShape *shape)
{
  gint64 side = shape->depth > 1 ? SIDE_IN_STACK : SIDE_IN_IMAGE;

  return count_along (shape->width, side) * count_along (shape->height, side)
         * count_along (shape->depth, side) * (2 + sizeof (gint64));
}

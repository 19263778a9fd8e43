/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile pipeline: it visits every tile, never two neighbours at the same time, delivers
 * reports to the right tiles, visits the most urgent tile first, and ends correctly, with
 * any number of threads and tiles.
 */

#include <string.h>

#include "engine/propagation/pipeline.h"
#include "engine/propagation/tile-queue.h"
#include "tests/support/tiers.h"

#define MOST_THREADS 4

static WfShape
random_shape (void)
{
  const gboolean stack = g_test_rand_bit ();

  return (WfShape) { g_test_rand_int_range (1, stack ? 9 : 20),
                     g_test_rand_int_range (1, stack ? 9 : 20),
                     stack ? g_test_rand_int_range (1, 9) : 1 };
}

static void
init_run (WfRun        *run,
          GCancellable *cancellable,
          guint         n_threads,
          gint64        tile_size)
{
  wf_run_init (run, cancellable, NULL, NULL, 0);
  run->n_threads = n_threads;
  run->tile_size = tile_size;
  wf_run_begin (run, 1, 1);
}


/*  Visits  */

/* Tiles that only report changes at random. */
typedef struct
{
  WfTileGrid  grid;
  guint       n_threads;
  gint       *n_visits;     /* for each tile, atomic */
  gint       *busy;         /* for each tile, atomic */
  gint        n_reports;    /* that may still be made, atomic */
  gint        n_wrong;      /* atomic */
} Crowd;

static gint64
tile_of_box (const WfTileGrid *grid,
             const WfBox      *box)
{
  return wf_tile_grid_index (grid, (WfPoint) { (box->x0 - grid->box.x0) / grid->side,
                                               (box->y0 - grid->box.y0) / grid->side,
                                               (box->z0 - grid->box.z0) / grid->side });
}

static WfPoint
step (WfPoint at,
      int     direction)
{
  return (WfPoint) { at.x + direction % 3 - 1, at.y + direction / 3 % 3 - 1,
                     at.z + direction / 9 - 1 };
}

static gboolean
has_busy_neighbour (const Crowd *crowd,
                    gint64       tile)
{
  const WfPoint at = wf_tile_grid_place (&crowd->grid, tile);

  for (int direction = 0; direction < WF_N_DIRECTIONS; direction++)
    {
      WfPoint to = step (at, direction);

      if (wf_tile_grid_holds (&crowd->grid, to) &&
          wf_tile_grid_index (&crowd->grid, to) != tile &&
          g_atomic_int_get (&crowd->busy[wf_tile_grid_index (&crowd->grid, to)]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
jostle (gpointer       data,
        guint          worker,
        const WfBox   *box,
        gboolean       first,
        WfReach       *reach,
        GError       **error)
{
  Crowd  *crowd = data;
  gint64  tile  = tile_of_box (&crowd->grid, box);
  guint32 noise = (guint32) tile * 2654435761u ^ (guint32) g_atomic_int_get (&crowd->n_reports);
  WfBox   whole = wf_tile_grid_box (&crowd->grid, tile);

  if (g_atomic_int_add (&crowd->busy[tile], 1) != 0 || has_busy_neighbour (crowd, tile) ||
      worker >= crowd->n_threads || memcmp (&whole, box, sizeof whole) != 0 ||
      first != (g_atomic_int_add (&crowd->n_visits[tile], 1) == 0) ||
      (first && reach->from != WF_SPILL_ALL) || reach->from == 0 || reach->spill != 0)
    g_atomic_int_inc (&crowd->n_wrong);

  for (int direction = 0; direction < WF_N_DIRECTIONS; direction++)
    {
      noise = noise * 1664525u + 1013904223u;
      if ((WF_SPILL_ALL >> direction & 1) && noise >> 29 == 0 &&
          wf_tile_grid_holds (&crowd->grid, step (wf_tile_grid_place (&crowd->grid, tile),
                                                  direction)) &&
          g_atomic_int_add (&crowd->n_reports, -1) > 0)
        wf_reach_add (reach, direction, noise >> 8 & 7);
    }
  if (noise >> 28 == 0)
    g_thread_yield ();

  if (has_busy_neighbour (crowd, tile))
    g_atomic_int_inc (&crowd->n_wrong);
  g_atomic_int_add (&crowd->busy[tile], -1);
  return TRUE;
}

static void
test_visits (void)
{
  for (guint i = 0; i < test_count (100, 300); i++)
    {
      const WfShape     shape    = random_shape ();
      const WfBox       box      = wf_shape_box (&shape);
      const gint64      side     = g_test_rand_int_range (1, 8);
      Crowd             crowd    = { .grid = wf_tile_grid (&box, side), .n_reports = 2000 };
      const gint64      n        = wf_tile_grid_n_tiles (&crowd.grid);
      const WfPipeline  pipeline = { .shape = shape, .box = box, .first = TRUE,
                                     .side = i % 2 ? side : 0,
                                     .block_side = g_test_rand_int_range (0, 4),
                                     .propagate = jostle,
                                     .data = &crowd };
      g_autofree gint  *n_visits = g_new0 (gint, n);
      g_autofree gint  *busy     = g_new0 (gint, n);
      WfReach           beyond   = { 0 };
      WfRun             run;

      crowd.n_threads = g_test_rand_int_range (1, MOST_THREADS + 1);
      crowd.n_visits  = n_visits;
      crowd.busy      = busy;
      init_run (&run, NULL, crowd.n_threads, side);
      g_assert_true (wf_pipeline_run (&run, &pipeline, &beyond, NULL));
      g_assert_cmpint (crowd.n_wrong, ==, 0);
      g_assert_cmpuint (beyond.spill, ==, 0);
      for (gint64 tile = 0; tile < n; tile++)
        g_assert_cmpint (n_visits[tile], >, 0);
    }
}


/*  Order, with one thread  */

/* Nine tiles.  The last one reports to the middle one, which then reports to all others with
 * the urgency that the test gives.
 */
typedef struct
{
  WfTileGrid grid;
  guint32    urgency[WF_N_DIRECTIONS];
  int        n_visits;
  int        order[64];
  WfSpill    from[64];
  int        raised;        /* a tile that the next one makes more urgent, or −1 */
} Nine;

static gboolean
visit_nine (gpointer       data,
            guint          worker,
            const WfBox   *box,
            gboolean       first,
            WfReach       *reach,
            GError       **error)
{
  Nine          *nine = data;
  const gint64   tile = tile_of_box (&nine->grid, box);
  const WfPoint  at   = wf_tile_grid_place (&nine->grid, tile);

  g_assert_cmpint (nine->n_visits, <, 64);
  nine->order[nine->n_visits]  = tile;
  nine->from[nine->n_visits++] = reach->from;
  if (first && tile > 4)
    wf_reach_add (reach, wf_direction (1 - at.x, 1 - at.y, 0), 1);
  else if (! first && tile == 4)
    for (int other = 0; other < 9; other++)
      {
        if (other != 4)
          wf_reach_add (reach, wf_direction (other % 3 - 1, other / 3 - 1, 0),
                        nine->urgency[other]);
      }
  else if (! first && nine->raised >= 0)
    {
      wf_reach_add (reach, wf_direction (nine->raised % 3 - at.x, nine->raised / 3 - at.y, 0),
                    1000);
      nine->raised = -1;
    }
  return TRUE;
}

static void
run_nine (Nine *nine)
{
  const WfShape    shape    = { 30, 30, 1 };
  const WfPipeline pipeline = { .shape = shape, .box = wf_shape_box (&shape), .first = TRUE,
                                .side = 10, .propagate = visit_nine, .data = nine };
  WfRun            run;

  nine->grid     = wf_tile_grid (&pipeline.box, 10);
  nine->n_visits = 0;
  init_run (&run, NULL, 1, 0);
  g_assert_true (wf_pipeline_run (&run, &pipeline, NULL, NULL));
}

static void
test_order (void)
{
  for (int i = 0; i < 100; i++)
    {
      Nine nine = { .raised = -1 };

      for (int tile = 0; tile < 9; tile++)
        nine.urgency[tile] = g_test_rand_int_range (0, 6);
      run_nine (&nine);
      /* Nine first visits; four reports to the middle are one visit; eight more. */
      g_assert_cmpint (nine.n_visits, ==, 18);
      g_assert_cmpint (nine.order[9], ==, 4);
      g_assert_cmpuint (nine.from[9], ==, wf_spill_bit (1, 0, 0) | wf_spill_bit (-1, 1, 0) |
                                          wf_spill_bit (0, 1, 0) | wf_spill_bit (1, 1, 0));
      for (int k = 11; k < 18; k++)
        {
          guint32 before = nine.urgency[nine.order[k - 1]];
          guint32 now    = nine.urgency[nine.order[k]];

          g_assert_true (before > now || (before == now && nine.order[k - 1] < nine.order[k]));
        }
    }
}

/* A tile that becomes more urgent while it waits moves up, and is visited once. */
static void
test_raised (void)
{
  Nine nine = { .urgency = { 900, 10, 20, 30, 0, 40, 50, 60, 70 }, .raised = 1 };

  run_nine (&nine);
  g_assert_cmpint (nine.n_visits, ==, 18);
  g_assert_cmpint (nine.order[10], ==, 0);
  g_assert_cmpint (nine.order[11], ==, 1);
  g_assert_cmpuint (nine.from[11], ==, wf_spill_bit (0, 1, 0) | wf_spill_bit (-1, 0, 0));
  g_assert_cmpint (nine.order[12], ==, 8);
}


/*  A wavefront  */

/* Pixels take the highest of their neighbours' levels, less one.  A tile reads only those
 * neighbours that have reported to it.
 */
typedef struct
{
  WfShape  shape;
  gint32  *level;
  gint64   inner_side;      /* of the pipeline inside each tile; 0: there is none */
  gint64   block_side;      /* of that pipeline */
} World;

static gint32 *
level_at (const World *world,
          WfPoint      point)
{
  return &world->level[wf_index_of_point (point, &world->shape)];
}

static int
side_of (gint64 coordinate,
         gint64 start,
         gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

/* The direction of @point from @box. */
static int
direction_from (const WfBox *box,
                WfPoint      point)
{
  return wf_direction (side_of (point.x, box->x0, box->x1), side_of (point.y, box->y0, box->y1),
                       side_of (point.z, box->z0, box->z1));
}

/* A pixel of a box and its neighbour, which may lie outside the image. */
typedef struct
{
  WfPoint here;
  WfPoint there;
} Pair;

static WfShape
shape_of (const WfBox *box)
{
  return (WfShape) { box->x1 - box->x0, box->y1 - box->y0, box->z1 - box->z0 };
}

static gint64
count_pairs (const WfBox *box)
{
  const WfShape shape = shape_of (box);

  return wf_shape_n_pixels (&shape) * WF_N_DIRECTIONS;
}

static Pair
pair_at (const WfBox *box,
         gint64       i)
{
  const WfShape shape = shape_of (box);
  const WfPoint point = wf_point_of_index (i / WF_N_DIRECTIONS, &shape);
  const WfPoint here  = { box->x0 + point.x, box->y0 + point.y, box->z0 + point.z };

  return (Pair) { here, step (here, i % WF_N_DIRECTIONS) };
}

/* Updates every pixel once; @from: 0 after the neighbours have been taken in */
static gboolean
settle_once (const World *world,
             const WfBox *box,
             WfSpill      from)
{
  const WfBox image   = wf_shape_box (&world->shape);
  gboolean    changed = FALSE;

  for (gint64 i = 0; i < count_pairs (box); i++)
    {
      const Pair  pair  = pair_at (box, i);
      gint32     *level = level_at (world, pair.here);

      if (! wf_box_holds (&image, pair.there, 0, 0, 0) ||
          (! wf_box_holds (box, pair.there, 0, 0, 0) &&
           ! (from >> direction_from (box, pair.there) & 1)))
        continue;
      if (*level_at (world, pair.there) - 1 > *level)
        {
          *level  = *level_at (world, pair.there) - 1;
          changed = TRUE;
        }
    }
  return changed;
}

static void
report (const World *world,
        const WfBox *box,
        WfReach     *reach)
{
  const WfBox image = wf_shape_box (&world->shape);

  for (gint64 i = 0; i < count_pairs (box); i++)
    {
      const Pair pair = pair_at (box, i);

      if (! wf_box_holds (box, pair.there, 0, 0, 0) &&
          wf_box_holds (&image, pair.there, 0, 0, 0) &&
          *level_at (world, pair.here) - 1 > *level_at (world, pair.there))
        wf_reach_add (reach, direction_from (box, pair.there), *level_at (world, pair.here));
    }
}

static gboolean
spread_wave (gpointer       data,
             guint          worker,
             const WfBox   *box,
             gboolean       first,
             WfReach       *reach,
             GError       **error)
{
  World *world = data;

  for (gboolean more = settle_once (world, box, reach->from); more; )
    more = settle_once (world, box, 0);
  report (world, box, reach);
  return TRUE;
}

/* The same in smaller tiles inside the tile, like a device that gets a part of an image. */
static gboolean
spread_wave_in_tiles (gpointer       data,
                      guint          worker,
                      const WfBox   *box,
                      gboolean       first,
                      WfReach       *reach,
                      GError       **error)
{
  World            *world    = data;
  const WfPipeline  pipeline = { .shape = world->shape, .box = *box, .first = first,
                                 .side = world->inner_side, .block_side = world->block_side,
                                 .propagate = spread_wave,
                                 .data = world };
  WfReach           beyond   = { 0 };
  WfRun             run;

  init_run (&run, NULL, 1, 0);
  if (! wf_pipeline_run (&run, &pipeline, &beyond, error))
    return FALSE;
  reach->spill = beyond.spill;
  memcpy (reach->urgency, beyond.urgency, sizeof beyond.urgency);
  return TRUE;
}

static gint32
wave_at (const WfShape *shape,
         const gint32  *seeds,
         gint64         p)
{
  const WfPoint to   = wf_point_of_index (p, shape);
  gint32        best = G_MININT32;

  for (gint64 q = 0; q < wf_shape_n_pixels (shape); q++)
    {
      WfPoint from     = wf_point_of_index (q, shape);
      gint64  distance = MAX (ABS (from.x - to.x), MAX (ABS (from.y - to.y), ABS (from.z - to.z)));

      best = MAX (best, seeds[q] - (gint32) distance);
    }
  return best;
}

static void
check_wave (gboolean nested)
{
  const WfShape       shape = random_shape ();
  const gint64        n     = wf_shape_n_pixels (&shape);
  g_autofree gint32  *seeds = g_new (gint32, n);
  World               world = { .shape = shape, .level = g_new (gint32, n),
                                .inner_side = g_test_rand_int_range (1, 5),
                                .block_side = g_test_rand_int_range (0, 4) };
  const WfPipeline    pipeline = { .shape = shape, .box = wf_shape_box (&shape), .first = TRUE,
                                   .side = g_test_rand_int_range (1, 9),
                                   .block_side = g_test_rand_int_range (0, 4),
                                   .propagate = nested ? spread_wave_in_tiles : spread_wave,
                                   .data = &world };
  WfRun               run;

  for (gint64 p = 0; p < n; p++)
    world.level[p] = seeds[p] = g_test_rand_int_range (0, 12) ? -1000
                                                              : g_test_rand_int_range (0, 40);
  init_run (&run, NULL, g_test_rand_int_range (1, MOST_THREADS + 1), 1);
  g_assert_true (wf_pipeline_run (&run, &pipeline, NULL, NULL));
  for (gint64 p = 0; p < n; p++)
    g_assert_cmpint (world.level[p], ==, wave_at (&shape, seeds, p));
  g_free (world.level);
}

static void
test_wave (void)
{
  for (guint i = 0; i < test_count (100, 300); i++)
    check_wave (FALSE);
}

static void
test_nested (void)
{
  for (guint i = 0; i < test_count (70, 200); i++)
    check_wave (TRUE);
}


/*  Ends  */

typedef struct
{
  WfRun        *run;
  GCancellable *cancellable;
  gint          n_visits;       /* atomic */
  gint          last;           /* the visit that fails or cancels */
  gint          begun;          /* visits begun before cancelling */
} Ending;

static gboolean
visit_until_failure (gpointer       data,
                     guint          worker,
                     const WfBox   *box,
                     gboolean       first,
                     WfReach       *reach,
                     GError       **error)
{
  Ending *ending = data;
  gint    n      = g_atomic_int_add (&ending->n_visits, 1) + 1;

  for (int direction = 0; direction < WF_N_DIRECTIONS; direction++)
    if (WF_SPILL_ALL >> direction & 1)
      wf_reach_add (reach, direction, 1);      /* without an end */
  if (n == ending->last && ending->cancellable)
    {
      g_cancellable_cancel (ending->cancellable);
      ending->begun = g_atomic_int_get (&ending->n_visits);
    }
  else if (n >= ending->last && ! ending->cancellable)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS, "visit %d", n);
      return FALSE;
    }
  return wf_run_advance (ending->run, 1) || wf_run_set_cancelled (error);
}

static void
check_end (gboolean cancel)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError)       error       = NULL;
  const WfShape            shape       = random_shape ();
  WfRun                    run;
  const gint               last     = g_test_rand_int_range (1, 3000);
  Ending                   ending   = { &run, cancel ? cancellable : NULL, 0, last, last };
  const WfPipeline         pipeline = { .shape = shape, .box = wf_shape_box (&shape),
                                        .first = TRUE, .side = 1,
                                        .propagate = visit_until_failure, .data = &ending };

  if (wf_shape_n_pixels (&shape) == 1)
    return;
  init_run (&run, cancellable, g_test_rand_int_range (1, MOST_THREADS + 1), 1);
  g_assert_false (wf_pipeline_run (&run, &pipeline, NULL, &error));
  if (cancel)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_error (error, WF_ERROR, WF_ERROR_LABELS);
  /* Each worker notices with its next visit at the latest. */
  g_assert_cmpint (ending.n_visits, <, ending.begun + (int) run.n_threads);
}

static void
test_failure (void)
{
  for (guint i = 0; i < test_count (70, 200); i++)
    check_end (FALSE);
}

static void
test_cancelled (void)
{
  for (guint i = 0; i < test_count (70, 200); i++)
    check_end (TRUE);
}


/*  The queue  */

/* The queue, against an array that is searched. */
static void
test_queue (void)
{
  enum { N = 40 };
  guint64            key[N];        /* urgency, then order of arrival; 0: not queued */
  g_autoptr (GRand)  rand     = g_rand_new_with_seed (g_test_rand_int ());
  WfTileQueue        queue    = { 0 };
  guint32            arrivals = 0;
  gint64             n        = 0;

  memset (key, 0, sizeof key);
  g_assert_true (wf_tile_queue_init (&queue, N, NULL));
  for (int i = 0; i < 20000; i++)
    {
      if (g_rand_int_range (rand, 0, 5) < 3)
        {
          int     tile    = g_rand_int_range (rand, 0, N);
          guint64 urgency = g_rand_int_range (rand, 0, 9);

          wf_tile_queue_push (&queue, tile, urgency);
          if (key[tile] == 0)
            {
              key[tile] = urgency << 32 | (G_MAXUINT32 - arrivals++);
              n++;
            }
          else if (key[tile] >> 32 < urgency)
            key[tile] = urgency << 32 | (guint32) key[tile];
        }
      else if (n > 0)
        {
          int best = 0;

          for (int tile = 1; tile < N; tile++)
            best = key[tile] > key[best] ? tile : best;
          g_assert_cmpint (wf_tile_queue_first (&queue), ==, best);
          g_assert_cmpuint (wf_tile_queue_urgency (&queue, best), ==, key[best] >> 32);
          g_assert_cmpint (wf_tile_queue_pop (&queue), ==, best);
          key[best] = 0;
          n--;
        }
      g_assert_cmpint (queue.n, ==, n);
    }
  wf_tile_queue_clear (&queue);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/pipeline/queue", test_queue);
  g_test_add_func ("/pipeline/visits", test_visits);
  g_test_add_func ("/pipeline/order", test_order);
  g_test_add_func ("/pipeline/raised", test_raised);
  g_test_add_func ("/pipeline/wave", test_wave);
  g_test_add_func ("/pipeline/nested", test_nested);
  g_test_add_func ("/pipeline/failure", test_failure);
  g_test_add_func ("/pipeline/cancelled", test_cancelled);

  return g_test_run ();
}

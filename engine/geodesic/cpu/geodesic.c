/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances on the CPU, `tiles`: an irregular wavefront over tiles (pipeline.h).  In a
 * tile, sums spread from the sources and from what neighbors have changed, the least first, by a
 * queue of buckets (buckets.h).  The tile that can get the least sum is visited first, so that few
 * tiles are visited again.
 *
 * Without costs a bucket is no wider than the shortest step, and in one visit a pixel spreads once,
 * as in Dijkstra's algorithm.  With costs, such buckets would hold a few pixels each.  In images
 * they are about as wide as the cheapest tenth of the steps is long: some pixels spread again, as
 * in Δ-stepping, but pixels spread by the dozen, without branches that depend on sums
 * (spread.inc.h).
 *
 * Sums are 32 bits wide.  Where one may have been too large for that, all is done again with 64.
 * A pixel's sum is read and written about 10 times in the second-level cache, its row of the mask
 * and the markers is read once, and the result is written once.
 *
 * Sources: Dial, Algorithm 360: shortest-path forest with topological ordering, Communications of
 * the ACM 12 (1969); Dinitz, Economical algorithms for finding shortest paths in a network (1978);
 * Meyer and Sanders, Δ-stepping: a parallelizable shortest path algorithm, Journal of Algorithms 49
 * (2003); Teodoro et al., Efficient irregular wavefront propagation algorithms on hybrid CPU-GPU
 * machines, Parallel Computing 39 (2013).
 */

#include "config.h"

#include <math.h>

#include "geodesic.h"
#include "engine/cpu/stream.h"

/* The sums of a tile and its queue fit the second-level cache. */
#define SIDE_IN_IMAGE 256
#define SIDE_IN_STACK 64

/* A single thread shares nothing: a front crosses fewer borders of larger tiles. */
#define SIDE_IN_IMAGE_ALONE 512

/* A cost has 0 to 16 binary digits. */
#define COST_LENGTHS 17

/* Which pixels' costs are looked at: one of so many rows, and of the pixels there. */
#define COST_SAMPLING 7

/* Bits of a place in a tile for each axis. */
#define PLACE_BITS 10


/*  Places in a tile  */

static inline guint32
place_in (const WfBox *tile,
          WfPoint      point)
{
  return (guint32) ((point.x - tile->x0) | (point.y - tile->y0) << PLACE_BITS |
                    (point.z - tile->z0) << 2 * PLACE_BITS);
}

static inline WfPoint
point_at (const WfBox *tile,
          guint32      place)
{
  const guint32 most = WF_GEODESIC_MOST_SIDE - 1;

  return (WfPoint) { tile->x0 + (place & most), tile->y0 + (place >> PLACE_BITS & most),
                     tile->z0 + (place >> 2 * PLACE_BITS) };
}

static inline guint32
inner_length (gint64 start,
              gint64 end)
{
  return (guint32) MAX (end - start - 2, 0);
}

/* From a place to that of a neighbour, modulo 2³². */
static inline guint32
place_step (int dx,
            int dy,
            int dz)
{
  return (guint32) (dx + dy * (1 << PLACE_BITS) + dz * (1 << 2 * PLACE_BITS));
}

static WfGeodesicTile
find_tile (const WfGeodesicState *state,
           const WfBox           *box)
{
  const WfShape *shape  = &state->shape;
  const guint32 *weight = state->task->weights;
  const gboolean stack  = state->neighbours.n == 6 || state->neighbours.n == 26;

  return (WfGeodesicTile) {
    .box     = *box,
    .origin  = wf_index_of_point ((WfPoint) { box->x0, box->y0, box->z0 }, shape),
    .row     = shape->width,
    .slice   = shape->width * shape->height,
    .weights = { weight[0], weight[1], weight[2] },
    .inner   = { inner_length (box->x0, box->x1), inner_length (box->y0, box->y1),
                 stack ? inner_length (box->z0, box->z1) : G_MAXUINT32 },
  };
}

/* The index of the pixel at a place. */
static inline gint64
index_at (const WfGeodesicTile *tile,
          guint32               place)
{
  const guint32 most = WF_GEODESIC_MOST_SIDE - 1;

  return tile->origin + (place & most) + (place >> PLACE_BITS & most) * tile->row +
         (place >> 2 * PLACE_BITS) * tile->slice;
}

/* Whether all neighbours of a place are in its tile; of an image, z − 1 is the largest number. */
static inline gboolean
is_inside (const WfGeodesicTile *tile,
           guint32               place)
{
  const guint32 most = WF_GEODESIC_MOST_SIDE - 1;
  const guint32 z    = (place >> 2 * PLACE_BITS) - 1;

  return (place & most) - 1 < tile->inner[0] &&
         (place >> PLACE_BITS & most) - 1 < tile->inner[1] &&
         (z < tile->inner[2] || tile->inner[2] == G_MAXUINT32);
}

static inline int
side_of (gint64 coordinate,
         gint64 start,
         gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

/* In which direction the neighbour number @i of @point lies: in @tile or beside it. */
static inline int
beside (const WfBox           *tile,
        WfPoint                point,
        const WfNeighbourhood *neighbours,
        int                    i)
{
  return wf_direction (side_of (point.x + neighbours->dx[i], tile->x0, tile->x1),
                       side_of (point.y + neighbours->dy[i], tile->y0, tile->y1),
                       side_of (point.z + neighbours->dz[i], tile->z0, tile->z1));
}

static void
limit (int     side,
       gint64 *start,
       gint64 *end)
{
  if (side < 0)
    *end = *start + 1;
  else if (side > 0)
    *start = *end - 1;
}

/* The pixels of a tile that may have neighbours in one direction. */
static WfBox
face_of (const WfBox *tile,
         int          direction)
{
  WfBox face = *tile;

  limit (direction % 3 - 1, &face.x0, &face.x1);
  limit (direction / 3 % 3 - 1, &face.y0, &face.y1);
  limit (direction / 9 - 1, &face.z0, &face.z1);
  return face;
}

/* Whether a step from some pixel of [@start, @end) by @by can lead to that side, of @length. */
static inline gboolean
can_lead (int    by,
          int    side,
          gint64 start,
          gint64 end,
          gint64 length)
{
  return side == 0 || (by == side && (side < 0 ? start > 0 : end < length));
}

/* Of the neighbours of a tile's pixels those that can lie in one direction beside it, in the image;
 * returns how many.
 */
static int
find_neighbours (const WfGeodesicState *state,
                 const WfBox           *tile,
                 int                    direction,
                 int                   *among)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfShape         *shape = &state->shape;
  int                    n     = 0;

  for (int i = 0; i < nb->n; i++)
    if (can_lead (nb->dx[i], direction % 3 - 1, tile->x0, tile->x1, shape->width) &&
        can_lead (nb->dy[i], direction / 3 % 3 - 1, tile->y0, tile->y1, shape->height) &&
        can_lead (nb->dz[i], direction / 9 - 1, tile->z0, tile->z1, shape->depth))
      among[n++] = i;
  return n;
}

static inline gint64
count_pixels (const WfBox *tile)
{
  return (tile->x1 - tile->x0) * (tile->y1 - tile->y0) * (tile->z1 - tile->z0);
}

/* Smaller sums come first.  An urgency of 0 means that there is none. */
static inline guint32
urgency_of (guint64 sum)
{
  return G_MAXUINT32 - (guint32) MIN (sum, G_MAXUINT32 - 1);
}

static int
compare_seeds (gconstpointer a,
               gconstpointer b)
{
  const guint64 first  = ((const WfGeodesicSeed *) a)->sum;
  const guint64 second = ((const WfGeodesicSeed *) b)->sum;

  return first < second ? -1 : first > second;
}


/*  Propagation  */

#define Sum                  guint32
#define WF_FAR               WF_GEODESIC_FAR32
#define Cost                 guint8
#define WF_BRANCH            TRUE
#define WF_COST(c, p)        ((void) (c), 0u)
#define WF_BETWEEN(o, c, q)  ((void) (c), 1u)
#define WF_NAME(name)        name##_narrow
#include "spread.inc.h"

#define Sum                  guint64
#define WF_FAR               WF_GEODESIC_FAR64
#define Cost                 guint8
#define WF_BRANCH            TRUE
#define WF_COST(c, p)        ((void) (c), 0u)
#define WF_BETWEEN(o, c, q)  ((void) (c), 1u)
#define WF_NAME(name)        name##_wide
#include "spread.inc.h"

#define Sum                  guint32
#define WF_FAR               WF_GEODESIC_FAR32
#define Cost                 guint8
#define WF_BRANCH            FALSE
#define WF_COST(c, p)        (c)[p]
#define WF_BETWEEN(o, c, q)  ((o) + (c)[q])
#define WF_NAME(name)        name##_narrow_u8
#include "spread.inc.h"

#define Sum                  guint64
#define WF_FAR               WF_GEODESIC_FAR64
#define Cost                 guint8
#define WF_BRANCH            FALSE
#define WF_COST(c, p)        (c)[p]
#define WF_BETWEEN(o, c, q)  ((o) + (c)[q])
#define WF_NAME(name)        name##_wide_u8
#include "spread.inc.h"

#define Sum                  guint32
#define WF_FAR               WF_GEODESIC_FAR32
#define Cost                 guint16
#define WF_BRANCH            FALSE
#define WF_COST(c, p)        (c)[p]
#define WF_BETWEEN(o, c, q)  ((o) + (c)[q])
#define WF_NAME(name)        name##_narrow_u16
#include "spread.inc.h"

#define Sum                  guint64
#define WF_FAR               WF_GEODESIC_FAR64
#define Cost                 guint16
#define WF_BRANCH            FALSE
#define WF_COST(c, p)        (c)[p]
#define WF_BETWEEN(o, c, q)  ((o) + (c)[q])
#define WF_NAME(name)        name##_wide_u16
#include "spread.inc.h"

static WfTileFunc
choose_visit (const WfGeodesicState *state)
{
  if (! state->costs)
    return state->wide ? visit_wide : visit_narrow;
  if (state->cost_type == WF_TYPE_U8)
    return state->wide ? visit_wide_u8 : visit_narrow_u8;
  return state->wide ? visit_wide_u16 : visit_narrow_u16;
}


/*  The sums  */

#define CLEAR_UNMARKED(type) \
  for (gint64 x = 0; x < n; x++) \
    state[x] = state[x] == 0 ? 0 : ((const type *) markers)[x] != 0 ? 2 : 1

/* @state: 0 outside the mask; becomes 2 at sources, 1 at other pixels inside */
static void
find_sources (guint8        *state,
              gconstpointer  markers,
              WfType         type,
              gint64         n)
{
  switch (type)
    {
    case WF_TYPE_U8:
      CLEAR_UNMARKED (guint8);
      break;
    case WF_TYPE_U16:
      CLEAR_UNMARKED (guint16);
      break;
    case WF_TYPE_U32:
      CLEAR_UNMARKED (guint32);
      break;
    default:
      CLEAR_UNMARKED (float);
      break;
    }
}

#undef CLEAR_UNMARKED

/* Sets the sums of a row: sources, other pixels of the mask, and those outside. */
static gboolean
start_row (gpointer data,
           WfRow    row)
{
  const WfGeodesicState *state  = data;
  const WfGeodesicTask  *task   = state->task;
  const gint64           width  = state->shape.width;
  guint32               *small  = (guint32 *) state->sums + row.number * width;
  guint64               *large  = (guint64 *) state->sums + row.number * width;
  guint8                *inside = row.scratch;

  wf_foreground_mark_row (task->mask, wf_image_row (task->mask, row.number), task->threshold, TRUE,
                          inside);
  find_sources (inside, wf_image_row (task->markers, row.number), task->markers->type, width);
  if (state->wide)
    for (gint64 x = 0; x < width; x++)
      large[x] = inside[x] > 1 ? WF_GEODESIC_SOURCE
                               : inside[x] ? WF_GEODESIC_FAR64 : WF_GEODESIC_OUTSIDE;
  else
    for (gint64 x = 0; x < width; x++)
      small[x] = inside[x] > 1 ? WF_GEODESIC_SOURCE
                               : inside[x] ? WF_GEODESIC_FAR32 : WF_GEODESIC_OUTSIDE;
  return TRUE;
}

static inline guint
cost_of (const WfGeodesicState *state,
         gint64                 p)
{
  return state->cost_type == WF_TYPE_U8 ? ((const guint8 *) state->costs)[p]
                                        : ((const guint16 *) state->costs)[p];
}

static guint
find_highest_cost (const WfGeodesicState *state)
{
  const gint64 n    = wf_shape_n_pixels (&state->shape);
  guint        high = 0;

  for (gint64 p = 0; p < n; p++)
    high = MAX (high, cost_of (state, p));
  return high;
}

/* Counts the costs of some pixels of the mask by the bits that they take; returns how many. */
static gint64
count_lengths (const WfGeodesicState *state,
               gint64                 of_length[COST_LENGTHS])
{
  const WfGeodesicTask *task   = state->task;
  const gint64          width  = state->shape.width;
  const gint64          n_rows = state->shape.height * state->shape.depth;
  g_autofree guint8    *inside = g_try_malloc (width);
  gint64                n      = 0;

  for (gint64 y = 0; inside && y < n_rows; y += COST_SAMPLING)
    {
      wf_foreground_mark_row (task->mask, wf_image_row (task->mask, y), task->threshold, TRUE,
                              inside);
      for (gint64 x = y / COST_SAMPLING % COST_SAMPLING; x < width; x += COST_SAMPLING)
        {
          const guint cost = inside[x] ? cost_of (state, y * width + x) : 0;

          if (! inside[x])
            continue;
          of_length[cost > 0 ? 32 - __builtin_clz (cost) : 0]++;
          n++;
        }
    }
  return n;
}

/* The greatest power of two that at most a tenth of the costs are below, or 0; of some pixels, as
 * only the time depends on it.  In a stack narrow buckets hold enough pixels, and no cost is below.
 */
static guint
find_usual_cost (const WfGeodesicState *state)
{
  gint64       of_length[COST_LENGTHS] = { 0 };
  const gint64 n                       = count_lengths (state, of_length);
  const gint64 n_allowed               = state->shape.depth > 1 ? 0 : n / 10;
  gint64       n_below                 = 0;
  int          length                  = 0;

  while (n > 0 && (n_below += of_length[length]) <= n_allowed)
    length++;
  return length > 0 ? 1u << (length - 1) : 0;
}

/* A bucket as wide as the usual step at most, so that few pixels of it come again; or wider, so
 * that the longest step is no longer than all buckets.
 */
static int
choose_shift (guint64 usual,
              guint64 longest)
{
  int shift = usual > 1 ? 63 - __builtin_clzll (usual) : 0;

  while ((longest >> shift) + 2 > WF_N_BUCKETS)
    shift++;
  return shift;
}

/**
 * Steps:
 * @usual: what most steps cost at least
 * @longest: what steps cost at most
 */
typedef struct
{
  guint64 usual;
  guint64 longest;
} Steps;

static Steps
find_steps (WfGeodesicState *state)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  Steps                  steps = { G_MAXUINT64, 0 };

  for (int i = 0; i < nb->n; i++)
    {
      const int axes = ABS (nb->dx[i]) + ABS (nb->dy[i]) + ABS (nb->dz[i]);

      state->weight[i] = state->task->weights[axes - 1];
      steps.usual   = MIN (steps.usual, state->weight[i]);
      steps.longest    = MAX (steps.longest, state->weight[i]);
    }
  if (! state->costs)
    return steps;

  return (Steps) { steps.usual * 2 * find_usual_cost (state),
                   steps.longest * 2 * find_highest_cost (state) };
}

static void
workers_free (WfGeodesicWorker *workers,
              guint             n)
{
  for (guint i = 0; i < n; i++)
    {
      wf_buckets_clear (&workers[i].buckets);
      g_array_unref (workers[i].seeds);
    }
  g_free (workers);
}

static WfGeodesicWorker *
workers_new (guint n,
             int   shift)
{
  WfGeodesicWorker *workers = g_new0 (WfGeodesicWorker, n);

  for (guint i = 0; i < n; i++)
    {
      wf_buckets_init (&workers[i].buckets, shift);
      workers[i].seeds = g_array_new (FALSE, FALSE, sizeof (WfGeodesicSeed));
    }
  return workers;
}

static gint64
find_side (const WfShape *shape,
           gint64         tile_size,
           guint          n_threads)
{
  const gint64 side = tile_size > 0      ? tile_size
                      : shape->depth > 1 ? SIDE_IN_STACK
                      : n_threads == 1   ? SIDE_IN_IMAGE_ALONE
                                         : SIDE_IN_IMAGE;

  return MIN (side, WF_GEODESIC_MOST_SIDE);
}

/* @share: of the progress.  @highest: result: the greatest sum, plus 1 */
static gboolean
compute_sums (WfGeodesicState  *state,
              const Steps      *steps,
              double            share,
              guint64          *highest,
              GError          **error)
{
  const gint64     n        = wf_shape_n_pixels (&state->shape);
  WfRun           *run      = state->run;
  const WfRows     rows     = { .n = state->shape.height * state->shape.depth,
                                .amount = state->shape.width,
                                .scratch_size = (gsize) state->shape.width };
  const WfPipeline pipeline = {
    .shape     = state->shape,
    .box       = wf_shape_box (&state->shape),
    .first     = TRUE,
    .side      = find_side (&state->shape, run->tile_size, run->n_threads),
    .propagate = choose_visit (state),
    .data      = state,
  };
  gboolean         done;

  wf_run_begin (run, share * 0.1, n);
  if (! wf_run_rows (run, &rows, start_row, state, error))
    return FALSE;
  wf_run_begin (run, share * 0.9, n);
  state->workers = workers_new (run->n_threads, choose_shift (steps->usual, steps->longest));
  done           = wf_pipeline_run (run, &pipeline, NULL, error);
  *highest       = 0;
  for (guint i = 0; i < run->n_threads; i++)
    *highest = MAX (*highest, state->workers[i].highest);
  workers_free (state->workers, run->n_threads);
  return done;
}


/*  The result  */

static gboolean
write_row (gpointer data,
           WfRow    row)
{
  const WfGeodesicState *state = data;
  const gint64           width = state->shape.width;
  const double           unit  = state->task->unit;
  float                 *out   = wf_image_row (state->task->out, row.number);
  const guint32         *small = (const guint32 *) state->sums + row.number * width;
  const guint64         *large = (const guint64 *) state->sums + row.number * width;

  if (state->wide)
    for (gint64 x = 0; x < width; x++)
      out[x] = large[x] == WF_GEODESIC_OUTSIDE || large[x] == WF_GEODESIC_FAR64
               ? INFINITY : (float) ((double) (large[x] - 1) / unit);
  else
    for (gint64 x = 0; x < width; x++)
      out[x] = small[x] == WF_GEODESIC_OUTSIDE || small[x] == WF_GEODESIC_FAR32
               ? INFINITY : (float) ((double) (small[x] - 1) / unit);
  return TRUE;
}

/* Whether the sums of all paths fit 32 bits, as no path visits a pixel twice. */
static gboolean
fits_narrow (gint64  n,
             guint64 longest)
{
  return (guint64) n < (G_MAXUINT32 - 1) / MAX (longest, 1);
}

/* Sums of 32 bits first, unless they are sure to be too small on the way from corner to corner. */
static gboolean
compute (WfGeodesicState  *state,
         GError          **error)
{
  const WfShape *shape   = &state->shape;
  const gint64   n       = wf_shape_n_pixels (shape);
  const Steps    steps   = find_steps (state);
  const guint64  across  = steps.longest * (shape->width + shape->height + shape->depth);
  guint64        highest = 0;

  if (across / 2 < G_MAXUINT32)
    {
      if (! (state->sums = wf_run_allocate (state->run, n, sizeof (guint32), error)) ||
          ! compute_sums (state, &steps, fits_narrow (n, steps.longest) ? 0.9 : 0.5, &highest,
                          error))
        return FALSE;
      if (highest + steps.longest < WF_GEODESIC_FAR32)
        return TRUE;
      g_clear_pointer (&state->sums, g_free);
    }
  state->wide          = TRUE;
  state->urgency_shift = MAX (0, 32 - __builtin_clzll (across | 1));
  return (state->sums = wf_run_allocate (state->run, n, sizeof (guint64), error)) &&
         compute_sums (state, &steps, 0.4, &highest, error);
}

static gboolean
run_tiles (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  const WfGeodesicTask *task  = data;
  WfGeodesicState       state = { .task = task, .shape = task->shape, .run = run };
  const WfRows          rows  = { .n = task->shape.height * task->shape.depth,
                                  .amount = task->shape.width };
  g_autofree gpointer   copy  = NULL;
  gboolean              done;

  wf_neighbourhood_init (&state.neighbours, task->connectivity, &task->shape);
  if (task->costs)
    {
      state.cost_type = task->costs->type;
      if (! wf_image_pack (task->costs, &state.costs, &copy, error))
        return FALSE;
    }
  done = compute (&state, error);
  if (done)
    {
      wf_run_begin (run, 0.1, rows.n * rows.amount);
      wf_run_commit (run);
      done = wf_run_rows (run, &rows, write_row, &state, error);
    }
  g_free (state.sums);
  return done;
}

static guint64
tiles_memory (gconstpointer data,
              guint         n_threads)
{
  const WfGeodesicTask *task    = data;
  const guint64         n       = wf_shape_n_pixels (&task->shape);
  const guint64         most    = ! task->costs ? 1
                                  : task->costs->type == WF_TYPE_U8 ? 2 * G_MAXUINT8
                                                                    : 2 * G_MAXUINT16;
  guint64               longest = 0;
  guint64               bytes;

  for (guint i = 0; i < G_N_ELEMENTS (task->weights); i++)
    longest = MAX (longest, task->weights[i] * most);
  bytes = n * (fits_narrow (n, longest) ? sizeof (guint32) : sizeof (guint64));
  if (task->costs && ! wf_image_is_packed (task->costs))
    bytes += n * wf_type_size (task->costs->type);
  return bytes + wf_pipeline_memory (&task->shape, find_side (&task->shape, 0, 0));
}

const WfVariant wf_cpu_geodesic_variants[] =
{
  { .algorithm = "tiles", .memory = tiles_memory, .run = run_tiles },
  { .algorithm = NULL }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances inside a tile; included for each type of sums and of costs.  It needs
 *
 *   Sum                  guint32 or guint64
 *   WF_FAR               the sum of a pixel that was not reached
 *   Cost                 guint8 or guint16
 *   WF_COST(c, p)        the cost of p, of the costs c
 *   WF_BETWEEN(o, c, q)  what the weight of a step from a pixel of cost o to q is multiplied by
 *   WF_BRANCH            whether it can be predicted which neighbours get less: without costs most
 *                        pixels lie in the same order as those beside them
 *   WF_NAME(name)        the name of a function of this case
 *
 * Pixels of a bucket are taken out by the dozen, those that are not out of date spread, and then
 * what got less is put into the queue.  With costs it is hard to predict which neighbours get less:
 * a wrong guess would cost more time than the sums.
 */

/* A pixel that got less, and its sum then. */
typedef struct
{
  Sum     sum;
  guint32 at;
} WF_NAME (Gain);

/* Compares wide numbers, so that sums that do not fit their type change nothing. */
static inline guint64
WF_NAME (sum_across) (const WfGeodesicState *state,
                      int                    i,
                      gint64                 p,
                      gint64                 q)
{
  const Cost *costs = state->costs;

  return ((const Sum *) state->sums)[p] +
         (guint64) state->weight[i] * WF_BETWEEN (WF_COST (costs, p), costs, q);
}

/* Takes in what a pixel of the tile gets from its neighbours in one direction, of which there are
 * @n, number @among[0] and so on.
 */
static void
WF_NAME (take_in_pixel) (const WfGeodesicState *state,
                         const WfBox           *tile,
                         WfPoint                point,
                         int                    direction,
                         const int             *among,
                         int                    n,
                         GArray                *seeds)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfBox            image = wf_shape_box (&state->shape);
  const gint64           p     = wf_index_of_point (point, &state->shape);
  Sum                   *sums  = state->sums;
  gboolean               less  = FALSE;

  if (sums[p] == WF_GEODESIC_OUTSIDE)
    return;
  for (int k = 0; k < n; k++)
    {
      const int    i = among[k];
      const gint64 q = p + nb->step[i];

      if (! wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]) ||
          sums[q] == WF_GEODESIC_OUTSIDE || sums[q] == WF_FAR ||
          WF_NAME (sum_across) (state, i, q, p) >= sums[p] ||
          beside (tile, point, nb, i) != direction)
        continue;
      sums[p] = (Sum) WF_NAME (sum_across) (state, i, q, p);
      less    = TRUE;
    }
  if (less)
    {
      const WfGeodesicSeed seed = { sums[p], place_in (tile, point) };

      g_array_append_val (seeds, seed);
    }
}

static void
WF_NAME (take_in) (const WfGeodesicState *state,
                   const WfBox           *tile,
                   WfSpill                from,
                   GArray                *seeds)
{
  int among[WF_MAX_NEIGHBOURS];

  for (; from; from &= from - 1)
    {
      const int   direction = __builtin_ctz (from);
      const WfBox face      = face_of (tile, direction);
      const int   n         = find_neighbours (state, tile, direction, among);

      for (gint64 z = face.z0; z < face.z1 && n > 0; z++)
        for (gint64 y = face.y0; y < face.y1; y++)
          for (gint64 x = face.x0; x < face.x1; x++)
            WF_NAME (take_in_pixel) (state, tile, (WfPoint) { x, y, z }, direction, among, n,
                                     seeds);
    }
}

static gboolean
WF_NAME (push_sources) (const WfGeodesicState  *state,
                        const WfBox            *tile,
                        WfBuckets              *buckets,
                        GError                **error)
{
  const Sum *sums = state->sums;

  for (gint64 z = tile->z0; z < tile->z1; z++)
    for (gint64 y = tile->y0; y < tile->y1; y++)
      {
        const Sum *row = sums + wf_index_of_point ((WfPoint) { 0, y, z }, &state->shape);

        if (! wf_buckets_reserve (buckets, tile->x1 - tile->x0, error))
          return FALSE;
        for (gint64 x = tile->x0; x < tile->x1; x++)
          if (row[x] == WF_GEODESIC_SOURCE)
            wf_buckets_push (buckets, WF_GEODESIC_SOURCE, place_in (tile, (WfPoint) { x, y, z }));
      }
  return TRUE;
}

/* Notes which tiles a pixel at the border of its own can change. */
static void
WF_NAME (look_outside) (const WfGeodesicState *state,
                        const WfBox           *tile,
                        WfPoint                point,
                        gint64                 p,
                        WfReach               *reach)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfBox            image = wf_shape_box (&state->shape);
  const Sum             *sums  = state->sums;

  for (int i = 0; i < nb->n; i++)
    if (! wf_box_holds (tile, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]))
      {
        const guint64 sum = WF_NAME (sum_across) (state, i, p, p + nb->step[i]);

        if (sum < sums[p + nb->step[i]])
          wf_reach_add (reach, beside (tile, point, nb, i),
                        urgency_of (sum >> state->urgency_shift));
      }
}

/* From a pixel to its neighbour @q, at the place @at: if that gets less, it is added to @gains, of
 * which there are @n; returns how many there are then.  @branch, a constant: whether it can be
 * predicted that most neighbours get nothing.  Without a branch the next pixels do not wait.
 */
static inline __attribute__ ((always_inline)) guint
WF_NAME (relax) (const WfGeodesicState *state,
                 WfGeodesicPixel        from,
                 gint64                 q,
                 guint32                at,
                 guint32                weight,
                 gboolean               branch,
                 WF_NAME (Gain)        *gains,
                 guint                  n)
{
  const Cost   *costs = state->costs;
  Sum          *sums  = state->sums;
  const guint64 sum   = from.sum + (guint64) weight * WF_BETWEEN (from.cost, costs, q);
  const Sum     old   = sums[q];

  if (branch && sum >= old)
    return n;
  sums[q]  = sum < old ? (Sum) sum : old;
  gains[n] = (WF_NAME (Gain)) { (Sum) sum, at };
  return n + (sum < old);
}

/* From a pixel that is not at the border of its tile; @n_neighbours is a constant.  Planes of a
 * stack are done by a loop, as 26 copies of the code are too many.
 */
static inline __attribute__ ((always_inline)) guint
WF_NAME (relax_inside) (const WfGeodesicState *state,
                        const WfGeodesicTile  *tile,
                        int                    n_neighbours,
                        WfGeodesicPixel        from,
                        gboolean               branch,
                        WF_NAME (Gain)        *gains,
                        guint                  n)
{
  const gboolean faces = n_neighbours == 4 || n_neighbours == 6;
  const int      far   = n_neighbours == 6 || n_neighbours == 26;

#pragma GCC unroll 1
  for (int dz = -far; dz <= far; dz++)
#pragma GCC unroll 3
    for (int dy = -1; dy <= 1; dy++)
#pragma GCC unroll 3
      for (int dx = -1; dx <= 1; dx++)
        {
          const gint64 q    = from.p + dz * tile->slice + dy * tile->row + dx;
          const int    axes = ABS (dx) + ABS (dy) + (dz != 0);

          if (axes > 0 && (axes == 1 || ! faces))
            n = WF_NAME (relax) (state, from, q, from.at + place_step (dx, dy, dz),
                                 tile->weights[axes - 1], branch, gains, n);
        }
  return n;
}

static guint
WF_NAME (relax_at_border) (const WfGeodesicState *state,
                           const WfBox           *tile,
                           WfGeodesicPixel        from,
                           WF_NAME (Gain)        *gains,
                           guint                  n,
                           WfReach               *reach)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfPoint          point = point_at (tile, from.at);

  for (int i = 0; i < nb->n; i++)
    if (wf_box_holds (tile, point, nb->dx[i], nb->dy[i], nb->dz[i]))
      n = WF_NAME (relax) (state, from, from.p + nb->step[i],
                           from.at + place_step (nb->dx[i], nb->dy[i], nb->dz[i]),
                           state->weight[i], TRUE, gains, n);
  WF_NAME (look_outside) (state, tile, point, from.p, reach);
  return n;
}

/* From a pixel with the index @p to its neighbours. */
static inline __attribute__ ((always_inline)) guint
WF_NAME (relax_around) (const WfGeodesicState *state,
                        const WfGeodesicTile  *tile,
                        int                    n_neighbours,
                        guint32                at,
                        gint64                 p,
                        gboolean               branch,
                        WF_NAME (Gain)        *gains,
                        guint                  n,
                        WfGeodesicWorker      *worker,
                        WfReach               *reach)
{
  const Cost           *costs = state->costs;
  const Sum            *sums  = state->sums;
  const WfGeodesicPixel from  = { .p = p, .at = at, .cost = WF_COST (costs, p), .sum = sums[p] };

  worker->highest = MAX (worker->highest, from.sum);
  if (G_LIKELY (is_inside (tile, at)))
    return WF_NAME (relax_inside) (state, tile, n_neighbours, from, branch, gains, n);
  return WF_NAME (relax_at_border) (state, &tile->box, from, gains, n, reach);
}

/* Brings the rows beside a pixel into the first-level cache, before its turn comes. */
static inline void
WF_NAME (fetch_around) (const WfGeodesicState *state,
                        const WfGeodesicTile  *tile,
                        gint64                 p)
{
  const Cost *costs = state->costs;
  const Sum  *sums  = state->sums;

  __builtin_prefetch (sums + p - tile->row);
  __builtin_prefetch (sums + p + tile->row);
  __builtin_prefetch (costs + p - tile->row);
  __builtin_prefetch (costs + p + tile->row);
}

/* From some pixels of the bucket that was found.  One that has got less since it came was in an
 * earlier bucket, too.  In a stack few of a pixel's neighbours get less.
 */
static inline __attribute__ ((always_inline)) guint
WF_NAME (relax_queued) (const WfGeodesicState *state,
                        const WfGeodesicTile  *tile,
                        int                    n_neighbours,
                        WF_NAME (Gain)        *gains,
                        WfGeodesicWorker      *worker,
                        WfReach               *reach)
{
  const gboolean branch  = WF_BRANCH || n_neighbours == 6 || n_neighbours == 26;
  WfBuckets     *buckets = &worker->buckets;
  const Sum     *sums    = state->sums;
  guint32        at[WF_BUCKETS_POP_ROOM (WF_GEODESIC_AT_ONCE)];
  gint64         index[WF_GEODESIC_AT_ONCE + 1];
  const guint    n_queued = wf_buckets_pop (buckets, at, WF_GEODESIC_AT_ONCE);
  guint          n_from   = 0;
  guint          n        = 0;

  for (guint k = 0; k < n_queued; k++)
    {
      at[n_from]    = at[k];
      index[n_from] = index_at (tile, at[k]);
      if (! WF_BRANCH)
        WF_NAME (fetch_around) (state, tile, index[n_from]);
      n_from       += sums[index[n_from]] >> buckets->shift == buckets->current;
    }
  for (guint k = 0; k < n_from; k++)
    n = WF_NAME (relax_around) (state, tile, n_neighbours, at[k], index[k], branch, gains, n,
                                worker, reach);
  return n;
}

/* From all pixels of the bucket that was found, with those that it gets meanwhile; @alone: whether
 * no seed is to come.  While there is only one way, as in a maze, it does not lead through the
 * queue.
 */
static inline __attribute__ ((always_inline)) gboolean
WF_NAME (spread_bucket) (const WfGeodesicState  *state,
                         const WfGeodesicTile   *tile,
                         int                     n_neighbours,
                         gboolean                alone,
                         WfGeodesicWorker       *worker,
                         WfReach                *reach,
                         GError                **error)
{
  WfBuckets     *buckets = &worker->buckets;
  WF_NAME (Gain) gains[WF_GEODESIC_AT_ONCE * WF_MAX_NEIGHBOURS + 1];

  do
    {
      guint n = WF_NAME (relax_queued) (state, tile, n_neighbours, gains, worker, reach);

      while (n == 1 && alone && buckets->n == 0)
        {
          wf_buckets_start (buckets, gains[0].sum);
          n = WF_NAME (relax_around) (state, tile, n_neighbours, gains[0].at,
                                      index_at (tile, gains[0].at), TRUE, gains, 0, worker, reach);
        }
      if (! wf_buckets_reserve (buckets, n, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        wf_buckets_push (buckets, gains[k].sum, gains[k].at);
    }
  while (wf_buckets_holds (buckets));
  return TRUE;
}

static gboolean
WF_NAME (spread_first) (const WfGeodesicState  *state,
                        const WfGeodesicTile   *tile,
                        gboolean                alone,
                        WfGeodesicWorker       *worker,
                        WfReach                *reach,
                        GError                **error)
{
  switch (state->neighbours.n)
    {
    case 4:
      return WF_NAME (spread_bucket) (state, tile, 4, alone, worker, reach, error);
    case 6:
      return WF_NAME (spread_bucket) (state, tile, 6, alone, worker, reach, error);
    case 8:
      return WF_NAME (spread_bucket) (state, tile, 8, alone, worker, reach, error);
    default:
      return WF_NAME (spread_bucket) (state, tile, 26, alone, worker, reach, error);
    }
}

/* A seed that has got less in the meantime is in the queue already. */
static gboolean
WF_NAME (spread) (const WfGeodesicState  *state,
                  const WfBox            *box,
                  WfGeodesicWorker       *worker,
                  WfReach                *reach,
                  GError                **error)
{
  const WfGeodesicTile   tile     = find_tile (state, box);
  WfBuckets             *buckets  = &worker->buckets;
  const WfGeodesicSeed  *seeds    = (const WfGeodesicSeed *) worker->seeds->data;
  guint                  next     = 0;
  guint32                found    = 0;

  while (buckets->n > 0 || next < worker->seeds->len)
    {
      const guint64 ready = buckets->n > 0 ? wf_buckets_find (buckets) : G_MAXUINT64;

      if (next < worker->seeds->len && seeds[next].sum >> buckets->shift <= ready)
        {
          if (! wf_buckets_reserve (buckets, 1, error))
            return FALSE;
          wf_buckets_start (buckets, seeds[next].sum);
          wf_buckets_push (buckets, seeds[next].sum, seeds[next].at);
          next++;
          continue;
        }
      if (! WF_NAME (spread_first) (state, &tile, next == worker->seeds->len, worker,
                                    reach, error))
        return FALSE;
      if ((++found & 0x3ff) == 0 && ! wf_run_advance (state->run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

static gboolean
WF_NAME (visit) (gpointer      data,
                 guint         worker,
                 const WfBox  *tile,
                 gboolean      first,
                 WfReach      *reach,
                 GError      **error)
{
  const WfGeodesicState *state = data;
  WfGeodesicWorker      *own   = &state->workers[worker];

  g_array_set_size (own->seeds, 0);
  wf_buckets_start (&own->buckets, WF_GEODESIC_SOURCE);
  WF_NAME (take_in) (state, tile, reach->from, own->seeds);
  g_array_sort (own->seeds, compare_seeds);
  if ((first && ! WF_NAME (push_sources) (state, tile, &own->buckets, error)) ||
      ! WF_NAME (spread) (state, tile, own, reach, error))
    return FALSE;
  if (! wf_run_advance (state->run, first ? count_pixels (tile) : 0))
    return wf_run_set_cancelled (error);
  return TRUE;
}

#undef Sum
#undef WF_FAR
#undef Cost
#undef WF_BRANCH
#undef WF_COST
#undef WF_BETWEEN
#undef WF_NAME

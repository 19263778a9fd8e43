/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances inside a tile; included for each type of sums and of costs.  It needs
 *
 *   Sum               guint32 or guint64
 *   WF_FAR            the sum of a pixel that was not reached
 *   STEP(s, w, p, q)  what the step of weight w from p to its neighbour q costs
 *   WF_NAME(name)     the name of a function of this case
 */

/* Compares wide numbers, so that sums that do not fit their type change nothing. */
static inline guint64
WF_NAME (sum_across) (const WfGeodesicState *state,
                      int                    i,
                      gint64                 p,
                      gint64                 q)
{
  return (guint64) ((const Sum *) state->sums)[p] + STEP (state, state->weight[i], p, q);
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

        for (gint64 x = tile->x0; x < tile->x1; x++)
          if (row[x] == WF_GEODESIC_SOURCE &&
              ! wf_buckets_push (buckets, WF_GEODESIC_SOURCE,
                                 place_in (tile, (WfPoint) { x, y, z }), error))
            return FALSE;
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

/* From a pixel at the border of its tile, whose sum is known, to its neighbours. */
static gboolean
WF_NAME (spread_from_border) (const WfGeodesicState  *state,
                              const WfGeodesicStep   *steps,
                              const WfBox            *tile,
                              guint32                 at,
                              gint64                  p,
                              WfBuckets              *buckets,
                              WfReach                *reach,
                              GError                **error)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfPoint          point = point_at (tile, at);
  Sum                   *sums  = state->sums;

  for (int i = 0; i < nb->n; i++)
    {
      const gint64 q = p + steps[i].step;
      guint64      sum;

      if (! wf_box_holds (tile, point, nb->dx[i], nb->dy[i], nb->dz[i]))
        continue;
      sum = sums[p] + STEP (state, steps[i].weight, p, q);
      if (sum >= sums[q])
        continue;
      sums[q] = (Sum) sum;
      if (! wf_buckets_push (buckets, sum, at + steps[i].place, error))
        return FALSE;
    }
  WF_NAME (look_outside) (state, tile, point, p, reach);
  return TRUE;
}

/* From a pixel while the queue is empty, and from one neighbour to the next as long as there is
 * only one way, as in a maze.
 */
static gboolean
WF_NAME (follow) (const WfGeodesicState  *state,
                  const WfGeodesicStep   *steps,
                  const WfGeodesicTile   *tile,
                  guint32                 at,
                  WfGeodesicWorker       *worker,
                  WfReach                *reach,
                  GError                **error)
{
  WfBuckets *buckets = &worker->buckets;
  Sum       *sums    = state->sums;

  while (is_inside (tile, at))
    {
      const gint64  p     = index_at (tile, at);
      const guint64 own   = sums[p];
      int           found = -1;

      worker->highest  = MAX (worker->highest, own);
      buckets->current = own >> buckets->shift;
      for (int i = 0; i < state->neighbours.n; i++)
        {
          const gint64  q   = p + steps[i].step;
          const guint64 sum = own + STEP (state, steps[i].weight, p, q);

          if (sum >= sums[q])
            continue;
          sums[q] = (Sum) sum;
          if (found >= 0 && ! wf_buckets_push (buckets, sum, at + steps[i].place, error))
            return FALSE;
          found = found >= 0 ? found : i;
        }
      if (found < 0)
        return TRUE;
      at += steps[found].place;
      if (buckets->n > 0)
        return wf_buckets_push (buckets, sums[p + steps[found].step], at, error);
    }
  worker->highest  = MAX (worker->highest, sums[index_at (tile, at)]);
  buckets->current = sums[index_at (tile, at)] >> buckets->shift;
  return WF_NAME (spread_from_border) (state, steps, &tile->box, at, index_at (tile, at), buckets,
                                       reach, error);
}

/* From all pixels of the bucket that was found, with those that it gets meanwhile; @n: neighbours,
 * best a constant; @alone: whether no seed is to come.  A pixel that has got less since it came is
 * in an earlier bucket, too.
 */
static inline __attribute__ ((always_inline)) gboolean
WF_NAME (spread_bucket) (const WfGeodesicState  *state,
                         const WfGeodesicStep   *steps,
                         const WfGeodesicTile   *tile,
                         const int               n,
                         gboolean                alone,
                         WfGeodesicWorker       *worker,
                         WfReach                *reach,
                         GError                **error)
{
  WfBuckets *buckets = &worker->buckets;
  Sum       *sums    = state->sums;

  do
    {
      const guint32 at  = wf_buckets_pop (buckets);
      const gint64  p   = index_at (tile, at);
      const guint64 own = sums[p];

      if (own >> buckets->shift != buckets->current)
        continue;
      if (alone && buckets->n == 0)
        return WF_NAME (follow) (state, steps, tile, at, worker, reach, error);
      worker->highest = MAX (worker->highest, own);
      if (! is_inside (tile, at))
        {
          if (! WF_NAME (spread_from_border) (state, steps, &tile->box, at, p, buckets, reach,
                                              error))
            return FALSE;
          continue;
        }
      for (int i = 0; i < n; i++)
        {
          const gint64  q   = p + steps[i].step;
          const guint64 sum = own + STEP (state, steps[i].weight, p, q);

          if (sum >= sums[q])
            continue;
          sums[q] = (Sum) sum;
          if (! wf_buckets_push (buckets, sum, at + steps[i].place, error))
            return FALSE;
        }
    }
  while (wf_buckets_holds (buckets));
  return TRUE;
}

static gboolean
WF_NAME (spread_first) (const WfGeodesicState  *state,
                        const WfGeodesicStep   *steps,
                        const WfGeodesicTile   *tile,
                        gboolean                alone,
                        WfGeodesicWorker       *worker,
                        WfReach                *reach,
                        GError                **error)
{
  const int n = state->neighbours.n;

  switch (n)
    {
    case 4:
      return WF_NAME (spread_bucket) (state, steps, tile, 4, alone, worker, reach, error);
    case 8:
      return WF_NAME (spread_bucket) (state, steps, tile, 8, alone, worker, reach, error);
    default:
      return WF_NAME (spread_bucket) (state, steps, tile, n, alone, worker, reach, error);
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
  const WfNeighbourhood *nb       = &state->neighbours;
  const WfGeodesicTile   tile     = find_tile (state, box);
  WfBuckets             *buckets  = &worker->buckets;
  const WfGeodesicSeed  *seeds    = (const WfGeodesicSeed *) worker->seeds->data;
  WfGeodesicStep         steps[WF_MAX_NEIGHBOURS];
  guint                  next     = 0;
  guint32                found    = 0;

  for (int i = 0; i < nb->n; i++)
    steps[i] = (WfGeodesicStep) { nb->step[i], state->weight[i], place_step (nb, i) };
  while (buckets->n > 0 || next < worker->seeds->len)
    {
      const guint64 ready = buckets->n > 0 ? wf_buckets_find (buckets) : G_MAXUINT64;

      if (next < worker->seeds->len && seeds[next].sum >> buckets->shift <= ready)
        {
          wf_buckets_start (buckets, seeds[next].sum);
          if (! wf_buckets_push (buckets, seeds[next].sum, seeds[next].at, error))
            return FALSE;
          next++;
          continue;
        }
      if (! WF_NAME (spread_first) (state, steps, &tile, next == worker->seeds->len, worker,
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
#undef STEP
#undef WF_NAME

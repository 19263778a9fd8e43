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

/* Takes in what a pixel of the tile gets from its neighbours in one direction. */
static void
WF_NAME (take_in_pixel) (const WfGeodesicState *state,
                         const WfBox           *tile,
                         WfPoint                point,
                         int                    direction,
                         GArray                *seeds)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const WfBox            image = wf_shape_box (&state->shape);
  const gint64           p     = wf_index_of_point (point, &state->shape);
  Sum                   *sums  = state->sums;
  gboolean               less  = FALSE;

  if (sums[p] == WF_GEODESIC_OUTSIDE)
    return;
  for (int i = 0; i < nb->n; i++)
    if (beside (tile, point, nb, i) == direction &&
        wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]))
      {
        const gint64 q = p + nb->step[i];

        if (sums[q] != WF_GEODESIC_OUTSIDE && sums[q] != WF_FAR &&
            WF_NAME (sum_across) (state, i, q, p) < sums[p])
          {
            sums[p] = (Sum) WF_NAME (sum_across) (state, i, q, p);
            less    = TRUE;
          }
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
  for (; from; from &= from - 1)
    {
      const int   direction = __builtin_ctz (from);
      const WfBox face      = face_of (tile, direction);

      for (gint64 z = face.z0; z < face.z1; z++)
        for (gint64 y = face.y0; y < face.y1; y++)
          for (gint64 x = face.x0; x < face.x1; x++)
            WF_NAME (take_in_pixel) (state, tile, (WfPoint) { x, y, z }, direction, seeds);
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

/* From one pixel, whose sum is known, to its neighbours in the tile. */
static inline gboolean
WF_NAME (spread_pixel) (const WfGeodesicState  *state,
                        const WfGeodesicStep   *steps,
                        const WfBox            *tile,
                        guint32                 at,
                        gint64                  p,
                        WfBuckets              *buckets,
                        WfReach                *reach,
                        GError                **error)
{
  const WfNeighbourhood *nb    = &state->neighbours;
  const int              n     = nb->n;
  Sum                   *sums  = state->sums;
  const guint64          own   = sums[p];
  const WfPoint          point = point_at (tile, at);
  const gboolean         inner = wf_point_is_inner (point, tile, n == 6 || n == 26);

  for (int i = 0; i < n; i++)
    {
      const gint64 q = p + steps[i].step;
      guint64      sum;

      if (! inner && ! wf_box_holds (tile, point, nb->dx[i], nb->dy[i], nb->dz[i]))
        continue;
      sum = own + STEP (state, steps[i].weight, p, q);
      if (sum < sums[q])
        {
          sums[q] = (Sum) sum;
          if (! wf_buckets_push (buckets, sum, at + steps[i].place, error))
            return FALSE;
        }
    }
  if (! inner)
    WF_NAME (look_outside) (state, tile, point, p, reach);
  return TRUE;
}

/* A seed that has got less in the meantime is in the queue already. */
static gboolean
WF_NAME (spread) (const WfGeodesicState  *state,
                  const WfBox            *tile,
                  WfGeodesicWorker       *worker,
                  WfReach                *reach,
                  GError                **error)
{
  const WfNeighbourhood *nb       = &state->neighbours;
  WfBuckets             *buckets  = &worker->buckets;
  const WfGeodesicSeed  *seeds    = (const WfGeodesicSeed *) worker->seeds->data;
  const Sum             *sums     = state->sums;
  guint64                highest  = worker->highest;
  WfGeodesicStep         steps[WF_MAX_NEIGHBOURS];
  guint                  next     = 0;
  guint32                popped   = 0;

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
      do
        {
          const WfBucketEntry entry = wf_buckets_pop (buckets);
          const gint64        p     = wf_index_of_point (point_at (tile, entry.at), &state->shape);

          if (entry.number != sums[p])
            continue;
          highest = MAX (highest, entry.number);
          if (! WF_NAME (spread_pixel) (state, steps, tile, entry.at, p, buckets, reach, error))
            return FALSE;
          if ((++popped & 0x3fff) == 0 && ! wf_run_advance (state->run, 0))
            return wf_run_set_cancelled (error);
        }
      while (wf_buckets_holds (buckets));
    }
  worker->highest = highest;
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

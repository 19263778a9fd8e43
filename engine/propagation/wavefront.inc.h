/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A wavefront inside a box of pixels: the irregular wavefront propagation pattern
 * (Teodoro et al. 2013); reconstruction and plateau distances are cases of it.  Each case
 * includes this file once and defines
 *
 *   WF_STATE            the struct that holds its pixels
 *   WF_NAME(name)       the name of a function of this case
 *   WF_CHANGES(s, p, q) whether pixel p can change its neighbour q
 *   WF_CHANGE(s, p, q)  the change, monotone
 *   WF_URGENCY(s, p, q) the urgency of that change, see WfReach
 *
 * It gets WF_NAME (propagate), which starts from the pixels queued by the caller and from
 * the pixels around the box, changes pixels of the box until none can be changed, then
 * notes which neighbouring tiles the box can change.
 */

typedef struct
{
  WF_STATE        *state;
  WfShape          shape;
  WfNeighbourhood  neighbours;
  WfRun           *run;
} WF_NAME (Front);

static inline int
WF_NAME (side) (gint64 coordinate,
                gint64 start,
                gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

typedef gboolean (* WF_NAME (Visit)) (const WF_NAME (Front)  *front,
                                      const WfBox            *box,
                                      gint64                  p,
                                      int                     i,
                                      WfPoint                 point,
                                      gpointer                data,
                                      GError                **error);

/* Whether one of the @n pixels from @p on can be changed by (@inwards) or can change its
 * neighbour that is @step away.
 */
static inline gboolean
WF_NAME (row_is_open) (const WF_STATE *state,
                       gint64          p,
                       gint64          step,
                       gint64          n,
                       gboolean        inwards)
{
  const WF_STATE own = *state;
  int            any = FALSE;

  for (gint64 x = 0; x < n; x++)
    any |= inwards ? WF_CHANGES (&own, p + x + step, p + x)
                   : WF_CHANGES (&own, p + x, p + x + step);
  return any;
}

/* Calls @visit for the pixels of a row whose neighbour number @i lies in the image but not
 * in the box, unless none of them can be changed by (@inwards) or can change that
 * neighbour.
 */
static inline gboolean
WF_NAME (visit_neighbours) (const WF_NAME (Front)  *front,
                            const WfBox            *box,
                            gint64                  y,
                            gint64                  z,
                            int                     i,
                            gboolean                inwards,
                            WF_NAME (Visit)         visit,
                            gpointer                data,
                            GError                **error)
{
  const WfNeighbourhood *nb    = &front->neighbours;
  const WfShape         *shape = &front->shape;
  const gint64           dx    = nb->dx[i];
  const gint64           ny    = y + nb->dy[i];
  const gint64           nz    = z + nb->dz[i];
  gint64                 x0    = MAX (box->x0, dx < 0 ? 1 : 0);
  gint64                 x1    = MIN (box->x1, dx > 0 ? shape->width - 1 : shape->width);
  gint64                 p;

  if (ny < 0 || ny >= shape->height || nz < 0 || nz >= shape->depth)
    return TRUE;
  if (ny >= box->y0 && ny < box->y1 && nz >= box->z0 && nz < box->z1)
    {
      if (dx == 0)
        return TRUE;
      x0 = MAX (x0, dx < 0 ? box->x0 : box->x1 - 1);
      x1 = MIN (x1, dx < 0 ? box->x0 + 1 : box->x1);
    }

  p = wf_index_of_point ((WfPoint) { x0, y, z }, shape);
  if (x0 >= x1 || ! WF_NAME (row_is_open) (front->state, p, nb->step[i], x1 - x0, inwards))
    return TRUE;
  for (WfPoint point = { x0, y, z }; point.x < x1; point.x++, p++)
    if (! visit (front, box, p, i, point, data, error))
      return FALSE;
  return TRUE;
}

/* Whether a row can have neighbours outside the box in one of @directions. */
static inline gboolean
WF_NAME (row_faces) (const WfBox *box,
                     gint64       y,
                     gint64       z,
                     WfSpill      directions)
{
  const WfSpill along = wf_spill_bit (-1, 0, 0) | wf_spill_bit (1, 0, 0);

  return y == box->y0 || y == box->y1 - 1 || z == box->z0 || z == box->z1 - 1 ||
         (directions & along);
}

/* Whether those neighbours number @i of a row that lie outside the box lie in one of
 * @directions.
 */
static inline gboolean
WF_NAME (neighbours_face) (const WF_NAME (Front) *front,
                           const WfBox           *box,
                           gint64                 y,
                           gint64                 z,
                           int                    i,
                           WfSpill                directions)
{
  const WfNeighbourhood *nb   = &front->neighbours;
  const int              dy   = WF_NAME (side) (y + nb->dy[i], box->y0, box->y1);
  const int              dz   = WF_NAME (side) (z + nb->dz[i], box->z0, box->z1);
  const WfSpill          mid  = wf_spill_bit (0, dy, dz);
  const WfSpill          ends = nb->dx[i] ? wf_spill_bit (nb->dx[i], dy, dz) : 0;

  return (directions & (mid | ends)) != 0;
}

/* Calls @visit for pixels of the box and their neighbours that lie outside the box, inside
 * the image and in one of @directions: for all neighbours that can change the pixel
 * (@inwards) or can be changed by it, and possibly for others.
 */
static inline gboolean
WF_NAME (visit_border) (const WF_NAME (Front)  *front,
                        const WfBox            *box,
                        WfSpill                 directions,
                        gboolean                inwards,
                        WF_NAME (Visit)         visit,
                        gpointer                data,
                        GError                **error)
{
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      for (int i = 0; WF_NAME (row_faces) (box, y, z, directions) && i < front->neighbours.n; i++)
        if (WF_NAME (neighbours_face) (front, box, y, z, i, directions) &&
            ! WF_NAME (visit_neighbours) (front, box, y, z, i, inwards, visit, data, error))
          return FALSE;
  return TRUE;
}

static inline gboolean
WF_NAME (take_in) (const WF_NAME (Front)  *front,
                   const WfBox            *box,
                   gint64                  p,
                   int                     i,
                   WfPoint                 point,
                   gpointer                queue,
                   GError                **error)
{
  gint64 q = p + front->neighbours.step[i];

  if (! WF_CHANGES (front->state, q, p))
    return TRUE;
  WF_CHANGE (front->state, q, p);
  return wf_fifo_push (queue, p, error);
}

static inline gboolean
WF_NAME (note_reach) (const WF_NAME (Front)  *front,
                      const WfBox            *box,
                      gint64                  p,
                      int                     i,
                      WfPoint                 point,
                      gpointer                reach,
                      GError                **error)
{
  const WfNeighbourhood *nb = &front->neighbours;
  const gint64           q  = p + nb->step[i];

  if (WF_CHANGES (front->state, p, q))
    wf_reach_add (reach,
                  wf_direction (WF_NAME (side) (point.x + nb->dx[i], box->x0, box->x1),
                                WF_NAME (side) (point.y + nb->dy[i], box->y0, box->y1),
                                WF_NAME (side) (point.z + nb->dz[i], box->z0, box->z1)),
                  WF_URGENCY (front->state, p, q));
  return TRUE;
}

/* Adds what a pixel at the border of the box can change outside. */
static inline void
WF_NAME (look_outside) (const WF_NAME (Front) *front,
                        const WfBox           *box,
                        gint64                 p,
                        WfPoint                point,
                        WfReach               *reach)
{
  const WfNeighbourhood *nb    = &front->neighbours;
  const WfBox            image = wf_shape_box (&front->shape);

  for (int i = 0; i < nb->n; i++)
    if (! wf_box_holds (box, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]))
      WF_NAME (note_reach) (front, box, p, i, point, reach, NULL);
}

/* @reach: (nullable): gets what the pixels that pass through the queue can change outside
 * the box
 *
 * Constant data is copied: the compiler cannot know that stores to pixels do not change
 * the originals.
 */
static inline gboolean
WF_NAME (drain) (const WF_NAME (Front)  *front,
                 const WfBox            *box,
                 WfFifo                 *queue,
                 WfReach                *reach,
                 GError                **error)
{
  const WfNeighbourhood nb     = front->neighbours;
  const WfShape         shape  = front->shape;
  const WF_STATE        state  = *front->state;
  const WfBox           inside = *box;
  const gboolean        stack  = wf_is_stack_connectivity (nb.n);
  guint32               popped = 0;

  while (queue->n > 0)
    {
      gint64   p     = wf_fifo_pop (queue);
      WfPoint  point = wf_point_of_index (p, &shape);
      gboolean inner = wf_point_is_inner (point, &inside, stack);

      for (int i = 0; i < nb.n; i++)
        {
          gint64 q = p + nb.step[i];

          if ((inner || wf_box_holds (&inside, point, nb.dx[i], nb.dy[i], nb.dz[i])) &&
              WF_CHANGES (&state, p, q))
            {
              WF_CHANGE (&state, p, q);
              if (! wf_fifo_push (queue, q, error))
                return FALSE;
            }
        }
      if (! inner && reach)
        WF_NAME (look_outside) (front, &inside, p, point, reach);
      if ((++popped & 0x3fff) == 0 && ! wf_run_advance (front->run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* On the first visit pixels may have changed without passing through the queue, so the
 * whole border is looked at afterwards.
 */
static inline gboolean
WF_NAME (propagate) (const WF_NAME (Front)  *front,
                     const WfBox            *box,
                     WfFifo                 *queue,
                     WfReach                *reach,
                     GError                **error)
{
  const gboolean first = reach->from == WF_SPILL_ALL;

  return WF_NAME (visit_border) (front, box, reach->from, TRUE, WF_NAME (take_in), queue,
                                 error) &&
         WF_NAME (drain) (front, box, queue, first ? NULL : reach, error) &&
         (! first || WF_NAME (visit_border) (front, box, WF_SPILL_ALL, FALSE,
                                             WF_NAME (note_reach), reach, error));
}

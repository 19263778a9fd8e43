/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A wavefront inside a box of pixels: the irregular wavefront propagation pattern
 * (Teodoro et al. 2013), of which reconstruction and plateau distances are cases.
 * Included once for each case, which defines
 *
 *   WF_STATE            the struct that holds its pixels
 *   WF_NAME(name)       the name of a function of this case
 *   WF_CHANGES(s, p, q) whether pixel p can change its neighbour q
 *   WF_CHANGE(s, p, q)  the change, monotone
 *
 * and gets WF_NAME (propagate): from the pixels queued by the caller and from what
 * the box's neighbours have reached, changes pixels of the box until none can be,
 * then tells which neighbouring tiles the box can change.
 */

typedef struct
{
  WF_STATE        *state;
  WfShape          shape;
  WfNeighbourhood  neighbours;
  WfRun           *run;
} WF_NAME (Front);

/* Calls @visit for each pixel of the box's rim and each of its neighbours that
 * lies outside the box but inside the image.
 */
static gboolean
WF_NAME (visit_rim) (const WF_NAME (Front)  *front,
                     const WfBox            *box,
                     gboolean             (* visit) (const WF_NAME (Front) *, const WfBox *,
                                                     gint64, int, WfPoint, gpointer, GError **),
                     gpointer                data,
                     GError                **error)
{
  const WfNeighbourhood *nb    = &front->neighbours;
  const WfBox            image = wf_shape_box (&front->shape);
  const gboolean         stack = nb->n == 6 || nb->n == 26;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        gboolean face = y == box->y0 || y == box->y1 - 1 ||
                        (stack && (z == box->z0 || z == box->z1 - 1));
        gint64   x    = box->x0;

        while (x < box->x1)
          {
            WfPoint point = { x, y, z };
            gint64  p     = wf_index_of_point (point, &front->shape);

            for (int i = 0; i < nb->n; i++)
              if (! wf_box_holds (box, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
                  wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
                  ! visit (front, box, p, i, point, data, error))
                return FALSE;
            x += face || x == box->x1 - 1 ? 1 : box->x1 - 1 - x;
          }
      }
  return TRUE;
}

static gboolean
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

static inline int
WF_NAME (side) (gint64 coordinate,
                gint64 start,
                gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

static gboolean
WF_NAME (note_spill) (const WF_NAME (Front)  *front,
                      const WfBox            *box,
                      gint64                  p,
                      int                     i,
                      WfPoint                 point,
                      gpointer                spill,
                      GError                **error)
{
  const WfNeighbourhood *nb = &front->neighbours;

  if (WF_CHANGES (front->state, p, p + nb->step[i]))
    *(WfSpill *) spill |= wf_spill_bit (WF_NAME (side) (point.x + nb->dx[i], box->x0, box->x1),
                                        WF_NAME (side) (point.y + nb->dy[i], box->y0, box->y1),
                                        WF_NAME (side) (point.z + nb->dz[i], box->z0, box->z1));
  return TRUE;
}

static gboolean
WF_NAME (drain) (const WF_NAME (Front)  *front,
                 const WfBox            *box,
                 WfFifo                 *queue,
                 GError                **error)
{
  const WfNeighbourhood *nb    = &front->neighbours;
  const gboolean         stack = nb->n == 6 || nb->n == 26;
  guint32                popped = 0;

  while (queue->n > 0)
    {
      gint64   p     = wf_fifo_pop (queue);
      WfPoint  point = wf_point_of_index (p, &front->shape);
      gboolean inner = wf_point_is_inner (point, box, stack);

      for (int i = 0; i < nb->n; i++)
        {
          gint64 q = p + nb->step[i];

          if ((inner || wf_box_holds (box, point, nb->dx[i], nb->dy[i], nb->dz[i])) &&
              WF_CHANGES (front->state, p, q))
            {
              WF_CHANGE (front->state, p, q);
              if (! wf_fifo_push (queue, q, error))
                return FALSE;
            }
        }
      if ((++popped & 0xffff) == 0 && ! wf_run_advance (front->run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

static gboolean
WF_NAME (propagate) (const WF_NAME (Front)  *front,
                     const WfBox            *box,
                     WfFifo                 *queue,
                     WfSpill                *spill,
                     GError                **error)
{
  *spill = 0;
  return WF_NAME (visit_rim) (front, box, WF_NAME (take_in), queue, error) &&
         WF_NAME (drain) (front, box, queue, error) &&
         WF_NAME (visit_rim) (front, box, WF_NAME (note_spill), spill, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The regions of a band and their borders, for one type of pixel and one direction
 * (cpu/types.inc.h).
 */

/* All pixels that a rim can still raise are without an owner. */
static void
WF_NAME (find_open) (Field *field)
{
  const WF_PIXEL *own  = field->forest->own;
  const WF_PIXEL *most = field->forest->most;

#pragma omp parallel for num_threads(field->run->n_threads)
  for (gint64 p = 0; p < field->n_pixels; p++)
    field->owner[p] = WF_ABOVE (most[p], own[p]) ? OPEN : CLOSED;
}

/* Gives @node all open pixels that paths that never rise lead to from @seed. */
static gboolean
WF_NAME (grow) (Field    *field,
                guint32   seed,
                guint32   node,
                GError  **error)
{
  const WF_PIXEL        *most       = field->forest->most;
  const WfNeighbourhood *neighbours = &field->neighbours;
  const gboolean         stack      = field->forest->shape.depth > 1;
  gint64                 n          = 0;

  field->owner[seed] = node;
  field->waiting[n++] = seed;
  while (n > 0)
    {
      const gint64   p     = field->waiting[--n];
      const WfPoint  at    = wf_point_of_index (p, &field->forest->shape);
      const gboolean inner = wf_point_is_inner (at, &field->box, stack);

      if (++field->n_grown % PIXELS_TO_A_LOOK == 0 && ! wf_run_advance (field->run, 0))
        return wf_run_set_cancelled (error);
      for (int k = 0; k < neighbours->n; k++)
        {
          const gint64 q = p + neighbours->step[k];

          if (! inner && ! wf_box_holds (&field->box, at, neighbours->dx[k], neighbours->dy[k],
                                         neighbours->dz[k]))
            continue;
          if (field->owner[q] == OPEN && ! WF_ABOVE (most[q], most[p]))
            {
              field->owner[q]     = node;
              field->waiting[n++] = q;
            }
        }
    }
  return TRUE;
}

/* Adds the edges between the region of pixel @p and those of the pixels after it. */
static inline gboolean
WF_NAME (add_borders) (Field    *field,
                       WfPoint   at,
                       gint64    p,
                       gboolean  inner,
                       GError  **error)
{
  const WF_PIXEL        *most       = field->forest->most;
  const WfNeighbourhood *neighbours = &field->neighbours;

  for (int k = neighbours->n / 2; k < neighbours->n; k++)
    {
      const gint64 q = p + neighbours->step[k];

      if (! inner && ! wf_box_holds (&field->box, at, neighbours->dx[k], neighbours->dy[k],
                                     neighbours->dz[k]))
        continue;
      if (field->owner[q] < CLOSED && field->owner[q] != field->owner[p] &&
          ! add_edge (field, k, field->owner[p], field->owner[q],
                      WF_ABOVE (most[p], most[q]) ? q : p, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
WF_NAME (find_borders) (Field   *field,
                        GError **error)
{
  const WfShape *shape = &field->forest->shape;

  for (gint64 row = 0; row < shape->height * shape->depth; row++)
    {
      const gint64 first = row * shape->width;
      WfPoint      at    = wf_point_of_index (first, shape);

      if (! wf_run_advance (field->run, 0))
        return wf_run_set_cancelled (error);
      for (at.x = 0; at.x < shape->width; at.x++)
        if (field->owner[first + at.x] < CLOSED &&
            ! WF_NAME (add_borders) (field, at, first + at.x,
                                     wf_point_is_inner (at, &field->box, shape->depth > 1), error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
WF_NAME (find_regions) (Field   *field,
                        GError **error)
{
  WF_NAME (find_open) (field);
  if (! list_seeds (field, error))
    return FALSE;
  for (gint64 i = 0; i < field->seeds.n; i++)
    {
      const guint32 seed = field->seeds.items[i].word[SEED_PIXEL];

      if (field->owner[seed] == OPEN &&
          ! WF_NAME (grow) (field, seed, field->seeds.items[i].word[SEED_NODE], error))
        return FALSE;
    }
  return field->seeds.n == 0 || WF_NAME (find_borders) (field, error);
}

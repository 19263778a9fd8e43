/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The offers of changed pixels to their neighbours, for one encoding of sites.  Included
 * once for each, with
 *
 *   WF_NAME(name)  the name of a function or a type of this case
 *   WF_KEYED       1 where values are keys, 0 where they are codes
 *   WF_WHOLE       1 where squared distances are integers, not rounded
 *   WF_LENGTH      the type of squared distances, guint64 or double
 *
 * Defines WF_NAME (offer) and WF_NAME (offer_outside).  An offer is a site that a pixel
 * proposes to its neighbours; its squared distances from all of them are composed of three
 * for each axis: one step back, none, one step forward.
 */

typedef struct
{
  guint64   value;
  WF_LENGTH x[3];
  WF_LENGTH y[3];
  WF_LENGTH z[3];
} WF_NAME (Offer);

/* Copies for the loops: the compiler would read the originals again after each store to
 * the field.
 */
typedef struct
{
  guint64    *field;
  guint64    *changed;
  WfBox       box;
  gint64      width;
  gint64      slice;
  gint64      row_words;
  gint64      slice_words;
  WfSiteCode  code;
  double      spacing[3];
  gint64      n_reached;
} WF_NAME (Loop);

#if WF_KEYED

/* With keys the whole key is the length: from d² to (d ± 1)² it changes by 1 ± 2 d. */
static inline void
WF_NAME (three_steps) (const WF_NAME (Loop)  *loop,
                       int                    axis,
                       gint64                 steps,
                       WF_LENGTH             *lengths)
{
  lengths[0] = (guint64) (1 - 2 * steps) << loop->code.shift_squared;
  lengths[1] = 0;
  lengths[2] = (guint64) (1 + 2 * steps) << loop->code.shift_squared;
}

#else

static inline WF_LENGTH
WF_NAME (square) (const WF_NAME (Loop)  *loop,
                  int                    axis,
                  gint64                 steps)
{
  WF_LENGTH length = (WF_LENGTH) ABS (steps) * (WF_LENGTH) loop->spacing[axis];

  return length * length;
}

static inline void
WF_NAME (three_steps) (const WF_NAME (Loop)  *loop,
                       int                    axis,
                       gint64                 steps,
                       WF_LENGTH             *lengths)
{
  for (int i = 0; i < 3; i++)
    lengths[i] = WF_NAME (square) (loop, axis, steps + i - 1);
}

/* Whether @held, the value of pixel q, is no worse than the site @value at the squared
 * distance @squared.
 */
static inline gboolean
WF_NAME (keeps) (const WF_NAME (Loop)  *loop,
                 guint64                held,
                 WfPoint                q,
                 guint64                value,
                 WF_LENGTH              squared)
{
  WfPoint   site;
  WF_LENGTH held_squared;

  if (held == WF_SITE_NONE)
    return FALSE;
  if (held == WF_SITE_OWN || (held ^ value) & WF_BACKGROUND_BIT)
    return TRUE;
  site         = wf_site_point (&loop->code, held);
  held_squared = WF_NAME (square) (loop, 0, q.x - site.x)
                 + (WF_NAME (square) (loop, 1, q.y - site.y)
                    + WF_NAME (square) (loop, 2, q.z - site.z));
  return held_squared < squared || (held_squared == squared && held <= value);
}

#endif

static inline WF_NAME (Offer)
WF_NAME (make_offer) (const WF_NAME (Loop)  *loop,
                      guint64                value,
                      WfPoint                p)
{
  const WfPoint   site  = wf_site_point (&loop->code, value);
  WF_NAME (Offer) offer = { .value = value };

  WF_NAME (three_steps) (loop, 0, p.x - site.x, offer.x);
  WF_NAME (three_steps) (loop, 1, p.y - site.y, offer.y);
  WF_NAME (three_steps) (loop, 2, p.z - site.z, offer.z);
  return offer;
}

/* Gives pixel q the site @value, at the squared distance @squared, if it is better than its
 * own.
 */
static inline void
WF_NAME (give) (WF_NAME (Loop)  *loop,
                WfPoint          q,
                guint64          value,
                WF_LENGTH        squared)
{
  const guint64 in_x = q.x - loop->box.x0;
  const gint64  in_y = q.y - loop->box.y0;
  const gint64  in_z = q.z - loop->box.z0;
  guint64      *held = &loop->field[in_z * loop->slice + in_y * loop->width + in_x];

#if WF_KEYED
  if (*held <= value)
    return;
#else
  if (WF_NAME (keeps) (loop, *held, q, value, squared))
    return;
#endif
  loop->n_reached += *held == WF_SITE_NONE;
  *held            = value;
  loop->changed[in_z * loop->slice_words + in_y * loop->row_words + in_x / 64]
    |= G_GUINT64_CONSTANT (1) << in_x % 64;
}

/* Makes the offer to the neighbour of p at (i, j, k) − (1, 1, 1). */
static inline void
WF_NAME (offer_to) (WF_NAME (Loop)         *loop,
                    const WF_NAME (Offer)  *offer,
                    WfPoint                 p,
                    int                     i,
                    int                     j,
                    int                     k)
{
  const WfPoint   q      = { p.x + i - 1, p.y + j - 1, p.z + k - 1 };
  const WF_LENGTH length = offer->x[i] + (offer->y[j] + offer->z[k]);

#if WF_KEYED
  WF_NAME (give) (loop, q, offer->value + length, 0);
#else
  WF_NAME (give) (loop, q, offer->value, length);
#endif
}

/* Makes the offer to all neighbours of p that lie in the box; all of them do if @inner. */
static inline __attribute__ ((always_inline)) void
WF_NAME (offer_around) (WF_NAME (Loop)         *loop,
                        const WF_NAME (Offer)  *offer,
                        WfPoint                 p,
                        const gboolean          inner,
                        const int               n_neighbours)
{
  const gboolean stack = wf_is_stack_connectivity (n_neighbours);
  const gboolean faces = n_neighbours == 4 || n_neighbours == 6;

#pragma GCC unroll 3
  for (int k = 0; k <= 2; k++)
#pragma GCC unroll 3
    for (int j = 0; j <= 2; j++)
#pragma GCC unroll 3
      for (int i = 0; i <= 2; i++)
        {
          const int steps = (i != 1) + (j != 1) + (k != 1);

          if (steps > 0 && (stack || k == 1) && ! (faces && steps > 1) &&
              (inner || wf_box_holds (&loop->box, p, i - 1, j - 1, k - 1)))
            WF_NAME (offer_to) (loop, offer, p, i, j, k);
        }
}

#if WF_WHOLE

/* Offers the site @value of pixel p along the paths of the proof at the top of
 * propagation.c: away from the site along the axis on which it is farthest and, where it is
 * equally far on others, along any of these; a site itself makes offers to all neighbours.
 * A step along each of n axes adds n (1 + 2 d) to the squared distance.
 */
static inline __attribute__ ((always_inline)) void
WF_NAME (tell_onward) (WF_NAME (Loop)  *loop,
                       guint64          value,
                       WfPoint          p,
                       const gboolean   inner,
                       const int        n_neighbours)
{
  const gboolean stack  = n_neighbours == 26;
  const WfPoint  site   = wf_site_point (&loop->code, value);
  const gint64   x      = p.x - site.x;
  const gint64   y      = p.y - site.y;
  const gint64   z      = stack ? p.z - site.z : 0;
  const gint64   most   = MAX (ABS (x), MAX (ABS (y), ABS (z)));
  const int      far_x  = ABS (x) == most;
  const int      far_y  = ABS (y) == most;
  const int      far_z  = stack && ABS (z) == most;
  const int      dx     = x < 0 ? -1 : 1;
  const int      dy     = y < 0 ? -1 : 1;
  const int      dz     = z < 0 ? -1 : 1;
  int            first;
  int            last;
#if WF_KEYED
  const guint64  longer = (guint64) (1 + 2 * most) << loop->code.shift_squared;
  const guint64  base   = value;
#else
  const guint64  longer = 1 + 2 * most;
  const guint64  base   = x * x + y * y + z * z;
#endif

  if (G_UNLIKELY (most == 0))
    {
      const WF_NAME (Offer) offer = WF_NAME (make_offer) (loop, value, p);

      WF_NAME (offer_around) (loop, &offer, p, inner, n_neighbours);
      return;
    }
  first = last = far_x | far_y << 1 | far_z << 2;
  if (far_x + far_y + far_z > 1)
    first = 1;
  for (int way = first; way <= last; way++)
    {
      const int ex = way & 1;
      const int ey = way >> 1 & 1;
      const int ez = stack ? way >> 2 : 0;

      if (ex > far_x || ey > far_y || ez > far_z ||
          ! (inner || wf_box_holds (&loop->box, p, ex * dx, ey * dy, ez * dz)))
        continue;
      WF_NAME (give) (loop, (WfPoint) { p.x + ex * dx, p.y + ey * dy, p.z + ez * dz },
                      WF_KEYED ? base + (ex + ey + ez) * longer : value,
                      base + (ex + ey + ez) * longer);
    }
}

#endif

/* Makes all offers of pixel p, whose value is @value. */
static inline __attribute__ ((always_inline)) void
WF_NAME (tell) (WF_NAME (Loop)  *loop,
                guint64          value,
                WfPoint          p,
                const gboolean   inner,
                const int        n_neighbours)
{
  WF_NAME (Offer) offer;

#if WF_WHOLE
  if (n_neighbours == 8 || n_neighbours == 26)
    {
      WF_NAME (tell_onward) (loop, value, p, inner, n_neighbours);
      return;
    }
#endif
  offer = WF_NAME (make_offer) (loop, value, p);
  WF_NAME (offer_around) (loop, &offer, p, inner, n_neighbours);
}

static inline __attribute__ ((always_inline)) void
WF_NAME (offer_row) (WF_NAME (Loop)        *loop,
                     const WfSpreadWorker  *worker,
                     gint64                 row,
                     gint64                 y,
                     gint64                 z,
                     const int              n_neighbours)
{
  const gboolean stack = wf_is_stack_connectivity (n_neighbours);

  for (guint32 n = worker->row_starts[row]; n < worker->row_starts[row + 1]; n++)
    {
      const WfPoint p = { loop->box.x0 + worker->xs[n], y, z };

      if (wf_point_is_inner (p, &loop->box, stack))
        WF_NAME (tell) (loop, worker->values[n], p, TRUE, n_neighbours);
      else
        WF_NAME (tell) (loop, worker->values[n], p, FALSE, n_neighbours);
    }
}

/* The loop is copied, so that no other pointer can alias it. */
static inline __attribute__ ((always_inline)) void
WF_NAME (offer_rows) (WF_NAME (Loop)        *whole_loop,
                      const WfSpreadWorker  *worker,
                      const int              n_neighbours)
{
  WF_NAME (Loop) loop = *whole_loop;
  gint64         row  = 0;

  for (gint64 z = loop.box.z0; z < loop.box.z1; z++)
    for (gint64 y = loop.box.y0; y < loop.box.y1; y++, row++)
      WF_NAME (offer_row) (&loop, worker, row, y, z, n_neighbours);
  *whole_loop = loop;
}

/* Makes the offers that the border of the tile @other has published. */
static void
WF_NAME (offer_border) (WF_NAME (Loop)       *loop,
                        const WfSpreadTile   *tile,
                        gint64                other)
{
  const WfSpread        *spread = tile->block.spread;
  const WfNeighbourhood *nb     = &spread->nb;
  const WfTileBorder    *border = &spread->borders[2 * other + ((tile->round - 1) & 1)];
  const WfBox            there  = wf_tile_grid_box (&spread->grid, other);

  if (border->round != tile->round - 1)
    return;
  for (gint64 n = 0; n < border->n; n++)
    {
      const WfBorderSite *border_site = &border->sites[n];
      const WfPoint       p           = { there.x0 + border_site->x, there.y0 + border_site->y,
                                          there.z0 + border_site->z };
      WF_NAME (Offer)     offer;

      if (p.x < loop->box.x0 - 1 || p.x > loop->box.x1 ||
          p.y < loop->box.y0 - 1 || p.y > loop->box.y1 ||
          p.z < loop->box.z0 - 1 || p.z > loop->box.z1)
        continue;
      offer = WF_NAME (make_offer) (loop, border_site->value, p);
      for (int i = 0; i < nb->n; i++)
        if (wf_box_holds (&loop->box, p, nb->dx[i], nb->dy[i], nb->dz[i]))
          WF_NAME (offer_to) (loop, &offer, p, nb->dx[i] + 1, nb->dy[i] + 1, nb->dz[i] + 1);
    }
}

static void
WF_NAME (offer_borders) (WF_NAME (Loop)      *loop,
                         const WfSpreadTile  *tile)
{
  const WfTileGrid      *grid  = &tile->block.spread->grid;
  const WfNeighbourhood *nb    = &tile->block.spread->nb;
  const WfPoint          place = wf_tile_grid_place (grid, tile->tile);

  for (int i = 0; i < nb->n; i++)
    {
      const WfPoint other = { place.x + nb->dx[i], place.y + nb->dy[i], place.z + nb->dz[i] };

      if (wf_tile_grid_holds (grid, other))
        WF_NAME (offer_border) (loop, tile, wf_tile_grid_index (grid, other));
    }
}

/* Offers p, which lies outside the image and holds itself, to its neighbour at
 * (@dx, @dy, @dz), if that is in the box.
 */
static inline void
WF_NAME (offer_self) (WF_NAME (Loop)  *loop,
                      WfPoint          p,
                      int              dx,
                      int              dy,
                      int              dz)
{
  WF_NAME (Offer) offer;

  if (! wf_box_holds (&loop->box, p, dx, dy, dz))
    return;
  offer = WF_NAME (make_offer) (loop, wf_site_code (&loop->code, p.x, p.y, p.z), p);
  WF_NAME (offer_to) (loop, &offer, p, dx + 1, dy + 1, dz + 1);
}

static inline WF_NAME (Loop)
WF_NAME (loop_of) (const WfSpreadBlock *block)
{
  const double *spacing = block->spread->task->spacing;

  return (WF_NAME (Loop)) {
    .field       = block->field,
    .changed     = block->changed,
    .box         = block->box,
    .width       = block->width,
    .slice       = block->slice,
    .row_words   = block->row_words,
    .slice_words = block->row_words * (block->box.y1 - block->box.y0),
    .code        = block->spread->code,
    .spacing     = { spacing[0], spacing[1], spacing[2] },
  };
}

gint64
WF_NAME (offer) (const WfSpreadBlock *block,
                 const WfSpreadTile  *tile)
{
  WF_NAME (Loop) loop = WF_NAME (loop_of) (block);

  switch (block->spread->nb.n)
    {
    case 4:
      WF_NAME (offer_rows) (&loop, block->worker, 4);
      break;
    case 8:
      WF_NAME (offer_rows) (&loop, block->worker, 8);
      break;
    case 6:
      WF_NAME (offer_rows) (&loop, block->worker, 6);
      break;
    default:
      WF_NAME (offer_rows) (&loop, block->worker, 26);
      break;
    }
  if (tile)
    WF_NAME (offer_borders) (&loop, tile);
  return loop.n_reached;
}

/* The offers of the outside to pixels of the block at the image's border. */
void
WF_NAME (offer_outside) (const WfSpreadBlock *block)
{
  const WfShape *shape = &block->spread->task->shape;
  const WfBox   *box   = &block->box;
  WF_NAME (Loop) loop  = WF_NAME (loop_of) (block);

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        WF_NAME (offer_self) (&loop, (WfPoint) { -1, y, z }, 1, 0, 0);
        WF_NAME (offer_self) (&loop, (WfPoint) { shape->width, y, z }, -1, 0, 0);
      }
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 x = box->x0; x < box->x1; x++)
      {
        WF_NAME (offer_self) (&loop, (WfPoint) { x, -1, z }, 0, 1, 0);
        WF_NAME (offer_self) (&loop, (WfPoint) { x, shape->height, z }, 0, -1, 0);
      }
  if (shape->depth > 1)
    for (gint64 y = box->y0; y < box->y1; y++)
      for (gint64 x = box->x0; x < box->x1; x++)
        {
          WF_NAME (offer_self) (&loop, (WfPoint) { x, y, -1 }, 0, 0, 1);
          WF_NAME (offer_self) (&loop, (WfPoint) { x, y, shape->depth }, 0, 0, -1);
        }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: the visit of a tile in a round. */

#include "config.h"

#include <string.h>

#include "spread.h"


/*  The first round of all: from the image  */

typedef struct
{
  gint64 width, height, depth;      /* the block with one pixel around it */
  gint64 around_z;                  /* 1 in stacks */
} Margin;

static Margin
margin_of (const WfSpreadBlock *block)
{
  const gint64 around_z = block->spread->task->shape.depth > 1;

  return (Margin) {
    block->box.x1 - block->box.x0 + 2,
    block->box.y1 - block->box.y0 + 2,
    block->box.z1 - block->box.z0 + 2 * around_z,
    around_z
  };
}

static void
mark_row (const WfSpreadBlock *block,
          const Margin        *margin,
          gint64               y,
          gint64               z,
          guint8              *marks)
{
  const WfDistanceTask *task  = block->spread->task;
  const gint64          first = MAX (block->box.x0 - 1, 0);
  const gint64          end   = MIN (block->box.x1 + 1, task->shape.width);
  guint8               *there = marks + (first - (block->box.x0 - 1));

  memset (marks, TRUE, margin->width);
  if (y < 0 || y >= task->shape.height || z < 0 || z >= task->shape.depth)
    return;
  wf_distance_mark_pixels (task, wf_image_offset (task->image, first, y, z), end - first, there);
  if (block->spread->background)
    for (gint64 i = 0; i < end - first; i++)
      there[i] ^= TRUE;
}

/* There are no sites outside the image here: its offers are made afterwards. */
static void
mark_block (const WfSpreadBlock *block,
            const Margin        *margin)
{
  guint8 *marks = block->worker->marks;

  for (gint64 z = 0; z < margin->depth; z++)
    for (gint64 y = 0; y < margin->height; y++, marks += margin->width)
      mark_row (block, margin, block->box.y0 - 1 + y, block->box.z0 - margin->around_z + z, marks);
}

/* Finds for each pixel of a row the best neighbour that is a site. */
static void
find_first (const WfSpreadBlock *block,
            const Margin        *margin,
            const guint8        *marks)
{
  const WfNeighbourhood *nb    = &block->spread->nb;
  const gint64           n     = margin->width - 2;
  guint8 *restrict       first = block->worker->first;

  memset (first, 0, n);
  for (int k = nb->n - 1; k >= 0; k--)
    {
      const guint8 *neighbours = marks + (nb->dz[k] * margin->height + nb->dy[k]) * margin->width
                                 + nb->dx[k];
      const guint8  number     = k + 1;

      for (gint64 i = 0; i < n; i++)
        first[i] = neighbours[i] ? first[i] : number;
    }
  for (gint64 i = 0; i < n; i++)
    first[i] = marks[i] ? first[i] : 0;
}

/* Fills a row, whose first pixel has the code @code, with its values after the first round. */
static void
start_row (const WfSpreadBlock *block,
           const guint8        *marks,
           gint64               n,
           guint64              code,
           guint64             *field,
           guint64             *changed)
{
  const WfSpread *spread = block->spread;
  const guint8   *first  = block->worker->first;
  const guint64   to_x   = G_GUINT64_CONSTANT (1) << spread->code.shift_x;

  for (gint64 i = 0; i < n; i++)
    field[i] = marks[i] ? WF_SITE_NONE : WF_SITE_OWN;

  for (gint64 start = 0; start < n; start += 64)
    {
      const gint64 most = MIN (n - start, 64);
      guint64      bits = 0;

      for (gint64 i = 0; i < most; i++)
        bits |= (guint64) (first[start + i] != 0) << i;
      *changed++ = bits;
      for (; bits; bits &= bits - 1)
        {
          const gint64 i = start + __builtin_ctzll (bits);

          field[i] = (code + i * to_x + spread->to_neighbour[first[i] - 1]) | spread->kind;
        }
    }
}

static void
start_block (const WfSpreadBlock *block)
{
  const WfBox  *box     = &block->box;
  const Margin  margin  = margin_of (block);
  guint64      *changed = block->changed;

  mark_block (block, &margin);
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++, changed += block->row_words)
      {
        const gint64  row   = (z - box->z0 + margin.around_z) * margin.height + y - box->y0 + 1;
        const guint8 *marks = block->worker->marks + row * margin.width + 1;
        guint64      *field = block->field + (z - box->z0) * block->slice
                              + (y - box->y0) * block->width;

        find_first (block, &margin, marks);
        start_row (block, marks, margin.width - 2,
                   wf_site_code (&block->spread->code, box->x0, y, z), field, changed);
      }
}


/*  A round  */

/* A round visits all tiles, so the field is seldom in a cache: it is prefetched. */
static inline void
call_for (const WfSpreadBlock *block,
          const guint64       *value)
{
  __builtin_prefetch (value - block->width, 1);
  __builtin_prefetch (value, 1);
  __builtin_prefetch (value + block->width, 1);
}

/* Gathers the positions of the pixels that changed in the previous round and clears their
 * bits; returns whether there are any.
 */
static gboolean
gather_positions (const WfSpreadBlock *block)
{
  WfSpreadWorker *worker = block->worker;
  guint64        *word   = block->changed;
  gint64          row    = 0;
  guint32         n      = 0;

  for (gint64 z = 0; z < block->box.z1 - block->box.z0; z++)
    for (gint64 y = 0; y < block->box.y1 - block->box.y0; y++)
      {
        const guint64 *values = block->field + z * block->slice + y * block->width;

        worker->row_starts[row++] = n;
        for (gint64 start = 0; start < block->row_words * 64; start += 64, word++)
          for (guint64 bits = *word; bits; *word = bits &= bits - 1)
            {
              const gint64 x = start + __builtin_ctzll (bits);

              worker->xs[n++] = x;
              call_for (block, values + x);
            }
      }
  worker->row_starts[row] = n;
  return n > 0;
}

/* Gathers their values, before any offer is made. */
static void
gather_values (const WfSpreadBlock *block)
{
  WfSpreadWorker *worker = block->worker;
  gint64          row    = 0;

  for (gint64 z = 0; z < block->box.z1 - block->box.z0; z++)
    for (gint64 y = 0; y < block->box.y1 - block->box.y0; y++, row++)
      {
        const guint64 *values = block->field + z * block->slice + y * block->width;

        for (guint32 n = worker->row_starts[row]; n < worker->row_starts[row + 1]; n++)
          worker->values[n] = values[worker->xs[n]];
      }
}

static gint64
make_offers (const WfSpreadBlock *block,
             const WfSpreadTile  *tile)
{
  switch (block->spread->measure)
    {
    case WF_SITES_KEYED:
      return wf_spread_offer_keyed (block, tile);
    case WF_SITES_WHOLE:
      return wf_spread_offer_whole (block, tile);
    case WF_SITES_SPACED:
      return wf_spread_offer_spaced (block, tile);
    }
  g_return_val_if_reached (0);
}


/* Pixels at the image's border get offers from the outside pixels straight across. */
static void
offer_outside (const WfSpreadBlock *block)
{
  switch (block->spread->measure)
    {
    case WF_SITES_KEYED:
      wf_spread_offer_outside_keyed (block);
      break;
    case WF_SITES_WHOLE:
      wf_spread_offer_outside_whole (block);
      break;
    case WF_SITES_SPACED:
      wf_spread_offer_outside_spaced (block);
      break;
    }
}


/*  The first rounds, in a copy  */

static WfBox
grow (const WfBox    *box,
      const WfShape  *shape,
      gint64          by)
{
  return (WfBox) {
    MAX (box->x0 - by, 0), MAX (box->y0 - by, 0), MAX (box->z0 - by, 0),
    MIN (box->x1 + by, shape->width), MIN (box->y1 + by, shape->height),
    MIN (box->z1 + by, shape->depth),
  };
}

/* 64 bits of a row of @n_words, from bit @start on. */
static inline guint64
bits_from (const guint64 *row,
           gint64         n_words,
           gint64         start)
{
  const gint64 word  = start / 64;
  const int    shift = start % 64;
  guint64      bits  = row[word] >> shift;

  if (shift > 0 && word + 1 < n_words)
    bits |= row[word + 1] << (64 - shift);
  return bits;
}

/* The foreground's half comes first.  Its values stay: they are less than those of the
 * background's half, so no offer of that half replaces them.  Returns the number of pixels
 * of the row that have been reached.
 */
static gint64
keep_row (const WfSpread *spread,
          const guint64  *from,
          gint64          n,
          guint64        *field)
{
  gint64 n_reached = 0;

  for (gint64 i = 0; i < n; i++)
    n_reached += from[i] != WF_SITE_NONE;
  if (spread->background)
    {
      for (gint64 i = 0; i < n; i++)
        field[i] = from[i] == WF_SITE_OWN ? field[i] : from[i];
    }
  else
    memcpy (field, from, n * sizeof *field);
  return n_reached;
}

static gint64
count_sites (const guint64 *from,
             gint64         n)
{
  gint64 n_sites = 0;

  for (gint64 i = 0; i < n; i++)
    n_sites += from[i] == WF_SITE_OWN;
  return n_sites;
}

/* Copies the tile's pixels and bits back from the copy. */
static gint64
keep_tile (const WfSpreadTile   *tile,
           const WfSpreadBlock  *copy,
           gint64               *n_sites)
{
  const WfSpreadBlock *block     = &tile->block;
  const WfBox         *box       = &block->box;
  const gint64         n         = box->x1 - box->x0;
  const gint64         left      = box->x0 - copy->box.x0;
  guint64             *changed   = block->changed;
  gint64               n_reached = 0;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        const gint64   row  = (z - copy->box.z0) * (copy->box.y1 - copy->box.y0)
                              + y - copy->box.y0;
        const guint64 *bits = copy->changed + row * copy->row_words;
        const guint64 *from = copy->field + row * copy->width + left;

        n_reached += keep_row (block->spread, from, n,
                               block->field + (z - box->z0) * block->slice
                               + (y - box->y0) * block->width);
        *n_sites  += count_sites (from, n);
        for (gint64 start = 0; start < block->row_words * 64; start += 64)
          *changed++ = start >= n ? 0
                     : bits_from (bits, copy->row_words, left + start)
                       & (n - start < 64 ? (G_GUINT64_CONSTANT (1) << (n - start)) - 1
                                         : G_MAXUINT64);
      }
  return n_reached;
}

/* Returns the number of pixels of the tile that have been reached, including sites. */
static gint64
first_rounds (const WfSpreadTile *tile,
              gint64             *n_sites)
{
  const WfSpread  *spread = tile->block.spread;
  WfSpreadWorker  *worker = tile->block.worker;
  const WfBox      box    = grow (&tile->block.box, &spread->task->shape, spread->ahead);
  WfSpreadBlock    copy   =
  {
    .spread    = spread,
    .worker    = worker,
    .box       = box,
    .field     = worker->field,
    .width     = box.x1 - box.x0,
    .slice     = (box.x1 - box.x0) * (box.y1 - box.y0),
    .changed   = worker->changed,
    .row_words = (box.x1 - box.x0 + 63) / 64,
  };

  start_block (&copy);
  if (spread->task->border_background && ! spread->background)
    offer_outside (&copy);
  for (gint64 round = 1; round < spread->ahead && gather_positions (&copy); round++)
    {
      gather_values (&copy);
      make_offers (&copy, NULL);
    }
  return keep_tile (tile, &copy, n_sites);
}


/*  Publishing changes at the border  */

static inline int
side (gint64 coordinate,
      gint64 start,
      gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

static WfSpill
tiles_touched (const WfSpreadBlock *block,
               WfPoint              p)
{
  const WfNeighbourhood *nb    = &block->spread->nb;
  const WfBox           *box   = &block->box;
  const WfBox            image = wf_shape_box (&block->spread->task->shape);
  WfSpill                spill = 0;

  for (int i = 0; i < nb->n; i++)
    if (! wf_box_holds (box, p, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        wf_box_holds (&image, p, nb->dx[i], nb->dy[i], nb->dz[i]))
      spill |= wf_spill_bit (side (p.x + nb->dx[i], box->x0, box->x1),
                             side (p.y + nb->dy[i], box->y0, box->y1),
                             side (p.z + nb->dz[i], box->z0, box->z1));
  return spill;
}

/* A bit for each of 64 pixels of a row from @start on: whether it lies at the block's left
 * or right border.
 */
static inline guint64
sides_of_row (const WfSpreadBlock *block,
              gint64               start)
{
  const gint64 last = block->box.x1 - block->box.x0 - 1 - start;

  return (start == 0 ? 1 : 0) | (last >= 0 && last < 64 ? G_GUINT64_CONSTANT (1) << last : 0);
}

/* Lists the changed pixels at the tile's border, for the next round. */
static void
publish (const WfSpreadTile *tile,
         WfSpill            *again)
{
  const WfSpreadBlock *block  = &tile->block;
  const WfBox         *box    = &block->box;
  const guint64       *word   = block->changed;
  const gboolean       stack  = block->spread->task->shape.depth > 1;
  WfTileBorder        *border = &block->spread->borders[2 * tile->tile + (tile->round & 1)];

  border->round = tile->round;
  border->n     = 0;
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        const gboolean  face   = y == box->y0 || y == box->y1 - 1 ||
                                 (stack && (z == box->z0 || z == box->z1 - 1));
        const guint64  *values = block->field + (z - box->z0) * block->slice
                                 + (y - box->y0) * block->width;

        for (gint64 start = 0; start < block->row_words * 64; start += 64, word++)
          {
            if (*word)
              *again |= WF_SPILL_SELF;
            for (guint64 bits = *word & (face ? G_MAXUINT64 : sides_of_row (block, start)); bits;
                 bits &= bits - 1)
              {
                const gint64 x = start + __builtin_ctzll (bits);

                border->sites[border->n++] = (WfBorderSite) { values[x], x, y - box->y0,
                                                              z - box->z0 };
                *again |= tiles_touched (block, (WfPoint) { box->x0 + x, y, z });
              }
          }
      }
}

/* A #WfRoundFunc; it counts sites at once, other pixels when they are first reached. */
gint64
wf_spread_visit (gpointer  data,
                 guint     worker,
                 gint64    tile_index,
                 gint64    round,
                 WfSpill  *again)
{
  WfSpread      *spread = data;
  const WfShape *shape  = &spread->task->shape;
  const WfBox    box    = wf_tile_grid_box (&spread->grid, tile_index);
  WfSpreadTile   tile   = { .tile = tile_index, .round = round };
  gint64         n_reached;
  gint64         n_sites = 0;

  tile.block = (WfSpreadBlock) {
    .spread    = spread,
    .worker    = &spread->workers[worker],
    .box       = box,
    .field     = spread->field + wf_index_of_point ((WfPoint) { box.x0, box.y0, box.z0 }, shape),
    .width     = shape->width,
    .slice     = shape->width * shape->height,
    .changed   = spread->changed + tile_index * spread->tile_words,
    .row_words = spread->row_words,
  };
  if (round == 0)
    {
      n_reached = first_rounds (&tile, &n_sites);
      __atomic_fetch_add (&spread->n_sites, n_sites, __ATOMIC_RELAXED);
    }
  else
    {
      gather_positions (&tile.block);
      gather_values (&tile.block);
      n_reached = make_offers (&tile.block, &tile);
    }
  publish (&tile, again);
  return n_reached;
}

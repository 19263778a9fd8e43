/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: what its files share.  The definition and the way
 * it is done are at the top of propagation.c.
 */

#pragma once

#include "engine/distance/cpu/distance.h"
#include "engine/core/grid.h"
#include "engine/propagation/rounds.h"

/* The other values of a field than sites: a pixel of the kind whose distances are
 * not being computed, which no offer can change; and a pixel that no offer has reached.
 */
#define WF_SITE_OWN  G_GUINT64_CONSTANT (0)
#define WF_SITE_NONE G_MAXUINT64

/**
 * WfSiteCode:
 * @shift_x: where x + 1 stands
 * @shift_y: where y + 1 stands; z + 1 stands at bit 0
 * @shift_squared: where the squared distance stands, if it does
 *
 * How a site is written as a number: its coordinates, x first, so that the order
 * of numbers is the order by (x, y, z); in keys below its squared distance from the
 * pixel that holds it, so that the lesser key is the better site.  Coordinates are
 * raised by one, since outside the image they begin at −1; so no code is 0.
 */
typedef struct
{
  int     shift_x;
  int     shift_y;
  int     shift_squared;
  guint64 mask_y;
  guint64 mask_z;
} WfSiteCode;

/**
 * WfSiteMeasure:
 * @WF_SITES_KEYED: values are keys
 * @WF_SITES_WHOLE: values are codes; squared distances are integers
 * @WF_SITES_SPACED: values are codes; squared distances are doubles
 *
 * Only keys are fast; but the squared distances of huge images leave no room for
 * the coordinates, and those of spaced pixels are not integers.
 */
typedef enum
{
  WF_SITES_KEYED,
  WF_SITES_WHOLE,
  WF_SITES_SPACED
} WfSiteMeasure;

/* A pixel of a tile, by its position in the tile, and what it held. */
typedef struct
{
  guint64 value;
  guint16 x, y, z;
} WfRimSite;

/**
 * WfRim:
 * @round: in which it was written; older ones tell nothing
 * @n: how many sites
 * @sites: what the pixels at the tile's sides have changed to in that round
 */
typedef struct
{
  gint64     round;
  gint64     n;
  WfRimSite *sites;
} WfRim;

/**
 * WfSpreadWorker:
 * @marks: which pixels of a block, and of those around it, get distances
 * @first: of a row: which neighbour is the best site, from 1; 0: none is one
 * @field, @changed: of a tile and what is around it, for the first rounds
 * @values: what the block's changed pixels held when the round began, row by row
 * @xs: where they are in their rows
 * @row_starts: where each row begins in these; one more than there are rows
 */
typedef struct
{
  guint8  *marks;
  guint8  *first;
  guint64 *field;
  guint64 *changed;
  guint64 *values;
  guint16 *xs;
  guint32 *row_starts;
} WfSpreadWorker;

/**
 * WfSpread:
 * @nb: what neighbours are, the nearest first
 * @to_neighbour: what to add to a pixel's code for the value of such a neighbour as
 *   its site
 * @grid: the tiles
 * @field: for each pixel the value of its site
 * @background: whether this is the background's half of a signed map
 * @kind: 0, or %WF_BACKGROUND_BIT on the background's half: a bit of all its values
 * @ahead: how many rounds a tile does by itself at first
 * @changed: for each tile a bit for each pixel that changed in the last round
 * @row_words, @tile_words: words of bits that a row and a tile of them take
 * @rims: for each tile what its sides had after even and after odd rounds
 * @workers: memory of each thread
 * @n_sites: pixels of the other kind
 *
 * One half of a map being computed: how far the one kind of pixels is from the other.
 */
typedef struct
{
  const WfDistanceTask *task;
  WfSiteMeasure         measure;
  WfSiteCode            code;
  WfNeighbourhood       nb;
  guint64               to_neighbour[WF_MAX_NEIGHBOURS];
  WfTileGrid            grid;
  guint64              *field;
  gboolean              background;
  guint64               kind;
  gint64                ahead;
  guint64              *changed;
  gint64                row_words;
  gint64                tile_words;
  WfRim                *rims;
  WfSpreadWorker       *workers;
  gint64                n_sites;
} WfSpread;

/**
 * WfSpreadBlock:
 * @box: the pixels that may change
 * @field: the box's first pixel
 * @width, @slice: pixels from one row, and from one slice, of @field to the next
 * @changed: a bit for each pixel of the box; rows begin with a word, of @row_words
 *
 * Pixels being worked on in one round, where they are or in a copy.
 */
typedef struct
{
  const WfSpread *spread;
  WfSpreadWorker *worker;
  WfBox           box;
  guint64        *field;
  gint64          width;
  gint64          slice;
  guint64        *changed;
  gint64          row_words;
} WfSpreadBlock;

/* A tile in a round of engine/propagation/rounds.c. */
typedef struct
{
  WfSpreadBlock block;
  gint64        tile;
  gint64        round;
} WfSpreadTile;

static inline guint64
wf_site_code (const WfSiteCode *code,
              gint64            x,
              gint64            y,
              gint64            z)
{
  return (guint64) (x + 1) << code->shift_x | (guint64) (y + 1) << code->shift_y | (guint64) (z + 1);
}

/* The upper bits of @value may hold what does not belong to the coordinates. */
static inline WfPoint
wf_site_point (const WfSiteCode *code,
               guint64           value)
{
  guint64 x = (value & ~WF_BACKGROUND_BIT) >> code->shift_x;

  if (code->shift_squared < 64)
    x &= (G_GUINT64_CONSTANT (1) << (code->shift_squared - code->shift_x)) - 1;
  return (WfPoint) {
    (gint64) x - 1,
    (gint64) (value >> code->shift_y & code->mask_y) - 1,
    (gint64) (value & code->mask_z) - 1,
  };
}

/* Make the offers of the worker's values, and if @tile is not %NULL those of the
 * tiles around it; return how many pixels of the block these are the first to reach.
 * Offers from outside the image are made in the first round of all, on their own.
 */
gint64 wf_spread_offer_keyed  (const WfSpreadBlock *block,
                               const WfSpreadTile  *tile);
gint64 wf_spread_offer_whole  (const WfSpreadBlock *block,
                               const WfSpreadTile  *tile);
gint64 wf_spread_offer_spaced (const WfSpreadBlock *block,
                               const WfSpreadTile  *tile);
void   wf_spread_offer_outside_keyed  (const WfSpreadBlock *block);
void   wf_spread_offer_outside_whole  (const WfSpreadBlock *block);
void   wf_spread_offer_outside_spaced (const WfSpreadBlock *block);

gint64 wf_spread_visit (gpointer  spread,
                        guint     worker,
                        gint64    tile,
                        gint64    round,
                        WfSpill  *again);
void   wf_spread_write (const WfSpread *spread,
                        gboolean        any_foreground,
                        guint           n_threads);

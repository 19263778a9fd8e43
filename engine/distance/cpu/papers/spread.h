/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: declarations that its files share.  The definition and
 * the algorithm are at the top of propagation.c.
 */

#pragma once

#include "engine/distance/cpu/distance.h"
#include "engine/core/grid.h"
#include "engine/propagation/rounds.h"

/* Values of a field that are not sites: a pixel of the kind whose distances are not being
 * computed, which no offer can change; and a pixel that no offer has reached.
 */
#define WF_SITE_OWN  G_GUINT64_CONSTANT (0)
#define WF_SITE_NONE G_MAXUINT64

/**
 * WfSiteCode:
 * @shift_x: position of x + 1
 * @shift_y: position of y + 1; z + 1 is at bit 0
 * @shift_squared: position of the squared distance in keys, otherwise 64
 *
 * The encoding of a site as a number.  A code holds its coordinates, x in the highest bits,
 * so that codes are ordered by (x, y, z).  A key also holds, above the code, the squared
 * distance from the pixel that holds the site, so that the smaller key is the better site.
 * Coordinates are raised by one, as they begin at −1 outside the image; so no code is 0.
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
 * Keys are fast.  They are not possible in huge images, whose squared distances leave no
 * room for the coordinates, and with spaced pixels, whose squared distances are no integers.
 */
typedef enum
{
  WF_SITES_KEYED,
  WF_SITES_WHOLE,
  WF_SITES_SPACED
} WfSiteMeasure;

/* A pixel of a tile, by its position in the tile, and its value. */
typedef struct
{
  guint64 value;
  guint16 x, y, z;
} WfBorderSite;

/**
 * WfTileBorder:
 * @round: in which it was written; others than the previous round are ignored
 * @n: number of sites
 * @sites: the new values of the pixels at the tile's border that changed in that round
 */
typedef struct
{
  gint64        round;
  gint64        n;
  WfBorderSite *sites;
} WfTileBorder;

/**
 * WfSpreadWorker:
 * @marks: which pixels of a block, and of those around it, get distances
 * @first: for each pixel of a row the neighbor that is the best site, from 1; 0: none is one
 * @field, @changed: of a tile and the pixels around it, for the first rounds
 * @values: the values of the block's changed pixels at the beginning of the round, row by row
 * @xs: their positions in their rows
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
 * @nb: the neighbors, the nearest first
 * @to_neighbour: the difference between the value of such a neighbor as a pixel's site
 *   and the pixel's code
 * @grid: the tiles
 * @field: for each pixel the value of its site
 * @background: whether this is the background's half of a signed map
 * @kind: 0, or in the background's half %WF_BACKGROUND_BIT: a bit of all its values
 * @ahead: rounds of a tile's first visit
 * @changed: for each tile a bit for each pixel that changed in the last round
 * @row_words, @tile_words: words of bits in a row and in a tile
 * @borders: for each tile the changes at its border in even and in odd rounds
 * @workers: memory of each thread
 * @n_sites: pixels of the other kind
 *
 * The computation of one half of a map: the distances of one kind of pixels from the other.
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
  WfTileBorder         *borders;
  WfSpreadWorker       *workers;
  gint64                n_sites;
} WfSpread;

/**
 * WfSpreadBlock:
 * @box: the pixels that may change
 * @field: the box's first pixel
 * @width, @slice: pixels from one row, and from one slice, of @field to the next
 * @changed: a bit for each pixel of the box; each row has @row_words words
 *
 * The pixels that one round works on, in place or in a copy.
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
  return (guint64) (x + 1) << code->shift_x | (guint64) (y + 1) << code->shift_y
         | (guint64) (z + 1);
}

/* The upper bits of @value may hold other data than coordinates. */
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

/* Make the offers of the worker's values and, if @tile is not %NULL, those of the tiles
 * around it.  Return the number of pixels of the block that are reached for the first
 * time.  Offers from outside the image are made separately, in the very first round.
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

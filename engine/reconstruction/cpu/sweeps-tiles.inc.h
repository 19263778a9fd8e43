/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in one tile, for one type of pixel: WF_PIXEL, WF_BITS, WF_LEAST,
 * WF_ZERO, WF_FLIP (pixel), WF_NAME().
 */

#include "sweep.inc.h"

#define SQUARE(store, tile) \
  ((WF_PIXEL *) (store)->squares[tile])
#define LEFT_COLUMN(columns, tile) \
  ((WF_PIXEL *) (columns) + (tile) * 2 * WF_SIDE)
#define RIGHT_COLUMN(columns, tile) \
  (LEFT_COLUMN (columns, tile) + WF_SIDE)


/*  Pixels in the order of growth; −0 becomes +0  */

static inline WF_PIXEL
WF_NAME (turn) (WF_PIXEL pixel,
                gboolean flip)
{
  return flip ? WF_FLIP (pixel) : pixel + WF_ZERO;
}

static inline gboolean
WF_NAME (is_nan) (WF_PIXEL pixel)
{
#if WF_BITS == 32
  return pixel != pixel;
#else
  return FALSE;
#endif
}

static inline void
WF_NAME (fill) (WF_PIXEL *pixels,
                int       n)
{
  for (int i = 0; i < n; i++)
    pixels[i] = WF_LEAST;
}

static inline void
WF_NAME (load_row) (const WfImage *image,
                    gint64         x,
                    gint64         y,
                    gint64         width,
                    gboolean       flip,
                    WF_PIXEL      *row)
{
  const WF_PIXEL *source = (const WF_PIXEL *) image->data + y * image->row_stride + x;

  if (width == WF_SIDE)
    {
      for (int i = 0; i < WF_SIDE; i++)
        row[i] = WF_NAME (turn) (source[i], flip);
      return;
    }
  for (gint64 i = 0; i < width; i++)
    row[i] = WF_NAME (turn) (source[i], flip);
  WF_NAME (fill) (row + width, WF_SIDE - width);
}


/*  Loading and unloading  */

typedef struct
{
  gint64 index;
  gint64 tx, ty;            /* in the grid of tiles */
  gint64 x, y;              /* of the first pixel */
  gint64 width, height;     /* used pixels */
} WF_NAME (Tile);

static inline WF_NAME (Tile)
WF_NAME (locate) (const WfTileStore *store,
                  gint64             index)
{
  WF_NAME (Tile) tile = { .index = index };

  tile.tx     = index % store->across;
  tile.ty     = index / store->across;
  tile.x      = tile.tx * store->side;
  tile.y      = tile.ty * store->side;
  tile.width  = MIN (store->side, store->shape.width - tile.x);
  tile.height = MIN (store->side, store->shape.height - tile.y);
  return tile;
}

static void
WF_NAME (copy_columns) (const WF_PIXEL       *square,
                        const WF_NAME (Tile) *tile,
                        gpointer              columns)
{
  WF_PIXEL *left  = LEFT_COLUMN (columns, tile->index);
  WF_PIXEL *right = RIGHT_COLUMN (columns, tile->index);

  for (int y = 0; y < WF_SIDE; y++)
    {
      left[y]  = square[y * WF_SIDE];
      right[y] = square[y * WF_SIDE + tile->width - 1];
    }
}

/* Fills the square with the marker, clamped by the mask, and @mask with the mask.  Returns
 * FALSE if a pixel is NaN.
 */
static gboolean
WF_NAME (load) (const WfTileStore    *store,
                const WF_NAME (Tile) *tile,
                WF_PIXEL             *mask)
{
  WF_PIXEL *square = SQUARE (store, tile->index);
  WF_PIXEL *left   = LEFT_COLUMN (store->mask_columns, tile->index);
  WF_PIXEL *right  = RIGHT_COLUMN (store->mask_columns, tile->index);
  int       nan    = FALSE;

  for (gint64 y = 0; y < tile->height; y++)
    {
      WF_PIXEL *row   = square + y * WF_SIDE;
      WF_PIXEL *limit = mask + y * WF_SIDE;

      WF_NAME (load_row) (store->mask, tile->x, tile->y + y, tile->width, store->flip, limit);
      WF_NAME (load_row) (store->marker, tile->x, tile->y + y, tile->width, store->flip, row);
      for (int x = 0; x < WF_SIDE; x++)
        {
          nan    |= WF_NAME (is_nan) (row[x]) | WF_NAME (is_nan) (limit[x]);
          row[x]  = MIN (row[x], limit[x]);
        }
      left[y]  = limit[0];
      right[y] = limit[tile->width - 1];
    }
  for (gint64 y = tile->height; y < WF_SIDE; y++)
    {
      WF_NAME (fill) (square + y * WF_SIDE, WF_SIDE);
      WF_NAME (fill) (mask + y * WF_SIDE, WF_SIDE);
      left[y] = right[y] = WF_LEAST;
    }
  WF_NAME (copy_columns) (square, tile, store->columns);
  store->loaded[tile->index] = TRUE;
  return ! nan;
}

static void
WF_NAME (load_mask) (const WfTileStore    *store,
                     const WF_NAME (Tile) *tile,
                     WF_PIXEL             *mask)
{
  for (gint64 y = 0; y < tile->height; y++)
    WF_NAME (load_row) (store->mask, tile->x, tile->y + y, tile->width, store->flip,
                        mask + y * WF_SIDE);
  WF_NAME (fill) (mask + tile->height * WF_SIDE, (WF_SIDE - tile->height) * WF_SIDE);
}

static void
WF_NAME (unload) (const WfTileStore *store,
                  gint64             index,
                  gconstpointer      pixels,
                  const WfImage     *out)
{
  const WF_NAME (Tile)  tile   = WF_NAME (locate) (store, index);
  const WF_PIXEL       *square = pixels;

  for (gint64 y = 0; y < tile.height; y++)
    {
      WF_PIXEL *row = (WF_PIXEL *) out->data + (tile.y + y) * out->row_stride + tile.x;

      for (gint64 x = 0; x < tile.width; x++)
        row[x] = WF_NAME (turn) (square[y * WF_SIDE + x], store->flip);
    }
}


/*  The border of a tile and its halo  */

/* The halo: the rows and columns of the neighbours beside a tile.  Pixel i is at i + 1; the
 * rows include the corners at both ends.
 */
typedef struct
{
  WF_PIXEL top[WF_SIDE + 2];
  WF_PIXEL bottom[WF_SIDE + 2];
  WF_PIXEL left[WF_SIDE + 2];
  WF_PIXEL right[WF_SIDE + 2];
} WF_NAME (Surroundings);

static inline void
WF_NAME (look_around) (const WfTileStore       *store,
                       const WF_NAME (Tile)    *tile,
                       WF_NAME (Surroundings)  *around)
{
  const gint64 up    = tile->index - store->across;
  const gint64 under = tile->index + store->across;
  const gint64 last  = store->side - 1;
  const gsize  row   = WF_SIDE * sizeof (WF_PIXEL);

  WF_NAME (fill) (around->top, sizeof *around / sizeof (WF_PIXEL));
  if (wf_tile_has (store, tile->tx, tile->ty - 1))
    memcpy (around->top + 1, SQUARE (store, up) + last * WF_SIDE, row);
  if (wf_tile_has (store, tile->tx, tile->ty + 1))
    memcpy (around->bottom + 1, SQUARE (store, under), row);
  if (wf_tile_has (store, tile->tx - 1, tile->ty))
    memcpy (around->left + 1, RIGHT_COLUMN (store->columns, tile->index - 1), row);
  if (wf_tile_has (store, tile->tx + 1, tile->ty))
    memcpy (around->right + 1, LEFT_COLUMN (store->columns, tile->index + 1), row);
  if (wf_tile_has (store, tile->tx - 1, tile->ty - 1))
    around->top[0] = SQUARE (store, up - 1)[last * WF_SIDE + last];
  if (wf_tile_has (store, tile->tx + 1, tile->ty - 1))
    around->top[store->side + 1] = SQUARE (store, up + 1)[last * WF_SIDE];
  if (wf_tile_has (store, tile->tx - 1, tile->ty + 1))
    around->bottom[0] = SQUARE (store, under - 1)[last];
  if (wf_tile_has (store, tile->tx + 1, tile->ty + 1))
    around->bottom[store->side + 1] = SQUARE (store, under + 1)[0];
}

/* The highest level that each pixel of a line gets from the halo line beside it. */
static inline void
WF_NAME (spread) (const WF_PIXEL *halo,
                  gboolean        diagonal,
                  WF_PIXEL       *reach)
{
  if (diagonal)
    for (int i = 0; i < WF_SIDE; i++)
      reach[i] = MAX (halo[i + 1], MAX (halo[i], halo[i + 2]));
  else
    memcpy (reach, halo + 1, WF_SIDE * sizeof (WF_PIXEL));
}

/* Raises one line of the border; returns a bit for each raised pixel. */
static inline guint64
WF_NAME (raise_line) (const WF_PIXEL *halo,
                      gboolean        diagonal,
                      const WF_PIXEL *mask,
                      const WF_PIXEL *line,
                      WF_PIXEL       *raised)
{
  WF_PIXEL reach[WF_SIDE];
  guint64  rose = 0;
  int      any  = 0;

  WF_NAME (spread) (halo, diagonal, reach);
  for (int i = 0; i < WF_SIDE; i++)
    {
      WF_PIXEL value = MIN (mask[i], MAX (line[i], reach[i]));

      any       |= value != line[i];
      raised[i]  = value;
    }
  if (any)
    for (int i = 0; i < WF_SIDE; i++)
      rose |= (guint64) (raised[i] != line[i]) << i;
  return rose;
}

typedef struct
{
  guint64 rows;
  guint64 columns;
} WF_NAME (Dirty);

/* Takes the halo into the border, once for each visit: neighbours do not change during a
 * visit.
 */
static WF_NAME (Dirty)
WF_NAME (take_in) (const WfTileStore     *store,
                   const WF_NAME (Tile)  *tile,
                   WF_PIXEL              *square)
{
  const gint64            last_row    = tile->height - 1;
  const gint64            last_column = tile->width - 1;
  const gboolean          diagonal    = store->diagonal;
  WF_PIXEL               *bottom_row  = square + last_row * WF_SIDE;
  WF_NAME (Surroundings)  around;
  WF_PIXEL                mask[WF_SIDE];
  WF_PIXEL                left[WF_SIDE], right[WF_SIDE], top[WF_SIDE], bottom[WF_SIDE];
  guint64                 at_top, at_bottom, at_left, at_right;

  WF_NAME (look_around) (store, tile, &around);
  at_left  = WF_NAME (raise_line) (around.left, diagonal,
                                   LEFT_COLUMN (store->mask_columns, tile->index),
                                   LEFT_COLUMN (store->columns, tile->index), left);
  at_right = WF_NAME (raise_line) (around.right, diagonal,
                                   RIGHT_COLUMN (store->mask_columns, tile->index),
                                   RIGHT_COLUMN (store->columns, tile->index), right);
  WF_NAME (load_row) (store->mask, tile->x, tile->y, tile->width, store->flip, mask);
  at_top = WF_NAME (raise_line) (around.top, diagonal, mask, square, top);
  WF_NAME (load_row) (store->mask, tile->x, tile->y + last_row, tile->width, store->flip, mask);
  at_bottom = WF_NAME (raise_line) (around.bottom, diagonal, mask, bottom_row, bottom);

  /* A pixel may lie at two borders, or at opposite borders of a thin tile. */
  if (at_top)
    for (int x = 0; x < WF_SIDE; x++)
      square[x] = MAX (square[x], top[x]);
  if (at_bottom)
    for (int x = 0; x < WF_SIDE; x++)
      bottom_row[x] = MAX (bottom_row[x], bottom[x]);
  for (guint64 rows = at_left; rows; rows &= rows - 1)
    {
      int y = __builtin_ctzll (rows);

      square[y * WF_SIDE] = MAX (square[y * WF_SIDE], left[y]);
    }
  for (guint64 rows = at_right; rows; rows &= rows - 1)
    {
      int y = __builtin_ctzll (rows);

      square[y * WF_SIDE + last_column] = MAX (square[y * WF_SIDE + last_column], right[y]);
    }

  return (WF_NAME (Dirty)) {
    at_left | at_right | (at_top != 0) | (guint64) (at_bottom != 0) << last_row,
    at_top | at_bottom | (at_left != 0) | (guint64) (at_right != 0) << last_column
  };
}

/* The highest level to which @line can raise a pixel of the line beside it, in the
 * neighbour; WF_LEAST if it can raise none.
 */
static inline WF_PIXEL
WF_NAME (level_beyond) (const WF_PIXEL *line,
                        gboolean        diagonal,
                        const WF_PIXEL *mask,
                        const WF_PIXEL *beyond)
{
  WF_PIXEL halo[WF_SIDE + 2];
  WF_PIXEL reach[WF_SIDE];
  WF_PIXEL highest = WF_LEAST;

  halo[0] = halo[WF_SIDE + 1] = WF_LEAST;
  memcpy (halo + 1, line, WF_SIDE * sizeof (WF_PIXEL));
  WF_NAME (spread) (halo, diagonal, reach);
  for (int i = 0; i < WF_SIDE; i++)
    {
      WF_PIXEL level = MIN (reach[i], mask[i]);

      level   = level > beyond[i] ? level : WF_LEAST;
      highest = MAX (highest, level);
    }
  return highest;
}

/* The same for the tile's first or last row and the neighbour above or below. */
static WF_PIXEL
WF_NAME (level_beyond_row) (const WfTileStore     *store,
                            const WF_NAME (Tile)  *tile,
                            const WF_PIXEL        *row,
                            int                    dy)
{
  const gint64          neighbour = tile->index + dy * store->across;
  const WF_NAME (Tile)  other     = WF_NAME (locate) (store, neighbour);
  const gint64          y         = dy < 0 ? other.height - 1 : 0;
  WF_PIXEL              mask[WF_SIDE];

  WF_NAME (load_row) (store->mask, other.x, other.y + y, other.width, store->flip, mask);
  return WF_NAME (level_beyond) (row, store->diagonal, mask,
                                 SQUARE (store, neighbour) + y * WF_SIDE);
}

static WF_PIXEL
WF_NAME (level_beyond_corner) (const WfTileStore     *store,
                               const WF_NAME (Tile)  *tile,
                               const WF_PIXEL        *square,
                               int                    dx,
                               int                    dy)
{
  const gint64          neighbour = tile->index + dy * store->across + dx;
  const WF_NAME (Tile)  other     = WF_NAME (locate) (store, neighbour);
  const gint64          x         = dx < 0 ? other.width - 1 : 0;
  const gint64          y         = dy < 0 ? other.height - 1 : 0;
  const WF_PIXEL        own       = square[(dy < 0 ? 0 : tile->height - 1) * WF_SIDE
                                           + (dx < 0 ? 0 : tile->width - 1)];
  const WF_PIXEL       *mask      = store->mask->data;
  const WF_PIXEL        limit     = WF_NAME (turn) (mask[(other.y + y) * store->mask->row_stride
                                                         + other.x + x], store->flip);
  const WF_PIXEL        level     = MIN (own, limit);

  return level > SQUARE (store, neighbour)[y * WF_SIDE + x] ? level : WF_LEAST;
}

/* The urgency of a level: an integer in the same order. */
static inline guint32
WF_NAME (urgency) (WF_PIXEL level)
{
#if WF_BITS == 32
  return wf_ordered_bits (level);
#else
  return level;
#endif
}

static inline void
WF_NAME (note) (WfReach  *reach,
                int       dx,
                int       dy,
                WF_PIXEL  level)
{
  if (level > WF_LEAST)
    wf_reach_add (reach, wf_direction (dx, dy, 0), WF_NAME (urgency) (level));
}

static void
WF_NAME (find_reach) (const WfTileStore     *store,
                      const WF_NAME (Tile)  *tile,
                      const WF_PIXEL        *square,
                      WfReach               *reach)
{
  const gint64    i      = tile->index;
  const gint64    tx     = tile->tx;
  const gint64    ty     = tile->ty;
  const WF_PIXEL *bottom = square + (tile->height - 1) * WF_SIDE;

  if (wf_tile_has (store, tx, ty - 1))
    WF_NAME (note) (reach, 0, -1, WF_NAME (level_beyond_row) (store, tile, square, -1));
  if (wf_tile_has (store, tx, ty + 1))
    WF_NAME (note) (reach, 0, 1, WF_NAME (level_beyond_row) (store, tile, bottom, 1));
  if (wf_tile_has (store, tx - 1, ty))
    WF_NAME (note) (reach, -1, 0,
                    WF_NAME (level_beyond) (LEFT_COLUMN (store->columns, i), store->diagonal,
                                            RIGHT_COLUMN (store->mask_columns, i - 1),
                                            RIGHT_COLUMN (store->columns, i - 1)));
  if (wf_tile_has (store, tx + 1, ty))
    WF_NAME (note) (reach, 1, 0,
                    WF_NAME (level_beyond) (RIGHT_COLUMN (store->columns, i), store->diagonal,
                                            LEFT_COLUMN (store->mask_columns, i + 1),
                                            LEFT_COLUMN (store->columns, i + 1)));
  if (! store->diagonal)
    return;

  for (int dy = -1; dy <= 1; dy += 2)
    for (int dx = -1; dx <= 1; dx += 2)
      if (wf_tile_has (store, tx + dx, ty + dy))
        WF_NAME (note) (reach, dx, dy,
                        WF_NAME (level_beyond_corner) (store, tile, square, dx, dy));
}


/*  A visit  */

/* Sweeps along columns and along rows alternately until nothing changes. */
static void
WF_NAME (settle) (const WfTileStore    *store,
                  const WfTileScratch  *scratch,
                  WF_PIXEL             *square,
                  WF_NAME (Dirty)       dirty)
{
  WF_PIXEL *mask       = scratch->mask;
  WF_PIXEL *turned     = scratch->result_transposed;
  gboolean  has_turned = FALSE;     /* whether the mask has been transposed */
  gboolean  is_turned  = FALSE;     /* whether the transposed result is the current one */
  guint64   lanes;

  while (dirty.rows || dirty.columns)
    {
      if (dirty.rows)
        {
          if (is_turned)
            WF_NAME (transpose) (turned, square);
          is_turned      = FALSE;
          dirty.rows     = WF_NAME (sweep) (square, mask, dirty.rows, &lanes, store->diagonal);
          dirty.columns |= lanes;
        }
      if (dirty.columns)
        {
          if (! has_turned)
            WF_NAME (transpose) (mask, scratch->mask_transposed);
          if (! is_turned)
            WF_NAME (transpose) (square, turned);
          has_turned    = TRUE;
          is_turned     = TRUE;
          dirty.columns = WF_NAME (sweep) (turned, scratch->mask_transposed, dirty.columns,
                                           &lanes, store->diagonal);
          dirty.rows   |= lanes;
        }
    }
  if (is_turned)
    WF_NAME (transpose) (turned, square);
}

static gboolean
WF_NAME (visit) (const WfTileStore   *store,
                 const WfTileScratch *scratch,
                 gint64               index,
                 gboolean             first,
                 WfReach             *reach)
{
  const WF_NAME (Tile)  tile   = WF_NAME (locate) (store, index);
  WF_PIXEL             *square = SQUARE (store, index);
  WF_NAME (Dirty)       dirty;

  if (first && ! WF_NAME (load) (store, &tile, scratch->mask))
    return FALSE;
  dirty = WF_NAME (take_in) (store, &tile, square);
  if (first)
    dirty.rows = dirty.columns = G_MAXUINT64;
  else if (! dirty.rows && ! dirty.columns)
    return TRUE;
  else
    WF_NAME (load_mask) (store, &tile, scratch->mask);

  WF_NAME (settle) (store, scratch, square, dirty);
  WF_NAME (copy_columns) (square, &tile, store->columns);
  WF_NAME (find_reach) (store, &tile, square, reach);
  return TRUE;
}

#undef SQUARE
#undef LEFT_COLUMN
#undef RIGHT_COLUMN
#undef WF_PIXEL
#undef WF_BITS
#undef WF_LEAST
#undef WF_ZERO
#undef WF_FLIP
#undef WF_NAME

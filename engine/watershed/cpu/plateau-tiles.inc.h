/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 in one tile, for one type of L1, WF_PIXEL, and one of L2, WF_L2 with WF_UNREACHED and
 * WF_OUTSIDE; named by WF_NAME().  WF_OF_L2() names what depends on L2 alone
 * (plateau-sweep.inc.h).
 */

#define Square WF_OF_L2 (Square)
#define Border WF_OF_L2 (Border)

/* A row of walls between two rows of pixels. */
static inline void
WF_NAME (build_row) (const WF_PIXEL *here,
                     const WF_PIXEL *beside,
                     int             n,
                     WF_L2          *walls)
{
  if (n == WF_SIDE)
    for (int x = 0; x < WF_SIDE; x++)
      walls[x] = here[x] == beside[x] ? 0 : WF_UNREACHED;
  else
    for (int x = 0; x < n; x++)
      walls[x] = here[x] == beside[x] ? 0 : WF_UNREACHED;
}

/* All walls inside the tile; those at its border are closed. */
static void
WF_NAME (build_walls) (const WfPlateauImage *image,
                       const WfBox          *tile,
                       Square               *square)
{
  const gint64 width  = tile->x1 - tile->x0;
  const gint64 height = tile->y1 - tile->y0;

  memset (square->above, 0xff, sizeof square->above);
  memset (square->left, 0xff, sizeof square->left);
  if (image->diagonal)
    {
      memset (square->above_left, 0xff, sizeof square->above_left);
      memset (square->above_right, 0xff, sizeof square->above_right);
    }
  for (gint64 y = 0; y < height; y++)
    {
      const WF_PIXEL *here  = (const WF_PIXEL *) image->level
                              + (tile->y0 + y) * image->shape.width + tile->x0;
      const WF_PIXEL *above = here - image->shape.width;
      const gint64    row   = y * WF_SIDE;

      WF_NAME (build_row) (here + 1, here, width - 1, square->left + row + 1);
      if (y == 0)
        continue;
      WF_NAME (build_row) (here, above, width, square->above + row);
      if (image->diagonal)
        {
          WF_NAME (build_row) (here + 1, above, width - 1, square->above_left + row + 1);
          WF_NAME (build_row) (here, above + 1, width - 1, square->above_right + row);
        }
    }
}

static void
WF_NAME (load) (const WfPlateauImage *image,
                const WfBox          *tile,
                Square               *square)
{
  const gint64 width  = tile->x1 - tile->x0;
  const gint64 height = tile->y1 - tile->y0;

  if (width < WF_SIDE || height < WF_SIDE)
    memset (square->square, 0xff, sizeof square->square);
  for (gint64 y = 0; y < height; y++)
    memcpy (square->square + y * WF_SIDE,
            (const WF_L2 *) image->plateau + (tile->y0 + y) * image->shape.width + tile->x0,
            width * sizeof (WF_L2));
}

/* Writes the tile back; returns FALSE if a distance does not fit. */
static gboolean
WF_NAME (store) (const WfPlateauImage *image,
                 const WfBox          *tile,
                 const Square         *square)
{
  const gint64 width    = tile->x1 - tile->x0;
  const gint64 height   = tile->y1 - tile->y0;
  WF_L2        too_wide = FALSE;

  for (gint64 y = 0; y < height; y++)
    memcpy ((WF_L2 *) image->plateau + (tile->y0 + y) * image->shape.width + tile->x0,
            square->square + y * WF_SIDE, width * sizeof (WF_L2));
  for (int i = 0; i < N_PIXELS; i++)
    too_wide |= square->square[i] == WF_OUTSIDE;
  return ! too_wide;
}

/* Opens a line of @n pixels, @along apart, from pixel @p on; the line beside it is @beside away and
 * has pixels from number @start to @end in the image.
 */
static inline __attribute__ ((always_inline)) void
WF_NAME (open_line) (const WfPlateauImage *image,
                     gint64                p,
                     gint64                along,
                     gint64                beside,
                     int                   n,
                     int                   start,
                     int                   end,
                     Border               *border)
{
  const WF_PIXEL *level   = (const WF_PIXEL *) image->level + p;
  const WF_L2    *plateau = (const WF_L2 *) image->plateau + p;

  memset (border, 0xff, sizeof *border);
  border->n = n;
  for (int i = 0; i < n; i++)
    border->own[i] = plateau[i * along];
  for (int i = start; i < end; i++)
    border->halo[i + 1] = plateau[beside + i * along];
  for (int d = image->diagonal ? -1 : 0; d <= (image->diagonal ? 1 : 0); d++)
    for (int i = MAX (0, start - d); i < MIN (n, end - d); i++)
      border->walls[d + 1][i] = level[i * along] == level[beside + (i + d) * along]
                                ? 0 : WF_UNREACHED;
}

/* The line above or below the tile, with the corners. */
static void
WF_NAME (open_row) (const WfPlateauImage *image,
                    const WfBox          *tile,
                    int                   dy,
                    Border               *border)
{
  const WfShape *shape = &image->shape;
  const gint64   y     = dy < 0 ? tile->y0 : tile->y1 - 1;
  const int      width = tile->x1 - tile->x0;

  border->n = 0;
  if (y + dy >= 0 && y + dy < shape->height)
    WF_NAME (open_line) (image, y * shape->width + tile->x0, 1, dy * shape->width, width,
                         tile->x0 > 0 ? -1 : 0, tile->x1 < shape->width ? width + 1 : width,
                         border);
}

/* The line left or right of the tile, without corners. */
static void
WF_NAME (open_column) (const WfPlateauImage *image,
                       const WfBox          *tile,
                       int                   dx,
                       Border               *border)
{
  const WfShape *shape  = &image->shape;
  const gint64   x      = dx < 0 ? tile->x0 : tile->x1 - 1;
  const int      height = tile->y1 - tile->y0;

  border->n = 0;
  if (x + dx >= 0 && x + dx < shape->width)
    WF_NAME (open_line) (image, tile->y0 * shape->width + x, shape->width, dx, height, 0, height,
                         border);
}

typedef struct
{
  Border top, bottom, left, right;
} WF_NAME (Borders);

static void
WF_NAME (open_borders) (const WfPlateauImage *image,
                        const WfBox          *tile,
                        WF_NAME (Borders)    *borders)
{
  WF_NAME (open_row) (image, tile, -1, &borders->top);
  WF_NAME (open_row) (image, tile, 1, &borders->bottom);
  WF_NAME (open_column) (image, tile, -1, &borders->left);
  WF_NAME (open_column) (image, tile, 1, &borders->right);
}

/* A pixel may lie in two lines. */
static void
WF_NAME (lower) (Square       *square,
                 const Border *border,
                 guint64       pixels,
                 gint64        first,
                 gint64        along)
{
  for (; pixels; pixels &= pixels - 1)
    {
      const int i     = __builtin_ctzll (pixels);
      WF_L2    *pixel = square->square + first + i * along;

      *pixel = MIN (*pixel, border->own[i]);
    }
}

/* Takes in what lies around the tile. */
static Dirty
WF_NAME (take_in_borders) (const WfPlateauImage *image,
                           const WfBox          *tile,
                           WF_NAME (Borders)    *borders,
                           Square               *square)
{
  const gint64  last_row    = tile->y1 - tile->y0 - 1;
  const gint64  last_column = tile->x1 - tile->x0 - 1;
  const guint64 top         = WF_OF_L2 (take_in) (&borders->top, image->diagonal);
  const guint64 bottom      = WF_OF_L2 (take_in) (&borders->bottom, image->diagonal);
  const guint64 left        = WF_OF_L2 (take_in) (&borders->left, image->diagonal);
  const guint64 right       = WF_OF_L2 (take_in) (&borders->right, image->diagonal);

  WF_NAME (lower) (square, &borders->top, top, 0, 1);
  WF_NAME (lower) (square, &borders->bottom, bottom, last_row * WF_SIDE, 1);
  WF_NAME (lower) (square, &borders->left, left, 0, WF_SIDE);
  WF_NAME (lower) (square, &borders->right, right, last_column, WF_SIDE);
  return (Dirty) {
    left | right | (top != 0) | (guint64) (bottom != 0) << last_row,
    top | bottom | (left != 0) | (guint64) (right != 0) << last_column
  };
}

/* The lines of the border after the visit. */
static void
WF_NAME (close_borders) (const WfBox       *tile,
                         const Square      *square,
                         WF_NAME (Borders) *borders)
{
  const gint64  height = tile->y1 - tile->y0;
  const gint64  width  = tile->x1 - tile->x0;
  const WF_L2  *bottom = square->square + (height - 1) * WF_SIDE;

  memcpy (borders->top.own, square->square, sizeof borders->top.own);
  memcpy (borders->bottom.own, bottom, sizeof borders->bottom.own);
  for (int y = 0; y < WF_SIDE; y++)
    {
      borders->left.own[y]  = square->square[y * WF_SIDE];
      borders->right.own[y] = square->square[y * WF_SIDE + width - 1];
    }
}

static void
WF_NAME (add_row_reach) (const Border *border,
                         int           dy,
                         WfReach      *reach)
{
  const int n = border->n;

  if (n == 0)
    return;
  WF_OF_L2 (add_reach) (border, 0, 0, 1, wf_direction (-1, dy, 0), reach);
  WF_OF_L2 (add_reach) (border, 0, 1, n, wf_direction (0, dy, 0), reach);
  WF_OF_L2 (add_reach) (border, 1, 0, n, wf_direction (0, dy, 0), reach);
  WF_OF_L2 (add_reach) (border, 2, 0, n - 1, wf_direction (0, dy, 0), reach);
  WF_OF_L2 (add_reach) (border, 2, n - 1, n, wf_direction (1, dy, 0), reach);
}

static void
WF_NAME (add_column_reach) (const Border *border,
                            int           dx,
                            WfReach      *reach)
{
  for (int neighbour = 0; neighbour < 3; neighbour++)
    WF_OF_L2 (add_reach) (border, neighbour, 0, border->n, wf_direction (dx, 0, 0), reach);
}

/* Whether a tile has both distances and unreached pixels. */
static gboolean
WF_NAME (is_open) (const Square *square)
{
  WF_L2 all  = WF_UNREACHED;
  WF_L2 most = 0;

  for (int i = 0; i < N_PIXELS; i++)
    {
      all  &= square->square[i];
      most |= square->square[i];
    }
  return all != WF_UNREACHED && most == WF_UNREACHED;
}

/* Whether a tile has distances that bytes do not hold. */
static gboolean
WF_NAME (is_resumed) (const Square *square)
{
  WF_L2 any = FALSE;

  for (int i = 0; i < N_PIXELS; i++)
    any |= square->square[i] == WF_OUTSIDE_NARROW;
  return any;
}

static gboolean
WF_NAME (visit) (const WfPlateauImage *image,
                 const WfBox          *tile,
                 gboolean              first,
                 WfReach              *reach)
{
  Square            square;
  WF_NAME (Borders) borders;
  Dirty             dirty;
  gboolean          fits = TRUE;

  WF_NAME (load) (image, tile, &square);
  WF_NAME (open_borders) (image, tile, &borders);
  dirty = WF_NAME (take_in_borders) (image, tile, &borders, &square);
  if (first && (image->resumed ? WF_NAME (is_resumed) (&square) : WF_NAME (is_open) (&square)))
    dirty.rows = dirty.columns = G_MAXUINT64;
  else if (! first && ! dirty.rows)
    return TRUE;

  if (dirty.rows)
    {
      WF_NAME (build_walls) (image, tile, &square);
      WF_OF_L2 (settle) (&square, dirty, image->diagonal);
      fits = WF_NAME (store) (image, tile, &square);
      WF_NAME (close_borders) (tile, &square, &borders);
    }
  WF_NAME (add_row_reach) (&borders.top, -1, reach);
  WF_NAME (add_row_reach) (&borders.bottom, 1, reach);
  WF_NAME (add_column_reach) (&borders.left, -1, reach);
  WF_NAME (add_column_reach) (&borders.right, 1, reach);
  return fits;
}

#undef Square
#undef Border
#undef WF_PIXEL
#undef WF_L2
#undef WF_UNREACHED
#undef WF_OUTSIDE
#undef WF_OF_L2
#undef WF_NAME

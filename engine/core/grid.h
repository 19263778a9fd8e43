/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The grid of pixels: neighbourhoods, and boxes of pixels.
 *
 * Neighbours are listed in raster order, so the first half of the list comes
 * before the pixel in that order and the second half after it.
 */

#pragma once

#include "image.h"

#define WF_MAX_NEIGHBOURS 26

typedef struct
{
  gint8  dx[WF_MAX_NEIGHBOURS];
  gint8  dy[WF_MAX_NEIGHBOURS];
  gint8  dz[WF_MAX_NEIGHBOURS];
  gint64 step[WF_MAX_NEIGHBOURS];   /* in linear indices */
  int    n;                         /* 4, 8, 6 or 26 */
} WfNeighbourhood;

/**
 * WfBox:
 *
 * The pixels from (x0, y0, z0) up to but without (x1, y1, z1).
 */
typedef struct
{
  gint64 x0, y0, z0;
  gint64 x1, y1, z1;
} WfBox;

typedef struct
{
  gint64 x, y, z;
} WfPoint;

static inline void
wf_neighbourhood_init (WfNeighbourhood *neighbours,
                       int              connectivity,
                       const WfShape   *shape)
{
  gboolean stack = wf_is_stack_connectivity (connectivity);
  gboolean faces = connectivity == 4 || connectivity == 6;

  neighbours->n = 0;
  for (int dz = stack ? -1 : 0; dz <= (stack ? 1 : 0); dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        {
          int distance = ABS (dx) + ABS (dy) + ABS (dz);
          int i        = neighbours->n;

          if (distance == 0 || (faces && distance > 1))
            continue;
          neighbours->dx[i]   = dx;
          neighbours->dy[i]   = dy;
          neighbours->dz[i]   = dz;
          neighbours->step[i] = (dz * shape->height + dy) * shape->width + dx;
          neighbours->n++;
        }
}

static inline WfPoint
wf_point_of_index (gint64         index,
                   const WfShape *shape)
{
  gint64  row   = index / shape->width;
  WfPoint point = { index - row * shape->width, row, 0 };

  if (shape->depth > 1)
    {
      point.z = row / shape->height;
      point.y = row - point.z * shape->height;
    }
  return point;
}

static inline gint64
wf_index_of_point (WfPoint        point,
                   const WfShape *shape)
{
  return (point.z * shape->height + point.y) * shape->width + point.x;
}

/* Whether every neighbour of @point lies in @box; @stack: there are some along z. */
static inline gboolean
wf_point_is_inner (WfPoint      point,
                   const WfBox *box,
                   gboolean     stack)
{
  return point.x > box->x0 && point.x < box->x1 - 1 &&
         point.y > box->y0 && point.y < box->y1 - 1 &&
         (! stack || (point.z > box->z0 && point.z < box->z1 - 1));
}

static inline gboolean
wf_box_holds (const WfBox *box,
              WfPoint      point,
              int          dx,
              int          dy,
              int          dz)
{
  return point.x + dx >= box->x0 && point.x + dx < box->x1 &&
         point.y + dy >= box->y0 && point.y + dy < box->y1 &&
         point.z + dz >= box->z0 && point.z + dz < box->z1;
}

static inline WfBox
wf_shape_box (const WfShape *shape)
{
  return (WfBox) { 0, 0, 0, shape->width, shape->height, shape->depth };
}


/*  Tiles  */

/**
 * WfTileGrid:
 *
 * The tiles of @side pixels that @box is divided into, those at its far sides
 * smaller; @across × @down × @deep of them, numbered in raster order.
 */
typedef struct
{
  WfBox  box;
  gint64 side;
  gint64 across;
  gint64 down;
  gint64 deep;
} WfTileGrid;

static inline WfTileGrid
wf_tile_grid (const WfBox *box,
              gint64       side)
{
  return (WfTileGrid) {
    *box, side,
    (box->x1 - box->x0 + side - 1) / side,
    (box->y1 - box->y0 + side - 1) / side,
    (box->z1 - box->z0 + side - 1) / side,
  };
}

static inline gint64
wf_tile_grid_n_tiles (const WfTileGrid *grid)
{
  return grid->across * grid->down * grid->deep;
}

/* Where a tile stands among the others. */
static inline WfPoint
wf_tile_grid_place (const WfTileGrid *grid,
                    gint64            tile)
{
  const gint64 row = tile / grid->across;

  return (WfPoint) { tile - row * grid->across, row % grid->down, row / grid->down };
}

static inline gint64
wf_tile_grid_index (const WfTileGrid *grid,
                    WfPoint           place)
{
  return (place.z * grid->down + place.y) * grid->across + place.x;
}

static inline gboolean
wf_tile_grid_holds (const WfTileGrid *grid,
                    WfPoint           place)
{
  return place.x >= 0 && place.x < grid->across && place.y >= 0 && place.y < grid->down &&
         place.z >= 0 && place.z < grid->deep;
}

/* The places of a tile and its neighbours. */
static inline WfBox
wf_tile_grid_around (const WfTileGrid *grid,
                     gint64            tile)
{
  const WfPoint at = wf_tile_grid_place (grid, tile);

  return (WfBox) {
    MAX (at.x - 1, 0), MAX (at.y - 1, 0), MAX (at.z - 1, 0),
    MIN (at.x + 2, grid->across), MIN (at.y + 2, grid->down), MIN (at.z + 2, grid->deep),
  };
}

static inline WfBox
wf_tile_grid_box (const WfTileGrid *grid,
                  gint64            tile)
{
  const WfPoint place = wf_tile_grid_place (grid, tile);
  const gint64  x     = grid->box.x0 + place.x * grid->side;
  const gint64  y     = grid->box.y0 + place.y * grid->side;
  const gint64  z     = grid->box.z0 + place.z * grid->side;

  return (WfBox) {
    x, y, z,
    MIN (x + grid->side, grid->box.x1),
    MIN (y + grid->side, grid->box.y1),
    MIN (z + grid->side, grid->box.z1),
  };
}

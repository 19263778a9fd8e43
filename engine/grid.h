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
  gboolean stack = connectivity == 6 || connectivity == 26;
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

/* Whether every pixel of @box is at least one pixel away from the image's border
 * along each axis that has neighbours.
 */
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

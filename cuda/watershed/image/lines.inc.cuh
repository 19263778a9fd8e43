/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of the watershed on a GPU: a pixel is on a line if a neighbour in another basin comes
 * before it in the order (not a marker, L1, L2, index).
 *
 * Bytes a pixel: 4 of the basins, and 4 written; levels and L2, 4 bytes, are read only beside other
 * basins.
 */

#pragma once

#include "plateaux.inc.cuh"

namespace image_flood
{

template <int N, typename Pixel>
struct WfOrder
{
  typedef WfTile<N> Tile;

  WfTiling       tiling;
  const Pixel   *level;
  WfPlanes<N>    planes;
  const guint32 *depths;    /* by tiles */

  /* Returns whether q, at @beside, comes before p, pixel @i of the tile. */
  __device__ bool
  is_before (guint32         tile,
             int             i,
             const WfBeside &beside,
             gint64          p,
             gint64          q) const
  {
    const bool p_is_root = planes.bit (tile, WfPlanes<N>::ROOT, i);
    const bool q_is_root = planes.bit (beside.tile, WfPlanes<N>::ROOT, beside.i);

    if (p_is_root != q_is_root)
      return q_is_root;
    if (level[p] != level[q])
      return level[q] < level[p];

    const guint32 p_depth = depths[(gint64) tile * WF_TILE_PIXELS + i];
    const guint32 q_depth = depths[(gint64) beside.tile * WF_TILE_PIXELS + beside.i];

    return q_depth < p_depth || (q_depth == p_depth && q < p);
  }
};

/* One block a tile. */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
draw_lines (WfOrder<N, Pixel>  order,
            const guint32     *basins,
            guint32           *labels)
{
  typedef WfTile<N>       Tile;
  typedef WfDirections<N> To;

  const WfTiling &tiling = order.tiling;
  const guint32   tile   = blockIdx.x;
  const WfPlace   place  = wf_tile_place<N> (tiling, tile);

  for (int i = threadIdx.x; i < WF_TILE_PIXELS; i += WF_TILE_THREADS)
    {
      const gint64 p    = wf_pixel_index<N> (tiling, place, i);
      bool         line = false;
      guint32      own;

      if (p < 0)
        continue;
      own = basins[p];
      for (int d = 0; d < N && ! line; d++)
        {
          const gint64 x = place.x + Tile::x (i) + To::dx (d);
          const gint64 y = place.y + Tile::y (i) + To::dy (d);
          const gint64 q = y * tiling.width + x;

          if (x >= 0 && x < tiling.width && y >= 0 && y < tiling.height && basins[q] != own)
            line = order.is_before (tile, i, wf_beside<N> (tiling, tile, i, d), p, q);
        }
      labels[p] = line ? 0 : own;
    }
}

} /* namespace image_flood */

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The borders of tiles, which neighbouring tiles read as their halos.
 *
 * A lane holds one or two pixels of each of the four sides: of the top and the bottom those of a
 * word of the tile's first or last row, of the left and the right those of rows @lane and
 * @lane + 32.  For comparisons bytes are doubled to 16-bit numbers (WfTileFormat::side).
 */

#pragma once

#include "sweeps.inc.cuh"
#include "cuda/reconstruction/worklist.cuh"

namespace image_tiles
{

/* A lane's part of the four sides of a border or halo. */
struct Sides
{
  guint32 side[WF_N_SIDES];
};

/* The tiles around one, -1 where there is none: by side, then the corners from the
 * upper left to the lower right.
 */
struct Neighbours
{
  int at_side[WF_N_SIDES];
  int at_corner;                /* lane 0 to 3: its corner's; else -1 */
};

template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Side
read_side (const typename WfTileFormat<Pixel>::Side *borders,
           int                                       tile,
           int                                       side,
           int                                       lane)
{
  return __ldcg (borders + ((gint64) tile * WF_N_SIDES + side) * 32 + lane);
}

__device__ __forceinline__ Neighbours
find_neighbours (int       tile,
                 WfDivisor rows,
                 int       n_across,
                 int       n_down,
                 int       lane)
{
  const int  y    = wf_divide (tile, rows);
  const int  x    = tile - y * n_across;
  const bool up   = lane < 2 ? y > 0 : y + 1 < n_down;
  const bool side = lane % 2 == 0 ? x > 0 : x + 1 < n_across;
  Neighbours found;

  found.at_side[WF_TOP]    = y > 0 ? tile - n_across : -1;
  found.at_side[WF_BOTTOM] = y + 1 < n_down ? tile + n_across : -1;
  found.at_side[WF_LEFT]   = x > 0 ? tile - 1 : -1;
  found.at_side[WF_RIGHT]  = x + 1 < n_across ? tile + 1 : -1;
  found.at_corner          = lane < 4 && up && side
                             ? tile + (lane < 2 ? -n_across : n_across) + (lane % 2 ? 1 : -1)
                             : -1;
  return found;
}

/**
 * StoredHalo:
 * @side: of the neighbours the sides that touch a tile, as they are stored; 0 where there is none
 * @corner: lane 0 to 3: what holds the pixel of its corner's tile that touches the tile
 *
 * All of it is read before any of it is needed, so that the latencies of the reads overlap.
 */
template <typename Pixel>
struct StoredHalo
{
  typename WfTileFormat<Pixel>::Side side[WF_N_SIDES];
  typename WfTileFormat<Pixel>::Side corner;
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ StoredHalo<Pixel>
read_halo (const typename WfTileFormat<Pixel>::Side *borders,
           const Neighbours                         &neighbours,
           int                                       lane)
{
  StoredHalo<Pixel> halo;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    halo.side[i] = neighbours.at_side[i] < 0
                   ? 0 : read_side<Pixel> (borders, neighbours.at_side[i], i ^ 1, lane);
  halo.corner = CONNECTIVITY == 4 || neighbours.at_corner < 0
                ? 0 : read_side<Pixel> (borders, neighbours.at_corner,
                                        lane < 2 ? WF_BOTTOM : WF_TOP, lane % 2 == 0 ? 31 : 0);
  return halo;
}

template <typename Pixel>
__device__ __forceinline__ Sides
restored_sides (const typename WfTileFormat<Pixel>::Side stored[WF_N_SIDES])
{
  Sides sides;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    sides.side[i] = WfTileFormat<Pixel>::restored (stored[i]);
  return sides;
}

/* The pixel at a lane's corner. */
template <typename Pixel>
__device__ __forceinline__ guint32
corner_of_halo (const StoredHalo<Pixel> &halo,
                int                      lane)
{
  return lane % 2 == 0 ? WfTileFormat<Pixel>::last_pixel (halo.corner)
                       : WfTileFormat<Pixel>::first_pixel (halo.corner);
}

/* The largest of each pixel of a side and those beside it along the side; @before and @behind
 * are the pixels beyond its ends.
 */
template <typename Pixel, int CONNECTIVITY, int SIDE>
__device__ __forceinline__ guint32
spread_side (guint32 side,
             guint32 before,
             guint32 behind,
             int     lane)
{
  typedef WfTileFormat<Pixel> Format;

  if (CONNECTIVITY == 4)
    return side;

  if (sizeof (Pixel) == 1 && (SIDE == WF_TOP || SIDE == WF_BOTTOM))
    {
      const guint32 left   = __shfl_up_sync (WF_ALL_LANES, side, 1);
      const guint32 right  = __shfl_down_sync (WF_ALL_LANES, side, 1);
      guint32       beside = __byte_perm (left, right, 0x5432);

      if (lane == 0)
        beside = __byte_perm (before, beside, 0x7610);
      if (lane == 31)
        beside = __byte_perm (beside, behind, 0x5410);
      return Format::max (Format::max (side, __byte_perm (side, 0, 0x1032)), beside);
    }

  guint32 left  = __shfl_sync (WF_ALL_LANES, side, (lane - 1) & 31);
  guint32 right = __shfl_sync (WF_ALL_LANES, side, (lane + 1) & 31);

  if (lane == 0)
    left = Format::template is_double<SIDE> () ? __byte_perm (before, left, 0x5410) : before;
  if (lane == 31)
    right = Format::template is_double<SIDE> () ? __byte_perm (right, behind, 0x5432) : behind;
  return Format::max (side, Format::max (left, right));
}

/* The level to which the halo can raise each pixel of the border, before the mask. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Sides
spread_halo (const Sides &halo,
             guint32      corner,
             int          lane)
{
  guint32 corners[4] = { 0, 0, 0, 0 };
  Sides   offer;

  if (CONNECTIVITY == 8)
#pragma unroll
    for (int i = 0; i < 4; i++)
      corners[i] = __shfl_sync (WF_ALL_LANES, corner, i);

  offer.side[WF_TOP]    = spread_side<Pixel, CONNECTIVITY, WF_TOP>
                            (halo.side[WF_TOP], corners[0], corners[1], lane);
  offer.side[WF_BOTTOM] = spread_side<Pixel, CONNECTIVITY, WF_BOTTOM>
                            (halo.side[WF_BOTTOM], corners[2], corners[3], lane);
  offer.side[WF_LEFT]   = spread_side<Pixel, CONNECTIVITY, WF_LEFT>
                            (halo.side[WF_LEFT], corners[0], corners[2], lane);
  offer.side[WF_RIGHT]  = spread_side<Pixel, CONNECTIVITY, WF_RIGHT>
                            (halo.side[WF_RIGHT], corners[1], corners[3], lane);
  return offer;
}

/* Where a lane's word of a side lies in the tile. */
template <int SIDE>
__device__ __forceinline__ int
side_word (int lane)
{
  return SIDE == WF_TOP ? lane :
         SIDE == WF_BOTTOM ? (WF_TILE_WORDS - 1) * PITCH + lane :
         SIDE == WF_LEFT ? lane * PITCH : lane * PITCH + WF_TILE_WORDS - 1;
}

/* Returns the lanes whose words changed. */
template <typename Pixel, int SIDE>
__device__ __forceinline__ guint32
merge_side (guint32       *marker,
            const guint32 *mask,
            guint32        offer,
            int            lane)
{
  typedef WfTileFormat<Pixel> Format;

  const int     at    = side_word<SIDE> (lane);
  const guint32 word  = marker[at];
  const guint32 limit = Format::template side<SIDE> (mask[at]);
  const guint32 own   = Format::template side<SIDE> (word);

  const guint32 risen = Format::template with_side<SIDE> (word,
                                                          Format::min (limit,
                                                                       Format::max (own, offer)));

  marker[at] = risen;
  return __ballot_sync (WF_ALL_LANES, risen != word);
}

/* @rows and @columns of words that changed are added. */
template <typename Pixel>
__device__ __forceinline__ void
merge_offers (guint32       *marker,
              const guint32 *mask,
              const Sides   &offer,
              int            lane,
              guint32       *rows,
              guint32       *columns)
{
  const guint32 top    = merge_side<Pixel, WF_TOP> (marker, mask, offer.side[WF_TOP], lane);
  const guint32 bottom = merge_side<Pixel, WF_BOTTOM> (marker, mask, offer.side[WF_BOTTOM],
                                                       lane);

  __syncwarp ();

  const guint32 left  = merge_side<Pixel, WF_LEFT> (marker, mask, offer.side[WF_LEFT], lane);
  const guint32 right = merge_side<Pixel, WF_RIGHT> (marker, mask, offer.side[WF_RIGHT], lane);

  __syncwarp ();
  *rows    |= left | right | (top ? FIRST_WORD : 0) | (bottom ? LAST_WORD : 0);
  *columns |= top | bottom | (left ? FIRST_WORD : 0) | (right ? LAST_WORD : 0);
}

template <typename Pixel>
__device__ __forceinline__ Sides
border_of_tile (const guint32 *words,
                int            lane)
{
  typedef WfTileFormat<Pixel> Format;
  Sides borders;

  borders.side[WF_TOP]    = Format::template side<WF_TOP> (words[side_word<WF_TOP> (lane)]);
  borders.side[WF_BOTTOM] = Format::template side<WF_BOTTOM> (words[side_word<WF_BOTTOM> (lane)]);
  borders.side[WF_LEFT]   = Format::template side<WF_LEFT> (words[side_word<WF_LEFT> (lane)]);
  borders.side[WF_RIGHT]  = Format::template side<WF_RIGHT> (words[side_word<WF_RIGHT> (lane)]);
  return borders;
}

/* Whether any pixel of a border has a key above the least. */
__device__ __forceinline__ bool
any_side (const Sides &borders)
{
  return __any_sync (WF_ALL_LANES, (borders.side[WF_TOP] | borders.side[WF_BOTTOM] |
                                    borders.side[WF_LEFT] | borders.side[WF_RIGHT]) != 0);
}

/* The parts of a side that have changed; 0 elsewhere, which raises nothing. */
template <typename Pixel, int SIDE>
__device__ __forceinline__ guint32
changed_part (guint32 side,
              guint32 old)
{
  const guint32 difference = side ^ old;

  if (! WfTileFormat<Pixel>::template is_double<SIDE> ())
    return difference ? side : 0;
  return (difference & 0xffffu ? side & 0xffffu : 0) |
         (difference >> 16 ? side & 0xffff0000u : 0);
}

template <typename Pixel, int CONNECTIVITY, int SIDE>
__device__ __forceinline__ bool
neighbour_gains (guint32 side,
                 guint32 old,
                 guint32 halo,
                 guint32 limit,
                 int     lane)
{
  typedef WfTileFormat<Pixel> Format;

  const guint32 changed = changed_part<Pixel, SIDE> (side, old);
  const guint32 offer   = spread_side<Pixel, CONNECTIVITY, SIDE> (changed, 0, 0, lane);

  return __any_sync (WF_ALL_LANES, Format::max (halo, Format::min (limit, offer)) != halo);
}

/* Lane 0 to 3: the pixel of the tile at its corner. */
template <typename Pixel>
__device__ __forceinline__ guint32
corner_pixel (const Sides &borders,
              int          lane)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Side Side;

  const Side    top       = Format::stored (borders.side[WF_TOP]);
  const Side    bottom    = Format::stored (borders.side[WF_BOTTOM]);
  const guint32 pixels[4] = {
   __shfl_sync (WF_ALL_LANES, Format::first_pixel (top), 0),
   __shfl_sync (WF_ALL_LANES, Format::last_pixel (top), 31),
   __shfl_sync (WF_ALL_LANES, Format::first_pixel (bottom), 0),
   __shfl_sync (WF_ALL_LANES, Format::last_pixel (bottom), 31),
 };

  return lane == 0 ? pixels[0] : lane == 1 ? pixels[1] : lane == 2 ? pixels[2] : pixels[3];
}

} /* namespace image_tiles */

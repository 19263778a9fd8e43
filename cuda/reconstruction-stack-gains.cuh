/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who gains by what has changed in the sides of a tile of a stack: a word of what has changed,
 * 0 elsewhere, is spread as the neighbour would, and compared with what that one needs.
 */

#pragma once

#include "reconstruction-stack-sides.cuh"

/* The bit that stands for a direction. */
__device__ __forceinline__ constexpr uint32_t
stack_direction (int dx,
                 int dy,
                 int dz)
{
  return 1u << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
}

/* The bits of @offer by which one of @need, inverted, rises. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
stack_gain (typename WfTileFormat<Pixel>::Wave offer,
            uint32_t                           need)
{
  typedef WfTileFormat<Pixel> Format;

  return Format::word (Format::max (offer, Format::wave (~ need))) ^ ~ need;
}

/* Who gains by @gain along y or z, @dx and, along z, @dy away. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ uint32_t
stack_gainers (uint32_t gain,
               int      layer,
               int      dx,
               int      dy)
{
  typedef WfStackSide<Pixel, ALONG_Z> Side;

  const uint32_t near   = WfStackFormat<Pixel>::template near_bits<ALONG_Z> ();
  const bool     before = Side::HALVES ? (gain & near) != 0 : gain && layer == 0;
  const bool     behind = Side::HALVES ? (gain & ~ near) != 0 : gain && layer == 1;

  return (before ? ALONG_Z ? stack_direction (dx, dy, -1) : stack_direction (dx, -1, 0) : 0) |
         (behind ? ALONG_Z ? stack_direction (dx, dy, 1) : stack_direction (dx, 1, 0) : 0);
}

/* Publishes word @index of the sides; returns the parts that have changed. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
publish_stack_word (const WfCudaStackWork<Pixel> &work,
                    int                           tile,
                    int                           index,
                    uint32_t                      old,
                    uint32_t                      word,
                    uint32_t                      limit,
                    int                           lane)
{
  typedef WfStackFormat<Pixel> Format;

  const int64_t at = stack_side_word<Pixel> (tile, index, lane);

  __stcg (work.sides + at, word);
  __stcg (work.needs + at, ~ word & ~ Format::same_parts (word, limit));
  return word & ~ Format::same_parts (word, old);
}

/* Who gains by a layer of words that have @changed. */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ uint32_t
find_stack_gainers (const WfStackPlane<Pixel, ALONG_Z> &changed,
                    const WfStackPlane<Pixel, ALONG_Z> &need,
                    const WfStackPlane<Pixel, ALONG_Z> &beside,
                    int                                 layer,
                    int                                 lane)
{
  typedef WfStackFormat<Pixel>         Format;
  typedef typename Format::Wave        Wave;
  constexpr int  N      = WfStackSide<Pixel, ALONG_Z>::N;
  constexpr bool HALVES = Format::template has_halves<! ALONG_Z> ();

  uint32_t gain = 0;

  if (CONNECTIVITY == 6)
    {
#pragma unroll
      for (int k = 0; k < N; k++)
        gain |= stack_gain<Pixel> (Format::wave (changed.word[k]), need.word[k]);
      return stack_gainers<Pixel, ALONG_Z> (gain, layer, 0, 0);
    }

  const int  side = lane == 0 ? -1 : 1;
  const Wave none = Format::wave (0);
  uint32_t   far  = 0;          /* of lane 0 and 31: what the tiles beside gain */
  uint32_t   found;
  Wave       offers[N];

  spread_plane_columns<Pixel, ALONG_Z> (changed, offers);
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      gain |= stack_gain<Pixel> (spread_along_lanes<Pixel> (offers[k], none), need.word[k]);
      far  |= stack_gain<Pixel> (offers[k], beside.word[k]);
    }
  found = stack_gainers<Pixel, ALONG_Z> (gain, layer, 0, 0) |
          stack_gainers<Pixel, ALONG_Z> (far, layer, side, 0);
  if (ALONG_Z)
    {
      const Wave before = Format::wave (HALVES ? Format::template to_far<false> (changed.word[0])
                                               : changed.word[0]);
      const Wave behind = Format::wave (HALVES
                                        ? Format::template to_near<false> (changed.word[N - 1])
                                        : changed.word[N - 1]);

      found |= stack_gainers<Pixel, ALONG_Z>
                 (stack_gain<Pixel> (spread_along_lanes<Pixel> (before, none), need.before),
                  layer, 0, -1);
      found |= stack_gainers<Pixel, ALONG_Z>
                 (stack_gain<Pixel> (spread_along_lanes<Pixel> (behind, none), need.behind),
                  layer, 0, 1);
      found |= stack_gainers<Pixel, ALONG_Z> (stack_gain<Pixel> (before, beside.before), layer,
                                              side, -1);
      found |= stack_gainers<Pixel, ALONG_Z> (stack_gain<Pixel> (behind, beside.behind), layer,
                                              side, 1);
    }
  return found;
}

template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ uint32_t
publish_stack_sides (const WfCudaStackWork<Pixel>       &work,
                     int                                 number,
                     const uint32_t                     *old,
                     const WfStackPlane<Pixel, ALONG_Z> *needs,
                     const WfStackPlane<Pixel, ALONG_Z> *beside,
                     const uint32_t                     *marker,
                     const uint32_t                     *mask,
                     int                                 lane)
{
  typedef WfStackSide<Pixel, ALONG_Z> Side;

  uint32_t found = 0;

#pragma unroll
  for (int layer = 0; layer < Side::LAYERS; layer++)
    {
      WfStackPlane<Pixel, ALONG_Z> changed = {};

#pragma unroll
      for (int k = 0; k < Side::N; k++)
        {
          const int index = Side::FIRST + layer * Side::N + k;

          changed.word[k] = publish_stack_word (work, number, index, old[index],
                                                Side::own (marker + lane, layer, k),
                                                Side::own (mask + lane, layer, k), lane);
        }
      found |= find_stack_gainers<Pixel, CONNECTIVITY, ALONG_Z> (changed, needs[layer],
                                                                 beside[layer], layer, lane);
    }
  return found;
}

/* What a tile has published, and what its neighbours need. */
template <typename Pixel>
struct WfStackKnown
{
  uint32_t           old[stack_side_words<Pixel> ()];
  WfStackHalo<Pixel> needs;
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ WfStackKnown<Pixel>
read_stack_known (const WfCudaStackWork<Pixel> &work,
                  WfStackTile                   tile,
                  int                           number,
                  int                           lane)
{
  WfStackKnown<Pixel> known;

#pragma unroll
  for (int i = 0; i < stack_side_words<Pixel> (); i++)
    known.old[i] = read_stack_side<Pixel> (work.sides, number, i, lane);
  known.needs = read_stack_halos<Pixel, CONNECTIVITY> (work, work.needs, tile, lane);
  return known;
}

/* Publishes the tile's sides and tells those neighbours that gain by what is new. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
tell_stack_neighbours (const WfCudaStackWork<Pixel> &work,
                       WfStackTile                   tile,
                       int                           number,
                       const WfStackKnown<Pixel>    &known,
                       const uint32_t               *marker,
                       const uint32_t               *mask,
                       int                           lane)
{
  uint32_t found = 0;

#pragma unroll
  for (int side = 0; side < 2; side++)
    {
      const int      at      = lane * WF_TILE_PITCH + (side ? WF_TILE_WORDS - 1 : 0);
      const uint32_t changed = publish_stack_word (work, number, side, known.old[side],
                                                   marker[at], mask[at], lane);

      if (stack_gain<Pixel> (WfTileFormat<Pixel>::wave
                               (spread_side_along_x<Pixel, CONNECTIVITY> (changed, lane)),
                             known.needs.x[side]))
        found |= stack_direction (side ? 1 : -1, 0, 0);
    }
  found |= publish_stack_sides<Pixel, CONNECTIVITY, false> (work, number, known.old,
                                                            known.needs.y, known.needs.beside_y,
                                                            marker, mask, lane);
  found |= publish_stack_sides<Pixel, CONNECTIVITY, true> (work, number, known.old,
                                                           known.needs.z, known.needs.beside_z,
                                                           marker, mask, lane);

  __threadfence ();
  __syncwarp ();
  for (int reach = 16; reach; reach /= 2)
    found |= __shfl_xor_sync (WF_ALL_LANES, found, reach);
  if (lane < 27 && (found >> lane & 1))
    {
      const int target = stack_neighbour (work, tile, lane % 3 - 1, lane / 3 % 3 - 1,
                                          lane / 9 - 1);

      if (target >= 0)
        tell_tile (work.list, (uint32_t) target);
    }
  __syncwarp ();
}

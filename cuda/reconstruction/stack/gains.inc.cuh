/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which neighbours gain by the border of a tile of a stack: a word is spread as the neighbour
 * would spread it, and compared with what the neighbour needs.
 */

#pragma once

#include "borders.inc.cuh"

namespace stack_tiles
{

/* The bits of @offer by which one of @need, inverted, rises. */
template <typename Pixel>
__device__ __forceinline__ guint32
gain_of (typename WfTileFormat<Pixel>::Wave offer,
         guint32                            need)
{
  typedef WfTileFormat<Pixel> Format;

  return Format::word (Format::max (offer, Format::wave (~ need))) ^ ~ need;
}

/* The neighbours that gain by @gain along y or z and, along z, @dy away. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ guint32
gainers_of (guint32 gain,
            int     layer,
            int     dy)
{
  typedef Side<Pixel, ALONG_Z> Side;

  const guint32 near   = StackFormat<Pixel>::template near_bits<ALONG_Z> ();
  const bool    before = Side::HALVES ? (gain & near) != 0 : gain && layer == 0;
  const bool    behind = Side::HALVES ? (gain & ~ near) != 0 : gain && layer == 1;

  return (before ? 1u << (ALONG_Z ? direction_of (0, dy, -1) : direction_of (0, -1, 0))
                 : 0) |
         (behind ? 1u << (ALONG_Z ? direction_of (0, dy, 1) : direction_of (0, 1, 0)) : 0);
}

/* Publishes a word of the border, at @side and @need, and returns it. */
template <typename Pixel>
__device__ __forceinline__ guint32
publish_word (guint32 *side,
              guint32 *need,
              guint32  word,
              guint32  limit)
{
  typedef StackFormat<Pixel> Format;

  __stcg (side, word);
  __stcg (need, ~ word & ~ Format::same_parts (word, limit));
  return word;
}

/* The neighbours that gain by a layer of @words. */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ guint32
find_gainers (const Plane<Pixel, ALONG_Z> &words,
              const Plane<Pixel, ALONG_Z> &need,
              int                          layer)
{
  typedef StackFormat<Pixel>         Format;
  typedef typename Format::Wave        Wave;
  constexpr int  N      = Side<Pixel, ALONG_Z>::N;
  constexpr bool HALVES = Format::template has_halves<! ALONG_Z> ();

  auto gain_at = [] (Wave offer, guint32 at)
  {
    return gain_of<Pixel> (spread_wave<Pixel> (offer, Format::word (offer)), at);
  };
  guint32 gain = 0;
  guint32 found;
  Wave    offers[N];

  if (CONNECTIVITY == 6)
    {
#pragma unroll
      for (int k = 0; k < N; k++)
        gain |= gain_of<Pixel> (Format::wave (words.word[k]), need.word[k]);
      return gainers_of<Pixel, ALONG_Z> (gain, layer, 0);
    }

  spread_plane_columns<Pixel, ALONG_Z> (words, offers);
#pragma unroll
  for (int k = 0; k < N; k++)
    gain |= gain_at (offers[k], need.word[k]);
  found = gainers_of<Pixel, ALONG_Z> (gain, layer, 0);
  if (ALONG_Z)
    {
      const guint32 before = HALVES ? Format::template to_far<false> (words.word[0])
                                     : words.word[0];
      const guint32 behind = HALVES ? Format::template to_near<false> (words.word[N - 1])
                                     : words.word[N - 1];

      found |= gainers_of<Pixel, ALONG_Z> (gain_at (Format::wave (before), need.before),
                                           layer, -1) |
               gainers_of<Pixel, ALONG_Z> (gain_at (Format::wave (behind), need.behind),
                                           layer, 1);
    }
  return found;
}

template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ guint32
publish_sides (guint32                     *borders,
               guint32                     *own_needs,
               const Plane<Pixel, ALONG_Z> *needs,
               const guint32               *marker,
               const guint32               *mask,
               int                          lane)
{
  typedef Side<Pixel, ALONG_Z> Side;

  guint32 found = 0;

#pragma unroll
  for (int layer = 0; layer < Side::LAYERS; layer++)
    {
      Plane<Pixel, ALONG_Z> words = {};

#pragma unroll
      for (int k = 0; k < Side::N; k++)
        {
          const int index = Side::FIRST + layer * Side::N + k;

          words.word[k] = publish_word<Pixel> (borders + index * 32, own_needs + index * 32,
                                               Side::own (marker + lane, layer, k),
                                               Side::own (mask + lane, layer, k));
        }
      found |= find_gainers<Pixel, CONNECTIVITY, ALONG_Z> (words, needs[layer], layer);
    }
  return found;
}

/* @word as it lies before a tile beyond the end along y or z. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ guint32
cross_end (guint32 word,
           int     end)
{
  typedef StackFormat<Pixel> Format;

  if (! Format::template has_halves<ALONG_Z> ())
    return word;
  return end < 0 ? Format::template to_far<ALONG_Z> (word)
                 : Format::template to_near<ALONG_Z> (word);
}

/* The neighbours that gain by a column of words, @dx away along x. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
find_column_gainers (guint32       word,
                     const Column &need,
                     int           dx,
                     int           lane)
{
  typedef WfTileFormat<Pixel> Format;

  const int end_y = End<false>::of (lane);
  const int end_z = End<true>::of (lane);

  auto gainer = [&] (guint32 offer, guint32 at, int dy, int dz)
  {
    return gain_of<Pixel> (Format::wave (offer), at) ? 1u << direction_of (dx, dy, dz) : 0;
  };

  if (CONNECTIVITY == 6)
    return gainer (word, need.word, 0, 0);

  const guint32 along_y = spread_along_column<Pixel, false> (word, 0, lane);
  const guint32 along_z = spread_along_column<Pixel, true> (word, 0, lane);
  guint32       found   = gainer (spread_along_column<Pixel, true> (along_y, 0, lane), need.word,
                                  0, 0);

  if (end_y)
    found |= gainer (cross_end<Pixel, false> (along_z, end_y), need.beyond_y, end_y, 0);
  if (end_z)
    found |= gainer (cross_end<Pixel, true> (along_y, end_z), need.beyond_z, 0, end_z);
  if (end_y && end_z)
    found |= gainer (cross_end<Pixel, true> (cross_end<Pixel, false> (word, end_y), end_z),
                     need.beyond, end_y, end_z);
  return found;
}

/* Publishes the tile's border and marks those neighbours that gain by it, given what they needed
 * before.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
notify_neighbours (const Work<Pixel> &work,
                   int                around,
                   int                number,
                   const Halo<Pixel> &needs,
                   const guint32     *marker,
                   const guint32     *mask,
                   int                lane)
{
  guint32 *own_sides = border_of<Pixel> (work.borders, number, lane);
  guint32 *own_needs = border_of<Pixel> (work.needs, number, lane);
  guint32  found     = 0;

#pragma unroll 1
  for (int side = 0; side < 2; side++)
    {
      const int     at   = lane * WF_TILE_PITCH + (side ? WF_TILE_WORDS - 1 : 0);
      const guint32 word = publish_word<Pixel> (own_sides + side * 32,
                                                own_needs + side * 32, marker[at],
                                                mask[at]);

      found |= find_column_gainers<Pixel, CONNECTIVITY> (word, choose_column (needs.x, side),
                                                         2 * side - 1, lane);
    }
  found |= publish_sides<Pixel, CONNECTIVITY, false> (own_sides, own_needs, needs.y, marker,
                                                      mask, lane);
  found |= publish_sides<Pixel, CONNECTIVITY, true> (own_sides, own_needs, needs.z, marker,
                                                     mask, lane);

  order_memory ();
  __syncwarp ();
  for (int reach = 16; reach; reach /= 2)
    found |= __shfl_xor_sync (WF_ALL_LANES, found, reach);
  if (lane < 27 && (found >> lane & 1) && around < (int) work.list.n_tiles)
    mark_dirty (work.list, (guint32) around);
  __syncwarp ();
}

} /* namespace stack_tiles */

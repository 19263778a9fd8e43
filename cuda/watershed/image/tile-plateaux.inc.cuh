/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tile plateaux of the watershed on a GPU: the connected parts of plateaux inside a tile.
 *
 * Distances in a tile are found in the order of L2.  Many tile plateaux may each be reached at
 * a different time: the tile of a serpentine has 32, and each takes 64 rounds.  The order
 * matters only within one of them.  So where plateaux are large, each tile plateau that is
 * reached only from outside the tile gets a clock of its own, which starts when it is first
 * reached, and the distances in all of them are found at the same time.
 *
 * A tile plateau is named by one of its slots.  Its pixels are joined by union-find in shared
 * memory, run by run.  Paths are shortened on the way, since the rows of a plateau would make a
 * path of 64, and the slowest tile determines the time of the kernel.  Diagonal neighbours are
 * joined only where no pixel beside both does.  Neighbours on plateaux are on the same plateau,
 * since neither has a lower neighbour.
 *
 * Bytes a pixel of an image, 4 neighbours: 0.75 read, 2 and 0.13 written.
 */

#pragma once

#include "paths.inc.cuh"

namespace image_flood
{

/* Each pixel is its own end. */
__device__ __forceinline__ void
start_ends (guint16 *ends)
{
#pragma unroll
  for (int k = threadIdx.x; k < WF_TILE_PIXELS / 8; k += WF_TILE_THREADS)
    {
      const guint32 two = (k * 8) | (k * 8 + 1) << 16;

      ((uint4 *) ends)[k] = make_uint4 (two, two + 0x20002u, two + 0x40004u, two + 0x60006u);
    }
}

/* Joins neighbours among @pixels, which are all on plateaux and each its own end so far. */
template <int N>
__device__ __forceinline__ void
join_pixels (guint16       *ends,
             const guint32 *pixels)
{
  const int     w   = threadIdx.x;
  const guint32 own = pixels[w];

  /* Runs inside a word, from the left to the right. */
  each_pixel_of_word (own & own << 1, [&] (int i) { ends[i] = ends[i - 1]; });
  __syncthreads ();
  each_direction<0, N / 2> ([&] (auto direction)
    {
      constexpr int d     = decltype (direction)::value;
      constexpr int other = d == 0 ? 3 : 4;
      guint32       both  = own & word_beside<N, d> (pixels, w);

      /* Not if a pixel beside both joins them. */
      if constexpr (N == 8 && (d == 0 || d == 2))
        both &= ~(word_beside<N, 1> (pixels, w) | word_beside<N, other> (pixels, w));

      /* Two runs are joined once, at the first pixel that touches. */
      each_pixel_of_word (STEP<N, d> == -1 ? both & 1 : both & ~(both << 1),
                          [&] (int i)
                          {
                            wf_join_sets (WfForest<guint16> (ends), i, i + STEP<N, d>);
                          });
    });
  __syncthreads ();
}

/* Returns the plateau pixels with L2 = 1 because of a pixel of the tile, one thread a word. */
template <int N>
__device__ __forceinline__ guint32
anchored_pixels (const guint32 *memory,
                 const guint32 *sources,
                 guint32        plateaux)
{
  const int w        = threadIdx.x;
  guint32   anchored = 0;

  each_direction<0, N> ([&] (auto direction)
    {
      constexpr int d = decltype (direction)::value;

      anchored |= memory[d * WF_TILE_WORDS + w] & word_beside<N, d> (sources, w);
    });
  return anchored & plateaux;
}

/* One block a tile.  @markers: roots are markers. */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
find_tile_plateaux (WfPlanes<N>    planes,
                    bool           markers,
                    WfTilePlateaux tile_plateaux)
{
  typedef WfTile<N> Tile;

  __shared__ __align__ (16) guint16 ends[WF_TILE_PIXELS];
  __shared__ guint16                names[WF_TILE_PIXELS];
  __shared__ guint32                plateaux[WF_TILE_WORDS];
  __shared__ guint32                sources[WF_TILE_WORDS];
  __shared__ guint32                anchored[WF_TILE_WORDS];  /* by ends */

  const guint32  tile   = blockIdx.x;
  const int      w      = threadIdx.x;
  const guint32 *memory = (const guint32 *) planes.at (tile, 0);
  const guint32  low    = memory[WfPlanes<N>::LOW * WF_TILE_WORDS + w];
  guint32        own    = 0;

#pragma unroll
  for (int d = 0; d < N; d++)
    own |= memory[d * WF_TILE_WORDS + w];
  own        &= ~low;
  plateaux[w] = own;
  sources[w]  = markers ? low | memory[WfPlanes<N>::ROOT * WF_TILE_WORDS + w] : low;
  anchored[w] = 0;
  start_ends (ends);
  __syncthreads ();
  join_pixels<N> (ends, plateaux);
  /* The pixels of a run share an end. */
  {
    int end = 0;

    each_pixel_of_word (own, [&] (int i)
      {
        if (i % 32 == 0 || ! (own >> (i % 32 - 1) & 1))
          {
            end = wf_look_up_root (WfForest<guint16> (ends), i);
            names[end] = WF_NO_PLATEAU;
          }
        ends[i] = end;
      });
  }
  __syncthreads ();
  each_pixel_of_word (anchored_pixels<N> (memory, sources, own), [&] (int i)
    {
      atomicOr (&anchored[ends[i] / 32], 1u << (ends[i] % 32));
    });
  /* Any of its slots can name a tile plateau, but only one does. */
  for (int slot = w; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int i = Tile::pixel (slot);

      if (plateaux[i / 32] >> (i % 32) & 1)
        replace_end (names, ends[i], WF_NO_PLATEAU, slot);
    }
  __syncthreads ();

  for (int slot = w; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int i            = Tile::pixel (slot);
      guint32   tile_plateau = WF_NO_PLATEAU;

      if (plateaux[i / 32] >> (i % 32) & 1)
        tile_plateau = names[ends[i]] | (anchored[ends[i] / 32] >> (ends[i] % 32) & 1
                                         ? WF_ANCHORED : 0);
      tile_plateaux.slots[(gint64) tile * Tile::N_SLOTS + slot] = tile_plateau;
    }
  if (tile_plateaux.pixels)
    {
      guint16 *mine = tile_plateaux.pixels + (gint64) tile * WF_TILE_PIXELS;

      for (int i = w; i < WF_TILE_PIXELS; i += WF_TILE_THREADS)
        mine[i] = plateaux[i / 32] >> (i % 32) & 1 ? names[ends[i]] : WF_NO_PLATEAU;
    }
}

} /* namespace image_flood */

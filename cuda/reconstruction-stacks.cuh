/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles from a worklist: one warp a tile.
 *
 * A tile holds 32 × 32 words of marker and of mask in shared memory, as that of an image
 * does (see reconstruction-tile.cuh), with its first axis along x and its second along
 * eight rows of each of four slices.  What a word holds besides:
 *
 *   u8    32 × 16 × 8   word (y, z): (y, z), (y + 8, z), (y, z + 4), (y + 8, z + 4)
 *   u16   32 × 8 × 8    (y, z) and (y, z + 4)
 *   f32   32 × 8 × 4    (y, z)
 *
 * Sweeps go along x, y and z in turn, until none of the three changes anything.  With 26
 * neighbours one along z takes the largest of 3 × 3 voxels of the slice before, one along
 * y that of three; along x no more than the voxel before is needed then.
 *
 * A tile's outermost voxels belong to the tiles around it.  They are swept like others,
 * for what is found for them is true, but not written: who owns one that has risen is
 * told.  So a tile sees all it must know of its neighbours by reading the image, and
 * tells those, and only those, that gain.  It needs the result to lie between marker and
 * mask everywhere from the beginning, which a pass over the image sees to.
 *
 * Bytes a voxel: that pass reads mask and marker and writes the result; a visit reads
 * mask and result once and, for the frame, 0.6 times more (u8; f32: 1.8 times), and
 * writes what has changed.
 */

#pragma once

#include "reconstruction-tile.cuh"
#include "reconstruction-worklist.cuh"

/* Three arrays of words for each warp; blocks take less than 48 KB of shared memory. */
#define WF_STACK_WARPS  3
#define WF_STACK_BLOCKS 5

#define WF_STACK_ROWS   8     /* of words in a slice of words */
#define WF_STACK_SLICES 4     /* of words */

template <typename Pixel>
struct WfStackFormat : WfTileFormat<Pixel>
{
  static constexpr int WIDTH  = 32;
  static constexpr int HEIGHT = sizeof (Pixel) == 1 ? 16 : 8;
  static constexpr int DEPTH  = sizeof (Pixel) == 4 ? 4 : 8;
  static constexpr int PARTS  = 4 / sizeof (Pixel);

  /* Where part @part of the words in a row of words lies. */
  static __device__ __forceinline__ int
  y (int row, int part)
  {
    return row % WF_STACK_ROWS + (sizeof (Pixel) == 1 ? part % 2 * 8 : 0);
  }

  static __device__ __forceinline__ int
  z (int row, int part)
  {
    return row / WF_STACK_ROWS + (sizeof (Pixel) == 1 ? part / 2 * 4 : part * 4);
  }
};

template <typename Pixel>
struct WfCudaStackWork
{
  WfWorklist        list;
  const Pixel      *mask;
  Pixel            *out;
  WfCudaKeys<Pixel> keys;
  int64_t           width, height, depth;
  int               across, down, deep;
};

/* Of a tile's first voxel, which belongs to a neighbour. */
struct WfStackOrigin
{
  int64_t x, y, z;
};


/*  Sweeps  */

/* The largest of a word's voxels and those beside them along x. */
template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
spread_word (uint32_t word,
             int      lane)
{
  typedef WfTileFormat<Pixel> Format;

  const uint32_t left  = WfTileFormat<uint16_t>::from_left (word, lane);
  const uint32_t right = WfTileFormat<uint16_t>::from_right (word, lane);

  return Format::max (Format::wave (word), Format::max (Format::wave (left),
                                                        Format::wave (right)));
}

/* One step of a sweep: word @at follows @wave.  Collects the bits that change. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
step_word (uint32_t                           *marker,
           const uint32_t                     *mask,
           int                                 at,
           typename WfTileFormat<Pixel>::Wave  wave,
           uint32_t                           *changed)
{
  typedef WfTileFormat<Pixel> Format;

  const uint32_t old  = marker[at];
  const uint32_t word = Format::word (Format::min (Format::wave (mask[at]),
                                                   Format::max (Format::wave (old), wave)));

  *changed  |= word ^ old;
  marker[at] = word;
  return word;
}

/* A lane a row of words. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
sweep_along_x (uint32_t       *marker,
               const uint32_t *mask,
               int             lane)
{
  typedef WfTileFormat<Pixel> Format;

  const int row     = lane * WF_TILE_PITCH;
  uint32_t  changed = 0;
  uint32_t  word    = 0;

#pragma unroll 8
  for (int k = 0; k < WF_TILE_WORDS; k++)
    word = step_word<Pixel> (marker, mask, row + k, Format::wave (word), &changed);
  word = 0;
#pragma unroll 8
  for (int k = WF_TILE_WORDS - 1; k >= 0; k--)
    word = step_word<Pixel> (marker, mask, row + k, Format::wave (word), &changed);
  return changed;
}

/* A lane a column of words, from here on; one line of it, of @N words @STEP rows apart.
 * @BESIDE: with those beside it along x.
 */
template <typename Pixel, bool ALONG_Z, int N, int STEP, bool BESIDE>
__device__ __forceinline__ uint32_t
sweep_line (uint32_t       *marker,
            const uint32_t *mask,
            int             lane)
{
  typedef WfTileFormat<Pixel> Format;

  uint32_t changed = 0;
  uint32_t word    = Format::word (Format::template far<ALONG_Z>
                                     (marker[(N - 1) * STEP * WF_TILE_PITCH]));

#pragma unroll
  for (int k = 0; k < N; k++)
    word = step_word<Pixel> (marker, mask, k * STEP * WF_TILE_PITCH,
                             BESIDE ? spread_word<Pixel> (word, lane) : Format::wave (word),
                             &changed);
  word = Format::word (Format::template near<ALONG_Z> (marker[0]));
#pragma unroll
  for (int k = N - 1; k >= 0; k--)
    word = step_word<Pixel> (marker, mask, k * STEP * WF_TILE_PITCH,
                             BESIDE ? spread_word<Pixel> (word, lane) : Format::wave (word),
                             &changed);
  return changed;
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ uint32_t
sweep_along_y (uint32_t       *marker,
               const uint32_t *mask,
               int             lane)
{
  constexpr int SLICE = WF_STACK_ROWS * WF_TILE_PITCH;
  uint32_t changed = 0;

  for (int z = 0; z < WF_STACK_SLICES; z++)
    changed |= sweep_line<Pixel, false, WF_STACK_ROWS, 1, CONNECTIVITY == 26>
                 (marker + lane + z * SLICE, mask + lane + z * SLICE, lane);
  return changed;
}

/* What a slice of words can raise those beside it to: the largest of 3 × 3. */
template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
spread_slice (const uint32_t *slice,
              int             y,
              int             lane)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

  const Wave before = y > 0 ? Format::wave (slice[y - 1])
                            : Format::template far<false> (slice[WF_STACK_ROWS - 1]);
  const Wave behind = y < WF_STACK_ROWS - 1 ? Format::wave (slice[y + 1])
                                            : Format::template near<false> (slice[0]);
  const Wave column = Format::max (Format::wave (slice[y]), Format::max (before, behind));

  return spread_word<Pixel> (Format::word (column), lane);
}

/* @slice becomes what the slice of words @z follows with after it. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
step_slice (uint32_t       *marker,
            const uint32_t *mask,
            int             z,
            uint32_t       *slice,
            int             lane)
{
  uint32_t next[WF_STACK_ROWS];
  uint32_t changed = 0;

#pragma unroll
  for (int y = 0; y < WF_STACK_ROWS; y++)
    next[y] = step_word<Pixel> (marker, mask, (z * WF_STACK_ROWS + y) * WF_TILE_PITCH + lane,
                                spread_slice<Pixel> (slice, y, lane), &changed);
#pragma unroll
  for (int y = 0; y < WF_STACK_ROWS; y++)
    slice[y] = next[y];
  return changed;
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ uint32_t
sweep_along_z (uint32_t       *marker,
               const uint32_t *mask,
               int             lane)
{
  typedef WfTileFormat<Pixel> Format;

  uint32_t changed = 0;

  if constexpr (CONNECTIVITY == 6)
    {
#pragma unroll 2
      for (int y = 0; y < WF_STACK_ROWS; y++)
        changed |= sweep_line<Pixel, true, WF_STACK_SLICES, WF_STACK_ROWS, false>
                     (marker + lane + y * WF_TILE_PITCH, mask + lane + y * WF_TILE_PITCH, lane);
    }
  else
    {
      constexpr int LAST = (WF_STACK_SLICES - 1) * WF_STACK_ROWS;
      uint32_t slice[WF_STACK_ROWS];

#pragma unroll
      for (int y = 0; y < WF_STACK_ROWS; y++)
        slice[y] = Format::word (Format::template far<true>
                                   (marker[(LAST + y) * WF_TILE_PITCH + lane]));
      for (int z = 0; z < WF_STACK_SLICES; z++)
        changed |= step_slice<Pixel> (marker, mask, z, slice, lane);
#pragma unroll
      for (int y = 0; y < WF_STACK_ROWS; y++)
        slice[y] = Format::word (Format::template near<true>
                                   (marker[y * WF_TILE_PITCH + lane]));
      for (int z = WF_STACK_SLICES - 1; z >= 0; z--)
        changed |= step_slice<Pixel> (marker, mask, z, slice, lane);
    }
  return changed;
}

/* All lanes of the warp. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
settle_stack_tile (uint32_t       *marker,
                   const uint32_t *mask,
                   int             lane)
{
  bool open[3] = { true, true, true };      /* along x, y, z: may still change something */

  while (open[0] || open[1] || open[2])
    {
      if (open[2])
        {
          open[2]  = __any_sync (WF_ALL_LANES, sweep_along_z<Pixel, CONNECTIVITY>
                                                 (marker, mask, lane) != 0);
          open[1] |= open[2];
          open[0] |= open[2];
          __syncwarp ();
        }
      if (open[1])
        {
          open[1]  = __any_sync (WF_ALL_LANES, sweep_along_y<Pixel, CONNECTIVITY>
                                                 (marker, mask, lane) != 0);
          open[2] |= open[1];
          open[0] |= open[1];
          __syncwarp ();
        }
      if (open[0])
        {
          /* There and back is all that a row needs. */
          open[0]  = false;
          if (__any_sync (WF_ALL_LANES, sweep_along_x<Pixel> (marker, mask, lane) != 0))
            open[1] = open[2] = true;
          __syncwarp ();
        }
    }
}


/*  Between global and shared memory: a lane a column of words  */

template <typename Pixel>
__device__ __forceinline__ WfStackOrigin
stack_origin (const WfCudaStackWork<Pixel> &work,
              int                           tile)
{
  typedef WfStackFormat<Pixel> Format;
  const int row = tile / work.across;

  return {
    (int64_t) (tile - row * work.across) * (Format::WIDTH - 2) - 1,
    (int64_t) (row % work.down) * (Format::HEIGHT - 2) - 1,
    (int64_t) (row / work.down) * (Format::DEPTH - 2) - 1
  };
}

/* The word of a row of words from @image, 0 outside of it. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
load_stack_word (const WfCudaStackWork<Pixel> &work,
                 const Pixel                  *image,
                 WfStackOrigin                 origin,
                 int                           row,
                 int                           lane)
{
  typedef WfStackFormat<Pixel> Format;

  const int64_t x    = origin.x + lane;
  uint32_t      word = 0;

#pragma unroll
  for (int part = 0; part < Format::PARTS; part++)
    {
      const int64_t y = origin.y + Format::y (row, part);
      const int64_t z = origin.z + Format::z (row, part);
      Pixel         key = 0;

      if (x >= 0 && x < work.width && y >= 0 && y < work.height && z >= 0 && z < work.depth)
        key = work.keys.of (__ldcg (image + (z * work.height + y) * work.width + x));
      word |= (uint32_t) key << (part * 8 * sizeof (Pixel) % 32);
    }
  return word;
}

/* −1 or 1 in the frame, on either side. */
template <int SIZE>
__device__ __forceinline__ int
frame_side (int at)
{
  return at == 0 ? -1 : at == SIZE - 1 ? 1 : 0;
}

/* Writes the voxels of the tile's own that have changed, and returns for a lane's voxels
 * of the frame which (dy, dz) have: bit (dz + 1) · 3 + dy + 1.
 */
template <typename Pixel>
__device__ __forceinline__ uint32_t
store_stack_row (const WfCudaStackWork<Pixel> &work,
                 WfStackOrigin                 origin,
                 int                           row,
                 uint32_t                      old,
                 uint32_t                      word,
                 int                           lane)
{
  typedef WfStackFormat<Pixel> Format;

  const bool at_side = lane == 0 || lane == Format::WIDTH - 1;
  uint32_t   risen   = 0;

  if (old == word)
    return 0;
#pragma unroll
  for (int part = 0; part < Format::PARTS; part++)
    {
      const int   shift = part * 8 * sizeof (Pixel) % 32;
      const Pixel key   = (Pixel) (word >> shift);
      const int   y     = Format::y (row, part);
      const int   z     = Format::z (row, part);
      const int   dy    = frame_side<Format::HEIGHT> (y);
      const int   dz    = frame_side<Format::DEPTH> (z);

      if (key == (Pixel) (old >> shift))
        continue;
      if (dy || dz || at_side)
        risen |= 1u << ((dz + 1) * 3 + dy + 1);
      else
        __stcg (work.out + ((origin.z + z) * work.height + origin.y + y) * work.width +
                origin.x + lane, work.keys.back (key));
    }
  return risen;
}

/* Lane (dz + 1) · 9 + (dy + 1) · 3 + dx + 1 tells the tile in that direction. */
template <typename Pixel>
__device__ __forceinline__ void
tell_stack_neighbours (const WfCudaStackWork<Pixel> &work,
                       int                           tile,
                       uint32_t                      risen,
                       int                           lane)
{
  const uint32_t left   = __shfl_sync (WF_ALL_LANES, risen, 0);
  const uint32_t right  = __shfl_sync (WF_ALL_LANES, risen, 31);
  uint32_t       middle = lane == 0 || lane == 31 ? 0 : risen;

  for (int reach = 16; reach; reach /= 2)
    middle |= __shfl_xor_sync (WF_ALL_LANES, middle, reach);

  const int      dx  = lane % 3 - 1;
  const int      dy  = lane / 3 % 3 - 1;
  const int      dz  = lane / 9 - 1;
  const uint32_t all = dx < 0 ? left : dx > 0 ? right : middle;
  const int      row = tile / work.across;
  const int      x   = tile - row * work.across + dx;
  const int      y   = row % work.down + dy;
  const int      z   = row / work.down + dz;

  if (lane < 27 && (all >> (lane / 3) & 1) && x >= 0 && x < work.across && y >= 0 &&
      y < work.down && z >= 0 && z < work.deep)
    tell_tile (work.list, (uint32_t) ((z * work.down + y) * work.across + x));
  __syncwarp ();
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
visit_stack_tile (const WfCudaStackWork<Pixel> &work,
                  int                           tile,
                  uint32_t                     *marker,
                  uint32_t                     *mask,
                  uint32_t                     *old,
                  int                           lane)
{
  const WfStackOrigin origin = stack_origin (work, tile);
  uint32_t            risen  = 0;

#pragma unroll 8
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      const int      at    = row * WF_TILE_PITCH + lane;
      const uint32_t limit = load_stack_word (work, work.mask, origin, row, lane);
      const uint32_t word  = load_stack_word (work, (const Pixel *) work.out, origin, row, lane);

      marker[at] = word;
      old[at]    = word;
      mask[at]   = limit;
    }
  __syncwarp ();

  settle_stack_tile<Pixel, CONNECTIVITY> (marker, mask, lane);

#pragma unroll 4
  for (int row = 0; row < WF_TILE_WORDS; row++)
    risen |= store_stack_row (work, origin, row, old[row * WF_TILE_PITCH + lane],
                              marker[row * WF_TILE_PITCH + lane], lane);
  __threadfence ();
  __syncwarp ();
  tell_stack_neighbours (work, tile, risen, lane);
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WF_STACK_WARPS * 32, WF_STACK_BLOCKS)
visit_stack_tiles (WfCudaStackWork<Pixel> work)
{
  __shared__ uint32_t words[WF_STACK_WARPS][3][WF_TILE_SIZE];

  const uint64_t start  = read_clock ();
  const int      lane   = threadIdx.x % 32;
  uint32_t      *marker = words[threadIdx.x / 32][0];
  uint32_t      *mask   = words[threadIdx.x / 32][1];
  uint32_t      *old    = words[threadIdx.x / 32][2];
  uint32_t       visits = 0;

  for (;;)
    {
      int  tile  = 0;
      bool fresh = false;

      if (lane == 0)
        {
          tile = take_tile (work.list, start, visits, &fresh);
          if (tile >= 0)
            start_tile (work.list, tile);
        }
      tile = __shfl_sync (WF_ALL_LANES, tile, 0);
      __syncwarp ();
      if (tile < 0)
        break;

      visit_stack_tile<Pixel, CONNECTIVITY> (work, tile, marker, mask, old, lane);
      if (lane == 0)
        finish_tile (work.list, tile, true);
      visits++;
    }
  if (lane == 0)
    leave_work (work.list, start, visits);
}

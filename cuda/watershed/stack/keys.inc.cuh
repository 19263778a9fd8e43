/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keys of a stack's voxels, for the arrows of the watershed on a GPU.
 *
 * A voxel's parent is its smallest neighbour in the order (L1, L2, index).  Level, L2 and the
 * neighbour's place make one number, a key, so a minimum over keys finds the parent.  It is
 * computed along x, y and z one after another; each step adds its part of the place in the
 * lowest bits.  The voxel itself may be included: a voxel that is no root has a neighbour with a
 * smaller key.
 *
 * A key has three bits of L2, as facts have.  So keys of bytes fit into 16 bits, and two of them
 * into a register.
 */

#pragma once

#include "cuda/watershed/level-key.cuh"
#include "tile.inc.cuh"

namespace stack_flood
{


/*  Levels of four voxels  */

/* Loads @n levels of a row from voxel @from on; at once if rows are @whole fours of voxels,
 * and fours can be read.
 */
template <typename Pixel>
struct WfLevels
{
  typedef WfFour<Pixel> Four;

  static __device__ Four
  load (const Pixel *image,
        guint32      from,
        int          n,
        bool         whole)
  {
    Four four = {};

    if (whole)
      return *(const Four *) (image + from);
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (j < n)
        four.of[j] = image[from + j];
    return four;
  }
};

/* Bytes, in a register. */
template <>
struct WfLevels<guint8>
{
  typedef guint32 Four;

  static __device__ Four
  load (const guint8 *image,
        guint32       from,
        int           n,
        bool          whole)
  {
    Four four = 0;

    if (whole)
      return *(const Four *) (image + from);
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (j < n)
        four |= (guint32) image[from + j] << 8 * j;
    return four;
  }
};


/*  Keys  */

/* A key has, from the highest bit: level, three bits of L2, five of a place.  Keys outside the
 * stack are above all others, or equal to the deepest of the highest level.
 */
#define WF_OWN_PLACE   13       /* the middle of the places, from 0 to 26 */
#define WF_PLACE_BITS  31
#define WF_DEEP_BITS   (WF_DEEP << 5)

/**
 * WfKeys:
 * @Two: keys of two voxels side by side
 *
 * Keys as they are computed with: those of bytes two in a register.
 */
template <typename Pixel> struct WfKeys;

template <>
struct WfKeys<guint8>
{
  typedef guint16 Key;
  typedef guint32 Two;

  static __device__ guint32 step   (int step) { return step * 0x10001u; }
  static __device__ Two     least  (Two p, Two q) { return __vminu2 (p, q); }
  static __device__ Two     add    (Two p, guint32 step) { return p + step; }
  static __device__ guint32 first  (Two p) { return p; }
  static __device__ guint32 second (Two p) { return p >> 16; }

  /* Of the second of @p and the first of @q. */
  static __device__ Two     middle (Two p, Two q) { return __byte_perm (p, q, 0x5432); }

  /* Keys from levels and low bytes, those from @n on outside the stack. */
  static __device__ void
  make (guint32  levels,
        guint32  low,
        int      n,
        Two     *two)
  {
    constexpr guint32 OUTER = 0xffff & ~WF_PLACE_BITS;

    two[0] = __byte_perm (low, levels, 0x5140) | (n < 1 ? OUTER : 0) | (n < 2 ? OUTER << 16 : 0);
    two[1] = __byte_perm (low, levels, 0x7362) | (n < 3 ? OUTER : 0) | (n < 4 ? OUTER << 16 : 0);
  }
};

/* Keys of 32 or 64 bits. */
template <typename Bits>
struct WfTwoKeys
{
  Bits a;
  Bits b;
};

template <typename Pixel, typename Bits>
struct WfWideKeys
{
  typedef Bits            Key;
  typedef WfTwoKeys<Bits> Two;

  static __device__ guint32 step   (int step) { return step; }
  static __device__ Two     least  (Two p, Two q) { return { min (p.a, q.a), min (p.b, q.b) }; }
  static __device__ guint32 first  (Two p) { return (guint32) p.a; }
  static __device__ guint32 second (Two p) { return (guint32) p.b; }
  static __device__ Two     middle (Two p, Two q) { return { p.b, q.a }; }

  static __device__ Two
  add (Two     p,
       guint32 step)
  {
    return { p.a + (Bits) (int) step, p.b + (Bits) (int) step };
  }

  static __device__ void
  make (const WfFour<Pixel> &levels,
        guint32              low,
        int                  n,
        Two                 *two)
  {
    Bits keys[4];

#pragma unroll
    for (int j = 0; j < 4; j++)
      keys[j] = ((Bits) WfLevel<Pixel>::key (levels.of[j]) << 8 | (low >> 8 * j & 255))
                | (j < n ? 0 : ~(Bits) WF_PLACE_BITS);
    two[0] = { keys[0], keys[1] };
    two[1] = { keys[2], keys[3] };
  }
};

template <> struct WfKeys<guint16> : WfWideKeys<guint16, guint32> {};
template <> struct WfKeys<float> : WfWideKeys<float, guint64> {};

/* L2 and the own place of four voxels, as the low bytes of their keys. */
__device__ __forceinline__ guint32
low_bytes (const uint4 &facts,
           int          bit)
{
  const guint32 known = ~(facts.x & facts.y & facts.z & ~facts.w);      /* no minima */

  auto spread_bits = [&] (guint32 bits)
    {
      return ((bits & known) >> bit & 15) * 0x00204081u & 0x01010101u;
    };

  return spread_bits (facts.x) << 5 | spread_bits (facts.y) << 6 | spread_bits (facts.z) << 7
         | WF_OWN_PLACE * 0x01010101u;
}


/*  A slice's keys  */

/* A row of keys: the four before the tile, the tile's, and the four behind it. */
#define WF_ROW   (WF_TILE_X + 8)
#define WF_SLICE (WF_ROW * (WF_TILE_Y + 2))

/* Half a block goes through half of a tile's slices. */
#define WF_HALF_Z       (WF_TILE_Z / 2)
#define WF_HALF_THREADS (WF_TILE_THREADS / 2)

/* Fours that are loaded beside a thread's own: two rows and two columns of them. */
#define WF_HALO_FOURS (2 * (WF_FOURS + 2) + 2 * WF_TILE_Y)

/* Keys of four voxels. */
template <typename Pixel>
struct __align__ (4 * sizeof (typename WfKeys<Pixel>::Key)) WfKeyPairs
{
  typename WfKeys<Pixel>::Two two[2];
};

/* What a thread loads of four voxels of each slice. */
template <typename Pixel>
struct WfLoad
{
  typedef WfKeys<Pixel> Keys;

  int     to;        /* in a slice of keys */
  int     bit;
  int     n;         /* of them inside the stack */
  guint32 from;
  guint32 word;
  uint4   facts;

  typename WfLevels<Pixel>::Four levels;

  /* @column: in fours, from the tile's first. */
  __device__ void
  start (const WfStack     &stack,
         const WfStackTile &tile,
         int                column,
         int                row,
         int                slice)
  {
    const guint32 x = tile.x + 4 * column;
    const guint32 y = tile.y + row;

    to   = (row + 1) * WF_ROW + 4 * column + 4;
    bit  = x % 32;
    n    = x < stack.width && y < stack.height ? (int) min (stack.width - x, 4u) : 0;
    from = stack.voxel (x, y, tile.z + slice);
    word = stack.row (y, tile.z + slice) + x / 32;
  }

  /* The next slice; @whole as for WfLevels. */
  __device__ void
  load (const WfStack &stack,
        const Pixel   *image,
        bool           within,
        bool           whole)
  {
    if (within && n > 0)
      {
        facts  = stack.facts[word];
        levels = WfLevels<Pixel>::load (image, from, n, whole);
      }
    from += stack.slice;
    word += stack.height * stack.across;
  }

  /* Stores the keys of what was loaded last. */
  __device__ void
  put (bool                  within,
       typename Keys::Key   *keys) const
  {
    WfKeyPairs<Pixel> pairs;

    Keys::make (levels, low_bytes (facts, bit), within ? n : 0, pairs.two);
    *(WfKeyPairs<Pixel> *) (keys + to) = pairs;
  }
};

/* The fours of the halo: rows above and below with their corners, then columns. */
__device__ __forceinline__ int2
halo_four (int k)
{
  const int j = k - 2 * (WF_FOURS + 2);

  return j < 0 ? make_int2 (k % (WF_FOURS + 2) - 1, k < WF_FOURS + 2 ? -1 : WF_TILE_Y)
               : make_int2 (j % 2 ? WF_FOURS : -1, j / 2);
}

/* The least keys around four voxels within their slice, with 26 neighbours among
 * themselves.  @ahead: what a step to the right adds to a place.
 */
template <int N, typename Pixel>
__device__ __forceinline__ WfKeyPairs<Pixel>
least_in_slice (const typename WfKeys<Pixel>::Key *at,
                const WfKeyPairs<Pixel>              &own,
                int                                ahead)
{
  typedef WfKeys<Pixel>      Keys;
  typedef typename Keys::Two Two;
  typedef WfKeyPairs<Pixel>     Pairs;

  const guint32 right = Keys::step (ahead);
  const guint32 left  = Keys::step (-ahead);
  const guint32 down  = Keys::step (3 * ahead);
  const guint32 up    = Keys::step (-3 * ahead);

  /* Beside a row's four. */
  auto beside = [&] (const typename Keys::Key *row, const Pairs &four) -> Pairs
    {
      const Two before = *(const Two *) (row - 2);
      const Two behind = *(const Two *) (row + 4);
      const Two middle = Keys::middle (four.two[0], four.two[1]);

      return { { Keys::least (Keys::add (Keys::middle (before, four.two[0]), left),
                              Keys::add (middle, right)),
                 Keys::least (Keys::add (middle, left),
                              Keys::add (Keys::middle (four.two[1], behind), right)) } };
    };

  Pairs result = beside (at, own);
  Pairs above  = *(const Pairs *) (at - WF_ROW);
  Pairs below  = *(const Pairs *) (at + WF_ROW);

  if constexpr (N == 26)
    {
      const Pairs high = beside (at - WF_ROW, above);
      const Pairs low  = beside (at + WF_ROW, below);

#pragma unroll
      for (int j = 0; j < 2; j++)
        {
          result.two[j] = Keys::least (result.two[j], own.two[j]);
          above.two[j]  = Keys::least (high.two[j], above.two[j]);
          below.two[j]  = Keys::least (low.two[j], below.two[j]);
        }
    }
#pragma unroll
  for (int j = 0; j < 2; j++)
    result.two[j] = Keys::least (result.two[j],
                                 Keys::least (Keys::add (above.two[j], up),
                                              Keys::add (below.two[j], down)));
  return result;
}

} /* namespace stack_flood */

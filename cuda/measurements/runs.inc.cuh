/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sums over the pixels of each region: one pass over runs; see measurements.cu. */

#pragma once

#include "places.cuh"
#include "engine/core/tasks.h"

namespace measurements
{

constexpr int THREADS = 256;

/* Pixels of a row that a warp goes along: long, so that a region that has the whole image is
 * added to seldom; short, so that there is work for all warps.
 */
constexpr int STRIP = 1024;

/**
 * Strips:
 * @across: in a row
 * @corners: whether pixels that touch at a corner are neighbors
 */
struct Strips
{
  gint64 width;
  gint64 height;
  gint64 across;
  bool   corners;
};

/* Where the sums go: NULL where they are not wanted. */
struct Table
{
  unsigned long long *totals[WF_N_TOTALS];
  guint32            *limits[WF_N_LIMITS];
};

/* Of some pixels of a region. */
struct Contacts
{
  guint32 runs;
  guint32 joints;
  guint32 below;
  guint32 diagonal;
};

/* @levels_x: of levels times columns counted from the first of the pixels' warp or of the row */
struct Levels
{
  guint32            least;
  guint32            greatest;
  guint32            sum;
  unsigned long long squares;
  unsigned long long levels_x;
};

/* Pixels of a region that follow each other in a row. */
struct Piece
{
  gint64   from;
  gint64   n;
  gint64   y;
  gint64   z;
  Contacts contacts;
  Levels   levels;
};


/*  Adding a piece  */

static __device__ __forceinline__ void
add (const Table        &table,
     WfRegionTotal       total,
     guint32             place,
     unsigned long long  value)
{
  if (table.totals[total] && value != 0)
    atomicAdd (&table.totals[total][place], value);
}

/* Most pieces do not change a limit: it is read first. */
static __device__ __forceinline__ void
lower (const Table   &table,
       WfRegionLimit  limit,
       guint32        place,
       guint32        value)
{
  guint32 *at = table.limits[limit];

  if (at && value < __ldca (&at[place]))
    atomicMin (&at[place], value);
}

static __device__ __forceinline__ void
raise (const Table   &table,
       WfRegionLimit  limit,
       guint32        place,
       guint32        value)
{
  guint32 *at = table.limits[limit];

  if (at && value > __ldca (&at[place]))
    atomicMax (&at[place], value);
}

/* The sum of the squares from 0² to (n − 1)²; n is at most %STRIP. */
static __device__ __forceinline__ unsigned long long
sum_squares (unsigned long long n)
{
  return (n - 1) * n * (2 * n - 1) / 6;
}

template <bool LEVELS, bool SHAPE>
static __device__ __forceinline__ void
add_piece (const Table &table,
           guint32      place,
           const Piece &piece)
{
  const unsigned long long from    = piece.from;
  const unsigned long long n       = piece.n;
  const unsigned long long y       = piece.y;
  const unsigned long long z       = piece.z;
  const unsigned long long columns = n * (2 * from + n - 1) / 2;

  add (table, WF_TOTAL_AREA, place, n);
  add (table, WF_TOTAL_X, place, columns);
  add (table, WF_TOTAL_Y, place, n * y);
  add (table, WF_TOTAL_Z, place, n * z);
  lower (table, WF_LIMIT_FIRST_X, place, (guint32) from);
  raise (table, WF_LIMIT_LAST_X, place, (guint32) (from + n - 1));
  lower (table, WF_LIMIT_FIRST_Y, place, (guint32) y);
  raise (table, WF_LIMIT_LAST_Y, place, (guint32) y);
  lower (table, WF_LIMIT_FIRST_Z, place, (guint32) z);
  raise (table, WF_LIMIT_LAST_Z, place, (guint32) z);
  add (table, WF_TOTAL_XX, place, from * from * n + from * n * (n - 1) + sum_squares (n));
  add (table, WF_TOTAL_XY, place, columns * y);
  add (table, WF_TOTAL_YY, place, y * y * n);
  if constexpr (SHAPE)
    {
      add (table, WF_TOTAL_RUNS, place, piece.contacts.runs);
      add (table, WF_TOTAL_JOINTS, place, piece.contacts.joints);
      add (table, WF_TOTAL_BELOW, place, piece.contacts.below);
      add (table, WF_TOTAL_DIAGONAL, place, piece.contacts.diagonal);
    }
  if constexpr (LEVELS)
    {
      lower (table, WF_LIMIT_LEAST, place, piece.levels.least);
      raise (table, WF_LIMIT_GREATEST, place, piece.levels.greatest);
      add (table, WF_TOTAL_LEVELS, place, piece.levels.sum);
      add (table, WF_TOTAL_SQUARES, place, piece.levels.squares);
      add (table, WF_TOTAL_LEVELS_X, place, piece.levels.levels_x);
      add (table, WF_TOTAL_LEVELS_Y, place, piece.levels.sum * y);
      add (table, WF_TOTAL_LEVELS_Z, place, piece.levels.sum * z);
    }
}


/*  Contacts  */

/* What pixels have in common with those before and above them; a bit for each lane. */
struct Votes
{
  guint32 runs;
  guint32 joints[3];
  guint32 below;
  guint32 diagonal[2];
};

/* Two runs of a label in neighboring rows touch at one place only: where their overlap begins or,
 * without one, at a corner.  @above: the row above, or NULL.  All lanes of a warp.
 */
static __device__ __forceinline__ Votes
vote (const guint32 *row,
      const guint32 *above,
      gint64         width,
      gint64         x,
      guint32        label,
      bool           corners)
{
  const int     lane     = wf_lane ();
  const bool    labelled = label != 0;
  const guint32 up       = above && x < width ? above[x] : 0;
  guint32       left     = __shfl_up_sync (WF_ALL_LANES, label, 1);
  guint32       right    = __shfl_down_sync (WF_ALL_LANES, label, 1);
  guint32       up_left  = __shfl_up_sync (WF_ALL_LANES, up, 1);
  guint32       up_right = __shfl_down_sync (WF_ALL_LANES, up, 1);
  bool          below;
  Votes         votes;

  if (lane == 0)
    {
      left    = x > 0 ? row[x - 1] : 0;
      up_left = above && x > 0 ? above[x - 1] : 0;
    }
  if (lane == WF_LANES - 1)
    {
      right    = x + 1 < width ? row[x + 1] : 0;
      up_right = above && x + 1 < width ? above[x + 1] : 0;
    }
  below             = labelled && up == label;
  votes.runs        = __ballot_sync (WF_ALL_LANES, labelled && left != label);
  votes.below       = __ballot_sync (WF_ALL_LANES, below);
  votes.diagonal[0] = __ballot_sync (WF_ALL_LANES, labelled && up_left == label);
  votes.diagonal[1] = __ballot_sync (WF_ALL_LANES, labelled && up_right == label);
  votes.joints[0]   = __ballot_sync (WF_ALL_LANES, below && ! (left == label && up_left == label));
  votes.joints[1]   = __ballot_sync (WF_ALL_LANES, corners && labelled && ! below &&
                                                   up_left == label && left != label);
  votes.joints[2]   = __ballot_sync (WF_ALL_LANES, corners && labelled && ! below &&
                                                   up_right == label && right != label);
  return votes;
}

/* Of the pixels in @mask. */
static __device__ __forceinline__ void
count_contacts (const Votes &votes,
                guint32      mask,
                Contacts    *contacts)
{
  contacts->runs     += __popc (votes.runs & mask);
  contacts->below    += __popc (votes.below & mask);
  contacts->diagonal += __popc (votes.diagonal[0] & mask) + __popc (votes.diagonal[1] & mask);
  contacts->joints   += __popc (votes.joints[0] & mask) + __popc (votes.joints[1] & mask) +
                        __popc (votes.joints[2] & mask);
}


/*  Levels  */

static __device__ __forceinline__ Levels
no_levels ()
{
  return { 0xffffffffu, 0, 0, 0, 0 };
}

static __device__ __forceinline__ void
add_level (Levels  *levels,
           guint32  level,
           gint64   x)
{
  levels->least     = min (levels->least, level);
  levels->greatest  = max (levels->greatest, level);
  levels->sum      += level;
  levels->squares  += (unsigned long long) level * level;
  levels->levels_x += level * (unsigned long long) x;
}

/* The levels of all lanes together. */
static __device__ __forceinline__ Levels
join_lanes (const Levels &levels)
{
  return { wf_warp_min (levels.least), wf_warp_max (levels.greatest), wf_warp_sum (levels.sum),
           wf_warp_sum (levels.squares), wf_warp_sum (levels.levels_x) };
}

/* Those of the lanes from this one up to before @after, whose levels are those of one pixel each.
 * Of 8 bits all sums but that of x have 32 bits.  All lanes of a warp.
 */
template <typename Pixel>
static __device__ __forceinline__ Levels
join_from_here (guint32 level,
                int     after,
                gint64  first)
{
  using Square = std::conditional_t<sizeof (Pixel) == 1, guint32, unsigned long long>;

  const int lane    = wf_lane ();
  guint32   least   = level;
  guint32   most    = level;
  guint32   sum     = level;
  guint32   moved   = level * lane;
  Square    squares = (Square) level * level;

#pragma unroll
  for (int step = 1; step < WF_LANES; step *= 2)
    {
      const bool    inside        = lane + step < after;
      const guint32 other_least   = __shfl_down_sync (WF_ALL_LANES, least, step);
      const guint32 other_most    = __shfl_down_sync (WF_ALL_LANES, most, step);
      const guint32 other_sum     = __shfl_down_sync (WF_ALL_LANES, sum, step);
      const guint32 other_moved   = __shfl_down_sync (WF_ALL_LANES, moved, step);
      const Square  other_squares = __shfl_down_sync (WF_ALL_LANES, squares, step);

      if (! inside)
        continue;
      least    = min (least, other_least);
      most     = max (most, other_most);
      sum     += other_sum;
      moved   += other_moved;
      squares += other_squares;
    }
  return { least, most, sum, squares, (unsigned long long) first * sum + moved };
}


/*  A strip  */

/* Adds the pieces of up to 32 pixels, the first of which is in column @first. */
template <typename Pixel, bool LEVELS, bool SHAPE>
static __device__ __forceinline__ void
add_pieces (const Places &places,
            const Table  &table,
            const Votes  &votes,
            guint32       label,
            guint32       level,
            gint64        first,
            gint64        y,
            gint64        z)
{
  const int     lane  = wf_lane ();
  const bool    head  = is_head (label);
  const guint32 heads = __ballot_sync (WF_ALL_LANES, head);
  const guint32 later = heads & ~(0xffffffffu >> (31 - lane));
  const int     after = later ? __ffs (later) - 1 : WF_LANES;
  Piece         piece = { first + lane, after - lane, y, z, {}, {} };

  if constexpr (LEVELS)
    piece.levels = join_from_here<Pixel> (level, after, first);
  if (! head || label == 0)
    return;
  if constexpr (SHAPE)
    count_contacts (votes, (0xffffffffu >> (WF_LANES - after)) & ~wf_lanes_before (lane),
                    &piece.contacts);
  add_piece<LEVELS, SHAPE> (table, place_of (places, label), piece);
}

/* As long as all 32 pixels have one label, each lane adds up levels of its own; the sums over the
 * lanes wait until another label comes.  The next pixels are loaded beforehand.
 */
template <typename Pixel, bool LEVELS, bool SHAPE>
static __device__ __forceinline__ void
scan_strip (const guint32 *labels,
            const Pixel   *levels,
            const Strips  &strips,
            gint64         strip,
            const Places  &places,
            const Table   &table)
{
  const gint64   number = strip / strips.across;
  const gint64   from   = strip % strips.across * STRIP;
  const gint64   to     = min (strips.width, from + STRIP);
  const guint32 *row    = labels + number * strips.width;
  const guint32 *above  = number % strips.height > 0 ? row - strips.width : NULL;
  const Pixel   *pixels = levels + (LEVELS ? number * strips.width : 0);
  guint32        held   = 0;        /* the label of what waits */
  Piece          piece  = { 0, 0, number % strips.height, number / strips.height, {},
                            no_levels () };

  guint32        next   = from + wf_lane () < to ? row[from + wf_lane ()] : 0;
  guint32        ahead  = LEVELS && from + wf_lane () < to ? pixels[from + wf_lane ()] : 0;

  for (gint64 first = from; first < to; first += WF_LANES)
    {
      const gint64  x     = first + wf_lane ();
      const guint32 label = next;
      const guint32 level = ahead;
      const guint32 lead  = __shfl_sync (WF_ALL_LANES, label, 0);
      const bool    whole = __all_sync (WF_ALL_LANES, label == lead);
      Votes         votes = {};

      next  = x + WF_LANES < to ? row[x + WF_LANES] : 0;
      ahead = LEVELS && x + WF_LANES < to ? pixels[x + WF_LANES] : 0;
      if (held != 0 && (! whole || lead != held))
        {
          if constexpr (LEVELS)
            piece.levels = join_lanes (piece.levels);
          piece.n = first - piece.from;
          if (wf_lane () == 0)
            add_piece<LEVELS, SHAPE> (table, place_of (places, held), piece);
          held = 0;
        }
      if (whole && lead == 0)
        continue;
      if constexpr (SHAPE)
        votes = vote (row, above, strips.width, x, label, strips.corners);
      if (! whole)
        {
          add_pieces<Pixel, LEVELS, SHAPE> (places, table, votes, label, level, first, piece.y,
                                            piece.z);
          continue;
        }
      if (held == 0)
        {
          held           = lead;
          piece.from     = first;
          piece.contacts = {};
          piece.levels   = no_levels ();
        }
      if constexpr (SHAPE)
        count_contacts (votes, WF_ALL_LANES, &piece.contacts);
      if constexpr (LEVELS)
        add_level (&piece.levels, level, x);
    }
  if (held == 0)
    return;
  if constexpr (LEVELS)
    piece.levels = join_lanes (piece.levels);
  piece.n = to - piece.from;
  if (wf_lane () == 0)
    add_piece<LEVELS, SHAPE> (table, place_of (places, held), piece);
}

/* A warp takes a strip at a time.  Bytes a pixel: 4 and the level; the row above comes from the
 * caches.  For each piece 8 to each total, and 4 from each limit.
 */
template <typename Pixel, bool LEVELS, bool SHAPE>
static __global__ void
__launch_bounds__ (THREADS)
scan_strips (const guint32 *labels,
             const Pixel   *levels,
             Strips         strips,
             gint64         first,
             gint64         after,
             Places         places,
             Table          table)
{
  const gint64 n_warps = (gint64) gridDim.x * (THREADS / WF_LANES);

  for (gint64 strip = first + (blockIdx.x * (gint64) THREADS + threadIdx.x) / WF_LANES;
       strip < after; strip += n_warps)
    scan_strip<Pixel, LEVELS, SHAPE> (labels, levels, strips, strip, places, table);
}

} /* namespace measurements */

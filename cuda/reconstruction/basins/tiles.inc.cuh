/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The basins of a tile in shared memory, joined as far as the tile knows; see basins.inc.cuh.
 * A thread has PER pixels of a column, below each other.
 */

#pragma once

#include "basins.inc.cuh"

namespace basins
{

/**
 * Room:
 * @levels: keys of the mask, with a frame of one pixel
 * @basin: of each pixel: first a pixel that is not lower, then the pixel that stands for its
 *   basin, then its basin's number, then its set
 * @best, @seed, @parent: of sets
 * @map: from pixels to numbers of basins, before there are sets
 * @flat: pixels without a higher neighbor in the tile and with one of their level, as bits
 * @links: those of them that are joined with the one on their left, in one half of a row
 * @table: edges between sets, by open addressing; 0: no edge
 * @full: whether the table was too small
 */
template <typename Pixel, int CONNECTIVITY>
struct Room
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;
  typedef typename Size::Best        Best;

  union
  {
    struct
    {
      Best    best[Size::MOST];
      guint32 seed[Size::MOST];
    };
    guint16 map[Size::AREA];
  };
  Pixel   levels[(Size::ROWS + 2) * PITCH];
  guint16 basin[Size::AREA];
  guint16 parent[Size::MOST];
  guint32 flat[Size::ROWS][2];
  guint32 links[Size::ROWS][2];
  guint32 full;

  typename Size::Entry table[Size::SLOTS];
};

/* What a thread knows: its column, its first row, the bit of its column in half a row. */
struct Place
{
  int x;
  int y;
  int half;
  int lane;
};

template <int PER>
__device__ __forceinline__ Place
make_place ()
{
  const int x = threadIdx.x % COLUMNS;

  return { x, (int) threadIdx.x / COLUMNS * PER, x / WF_LANES, x % WF_LANES };
}

/* The key of the mask at a pixel of the tile or of the frame. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
level_at (const Room<Pixel, CONNECTIVITY> &room,
          int                              x,
          int                              y)
{
  return room.levels[(y + 1) * PITCH + x + 1];
}

template <typename Pixel>
__device__ __forceinline__ guint32
mask_key (const Image<Pixel> &image,
          gint64              x,
          gint64              y)
{
  return x >= 0 && y >= 0 && x < image.width && y < image.height
         ? image.keys.of (image.mask[y * image.width + x]) : 0;
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
load_levels (Room<Pixel, CONNECTIVITY> *room,
             const Image<Pixel>        &image,
             gint64                     left,
             gint64                     top)
{
  constexpr int ROWS = Sizes<Pixel, CONNECTIVITY>::ROWS;
  const int     x    = threadIdx.x % COLUMNS;

#pragma unroll 6
  for (int y = threadIdx.x / COLUMNS - 1; y <= ROWS; y += GROUPS)
    room->levels[(y + 1) * PITCH + x + 1] = (Pixel) mask_key (image, left + x, top + y);
  for (int i = threadIdx.x; i < 2 * (ROWS + 2); i += THREADS)
    room->levels[i / 2 * PITCH + i % 2 * (PITCH - 1)] =
      (Pixel) mask_key (image, i % 2 ? left + COLUMNS : left - 1, top + i / 2 - 1);
}


/*  The basins  */

/* Each pixel points to its highest neighbor in the tile, if that is higher. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
point_up (Room<Pixel, CONNECTIVITY> *room,
          const Place               &place)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

#pragma unroll 4
  for (int y = place.y; y < place.y + Size::PER; y++)
    {
      const int     p     = y * COLUMNS + place.x;
      const guint32 here  = level_at (*room, place.x, y);
      guint32       there = here;
      int           to    = p;

#pragma unroll
      for (int dy = -1; dy <= 1; dy++)
#pragma unroll
        for (int dx = -1; dx <= 1; dx++)
          {
            const int     x = place.x + dx;
            const guint32 level = level_at (*room, x, y + dy);

            if ((dx == 0 && dy == 0) || (CONNECTIVITY == 4 && dx != 0 && dy != 0))
              continue;
            if (level >= there && x >= 0 && x < COLUMNS && y + dy >= 0 && y + dy < Size::ROWS)
              {
                there = level;
                to    = p + dy * COLUMNS + dx;
              }
          }
      room->basin[p] = (guint16) (there > here ? to : p);

      const guint32 flat = __ballot_sync (WF_ALL_LANES, there == here && to != p);

      if (place.lane == 0)
        room->flat[y][place.half] = flat;
    }
}

/* Whether a pixel of the tile is flat; none is outside.  A neighbor of a flat pixel's level that is
 * not flat has a higher neighbor.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
is_flat (const Room<Pixel, CONNECTIVITY> &room,
          int                              x,
          int                              y)
{
  return x >= 0 && x < COLUMNS && y >= 0 && y < Sizes<Pixel, CONNECTIVITY>::ROWS &&
         room.flat[y][x / WF_LANES] >> (x % WF_LANES) & 1;
}

/* Whether it is also in the plateau of @level. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
is_plateau (const Room<Pixel, CONNECTIVITY> &room,
            int                              x,
            int                              y,
            guint32                          level)
{
  return is_flat (room, x, y) && level_at (room, x, y) == level;
}

/* Pixels of a plateau beside each other in half a row point to the first one. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
link_rows (Room<Pixel, CONNECTIVITY> *room,
           const Place               &place)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

#pragma unroll 1
  for (int y = place.y; y < place.y + Size::PER; y++)
    {
      const guint32 flat  = room->flat[y][place.half];
      const bool    is    = flat >> place.lane & 1;
      const bool    joins = is && place.lane > 0 && (flat >> (place.lane - 1) & 1) &&
                            level_at (*room, place.x - 1, y) == level_at (*room, place.x, y);
      const guint32 links = flat ? __ballot_sync (WF_ALL_LANES, joins) : 0;
      const int     first = 31 - __clz ((int) (~links & (wf_lanes_before (place.lane) |
                                                         1u << place.lane)));

      if (is)
        room->basin[y * COLUMNS + place.x] =
          (guint16) (y * COLUMNS + place.half * WF_LANES + first);
      if (place.lane == 0)
        room->links[y][place.half] = links;
    }
}

/* Joins the plateau at a pixel with what is left, below, and beside that. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
join_plateau (Room<Pixel, CONNECTIVITY> *room,
              const Place               &place,
              int                        y)
{
  const WfForest<guint16> forest (room->basin);
  const int               x     = place.x;
  const int               p     = y * COLUMNS + x;
  const guint32           here  = level_at (*room, x, y);
  const bool              below = is_plateau (*room, x, y + 1, here);

  if (x == WF_LANES && is_plateau (*room, x - 1, y, here))
    wf_join_sets (forest, p, p - 1);
  if (below && ! (room->links[y][place.half] & room->links[y + 1][place.half]
                  & 1u << place.lane))
    wf_join_sets (forest, p, p + COLUMNS);
  if (CONNECTIVITY == 4 || below)
    return;
  if (is_plateau (*room, x - 1, y + 1, here) && ! is_plateau (*room, x - 1, y, here))
    wf_join_sets (forest, p, p + COLUMNS - 1);
  if (is_plateau (*room, x + 1, y + 1, here) && ! is_plateau (*room, x + 1, y, here))
    wf_join_sets (forest, p, p + COLUMNS + 1);
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
join_plateaux (Room<Pixel, CONNECTIVITY> *room,
               const Place               &place)
{
#pragma unroll 1
  for (int y = place.y; y < place.y + Sizes<Pixel, CONNECTIVITY>::PER; y++)
    if (room->flat[y][place.half] >> place.lane & 1)
      join_plateau (room, place, y);
}

/* A neighbor of the same level that has a higher one, or -1. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ int
find_exit (const Room<Pixel, CONNECTIVITY> &room,
           int                              x,
           int                              y)
{
  const guint32 here  = level_at (room, x, y);
  int           found = -1;

#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++)
      if ((dx != 0 || dy != 0) && (CONNECTIVITY == 8 || dx == 0 || dy == 0) &&
          level_at (room, x + dx, y + dy) == here &&
          x + dx >= 0 && x + dx < COLUMNS && y + dy >= 0 &&
          y + dy < Sizes<Pixel, CONNECTIVITY>::ROWS && ! is_flat (room, x + dx, y + dy))
        found = (y + dy) * COLUMNS + x + dx;
  return found;
}

/* A plateau that is no maximum points to one of its exits; any will do. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
leave_plateaux (Room<Pixel, CONNECTIVITY> *room,
                const Place               &place)
{
#pragma unroll 1
  for (int y = place.y; y < place.y + Sizes<Pixel, CONNECTIVITY>::PER; y++)
    {
      int exit = -1;

      if (room->flat[y][place.half] >> place.lane & 1)
        exit = find_exit (*room, place.x, y);
      if (exit < 0)
        continue;

      int node = y * COLUMNS + place.x;

      for (;;)
        {
          const int above = ((volatile guint16 *) room->basin)[node];

          if (above == node || ! is_flat (*room, above % COLUMNS, above / COLUMNS))
            break;
          node = above;
        }
      ((volatile guint16 *) room->basin)[node] = (guint16) exit;
    }
}

/* Numbers the basins; returns how many there are. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ int
number_basins (Room<Pixel, CONNECTIVITY> *room,
               const Place               &place,
               guint16                   *of_pixels)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  const WfForest<guint16> forest (room->basin);
  const int               first = place.y * COLUMNS + place.x;
  int                     own   = 0;
  int                     total;
  int                     number;

#pragma unroll 1
  for (int i = 0; i < Size::PER; i++)
    wf_find_root (forest, first + i * COLUMNS);
  __syncthreads ();
#pragma unroll 1
  for (int i = 0; i < Size::PER; i++)      /* without stores that others make late */
    {
      const int p    = first + i * COLUMNS;
      const int root = wf_look_up_root (forest, p);

      forest.store (p, root);
      own += root == p;
    }
  number = wf_block_sum_before (own, &total);
#pragma unroll 4
  for (int i = 0; i < Size::PER; i++)
    if (room->basin[first + i * COLUMNS] == first + i * COLUMNS)
      room->map[first + i * COLUMNS] = (guint16) number++;
  __syncthreads ();
#pragma unroll 4
  for (int i = 0; i < Size::PER; i++)
    {
      const int     p     = first + i * COLUMNS;
      const guint16 basin = room->map[room->basin[p]];

      room->basin[p] = basin;
      of_pixels[p]   = basin;
    }
  __syncthreads ();
  return total;
}

/* Each basin is a set; its seed is the greatest of min (marker, mask).  The table is empty. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
find_seeds (Room<Pixel, CONNECTIVITY> *room,
            const Place               &place,
            const Image<Pixel>        &image,
            gint64                     left,
            gint64                     top,
            int                        n)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  const gint64 rest = image.height - top - place.y;
  const int    rows = left + place.x >= image.width ? 0 : (int) min (rest, (gint64) Size::PER);
  const Pixel *at   = image.marker + (top + place.y) * image.width + left + place.x;

  for (int c = threadIdx.x; c < n; c += THREADS)
    {
      room->seed[c]   = 0;
      room->parent[c] = (guint16) c;
    }
  for (int slot = threadIdx.x; slot < Size::SLOTS; slot += THREADS)
    room->table[slot] = 0;
  if (threadIdx.x == 0)
    room->full = 0;
  __syncthreads ();
#pragma unroll 4
  for (int i = 0; i < Size::PER; i++)
    if (i < rows)
      {
        const guint32 marker = image.keys.of (at[i * image.width]);
        const guint32 seed   = min (marker, level_at (*room, place.x, place.y + i));
        guint32      *where  = &room->seed[room->basin[(place.y + i) * COLUMNS + place.x]];

        if (seed > *(volatile guint32 *) where)
          atomicMax (where, seed);
      }
}


/*  Joining  */

/* Sets in an entry of the table, and places that are tried for one. */
constexpr int     SET_BITS = 11;
constexpr guint32 SET_MASK = (1u << SET_BITS) - 1;
constexpr int     PROBES   = 24;

template <typename Best>
__device__ __forceinline__ void
offer (Best *where,
       Best  value)
{
  if (value > *(volatile Best *) where)
    atomicMax (where, value);
}

/* Offers the edge @number, from a pixel of level @here in set @a, to both of its sets. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
offer_edge (Room<Pixel, CONNECTIVITY> *room,
            guint32                    a,
            guint32                    here,
            int                        x,
            int                        y,
            int                        number)
{
  typedef typename Sizes<Pixel, CONNECTIVITY>::Best Best;

  if (x < 0 || x >= COLUMNS || y >= Sizes<Pixel, CONNECTIVITY>::ROWS)
    return false;

  const guint32 b = room->basin[y * COLUMNS + x];

  if (a == b)
    return false;

  const Best value = (Best) min (here, level_at (*room, x, y)) << EDGE_BITS | (Best) number;

  offer (&room->best[a], value);
  offer (&room->best[b], value);
  return true;
}

/* Offers all edges between sets.  @open: the thread's pixels that have any. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
offer_edges (Room<Pixel, CONNECTIVITY> *room,
             const Place               &place,
             guint32                   *open)
{
#pragma unroll 1
  for (guint32 rest = *open; rest; rest &= rest - 1)
    {
      const int     i      = __ffs ((int) rest) - 1;
      const int     y      = place.y + i;
      const int     p      = y * COLUMNS + place.x;
      const guint32 a      = room->basin[p];
      const guint32 here   = level_at (*room, place.x, y);
      const int     number = 4 * p + 1;
      bool          any;

      any  = offer_edge (room, a, here, place.x + 1, y, number);
      any |= offer_edge (room, a, here, place.x, y + 1, number + 1);
      if (CONNECTIVITY == 8)
        {
          any |= offer_edge (room, a, here, place.x - 1, y + 1, number + 2);
          any |= offer_edge (room, a, here, place.x + 1, y + 1, number + 3);
        }
      if (! any)
        *open &= ~(1u << i);
    }
}

/* Edges in a table: pair of sets, level. */
template <typename Pixel>
__device__ __forceinline__ guint32
pair_of (typename Tile<Pixel>::Entry entry)
{
  return (guint32) (entry >> 8 * sizeof (Pixel));
}

/* Enters an edge into the table, where it may be already. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
enter_edge (Room<Pixel, CONNECTIVITY> *room,
            guint32                    pair,
            guint32                    level)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;
  typedef typename Size::Entry       Entry;

  const Entry value = (Entry) pair << 8 * sizeof (Pixel) | level;
  guint32     slot  = pair * 0x9e3779b1u >> 16;

  for (int i = 0; i < PROBES; i++, slot++)
    {
      Entry *where = &room->table[slot % Size::SLOTS];
      Entry  there = *(volatile Entry *) where;

      if (there == 0)
        there = atomicCAS (where, (Entry) 0, value);
      if (there == 0)
        return;
      if (pair_of<Pixel> (there) == pair)
        {
          offer (where, value);
          return;
        }
    }
  room->full = 1;
}

/* Enters the edge from a pixel of level @here in basin @a, unless it is the last that the thread
 * has entered.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
enter_if_edge (Room<Pixel, CONNECTIVITY> *room,
               guint32                    a,
               guint32                    here,
               int                        x,
               int                        y,
               guint32                   *last_pair,
               guint32                   *last_level)
{
  if (x < 0 || x >= COLUMNS || y >= Sizes<Pixel, CONNECTIVITY>::ROWS)
    return;

  const guint32 b = room->basin[y * COLUMNS + x];

  if (a == b)
    return;

  const guint32 level = min (here, level_at (*room, x, y));
  const guint32 pair  = min (a, b) << SET_BITS | max (a, b);

  if (pair == *last_pair && level <= *last_level)
    return;
  *last_pair  = pair;
  *last_level = level;
  enter_edge (room, pair, level);
}

/* All edges between basins.  If they are too many, the table is not used. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
enter_edges (Room<Pixel, CONNECTIVITY> *room,
             const Place               &place)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  guint32 last_pair  = 0;
  guint32 last_level = 0;

#pragma unroll 1
  for (int y = place.y; y < place.y + Size::PER; y++)
    {
      const guint32 a    = room->basin[y * COLUMNS + place.x];
      const guint32 here = level_at (*room, place.x, y);

      enter_if_edge (room, a, here, place.x + 1, y, &last_pair, &last_level);
      enter_if_edge (room, a, here, place.x, y + 1, &last_pair, &last_level);
      if (CONNECTIVITY == 8)
        {
          enter_if_edge (room, a, here, place.x - 1, y + 1, &last_pair, &last_level);
          enter_if_edge (room, a, here, place.x + 1, y + 1, &last_pair, &last_level);
        }
      if (*(volatile guint32 *) &room->full)
        break;
    }
}

/* Offers all edges of the table between the sets that there are now. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
offer_table (Room<Pixel, CONNECTIVITY> *room)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;
  typedef typename Size::Best        Best;
  typedef typename Size::Entry       Entry;

  constexpr int BITS = 8 * sizeof (Pixel);

#pragma unroll 4
  for (int slot = threadIdx.x; slot < Size::SLOTS; slot += THREADS)
    {
      const Entry entry = room->table[slot];

      if (entry == 0)
        continue;

      const guint32 pair  = pair_of<Pixel> (entry);
      const guint32 a     = room->parent[pair >> SET_BITS];
      const guint32 b     = room->parent[pair & SET_MASK];
      const guint32 level = (guint32) (entry - ((Entry) pair << BITS));
      const Best    value = (Best) level << EDGE_BITS | (Best) (slot + 1);

      if (a == b)
        {
          room->table[slot] = 0;
          continue;
        }
      room->table[slot] = (Entry) (a << SET_BITS | b) << BITS | level;
      offer (&room->best[a], value);
      offer (&room->best[b], value);
    }
}

/* The set at the other end of the edge @number of set @c. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
other_end (const Room<Pixel, CONNECTIVITY> &room,
           guint32                          c,
           int                              number)
{
  if (! room.full)
    {
      const guint32 pair = pair_of<Pixel> (room.table[number - 1]);

      return (pair & SET_MASK) == c ? pair >> SET_BITS : pair & SET_MASK;
    }

  const int     p    = (number - 1) / 4;
  const int     way  = (number - 1) % 4;
  const int     step = way == 0 ? 1 : way == 1 ? COLUMNS : way == 2 ? COLUMNS - 1 : COLUMNS + 1;
  const guint32 a    = room.basin[p];

  return a == c ? room.basin[p + step] : a;
}

/* The set that @c joins, or @c; @level: over which edge. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
choose_set (const Room<Pixel, CONNECTIVITY> &room,
            guint32                          c,
            guint32                         *level)
{
  const auto best   = room.best[c];
  const int  number = (int) ((guint32) best & EDGE_MASK);

  *level = (guint32) (best >> EDGE_BITS);
  if (number == 0)
    return c;

  const guint32 other = other_end (room, c, number);

  return room.best[other] == best && c < other ? c : other;
}

/* After sets have joined others: each points to the last; those of @joined are new, a bit for
 * each of the thread's sets.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
flatten (Room<Pixel, CONNECTIVITY> *room,
         guint32                    joined,
         bool                       with_seeds)
{
  volatile guint16 *parent = room->parent;

#pragma unroll 1
  for (; joined; joined &= joined - 1)
    {
      const guint32 c    = threadIdx.x + (__ffs ((int) joined) - 1) * THREADS;
      guint32       last = parent[c];

      for (guint32 next = parent[last]; next != last; next = parent[last])
        last = next;
      parent[c] = (guint16) last;
      if (with_seeds)
        atomicMax (&room->seed[last],
                   min (room->seed[c], (guint32) (room->best[c] >> EDGE_BITS)));
    }
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
follow_sets (Room<Pixel, CONNECTIVITY> *room,
             const Place               &place)
{
#pragma unroll 4
  for (int i = 0; i < Sizes<Pixel, CONNECTIVITY>::PER; i++)
    {
      guint16      *at  = &room->basin[(place.y + i) * COLUMNS + place.x];
      const guint16 set = *at;
      const guint16 now = room->parent[set];

      if (now != set)
        *at = now;
    }
}

/* Joins sets, in rounds, until no set is left whose highest edge is in the tile.  @set, @outside:
 * the set of the thread's pixel of the rim, and the level of its highest edge out of the tile, or
 * 0.  @join (c, other, level): is called for each set that joins another.
 */
template <typename Pixel, int CONNECTIVITY, typename Join>
__device__ __forceinline__ void
join_sets (Room<Pixel, CONNECTIVITY> *room,
           const Place               &place,
           int                        n,
           guint32                    set,
           guint32                    outside,
           bool                       with_seeds,
           Join                       join)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;
  typedef typename Size::Best        Best;

  guint32 open = (1u << Size::PER) - 1;

  for (;;)
    {
      guint32 joined = 0;

      for (int c = threadIdx.x; c < n; c += THREADS)
        room->best[c] = 0;
      __syncthreads ();
      if (room->full)
        offer_edges (room, place, &open);
      else
        offer_table (room);
      if (outside)
        {
          set = room->parent[set];
          offer (&room->best[set], (Best) outside << EDGE_BITS);
        }
      __syncthreads ();
#pragma unroll 1
      for (int i = 0; i * THREADS < n; i++)
        {
          const guint32 c = i * THREADS + threadIdx.x;

          if (c < (guint32) n && room->parent[c] == c)
            {
              guint32       level;
              const guint32 other = choose_set (*room, c, &level);

              if (other == c)
                continue;
              room->parent[c] = (guint16) other;
              joined         |= 1u << i;
              join (c, other, level);
            }
        }
      if (! __syncthreads_or (joined != 0))
        return;
      flatten (room, joined, with_seeds);
      __syncthreads ();
      if (room->full)
        follow_sets (room, place);
    }
}


/*  Nodes  */

/* The pixel at place @i of side @side. */
template <int ROWS>
__device__ __forceinline__ int
side_pixel (int side,
            int i)
{
  return side == ABOVE ? i : side == BELOW ? (ROWS - 1) * COLUMNS + i :
         side == LEFT ? i * COLUMNS : i * COLUMNS + COLUMNS - 1;
}

/* The level of a pixel's highest edge out of the tile. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
level_outside (const Room<Pixel, CONNECTIVITY> &room,
               int                              p)
{
  const int x    = p % COLUMNS;
  const int y    = p / COLUMNS;
  guint32   most = 0;

#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++)
      if ((CONNECTIVITY == 8 || dx == 0 || dy == 0) &&
          (x + dx < 0 || x + dx >= COLUMNS || y + dy < 0 ||
           y + dy >= Sizes<Pixel, CONNECTIVITY>::ROWS))
        most = max (most, level_at (room, x + dx, y + dy));
  return min (most, level_at (room, x, y));
}

/* Sets become nodes; their numbers in the tile replace their seeds. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
make_nodes (Room<Pixel, CONNECTIVITY> *room,
            guint32                    tile,
            int                        n,
            const Basins<Pixel>       &basins,
            const Graph               &graph)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  int own = 0;
  int total;
  int number;

  for (int c = threadIdx.x; c < n; c += THREADS)
    own += room->parent[c] == c;
  number = wf_block_sum_before (own, &total);
  for (int c = threadIdx.x; c < n; c += THREADS)
    if (room->parent[c] == c)
      {
        const guint64 basin = (guint64) tile * Size::MOST + c;
        const guint32 node  = tile * NODES + number;

        basins.parent[basin]    = (guint16) c;
        basins.seed[basin]      = (Pixel) number;
        graph.seed[node]        = room->seed[c];
        graph.set[node]         = node;
        graph.parent[node]      = node;
        graph.best[node]        = 0;
        graph.level[node]       = UNKNOWN;
        graph.alive[node]       = (guint8) number;
        room->seed[c]           = number++;
      }
  if (threadIdx.x == 0)
    {
      basins.n[tile]      = n;
      graph.n_nodes[tile] = total;
      graph.n_alive[tile] = total;
    }
  __syncthreads ();
}

/* The node of each pixel of the rim, given the basin of the thread's one. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
write_rim (const Room<Pixel, CONNECTIVITY> &room,
           guint32                          basin,
           guint8                          *rim)
{
  while (room.parent[basin] != basin)
    basin = room.parent[basin];
  rim[threadIdx.x] = (guint8) room.seed[basin];
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ int
find_basins (Room<Pixel, CONNECTIVITY> *room,
             const Image<Pixel>        &image,
             const Place               &place,
             gint64                     left,
             gint64                     top,
             guint16                   *of_pixels)
{
  int n;

  load_levels (room, image, left, top);
  __syncthreads ();
  point_up (room, place);
  __syncthreads ();
  link_rows (room, place);
  __syncthreads ();
  join_plateaux (room, place);
  __syncthreads ();
  leave_plateaux (room, place);
  __syncthreads ();
  n = number_basins (room, place, of_pixels);
  find_seeds (room, place, image, left, top, n);
  return n;
}

/* One block for each tile. */
template <typename Pixel, int CONNECTIVITY>
static __global__ void
__launch_bounds__ (THREADS)
join_in_tiles (Image<Pixel>  image,
               Basins<Pixel> basins,
               Graph         graph)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  __shared__ Room<Pixel, CONNECTIVITY> room;
  __shared__ guint32                   n_edges;

  const Place   place  = make_place<Size::PER> ();
  const guint32 tile   = blockIdx.x;
  const gint64  left   = tile % image.across * (gint64) COLUMNS;
  const gint64  top    = tile / image.across * (gint64) Size::ROWS;
  const guint64 first  = (guint64) tile * Size::MOST;
  const int     n      = find_basins (&room, image, place, left, top,
                                      basins.of_pixels + (guint64) tile * Size::AREA);
  const int     side   = threadIdx.x / SIDE;
  const int     i      = threadIdx.x % SIDE;
  const bool    is_rim = side == ABOVE || side == BELOW || i < Size::ROWS;
  const int     rim    = is_rim ? side_pixel<Size::ROWS> (side, i) : 0;
  const guint32 basin  = room.basin[rim];

  enter_edges (&room, place);
  __syncthreads ();
  join_sets (&room, place, n, basin, is_rim ? level_outside (room, rim) : 0, true,
             [&] (guint32 c, guint32 other, guint32 level)
             {
               basins.parent[first + c] = (guint16) other;
               basins.edge[first + c]   = (Pixel) level;
               basins.seed[first + c]   = (Pixel) room.seed[c];
             });
  make_nodes (&room, tile, n, basins, graph);
  if (is_rim)
    write_rim (room, basin, basins.rim + (guint64) tile * N_SIDES * SIDE);

  if (threadIdx.x == 0)
    n_edges = 0;
  join_sets (&room, place, n, 0, 0, false,
             [&] (guint32 c, guint32 other, guint32 level)
             {
               if (level == 0)
                 return;

               const guint64 at = (guint64) tile * Size::EDGES + atomicAdd (&n_edges, 1u);

               graph.pairs[at]  = make_uint2 (tile * NODES + room.seed[c],
                                              tile * NODES + room.seed[other]);
               graph.levels[at] = level;
             });
  if (threadIdx.x == 0)
    graph.n_edges[tile] = n_edges;
}

} /* namespace basins */

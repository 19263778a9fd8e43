/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values along lines, and what is made of them: see envelope.cu. */

#pragma once

#include <type_traits>

#include "cuda/core/foreground.cuh"
#include "cuda/core/lanes.cuh"
#include "cuda/distance/exact-local/local.cuh"

namespace distance_envelope
{

/* Positions of a line that a warp works on, and whose least value is noted. */
#define GROUP 32

/* How steps are measured and combined with values. */
enum Rule { SQUARES, SUMS, MAXIMA };

/* Far values are beyond all real ones, and a step may be added to them. */
template <typename V> struct Limits;

template <> struct Limits<guint32>
{
  static __host__ __device__ guint32 far () { return 0x80000000u; }
};

template <> struct Limits<guint64>
{
  static __host__ __device__ guint64 far () { return G_GUINT64_CONSTANT (1) << 62; }
};

template <> struct Limits<double>
{
  static __host__ __device__ double far () { return INFINITY; }
};

/**
 * Lines:
 * @length: pixels of a line
 * @pitch: values of a line, a multiple of %GROUP; those beyond its length are far
 * @n_groups: groups of a line
 * @spacing: size of a pixel along the line
 */
typedef struct
{
  gint64 n_lines;
  int    length;
  int    pitch;
  int    n_groups;
  bool   border;
  double spacing;
} Lines;


/**
 * Kind:
 *
 * The pixels that are measured in half of a signed map; in another map all are written.
 */
typedef struct
{
  gconstpointer image;
  WfType        type;
  WfForeground  foreground;
  bool          only;
} Kind;

/* Whether something is to be written for pixel @p. */
__device__ __forceinline__ bool
is_written (const Kind &kind,
            gint64      p)
{
  if (! kind.only)
    return true;
  if (kind.type == WF_TYPE_U8)
    return wf_is_foreground (((const guint8 *) kind.image)[p], kind.foreground);
  if (kind.type == WF_TYPE_U16)
    return wf_is_foreground (((const guint16 *) kind.image)[p], kind.foreground);
  return wf_is_foreground (((const float *) kind.image)[p], kind.foreground);
}


/*  Values  */

template <typename V, Rule RULE>
__device__ __forceinline__ V
step_value (int    steps,
            double spacing)
{
  if constexpr (std::is_floating_point<V>::value)
    {
      const double length = steps * spacing;

      return RULE == SQUARES ? length * length : length;
    }
  else
    return RULE == SQUARES ? (V) steps * (V) steps : (V) steps;
}

template <typename V, Rule RULE>
__device__ __forceinline__ V
combine (V step,
         V value)
{
  return RULE == MAXIMA ? max (step, value) : step + value;
}

/* What is found for a position; @from only with nearest pixels. */
template <typename V>
struct Found
{
  V   value;
  int from;
};

/* Of equal values the first position counts. */
template <typename V, bool FROM>
__device__ __forceinline__ void
take (Found<V> &found,
      V         candidate,
      int       position)
{
  if constexpr (FROM)
    {
      if (candidate < found.value || (candidate == found.value && position < found.from))
        found = { candidate, position };
    }
  else
    found.value = min (found.value, candidate);
}

template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
compare (Found<V> &found,
         V         value,
         int       position,
         int       here,
         double    spacing)
{
  const V step = step_value<V, RULE> (abs (here - position), spacing);

  take<V, FROM> (found, combine<V, RULE> (step, value), position);
}


/* Values side by side, aligned as memory is read best. */
template <typename V>
struct alignas (16) Four
{
  V values[4];
};

/* Those from @position on, which may be outside by a multiple of four. */
template <typename V>
__device__ __forceinline__ Four<V>
read_four (const V *line,
           int      position,
           int      pitch)
{
  if (position < 0 || position >= pitch)
    return { Limits<V>::far (), Limits<V>::far (), Limits<V>::far (), Limits<V>::far () };
  return *(const Four<V> *) (line + position);
}


/*  Writing  */

/**
 * Wanted:
 * @groups: for each slice, four rows and group of columns whether it is; or %NULL, if all
 *   are
 * @height: of a slice
 *
 * What a pass along x is to find in a stack.
 */
typedef struct
{
  const guint8 *groups;
  guint32       height;
} Wanted;

__device__ __forceinline__ bool
is_wanted (const Wanted &wanted,
           gint64        line,
           int           group,
           int           n_groups)
{
  if (! wanted.groups)
    return true;

  const gint64 slice = line <= G_MAXUINT32 ? (guint32) line / wanted.height
                                           : line / wanted.height;
  const gint64 four  = slice * ((wanted.height + 3) / 4) + (line - slice * wanted.height) / 4;

  return wanted.groups[four * n_groups + group];
}

/**
 * Output:
 * @values: the field after the pass, in the lines' layout; or %NULL
 * @from: for each position the one that its value comes from, −1 and the length for the
 *   outside; or %NULL
 * @distances: packed, of one of the types that distances have; or %NULL
 * @root: the distance is the root of the value
 * @fours: floats may be written four at a time
 * @kind, @negative: a half of a signed map
 * @wanted: groups of the lines that are to be found
 *
 * Where a pass writes; distances from the last one only.
 */
enum DistanceType { NO_DISTANCES, FLOATS, WHOLE_SQUARES, REAL_SQUARES };

template <typename V>
struct Output
{
  V            *values;
  gint32       *from;
  void         *distances;
  DistanceType  type;
  bool          root;
  bool          fours;
  bool          negative;
  Kind          kind;
  Wanted        wanted;
};

/* Rounded once to double where it is not exact, then to float. */
__device__ __forceinline__ float
rounded (double value,
         bool   root)
{
  return (float) (root ? sqrt (value) : value);
}

__device__ __forceinline__ float
rounded (guint64 value,
         bool    root)
{
  return root ? (float) sqrt ((double) value) : (float) value;
}

__device__ __forceinline__ float
rounded (guint32 value,
         bool    root)
{
  return root ? wf_root_32 (value) : (float) value;
}

template <typename V>
__device__ __forceinline__ float
distance_of (const Output<V> &output,
             V                value)
{
  const float distance = value >= Limits<V>::far () ? __int_as_float (0x7f800000)
                                                    : rounded (value, output.root);

  return output.negative ? 0 - distance : distance;
}

template <typename V>
__device__ __forceinline__ void
write_distance (const Output<V> &output,
                gint64           p,
                V                value)
{
  const bool far = value >= Limits<V>::far ();

  if (! is_written (output.kind, p))
    return;
  if (output.type == FLOATS)
    ((float *) output.distances)[p] = distance_of (output, value);
  else if (output.type == WHOLE_SQUARES)
    ((guint64 *) output.distances)[p] = far ? G_MAXUINT64 : (guint64) value;
  else if (output.type == REAL_SQUARES)
    ((double *) output.distances)[p] = (double) value;
}

/* For @position of a line, which may be in the padding beyond its end. */
template <typename V, bool FROM>
__device__ __forceinline__ void
write_found (const Lines     &lines,
             const Output<V> &output,
             gint64           line,
             int              position,
             const Found<V>  &found)
{
  const bool far = found.value >= Limits<V>::far ();

  if (output.values)
    output.values[line * lines.pitch + position] = position < lines.length && ! far
                                                   ? found.value : Limits<V>::far ();
  if (position >= lines.length)
    return;
  if (FROM)
    output.from[line * lines.pitch + position] = far ? -1 : found.from;
  if (output.type != NO_DISTANCES)
    write_distance (output, line * lines.length + position, found.value);
}

/* For the four positions from @here on.  The loop is not unrolled, with the values shifted
 * through registers: unrolled, the compiler multiplies its body by the kinds of output, to
 * four fifths of a kernel's code.
 */
template <typename V, bool FROM>
__device__ __forceinline__ void
write_found_four (const Lines     &lines,
                  const Output<V> &output,
                  gint64           line,
                  int              here,
                  const Found<V>  *found)
{
  Found<V> left[4] = { found[0], found[1], found[2], found[3] };

#pragma unroll 1
  for (int i = 0; i < 4; i++)
    {
      write_found<V, FROM> (lines, output, line, here + i, left[0]);
      left[0] = left[1];
      left[1] = left[2];
      left[2] = left[3];
    }
}

}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest pixels, after the passes: see envelope.cu.
 *
 * Bytes a pixel: 4 for each axis, from anywhere, and 8 written when positions are followed;
 * a search reads as many values as the distances are long, in groups of 32.
 */

#pragma once

#include "envelope.cuh"

namespace distance_envelope
{

/* Steps between the values of an axis' field, in each direction of the image. */
typedef struct
{
  gint64 x;
  gint64 y;
  gint64 z;
} Strides;

/* @axes: x, y, z; the last only in stacks.  @wanted: what is to be found.  @first: position of the
 * image in that of which it is a band.  @length: of that along the last axis
 */
typedef struct
{
  const gint32 *from[3];
  Strides       strides[3];
  WfShape       shape;
  int           axes;
  Kind          kind;
  Wanted        wanted;
  gint64        first;
  gint64        length;
} Trail;

__device__ __forceinline__ gint64
along (const WfShape &shape,
       int            axis)
{
  return axis == 0 ? shape.width : axis == 1 ? shape.height : shape.depth;
}

/* Whether @position along @axis is inside; in a band, inside the whole. */
template <bool BAND>
__device__ __forceinline__ bool
is_inside (const Trail &trail,
           int          axis,
           gint64       position)
{
  if (BAND && axis == trail.axes - 1)
    return position >= -trail.first && position < trail.length - trail.first;
  return position >= 0 && position < along (trail.shape, axis);
}

/* Follows the positions from pixel number @first on.  @BAND: nearest pixels are counted in the
 * whole
 */
template <bool BAND>
__global__ void
follow (Trail    trail,
        gint64   first,
        gint64   end,
        guint64 *nearest)
{
  const gint64 p = first + (gint64) blockIdx.x * blockDim.x + threadIdx.x;

  if (p >= end || ! is_written (trail.kind, p))
    return;

  const gint64 row      = p / trail.shape.width;
  gint64       place[3] = { p - row * trail.shape.width, row % trail.shape.height,
                            row / trail.shape.height };
  bool         inside   = true;

  if (! is_wanted (trail.wanted, row, (int) (place[0] / GROUP),
                   (int) ((trail.shape.width + GROUP - 1) / GROUP)))
    return;

#pragma unroll
  for (int axis = 0; axis < 3; axis++)
    if (axis < trail.axes && inside)
      {
        const Strides &strides = trail.strides[axis];

        place[axis] = trail.from[axis][place[0] * strides.x + place[1] * strides.y
                                       + place[2] * strides.z];
        inside      = is_inside<BAND> (trail, axis, place[axis]);
      }
  if (BAND)
    place[1] += trail.axes == 2 ? trail.first : 0;
  if (BAND)
    place[2] += trail.axes == 3 ? trail.first : 0;
  nearest[p] = inside ? (guint64) ((place[2] * trail.shape.height + place[1]) * trail.shape.width
                                   + place[0])
                      : WF_NEAREST_NONE;
}

/**
 * Searched:
 * @values: for each axis what its pass has started from
 * @least: of the groups of these
 * @distances: what the last pass has found, of @pitch values a row
 *
 * For the search after real distances, and after maxima.
 */
typedef struct
{
  const double *values[3];
  const double *least[3];
  Strides       strides[3];
  const double *distances;
  gint64        pitch;
  WfShape       shape;
  double        spacing[3];
  int           axes;
  bool          border;
  Kind          kind;
} Searched;

__device__ __forceinline__ double
value_at (const Searched &searched,
          int             axis,
          const gint64   *place)
{
  const Strides &strides = searched.strides[axis];

  return searched.values[axis][place[0] * strides.x + place[1] * strides.y
                               + place[2] * strides.z];
}

/* What @found is, given the steps along the axes before. */
template <Rule RULE>
__device__ __forceinline__ double
total (const double *before,
       int           axis,
       double        found)
{
  while (--axis >= 0)
    found = combine<double, RULE> (before[axis], found);
  return found;
}

/* The first position along @axis through @place where @wanted is reached.  Groups that hold
 * nothing near enough are skipped.
 */
template <Rule RULE>
__device__ gint64
first_position (const Searched &searched,
                int             axis,
                const gint64   *place,
                double          wanted,
                double         *before)
{
  const Strides &strides = searched.strides[axis];
  const gint64   first   = place[0] * strides.x + place[1] * strides.y + place[2] * strides.z
                           - place[axis];
  const double  *line    = searched.values[axis] + first;
  const double  *least   = searched.least[axis] + first / GROUP;
  const int      here    = (int) place[axis];
  const int      length  = (int) along (searched.shape, axis);
  const int      end     = length + searched.border;
  const double   spacing = searched.spacing[axis];
  int            low     = -(int) searched.border;
  int            high    = here;

  /* Steps grow with their number: the first that is not too long by itself. */
  while (low < high)
    {
      const int middle = (low + high) >> 1;

      if (total<RULE> (before, axis, step_value<double, RULE> (here - middle, spacing)) <= wanted)
        high = middle;
      else
        low = middle + 1;
    }
  for (int i = low; i < end; i++)
    {
      const bool inside = i >= 0 && i < length;

      if (inside && (i == low || i % GROUP == 0))
        {
          const int last = i | (GROUP - 1);
          const int away = last < here ? here - last : i > here ? i - here : 0;

          before[axis] = step_value<double, RULE> (away, spacing);
          if (total<RULE> (before, axis, combine<double, RULE> (before[axis], least[i / GROUP]))
              > wanted)
            {
              i = min (last, length - 1);
              continue;
            }
        }
      before[axis] = step_value<double, RULE> (abs (i - here), spacing);
      if (total<RULE> (before, axis, combine<double, RULE> (before[axis], inside ? line[i] : 0.0))
          == wanted)
        return i;
    }
  return -1;
}

template <Rule RULE>
__global__ void
search_nearest (Searched  searched,
                gint64    first,
                gint64    end,
                guint64  *nearest)
{
  const gint64 p = first + (gint64) blockIdx.x * blockDim.x + threadIdx.x;

  if (p >= end || ! is_written (searched.kind, p))
    return;

  const gint64 row      = p / searched.shape.width;
  gint64       place[3] = { p - row * searched.shape.width, row % searched.shape.height,
                            row / searched.shape.height };
  const double wanted   = searched.distances[row * searched.pitch + place[0]];
  double       before[3];

  if (value_at (searched, searched.axes - 1, place) == 0)
    {
      nearest[p] = p;
      return;
    }
  if (isinf (wanted))
    {
      nearest[p] = WF_NEAREST_NONE;
      return;
    }
  for (int axis = 0; axis < searched.axes; axis++)
    {
      place[axis] = first_position<RULE> (searched, axis, place, wanted, before);
      if (place[axis] < 0 || place[axis] >= along (searched.shape, axis))
        {
          nearest[p] = WF_NEAREST_NONE;
          return;
        }
    }
  nearest[p] = (place[2] * searched.shape.height + place[1]) * searched.shape.width + place[0];
}

}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fields whose lines are along another axis: see envelope.cu.
 *
 * Bytes a pixel: a value, or the image's pixel, read; a value and 1/32 written.
 */

#pragma once

#include "envelope.cuh"

namespace distance_envelope
{

#define TILE 32
#define TILE_ROWS 8

/**
 * Exchange:
 * @n_batches, @n_rows, @n_columns: of the source
 * @from_batch, @from_row: steps in the source, a column being one
 * @to_batch, @to_column: steps in the lines that are made of the columns
 * @n_groups: groups of such a line
 *
 * Batches of matrices that are transposed.
 */
typedef struct
{
  gint64 n_batches;
  gint64 n_rows;
  gint64 n_columns;
  gint64 from_batch;
  gint64 from_row;
  gint64 to_batch;
  gint64 to_column;
  gint64 n_groups;
} Exchange;

/* What a transposition reads: values, or pixels that are near or far. */
template <typename V>
struct FieldReader
{
  const V *values;

  __device__ __forceinline__ V
  read (gint64 at,
        bool  *background) const
  {
    return values[at];
  }
};

template <typename V, typename T>
struct ImageReader
{
  const T      *pixels;
  WfForeground  foreground;

  __device__ __forceinline__ V
  read (gint64 at,
        bool  *background) const
  {
    const bool is = ! wf_is_foreground (pixels[at], foreground);

    *background |= is;
    return is ? V (0) : Limits<V>::far ();
  }
};

/* Tiles from number @first on.  @absent is cleared if there is background. */
template <typename V, typename READER>
__global__ void
__launch_bounds__ (TILE * TILE_ROWS)
transpose (READER   reader,
           Exchange exchange,
           gint64   first,
           V       *lines,
           V       *least,
           int     *absent)
{
  __shared__ V tile[TILE][TILE + 1];
  const gint64 across = (exchange.n_columns + TILE - 1) / TILE;
  const gint64 down   = exchange.n_groups;
  const gint64 number = first + blockIdx.x;
  const gint64 batch  = number / (across * down);
  const gint64 left   = number % across * TILE;
  const gint64 group  = number / across % down;
  const gint64 top    = group * TILE;
  bool         background = false;

  for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
    {
      const gint64 row    = top + k;
      const gint64 column = left + threadIdx.x;

      tile[k][threadIdx.x] = row < exchange.n_rows && column < exchange.n_columns
                             ? reader.read (batch * exchange.from_batch + row * exchange.from_row
                                            + column, &background)
                             : Limits<V>::far ();
    }
  if (__syncthreads_or (background) && threadIdx.x == 0 && threadIdx.y == 0)
    *absent = 0;

  for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
    if (left + k < exchange.n_columns)
      {
        const V      value = tile[threadIdx.x][k];
        const gint64 line  = batch * exchange.to_batch + (left + k) * exchange.to_column;
        const V      smallest = wf_warp_min (value);

        lines[line + top + threadIdx.x] = value;
        if (threadIdx.x == 0)
          least[line / GROUP + group] = smallest;
      }
}

}

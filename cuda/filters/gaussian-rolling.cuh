/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian of images, with a window of few pixels on either side: one kernel, which
 * reads each pixel once and writes it once.
 *
 * Windows roll down the image (rolling.cuh).  The sum along y is made of the rows that a lane
 * holds, the one along x of the sums of the lanes beside it.  The kernel is compiled for a few
 * radii; a smaller window has weights of 0 within the next of these, which change no sum.
 *
 * The time goes into the sum along x, not into memory: the sums along y of u8 and u16 have 24
 * and 31 bits, so each product has 64.  Along y, too, those of u16 have; two rows of bytes are
 * multiplied by their weights at once.
 *
 * The loop over rows is unrolled as many times as the window has rows, so that the ring of
 * rows stays in registers.  That makes much code, so each type is compiled in a file of its
 * own (gaussian-rolling-u8.cu and so on).
 */

#pragma once

#include "cuda/core/rolling.cuh"
#include "gaussian.cuh"
#include "cuda/core/dispatch.cuh"

namespace gaussian
{

/* The radii that it is compiled for, besides MOST_ROLLING. */
constexpr int NARROW = 3;
constexpr int MIDDLE = 6;

/* Rows that are read before they are needed. */
constexpr int ROWS_AHEAD = 2;

/* The rows of a window, four columns wide, in a ring: row number @i, counted from the
 * first, is in slot @i modulo N.
 *
 * @FURTHER: how many rows beyond the window have been seen before it is added up
 */
template <typename Pixel, int RADIUS>
struct Window
{
  typedef Arithmetic<Pixel>                          Of;
  typedef typename Of::First                         Sum;
  typedef Weights<typename Of::Weight, RADIUS + 1>   AlongY;

  static constexpr int N       = 2 * RADIUS + 1;
  static constexpr int FURTHER = 0;

  decltype (Of::value (Pixel ())) rows[N][4];

  __device__ __forceinline__ void
  begin (const rolling::Four<Pixel> &)
  {
  }

  __device__ __forceinline__ void
  push (int                  i,
        const rolling::Four<Pixel> &four)
  {
#pragma unroll
    for (int j = 0; j < 4; j++)
      rows[i % N][j] = Of::value (four.of[j]);
  }

  /* Of the rows from number @i on. */
  __device__ __forceinline__ void
  add_up (int           i,
          const AlongY &weights,
          Sum          *sums) const
  {
#pragma unroll
    for (int j = 0; j < 4; j++)
      {
        auto sum = Of::template start<Pixel> (weights.of[0], rows[(i + RADIUS) % N][j]);

#pragma unroll
        for (int k = 1; k <= RADIUS; k++)
          sum = Of::template add<Pixel> (sum, weights.of[k], rows[(i + RADIUS - k) % N][j],
                                         rows[(i + RADIUS + k) % N][j]);
        sums[j] = Of::template finish<Pixel> (sum);
      }
  }
};

/* Bytes: each row is kept with the next one, byte beside byte, so that an instruction
 * multiplies two of them by two weights of 16 bits and adds both products up.
 */
template <int RADIUS>
struct Window<guint8, RADIUS>
{
  typedef guint32                         Sum;
  typedef Weights<guint32, RADIUS + 1>    AlongY;    /* two weights in each */

  static constexpr int N       = 2 * RADIUS + 1;
  static constexpr int FURTHER = 1;

  guint32 last;
  guint32 left[N];     /* columns 0 and 1 */
  guint32 right[N];    /* columns 2 and 3 */

  static __device__ __forceinline__ guint32
  word (const rolling::Four<guint8> &four)
  {
    return four.of[0] | four.of[1] << 8 | four.of[2] << 16 | (guint32) four.of[3] << 24;
  }

  __device__ __forceinline__ void
  begin (const rolling::Four<guint8> &four)
  {
    last = word (four);
  }

  __device__ __forceinline__ void
  push (int                   i,
        const rolling::Four<guint8> &four)
  {
    const guint32 next = word (four);

    left[i % N]  = __byte_perm (last, next, 0x5140);
    right[i % N] = __byte_perm (last, next, 0x7362);
    last         = next;
  }

  __device__ __forceinline__ void
  add_up (int           i,
          const AlongY &weights,
          guint32      *sums) const
  {
    sums[0] = sums[1] = sums[2] = sums[3] = 0;
#pragma unroll
    for (int k = 0; k <= RADIUS; k++)
      {
        const int slot = (i + 2 * k) % N;

        sums[0] = __dp2a_lo (weights.of[k], left[slot], sums[0]);
        sums[1] = __dp2a_hi (weights.of[k], left[slot], sums[1]);
        sums[2] = __dp2a_lo (weights.of[k], right[slot], sums[2]);
        sums[3] = __dp2a_hi (weights.of[k], right[slot], sums[3]);
      }
  }
};

template <typename Pixel, int RADIUS, bool INNER>
__device__ __forceinline__ void
roll_down (const Pixel                                                    *image,
           const rolling::Plan                                            &plan,
           const rolling::Place                                           &place,
           const typename Window<Pixel, RADIUS>::AlongY                   &along_y,
           const Weights<typename Arithmetic<Pixel>::Weight, RADIUS + 1>  &along_x,
           Pixel                                                          *out)
{
  typedef Arithmetic<Pixel>      Of;
  typedef typename Of::First     Sum;
  typedef Window<Pixel, RADIUS>  Rows;

  constexpr int                  N      = Rows::N;
  const int                      n_rows = (int) (place.y1 - place.y0);
  rolling::Reader<Pixel, INNER>  reader (image, plan, place.x, place.y0 - RADIUS);
  rolling::Writer<Pixel, INNER>  writer (out, plan, place);
  Rows                           rows;
  rolling::Four<Pixel>           ahead[ROWS_AHEAD];

  if (Rows::FURTHER > 0)
    rows.begin (reader.next ());
#pragma unroll
  for (int i = 0; i < N - 1; i++)
    rows.push (i, reader.next ());
#pragma unroll
  for (int i = 0; i < ROWS_AHEAD; i++)
    ahead[i] = reader.next ();

  for (int base = 0; base < n_rows; base += N)
    {
#pragma unroll
      for (int i = 0; i < N; i++)
        {
          Sum                  sums[4];
          Sum                  around[4 + 2 * RADIUS];
          rolling::Four<Pixel> result;

          if (base + i >= n_rows)
            return;

          rows.push (N - 1 + i, ahead[0]);
#pragma unroll
          for (int a = 0; a + 1 < ROWS_AHEAD; a++)
            ahead[a] = ahead[a + 1];
          ahead[ROWS_AHEAD - 1] = reader.next ();

          rows.add_up (i, along_y, sums);
          rolling::gather_beside<RADIUS> (sums, around);
#pragma unroll
          for (int j = 0; j < 4; j++)
            {
              auto sum = Of::template start_last<Sum> (along_x.of[0], around[RADIUS + j]);

#pragma unroll
              for (int k = 1; k <= RADIUS; k++)
                sum = Of::template add<Sum> (sum, along_x.of[k], around[RADIUS + j - k],
                                             around[RADIUS + j + k]);
              result.of[j] = Of::template pixel<Sum> (sum);
            }
          writer.next (result);
        }
    }
}

template <typename Pixel, int RADIUS>
__global__ void
__launch_bounds__ (rolling::THREADS)
roll (const Pixel                                              *image,
      rolling::Plan                                             plan,
      typename Window<Pixel, RADIUS>::AlongY                    along_y,
      Weights<typename Arithmetic<Pixel>::Weight, RADIUS + 1>   along_x,
      Pixel                                                    *out)
{
  const rolling::Place place = rolling::find_place (plan, rolling::margin_for<RADIUS>, RADIUS,
                                                    RADIUS + Window<Pixel, RADIUS>::FURTHER
                                                    + ROWS_AHEAD);

  if (place.inner)
    roll_down<Pixel, RADIUS, true> (image, plan, place, along_y, along_x, out);
  else
    roll_down<Pixel, RADIUS, false> (image, plan, place, along_y, along_x, out);
}

/* Those of rows −RADIUS, −RADIUS + 1 and so on, by pairs; the last one has none. */
static inline void
take_weights_along_y (const WfGaussian *gaussian,
                      int               radius,
                      guint32          *pairs,
                      guint8)
{
  for (int k = 0; k <= radius; k++)
    {
      const int     here = ABS (2 * k - radius);
      const int     next = ABS (2 * k + 1 - radius);
      const guint32 low  = here <= gaussian->radius ? gaussian->whole[here] : 0;
      const guint32 high = next <= gaussian->radius ? gaussian->whole[next] : 0;

      pairs[k] = low | high << 16;
    }
}

template <typename Pixel, typename Weight>
static inline void
take_weights_along_y (const WfGaussian *gaussian,
                      int               radius,
                      Weight           *weights,
                      Pixel)
{
  take_weights (gaussian, radius + 1, weights);
}

template <typename Pixel>
gboolean
smooth_by_rolling (WfCuda                *cuda,
                   const WfCudaGaussian  *task,
                   GError               **error)
{
  const int wanted = (int) task->gaussian->radius;
  const int next   = wanted <= NARROW ? NARROW : wanted <= MIDDLE ? MIDDLE : MOST_ROLLING;

  return wf_dispatch_value<NARROW, MIDDLE, MOST_ROLLING> (next, [&] (auto chosen) -> gboolean
    {
      constexpr int       radius = decltype (chosen)::value;
      const rolling::Plan plan   = rolling::make_plan (cuda, &task->shape, task->image, task->out,
                                                       sizeof (Pixel), radius,
                                                       rolling::margin_for<radius>);
      typename Window<Pixel, radius>::AlongY                  along_y;
      Weights<typename Arithmetic<Pixel>::Weight, radius + 1> along_x;

      take_weights_along_y (task->gaussian, radius, along_y.of, Pixel ());
      take_weights (task->gaussian, radius + 1, along_x.of);
      roll<Pixel, radius><<<rolling::count_blocks (&plan), rolling::THREADS, 0, cuda->stream>>>
        ((const Pixel *) task->image, plan, along_y, along_x, (Pixel *) task->out);
      WF_CUDA_CHECK_LAUNCH ();
      return TRUE;
    });
}

}

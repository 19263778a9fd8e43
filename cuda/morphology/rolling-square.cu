/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion, dilation and gradient by a square of a few pixels on a GPU, of an image: one kernel,
 * which reads each pixel once and writes it once.
 *
 * A window rolls down the image (cuda/core/rolling.cuh).  The rows of the square are in registers,
 * with four, two or one of a lane's four pixels in a word, and the extremes of the columns beside
 * them come from other lanes.  A pixel repeated beyond the end of an axis changes no extreme.
 *
 * Of dilation and erosion there is one instance: a dilation is an erosion of inverted pixels, of
 * f32 with the other sign.  A gradient is the highest less the lowest level.
 */

#include "element.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/core/rolling.cuh"

/* The largest radius that the rolling window is compiled for. */
#define MOST_ROLLING 3

/* Rows that are read before they are needed. */
#define ROWS_AHEAD 3


namespace rolling_square
{

/*  Pixels in words  */

template <typename Pixel>
struct Words
{
  typedef guint32 Word;

  static constexpr int per_word = 4 / sizeof (Pixel);
  static constexpr int n        = 4 / per_word;     /* of a lane */

  static __device__ __forceinline__ guint32
  least (guint32 a,
         guint32 b)
  {
    return sizeof (Pixel) == 1 ? __vminu4 (a, b) : __vminu2 (a, b);
  }

  static __device__ __forceinline__ guint32
  greatest (guint32 a,
            guint32 b)
  {
    return sizeof (Pixel) == 1 ? __vmaxu4 (a, b) : __vmaxu2 (a, b);
  }

  static __device__ __forceinline__ guint32
  inverted (guint32 word,
            guint32 flip)
  {
    return word ^ flip;
  }

  static __device__ __forceinline__ guint32
  restored (guint32 word,
            guint32 flip)
  {
    return word ^ flip;
  }

  /* No pixel of @b is greater than that of @a, so none borrows from the next. */
  static __device__ __forceinline__ guint32
  difference (guint32 a,
              guint32 b)
  {
    return a - b;
  }

  /* The word that begins at pixel @at of @words. */
  static __device__ __forceinline__ guint32
  across (const guint32 *words,
          int            at)
  {
    const int rest = at % per_word;

    return rest == 0 ? words[at / per_word]
                     : __funnelshift_r (words[at / per_word], words[at / per_word + 1],
                                        rest * 8 * (int) sizeof (Pixel));
  }
};

template <>
struct Words<float>
{
  typedef float Word;

  static constexpr int per_word = 1;
  static constexpr int n        = 4;

  static __device__ __forceinline__ float
  least (float a,
         float b)
  {
    return fminf (a, b);
  }

  static __device__ __forceinline__ float
  greatest (float a,
            float b)
  {
    return fmaxf (a, b);
  }

  static __device__ __forceinline__ float
  inverted (float   word,
            guint32 flip)
  {
    return __uint_as_float (__float_as_uint (word) ^ (flip & 0x80000000u));
  }

  static __device__ __forceinline__ float
  restored (float   word,
            guint32 flip)
  {
    return inverted (word, flip) + 0.0f;    /* −0 becomes +0 */
  }

  static __device__ __forceinline__ float
  difference (float a,
              float b)
  {
    return a == b ? 0.0f : a - b;
  }

  static __device__ __forceinline__ float
  across (const float *words,
          int          at)
  {
    return words[at];
  }
};

/* A lane's four pixels. */
template <typename Pixel>
union Quad
{
  rolling::Four<Pixel>        four;
  typename Words<Pixel>::Word words[Words<Pixel>::n];
};


/*  The kernel  */

/* The words of the lanes beside a lane, and its own between them. */
template <typename Pixel, int RADIUS>
__device__ __forceinline__ void
gather (const typename Words<Pixel>::Word *own,
        typename Words<Pixel>::Word       *all)
{
  constexpr int n        = Words<Pixel>::n;
  constexpr int per_word = Words<Pixel>::per_word;

#pragma unroll
  for (int i = 0; i < n; i++)
    {
      all[i] = all[2 * n + i] = own[i];
      all[n + i] = own[i];
      if ((n - 1 - i) * per_word < RADIUS)
        all[i] = __shfl_up_sync (WF_ALL_LANES, own[i], 1);
      if (i * per_word < RADIUS)
        all[2 * n + i] = __shfl_down_sync (WF_ALL_LANES, own[i], 1);
    }
}

/* The least, and for a gradient the greatest, of the rows, then of the columns. */
template <typename Pixel, int RADIUS, bool GRADIENT>
__device__ __forceinline__ Quad<Pixel>
find_extremes (const Quad<Pixel> *rows)
{
  typedef Words<Pixel>       Of;
  typedef typename Of::Word  Word;

  constexpr int N = 2 * RADIUS + 1;
  Word          low[Of::n];
  Word          high[Of::n];
  Word          all_low[3 * Of::n];
  Word          all_high[3 * Of::n];
  Quad<Pixel>   result;

#pragma unroll
  for (int j = 0; j < Of::n; j++)
    {
      low[j] = high[j] = rows[0].words[j];
#pragma unroll
      for (int k = 1; k < N; k++)
        {
          low[j] = Of::least (low[j], rows[k].words[j]);
          if (GRADIENT)
            high[j] = Of::greatest (high[j], rows[k].words[j]);
        }
    }
  gather<Pixel, RADIUS> (low, all_low);
  if (GRADIENT)
    gather<Pixel, RADIUS> (high, all_high);
#pragma unroll
  for (int j = 0; j < Of::n; j++)
    {
#pragma unroll
      for (int k = -RADIUS; k <= RADIUS; k++)
        {
          const int at = 4 + j * Of::per_word + k;

          low[j] = Of::least (low[j], Of::across (all_low, at));
          if (GRADIENT)
            high[j] = Of::greatest (high[j], Of::across (all_high, at));
        }
      result.words[j] = GRADIENT ? Of::difference (high[j], low[j]) : low[j];
    }
  return result;
}

/* A row of pixels, inverted if their greatest is looked for. */
template <typename Pixel, bool INNER>
__device__ __forceinline__ Quad<Pixel>
read_row (rolling::Reader<Pixel, INNER> &reader,
          guint32                        flip)
{
  Quad<Pixel> row;

  row.four = reader.next ();
#pragma unroll
  for (int j = 0; j < Words<Pixel>::n; j++)
    row.words[j] = Words<Pixel>::inverted (row.words[j], flip);
  return row;
}

template <typename Pixel, int RADIUS, bool GRADIENT, bool INNER>
__device__ __forceinline__ void
roll_down (const Pixel          *image,
           const rolling::Plan  &plan,
           const rolling::Place &place,
           guint32               flip,
           Pixel                *out)
{
  constexpr int                  N      = 2 * RADIUS + 1;
  const int                      n_rows = (int) (place.y1 - place.y0);
  rolling::Reader<Pixel, INNER>  reader (image, plan, place.x, place.y0 - RADIUS);
  rolling::Writer<Pixel, INNER>  writer (out, plan, place);
  Quad<Pixel>                    rows[N];
  Quad<Pixel>                    ahead[ROWS_AHEAD];

#pragma unroll
  for (int i = 0; i < N - 1; i++)
    rows[i] = read_row (reader, flip);
#pragma unroll
  for (int i = 0; i < ROWS_AHEAD; i++)
    ahead[i] = read_row (reader, flip);

  for (int base = 0; base < n_rows; base += N)
    {
#pragma unroll
      for (int i = 0; i < N; i++)
        {
          Quad<Pixel> result;

          if (base + i >= n_rows)
            return;

          rows[(N - 1 + i) % N] = ahead[0];
#pragma unroll
          for (int a = 0; a + 1 < ROWS_AHEAD; a++)
            ahead[a] = ahead[a + 1];
          ahead[ROWS_AHEAD - 1] = read_row (reader, flip);

          result = find_extremes<Pixel, RADIUS, GRADIENT> (rows);
          if (! GRADIENT)
            {
#pragma unroll
              for (int j = 0; j < Words<Pixel>::n; j++)
                result.words[j] = Words<Pixel>::restored (result.words[j], flip);
            }
          writer.next (result.four);
        }
    }
}

template <typename Pixel, int RADIUS, bool GRADIENT>
__global__ void
__launch_bounds__ (rolling::THREADS)
roll (const Pixel   *image,
      rolling::Plan  plan,
      guint32        flip,
      Pixel         *out)
{
  const rolling::Place place = rolling::find_place (plan, rolling::margin_for<RADIUS>, RADIUS,
                                                    RADIUS + ROWS_AHEAD);

  if (place.inner)
    roll_down<Pixel, RADIUS, GRADIENT, true> (image, plan, place, flip, out);
  else
    roll_down<Pixel, RADIUS, GRADIENT, false> (image, plan, place, flip, out);
}

template <bool GRADIENT>
static gboolean
roll_image (WfCuda              *cuda,
            const WfCudaElement *task,
            GError             **error)
{
  const guint32 flip = ! GRADIENT && task->dilation ? 0xffffffffu : 0u;

  return wf_dispatch_pixels (task->type, [&] (auto pixel)
    {
      return wf_dispatch_value<1, 2, MOST_ROLLING> (task->radius, [&] (auto chosen) -> gboolean
        {
          using Pixel = decltype (pixel);
          constexpr int       radius = decltype (chosen)::value;
          const rolling::Plan plan   = rolling::make_plan (cuda, &task->shape, task->image,
                                                           task->out, sizeof (Pixel), radius,
                                                           rolling::margin_for<radius>);

          roll<Pixel, radius, GRADIENT><<<rolling::count_blocks (&plan), rolling::THREADS, 0,
                                          cuda->stream>>>
            ((const Pixel *) task->image, plan, flip, (Pixel *) task->out);
          WF_CUDA_CHECK_LAUNCH ();
          return TRUE;
        });
    });
}

}

using namespace rolling_square;

gboolean
wf_cuda_is_rolling_square (const WfCudaElement *task)
{
  return task->shape.depth == 1 && task->element == WF_ELEMENT_SQUARE && task->radius >= 1 &&
         task->radius <= MOST_ROLLING;
}

gboolean
wf_cuda_rolling_square (WfCuda              *cuda,
                        const WfCudaElement *task,
                        GError             **error)
{
  return roll_image<false> (cuda, task, error) && wf_cuda_advance (cuda, 0, error);
}

gboolean
wf_cuda_rolling_gradient (WfCuda              *cuda,
                          const WfCudaElement *task,
                          GError             **error)
{
  return roll_image<true> (cuda, task, error);
}

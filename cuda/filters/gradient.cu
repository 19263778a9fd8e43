/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The morphological gradient on a GPU: the highest less the lowest level.
 *
 * For images and squares of a few pixels it is one kernel, which reads each pixel once and
 * writes it once: a window rolls down the image (rolling.cuh).  The rows of the square are in
 * registers, with four, two or one of a lane's four pixels in a word, and both extremes of the
 * columns beside them come from other lanes.  A pixel repeated beyond the end of an axis
 * changes no extreme.
 *
 * For everything else dilation and erosion are computed one after the other, with any radius
 * (cuda/morphology/square.cu, cuda/morphology/disc.cu).
 */

#include "rolling.cuh"
#include "filters.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/morphology/element.cuh"
#include "cuda/morphology/pixels.cuh"

/* The largest radius that the rolling window is compiled for. */
#define MOST_ROLLING 3

/* Rows that are read before they are needed. */
#define ROWS_AHEAD 3


namespace gradient
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

template <typename Pixel, int RADIUS, bool INNER>
__device__ __forceinline__ void
roll_down (const Pixel          *image,
           const rolling::Plan  &plan,
           const rolling::Place &place,
           Pixel                *out)
{
  typedef Words<Pixel>       Of;
  typedef typename Of::Word  Word;

  constexpr int                  N      = 2 * RADIUS + 1;
  const int                      n_rows = (int) (place.y1 - place.y0);
  rolling::Reader<Pixel, INNER>  reader (image, plan, place.x, place.y0 - RADIUS);
  rolling::Writer<Pixel, INNER>  writer (out, plan, place);
  Quad<Pixel>                    rows[N];
  Quad<Pixel>                    ahead[ROWS_AHEAD];

#pragma unroll
  for (int i = 0; i < N - 1; i++)
    rows[i].four = reader.next ();
#pragma unroll
  for (int i = 0; i < ROWS_AHEAD; i++)
    ahead[i].four = reader.next ();

  for (int base = 0; base < n_rows; base += N)
    {
#pragma unroll
      for (int i = 0; i < N; i++)
        {
          Word        low[Of::n];
          Word        high[Of::n];
          Word        all_low[3 * Of::n];
          Word        all_high[3 * Of::n];
          Quad<Pixel> result;

          if (base + i >= n_rows)
            return;

          rows[(N - 1 + i) % N] = ahead[0];
#pragma unroll
          for (int a = 0; a + 1 < ROWS_AHEAD; a++)
            ahead[a] = ahead[a + 1];
          ahead[ROWS_AHEAD - 1].four = reader.next ();

#pragma unroll
          for (int j = 0; j < Of::n; j++)
            {
              low[j] = high[j] = rows[0].words[j];
#pragma unroll
              for (int k = 1; k < N; k++)
                {
                  low[j]  = Of::least (low[j], rows[k].words[j]);
                  high[j] = Of::greatest (high[j], rows[k].words[j]);
                }
            }
          gather<Pixel, RADIUS> (low, all_low);
          gather<Pixel, RADIUS> (high, all_high);
#pragma unroll
          for (int j = 0; j < Of::n; j++)
            {
#pragma unroll
              for (int k = -RADIUS; k <= RADIUS; k++)
                {
                  const int at = 4 + j * Of::per_word + k;

                  low[j]  = Of::least (low[j], Of::across (all_low, at));
                  high[j] = Of::greatest (high[j], Of::across (all_high, at));
                }
              result.words[j] = Of::difference (high[j], low[j]);
            }
          writer.next (result.four);
        }
    }
}

template <typename Pixel, int RADIUS>
__global__ void
__launch_bounds__ (rolling::THREADS)
roll (const Pixel   *image,
      rolling::Plan  plan,
      Pixel         *out)
{
  const rolling::Place place = rolling::find_place (plan, rolling::margin_for<RADIUS>, RADIUS,
                                                    RADIUS + ROWS_AHEAD);

  if (place.inner)
    roll_down<Pixel, RADIUS, true> (image, plan, place, out);
  else
    roll_down<Pixel, RADIUS, false> (image, plan, place, out);
}

static bool
is_rolling (const WfCudaGradient *task)
{
  return task->shape.depth == 1 && task->element == WF_ELEMENT_SQUARE && task->radius >= 1 &&
         task->radius <= MOST_ROLLING;
}

static gboolean
by_rolling (WfCuda                *cuda,
            const WfCudaGradient  *task,
            GError               **error)
{
  return wf_dispatch_pixels (task->type, [&] (auto pixel)
    {
      return wf_dispatch_value<1, 2, MOST_ROLLING> (task->radius, [&] (auto chosen) -> gboolean
        {
          using Pixel = decltype (pixel);
          constexpr int       radius = decltype (chosen)::value;
          const rolling::Plan plan   = rolling::make_plan (cuda, &task->shape, task->image,
                                                           task->out, sizeof (Pixel), radius,
                                                           rolling::margin_for<radius>);

          roll<Pixel, radius><<<rolling::count_blocks (&plan), rolling::THREADS, 0,
                                cuda->stream>>>
            ((const Pixel *) task->image, plan, (Pixel *) task->out);
          WF_CUDA_CHECK_LAUNCH ();
          return TRUE;
        });
    });
}


/*  All others  */

static WfCudaElement
element_of (const WfCudaGradient *task,
            gboolean              dilation,
            gpointer              out)
{
  return { task->shape, task->type, task->element, task->radius, dilation, task->image, out };
}

static gboolean
by_elements (WfCuda                *cuda,
             const WfCudaGradient  *task,
             GError               **error)
{
  const gint64          n        = wf_shape_n_pixels (&task->shape);
  WfDeviceArray<guint8> lowest;
  const WfCudaElement   dilation = element_of (task, TRUE, task->out);
  WfCudaElement         erosion;

  if (! lowest.allocate (cuda, n * wf_type_size (task->type), error))
    return FALSE;
  erosion = element_of (task, FALSE, lowest.data);
  return wf_cuda_element (cuda, &dilation, error) &&
         wf_cuda_element (cuda, &erosion, error) &&
         wf_cuda_differ (cuda, task->type, n, task->out, lowest.data, task->out, error);
}

}

gboolean
wf_cuda_gradient (WfCuda                *cuda,
                  const WfCudaGradient  *task,
                  GError               **error)
{
  return gradient::is_rolling (task) ? gradient::by_rolling (cuda, task, error)
                                     : gradient::by_elements (cuda, task, error);
}

guint64
wf_cuda_gradient_memory (const WfCudaGradient *task)
{
  const WfCudaElement element = gradient::element_of (task, TRUE, NULL);

  return gradient::is_rolling (task) ? 0
         : wf_shape_n_pixels (&task->shape) * wf_type_size (task->type)
           + wf_cuda_element_memory (&element);
}

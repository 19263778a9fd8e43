/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian axis by axis: of stacks, and with windows of any size.
 *
 * It works on a slab of a few slices and rows at a time, so that sums need little memory and
 * are still in the second-level cache when they are read:
 *
 *   sum_lines  along z and along y: a thread makes several sums next to each other, and
 *              reads two pixels for each weight that all of them need.
 *   sum_rows   along x: the same, from a part of a row in shared memory, where a gap
 *              after every eight sums lets the threads of a warp read from different
 *              banks.
 *
 * Sums of integers are exact and their order is free; of floats a sum goes from the
 * middle outward, by pairs, as it is defined.
 */

#include <type_traits>

#include "gaussian.cuh"
#include "cuda/core/dispatch.cuh"

namespace gaussian
{

/* Sums that a thread makes. */
#define SUMS 8

#define LINE_THREADS 256
#define ROW_THREADS  128
#define ROW_PART     (ROW_THREADS * SUMS)

/* Sums of a part of a row and of what is beside it, with a gap after every eight. */
#define GAPPED(i)    ((i) + ((i) >> 3))
#define ROW_ROOM     GAPPED (ROW_PART + 2 * WF_GAUSSIAN_MOST + SUMS)

/* Rows of a slab of a stack, at least. */
#define MIN_ROWS     16

/* Bytes of the last sums of a slab: what the second-level cache of a large GPU holds
 * with what else passes through it.
 */
#define SLAB_BYTES   (16 << 20)

/* Every weight that there can be; the parameters of a kernel hold 4096 bytes. */
template <typename Weight>
using AllWeights = Weights<Weight, WF_GAUSSIAN_MOST + 1>;

/* Targets are @n_slices × @n_rows × @width sums; those of sources before the first one
 * are at @first along the axis, of which the whole is @length.
 */
struct Lines
{
  gint64 width;
  gint64 n_rows;
  gint64 n_slices;
  gint64 row_step;     /* sources between two rows */
  gint64 slice_step;
  gint64 first;
  gint64 length;
  int    radius;
  bool   along_z;
};

template <typename Pixel, typename In, typename Out>
__device__ __forceinline__ Out
start_sum (typename Arithmetic<Pixel>::Weight w,
           In                                 a)
{
  typedef Arithmetic<Pixel> Of;

  if constexpr (sizeof (Out) == 4)
    return Of::start (w, a);
  else
    return Of::start_wide (w, a);
}

template <typename Pixel, typename In, typename Out>
__device__ __forceinline__ Out
add_to_sum (Out                                sum,
            typename Arithmetic<Pixel>::Weight w,
            In                                 a,
            In                                 b)
{
  typedef Arithmetic<Pixel> Of;

  if constexpr (sizeof (Out) == 4)
    return Of::add (sum, w, a, b);
  else
    return Of::add_wide (sum, w, a, b);
}

template <typename Out>
__device__ __forceinline__ Out
finish_sum (Out sum)
{
  if constexpr (std::is_same<Out, float>::value)
    return Arithmetic<float>::finish (sum);
  else
    return sum;
}

/* Adds up @SUMS sums next to each other; @source (i) is the one i after the first.
 * LAST: those of the last axis.
 */
template <typename Pixel, typename In, typename Out, bool LAST, typename Source>
__device__ __forceinline__ void
add_up (const AllWeights<typename Arithmetic<Pixel>::Weight> &weights,
        int                                                   radius,
        Source                                                source,
        Out                                                  *sums)
{
  In before[SUMS];
  In after[SUMS];

#pragma unroll
  for (int i = 0; i < SUMS; i++)
    {
      before[i] = after[i] = source (i);
      sums[i]   = LAST ? (Out) Arithmetic<Pixel>::template start_last<In> (weights.of[0], before[i])
                       : start_sum<Pixel, In, Out> (weights.of[0], before[i]);
    }
#pragma unroll 8
  for (int k = 1; k <= radius; k++)
    {
#pragma unroll
      for (int i = SUMS - 1; i > 0; i--)
        before[i] = before[i - 1];
#pragma unroll
      for (int i = 0; i < SUMS - 1; i++)
        after[i] = after[i + 1];
      before[0]       = source (-k);
      after[SUMS - 1] = source (SUMS - 1 + k);
#pragma unroll
      for (int i = 0; i < SUMS; i++)
        sums[i] = add_to_sum<Pixel, In, Out> (sums[i], weights.of[k], before[i], after[i]);
    }
#pragma unroll
  for (int i = 0; i < SUMS; i++)
    sums[i] = finish_sum (sums[i]);
}

/* A source as a factor. */
__device__ __forceinline__ guint32
factor (guint8 a)
{
  return a;
}

__device__ __forceinline__ guint32
factor (guint16 a)
{
  return a;
}

__device__ __forceinline__ guint32
factor (guint32 a)
{
  return a;
}

__device__ __forceinline__ float
factor (float a)
{
  return Arithmetic<float>::value (a);
}

template <typename Pixel, typename In, typename Out>
__global__ void
__launch_bounds__ (LINE_THREADS)
sum_lines (const In *__restrict__                                in,
           Lines                                                 lines,
           AllWeights<typename Arithmetic<Pixel>::Weight>        weights,
           Out                                                  *out)
{
  typedef decltype (factor (In ())) Factor;

  const gint64 n_along  = lines.along_z ? lines.n_slices : lines.n_rows;
  const gint64 n_across = lines.along_z ? lines.n_rows : lines.n_slices;
  const gint64 groups   = (n_along + SUMS - 1) / SUMS;
  const gint64 id       = (gint64) blockIdx.x * LINE_THREADS + threadIdx.x;
  const gint64 x        = id % lines.width;
  const gint64 across   = id / lines.width % n_across;
  const gint64 along    = id / lines.width / n_across * SUMS;
  const gint64 step     = lines.along_z ? lines.slice_step : lines.row_step;
  const gint64 out_step = lines.along_z ? lines.n_rows * lines.width : lines.width;
  Out          sums[SUMS];

  if (id >= lines.width * n_across * groups)
    return;

  in  += x + across * (lines.along_z ? lines.row_step : lines.slice_step);
  out += x + across * (lines.along_z ? lines.width : lines.n_rows * lines.width)
         + along * out_step;
  add_up<Pixel, Factor, Out, false> (weights, lines.radius, [&] (int i)
    {
      const gint64 at = min (max (lines.first + along + i, (gint64) 0), lines.length - 1);

      return factor (in[at * step]);
    }, sums);
#pragma unroll
  for (int i = 0; i < SUMS; i++)
    if (along + i < n_along)
      out[i * out_step] = sums[i];
}

/* Where rows of sums become rows of pixels. */
struct Rows
{
  gint64 width;
  gint64 n_parts;      /* of a row */
  gint64 n_rows;       /* of a slice of the slab */
  gint64 slice_step;   /* pixels between two slices of the result */
  int    radius;
  bool   aligned;      /* all of a thread's pixels may be written at once */
};

template <typename Pixel>
struct alignas (4 * sizeof (Pixel)) Four
{
  Pixel of[4];
};

/* Of a stack, where the sums are of two axes already, and of floats the types say so. */
template <typename Pixel, typename Part>
__global__ void
__launch_bounds__ (ROW_THREADS)
sum_rows (const Part *__restrict__                        in,
          Rows                                            rows,
          AllWeights<typename Arithmetic<Pixel>::Weight>  weights,
          Pixel                                          *out)
{
  typedef Arithmetic<Pixel>  Of;
  typedef typename Of::Wide  Wide;

  __shared__ Part part[ROW_ROOM];
  const gint64    row   = blockIdx.x / rows.n_parts;
  const gint64    x0    = blockIdx.x % rows.n_parts * ROW_PART;
  const int       n     = (int) min ((gint64) ROW_PART, rows.width - x0);
  const int       first = threadIdx.x * SUMS;
  Wide            sums[SUMS];

  in  += row * rows.width;
  out += row / rows.n_rows * rows.slice_step + row % rows.n_rows * rows.width + x0 + first;
  for (int i = threadIdx.x; i < n + SUMS + 2 * rows.radius; i += ROW_THREADS)
    part[GAPPED (i)] = in[min (max (x0 + i - rows.radius, (gint64) 0), rows.width - 1)];
  __syncthreads ();
  if (first >= n)
    return;

  add_up<Pixel, Part, Wide, true> (weights, rows.radius, [&] (int i)
    {
      const int at = first + rows.radius + i;

      return part[GAPPED (at)];
    }, sums);
#pragma unroll
  for (int k = 0; k < SUMS; k += 4)
    {
      Four<Pixel> four;

#pragma unroll
      for (int i = 0; i < 4; i++)
        four.of[i] = Of::template pixel<Part> (sums[k + i]);
      if (rows.aligned && first + k + 4 <= n)
        *(Four<Pixel> *) (out + k) = four;
      else
        for (int i = 0; i < 4; i++)
          if (first + k + i < n)
            out[k + i] = four.of[i];
    }
}

/* A slab: some rows of some slices, and the sums that are made of it. */
struct Slab
{
  gint64 y0;
  gint64 z0;
  gint64 n_rows;
  gint64 n_slices;
};

/* The largest slab: memory for sums along z, with the rows around it, and along y. */
typedef struct
{
  gint64  rows;
  gint64  slices;
  guint64 z_sums;
  guint64 y_sums;
} SlabPlan;

static SlabPlan
plan_slabs (const WfCudaGaussian *task)
{
  const WfShape *shape = &task->shape;
  const bool     stack = shape->depth > 1;
  const gint64   wide  = stack && task->type != WF_TYPE_F32 ? sizeof (guint64) : sizeof (guint32);
  const gint64   beside = stack ? 2 * task->gaussian->radius : 0;
  const gint64   line  = shape->width * wide;
  SlabPlan       plan;

  plan.slices = MIN (shape->depth, SUMS);
  plan.rows   = SLAB_BYTES / (line * plan.slices);
  plan.rows   = stack ? MAX (plan.rows / SUMS * SUMS, MAX (MIN_ROWS, beside))
                      : MAX (plan.rows / SUMS * SUMS, 1);
  plan.rows   = MIN (plan.rows, shape->height);
  plan.y_sums = plan.slices * plan.rows * line;
  plan.z_sums = stack ? plan.slices * MIN (plan.rows + beside, shape->height) * shape->width
                        * sizeof (guint32) : 0;
  return plan;
}

template <typename Pixel>
struct Pass
{
  typedef typename Arithmetic<Pixel>::Weight Weight;
  typedef typename Arithmetic<Pixel>::Sum    Sum;
  typedef typename Arithmetic<Pixel>::Wide   Wide;

  WfCuda               *cuda;
  const WfCudaGaussian *task;
  AllWeights<Weight>    weights;
  AllWeights<Weight>    nothing;    /* leaves a line as it is */

  const AllWeights<Weight> &
  along (gint64  length,
         int    *radius) const
  {
    *radius = length > 1 ? (int) task->gaussian->radius : 0;
    return length > 1 ? weights : nothing;
  }

  template <typename In, typename Out>
  gboolean
  lines (Lines         work,
         gint64        length,
         const In     *in,
         Out          *out,
         GError      **error) const
  {
    const AllWeights<Weight> &chosen  = along (length, &work.radius);
    const gint64              n_along = work.along_z ? work.n_slices : work.n_rows;
    const gint64              across  = work.along_z ? work.n_rows : work.n_slices;
    const gint64              threads = work.width * across * ((n_along + SUMS - 1) / SUMS);

    work.length = length;
    sum_lines<Pixel, In, Out><<<(unsigned int) ((threads + LINE_THREADS - 1) / LINE_THREADS),
                                LINE_THREADS, 0, cuda->stream>>> (in, work, chosen, out);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }

  template <typename Part>
  gboolean
  rows (const Slab  &slab,
        const Part  *in,
        GError     **error) const
  {
    const WfShape *shape = &task->shape;
    Pixel         *out   = (Pixel *) task->out + (slab.z0 * shape->height + slab.y0)
                                                 * shape->width;
    Rows           work  = {};

    work.width      = shape->width;
    work.n_parts    = (shape->width + ROW_PART - 1) / ROW_PART;
    work.n_rows     = slab.n_rows;
    work.slice_step = shape->height * shape->width;
    work.radius     = (int) task->gaussian->radius;
    work.aligned    = shape->width % 4 == 0 && (guintptr) task->out % (4 * sizeof (Pixel)) == 0;
    sum_rows<Pixel, Part><<<(unsigned int) (work.n_parts * slab.n_rows * slab.n_slices),
                            ROW_THREADS, 0, cuda->stream>>> (in, work, weights, out);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }

  gboolean
  image (const Slab  &slab,
         Sum         *y_sums,
         GError     **error) const
  {
    const WfShape *shape = &task->shape;
    Lines          work  = { shape->width, slab.n_rows, 1, shape->width, 0, slab.y0 };

    return lines (work, shape->height, (const Pixel *) task->image, y_sums, error) &&
           rows (slab, y_sums, error);
  }

  gboolean
  stack (const Slab  &slab,
         Sum         *z_sums,
         Wide        *y_sums,
         GError     **error) const
  {
    const WfShape *shape  = &task->shape;
    const gint64   radius = shape->height > 1 ? task->gaussian->radius : 0;
    const gint64   first  = MAX (slab.y0 - radius, 0);
    const gint64   n_rows = MIN (slab.y0 + slab.n_rows + radius, shape->height) - first;
    const gint64   slice  = shape->width * shape->height;
    Lines          z_work = { shape->width, n_rows, slab.n_slices, shape->width, slice, slab.z0 };
    Lines          y_work = { shape->width, slab.n_rows, slab.n_slices, shape->width,
                              n_rows * shape->width, slab.y0 - first };

    /* The rows that there are sums of begin or end with the image's, or reach as far as
     * the window does, so that nothing is repeated but what shall be.
     */
    z_work.along_z = true;
    if (! lines (z_work, shape->depth, (const Pixel *) task->image + first * shape->width, z_sums,
                 error))
      return FALSE;
    if (shape->height == 1)
      y_work.radius = 0;
    return lines_of_slab (y_work, n_rows, z_sums, y_sums, error) && rows (slab, y_sums, error);
  }

  /* Along y, where only @n_rows rows of all are there. */
  gboolean
  lines_of_slab (Lines        work,
                 gint64       n_rows,
                 const Sum   *in,
                 Wide        *out,
                 GError     **error) const
  {
    const gint64 threads = work.width * work.n_slices * ((work.n_rows + SUMS - 1) / SUMS);

    const AllWeights<Weight> &chosen = along (task->shape.height, &work.radius);

    work.length = n_rows;
    sum_lines<Pixel, Sum, Wide><<<(unsigned int) ((threads + LINE_THREADS - 1) / LINE_THREADS),
                                  LINE_THREADS, 0, cuda->stream>>> (in, work, chosen, out);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }
};

static void
set_nothing (guint32 *weights)
{
  weights[0] = 1 << WF_GAUSSIAN_BITS;
}

static void
set_nothing (float *weights)
{
  weights[0] = 1;
}

template <typename Pixel>
static gboolean
smooth_pixels (WfCuda                *cuda,
               const WfCudaGaussian  *task,
               GError               **error)
{
  const WfShape         *shape = &task->shape;
  const SlabPlan         plan  = plan_slabs (task);
  Pass<Pixel>            pass  = { cuda, task };
  WfDeviceArray<guint8>  z_sums;
  WfDeviceArray<guint8>  y_sums;

  take_weights (task->gaussian, WF_GAUSSIAN_MOST + 1, pass.weights.of);
  set_nothing (pass.nothing.of);
  if ((plan.z_sums > 0 && ! z_sums.allocate (cuda, plan.z_sums, error)) ||
      ! y_sums.allocate (cuda, plan.y_sums, error))
    return FALSE;

  for (gint64 z = 0; z < shape->depth; z += plan.slices)
    for (gint64 y = 0; y < shape->height; y += plan.rows)
      {
        const Slab slab = { y, z, MIN (plan.rows, shape->height - y),
                            MIN (plan.slices, shape->depth - z) };
        const bool done = shape->depth > 1
                          ? pass.stack (slab, (typename Pass<Pixel>::Sum *) z_sums.data,
                                        (typename Pass<Pixel>::Wide *) y_sums.data, error)
                          : pass.image (slab, (typename Pass<Pixel>::Sum *) y_sums.data, error);

        if (! done || ! wf_cuda_advance (cuda, 0, error))
          return FALSE;
      }
  return TRUE;
}

gboolean
smooth_by_slabs (WfCuda                *cuda,
                 const WfCudaGaussian  *task,
                 GError               **error)
{
  return wf_dispatch_pixels (task->type, [&] (auto pixel)
    {
      return smooth_pixels<decltype (pixel)> (cuda, task, error);
    });
}

guint64
slabs_memory (const WfCudaGaussian *task)
{
  const SlabPlan plan = plan_slabs (task);

  return plan.z_sums + plan.y_sums;
}

}

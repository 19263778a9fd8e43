/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian axis by axis: of stacks, and with windows of any size.
 *
 * It processes a slab of a few slices and rows at a time, so that the sums need little memory and
 * are still in the second-level cache when they are read:
 *
 *   sum_lines  along z and along y: a thread makes several adjacent sums at once; for each weight
 *              it reads only two more pixels.
 *   sum_rows   along x: the same, from a part of a row in shared memory.  A gap after every eight
 *              sums lets the threads of a warp read from different banks.
 *
 * Sums of integers are exact, so their order is free.  A sum of floats is made from the middle
 * outwards, in pairs, as the definition says.
 */

#include <type_traits>

#include "gaussian.cuh"
#include "cuda/core/dispatch.cuh"

namespace gaussian
{

/* Adjacent sums that a thread makes. */
#define SUMS 8

#define LINE_THREADS 256
#define ROW_THREADS  128
#define ROW_PART     (ROW_THREADS * SUMS)

/* A part of a row of sums with the window's radius on both sides, with a gap after every eight. */
#define GAPPED(i)    ((i) + ((i) >> 3))
#define ROW_ROOM     GAPPED (ROW_PART + 2 * WF_GAUSSIAN_MOST + SUMS)

/* The fewest rows in a slab of a stack. */
#define MIN_ROWS     16

/* Bytes of a slab's last sums: they fit the second-level cache of a large GPU together with the
 * other data that passes through it.
 */
#define SLAB_BYTES   (16 << 20)

/* All weights that are possible; a kernel's parameters can take 4096 bytes. */
template <typename Weight>
using AllWeights = Weights<Weight, WF_GAUSSIAN_MOST + 1>;

/* The results are @n_slices × @n_rows × @width sums.  Along the axis, which has @length sources,
 * the source of the first one is at @first.
 */
struct Lines
{
  gint64 width;
  gint64 n_rows;
  gint64 n_slices;
  gint64 row_step;     /* from a row of sources to the next */
  gint64 slice_step;
  gint64 first;
  gint64 length;
  int    radius;
  bool   along_z;
};

/* Makes @SUMS adjacent sums of parts.  @source (i) is the part i positions after the first one's,
 * as it is multiplied.  @LAST: whether the sums are along the last axis.
 */
template <typename Pixel, typename Part, bool LAST, typename Source>
__device__ __forceinline__ void
add_up (const AllWeights<typename Arithmetic<Pixel>::Weight>     &weights,
        int                                                       radius,
        Source                                                    source,
        typename Arithmetic<Pixel>::template Total<Part>         *sums)
{
  typedef Arithmetic<Pixel>       Of;
  typedef decltype (source (0))   Factor;

  Factor before[SUMS];
  Factor after[SUMS];

#pragma unroll
  for (int i = 0; i < SUMS; i++)
    {
      before[i] = after[i] = source (i);
      if constexpr (LAST)
        sums[i] = Of::template start_last<Part> (weights.of[0], before[i]);
      else
        sums[i] = Of::template start<Part> (weights.of[0], before[i]);
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
        sums[i] = Of::template add<Part> (sums[i], weights.of[k], before[i], after[i]);
    }
}

template <typename Pixel, typename In, typename Out>
__global__ void
__launch_bounds__ (LINE_THREADS)
sum_lines (const In *__restrict__                                in,
           Lines                                                 lines,
           AllWeights<typename Arithmetic<Pixel>::Weight>        weights,
           Out                                                  *out)
{
  typedef Arithmetic<Pixel> Of;

  const gint64 n_along  = lines.along_z ? lines.n_slices : lines.n_rows;
  const gint64 n_across = lines.along_z ? lines.n_rows : lines.n_slices;
  const gint64 groups   = (n_along + SUMS - 1) / SUMS;
  const gint64 id       = (gint64) blockIdx.x * LINE_THREADS + threadIdx.x;
  const gint64 x        = id % lines.width;
  const gint64 across   = id / lines.width % n_across;
  const gint64 along    = id / lines.width / n_across * SUMS;
  const gint64 step     = lines.along_z ? lines.slice_step : lines.row_step;
  const gint64 out_step = lines.along_z ? lines.n_rows * lines.width : lines.width;

  typename Of::template Total<In> sums[SUMS];

  if (id >= lines.width * n_across * groups)
    return;

  in  += x + across * (lines.along_z ? lines.row_step : lines.slice_step);
  out += x + across * (lines.along_z ? lines.width : lines.n_rows * lines.width)
         + along * out_step;
  add_up<Pixel, In, false> (weights, lines.radius, [&] (int i)
    {
      const gint64 at = min (max (lines.first + along + i, (gint64) 0), lines.length - 1);

      return Of::value (in[at * step]);
    }, sums);
#pragma unroll
  for (int i = 0; i < SUMS; i++)
    if (along + i < n_along)
      out[i * out_step] = Of::template finish<In> (sums[i]);
}

/* Rows of sums, and the rows of pixels that sum_rows() makes of them. */
struct Rows
{
  gint64 width;
  gint64 n_parts;      /* of a row */
  gint64 n_rows;       /* of a slice of the slab */
  gint64 slice_step;   /* from a slice of the result to the next */
  int    radius;
  bool   aligned;      /* whether four pixels can be written at once */
};

template <typename Pixel>
struct alignas (4 * sizeof (Pixel)) Four
{
  Pixel of[4];
};

/* @Part is the type of the sums so far, along one axis in an image and along two in a stack. */
template <typename Pixel, typename Part>
__global__ void
__launch_bounds__ (ROW_THREADS)
sum_rows (const Part *__restrict__                        in,
          Rows                                            rows,
          AllWeights<typename Arithmetic<Pixel>::Weight>  weights,
          Pixel                                          *out)
{
  typedef Arithmetic<Pixel> Of;

  __shared__ Part part[ROW_ROOM];
  const gint64    row   = blockIdx.x / rows.n_parts;
  const gint64    x0    = blockIdx.x % rows.n_parts * ROW_PART;
  const int       n     = (int) min ((gint64) ROW_PART, rows.width - x0);
  const int       first = threadIdx.x * SUMS;

  typename Of::template Total<Part> sums[SUMS];

  in  += row * rows.width;
  out += row / rows.n_rows * rows.slice_step + row % rows.n_rows * rows.width + x0 + first;
  for (int i = threadIdx.x; i < n + SUMS + 2 * rows.radius; i += ROW_THREADS)
    part[GAPPED (i)] = in[min (max (x0 + i - rows.radius, (gint64) 0), rows.width - 1)];
  __syncthreads ();
  if (first >= n)
    return;

  add_up<Pixel, Part, true> (weights, rows.radius, [&] (int i)
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

/* A slab: some rows of some slices. */
struct Slab
{
  gint64 y0;
  gint64 z0;
  gint64 n_rows;
  gint64 n_slices;
};

/* The largest slab, and the memory for its sums along z, which include the rows around it, and
 * along y.
 */
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
  const gint64   wide  = stack && task->type == WF_TYPE_U8 ? sizeof (guint64) : sizeof (guint32);
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
  typedef typename Arithmetic<Pixel>::First  First;
  typedef typename Arithmetic<Pixel>::Second Second;

  WfCuda               *cuda;
  const WfCudaGaussian *task;
  AllWeights<Weight>    weights;
  AllWeights<Weight>    nothing;    /* the weights that leave a line unchanged */

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
         First       *y_sums,
         GError     **error) const
  {
    const WfShape *shape = &task->shape;
    Lines          work  = { shape->width, slab.n_rows, 1, shape->width, 0, slab.y0 };

    return lines (work, shape->height, (const Pixel *) task->image, y_sums, error) &&
           rows (slab, y_sums, error);
  }

  gboolean
  stack (const Slab  &slab,
         First       *z_sums,
         Second      *y_sums,
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

    /* The sums along z begin and end where the image does, or reach as far as the window.  So only
     * the image's first and last rows are repeated beyond its edges.
     */
    z_work.along_z = true;
    if (! lines (z_work, shape->depth, (const Pixel *) task->image + first * shape->width, z_sums,
                 error))
      return FALSE;
    return lines_of_slab (y_work, n_rows, z_sums, y_sums, error) && rows (slab, y_sums, error);
  }

  /* Sums along y, from sums along z that exist for @n_rows rows only. */
  gboolean
  lines_of_slab (Lines        work,
                 gint64       n_rows,
                 const First *in,
                 Second      *out,
                 GError     **error) const
  {
    const gint64 threads = work.width * work.n_slices * ((work.n_rows + SUMS - 1) / SUMS);

    const AllWeights<Weight> &chosen = along (task->shape.height, &work.radius);

    work.length = n_rows;
    sum_lines<Pixel, First, Second><<<(unsigned int) ((threads + LINE_THREADS - 1) / LINE_THREADS),
                                  LINE_THREADS, 0, cuda->stream>>> (in, work, chosen, out);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }
};

static void
set_nothing (guint32 *weights,
             guint8)
{
  weights[0] = 1u << WF_GAUSSIAN_BITS_U8;
}

static void
set_nothing (guint32 *weights,
             guint16)
{
  weights[0] = 1u << WF_GAUSSIAN_BITS_U16;
}

static void
set_nothing (float *weights,
             float)
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
  set_nothing (pass.nothing.of, Pixel ());
  if ((plan.z_sums > 0 && ! z_sums.allocate (cuda, plan.z_sums, error)) ||
      ! y_sums.allocate (cuda, plan.y_sums, error))
    return FALSE;

  for (gint64 z = 0; z < shape->depth; z += plan.slices)
    for (gint64 y = 0; y < shape->height; y += plan.rows)
      {
        const Slab slab = { y, z, MIN (plan.rows, shape->height - y),
                            MIN (plan.slices, shape->depth - z) };
        const bool done = shape->depth > 1
                          ? pass.stack (slab, (typename Pass<Pixel>::First *) z_sums.data,
                                        (typename Pass<Pixel>::Second *) y_sums.data, error)
                          : pass.image (slab, (typename Pass<Pixel>::First *) y_sums.data, error);

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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often each level of an image on the device occurs, by the steps of engine/core/histogram.c.
 *
 *   count_bytes     u8: each warp counts in shared memory, each block adds to the result
 *   count_levels    u16 and f32: blocks count in several tables in device memory by turns
 *   add_tables      these are added
 *
 * Levels that follow each other and are equal are counted together, so that flat parts of an image
 * do not make threads wait for each other.
 *
 * Bytes: the image once.  Memory: 4 MiB for u16 and f32.
 */

#include "histogram.cuh"
#include "dispatch.cuh"
#include "lanes.cuh"
#include "pixels.cuh"

namespace histogram
{

constexpr int THREADS   = 256;
constexpr int WARPS     = THREADS / WF_LANES;
constexpr int N_BYTES   = 256;
constexpr int N_TABLES  = 8;

/* Pixels that a thread reads at a time. */
constexpr int A_THREAD = 16;

/* So that a count of a block fits 32 bits. */
constexpr gint64 MOST_A_LAUNCH = (gint64) 1 << 32;

typedef unsigned long long Count;

template <typename T>
struct alignas (16) Pixels
{
  T of[A_THREAD];
};


/* The step of a level; −1: it is not a number. */
template <typename Pixel>
static __device__ __forceinline__ int
step_of (Pixel level,
         int   n_steps)
{
  return level;
}

template <>
__device__ __forceinline__ int
step_of<float> (float level,
                int   n_steps)
{
  if (isnan (level))
    return -1;
  return (int) ceilf ((level < 0.0f ? 0.0f : level > 1.0f ? 1.0f : level) * (float) (n_steps - 1));
}

/* Counts steps; those that are equal and follow each other at once. */
template <typename Table>
struct Counter
{
  Table   *table;
  int      step = -1;
  guint32  n    = 0;

  __device__ __forceinline__ explicit Counter (Table *counts) : table (counts)
  {
  }

  __device__ __forceinline__ void
  count (int next)
  {
    if (next == step)
      {
        n++;
        return;
      }
    finish ();
    step = next;
    n    = 1;
  }

  __device__ __forceinline__ void
  finish ()
  {
    if (step >= 0)
      atomicAdd (&table[step], (Table) n);
  }
};

template <typename Pixel, typename Table>
static __device__ __forceinline__ void
count_pixels (const Pixel *image,
              gint64       n,
              int          n_steps,
              Table       *table)
{
  const gint64   all    = (gint64) gridDim.x * blockDim.x;
  const gint64   mine   = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64   n_full = n / A_THREAD;
  Counter<Table> counter (table);

  for (gint64 i = mine; i < n_full; i += all)
    {
      const Pixels<Pixel> levels = ((const Pixels<Pixel> *) image)[i];

#pragma unroll
      for (int k = 0; k < A_THREAD; k++)
        counter.count (step_of (levels.of[k], n_steps));
    }
  for (gint64 i = n_full * A_THREAD + mine; i < n; i += all)
    counter.count (step_of (image[i], n_steps));
  counter.finish ();
}

__global__ void
count_bytes (const guint8 *image,
             gint64        n,
             Count        *counts)
{
  __shared__ guint32 tables[WARPS][N_BYTES];

  for (int i = threadIdx.x; i < WARPS * N_BYTES; i += THREADS)
    tables[i / N_BYTES][i % N_BYTES] = 0;
  __syncthreads ();
  count_pixels (image, n, N_BYTES, tables[threadIdx.x / WF_LANES]);
  __syncthreads ();
  for (int i = threadIdx.x; i < N_BYTES; i += THREADS)
    {
      Count sum = 0;

      for (int warp = 0; warp < WARPS; warp++)
        sum += tables[warp][i];
      if (sum > 0)
        atomicAdd (&counts[i], sum);
    }
}

template <typename Pixel>
__global__ void
count_levels (const Pixel *image,
              gint64       n,
              int          n_steps,
              Count       *tables)
{
  count_pixels (image, n, n_steps, tables + (gint64) (blockIdx.x % N_TABLES) * n_steps);
}

__global__ void
add_tables (Count *tables,
            int    n_steps)
{
  const int step = blockIdx.x * blockDim.x + threadIdx.x;

  if (step < n_steps)
    for (int i = 1; i < N_TABLES; i++)
      tables[step] += tables[(gint64) i * n_steps + step];
}

/* @tables: 0 */
static gboolean
count (WfCuda         *cuda,
       const WfImage  *image,
       gconstpointer   packed,
       int             n_steps,
       Count          *tables,
       GError        **error)
{
  const gint64 n = wf_image_n_pixels (image);

  for (gint64 first = 0; first < n; first += MOST_A_LAUNCH)
    {
      const gint64       more   = MIN (MOST_A_LAUNCH, n - first);
      const unsigned int blocks = wf_cuda_blocks (cuda, (more + A_THREAD - 1) / A_THREAD, THREADS,
                                                  2);
      const char        *levels = (const char *) packed + first * wf_type_size (image->type);

      if (image->type == WF_TYPE_U8)
        count_bytes<<<blocks, THREADS, 0, cuda->stream>>> ((const guint8 *) levels, more, tables);
      else if (image->type == WF_TYPE_U16)
        count_levels<<<blocks, THREADS, 0, cuda->stream>>> ((const guint16 *) levels, more,
                                                            n_steps, tables);
      else
        count_levels<<<blocks, THREADS, 0, cuda->stream>>> ((const float *) levels, more, n_steps,
                                                            tables);
      WF_CUDA_CHECK_LAUNCH ();
    }
  if (image->type != WF_TYPE_U8)
    {
      add_tables<<<(n_steps + THREADS - 1) / THREADS, THREADS, 0, cuda->stream>>> (tables,
                                                                                   n_steps);
      WF_CUDA_CHECK_LAUNCH ();
    }
  return TRUE;
}

} // namespace histogram

gboolean
wf_cuda_count_levels (WfRun          *run,
                      const WfImage  *image,
                      guint64        *counts,
                      guint           n_steps,
                      GError        **error)
{
  const gint64                    n_tables = image->type == WF_TYPE_U8 ? 1 : histogram::N_TABLES;
  WfCudaSession                   session;
  WfCudaPixels<char>              pixels;
  WfDeviceArray<histogram::Count> tables;

  if (! session.begin (run, error) ||
      ! tables.allocate (session.cuda, n_tables * n_steps, error) ||
      ! pixels.take (session.cuda, image, NULL, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (tables.data, 0, n_tables * n_steps * sizeof (histogram::Count),
                                  session.cuda->stream));
  return histogram::count (session.cuda, image, pixels.data, (int) n_steps, tables.data, error) &&
         wf_cuda_read (session.cuda, counts, tables.data, n_steps * sizeof *counts, error);
}

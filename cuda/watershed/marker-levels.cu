/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the watershed on a GPU does before and after its floods.
 *
 * Different labels are counted in a map of a bit for each.  The map covers a range of labels at
 * a time, so that labels of any size need at most 32 MB; mostly there is one range.
 */

#include "cuda/core/dispatch.cuh"
#include "cuda/core/lanes.cuh"
#include "marker-levels.cuh"

#define THREADS 256

/* Labels in a range of the map. */
#define RANGE (1u << 28)


/*  Levels  */

template <typename Pixel> static __device__ Pixel highest_level ();
template <> __device__ guint8  highest_level () { return G_MAXUINT8; }
template <> __device__ guint16 highest_level () { return G_MAXUINT16; }
template <> __device__ float   highest_level () { return INFINITY; }

/* Only the whole part of a tolerance matters to whole numbers.  A sum above the type's largest
 * value is above every level.
 */
template <typename Pixel>
static __device__ Pixel
raised (Pixel  level,
        double tolerance)
{
  return tolerance >= highest_level<Pixel> () - level ? highest_level<Pixel> ()
                                                      : (Pixel) (level + floor (tolerance));
}

template <>
__device__ float
raised (float  level,
        double tolerance)
{
  return (float) ((double) level + tolerance);
}

template <typename Pixel>
static __global__ void
raise_levels (gint64       n,
              const Pixel *image,
              double       tolerance,
              Pixel       *result)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    result[p] = raised<Pixel> (image[p], tolerance);
}

template <typename Pixel>
static __global__ void
start_levels (gint64         n,
              const Pixel   *image,
              const guint32 *markers,
              Pixel         *result)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    result[p] = markers[p] ? image[p] : highest_level<Pixel> ();
}

gboolean
wf_cuda_raise_levels (WfCuda         *cuda,
                      WfType          type,
                      gint64          n,
                      gconstpointer   image,
                      double          tolerance,
                      gpointer        result,
                      GError        **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, n, THREADS);

  wf_dispatch_pixels (type, [&] (auto pixel)
    {
      typedef decltype (pixel) Pixel;

      raise_levels<<<blocks, THREADS, 0, cuda->stream>>>
        (n, (const Pixel *) image, tolerance, (Pixel *) result);
    });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_start_levels (WfCuda         *cuda,
                      WfType          type,
                      gint64          n,
                      gconstpointer   image,
                      const guint32  *markers,
                      gpointer        result,
                      GError        **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, n, THREADS);

  wf_dispatch_pixels (type, [&] (auto pixel)
    {
      typedef decltype (pixel) Pixel;

      start_levels<<<blocks, THREADS, 0, cuda->stream>>>
        (n, (const Pixel *) image, markers, (Pixel *) result);
    });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}


/*  Counting labels  */

static __global__ void
find_highest_label (const guint32 *labels,
                    gint64         n,
                    guint32       *highest)
{
  guint32 own = 0;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    own = max (own, labels[p]);
  own = wf_warp_max (own);
  if (wf_lane () == 0 && own > *(volatile guint32 *) highest)
    atomicMax (highest, own);
}

/* Counts labels that are seen for the first time. */
static __global__ void
see_labels (const guint32 *labels,
            gint64         n,
            guint32        first,
            guint32       *seen,
            guint32       *count)
{
  guint32 last  = 0;
  guint32 found = 0;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 label = labels[p];
      const guint32 at    = label - first;
      const guint32 bit   = 1u << (at % 32);

      if (label == last || label == 0 || label < first || at >= RANGE)
        continue;
      last = label;
      if (! (((volatile guint32 *) seen)[at / 32] & bit))
        found += ! (atomicOr (&seen[at / 32], bit) & bit);
    }
  if (found > 0)
    atomicAdd (count, found);
}

gboolean
wf_cuda_count_labels (WfCuda         *cuda,
                      const guint32  *labels,
                      gint64          n,
                      guint32        *n_labels,
                      GError        **error)
{
  const unsigned int      blocks = wf_cuda_blocks (cuda, n, THREADS);
  WfDeviceArray<guint32>  seen;
  WfDeviceArray<guint32>  sums;       /* the highest label; their number */
  guint32                 found[2];
  gint64                  words;

  if (! sums.allocate (cuda, 2, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (sums.data, 0, 2 * sizeof (guint32), cuda->stream));
  find_highest_label<<<blocks, THREADS, 0, cuda->stream>>> (labels, n, sums.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, found, sums.data, sizeof found, error))
    return FALSE;

  words = (MIN (found[0], RANGE - 1) / 32) + 1;
  if (! seen.allocate (cuda, words, error))
    return FALSE;
  for (gint64 first = 0; first <= found[0]; first += RANGE)
    {
      WF_CUDA_CHECK (cudaMemsetAsync (seen.data, 0, words * sizeof (guint32), cuda->stream));
      see_labels<<<blocks, THREADS, 0, cuda->stream>>>
        (labels, n, (guint32) first, seen.data, sums.data + 1);
      WF_CUDA_CHECK_LAUNCH ();
    }
  if (! wf_cuda_read (cuda, found, sums.data, sizeof found, error))
    return FALSE;
  *n_labels = found[1];
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding the labels of an image, and their places; see places.cuh. */

#include "places.cuh"
#include "cuda/core/add-counts.cuh"

namespace measurements
{

constexpr int THREADS = 256;

/* In the passes below and in runs.inc.cuh, what is only ever raised, or only lowered, is read
 * through the first-level cache: all warps would wait for the one place of a region that has the
 * whole image.  An old value there costs an atomic operation that changes nothing.
 */

/* Calls @visit for the first pixel of each label among 32 that follow each other.  A warp loads 128
 * pixels at once.
 */
template <typename Visit>
static __device__ __forceinline__ void
visit_heads (const guint32 *labels,
             gint64         n,
             Visit          visit)
{
  constexpr int AT_ONCE = 4;

  const gint64 n_warps = (gint64) gridDim.x * blockDim.x / WF_LANES;
  const gint64 warp    = (blockIdx.x * (gint64) blockDim.x + threadIdx.x) / WF_LANES;

  for (gint64 first = warp * AT_ONCE * WF_LANES; first < n;
       first += n_warps * AT_ONCE * WF_LANES)
    {
      guint32 label[AT_ONCE];

#pragma unroll
      for (int i = 0; i < AT_ONCE; i++)
        {
          const gint64 p = first + i * WF_LANES + wf_lane ();

          label[i] = p < n ? labels[p] : 0;
        }
#pragma unroll
      for (int i = 0; i < AT_ONCE; i++)
        if (is_head (label[i]) && label[i] != 0)
          visit (label[i]);
    }
}

/* @slots: all 0 before; 1 of pages that have a label.  Bytes a pixel: 4. */
static __global__ void
find_pages (const guint32 *labels,
            gint64         n,
            guint32       *slots)
{
  visit_heads (labels, n, [&] (guint32 label)
    {
      if (__ldca (&slots[label >> PAGE_BITS]) == 0)
        atomicExch (&slots[label >> PAGE_BITS], 1u);
    });
}

/* Numbers the pages that are kept: those whose slot is not that of the next. */
static __global__ void
name_pages (Places  places,
            guint32 n_kept)
{
  const guint32 page = blockIdx.x * blockDim.x + threadIdx.x;
  const guint32 slot = page < N_PAGES ? places.slots[page] : n_kept;
  const guint32 next = page + 1 < N_PAGES ? places.slots[page + 1] : n_kept;

  if (page < N_PAGES && slot != next)
    places.numbers[slot] = page;
}

static __device__ __forceinline__ guint32 *
word_of (const Places &places,
         guint32       label)
{
  const gint64 slot = places.slots[label >> PAGE_BITS];

  return places.bits + slot * PAGE_WORDS + (label >> 5) % PAGE_WORDS;
}

/* Bytes a pixel: 4. */
static __global__ void
find_labels (const guint32 *labels,
             gint64         n,
             Places         places)
{
  visit_heads (labels, n, [&] (guint32 label)
    {
      guint32 *word = word_of (places, label);

      if (! (__ldca (word) >> label % 32 & 1))
        atomicOr (word, 1u << label % 32);
    });
}

/* A block for each page, a thread for each group. */
static __global__ void
__launch_bounds__ (PAGE_GROUPS)
count_labels (Places places)
{
  const gint64   group = blockIdx.x * (gint64) PAGE_GROUPS + threadIdx.x;
  const guint32 *words = places.bits + group * GROUP_WORDS;
  guint32        n     = 0;
  guint32        total;

  for (int i = 0; i < GROUP_WORDS; i++)
    n += __popc (words[i]);
  places.groups[group] = wf_block_sum_before (n, &total);
  if (threadIdx.x == 0)
    places.firsts[blockIdx.x] = total;
}

/* Likewise.  @labels: result: all of them, increasing */
static __global__ void
__launch_bounds__ (PAGE_GROUPS)
list_labels (Places   places,
             guint32 *labels)
{
  const gint64   group = blockIdx.x * (gint64) PAGE_GROUPS + threadIdx.x;
  const guint32 *words = places.bits + group * GROUP_WORDS;
  const guint32  first = (places.numbers[blockIdx.x] << PAGE_BITS) + (threadIdx.x << GROUP_BITS);
  gint64         at    = (gint64) places.firsts[blockIdx.x] + places.groups[group];

  for (int i = 0; i < GROUP_WORDS; i++)
    for (guint32 left = words[i]; left; left &= left - 1)
      labels[at++] = first + 32 * i + (__ffs (left) - 1);
}


/*  On the host  */

static gboolean
add_counts (WfCuda       *cuda,
            PlaceArrays  *arrays,
            guint32      *counts,
            gint64        n,
            guint64      *sum,
            GError      **error)
{
  wf_add_counts<<<1, 1024, 0, cuda->stream>>> (counts, n, arrays->sum.data);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_read (cuda, sum, arrays->sum.data, sizeof *sum, error);
}

static gboolean
allocate_pages (WfCuda       *cuda,
                PlaceArrays  *arrays,
                GError      **error)
{
  const gint64 n = (gint64) arrays->n_pages;

  if (! wf_cuda_check_memory (cuda, n * (PAGE_WORDS + PAGE_GROUPS + 2) * sizeof (guint32),
                              error) ||
      ! arrays->numbers.allocate (cuda, n, error) ||
      ! arrays->bits.allocate (cuda, n * PAGE_WORDS, error) ||
      ! arrays->groups.allocate (cuda, n * PAGE_GROUPS, error) ||
      ! arrays->firsts.allocate (cuda, n, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (arrays->bits.data, 0, n * PAGE_WORDS * sizeof (guint32),
                                  cuda->stream));
  return TRUE;
}

gboolean
PlaceArrays::find (WfCuda         *cuda,
                   const guint32  *labels,
                   gint64          n,
                   GError        **error)
{
  const guint32 blocks = wf_cuda_blocks (cuda, n, THREADS);

  n_pages = n_regions = 0;
  if (! slots.allocate (cuda, N_PAGES, error) || ! sum.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (slots.data, 0, N_PAGES * sizeof (guint32), cuda->stream));
  find_pages<<<blocks, THREADS, 0, cuda->stream>>> (labels, n, slots.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! add_counts (cuda, this, slots.data, N_PAGES, &n_pages, error))
    return FALSE;
  if (n_pages == 0)
    return TRUE;
  if (! allocate_pages (cuda, this, error))
    return FALSE;

  name_pages<<<N_PAGES / THREADS, THREADS, 0, cuda->stream>>> (places (), (guint32) n_pages);
  WF_CUDA_CHECK_LAUNCH ();
  find_labels<<<blocks, THREADS, 0, cuda->stream>>> (labels, n, places ());
  WF_CUDA_CHECK_LAUNCH ();
  count_labels<<<(guint32) n_pages, PAGE_GROUPS, 0, cuda->stream>>> (places ());
  WF_CUDA_CHECK_LAUNCH ();
  return add_counts (cuda, this, firsts.data, (gint64) n_pages, &n_regions, error);
}

gboolean
PlaceArrays::list (WfCuda   *cuda,
                   guint32  *labels,
                   GError  **error)
{
  list_labels<<<(guint32) n_pages, PAGE_GROUPS, 0, cuda->stream>>> (places (), labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

} /* namespace measurements */

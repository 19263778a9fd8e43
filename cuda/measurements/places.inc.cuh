/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The labels of an image in increasing order, and the place of each among them; see
 * measurements.cu.
 *
 * Labels may be any numbers.  A page stands for 2^18 of them that follow each other; only pages
 * that have a label are kept, each with a bit for each label.  The place of a label is the number
 * of bits before its own: those of the pages before, of the groups of 256 before in its page, and
 * of up to eight words.
 */

#pragma once

#include "cuda/core/add-counts.cuh"

namespace measurements
{

constexpr int PAGE_BITS   = 18;
constexpr int N_PAGES     = 1 << (32 - PAGE_BITS);
constexpr int PAGE_WORDS  = 1 << (PAGE_BITS - 5);
constexpr int GROUP_BITS  = 8;
constexpr int GROUP_WORDS = 1 << (GROUP_BITS - 5);
constexpr int PAGE_GROUPS = 1 << (PAGE_BITS - GROUP_BITS);

/**
 * Places:
 * @slots: of each page where it is kept, if it has a label
 * @numbers: of each page that is kept its number
 * @bits: of these pages
 * @groups: of each group of a page that is kept, how many labels of the page lie before it
 * @firsts: of each page that is kept, how many labels lie before it
 */
struct Places
{
  guint32 *slots;
  guint32 *numbers;
  guint32 *bits;
  guint32 *groups;
  guint32 *firsts;
};

/* Whether the lane's pixel is the first of its label among those of the warp, as far as it has no
 * other in between; also of pixels without a label.  All lanes of a warp.
 */
static __device__ __forceinline__ bool
is_head (guint32 label)
{
  const guint32 before = __shfl_up_sync (WF_ALL_LANES, label, 1);

  return wf_lane () == 0 || label != before;
}

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

/* @label: one of the image's */
static __device__ guint32
place_of (const Places &places,
          guint32       label)
{
  const gint64   slot  = places.slots[label >> PAGE_BITS];
  const int      group = (label >> GROUP_BITS) % PAGE_GROUPS;
  const int      word  = (label >> 5) % GROUP_WORDS;
  const guint32 *words = places.bits + slot * PAGE_WORDS + group * GROUP_WORDS;
  guint32        place = places.firsts[slot] + places.groups[slot * PAGE_GROUPS + group];

  for (int i = 0; i < word; i++)
    place += __popc (words[i]);
  return place + __popc (words[word] & wf_lanes_before (label % 32));
}

} /* namespace measurements */

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The labels of an image in increasing order, and the place of each among them.
 *
 * Labels may be any numbers.  A page stands for 2^18 of them that follow each other; only pages
 * that have a label are kept, each with a bit for each label.  The place of a label is the number
 * of bits before its own: those of the pages before, of the groups of 256 before in its page, and
 * of up to eight words.
 *
 * Bytes: the labels twice.  Memory: 36 KiB for each page that is kept, 576 MiB at most.
 */

#pragma once

#include "cuda/core/device.cuh"
#include "cuda/core/lanes.cuh"

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

/**
 * PlaceArrays:
 * @n_pages: that are kept
 * @n_regions: how many labels there are; if there is none, there are no places
 *
 * The memory of places.
 */
struct PlaceArrays
{
  WfDeviceArray<guint32> slots;
  WfDeviceArray<guint32> numbers;
  WfDeviceArray<guint32> bits;
  WfDeviceArray<guint32> groups;
  WfDeviceArray<guint32> firsts;
  WfDeviceArray<guint64> sum;
  guint64                n_pages   = 0;
  guint64                n_regions = 0;

  Places
  places () const
  {
    return { slots.data, numbers.data, bits.data, groups.data, firsts.data };
  }

  /* Of @n labels; waits for them. */
  gboolean find (WfCuda         *cuda,
                 const guint32  *labels,
                 gint64          n,
                 GError        **error);

  /* Queues the list of all labels, increasing, @n_regions of them. */
  gboolean list (WfCuda         *cuda,
                 guint32        *labels,
                 GError        **error);
};

/* Device memory that is taken whatever the labels. */
constexpr guint64 LEAST_PLACES_BYTES = N_PAGES * sizeof (guint32) + sizeof (guint64);

} /* namespace measurements */

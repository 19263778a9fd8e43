/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A priority queue of pixels by whole numbers, in buckets that are reused in turn (Dial 1969).
 *
 * It holds numbers that differ by no more than WF_N_BUCKETS − 1 buckets.  Those of one bucket leave
 * in any order.  Where a bucket is no wider than the shortest step, what leaves the first one is
 * final (Dinitz 1978); otherwise pixels may come again.
 *
 * A bucket keeps where its pixels are, not their numbers, in a list of blocks of one cache line.
 */

#pragma once

#include "engine/core/image.h"

#define WF_N_BUCKETS 1024

#define WF_NO_BLOCK G_MAXUINT32

/* Pixels of a bucket, and the next block of it. */
typedef struct
{
  guint32 n;
  guint32 next;
  guint32 at[14];
} WfBucketBlock;

/**
 * WfBuckets:
 * @shift: a bucket is 2 to the power of this wide
 * @n: blocks in all buckets; none is empty
 */
typedef struct
{
  int            shift;
  gint64         n;
  /*< private >*/
  guint64        current;       /* the bucket that was looked at last, not taken modulo */
  guint32        first[WF_N_BUCKETS];
  guint64        filled[WF_N_BUCKETS / 64];
  WfBucketBlock *blocks;
  guint32        capacity;
  guint32        n_used;
  guint32        free;          /* a block that was emptied, or WF_NO_BLOCK */
} WfBuckets;

static inline void
wf_buckets_init (WfBuckets *buckets,
                 int        shift)
{
  *buckets = (WfBuckets) { .shift = shift, .free = WF_NO_BLOCK };
  for (int i = 0; i < WF_N_BUCKETS; i++)
    buckets->first[i] = WF_NO_BLOCK;
}

static inline void
wf_buckets_clear (WfBuckets *buckets)
{
  g_free (buckets->blocks);
  buckets->blocks = NULL;
}

/* From here on numbers from @number on may come, no smaller ones. */
static inline void
wf_buckets_start (WfBuckets *buckets,
                  guint64    number)
{
  buckets->current = number >> buckets->shift;
  if (buckets->n > 0)
    return;
  buckets->n_used = 0;
  buckets->free   = WF_NO_BLOCK;
}

static inline gboolean
wf_buckets_grow (WfBuckets  *buckets,
                 GError    **error)
{
  const guint32  capacity = MAX (2 * buckets->capacity, 256);
  WfBucketBlock *blocks;

  if (! (blocks = wf_allocate (capacity, sizeof *blocks, error)))
    return FALSE;
  if (buckets->blocks)
    memcpy (blocks, buckets->blocks, buckets->n_used * sizeof *blocks);
  g_free (buckets->blocks);
  buckets->blocks   = blocks;
  buckets->capacity = capacity;
  return TRUE;
}

/* Puts an empty block before those of a bucket. */
static inline gboolean
wf_buckets_add_block (WfBuckets  *buckets,
                      guint       bucket,
                      GError    **error)
{
  guint32 block = buckets->free;

  if (block != WF_NO_BLOCK)
    buckets->free = buckets->blocks[block].next;
  else
    {
      if (buckets->n_used == buckets->capacity && ! wf_buckets_grow (buckets, error))
        return FALSE;
      block = buckets->n_used++;
    }
  buckets->n++;
  buckets->blocks[block].n      = 0;
  buckets->blocks[block].next   = buckets->first[bucket];
  buckets->first[bucket]        = block;
  buckets->filled[bucket / 64] |= (guint64) 1 << bucket % 64;
  return TRUE;
}

static inline gboolean
wf_buckets_push (WfBuckets  *buckets,
                 guint64     number,
                 guint32     at,
                 GError    **error)
{
  const guint    bucket = (number >> buckets->shift) % WF_N_BUCKETS;
  guint32        first  = buckets->first[bucket];
  WfBucketBlock *block;

  if (first == WF_NO_BLOCK ||
      buckets->blocks[first].n == G_N_ELEMENTS (buckets->blocks[first].at))
    {
      if (G_UNLIKELY (! wf_buckets_add_block (buckets, bucket, error)))
        return FALSE;
      first = buckets->first[bucket];
    }
  block                 = &buckets->blocks[first];
  block->at[block->n++] = at;
  return TRUE;
}

/* The first bucket that holds something; there must be one. */
static inline guint64
wf_buckets_find (WfBuckets *buckets)
{
  guint   bucket = buckets->current % WF_N_BUCKETS;
  guint   word   = bucket / 64;
  guint64 bits   = buckets->filled[word] & ~(guint64) 0 << bucket % 64;

  while (bits == 0)
    {
      word = (word + 1) % (WF_N_BUCKETS / 64);
      bits = buckets->filled[word];
    }
  bucket            = word * 64 + __builtin_ctzll (bits);
  buckets->current += (bucket - buckets->current) % WF_N_BUCKETS;
  return buckets->current;
}

/* Whether there is more in the bucket that wf_buckets_find() has found. */
static inline gboolean
wf_buckets_holds (const WfBuckets *buckets)
{
  return buckets->first[buckets->current % WF_N_BUCKETS] != WF_NO_BLOCK;
}

/* Takes a pixel out of the bucket that wf_buckets_find() has found.  Its number is in that bucket,
 * unless it got a smaller one later.
 */
static inline guint32
wf_buckets_pop (WfBuckets *buckets)
{
  const guint    bucket = buckets->current % WF_N_BUCKETS;
  const guint32  first  = buckets->first[bucket];
  WfBucketBlock *block  = &buckets->blocks[first];
  const guint32  at     = block->at[--block->n];

  if (block->n > 0)
    return at;
  buckets->n--;
  buckets->first[bucket] = block->next;
  block->next            = buckets->free;
  buckets->free          = first;
  if (buckets->first[bucket] == WF_NO_BLOCK)
    buckets->filled[bucket / 64] &= ~((guint64) 1 << bucket % 64);
  return at;
}

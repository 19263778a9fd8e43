/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A priority queue of pixels by whole numbers, in buckets that are reused in turn (Dial 1969).
 *
 * It holds numbers that differ by no more than WF_N_BUCKETS − 1 buckets.  Those of one bucket leave
 * in any order.  Where a bucket is no wider than the shortest step, what leaves the first one is
 * final (Dinitz 1978); otherwise pixels may come again.
 */

#pragma once

#include "engine/core/image.h"

#define WF_N_BUCKETS 1024

#define WF_NO_ENTRY G_MAXUINT32

/* A pixel in a bucket, and the next one there. */
typedef struct
{
  guint64 number;
  guint32 at;
  guint32 next;
} WfBucketEntry;

/**
 * WfBuckets:
 * @shift: a bucket is 2 to the power of this wide
 * @n: entries in all buckets
 */
typedef struct
{
  int            shift;
  gint64         n;
  /*< private >*/
  guint64        current;       /* the bucket that was looked at last, not taken modulo */
  guint32        first[WF_N_BUCKETS];
  guint64        filled[WF_N_BUCKETS / 64];
  WfBucketEntry *entries;
  gint64         capacity;
  gint64         n_used;
  guint32        free;          /* an entry that was taken out, or WF_NO_ENTRY */
} WfBuckets;

static inline void
wf_buckets_init (WfBuckets *buckets,
                 int        shift)
{
  *buckets = (WfBuckets) { .shift = shift, .free = WF_NO_ENTRY };
  for (int i = 0; i < WF_N_BUCKETS; i++)
    buckets->first[i] = WF_NO_ENTRY;
}

static inline void
wf_buckets_clear (WfBuckets *buckets)
{
  g_free (buckets->entries);
  buckets->entries = NULL;
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
  buckets->free   = WF_NO_ENTRY;
}

static inline gboolean
wf_buckets_grow (WfBuckets  *buckets,
                 GError    **error)
{
  const gint64   capacity = MAX (2 * buckets->capacity, 1024);
  WfBucketEntry *entries;

  if (! (entries = wf_allocate (capacity, sizeof *entries, error)))
    return FALSE;
  if (buckets->entries)
    memcpy (entries, buckets->entries, buckets->n_used * sizeof *entries);
  g_free (buckets->entries);
  buckets->entries  = entries;
  buckets->capacity = capacity;
  return TRUE;
}

static inline gboolean
wf_buckets_push (WfBuckets  *buckets,
                 guint64     number,
                 guint32     at,
                 GError    **error)
{
  const guint bucket = (number >> buckets->shift) % WF_N_BUCKETS;
  guint32     entry  = buckets->free;

  if (entry != WF_NO_ENTRY)
    buckets->free = buckets->entries[entry].next;
  else
    {
      if (G_UNLIKELY (buckets->n_used == buckets->capacity) && ! wf_buckets_grow (buckets, error))
        return FALSE;
      entry = (guint32) buckets->n_used++;
    }
  buckets->entries[entry]       = (WfBucketEntry) { number, at, buckets->first[bucket] };
  buckets->first[bucket]        = entry;
  buckets->filled[bucket / 64] |= (guint64) 1 << bucket % 64;
  buckets->n++;
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
  return buckets->first[buckets->current % WF_N_BUCKETS] != WF_NO_ENTRY;
}

/* Takes an entry out of the bucket that wf_buckets_find() has found. */
static inline WfBucketEntry
wf_buckets_pop (WfBuckets *buckets)
{
  const guint         bucket = buckets->current % WF_N_BUCKETS;
  const guint32       entry  = buckets->first[bucket];
  const WfBucketEntry taken  = buckets->entries[entry];

  buckets->first[bucket]       = taken.next;
  buckets->entries[entry].next = buckets->free;
  buckets->free                = entry;
  if (taken.next == WF_NO_ENTRY)
    buckets->filled[bucket / 64] &= ~((guint64) 1 << bucket % 64);
  buckets->n--;
  return taken;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A priority queue of pixels by whole numbers, in buckets that are reused in turn (Dial 1969).
 *
 * It holds numbers that differ by no more than WF_N_BUCKETS − 1 buckets.  Those of one bucket leave
 * in any order.  Where a bucket is no wider than the shortest step, what leaves the first one is
 * final (Dinitz 1978); otherwise pixels may come again.
 *
 * A bucket is a list of entries, each of which has a pixel's place, not its number.  Places are
 * taken out and put in by the dozen: space is looked for once for all of them, and neither takes a
 * branch that depends on what the buckets hold.
 */

#pragma once

#include "engine/core/image.h"

#define WF_N_BUCKETS 1024

#define WF_NO_ENTRY G_MAXUINT32

/* A place in a bucket, and the next entry of it, or of those that are free. */
typedef struct
{
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
  guint32        free;          /* the first of the capacity − n free entries */
  guint32        leaving;       /* the first entry that has left its bucket, but not the queue */
} WfBuckets;

static inline void
wf_buckets_init (WfBuckets *buckets,
                 int        shift)
{
  *buckets = (WfBuckets) { .shift = shift, .free = WF_NO_ENTRY, .leaving = WF_NO_ENTRY };
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
}

static inline gboolean
wf_buckets_grow (WfBuckets  *buckets,
                 gint64      n,
                 GError    **error)
{
  const gint64   capacity = MAX (2 * buckets->capacity, buckets->capacity + MAX (n, 1024));
  WfBucketEntry *entries;

  if (! (entries = wf_allocate (capacity, sizeof *entries, error)))
    return FALSE;
  if (buckets->entries)
    memcpy (entries, buckets->entries, buckets->capacity * sizeof *entries);
  for (gint64 i = capacity; i-- > buckets->capacity; buckets->free = (guint32) i)
    entries[i].next = buckets->free;
  g_free (buckets->entries);
  buckets->entries  = entries;
  buckets->capacity = capacity;
  return TRUE;
}

/* Makes room for @n places more. */
static inline gboolean
wf_buckets_reserve (WfBuckets  *buckets,
                    gint64      n,
                    GError    **error)
{
  return G_LIKELY (buckets->capacity - buckets->n >= n) || wf_buckets_grow (buckets, n, error);
}

/* Room for it must have been made. */
static inline void
wf_buckets_push (WfBuckets *buckets,
                 guint64    number,
                 guint32    at)
{
  const guint    bucket = (number >> buckets->shift) % WF_N_BUCKETS;
  const guint32  entry  = buckets->free;
  WfBucketEntry *made   = &buckets->entries[entry];

  buckets->free                 = made->next;
  *made                         = (WfBucketEntry) { at, buckets->first[bucket] };
  buckets->first[bucket]        = entry;
  buckets->filled[bucket / 64] |= (guint64) 1 << bucket % 64;
  buckets->n++;
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
  return buckets->leaving != WF_NO_ENTRY ||
         buckets->first[buckets->current % WF_N_BUCKETS] != WF_NO_ENTRY;
}

static inline void
wf_buckets_empty_bucket (WfBuckets *buckets)
{
  const guint bucket = buckets->current % WF_N_BUCKETS;

  buckets->leaving              = buckets->first[bucket];
  buckets->first[bucket]        = WF_NO_ENTRY;
  buckets->filled[bucket / 64] &= ~((guint64) 1 << bucket % 64);
}

/* Takes places out of the bucket that wf_buckets_find() has found, at most @most; returns how many.
 * Their numbers are in that bucket, unless they got smaller ones later.  What comes into the bucket
 * meanwhile leaves after all that were in it: otherwise a wide bucket would be searched depth
 * first, and pixels would come again very often.
 */
static inline guint
wf_buckets_pop (WfBuckets *buckets,
                guint32   *at,
                guint      most)
{
  WfBucketEntry *entries = buckets->entries;
  guint32        first, next, last;
  guint          n = 0;

  if (buckets->leaving == WF_NO_ENTRY)
    wf_buckets_empty_bucket (buckets);
  first = next = buckets->leaving;
  do
    {
      last    = next;
      at[n++] = entries[last].at;
      next    = entries[last].next;
    }
  while (next != WF_NO_ENTRY && n < most);
  entries[last].next = buckets->free;
  buckets->free      = first;
  buckets->leaving   = next;
  buckets->n        -= n;
  return n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A priority queue of pixels by whole numbers, in buckets that are reused in turn (Dial 1969).
 *
 * It holds numbers that differ by no more than WF_N_BUCKETS − 1 buckets.  Those of one bucket leave
 * in any order.  Where a bucket is no wider than the shortest step, what leaves the first one is
 * final (Dinitz 1978); otherwise pixels may come again.
 *
 * A bucket is a list of chunks of two cache lines each, of which only the last one has room.
 * Places are taken out and put in by the dozen: space is looked for once for all of them, and
 * neither takes a branch that depends on what the buckets hold, except once for each chunk.
 */

#pragma once

#include "engine/core/image.h"

#define WF_N_BUCKETS 1024

/* Slots of a chunk: the first links chunks, the others hold a place each. */
#define WF_CHUNK_SLOTS 32

#define WF_NO_CHUNK G_MAXUINT32

/* What wf_buckets_pop() needs room for, to take @most places. */
#define WF_BUCKETS_POP_ROOM(most) ((most) + WF_CHUNK_SLOTS)

typedef struct
{
  guint32 slots[WF_CHUNK_SLOTS];
} WfBucketChunk;

/**
 * WfBuckets:
 * @shift: a bucket is 2 to the power of this wide
 * @n: places in all buckets
 *
 * An end is the slot after a list's last place, counted over all chunks, or 0 for a list without
 * any.  The first slot of a chunk is the end of the chunks before it.
 */
typedef struct
{
  int            shift;
  gint64         n;
  /*< private >*/
  guint64        current;       /* the bucket that was looked at last, not taken modulo */
  guint32        end[WF_N_BUCKETS];
  guint64        filled[WF_N_BUCKETS / 64];
  WfBucketChunk *chunks;
  gint64         n_chunks;
  gint64         n_free;
  guint32        free;          /* the first free chunk; its first slot is the next one */
  guint32        leaving;       /* the end of what has left its bucket, but not the queue */
} WfBuckets;

static inline void
wf_buckets_init (WfBuckets *buckets,
                 int        shift)
{
  *buckets = (WfBuckets) { .shift = shift, .free = WF_NO_CHUNK };
}

static inline void
wf_buckets_clear (WfBuckets *buckets)
{
  g_free (buckets->chunks);
  buckets->chunks = NULL;
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
                 gint64      n_needed,
                 GError    **error)
{
  const gint64   n = buckets->n_chunks + MAX (buckets->n_chunks, n_needed);
  WfBucketChunk *chunks;

  if (! (chunks = wf_allocate (n, sizeof *chunks, error)))
    return FALSE;
  if (buckets->chunks)
    memcpy (chunks, buckets->chunks, buckets->n_chunks * sizeof *chunks);
  for (gint64 i = n; i-- > buckets->n_chunks; buckets->free = (guint32) i)
    chunks[i].slots[0] = buckets->free;
  g_free (buckets->chunks);
  buckets->chunks   = chunks;
  buckets->n_free  += n - buckets->n_chunks;
  buckets->n_chunks = n;
  return TRUE;
}

/* Makes room for @n places more, whichever buckets they come into. */
static inline gboolean
wf_buckets_reserve (WfBuckets  *buckets,
                    gint64      n,
                    GError    **error)
{
  const gint64 n_needed = MIN (n, WF_N_BUCKETS + n / (WF_CHUNK_SLOTS - 1));

  return G_LIKELY (buckets->n_free >= n_needed) || wf_buckets_grow (buckets, n_needed, error);
}

/* Room for it must have been made. */
static inline void
wf_buckets_push (WfBuckets *buckets,
                 guint64    number,
                 guint32    at)
{
  const guint bucket = (number >> buckets->shift) % WF_N_BUCKETS;
  guint32     end    = buckets->end[bucket];

  if (end % WF_CHUNK_SLOTS == 0)
    {
      const guint32 chunk = buckets->free;
      guint32      *link  = &buckets->chunks[chunk].slots[0];

      buckets->free                 = *link;
      buckets->n_free--;
      buckets->filled[bucket / 64] |= (guint64) 1 << bucket % 64;
      *link                         = end;
      end                           = chunk * WF_CHUNK_SLOTS + 1;
    }
  buckets->chunks->slots[end] = at;
  buckets->end[bucket]        = end + 1;
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
  return buckets->leaving != 0 || buckets->end[buckets->current % WF_N_BUCKETS] != 0;
}

static inline void
wf_buckets_empty_bucket (WfBuckets *buckets)
{
  const guint bucket = buckets->current % WF_N_BUCKETS;

  buckets->leaving              = buckets->end[bucket];
  buckets->end[bucket]          = 0;
  buckets->filled[bucket / 64] &= ~((guint64) 1 << bucket % 64);
}

/* Takes places out of the bucket that wf_buckets_find() has found, at most @most; returns how many.
 * Their numbers are in that bucket, unless they got smaller ones later.  What comes into the bucket
 * meanwhile leaves after all that were in it: otherwise a wide bucket would be searched depth
 * first, and pixels would come again very often.  @at: has WF_BUCKETS_POP_ROOM()
 */
static inline guint
wf_buckets_pop (WfBuckets *buckets,
                guint32   *at,
                guint      most)
{
  guint n = 0;

  if (buckets->leaving == 0)
    wf_buckets_empty_bucket (buckets);
  do
    {
      const guint32  chunk = (buckets->leaving - 1) / WF_CHUNK_SLOTS;
      guint32       *slots = buckets->chunks[chunk].slots;

      memcpy (at + n, slots + 1, (WF_CHUNK_SLOTS - 1) * sizeof *at);
      n               += buckets->leaving - chunk * WF_CHUNK_SLOTS - 1;
      buckets->leaving = slots[0];
      slots[0]         = buckets->free;
      buckets->free    = chunk;
      buckets->n_free++;
    }
  while (buckets->leaving != 0 && n + WF_CHUNK_SLOTS - 1 <= most);
  buckets->n -= n;
  return n;
}

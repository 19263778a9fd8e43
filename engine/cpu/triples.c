/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of keys of 96 bits, and a radix sort from the least significant digit on.  It skips
 * digits that are the same in all keys, as are most: the upper halves of small numbers.
 */

#include "config.h"

#include <string.h>

#include "triples.h"

#define DIGIT_BITS 11
#define N_DIGITS   3          /* in a word of 32 bits */
#define N_BUCKETS  (1 << DIGIT_BITS)

/* Shorter lists are sorted by insertion. */
#define SHORT 48

#define ITEMS_TO_A_LOOK (1 << 20)


/* Makes room for @least items. */
gboolean
wf_triples_grow (WfTriples  *triples,
                 gint64      least,
                 GError    **error)
{
  gint64    capacity = MAX (least, triples->n + triples->n / 2 + 64);
  WfTriple *items;

  if (least <= triples->capacity)
    return TRUE;
  items = wf_allocate (capacity, sizeof (WfTriple), error);
  if (! items)
    return FALSE;
  if (triples->n > 0)
    memcpy (items, triples->items, triples->n * sizeof (WfTriple));
  g_free (triples->items);
  triples->items    = items;
  triples->capacity = capacity;
  return TRUE;
}

static inline gboolean
is_before (const WfTriple *a,
           const WfTriple *b,
           int             least_word)
{
  for (int word = 2; word > least_word; word--)
    if (a->word[word] != b->word[word])
      return a->word[word] < b->word[word];
  return a->word[least_word] < b->word[least_word];
}

static void
sort_short (WfTriple *items,
            gint64    n,
            int       least_word)
{
  for (gint64 i = 1; i < n; i++)
    {
      WfTriple item = items[i];
      gint64   k    = i;

      for (; k > 0 && is_before (&item, &items[k - 1], least_word); k--)
        items[k] = items[k - 1];
      items[k] = item;
    }
}

static inline guint32
digit_of (const WfTriple *item,
          int             word,
          int             digit)
{
  return item->word[word] >> digit * DIGIT_BITS & (N_BUCKETS - 1);
}

static void
count_digits (const WfTriple *items,
              gint64          n,
              int             word,
              gint64          counts[N_DIGITS][N_BUCKETS])
{
  memset (counts, 0, sizeof (gint64) * N_DIGITS * N_BUCKETS);
  for (gint64 i = 0; i < n; i++)
    for (int digit = 0; digit < N_DIGITS; digit++)
      counts[digit][digit_of (&items[i], word, digit)]++;
}

/* Moves the items to @to in the order of one digit; stable. */
static gboolean
distribute (const WfTriple *items,
            WfTriple       *to,
            gint64          n,
            int             word,
            int             digit,
            gint64         *counts,
            WfRun          *run,
            GError        **error)
{
  gint64 place = 0;

  for (int i = 0; i < N_BUCKETS; i++)
    {
      gint64 here = counts[i];

      counts[i] = place;
      place += here;
    }
  for (gint64 i = 0; i < n; i++)
    {
      if ((i + 1) % ITEMS_TO_A_LOOK == 0 && ! wf_run_advance (run, 0))
        return wf_run_set_cancelled (error);
      to[counts[digit_of (&items[i], word, digit)]++] = items[i];
    }
  return TRUE;
}

/* Sorts the items from number @first on by their words from @least_word on; stable.
 * @scratch grows as needed.
 */
gboolean
wf_triples_sort (WfTriples  *triples,
                 gint64      first,
                 int         least_word,
                 WfTriples  *scratch,
                 WfRun      *run,
                 GError    **error)
{
  gint64    n    = triples->n - first;
  WfTriple *from;
  WfTriple *to;
  gint64    counts[N_DIGITS][N_BUCKETS];

  /* from would not point to an item */
  if (n == 0)
    return TRUE;
  from = triples->items + first;
  if (n <= SHORT)
    {
      sort_short (from, n, least_word);
      return TRUE;
    }
  if (! wf_triples_grow (scratch, n, error))
    return FALSE;
  to = scratch->items;
  for (int word = least_word; word <= 2; word++)
    {
      if (! wf_run_advance (run, 0))
        return wf_run_set_cancelled (error);
      count_digits (from, n, word, counts);
      for (int digit = 0; digit < N_DIGITS; digit++)
        {
          WfTriple *swapped = from;

          if (counts[digit][digit_of (from, word, digit)] == n)
            continue;
          if (! distribute (from, to, n, word, digit, counts[digit], run, error))
            return FALSE;
          from = to;
          to   = swapped;
        }
    }
  if (from != triples->items + first)
    memcpy (triples->items + first, from, n * sizeof (WfTriple));
  return TRUE;
}

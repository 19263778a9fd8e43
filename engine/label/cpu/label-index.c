/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A hash table with linear probing, of which at most two thirds are used: 4 to 8 bytes for each
 * label, and 6 to 12 for its slots.
 */

#include "config.h"

#include "label-index.h"

#define LEAST_SLOTS ((gint64) 1 << 12)


static gint64
most_used (gint64 n_slots)
{
  return n_slots / 3 * 2;
}

/* Twice as many slots; FALSE if there is not enough memory, then all is as it was. */
static gboolean
grow (WfLabelIndex *index)
{
  const gint64  n_slots = MAX (2 * index->n_slots, LEAST_SLOTS);
  guint32      *labels  = g_try_realloc_n (index->labels, most_used (n_slots), sizeof *labels);
  guint32      *slots   = NULL;

  if (labels)
    {
      index->labels = labels;
      slots         = g_try_malloc_n (n_slots, sizeof *slots);
    }
  if (! slots)
    return FALSE;
  for (gint64 i = 0; i < n_slots; i++)
    slots[i] = WF_NO_NUMBER;
  g_free (index->slots);
  index->slots   = slots;
  index->n_slots = n_slots;
  for (gint64 i = 0; i < index->n; i++)
    slots[wf_label_index_slot (index, labels[i])] = (guint32) i;
  return TRUE;
}

/* Bytes that a table of @n labels takes, while it grows last. */
guint64
wf_label_index_memory (gint64 n)
{
  gint64 n_slots = LEAST_SLOTS;

  while (most_used (n_slots) < n)
    n_slots *= 2;
  return (guint64) (most_used (n_slots) + n_slots + n_slots / 2) * sizeof (guint32);
}

/* The number of a label, a new one if it has none; -1 if there is not enough memory. */
gint64
wf_label_index_add (WfLabelIndex *index,
                    guint32       label)
{
  gint64 slot;

  if (index->n >= most_used (index->n_slots) && ! grow (index))
    return -1;
  slot = wf_label_index_slot (index, label);
  if (index->slots[slot] == WF_NO_NUMBER)
    {
      index->labels[index->n] = label;
      index->slots[slot]      = (guint32) index->n++;
    }
  return index->slots[slot];
}

void
wf_label_index_clear (WfLabelIndex *index)
{
  g_free (index->labels);
  g_free (index->slots);
  *index = (WfLabelIndex) { NULL };
}

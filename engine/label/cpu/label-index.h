/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers 0, 1, 2 … of labels in the order in which they are first met. */

#pragma once

#include <glib.h>

/**
 * WfLabelIndex:
 * @labels: the label of each number
 * @n: how many labels have a number
 * @slots: the numbers by the hash of their labels; G_MAXUINT32 where there is none
 * @n_slots: a power of two, more than @n
 *
 * A hash table of labels, any but 0.  All 0 is an empty one.
 */
typedef struct
{
  guint32 *labels;
  gint64   n;
  guint32 *slots;
  gint64   n_slots;
} WfLabelIndex;

#define WF_NO_NUMBER G_MAXUINT32

/* Every bit of a label changes the slot: the finalizer of MurmurHash3 by Austin Appleby. */
static inline gint64
wf_label_index_first_slot (const WfLabelIndex *index,
                           guint32             label)
{
  label ^= label >> 16;
  label *= 0x85ebca6b;
  label ^= label >> 13;
  label *= 0xc2b2ae35;
  label ^= label >> 16;
  return label & (index->n_slots - 1);
}

/* The slot of a label, or the free one that it would take.  There are slots. */
static inline gint64
wf_label_index_slot (const WfLabelIndex *index,
                     guint32             label)
{
  gint64 slot = wf_label_index_first_slot (index, label);

  while (index->slots[slot] != WF_NO_NUMBER && index->labels[index->slots[slot]] != label)
    slot = (slot + 1) & (index->n_slots - 1);
  return slot;
}

/* The number of a label that has one. */
static inline guint32
wf_label_index_find (const WfLabelIndex *index,
                     guint32             label)
{
  return index->slots[wf_label_index_slot (index, label)];
}

guint64 wf_label_index_memory (gint64        n);
gint64  wf_label_index_add    (WfLabelIndex *index,
                               guint32       label);
void    wf_label_index_clear  (WfLabelIndex *index);

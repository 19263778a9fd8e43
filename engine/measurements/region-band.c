/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The labels in a band of a scan, each with its sums: a list that grows, and a hash table with open
 * addressing that finds the place of a label in it.
 */

#include "config.h"

#include <string.h>

#include "region-scan-private.h"


/* The table may have more than 2^32 slots. */
static inline guint64
hash (const WfRegionBand *band,
      guint32             label)
{
  return ((guint64) (guint32) (label * 2654435769u) << band->n_slot_bits) >> 32;
}

static void
enter (WfRegionBand *band,
       guint32       label,
       guint32       index)
{
  const guint64 mask = ((guint64) 1 << band->n_slot_bits) - 1;
  guint64       slot = hash (band, label);

  while (band->slots[slot] != 0)
    slot = (slot + 1) & mask;
  band->slots[slot] = index + 1;
}

/* Returns: the index of @label in @band, or %WF_REGION_NONE */
guint32
wf_region_band_find (const WfRegionBand *band,
                     guint32             label)
{
  const guint64 mask = ((guint64) 1 << band->n_slot_bits) - 1;

  if (! band->slots)
    return WF_REGION_NONE;
  for (guint64 slot = hash (band, label); band->slots[slot] != 0; slot = (slot + 1) & mask)
    if (band->sums[band->slots[slot] - 1].label == label)
      return band->slots[slot] - 1;
  return WF_REGION_NONE;
}

static gpointer
grow (gpointer   old,
      gint64     n,
      gint64     capacity,
      gsize      size,
      GError   **error)
{
  gpointer grown = wf_allocate (capacity, size, error);

  if (grown && n > 0)
    memcpy (grown, old, n * size);
  if (grown)
    g_free (old);
  return grown;
}

#define GROW(field, size) \
  { \
    gpointer grown = grow (band->field, band->n, capacity, size, error); \
\
    if (! grown) \
      return FALSE; \
    band->field = grown; \
  }

/* Makes room for twice as many labels. */
static gboolean
grow_band (const WfRegionScan  *scan,
           WfRegionBand        *band,
           GError             **error)
{
  const gint64  capacity = MAX (32, 2 * band->capacity);
  guint32      *slots;

  GROW (sums, sizeof (WfRegionSums))
  if (scan->parts & (WF_SCAN_SHAPE | WF_SCAN_MOMENTS))
    GROW (shapes, sizeof (WfRegionShape))
  if (scan->image)
    GROW (levels, scan->layout.size)
  if (scan->parts & WF_SCAN_HULL)
    GROW (chains, sizeof (WfChains))
  slots = wf_allocate (2 * capacity, sizeof *slots, error);
  if (! slots)
    return FALSE;

  g_free (band->slots);
  memset (slots, 0, 2 * capacity * sizeof *slots);
  band->slots       = slots;
  band->capacity    = capacity;
  band->n_slot_bits = (int) g_bit_storage (2 * (gsize) capacity) - 1;
  for (gint64 i = 0; i < band->n; i++)
    enter (band, band->sums[i].label, (guint32) i);
  return TRUE;
}

/* Adds a label that is not in @band, without pixels; @index: (out): its place. */
gboolean
wf_region_band_add (const WfRegionScan  *scan,
                    WfRegionBand        *band,
                    guint32              label,
                    guint32             *index,
                    GError             **error)
{
  WfRegionSums *sums;

  if (band->n == band->capacity && ! grow_band (scan, band, error))
    return FALSE;
  *index = (guint32) band->n++;
  sums   = &band->sums[*index];
  *sums  = (WfRegionSums) { .label = label,
                            .first = { G_MAXINT32, G_MAXINT32, G_MAXINT32 },
                            .last  = { -1, -1, -1 } };
  if (band->shapes)
    band->shapes[*index] = (WfRegionShape) { 0 };
  if (scan->image)
    wf_level_sums_init (&scan->layout, wf_region_band_levels (scan, band, *index));
  if (scan->parts & WF_SCAN_HULL)
    band->chains[*index] = (WfChains) WF_CHAINS_NONE;
  enter (band, label, *index);
  return TRUE;
}

void
wf_region_band_clear (WfRegionBand *band)
{
  g_free (band->sums);
  g_free (band->shapes);
  g_free (band->levels);
  g_free (band->chains);
  wf_chain_nodes_clear (&band->nodes);
  g_free (band->slots);
  wf_triples_clear (&band->pairs);
  g_free (band->recent);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scan of regions, shared by its files: region-scan.c, region-band.c, region-neighbors.c. */

#pragma once

#include "region-scan.h"

/**
 * WfRegionBand:
 * @first: its first row, through all slices
 * @end: the one after its last
 * @n: labels in it
 * @sums: of each
 * @shapes: of each, if they are wanted
 * @levels: of each, as the layout has it
 * @chains: of each
 * @nodes: of the chains
 * @slots: a hash table: the index of a label and 1, or 0
 * @n_slot_bits: of its size
 * @pairs: neighbors: unused, lesser, greater; equal ones may be in it
 * @most_pairs: when equal ones are removed
 * @recent: some pairs that are in it, by hash
 */
struct _WfRegionBand
{
  gint64         first;
  gint64         end;
  gint64         n;
  gint64         capacity;
  WfRegionSums  *sums;
  WfRegionShape *shapes;
  char          *levels;
  WfChains      *chains;
  WfChainNodes   nodes;
  guint32       *slots;
  int            n_slot_bits;
  WfTriples      pairs;
  gint64         most_pairs;
  guint64       *recent;
};

/* The runs of some row. */
typedef struct
{
  WfRegionRun *runs;
  gint64       n;
} WfRegionRow;

/**
 * WfRegionVisit:
 * @number: of the band
 * @rows: the row that is looked at, and the two above it in its slice
 * @other: another row
 * @visit: of a further pass, or %NULL
 * @unseen: pixels and runs since the last check for cancellation
 *
 * A thread's work on a band.
 */
typedef struct
{
  const WfRegionScan *scan;
  WfRegionBand       *band;
  guint               number;
  WfRegionRow                 rows[3];
  WfRegionRow                 other;
  WfRegionRunFunc     visit;
  gpointer            data;
  gint64              unseen;
} WfRegionVisit;

static inline WfLevelSums *
wf_region_band_levels (const WfRegionScan *scan,
                       const WfRegionBand *band,
                       gint64              index)
{
  return (WfLevelSums *) (band->levels + index * scan->layout.size);
}

guint32  wf_region_band_find      (const WfRegionBand  *band,
                                   guint32              label);
gboolean wf_region_band_add       (const WfRegionScan  *scan,
                                   WfRegionBand        *band,
                                   guint32              label,
                                   guint32             *index,
                                   GError             **error);
void     wf_region_band_clear     (WfRegionBand        *band);

void     wf_region_find_runs      (const WfImage       *image,
                                   gint64               number,
                                   WfRegionRow         *row);
gboolean wf_region_visit_advance  (WfRegionVisit       *visit,
                                   gint64               amount,
                                   gint64               pixels,
                                   GError             **error);

gboolean wf_region_neighbors_start (WfRegionVisit      *visit,
                                   GError             **error);
gboolean wf_region_neighbors_note (WfRegionVisit       *visit,
                                   gint64               number,
                                   GError             **error);
gboolean wf_region_neighbors_gather
                                  (WfRegionScan        *scan,
                                   GError             **error);

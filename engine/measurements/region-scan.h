/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one pass over the runs of a label image finds out about each region (region-scan.c), and
 * what further passes need of it.
 */

#pragma once

#include "engine/core/tasks.h"
#include "engine/cpu/triples.h"
#include "level-sums.h"
#include "region-hull.h"

/* No label of a band. */
#define WF_REGION_NONE G_MAXUINT32

/**
 * WfRegionRun:
 * @from: its first column
 * @to: the one after its last
 * @label: of its pixels, not 0
 * @index: of the label in its band, or %WF_REGION_NONE
 */
typedef struct
{
  gint64  from;
  gint64  to;
  guint32 label;
  guint32 index;
} WfRegionRun;

/**
 * WfRegionSums:
 * @label: the label
 * @area: pixels
 * @first: least column, row and slice
 * @last: greatest column, row and slice
 * @coordinates: sums of columns, rows and slices
 *
 * All of it is whole numbers, so the sums over two parts of an image are those of both.
 */
typedef struct
{
  guint32 label;
  gint32  first[3];
  gint32  last[3];
  guint64 area;
  guint64 coordinates[3];
} WfRegionSums;

/**
 * WfRegionShape:
 * @squares: sums of squared columns, of columns times rows, of squared rows
 * @n_runs: runs of its pixels in rows
 * @n_joints: pairs of runs in neighboring rows that touch, by the connectivity
 * @n_below: pairs of its pixels one below the other
 * @n_diagonal: pairs of its pixels that touch at a corner
 *
 * More of them, only where it is wanted.
 */
typedef struct
{
  unsigned __int128 squares[3];
  gint64            n_runs;
  gint64            n_joints;
  gint64            n_below;
  gint64            n_diagonal;
} WfRegionShape;

typedef struct _WfRegionBand WfRegionBand;

/**
 * WfRegionScan:
 * @run: threads and cancelling
 * @labels: u32
 * @image: (nullable): u8, u16 or f32, size of @labels
 * @parts: a #WfScanParts
 * @connectivity: resolved
 * @totals: (nullable): of a device that has scanned the image; else the scan has bands
 * @n_regions: result: how many there are
 * @region_starts: result: for each region in the order of their labels, and one more, the first
 *   of its entries
 * @entries: result: for each region and band that has its pixels: index, band, label
 * @neighbors: result: each pair of neighboring labels once: unused, lesser, greater
 * @bands: rows that are scanned together
 * @n_bands: how many
 */
typedef struct
{
  WfRun         *run;
  const WfImage *labels;
  const WfImage *image;
  guint          parts;
  int            connectivity;
  const WfRegionTotals *totals;
  gint64         n_regions;
  gint64        *region_starts;
  WfTriples      entries;
  WfTriples      neighbors;
  /*< private >*/
  WfLevelLayout  layout;
  WfRegionBand  *bands;
  guint          n_bands;
} WfRegionScan;

/* What a further pass does with each run of a band; @index is known. */
typedef gboolean (* WfRegionRunFunc) (gpointer            data,
                                      guint               band,
                                      gint64              row,
                                      const WfRegionRun  *run,
                                      GError            **error);

guint64  wf_region_scan_memory (const WfImage       *labels,
                                guint                n_threads);
gboolean wf_region_scan        (WfRegionScan        *scan,
                                double               share,
                                GError             **error);
void     wf_region_scan_take   (WfRegionScan         *scan,
                                const WfRegionTotals *totals);
gboolean wf_region_scan_again  (WfRegionScan        *scan,
                                double               share,
                                WfRegionRunFunc      visit,
                                gpointer             data,
                                GError             **error);
guint32  wf_region_scan_count  (const WfRegionScan  *scan,
                                guint                band);
void     wf_region_scan_merge  (const WfRegionScan  *scan,
                                gint64               region,
                                WfRegionSums        *sums,
                                WfRegionShape       *shape,
                                WfLevelSums         *levels);
gboolean wf_region_scan_hull   (const WfRegionScan  *scan,
                                gint64               region,
                                WfHull              *hull,
                                GError             **error);
guint64  wf_region_scan_area   (const WfRegionScan  *scan,
                                const WfTriple      *entry);
void     wf_region_scan_clear  (WfRegionScan        *scan);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfRegionScan, wf_region_scan_clear)

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass over a label image, by runs: the pixels of one label that are consecutive in a row.
 *
 * The rows are divided into bands, which threads take.  A band has a list of the labels in it,
 * each with its sums; a run takes the place of its label from a run of that label above it, or
 * else from a hash table, so it is seldom searched for.  All sums are without rounding, so those
 * of the bands can be added in any order, and the result does not depend on the division.
 *
 * What the pixels of a region have in common with the row above follows from the overlaps of runs:
 * pairs of pixels one below the other or at a corner, and pairs of runs that touch.  The Euler
 * number is that of runs less that of pairs of runs in neighboring rows that touch: two rows
 * together enclose no hole, so this holds for two, and each further row adds its runs and takes
 * away its joints.
 *
 * Neighbors are regions that touch, or between which one unlabelled pixel lies along a row, a
 * column or the slices, as on lines of a watershed.
 *
 * The labels are read once, 4 bytes a pixel, and the levels once.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "region-scan-private.h"

/* Bands for each thread, so that all end at about the same time. */
#define BANDS_FOR_EACH 8

/* Pixels, or runs, between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 14)

/* Pixels that are compared at once. */
#define STEP 16

/* How a run meets the row above it. */
typedef struct
{
  gint64 joints;
  gint64 below;
  gint64 diagonal;
} Contact;


/* Counts @amount of work; with @pixels that are finished it also reports progress.  Returns
 * %FALSE with @error set once the run is cancelled.
 */
gboolean
wf_region_visit_advance (WfRegionVisit  *visit,
                         gint64          amount,
                         gint64          pixels,
                         GError        **error)
{
  visit->unseen += amount;
  if (visit->unseen < WORTH_A_LOOK && pixels == 0)
    return TRUE;
  visit->unseen = 0;
  return wf_run_advance (visit->scan->run, pixels) || wf_run_set_cancelled (error);
}


/*  Runs of a row  */

static inline gint64
find_end (const guint32 *labels,
          gint64         x,
          gint64         width,
          guint32        label)
{
  for (; x + STEP <= width; x += STEP)
    {
      guint32 different = 0;

      for (int i = 0; i < STEP; i++)
        different |= labels[x + i] ^ label;
      if (different != 0)
        break;
    }
  while (x < width && labels[x] == label)
    x++;
  return x;
}

/* Finds the runs of labels in row @number of @image. */
void
wf_region_find_runs (const WfImage *image,
                     gint64         number,
                     WfRegionRow   *row)
{
  const guint32 *labels = wf_image_row (image, number);
  gint64         after;

  row->n = 0;
  for (gint64 x = 0; x < image->width; x = after)
    {
      after = find_end (labels, x + 1, image->width, labels[x]);
      if (labels[x] != 0)
        row->runs[row->n++] = (WfRegionRun) { x, after, labels[x], WF_REGION_NONE };
    }
}

/* Makes row @number that which is looked at; the two above it are kept. */
static void
take_row (WfRegionVisit *visit,
          gint64         number)
{
  const WfImage     *labels = visit->scan->labels;
  const gint64       y      = number % labels->height;
  const WfRegionRow  oldest = visit->rows[2];

  if (number == visit->band->first)
    for (int above = 1; above <= 2; above++)
      if (y >= above)
        wf_region_find_runs (labels, number - above, &visit->rows[above - 1]);
  visit->rows[2] = visit->rows[1];
  visit->rows[1] = visit->rows[0];
  visit->rows[0] = oldest;
  for (int above = 1; above <= 2; above++)
    if (y < above)
      visit->rows[above].n = 0;
  wf_region_find_runs (labels, number, &visit->rows[0]);
}


/*  Sums  */

static inline gint64
overlap (const WfRegionRun *a,
         const WfRegionRun *b,
         gint64             shift)
{
  return MAX (0, MIN (a->to, b->to + shift) - MAX (a->from, b->from + shift));
}

/* Goes through the runs above that touch @run, also at a corner: what it has in common with those
 * of its label, and its index, if one of them knows it.  @first: the first that may touch it
 */
static Contact
meet_row_above (const WfRegionVisit *visit,
                WfRegionRun         *run,
                gint64              *first)
{
  const WfRegionRow *above   = &visit->rows[1];
  const gboolean     corners = visit->scan->connectivity == 8;
  Contact            contact = { 0 };

  while (*first < above->n && above->runs[*first].to < run->from)
    ++*first;
  for (gint64 k = *first; k < above->n && above->runs[k].from <= run->to; k++)
    {
      const WfRegionRun *it    = &above->runs[k];
      gint64             below;

      if (it->label != run->label)
        continue;
      if (it->index != WF_REGION_NONE)
        run->index = it->index;
      below             = overlap (it, run, 0);
      contact.joints   += corners || below > 0;
      contact.below    += below;
      contact.diagonal += overlap (it, run, -1) + overlap (it, run, 1);
    }
  return contact;
}

/* The sum of the squares from 0² to (n − 1)². */
static inline unsigned __int128
sum_squares (guint64 n)
{
  if (n < 1 << 20)
    return (n - 1) * n * (2 * n - 1) / 6;
  return (unsigned __int128) (n - 1) * n * (2 * n - 1) / 6;
}

static void
add_moments (WfRegionShape     *shape,
             const WfRegionRun *run,
             gint64             y,
             guint64            columns)
{
  const guint64 n = run->to - run->from;

  shape->squares[0] += (unsigned __int128) run->from * run->from * n +
                      (unsigned __int128) run->from * n * (n - 1) + sum_squares (n);
  shape->squares[1] += (unsigned __int128) columns * y;
  shape->squares[2] += (unsigned __int128) y * y * n;
}

/* @columns: the sum of the run's columns: less than 2^60 */
static void
add_coordinates (WfRegionSums      *sums,
                 const WfRegionRun *run,
                 gint64             y,
                 gint64             z,
                 guint64            columns)
{
  const guint64 n       = run->to - run->from;
  const gint32  from[3] = { (gint32) run->from, (gint32) y, (gint32) z };
  const gint32  to[3]   = { (gint32) run->to - 1, (gint32) y, (gint32) z };

  sums->area           += n;
  sums->coordinates[0] += columns;
  sums->coordinates[1] += n * y;
  sums->coordinates[2] += n * z;
  for (int axis = 0; axis < 3; axis++)
    {
      sums->first[axis] = MIN (sums->first[axis], from[axis]);
      sums->last[axis]  = MAX (sums->last[axis], to[axis]);
    }
}

static void
add_contact (WfRegionShape *shape,
             const Contact *contact)
{
  shape->n_runs++;
  shape->n_joints   += contact->joints;
  shape->n_below    += contact->below;
  shape->n_diagonal += contact->diagonal;
}

static gboolean
add_run (WfRegionVisit      *visit,
         const WfRegionRun  *run,
         const Contact      *contact,
         gint64              number,
         GError            **error)
{
  const WfRegionScan *scan    = visit->scan;
  WfRegionBand       *band    = visit->band;
  WfRegionSums       *sums    = &band->sums[run->index];
  const gint64        y       = number % scan->labels->height;
  const gint64        z       = number / scan->labels->height;
  const guint64       n       = run->to - run->from;
  const guint64       columns = n * (run->from + run->to - 1) / 2;

  add_coordinates (sums, run, y, z, columns);
  if (scan->parts & WF_SCAN_SHAPE)
    add_contact (&band->shapes[run->index], contact);
  if (scan->parts & WF_SCAN_MOMENTS)
    add_moments (&band->shapes[run->index], run, y, columns);
  if (scan->image)
    wf_level_sums_add (&scan->layout, wf_region_band_levels (scan, band, run->index),
                       wf_image_row (scan->image, number), run->from, run->to, y, z);
  return ! (scan->parts & WF_SCAN_HULL) ||
         wf_chains_add_run (&band->chains[run->index], &band->nodes, y, run->from, run->to,
                            error);
}

/* A run is worth a look of its own where each pixel may be one. */
static gboolean
scan_row (WfRegionVisit  *visit,
          gint64          number,
          GError        **error)
{
  WfRegionRow *row   = &visit->rows[0];
  gint64       first = 0;

  take_row (visit, number);
  for (gint64 i = 0; i < row->n; i++)
    {
      WfRegionRun   *run     = &row->runs[i];
      const Contact  contact = meet_row_above (visit, run, &first);

      if (run->index == WF_REGION_NONE)
        run->index = wf_region_band_find (visit->band, run->label);
      if (run->index == WF_REGION_NONE &&
          ! wf_region_band_add (visit->scan, visit->band, run->label, &run->index, error))
        return FALSE;
      if (! wf_region_visit_advance (visit, visit->scan->image ? run->to - run->from : 1, 0,
                                     error) ||
          (visit->visit ? ! visit->visit (visit->data, visit->number, number, run, error)
                        : ! add_run (visit, run, &contact, number, error)))
        return FALSE;
    }
  return visit->visit || ! (visit->scan->parts & WF_SCAN_NEIGHBORS) ||
         wf_region_neighbors_note (visit, number, error);
}


/*  Bands  */

static gboolean
finish_band (WfRegionVisit  *visit,
             GError        **error)
{
  WfRegionBand *band = visit->band;

  for (gint64 i = 0; i < band->n && visit->scan->parts & WF_SCAN_HULL; i++)
    if (! wf_chains_finish (&band->chains[i], &band->nodes, error))
      return FALSE;
  g_clear_pointer (&band->recent, g_free);
  return TRUE;
}

/* Runs that a thread has room for: those of its row, of the two above, and of another. */
#define ROWS_OF_RUNS 4

/* Returns: bytes that the scan takes beside those for each region */
guint64
wf_region_scan_memory (const WfImage *labels,
                       guint          n_threads)
{
  return (guint64) n_threads * ROWS_OF_RUNS * labels->width * sizeof (WfRegionRun);
}

typedef struct
{
  WfRegionScan    *scan;
  WfRegionRunFunc  visit;
  gpointer         data;
} Pass;

static gboolean
scan_band (gpointer data,
           WfRow    row)
{
  const Pass             *pass  = data;
  const WfRegionScan     *scan  = pass->scan;
  const gint64            width = scan->labels->width;
  g_autofree WfRegionRun *runs  = wf_allocate (ROWS_OF_RUNS * width, sizeof *runs, row.error);
  WfRegionVisit           visit = { .scan   = scan,
                                    .band   = &scan->bands[row.number],
                                    .number = (guint) row.number,
                                    .visit  = pass->visit,
                                    .data   = pass->data };

  if (! runs)
    return FALSE;
  for (int i = 0; i < 3; i++)
    visit.rows[i].runs = runs + i * width;
  visit.other.runs = runs + 3 * width;
  if (! visit.visit && scan->parts & WF_SCAN_NEIGHBORS &&
      ! wf_region_neighbors_start (&visit, row.error))
    return FALSE;
  for (gint64 number = visit.band->first; number < visit.band->end; number++)
    if (! scan_row (&visit, number, row.error) ||
        ! wf_region_visit_advance (&visit, 0, width, row.error))
      return FALSE;
  return pass->visit || finish_band (&visit, row.error);
}

static gboolean
visit_bands (Pass    *pass,
             double   share,
             GError **error)
{
  const WfRegionScan *scan = pass->scan;
  const gint64        n    = wf_image_n_pixels (scan->labels);
  const WfRows        rows = { .n = scan->n_bands, .chunk = 1, .amount = n / scan->n_bands };

  wf_run_begin (scan->run, share, 2 * n);
  return wf_run_rows (scan->run, &rows, scan_band, pass, error);
}

static gboolean
make_bands (WfRegionScan  *scan,
            GError       **error)
{
  const gint64 n_rows = scan->labels->height * scan->labels->depth;
  const gint64 n      = scan->run->n_threads > 1 ? scan->run->n_threads * BANDS_FOR_EACH : 1;

  scan->n_bands = (guint) MIN (n, n_rows);
  scan->bands   = wf_allocate (scan->n_bands, sizeof *scan->bands, error);
  if (! scan->bands)
    return FALSE;
  for (guint i = 0; i < scan->n_bands; i++)
    scan->bands[i] = (WfRegionBand) { .first = n_rows * i / scan->n_bands,
                                      .end   = n_rows * (i + 1) / scan->n_bands,
                                      .nodes = WF_CHAIN_NODES_NONE };
  return TRUE;
}

/* What is kept of the levels. */
static void
choose_layout (WfRegionScan *scan)
{
  if (scan->image)
    wf_level_layout_init (&scan->layout, scan->image->type, (scan->parts & WF_SCAN_SUMS) != 0,
                          (scan->parts & WF_SCAN_SQUARES) != 0,
                          ! (scan->parts & WF_SCAN_WEIGHTS) ? 0
                          : scan->labels->depth > 1 ? 3 : 2);
}

/* Lists the parts of each region. */
static gboolean
gather_entries (WfRegionScan  *scan,
                GError       **error)
{
  WfTriples          *entries = &scan->entries;
  g_auto (WfTriples)  scratch = { 0 };

  for (guint band = 0; band < scan->n_bands; band++)
    {
      const WfRegionBand *it = &scan->bands[band];

      if (! wf_triples_grow (entries, entries->n + it->n, error))
        return FALSE;
      for (gint64 i = 0; i < it->n; i++)
        entries->items[entries->n++] = (WfTriple) { { (guint32) i, band, it->sums[i].label } };
    }
  if (! wf_triples_sort (entries, 0, 2, &scratch, scan->run, error))
    return FALSE;

  scan->region_starts = wf_allocate (entries->n + 1, sizeof *scan->region_starts, error);
  if (! scan->region_starts)
    return FALSE;
  for (gint64 i = 0; i < entries->n; i++)
    if (i == 0 || entries->items[i].word[2] != entries->items[i - 1].word[2])
      scan->region_starts[scan->n_regions++] = i;
  scan->region_starts[scan->n_regions] = entries->n;
  return TRUE;
}

/**
 * wf_region_scan:
 * @scan: labels, image, parts, connectivity and run are set, all else is 0; to be cleared whatever
 *   the result
 * @share: of the run's progress
 * @error: %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Finds all regions, and their sums.
 *
 * Returns: success
 */
gboolean
wf_region_scan (WfRegionScan  *scan,
                double         share,
                GError       **error)
{
  Pass pass = { .scan = scan };

  choose_layout (scan);
  return make_bands (scan, error) &&
         visit_bands (&pass, share, error) &&
         gather_entries (scan, error) &&
         wf_region_neighbors_gather (scan, error);
}

/**
 * wf_region_scan_take:
 * @scan: as for wf_region_scan()
 * @totals: of all parts of the scan; stay the caller's, until the scan is cleared
 *
 * Takes what a device has found out instead: sums and shapes, no hulls, neighbors or runs.
 */
void
wf_region_scan_take (WfRegionScan         *scan,
                     const WfRegionTotals *totals)
{
  choose_layout (scan);
  scan->totals    = totals;
  scan->n_regions = totals->n;
}

/**
 * wf_region_scan_again:
 * @scan: finished
 * @share: of the run's progress
 * @visit: called for each run, of a band by one thread and in order
 * @data: for @visit
 * @error: those of @visit, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Goes over all runs once more.
 *
 * Returns: success
 */
gboolean
wf_region_scan_again (WfRegionScan     *scan,
                      double            share,
                      WfRegionRunFunc   visit,
                      gpointer          data,
                      GError          **error)
{
  Pass pass = { scan, visit, data };

  return visit_bands (&pass, share, error);
}


/*  Regions  */

/* Returns: how many labels the band has */
guint32
wf_region_scan_count (const WfRegionScan *scan,
                      guint               band)
{
  return (guint32) scan->bands[band].n;
}

/* Returns: how many pixels of the region lie in the band of @entry */
guint64
wf_region_scan_area (const WfRegionScan *scan,
                     const WfTriple     *entry)
{
  return scan->bands[entry->word[1]].sums[entry->word[0]].area;
}

static void
merge_sums (WfRegionSums       *sums,
            const WfRegionSums *other)
{
  sums->area += other->area;
  for (int axis = 0; axis < 3; axis++)
    {
      sums->first[axis]        = MIN (sums->first[axis], other->first[axis]);
      sums->last[axis]         = MAX (sums->last[axis], other->last[axis]);
      sums->coordinates[axis] += other->coordinates[axis];
    }
}

static void
merge_shapes (WfRegionShape       *shape,
              const WfRegionShape *other)
{
  for (int i = 0; i < 3; i++)
    shape->squares[i] += other->squares[i];
  shape->n_runs     += other->n_runs;
  shape->n_joints   += other->n_joints;
  shape->n_below    += other->n_below;
  shape->n_diagonal += other->n_diagonal;
}

static inline guint64
get_total (const WfRegionScan *scan,
           gint64              region,
           WfRegionTotal       total)
{
  const guint64 *of = scan->totals->totals[total];

  return of ? of[region] : 0;
}

static inline gint32
get_limit (const WfRegionScan *scan,
           gint64              region,
           WfRegionLimit       limit)
{
  const guint32 *of = scan->totals->limits[limit];

  return of ? (gint32) of[region] : 0;
}

static void
take_shape (const WfRegionScan *scan,
            gint64              region,
            WfRegionShape      *shape)
{
  for (int i = 0; i < 3; i++)
    shape->squares[i] = get_total (scan, region, (WfRegionTotal) (WF_TOTAL_XX + i));
  shape->n_runs     = (gint64) get_total (scan, region, WF_TOTAL_RUNS);
  shape->n_joints   = (gint64) get_total (scan, region, WF_TOTAL_JOINTS);
  shape->n_below    = (gint64) get_total (scan, region, WF_TOTAL_BELOW);
  shape->n_diagonal = (gint64) get_total (scan, region, WF_TOTAL_DIAGONAL);
}

static void
take_levels (const WfRegionScan *scan,
             gint64              region,
             WfLevelSums        *levels)
{
  wf_level_sums_init (&scan->layout, levels);
  levels->least    = get_limit (scan, region, WF_LIMIT_LEAST);
  levels->greatest = get_limit (scan, region, WF_LIMIT_GREATEST);
  levels->sum      = get_total (scan, region, WF_TOTAL_LEVELS);
  if (scan->layout.squares)
    levels->squares = get_total (scan, region, WF_TOTAL_SQUARES);
  for (int axis = 0; axis < scan->layout.weights; axis++)
    levels->weights[axis] = get_total (scan, region, (WfRegionTotal) (WF_TOTAL_LEVELS_X + axis));
}

/* The same as wf_region_scan_merge(), of what a device has found out. */
static void
take_totals (const WfRegionScan *scan,
             gint64              region,
             WfRegionSums       *sums,
             WfRegionShape      *shape,
             WfLevelSums        *levels)
{
  sums->label = scan->totals->labels[region];
  sums->area  = get_total (scan, region, WF_TOTAL_AREA);
  for (int axis = 0; axis < 3; axis++)
    {
      sums->first[axis]       = get_limit (scan, region, (WfRegionLimit) (WF_LIMIT_FIRST_X + axis));
      sums->last[axis]        = get_limit (scan, region, (WfRegionLimit) (WF_LIMIT_LAST_X + axis));
      sums->coordinates[axis] = get_total (scan, region, (WfRegionTotal) (WF_TOTAL_X + axis));
    }
  if (shape)
    take_shape (scan, region, shape);
  if (levels)
    take_levels (scan, region, levels);
}

/**
 * wf_region_scan_merge:
 * @scan: finished
 * @region: in the order of their labels
 * @sums: filled
 * @shape: (nullable): filled, with %WF_SCAN_SHAPE or %WF_SCAN_MOMENTS
 * @levels: (nullable): filled, if there is an image
 *
 * Adds the parts of a region.
 */
void
wf_region_scan_merge (const WfRegionScan *scan,
                      gint64              region,
                      WfRegionSums       *sums,
                      WfRegionShape      *shape,
                      WfLevelSums        *levels)
{
  const gint64 start = scan->totals ? 0 : scan->region_starts[region];

  if (scan->totals)
    {
      take_totals (scan, region, sums, shape, levels);
      return;
    }
  for (gint64 i = start; i < scan->region_starts[region + 1]; i++)
    {
      const WfTriple     *entry = &scan->entries.items[i];
      const WfRegionBand *band  = &scan->bands[entry->word[1]];

      if (i == start)
        *sums = band->sums[entry->word[0]];
      else
        merge_sums (sums, &band->sums[entry->word[0]]);
      if (shape && i == start)
        *shape = band->shapes[entry->word[0]];
      else if (shape)
        merge_shapes (shape, &band->shapes[entry->word[0]]);
      if (levels && i == start)
        wf_level_sums_init (&scan->layout, levels);
      if (levels)
        wf_level_sums_merge (&scan->layout, levels,
                             wf_region_band_levels (scan, band, entry->word[0]));
    }
}

/**
 * wf_region_scan_hull:
 * @scan: finished, with %WF_SCAN_HULL
 * @region: in the order of their labels
 * @hull: filled, with memory of the one before
 * @error: %WF_ERROR_MEMORY
 *
 * Joins the parts of a region's hull.
 *
 * Returns: success
 */
gboolean
wf_region_scan_hull (const WfRegionScan  *scan,
                     gint64               region,
                     WfHull              *hull,
                     GError             **error)
{
  hull->n = 0;
  for (int right = 0; right < 2; right++)
    {
      wf_hull_start_side (hull, right);
      for (gint64 i = scan->region_starts[region]; i < scan->region_starts[region + 1]; i++)
        {
          const WfTriple     *entry  = &scan->entries.items[i];
          const WfRegionBand *band   = &scan->bands[entry->word[1]];
          const WfChains     *chains = &band->chains[entry->word[0]];

          if (! wf_hull_add_side (hull, &band->nodes, right ? chains->right : chains->left, error))
            return FALSE;
        }
    }
  return TRUE;
}

void
wf_region_scan_clear (WfRegionScan *scan)
{
  for (guint i = 0; i < scan->n_bands && scan->bands; i++)
    wf_region_band_clear (&scan->bands[i]);
  g_clear_pointer (&scan->bands, g_free);
  g_clear_pointer (&scan->region_starts, g_free);
  wf_triples_clear (&scan->entries);
  wf_triples_clear (&scan->neighbors);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which regions are neighbors: pairs of labels, noted where runs touch or lie one pixel apart, and
 * sorted at the end.  A pair that was noted lately is not noted again, and long lists are sorted in
 * between, so that their length depends on the regions, not on the pixels.
 */

#include "config.h"

#include <string.h>

#include "region-scan-private.h"

/* Pairs that are remembered, and pairs from which on equal ones are removed. */
#define RECENT_BITS 12
#define MANY_PAIRS  (1 << 16)


static gint64
remove_equal (WfTriples *pairs)
{
  gint64 n = 0;

  for (gint64 i = 0; i < pairs->n; i++)
    if (n == 0 || pairs->items[i].word[1] != pairs->items[n - 1].word[1] ||
        pairs->items[i].word[2] != pairs->items[n - 1].word[2])
      pairs->items[n++] = pairs->items[i];
  pairs->n = n;
  return n;
}

static gboolean
sort_pairs (WfTriples  *pairs,
            WfRun      *run,
            GError    **error)
{
  g_auto (WfTriples) scratch = { 0 };

  if (! wf_triples_sort (pairs, 0, 1, &scratch, run, error))
    return FALSE;
  remove_equal (pairs);
  return TRUE;
}

static gboolean
note_pair (WfRegionVisit  *visit,
           guint32         a,
           guint32         b,
           GError        **error)
{
  WfRegionBand  *band = visit->band;
  const guint32  low  = MIN (a, b);
  const guint32  high = MAX (a, b);
  const guint64  key  = (guint64) high << 32 | low;
  guint64       *seen = &band->recent[key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                                      >> (64 - RECENT_BITS)];

  if (*seen == key)
    return TRUE;
  *seen = key;
  if (band->pairs.n >= band->most_pairs)
    {
      if (! sort_pairs (&band->pairs, visit->scan->run, error))
        return FALSE;
      band->most_pairs = MAX (MANY_PAIRS, 2 * band->pairs.n);
    }
  return wf_triples_push (&band->pairs, (WfTriple) { { 0, low, high } }, error);
}

/* Whether a pixel in these columns of a row is unlabelled. */
static gboolean
has_gap (const WfImage *labels,
         gint64         number,
         gint64         from,
         gint64         to)
{
  const guint32 *row = wf_image_row (labels, number);

  for (gint64 x = from; x < to; x++)
    if (row[x] == 0)
      return TRUE;
  return FALSE;
}

/* Notes other labels in @other that touch the row, if @between is negative; else those beyond the
 * row @between.
 */
static gboolean
note_neighbors (WfRegionVisit      *visit,
                const WfRegionRow  *other,
                gint64              between,
                GError            **error)
{
  const WfRegionRow *row   = &visit->rows[0];
  const gint64       reach = between < 0 && (visit->scan->connectivity == 8 ||
                                             visit->scan->connectivity == 26);
  gint64             first = 0;

  for (gint64 i = 0; i < row->n; i++)
    {
      const WfRegionRun *run = &row->runs[i];

      while (first < other->n && other->runs[first].to + reach <= run->from)
        first++;
      for (gint64 k = first; k < other->n && other->runs[k].from < run->to + reach; k++)
        {
          const WfRegionRun *it = &other->runs[k];

          if (it->label != run->label &&
              (between < 0 || has_gap (visit->scan->labels, between, MAX (it->from, run->from),
                                       MIN (it->to, run->to))) &&
              ! note_pair (visit, it->label, run->label, error))
            return FALSE;
        }
      if (! wf_region_visit_advance (visit, 1, 0, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
note_in_row (WfRegionVisit  *visit,
             GError        **error)
{
  const WfRegionRow *row = &visit->rows[0];

  for (gint64 i = 1; i < row->n; i++)
    if (row->runs[i].from - row->runs[i - 1].to <= 1 &&
        row->runs[i].label != row->runs[i - 1].label &&
        ! note_pair (visit, row->runs[i - 1].label, row->runs[i].label, error))
      return FALSE;
  return TRUE;
}

/* Those in the slices above. */
static gboolean
note_in_slices (WfRegionVisit  *visit,
                gint64          number,
                GError        **error)
{
  const WfImage *labels = visit->scan->labels;
  const gint64   y      = number % labels->height;
  const gint64   z      = number / labels->height;
  const gint64   reach  = visit->scan->connectivity == 26;

  for (gint64 other = MAX (0, y - reach); z >= 1 && other <= MIN (labels->height - 1, y + reach);
       other++)
    {
      wf_region_find_runs (labels, (z - 1) * labels->height + other, &visit->other);
      if (! note_neighbors (visit, &visit->other, -1, error))
        return FALSE;
    }
  if (z < 2)
    return TRUE;
  wf_region_find_runs (labels, number - 2 * labels->height, &visit->other);
  return note_neighbors (visit, &visit->other, number - labels->height, error);
}

/* Notes the neighbors of row @number, which is looked at. */
gboolean
wf_region_neighbors_note (WfRegionVisit  *visit,
                          gint64          number,
                          GError        **error)
{
  return note_in_row (visit, error) &&
         note_neighbors (visit, &visit->rows[1], -1, error) &&
         note_neighbors (visit, &visit->rows[2], number - 1, error) &&
         note_in_slices (visit, number, error);
}

/* Before the first row of a band. */
gboolean
wf_region_neighbors_start (WfRegionVisit  *visit,
                           GError        **error)
{
  WfRegionBand *band = visit->band;

  band->most_pairs = MANY_PAIRS;
  band->recent     = wf_allocate (1 << RECENT_BITS, sizeof *band->recent, error);
  if (! band->recent)
    return FALSE;
  memset (band->recent, 0, sizeof *band->recent << RECENT_BITS);
  return TRUE;
}

/* Lists the pairs of all bands, each once. */
gboolean
wf_region_neighbors_gather (WfRegionScan  *scan,
                            GError       **error)
{
  for (guint band = 0; band < scan->n_bands; band++)
    {
      WfTriples *pairs = &scan->bands[band].pairs;

      if (! wf_triples_grow (&scan->neighbors, scan->neighbors.n + pairs->n, error))
        return FALSE;
      if (pairs->n > 0)
        memcpy (scan->neighbors.items + scan->neighbors.n, pairs->items,
                pairs->n * sizeof (WfTriple));
      scan->neighbors.n += pairs->n;
      wf_triples_clear (pairs);
    }
  return sort_pairs (&scan->neighbors, scan->run, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Medians of the levels of regions.
 *
 * The areas are known, so the levels of each region have a place of their own, to which a second
 * pass over the runs copies them, each band behind those above it.  A level of given rank is then
 * found digit by digit of its key, from the highest on: one pass over the levels for each 8 bits,
 * whatever they are.  Short lists are sorted.
 *
 * Memory: the size of the image, and 8 bytes for each label of a band.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/cpu/ordered-key.h"
#include "region-passes.h"

#define DIGIT_BITS 8
#define N_DIGITS   (1 << DIGIT_BITS)

/* Lists that are sorted. */
#define SHORT 48

/* Levels between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 16)

/**
 * Medians:
 * @size: of a level in bytes
 * @levels: of all regions
 * @starts: of each entry, and one more: where its levels begin
 * @cursors: of each band: where the next level of each of its labels goes
 */
typedef struct
{
  WfRegionScan *scan;
  gsize         size;
  char         *levels;
  gint64       *starts;
  gint64      **cursors;
  double       *medians;
} Medians;


/* Returns: bytes that wf_region_medians() takes for the levels of @image, at most */
guint64
wf_region_medians_memory (const WfImage *image)
{
  return (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
}

static gboolean
copy_run (gpointer            data,
          guint               band,
          gint64              row,
          const WfRegionRun  *run,
          GError            **error)
{
  Medians       *medians = data;
  gint64        *cursor  = &medians->cursors[band][run->index];
  const gint64   n       = run->to - run->from;
  const char    *levels  = wf_image_row (medians->scan->image, row);

  memcpy (medians->levels + *cursor * medians->size, levels + run->from * medians->size,
          n * medians->size);
  *cursor += n;
  return TRUE;
}

static gboolean
make_places (Medians  *medians,
             GError  **error)
{
  const WfRegionScan *scan    = medians->scan;
  const WfTriples    *entries = &scan->entries;
  gint64              n       = 0;

  medians->starts = wf_allocate (entries->n + 1, sizeof (gint64), error);
  if (! medians->starts)
    return FALSE;
  for (guint band = 0; band < scan->n_bands; band++)
    if (! (medians->cursors[band] = wf_allocate (wf_region_scan_count (scan, band),
                                                 sizeof (gint64), error)))
      return FALSE;
  for (gint64 i = 0; i < entries->n; i++)
    {
      const WfTriple *entry = &entries->items[i];

      medians->starts[i]                                = n;
      medians->cursors[entry->word[1]][entry->word[0]]  = n;
      n                                                += wf_region_scan_area (scan, entry);
    }
  medians->starts[entries->n] = n;
  medians->levels             = wf_allocate (n, medians->size, error);
  return medians->levels != NULL;
}


/*  Ranks  */

static void
sort_short (gconstpointer  levels,
            WfType         type,
            gint64         n,
            guint32       *keys)
{
  for (gint64 i = 0; i < n; i++)
    {
      const guint32 key = wf_level_key (levels, i, type);
      gint64        k   = i;

      for (; k > 0 && keys[k - 1] > key; k--)
        keys[k] = keys[k - 1];
      keys[k] = key;
    }
}

/* Counts the digit at @shift of the keys that agree with @prefix in the bits of @mask. */
static gboolean
count_digits (const Medians  *medians,
              gconstpointer   levels,
              gint64          n,
              guint32         prefix,
              guint32         mask,
              int             shift,
              gint64         *counts,
              GError        **error)
{
  const WfType type = medians->scan->image->type;

  memset (counts, 0, N_DIGITS * sizeof *counts);
  for (gint64 first = 0; first < n; first += WORTH_A_LOOK)
    {
      for (gint64 i = first; i < MIN (n, first + WORTH_A_LOOK); i++)
        {
          const guint32 key = wf_level_key (levels, i, type);

          if ((key & mask) == prefix)
            counts[key >> shift & (N_DIGITS - 1)]++;
        }
      if (n > WORTH_A_LOOK && ! wf_run_advance (medians->scan->run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* Finds the key that @rank others precede. */
static gboolean
find_rank (const Medians  *medians,
           gconstpointer   levels,
           gint64          n,
           gint64          rank,
           guint32        *key,
           GError        **error)
{
  guint32 mask = 0;
  gint64  counts[N_DIGITS];

  *key = 0;
  for (int shift = (int) (medians->size - 1) * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS)
    {
      guint32 digit = 0;

      if (! count_digits (medians, levels, n, *key, mask, shift, counts, error))
        return FALSE;
      for (; rank >= counts[digit]; digit++)
        rank -= counts[digit];
      *key |= digit << shift;
      mask |= (guint32) (N_DIGITS - 1) << shift;
    }
  return TRUE;
}

static gboolean
find_median (gpointer data,
             WfRow    row)
{
  const Medians      *medians = data;
  const WfRegionScan *scan    = medians->scan;
  const WfType        type    = scan->image->type;
  const gint64        start   = medians->starts[scan->region_starts[row.number]];
  const gint64        n       = medians->starts[scan->region_starts[row.number + 1]] - start;
  const char         *levels  = medians->levels + start * medians->size;
  guint32             keys[SHORT];
  guint32             middle[2];

  if (n <= SHORT)
    {
      sort_short (levels, type, n, keys);
      middle[0] = keys[(n - 1) / 2];
      middle[1] = keys[n / 2];
    }
  else
    for (int i = 0; i < 2; i++)
      if (! find_rank (medians, levels, n, (n - 1 + i) / 2, &middle[i], row.error))
        return FALSE;
  medians->medians[row.number] = (wf_key_level (middle[0], type) +
                                  wf_key_level (middle[1], type)) / 2;
  return TRUE;
}

static gboolean
run (Medians  *medians,
     double    share,
     GError  **error)
{
  WfRegionScan *scan = medians->scan;
  const gint64  n    = scan->n_regions;
  WfRows        rows = { .n = n };

  if (! make_places (medians, error) ||
      ! wf_region_scan_again (scan, share / 2, copy_run, medians, error))
    return FALSE;
  rows.amount = medians->starts[scan->entries.n] / MAX (n, 1);
  wf_run_begin (scan->run, share / 2, rows.amount * n);
  return wf_run_rows (scan->run, &rows, find_median, medians, error);
}

/**
 * wf_region_medians:
 * @scan: finished, with an image
 * @share: of the run's progress
 * @medians: (out): of each region, in the order of their labels; of one with levels that are no
 *   numbers any value
 * @error: %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Finds the median level of each region: of an even number of pixels the mean of the middle two.
 *
 * Returns: success
 */
gboolean
wf_region_medians (WfRegionScan  *scan,
                   double         share,
                   double        *medians,
                   GError       **error)
{
  Medians  it = { .scan = scan, .size = wf_type_size (scan->image->type), .medians = medians };
  gboolean success;

  it.cursors = g_new0 (gint64 *, scan->n_bands);
  success    = run (&it, share, error);
  for (guint band = 0; band < scan->n_bands; band++)
    g_free (it.cursors[band]);
  g_free (it.cursors);
  g_free (it.starts);
  g_free (it.levels);
  return success;
}

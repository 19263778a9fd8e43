/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The deepest pixel of each region: the one that is farthest from all pixels that are not the
 * region's, those outside the image among them.
 *
 * The distance map is that of every region at once.  A pass down and up each column finds how many
 * rows away the nearest other pixel is.  In a row no pixel beyond the ends of a run can be nearer
 * than its ends, so the lower envelope of parabolas is made for each run alone (Felzenszwalb and
 * Huttenlocher, Distance transforms of sampled functions, Theory of Computing 8, 2012).  A run is
 * left out if the distances along its row and its columns show already that nothing in it is
 * deeper than the deepest pixel so far, as is so for most.
 *
 * Only the greatest distance is kept, of equal ones the first in raster order, so no map is
 * written.  Memory: 4 bytes a pixel.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "region-passes.h"

/* Columns that a thread goes down and up together. */
#define STRIP 512

/* Regions between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 16)

/**
 * Circles:
 * @rows: for each pixel, how many rows away the nearest one is that is not the region's
 * @size: of a pixel, squared
 * @deepest: for each band and label
 */
typedef struct
{
  WfRegionScan    *scan;
  guint32         *rows;
  double           size[2];
  WfRegionCircle **deepest;
} Circles;

/* A parabola of the envelope: its place, its least value, and where it begins to be the lowest. */
typedef struct
{
  gint64 x;
  double base;
  double start;
} Parabola;


/* Returns: bytes that wf_region_circles() takes */
guint64
wf_region_circles_memory (const WfImage *labels)
{
  return (guint64) wf_image_n_pixels (labels) * sizeof (guint32);
}


/*  Columns  */

/* Of the row beside one in which @other is so far away: 1 more where the label is the same. */
static inline guint32
next_distance (guint32 label,
               guint32 other_label,
               guint32 other)
{
  return (label == other_label ? other : 0) + 1;
}

static void
go_down (const Circles *circles,
         gint64         y,
         gint64         from,
         gint64         to)
{
  const WfImage          *labels = circles->scan->labels;
  const guint32 *restrict row    = wf_image_row (labels, y);
  const guint32 *restrict above  = wf_image_row (labels, MAX (y - 1, 0));
  guint32       *restrict rows   = circles->rows + y * labels->width;
  const guint32 *restrict before = y > 0 ? rows - labels->width : rows;

  if (y == 0)
    for (gint64 x = from; x < to; x++)
      rows[x] = 1;
  else
    for (gint64 x = from; x < to; x++)
      rows[x] = next_distance (row[x], above[x], before[x]);
}

static void
go_up (const Circles *circles,
       gint64         y,
       gint64         from,
       gint64         to)
{
  const WfImage          *labels = circles->scan->labels;
  const guint32 *restrict row    = wf_image_row (labels, y);
  const guint32 *restrict below  = wf_image_row (labels, MIN (y + 1, labels->height - 1));
  guint32       *restrict rows   = circles->rows + y * labels->width;
  const guint32 *restrict after  = rows + labels->width;

  if (y + 1 == labels->height)
    for (gint64 x = from; x < to; x++)
      rows[x] = 1;
  else
    for (gint64 x = from; x < to; x++)
      rows[x] = MIN (rows[x], next_distance (row[x], below[x], after[x]));
}

static gboolean
visit_strip (gpointer data,
             WfRow    row)
{
  const Circles *circles = data;
  const WfImage *labels  = circles->scan->labels;
  const gint64   from    = row.number * STRIP;
  const gint64   to      = MIN (labels->width, from + STRIP);

  for (gint64 y = 0; y < labels->height; y++)
    {
      go_down (circles, y, from, to);
      if (y % 64 == 0 && ! wf_run_advance (circles->scan->run, 0))
        return wf_run_set_cancelled (row.error);
    }
  for (gint64 y = labels->height; y-- > 0;)
    {
      go_up (circles, y, from, to);
      if (y % 64 == 0 && ! wf_run_advance (circles->scan->run, 0))
        return wf_run_set_cancelled (row.error);
    }
  return TRUE;
}


/*  Rows  */

/* Whether a pixel of a run may be deeper than @least, by its distances along row and column. */
static gboolean
may_be_deeper (const Circles      *circles,
               const guint32      *rows,
               const WfRegionRun  *run,
               double              least)
{
  const double half     = (double) ((run->to - run->from + 1) / 2);
  guint32      farthest = 0;

  for (gint64 x = run->from; x < run->to; x++)
    farthest = MAX (farthest, rows[x]);
  if (half * half * circles->size[0] <= least ||
      (double) farthest * farthest * circles->size[1] <= least)
    return FALSE;
  for (gint64 x = run->from; x < run->to; x++)
    {
      const double along  = (double) MIN (x - run->from + 1, run->to - x);
      const double across = rows[x];

      if (along * along * circles->size[0] > least && across * across * circles->size[1] > least)
        return TRUE;
    }
  return FALSE;
}

/* The envelope of the parabolas of the run's pixels and of the two beyond its ends, from @from − 1
 * on.  Returns their number.
 */
static gint64
make_envelope (const Circles      *circles,
               const guint32      *rows,
               const WfRegionRun  *run,
               Parabola           *envelope)
{
  const gint64 width = run->to - run->from + 2;
  const double size  = circles->size[0];
  gint64       n     = 0;

  for (gint64 x = 0; x < width; x++)
    {
      const double across = x == 0 || x == width - 1 ? 0 : rows[run->from + x - 1];
      const double base   = across * across * circles->size[1];
      double       start  = -INFINITY;

      while (n > 0)
        {
          const Parabola *last = &envelope[n - 1];

          start = ((base - last->base) / size + (double) (x - last->x) * (double) (x + last->x))
                  / (2.0 * (double) (x - last->x));
          if (start > last->start)
            break;
          n--;
        }
      if (n == 0)
        start = -INFINITY;
      envelope[n++] = (Parabola) { x, base, start };
    }
  return n;
}

static void
search_run (const Circles      *circles,
            const WfRegionRun  *run,
            gint64              row,
            const Parabola     *envelope,
            gint64              n,
            WfRegionCircle     *deepest)
{
  gint64 k = 0;

  for (gint64 x = 1; x <= run->to - run->from; x++)
    {
      double square;

      while (k + 1 < n && envelope[k + 1].start <= (double) x)
        k++;
      square = (double) ((x - envelope[k].x) * (x - envelope[k].x)) * circles->size[0]
               + envelope[k].base;
      if (square > deepest->square)
        *deepest = (WfRegionCircle) { square, run->from + x - 1, row };
    }
}

static gboolean
visit_run (gpointer            data,
           guint               band,
           gint64              row,
           const WfRegionRun  *run,
           GError            **error)
{
  const Circles        *circles  = data;
  const guint32        *rows     = circles->rows + row * circles->scan->labels->width;
  WfRegionCircle       *deepest  = &circles->deepest[band][run->index];
  g_autofree Parabola  *envelope = NULL;

  if (! may_be_deeper (circles, rows, run, deepest->square))
    return TRUE;
  envelope = wf_allocate (run->to - run->from + 2, sizeof *envelope, error);
  if (! envelope)
    return FALSE;
  search_run (circles, run, row, envelope, make_envelope (circles, rows, run, envelope), deepest);
  return TRUE;
}


/*  All of it  */

static gboolean
find_deepest (Circles  *circles,
              double    share,
              GError  **error)
{
  WfRegionScan  *scan   = circles->scan;
  const WfImage *labels = scan->labels;
  const WfRows   strips = { .n = (labels->width + STRIP - 1) / STRIP, .chunk = 1,
                            .amount = STRIP * labels->height };

  circles->rows = wf_run_allocate (scan->run, wf_image_n_pixels (labels), sizeof (guint32), error);
  if (! circles->rows)
    return FALSE;
  for (guint band = 0; band < scan->n_bands; band++)
    {
      const guint32 n = wf_region_scan_count (scan, band);

      circles->deepest[band] = wf_allocate (n, sizeof (WfRegionCircle), error);
      if (! circles->deepest[band])
        return FALSE;
      memset (circles->deepest[band], 0, n * sizeof (WfRegionCircle));
    }
  wf_run_begin (scan->run, share / 2, strips.n * strips.amount);
  return wf_run_rows (scan->run, &strips, visit_strip, circles, error) &&
         wf_region_scan_again (scan, share / 2, visit_run, circles, error);
}

/* Of equal depths that of the upper band is kept. */
static gboolean
merge (const Circles   *circles,
       WfRegionCircle  *merged,
       GError         **error)
{
  const WfRegionScan *scan = circles->scan;

  for (gint64 region = 0; region < scan->n_regions; region++)
    {
      if (region % WORTH_A_LOOK == 0 && ! wf_run_advance (scan->run, 0))
        return wf_run_set_cancelled (error);
      merged[region] = (WfRegionCircle) { 0 };
      for (gint64 i = scan->region_starts[region]; i < scan->region_starts[region + 1]; i++)
        {
          const WfTriple       *entry = &scan->entries.items[i];
          const WfRegionCircle *it    = &circles->deepest[entry->word[1]][entry->word[0]];

          if (it->square > merged[region].square)
            merged[region] = *it;
        }
    }
  return TRUE;
}

/**
 * wf_region_circles:
 * @scan: finished, of an image, not of a stack
 * @pixel_size: of a pixel along x and y
 * @share: of the run's progress
 * @circles: (out): of each region, in the order of their labels
 * @error: %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Finds the deepest pixel of each region.
 *
 * Returns: success
 */
gboolean
wf_region_circles (WfRegionScan    *scan,
                   const double    *pixel_size,
                   double           share,
                   WfRegionCircle  *circles,
                   GError         **error)
{
  Circles  it = { .scan = scan, .size = { pixel_size[0] * pixel_size[0],
                                          pixel_size[1] * pixel_size[1] } };
  gboolean success;

  it.deepest = g_new0 (WfRegionCircle *, scan->n_bands);
  success    = find_deepest (&it, share, error) && merge (&it, circles, error);
  for (guint band = 0; band < scan->n_bands; band++)
    g_free (it.deepest[band]);
  g_free (it.deepest);
  g_free (it.rows);
  return success;
}

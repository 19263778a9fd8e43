/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on the CPU, `propagation`: sites spread from pixel to pixel.
 *
 * Definition.  Each pixel holds a site: the nearest background pixel that has reached it.
 * A background pixel always holds itself.  In each round every foreground pixel takes the
 * best, by (d², x, y, z), of its own site and of the sites that its neighbours held after
 * the previous round.  If the outside is background, a pixel at the image's border has one
 * more neighbour for each border that it lies at: the outside pixel straight across, which
 * holds itself.  A round that changes nothing is the last.  In a signed map the background
 * does the same with the foreground's pixels as sites, without an outside.
 *
 * This vector propagation is Danielsson's (Euclidean Distance Mapping, CGIP 14, 1980).  As
 * an irregular wavefront, which spreads in any order until nothing changes, it is in
 * Teodoro et al. (Efficient irregular wavefront propagation algorithms on hybrid CPU-GPU
 * machines, Parallel Computing 39, 2013).  Without rounds, however, the result depends on
 * the order: a pixel may for a while hold, and pass on, another site than its nearest.  With
 * rounds the result is unique, and with all neighbours it is exact, as Yamada showed
 * (Complete Euclidean Distance Transformation by Parallel Operation, ICPR 1984):
 *
 *   Let s be the best site of p.  Take the path from s to p in which each step advances
 *   along every axis on which p is not yet reached; it has as many steps as the longest
 *   distance along an axis.  After round k the kth pixel r of the path holds s: a better
 *   site t would lie within k steps of r, so along each axis on which p is not yet reached
 *   it would be no farther behind r than s, which is k behind.  On the way to p the
 *   squared distance from t would grow by no more than that from s, so t would be
 *   better than s for p, too.
 *
 * With 4 or 6 neighbours it is an approximation, see wf_distance().  With spaced pixels
 * the proof holds except for rounding.
 *
 * An example of how the result depends on the order without rounds: of the sites (24, 1),
 * (23, 5), (0, 7) and (22, 7) in an image of 25 × 8 the second is the nearest to (11, 0),
 * at 13.  If the pixels are visited in raster order until nothing changes, each taking the
 * best of its 8 neighbours' sites, (11, 0) ends with a site at √170; other orders give
 * the right one.  With 4 neighbours the sites (3, 0), (1, 1) and (0, 2) in an image of
 * 4 × 4 suffice: (3, 3) gets 3 or √8.
 *
 * Implementation.  Only pixels that changed in a round make offers in the next one; the
 * sites of the others have reached their neighbours before.  A site is encoded as one
 * number, and the order of these numbers is the order of the sites as seen from the pixel,
 * so an offer costs an addition and a comparison.  Tiles in which something can change are
 * visited in synchronous rounds (engine/propagation/rounds.c).  A visit takes the values
 * of the pixels that changed in the previous round, which a bit for each pixel marks, makes
 * their offers within the tile and the offers that the borders of the neighbouring tiles
 * have published, then publishes the changes at its own border.  So no thread reads a
 * pixel that another may write.
 *
 * The site of a pixel after k rounds depends only on the pixels within k steps.  So the
 * first visit of a tile does several rounds at once, in a copy that includes that many
 * pixels around the tile: these rounds change most pixels, and the copy stays in the cache.
 *
 * With all neighbours and integer distances the proof also shows which offers are needed:
 * those along its paths.  Leaving out the others, a pixel makes one or a few offers instead
 * of 8 or 26, and the final map is the same.
 *
 * Bytes a pixel: 8 for sites, an eighth for bits, about half a byte for the borders of tiles
 * (three in stacks).  Operations: each pixel makes offers little more than once.
 */

#include "config.h"

#include "spread.h"

/* Tiles fit the second-level cache.  In larger ones the search for changed pixels takes too
 * long, and positions in a tile must fit 16 bits.
 */
#define SIDE_IN_IMAGE 256
#define SIDE_IN_STACK 64
#define MOST_IN_IMAGE 512
#define MOST_IN_STACK 64

/* Rounds of a tile's first visit, and the pixels that its copy includes around the tile.
 * Most pixels are near the other kind and need no more rounds.
 */
#define AHEAD_IN_IMAGE 8
#define AHEAD_IN_STACK 2


/*  The encoding of sites  */

static int
bits_of (guint64 most)
{
  return most ? 64 - __builtin_clzll (most) : 1;
}

static gint64
last_z (const WfShape *shape)
{
  return shape->depth > 1 ? shape->depth : 0;
}

static int
bits_of_code (const WfShape *shape)
{
  return bits_of (shape->width + 1) + bits_of (shape->height + 1) + bits_of (last_z (shape) + 1);
}

/* No sum of squares overflows: images are at most 2³⁰ pixels long. */
static WfSiteMeasure
choose_measure (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;
  const gint64   z     = last_z (shape);
  guint64        most  = shape->width * shape->width + shape->height * shape->height + z * z;

  if (! task->exact_integers)
    return WF_SITES_SPACED;
  return bits_of (most + 1) + bits_of_code (shape) < 64 ? WF_SITES_KEYED : WF_SITES_WHOLE;
}

static WfSiteCode
choose_code (const WfShape *shape,
             WfSiteMeasure  measure)
{
  const int bits_y = bits_of (shape->height + 1);
  const int bits_z = bits_of (last_z (shape) + 1);

  return (WfSiteCode) {
    .shift_x       = bits_y + bits_z,
    .shift_y       = bits_z,
    .shift_squared = measure == WF_SITES_KEYED ? bits_of_code (shape) : 64,
    .mask_y        = (G_GUINT64_CONSTANT (1) << bits_y) - 1,
    .mask_z        = (G_GUINT64_CONSTANT (1) << bits_z) - 1,
  };
}


/* Whether neighbour @a comes before @b in the order of (d², x, y, z). */
static gboolean
comes_before (const WfNeighbourhood *nb,
              const double          *squared,
              int                    a,
              int                    b)
{
  if (squared[a] != squared[b])
    return squared[a] < squared[b];
  if (nb->dx[a] != nb->dx[b])
    return nb->dx[a] < nb->dx[b];
  return nb->dy[a] != nb->dy[b] ? nb->dy[a] < nb->dy[b] : nb->dz[a] < nb->dz[b];
}

/* Sorts the neighbours by (d², x, y, z): the first neighbour that is a site is the best. */
static void
sort_neighbours (WfSpread *spread)
{
  const double          *spacing  = spread->task->spacing;
  WfNeighbourhood       *nb       = &spread->nb;
  const WfNeighbourhood  unsorted = *nb;
  double                 squared[WF_MAX_NEIGHBOURS];
  int                    order[WF_MAX_NEIGHBOURS];

  for (int i = 0; i < unsorted.n; i++)
    {
      const double x = unsorted.dx[i] * spacing[0];
      const double y = unsorted.dy[i] * spacing[1];
      const double z = unsorted.dz[i] * spacing[2];
      int          k = i;

      squared[i] = x * x + (y * y + z * z);
      for (; k > 0 && comes_before (&unsorted, squared, i, order[k - 1]); k--)
        order[k] = order[k - 1];
      order[k] = i;
    }

  for (int k = 0; k < unsorted.n; k++)
    {
      const int i = order[k];

      nb->dx[k]   = unsorted.dx[i];
      nb->dy[k]   = unsorted.dy[i];
      nb->dz[k]   = unsorted.dz[i];
      nb->step[k] = unsorted.step[i];
      spread->to_neighbour[k] = ((guint64) nb->dx[k] << spread->code.shift_x)
                                + ((guint64) nb->dy[k] << spread->code.shift_y)
                                + (guint64) nb->dz[k]
                                + (spread->measure == WF_SITES_KEYED
                                   ? (guint64) squared[i] << spread->code.shift_squared : 0);
    }
}


/*  Memory  */

typedef struct
{
  WfTileGrid grid;
  gint64     row_words;
  gint64     tile_words;
  gint64     border;        /* pixels at the border of a tile */
  gint64     ahead;
  gint64     copy_width;    /* the copy for the first rounds */
  gint64     copy_rows;
  gint64     copy_words;
  gint64     marks;         /* pixels of the copy and around it */
} Sizes;

static Sizes
choose_sizes (const WfShape *shape,
              gint64         wish)
{
  const gboolean stack  = shape->depth > 1;
  const gint64   most   = stack ? MOST_IN_STACK : MOST_IN_IMAGE;
  const gint64   side   = wish > 0 ? MIN (wish, most) : stack ? SIDE_IN_STACK : SIDE_IN_IMAGE;
  const WfBox    box    = wf_shape_box (shape);
  const gint64   width  = MIN (side, shape->width);
  const gint64   height = MIN (side, shape->height);
  const gint64   depth  = MIN (side, shape->depth);
  const gint64   ahead  = MIN (side, stack ? AHEAD_IN_STACK : AHEAD_IN_IMAGE);
  const gint64   around = stack ? 2 * ahead : 0;
  const gint64   inner  = MAX (width - 2, 0) * MAX (height - 2, 0)
                          * (stack ? MAX (depth - 2, 0) : 1);

  return (Sizes) {
    .grid       = wf_tile_grid (&box, side),
    .row_words  = (width + 63) / 64,
    .tile_words = (width + 63) / 64 * height * depth,
    .border     = width * height * depth - inner,
    .ahead      = ahead,
    .copy_width = width + 2 * ahead,
    .copy_rows  = (height + 2 * ahead) * (depth + around),
    .copy_words = (width + 2 * ahead + 63) / 64,
    .marks      = (width + 2 * ahead + 2) * (height + 2 * ahead + 2)
                  * (stack ? depth + around + 2 : 1),
  };
}

typedef struct
{
  WfSpread      spread;
  guint         n_workers;
  WfBorderSite *border_sites;
} Job;

static void
job_clear (Job *job)
{
  for (guint i = 0; job->spread.workers && i < job->n_workers; i++)
    {
      WfSpreadWorker *worker = &job->spread.workers[i];

      g_free (worker->marks);
      g_free (worker->first);
      g_free (worker->field);
      g_free (worker->changed);
      g_free (worker->values);
      g_free (worker->xs);
      g_free (worker->row_starts);
    }
  g_free (job->spread.workers);
  g_free (job->spread.field);
  g_free (job->spread.changed);
  g_free (job->spread.borders);
  g_free (job->border_sites);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static gboolean
worker_init (WfSpreadWorker  *worker,
             const Sizes     *sizes,
             GError         **error)
{
  const gint64 n     = sizes->copy_width * sizes->copy_rows;
  const gint64 words = sizes->copy_words * sizes->copy_rows;

  return (worker->marks = wf_allocate (sizes->marks, 1, error)) &&
         (worker->first = wf_allocate (sizes->copy_width, 1, error)) &&
         (worker->field = wf_allocate (n, sizeof (guint64), error)) &&
         (worker->changed = wf_allocate (words, sizeof (guint64), error)) &&
         (worker->values = wf_allocate (n, sizeof (guint64), error)) &&
         (worker->xs = wf_allocate (n, sizeof (guint16), error)) &&
         (worker->row_starts = wf_allocate (sizes->copy_rows + 1, sizeof (guint32), error));
}

static gboolean
job_init (Job                   *job,
          const WfDistanceTask  *task,
          const WfRun           *run,
          GError               **error)
{
  const WfShape *shape   = &task->shape;
  const Sizes    sizes   = choose_sizes (shape, run->tile_size);
  const gint64   n_tiles = wf_tile_grid_n_tiles (&sizes.grid);
  WfSpread      *spread  = &job->spread;

  spread->task       = task;
  spread->measure    = choose_measure (task);
  spread->code       = choose_code (shape, spread->measure);
  spread->grid       = sizes.grid;
  spread->ahead      = sizes.ahead;
  spread->row_words  = sizes.row_words;
  spread->tile_words = sizes.tile_words;
  wf_neighbourhood_init (&spread->nb, task->connectivity, shape);
  sort_neighbours (spread);

  job->n_workers = run->n_threads;
  if (! (spread->field = wf_allocate (wf_shape_n_pixels (shape), sizeof (guint64), error)) ||
      ! (spread->changed = wf_allocate (n_tiles * sizes.tile_words, sizeof (guint64), error)) ||
      ! (spread->borders = wf_allocate (2 * n_tiles, sizeof (WfTileBorder), error)) ||
      ! (job->border_sites = wf_allocate (2 * n_tiles * sizes.border, sizeof (WfBorderSite),
                                          error)))
    return FALSE;
  for (gint64 i = 0; i < 2 * n_tiles; i++)
    spread->borders[i].sites = job->border_sites + i * sizes.border;

  spread->workers = g_new0 (WfSpreadWorker, job->n_workers);
  for (guint i = 0; i < job->n_workers; i++)
    if (! worker_init (&spread->workers[i], &sizes, error))
      return FALSE;
  return TRUE;
}


/*  The variant  */

/* One half of a signed map, or an unsigned map. */
static gboolean
spread_half (WfSpread  *spread,
             gboolean   background,
             WfRun     *run,
             GError   **error)
{
  spread->background = background;
  spread->kind       = background ? WF_BACKGROUND_BIT : 0;
  spread->n_sites    = 0;
  for (gint64 i = 0; i < 2 * wf_tile_grid_n_tiles (&spread->grid); i++)
    spread->borders[i].round = -1;

  wf_run_begin (run, spread->task->signed_distance ? 0.5 : 1.0,
                wf_shape_n_pixels (&spread->task->shape));
  return wf_rounds_run (run, &spread->grid, wf_spread_visit, spread, error);
}

gboolean
wf_distance_propagation (gconstpointer   data,
                         WfRun          *run,
                         GError        **error)
{
  const WfDistanceTask *task = data;
  const gint64          n    = wf_shape_n_pixels (&task->shape);
  g_auto (Job)          job  = { 0 };
  gint64                n_background;

  if (! job_init (&job, task, run, error) ||
      ! spread_half (&job.spread, FALSE, run, error))
    return FALSE;
  n_background = job.spread.n_sites;
  if (task->signed_distance && ! spread_half (&job.spread, TRUE, run, error))
    return FALSE;

  *task->no_background = ! task->border_background && n_background == 0;
  wf_spread_write (&job.spread, n_background < n, run->n_threads);
  return TRUE;
}

guint64
wf_distance_propagation_memory (gconstpointer data)
{
  const WfDistanceTask *task    = data;
  const Sizes           sizes   = choose_sizes (&task->shape, 0);
  const guint64         n_tiles = wf_tile_grid_n_tiles (&sizes.grid);

  return wf_shape_n_pixels (&task->shape) * sizeof (guint64) + wf_rounds_memory (&sizes.grid) +
         n_tiles * (sizes.tile_words * sizeof (guint64) +
                    2 * (sizeof (WfTileBorder) + sizes.border * sizeof (WfBorderSite)));
}

/* A site takes at most 63 bits; one bit marks the background. */
gboolean
wf_distance_propagation_supports (gconstpointer data)
{
  const WfDistanceTask *task = data;

  return ! task->band && wf_metric_is_squared (task->metric) &&
         bits_of_code (&task->shape) < 64;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components by union-find over runs.
 *
 * The nodes of the union-find are runs of foreground pixels, not pixels (He, Chao and
 * Suzuki, A run-based two-scan labeling algorithm, IEEE Transactions on Image Processing
 * 17, 2008).  Runs are numbered in raster order, and when two trees are united the earlier
 * root becomes the root of both.  So a root is the first run of its component, and
 * counting roots in order numbers the components in raster order of their first pixels.
 *
 * Rows are divided into bands, one or a few for each thread.  Each band is connected
 * separately and its components are numbered from 0.  The components of all bands are then
 * the nodes of a second union-find over the few contacts between bands (join_bands()), which all
 * threads work on at once (engine/cpu/shared-union-find.h).  Then each band numbers its roots from
 * the count of those before it.
 *
 * Bits take an eighth of a byte for each pixel, runs 4 bytes each, components 4 more if
 * there are several bands.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/grid.h"
#include "runs.h"
#include "engine/cpu/shared-union-find.h"
#include "engine/cpu/simd.h"
#include "engine/cpu/union-find.h"

/* Bands for each thread: several, so that threads finish at about the same time. */
#define BANDS_A_THREAD 8

/* Pixels, or runs, between two checks for cancelling. */
#define WORTH_A_LOOK (1 << 18)


gboolean
wf_runs_init (WfRuns         *runs,
              const WfShape  *shape,
              int             connectivity,
              const WfRun    *run,
              GError        **error)
{
  static const WfLabelSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_label);

  *runs = (WfRuns) {
    .steps        = tables[wf_simd_level ()],
    .shape        = *shape,
    .connectivity = connectivity,
    .n_rows       = shape->height * shape->depth,
    .n_words      = wf_bit_words (shape->width),
  };
  return (runs->bits = wf_run_allocate (run, runs->n_rows * runs->n_words, sizeof (guint64),
                                        error)) &&
         (runs->first_run = wf_allocate (runs->n_rows + 1, sizeof (gint64), error));
}

void
wf_runs_clear (WfRuns *runs)
{
  g_free (runs->bits);
  g_free (runs->first_run);
  g_free (runs->node);
  g_free (runs->bands);
  g_free (runs->label);
  *runs = (WfRuns) { 0 };
}

/* Memory for the bits, and for one run for eight pixels: an estimate. */
guint64
wf_runs_memory (const WfShape *shape)
{
  guint64 n_rows = shape->height * shape->depth;
  guint64 rows   = n_rows * (wf_bit_words (shape->width) + 1) * sizeof (guint64);

  return MAX (rows, 4096) + wf_shape_n_pixels (shape) / 8 * (2 * sizeof (guint32));
}

/* What no image exceeds: every other pixel is a run and a component. */
guint64
wf_runs_most_memory (const WfShape *shape,
                     guint          n_threads)
{
  const guint64 n_rows   = shape->height * shape->depth;
  const guint64 n_runs   = n_rows * ((shape->width + 1) / 2);
  const guint64 contacts = MIN (n_rows, n_threads) * WF_MOST_CONTACTS (shape->width)
                           * sizeof (WfContact);

  return n_rows * (wf_bit_words (shape->width) + 1) * sizeof (guint64)
         + n_runs * 2 * sizeof (guint32) + contacts;
}


/*  Union-find  */

static inline void
unite (guint32 *node,
       guint32  a,
       guint32  b)
{
  a = wf_find_root (node, a);
  b = wf_find_root (node, b);
  if (a < b)
    node[b] = a;
  else
    node[a] = b;
}

/* Replaces nodes by the numbers of their trees, in order of the roots.  A node's parent comes
 * before it and is replaced before it.
 */
static gboolean
number_trees (WfRun    *run,
              guint32  *node,
              gint64    n,
              gint64   *n_trees,
              GError  **error)
{
  guint32 next = 0;

  for (gint64 start = 0; start < n; start += WORTH_A_LOOK)
    {
      const gint64 end = MIN (start + WORTH_A_LOOK, n);

      for (gint64 i = start; i < end; i++)
        node[i] = node[i] == i ? next++ : node[node[i]];
      if (! wf_run_advance (run, 0))
        return wf_run_set_cancelled (error);
    }
  *n_trees = next;
  return TRUE;
}


/*  Neighbouring rows  */

typedef struct
{
  gint64   row;
  gboolean diagonally;
} EarlierRow;

/* Lists the rows before @row that hold neighbours of its pixels; returns their number. */
static int
find_earlier_rows (const WfRuns *runs,
                   gint64        row,
                   EarlierRow   *earlier)
{
  const gint64   height = runs->shape.height;
  const gint64   y      = row % height;
  const gboolean all    = runs->connectivity == 8 || runs->connectivity == 26;
  int            n      = 0;

  if (row >= height)
    for (int dy = all ? -1 : 0; dy <= (all ? 1 : 0); dy++)
      if (y + dy >= 0 && y + dy < height)
        earlier[n++] = (EarlierRow) { row - height + dy, all };
  if (y > 0)
    earlier[n++] = (EarlierRow) { row - 1, all };
  return n;
}

static gint64
find_contacts (const WfRuns     *runs,
               const EarlierRow *earlier,
               gint64            row,
               WfContact        *contacts)
{
  return runs->steps->find_contacts (wf_runs_row (runs, earlier->row), wf_runs_row (runs, row),
                                     runs->n_words, earlier->diagonally, contacts);
}


/*  Bands  */

typedef struct
{
  WfRuns *runs;
  WfRun  *run;
} Job;

static gboolean
connect_band (gpointer data,
              WfRow    part)
{
  const Job    *job      = data;
  const WfRuns *runs     = job->runs;
  WfBand       *band     = &runs->bands[part.number];
  const gint64  base     = runs->first_run[band->row0];
  guint32      *node     = runs->node + base;
  WfContact    *contacts = part.scratch;
  gint64        pixels   = 0;

  for (gint64 row = band->row0; row < band->row1; row++)
    {
      EarlierRow earlier[4];
      int        n_earlier = find_earlier_rows (runs, row, earlier);

      for (gint64 i = runs->first_run[row]; i < runs->first_run[row + 1]; i++)
        node[i - base] = i - base;
      for (int e = 0; e < n_earlier; e++)
        if (earlier[e].row >= band->row0)
          {
            const guint32 before = runs->first_run[earlier[e].row] - base;
            const guint32 after  = runs->first_run[row] - base;
            gint64        n      = find_contacts (runs, &earlier[e], row, contacts);

            for (gint64 i = 0; i < n; i++)
              unite (node, before + contacts[i].before, after + contacts[i].after);
          }
      pixels += runs->shape.width;
      if (pixels >= WORTH_A_LOOK || row == band->row1 - 1)
        {
          if (! wf_run_advance (job->run, pixels))
            return wf_run_set_cancelled (part.error);
          pixels = 0;
        }
    }
  return number_trees (job->run, node, runs->first_run[band->row1] - base,
                       &band->n_components, part.error);
}

static const WfBand *
band_of (const WfRuns *runs,
         gint64        row)
{
  return &runs->bands[row / runs->rows_a_band];
}

/* The component of a run, numbered through all bands. */
static guint32
component_of (const WfRuns *runs,
              gint64        row,
              guint32       number)
{
  return band_of (runs, row)->first_component + runs->node[runs->first_run[row] + number];
}

static gboolean
refuse_count (GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("The image has more than %u connected components."), G_MAXUINT32);
  return FALSE;
}

/* @linked: for each worker the nodes that it has linked to others */
typedef struct
{
  WfRuns *runs;
  WfFifo *linked;
} Join;

/* The band that a component was found in. */
static WfBand *
band_of_component (const WfRuns *runs,
                   guint32       component)
{
  gint64 start = 0;
  gint64 end   = runs->n_bands;

  while (end - start > 1)
    {
      const gint64 middle = (start + end) / 2;

      if (runs->bands[middle].first_component <= component)
        start = middle;
      else
        end = middle;
    }
  return &runs->bands[start];
}

static gboolean
start_labels (gpointer data,
              WfRow    part)
{
  const Join   *join  = data;
  WfBand       *band  = &join->runs->bands[part.number];
  guint32      *label = join->runs->label;
  const gint64  first = band->first_component;

  band->n_roots = band->n_components;
  for (gint64 i = first; i < first + band->n_components; i++)
    label[i] = i;
  return TRUE;
}

/* Unites components of two rows that touch. */
static gboolean
join_rows (const Join       *join,
           const EarlierRow *earlier,
           gint64            row,
           const WfRow      *part)
{
  const WfRuns *runs     = join->runs;
  WfContact    *contacts = part->scratch;
  const gint64  n        = find_contacts (runs, earlier, row, contacts);

  for (gint64 i = 0; i < n; i++)
    {
      guint32 linked;

      if (! wf_shared_unite (runs->label, component_of (runs, earlier->row, contacts[i].before),
                             component_of (runs, row, contacts[i].after), &linked))
        continue;
      __atomic_fetch_sub (&band_of_component (runs, linked)->n_roots, 1, __ATOMIC_RELAXED);
      if (! wf_fifo_push (&join->linked[part->worker], linked, part->error))
        return FALSE;
    }
  return TRUE;
}

/* Connects a band with those before it. */
static gboolean
join_band (gpointer data,
           WfRow    part)
{
  const Join   *join  = data;
  const WfRuns *runs  = join->runs;
  const WfBand *band  = &runs->bands[part.number];
  const gint64  reach = runs->shape.depth > 1 ? runs->shape.height + 1 : 1;

  for (gint64 row = band->row0; row < MIN (band->row0 + reach, band->row1); row++)
    {
      EarlierRow earlier[4];
      int        n_earlier = find_earlier_rows (runs, row, earlier);

      for (int e = 0; e < n_earlier; e++)
        if (earlier[e].row < band->row0 && ! join_rows (join, &earlier[e], row, &part))
          return FALSE;
    }
  return TRUE;
}

static gboolean
find_roots_of_linked (gpointer data,
                      WfRow    list)
{
  const Join   *join   = data;
  const WfFifo *linked = &join->linked[list.number];
  guint32      *label  = join->runs->label;

  for (gint64 i = 0; i < linked->n; i++)
    wf_shared_settle (label, linked->items[i]);
  return TRUE;
}

/* Numbers the roots of a band.  All other nodes hold their roots, which are not numbers yet, but
 * no node holds its own number then.
 */
static gboolean
number_roots (gpointer data,
              WfRow    part)
{
  const Join   *join  = data;
  const WfBand *band  = &join->runs->bands[part.number];
  guint32      *label = join->runs->label;
  const gint64  first = band->first_component;
  guint32       next  = 1;

  for (gint64 b = 0; b < part.number; b++)
    next += join->runs->bands[b].n_roots;
  for (gint64 i = first; i < first + band->n_components; i++)
    if (label[i] == i)
      label[i] = next++;
  return TRUE;
}

static gboolean
number_linked (gpointer data,
               WfRow    list)
{
  const Join   *join   = data;
  const WfFifo *linked = &join->linked[list.number];
  guint32      *label  = join->runs->label;

  for (gint64 i = 0; i < linked->n; i++)
    label[linked->items[i]] = label[label[linked->items[i]]];
  return TRUE;
}

/* Sets the labels of the @n components of all bands. */
static gboolean
label_bands (WfRuns  *runs,
             WfRun   *run,
             gint64   n,
             GError **error)
{
  Join         join    = { runs, wf_fifos_new (run->n_threads) };
  const WfRows bands   = { .n = runs->n_bands, .chunk = 1, .amount = n / runs->n_bands + 1 };
  const WfRows borders = { .n = runs->n_bands, .chunk = 1,
                           .amount = runs->rows_a_band * runs->shape.width,
                           .scratch_size = WF_MOST_CONTACTS (runs->shape.width)
                                           * sizeof (WfContact) };
  const WfRows lists   = { .n = run->n_threads, .chunk = 1, .amount = borders.amount };
  gboolean     done;

  done = wf_run_rows (run, &bands, start_labels, &join, error) &&
         wf_run_rows (run, &borders, join_band, &join, error) &&
         wf_run_rows (run, &lists, find_roots_of_linked, &join, error) &&
         wf_run_rows (run, &bands, number_roots, &join, error) &&
         wf_run_rows (run, &lists, number_linked, &join, error);
  wf_fifos_free (join.linked, run->n_threads);
  return done;
}

static gboolean
join_bands (WfRuns   *runs,
            WfRun    *run,
            guint32  *n_components,
            GError  **error)
{
  gint64 n = 0;

  for (gint64 b = 0; b < runs->n_bands; b++)
    {
      runs->bands[b].first_component = n;
      n += runs->bands[b].n_components;
    }
  if (n > G_MAXUINT32)
    return refuse_count (error);
  *n_components = n;
  if (runs->n_bands == 1)
    return TRUE;

  if (! (runs->label = wf_run_allocate (run, n, sizeof (guint32), error)) ||
      ! label_bands (runs, run, n, error))
    return FALSE;
  *n_components = 0;
  for (gint64 b = 0; b < runs->n_bands; b++)
    *n_components += runs->bands[b].n_roots;
  return TRUE;
}

/* A band has at most 2³² pixels and half as many runs, so 32 bits suffice to number runs. */
static gboolean
divide_into_bands (WfRuns       *runs,
                   const WfRun  *run,
                   GError      **error)
{
  gint64 n_wanted = run->n_threads == 1 ? 1 : BANDS_A_THREAD * run->n_threads;

  n_wanted = MAX (n_wanted, wf_shape_n_pixels (&runs->shape) / G_MAXUINT32 + 1);
  runs->rows_a_band = MAX (1, runs->n_rows / n_wanted);
  runs->n_bands     = (runs->n_rows + runs->rows_a_band - 1) / runs->rows_a_band;
  if (! (runs->bands = wf_allocate (runs->n_bands, sizeof *runs->bands, error)))
    return FALSE;
  for (gint64 b = 0; b < runs->n_bands; b++)
    runs->bands[b] = (WfBand) { b * runs->rows_a_band,
                                MIN ((b + 1) * runs->rows_a_band, runs->n_rows), 0, 0, 0 };
  return TRUE;
}

/* Numbers the components from 1 to @n_components.  The bits and runs of every row must be
 * set.  Counts up to three for each pixel as progress.
 */
gboolean
wf_runs_connect (WfRuns   *runs,
                 WfRun    *run,
                 guint32  *n_components,
                 GError  **error)
{
  Job    job   = { runs, run };
  WfRows bands = { .chunk = 1 };

  runs->first_run[0] = 0;
  for (gint64 row = 0; row < runs->n_rows; row++)
    runs->first_run[row + 1] += runs->first_run[row];
  if (! divide_into_bands (runs, run, error) ||
      ! (runs->node = wf_run_allocate (run, runs->first_run[runs->n_rows], sizeof (guint32),
                                       error)))
    return FALSE;

  bands.n            = runs->n_bands;
  bands.amount       = runs->rows_a_band * runs->shape.width;
  bands.scratch_size = WF_MOST_CONTACTS (runs->shape.width) * sizeof (WfContact);
  return wf_run_rows (run, &bands, connect_band, &job, error) &&
         join_bands (runs, run, n_components, error);
}


/*  Labels  */

/* Pixels that are written at once; those written beyond the end of a run are overwritten
 * afterwards.
 */
#define STRIDE 8

static inline void
fill (guint32 *labels,
      gint64   start,
      gint64   end,
      gint64   n,
      guint32  label)
{
  gint64 x = start;

  for (; x < end && x + STRIDE <= n; x += STRIDE)
    for (int i = 0; i < STRIDE; i++)
      labels[x + i] = label;
  for (; x < end; x++)
    labels[x] = label;
}

/* Replaces the labels of connected runs.  @number_of: for each label from 0 to @n_components */
gboolean
wf_runs_renumber (WfRuns         *runs,
                  const guint32  *number_of,
                  guint32         n_components,
                  GError        **error)
{
  const WfBand *last = &runs->bands[runs->n_bands - 1];
  const gint64  n    = last->first_component + last->n_components;

  if (runs->label)
    {
      for (gint64 i = 0; i < n; i++)
        runs->label[i] = number_of[runs->label[i]];
      return TRUE;
    }
  if (! (runs->label = wf_allocate (n_components, sizeof (guint32), error)))
    return FALSE;
  memcpy (runs->label, number_of + 1, n_components * sizeof (guint32));
  return TRUE;
}

/* How many runs of a row begin in its first @n_words words. */
static gint64
count_runs (const guint64 *bits,
            gint64         n_words)
{
  guint64 before = 0;
  gint64  n      = 0;

  for (gint64 i = 0; i < n_words; i++)
    {
      n     += __builtin_popcountll (bits[i] & ~(bits[i] << 1 | before));
      before = bits[i] >> 63;
    }
  return n;
}

/* Writes the labels of a row from pixel @start to @end, 0 on the background.  Both are multiples
 * of WF_BITS_A_WORD, but for the end of the row.  @labels: those of the whole row
 */
void
wf_runs_fill_part (const WfRuns *runs,
                   gint64        row,
                   gint64        start,
                   gint64        end,
                   guint32      *labels)
{
  const WfBand  *band   = band_of (runs, row);
  const guint64 *bits   = wf_runs_row (runs, row);
  const guint32 *table  = runs->label ? runs->label + band->first_component : NULL;
  const gint64   first  = start / WF_BITS_A_WORD;
  const gint64   last   = (end + WF_BITS_A_WORD - 1) / WF_BITS_A_WORD;
  const guint32 *node   = runs->node + runs->first_run[row] + count_runs (bits, first);
  guint64        before = first > 0 ? bits[first - 1] >> 63 : 0;
  guint32        label  = ! before ? 0 : table ? table[node[-1]] : node[-1] + 1;

  for (gint64 i = first; i < last; i++)
    {
      guint64 changes = bits[i] ^ (bits[i] << 1 | before);

      before = bits[i] >> 63;
      for (; changes; changes &= changes - 1)
        {
          gint64 x = i * WF_BITS_A_WORD + __builtin_ctzll (changes);

          fill (labels, start, x, end, label);
          start = x;
          if (label == 0)
            {
              label = table ? table[*node] : *node + 1;
              node++;
            }
          else
            label = 0;
        }
    }
  fill (labels, start, end, end, label);
}

/* The same for a whole row. */
void
wf_runs_fill_row (const WfRuns *runs,
                  gint64        row,
                  guint32      *labels)
{
  wf_runs_fill_part (runs, row, 0, runs->shape.width, labels);
}

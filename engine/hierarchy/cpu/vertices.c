/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The basins of a label image: their number, and the basin of each pixel.
 *
 * Labels that number the basins without a gap and leave no pixel out are used in place.
 * Otherwise pixels are numbered separately; unlabelled pixels get 0, for unlabelled.c.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "graph.h"

/* The most entries for each basin in a table of all labels; otherwise there is none. */
#define SPARSENESS 4

#define N_RECENT 256

/* Of one thread: labels that are too large for the bits, some of them several times. */
typedef struct
{
  WfTriples labels;
  guint32   recent[N_RECENT];
} LargeLabels;

typedef struct
{
  WfBasinGraph *graph;
  guint64      *present;    /* a bit for each label up to @most */
  guint32       most;
  LargeLabels  *large;
  guint64      *bits;       /* a row of marks for each thread */
  gint64        n_words;
  int           unlabelled; /* whether there are pixels without a label */
} Census;


static void
census_clear (Census *census)
{
  guint n = census->graph->run->n_threads;

  for (guint i = 0; census->large && i < n; i++)
    wf_triples_clear (&census->large[i].labels);
  g_free (census->large);
  g_free (census->present);
  g_free (census->bits);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Census, census_clear)

static gboolean
census_init (Census        *census,
             WfBasinGraph  *graph,
             GError       **error)
{
  gint64 n_pixels = wf_shape_n_pixels (&graph->task->shape);
  gint64 n_present;

  census->graph   = graph;
  census->most    = MIN (n_pixels, G_MAXUINT32);
  census->n_words = wf_mark_words (graph->task->shape.width);
  n_present       = (gint64) census->most / 64 + 1;
  if (! (census->present = wf_allocate (n_present, sizeof (guint64), error)) ||
      ! (census->bits = wf_allocate (census->n_words * graph->run->n_threads, sizeof (guint64),
                                     error)))
    return FALSE;

  memset (census->present, 0, n_present * sizeof (guint64));
  census->large = g_new0 (LargeLabels, graph->run->n_threads);
  return TRUE;
}

/* Notes where the labels of a row change. */
static guint64 *
mark_changes (const Census  *census,
              const guint32 *labels,
              guint          worker)
{
  guint64 *bits  = census->bits + worker * census->n_words;
  gint64   width = census->graph->task->shape.width;

  census->graph->marks->mark (labels, labels + 1, width - 1, FALSE, bits, census->n_words);
  return bits;
}


/*  Counting  */

static gboolean
note_large_label (LargeLabels  *large,
                  guint32       label,
                  GError      **error)
{
  guint32 *recent = &large->recent[label * 2654435761u >> 24];

  if (*recent == label)
    return TRUE;
  *recent = label;
  return wf_triples_push (&large->labels, (WfTriple) { { 0, 0, label } }, error);
}

static gboolean
note_labels (gpointer data,
             WfRow    row)
{
  Census        *census = data;
  gint64         width  = census->graph->task->shape.width;
  const guint32 *labels = wf_image_row (census->graph->task->labels, row.number);
  const guint64 *bits   = mark_changes (census, labels, row.worker);

  for (gint64 x = 0; x < width; x = wf_mark_run_end (bits, x, width))
    {
      const guint32 label = labels[x];
      const guint64 bit   = (guint64) 1 << label % 64;
      guint64      *word  = census->present + label / 64;

      if (label == 0)
        __atomic_store_n (&census->unlabelled, TRUE, __ATOMIC_RELAXED);
      else if (label > census->most)
        {
          if (! note_large_label (&census->large[row.worker], label, row.error))
            return FALSE;
        }
      else if (! (__atomic_load_n (word, __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or (word, bit, __ATOMIC_RELAXED);
    }
  return TRUE;
}

/* Collects the large labels of all threads, each once, in order. */
static gboolean
collect_large_labels (Census     *census,
                      WfTriples  *all,
                      GError    **error)
{
  g_auto (WfTriples) scratch = { 0 };
  gint64             n       = 0;

  for (guint i = 0; i < census->graph->run->n_threads; i++)
    {
      WfTriples *some = &census->large[i].labels;

      if (some->n == 0)
        continue;
      if (! wf_triples_grow (all, all->n + some->n, error))
        return FALSE;
      memcpy (all->items + all->n, some->items, some->n * sizeof (WfTriple));
      all->n += some->n;
      wf_triples_clear (some);
    }
  if (! wf_triples_sort (all, 0, 2, &scratch, census->graph->run, error))
    return FALSE;
  for (gint64 i = 0; i < all->n; i++)
    if (i == 0 || all->items[i].word[2] != all->items[i - 1].word[2])
      all->items[n++] = all->items[i];
  all->n = n;
  return TRUE;
}

/* Lists the labels, unless they are 1, 2, … without a gap. */
static gboolean
list_labels (const Census     *census,
             const WfTriples  *large,
             WfBasinTree      *tree,
             gint64            n_small,
             GError          **error)
{
  guint32 n = 0;

  tree->n_basins = n_small + large->n;
  tree->highest  = large->n > 0 ? large->items[large->n - 1].word[2] : 0;
  for (gint64 i = census->most / 64; tree->highest == 0 && i >= 0; i--)
    if (census->present[i])
      tree->highest = i * 64 + 63 - __builtin_clzll (census->present[i]);
  if (tree->highest == tree->n_basins)
    return TRUE;

  tree->labels = wf_allocate (tree->n_basins, sizeof (guint32), error);
  if (! tree->labels)
    return FALSE;
  for (gint64 i = 0; i <= census->most / 64; i++)
    for (guint64 word = census->present[i]; word; word &= word - 1)
      tree->labels[n++] = i * 64 + __builtin_ctzll (word);
  for (gint64 i = 0; i < large->n; i++)
    tree->labels[n++] = large->items[i].word[2];
  return TRUE;
}

/* Makes the table of all labels, where one is worth it. */
gboolean
wf_hierarchy_index_labels (WfBasinTree  *tree,
                           GError      **error)
{
  if (! tree->labels || tree->highest / SPARSENESS > (guint64) tree->n_basins + 1024)
    return TRUE;

  tree->index = wf_allocate ((gint64) tree->highest + 1, sizeof (guint32), error);
  if (! tree->index)
    return FALSE;
  memset (tree->index, 0, ((gsize) tree->highest + 1) * sizeof (guint32));
  for (guint32 i = 0; i < tree->n_basins; i++)
    tree->index[tree->labels[i]] = i + 1;
  return TRUE;
}

/* Sets an error; returns FALSE. */
gboolean
wf_hierarchy_refuse_empty (GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The label image has no basins: all its pixels are 0."));
  return FALSE;
}

static gboolean
check_basins (guint64   n_basins,
              GError  **error)
{
  if (n_basins <= WF_MOST_VERTICES)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("The label image holds more than %u basins."), WF_MOST_VERTICES);
  return FALSE;
}

static gboolean
count_basins (Census  *census,
              GError **error)
{
  g_auto (WfTriples) large   = { 0 };
  gint64             n_small = 0;

  if (! collect_large_labels (census, &large, error))
    return FALSE;
  for (gint64 i = 0; i <= census->most / 64; i++)
    n_small += __builtin_popcountll (census->present[i]);

  if (n_small + large.n == 0 && ! census->graph->is_part)
    return wf_hierarchy_refuse_empty (error);
  return check_basins (n_small + large.n, error) &&
         list_labels (census, &large, census->graph->tree, n_small, error) &&
         wf_hierarchy_index_labels (census->graph->tree, error);
}


/*  Numbering  */

static gboolean
number_row (gpointer data,
            WfRow    row)
{
  Census        *census = data;
  WfBasinGraph  *graph  = census->graph;
  gint64         width  = graph->task->shape.width;
  const guint32 *labels = wf_image_row (graph->task->labels, row.number);
  gconstpointer  levels = wf_image_row (graph->task->image, row.number);
  const guint64 *bits   = mark_changes (census, labels, row.worker);
  guint32       *result = graph->own + row.number * width;

  for (gint64 x = 0, after; x < width; x = after)
    {
      guint32 vertex = labels[x] ? wf_basin_tree_find (graph->tree, labels[x]) : 0;

      after = wf_mark_run_end (bits, x, width);
      for (gint64 i = x; i < after; i++)
        result[i] = vertex;
      if (vertex && wf_row_is_own (graph->task, row.number))
        wf_hierarchy_count_run (graph, vertex - 1, levels, x, after);
    }
  return TRUE;
}

static gboolean
number_pixels (Census  *census,
               GError **error)
{
  WfBasinGraph  *graph = census->graph;
  const WfShape *shape = &graph->task->shape;
  const WfRows   rows  = { .n = shape->height * shape->depth, .amount = shape->width };

  graph->own = wf_allocate (wf_shape_n_pixels (shape), sizeof (guint32), error);
  if (! graph->own ||
      ! wf_image_init (&graph->vertices, WF_TYPE_U32, shape->width, shape->height, shape->depth,
                       graph->own, error))
    return FALSE;
  wf_run_begin (graph->run, 0.1, wf_shape_n_pixels (shape));
  return wf_run_rows (graph->run, &rows, number_row, census, error) &&
         (! census->unlabelled || wf_hierarchy_unlabelled (graph, error));
}

/* Allocates what is counted for each basin. */
static gboolean
prepare_counts (WfBasinGraph  *graph,
                GError       **error)
{
  gint64 n = graph->tree->n_basins;

  if (graph->task->measure == WF_MEASURE_DYNAMICS)
    {
      graph->least = wf_allocate (n, sizeof (guint32), error);
      if (graph->least)
        memset (graph->least, 0xff, n * sizeof (guint32));
      return graph->least != NULL;
    }
  if (graph->task->measure == WF_MEASURE_AREA)
    {
      graph->area = wf_allocate (n, sizeof (guint64), error);
      if (graph->area)
        memset (graph->area, 0, n * sizeof (guint64));
      return graph->area != NULL;
    }
  return TRUE;
}

/* The vertices are the labels. */
static void
use_labels (WfBasinGraph *graph)
{
  graph->n_fixed    = graph->tree->n_basins;
  graph->n_vertices = graph->n_fixed;
  graph->vertices   = *graph->task->labels;
}

/* Labels that are known to be 1 to @n_labels, all pixels having one: no pixel is read. */
gboolean
wf_hierarchy_take_labels (WfBasinGraph  *graph,
                          guint32        n_labels,
                          GError       **error)
{
  graph->tree->n_basins = n_labels;
  graph->tree->highest  = n_labels;
  use_labels (graph);
  return check_basins (n_labels, error) && prepare_counts (graph, error);
}

/* Counts the basins and numbers the pixels by them. */
gboolean
wf_hierarchy_vertices (WfBasinGraph  *graph,
                       GError       **error)
{
  const WfShape   *shape  = &graph->task->shape;
  const WfRows     rows   = { .n = shape->height * shape->depth, .amount = shape->width };
  g_auto (Census)  census = { .graph = graph };

  wf_run_begin (graph->run, 0.1, wf_shape_n_pixels (shape));
  if (! census_init (&census, graph, error) ||
      ! wf_run_rows (graph->run, &rows, note_labels, &census, error) ||
      ! count_basins (&census, error) ||
      ! prepare_counts (graph, error))
    return FALSE;

  use_labels (graph);
  return (! graph->tree->labels && ! census.unlabelled) || number_pixels (&census, error);
}

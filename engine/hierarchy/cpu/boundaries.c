/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of boundaries: which vertices are neighbours, and the least pass between
 * them, in one pass over the image.
 *
 * Threads work on bands of rows.  In a band the pairs of pixels on boundaries, found 64 at
 * a time, are entered into a small table that keeps the least pass of a pair of
 * vertices.  Entries that it displaces go to a list; a pair may occur several times.  At
 * the end of a band only the edges of the band's minimum spanning forest are kept (forest.c).  At
 * most one edge for each vertex of the band is left, which leaves little for the single-threaded
 * rest.
 */

#include "config.h"

#include <string.h>

#include "graph.h"

#define BAND_PIXELS (1 << 18)
#define LEAST_SLOTS 6    /* powers of two */
#define MOST_SLOTS  14

/* The most rows after a pixel's own that hold neighbours of it. */
#define MOST_ROWS_AFTER 4

typedef struct
{
  int      dy;
  int      dz;
  gboolean wide;    /* diagonal neighbours, too */
} RowAfter;

/**
 * Worker:
 * @slots: the table: for two vertices the least edge so far; slots of equal vertices are free
 * @edges: kept edges of finished bands, then those of the current one
 * @roots: of a union-find over the vertices from @first on
 * @bits: marks of a row
 */
typedef struct
{
  WfTriple  *slots;
  WfTriples  edges;
  WfTriples  scratch;
  guint32   *roots;
  gint64     n_roots;
  guint64   *bits;
} Worker;

typedef struct
{
  WfBasinGraph *graph;
  Worker       *workers;
  int           slot_bits;
  gint64        band;       /* rows */
  gint64        first;      /* of the task's own rows */
  gint64        n_rows;
  RowAfter      after[MOST_ROWS_AFTER];
  int           n_after;
} Search;


static void
search_clear (Search *search)
{
  for (guint i = 0; i < search->graph->run->n_threads; i++)
    {
      Worker *worker = &search->workers[i];

      g_free (worker->slots);
      g_free (worker->roots);
      g_free (worker->bits);
      wf_triples_clear (&worker->edges);
      wf_triples_clear (&worker->scratch);
    }
  g_free (search->workers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static gint64
rows_of_band (const WfShape *shape)
{
  return MAX (1, BAND_PIXELS / shape->width);
}

static void
search_init (Search       *search,
             WfBasinGraph *graph)
{
  const WfShape *shape        = &graph->task->shape;
  const int      connectivity = graph->task->connectivity;
  const gboolean wide         = connectivity == 8 || connectivity == 26;
  gint64         band_pixels;

  search->graph   = graph;
  search->workers = g_new0 (Worker, graph->run->n_threads);
  search->first   = graph->task->rows_before;
  search->n_rows  = wf_count_rows (graph->task) - search->first - graph->task->rows_after;
  search->band    = graph->run->tile_size > 0 ? graph->run->tile_size : rows_of_band (shape);
  search->band    = MIN (search->band, search->n_rows);

  band_pixels       = search->band * shape->width;
  search->slot_bits = LEAST_SLOTS;
  while (search->slot_bits < MOST_SLOTS && 4 << search->slot_bits < band_pixels)
    search->slot_bits++;

  search->after[search->n_after++] = (RowAfter) { 1, 0, wide };
  if (connectivity == 26)
    search->after[search->n_after++] = (RowAfter) { -1, 1, wide };
  if (connectivity == 26 || connectivity == 6)
    search->after[search->n_after++] = (RowAfter) { 0, 1, wide };
  if (connectivity == 26)
    search->after[search->n_after++] = (RowAfter) { 1, 1, wide };
}

static gboolean
worker_init (Worker        *worker,
             const Search  *search,
             GError       **error)
{
  if (worker->slots)
    return TRUE;
  worker->slots = wf_allocate (1 << search->slot_bits, sizeof (WfTriple), error);
  worker->bits  = worker->slots ? wf_allocate (wf_mark_words (search->graph->task->shape.width),
                                               sizeof (guint64), error)
                                : NULL;
  if (! worker->bits)
    return FALSE;
  memset (worker->slots, 0, sizeof (WfTriple) << search->slot_bits);
  return TRUE;
}


/*  Edges between pixels  */

/* @v, @w: two different vertices, plus 1 */
static inline gboolean
offer (Worker   *worker,
       int       slot_bits,
       guint32   v,
       guint32   w,
       guint32   pass,
       GError  **error)
{
  const guint32  smaller = MIN (v, w) - 1;
  const guint32  larger  = MAX (v, w) - 1;
  WfTriple      *slot    = worker->slots + ((smaller * 2654435761u + larger * 2246822519u)
                                            >> (32 - slot_bits));

  if (slot->word[WF_EDGE_SMALLER] == smaller && slot->word[WF_EDGE_LARGER] == larger)
    {
      slot->word[WF_EDGE_PASS] = MIN (slot->word[WF_EDGE_PASS], pass);
      return TRUE;
    }
  if (slot->word[WF_EDGE_SMALLER] != slot->word[WF_EDGE_LARGER] &&
      ! wf_triples_push (&worker->edges, *slot, error))
    return FALSE;
  *slot = (WfTriple) { { larger, smaller, pass } };
  return TRUE;
}

/* A row of vertices with its levels. */
typedef struct
{
  const guint32 *vertices;
  gconstpointer  levels;
} Row;

/* Pixel @x of @row and pixel @other_x of @other are neighbours. */
static inline gboolean
meet (Worker       *worker,
      int           slot_bits,
      const Row    *row,
      gint64        x,
      const Row    *other,
      gint64        other_x,
      const WfType  type,
      GError      **error)
{
  const guint32 v = row->vertices[x];
  const guint32 w = other->vertices[other_x];

  return v == w ||
         offer (worker, slot_bits, v, w, MAX (wf_level_key (row->levels, x, type),
                                              wf_level_key (other->levels, other_x, type)),
                error);
}

static inline gboolean
meet_marked (Worker         *worker,
             int             slot_bits,
             const Row      *row,
             const Row      *other,
             gint64          n,
             const gboolean  wide,
             const WfType    type,
             GError        **error)
{
  for (gint64 i = 0; i < wf_mark_words (n); i++)
    for (guint64 word = worker->bits[i]; word; word &= word - 1)
      {
        const gint64 x = i * 64 + __builtin_ctzll (word);

        if (! meet (worker, slot_bits, row, x, other, x, type, error))
          return FALSE;
        if (wide &&
            ((x > 0 && ! meet (worker, slot_bits, row, x, other, x - 1, type, error)) ||
             (x < n - 1 && ! meet (worker, slot_bits, row, x, other, x + 1, type, error))))
          return FALSE;
      }
  return TRUE;
}

/* One body, compiled for each type of level. */
static gboolean
meet_rows (Worker        *worker,
           const Search  *search,
           const Row     *row,
           const Row     *other,
           gint64         n,
           gboolean       wide,
           GError       **error)
{
  const int    bits = search->slot_bits;
  const WfType type = search->graph->task->type;

  search->graph->marks->mark (row->vertices, other->vertices, n, wide, worker->bits,
                              wf_mark_words (search->graph->task->shape.width));
  if (type == WF_TYPE_U8)
    return wide ? meet_marked (worker, bits, row, other, n, TRUE, WF_TYPE_U8, error)
                : meet_marked (worker, bits, row, other, n, FALSE, WF_TYPE_U8, error);
  if (type == WF_TYPE_U16)
    return wide ? meet_marked (worker, bits, row, other, n, TRUE, WF_TYPE_U16, error)
                : meet_marked (worker, bits, row, other, n, FALSE, WF_TYPE_U16, error);
  return wide ? meet_marked (worker, bits, row, other, n, TRUE, WF_TYPE_F32, error)
              : meet_marked (worker, bits, row, other, n, FALSE, WF_TYPE_F32, error);
}

static Row
row_at (const WfBasinGraph *graph,
        gint64              row)
{
  return (Row) { wf_image_row (&graph->vertices, row), wf_image_row (graph->task->image, row) };
}

/* If the caller's labels are the vertices, their runs have not been counted before. */
static void
count_runs (const WfBasinGraph *graph,
            const Row          *row,
            const guint64      *bits)
{
  const gint64 width = graph->task->shape.width;

  for (gint64 x = 0, after; x < width; x = after)
    {
      after = wf_mark_run_end (bits, x, width);
      wf_hierarchy_count_run (graph, row->vertices[x] - 1, row->levels, x, after);
    }
}

static gboolean
search_row (Worker        *worker,
            const Search  *search,
            gint64         row,
            GError       **error)
{
  const WfBasinGraph *graph = search->graph;
  const gint64        width = graph->task->shape.width;
  const Row           here  = row_at (graph, row);
  const Row           moved = { here.vertices + 1,
                                (const char *) here.levels + wf_type_size (graph->task->type) };

  if (! meet_rows (worker, search, &here, &moved, width - 1, FALSE, error))
    return FALSE;
  if (! graph->own)
    count_runs (graph, &here, worker->bits);

  for (int i = 0; i < search->n_after; i++)
    {
      const RowAfter *after = &search->after[i];
      gint64          other;
      Row             there;

      if (! wf_row_beside (&graph->task->shape, row, after->dy, after->dz, &other))
        continue;
      there = row_at (graph, other);
      if (! meet_rows (worker, search, &here, &there, width, after->wide, error))
        return FALSE;
    }
  return TRUE;
}


/*  The forest of a band  */

static gboolean
prepare_roots (Worker   *worker,
               gint64    first,
               guint32  *lowest,
               GError  **error)
{
  guint32 least = G_MAXUINT32;
  guint32 most  = 0;
  gint64  range;

  for (gint64 i = first; i < worker->edges.n; i++)
    {
      least = MIN (least, worker->edges.items[i].word[WF_EDGE_SMALLER]);
      most  = MAX (most, worker->edges.items[i].word[WF_EDGE_LARGER]);
    }
  range   = (gint64) most - least + 1;
  *lowest = least;
  if (range <= worker->n_roots)
    return TRUE;

  g_free (worker->roots);
  worker->n_roots = 0;
  worker->roots   = wf_allocate (range, sizeof (guint32), error);
  if (! worker->roots)
    return FALSE;
  worker->n_roots = range;
  return TRUE;
}

/* Keeps of the edges from number @first on only those that wf_hierarchy_keep_forest() keeps. */
static gboolean
keep_forest (Worker              *worker,
             gint64               first,
             const WfBasinGraph  *graph,
             GError             **error)
{
  guint32 lowest;

  if (worker->edges.n == first)
    return TRUE;
  if (! wf_triples_sort (&worker->edges, first, 0, &worker->scratch, graph->run, error) ||
      ! prepare_roots (worker, first, &lowest, error))
    return FALSE;
  worker->edges.n = first + wf_hierarchy_keep_forest (worker->edges.items + first,
                                                      worker->edges.n - first, worker->roots,
                                                      lowest, graph->n_fixed);
  return TRUE;
}

static gboolean
empty_slots (Worker        *worker,
             const Search  *search,
             GError       **error)
{
  for (gint64 i = 0; i < (gint64) 1 << search->slot_bits; i++)
    {
      WfTriple *slot = &worker->slots[i];

      if (slot->word[WF_EDGE_SMALLER] == slot->word[WF_EDGE_LARGER])
        continue;
      if (! wf_triples_push (&worker->edges, *slot, error))
        return FALSE;
      *slot = (WfTriple) { { 0, 0, 0 } };
    }
  return TRUE;
}

static gboolean
search_band (gpointer data,
             WfRow    band)
{
  const Search *search = data;
  Worker       *worker = &search->workers[band.worker];
  gint64        first  = worker->edges.n;
  gint64        row    = search->first + band.number * search->band;
  gint64        after  = MIN (row + search->band, search->first + search->n_rows);

  if (! worker_init (worker, search, band.error))
    return FALSE;
  for (; row < after; row++)
    {
      if (! wf_run_advance (search->graph->run, 0))
        return wf_run_set_cancelled (band.error);
      if (! search_row (worker, search, row, band.error))
        return FALSE;
    }
  return empty_slots (worker, search, band.error) &&
         keep_forest (worker, first, search->graph, band.error);
}

/* Merges the edges of all workers, in order. */
static gboolean
gather_edges (Search  *search,
              GError **error)
{
  WfTriples          *edges   = &search->graph->edges;
  g_auto (WfTriples)  scratch = { 0 };
  gint64              n       = 0;

  for (guint i = 0; i < search->graph->run->n_threads; i++)
    n += search->workers[i].edges.n;
  if (! wf_triples_grow (edges, n, error))
    return FALSE;
  for (guint i = 0; i < search->graph->run->n_threads; i++)
    {
      WfTriples *some = &search->workers[i].edges;

      if (some->n > 0)
        memcpy (edges->items + edges->n, some->items, some->n * sizeof (WfTriple));
      edges->n += some->n;
      wf_triples_clear (some);
      wf_triples_clear (&search->workers[i].scratch);
    }
  return wf_triples_sort (edges, 0, 0, &scratch, search->graph->run, error);
}

/* Finds the edges of a part of the graph that has the same minimum spanning tree, in order. */
gboolean
wf_hierarchy_boundaries (WfBasinGraph  *graph,
                         GError       **error)
{
  g_auto (Search) search = { .graph = graph };
  WfRows          bands;

  search_init (&search, graph);
  bands = (WfRows) { (search.n_rows + search.band - 1) / search.band, 1,
                     search.band * graph->task->shape.width, 0 };
  wf_run_begin (graph->run, 0.5, wf_shape_n_pixels (&graph->task->shape));
  return wf_run_rows (graph->run, &bands, search_band, &search, error) &&
         gather_edges (&search, error);
}

/* Bytes of the tables of threads, each of which has a band. */
guint64
wf_hierarchy_boundaries_memory (const WfHierarchyTask *task,
                                guint                  n_threads)
{
  const gint64 n_bands = wf_count_rows (task) / rows_of_band (&task->shape) + 1;

  return MIN (n_threads, n_bands) * (sizeof (WfTriple) << MOST_SLOTS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "engine/cpu/union-find.h"
#include "rim-forest.h"
#include "rim-graph.h"

#define NODES_TO_A_LOOK (1 << 16)

/* In place of a node. */
#define NO_NODE G_MAXUINT32

/* An edge of a band's forest, in the lists of its two nodes.
 * @next: for each of them the next edge in its list, plus 1; 0 at the end
 */
typedef struct WfRimLink
{
  guint32 node[2];
  guint32 next[2];
  guint32 level;
} Link;


/* Bytes that the graph of @n_bands bands takes. */
guint64
wf_rim_graph_memory (const WfRim *rim,
                     gint64       n_bands)
{
  return n_bands * WF_N_RIMS * wf_rim_n_pixels (rim)
         * (3 * sizeof (guint32) + sizeof (Link) + WF_TILE_QUEUE_BYTES);
}

gboolean
wf_rim_graph_init (WfRimGraph   *graph,
                   const WfRim  *rim,
                   gint64        n_bands,
                   GError      **error)
{
  gint64 n;

  graph->rim          = *rim;
  graph->n_bands      = n_bands;
  graph->n_band_nodes = WF_N_RIMS * wf_rim_n_pixels (rim);
  graph->n_nodes      = n = n_bands * graph->n_band_nodes;
  graph->links        = g_new0 (Link *, n_bands);
  graph->n_links      = g_new0 (gint64, n_bands);
  if (! (graph->level = wf_allocate (n, sizeof (guint32), error)) ||
      ! (graph->mask_level = wf_allocate (n, sizeof (guint32), error)) ||
      ! (graph->first_link = wf_allocate (n, sizeof (guint32), error)) ||
      ! wf_tile_queue_init (&graph->queue, n, error))
    return FALSE;
  memset (graph->level, 0, n * sizeof (guint32));
  memset (graph->mask_level, 0, n * sizeof (guint32));
  memset (graph->first_link, 0, n * sizeof (guint32));
  return TRUE;
}

void
wf_rim_graph_clear (WfRimGraph *graph)
{
  for (gint64 i = 0; graph->links && i < graph->n_bands; i++)
    g_free (graph->links[i]);
  g_free (graph->links);
  g_free (graph->n_links);
  g_free (graph->level);
  g_free (graph->mask_level);
  g_free (graph->first_link);
  wf_tile_queue_clear (&graph->queue);
}

/* The first node of a rim. */
gint64
wf_rim_graph_find (const WfRimGraph *graph,
                   gint64            number,
                   WfBandSide         side)
{
  return number * graph->n_band_nodes + side * wf_rim_n_pixels (&graph->rim);
}

/* Keeps the forest of a band as lists of edges of each node. */
gboolean
wf_rim_graph_link (WfRimGraph       *graph,
                   gint64            number,
                   const WfTriples  *edges,
                   GError          **error)
{
  guint32 *first_link = graph->first_link + number * graph->n_band_nodes;
  Link    *links;

  if (edges->n == 0)
    return TRUE;
  links = graph->links[number] = wf_allocate (edges->n, sizeof (Link), error);
  if (! links)
    return FALSE;
  graph->n_links[number] = edges->n;
  for (gint64 i = 0; i < edges->n; i++)
    {
      links[i].level = ~edges->items[i].word[WF_RIM_EDGE_LEVEL];
      for (int end = 0; end < 2; end++)
        {
          const guint32 node = edges->items[i].word[end];

          links[i].node[end] = node;
          links[i].next[end] = first_link[node];
          first_link[node]   = i + 1;
        }
    }
  return TRUE;
}


/*  Levels  */

/* Raises a node to @level if it is lower; then others follow in wf_rim_graph_solve(). */
void
wf_rim_graph_raise (WfRimGraph *graph,
                    gint64      node,
                    guint32     level)
{
  if (level <= graph->level[node])
    return;
  graph->level[node] = level;
  wf_tile_queue_push (&graph->queue, node, level);
}

/* Raises the nodes that a node touches across its seam, if it is at one. */
static void
raise_across (WfRimGraph *graph,
              gint64      node)
{
  const WfRim    *rim    = &graph->rim;
  const gint64    n      = wf_rim_n_pixels (rim);
  const gint64    number = node / graph->n_band_nodes;
  const WfBandSide side   = node / n % WF_N_RIMS;
  const gint64    x      = node % n % rim->width;
  const gint64    y      = node % n / rim->width;
  gint64          other;

  if (side == WF_BAND_FIRST ? number == 0 : number == graph->n_bands - 1)
    return;
  other = side == WF_BAND_FIRST ? wf_rim_graph_find (graph, number - 1, WF_BAND_LAST)
                               : wf_rim_graph_find (graph, number + 1, WF_BAND_FIRST);
  for (gint64 v = MAX (y - rim->reach, 0); v <= MIN (y + rim->reach, rim->height - 1); v++)
    for (gint64 u = MAX (x - rim->reach, 0); u <= MIN (x + rim->reach, rim->width - 1); u++)
      {
        const gint64 touched = other + v * rim->width + u;

        wf_rim_graph_raise (graph, touched, MIN (graph->level[node], graph->mask_level[touched]));
      }
}

/* Raises the nodes that a node is connected with in its band. */
static void
raise_inside (WfRimGraph *graph,
              gint64      node)
{
  const gint64  number = node / graph->n_band_nodes;
  const gint64  first  = number * graph->n_band_nodes;
  const guint32 own    = node - first;
  guint32       i      = graph->first_link[node];

  while (i > 0)
    {
      const Link *link = &graph->links[number][i - 1];
      const int   end  = link->node[0] == own ? 0 : 1;

      wf_rim_graph_raise (graph, first + link->node[1 - end],
                          MIN (graph->level[node], link->level));
      i = link->next[end];
    }
}

/* Spreads levels, the highest first, so that each node is visited once (Dijkstra). */
gboolean
wf_rim_graph_solve (WfRimGraph    *graph,
                    GCancellable  *cancellable,
                    GError       **error)
{
  gint64 n_visited = 0;

  for (gint64 node = 0; node < graph->n_nodes; node++)
    raise_across (graph, node);
  while (graph->queue.n > 0)
    {
      const gint64 node = wf_tile_queue_pop (&graph->queue);

      if (++n_visited % NODES_TO_A_LOOK == 0 && g_cancellable_is_cancelled (cancellable))
        return wf_run_set_cancelled (error);
      raise_across (graph, node);
      raise_inside (graph, node);
    }
  return TRUE;
}


/*  Contraction  */

/**
 * Contraction:
 * @all: edges of both sides and between them, sorted
 * @parents: of the nodes of both sides, for union-find
 * @outer: for each root a node of the outer rims that is connected with it, or %NO_NODE
 */
typedef struct
{
  WfTriples  all;
  WfTriples  scratch;
  guint32   *parents;
  guint32   *outer;
} Contraction;

static void
contraction_clear (Contraction *contraction)
{
  wf_triples_clear (&contraction->all);
  wf_triples_clear (&contraction->scratch);
  g_free (contraction->parents);
  g_free (contraction->outer);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Contraction, contraction_clear)

static gboolean
push_edge (Contraction  *contraction,
           guint32       a,
           guint32       b,
           guint32       level,
           GError      **error)
{
  return wf_triples_push (&contraction->all, (WfTriple) { { MAX (a, b), MIN (a, b), ~level } },
                          error);
}

/* Lists the edges across the seam before band @number; its nodes follow those of the last rim
 * before it.
 */
static gboolean
push_seam (Contraction       *contraction,
           const WfRimGraph  *graph,
           gint64             number,
           GError           **error)
{
  const WfRim   *rim    = &graph->rim;
  const gint64   n      = wf_rim_n_pixels (rim);
  const guint32 *before = graph->mask_level + wf_rim_graph_find (graph, number - 1, WF_BAND_LAST);
  const guint32 *after  = graph->mask_level + wf_rim_graph_find (graph, number, WF_BAND_FIRST);

  for (gint64 i = 0; i < n; i++)
    {
      const gint64 x = i % rim->width;
      const gint64 y = i / rim->width;

      for (gint64 v = MAX (y - rim->reach, 0); v <= MIN (y + rim->reach, rim->height - 1); v++)
        for (gint64 u = MAX (x - rim->reach, 0); u <= MIN (x + rim->reach, rim->width - 1); u++)
          {
            const gint64 k = v * rim->width + u;

            if (! push_edge (contraction, n + i, 2 * n + k, MIN (before[i], after[k]), error))
              return FALSE;
          }
    }
  return TRUE;
}

static gboolean
push_band (Contraction       *contraction,
           const WfRimGraph  *graph,
           gint64             number,
           GError           **error)
{
  const guint32 shift = graph->n_band_nodes;

  for (gint64 i = 0; i < graph->n_links[number]; i++)
    {
      const Link *link = &graph->links[number][i];

      if (! push_edge (contraction, shift + link->node[0], shift + link->node[1], link->level,
                       error))
        return FALSE;
    }
  return TRUE;
}

/* The first and the last rim of both sides are the outer ones. */
static gboolean
begin_sets (Contraction  *contraction,
            gint64        n,
            GError      **error)
{
  if (! (contraction->parents = wf_allocate (4 * n, sizeof (guint32), error)) ||
      ! (contraction->outer = wf_allocate (4 * n, sizeof (guint32), error)))
    return FALSE;
  for (gint64 node = 0; node < 4 * n; node++)
    {
      contraction->parents[node] = node;
      contraction->outer[node]   = node < n || node >= 3 * n ? node : NO_NODE;
    }
  return TRUE;
}

/* Joins the highest edges first.  Sets that each have an outer node are joined by an edge between
 * two of those: what passes from one outer node to another is the same.
 */
static gboolean
join_sets (Contraction  *contraction,
           gint64        n,
           WfTriples    *edges,
           GError      **error)
{
  guint32 *outer = contraction->outer;

  edges->n = 0;
  for (gint64 i = 0; i < contraction->all.n; i++)
    {
      const WfTriple edge = contraction->all.items[i];
      const guint32  a    = wf_find_root (contraction->parents, edge.word[0]);
      const guint32  b    = wf_find_root (contraction->parents, edge.word[1]);
      const guint32  root = MIN (a, b);
      WfTriple       kept = { { outer[a], outer[b], edge.word[WF_RIM_EDGE_LEVEL] } };

      if (a == b)
        continue;
      contraction->parents[MAX (a, b)] = root;
      outer[root] = outer[a] != NO_NODE ? outer[a] : outer[b];
      if (kept.word[0] == NO_NODE || kept.word[1] == NO_NODE)
        continue;
      for (int end = 0; end < 2; end++)
        kept.word[end] -= kept.word[end] >= n ? 2 * n : 0;
      if (! wf_triples_push (edges, kept, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds band @number to what @edges connect. */
static gboolean
contract_band (const WfRimGraph  *graph,
               gint64             number,
               WfRun             *run,
               WfTriples         *edges,
               GError           **error)
{
  const gint64         n           = wf_rim_n_pixels (&graph->rim);
  g_auto (Contraction) contraction = { 0 };

  for (gint64 i = 0; i < edges->n; i++)
    if (! wf_triples_push (&contraction.all, edges->items[i], error))
      return FALSE;
  return push_seam (&contraction, graph, number, error) &&
         push_band (&contraction, graph, number, error) &&
         wf_triples_sort (&contraction.all, 0, WF_RIM_EDGE_LEVEL, &contraction.scratch, run,
                          error) &&
         begin_sets (&contraction, n, error) &&
         join_sets (&contraction, n, edges, error);
}

/* A forest of the first band's first rim and the last one's last rim, as that of a single band:
 * what passes between their pixels, through all bands, is the same.
 */
gboolean
wf_rim_graph_contract (const WfRimGraph  *graph,
                       WfRun             *run,
                       WfTriples         *edges,
                       GError           **error)
{
  for (gint64 i = 0; i < graph->n_links[0]; i++)
    {
      const Link *link = &graph->links[0][i];

      if (! wf_triples_push (edges, (WfTriple) { { link->node[0], link->node[1], ~link->level } },
                             error))
        return FALSE;
    }
  for (gint64 number = 1; number < graph->n_bands; number++)
    if (! contract_band (graph, number, run, edges, error))
      return FALSE;
  return TRUE;
}

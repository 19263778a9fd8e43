/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "basin-part.h"
#include "cpu/graph.h"

#define UNKNOWN G_MAXUINT32


void
wf_basin_part_clear (WfBasinPart *part)
{
  g_free (part->labels);
  g_free (part->least);
  g_free (part->area);
  wf_basin_survey_clear (&part->survey);
  for (int side = 0; side < WF_PART_SIDES; side++)
    {
      g_free (part->exits[side]);
      g_free (part->rims[side]);
    }
  wf_triples_clear (&part->edges);
  *part = (WfBasinPart) { 0 };
}

/* The vertices that are no exits. */
static guint32
count_fixed (const WfBasinPart *part)
{
  return part->n_basins + part->n_minima;
}

/* The vertices. */
guint32
wf_basin_part_count (const WfBasinPart *part)
{
  return count_fixed (part) + part->n_exits[WF_PART_BEFORE] + part->n_exits[WF_PART_AFTER];
}

/* The first of the exits at a side. */
static guint32
first_exit (const WfBasinPart *part,
            int                side)
{
  return count_fixed (part) + (side == WF_PART_AFTER ? part->n_exits[WF_PART_BEFORE] : 0);
}

/* Bytes that it holds.  @rim: pixels of a row, or slice */
guint64
wf_basin_part_memory (const WfBasinPart *part,
                      gint64             rim)
{
  guint64 basin = sizeof (guint32);
  guint64 bytes = part->edges.capacity * sizeof (WfTriple);

  basin += part->least ? sizeof (guint32) : 0;
  basin += part->area ? sizeof (guint64) : 0;
  basin += part->survey.sums ? wf_basin_survey_memory (part->survey.type) : 0;
  for (int side = 0; side < WF_PART_SIDES; side++)
    bytes += part->n_exits[side] * sizeof (guint32)
             + (part->rims[side] ? rim * sizeof (guint32) : 0);
  return bytes + part->n_basins * basin;
}


/*  Joining  */

/**
 * Join:
 * @sides: the first part and the one after it
 * @to: for each of their vertices that of the @result
 */
typedef struct
{
  const WfBasinPart *sides[2];
  guint32           *to[2];
  WfBasinPart        result;
  gint64             rim;
  WfRun             *run;
} Join;


static void
join_clear (Join *join)
{
  g_free (join->to[0]);
  g_free (join->to[1]);
  wf_basin_part_clear (&join->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Join, join_clear)

/* Merges the two lists of labels. */
static gboolean
join_labels (Join    *join,
             GError **error)
{
  const WfBasinPart *a      = join->sides[0];
  const WfBasinPart *b      = join->sides[1];
  WfBasinPart       *result = &join->result;
  guint32            i      = 0;
  guint32            k      = 0;

  result->labels = wf_allocate ((gint64) a->n_basins + b->n_basins, sizeof (guint32), error);
  if (! result->labels)
    return FALSE;
  while (i < a->n_basins || k < b->n_basins)
    {
      const gboolean from_a = i < a->n_basins &&
                              (k == b->n_basins || a->labels[i] <= b->labels[k]);
      const gboolean from_b = k < b->n_basins &&
                              (i == a->n_basins || b->labels[k] <= a->labels[i]);

      result->labels[result->n_basins] = from_a ? a->labels[i] : b->labels[k];
      if (from_a)
        join->to[0][i++] = result->n_basins;
      if (from_b)
        join->to[1][k++] = result->n_basins;
      result->n_basins++;
    }
  return TRUE;
}

/* Numbers all vertices but the exits between the two parts. */
static gboolean
number_vertices (Join    *join,
                 GError **error)
{
  const WfBasinPart *a      = join->sides[0];
  const WfBasinPart *b      = join->sides[1];
  WfBasinPart       *result = &join->result;
  guint32            next;

  if (! wf_hierarchy_check_count ((guint64) result->n_basins + a->n_minima + b->n_minima
                                  + a->n_exits[WF_PART_BEFORE] + b->n_exits[WF_PART_AFTER], error))
    return FALSE;
  result->n_minima                 = a->n_minima + b->n_minima;
  result->n_exits[WF_PART_BEFORE]  = a->n_exits[WF_PART_BEFORE];
  result->n_exits[WF_PART_AFTER]   = b->n_exits[WF_PART_AFTER];
  next                             = result->n_basins;
  for (int side = 0; side < 2; side++)
    for (guint32 i = 0; i < join->sides[side]->n_minima; i++)
      join->to[side][join->sides[side]->n_basins + i] = next++;
  for (int side = 0; side < 2; side++)
    {
      const WfBasinPart *part  = join->sides[side];
      const guint32      outer = first_exit (part, side);
      const guint32      inner = first_exit (part, 1 - side);

      for (guint32 i = 0; i < part->n_exits[side]; i++)
        join->to[side][outer + i] = next++;
      for (guint32 i = 0; i < part->n_exits[1 - side]; i++)
        join->to[side][inner + i] = UNKNOWN;
    }
  return TRUE;
}

/* The vertex of the other part that an exit between the two parts is. */
static inline guint32
follow (const Join *join,
        int         side,
        guint32     v)
{
  const WfBasinPart *part = join->sides[side];
  const guint32      i    = v - first_exit (part, 1 - side);

  return join->sides[1 - side]->rims[side][part->exits[1 - side][i]] - 1;
}

/* Follows a path over the seam, which may cross it any number of times, to a vertex that has its
 * number, and then again, to number all exits on it.
 */
static void
resolve (Join    *join,
         int      side,
         guint32  v)
{
  int     at     = side;
  guint32 vertex = v;
  guint32 number;

  for (; join->to[at][vertex] == UNKNOWN; at = 1 - at)
    vertex = follow (join, at, vertex);
  number = join->to[at][vertex];
  for (at = side, vertex = v; join->to[at][vertex] == UNKNOWN; at = 1 - at)
    {
      join->to[at][vertex] = number;
      vertex               = follow (join, at, vertex);
    }
}

static void
resolve_exits (Join *join)
{
  for (int side = 0; side < 2; side++)
    {
      const WfBasinPart *part  = join->sides[side];
      const guint32      inner = first_exit (part, 1 - side);

      for (guint32 i = 0; i < part->n_exits[1 - side]; i++)
        if (join->to[side][inner + i] == UNKNOWN)
          resolve (join, side, inner + i);
    }
}

static void
add_edges (Join *join,
           int   side)
{
  const WfTriples *from = &join->sides[side]->edges;
  WfTriples       *to   = &join->result.edges;

  for (gint64 i = 0; i < from->n; i++)
    {
      const WfTriple *edge = &from->items[i];
      const guint32   v    = join->to[side][edge->word[WF_EDGE_SMALLER]];
      const guint32   w    = join->to[side][edge->word[WF_EDGE_LARGER]];
      WfTriple       *next = &to->items[to->n];

      if (v == w)
        continue;
      next->word[WF_EDGE_LARGER]  = MAX (v, w);
      next->word[WF_EDGE_SMALLER] = MIN (v, w);
      next->word[WF_EDGE_PASS]    = edge->word[WF_EDGE_PASS];
      to->n++;
    }
}

static gboolean
join_edges (Join    *join,
            GError **error)
{
  WfTriples           *edges   = &join->result.edges;
  g_auto (WfTriples)   scratch = { 0 };
  g_autofree guint32  *roots   = NULL;

  if (! wf_triples_grow (edges, join->sides[0]->edges.n + join->sides[1]->edges.n, error))
    return FALSE;
  add_edges (join, 0);
  add_edges (join, 1);
  if (! wf_triples_sort (edges, 0, 0, &scratch, join->run, error))
    return FALSE;
  wf_triples_clear (&scratch);
  roots = wf_allocate (wf_basin_part_count (&join->result), sizeof (guint32), error);
  if (! roots)
    return FALSE;
  edges->n = wf_hierarchy_keep_forest (edges->items, edges->n, roots, 0,
                                       count_fixed (&join->result));
  return TRUE;
}

static gboolean
join_measures (Join    *join,
               GError **error)
{
  WfBasinPart   *result = &join->result;
  const guint32  n      = result->n_basins;

  if (join->sides[0]->least)
    {
      if (! (result->least = wf_allocate (n, sizeof (guint32), error)))
        return FALSE;
      memset (result->least, 0xff, n * sizeof (guint32));
    }
  if (join->sides[0]->area)
    {
      if (! (result->area = wf_allocate (n, sizeof (guint64), error)))
        return FALSE;
      memset (result->area, 0, n * sizeof (guint64));
    }
  if (join->sides[0]->survey.sums &&
      ! wf_basin_survey_init (&result->survey, n, join->sides[0]->survey.type,
                              join->run->cancellable, error))
    return FALSE;

  for (int side = 0; side < 2; side++)
    for (guint32 i = 0; i < join->sides[side]->n_basins; i++)
      {
        const WfBasinPart *part = join->sides[side];
        const guint32      to   = join->to[side][i];

        if (result->least)
          result->least[to] = MIN (result->least[to], part->least[i]);
        if (result->area)
          result->area[to] += part->area[i];
        if (result->survey.sums)
          wf_basin_survey_move (&result->survey, to, &part->survey, i);
      }
  return TRUE;
}

/* Gives the result what is at the outer side of a part. */
static void
keep_side (Join        *join,
           WfBasinPart *part,
           int          side)
{
  WfBasinPart *result = &join->result;
  guint32     *rim;

  result->exits[side] = g_steal_pointer (&part->exits[side]);
  result->rims[side]  = rim = g_steal_pointer (&part->rims[side]);
  for (gint64 i = 0; rim && i < join->rim; i++)
    if (rim[i] != 0)
      rim[i] = join->to[side][rim[i] - 1] + 1;
}

/* Makes @part that of both, and clears @after, the one that follows it.  @rim: pixels of a row, or
 * slice
 */
gboolean
wf_basin_part_join (WfBasinPart  *part,
                    WfBasinPart  *after,
                    gint64        rim,
                    WfRun        *run,
                    GError      **error)
{
  g_auto (Join) join = { .sides = { part, after }, .rim = rim, .run = run };

  for (int side = 0; side < 2; side++)
    if (! (join.to[side] = wf_allocate (wf_basin_part_count (join.sides[side]), sizeof (guint32),
                                        error)))
      return FALSE;
  if (! join_labels (&join, error) ||
      ! number_vertices (&join, error))
    return FALSE;
  resolve_exits (&join);
  if (! join_edges (&join, error) ||
      ! join_measures (&join, error))
    return FALSE;

  keep_side (&join, part, WF_PART_BEFORE);
  keep_side (&join, after, WF_PART_AFTER);
  wf_basin_part_clear (part);
  wf_basin_part_clear (after);
  *part       = join.result;
  join.result = (WfBasinPart) { 0 };
  return TRUE;
}


/*  Messages  */

/* What is said before the arrays of a part. */
typedef struct
{
  gint64 n_basins;
  gint64 n_minima;
  gint64 n_exits[WF_PART_SIDES];
  gint64 n_edges;
  gint64 has_rim[WF_PART_SIDES];
  gint64 has_least;
  gint64 has_area;
  gint64 survey_type;       /* −1: none */
} Header;

gboolean
wf_basin_part_send (const WfBasinPart  *part,
                    gint64              rim,
                    WfCommunicator     *ranks,
                    guint               to,
                    GError            **error)
{
  const gint64 n      = part->n_basins;
  const Header header =
    {
      .n_basins    = n,
      .n_minima    = part->n_minima,
      .n_exits     = { part->n_exits[0], part->n_exits[1] },
      .n_edges     = part->edges.n,
      .has_rim     = { part->rims[0] != NULL, part->rims[1] != NULL },
      .has_least   = part->least != NULL,
      .has_area    = part->area != NULL,
      .survey_type = part->survey.sums ? (gint64) part->survey.type : -1,
    };

  if (! wf_ranks_send (ranks, to, &header, 1, sizeof header, error) ||
      ! wf_ranks_send (ranks, to, part->labels, n, sizeof (guint32), error) ||
      ! wf_ranks_send (ranks, to, part->edges.items, part->edges.n, sizeof (WfTriple), error) ||
      (part->least && ! wf_ranks_send (ranks, to, part->least, n, sizeof (guint32), error)) ||
      (part->area && ! wf_ranks_send (ranks, to, part->area, n, sizeof (guint64), error)) ||
      (part->survey.sums &&
       (! wf_ranks_send (ranks, to, part->survey.sums, n, sizeof (WfBasinSums), error) ||
        ! wf_ranks_send (ranks, to, part->survey.cells, wf_basin_survey_cells (&part->survey),
                         sizeof (gint64), error))))
    return FALSE;
  for (int side = 0; side < WF_PART_SIDES; side++)
    if (! wf_ranks_send (ranks, to, part->exits[side], part->n_exits[side], sizeof (guint32),
                         error) ||
        (part->rims[side] &&
         ! wf_ranks_send (ranks, to, part->rims[side], rim, sizeof (guint32), error)))
      return FALSE;
  return TRUE;
}

/* Receives an array into new memory. */
static gboolean
receive (WfCommunicator  *ranks,
         guint            from,
         gpointer         array,
         gint64           n,
         gsize            size,
         GError         **error)
{
  gpointer *at = array;

  return (*at = wf_allocate (n, size, error)) &&
         wf_ranks_receive (ranks, from, *at, n, size, error);
}

/* @part: empty; to be cleared whatever the result */
gboolean
wf_basin_part_receive (WfBasinPart     *part,
                       gint64           rim,
                       WfCommunicator  *ranks,
                       guint            from,
                       GError         **error)
{
  Header header;

  if (! wf_ranks_receive (ranks, from, &header, 1, sizeof header, error))
    return FALSE;
  part->n_basins = header.n_basins;
  part->n_minima = header.n_minima;
  if (! receive (ranks, from, &part->labels, header.n_basins, sizeof (guint32), error) ||
      ! receive (ranks, from, &part->edges.items, header.n_edges, sizeof (WfTriple), error) ||
      (header.has_least &&
       ! receive (ranks, from, &part->least, header.n_basins, sizeof (guint32), error)) ||
      (header.has_area &&
       ! receive (ranks, from, &part->area, header.n_basins, sizeof (guint64), error)))
    return FALSE;
  part->edges.n = part->edges.capacity = header.n_edges;
  if (header.survey_type >= 0)
    {
      part->survey.n    = header.n_basins;
      part->survey.type = header.survey_type;
      if (! receive (ranks, from, &part->survey.sums, header.n_basins, sizeof (WfBasinSums),
                     error) ||
          ! receive (ranks, from, &part->survey.cells, wf_basin_survey_cells (&part->survey),
                     sizeof (gint64), error))
        return FALSE;
    }
  for (int side = 0; side < WF_PART_SIDES; side++)
    {
      part->n_exits[side] = header.n_exits[side];
      if (! receive (ranks, from, &part->exits[side], header.n_exits[side], sizeof (guint32),
                     error) ||
          (header.has_rim[side] &&
           ! receive (ranks, from, &part->rims[side], rim, sizeof (guint32), error)))
        return FALSE;
    }
  return TRUE;
}

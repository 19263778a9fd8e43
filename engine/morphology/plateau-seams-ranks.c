/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plateaux that cross the seams between the parts of several ranks (engine/ranks/tree.h).
 *
 * An interval's summary is its two outer rims: for each pixel its level, and which plateau it
 * belongs to if that is not out by now.  From outside an interval is told which of these are out.
 */

#include "config.h"

#include <string.h>

#include "plateau-seams.h"

/**
 * Interval:
 * @rims: the first and the last, with plateaux numbered from 1
 * @n: plateaux
 */
typedef struct
{
  WfPlateauRim rims[2];
  gint64       n;
} Interval;

/**
 * Pair:
 * @seams: of two intervals
 * @outer: the number of each root in the interval of both, or 0
 * @n_first: plateaux of the first interval, which are the first nodes
 */
typedef struct
{
  WfPlateauSeams  seams;
  guint32        *outer;
  gint64          n_first;
} Pair;

/**
 * Tree:
 * @told: for each plateau of this rank's interval whether it is out
 */
typedef struct
{
  WfCommunicator *ranks;
  WfRim           rim;
  Interval        interval;
  Pair            pairs[WF_RANK_LEVELS];
  guint8         *told;
} Tree;


static void
interval_clear (Interval *interval)
{
  wf_plateau_rim_clear (&interval->rims[0]);
  wf_plateau_rim_clear (&interval->rims[1]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Interval, interval_clear)

static void
tree_clear (Tree *tree)
{
  interval_clear (&tree->interval);
  for (int level = 0; level < WF_RANK_LEVELS; level++)
    {
      wf_plateau_seams_clear (&tree->pairs[level].seams);
      g_free (tree->pairs[level].outer);
    }
  g_free (tree->told);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* Bytes that the tree takes in any rank: rims of two intervals; of each pair nodes and levels. */
guint64
wf_plateau_ranks_memory (gint64                n_rim,
                         const WfCommunicator *ranks)
{
  return wf_ranks_are_several (ranks)
         ? 8 * n_rim * sizeof (guint32) + 3 * n_rim
           + wf_ranks_count_levels (ranks)
             * n_rim * (2 * WF_PLATEAU_NODE_BYTES + 4 * sizeof (guint32))
         : 0;
}

/* Numbers the plateaux at the outer rims that are not out. */
static gboolean
summarize (WfPlateauSeams      *seams,
           const WfPlateauRim  *first,
           const WfPlateauRim  *last,
           guint32            **outer,
           Interval            *interval,
           GError             **error)
{
  const WfPlateauRim *rims[] = { first, last };
  const gint64        n      = wf_rim_n_pixels (&seams->rim);

  interval->n = 0;
  if (! (*outer = wf_allocate (MAX (seams->n_nodes, 1), sizeof (guint32), error)))
    return FALSE;
  memset (*outer, 0, seams->n_nodes * sizeof (guint32));
  for (int side = 0; side < 2; side++)
    {
      if (! wf_plateau_rim_init (&interval->rims[side], n, error))
        return FALSE;
      wf_plateau_rim_copy (&interval->rims[side], rims[side], n);
      for (gint64 i = 0; i < n; i++)
        {
          const guint32 node = rims[side]->node[i];
          const guint32 root = node ? wf_plateau_seams_find_root (seams, node - 1) : 0;
          const gboolean in  = node && ! seams->out[root];

          if (in && (*outer)[root] == 0)
            (*outer)[root] = ++interval->n;
          interval->rims[side].node[i] = in ? (*outer)[root] : 0;
        }
    }
  return TRUE;
}

/* Of WfRankTree. */
static gboolean
send_summary (gpointer   data,
              guint      rank,
              GError   **error)
{
  const Tree *tree = data;
  const gint64 n   = wf_rim_n_pixels (&tree->rim);

  for (int side = 0; side < 2; side++)
    if (! wf_ranks_send (tree->ranks, rank, tree->interval.rims[side].node, n, sizeof (guint32),
                         error) ||
        ! wf_ranks_send (tree->ranks, rank, tree->interval.rims[side].key, n, sizeof (guint32),
                         error))
      return FALSE;
  return wf_ranks_send (tree->ranks, rank, &tree->interval.n, 1, sizeof (gint64), error);
}

static gboolean
receive_summary (const Tree  *tree,
                 guint        rank,
                 Interval    *interval,
                 GError     **error)
{
  const gint64 n = wf_rim_n_pixels (&tree->rim);

  for (int side = 0; side < 2; side++)
    if (! wf_plateau_rim_init (&interval->rims[side], n, error) ||
        ! wf_ranks_receive (tree->ranks, rank, interval->rims[side].node, n, sizeof (guint32),
                            error) ||
        ! wf_ranks_receive (tree->ranks, rank, interval->rims[side].key, n, sizeof (guint32),
                            error))
      return FALSE;
  return wf_ranks_receive (tree->ranks, rank, &interval->n, 1, sizeof (gint64), error);
}

/* The plateaux of the second interval are the nodes after those of the first. */
static void
shift (WfPlateauRim *rim,
       gint64        n,
       gint64        by)
{
  for (gint64 i = 0; i < n; i++)
    rim->node[i] += rim->node[i] > 0 ? by : 0;
}

/* Of WfRankTree. */
static gboolean
join (gpointer   data,
      guint      rank,
      guint      level,
      GError   **error)
{
  Tree             *tree  = data;
  Pair             *pair  = &tree->pairs[level];
  const gint64      n     = wf_rim_n_pixels (&tree->rim);
  g_auto (Interval) first = tree->interval;
  g_auto (Interval) other = { 0 };

  tree->interval = (Interval) { 0 };
  if (! receive_summary (tree, rank, &other, error) ||
      ! wf_plateau_seams_init (&pair->seams, &tree->rim, 0, error) ||
      ! wf_plateau_seams_add (&pair->seams, first.n + other.n, error))
    return FALSE;
  pair->n_first = first.n;
  shift (&other.rims[0], n, first.n);
  shift (&other.rims[1], n, first.n);
  wf_plateau_seams_join (&pair->seams, &first.rims[1], &other.rims[0]);
  wf_plateau_seams_solve (&pair->seams);
  return summarize (&pair->seams, &first.rims[0], &other.rims[1], &pair->outer, &tree->interval,
                    error);
}

/* Of WfRankTree: nothing is out that is not known to be. */
static void
reach_top (gpointer data)
{
}

/* Takes over what was told.  @outer: the number of each root */
static void
take_outs (const Tree     *tree,
           WfPlateauSeams *seams,
           const guint32  *outer)
{
  for (gint64 node = 0; tree->told && node < seams->n_nodes; node++)
    if (outer[node] && tree->told[outer[node] - 1])
      seams->out[node] = TRUE;
  wf_plateau_seams_solve (seams);
}

/* Of WfRankTree. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  Tree         *tree = data;
  Pair         *pair = &tree->pairs[level];
  const gint64  n    = pair->n_first;

  take_outs (tree, &pair->seams, pair->outer);
  if (! wf_ranks_send (tree->ranks, rank, pair->seams.out + n, pair->seams.n_nodes - n, 1, error))
    return FALSE;
  g_free (tree->told);
  tree->told = wf_allocate (MAX (n, 1), 1, error);
  if (tree->told && n > 0)
    memcpy (tree->told, pair->seams.out, n);
  return tree->told != NULL;
}

/* Of WfRankTree. */
static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  Tree *tree = data;

  tree->told = wf_allocate (MAX (tree->interval.n, 1), 1, error);
  return tree->told &&
         wf_ranks_receive (tree->ranks, rank, tree->told, tree->interval.n, 1, error);
}

/* As wf_plateau_seams_solve(), for the bands of all ranks.  @first, @last: the rims of the first
 * and of the last band of this one; no nodes where the image ends
 */
gboolean
wf_plateau_seams_solve_ranks (WfPlateauSeams      *seams,
                              const WfPlateauRim  *first,
                              const WfPlateauRim  *last,
                              WfCommunicator      *ranks,
                              const WfPart        *part,
                              GError             **error)
{
  static const WfRankTree functions =
    { send_summary, join, reach_top, split, receive_outside };
  g_auto (Tree)       tree  = { .ranks = ranks, .rim = seams->rim };
  g_autofree guint32 *outer = NULL;

  wf_plateau_seams_solve (seams);
  if (part->n_ranks == 1 || part->first == part->end)
    return TRUE;
  if (! summarize (seams, first, last, &outer, &tree.interval, error) ||
      ! wf_ranks_solve (ranks, part, &functions, &tree, error))
    return FALSE;
  take_outs (&tree, seams, outer);
  return TRUE;
}

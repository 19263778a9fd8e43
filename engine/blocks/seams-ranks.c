/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Components that cross the seams between the parts of several ranks.
 *
 * An interval of parts (engine/ranks/tree.h) numbers its components by itself, like a band.  Of
 * those that touch its two outer rims, the outer ones, its summary has the numbers; and for each
 * pixel of the rims which of them it belongs to.  Two intervals are joined as two bands are.
 *
 * From outside an interval is told the numbers of its outer components in the whole, and how many
 * components come before it.  An outer component with another number than it would get by being
 * counted has its first pixel elsewhere; so all others are counted again, and the numbers of those
 * between the two halves of an interval follow.
 */

#include "config.h"

#include <string.h>

#include "engine/core/context-private.h"
#include "engine/cpu/union-find.h"
#include "seams-private.h"

/**
 * Interval:
 * @n_components: of the interval by itself
 * @n_outer: how many of them are outer ones
 * @label: their numbers in the interval, increasing
 * @rims: for each pixel of the first and of the last rim its outer component from 1, or 0
 */
typedef struct
{
  gint64   n_components;
  gint64   n_outer;
  guint32 *label;
  guint32 *rims[2];
} Interval;

/**
 * Tree:
 * @interval: this rank's, so far
 * @pairs: the two intervals that were joined at each level, as bands
 * @given, @base: what this rank's interval has been told: for each outer component its number; how
 *   many components come before
 */
typedef struct
{
  WfSeams        *seams;
  WfCommunicator *ranks;
  Interval        interval;
  WfSeams         pairs[WF_RANK_LEVELS];
  guint32        *given;
  gint64          base;
} Tree;


static void
interval_clear (Interval *interval)
{
  g_clear_pointer (&interval->label, g_free);
  g_clear_pointer (&interval->rims[0], g_free);
  g_clear_pointer (&interval->rims[1], g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Interval, interval_clear)

static void
tree_clear (Tree *tree)
{
  interval_clear (&tree->interval);
  for (int level = 0; level < WF_RANK_LEVELS; level++)
    wf_seams_clear (&tree->pairs[level]);
  g_free (tree->given);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

static gint64
count_rim (const WfSeams *seams)
{
  return seams->width * seams->height;
}

static gboolean
interval_allocate (Interval  *interval,
                   gint64     rim,
                   GError   **error)
{
  return (interval->label = wf_allocate (MAX (interval->n_outer, 1), sizeof (guint32), error)) &&
         (interval->rims[0] = wf_allocate (rim, sizeof (guint32), error)) &&
         (interval->rims[1] = wf_allocate (rim, sizeof (guint32), error));
}


/*  The summary  */

/* Numbers the outer components, in the order of their numbers. */
static gint64
find_outer (WfSeams *seams)
{
  gint64 n = 0;

  memset (seams->outer, 0, seams->n_nodes * sizeof (guint32));
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; seams->outer_rims[side] && i < count_rim (seams); i++)
      if (seams->outer_rims[side][i])
        seams->outer[wf_find_root (seams->parent, seams->outer_rims[side][i] - 1)] = TRUE;
  for (gint64 node = 0; node < seams->n_nodes; node++)
    if (seams->outer[node])
      seams->outer[node] = ++n;
  return n;
}

/* What others must know of these bands, which are solved by themselves. */
static gboolean
summarize (WfSeams   *seams,
           Interval  *interval,
           GError   **error)
{
  const gint64 rim = count_rim (seams);

  g_free (seams->outer);
  seams->outer = wf_allocate (MAX (seams->n_nodes, 1), sizeof (guint32), error);
  if (! seams->outer)
    return FALSE;
  interval->n_components = seams->n_components;
  interval->n_outer      = find_outer (seams);
  if (! interval_allocate (interval, rim, error))
    return FALSE;
  for (gint64 node = 0; node < seams->n_nodes; node++)
    if (seams->outer[node])
      interval->label[seams->outer[node] - 1] = seams->number[node];
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; i < rim; i++)
      {
        const guint32 node = seams->outer_rims[side] ? seams->outer_rims[side][i] : 0;

        interval->rims[side][i] = node == 0
                                  ? 0 : seams->outer[wf_find_root (seams->parent, node - 1)];
      }
  return TRUE;
}

/* Of WfRankTree. */
static gboolean
send_summary (gpointer   data,
              guint      rank,
              GError   **error)
{
  const Tree     *tree     = data;
  const Interval *interval = &tree->interval;
  const gint64    rim      = count_rim (tree->seams);
  const gint64    head[]   = { interval->n_components, interval->n_outer };

  return wf_ranks_send (tree->ranks, rank, head, 2, sizeof (gint64), error) &&
         wf_ranks_send (tree->ranks, rank, interval->label, interval->n_outer, sizeof (guint32),
                        error) &&
         wf_ranks_send (tree->ranks, rank, interval->rims[0], rim, sizeof (guint32), error) &&
         wf_ranks_send (tree->ranks, rank, interval->rims[1], rim, sizeof (guint32), error);
}

static gboolean
receive_summary (const Tree  *tree,
                 guint        rank,
                 Interval    *interval,
                 GError     **error)
{
  const gint64 rim = count_rim (tree->seams);
  gint64       head[2];

  if (! wf_ranks_receive (tree->ranks, rank, head, 2, sizeof (gint64), error))
    return FALSE;
  interval->n_components = head[0];
  interval->n_outer      = head[1];
  return interval_allocate (interval, rim, error) &&
         wf_ranks_receive (tree->ranks, rank, interval->label, interval->n_outer,
                           sizeof (guint32), error) &&
         wf_ranks_receive (tree->ranks, rank, interval->rims[0], rim, sizeof (guint32), error) &&
         wf_ranks_receive (tree->ranks, rank, interval->rims[1], rim, sizeof (guint32), error);
}


/*  Joining  */

static void
pair_init (WfSeams        *pair,
           const WfSeams  *seams,
           Interval       *first,
           Interval       *second)
{
  pair->width    = seams->width;
  pair->height   = seams->height;
  pair->diagonal = seams->diagonal;
  pair->n_bands  = 2;
  pair->of_band  = g_new0 (struct WfSeamBand, 2);
  pair->n_most   = first->n_outer + second->n_outer;

  pair->outer_rims[0] = g_steal_pointer (&first->rims[0]);
  pair->rim           = g_steal_pointer (&first->rims[1]);
  pair->outer_rims[1] = g_steal_pointer (&second->rims[1]);
}

static gboolean
add_interval (WfSeams         *pair,
              gint64           band,
              const Interval  *interval,
              GError         **error)
{
  struct WfSeamBand *of_band = &pair->of_band[band];

  of_band->n_labels   = interval->n_components;
  of_band->first_node = pair->n_nodes;
  for (gint64 i = 0; i < interval->n_outer; i++)
    if (! wf_seams_add_node (pair, of_band, interval->label[i], error))
      return FALSE;
  return TRUE;
}

/* The outer components of the second interval are the nodes after those of the first. */
static void
shift (guint32 *nodes,
       gint64   n,
       gint64   by)
{
  for (gint64 i = 0; i < n; i++)
    nodes[i] += nodes[i] > 0 ? by : 0;
}

/* Of WfRankTree. */
static gboolean
join (gpointer   data,
      guint      rank,
      guint      level,
      GError   **error)
{
  Tree             *tree  = data;
  WfSeams          *pair  = &tree->pairs[level];
  const gint64      rim   = count_rim (tree->seams);
  g_auto (Interval) first = tree->interval;
  g_auto (Interval) other = { 0 };

  tree->interval = (Interval) { 0 };
  if (! receive_summary (tree, rank, &other, error))
    return FALSE;
  pair_init (pair, tree->seams, &first, &other);
  if (! add_interval (pair, 0, &first, error) || ! add_interval (pair, 1, &other, error))
    return FALSE;
  shift (other.rims[0], rim, first.n_outer);
  shift (pair->outer_rims[1], rim, first.n_outer);
  wf_seams_join_rim (pair, other.rims[0]);
  wf_seams_solve (pair);
  return summarize (pair, &tree->interval, error);
}


/*  The way down  */

/* Of WfRankTree. */
static void
reach_top (gpointer data)
{
  Tree *tree = data;

  tree->base = 0;
}

/* Numbers components again when those of the whole are known. */
static void
take_numbers (Tree    *tree,
              WfSeams *seams)
{
  seams->base  = tree->base;
  seams->given = g_steal_pointer (&tree->given);
  wf_seams_solve (seams);
}

/* Of WfRankTree. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  Tree                    *tree   = data;
  WfSeams                 *pair   = &tree->pairs[level];
  const struct WfSeamBand *second = &pair->of_band[1];
  const gint64             n      = pair->of_band[0].n_nodes;

  take_numbers (tree, pair);
  if (! wf_ranks_send (tree->ranks, rank, &second->n_before, 1, sizeof (gint64), error) ||
      ! wf_ranks_send (tree->ranks, rank, pair->number + n, second->n_nodes, sizeof (guint32),
                       error))
    return FALSE;
  tree->base  = pair->of_band[0].n_before;
  tree->given = wf_allocate (MAX (n, 1), sizeof (guint32), error);
  if (tree->given && n > 0)
    memcpy (tree->given, pair->number, n * sizeof (guint32));
  return tree->given != NULL;
}

/* Of WfRankTree. */
static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  Tree         *tree = data;
  const gint64  n    = tree->interval.n_outer;

  return (tree->given = wf_allocate (MAX (n, 1), sizeof (guint32), error)) &&
         wf_ranks_receive (tree->ranks, rank, &tree->base, 1, sizeof (gint64), error) &&
         wf_ranks_receive (tree->ranks, rank, tree->given, n, sizeof (guint32), error);
}

/* As wf_seams_solve(), for the bands of all ranks; @n_components is that of the whole. */
gboolean
wf_seams_solve_ranks (WfSeams         *seams,
                      WfCommunicator  *ranks,
                      GError         **error)
{
  static const WfRankTree functions =
    { send_summary, join, reach_top, split, receive_outside };
  g_auto (Tree) tree = { .seams = seams, .ranks = ranks };

  wf_seams_solve (seams);
  if (! wf_ranks_are_several (ranks))
    return TRUE;
  if (seams->n_bands > 0)
    {
      if (! summarize (seams, &tree.interval, error) ||
          ! wf_ranks_solve (ranks, &seams->part, &functions, &tree, error))
        return FALSE;
      take_numbers (&tree, seams);
    }
  return wf_ranks_sum (ranks, &seams->n_components, 1, error);
}

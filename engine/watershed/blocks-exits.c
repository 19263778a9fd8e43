/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The solve step of a watershed in bands: the paths from the pixels at the seams are followed from
 * exit to exit.
 *
 * With several ranks, those that end at a pixel of another rank are followed in a tree
 * (engine/ranks/tree.h): an interval's summary is where the paths from its first and its last row
 * end, in the whole or at a pixel outside.  From outside it is told the labels of those pixels.
 */

#include "config.h"

#include <string.h>

#include "blocks.h"
#include "engine/core/context-private.h"

/* Bytes for a pixel of a row of ends. */
#define END_BYTES (sizeof (guint32) + 1)

/* In place of WF_END_OUTSIDE while a seam between two intervals is solved: outside both. */
#define END_OUTSIDE_BOTH (WF_END_NEAR + 1)

/**
 * Ends:
 * @label, @known: of the paths from a row of pixels, as in #WfFloodBlocks
 */
typedef struct
{
  guint32 *label;
  guint8  *known;
} Ends;

/**
 * Tree:
 * @rows: of this rank's interval: its first and its last row; in the end the rows outside
 * @seams: at each level the rows before and after the seam between the two that were joined
 */
typedef struct
{
  WfFloodBlocks *blocks;
  gint64         n;
  Ends           rows[2];
  Ends           seams[WF_RANK_LEVELS][2];
} Tree;


/*  In one rank  */

/* The band that a pixel at a seam belongs to. */
gint64
wf_flood_band_of (const WfFloodBlocks *blocks,
                  gint64               p)
{
  return (p / blocks->rim + (blocks->has_outer ? -1 : 1)) / 2;
}

/* The pixel at a seam at which the path from another one leaves its band, or −1. */
gint64
wf_flood_find_exit (const WfFloodBlocks *blocks,
                    gint64               p)
{
  const gint64 band = wf_flood_band_of (blocks, p);
  const gint64 exit = (gint64) blocks->label[p] - wf_seams_count_labels (&blocks->seams, band) - 1;

  return exit < 0            ? -1
       : exit < blocks->rim  ? wf_flood_side (blocks, band - 1, WF_SIDE_BEFORE) + exit
                             : wf_flood_side (blocks, band, WF_SIDE_AFTER) + exit - blocks->rim;
}

/* The first pixel of this rank's own, and the first after them. */
static gint64
find_own (const WfFloodBlocks *blocks,
          gboolean             after)
{
  return after ? wf_flood_side (blocks, blocks->bands.n - 1, WF_SIDE_AFTER)
               : wf_flood_side (blocks, -1, WF_SIDE_AFTER);
}

static gboolean
is_outside (const WfFloodBlocks *blocks,
            gint64               p)
{
  return blocks->has_outer && (p < find_own (blocks, FALSE) || p >= find_own (blocks, TRUE));
}

/* Follows the path from a pixel at a seam as far as this rank knows, and gives all pixels on it
 * what is at its end.
 */
static void
follow_exits (WfFloodBlocks *blocks,
              gint64         start)
{
  guint8    *known = blocks->known;
  gint64     p     = start;
  gint64     next  = -1;
  guint32    label;
  WfPathEnd  end;

  while (! known[p] && (next = wf_flood_find_exit (blocks, p)) >= 0 && ! is_outside (blocks, next))
    p = next;
  end = known[p] ? known[p] : next < 0 ? WF_END_IN_WHOLE : WF_END_OUTSIDE;
  if (known[p])
    label = blocks->label[p];
  else if (next < 0)
    label = wf_seams_find_number (&blocks->seams, wf_flood_band_of (blocks, p), blocks->label[p]);
  else
    label = next < find_own (blocks, FALSE) ? next
                                            : next - find_own (blocks, TRUE) + blocks->rim;
  for (p = start; p >= 0 && ! is_outside (blocks, p) && ! known[p]; p = next)
    {
      next             = wf_flood_find_exit (blocks, p);
      blocks->label[p] = label;
      known[p]         = end;
    }
}


/*  Rows of ends  */

static void
ends_clear (Ends *ends)
{
  g_clear_pointer (&ends->label, g_free);
  g_clear_pointer (&ends->known, g_free);
}

static void
tree_clear (Tree *tree)
{
  for (int side = 0; side < 2; side++)
    {
      ends_clear (&tree->rows[side]);
      for (int level = 0; level < WF_RANK_LEVELS; level++)
        ends_clear (&tree->seams[level][side]);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* Bytes that the tree takes in any rank. */
guint64
wf_flood_exits_memory (const WfFloodBlocks *blocks)
{
  const WfCommunicator *ranks = blocks->context->ranks;

  return wf_ranks_are_several (ranks)
         ? (4 + 2 * wf_ranks_count_levels (ranks)) * END_BYTES * blocks->rim : 0;
}

static gboolean
ends_init (Ends     *ends,
           gint64    n,
           GError  **error)
{
  return (ends->label = wf_allocate (n, sizeof (guint32), error)) &&
         (ends->known = wf_allocate (n, 1, error));
}

static gboolean
ends_send (const Tree  *tree,
           guint        rank,
           const Ends  *ends,
           GError     **error)
{
  WfCommunicator *ranks = tree->blocks->context->ranks;

  return wf_ranks_send (ranks, rank, ends->label, tree->n, sizeof (guint32), error) &&
         wf_ranks_send (ranks, rank, ends->known, tree->n, 1, error);
}

static gboolean
ends_receive (const Tree  *tree,
              guint        rank,
              Ends        *ends,
              GError     **error)
{
  WfCommunicator *ranks = tree->blocks->context->ranks;

  return (ends->label || ends_init (ends, tree->n, error)) &&
         wf_ranks_receive (ranks, rank, ends->label, tree->n, sizeof (guint32), error) &&
         wf_ranks_receive (ranks, rank, ends->known, tree->n, 1, error);
}


/*  Several ranks  */

/* Of WfRankTree. */
static gboolean
send_summary (gpointer   data,
              guint      rank,
              GError   **error)
{
  const Tree *tree = data;

  return ends_send (tree, rank, &tree->rows[0], error) &&
         ends_send (tree, rank, &tree->rows[1], error);
}

/* Whether the path from a pixel at the seam crosses that.  @side: 0 before the seam, 1 after */
static gboolean
crosses (const Tree *tree,
         const Ends *ends,
         int         side,
         gint64      i)
{
  return ends->known[i] == WF_END_OUTSIDE && (ends->label[i] >= tree->n) == (side == 0);
}

/* Follows the path from a pixel at the seam until it crosses it no more. */
static void
follow_seam (const Tree *tree,
             Ends       *seam,
             int         start_side,
             gint64      start)
{
  int     side = start_side;
  gint64  i    = start;
  guint32 label;
  guint8  known;

  while (crosses (tree, &seam[side], side, i))
    {
      i    = seam[side].label[i] % tree->n;
      side = 1 - side;
    }
  label = seam[side].label[i];
  known = seam[side].known[i] == WF_END_OUTSIDE ? END_OUTSIDE_BOTH : seam[side].known[i];
  side  = start_side;
  i     = start;
  while (crosses (tree, &seam[side], side, i))
    {
      const gint64 next = seam[side].label[i] % tree->n;

      seam[side].label[i] = label;
      seam[side].known[i] = known;
      i    = next;
      side = 1 - side;
    }
}

/* Follows all paths from the pixels at the seam. */
static void
solve_seam (const Tree *tree,
            Ends       *seam)
{
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; i < tree->n; i++)
      follow_seam (tree, seam, side, i);
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; i < tree->n; i++)
      if (seam[side].known[i] == END_OUTSIDE_BOTH)
        seam[side].known[i] = WF_END_OUTSIDE;
}

/* The ends of a row of which the paths that leave it at @side go on at the seam. */
static void
pass_seam (const Tree *tree,
           Ends       *row,
           int         side,
           const Ends *seam)
{
  for (gint64 i = 0; i < tree->n; i++)
    if (crosses (tree, row, side, i))
      {
        const gint64 at = row->label[i] % tree->n;

        row->label[i] = seam[1 - side].label[at];
        row->known[i] = seam[1 - side].known[at];
      }
}

/* Of WfRankTree. */
static gboolean
join (gpointer   data,
      guint      rank,
      guint      level,
      GError   **error)
{
  Tree *tree = data;
  Ends *seam = tree->seams[level];

  seam[0]       = tree->rows[1];
  tree->rows[1] = (Ends) { 0 };
  if (! ends_receive (tree, rank, &seam[1], error) ||
      ! ends_receive (tree, rank, &tree->rows[1], error))
    return FALSE;
  solve_seam (tree, seam);
  pass_seam (tree, &tree->rows[0], 0, seam);
  pass_seam (tree, &tree->rows[1], 1, seam);
  return TRUE;
}

/* Of WfRankTree. */
static void
reach_top (gpointer data)
{
}

/* Gives the paths that leave an interval the labels of the rows outside. */
static void
take_labels (const Tree *tree,
             guint32    *label,
             guint8     *known,
             gint64      n)
{
  for (gint64 i = 0; i < n; i++)
    if (known[i] == WF_END_OUTSIDE)
      {
        label[i] = tree->rows[label[i] / tree->n].label[label[i] % tree->n];
        known[i] = WF_END_IN_WHOLE;
      }
}

/* Of WfRankTree. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  Tree *tree = data;
  Ends *seam = tree->seams[level];

  for (int side = 0; side < 2; side++)
    take_labels (tree, seam[side].label, seam[side].known, tree->n);
  if (! ends_send (tree, rank, &seam[0], error) ||
      ! ends_send (tree, rank, &tree->rows[1], error))
    return FALSE;
  ends_clear (&tree->rows[1]);
  tree->rows[1] = seam[1];
  seam[1]       = (Ends) { 0 };
  return TRUE;
}

/* Of WfRankTree. */
static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  Tree *tree = data;

  return ends_receive (tree, rank, &tree->rows[0], error) &&
         ends_receive (tree, rank, &tree->rows[1], error);
}

/* The first pixel of this rank's row at the seam with the rank before, or after; @outside: of that
 * rank's.
 */
static gint64
find_row (const WfFloodBlocks *blocks,
          WfBandSide           side,
          gboolean             outside)
{
  const gint64 seam = side == WF_BAND_FIRST ? -1 : blocks->bands.n - 1;

  return wf_flood_side (blocks, seam, (side == WF_BAND_FIRST) == outside ? WF_SIDE_BEFORE
                                                                         : WF_SIDE_AFTER);
}

static gboolean
solve_ranks (WfFloodBlocks  *blocks,
             GError        **error)
{
  static const WfRankTree functions =
    { send_summary, join, reach_top, split, receive_outside };
  const gint64  n    = blocks->rim;
  g_auto (Tree) tree = { .blocks = blocks, .n = n };

  for (int side = 0; side < 2; side++)
    {
      const gint64 row = find_row (blocks, side, FALSE);

      if (! ends_init (&tree.rows[side], n, error))
        return FALSE;
      memcpy (tree.rows[side].label, blocks->label + row, n * sizeof (guint32));
      memcpy (tree.rows[side].known, blocks->known + row, n);
    }
  if (! wf_ranks_solve (blocks->context->ranks, &blocks->bands.part, &functions, &tree, error))
    return FALSE;
  for (int side = 0; side < 2; side++)
    memcpy (blocks->label + find_row (blocks, side, TRUE), tree.rows[side].label,
            n * sizeof (guint32));
  take_labels (&tree, blocks->label, blocks->known, wf_flood_count_sides (blocks));
  return TRUE;
}

/* The labels of the paths that end in the band of a side, of which most do.  Neighbours often have
 * the same.
 */
static void
number_side (WfFloodBlocks *blocks,
             gint64         band,
             int            side)
{
  guint32      *label    = blocks->label + wf_flood_inside (blocks, band, side);
  guint8       *known    = blocks->known + wf_flood_inside (blocks, band, side);
  const gint64  n_labels = wf_seams_count_labels (&blocks->seams, band);
  guint32       last     = 0;
  guint32       number   = 0;

  for (gint64 i = 0; i < blocks->rim; i++)
    if (! known[i] && label[i] <= n_labels)
      {
        if (label[i] != last)
          number = wf_seams_find_number (&blocks->seams, band, last = label[i]);
        label[i] = number;
        known[i] = WF_END_IN_WHOLE;
      }
}

/* Follows the paths of a side to exits at which others have ended before: those of WF_END_IN_WHOLE,
 * which nobody changes any more.  What this finds is WF_END_NEAR until all sides are done.
 */
static void
step_out (WfFloodBlocks *blocks,
          gint64         band,
          int            side)
{
  const gint64 start = wf_flood_inside (blocks, band, side);

  for (gint64 p = start; p < start + blocks->rim; p++)
    {
      const gint64 exit = blocks->known[p] ? -1 : wf_flood_find_exit (blocks, p);

      if (exit < 0 || is_outside (blocks, exit) ||
          __atomic_load_n (&blocks->known[exit], __ATOMIC_RELAXED) != WF_END_IN_WHOLE)
        continue;
      blocks->label[p] = blocks->label[exit];
      __atomic_store_n (&blocks->known[p], WF_END_NEAR, __ATOMIC_RELAXED);
    }
}

/* Follows the other paths of a side, after all sides. */
static void
follow_side (WfFloodBlocks *blocks,
             gint64         band,
             int            side)
{
  const gint64 start = wf_flood_inside (blocks, band, side);

  for (gint64 p = start; p < start + blocks->rim; p++)
    if (! blocks->known[p])
      follow_exits (blocks, p);
}

static void
end_near (WfFloodBlocks *blocks,
          gint64         band,
          int            side)
{
  guint8 *known = blocks->known + wf_flood_inside (blocks, band, side);

  for (gint64 i = 0; i < blocks->rim; i++)
    known[i] = known[i] == WF_END_NEAR ? WF_END_IN_WHOLE : known[i];
}

/* Calls @visit for all sides of this rank's bands; by several threads if @together. */
static void
visit_sides (WfFloodBlocks *blocks,
             gboolean       together,
             void        (* visit) (WfFloodBlocks *blocks, gint64 band, int side))
{
  const guint n_threads = together ? wf_context_count_threads (blocks->context) : 1;

#pragma omp parallel for num_threads(n_threads) schedule(dynamic) if(n_threads > 1)
  for (gint64 i = 0; i < 2 * blocks->bands.n; i++)
    if (wf_flood_has_seam (blocks, i / 2, i % 2))
      visit (blocks, i / 2, i % 2);
}

/* The numbers of the minima at a side of a band that are joined to others, 0 elsewhere. */
void
wf_flood_tell_joined (const WfFloodBlocks *blocks,
                      gint64               band,
                      int                  side,
                      guint32             *minima)
{
  memcpy (minima, blocks->minima + wf_flood_inside (blocks, band, side),
          blocks->rim * sizeof (guint32));
  wf_seams_tell_joined (&blocks->seams, band, minima, blocks->rim);
}

/* Finds the labels of all pixels at the seams, those of other ranks as well. */
gboolean
wf_flood_solve_exits (WfFloodBlocks  *blocks,
                      GError        **error)
{
  visit_sides (blocks, TRUE, number_side);
  visit_sides (blocks, TRUE, step_out);
  visit_sides (blocks, TRUE, end_near);
  visit_sides (blocks, FALSE, follow_side);
  return blocks->bands.n == 0 || blocks->bands.part.n_ranks == 1 || solve_ranks (blocks, error);
}

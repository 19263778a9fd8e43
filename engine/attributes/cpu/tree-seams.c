/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The seams between the parts of an image that were flooded (tree.c). */

#include "config.h"

#include <stdlib.h>

#include "engine/cpu/cpu.h"
#include "tree.h"


static guint32
seams_find (WfTreeSeams *seams,
            guint32      x)
{
  guint32 *same = seams->same;

  while (same[x] != x)
    {
      same[x] = same[same[x]];
      x       = same[x];
    }
  return x;
}

guint32
wf_tree_find_parent (WfTreeSeams *seams,
                     guint32      x)
{
  return seams->parents[x] == NONE ? NONE : seams_find (seams, seams->parents[x]);
}

/* Two components touch: they, and what holds them, become one tree. */
static void
connect (WfTreeSeams *seams,
         guint32      x,
         guint32      y)
{
  const guint32 *keys = seams->keys;

  x = seams_find (seams, x);
  y = seams_find (seams, y);
  if (keys[x] < keys[y])
    {
      const guint32 higher = y;

      y = x;
      x = higher;
    }
  while (y != NONE && x != y)
    {
      const guint32 z = wf_tree_find_parent (seams, x);

      if (z != NONE && keys[z] >= keys[y])
        x = z;
      else
        {
          if (keys[x] == keys[y])
            seams->same[x] = y;
          else
            seams->parents[x] = y;
          x = y;
          y = z;
        }
    }
}

/* Takes the component of a pixel, and all that hold it, up to one that is known. */
static gboolean
take_node (const WfTreeBuild  *build,
           WfTreeSeams        *seams,
           WfTreePart         *part,
           guint32             node,
           GError            **error)
{
  guint32 below = NONE;         /* that was taken before, in the same branch */

  for (; node != NONE; node = part->parents[node])
    {
      const gboolean known = part->map[node] != 0;

      if (! known)
        {
          const guint32 s = seams->n;

          if (s == seams->capacity)
            {
              seams->capacity = MAX (2 * seams->capacity, 1024);
              if (! wf_tree_grow (&seams->keys, s, seams->capacity, sizeof (guint32), error) ||
                  ! wf_tree_grow (&seams->parents, s, seams->capacity, sizeof (guint32), error) ||
                  ! wf_tree_grow (&seams->same, s, seams->capacity, sizeof (guint32), error) ||
                  ! wf_tree_grow (&seams->areas, s, seams->capacity, sizeof (guint32), error))
                return FALSE;
            }
          seams->keys[s]    = get_node_key (build, part, node);
          seams->parents[s] = NONE;
          seams->same[s]    = s;
          seams->areas[s]   = part->areas[node];
          part->map[node]   = s + 1;
          part->n_at_seams++;
          seams->n++;
        }
      if (below != NONE)
        {
          seams->parents[part->map[below] - 1]  = part->map[node] - 1;
          seams->areas[part->map[node] - 1]    -= part->areas[below];
        }
      if (known)
        break;
      below = node;
    }
  return TRUE;
}

/* Row @row of the slab at the seam of @build's part @i and the one before it. */
static gboolean
take_row (const WfTreeBuild  *build,
          WfTreeSeams        *seams,
          guint               i,
          gint64              row,
          gboolean            before,
          GError            **error)
{
  WfTreePart    *part  = &build->parts[before ? i - 1 : i];
  const gint64   last  = n_rows_of (build, part) - (n_rows_of (build, part) / part->part->n_slabs);
  const guint32 *nodes = part->part->nodes + row_in_frame (build, part, before ? last + row : row);

  for (gint64 x = 0; x < build->tree->shape.width; x++)
    if (! take_node (build, seams, part, nodes[x], error))
      return FALSE;
  return TRUE;
}

/* The neighbours of row @row of a part's first slab that are in the part before. */
static void
connect_row (const WfTreeBuild *build,
             WfTreeSeams       *seams,
             guint              i,
             gint64             row)
{
  const gboolean    stack  = build->tree->shape.depth > 1;
  const gint64      width  = build->tree->shape.width;
  const gint64      height = stack ? build->tree->shape.height : 1;
  const WfTreePart *part   = &build->parts[i];
  const WfTreePart *other  = &build->parts[i - 1];
  const gint64      last   = n_rows_of (build, other) - height;
  const guint32    *nodes  = part->part->nodes + row_in_frame (build, part, row);

  for (int k = 0; k < build->neighbours.n; k++)
    {
      const int      dx = build->neighbours.dx[k];
      const gint64   y  = stack ? row + build->neighbours.dy[k] : 0;
      const guint32 *across;

      if ((stack ? build->neighbours.dz[k] : build->neighbours.dy[k]) != -1 || y < 0 ||
          y >= height)
        continue;
      across = other->part->nodes + row_in_frame (build, other, last + y);
      for (gint64 x = MAX (0, -dx); x < MIN (width, width - dx); x++)
        connect (seams, part->map[nodes[x]] - 1, other->map[across[x + dx]] - 1);
    }
}

/* By level, the lowest first. */
static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const guint64 x = *(const guint64 *) a;
  const guint64 y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* Numbers the nodes at seams, and sums their areas. */
static gboolean
number_seams (WfTreeSeams  *seams,
              GError      **error)
{
  g_autofree guint64 *places = wf_allocate (seams->n, sizeof *places, error);

  if (! places || ! (seams->final = wf_allocate (seams->n, sizeof (guint32), error)))
    return FALSE;
  for (guint32 s = 0; s < seams->n; s++)
    if (seams->same[s] == s)
      places[seams->n_final++] = (guint64) seams->keys[s] << 32 | s;
  qsort (places, seams->n_final, sizeof *places, compare_places);
  for (guint32 i = 0; i < seams->n_final; i++)
    seams->final[(guint32) places[i]] = i;
  for (guint32 s = 0; s < seams->n; s++)
    if (seams->same[s] != s)
      {
        const guint32 root = seams_find (seams, s);

        seams->areas[root] += seams->areas[s];
        seams->final[s]     = seams->final[root];
      }
  for (guint32 i = seams->n_final; i-- > 1;)
    {
      const guint32 s = (guint32) places[i];

      seams->areas[wf_tree_find_parent (seams, s)] += seams->areas[s];
    }
  return TRUE;
}

gboolean
wf_tree_join_seams (WfTreeBuild  *build,
                    GError      **error)
{
  const gint64 n_rows = build->tree->shape.depth > 1 ? build->tree->shape.height : 1;

  for (guint i = 1; i < build->n_parts; i++)
    for (gint64 row = 0; row < n_rows; row++)
      if (! take_row (build, &build->seams, i, row, TRUE, error) ||
          ! take_row (build, &build->seams, i, row, FALSE, error))
        return FALSE;
  for (guint i = 1; i < build->n_parts; i++)
    for (gint64 row = 0; row < n_rows; row++)
      connect_row (build, &build->seams, i, row);
  return build->n_parts == 1 || number_seams (&build->seams, error);
}

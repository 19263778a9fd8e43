/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The flooding of a part (tree.c) for one type of keys.  Defines:
 *
 *   WF_KEY           the type of keys
 *   WF_NAME(name)    the name of a function of this case
 *
 * It gets WF_NAME (fill) and WF_NAME (flood).
 */

/* The keys; the border stays as it is, and is never looked at. */
static void
WF_NAME (fill) (const WfTreeBuild *build,
                const WfTreePart  *part)
{
  const WfAttributeTree *tree = build->tree;

  for (gint64 row = 0; row < n_rows_of (build, part); row++)
    {
      gconstpointer  from  = wf_image_row (build->image, row_in_image (build, part, row));
      WF_KEY        *to    = (WF_KEY *) part->keys + row_in_frame (build, part, row);
      guint32       *nodes = part->part->nodes + row_in_frame (build, part, row);

      for (gint64 x = 0; x < tree->shape.width; x++)
        {
          to[x]    = (WF_KEY) key_of (from, x, tree->type, tree->closing);
          nodes[x] = UNSEEN;
        }
    }
}

static gboolean
WF_NAME (grow_nodes) (WfTreePart  *part,
                      GError     **error)
{
  const gint64  n    = (gint64) part->capacity + part->capacity / 2;
  const guint32 most = (guint32) part->n_pixels;
  const guint32 now  = (guint32) CLAMP (n, MIN (most, 4096), (gint64) most);

  if (! wf_tree_grow (&part->parents, part->n, now, sizeof (guint32), error) ||
      ! wf_tree_grow (&part->areas, part->n, now, sizeof (guint32), error) ||
      ! wf_tree_grow (&part->node_keys, part->n, now, sizeof (WF_KEY), error) ||
      ! wf_tree_grow (&part->closed, part->n, now, sizeof (guint32), error))
    return FALSE;
  part->capacity = now;
  return TRUE;
}

/* A new node holds the pixels that are visited from now on. */
static inline gboolean
WF_NAME (open) (WfTreePart  *part,
                WF_KEY       key,
                GError     **error)
{
  const guint32 node = part->n;

  if (node == part->capacity && ! WF_NAME (grow_nodes) (part, error))
    return FALSE;
  part->areas[node]                   = 0;
  ((WF_KEY *) part->node_keys)[node]  = key;
  part->open[part->n_open++]          = node;
  part->n++;
  return TRUE;
}

/* The highest node is complete: it becomes a part of the next one. */
static inline void
WF_NAME (close) (WfTreePart *part,
                 guint32     node)
{
  const guint32 next = part->open[part->n_open - 1];

  part->parents[node]             = next;
  part->areas[next]              += part->areas[node];
  part->closed[part->n_closed++]  = node;
}

/* All pixels above @key are visited. */
static inline gboolean
WF_NAME (sink) (WfTreePart  *part,
                WF_KEY       key,
                GError     **error)
{
  guint32 node;

  while (((const WF_KEY *) part->node_keys)[node = part->open[part->n_open - 1]] > key)
    {
      part->n_open--;
      if ((part->n_open == 0 ||
           ((const WF_KEY *) part->node_keys)[part->open[part->n_open - 1]] < key) &&
          ! WF_NAME (open) (part, key, error))
        return FALSE;
      WF_NAME (close) (part, node);
    }
  return TRUE;
}

static inline __attribute__ ((always_inline)) gboolean
WF_NAME (flood_by) (const WfTreeBuild  *build,
                    WfTreePart         *part,
                    const gint64       *steps,
                    const int           n_steps,
                    GError            **error)
{
  const WF_KEY *keys   = part->keys;
  guint32      *nodes  = part->part->nodes;
  guint32      *heads  = part->heads;
  WfTreeStages *stages = &part->stages;
  gint64        p      = part->part->origin;
  WF_KEY        level  = keys[p];
  gint64        n_seen = 0;
  guint32       next   = 0;

  nodes[p] = 0;
  if (! WF_NAME (open) (part, level, error))
    return FALSE;
  for (;;)
    {
      int i = 0;

      while (i < n_steps)
        {
          const gint64 q = p + steps[i];
          WF_KEY       key;

          i++;
          if (nodes[q] != UNSEEN)
            continue;
          key = keys[q];
          if (key > level)
            {
              if (heads[level] == 0)
                stages_set (stages, level);
              nodes[p]     = heads[level];
              heads[level] = (guint32) p;
              nodes[q]     = 0;
              p            = q;
              level        = key;
              i            = 0;
              if (! WF_NAME (open) (part, level, error))
                return FALSE;
              continue;
            }
          if (heads[key] == 0)
            stages_set (stages, key);
          nodes[q]   = heads[key];
          heads[key] = (guint32) q;
        }
      nodes[p] = part->open[part->n_open - 1];
      part->areas[nodes[p]]++;
      if (++n_seen % PIXELS_TO_A_LOOK == 0 && ! wf_run_advance (build->run, PIXELS_TO_A_LOOK))
        {
          part->cancelled = TRUE;
          return FALSE;
        }

      if (heads[level] == 0)
        {
          if (! stages_find (stages, &next))
            break;
          level = (WF_KEY) next;
          if (! WF_NAME (sink) (part, level, error))
            return FALSE;
        }
      p            = heads[level];
      heads[level] = nodes[p];
      if (heads[level] == 0)
        stages_unset (stages, level);
    }

  while (part->n_open > 1)
    {
      const guint32 node = part->open[--part->n_open];

      WF_NAME (close) (part, node);
    }
  part->parents[part->open[0]]    = NONE;
  part->closed[part->n_closed++]  = part->open[0];
  return TRUE;
}

static gboolean
WF_NAME (flood) (const WfTreeBuild  *build,
                 WfTreePart         *part,
                 GError            **error)
{
  const WfNeighbourhood *neighbours = &build->neighbours;
  gint64                 steps[WF_MAX_NEIGHBOURS];

  for (int i = 0; i < neighbours->n; i++)
    steps[i] = neighbours->dz[i] * part->part->slice + neighbours->dy[i] * part->part->pitch
               + neighbours->dx[i];
  return neighbours->n == 4 ? WF_NAME (flood_by) (build, part, steps, 4, error)
       : neighbours->n == 8 ? WF_NAME (flood_by) (build, part, steps, 8, error)
                            : WF_NAME (flood_by) (build, part, steps, neighbours->n, error);
}

#undef WF_KEY
#undef WF_NAME

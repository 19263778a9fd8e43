/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree of all components of an image by flooding on the CPU: from any pixel up to the highest
 * that can be reached by rising, and down from there, the highest pixel that is known first, after
 * Salembier, Oliveras and Garrido (Antiextensive connected operators for image and sequence
 * processing, IEEE Transactions on Image Processing 7, 1998), with what is known in lists by level,
 * as Nistér and Stewénius have them (Linear time maximally stable extremal regions, ECCV 2008).
 *
 * Each thread floods a part of its own: rows, in a stack slices.  At the seams between the parts
 * the trees become one as Wilkinson, Gao, Hesselink, Jonker and Meijster join them (Concurrent
 * computation of attribute filters on shared memory parallel machines, IEEE Transactions on Pattern
 * Analysis and Machine Intelligence 30, 2008).  Only components of pixels at a seam, and what holds
 * them, are touched by that; all others keep their parents and areas.  These shared nodes get the
 * first numbers, by level; then follow those of each part, in the order of a walk that visits
 * parents before children and finishes a branch before the next, so that what is near in the image
 * is near in memory.
 *
 * Pixels have positions in a frame, a part with a border that counts as seen: a column after each
 * row, and rows (slices) before the first and after the last.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/cpu.h"
#include "tree.h"

#define SHARE_OF_FLOOD 0.85
#define SHARE_OF_NODES 0.15


static void
part_clear (WfTreePart *part)
{
  wf_tree_clear_flood (part);
  g_clear_pointer (&part->key_of_rank, g_free);
  g_clear_pointer (&part->parents, g_free);
  g_clear_pointer (&part->areas, g_free);
  g_clear_pointer (&part->node_keys, g_free);
  g_clear_pointer (&part->closed, g_free);
  g_clear_pointer (&part->map, g_free);
  g_clear_error (&part->error);
}

static void
build_clear (WfTreeBuild *build)
{
  for (guint i = 0; i < build->n_parts; i++)
    part_clear (&build->parts[i]);
  g_free (build->parts);
  g_free (build->seams.keys);
  g_free (build->seams.parents);
  g_free (build->seams.same);
  g_free (build->seams.areas);
  g_free (build->seams.final);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfTreeBuild, build_clear)

static inline void
set_level (gpointer levels,
           gint64   i,
           WfType   type,
           gboolean closing,
           guint32  key)
{
  switch (type)
    {
    case WF_TYPE_U8:
      ((guint8 *) levels)[i] = (guint8) (closing ? G_MAXUINT8 - key : key);
      break;
    case WF_TYPE_U16:
      ((guint16 *) levels)[i] = (guint16) (closing ? G_MAXUINT16 - key : key);
      break;
    default:
      ((float *) levels)[i] = (float) wf_key_level (closing ? ~key : key, WF_TYPE_F32);
      break;
    }
}

static void
part_init (WfTreePart    *part,
           WfAttributePart    *place,
           const WfShape *shape,
           gint64         first,
           gint64         end)
{
  const gboolean stack = shape->depth > 1;

  place->first_slab = first;
  place->n_slabs    = end - first;
  place->pitch      = shape->width + 1;
  place->slice      = (shape->width + 1) * (shape->height + 1);
  place->origin     = (stack ? place->slice : 0) + place->pitch + 1;
  part->part        = place;
  part->n_pixels    = (end - first) * (stack ? shape->height : 1) * shape->width;
  part->size        = 2 * place->origin + (end - first) * (stack ? place->slice : place->pitch);
}

static void
flood_parts (gpointer data,
             guint    worker,
             guint    n_workers)
{
  const WfTreeBuild *build = data;

  for (guint i = worker; i < build->n_parts; i += n_workers)
    {
      wf_tree_flood (build, &build->parts[i], &build->parts[i].error);
      wf_tree_clear_flood (&build->parts[i]);
    }
}


/*  The tree  */

/* Writes what was found at the seams. */
static void
write_seams (WfTreeBuild *build)
{
  WfTreeSeams *seams = &build->seams;
  WfAttributeTree  *tree  = build->tree;

  for (guint32 s = 0; s < seams->n; s++)
    if (seams->same[s] == s)
      {
        const guint32 node   = seams->final[s];
        const guint32 parent = wf_tree_find_parent (seams, s);

        tree->parents[node] = parent == NONE ? node : seams->final[parent];
        tree->whole[node]   = seams->areas[s];
        set_level (tree->levels, node, tree->type, tree->closing, seams->keys[s]);
      }
}

/* Writes a part's own nodes, and gives all pixels their final numbers. */
static void
write_part (WfTreeBuild *build,
            WfTreePart  *part)
{
  WfAttributeTree *tree = build->tree;
  guint32     next = part->part->first;
  guint32    *map  = part->map;

  for (guint32 i = part->n; i-- > 0;)
    {
      const guint32 node   = part->closed[i];
      const guint32 parent = part->parents[node];

      if (map[node] != 0)
        {
          map[node] = build->seams.final[map[node] - 1];
          continue;
        }
      map[node]           = next;
      tree->parents[next] = parent == NONE ? next : map[parent];
      tree->whole[next]   = part->areas[node];
      set_level (tree->levels, next, tree->type, tree->closing, get_node_key (build, part, node));
      next++;
    }
  for (gint64 row = 0; row < n_rows_of (build, part); row++)
    {
      guint32 *nodes = part->part->nodes + row_in_frame (build, part, row);

      for (gint64 x = 0; x < tree->shape.width; x++)
        nodes[x] = map[nodes[x]];
      wf_run_advance (build->run, tree->shape.width);
    }
}

static void
write_parts (gpointer data,
             guint    worker,
             guint    n_workers)
{
  WfTreeBuild *build = data;

  for (guint i = worker; i < build->n_parts; i += n_workers)
    {
      write_part (build, &build->parts[i]);
      part_clear (&build->parts[i]);
    }
}

static gboolean
allocate_tree (WfTreeBuild  *build,
               GError      **error)
{
  WfAttributeTree *tree = build->tree;
  guint32     n    = build->seams.n_final;

  tree->n_shared = n;
  for (guint i = 0; i < build->n_parts; i++)
    {
      WfAttributePart *part = &tree->parts[i];

      part->first = n;
      part->n     = build->parts[i].n - build->parts[i].n_at_seams;
      n          += part->n;
      tree->size += (guint64) build->parts[i].size * sizeof (guint32);
    }
  tree->n_nodes = n;
  return (tree->parents = wf_run_allocate (build->run, n, sizeof (guint32), error)) &&
         (tree->whole = wf_run_allocate (build->run, n, sizeof (guint32), error)) &&
         (tree->levels = wf_run_allocate (build->run, n, wf_type_size (tree->type), error));
}

/* The bytes of a node that is kept. */
static gsize
node_size (const WfAttributeTree *tree)
{
  return sizeof (guint32) + wf_type_size (tree->type) +
         (tree->real ? sizeof (double) : sizeof (guint32));
}

static gboolean
divide (WfTreeBuild  *build,
        GError      **error)
{
  const WfShape *shape   = &build->tree->shape;
  const gint64   n_slabs = shape->depth > 1 ? shape->depth : shape->height;
  WfAttributeTree    *tree    = build->tree;
  const guint    n       = wf_run_team (build->run, n_slabs, wf_shape_n_pixels (shape));

  build->parts   = g_new0 (WfTreePart, n);
  build->n_parts = n;
  tree->parts    = g_new0 (WfAttributePart, n);
  tree->n_parts  = n;
  for (guint i = 0; i < n; i++)
    part_init (&build->parts[i], &tree->parts[i], shape, n_slabs * i / n, n_slabs * (i + 1) / n);
  return TRUE;
}

/* Builds @tree, of which shape, type, attribute, closing and connectivity are set. */
gboolean
wf_cpu_attribute_tree_build (WfAttributeTree     *tree,
                        const WfImage  *image,
                        WfRun          *run,
                        GError        **error)
{
  g_auto (WfTreeBuild) build    = { .image = image, .run = run, .tree = tree };
  const gint64         n_pixels = wf_shape_n_pixels (&tree->shape);

  wf_neighbourhood_init (&build.neighbours, tree->connectivity, &tree->shape);
  if (! divide (&build, error))
    return FALSE;
  wf_run_begin (run, SHARE_OF_FLOOD, n_pixels);
  wf_run_together (build.run, build.n_parts, flood_parts, &build);
  for (guint i = 0; i < build.n_parts; i++)
    {
      WfTreePart *part = &build.parts[i];

      if (part->cancelled)
        return wf_run_set_cancelled (error);
      if (part->error)
        {
          g_propagate_error (error, g_steal_pointer (&part->error));
          return FALSE;
        }
    }
  for (guint i = 0; i < build.n_parts; i++)
    {
      WfTreePart *part = &build.parts[i];

      if (! (part->map = wf_allocate (part->n, sizeof (guint32), error)))
        return FALSE;
      memset (part->map, 0, (gsize) part->n * sizeof (guint32));
    }
  if (! wf_tree_join_seams (&build, error) || ! allocate_tree (&build, error))
    return FALSE;
  wf_run_commit (run);
  wf_run_begin (run, SHARE_OF_NODES, n_pixels);
  write_seams (&build);
  wf_run_together (build.run, build.n_parts, write_parts, &build);
  if (! wf_tree_measure (tree, run, error))
    return FALSE;
  tree->size += (guint64) tree->n_nodes * node_size (tree);
  return TRUE;
}

/* As if each pixel were a node. */
guint64
wf_cpu_attribute_tree_memory (const WfAttributeTree *tree)
{
  const WfShape *shape = &tree->shape;
  const guint64  n     = (guint64) (shape->width + 1) * (guint64) (shape->height + 2)
                         * (guint64) (shape->depth > 1 ? shape->depth + 2 : 1);
  const guint64  key   = key_size (tree->type);

  return n * (6 * sizeof (guint32) + 2 * key                          /* while it is flooded */
              + (tree->type == WF_TYPE_F32 ? 5 * sizeof (guint32) : 0)
              + 2 * sizeof (guint32) + wf_type_size (tree->type));    /* the tree */
}

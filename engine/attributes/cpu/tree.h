/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a tree of components is built with (tree.c). */

#pragma once

#include "engine/attributes/attribute-tree.h"
#include "engine/core/grid.h"
#include "engine/cpu/ordered-key.h"

G_BEGIN_DECLS

#define NONE   G_MAXUINT32

/* Of a pixel; others that have no node yet have the next one in a list, 0 at its end. */
#define UNSEEN G_MAXUINT32

/* 64 to the power of this is more than all levels. */
#define MOST_STAGES 6

/**
 * WfTreeStages:
 * @n: how many there are
 * @words: a bit for each list that is not empty; in the next stage, for each word that is not 0
 */
typedef struct
{
  int      n;
  guint64 *words[MOST_STAGES];
} WfTreeStages;

/**
 * WfTreePart:
 * @part: what becomes of it
 * @size: of the frame
 * @n_pixels: of the part
 * @keys: of the frame: the levels, the highest of the component that is flooded first; of f32
 *   their ranks
 * @key_of_rank: of f32, the keys of #wf_float_key()
 * @n_keys: one more than the highest key
 * @heads: for each key the first pixel of its list, or 0
 * @open: the nodes that hold the pixel being visited, the highest last
 * @n_open: their number
 * @n: the number of nodes
 * @capacity: of the arrays that follow
 * @parents, @areas, @node_keys: of each node
 * @closed: the nodes in the order in which their components were complete
 * @n_closed: their number
 * @map: of a node at a seam its number among these, and 1; then, of each node, its final number
 * @n_at_seams: nodes that @map has while the seams are joined
 * @error: of the flooding
 * @cancelled: whether it was cancelled
 */
typedef struct
{
  WfAttributePart *part;
  gint64      size;
  gint64      n_pixels;
  gpointer    keys;
  guint32    *key_of_rank;
  guint32     n_keys;
  guint32    *heads;
  WfTreeStages      stages;
  guint32    *open;
  guint32     n_open;
  guint32     n;
  guint32     capacity;
  guint32    *parents;
  guint32    *areas;
  gpointer    node_keys;
  guint32    *closed;
  guint32     n_closed;
  guint32    *map;
  guint32     n_at_seams;
  GError     *error;
  gboolean    cancelled;
} WfTreePart;

/**
 * WfTreeSeams:
 * @n: the number of nodes at seams
 * @capacity: of the arrays
 * @keys: of each, of f32 those of wf_float_key()
 * @parents: likewise among these, or %NONE
 * @same: of each a node that it has become one with, in the end itself
 * @areas: pixels of each node that are in no other one at a seam
 * @final: the numbers that they get
 * @n_final: how many numbers there are
 */
typedef struct
{
  guint32  n;
  guint32  capacity;
  guint32 *keys;
  guint32 *parents;
  guint32 *same;
  guint32 *areas;
  guint32 *final;
  guint32  n_final;
} WfTreeSeams;

typedef struct
{
  const WfImage   *image;
  WfRun           *run;
  WfAttributeTree      *tree;
  WfNeighbourhood  neighbours;
  WfTreePart      *parts;
  guint            n_parts;
  WfTreeSeams      seams;
} WfTreeBuild;


static inline gsize
key_size (WfType type)
{
  return type == WF_TYPE_U8 ? sizeof (guint8) : type == WF_TYPE_U16 ? sizeof (guint16)
                                                                    : sizeof (guint32);
}

static inline gint64
n_rows_of (const WfTreeBuild *build,
           const WfTreePart  *part)
{
  return build->tree->shape.depth > 1 ? part->part->n_slabs * build->tree->shape.height
                                      : part->part->n_slabs;
}

/* The position of the first pixel of a row of a part. */
static inline gint64
row_in_frame (const WfTreeBuild *build,
              const WfTreePart  *part,
              gint64             row)
{
  const gint64      height = build->tree->shape.height;
  const WfAttributePart *place  = part->part;

  return build->tree->shape.depth > 1
         ? place->origin + row / height * place->slice + row % height * place->pitch
         : place->origin + row * place->pitch;
}

/* The number of a part's row among all rows of the image. */
static inline gint64
row_in_image (const WfTreeBuild *build,
              const WfTreePart  *part,
              gint64             row)
{
  return part->part->first_slab * (build->tree->shape.depth > 1 ? build->tree->shape.height : 1)
         + row;
}

static inline guint32
get_node_key (const WfTreeBuild *build,
              const WfTreePart  *part,
              guint32            node)
{
  switch (build->tree->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) part->node_keys)[node];
    case WF_TYPE_U16:
      return ((const guint16 *) part->node_keys)[node];
    default:
      return part->key_of_rank[((const guint32 *) part->node_keys)[node]];
    }
}

gboolean wf_tree_grow        (gpointer            array,
                              guint32             n_now,
                              guint32             n,
                              gsize               size,
                              GError            **error);
gboolean wf_tree_flood       (const WfTreeBuild  *build,
                              WfTreePart         *part,
                              GError            **error);
void     wf_tree_clear_flood (WfTreePart         *part);
gboolean wf_tree_join_seams  (WfTreeBuild        *build,
                              GError            **error);
guint32  wf_tree_find_parent (WfTreeSeams        *seams,
                              guint32             x);
gboolean wf_tree_measure     (WfAttributeTree    *tree,
                              const WfRun        *run,
                              GError            **error);

G_END_DECLS

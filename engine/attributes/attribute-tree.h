/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of a #WfAttributeTree. */

#pragma once

#include "attribute.h"
#include "engine/core/run.h"

G_BEGIN_DECLS

/**
 * WfAttributePart:
 * @first_slab: the first of the part's rows, in a stack slices
 * @n_slabs: their number
 * @pitch: from row to row in @nodes
 * @slice: from slice to slice
 * @origin: of the first pixel in @nodes
 * @nodes: the node of each pixel, the smallest component that holds it at its own level
 * @first: the first node that lies in this part alone
 * @n: the number of these nodes
 *
 * A part of the image that a thread has flooded.
 */
typedef struct
{
  gint64   first_slab;
  gint64   n_slabs;
  gint64   pitch;
  gint64   slice;
  gint64   origin;
  guint32 *nodes;
  guint32  first;
  guint32  n;
} WfAttributePart;

/**
 * WfAttributeTree:
 * @shape: of the image
 * @type: of its levels
 * @operation: what it is cut for
 * @attribute: what it is cut by
 * @closing: whether the components are dark parts
 * @connectivity: 4 or 8, 6 or 26
 * @n_nodes: the number of components
 * @n_shared: of those that lie in several parts, or hold such: the first ones
 * @parents: of each node that of the smallest component that holds it; of the first, the whole
 *   image, itself; others have greater numbers than their parents
 * @whole: (nullable): of each component its area, or height, where this is a whole number; the
 *   whole image has more than all.  While the tree is built, areas
 * @real: (nullable): of each component its height or volume, where @whole has none
 * @levels: of each component, of @type
 * @parts: @n_parts of them
 * @size: of all this, in bytes
 */
struct _WfAttributeTree
{
  gatomicrefcount  ref_count;
  WfShape          shape;
  WfType           type;
  WfOperation      operation;
  WfAttribute      attribute;
  gboolean         closing;
  int              connectivity;
  guint32          n_nodes;
  guint32          n_shared;
  guint32         *parents;
  guint32         *whole;
  double          *real;
  gpointer         levels;
  WfAttributePart *parts;
  guint            n_parts;
  guint64          size;
};

gboolean wf_cpu_attribute_tree_build  (WfAttributeTree        *tree,
                                  const WfImage     *image,
                                  WfRun             *run,
                                  GError           **error);
guint64  wf_cpu_attribute_tree_memory (const WfAttributeTree  *tree);

G_END_DECLS

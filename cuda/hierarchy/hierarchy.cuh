/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of basins on the device: what its kernels share. */

#pragma once

#include "cuda/core/device.cuh"

/* The smaller vertex above the larger one: as a number, in the order of edges. */
typedef unsigned long long BoundaryPair;

#define BOUNDARY_NO_PAIR (~(BoundaryPair) 0)

/**
 * BoundaryTable:
 * @pairs: of each slot, or %BOUNDARY_NO_PAIR
 * @passes: the least yet of each pair
 * @mask: the number of slots, a power of two, less one
 * @full: set once a pair has found no slot
 */
struct BoundaryTable
{
  BoundaryPair *pairs;
  guint32      *passes;
  guint64       mask;
  guint32      *full;
};

/**
 * BoundaryEdges:
 *
 * Each pair of neighboring vertices once, with the least pass between them.
 */
struct BoundaryEdges
{
  BoundaryPair *pairs;
  guint32      *passes;
  gint64        n;
};

/* Of the task's partition: relabel.cu. */
gboolean wf_cuda_hierarchy_relabel (gconstpointer     task,
                                    WfRun            *run,
                                    GError          **error);

/* Puts the edges of the minimum spanning tree of @n_vertices vertices, which the edges
 * connect, into @tree, on the device: at each vertex but one the edge that joined it.
 * At that one all three numbers are 0.
 */
gboolean wf_cuda_hierarchy_tree (WfCuda               *cuda,
                                 const BoundaryEdges  *edges,
                                 guint32               n_vertices,
                                 WfBoundary           *tree,
                                 GError              **error);
guint64  wf_cuda_hierarchy_tree_memory
                                (guint32               n_vertices);

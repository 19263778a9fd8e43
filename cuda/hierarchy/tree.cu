/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The minimum spanning tree of the graph of basins, by Borůvka's rounds: every part takes the
 * least of the edges that lead out of it (Borůvka, O jistém problému minimálním, 1926; on
 * GPUs: Vineet, Harish, Patidar and Narayanan, Fast minimum spanning tree for large graphs on
 * the GPU, HPG 2009).
 *
 * Edges have a strict order, (pass, smaller vertex, larger vertex), so the tree is unique and
 * equals Kruskal's.  The order has 96 bits: a part first finds its least pass and then, among
 * the edges with that pass, the least pair.  With a strict order at most two parts take the
 * same edge.  Of these the larger one joins the smaller one; every other part joins the one
 * that its edge leads to.  So each part that joins another one contributes one edge, which is
 * stored at the vertex that stands for the part.
 *
 * This is not union-find (cuda/core/union-find.cuh): all parts choose before any of them is
 * joined.  Chains of parts may have as many links as there are vertices (a ramp).  Pointer
 * doubling flattens them in a logarithmic number of rounds.
 *
 * Bytes: in a round 2 × 12 for each edge, and about 16 at random for each of its ends; 40 for
 * each vertex, and 8 for each doubling.  A round joins at least half of the parts, in images
 * most of them.
 */

#include "hierarchy.cuh"

namespace hierarchy
{

constexpr int THREADS = 256;

/**
 * Parts:
 * @part: of each vertex: a vertex that stands for it
 * @joined: for those that stand for a part, the one that it joins, or itself
 * @least_pass, @least_pair: for each part
 */
struct Parts
{
  guint32      *part;
  guint32      *joined;
  guint32      *least_pass;
  BoundaryPair *least_pair;
};


static __global__ void
number_parts (guint32 *part,
              guint32  n_vertices)
{
  for (gint64 v = blockIdx.x * (gint64) blockDim.x + threadIdx.x; v < n_vertices;
       v += (gint64) gridDim.x * blockDim.x)
    part[v] = (guint32) v;
}

static __device__ bool
leads_out (const Parts  &parts,
           BoundaryPair  pair,
           guint32      *a,
           guint32      *b)
{
  *a = parts.part[pair >> 32];
  *b = parts.part[(guint32) pair];
  return *a != *b;
}

static __global__ void
find_least_passes (BoundaryEdges edges,
                   Parts         parts)
{
  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < edges.n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 pass = edges.passes[i];
      guint32       a;
      guint32       b;

      if (! leads_out (parts, edges.pairs[i], &a, &b))
        continue;
      if (pass < parts.least_pass[a])
        atomicMin (&parts.least_pass[a], pass);
      if (pass < parts.least_pass[b])
        atomicMin (&parts.least_pass[b], pass);
    }
}

static __global__ void
find_least_pairs (BoundaryEdges edges,
                  Parts         parts)
{
  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < edges.n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const guint32      pass = edges.passes[i];
      const BoundaryPair pair = edges.pairs[i];
      guint32            a;
      guint32            b;

      if (! leads_out (parts, pair, &a, &b))
        continue;
      if (pass == parts.least_pass[a] && pair < parts.least_pair[a])
        atomicMin (&parts.least_pair[a], pair);
      if (pass == parts.least_pass[b] && pair < parts.least_pair[b])
        atomicMin (&parts.least_pair[b], pair);
    }
}

/* Each part finds the one that it joins.  No thread changes what others read here. */
static __global__ void
choose (Parts       parts,
        guint32     n_vertices,
        WfBoundary *tree,
        guint32    *n_joined)
{
  guint32 n = 0;

  for (gint64 v = blockIdx.x * (gint64) blockDim.x + threadIdx.x; v < n_vertices;
       v += (gint64) gridDim.x * blockDim.x)
    {
      const BoundaryPair pair = parts.least_pair[v];
      guint32            a;
      guint32            b;
      guint32            other;

      if (parts.part[v] != v)
        continue;
      parts.joined[v] = (guint32) v;
      if (pair == BOUNDARY_NO_PAIR)
        continue;
      leads_out (parts, pair, &a, &b);
      other = a == v ? b : a;
      if (parts.least_pair[other] == pair && v < other)
        continue;
      parts.joined[v] = other;
      tree[v] = WfBoundary { (guint32) pair, (guint32) (pair >> 32), parts.least_pass[v] };
      n++;
    }
  if (n > 0)
    atomicAdd (n_joined, n);
}

static __global__ void
join (Parts   parts,
      guint32 n_vertices)
{
  for (gint64 v = blockIdx.x * (gint64) blockDim.x + threadIdx.x; v < n_vertices;
       v += (gint64) gridDim.x * blockDim.x)
    if (parts.part[v] == v)
      parts.part[v] = parts.joined[v];
}

/* A part that another thread has changed already is one further up. */
static __global__ void
double_steps (guint32 *part,
              guint32  n_vertices,
              guint32 *changed)
{
  volatile guint32 *parts = part;
  bool              any   = false;

  for (gint64 v = blockIdx.x * (gint64) blockDim.x + threadIdx.x; v < n_vertices;
       v += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 next  = parts[v];
      const guint32 after = parts[next];

      if (next == after)
        continue;
      parts[v] = after;
      any      = true;
    }
  if (any)
    *changed = 1;
}


/*  Rounds  */

static gboolean
make_flat (WfCuda       *cuda,
           const Parts  &parts,
           guint32       n_vertices,
           guint32      *changed,
           GError      **error)
{
  const guint32 blocks = wf_cuda_blocks (cuda, n_vertices, THREADS);
  guint32       more   = 1;

  while (more)
    {
      if (! wf_cuda_advance (cuda, 0, error))
        return FALSE;
      WF_CUDA_CHECK (cudaMemsetAsync (changed, 0, sizeof *changed, cuda->stream));
      double_steps<<<blocks, THREADS, 0, cuda->stream>>> (parts.part, n_vertices, changed);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_read (cuda, &more, changed, sizeof more, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
do_round (WfCuda               *cuda,
          const BoundaryEdges  &edges,
          const Parts          &parts,
          guint32               n_vertices,
          WfBoundary           *tree,
          guint32              *counter,
          guint32              *n_joined,
          GError              **error)
{
  const guint32 by_edge   = wf_cuda_blocks (cuda, edges.n, THREADS);
  const guint32 by_vertex = wf_cuda_blocks (cuda, n_vertices, THREADS);

  WF_CUDA_CHECK (cudaMemsetAsync (parts.least_pass, 0xff, n_vertices * sizeof (guint32),
                                  cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (parts.least_pair, 0xff, n_vertices * sizeof (BoundaryPair),
                                  cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (counter, 0, sizeof *counter, cuda->stream));
  find_least_passes<<<by_edge, THREADS, 0, cuda->stream>>> (edges, parts);
  WF_CUDA_CHECK_LAUNCH ();
  find_least_pairs<<<by_edge, THREADS, 0, cuda->stream>>> (edges, parts);
  WF_CUDA_CHECK_LAUNCH ();
  choose<<<by_vertex, THREADS, 0, cuda->stream>>> (parts, n_vertices, tree, counter);
  WF_CUDA_CHECK_LAUNCH ();
  join<<<by_vertex, THREADS, 0, cuda->stream>>> (parts, n_vertices);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_read (cuda, n_joined, counter, sizeof *n_joined, error) &&
         make_flat (cuda, parts, n_vertices, counter, error);
}

} /* namespace hierarchy */

using namespace hierarchy;

guint64
wf_cuda_hierarchy_tree_memory (guint32 n_vertices)
{
  return (guint64) n_vertices * (3 * sizeof (guint32) + sizeof (BoundaryPair));
}

gboolean
wf_cuda_hierarchy_tree (WfCuda               *cuda,
                        const BoundaryEdges  *edges,
                        guint32               n_vertices,
                        WfBoundary           *tree,
                        GError              **error)
{
  WfDeviceArray<guint32>      part;
  WfDeviceArray<guint32>      joined;
  WfDeviceArray<guint32>      least_pass;
  WfDeviceArray<BoundaryPair> least_pair;
  WfDeviceArray<guint32>      counter;
  Parts                       parts;
  guint32                     left = n_vertices - 1;
  guint32                     n_joined;

  if (! part.allocate (cuda, n_vertices, error) ||
      ! joined.allocate (cuda, n_vertices, error) ||
      ! least_pass.allocate (cuda, n_vertices, error) ||
      ! least_pair.allocate (cuda, n_vertices, error) ||
      ! counter.allocate (cuda, 1, error))
    return FALSE;
  parts = Parts { part.data, joined.data, least_pass.data, least_pair.data };

  WF_CUDA_CHECK (cudaMemsetAsync (tree, 0, n_vertices * sizeof (WfBoundary), cuda->stream));
  number_parts<<<wf_cuda_blocks (cuda, n_vertices, THREADS), THREADS, 0, cuda->stream>>>
    (part.data, n_vertices);
  WF_CUDA_CHECK_LAUNCH ();
  while (left > 0)
    {
      if (! do_round (cuda, *edges, parts, n_vertices, tree, counter.data, &n_joined, error))
        return FALSE;
      /* All pixels are connected through others, and so are all vertices. */
      g_assert (n_joined > 0 && n_joined <= left);
      left -= n_joined;
    }
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction over the graph of basins: see basins.inc.cuh. */

#include "finish.inc.cuh"
#include "graph.inc.cuh"
#include "tiles.inc.cuh"
#include "cuda/reconstruction/run.cuh"

namespace basins
{

/* Each round leaves at most half of the sets that have edges; more are queued than are needed. */
constexpr int MOST_ROUNDS  = 40;
constexpr int FIRST_ROUNDS = 7;
constexpr int MORE_ROUNDS  = 3;


/* Gives out parts of one allocation, or only counts them. */
struct Parts
{
  guint8  *data;
  guint64  used;

  template <typename T>
  void
  take (T       **part,
        guint64   n)
  {
    *part = data ? (T *) (data + used) : NULL;
    used += (n * sizeof (T) + 255) / 256 * 256;
  }
};

template <typename Pixel>
static guint64
count_tiles (const WfShape *shape)
{
  const guint64 across = (shape->width + COLUMNS - 1) / COLUMNS;

  return across * ((shape->height + Tile<Pixel>::ROWS - 1) / Tile<Pixel>::ROWS);
}

template <typename Pixel, int CONNECTIVITY>
static guint64
divide (guint8        *data,
        guint64        n_tiles,
        Basins<Pixel> *basins,
        Graph         *graph)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  Parts parts = { data, 0 };

  parts.take (&graph->goes_on, MOST_ROUNDS);
  parts.take (&basins->n, n_tiles);
  parts.take (&graph->n_nodes, n_tiles);
  parts.take (&graph->n_alive, n_tiles);
  parts.take (&graph->n_edges, n_tiles);
  parts.take (&basins->of_pixels, n_tiles * Size::AREA);
  parts.take (&basins->parent, n_tiles * Size::MOST);
  parts.take (&basins->edge, n_tiles * Size::MOST);
  parts.take (&basins->seed, n_tiles * Size::MOST);
  parts.take (&basins->rim, n_tiles * N_SIDES * SIDE);
  parts.take (&graph->set, n_tiles * NODES);
  parts.take (&graph->best, n_tiles * NODES);
  parts.take (&graph->parent, n_tiles * NODES);
  parts.take (&graph->edge, n_tiles * NODES);
  parts.take (&graph->seed, n_tiles * NODES);
  parts.take (&graph->level, n_tiles * NODES);
  parts.take (&graph->alive, n_tiles * NODES);
  parts.take (&graph->pairs, n_tiles * Size::EDGES);
  parts.take (&graph->levels, n_tiles * Size::EDGES);
  return parts.used;
}

/* Until no edge is left. */
template <int EDGES>
static gboolean
join_all (WfCuda       *cuda,
          const Graph  &graph,
          guint32       n_tiles,
          GError      **error)
{
  const guint32 blocks  = (n_tiles + THREADS / WF_LANES - 1) / (THREADS / WF_LANES);
  guint32       goes_on = 1;

  for (int round = 0, end = FIRST_ROUNDS; goes_on && round < MOST_ROUNDS; end += MORE_ROUNDS)
    {
      for (end = MIN (end, MOST_ROUNDS); round < end; round++)
        {
          choose_edges<EDGES><<<blocks, THREADS, 0, cuda->stream>>> (graph, n_tiles, round);
          WF_CUDA_CHECK_LAUNCH ();
          join_nodes<<<blocks, THREADS, 0, cuda->stream>>> (graph, n_tiles);
          WF_CUDA_CHECK_LAUNCH ();
          flatten_sets<<<blocks, THREADS, 0, cuda->stream>>> (graph, n_tiles);
          WF_CUDA_CHECK_LAUNCH ();
        }
      if (! wf_cuda_read (cuda, &goes_on, graph.goes_on + round - 1, sizeof goes_on, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return TRUE;
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
run (WfCuda              *cuda,
     const Image<Pixel>  &image,
     const Basins<Pixel> &basins,
     const Graph         &graph,
     GError             **error)
{
  const guint32 n      = image.n_tiles;
  const guint32 blocks = (n + THREADS / WF_LANES - 1) / (THREADS / WF_LANES);

  WF_CUDA_CHECK (cudaMemsetAsync (graph.goes_on, 0, MOST_ROUNDS * sizeof (guint32),
                                  cuda->stream));
  join_in_tiles<Pixel, CONNECTIVITY><<<n, THREADS, 0, cuda->stream>>> (image, basins, graph);
  WF_CUDA_CHECK_LAUNCH ();
  find_seams<Pixel, CONNECTIVITY><<<blocks, THREADS, 0, cuda->stream>>> (image, basins.rim,
                                                                         graph);
  WF_CUDA_CHECK_LAUNCH ();
  if (! join_all<Sizes<Pixel, CONNECTIVITY>::EDGES> (cuda, graph, n, error))
    return FALSE;
  find_levels<<<blocks, THREADS, 0, cuda->stream>>> (graph, n);
  WF_CUDA_CHECK_LAUNCH ();
  finish_tiles<Pixel, CONNECTIVITY><<<n, THREADS, 0, cuda->stream>>> (image, basins,
                                                                      graph.level);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             GError                     **error)
{
  const guint64         n_tiles = count_tiles<Pixel> (&task->shape);
  WfDeviceArray<guint8> memory;
  Image<Pixel>          image;
  Basins<Pixel>         basins;
  Graph                 graph;

  if (! memory.allocate (cuda, divide<Pixel, CONNECTIVITY> (NULL, n_tiles, &basins, &graph),
                         error))
    return FALSE;
  divide<Pixel, CONNECTIVITY> (memory.data, n_tiles, &basins, &graph);

  image.mask      = (const Pixel *) task->mask;
  image.marker    = (const Pixel *) task->marker;
  image.result    = (Pixel *) task->out;
  image.keys.flip = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  image.width     = task->shape.width;
  image.height    = task->shape.height;
  image.across    = (guint32) ((image.width + COLUMNS - 1) / COLUMNS);
  image.n_tiles   = (guint32) n_tiles;
  return run<Pixel, CONNECTIVITY> (cuda, image, basins, graph, error);
}

template <typename Pixel, int CONNECTIVITY>
static guint64
memory_of (const WfShape *shape)
{
  Basins<Pixel> basins;
  Graph         graph;

  return divide<Pixel, CONNECTIVITY> (NULL, count_tiles<Pixel> (shape), &basins, &graph);
}

} /* namespace basins */

using namespace basins;

gboolean
wf_cuda_basins_support (const WfShape *shape,
                        WfType         type,
                        int            connectivity)
{
  /* edges are numbered in 32 bits, at most 640 in a tile */
  return ! wf_is_stack_connectivity (connectivity) &&
         wf_dispatch_keys (type, [&] (auto pixel)
           {
             return count_tiles<decltype (pixel)> (shape) < G_MAXUINT32 / 640;
           });
}

guint64
wf_cuda_reconstruct_basins_memory (const WfShape *shape,
                                   WfType         type,
                                   int            connectivity)
{
  return wf_dispatch_keys (type, [&] (auto pixel)
    {
      return wf_dispatch_value<4, 8> (connectivity, [&] (auto value)
        {
          return memory_of<decltype (pixel), decltype (value)::value> (shape);
        });
    });
}

gboolean
wf_cuda_reconstruct_basins (WfCuda                      *cuda,
                            const WfCudaReconstruction  *task,
                            GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return wf_dispatch_value<4, 8> (task->connectivity, [&] (auto value)
        {
          return reconstruct<decltype (pixel), decltype (value)::value> (cuda, task, error);
        });
    });
}

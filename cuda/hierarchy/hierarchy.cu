/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of basins, with the graph of boundaries found on the device.
 *
 * The steps that go over pixels run here:
 *
 *   1. Pairs of neighbouring pixels in different vertices are offered to a table that keeps
 *      the least pass of each pair of vertices: first to a small table of the block in shared
 *      memory, for its tile of 32 × 32 pixels, where most of the pixels of a boundary meet;
 *      then, once for each pair and tile, to the table of the whole image.  Tables use open
 *      addressing: compare-and-swap takes the first empty slot from the pair's own on, and an
 *      atomic minimum lowers the pass, so the result does not depend on the order.
 *   2. Least levels and areas of vertices: a run of one vertex within the 32 pixels of a warp
 *      takes one atomic minimum or sum of integers.
 *   3. The edges, without the empty slots.
 *   4. Their minimum spanning tree: tree.cu.
 *
 * The tree is downloaded; it has fewer edges than there are vertices.  The CPU does the rest
 * (task->build): before, it numbers the basins and treats unlabelled pixels; after, it
 * measures the merges.  Sums of volumes need the merges and stay on the CPU.
 *
 * Labels in the device's memory are looked at there first (labels.inc.cuh): if they are 1 to n, and
 * no pixel is 0, as a watershed without lines gives them, they are the vertices, and no pixel comes
 * to the CPU.  Otherwise, and for volumes, both images are copied to main memory, where the CPU
 * numbers the pixels.
 *
 * Bytes: 1. the vertex and the level of each pixel, and from the caches those of half of its
 * neighbours; 12 at random for each pair and tile.  2. the vertex and the level of each pixel.
 * 3. 12 for each slot and each edge.
 *
 * The number of edges is not known in advance.  There are eight slots for each vertex of an
 * image and sixteen of a stack; a planar graph has fewer than three edges a vertex.  If a pair
 * finds no empty slot within PROBES slots, step 1 is repeated with four times as many.
 */

#include "hierarchy.cuh"
#include "boundaries.inc.cuh"
#include "labels.inc.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/core/pixels.cuh"

namespace hierarchy
{

constexpr guint64 LEAST_SLOTS    = 4096;
constexpr gint64  TILES_A_LAUNCH = 1 << 19;


/*  The graph  */

/**
 * GraphSearch:
 * @image: the levels
 * @labels: those that are on the device
 *
 * The data of find_graph(), which the CPU calls.
 */
struct GraphSearch
{
  WfCuda                *cuda;
  const WfHierarchyTask *task;
  WfCudaPixels<char>     image;
  WfCudaPixels<guint32>  labels;
};

/**
 * GraphArrays:
 * @own: vertices that the CPU has numbered
 * @vertices: of the pixels, plus 1: @own or the labels
 *
 * Device memory of the search.
 */
struct GraphArrays
{
  WfDeviceArray<guint32>            own;
  const guint32                    *vertices;
  WfDeviceArray<BoundaryPair>       table_pairs;
  WfDeviceArray<guint32>            table_passes;
  WfDeviceArray<guint32>            full;
  WfDeviceArray<guint32>            least;
  WfDeviceArray<unsigned long long> area;
  WfDeviceArray<unsigned long long> counter;
};

static BoundaryGrid
make_grid (const WfHierarchyTask *task)
{
  const WfShape *shape = &task->shape;
  const bool     wide  = task->connectivity == 8 || task->connectivity == 26;
  const bool     deep  = wf_is_stack_connectivity (task->connectivity);
  BoundaryGrid   grid  = { shape->width, shape->height, shape->depth };

  grid.across  = (shape->width + TILE - 1) / TILE;
  grid.down    = (shape->height + TILE - 1) / TILE;
  grid.n_tiles = grid.across * grid.down * shape->depth;
  for (int dz = 0; dz <= (deep ? 1 : 0); dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        {
          const bool later = dz > 0 || dy > 0 || (dy == 0 && dx > 0);

          if (! later || (! wide && ABS (dx) + ABS (dy) + dz > 1))
            continue;
          grid.dx[grid.n_after] = (signed char) dx;
          grid.dy[grid.n_after] = (signed char) dy;
          grid.dz[grid.n_after] = (signed char) dz;
          grid.n_after++;
        }
  return grid;
}

static guint64
first_slots (const WfHierarchyTask *task,
             guint32                n_vertices)
{
  const guint64 wanted = (guint64) n_vertices * (task->shape.depth > 1 ? 16 : 8);
  guint64       n      = LEAST_SLOTS;

  while (n < wanted)
    n *= 2;
  return n;
}

template <typename T>
static gboolean
search_tiles (const GraphSearch    *search,
              const BoundaryGrid   &grid,
              const GraphArrays    &arrays,
              const BoundaryTable  &table,
              gboolean              counted,
              GError              **error)
{
  WfCuda       *cuda   = search->cuda;
  const gint64  pixels = wf_shape_n_pixels (&search->task->shape);

  for (gint64 tile = 0; tile < grid.n_tiles; tile += TILES_A_LAUNCH)
    {
      const gint64 after = MIN (tile + TILES_A_LAUNCH, grid.n_tiles);

      find_boundaries<T><<<wf_cuda_blocks (cuda, (after - tile) * THREADS, THREADS), THREADS, 0,
                           cuda->stream>>>
        ((const T *) search->image.data, arrays.vertices, grid, tile, after, table);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_advance (cuda, counted ? 0 : (gint64) ((double) pixels / grid.n_tiles
                                                           * (after - tile)), error))
        return FALSE;
    }
  return TRUE;
}

/* Fills a table of @n_slots; @full: whether it was too small. */
static gboolean
fill_table (const GraphSearch  *search,
            GraphArrays        *arrays,
            guint64             n_slots,
            gboolean            counted,
            guint32            *full,
            GError            **error)
{
  WfCuda             *cuda = search->cuda;
  const BoundaryGrid  grid = make_grid (search->task);
  BoundaryTable       table;

  if (! arrays->table_pairs.allocate (cuda, n_slots, error) ||
      ! arrays->table_passes.allocate (cuda, n_slots, error))
    return FALSE;
  table = BoundaryTable { arrays->table_pairs.data, arrays->table_passes.data, n_slots - 1,
                          arrays->full.data };
  WF_CUDA_CHECK (cudaMemsetAsync (table.pairs, 0xff, n_slots * sizeof (BoundaryPair),
                                  cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (table.passes, 0xff, n_slots * sizeof (guint32), cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (table.full, 0, sizeof (guint32), cuda->stream));
  return wf_dispatch_pixels (search->task->type, [&] (auto pixel)
           {
             return search_tiles<decltype (pixel)> (search, grid, *arrays, table, counted, error);
           }) &&
         wf_cuda_read (cuda, full, table.full, sizeof *full, error);
}

template <typename T>
static gboolean
launch_count (const GraphSearch  *search,
              const GraphArrays  &arrays,
              GError            **error)
{
  const gint64 n = wf_shape_n_pixels (&search->task->shape);

  count_vertices<T><<<wf_cuda_blocks (search->cuda, n, THREADS), THREADS, 0,
                      search->cuda->stream>>>
    ((const T *) search->image.data, arrays.vertices, n, arrays.least.data, arrays.area.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Least levels and areas, if they are wanted. */
static gboolean
count (const GraphSearch  *search,
       GraphArrays        *arrays,
       WfBoundaries       *boundaries,
       GError            **error)
{
  WfCuda        *cuda = search->cuda;
  const guint32  n    = boundaries->n_vertices;

  if (! boundaries->least && ! boundaries->area)
    return TRUE;
  if (boundaries->least)
    {
      if (! arrays->least.allocate (cuda, n, error))
        return FALSE;
      WF_CUDA_CHECK (cudaMemsetAsync (arrays->least.data, 0xff, n * sizeof (guint32),
                                      cuda->stream));
    }
  if (boundaries->area)
    {
      if (! arrays->area.allocate (cuda, n, error))
        return FALSE;
      WF_CUDA_CHECK (cudaMemsetAsync (arrays->area.data, 0, n * sizeof (guint64), cuda->stream));
    }
  if (! wf_dispatch_pixels (search->task->type, [&] (auto pixel)
          {
            return launch_count<decltype (pixel)> (search, *arrays, error);
          }))
    return FALSE;
  if (boundaries->least)
    WF_CUDA_CHECK (cudaMemcpyAsync (boundaries->least, arrays->least.data, n * sizeof (guint32),
                                    cudaMemcpyDeviceToHost, cuda->stream));
  if (boundaries->area)
    WF_CUDA_CHECK (cudaMemcpyAsync (boundaries->area, arrays->area.data, n * sizeof (guint64),
                                    cudaMemcpyDeviceToHost, cuda->stream));
  return wf_cuda_wait (cuda, error);
}

/* The edges of the tree, without the empty place. */
static gboolean
fetch_tree (WfCuda            *cuda,
            const WfBoundary  *tree,
            WfBoundaries      *boundaries,
            GError           **error)
{
  const guint32          n     = boundaries->n_vertices;
  g_autofree WfBoundary *edges = g_try_new (WfBoundary, n);
  guint32                empty = 0;

  if (! edges)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, _("There is not enough memory."));
      return FALSE;
    }
  WF_CUDA_CHECK (cudaMemcpyAsync (edges, tree, n * sizeof (WfBoundary), cudaMemcpyDeviceToHost,
                                  cuda->stream));
  if (! wf_cuda_wait (cuda, error))
    return FALSE;

  while (edges[empty].larger != edges[empty].smaller)
    empty++;
  edges[empty]        = edges[n - 1];
  boundaries->n_edges = n - 1;
  boundaries->edges   = (WfBoundary *) g_steal_pointer (&edges);
  return TRUE;
}

static gboolean
find_tree (const GraphSearch  *search,
           GraphArrays        *arrays,
           guint64             n_slots,
           WfBoundaries       *boundaries,
           GError            **error)
{
  WfCuda                      *cuda   = search->cuda;
  const guint32                blocks = wf_cuda_blocks (cuda, n_slots, THREADS);
  const BoundaryTable          table  = { arrays->table_pairs.data, arrays->table_passes.data,
                                          n_slots - 1, arrays->full.data };
  WfDeviceArray<BoundaryPair>  pairs;
  WfDeviceArray<guint32>       passes;
  WfDeviceArray<WfBoundary>    tree;
  unsigned long long           n_edges;
  BoundaryEdges                edges;

  WF_CUDA_CHECK (cudaMemsetAsync (arrays->counter.data, 0, sizeof n_edges, cuda->stream));
  count_slots<<<blocks, THREADS, 0, cuda->stream>>> (table, arrays->counter.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &n_edges, arrays->counter.data, sizeof n_edges, error) ||
      ! pairs.allocate (cuda, n_edges, error) ||
      ! passes.allocate (cuda, n_edges, error))
    return FALSE;

  edges = BoundaryEdges { pairs.data, passes.data, (gint64) n_edges };
  WF_CUDA_CHECK (cudaMemsetAsync (arrays->counter.data, 0, sizeof n_edges, cuda->stream));
  list_edges<<<blocks, THREADS, 0, cuda->stream>>> (table, edges, arrays->counter.data);
  WF_CUDA_CHECK_LAUNCH ();
  arrays->table_pairs.clear ();
  arrays->table_passes.clear ();
  return tree.allocate (cuda, boundaries->n_vertices, error) &&
         wf_cuda_hierarchy_tree (cuda, &edges, boundaries->n_vertices, tree.data, error) &&
         fetch_tree (cuda, tree.data, boundaries, error);
}

/* Vertices that are on the device are the labels. */
static gboolean
take_vertices (const GraphSearch   *search,
               const WfBoundaries  *boundaries,
               GraphArrays         *arrays,
               GError             **error)
{
  arrays->vertices = search->labels.data;
  if (boundaries->vertices->memory != WF_MEMORY_HOST)
    return TRUE;
  if (! arrays->own.allocate (search->cuda, wf_shape_n_pixels (&search->task->shape), error))
    return FALSE;
  arrays->vertices = arrays->own.data;
  return wf_cuda_upload (search->cuda, boundaries->vertices, NULL, arrays->own.data, error);
}

static gboolean
find_on_device (GraphSearch   *search,
                WfBoundaries  *boundaries,
                GError       **error)
{
  WfCuda        *cuda    = search->cuda;
  const gint64   n       = boundaries->vertices->memory != WF_MEMORY_HOST
                           ? 0 : wf_shape_n_pixels (&search->task->shape);
  guint64        n_slots = first_slots (search->task, boundaries->n_vertices);
  guint32        full    = 1;
  gboolean       counted = FALSE;
  GraphArrays    arrays;

  if (! wf_cuda_check_memory (cuda, n * sizeof (guint32)
                              + n_slots * (sizeof (BoundaryPair) + sizeof (guint32))
                              + wf_cuda_hierarchy_tree_memory (boundaries->n_vertices), error) ||
      ! arrays.full.allocate (cuda, 1, error) ||
      ! arrays.counter.allocate (cuda, 1, error) ||
      ! take_vertices (search, boundaries, &arrays, error))
    return FALSE;

  wf_cuda_time_begin (cuda);
  while (TRUE)
    {
      if (! fill_table (search, &arrays, n_slots, counted, &full, error))
        return FALSE;
      if (! full)
        break;
      n_slots *= 4;
      counted  = TRUE;
    }
  if (! count (search, &arrays, boundaries, error))
    return FALSE;
  search->image.own.clear ();
  search->labels.own.clear ();
  arrays.own.clear ();
  if (! find_tree (search, &arrays, n_slots, boundaries, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  return TRUE;
}

/* A single vertex has no boundary, and its measures are not used. */
static gboolean
find_graph (gpointer       data,
            WfBoundaries  *boundaries,
            GError       **error)
{
  GraphSearch *search = (GraphSearch *) data;

  wf_run_begin (search->cuda->run, 0.5, wf_shape_n_pixels (&search->task->shape));
  return boundaries->n_vertices < 2 || find_on_device (search, boundaries, error);
}


/*  Labels on the device  */

/* @n_labels: result: their number if they are 1 to that and no pixel is 0, else 0 */
static gboolean
count_labels (WfCuda         *cuda,
              const guint32  *labels,
              gint64          n,
              guint32        *n_labels,
              GError        **error)
{
  const guint32             most    = (guint32) MIN (n, (gint64) G_MAXUINT32);
  const gint64              n_words = (gint64) most / 32 + 1;
  WfDeviceArray<guint32>    bits;
  WfDeviceArray<LabelCount> count;
  LabelCount                found;

  if (! wf_cuda_check_memory (cuda, n_words * sizeof (guint32) + sizeof found, error) ||
      ! bits.allocate (cuda, n_words, error) ||
      ! count.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (bits.data, 0, n_words * sizeof (guint32), cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (count.data, 0, sizeof found, cuda->stream));
  note_labels<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
    (labels, n, most, bits.data, count.data);
  WF_CUDA_CHECK_LAUNCH ();
  add_labels<<<wf_cuda_blocks (cuda, n_words, THREADS), THREADS, 0, cuda->stream>>>
    (bits.data, n_words, count.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &found, count.data, sizeof found, error))
    return FALSE;
  *n_labels = ! found.others && found.n == found.highest ? found.n : 0;
  return TRUE;
}

/* Images that are packed on the device are used there. */
static gboolean
take_images (GraphSearch  *search,
             guint32      *n_labels,
             GError      **error)
{
  const WfHierarchyTask *task  = search->task;
  WfCuda                *cuda  = search->cuda;
  const gint64           n     = wf_shape_n_pixels (&task->shape);
  const bool             there = task->labels->memory != WF_MEMORY_HOST;
  guint64                bytes = 0;

  *n_labels = 0;
  if (! wf_cuda_find_packed (task->image))
    bytes += n * wf_type_size (task->type);
  if (there && ! wf_cuda_find_packed (task->labels))
    bytes += n * sizeof (guint32);
  if (! wf_cuda_check_memory (cuda, bytes, error) ||
      ! search->image.take (cuda, task->image, _("image"), error))
    return FALSE;
  if (! there)
    return TRUE;

  if (! search->labels.take (cuda, task->labels, NULL, error))
    return FALSE;
  if (task->measure == WF_MEASURE_VOLUME)   /* the CPU reads the pixels */
    return TRUE;
  wf_cuda_time_begin (cuda);
  if (! count_labels (cuda, search->labels.data, n, n_labels, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  return TRUE;
}

/* Replaces an image of the task that is on the device by @copy in main memory.  Nothing of the
 * caller's is written, so the run can still be cancelled.
 */
static gboolean
copy_to_host (GraphSearch     *search,
              gconstpointer    packed,
              const WfImage  **image,
              WfImage         *copy,
              GError         **error)
{
  const WfImage *there = *image;

  if (there->memory == WF_MEMORY_HOST)
    return TRUE;
  if (! wf_image_allocate (copy, there->type, there->width, there->height, there->depth, error) ||
      ! wf_cuda_download (search->cuda, packed, copy, error))
    return FALSE;
  search->cuda->run->committed = FALSE;
  *image = copy;
  return TRUE;
}

/* The CPU numbers the pixels. */
static gboolean
build_with_copies (GraphSearch  *search,
                   WfRun        *run,
                   GError      **error)
{
  g_auto (WfImage) image  = {};
  g_auto (WfImage) labels = {};
  WfHierarchyTask  task   = *search->task;

  if (! copy_to_host (search, search->image.data, &task.image, &image, error) ||
      ! copy_to_host (search, search->labels.data, &task.labels, &labels, error))
    return FALSE;
  search->labels.own.clear ();
  return task.build (&task, run, 0, find_graph, search, error);
}


/*  The variant  */

static gboolean
run_boundaries (gconstpointer   data,
                WfRun          *run,
                GError        **error)
{
  const WfHierarchyTask *task = (const WfHierarchyTask *) data;
  WfCudaSession          session;
  GraphSearch            search;
  guint32                n_labels;

  if (! session.begin (run, error))
    return FALSE;
  search.cuda = session.cuda;
  search.task = task;
  if (! take_images (&search, &n_labels, error))
    return FALSE;
  return n_labels > 0 ? task->build (task, run, n_labels, find_graph, &search, error)
                      : build_with_copies (&search, run, error);
}

static gboolean
supports_boundaries (gconstpointer data)
{
  return ((const WfHierarchyTask *) data)->step == WF_HIERARCHY_BUILD;
}

static gboolean
supports_relabel (gconstpointer data)
{
  return ((const WfHierarchyTask *) data)->step == WF_HIERARCHY_RELABEL;
}

static guint64
copied_bytes (const WfImage *image)
{
  return image && image->memory != WF_MEMORY_HOST
         ? wf_image_n_pixels (image) * (guint64) wf_type_size (image->type) : 0;
}

static guint64
boundaries_memory (gconstpointer data,
                   guint         n_threads)
{
  const WfHierarchyTask *task = (const WfHierarchyTask *) data;

  return task->build_memory (data, n_threads) + copied_bytes (task->image)
         + copied_bytes (task->labels);
}

} /* namespace hierarchy */

const WfVariant wf_cuda_hierarchy_variants[] =
{
  { "boundaries", hierarchy::supports_boundaries, NULL, hierarchy::boundaries_memory,
    hierarchy::run_boundaries, TRUE, NULL },
  { "relabel", hierarchy::supports_relabel, NULL, NULL, wf_cuda_hierarchy_relabel, FALSE, NULL },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

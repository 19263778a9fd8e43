/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The labels of a partition, on the device: `relabel`.
 *
 * A labelled pixel looks its basin up, then the basin's region.  An unlabelled one that has a
 * labelled neighbour compares the basins of its neighbours and of its unlabelled neighbours'
 * neighbours: it is given their region if there are several basins and all of them are in one
 * region.  Neither depends on the order in which basins are met, so the result has the bits of the
 * CPU's (engine/hierarchy/cpu/regions.c).
 *
 * Bytes: of a pixel 4 read and 4 written, and from the caches those of one or two tables; of
 * an unlabelled pixel the labels of up to 24 pixels in an image, 124 in a stack, which neighbouring
 * threads share.  Memory: the labels and the result where they are not on the device already, and
 * the tables: 4 for each basin, and, if labels are not 1, 2, …, 4 for each label in the CPU's table
 * of all labels, or for each basin where it has none.
 */

#include "hierarchy.cuh"
#include "cuda/core/pixels.cuh"
#include "engine/core/grid.h"
#include "engine/core/refusals.h"
#include "engine/hierarchy/hierarchy.h"

namespace hierarchy
{

constexpr int    RELABEL_THREADS = 256;
constexpr gint64 PIXELS_A_LAUNCH = (gint64) 1 << 28;

/**
 * Partition:
 * @regions: of each basin
 * @labels: of the basins, increasing, or NULL
 * @index: of each label its basin + 1, or 0; or NULL.  Without either, labels are 1 to @n_basins
 * @highest: the largest label
 * @outside: the label of pixels outside the mask, or 0
 */
struct Partition
{
  const guint32 *regions;
  const guint32 *labels;
  const guint32 *index;
  guint32        n_basins;
  guint32        highest;
  guint32        outside;
};

/* Device memory. */
struct RelabelArrays
{
  WfCudaPixels<guint32>             labels;
  WfCudaPixels<guint32>             out;
  WfDeviceArray<guint32>            regions;
  WfDeviceArray<guint32>            table;
  WfDeviceArray<unsigned long long> unknown;
};


/*  Kernels  */

/* The basin with @label, which is not 0, plus 1, or 0 if there is none. */
static __device__ __forceinline__ guint32
find_basin (const Partition &partition,
            guint32          label)
{
  guint32 first = 0;
  guint32 after = partition.n_basins;

  if (label > partition.highest)
    return 0;
  if (partition.index)
    return partition.index[label];
  if (! partition.labels)
    return label;
  while (first < after)
    {
      const guint32 middle = first + (after - first) / 2;

      if (partition.labels[middle] < label)
        first = middle + 1;
      else
        after = middle;
    }
  return first < partition.n_basins && partition.labels[first] == label ? first + 1 : 0;
}

/**
 * Around:
 * @label: of a basin that was met, or 0
 * @region: of that basin
 * @several: whether another basin was met
 * @together: whether all basins are in one region
 */
struct Around
{
  guint32 label    = 0;
  guint32 region   = 0;
  bool    several  = false;
  bool    together = true;
};

static __device__ __forceinline__ void
meet (const Partition &partition,
      guint32          label,
      Around          *around)
{
  guint32 basin;
  guint32 region;

  if (label == 0 || label == around->label || (basin = find_basin (partition, label)) == 0)
    return;
  region = partition.regions[basin - 1];
  if (around->label == 0)
    {
      around->label  = label;
      around->region = region;
      return;
    }
  around->several   = true;
  around->together &= region == around->region;
}

static __device__ __forceinline__ bool
is_inside (const WfShape &shape,
           gint64         x,
           gint64         y,
           gint64         z)
{
  return x >= 0 && x < shape.width && y >= 0 && y < shape.height && z >= 0 && z < shape.depth;
}

/* Meets the basins of the neighbours of the pixel @p at (@x, @y, @z). */
static __device__ void
look_around (const guint32         *labels,
             const Partition       &partition,
             const WfShape         &shape,
             const WfNeighbourhood &nb,
             gint64                 p,
             gint64                 x,
             gint64                 y,
             gint64                 z,
             Around                *around)
{
  for (int i = 0; i < nb.n; i++)
    if (is_inside (shape, x + nb.dx[i], y + nb.dy[i], z + nb.dz[i]))
      meet (partition, labels[p + nb.step[i]], around);
}

/* The region of the unlabelled pixel @p, or 0. */
static __device__ guint32
find_region (const guint32         *labels,
             const Partition       &partition,
             const WfShape         &shape,
             const WfNeighbourhood &nb,
             gint64                 p)
{
  const gint64 x = p % shape.width;
  const gint64 y = p / shape.width % shape.height;
  const gint64 z = p / shape.width / shape.height;
  Around       around;

  look_around (labels, partition, shape, nb, p, x, y, z, &around);
  if (around.label == 0)
    return 0;
  for (int i = 0; i < nb.n && around.together; i++)
    if (is_inside (shape, x + nb.dx[i], y + nb.dy[i], z + nb.dz[i]) &&
        labels[p + nb.step[i]] == 0)
      look_around (labels, partition, shape, nb, p + nb.step[i], x + nb.dx[i], y + nb.dy[i],
                   z + nb.dz[i], &around);
  return around.several && around.together ? around.region : 0;
}

/* @unknown: result: the first pixel whose label is none of the basins' */
static __global__ void
__launch_bounds__ (RELABEL_THREADS)
relabel_pixels (const guint32      *labels,
                guint32            *out,
                Partition           partition,
                WfShape             shape,
                WfNeighbourhood     nb,
                gint64              first,
                gint64              after,
                unsigned long long *unknown)
{
  for (gint64 p = first + blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < after;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 label = labels[p];
      guint32       basin;

      if (label == 0)
        out[p] = find_region (labels, partition, shape, nb, p);
      else if (label == partition.outside)
        out[p] = 0;
      else if ((basin = find_basin (partition, label)) > 0)
        out[p] = partition.regions[basin - 1];
      else
        atomicMin (unknown, (unsigned long long) p);
    }
}


/*  The variant  */

/* Queues the copy of a table of @n words. */
static gboolean
send_table (WfCuda                  *cuda,
            const guint32           *words,
            gint64                   n,
            WfDeviceArray<guint32>  *table,
            GError                 **error)
{
  const WfImage image = { WF_TYPE_U32, n, 1, 1, n, n, (gpointer) words };

  return table->allocate (cuda, n, error) &&
         wf_cuda_upload (cuda, &image, NULL, table->data, error);
}

/* The table that finds a basin by its label, or NULL. */
static const guint32 *
table_of (const WfBasinTree *tree,
          gint64            *n)
{
  *n = ! tree->labels ? 0 : tree->index ? (gint64) tree->highest + 1 : tree->n_basins;
  return tree->index ? tree->index : tree->labels;
}

static gboolean
check_memory (WfCuda                 *cuda,
              const WfHierarchyTask  *task,
              GError                **error)
{
  const guint64 bytes = wf_shape_n_pixels (&task->shape) * sizeof (guint32);
  guint64       needed;
  gint64        n;

  table_of (task->tree, &n);
  needed = (task->tree->n_basins + n) * sizeof (guint32) + sizeof (unsigned long long);
  if (! wf_cuda_find_packed (task->labels))
    needed += bytes;
  if (! wf_cuda_find_room (cuda, task->out, task->labels))
    needed += bytes;
  return wf_cuda_check_memory (cuda, needed, error);
}

static gboolean
prepare (WfCuda                 *cuda,
         const WfHierarchyTask  *task,
         RelabelArrays          *arrays,
         Partition              *partition,
         GError                **error)
{
  const WfBasinTree *tree = task->tree;
  gint64             n;
  const guint32     *table = table_of (tree, &n);

  if (! check_memory (cuda, task, error) ||
      ! arrays->labels.take (cuda, task->labels, NULL, error) ||
      ! arrays->out.make_room (cuda, task->out, task->labels, wf_shape_n_pixels (&task->shape),
                               error) ||
      ! arrays->unknown.allocate (cuda, 1, error) ||
      ! send_table (cuda, task->regions, tree->n_basins, &arrays->regions, error) ||
      (table && ! send_table (cuda, table, n, &arrays->table, error)))
    return FALSE;
  *partition = Partition { arrays->regions.data, tree->index ? NULL : arrays->table.data,
                           tree->index ? arrays->table.data : NULL, tree->n_basins,
                           tree->highest, task->outside };
  return TRUE;
}

static gboolean
launch (WfCuda                 *cuda,
        const WfHierarchyTask  *task,
        const RelabelArrays    &arrays,
        const Partition        &partition,
        GError                **error)
{
  const gint64    n = wf_shape_n_pixels (&task->shape);
  WfNeighbourhood nb;

  wf_neighbourhood_init (&nb, task->connectivity, &task->shape);
  WF_CUDA_CHECK (cudaMemsetAsync (arrays.unknown.data, 0xff, sizeof (unsigned long long),
                                  cuda->stream));
  for (gint64 first = 0; first < n; first += PIXELS_A_LAUNCH)
    {
      const gint64 after = MIN (first + PIXELS_A_LAUNCH, n);

      relabel_pixels<<<wf_cuda_blocks (cuda, after - first, RELABEL_THREADS), RELABEL_THREADS, 0,
                       cuda->stream>>>
        (arrays.labels.data, arrays.out.data, partition, task->shape, nb, first, after,
         arrays.unknown.data);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_advance (cuda, after - first, error))
        return FALSE;
    }
  return TRUE;
}

/* Refuses labels that are none of the basins'. */
static gboolean
check_labels (WfCuda               *cuda,
              const RelabelArrays  &arrays,
              gint64                n,
              GError              **error)
{
  unsigned long long unknown;
  guint32            label;

  if (! wf_cuda_read (cuda, &unknown, arrays.unknown.data, sizeof unknown, error))
    return FALSE;
  if (unknown >= (unsigned long long) n)
    return TRUE;
  return wf_cuda_read (cuda, &label, arrays.labels.data + unknown, sizeof label, error) &&
         wf_refuse_unknown_label (label, error);
}

} /* namespace hierarchy */

using namespace hierarchy;

gboolean
wf_cuda_hierarchy_relabel (gconstpointer   data,
                           WfRun          *run,
                           GError        **error)
{
  const WfHierarchyTask *task = (const WfHierarchyTask *) data;
  WfCudaSession          session;
  RelabelArrays          arrays;
  Partition              partition;

  wf_run_begin (run, 1.0, wf_shape_n_pixels (&task->shape));
  if (! session.begin (run, error) ||
      ! prepare (session.cuda, task, &arrays, &partition, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! launch (session.cuda, task, arrays, partition, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return check_labels (session.cuda, arrays, wf_shape_n_pixels (&task->shape), error) &&
         wf_cuda_download (session.cuda, arrays.out.data, task->out, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tools for labels on a GPU, by the definitions in engine/label/label-tools.c.
 *
 * Regions have places in the order of their labels (cuda/measurements/places.cuh), and a table has
 * for each place what becomes of its label:
 *
 *   widen           labels of 8 and 16 bits become 32 bits
 *   PlaceArrays     which labels there are
 *   scan_strips     the areas (cuda/measurements/runs.inc.cuh), unless labels are only numbered
 *   keep_areas      which regions stay; of the largest ones the host decides
 *   number_all      the numbers of regions
 *   write_labels    the result
 *
 * Labels grow by an exact distance map that has the nearest pixels:
 *
 *   mark_empty      pixels without a label
 *   fill            the label of the nearest pixel, where that is near enough
 *
 * Bytes: the labels three times, with areas four times, and the result; of labels that grow 9 bytes
 * a pixel more, and what the distance map takes.
 */

#include <algorithm>
#include <inttypes.h>
#include <math.h>
#include <new>
#include <vector>

#include "cuda/core/dispatch.cuh"
#include "cuda/core/pixels.cuh"
#include "cuda/distance/distance.cuh"
#include "cuda/measurements/runs.inc.cuh"

namespace label_tools
{

using measurements::PlaceArrays;
using measurements::Places;

constexpr int THREADS = 256;

typedef unsigned long long Area;

/**
 * Arrays:
 * @given: the labels as they are in the image, where they are not of 32 bits
 * @labels: of 32 bits
 * @others: of each place, 0: the region gets the label 0; else, with numbers, its new label
 */
struct Arrays
{
  WfCudaPixels<guint8>   given;
  WfCudaPixels<guint32>  labels;
  WfCudaPixels<guint8>   out;
  PlaceArrays            places;
  WfDeviceArray<Area>    areas;
  WfDeviceArray<guint32> others;
  WfDeviceArray<guint32> n_kept;
};

static WfShape
shape_of (const WfImage *image)
{
  return { image->width, image->height, image->depth };
}

static gboolean
out_of_memory (GError **error)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, _("There is not enough memory."));
  return FALSE;
}


/*  Reading  */

template <typename Label>
__global__ void
widen (const Label *given,
       gint64       n,
       guint32     *labels)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    labels[i] = given[i];
}

static gboolean
take_labels (WfCuda              *cuda,
             const WfLabelsTask  *task,
             Arrays              *arrays,
             GError             **error)
{
  const gint64 n = wf_image_n_pixels (task->labels);

  if (task->labels->type == WF_TYPE_U32)
    return arrays->labels.take (cuda, task->labels, NULL, error);
  if (! arrays->given.take (cuda, task->labels, NULL, error) ||
      ! arrays->labels.make_room (cuda, NULL, task->labels, n, error))
    return FALSE;
  return wf_dispatch_keys (task->labels->type, [&] (auto label) -> gboolean
    {
      widen<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>> (
        (const decltype (label) *) arrays->given.data, n, arrays->labels.data);
      WF_CUDA_CHECK_LAUNCH ();
      return TRUE;
    });
}

static guint64
memory_of_images (const WfLabelsTask *task)
{
  const gsize size = wf_type_size (task->labels->type);

  return wf_image_n_pixels (task->labels) * (2 * size + (size < sizeof (guint32)
                                                         ? sizeof (guint32) : 0));
}

static gboolean
begin (WfCudaSession       *session,
       const WfLabelsTask  *task,
       WfRun               *run,
       guint64              memory,
       Arrays              *arrays,
       GError             **error)
{
  const gint64 n = wf_image_n_pixels (task->labels);

  if (! session->begin (run, error) ||
      ! wf_cuda_check_memory (session->cuda, memory, error) ||
      ! take_labels (session->cuda, task, arrays, error) ||
      ! arrays->out.make_room (session->cuda, task->out, task->labels,
                               n * (gint64) wf_type_size (task->labels->type), error))
    return FALSE;
  wf_cuda_time_begin (session->cuda);
  return arrays->places.find (session->cuda, arrays->labels.data, n, error) &&
         wf_cuda_advance (session->cuda, n, error);
}


/*  What becomes of each region  */

__global__ void
number_all (guint32  n,
            guint32 *others)
{
  const guint32 all = gridDim.x * blockDim.x;

  for (guint32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    others[i] = i + 1;
}

__global__ void
keep_areas (const Area *areas,
            guint32     n,
            double      least,
            guint32    *others,
            guint32    *n_kept)
{
  const guint32 all   = gridDim.x * blockDim.x;
  guint32       count = 0;

  for (guint32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    {
      others[i]  = (double) areas[i] >= least;
      count     += others[i];
    }
  count = wf_warp_sum (count);
  if (wf_lane () == 0 && count > 0)
    atomicAdd (n_kept, count);
}

static gboolean
find_areas (WfCuda              *cuda,
            const WfLabelsTask  *task,
            Arrays              *arrays,
            GError             **error)
{
  const WfShape              shape  = shape_of (task->labels);
  const measurements::Strips strips = { shape.width, shape.height,
                                        (shape.width + measurements::STRIP - 1)
                                        / measurements::STRIP, false };
  const gint64               n      = strips.across * shape.height * shape.depth;
  measurements::Table        table  = {};

  if (! wf_cuda_check_memory (cuda, arrays->places.n_regions * sizeof (Area), error) ||
      ! arrays->areas.allocate (cuda, (gint64) arrays->places.n_regions, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (arrays->areas.data, 0, arrays->places.n_regions * sizeof (Area),
                                  cuda->stream));
  table.totals[WF_TOTAL_AREA] = arrays->areas.data;
  measurements::scan_strips<guint8, false, false>
    <<<wf_cuda_blocks (cuda, n * WF_LANES, measurements::THREADS), measurements::THREADS, 0,
       cuda->stream>>>
    (arrays->labels.data, (const guint8 *) NULL, strips, 0, n, arrays->places.places (), table);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
upload_others (WfCuda                      *cuda,
               const std::vector<guint32>  &others,
               Arrays                      *arrays,
               GError                     **error)
{
  WF_CUDA_CHECK (cudaMemcpyAsync (arrays->others.data, others.data (),
                                  others.size () * sizeof (guint32), cudaMemcpyHostToDevice,
                                  cuda->stream));
  return wf_cuda_wait (cuda, error);
}

static gboolean
keep_small (WfCuda              *cuda,
            const WfLabelsTask  *task,
            Arrays              *arrays,
            GError             **error)
{
  const guint32 n = (guint32) arrays->places.n_regions;

  if (! find_areas (cuda, task, arrays, error) || ! arrays->n_kept.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (arrays->n_kept.data, 0, sizeof (guint32), cuda->stream));
  keep_areas<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>> (
    arrays->areas.data, n, task->least, arrays->others.data, arrays->n_kept.data);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_read (cuda, task->n_regions, arrays->n_kept.data, sizeof (guint32), error);
}

/* The largest areas stay, of equal ones those with the lowest places. */
static void
choose_largest (const std::vector<Area> &areas,
                guint32                  count,
                std::vector<guint32>    *others)
{
  std::vector<Area> order (areas);
  Area              least;
  guint32           n_equal = count;

  std::nth_element (order.begin (), order.begin () + (count - 1), order.end (),
                    [] (Area a, Area b) { return a > b; });
  least = order[count - 1];
  for (Area area : areas)
    n_equal -= area > least;
  for (size_t i = 0; i < areas.size (); i++)
    (*others)[i] = areas[i] > least || (areas[i] == least && n_equal > 0 && n_equal--);
}

static gboolean
keep_largest (WfCuda              *cuda,
              const WfLabelsTask  *task,
              Arrays              *arrays,
              GError             **error)
{
  const guint32 n = (guint32) arrays->places.n_regions;

  *task->n_regions = (guint32) MIN ((gint64) n, task->count);
  if (! find_areas (cuda, task, arrays, error))
    return FALSE;
  try
    {
      std::vector<Area>    areas (n);
      std::vector<guint32> others (n);

      if (! wf_cuda_read (cuda, areas.data (), arrays->areas.data, n * sizeof (Area), error))
        return FALSE;
      choose_largest (areas, *task->n_regions, &others);
      return upload_others (cuda, others, arrays, error);
    }
  catch (const std::bad_alloc &)
    {
      return out_of_memory (error);
    }
}

static gboolean
number_kept (WfCuda              *cuda,
             const WfLabelsTask  *task,
             Arrays              *arrays,
             GError             **error)
{
  const gint64 n = (gint64) arrays->places.n_regions;

  *task->n_regions = 0;
  try
    {
      std::vector<guint32> others (n);

      for (gint64 i = 0; i < n; i++)
        others[i] = task->kept[i] ? ++*task->n_regions : 0;
      return upload_others (cuda, others, arrays, error);
    }
  catch (const std::bad_alloc &)
    {
      return out_of_memory (error);
    }
}

/* There is a region. */
static gboolean
decide (WfCuda              *cuda,
        const WfLabelsTask  *task,
        Arrays              *arrays,
        GError             **error)
{
  const guint32 n = (guint32) arrays->places.n_regions;

  if (! wf_cuda_check_memory (cuda, n * sizeof (guint32), error) ||
      ! arrays->others.allocate (cuda, n, error))
    return FALSE;
  if (task->operation == WF_OPERATION_REMOVE_SMALL)
    return keep_small (cuda, task, arrays, error);
  if (task->operation == WF_OPERATION_KEEP_LARGEST)
    return keep_largest (cuda, task, arrays, error);
  if (task->kept)
    return number_kept (cuda, task, arrays, error);
  *task->n_regions = n;
  number_all<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>> (
    n, arrays->others.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}


/*  Writing  */

/* The first lane of each label among 32 pixels looks up what becomes of it. */
template <typename Label>
__global__ void
write_labels (const guint32 *labels,
              gint64         n,
              Places         places,
              const guint32 *others,
              bool           numbers,
              Label         *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 first = (gint64) blockIdx.x * blockDim.x + threadIdx.x - wf_lane (); first < n;
       first += all)
    {
      const gint64  p     = first + wf_lane ();
      const guint32 label = p < n ? labels[p] : 0;
      const bool    head  = measurements::is_head (label);
      const guint32 heads = __ballot_sync (WF_ALL_LANES, head)
                            & (wf_lanes_before (wf_lane ()) | 1u << wf_lane ());
      guint32       other = 0;

      if (head && label != 0)
        {
          other = others[measurements::place_of (places, label)];
          other = numbers || other == 0 ? other : label;
        }
      other = __shfl_sync (WF_ALL_LANES, other, 31 - __clz ((int) heads));
      if (p < n)
        out[p] = (Label) other;
    }
}

static gboolean
write (WfCuda              *cuda,
       const WfLabelsTask  *task,
       const Arrays        &arrays,
       GError             **error)
{
  const gint64 n = wf_image_n_pixels (task->labels);

  return wf_dispatch_keys (task->labels->type, [&] (auto label) -> gboolean
    {
      typedef decltype (label) Label;

      write_labels<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>> (
        arrays.labels.data, n, arrays.places.places (), arrays.others.data,
        task->operation == WF_OPERATION_RELABEL, (Label *) arrays.out.data);
      WF_CUDA_CHECK_LAUNCH ();
      return TRUE;
    });
}

static gboolean
refuse_count (const WfLabelsTask  *task,
              guint64              n,
              GError             **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("There are %" PRId64 " regions in the label image, but the list of those that "
                 "stay has %" PRId64 " entries."), (gint64) n, task->n_labels);
  return FALSE;
}

static gboolean
run_runs (gconstpointer   data,
          WfRun          *run,
          GError        **error)
{
  const WfLabelsTask *task  = (const WfLabelsTask *) data;
  const gint64        n     = wf_image_n_pixels (task->labels);
  const gsize         bytes = n * wf_type_size (task->labels->type);
  WfCudaSession       session;
  Arrays              arrays;

  wf_run_begin (run, 1.0, 2 * n);
  if (! begin (&session, task, run, memory_of_images (task) + measurements::LEAST_PLACES_BYTES,
               &arrays, error))
    return FALSE;
  if (task->kept && (gint64) arrays.places.n_regions != task->n_labels)
    return refuse_count (task, arrays.places.n_regions, error);
  *task->n_regions = 0;
  if (arrays.places.n_regions == 0)
    WF_CUDA_CHECK (cudaMemsetAsync (arrays.out.data, 0, bytes, session.cuda->stream));
  else if (! decide (session.cuda, task, &arrays, error) ||
           ! write (session.cuda, task, arrays, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_advance (session.cuda, n, error) &&
         wf_cuda_download (session.cuda, arrays.out.data, task->out, error);
}

static guint64
runs_memory (gconstpointer device,
             gconstpointer data)
{
  return memory_of_images ((const WfLabelsTask *) data) + measurements::LEAST_PLACES_BYTES;
}


/*  Growing  */

__global__ void
mark_empty (const guint32 *labels,
            gint64         n,
            guint8        *empty)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    empty[i] = labels[i] == 0;
}

/* @most: the square of the longest distance */
template <typename Label>
__global__ void
fill (const guint32 *labels,
      const guint64 *nearest,
      gint64         n,
      gint64         width,
      gint64         height,
      double         most,
      Label         *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 p = (gint64) blockIdx.x * blockDim.x + threadIdx.x; p < n; p += all)
    {
      guint32 label = labels[p];

      if (label == 0)
        {
          const gint64 q   = (gint64) nearest[p];
          const gint64 row = p / width;
          const gint64 of  = q / width;
          const double dx  = (double) (q - of * width - (p - row * width));
          const double dy  = (double) (of % height - row % height);
          const double dz  = (double) (of / height - row / height);

          if (! (dx * dx + dy * dy + dz * dz > most))
            label = labels[q];
        }
      out[p] = (Label) label;
    }
}

/* Of the size of the labels; its pixels are never looked at. */
static WfImage
view_as (WfType         type,
         const WfImage *labels)
{
  WfImage view = *labels;

  view.type = type;
  return view;
}

static WfDistanceTask
distance_task (const WfImage *mask,
               WfImage       *nearest,
               gboolean      *no_background)
{
  WfDistanceTask task = {};

  task.shape          = shape_of (mask);
  task.metric         = WF_METRIC_EUCLIDEAN;
  task.threshold      = NAN;
  task.exact_integers = TRUE;
  task.spacing[0]     = task.spacing[1] = task.spacing[2] = 1;
  task.connectivity   = mask->depth > 1 ? 26 : 8;
  task.image          = mask;
  task.nearest        = nearest;
  task.no_background  = no_background;
  return task;
}

static guint64
distance_memory (const WfDistanceTask *task)
{
  return wf_cuda_distance_local_supports (task) ? wf_cuda_distance_local_memory (task)
                                                : wf_cuda_distance_envelope_memory (task);
}

static gboolean
find_nearest (WfCuda                *cuda,
              const WfDistanceTask  *task,
              const guint8          *empty,
              guint64               *nearest,
              WfDeviceArray<guint8> *memory,
              GError               **error)
{
  WfCudaDistance  distance = { task };
  int            *absent;

  distance.image         = empty;
  distance.nearest       = nearest;
  distance.no_background = task->no_background;
  return wf_cuda_distance_local_supports (task)
         ? wf_cuda_distance_local (cuda, &distance, memory, &absent, error)
         : wf_cuda_distance_envelope (cuda, &distance, memory, &absent, error);
}

static gboolean
grow (WfCuda              *cuda,
      const WfLabelsTask  *task,
      const Arrays        &arrays,
      GError             **error)
{
  const gint64           n      = wf_image_n_pixels (task->labels);
  const unsigned int     blocks = wf_cuda_blocks (cuda, n, THREADS);
  const double           most   = isnan (task->distance) ? INFINITY
                                                         : task->distance * task->distance;
  const WfShape          shape  = shape_of (task->labels);
  const WfImage          mask   = view_as (WF_TYPE_U8, task->labels);
  WfImage                places = view_as (WF_TYPE_U64, task->labels);
  gboolean               none   = FALSE;
  const WfDistanceTask   wanted = distance_task (&mask, &places, &none);
  WfDeviceArray<guint8>  empty;
  WfDeviceArray<guint64> nearest;
  WfDeviceArray<guint8>  memory;

  if (! empty.allocate (cuda, n, error) || ! nearest.allocate (cuda, n, error))
    return FALSE;
  mark_empty<<<blocks, THREADS, 0, cuda->stream>>> (arrays.labels.data, n, empty.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! find_nearest (cuda, &wanted, empty.data, nearest.data, &memory, error))
    return FALSE;
  return wf_dispatch_keys (task->labels->type, [&] (auto label) -> gboolean
    {
      fill<<<blocks, THREADS, 0, cuda->stream>>> (arrays.labels.data, nearest.data, n,
                                                  shape.width, shape.height, most,
                                                  (decltype (label) *) arrays.out.data);
      WF_CUDA_CHECK_LAUNCH ();
      return TRUE;
    });
}

static guint64
nearest_memory (gconstpointer device,
                gconstpointer data)
{
  const WfLabelsTask  *task   = (const WfLabelsTask *) data;
  const WfShape        shape  = shape_of (task->labels);
  const WfImage        mask   = view_as (WF_TYPE_U8, task->labels);
  WfImage              places = view_as (WF_TYPE_U64, task->labels);
  const WfDistanceTask wanted = distance_task (&mask, &places, NULL);

  return memory_of_images (task) + measurements::LEAST_PLACES_BYTES
         + wf_shape_n_pixels (&shape) * (sizeof (guint8) + sizeof (guint64))
         + distance_memory (&wanted);
}

static gboolean
run_nearest (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  const WfLabelsTask *task  = (const WfLabelsTask *) data;
  const gint64        n     = wf_image_n_pixels (task->labels);
  const gsize         bytes = n * wf_type_size (task->labels->type);
  WfCudaSession       session;
  Arrays              arrays;

  wf_run_begin (run, 1.0, 2 * n);
  if (! begin (&session, task, run, nearest_memory (NULL, task), &arrays, error))
    return FALSE;
  *task->n_regions = (guint32) arrays.places.n_regions;
  if (arrays.places.n_regions == 0)
    WF_CUDA_CHECK (cudaMemsetAsync (arrays.out.data, 0, bytes, session.cuda->stream));
  else if (! grow (session.cuda, task, arrays, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_advance (session.cuda, n, error) &&
         wf_cuda_download (session.cuda, arrays.out.data, task->out, error);
}

} // namespace label_tools

const WfVariant wf_cuda_label_tool_variants[] =
{
  { "runs", NULL, NULL, NULL, label_tools::run_runs, TRUE, label_tools::runs_memory },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

const WfVariant wf_cuda_expand_variants[] =
{
  { "nearest", NULL, NULL, NULL, label_tools::run_nearest, TRUE, label_tools::nearest_memory },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of labelled regions on a GPU, `runs`: the sums over the pixels of each region.
 *
 * All that a table has is computed on the CPU, by the code that makes tables there
 * (task->work), from sums, least and greatest values of whole numbers (#WfRegionTotals).  These
 * are found here; they are exact, so the order of the pixels does not matter, and the table has
 * the bits of the CPU's.
 *
 *   find_pages     which labels there are, roughly                         (places.cu)
 *   find_labels    a bit for each label
 *   count_labels   the place of each label in their order
 *   list_labels    the labels in this order
 *   scan_strips    the sums                                                (runs.inc.cuh)
 *
 * A warp goes along a row, 32 pixels at a time.  The pixels of one label that follow each other
 * among them, a piece, are added up in registers: columns and rows by formulas, pairs of pixels by
 * votes of the warp, levels from lane to lane.  Then one lane adds the piece to the table by atomic
 * operations.  A piece goes on over any number of pixels as long as all 32 of a step have its
 * label, up to the end of the strip of 1024: so a region that has the whole image is added to by
 * one in 1024 pixels, and does not stall the device.
 *
 * Bytes: the labels three times and the levels once; for each piece, 8 at each of 3 to 16 totals,
 * and 4 at each of 4 to 8 limits.  Memory: the images; 36 KiB for each page of 2^18 labels that has
 * one, 576 MiB at most; and 44 to 164 for each region, of which the same are downloaded.
 */

#include "runs.inc.cuh"
#include "cuda/core/pixels.cuh"

namespace measurements
{

/* Strips between two checks for cancellation. */
constexpr gint64 STRIPS_A_LAUNCH = 1 << 18;

/* Device memory. */
struct Arrays
{
  WfCudaPixels<guint32>  labels;
  WfCudaPixels<char>     image;
  PlaceArrays            places;
  WfDeviceArray<guint32> table;
};


/*  The table  */

/* Words of 32 bits that a table of @n regions takes in one piece: totals, limits, labels. */
static gint64
count_words (const WfMeasureTask *task,
             gint64               n)
{
  gint64 words = 1;

  for (int i = 0; i < WF_N_TOTALS; i++)
    if (wf_measure_wants_total (task, (WfRegionTotal) i))
      words += 2;
  for (int i = 0; i < WF_N_LIMITS; i++)
    if (wf_measure_wants_limit (task, (WfRegionLimit) i))
      words++;
  return n * words;
}

/* Divides memory of count_words(), which is aligned to 8 bytes. */
static WfRegionTotals
divide (const WfMeasureTask *task,
        gint64               n,
        guint32             *memory)
{
  WfRegionTotals totals = {};
  guint32       *at     = memory;

  totals.n = n;
  for (int i = 0; i < WF_N_TOTALS; i++)
    if (wf_measure_wants_total (task, (WfRegionTotal) i))
      {
        totals.totals[i] = (guint64 *) at;
        at              += 2 * n;
      }
  for (int i = 0; i < WF_N_LIMITS; i++)
    if (wf_measure_wants_limit (task, (WfRegionLimit) i))
      {
        totals.limits[i] = at;
        at              += n;
      }
  totals.labels = at;
  return totals;
}

static bool
is_least (int limit)
{
  return limit <= WF_LIMIT_FIRST_Z || limit == WF_LIMIT_LEAST;
}

/* Of no pixels. */
static gboolean
clear_table (WfCuda                *cuda,
             const WfRegionTotals  &totals,
             GError               **error)
{
  for (int i = 0; i < WF_N_TOTALS; i++)
    if (totals.totals[i])
      WF_CUDA_CHECK (cudaMemsetAsync (totals.totals[i], 0, totals.n * sizeof (guint64),
                                      cuda->stream));
  for (int i = 0; i < WF_N_LIMITS; i++)
    if (totals.limits[i])
      WF_CUDA_CHECK (cudaMemsetAsync (totals.limits[i], is_least (i) ? 0xff : 0,
                                      totals.n * sizeof (guint32), cuda->stream));
  return TRUE;
}

static Table
table_of (const WfRegionTotals &totals)
{
  Table table;

  for (int i = 0; i < WF_N_TOTALS; i++)
    table.totals[i] = (unsigned long long *) totals.totals[i];
  for (int i = 0; i < WF_N_LIMITS; i++)
    table.limits[i] = totals.limits[i];
  return table;
}


/*  Labels  */

/*  Sums  */

template <typename Pixel, bool LEVELS, bool SHAPE>
static gboolean
launch_strips (WfCuda               *cuda,
               const WfMeasureTask  *task,
               const Arrays         &arrays,
               const Table          &table,
               GError              **error)
{
  const WfShape *shape  = &task->shape;
  const gint64   n      = wf_shape_n_pixels (shape);
  const Strips   strips = { shape->width, shape->height, (shape->width + STRIP - 1) / STRIP,
                            task->connectivity == 8 };
  const gint64   n_all  = strips.across * shape->height * shape->depth;

  for (gint64 first = 0; first < n_all; first += STRIPS_A_LAUNCH)
    {
      const gint64 after = MIN (first + STRIPS_A_LAUNCH, n_all);

      scan_strips<Pixel, LEVELS, SHAPE>
        <<<wf_cuda_blocks (cuda, (after - first) * WF_LANES, THREADS), THREADS, 0,
           cuda->stream>>>
        (arrays.labels.data, (const Pixel *) arrays.image.data, strips, first, after,
         arrays.places.places (), table);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_advance (cuda, (gint64) ((double) n / n_all * (after - first)), error))
        return FALSE;
    }
  return TRUE;
}

template <bool SHAPE>
static gboolean
scan (WfCuda               *cuda,
      const WfMeasureTask  *task,
      const Arrays         &arrays,
      const Table          &table,
      GError              **error)
{
  if (! task->image)
    return launch_strips<guint8, false, SHAPE> (cuda, task, arrays, table, error);
  if (task->image->type == WF_TYPE_U8)
    return launch_strips<guint8, true, SHAPE> (cuda, task, arrays, table, error);
  return launch_strips<guint16, true, SHAPE> (cuda, task, arrays, table, error);
}

static gboolean
make_table (WfCuda               *cuda,
            const WfMeasureTask  *task,
            Arrays               *arrays,
            GError              **error)
{
  const gint64   n_regions = (gint64) arrays->places.n_regions;
  const gint64   n_words   = count_words (task, n_regions);
  WfRegionTotals totals;
  Table          table;

  if (! wf_cuda_check_memory (cuda, n_words * sizeof (guint32), error) ||
      ! arrays->table.allocate (cuda, n_words, error))
    return FALSE;
  totals = divide (task, n_regions, arrays->table.data);
  table  = table_of (totals);
  if (! clear_table (cuda, totals, error) || ! arrays->places.list (cuda, totals.labels, error))
    return FALSE;
  return task->parts & WF_SCAN_SHAPE ? scan<true> (cuda, task, *arrays, table, error)
                                     : scan<false> (cuda, task, *arrays, table, error);
}


/*  The variant  */

static gboolean
upload (WfCuda               *cuda,
        const WfMeasureTask  *task,
        Arrays               *arrays,
        GError              **error)
{
  const gint64  n     = wf_shape_n_pixels (&task->shape);
  const guint64 bytes = task->image ? n * wf_type_size (task->image->type) : 0;

  return wf_cuda_check_memory (cuda, n * sizeof (guint32) + bytes + LEAST_PLACES_BYTES, error) &&
         arrays->labels.take (cuda, task->labels, NULL, error) &&
         (! task->image || arrays->image.take (cuda, task->image, NULL, error));
}

/* @memory: result, to be freed: that of @totals, or NULL if there is no region.  Nothing of the
 * caller's is written, so the run can still be cancelled.
 */
static gboolean
download (WfCuda               *cuda,
          const WfMeasureTask  *task,
          const Arrays         &arrays,
          gint64                n_regions,
          WfRegionTotals       *totals,
          guint32             **memory,
          GError              **error)
{
  const gint64 n_words = count_words (task, n_regions);
  WfImage      words   = { WF_TYPE_U32, n_words, 1, 1, n_words, n_words, NULL };

  *memory = g_try_new (guint32, n_words);
  if (! *memory)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, _("There is not enough memory."));
      return FALSE;
    }
  words.data = *memory;
  *totals    = divide (task, n_regions, *memory);
  if (! wf_cuda_download (cuda, arrays.table.data, &words, error))
    return FALSE;
  cuda->run->committed = FALSE;
  return TRUE;
}

static gboolean
find_totals (const WfMeasureTask  *task,
             WfRun                *run,
             WfRegionTotals       *totals,
             guint32             **memory,
             GError              **error)
{
  WfCudaSession  session;
  Arrays         arrays;
  const guint64 &n_regions = arrays.places.n_regions;

  wf_run_begin (run, WF_MEASURE_SHARE_OF_SCAN, wf_shape_n_pixels (&task->shape));
  if (! session.begin (run, error) ||
      ! upload (session.cuda, task, &arrays, error) ||
      ! wf_cuda_advance (session.cuda, 0, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! arrays.places.find (session.cuda, arrays.labels.data, wf_shape_n_pixels (&task->shape),
                            error) ||
      (n_regions > 0 && ! make_table (session.cuda, task, &arrays, error)))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return n_regions == 0 ||
         download (session.cuda, task, arrays, (gint64) n_regions, totals, memory, error);
}

static gboolean
run_runs (gconstpointer   data,
          WfRun          *run,
          GError        **error)
{
  const WfMeasureTask *task   = (const WfMeasureTask *) data;
  g_autofree guint32  *memory = NULL;
  WfRegionTotals       totals = {};

  return find_totals (task, run, &totals, &memory, error) &&
         task->work (task, run, &totals, error);
}

static gboolean
supports_runs (gconstpointer data)
{
  return wf_measure_is_by_totals ((const WfMeasureTask *) data);
}

} /* namespace measurements */

const WfVariant wf_cuda_measure_variants[] =
{
  { "runs", measurements::supports_runs, NULL, NULL, measurements::run_runs, TRUE, NULL },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

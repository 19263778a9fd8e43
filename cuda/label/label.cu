/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components on a GPU, `union-find`.
 *
 * The foreground becomes bits, 32 pixels of a row in a word.  Segments, the maximal runs of
 * foreground in a word, are joined by union-find (cuda/core/union-find.cuh), first inside
 * tiles, then over their borders.  Each segment has a key, and keys increase in raster
 * order.  The root of a component is its first segment, which holds its first pixel, and the
 * number of a component is one more than the number of roots before its own.  (Playne and
 * Hawick 2018 and Komura 2015 do the same with single pixels.)
 *
 *   join_tile_segments   bits; segments joined inside tiles, in shared memory
 *   join_tile_rows, _columns, join_slices   joined across the borders of tiles and slices
 *   find_roots           each tile's root finds its component's; roots counted by blocks
 *   wf_add_counts        how many roots lie before each block's
 *   write_labels         labels from bits
 *
 * Of a band of a larger image the summary writes the labels of the first and last rows only
 * (write_rim), and the finish replaces all labels by those of a table.
 *
 * The trees lie in the memory of the labels, those of each tile densely at the beginning of
 * its pixels.  Where segments are long, as in most images, they take an eighth of a byte a
 * pixel.  So the image is read once, the labels are written once, and everything between
 * stays in the cache.
 */

#include "borders.inc.cuh"
#include "numbers.inc.cuh"
#include "tiles.inc.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/core/pixels.cuh"
#include "engine/core/refusals.h"

#include <math.h>

namespace label
{

constexpr int THREADS = 256;

/* What CUDA allows, rounded down. */
constexpr gint64 MAX_BLOCKS_DOWN = 65000;


/*  Sizes  */

static Grid
make_grid (const WfShape *shape)
{
  Grid grid = {};

  grid.width     = shape->width;
  grid.height    = shape->height;
  grid.rows      = shape->height * shape->depth;
  grid.words     = (guint32) ((shape->width + 31) / 32);
  grid.across    = (grid.words + TILE_WORDS - 1) / TILE_WORDS;
  grid.down      = (guint32) ((shape->height + TILE_ROWS - 1) / TILE_ROWS);
  grid.row_shift = SEGMENT_BITS;
  while (1u << (grid.row_shift - SEGMENT_BITS) < grid.words)
    grid.row_shift++;
  return grid;
}

static gint64
count_words (const Grid &grid)
{
  return grid.rows * grid.words;
}

/* A block for each tile: see tile_of_block(). */
static dim3
tile_blocks (const Grid &grid)
{
  const gint64 n_bands = grid.down * (grid.rows / grid.height);
  const gint64 deep    = (n_bands + MAX_BLOCKS_DOWN - 1) / MAX_BLOCKS_DOWN;

  return dim3 (grid.across, (guint32) ((n_bands + deep - 1) / deep), (guint32) deep);
}

static gint64
count_blocks (const Grid &grid)
{
  return (count_words (grid) + COUNT_WORDS - 1) / COUNT_WORDS;
}


/*  Steps  */

struct Arrays
{
  WfCudaPixels<char>     image;
  WfCudaPixels<guint32>  labels;
  WfDeviceArray<guint32> bits;
  WfDeviceArray<guint16> roots;
  WfDeviceArray<guint16> ranks;
  WfDeviceArray<guint32> counts;
  WfDeviceArray<guint64> sum;
  WfDeviceArray<guint32> rim;
  WfDeviceArray<guint32> table;
};

/* Pixels of a rim, one after the other. */
static gint64
rim_pixels (const WfLabelTask *task)
{
  return task->band->rim_rows * task->shape.width;
}

/* Values of one rim, or of the table of numbers.  Before the summary, where neither is given, the
 * most that both passes may take: each second pixel may have a label.
 */
static gint64
count_values (const WfLabelTask *task)
{
  const WfLabelBand *band = task->band;

  if (! band)
    return 0;
  if (band->number_of)
    return (gint64) band->n_labels + 1;
  if (band->rims[0] || band->rims[1])
    return rim_pixels (task);
  return MAX (rim_pixels (task), (wf_shape_n_pixels (&task->shape) + 1) / 2 + 1);
}

static gboolean
allocate (WfCuda             *cuda,
          const WfLabelTask  *task,
          const Grid         &grid,
          Arrays             *arrays,
          GError            **error)
{
  const gint64 n       = wf_shape_n_pixels (&task->shape);
  const gint64 n_words = count_words (grid);

  return arrays->labels.make_room (cuda, task->band ? NULL : task->labels, task->image, n,
                                   error) &&
         arrays->bits.allocate (cuda, n_words, error) &&
         arrays->roots.allocate (cuda, n_words, error) &&
         arrays->ranks.allocate (cuda, n_words, error) &&
         arrays->counts.allocate (cuda, count_blocks (grid), error) &&
         arrays->sum.allocate (cuda, 1, error) &&
         (! task->band ||
          (task->band->number_of ? arrays->table : arrays->rim)
            .allocate (cuda, count_values (task), error));
}

/* A whole number is above a threshold if it is above the threshold's whole part, a single
 * precision number if it is above the largest one that is not above the threshold.
 */
static Threshold
make_threshold (double threshold)
{
  Threshold made = { 0, 0.0f, (bool) isnan (threshold), 0, 0 };

  if (! made.nonzero)
    {
      made.whole = threshold < 0 ? -1 : (int) MIN (threshold, G_MAXUINT16);
      made.real  = (float) threshold;
      if ((double) made.real > threshold)
        made.real = nextafterf (made.real, -INFINITY);
    }
  made.either = made.whole < 127 ? G_MAXUINT32 : 0;
  made.addend = 0x01010101u * ((made.whole < 127 ? 127 : 255) - MIN (made.whole, 255));
  return made;
}

static bool
is_on_quads (gconstpointer pixels,
             gint64        row_size)
{
  return (gsize) pixels % 16 == 0 && row_size % 16 == 0;
}

template <typename T>
static gboolean
join_inside_tiles (WfCuda             *cuda,
                   const Grid         &grid,
                   const WfLabelTask  *task,
                   Arrays             *arrays,
                   GError            **error)
{
  const T    *image     = (const T *) arrays->image.data;
  const bool  by_quads  = sizeof (T) == 1 && is_on_quads (image, grid.width);
  const bool  diagonals = task->connectivity == 8 || task->connectivity == 26;
  auto        kernel    = join_tile_segments<T, false>;

  if constexpr (sizeof (T) == 1)
    if (by_quads)
      kernel = join_tile_segments<T, true>;
  kernel<<<tile_blocks (grid), TILE_THREADS, 0, cuda->stream>>>
    (image, grid, make_threshold (task->threshold), diagonals, arrays->bits.data,
     arrays->roots.data, arrays->labels.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
join_across_tiles (WfCuda             *cuda,
                   const Grid         &grid,
                   const WfLabelTask  *task,
                   Arrays             *arrays,
                   GError            **error)
{
  const bool   diagonals = task->connectivity == 8 || task->connectivity == 26;
  const gint64 n_rows    = (gint64) (grid.down - 1) * task->shape.depth * grid.words;
  const gint64 n_columns = (gint64) (grid.across - 1) * grid.rows;
  const gint64 n_slices  = (grid.rows - grid.height) * grid.words;

  if (n_rows > 0)
    join_tile_rows<<<wf_cuda_blocks (cuda, n_rows, THREADS), THREADS, 0, cuda->stream>>>
      (grid, arrays->bits.data, diagonals, arrays->labels.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (n_columns > 0)
    join_tile_columns<<<wf_cuda_blocks (cuda, n_columns, THREADS), THREADS, 0, cuda->stream>>>
      (grid, arrays->bits.data, diagonals, arrays->labels.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (n_slices > 0)
    join_slices<<<wf_cuda_blocks (cuda, n_slices, THREADS), THREADS, 0, cuda->stream>>>
      (grid, arrays->bits.data, diagonals, arrays->labels.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
number_roots (WfCuda      *cuda,
              const Grid  &grid,
              Arrays      *arrays,
              guint32     *n_components,
              GError     **error)
{
  const gint64 n_blocks = count_blocks (grid);
  guint64      sum      = 0;

  find_roots<<<(guint32) n_blocks, COUNT_THREADS, 0, cuda->stream>>>
    (grid, count_words (grid), arrays->labels.data, arrays->roots.data, arrays->ranks.data,
     arrays->counts.data);
  WF_CUDA_CHECK_LAUNCH ();
  wf_add_counts<<<1, 1024, 0, cuda->stream>>> (arrays->counts.data, n_blocks, arrays->sum.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &sum, arrays->sum.data, sizeof sum, error))
    return FALSE;

  if (sum > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u connected components."), G_MAXUINT32);
      return FALSE;
    }
  *n_components = (guint32) sum;
  return TRUE;
}

static Numbers
numbers_of (const Arrays *arrays)
{
  return { arrays->roots.data, arrays->ranks.data, arrays->counts.data, arrays->table.data };
}

template <bool by_table>
static gboolean
write_all_labels (WfCuda      *cuda,
                  const Grid  &grid,
                  Arrays      *arrays,
                  GError     **error)
{
  auto kernel = is_on_quads (arrays->labels.data, grid.width * sizeof (guint32))
                ? write_labels<true, by_table> : write_labels<false, by_table>;

  kernel<<<tile_blocks (grid), TILE_THREADS, 0, cuda->stream>>>
    (grid, arrays->bits.data, numbers_of (arrays), arrays->labels.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}


/*  Bands  */

static WfImage
view_of (const guint32 *values,
         gint64         n)
{
  return { WF_TYPE_U32, n, 1, 1, n, n, (gpointer) values };
}

/* The rims pass through the same memory. */
static gboolean
download_rims (WfCuda             *cuda,
               const WfLabelTask  *task,
               Arrays             *arrays,
               GError            **error)
{
  const WfLabelBand *band = task->band;
  const Grid         grid = make_grid (&task->shape);
  const gint64       n    = rim_pixels (task);

  for (int end = 0; end < 2; end++)
    if (band->rims[end])
      {
        WfImage rim = view_of (band->rims[end], n);

        write_rim<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
          (grid, arrays->bits.data, numbers_of (arrays), arrays->labels.data,
           end ? grid.rows - band->rim_rows : 0, band->rim_rows, arrays->rim.data);
        WF_CUDA_CHECK_LAUNCH ();
        if (! wf_cuda_download (cuda, arrays->rim.data, &rim, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
upload_table (WfCuda             *cuda,
              const WfLabelBand  *band,
              Arrays             *arrays,
              GError            **error)
{
  const WfImage table = view_of (band->number_of, (gint64) band->n_labels + 1);

  return wf_cuda_upload (cuda, &table, NULL, arrays->table.data, error);
}


/*  The variant  */

static guint64
memory_of (gconstpointer device,
           gconstpointer data)
{
  const WfLabelTask *task = (const WfLabelTask *) data;
  const Grid         grid = make_grid (&task->shape);

  return wf_shape_n_pixels (&task->shape) * (wf_type_size (task->image->type) + sizeof (guint32))
         + count_words (grid) * (sizeof (guint32) + 2 * sizeof (guint16))
         + count_blocks (grid) * sizeof (guint32) + sizeof (guint64)
         + count_values (task) * sizeof (guint32);
}

static gboolean
find_components (WfCuda             *cuda,
                 const WfLabelTask  *task,
                 Arrays             *arrays,
                 guint32            *n_components,
                 GError            **error)
{
  const Grid grid = make_grid (&task->shape);

  return wf_dispatch_pixels (task->image->type, [&] (auto pixel)
           {
             return join_inside_tiles<decltype (pixel)> (cuda, grid, task, arrays, error);
           }) &&
         join_across_tiles (cuda, grid, task, arrays, error) &&
         number_roots (cuda, grid, arrays, n_components, error);
}

/* The labels, in a band the numbers that replace them. */
static gboolean
finish_labels (WfCuda             *cuda,
               const WfLabelTask  *task,
               Arrays             *arrays,
               guint32             n_components,
               GError            **error)
{
  const Grid grid = make_grid (&task->shape);

  if (! task->band)
    return write_all_labels<false> (cuda, grid, arrays, error);
  return wf_check_unchanged (n_components, task->band->n_labels, error) &&
         upload_table (cuda, task->band, arrays, error) &&
         write_all_labels<true> (cuda, grid, arrays, error);
}

static gboolean
run_union_find (gconstpointer   data,
                WfRun          *run,
                GError        **error)
{
  const WfLabelTask *task    = (const WfLabelTask *) data;
  const bool         summary = task->band && ! task->band->number_of;
  guint32            found   = 0;
  WfCudaSession      session;
  Arrays             arrays;

  wf_run_begin (run, 1.0, 2);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (session.cuda, task), error) ||
      ! allocate (session.cuda, task, make_grid (&task->shape), &arrays, error) ||
      ! arrays.image.take (session.cuda, task->image, _("image"), error) ||
      ! wf_cuda_advance (session.cuda, 1, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! find_components (session.cuda, task, &arrays, &found, error) ||
      (! summary && ! finish_labels (session.cuda, task, &arrays, found, error)))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  if (! wf_cuda_advance (session.cuda, 1, error) ||
      ! (summary ? download_rims (session.cuda, task, &arrays, error)
                 : wf_cuda_download (session.cuda, arrays.labels.data, task->labels, error)))
    return FALSE;
  *task->n_components = found;
  return TRUE;
}

/* Whether the segments can be numbered by keys of 32 bits. */
static gboolean
supports_union_find (gconstpointer data)
{
  const WfShape *shape = &((const WfLabelTask *) data)->shape;
  const gint64   rows  = shape->height * shape->depth;

  return shape->width <= G_GINT64_CONSTANT (1) << 31 &&
         rows <= (G_GINT64_CONSTANT (1) << 32) >> make_grid (shape).row_shift;
}

} /* namespace label */

const WfVariant wf_cuda_label_variants[] =
{
  { "union-find", label::supports_union_find, NULL, NULL, label::run_union_find, TRUE,
    label::memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

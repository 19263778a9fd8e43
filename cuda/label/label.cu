/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components on a GPU, `union-find`.
 *
 * The foreground becomes bits, 32 pixels of a row a word, and what is joined are not
 * pixels but segments: the maximal runs of foreground in a word.  Each has a key, and
 * keys increase in raster order.  Sets of segments are trees in which every segment
 * points to an earlier one, so that a component's root is the segment with its first
 * pixel: the number of a component is how many roots lie before its own.  (Union by
 * the lesser index with atomic minima: Playne and Hawick, A new algorithm for parallel
 * connected-component labelling on GPUs, IEEE Transactions on Parallel and Distributed
 * Systems 29, 2018; trees in tiles that are joined over their borders: Komura, GPU-based
 * cluster-labeling algorithm without the use of conventional iteration, Computer Physics
 * Communications 194, 2015.  Theirs join pixels.)
 *
 *   join_tile_segments   bits; segments joined inside tiles, in shared memory
 *   join_tile_rows, _columns, join_slices   joined across the borders of tiles and slices
 *   find_roots           each tile's root finds its component's; roots counted by blocks
 *   add_counts           how many roots lie before each block's
 *   write_labels         labels from bits
 *
 * The trees lie in the memory of the labels, each tile's in its own pixels, at whose
 * beginning they are dense: where the segments are long, as in most images, a tile's
 * trees are an eighth of a byte a pixel.  So the image is read once, the labels are
 * written once, and everything between stays in the cache.
 */

#include "label.cuh"
#include "borders.inc.cuh"
#include "numbers.inc.cuh"
#include "tiles.inc.cuh"
#include "cuda/core/transfer.cuh"

#include <math.h>

#define THREADS 256

/* What CUDA allows, rounded down. */
#define MAX_BLOCKS_DOWN 65000


/*  Sizes  */

static LabelGrid
make_grid (const WfShape *shape)
{
  LabelGrid grid = {};

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

gboolean
wf_cuda_label_fits (const WfShape *shape)
{
  const gint64 rows = shape->height * shape->depth;

  return shape->width <= G_GINT64_CONSTANT (1) << 31 &&
         rows <= (G_GINT64_CONSTANT (1) << 32) >> make_grid (shape).row_shift;
}

static gint64
count_words (const LabelGrid &grid)
{
  return grid.rows * grid.words;
}

/* A block for each tile: see place_of_tile(). */
static dim3
tile_blocks (const LabelGrid &grid)
{
  const gint64 n_bands = grid.down * (grid.rows / grid.height);
  const gint64 deep    = (n_bands + MAX_BLOCKS_DOWN - 1) / MAX_BLOCKS_DOWN;

  return dim3 (grid.across, (guint32) ((n_bands + deep - 1) / deep), (guint32) deep);
}

static gint64
count_blocks (const LabelGrid &grid)
{
  return (count_words (grid) + COUNT_WORDS - 1) / COUNT_WORDS;
}

guint64
wf_cuda_label_memory (const WfShape *shape)
{
  const LabelGrid grid = make_grid (shape);

  return count_words (grid) * (sizeof (guint32) + 2 * sizeof (guint16))
         + count_blocks (grid) * sizeof (guint32) + sizeof (guint64);
}


/*  The resident function  */

struct LabelScratch
{
  WfDeviceArray<guint32> bits;
  WfDeviceArray<guint16> roots;
  WfDeviceArray<guint16> ranks;
  WfDeviceArray<guint32> counts;
  WfDeviceArray<guint64> sum;
};

static gboolean
allocate_scratch (WfCuda           *cuda,
                  const LabelGrid  &grid,
                  LabelScratch     *scratch,
                  GError          **error)
{
  const gint64 n_words = count_words (grid);

  return scratch->bits.allocate (cuda, n_words, error) &&
         scratch->roots.allocate (cuda, n_words, error) &&
         scratch->ranks.allocate (cuda, n_words, error) &&
         scratch->counts.allocate (cuda, count_blocks (grid), error) &&
         scratch->sum.allocate (cuda, 1, error);
}

/* A whole number is above a threshold if it is above its whole part, and a single
 * precision number if it is above the next one down; unset, a threshold is 0.
 */
static LabelThreshold
make_threshold (double threshold)
{
  LabelThreshold made = { 0, 0.0f, (bool) isnan (threshold), 0, 0 };

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
join_inside_tiles (WfCuda                *cuda,
                   const LabelGrid       &grid,
                   const WfCudaLabelling *task,
                   LabelScratch          *scratch,
                   GError               **error)
{
  const T      *image     = (const T *) task->image;
  const bool    by_quads  = sizeof (T) == 1 && is_on_quads (image, grid.width);
  const bool    diagonals = task->connectivity == 8 || task->connectivity == 26;
  auto          kernel    = join_tile_segments<T, false>;

  if constexpr (sizeof (T) == 1)
    if (by_quads)
      kernel = join_tile_segments<T, true>;
  kernel<<<tile_blocks (grid), TILE_THREADS, 0, cuda->stream>>>
    (image, grid, make_threshold (task->threshold), diagonals, scratch->bits.data,
     scratch->roots.data, task->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
join_across_tiles (WfCuda                *cuda,
                   const LabelGrid       &grid,
                   const WfCudaLabelling *task,
                   LabelScratch          *scratch,
                   GError               **error)
{
  const bool   diagonals = task->connectivity == 8 || task->connectivity == 26;
  const gint64 n_rows    = (gint64) (grid.down - 1) * task->shape.depth * grid.words;
  const gint64 n_columns = (gint64) (grid.across - 1) * grid.rows;
  const gint64 n_slices  = (grid.rows - grid.height) * grid.words;

  if (n_rows > 0)
    join_tile_rows<<<wf_cuda_blocks (cuda, n_rows, THREADS), THREADS, 0, cuda->stream>>>
      (grid, scratch->bits.data, diagonals, task->labels);
  WF_CUDA_CHECK_LAUNCH ();
  if (n_columns > 0)
    join_tile_columns<<<wf_cuda_blocks (cuda, n_columns, THREADS), THREADS, 0, cuda->stream>>>
      (grid, scratch->bits.data, diagonals, task->labels);
  WF_CUDA_CHECK_LAUNCH ();
  if (n_slices > 0)
    join_slices<<<wf_cuda_blocks (cuda, n_slices, THREADS), THREADS, 0, cuda->stream>>>
      (grid, scratch->bits.data, diagonals, task->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
number_roots (WfCuda                *cuda,
              const LabelGrid       &grid,
              const WfCudaLabelling *task,
              LabelScratch          *scratch,
              GError               **error)
{
  const gint64 n_blocks = count_blocks (grid);
  guint64      sum      = 0;

  find_roots<<<(guint32) n_blocks, COUNT_THREADS, 0, cuda->stream>>>
    (grid, count_words (grid), task->labels, scratch->roots.data, scratch->ranks.data,
     scratch->counts.data);
  WF_CUDA_CHECK_LAUNCH ();
  add_counts<<<1, 1024, 0, cuda->stream>>> (scratch->counts.data, n_blocks, scratch->sum.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &sum, scratch->sum.data, sizeof sum, error))
    return FALSE;

  if (sum > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                           _("The image has more than %u connected components."), G_MAXUINT32);
      return FALSE;
    }
  *task->n_components = (guint32) sum;
  return TRUE;
}

static gboolean
write_all_labels (WfCuda                *cuda,
                  const LabelGrid       &grid,
                  const WfCudaLabelling *task,
                  LabelScratch          *scratch,
                  GError               **error)
{
  const LabelNumbers numbers = { scratch->roots.data, scratch->ranks.data,
                                 scratch->counts.data };
  auto               kernel  = is_on_quads (task->labels, grid.width * sizeof (guint32))
                               ? write_labels<true> : write_labels<false>;

  kernel<<<tile_blocks (grid), TILE_THREADS, 0, cuda->stream>>>
    (grid, scratch->bits.data, numbers, task->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_label (WfCuda                 *cuda,
               const WfCudaLabelling  *task,
               GError                **error)
{
  const LabelGrid grid = make_grid (&task->shape);
  LabelScratch    scratch;
  gboolean        done;

  if (! allocate_scratch (cuda, grid, &scratch, error))
    return FALSE;
  switch (task->type)
    {
    case WF_TYPE_U8:
      done = join_inside_tiles<guint8> (cuda, grid, task, &scratch, error);
      break;
    case WF_TYPE_U16:
      done = join_inside_tiles<guint16> (cuda, grid, task, &scratch, error);
      break;
    default:
      done = join_inside_tiles<float> (cuda, grid, task, &scratch, error);
    }
  return done &&
         join_across_tiles (cuda, grid, task, &scratch, error) &&
         number_roots (cuda, grid, task, &scratch, error) &&
         write_all_labels (cuda, grid, task, &scratch, error);
}


/*  The variant  */

static guint64
memory_of (gconstpointer device,
           gconstpointer data)
{
  const WfLabelTask *task = (const WfLabelTask *) data;

  return wf_shape_n_pixels (&task->shape) * (wf_type_size (task->image->type) + sizeof (guint32))
         + wf_cuda_label_memory (&task->shape);
}

static gboolean
run_union_find (gconstpointer   data,
                WfRun          *run,
                GError        **error)
{
  const WfLabelTask      *task  = (const WfLabelTask *) data;
  const gint64            n     = wf_shape_n_pixels (&task->shape);
  const gint64            bytes = n * wf_type_size (task->image->type);
  guint32                 found = 0;
  WfCudaSession           session;
  WfDeviceArray<char>     image;
  WfDeviceArray<guint32>  labels;
  WfCudaLabelling         labelling = { task->shape, task->image->type, task->connectivity,
                                        task->threshold };

  wf_run_begin (run, 1.0, 2);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (session.cuda, task), error) ||
      ! image.allocate (session.cuda, bytes, error) ||
      ! labels.allocate (session.cuda, n, error) ||
      ! wf_cuda_upload (session.cuda, task->image, _("image"), image.data, error) ||
      ! wf_cuda_advance (session.cuda, 1, error))
    return FALSE;

  labelling.image        = image.data;
  labelling.labels       = labels.data;
  labelling.n_components = &found;
  wf_cuda_time_begin (session.cuda);
  if (! wf_cuda_label (session.cuda, &labelling, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  if (! wf_cuda_advance (session.cuda, 1, error) ||
      ! wf_cuda_download (session.cuda, labels.data, task->labels, error))
    return FALSE;
  *task->n_components = found;
  return TRUE;
}

static gboolean
supports_union_find (gconstpointer data)
{
  return wf_cuda_label_fits (&((const WfLabelTask *) data)->shape);
}

const WfVariant wf_cuda_label_variants[] =
{
  { "union-find", supports_union_find, NULL, NULL, run_union_find, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

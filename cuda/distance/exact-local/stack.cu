/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances in stacks with unit spacing, `local`: near background is found along z,
 * y and x in turn, in pairs of 16 bits.
 *
 * 1. pack.cu packs the stack as it does an image: a word for each column along z and band of 32
 *    slices.  The other steps are in stack-near.cu.
 *    Bytes a voxel: the image's own read, 1/8 written.
 * 2. step_bands: computes the squared distances along a column from its word and those of up to
 *    five bands above and below.  Slices k and k + 16 of a band are the halves of a word.
 *    Bytes a voxel: 1/8 read, 2 written.
 * 3. search_columns: finds the smallest sum of such a square and the square of a step along y.  A
 *    warp has 32 columns by four rows of a pair of slices, and reads on to both sides, four rows at
 *    a time, until no remaining row can be nearer to one of its voxels: until all distances are at
 *    most k + 1 after k rows.
 *    Bytes a voxel: 2 read, many times from the first-level cache; 2 written.
 * 4. search_rows: does the same along x, four rows by 32 columns, and takes the roots.
 *    Bytes a voxel: 2 read, 4 written.
 *
 * The searches are bound by integer instructions, each about 40 a voxel in tissue, and step_bands
 * by writing.  Large stacks are processed some bands at a time, so that the fields take no more
 * than %FIELD_BYTES.
 *
 * Each search ends after at most %STACK_REACH steps.  Distances up to %STACK_REACH + 1 are exact,
 * because they have no longer step along any axis.  A voxel with a greater distance is far.  If
 * there are any, `envelope` computes the groups of 32 voxels in a row that contain them, after
 * passes along their rows and along all columns in z.  A search does not begin if everything that
 * it could read is known to be empty.
 *
 * In a band of a larger stack step 2 also looks at the nearest background before and after the band
 * in each column, and so does `envelope`.
 *
 * Nearest voxels: stack-sites.cu replaces steps 2 to 4, and `envelope` finds them as well.
 *
 * The three passes in turn are from Saito and Toriwaki (New algorithms for Euclidean distance
 * transformation of an n-dimensional digitized picture, Pattern Recognition 27, 1994).
 */

#include "stack.cuh"

namespace distance_local
{

/* Memory of the two fields together, unless those of a single band need more: smaller fields gain
 * in the second-level cache, but lose as much at the ends of launches.  Also the most bands that a
 * launch takes.
 */
#define FIELD_BYTES (G_GUINT64_CONSTANT (1) << 30)
#define MOST_BANDS 1024

/* Voxels between two checks whether the user has cancelled. */
#define VOXELS_A_LOOK (G_GINT64_CONSTANT (1) << 31)

/* @planes is for one band.  Up to @end: offsets of the words and the results, which are kept until
 * the end.  Then the sizes of one field, and of all of them.
 */
typedef struct
{
  Stack   stack;
  int     planes;
  int     bands_at_once;
  guint64 groups_at;
  guint64 rows_at;
  guint64 any_far_at;
  guint64 end;
  guint64 field_bytes;
  guint64 fields_end;
} StackLayout;

static StackLayout
make_layout (const WfDistanceTask *task)
{
  const WfShape *shape   = &task->shape;
  StackLayout    layout  = { };
  Stack         *stack   = &layout.stack;
  WfColumns     *columns = &stack->columns;
  guint64        band_bytes;

  stack->width     = (int) shape->width;
  stack->height    = (int) shape->height;
  stack->n_tiles   = (int) ((shape->width + 31) / 32);
  stack->rows      = (int) ((shape->height + 3) / 4 * 4);
  columns->width   = (int) (shape->width * shape->height);
  columns->height  = (int) shape->depth;
  columns->pitch   = (columns->width + 2 * (gint64) WF_REACH + 127) / 128 * 128;
  columns->n_bands = (int) ((shape->depth + WF_BAND - 1) / WF_BAND);
  columns->border  = task->border_background;

  layout.groups_at   = wf_cuda_align (columns->n_bands * columns->pitch * sizeof (guint32));
  layout.rows_at     = wf_cuda_align (layout.groups_at
                                      + (guint64) shape->depth * (stack->rows / 4)
                                        * stack->n_tiles);
  layout.any_far_at  = wf_cuda_align (layout.rows_at
                                      + (guint64) shape->depth * (stack->rows / 4));
  layout.end         = layout.any_far_at + sizeof (int);

  layout.planes        = task->nearest ? WF_BAND : WF_BAND / 2;
  band_bytes           = (guint64) stack->n_tiles * 32 * stack->rows * layout.planes
                         * sizeof (guint32);
  layout.bands_at_once = (int) CLAMP (FIELD_BYTES / (2 * band_bytes), 1,
                                      (guint64) MIN (columns->n_bands, MOST_BANDS));
  layout.field_bytes   = layout.bands_at_once * band_bytes;
  layout.fields_end    = 2 * layout.field_bytes
                         + layout.bands_at_once * (guint64) stack->n_tiles * stack->rows
                           * (1 + layout.planes / 4);
  return layout;
}

static void
place (StackLayout *layout,
       guint8      *memory,
       guint8      *fields)
{
  Stack *stack = &layout->stack;

  stack->columns.words = (guint32 *) memory;
  stack->far.groups    = memory + layout->groups_at;
  stack->far.rows      = memory + layout->rows_at;
  stack->any_far       = (int *) (memory + layout->any_far_at);
  stack->steps         = (guint32 *) fields;
  stack->planes        = (guint32 *) (fields + layout->field_bytes);
  stack->near_rows     = fields + 2 * layout->field_bytes;
  stack->near_fours    = stack->near_rows + layout->bands_at_once * (guint64) stack->n_tiles
                                            * stack->rows;
}

/* Grids for @n bands. */
static StackGrids
make_grids (const StackLayout *layout,
            int                n)
{
  const Stack *stack  = &layout->stack;
  const int    across = stack->n_tiles > 4 ? 3 : stack->n_tiles > 2 ? 2 : stack->n_tiles - 1;
  const int    fours  = stack->rows / 4;
  const int    down   = STACK_WARPS >> across;

  return {
    dim3 ((stack->rows + STACK_WARPS - 1) / STACK_WARPS, stack->n_tiles, n),
    dim3 ((fours + STACK_WARPS - 1) / STACK_WARPS, stack->n_tiles, n * layout->planes),
    dim3 ((stack->n_tiles + (1 << across) - 1) >> across, (fours + down - 1) / down,
          n * layout->planes),
    across,
  };
}

/* Computes the distances of the foreground from the background; with @inverted the reverse. */
static gboolean
measure (WfCuda                *cuda,
         const WfCudaDistance  *distance,
         StackLayout           *layout,
         bool                   inverted,
         GError               **error)
{
  Stack               *stack   = &layout->stack;
  WfColumns            packed  = stack->columns;
  const WfLocalOutput  output  = { distance->out, distance->nearest,
                                   distance->task->metric == WF_METRIC_SQUARED, inverted,
                                   inverted };
  const gint64         n_band  = (gint64) stack->columns.width * WF_BAND;
  gint64               waiting = 0;

  stack->ends   = wf_column_ends (distance, inverted);
  packed.border = packed.border && ! stack->ends.before;
  if (! wf_cuda_distance_pack (cuda, distance, inverted, &packed,
                               (guint32 *) stack->any_far, inverted ? 0 : 1, error))
    return FALSE;
  for (int first = 0; first < stack->columns.n_bands; first += layout->bands_at_once)
    {
      const int  n = MIN (layout->bands_at_once, stack->columns.n_bands - first);
      StackGrids grids;

      if (waiting >= VOXELS_A_LOOK)
        {
          if (! wf_cuda_wait (cuda, error) || ! wf_cuda_advance (cuda, 0, error))
            return FALSE;
          waiting = 0;
        }
      grids = make_grids (layout, n);
      if (! (output.nearest ? wf_cuda_distance_stack_sites : wf_cuda_distance_stack_near)
              (cuda, stack, &grids, &output, first, error))
        return FALSE;
      waiting += n * n_band;
    }
  return TRUE;
}

}

using namespace distance_local;

/* Positions in a slice must fit an int, and grids the limits of a device.  Nearest voxels are found
 * only inside the stack, and not for signed maps or bands.
 */
gboolean
wf_cuda_distance_local_stack_supports (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;

  return (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         task->exact_integers && wf_distance_count_axes (task) == 3 &&
         ! (task->nearest && (task->border_background || task->signed_distance)) &&
         (! task->band || (task->out && ! task->nearest &&
                           wf_cuda_distance_envelope_supports (task))) &&
         shape->width <= 1 << 20 && shape->height <= 1 << 17 && shape->depth <= 1 << 20 &&
         shape->width * shape->height <= 1 << 30;
}

guint64
wf_cuda_distance_local_stack_memory (const WfDistanceTask *task)
{
  const StackLayout layout = make_layout (task);

  return layout.end + MAX (layout.fields_end, wf_cuda_distance_envelope_memory (task))
         + sizeof (int);
}

gboolean
wf_cuda_distance_local_stack (WfCuda                 *cuda,
                              const WfCudaDistance   *distance,
                              WfDeviceArray<guint8>  *memory,
                              int                   **absent,
                              GError                **error)
{
  const bool            is_signed = distance->task->signed_distance;
  StackLayout           layout    = make_layout (distance->task);
  WfDeviceArray<guint8> kept;
  WfDeviceArray<guint8> fields;
  int                   any_far;

  if (! kept.allocate (cuda, layout.end, error) ||
      ! fields.allocate (cuda, layout.fields_end, error))
    return FALSE;
  place (&layout, kept.data, fields.data);
  if (! measure (cuda, distance, &layout, false, error))
    return FALSE;
  if (is_signed)
    {
      layout.stack.columns.border = false;
      if (! measure (cuda, distance, &layout, true, error))
        return FALSE;
    }
  if (! wf_cuda_read (cuda, &any_far, layout.stack.any_far, sizeof any_far, error))
    return FALSE;
  fields.clear ();
  if (any_far)
    return wf_cuda_distance_envelope_far (cuda, distance, is_signed ? NULL : &layout.stack.far,
                                          memory, absent, error);

  if (! memory->allocate (cuda, sizeof (int), error))
    return FALSE;
  *absent = (int *) memory->data;
  WF_CUDA_CHECK (cudaMemsetAsync (*absent, 0, sizeof (int), cuda->stream));
  return TRUE;
}

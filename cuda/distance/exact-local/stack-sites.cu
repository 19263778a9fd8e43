/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances and nearest voxels of a stack where they are near: as stack.cu, but each voxel has a
 * key of 32 bits that also identifies its nearest voxel.  The squared distance is in the upper
 * bits, and below it are the numbers of columns, rows and slices to that voxel, six bits each.  At
 * equal distances the smallest key is the one with the smallest x, then y, then z.  A search goes
 * on until all distances are less than that to the remaining voxels, because one of those could win
 * a tie.
 *
 * The bits suffice for %SITES_REACH steps along each axis.
 *
 * Bytes a voxel, read and written: packing the image's own and 1/8; 1/8 and 4 along z; 4 and 4
 * along y; 4 and 12 along x.
 */

#include "stack.cuh"

#define SITES_REACH 28

/* Parts of a key, and the bits where they begin. */
#define SQUARE_AT 18
#define COLUMN_AT 12
#define ROW_AT 6
#define PART 63u
#define PART_HERE 32u
#define SITE_HERE (PART_HERE << COLUMN_AT | PART_HERE << ROW_AT | PART_HERE)

/* No background near enough: so far that no sum with it is near. */
#define UNKNOWN_SQUARE 4000u
#define UNKNOWN_KEY (UNKNOWN_SQUARE << SQUARE_AT | SITE_HERE)

#define LIMIT_KEY ((guint32) ((SITES_REACH + 1) * (SITES_REACH + 1)) << SQUARE_AT)

static_assert (SITES_REACH < PART_HERE && UNKNOWN_SQUARE >= (SITES_REACH + 1) * (SITES_REACH + 1) &&
               UNKNOWN_SQUARE + 2 * SITES_REACH * SITES_REACH < 1u << (32 - SQUARE_AT),
               "keys have room");
static_assert (SITES_REACH < WF_BAND && SITES_REACH <= STACK_REACH, "what is near is known");

namespace distance_local::stack_sites
{

/* The values and the readers of the searches along y and x. */
typedef Keys<SITES_REACH, SQUARE_AT, ROW_AT>    RowValues;
typedef Keys<SITES_REACH, SQUARE_AT, COLUMN_AT> ColumnValues;
typedef FourRows<UNKNOWN_KEY>                   KeyRows;
typedef FourColumns<UNKNOWN_KEY>                KeyColumns;


/*  Along z  */

/* A warp has 32 columns of a row in a band. */
__global__ void
__launch_bounds__ (STACK_THREADS)
key_bands (Stack stack,
           int   first_band)
{
  const int      lane   = wf_lane ();
  const int      y      = blockIdx.x * STACK_WARPS + threadIdx.x / 32;
  const int      tile   = blockIdx.y;
  const int      band   = first_band + blockIdx.z;
  const gint64   step   = (gint64) stack.n_tiles * stack.rows * 32;
  guint32       *field  = stack.steps + blockIdx.z * WF_BAND * step
                          + ((gint64) tile * stack.rows + y) * 32 + lane;
  const int      slices = min (WF_BAND, stack.columns.height - band * WF_BAND);
  OwnColumn      own;

  if (y >= stack.rows)
    return;

  own = read_column<false> (stack, band, tile, y, lane, blockIdx.z);
#pragma unroll 8
  for (int k = 0; k < slices; k++)
    {
      const guint32 before = own.word << (31 - k);
      const guint32 after  = own.word >> k;
      const int     up     = before ? __clz (before) : own.above + k;
      const int     down   = after ? __ffs (after) - 1 : own.below + 31 - k;
      const int     least  = min (up, down);

      field[k * step] = least > SITES_REACH ? UNKNOWN_KEY
                        : (guint32) (least * least << SQUARE_AT) + SITE_HERE
                          + (guint32) (up <= down ? -least : least);
    }
}


/*  Searches  */

/* A warp has a tile of four rows of the block's slice. */
__global__ void
__launch_bounds__ (STACK_THREADS)
key_columns (Stack stack,
             int   first_band)
{
  const int       lane   = wf_lane ();
  const int       y      = (blockIdx.x * STACK_WARPS + threadIdx.x / 32) * 4;
  const int       tile   = blockIdx.y;
  const gint64    number = blockIdx.z;
  const int       slice  = first_band * WF_BAND + blockIdx.z;
  guint32        *field  = stack.planes
                           + ((number * stack.rows + y) * stack.n_tiles + tile) * 32 + lane;
  int             most   = min (max (y + 4, stack.rows - y), SITES_REACH);
  bool            near   = false;

  if (y >= stack.rows || slice >= stack.columns.height)
    return;

  const KeyRows reader = { stack.steps + ((number * stack.n_tiles + tile) * stack.rows + y) * 32
                           + lane, y, stack.rows };
  const Four    own    = reader.read (0);
  Four          best   = own;

  if (tile == 0 && lane == 0)
    stack.far.rows[slice * (gint64) (stack.rows / 4) + y / 4] = 0;
  if (! is_any_row_near (stack.near_rows
                         + (number / WF_BAND * stack.n_tiles + tile) * stack.rows + y,
                         y, stack.rows, lane))
    most = 0;
  search_from<RowValues, 0> (reader, tile * 32 + lane < stack.width, most, own, own, best);
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      field[(gint64) i * stack.n_tiles * 32] = best.v[i];
      near |= best.v[i] < LIMIT_KEY;
    }
  near = __any_sync (WF_ALL_LANES, near);
  if (lane == 0)
    stack.near_fours[(number * (stack.rows / 4) + y / 4) * stack.n_tiles + tile] = near;
}


/*  Writing  */

/* SITES_USUAL: floats in rows of a multiple of four voxels.  SITES_OTHER: anything else. */
enum SitesCase { SITES_USUAL, SITES_OTHER };

/* Returns the index of the voxel that @key identifies.  @here is the index of the key's own voxel
 * minus parts_here().
 */
__device__ __forceinline__ gint64
site_of (const Stack &stack,
         guint32      key,
         gint64       here)
{
  return here + (gint64) (key & PART) * stack.columns.width
         + ((key >> ROW_AT & PART) * stack.width + (key >> COLUMN_AT & PART));
}

__device__ __forceinline__ gint64
parts_here (const Stack &stack)
{
  return (gint64) PART_HERE * (stack.columns.width + stack.width + 1);
}

/* @first is the index of the tile's first voxel. */
__device__ __forceinline__ void
write_rows (const Stack         &stack,
            const WfLocalOutput &output,
            int                  left,
            int                  y,
            gint64               first,
            const Four          &keys,
            uint4               *staged)
{
  const int      lane  = wf_lane ();
  const guint32 *words = stage (keys, staged);

#pragma unroll
  for (int k = 0; k < 4; k++)
    if (left + lane < stack.width && y + k < stack.height)
      {
        const guint32 key    = words[k * 32 + lane];
        const guint32 square = key >> SQUARE_AT;
        const gint64  p      = first + (gint64) k * stack.width + lane;

        __stcs ((unsigned long long *) output.nearest + p,
                (unsigned long long) site_of (stack, key, p - parts_here (stack)));
        if (output.pixels && output.squared)
          write_square<true> (output, p, square);
        else if (output.pixels)
          __stcs ((float *) output.pixels + p, wf_root_16 (square));
      }
}

/* A warp has a tile of four rows, a lane four columns of one of them; a block has
 * 2^@across tiles side by side.
 */
template <SitesCase CASE>
__global__ void
__launch_bounds__ (STACK_THREADS)
key_rows (Stack         stack,
          WfLocalOutput output,
          int           first_band,
          int           across)
{
  __shared__ uint4 staged[CASE == SITES_USUAL ? 1 : STACK_WARPS][32];
  const int     lane   = wf_lane ();
  const int     warp   = threadIdx.x / 32;
  const int     tile   = (blockIdx.x << across) + (warp & ((1 << across) - 1));
  const int     four   = blockIdx.y * (STACK_WARPS >> across) + (warp >> across);
  const int     y      = four * 4 + lane / 8;
  const int     x      = tile * 32 + lane % 8 * 4;
  const int     pitch  = stack.n_tiles * 32;
  const gint64  number = blockIdx.z;
  const int     slice  = first_band * WF_BAND + blockIdx.z;
  const gint64  row    = (gint64) slice * stack.height + y;
  int           most   = min (pitch, SITES_REACH);
  bool          found;

  if (tile >= stack.n_tiles || four * 4 >= stack.rows || slice >= stack.columns.height)
    return;

  const KeyColumns reader = { stack.planes + (number * stack.rows + y) * pitch, x, pitch };
  const Four       own    = reader.read (0);
  Four             best   = own;

#pragma unroll
  for (int i = 0; i < 4; i++)
    if (x + i >= stack.width)
      best.v[i] = 0;
  if (! is_any_four_near (stack, number, four, tile, lane))
    most = 0;
  found = search_from<ColumnValues, 0> (reader, y < stack.height, most, own, own, best);
  if (lane == 0)
    note_far (stack, slice, four, tile, ! found);
  if (! found)
    return;

  if (CASE == SITES_USUAL)
    write_sites<SQUARE_AT> (output, stack.width, x, y < stack.height, row * stack.width + x, best,
                            [&] (guint32 key, gint64 here)
      {
        return site_of (stack, key, here - parts_here (stack));
      });
  else
    write_rows (stack, output, tile * 32, four * 4,
                (row - lane / 8) * stack.width + tile * 32, best, staged[warp]);
}

}


/*  Host  */

gboolean
wf_cuda_distance_stack_sites (WfCuda               *cuda,
                              const Stack          *stack,
                              const StackGrids     *grids,
                              const WfLocalOutput  *output,
                              int                   first,
                              GError              **error)
{
  using namespace distance_local::stack_sites;

  const bool usual = output->pixels && ! output->squared && stack->width % 4 == 0 &&
                     (guintptr) output->pixels % 16 == 0 && (guintptr) output->nearest % 16 == 0;

  key_bands<<<grids->bands, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  key_columns<<<grids->columns, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  (usual ? key_rows<SITES_USUAL> : key_rows<SITES_OTHER>)
    <<<grids->rows, STACK_THREADS, 0, cuda->stream>>> (*stack, *output, first, grids->across);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes: see bitplanes.inc.cuh. */

#include <utility>

#include "borders.inc.cuh"
#include "planes.inc.cuh"
#include "tiles.inc.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/reconstruction/run.cuh"

namespace bitplanes
{

/* Pixels above which the host waits for each bit, so that cancelling takes effect. */
constexpr gint64 LARGE = 1 << 29;

/* Planes besides those of mask and v and one for each pair of neighbours. */
constexpr int SINGLE_PLANES = 7;

/* Nodes are numbered in 32 bits, with one to spare for node 0. */
constexpr guint32 MOST_TILES = (1u << 20) - 1;


/**
 * Workspace:
 * @planes: of mask and v, then of single pixels, then of pairs
 * @last: one of them: the lowest bit of the group before
 * @parents: of two bits, of which one is labelled while the other is settled
 * @other_parents: those that are not in use
 */
struct Workspace
{
  WfDeviceArray<guint32> planes;
  WfDeviceArray<guint16> roots;
  WfDeviceArray<guint32> parents;
  WfDeviceArray<Range>   range;
  guint32               *last;
  guint32               *other_parents;
};

/* Leaves out sizes of 1: the pixels and their neighbours stay the same, and fill the tiles
 * better.  Returns the connectivity.
 */
static int
leave_out_ones (WfShape *shape,
                int      connectivity)
{
  const bool   faces   = connectivity == 4 || connectivity == 6;
  const gint64 sizes[] = { shape->width, shape->height, shape->depth };
  gint64       left[]  = { 1, 1, 1 };
  int          n       = 0;

  for (int i = 0; i < 3; i++)
    if (sizes[i] > 1)
      left[n++] = sizes[i];
  *shape = { left[0], left[1], left[2] };
  if (n == 3)
    return faces ? 6 : 26;
  return faces ? 4 : 8;
}

static guint64
count_tiles (Bitplanes *planes,
             bool       stack)
{
  const gint64  wide   = 32 * (stack ? TileShape<true>::WORDS : TileShape<false>::WORDS);
  const gint64  high   = stack ? TileShape<true>::ROWS : TileShape<false>::ROWS;
  const gint64  thick  = stack ? TileShape<true>::SLICES : TileShape<false>::SLICES;
  const guint64 across = (planes->width + wide - 1) / wide;
  const guint64 down   = (planes->height + high - 1) / high;
  const guint64 deep   = (planes->depth + thick - 1) / thick;

  planes->across = across;
  planes->down   = down;
  planes->deep   = deep;
  return across * down * deep;
}

static int
count_pairs (int connectivity)
{
  return wf_dispatch_value<4, 8, 6, 26> (connectivity, [] (auto value)
    {
      return Around<decltype (value)::value>::PAIRS;
    });
}

static Bitplanes
make_planes (const WfShape *shape,
             int            connectivity)
{
  Bitplanes planes = {};

  planes.width   = shape->width;
  planes.height  = shape->height;
  planes.depth   = shape->depth;
  planes.n_words = count_tiles (&planes, wf_is_stack_connectivity (connectivity)) * THREADS;
  return planes;
}

static gboolean
open_workspace (WfCuda     *cuda,
                Workspace  *space,
                Bitplanes  *planes,
                int         connectivity,
                GError    **error)
{
  const guint64  n     = planes->n_words;
  const int      pairs = count_pairs (connectivity);
  guint32       *single;

  if (! space->planes.allocate (cuda, n * (2 * GROUP + SINGLE_PLANES + pairs), error) ||
      ! space->roots.allocate (cuda, n * SEGMENTS, error) ||
      ! space->parents.allocate (cuda, 2 * n * SEGMENTS, error) ||
      ! space->range.allocate (cuda, 1, error))
    return FALSE;

  single          = space->planes.data + 2 * GROUP * n;
  planes->bounded = single;
  planes->free    = single + n;
  planes->passed  = single + 2 * n;
  planes->open    = single + 3 * n;
  planes->raised  = single + 4 * n;
  planes->tops    = single + 5 * n;
  space->last     = single + 6 * n;
  planes->equal   = single + SINGLE_PLANES * n;
  planes->roots   = space->roots.data;
  planes->parents = space->parents.data;

  space->other_parents = space->parents.data + n * SEGMENTS;
  return TRUE;
}

/* Labels the tiles of a bit and joins them; @settled: the bit before it, which has not been settled
 * yet, or %NULL.
 */
template <int CONNECTIVITY>
static gboolean
begin_bit (WfCuda           *cuda,
           const Bitplanes  *settled,
           const Bitplanes  &planes,
           GError          **error)
{
  const guint32 n_tiles = planes.n_words / THREADS;

  if (settled)
    settle_and_label_tiles<CONNECTIVITY><<<n_tiles, THREADS, 0, cuda->stream>>> (*settled, planes);
  else
    label_tiles<CONNECTIVITY><<<n_tiles, THREADS, 0, cuda->stream>>> (planes);
  WF_CUDA_CHECK_LAUNCH ();
  join_tiles<CONNECTIVITY><<<n_tiles, BorderWords<CONNECTIVITY>::N, 0, cuda->stream>>> (planes);
  WF_CUDA_CHECK_LAUNCH ();
  return planes.width * planes.height * planes.depth < LARGE || wf_cuda_wait (cuda, error);
}

template <typename Pixel>
static gboolean
begin_bit_number (WfCuda                    *cuda,
                  const Bitplanes           *settled,
                  Bitplanes                 *planes,
                  const PlanePixels<Pixel>  &pixels,
                  Workspace                 *space,
                  int                        bit,
                  int                        connectivity,
                  GError                   **error)
{
  planes->bit   = bit;
  planes->mask  = pixels.mask_planes + bit * planes->n_words;
  planes->value = pixels.value_planes + bit * planes->n_words;
  std::swap (planes->parents, space->other_parents);
  return wf_cuda_advance (cuda, 0, error) &&
         wf_dispatch_value<4, 8, 6, 26> (connectivity, [&] (auto value)
    {
      return begin_bit<decltype (value)::value> (cuda, settled, *planes, error);
    });
}

/* Eight bits of every pixel, from the planes' highest.  What is 0 or 1 in all pixels of
 * mask and v is so in R.  The highest bit, which seldom is, keeps the device busy until the host
 * knows which.
 */
template <typename Pixel, bool STACK>
static gboolean
find_bits (WfCuda                    *cuda,
           Bitplanes                 *planes,
           const PlanePixels<Pixel>  &pixels,
           Workspace                 *space,
           int                        connectivity,
           GError                   **error)
{
  const guint32    n_tiles = planes->n_words / THREADS;
  Range           *range   = space->range.data;
  const Bitplanes *last    = NULL;
  Bitplanes        begun;
  Range            found;
  guint32          wanted;

  WF_CUDA_CHECK (cudaMemsetAsync (range, 0, sizeof *range, cuda->stream));
  split_pixels<Pixel, STACK><<<n_tiles, THREADS, 0, cuda->stream>>> (*planes, pixels, range);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_ask (cuda, range, sizeof *range, error))
    return FALSE;
  planes->range = range;
  if (! begin_bit_number (cuda, NULL, planes, pixels, space, GROUP - 1, connectivity, error))
    return FALSE;
  planes->range = NULL;
  if (! wf_cuda_answer (cuda, &found, sizeof found, error))
    return FALSE;

  wanted = found.ones & found.zeros;
  for (int bit = GROUP - 1; bit >= 0; bit--)
    if (wanted >> bit & 1)
      {
        if (bit < GROUP - 1 &&
            ! begin_bit_number (cuda, last, planes, pixels, space, bit, connectivity, error))
          return FALSE;
        begun          = *planes;
        last           = &begun;
        planes->before = planes->value;
        planes->n_before++;
      }
  if (! last && sizeof (Pixel) == 1)   /* mask and v are equal, but v may not be at @value */
    WF_CUDA_CHECK (cudaMemcpyAsync (pixels.value, pixels.mask,
                                    planes->width * planes->height * planes->depth * sizeof (Pixel),
                                    cudaMemcpyDeviceToDevice, cuda->stream));
  if (! last)
    return TRUE;
  settle_and_merge_pixels<Pixel, STACK><<<n_tiles, THREADS, 0, cuda->stream>>> (*last, pixels);
  WF_CUDA_CHECK_LAUNCH ();
  if (pixels.shift)
    {
      WF_CUDA_CHECK (cudaMemcpyAsync (space->last, planes->before,
                                      planes->n_words * sizeof (guint32),
                                      cudaMemcpyDeviceToDevice, cuda->stream));
      planes->before = space->last;
    }
  return TRUE;
}

template <typename Pixel>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             GError                     **error)
{
  WfShape            shape        = task->shape;
  const int          connectivity = leave_out_ones (&shape, task->connectivity);
  Bitplanes          planes       = make_planes (&shape, connectivity);
  Workspace          space;
  PlanePixels<Pixel> pixels;

  if (! open_workspace (cuda, &space, &planes, connectivity, error))
    return FALSE;

  pixels.mask         = (const Pixel *) task->mask;
  pixels.known        = (const Pixel *) task->marker;
  pixels.value        = (Pixel *) task->out;
  pixels.keys.flip    = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  pixels.mask_planes  = space.planes.data;
  pixels.value_planes = space.planes.data + GROUP * planes.n_words;
  pixels.aligned      = sizeof (Pixel) == 1 && shape.width % 16 == 0 &&
                        ((guintptr) task->mask | (guintptr) task->marker |
                         (guintptr) task->out) % 16 == 0;

  for (pixels.shift = 8 * (sizeof (Pixel) - 1); pixels.shift >= 0; pixels.shift -= GROUP)
    if (! (wf_is_stack_connectivity (connectivity)
           ? find_bits<Pixel, true>
           : find_bits<Pixel, false>) (cuda, &planes, pixels, &space, connectivity, error))
      return FALSE;
  return TRUE;
}

} /* namespace bitplanes */

using namespace bitplanes;

gboolean
wf_cuda_bitplanes_support (const WfShape *shape,
                           int            connectivity)
{
  WfShape left = *shape;

  connectivity = leave_out_ones (&left, connectivity);
  return make_planes (&left, connectivity).n_words <= MOST_TILES * (guint64) THREADS;
}

gboolean
wf_cuda_reconstruct_bitplanes (WfCuda                      *cuda,
                               const WfCudaReconstruction  *task,
                               GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return reconstruct<decltype (pixel)> (cuda, task, error);
    });
}

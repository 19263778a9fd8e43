/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels: see bitplanes.cuh. */

#include "borders.cuh"
#include "planes.cuh"
#include "tiles.cuh"
#include "cuda/reconstruction/run.cuh"

/* Above this, the host waits for each bit, so that cancelling is seen. */
#define LARGE (1 << 26)

/* Planes besides those of mask and v and one for each pair of neighbours. */
#define SINGLE_PLANES 7

/* Places of nodes in 32 bits, with one to spare for node 0. */
#define MOST_TILES ((1u << 20) - 1)


/**
 * Workspace:
 * @planes: of mask and v, then of single pixels, then of pairs
 * @last: one of them: the lowest bit of the group before
 */
struct Workspace
{
  WfDeviceArray<guint32> planes;
  WfDeviceArray<guint16> roots;
  WfDeviceArray<guint32> parents;
  WfDeviceArray<Range>   range;
  guint32               *last;
};

/* Sizes of 1 are left out, wherever they are: the pixels and their neighbours are the
 * same, and fill the tiles better.  Returns the connectivity.
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

static bool
is_stack (int connectivity)
{
  return wf_is_stack_connectivity (connectivity);
}

static guint64
count_tiles (Levels *levels,
             bool    stack)
{
  const gint64  wide   = 32 * (stack ? Tile<true>::WORDS : Tile<false>::WORDS);
  const gint64  high   = stack ? Tile<true>::ROWS : Tile<false>::ROWS;
  const gint64  thick  = stack ? Tile<true>::SLICES : Tile<false>::SLICES;
  const guint64 across = (levels->width + wide - 1) / wide;
  const guint64 down   = (levels->height + high - 1) / high;
  const guint64 deep   = (levels->depth + thick - 1) / thick;

  levels->across = across;
  levels->down   = down;
  levels->deep   = deep;
  return across * down * deep;
}

static int
count_pairs (int connectivity)
{
  switch (connectivity)
    {
    case 4:
      return Around<4>::PAIRS;
    case 8:
      return Around<8>::PAIRS;
    case 6:
      return Around<6>::PAIRS;
    default:
      return Around<26>::PAIRS;
    }
}

static Levels
make_levels (const WfShape *shape,
             int            connectivity)
{
  Levels levels = {};

  levels.width   = shape->width;
  levels.height  = shape->height;
  levels.depth   = shape->depth;
  levels.n_words = count_tiles (&levels, is_stack (connectivity)) * THREADS;
  return levels;
}

/* Neighbours are of one class until a bit parts them; nothing is known of pixels. */
static gboolean
open_workspace (WfCuda     *cuda,
                Workspace  *space,
                Levels     *levels,
                int         connectivity,
                GError    **error)
{
  const guint64 n     = levels->n_words;
  const int     pairs = count_pairs (connectivity);
  guint32      *single;

  if (! space->planes.allocate (cuda, n * (2 * GROUP + SINGLE_PLANES + pairs), error) ||
      ! space->roots.allocate (cuda, n * SEGMENTS, error) ||
      ! space->parents.allocate (cuda, n * SEGMENTS, error) ||
      ! space->range.allocate (cuda, 1, error))
    return FALSE;

  single          = space->planes.data + 2 * GROUP * n;
  levels->bounded = single;
  levels->free    = single + n;
  levels->passed  = single + 2 * n;
  levels->open    = single + 3 * n;
  levels->raised  = single + 4 * n;
  levels->tops    = single + 5 * n;
  space->last     = single + 6 * n;
  levels->equal   = single + SINGLE_PLANES * n;
  levels->roots   = space->roots.data;
  levels->parents = space->parents.data;
  WF_CUDA_CHECK (cudaMemsetAsync (single, 0, 3 * n * sizeof (guint32), cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (levels->equal, 0xff, pairs * n * sizeof (guint32),
                                  cuda->stream));
  return TRUE;
}

template <int CONNECTIVITY>
static gboolean
find_bit (WfCuda        *cuda,
          const Levels  &levels,
          GError       **error)
{
  const guint32 n_tiles = levels.n_words / THREADS;

  label_tiles<CONNECTIVITY><<<n_tiles, THREADS, 0, cuda->stream>>> (levels);
  WF_CUDA_CHECK_LAUNCH ();
  join_tiles<CONNECTIVITY><<<n_tiles, THREADS, 0, cuda->stream>>> (levels);
  WF_CUDA_CHECK_LAUNCH ();
  settle_tiles<<<n_tiles, THREADS, 0, cuda->stream>>> (levels);
  WF_CUDA_CHECK_LAUNCH ();
  return levels.width * levels.height * levels.depth < LARGE || wf_cuda_wait (cuda, error);
}

static gboolean
find_bit_of (WfCuda        *cuda,
             const Levels  &levels,
             int            connectivity,
             GError       **error)
{
  switch (connectivity)
    {
    case 4:
      return find_bit<4> (cuda, levels, error);
    case 8:
      return find_bit<8> (cuda, levels, error);
    case 6:
      return find_bit<6> (cuda, levels, error);
    default:
      return find_bit<26> (cuda, levels, error);
    }
}

/* Eight bits of every pixel, from the planes' highest.  What is 0 or 1 in all pixels of
 * mask and v is so in R.
 */
template <typename Pixel, bool STACK>
static gboolean
find_bits (WfCuda                    *cuda,
           Levels                    *levels,
           const LevelPixels<Pixel>  &pixels,
           const Workspace           &space,
           int                        connectivity,
           GError                   **error)
{
  const guint32 n_tiles = levels->n_words / THREADS;
  Range        *range   = space.range.data;
  Range         found   = { 0, ALL };
  guint32       wanted;

  WF_CUDA_CHECK (cudaMemcpyAsync (range, &found, sizeof found, cudaMemcpyHostToDevice,
                                  cuda->stream));
  split_pixels<Pixel, STACK><<<n_tiles, THREADS, 0, cuda->stream>>> (*levels, pixels, range);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &found, range, sizeof found, error))
    return FALSE;

  wanted = found.any & ~found.all;
  for (int bit = GROUP - 1; bit >= 0; bit--)
    if (wanted >> bit & 1)
      {
        levels->mask  = pixels.mask_planes + bit * levels->n_words;
        levels->value = pixels.value_planes + bit * levels->n_words;
        if (! wf_cuda_advance (cuda, 0, error) ||
            ! find_bit_of (cuda, *levels, connectivity, error))
          return FALSE;
        levels->before = levels->value;
      }
  if (! wanted)
    return TRUE;
  merge_pixels<Pixel, STACK><<<n_tiles, THREADS, 0, cuda->stream>>> (*levels, pixels);
  WF_CUDA_CHECK_LAUNCH ();
  if (pixels.shift)
    {
      WF_CUDA_CHECK (cudaMemcpyAsync (space.last, levels->before,
                                      levels->n_words * sizeof (guint32),
                                      cudaMemcpyDeviceToDevice, cuda->stream));
      levels->before = space.last;
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
  Levels             levels       = make_levels (&shape, connectivity);
  Workspace          space;
  LevelPixels<Pixel> pixels;

  if (! open_workspace (cuda, &space, &levels, connectivity, error))
    return FALSE;

  pixels.mask         = (const Pixel *) task->mask;
  pixels.value        = (Pixel *) task->out;
  pixels.keys.flip    = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  pixels.mask_planes  = space.planes.data;
  pixels.value_planes = space.planes.data + GROUP * levels.n_words;

  for (pixels.shift = 8 * (sizeof (Pixel) - 1); pixels.shift >= 0; pixels.shift -= GROUP)
    if (! (is_stack (connectivity) ? find_bits<Pixel, true>
                                   : find_bits<Pixel, false>) (cuda, &levels, pixels, space,
                                                               connectivity, error))
      return FALSE;
  return TRUE;
}

gboolean
wf_cuda_levels_fit (const WfShape *shape,
                    int            connectivity)
{
  WfShape left = *shape;

  connectivity = leave_out_ones (&left, connectivity);
  return make_levels (&left, connectivity).n_words <= MOST_TILES * (guint64) THREADS;
}

gboolean
wf_cuda_reconstruct_levels (WfCuda                      *cuda,
                            const WfCudaReconstruction  *task,
                            GError                     **error)
{
  switch (task->type)
    {
    case WF_TYPE_U8:
      return reconstruct<guint8> (cuda, task, error);
    case WF_TYPE_U16:
      return reconstruct<guint16> (cuda, task, error);
    default:
      return reconstruct<guint32> (cuda, task, error);
    }
}

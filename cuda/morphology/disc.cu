/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by a disc or ball on a GPU.
 *
 * A disc is the union of its chords: of row y + dy the pixels from x − h to x + h, where
 * h is the greatest whole number with h² + dy² ≤ radius².  For each level λ = 1, 4, 16, …
 * the least values of all windows of λ pixels in a row are stored as an image of keys,
 * and each chord of λ to 4 λ pixels is covered by one to four such windows (after Urbach and
 * Wilkinson 2008, who keep a table of all lengths; here one length is stored at a time, and the
 * next is computed from it).
 *
 * A window is centred on its pixel.  One beyond the end of a row is replaced by that of the
 * last pixel, which reaches less far than the chord, so it adds nothing that is not in it.
 *
 *   lift         image to keys, level 1: 2 images
 *   widen        a level of the one before: 2 images
 *   add_chords   up to CHORDS chords of a level: 3 images, and what neighbouring rows
 *                have in common from the caches; some 6 words for each chord
 *
 * The images of keys begin each row at a word, and have a word more at its end.
 */

#include <math.h>

#include "element.cuh"
#include "words.cuh"
#include "cuda/core/dispatch.cuh"

namespace morphology
{

#define THREADS_ACROSS 32
#define THREADS_DOWN   8

/* As many as fit in a launch's parameters. */
#define CHORDS 256

/* Chords times pixels in a launch for each multiprocessor, some milliseconds of work,
 * and launches that are queued before the host waits and looks whether it is cancelled.
 */
#define WORK   (G_GINT64_CONSTANT (1) << 26)
#define QUEUED 8

struct Chord
{
  gint32 dy;
  gint32 dz;
  gint32 half;
};

struct Chords
{
  int    n;
  int    length;          /* λ */
  Chord  list[CHORDS];
};

struct Extent
{
  gint64 width;
  gint64 height;
  gint64 depth;
  gint64 pitch;           /* words in a row of keys */
};

/* How far a window of @length pixels goes before its pixel; length / 2 after it. */
static __host__ __device__ __forceinline__ int
reach_before (int length)
{
  return length - 1 - length / 2;
}

/* The keys of the pixels @x and after it. */
template <typename Pixel>
__device__ __forceinline__ guint32
load_keys (const guint32  *row,
           gint64          width,
           gint64          x)
{
  constexpr int per_word = Order<Pixel>::per_word;
  guint32       value    = 0;

  if (x >= 0 && x + per_word <= width)
    {
      const guint32 *word = row + x / per_word;

      return per_word == 1 ? word[0]
             : Order<Pixel>::across (word[0], word[1],
                                     (unsigned) (x % per_word) * Order<Pixel>::bits);
    }
  for (int i = 0; i < per_word; i++)
    {
      const gint64  at  = min (max (x + i, (gint64) 0), width - 1);
      const guint32 key = row[at / per_word] >> ((unsigned) (at % per_word) * Order<Pixel>::bits);

      value |= (per_word == 1 ? key : key & ((1u << (Order<Pixel>::bits % 32)) - 1))
               << (i * Order<Pixel>::bits);
    }
  return value;
}

template <typename Pixel>
__global__ void
lift (Pixels<Pixel> image,
      Extent        extent,
      Order<Pixel>  order,
      guint32      *keys)
{
  const gint64 n   = extent.pitch * extent.height * extent.depth;
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    keys[i] = order.key (image.load (i / extent.pitch * extent.width, extent.width,
                                     i % extent.pitch * Order<Pixel>::per_word));
}

/* From windows of @length pixels to windows of four times as many. */
template <typename Pixel>
__global__ void
widen (const guint32 *keys,
       Extent         extent,
       int            length,
       guint32       *wider)
{
  const gint64 n     = extent.pitch * extent.height * extent.depth;
  const gint64 all   = (gint64) gridDim.x * blockDim.x;
  const int    first = reach_before (length) - reach_before (4 * length);

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    {
      const gint64   column = i % extent.pitch;
      const guint32 *row    = keys + (i - column);
      const gint64   x      = column * Order<Pixel>::per_word + first;
      guint32        value  = load_keys<Pixel> (row, extent.width, x);

#pragma unroll
      for (int j = 1; j < 4; j++)
        value = Order<Pixel>::least (value, load_keys<Pixel> (row, extent.width,
                                                              x + (gint64) j * length));
      wider[i] = value;
    }
}

/* A warp has words of one row, so it does the same for each chord. */
template <typename Pixel>
__global__ void
__launch_bounds__ (THREADS_ACROSS * THREADS_DOWN)
add_chords (const guint32 *keys,
            Extent         extent,
            gint64         tiles_across,
            gint64         tiles_down,
            Chords         chords,
            bool           first,
            Order<Pixel>   order,
            Pixels<Pixel>  out)
{
  const gint64 n_tiles = tiles_across * tiles_down * extent.depth;
  const gint64 width   = extent.width;

  for (gint64 tile = blockIdx.x; tile < n_tiles; tile += gridDim.x)
    {
      const gint64 x   = (tile % tiles_across * THREADS_ACROSS + threadIdx.x)
                         * Order<Pixel>::per_word;
      const gint64 y   = tile / tiles_across % tiles_down * THREADS_DOWN + threadIdx.y;
      const gint64 z   = tile / tiles_across / tiles_down;
      const gint64 row = (z * extent.height + y) * width;
      guint32      value;

      if (x >= width || y >= extent.height)
        continue;
      value = first ? ~0u : order.key (out.load (row, width, x));
      for (int i = 0; i < chords.n; i++)
        {
          const Chord    chord = chords.list[i];
          const gint64   other = y + chord.dy;
          const gint64   slice = z + chord.dz;
          const guint32 *from;
          gint64         at;
          int            rest;

          if (other < 0 || other >= extent.height || slice < 0 || slice >= extent.depth)
            continue;
          from  = keys + (slice * extent.height + other) * extent.pitch;
          at    = x - chord.half + reach_before (chords.length);
          rest  = 2 * chord.half + 1 - chords.length;
          value = order.least (value, load_keys<Pixel> (from, width, at));
          for (; rest > 0; rest -= chords.length)
            {
              at    += min (rest, chords.length);
              value  = order.least (value, load_keys<Pixel> (from, width, at));
            }
        }
      out.store (row, width, x, order.back (value));
    }
}


/*  The chords  */

static gint64
square_root (gint64 square)
{
  gint64 root = (gint64) sqrt ((double) square);

  while (root * root > square)
    root--;
  while ((root + 1) * (root + 1) <= square)
    root++;
  return root;
}

/* A disc on the way to its result. */
template <typename Pixel>
struct Disc
{
  WfCuda                  *cuda;
  const WfCudaElement     *task;
  Extent                   extent;
  Order<Pixel>             order;
  WfDeviceArray<guint32>  keys;
  WfDeviceArray<guint32>  wider;
  Chords                   chords;
  int                      most;        /* chords in a launch */
  int                      n_queued;
  bool                     first;
};

template <typename Pixel>
static gboolean
add_listed (Disc<Pixel>  *disc,
            GError      **error)
{
  WfCuda              *cuda   = disc->cuda;
  const Extent        &extent = disc->extent;
  const gint64         n      = wf_shape_n_pixels (&disc->task->shape);
  const Pixels<Pixel>  out    = { (Pixel *) disc->task->out, n };
  const gint64         across = THREADS_ACROSS * Order<Pixel>::per_word;
  const gint64         nx     = (extent.width + across - 1) / across;
  const gint64         ny     = (extent.height + THREADS_DOWN - 1) / THREADS_DOWN;
  const dim3           threads (THREADS_ACROSS, THREADS_DOWN);

  if (disc->chords.n == 0)
    return TRUE;
  add_chords<Pixel><<<(unsigned int) MIN (nx * ny * extent.depth, G_MAXINT32), threads, 0,
                      cuda->stream>>>
    (disc->keys.data, extent, nx, ny, disc->chords, disc->first, disc->order, out);
  WF_CUDA_CHECK_LAUNCH ();
  disc->chords.n = 0;
  disc->first    = false;
  if (++disc->n_queued % QUEUED == 0 && ! wf_cuda_wait (cuda, error))
    return FALSE;
  return wf_cuda_advance (cuda, 0, error);
}

/* The chords from once to four times the level's length. */
template <typename Pixel>
static gboolean
add_level (Disc<Pixel>  *disc,
           gint64        length,
           GError      **error)
{
  const WfShape *shape  = &disc->task->shape;
  const gint64   radius = disc->task->radius;
  const gint64   most_y = MIN (radius, shape->height - 1);
  const gint64   most_z = MIN (radius, shape->depth - 1);

  disc->chords.length = (int) length;
  for (gint64 dz = -most_z; dz <= most_z; dz++)
    for (gint64 dy = -most_y; dy <= most_y; dy++)
      {
        const gint64 rest = radius * radius - dz * dz - dy * dy;
        const gint64 half = rest < 0 ? 0 : MIN (square_root (rest), shape->width - 1);

        if (rest < 0 || 2 * half + 1 < length || 2 * half + 1 >= 4 * length)
          continue;
        disc->chords.list[disc->chords.n++] = { (gint32) dy, (gint32) dz, (gint32) half };
        if (disc->chords.n == disc->most && ! add_listed (disc, error))
          return FALSE;
      }
  return add_listed (disc, error);
}

static gint64
longest_chord (const WfCudaElement *task)
{
  return 2 * MIN (task->radius, task->shape.width - 1) + 1;
}

template <typename Pixel>
static gboolean
widen_keys (Disc<Pixel>  *disc,
            gint64        length,
            GError      **error)
{
  WfCuda       *cuda   = disc->cuda;
  const Extent &extent = disc->extent;
  const gint64  n      = extent.pitch * extent.height * extent.depth;
  guint32      *keys   = disc->keys.data;

  widen<Pixel><<<wf_cuda_blocks (cuda, n, 256), 256, 0, cuda->stream>>>
    (keys, extent, (int) length, disc->wider.data);
  WF_CUDA_CHECK_LAUNCH ();
  disc->keys.data  = disc->wider.data;
  disc->wider.data = keys;
  return TRUE;
}

template <typename Pixel>
static Extent
extent_of (const WfShape *shape)
{
  const gint64 per_word = Order<Pixel>::per_word;

  return { shape->width, shape->height, shape->depth,
           (shape->width + per_word - 1) / per_word + 1 };
}

template <typename Pixel>
static gboolean
do_disc (WfCuda              *cuda,
         const WfCudaElement *task,
         GError             **error)
{
  const gint64        n       = wf_shape_n_pixels (&task->shape);
  const gint64        longest = longest_chord (task);
  const Pixels<Pixel> image   = { (Pixel *) task->image, n };
  Disc<Pixel>         disc;
  gint64              n_keys;

  disc.cuda     = cuda;
  disc.task     = task;
  disc.extent   = extent_of<Pixel> (&task->shape);
  disc.order    = { task->dilation ? 0xffffffffu : 0u };
  disc.chords.n = 0;
  disc.most     = (int) CLAMP (WORK * cuda->n_units / n, 1, CHORDS);
  disc.n_queued = 0;
  disc.first    = true;

  n_keys = disc.extent.pitch * task->shape.height * task->shape.depth;
  if (! disc.keys.allocate (cuda, n_keys, error) ||
      (longest >= 4 && ! disc.wider.allocate (cuda, n_keys, error)))
    return FALSE;
  lift<Pixel><<<wf_cuda_blocks (cuda, n_keys, 256), 256, 0, cuda->stream>>>
    (image, disc.extent, disc.order, disc.keys.data);
  WF_CUDA_CHECK_LAUNCH ();
  for (gint64 length = 1; length <= longest; length *= 4)
    if ((length > 1 && ! widen_keys (&disc, length / 4, error)) ||
        ! add_level (&disc, length, error))
      return FALSE;
  return TRUE;
}

}

using namespace morphology;

gboolean
wf_cuda_disc (WfCuda              *cuda,
              const WfCudaElement *task,
              GError             **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return do_disc<decltype (pixel)> (cuda, task, error);
    });
}

guint64
wf_cuda_disc_memory (const WfCudaElement *task)
{
  const Extent extent = wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return extent_of<decltype (pixel)> (&task->shape);
    });
  const guint64 bytes = extent.pitch * extent.height * extent.depth * sizeof (guint32);

  return longest_chord (task) >= 4 ? 2 * bytes : bytes;
}

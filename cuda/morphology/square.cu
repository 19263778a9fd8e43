/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by a square or cube on a GPU: axis after axis, each in one to four
 * passes, for any radius.
 *
 * A pass takes the least of k pixels of a line that are s apart.  A window of w pixels is one
 * pass if w ≤ MOST, along x if it has MOST words, with s = 1.  A longer one is made of k
 * shorter ones, each of w − (k − 1) s ≥ s pixels, whose least values the pass before has
 * computed.  Two passes suffice for windows of a few thousand pixels, four for millions.
 *
 * At the ends of a line no window is left out: one that would begin beyond them is replaced by
 * the window around the first pixel, or around the last.  That one reaches less far, so it adds
 * nothing that the window does not hold.
 *
 *   slide_lines   passes along y and z, and those along x with s > 1.  A thread goes
 *                 along a chain of pixels s apart; blocks of k of them have the least
 *                 values of their ends kept in shared memory, the least of the next
 *                 block's beginning is in a register, and a window is an end and a
 *                 beginning (van Herk 1992; Gil and Werman 1993): each pixel is read
 *                 once, with k − 1 more for each chain, and written once; 3 comparisons
 *                 a pixel.
 *   window_rows   the pass along x with s = 1: a part of a row in shared memory, where
 *                 the window is doubled until two of them cover k.  Each pixel is read
 *                 and written once; log₂ k comparisons a pixel, four, two or one of them
 *                 at a time.
 */

#include "element.cuh"
#include "words.cuh"
#include "cuda/core/dispatch.cuh"

namespace morphology
{

/* Pixels in a pass: four kilobytes of shared memory for each warp go with them. */
#define MOST 64

/* Four passes for each of three axes are as many as the largest radius needs. */
#define MAX_PASSES 12

#define SLIDE_THREADS 128

/* Lines that are read before the first of them is needed. */
#define AHEAD 8

#define ROW_THREADS 256
#define ROW_WORDS   1024

/* What a window takes beyond ROW_WORDS, for the largest pixels, and a word across. */
#define ROW_ROOM (ROW_WORDS + 2 * MOST + 2)

typedef enum
{
  ALONG_X,
  ALONG_Y,
  ALONG_Z
} Axis;

/* out[t] = the least of in[t − left + j s], j < k. */
typedef struct
{
  Axis   axis;
  gint64 k;
  gint64 s;
  gint64 left;
} Pass;

/* How threads find their chains.  Adjacent threads have adjacent cells: words of several
 * pixels across the axis, or single pixels along it.
 */
struct Chains
{
  gint64 n;           /* length of the axis */
  gint64 step;        /* cells between neighbours along it */
  gint64 n_lanes;
  gint64 n_segments;
  gint64 n_residues;
  gint64 n_across;
  gint64 most;        /* targets in a segment */
  bool   along_rows;  /* lanes are the residues */
  int    k;
  gint64 s;
  gint64 left;
};


/*  Kernels  */

template <typename Pixel, typename Cell>
__global__ void
__launch_bounds__ (SLIDE_THREADS, 8)
slide_lines (const Cell   *in,
             Chains        chains,
             Order<Pixel>  order,
             Cell         *out)
{
  extern __shared__ guint32 all_kept[];

  /* Slot i of a thread: all threads' slots i lie side by side. */
  guint32     *kept    = all_kept + threadIdx.x;
  const gint64 id      = (gint64) blockIdx.x * SLIDE_THREADS + threadIdx.x;
  const gint64 lane    = id % chains.n_lanes;
  const gint64 segment = id / chains.n_lanes % chains.n_segments;
  const gint64 rest    = id / chains.n_lanes / chains.n_segments;
  const gint64 residue = chains.along_rows ? lane : rest % chains.n_residues;
  const gint64 across  = rest / chains.n_residues;
  const gint64 first   = residue + segment * chains.most * chains.s;
  const gint64 last    = chains.n - 1;
  const int    k       = chains.k;

  if (across >= chains.n_across || first > last)
    return;

  const gint64  base   = chains.along_rows ? across * chains.n
                                           : across * chains.n * chains.step + lane;
  const Cell   *source = in + base;
  Cell         *target = out + base + first * chains.step;
  const gint64  count  = min (chains.most, (last - first) / chains.s + 1);
  const gint64  jump   = chains.s * chains.step;
  const gint64  start  = first - chains.left;

  auto line = [&] (gint64 i)
  {
    const gint64 t = min (max (start + i * chains.s, (gint64) 0), last);

    return order.key ((guint32) __ldg (source + t * chains.step));
  };

  /* The ends of the first block. */
  guint32 reached = ~0u;

#pragma unroll 8
  for (int i = k - 1; i >= 0; i--)
    {
      reached = order.least (reached, line (i));
      kept[i * SLIDE_THREADS] = reached;
    }

  for (gint64 block = 0; block < count; block += k)
    {
      const int m = (int) min ((gint64) k, count - block);

      target[block * jump] = (Cell) order.back (kept[0]);
      reached = ~0u;
      for (int i = 1; i < m; i += AHEAD)
        {
          guint32 keys[AHEAD];

#pragma unroll
          for (int a = 0; a < AHEAD; a++)
            if (i + a < m)
              keys[a] = line (block + k + i + a - 1);
#pragma unroll
          for (int a = 0; a < AHEAD; a++)
            if (i + a < m)
              {
                reached = order.least (reached, keys[a]);
                target[(block + i + a) * jump]
                  = (Cell) order.back (order.least (kept[(i + a) * SLIDE_THREADS], reached));
                kept[(i + a - 1) * SLIDE_THREADS] = keys[a];
              }
        }
      if (block + k >= count)
        break;

      reached = line (block + 2 * k - 1);
      kept[(k - 1) * SLIDE_THREADS] = reached;
      for (int i = k - 2; i >= 0; i--)
        {
          reached = order.least (reached, kept[i * SLIDE_THREADS]);
          kept[i * SLIDE_THREADS] = reached;
        }
    }
}

/* The word of pixels @ahead of the one that @words begins with. */
template <typename Pixel>
__device__ __forceinline__ guint32
word_ahead (const guint32 *words,
            int            ahead)
{
  constexpr int per_word = Order<Pixel>::per_word;

  words += ahead / per_word;
  if (per_word == 1)
    return words[0];
  return Order<Pixel>::across (words[0], words[1], ahead % per_word * Order<Pixel>::bits);
}

template <typename Pixel>
__global__ void
__launch_bounds__ (ROW_THREADS)
window_rows (Pixels<Pixel>  in,
             gint64         width,
             gint64         n_parts,
             gint64         parts_in_row,
             int            k,
             int            left,
             Order<Pixel>   order,
             Pixels<Pixel>  out)
{
  constexpr int        per_word = Order<Pixel>::per_word;
  __shared__ guint32   room[2][ROW_ROOM];

  for (gint64 part = blockIdx.x; part < n_parts; part += gridDim.x)
    {
      const gint64 row    = part / parts_in_row * width;
      const gint64 x0     = part % parts_in_row * (ROW_WORDS * per_word);
      const int    n_out  = (int) min ((gint64) ROW_WORDS, (width - x0 + per_word - 1) / per_word);
      const int    n_in   = n_out + (k - 1) / per_word + 1;
      guint32     *words  = room[0];
      guint32     *other  = room[1];
      int          length = 1;

      for (int i = threadIdx.x; i < n_in; i += ROW_THREADS)
        words[i] = order.key (in.load (row, width, x0 - left + (gint64) i * per_word));
      __syncthreads ();

      /* What lies behind the last word is not needed by any word of the result. */
      for (; 2 * length <= k; length *= 2)
        {
          guint32 *swap = words;

          for (int i = threadIdx.x; i < n_in; i += ROW_THREADS)
            other[i] = order.least (words[i], word_ahead<Pixel> (words + i, length));
          __syncthreads ();
          words = other;
          other = swap;
        }
      for (int i = threadIdx.x; i < n_out; i += ROW_THREADS)
        {
          const guint32 value = length == k ? words[i]
                                 : order.least (words[i],
                                                word_ahead<Pixel> (words + i, k - length));

          out.store (row, width, x0 + (gint64) i * per_word, order.back (value));
        }
      __syncthreads ();
    }
}


/*  Passes  */

static gint64
length_of (const WfShape *shape,
           Axis           axis)
{
  return axis == ALONG_X ? shape->width : axis == ALONG_Y ? shape->height : shape->depth;
}

/* The least k > 1 for which the shorter windows are one pass, or the greatest. */
static gint64
choose_k (gint64 window)
{
  for (gint64 k = 2; k < MOST; k++)
    if (window / k + window % k <= MOST)
      return k;
  return MOST;
}

/* Adds the passes for windows from @left pixels before to @right after; one of up to @most pixels
 * needs no other.
 */
static int
add_passes (Pass   *passes,
            int     n_passes,
            Axis    axis,
            gint64  left,
            gint64  right,
            gint64  most)
{
  const gint64 window = left + right + 1;

  if (window <= most)
    {
      passes[n_passes] = { axis, window, 1, left };
      return n_passes + 1;
    }

  const gint64 k    = choose_k (window);
  const gint64 s    = window / k;
  const gint64 span = (k - 1) * s;
  const gint64 back = span * left / (left + right);

  n_passes = add_passes (passes, n_passes, axis, left - back, right - (span - back), most);
  passes[n_passes] = { axis, k, s, back };
  return n_passes + 1;
}

/* Slices first, rows last.  Where there is nothing to do, one pass copies the image. */
static int
plan_passes (const WfCudaElement *task,
             Pass                *passes)
{
  static const Axis axes[]   = { ALONG_Z, ALONG_Y, ALONG_X };
  int               n_passes = 0;

  for (Axis axis : axes)
    {
      const gint64 radius = MIN (task->radius, length_of (&task->shape, axis) - 1);
      const gint64 most   = axis == ALONG_X ? MOST * 4 / (gint64) wf_type_size (task->type) : MOST;

      if (radius > 0)
        n_passes = add_passes (passes, n_passes, axis, radius, radius, most);
    }
  if (n_passes == 0)
    passes[n_passes++] = { ALONG_X, 1, 1, 0 };
  return n_passes;
}

/* Chains as short as fill the device, but not so short that most of what is read is
 * read for their beginning.
 */
static void
divide_chains (const WfCuda *cuda,
               gint64        n_cells,
               Chains       *chains)
{
  const gint64 longest = (chains->n + chains->s - 1) / chains->s;
  const gint64 threads = (gint64) cuda->n_units * cuda->threads_per_unit;

  chains->most       = CLAMP (n_cells / threads, MAX (chains->k, 16), MAX (8 * chains->k, 64));
  chains->most       = MIN (chains->most, longest);
  chains->n_segments = (longest + chains->most - 1) / chains->most;
}

template <typename Pixel, typename Cell>
static gboolean
slide (WfCuda         *cuda,
       const Chains   &chains,
       Order<Pixel>    order,
       gconstpointer   in,
       gpointer        out,
       GError        **error)
{
  const gint64 n_threads = chains.n_lanes * chains.n_segments * chains.n_residues
                           * chains.n_across;
  const gsize  shared    = chains.k * SLIDE_THREADS * sizeof (guint32);

  slide_lines<Pixel, Cell><<<(unsigned int) ((n_threads + SLIDE_THREADS - 1) / SLIDE_THREADS),
                             SLIDE_THREADS, shared, cuda->stream>>>
    ((const Cell *) in, chains, order, (Cell *) out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Along y and z by words, where lines begin at words. */
template <typename Pixel>
static gboolean
slide_across (WfCuda         *cuda,
              const WfShape  *shape,
              const Pass     *pass,
              Order<Pixel>    order,
              gconstpointer   in,
              gpointer        out,
              GError        **error)
{
  const bool   along_y = pass->axis == ALONG_Y;
  const gint64 line    = along_y ? shape->width : shape->width * shape->height;
  const bool   words   = line % Order<Pixel>::per_word == 0;
  Chains       chains  = {};

  chains.n          = length_of (shape, pass->axis);
  chains.n_lanes    = words ? line / Order<Pixel>::per_word : line;
  chains.step       = chains.n_lanes;
  chains.n_residues = MIN (pass->s, chains.n);
  chains.n_across   = along_y ? shape->depth : 1;
  chains.k          = (int) pass->k;
  chains.s          = pass->s;
  chains.left       = pass->left;
  divide_chains (cuda, chains.n_lanes * chains.n * chains.n_across, &chains);
  return words ? slide<Pixel, guint32> (cuda, chains, order, in, out, error)
               : slide<Pixel, Pixel> (cuda, chains, order, in, out, error);
}

template <typename Pixel>
static gboolean
slide_along (WfCuda         *cuda,
             const WfShape  *shape,
             const Pass     *pass,
             Order<Pixel>    order,
             gconstpointer   in,
             gpointer        out,
             GError        **error)
{
  Chains chains = {};

  chains.n          = shape->width;
  chains.step       = 1;
  chains.n_lanes    = MIN (pass->s, shape->width);
  chains.n_residues = 1;
  chains.n_across   = shape->height * shape->depth;
  chains.along_rows = true;
  chains.k          = (int) pass->k;
  chains.s          = pass->s;
  chains.left       = pass->left;
  divide_chains (cuda, wf_shape_n_pixels (shape), &chains);
  return slide<Pixel, Pixel> (cuda, chains, order, in, out, error);
}

template <typename Pixel>
static gboolean
window_all_rows (WfCuda         *cuda,
                 const WfShape  *shape,
                 const Pass     *pass,
                 Order<Pixel>    order,
                 gconstpointer   in,
                 gpointer        out,
                 GError        **error)
{
  const gint64        n            = wf_shape_n_pixels (shape);
  const gint64        part         = ROW_WORDS * Order<Pixel>::per_word;
  const gint64        parts_in_row = (shape->width + part - 1) / part;
  const gint64        n_parts      = parts_in_row * shape->height * shape->depth;
  const Pixels<Pixel> from         = { (Pixel *) in, n };
  const Pixels<Pixel> to           = { (Pixel *) out, n };

  window_rows<Pixel><<<(unsigned int) MIN (n_parts, G_MAXINT32), ROW_THREADS, 0, cuda->stream>>>
    (from, shape->width, n_parts, parts_in_row, (int) pass->k, (int) pass->left, order, to);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
do_pass (WfCuda              *cuda,
         const WfCudaElement *task,
         const Pass          *pass,
         gconstpointer        in,
         gpointer             out,
         GError             **error)
{
  const Order<Pixel> order = { task->dilation ? 0xffffffffu : 0u };

  return pass->axis != ALONG_X
         ? slide_across (cuda, &task->shape, pass, order, in, out, error)
         : pass->s > 1 ? slide_along (cuda, &task->shape, pass, order, in, out, error)
         : window_all_rows (cuda, &task->shape, pass, order, in, out, error);
}

}

using namespace morphology;

gboolean
wf_cuda_square (WfCuda              *cuda,
                const WfCudaElement *task,
                GError             **error)
{
  const gsize           bytes    = wf_shape_n_pixels (&task->shape) * wf_type_size (task->type);
  gconstpointer         in       = task->image;
  Pass                  passes[MAX_PASSES];
  const int             n_passes = plan_passes (task, passes);
  WfDeviceArray<guint8> between;

  if (n_passes > 1 && ! between.allocate (cuda, bytes, error))
    return FALSE;

  /* The last one writes the result. */
  for (int i = 0; i < n_passes; i++)
    {
      gpointer       out  = (n_passes - i) % 2 == 1 ? task->out : between.data;
      const gboolean done = wf_dispatch_keys (task->type, [&] (auto pixel)
        {
          return do_pass<decltype (pixel)> (cuda, task, &passes[i], in, out, error);
        });

      if (! done || ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
      in = out;
    }
  return TRUE;
}

guint64
wf_cuda_square_memory (const WfCudaElement *task)
{
  Pass passes[MAX_PASSES];

  return plan_passes (task, passes) > 1
         ? wf_shape_n_pixels (&task->shape) * wf_type_size (task->type) : 0;
}

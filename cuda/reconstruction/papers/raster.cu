/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `raster`: reconstruction by iterated directional scans (P. Karas, "Efficient
 * Computation of Morphological Greyscale Reconstruction", MEMICS 2010).
 *
 * A scan goes over the image in one direction and raises each pixel x to
 * min (mask, max (x, the largest of its neighbours in what was scanned before)).  A pass
 * scans down, up, right and left, in stacks also forward and back through the planes;
 * the image is done when a pass has changed nothing.  A scan across rows looks at the
 * one pixel above, or with 8 neighbours at three; one across planes at one pixel or
 * nine; one along a row at the pixel beside.
 *
 * Down and up: a warp takes a strip of 32 words and goes over its rows, pixels of the
 * row before in registers and those to the left and right from the lanes beside.  What
 * it sees beyond the strip may be older than what the warp there has already found, and
 * so may be the row above the warp's first one, since long columns (and rows, and depths)
 * are cut into bands for the sake of more warps.  That costs passes, never the result:
 * values only rise, and in a pass that changes nothing every pixel has been compared with
 * every neighbour.
 * Each word is written by one thread of a launch alone.
 *
 * Right and left: a warp takes a row, 16 bytes a lane at a time.  A row of the functions
 * x → min (a, max (b, x)) composes to such a function, so a lane folds its pixels to
 * one, a parallel prefix scan over the warp gives each lane the level that comes in, and
 * it goes over its pixels once more.
 *
 * Bytes moved in a pass over pixels of one byte: each of the two launches (three for
 * stacks) reads mask and marker for one direction, finds most of them in the second-level
 * cache for the other if they fit there, and writes only words that change: 4 to 8 bytes
 * a pixel, 6 to 12 in stacks.
 */

#include "raster.cuh"
#include "raster-scans.cuh"

/* What is cut for the sake of more warps: no band is shorter than this, in rows, planes
 * and pieces of 16 bytes; as many warps on a multiprocessor are aimed at.
 */
#define LEAST_ROWS     128
#define LEAST_PLANES   64
#define LEAST_PIECES   1024
#define WARPS_PER_UNIT 16


/*  Launches  */

/* How long the bands are that @n, for each of @n_lines, is cut into: enough of them for
 * the device, if @n is long enough.
 */
static gint64
band_length (const WfCuda *cuda,
             gint64        n,
             gint64        n_lines,
             gint64        least)
{
  const gint64 wanted = (gint64) cuda->n_units * WARPS_PER_UNIT;
  const gint64 bands  = MAX (1, wanted / n_lines);

  return MAX (least, (n + bands - 1) / bands);
}

static gint64
n_bands (gint64 n,
         gint64 length)
{
  return (n + length - 1) / length;
}

template <typename Pixel, bool DIAGONALS>
static gboolean
launch_pass (WfCuda                *cuda,
             const WfFramedImages  *images,
             gboolean               stack,
             guint32               *changed,
             GError               **error)
{
  const WfFrame   frame    = images->frame;
  const uint32_t *mask     = (const uint32_t *) images->mask.data;
  uint32_t       *marker   = (uint32_t *) images->marker.data;
  const gint64    n_strips = (frame.pitch * (gint64) sizeof (Pixel) + 127) / 128;
  const gint64    pieces   = frame.pitch * (gint64) sizeof (Pixel) / 16;
  const gint64    n_rows   = frame.height * frame.depth;
  const gint64    down     = band_length (cuda, frame.height, n_strips * frame.depth, LEAST_ROWS);
  const gint64    along    = band_length (cuda, pieces, n_rows, LEAST_PIECES);
  const gint64    through  = band_length (cuda, frame.depth, n_strips * frame.height, LEAST_PLANES);
  unsigned int    blocks;

  blocks = wf_cuda_blocks (cuda, n_strips * n_bands (frame.height, down) * frame.depth * 32,
                           THREADS);
  scan_columns<Pixel, DIAGONALS><<<blocks, THREADS, 0, cuda->stream>>> (frame, mask, marker, down,
                                                                        changed);
  WF_CUDA_CHECK_LAUNCH ();
  blocks = wf_cuda_blocks (cuda, n_rows * n_bands (pieces, along) * 32, THREADS);
  scan_rows<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (frame, mask, marker, along, changed);
  WF_CUDA_CHECK_LAUNCH ();
  if (! stack)
    return TRUE;

  blocks = wf_cuda_blocks (cuda, n_strips * frame.height * n_bands (frame.depth, through) * 32,
                           THREADS);
  scan_planes<Pixel, DIAGONALS><<<blocks, THREADS, 0, cuda->stream>>> (frame, mask, marker, through,
                                                                       changed);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
pass_of (WfCuda                *cuda,
         const WfFramedImages  *images,
         int                    connectivity,
         guint32               *changed,
         GError               **error)
{
  const gboolean stack = wf_is_stack_connectivity (connectivity);

  if (connectivity == 4 || connectivity == 6)
    return launch_pass<Pixel, false> (cuda, images, stack, changed, error);
  return launch_pass<Pixel, true> (cuda, images, stack, changed, error);
}

gboolean
wf_cuda_raster_pass (WfCuda                *cuda,
                     const WfFramedImages  *images,
                     WfType                 type,
                     int                    connectivity,
                     guint32               *changed,
                     GError               **error)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return pass_of<uint8_t> (cuda, images, connectivity, changed, error);
    case WF_TYPE_U16:
      return pass_of<uint16_t> (cuda, images, connectivity, changed, error);
    default:
      return pass_of<uint32_t> (cuda, images, connectivity, changed, error);
    }
}

gboolean
wf_cuda_reconstruct_raster (WfCuda                      *cuda,
                            const WfCudaReconstruction  *task,
                            GError                     **error)
{
  WfFramedImages         images;
  WfDeviceArray<guint32> changed;
  guint32                again;

  if (! changed.allocate (cuda, 1, error) ||
      ! wf_framed_open (cuda, &images, task, error))
    return FALSE;

  do
    {
      WF_CUDA_CHECK (cudaMemsetAsync (changed.data, 0, sizeof again, cuda->stream));
      if (! wf_cuda_raster_pass (cuda, &images, task->type, task->connectivity, changed.data,
                                 error) ||
          ! wf_cuda_read (cuda, &again, changed.data, sizeof again, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  while (again);
  return wf_framed_finish (cuda, &images, task, error);
}

guint64
wf_cuda_reconstruct_raster_memory (const WfCuda  *cuda,
                                   const WfShape *shape,
                                   WfType         type,
                                   int            connectivity)
{
  return wf_framed_memory (shape, type, connectivity) + sizeof (guint32);
}

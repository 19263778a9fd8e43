/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `raster`: reconstruction by iterated directional scans (P. Karas, "Efficient
 * Computation of Morphological Greyscale Reconstruction", MEMICS 2010).
 *
 * A scan goes over the image in one direction and raises each pixel x to
 * min (mask, max (x, the largest of its neighbours in the row or plane before)).  A pass
 * scans down, up, right and left, in stacks also forward and back through the planes.  The
 * result is reached when a pass changes nothing.  A scan across rows reads one pixel of the
 * row before, or three with 8 neighbours; a scan across planes reads one or nine; a scan along
 * a row reads the pixel beside.
 *
 * Down and up: a warp has a strip of 32 words and goes over its rows.  Pixels of the row
 * before are in registers, those to the left and right come from the lanes beside.  Long
 * columns, rows and depths are cut into bands to occupy more warps.  Pixels beyond the strip
 * and above the band may be stale.  That costs passes, but does not change the result: values
 * only rise, and a pass that changes nothing has compared every pixel with every neighbour.
 * One thread of a launch writes a word.
 *
 * Right and left: a warp has a row, 16 bytes a lane at a time.  A sequence of functions
 * x → min (a, max (b, x)) composes to such a function.  So a lane composes its pixels' into
 * one, a parallel prefix scan over the warp gives each lane the level before its pixels, and
 * the lane goes over its pixels once more.
 *
 * Bytes of a pass over pixels of one byte: each of the two launches (three for stacks) reads
 * mask and marker for one direction, finds most of them in the second-level cache for the
 * other if they fit there, and writes only words that change: 4 to 8 bytes a pixel, 6 to 12
 * in stacks.
 */

#include "cuda/core/dispatch.cuh"
#include "raster.cuh"
#include "raster-scans.inc.cuh"

namespace raster
{

/* The shortest bands, in rows, planes and pieces of 16 bytes, and the warps wanted for a
 * multiprocessor.
 */
constexpr gint64 LEAST_ROWS     = 128;
constexpr gint64 LEAST_PLANES   = 64;
constexpr gint64 LEAST_PIECES   = 1024;
constexpr gint64 WARPS_PER_UNIT = 16;


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
             const WfPaddedImages  *images,
             gboolean               stack,
             guint32               *changed,
             GError               **error)
{
  const WfPadding  padding  = images->padding;
  const guint32   *mask     = (const guint32 *) images->mask.data;
  guint32         *marker   = (guint32 *) images->marker.data;
  const gint64     n_strips = (padding.pitch * (gint64) sizeof (Pixel) + 127) / 128;
  const gint64     pieces   = padding.pitch * (gint64) sizeof (Pixel) / 16;
  const gint64     n_rows   = padding.height * padding.depth;
  const gint64     down     = band_length (cuda, padding.height, n_strips * padding.depth,
                                           LEAST_ROWS);
  const gint64     along    = band_length (cuda, pieces, n_rows, LEAST_PIECES);
  const gint64     through  = band_length (cuda, padding.depth, n_strips * padding.height,
                                           LEAST_PLANES);
  unsigned int     blocks;

  blocks = wf_cuda_blocks (cuda, n_strips * n_bands (padding.height, down) * padding.depth * 32,
                           THREADS);
  scan_columns<Pixel, DIAGONALS><<<blocks, THREADS, 0, cuda->stream>>> (padding, mask, marker, down,
                                                                        changed);
  WF_CUDA_CHECK_LAUNCH ();
  blocks = wf_cuda_blocks (cuda, n_rows * n_bands (pieces, along) * 32, THREADS);
  scan_rows<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (padding, mask, marker, along, changed);
  WF_CUDA_CHECK_LAUNCH ();
  if (! stack)
    return TRUE;

  blocks = wf_cuda_blocks (cuda, n_strips * padding.height * n_bands (padding.depth, through) * 32,
                           THREADS);
  scan_planes<Pixel, DIAGONALS><<<blocks, THREADS, 0, cuda->stream>>>
    (padding, mask, marker, through, changed);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
pass_of (WfCuda                *cuda,
         const WfPaddedImages  *images,
         int                    connectivity,
         guint32               *changed,
         GError               **error)
{
  const gboolean stack = connectivity == 6 || connectivity == 26;

  if (connectivity == 4 || connectivity == 6)
    return launch_pass<Pixel, false> (cuda, images, stack, changed, error);
  return launch_pass<Pixel, true> (cuda, images, stack, changed, error);
}

} /* namespace raster */

gboolean
wf_cuda_raster_pass (WfCuda                *cuda,
                     const WfPaddedImages  *images,
                     WfType                 type,
                     int                    connectivity,
                     guint32               *changed,
                     GError               **error)
{
  return wf_dispatch_keys (type, [&] (auto pixel)
    {
      return raster::pass_of<decltype (pixel)> (cuda, images, connectivity, changed, error);
    });
}

gboolean
wf_cuda_reconstruct_raster (WfCuda                      *cuda,
                            const WfCudaReconstruction  *task,
                            GError                     **error)
{
  WfPaddedImages         images;
  WfDeviceArray<guint32> changed;
  guint32                again;

  if (! changed.allocate (cuda, 1, error) ||
      ! wf_padded_open (cuda, &images, task, error))
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
  return wf_padded_finish (cuda, &images, task, error);
}

guint64
wf_cuda_reconstruct_raster_memory (const WfCuda  *cuda,
                                   const WfShape *shape,
                                   WfType         type,
                                   int            connectivity)
{
  return wf_padded_memory (shape, type, connectivity) + sizeof (guint32);
}

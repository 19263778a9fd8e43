/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A reconstruction's images as keys in a frame of zeros, for the algorithms that go
 * from pixel to pixel.
 *
 * Mask and marker are copied as keys (cuda/core/ordered-key.cuh) into arrays whose rows
 * begin at multiples of 16 bytes and end in at least one pixel that is 0; a row of
 * zeros follows each plane, and rows of zeros (in a stack, planes) lie before the first
 * and after the last one.  A mask of 0 cannot be raised and a marker of 0 raises
 * nothing, so that every neighbour of a pixel is a constant number of pixels away and
 * no kernel asks where the image ends.  A word of 32 bits holds the keys of four
 * pixels, or of two, or of one.
 */

#pragma once

#include "cuda/core/ordered-key.cuh"
#include "cuda/reconstruction/reconstruction.cuh"

/**
 * WfFrame:
 * @pitch: pixels from a row to the next one
 * @plane: pixels from a plane to the next one
 * @origin: index of the first pixel
 * @n: pixels, with the frame; whole rows
 */
typedef struct
{
  gint64 width;
  gint64 height;
  gint64 depth;
  gint64 pitch;
  gint64 plane;
  gint64 origin;
  gint64 n;
} WfFrame;

/* On the device; of the frame's size, and of the task's type as keys. */
struct WfFramedImages
{
  WfFrame               frame;
  WfDeviceArray<guint8> mask;
  WfDeviceArray<guint8> marker;
};

WfFrame  wf_frame             (const WfShape               *shape,
                               WfType                       type,
                               int                          connectivity);

/* Fills them: the marker is clamped by the mask. */
gboolean wf_framed_open       (WfCuda                      *cuda,
                               WfFramedImages              *images,
                               const WfCudaReconstruction  *task,
                               GError                     **error);

/* Writes the marker to task->out. */
gboolean wf_framed_finish     (WfCuda                      *cuda,
                               const WfFramedImages        *images,
                               const WfCudaReconstruction  *task,
                               GError                     **error);

/* Bytes of the two arrays. */
guint64  wf_framed_memory     (const WfShape               *shape,
                               WfType                       type,
                               int                          connectivity);

/* Fills @offsets with the distances to a pixel's neighbours in the frame; there are
 * @connectivity of them.
 */
void     wf_frame_get_offsets (const WfFrame               *frame,
                               int                          connectivity,
                               gint64                      *offsets);


/*  On the device  */

/* The row @row, counted with the frame: its pixels in the packed image, or -1 for a row
 * of the frame itself.
 */
static __device__ __forceinline__ gint64
wf_frame_packed_row (const WfFrame &frame,
                     gint64         row)
{
  const gint64 rows   = frame.height + 1;
  const gint64 inside = row - frame.origin / frame.pitch;
  const gint64 z      = inside / rows;
  const gint64 y      = inside - z * rows;

  return inside >= 0 && y < frame.height && z < frame.depth
         ? (z * frame.height + y) * frame.width : -1;
}

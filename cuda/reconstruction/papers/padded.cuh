/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A reconstruction's images as keys, padded with zeros, for the algorithms that go from
 * pixel to pixel.
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
 * WfPadding:
 * @pitch: pixels from a row to the next one
 * @plane: pixels from a plane to the next one
 * @origin: index of the first pixel
 * @n: pixels, with the padding; whole rows
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
} WfPadding;

/* On the device; keys of the task's type. */
struct WfPaddedImages
{
  WfPadding             padding;
  WfDeviceArray<guint8> mask;
  WfDeviceArray<guint8> marker;
};

WfPadding  wf_padding             (const WfShape               *shape,
                                   WfType                       type,
                                   int                          connectivity);

/* Fills them: the marker is clamped by the mask. */
gboolean wf_padded_open       (WfCuda                      *cuda,
                               WfPaddedImages              *images,
                               const WfCudaReconstruction  *task,
                               GError                     **error);

/* Writes the marker to task->out. */
gboolean wf_padded_finish     (WfCuda                      *cuda,
                               const WfPaddedImages        *images,
                               const WfCudaReconstruction  *task,
                               GError                     **error);

/* Bytes of the two arrays. */
guint64  wf_padded_memory     (const WfShape               *shape,
                               WfType                       type,
                               int                          connectivity);

/* Fills @offsets with the distances to a pixel's @connectivity neighbours. */
void     wf_padding_get_offsets (const WfPadding               *padding,
                                 int                          connectivity,
                                 gint64                      *offsets);


/*  On the device  */

/* Where the pixels of row @row, counted with the padding, are in the packed image, or -1 for
 * a row of padding.
 */
static __device__ __forceinline__ gint64
wf_padding_packed_row (const WfPadding &padding,
                       gint64           row)
{
  const gint64 rows   = padding.height + 1;
  const gint64 inside = row - padding.origin / padding.pitch;
  const gint64 z      = inside / rows;
  const gint64 y      = inside - z * rows;

  return inside >= 0 && y < padding.height && z < padding.depth
         ? (z * padding.height + y) * padding.width : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The common part of the algorithms that reconstruct in packed images, and declarations for
 * their bodies, which are written once for all types of pixel.
 */

#pragma once

#include <math.h>

#include "engine/cpu/ordered-key.h"
#include "reconstruction.h"

/**
 * WfPacked:
 * @mask: packed pixels of the task's type
 * @marker: the same, not clamped by the mask
 * @result: the same; when the algorithm starts, the clamped marker
 */
typedef struct
{
  const WfReconstructTask *task;
  gconstpointer            mask;
  gconstpointer            marker;
  gpointer                 result;
} WfPacked;

/* Raises (lowers) the result to the reconstruction. */
typedef gboolean (* WfGrowFunc) (const WfPacked  *packed,
                                 WfRun           *run,
                                 GError         **error);

/**
 * WfGrowTable:
 * @n_passes: how many times @grow counts each pixel as progress
 * @grow: the functions that types.inc.h makes from a body: for u8, u16 and f32, by dilation
 *   and by erosion
 */
typedef struct
{
  int        n_passes;
  WfGrowFunc grow[3][2];
} WfGrowTable;

#define WF_GROW_TABLE(name, n_passes) \
  { n_passes, { { name##_dilate_u8, name##_erode_u8 }, \
      { name##_dilate_u16, name##_erode_u16 }, \
      { name##_dilate_f32, name##_erode_f32 } } }

gboolean wf_reconstruct_packed        (const WfReconstructTask  *task,
                                       const WfGrowTable        *table,
                                       WfRun                    *run,
                                       double                    share,
                                       GError                  **error);
guint64  wf_reconstruct_packed_memory (const WfReconstructTask  *task);

/**
 * WfLines:
 * @n: number of rows, without the pixel's own, that hold neighbors of a pixel
 * @dy, @dz: these rows, those before the pixel's own first
 * @wide: whether each of them holds three neighbors, not one
 *
 * A neighborhood as a list of rows.
 */
typedef struct
{
  int      n;
  int      dy[8];
  int      dz[8];
  gboolean wide;
} WfLines;

static inline WfLines
wf_lines (int connectivity)
{
  const int deep  = wf_is_stack_connectivity (connectivity);
  WfLines   lines = { .wide = connectivity == 8 || connectivity == 26 };

  for (int dz = -deep; dz <= deep; dz++)
    for (int dy = -1; dy <= 1; dy++)
      if ((dy != 0 || dz != 0) && (lines.wide || dy == 0 || dz == 0))
        {
          lines.dy[lines.n] = dy;
          lines.dz[lines.n] = dz;
          lines.n++;
        }
  return lines;
}

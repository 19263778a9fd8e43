/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `tiled`: in each tile a raster scan and an anti-raster
 * scan carry most values to where they belong; the pixels of the tile that could still
 * raise another are queued, and the queue does the rest, each pixel entering it when
 * it has changed (Vincent 1993, 4.4).  Tiles that can be raised by a neighbour are
 * visited again, in the pipeline (Teodoro et al. 2013, "tile-based").
 *
 * It works on any image and any stack.  Time: about two visits of a tile; a scan a few
 * operations a pixel and neighbour, the queue some tens for each pixel that enters it.
 */

#include "config.h"

#include "packed.h"

#define WF_BODY "engine/reconstruction/cpu/tiled.inc.h"
#include "types.inc.h"


gboolean
wf_reconstruct_tiled (const WfReconstructTask  *task,
                      WfRun                    *run,
                      double                    share,
                      GError                  **error)
{
  static const WfGrowTable table = WF_GROW_TABLE (grow_tiled, 2);

  return wf_reconstruct_packed (task, &table, run, share, error);
}

guint64
wf_reconstruct_tiled_memory (const WfReconstructTask *task)
{
  return wf_reconstruct_packed_memory (task) + wf_pipeline_memory (&task->shape, 0);
}

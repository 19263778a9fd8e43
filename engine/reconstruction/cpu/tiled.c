/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `tiled`: in each tile a raster scan and an anti-raster
 * scan propagate most levels; the pixels that can still raise another are queued, and each
 * pixel that is raised is queued in turn (Vincent 1993, 4.4).  The pipeline visits tiles
 * again that a neighbour can raise (Teodoro et al. 2013, "tile-based").
 *
 * It supports all images and stacks.  Time: about two visits of each tile; a scan takes a
 * few operations for each pixel and neighbour, the queue some tens for each queued pixel.
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
wf_reconstruct_tiled_memory (const WfReconstructTask *task,
                             guint                    n_threads)
{
  return wf_reconstruct_packed_memory (task) + wf_pipeline_memory (&task->shape, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU as Vincent 1993 and, after him, Teodoro et al. 2013 state
 * it, in one thread:
 *
 *   `sequential` (SR; 4.2): raster and anti-raster scans in turn, until one changes
 *      nothing.  A winding corridor takes a scan for each of its turns.
 *   `queue` (QB; 4.3): starts from the regional maxima of the marker, from which all its
 *      other levels are reached; they are found by flooding the plateaux that have a
 *      higher neighbour.  The border pixels of the maxima are queued, then each pixel
 *      that is raised.
 *   `hybrid` (FH; 4.4): a raster scan and an anti-raster scan, then the queue, which
 *      starts with the pixels that can still raise one that the second scan has passed.
 *
 * They are there for comparison; `sweeps` and `tiled` are many times faster.
 *
 * Vincent, Morphological grayscale reconstruction in image analysis: applications and
 * efficient algorithms, IEEE Transactions on Image Processing 2 (1993), 176–201.
 */

#include "config.h"

#include "engine/reconstruction/cpu/packed.h"

#define WF_BODY "engine/reconstruction/cpu/papers/sequential-queue-hybrid.inc.h"
#include "engine/reconstruction/cpu/types.inc.h"


/* Sets the number of threads to 1, which the report shows. */
static gboolean
run_alone (const WfReconstructTask  *task,
           const WfGrowTable        *table,
           WfRun                    *run,
           double                    share,
           GError                  **error)
{
  run->n_threads = 1;
  return wf_reconstruct_packed (task, table, run, share, error);
}

gboolean
wf_reconstruct_sequential (const WfReconstructTask  *task,
                           WfRun                    *run,
                           double                    share,
                           GError                  **error)
{
  static const WfGrowTable table = WF_GROW_TABLE (grow_sequential, 2);

  return run_alone (task, &table, run, share, error);
}

gboolean
wf_reconstruct_queue (const WfReconstructTask  *task,
                      WfRun                    *run,
                      double                    share,
                      GError                  **error)
{
  static const WfGrowTable table = WF_GROW_TABLE (grow_queue, 2);

  return run_alone (task, &table, run, share, error);
}

gboolean
wf_reconstruct_hybrid (const WfReconstructTask  *task,
                       WfRun                    *run,
                       double                    share,
                       GError                  **error)
{
  static const WfGrowTable table = WF_GROW_TABLE (grow_hybrid, 2);

  return run_alone (task, &table, run, share, error);
}

guint64
wf_reconstruct_sequential_memory (const WfReconstructTask *task,
                                  guint                    n_threads)
{
  return wf_reconstruct_packed_memory (task);
}

guint64
wf_reconstruct_queue_memory (const WfReconstructTask *task,
                             guint                    n_threads)
{
  return wf_reconstruct_packed_memory (task);
}

guint64
wf_reconstruct_hybrid_memory (const WfReconstructTask *task,
                              guint                    n_threads)
{
  return wf_reconstruct_packed_memory (task);
}

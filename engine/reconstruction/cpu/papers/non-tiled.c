/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `non-tiled`: all threads in one whole image, the variant for
 * multi-core processors of Teodoro et al. 2013; for comparison with `tiled`.
 *
 * The image is scanned in bands, one for each thread, forwards and backwards, each
 * separately.  Then the pixels that can still raise a neighbour, in the band or outside it,
 * are queued, in one queue for each thread, and each thread empties its own.  Pixels are
 * raised by compare-and-swap, so that no thread lowers what another has raised.  A thread
 * whose queue is empty takes pixels that others share (shared-fifo.h).
 *
 * The result is the fixpoint.  Levels only rise.  The thread that raises a pixel queues it;
 * when the pixel leaves the queue, its level is read again and compared with every
 * neighbour.  So a visit follows the last rise of each pixel, and when all queues are empty
 * no pixel can raise another.
 */

#include "config.h"

#include "engine/reconstruction/cpu/packed.h"
#include "engine/propagation/shared-fifo.h"

/* Pixels between two checks for sharing and cancelling. */
#define STINT 1024

#define WF_BODY "engine/reconstruction/cpu/papers/non-tiled.inc.h"
#include "engine/reconstruction/cpu/types.inc.h"


gboolean
wf_reconstruct_non_tiled (const WfReconstructTask  *task,
                          WfRun                    *run,
                          double                    share,
                          GError                  **error)
{
  static const WfGrowTable table = WF_GROW_TABLE (grow_non_tiled, 3);

  return wf_reconstruct_packed (task, &table, run, share, error);
}

guint64
wf_reconstruct_non_tiled_memory (const WfReconstructTask *task,
                                 guint                    n_threads)
{
  return wf_reconstruct_packed_memory (task);
}

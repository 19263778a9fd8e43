/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `non-tiled`: all threads in one whole image, as Teodoro
 * et al. 2013 let the cores of a processor work, to be compared with `tiled`.
 *
 * The image is scanned in bands, one for each thread, forwards and backwards, each by
 * itself.  Then the pixels that can still raise a neighbour, in the band or beyond it,
 * are queued, a queue for each thread, and each thread empties its own: pixels are
 * raised by compare-and-swap, so that no thread undoes what another has done.  A
 * thread whose queue is empty takes pixels that another has given away.
 *
 * Why the end is right.  Levels only rise.  Whoever raises a pixel queues it; when the
 * pixel leaves the queue, its level is read anew, and every neighbour is compared with
 * that.  So after the last rise of a pixel there is a visit that saw it, and when all
 * queues are empty no pixel can raise another.
 */

#include "config.h"

#include "engine/reconstruction/cpu/packed.h"
#include "engine/propagation/shared-fifo.h"

/* Pixels that a worker visits between two looks at what the others do. */
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
wf_reconstruct_non_tiled_memory (const WfReconstructTask *task)
{
  return wf_reconstruct_packed_memory (task);
}

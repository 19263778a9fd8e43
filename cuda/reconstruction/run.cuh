/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parts of reconstruction on the device. */

#pragma once

#include "cuda/core/dispatch.cuh"
#include "worklist.cuh"
#include "reconstruction.cuh"

/**
 * WfCudaWorkspace:
 *
 * A worklist in device memory, and two arrays of a given number of bytes: @borders of zeros, and
 * @mask_borders of ones.  @runs_away: in tests, always.  @is_sampled: in tests, with
 * samples of a runaway.  @n_admitted: tiles, if they are admitted part by part; 0 before the first
 * part.
 */
struct WfCudaWorkspace
{
  WfDeviceArray<guint8>  memory;
  WfWorklist             list;
  guint8                *borders;
  guint8                *mask_borders;
  bool                   runs_away;
  bool                   is_sampled;
  guint32                n_admitted;
};

/**
 * WfCudaSettled:
 * @memory: of the workspace, or %NULL: there is none
 * @tracks: rows
 *
 * The workspace of an image whose tiles have settled.  Where a rim of the image rises, they go on
 * from there.
 */
struct WfCudaSettled
{
  guint8     *memory;
  WfWorklist  list;
  guint8     *borders;
  guint8     *mask_borders;
  bool        runs_away;
};

guint64  wf_cuda_workspace_size (guint64                      n_tiles,
                                 guint64                      n_borders);
gboolean wf_cuda_workspace_open (WfCuda                      *cuda,
                                 WfCudaWorkspace             *space,
                                 guint64                      n_tiles,
                                 guint64                      n_across,
                                 guint64                      n_borders,
                                 gboolean                     to_the_end,
                                 GError                     **error);

/* After a launch: @end says why it ended.  If it ran out of time the worklist is ready
 * for the next one.
 */
gboolean wf_cuda_workspace_next (WfCuda                      *cuda,
                                 WfCudaWorkspace             *space,
                                 guint32                     *end,
                                 GError                     **error);

/* Admits the first @n_tiles tiles; the next launch visits those of them that are dirty.  In the
 * end all tiles must be admitted.
 */
gboolean wf_cuda_workspace_admit (WfCuda                     *cuda,
                                  WfCudaWorkspace            *space,
                                  guint32                     n_tiles,
                                  GError                    **error);

/* Moves the workspace, whose work is done, to @settled. */
void     wf_cuda_workspace_settle (WfCudaWorkspace      *space,
                                   WfCudaSettled        *settled);

/* Lends @space the memory of @settled, with an empty queue, into which kernels put what they
 * disturb before wf_cuda_workspace_begin(); then launches visit that.
 */
gboolean wf_cuda_workspace_resume (WfCuda               *cuda,
                                   WfCudaWorkspace      *space,
                                   const WfCudaSettled  *settled,
                                   GError              **error);
gboolean wf_cuda_workspace_begin  (WfCuda               *cuda,
                                   WfCudaWorkspace      *space,
                                   GError              **error);

/**
 * WfCudaLeft:
 * @WF_CUDA_LEFT_NOTHING: the result is there
 * @WF_CUDA_LEFT_SOME: the run was a runaway; the output lies between marker and result everywhere
 * @WF_CUDA_LEFT_ALL: it would have been one; the output was not written
 *
 * What tiles have left to another way.
 */
typedef enum
{
  WF_CUDA_LEFT_NOTHING,
  WF_CUDA_LEFT_SOME,
  WF_CUDA_LEFT_ALL
} WfCudaLeft;

/* With @to_the_end nothing is left; %WF_CUDA_LEFT_ALL is of u8 alone. */
gboolean wf_cuda_reconstruct_image   (WfCuda                      *cuda,
                                      const WfCudaReconstruction  *task,
                                      gboolean                     to_the_end,
                                      WfCudaLeft                  *left,
                                      GError                     **error);
gboolean wf_cuda_reconstruct_stack   (WfCuda                      *cuda,
                                      const WfCudaReconstruction  *task,
                                      gboolean                     to_the_end,
                                      WfCudaLeft                  *left,
                                      GError                     **error);

/* Goes on with an image whose tiles have settled: @task->out is raised to @rims, packed pixels of
 * the first and of the last row on the device, each of which may be %NULL, and to what follows from
 * that.  @rows: result: the first row that may have changed, and the row after the last.
 * @left: if anything is left, the tiles have not settled, and all rows may have changed.
 */
gboolean wf_cuda_reconstruct_image_rims (WfCuda                      *cuda,
                                         const WfCudaReconstruction  *task,
                                         const gpointer               rims[2],
                                         gint64                       rows[2],
                                         WfCudaLeft                  *left,
                                         GError                     **error);

/* By bit planes, from the marker, which is in @task->out if pixels are of more bytes than one;
 * whether there are few enough of them.
 */
gboolean wf_cuda_bitplanes_support          (const WfShape               *shape,
                                             int                          connectivity);
gboolean wf_cuda_reconstruct_bitplanes  (WfCuda                      *cuda,
                                         const WfCudaReconstruction  *task,
                                         GError                     **error);

/* Over the graph of basins, on images; see basins/basins.inc.cuh. */
gboolean wf_cuda_basins_support             (const WfShape               *shape,
                                             WfType                       type,
                                             int                          connectivity);
gboolean wf_cuda_reconstruct_basins         (WfCuda                      *cuda,
                                             const WfCudaReconstruction  *task,
                                             GError                     **error);
guint64  wf_cuda_reconstruct_basins_memory  (const WfShape               *shape,
                                             WfType                       type,
                                             int                          connectivity);

guint64  wf_cuda_reconstruct_image_memory (const WfShape *shape,
                                           WfType         type);
guint64  wf_cuda_reconstruct_stack_memory (const WfShape *shape,
                                           WfType         type);

/* How many blocks of @n_threads of @kernel, which visits tiles, fit the device at once: at
 * most @most for each multiprocessor.
 */
template <typename Kernel>
static gboolean
wf_cuda_visit_blocks (WfCuda   *cuda,
                      Kernel    kernel,
                      int       n_threads,
                      int       most,
                      guint32  *n_blocks,
                      GError  **error)
{
  int blocks;

  WF_CUDA_CHECK (cudaFuncSetAttribute (kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  WF_CUDA_CHECK (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, kernel, n_threads, 0));
  *n_blocks = CLAMP (blocks, 1, most) * cuda->n_units;
  return TRUE;
}

/* @launch (error) launches visits with the worklist as it is, again and again until there is
 * nothing left to be visited, or the run counts as a runaway.
 */
template <typename Launch>
static gboolean
wf_cuda_visit_all (WfCuda           *cuda,
                   WfCudaWorkspace  *space,
                   Launch            launch,
                   WfCudaLeft       *left,
                   GError          **error)
{
  guint32 end = WF_WORK_OUT_OF_TIME;

  while (end == WF_WORK_OUT_OF_TIME)
    if (! launch (error) || ! wf_cuda_workspace_next (cuda, space, &end, error))
      return FALSE;
  *left = end == WF_WORK_DONE ? WF_CUDA_LEFT_NOTHING
          : end == WF_WORK_NOT_BEGUN ? WF_CUDA_LEFT_ALL : WF_CUDA_LEFT_SOME;
  return TRUE;
}

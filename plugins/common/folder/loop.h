/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outcome.h"
#include "plan.h"

G_BEGIN_DECLS

/**
 * WfFolderScratch:
 * @files: where results are written first; %NULL for those that are not made
 *
 * The places for the results of one image.
 */
typedef struct
{
  GFile *files[WF_FOLDER_N_FILES];
} WfFolderScratch;

/**
 * WfFolderLoop:
 * @process: makes the results of one image, each at its place in @scratch; sets @n_objects if it
 *   counts objects
 * @begun: (nullable): the image @index is begun
 * @ended: (nullable): an image has ended
 * @data: for these
 * @cancellable: ends the loop
 *
 * What is done with each image.
 */
typedef struct
{
  gboolean    (* process) (const WfFolderItem     *item,
                           const WfFolderScratch  *scratch,
                           gint64                 *n_objects,
                           gpointer                data,
                           GError                **error);
  void        (* begun)   (guint                   index,
                           gpointer                data);
  void        (* ended)   (const WfFolderOutcome  *outcome,
                           gpointer                data);
  gpointer       data;
  GCancellable  *cancellable;
} WfFolderLoop;

gboolean wf_folder_loop_run       (const WfFolderPlan  *plan,
                                   const WfFolderLoop  *loop,
                                   GPtrArray           *outcomes,
                                   GError             **error);
double   wf_folder_find_time_left (double               elapsed,
                                   double               done,
                                   double               all);

G_END_DECLS

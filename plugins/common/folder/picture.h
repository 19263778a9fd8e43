/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "loop.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfFolderPictures:
 * @run: the run whose dialog is open
 * @config: the settings, without those that belong to the image of the dialog
 * @output: the folder of the results
 * @format: of files with layers
 * @layers_only: whether these have the new layers only, without the image
 * @progress: gets the progress of the image, from 0 to 1
 * @data: for @progress
 * @cancellable: ends an image
 *
 * How images are processed.
 */
typedef struct
{
  WfJob               *run;
  GimpProcedureConfig *config;
  GFile               *output;
  WfFolderFormat       format;
  gboolean             layers_only;
  void              (* progress) (double   fraction,
                                  gpointer data);
  gpointer             data;
  GCancellable        *cancellable;
} WfFolderPictures;

GimpProcedureConfig * wf_folder_copy_config    (WfJob                   *run);
gboolean              wf_folder_picture_process (const WfFolderPictures  *pictures,
                                                const WfFolderItem      *item,
                                                const WfFolderScratch   *scratch,
                                                gint64                  *n_objects,
                                                GError                 **error);

G_END_DECLS

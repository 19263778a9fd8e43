/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plan.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfFolderSettings:
 * @input: the folder of the images
 * @types: patterns of their names
 * @output: the folder of the results
 * @name: of a result, with {name}
 * @format: of files with layers, a #WfFolderFormat
 * @layers_only: whether these have the new layers only
 * @existing: what becomes of files that exist, a #WfFolderExisting
 * @table: whether each image gets a table of its objects
 * @outlines: whether each image gets their outlines
 * @joined: whether there is a table of all objects
 *
 * What the user chooses for a folder, beside the settings of the procedure.
 */
typedef struct
{
  char     *input;
  char     *types;
  char     *output;
  char     *name;
  int       format;
  gboolean  layers_only;
  int       existing;
  gboolean  table;
  gboolean  outlines;
  gboolean  joined;
} WfFolderSettings;

void      wf_folder_settings_init     (WfFolderSettings        *settings,
                                       WfJob                   *run);
void      wf_folder_settings_keep     (const WfFolderSettings  *settings,
                                       WfJob                   *run);
void      wf_folder_settings_clear    (WfFolderSettings        *settings);
gboolean  wf_folder_settings_get_task (const WfFolderSettings  *settings,
                                       WfJob                   *run,
                                       WfFolderTask            *task,
                                       GError                 **error);
gboolean  wf_folder_check             (WfJob                   *run,
                                       GPtrArray               *left_out,
                                       GError                 **error);

G_END_DECLS

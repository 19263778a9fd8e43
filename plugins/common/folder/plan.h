/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "joined-table.h"

G_BEGIN_DECLS

/**
 * WfFolderFormat:
 *
 * The format of the files with layers.
 */
typedef enum
{
  WF_FOLDER_XCF,
  WF_FOLDER_TIFF,
  WF_FOLDER_PNG,
  WF_FOLDER_N_FORMATS
} WfFolderFormat;

/**
 * WfFolderExisting:
 * @WF_FOLDER_ASK: the user is asked before anything is done
 * @WF_FOLDER_SKIP: an image is left out if one of its files exists
 * @WF_FOLDER_REPLACE: files are replaced
 *
 * What becomes of files that exist.
 */
typedef enum
{
  WF_FOLDER_ASK,
  WF_FOLDER_SKIP,
  WF_FOLDER_REPLACE
} WfFolderExisting;

/**
 * WfFolderFile:
 * @WF_FOLDER_LAYERS: the image with the new layers
 * @WF_FOLDER_NUMBERS: a new image, of numbers or of distances
 * @WF_FOLDER_TABLE: a table of the image's objects
 * @WF_FOLDER_OUTLINES: their outlines
 *
 * What may be written for an image.
 */
typedef enum
{
  WF_FOLDER_LAYERS,
  WF_FOLDER_NUMBERS,
  WF_FOLDER_TABLE,
  WF_FOLDER_OUTLINES,
  WF_FOLDER_N_FILES
} WfFolderFile;

/**
 * WfFolderTask:
 * @input: the folder of the images
 * @types: patterns of their names, separated by blanks: “*.png *.tif”
 * @output: the folder of the results, made if it does not exist
 * @name: of a result, without its suffix; {name} is that of the image
 * @suffixes: for each file that an image gets, the end of its name: “.xcf”; %NULL for none
 * @joined: (nullable): the name of the table of all objects
 * @columns: (nullable): the first lines that the tables of images may have, without their ends;
 *   %NULL: any
 * @existing: what becomes of files that exist
 *
 * What is to be done.
 */
typedef struct
{
  char             *input;
  char             *types;
  char             *output;
  char             *name;
  char             *suffixes[WF_FOLDER_N_FILES];
  char             *joined;
  char            **columns;
  WfFolderExisting  existing;
} WfFolderTask;

/**
 * WfFolderItem:
 * @input: the image
 * @name: of its file, for people
 * @results: the names of its files in the folder of the results; %NULL for those that are not made
 * @exists: whether one of them exists
 *
 * One image.
 */
typedef struct
{
  GFile    *input;
  char     *name;
  char     *results[WF_FOLDER_N_FILES];
  gboolean  exists;
} WfFolderItem;

/**
 * WfFolderPlan:
 * @task: what is to be done
 * @output: the folder of the results
 * @items: (element-type WfFolderItem): the images, in the order of their names
 * @n_existing: those of which a file exists
 * @joined_exists: whether a table of all objects exists
 *
 * What is to be done with each image.
 */
typedef struct
{
  const WfFolderTask *task;
  GFile              *output;
  GPtrArray          *items;
  guint               n_existing;
  gboolean            joined_exists;
} WfFolderPlan;

GPtrArray *     wf_folder_list       (const char          *folder,
                                      const char          *types,
                                      GError             **error);
WfFolderPlan *  wf_folder_plan_new   (const WfFolderTask  *task,
                                      GError             **error);
gboolean        wf_folder_plan_check (const WfFolderPlan  *plan,
                                      GError             **error);
WfJoinedTable * wf_folder_plan_join  (const WfFolderPlan  *plan,
                                      GError             **error);
void            wf_folder_plan_free  (WfFolderPlan        *plan);
void            wf_folder_task_clear (WfFolderTask        *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfFolderPlan, wf_folder_plan_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfFolderTask, wf_folder_task_clear)

G_END_DECLS

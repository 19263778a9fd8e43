/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * WfFolderState:
 * @WF_FOLDER_DONE: all its results were written
 * @WF_FOLDER_SKIPPED: one of them existed
 * @WF_FOLDER_FAILED: none was written
 * @WF_FOLDER_CANCELLED: the user gave up while it was processed; none was written
 *
 * What became of an image.
 */
typedef enum
{
  WF_FOLDER_DONE,
  WF_FOLDER_SKIPPED,
  WF_FOLDER_FAILED,
  WF_FOLDER_CANCELLED
} WfFolderState;

/**
 * WfFolderColumn:
 *
 * The columns of the summary.
 */
typedef enum
{
  WF_FOLDER_COLUMN_FILE,
  WF_FOLDER_COLUMN_RESULT,
  WF_FOLDER_COLUMN_OBJECTS,
  WF_FOLDER_COLUMN_SECONDS,
  WF_FOLDER_COLUMN_OUTPUT,
  WF_FOLDER_N_COLUMNS
} WfFolderColumn;

/**
 * WfFolderOutcome:
 * @file: the name of the image
 * @state: what became of it
 * @message: (nullable): why it failed
 * @n_objects: that were counted, or −1
 * @seconds: that it took
 * @output: the names of its results, separated by blanks; empty for none
 *
 * A row of the summary.
 */
typedef struct
{
  char          *file;
  WfFolderState  state;
  char          *message;
  gint64         n_objects;
  double         seconds;
  char          *output;
} WfFolderOutcome;

void         wf_folder_outcome_free     (WfFolderOutcome       *outcome);
const char * wf_folder_outcome_describe (const WfFolderOutcome *outcome);
char *       wf_folder_outcome_show     (const WfFolderOutcome *outcome,
                                         WfFolderColumn         column);
char *       wf_folder_outcomes_format  (const GPtrArray       *outcomes,
                                         gboolean               with_objects,
                                         char                   separator);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfFolderOutcome, wf_folder_outcome_free)

G_END_DECLS

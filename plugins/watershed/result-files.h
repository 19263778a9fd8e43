/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfResultFile:
 * @WF_RESULT_OUTLINES: the outlines, the argument "outline-file"
 * @WF_RESULT_TABLE: the measurements, the argument "table-file"
 *
 * What is written to a file.
 */
typedef enum
{
  WF_RESULT_OUTLINES,
  WF_RESULT_TABLE,
  WF_N_RESULT_FILES
} WfResultFile;

void        wf_result_files_add_arguments (GimpProcedure *procedure);
void        wf_result_files_recall        (WfJob         *run);
void        wf_result_files_remember      (WfJob         *run);
GFile *     wf_result_file_get            (WfJob         *run,
                                           WfResultFile   result);
void        wf_result_files_add_controls  (WfDialog      *dialog,
                                           WfOptionGrid  *grid);
gboolean    wf_result_files_confirm       (WfJob         *run,
                                           GtkWindow     *dialog);

G_END_DECLS

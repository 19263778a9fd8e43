/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image that an operation in blocks writes and reads again, beside the output. */

#pragma once

#include "output.h"
#include "raw-blocks.h"

/**
 * ScratchFile:
 * @sink: takes blocks in any order, and reads them back; it is used through this, so a #ScratchFile
 *   stays where it was opened
 */
typedef struct
{
  WfBlockSink   sink;
  /*< private >*/
  const Output *output;
  RawBlocks     raw;
  gint64        depth;
  char         *path;           /* of several processes, which share it */
  int           slot;
} ScratchFile;

/* One that is not open. */
#define SCRATCH_FILE_NONE { .raw.descriptor = -1 }

gboolean scratch_file_open  (ScratchFile   *scratch,
                             const Output  *output,
                             const WfImage *model,
                             GError       **error);
gboolean scratch_file_copy  (ScratchFile       *scratch,
                             const WfBlockSink *sink,
                             WfProgressFunc     progress,
                             GError           **error);
void     scratch_file_clear (ScratchFile   *scratch);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ScratchFile, scratch_file_clear)

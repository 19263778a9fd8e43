/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result that is written in blocks, to a raw, a TIFF or a Zarr file. */

#pragma once

#include "output.h"
#include "raw-blocks.h"
#include "tiff-blocks.h"

/**
 * BlockOutput:
 * @sink: takes the blocks; raw files can be read back and written in any order, others take the
 *   rows in order; it is written through @sink, so a #BlockOutput stays where it was opened
 * @n_blocks: how many were written
 * @n_finished: rows, counted over all slices, that this process need not make again
 */
typedef struct
{
  WfBlockSink  sink;
  guint        n_blocks;
  gint64       n_finished;
  /*< private >*/
  Output      *output;
  int          descriptor;
  gint64       n_rows;       /* of a unit: a row, or slice */
  gint64       n_image_rows;
  Unfinished  *unfinished;
  char        *shared;       /* another process's temporary file */
  int          slot;
  RawBlocks    raw;
  gpointer     tiff;
  gpointer     zarr;
} BlockOutput;

gboolean block_output_check  (const Output   *output,
                              WfContent       content,
                              WfType          type,
                              const WfImage  *model,
                              gboolean        resume,
                              GError        **error);
gboolean block_output_is_readable
                             (const Output   *output);
gboolean block_output_open   (BlockOutput    *blocks,
                              Output         *output,
                              const TilePlan *plan,
                              const WfImage  *model,
                              const char     *task,
                              GError        **error);
gboolean block_output_finish (BlockOutput    *blocks,
                              GError        **error);
gboolean block_output_commit (BlockOutput    *blocks,
                              GError        **error);
void     block_output_end    (BlockOutput    *blocks);
void     block_output_clear  (BlockOutput    *blocks);

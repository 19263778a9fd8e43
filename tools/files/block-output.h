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
 */
typedef struct
{
  WfBlockSink  sink;
  guint        n_blocks;
  /*< private >*/
  Output      *output;
  int          descriptor;
  RawBlocks    raw;
  gpointer     tiff;
  gpointer     zarr;
} BlockOutput;

gboolean block_output_check  (const Output   *output,
                              WfContent       content,
                              WfType          type,
                              const WfImage  *model,
                              GError        **error);
gboolean block_output_open   (BlockOutput    *blocks,
                              Output         *output,
                              const TilePlan *plan,
                              const WfImage  *model,
                              GError        **error);
gboolean block_output_finish (BlockOutput    *blocks,
                              GError        **error);
void     block_output_clear  (BlockOutput    *blocks);

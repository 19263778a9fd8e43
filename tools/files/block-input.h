/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image that the command reads in blocks, whatever its file is. */

#pragma once

#include "input.h"
#include "raw-blocks.h"

/**
 * BlockInput:
 * @source: the image; it is read through @source, so a #BlockInput stays where it was opened
 * @input: its name, type and size; no pixels
 * @is_raw: whether --raw describes it
 *
 * To be cleared by block_input_clear().
 */
typedef struct
{
  WfBlockSource  source;
  Input          input;
  gboolean       is_raw;
  /*< private >*/
  const char    *path;
  RawBlocks      raw;
  gpointer       vips;
  gpointer       zarr;
  gpointer       sequence;
} BlockInput;

gboolean block_input_open   (BlockInput     *input,
                             const char     *path,
                             WfContent       content,
                             const RawSpec  *raw,
                             const Choice   *choice,
                             guint           n_threads,
                             GError        **error);
gboolean block_input_open_alone
                            (BlockInput     *input,
                             const char     *path,
                             WfContent       content,
                             const RawSpec  *raw,
                             const Choice   *choice,
                             guint           n_threads,
                             GError        **error);
gboolean block_input_is_lost
                            (const BlockInput *input);
const char *
         block_input_get_name
                            (const BlockInput *input);
guint64  block_input_get_memory
                            (const BlockInput *input);
gboolean block_input_claim  (const BlockInput *input,
                             GError        **error);
char *   block_input_find_rounding
                            (const BlockInput *input);
gboolean block_input_tell   (const BlockInput *input);
void     block_input_clear  (BlockInput     *input);

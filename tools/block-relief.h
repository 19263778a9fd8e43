/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a watershed floods, of an image that is read in blocks, where that is made before. */

#pragma once

#include "block-foreground.h"
#include "block-inverse.h"
#include "files/scratch-file.h"

/**
 * BlockRelief:
 * @source: the relief, when it is made
 * @markers: of block_relief_limit_markers()
 * @labels: of block_relief_limit_labels()
 * @any_object: when it is made: whether a pixel is an object
 *
 * It is used through its members, so it stays where it was opened.
 */
typedef struct
{
  WfBlockSource          source;
  WfBlockSource          markers;
  WfBlockSink            labels;
  gboolean               any_object;
  /*< private >*/
  const WfReliefOptions *options;
  WfBlockSource          levels;        /* filtered, if they are */
  ScratchFile            filtered;
  ScratchFile            heights;
  BlockInverse           inverse;
  BlockForeground        objects;
  const WfBlockSource   *given;
  const WfBlockSink     *result;
} BlockRelief;

#define BLOCK_RELIEF_NONE { .filtered = SCRATCH_FILE_NONE, .heights = SCRATCH_FILE_NONE }

gboolean block_relief_open           (BlockRelief            *relief,
                                      const WfReliefOptions  *options,
                                      const Output           *output,
                                      const WfImage          *model,
                                      GError                **error);
guint    block_relief_count_steps    (const BlockRelief      *relief);
WfType   block_relief_get_type       (const WfReliefOptions  *options,
                                      WfType                  type);
gboolean block_relief_make           (BlockRelief            *relief,
                                      WfContext              *context,
                                      const WfBlockSource    *image,
                                      GError                **error);
gboolean block_relief_limit_markers  (BlockRelief            *relief,
                                      const WfBlockSource    *markers,
                                      GError                **error);
void     block_relief_limit_labels   (BlockRelief            *relief,
                                      const WfBlockSink      *labels);
void     block_relief_clear          (BlockRelief            *relief);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BlockRelief, block_relief_clear)

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of image files, through libvips. */

#pragma once

#include "choice.h"
#include "wavefront.h"

typedef struct _VipsBlocks VipsBlocks;

VipsBlocks * vips_blocks_open        (const char    *path,
                                      gboolean       labels,
                                      const Choice  *choice,
                                      guint          n_threads,
                                      WfBlockSource *source,
                                      char         **notice,
                                      GError       **error);
guint64      vips_blocks_get_memory  (const VipsBlocks *blocks);
gboolean     vips_blocks_read        (VipsBlocks    *blocks,
                                      gint64         x,
                                      gint64         y,
                                      gint64         z,
                                      WfImage       *block,
                                      GError       **error);
const char * vips_blocks_get_notice  (const VipsBlocks *blocks);
void         vips_blocks_free        (VipsBlocks    *blocks);

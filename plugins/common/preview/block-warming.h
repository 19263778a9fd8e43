/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "block-pixels.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

/**
 * WfBlockWarming:
 * @key: the block
 * @pyramid_level: of the present pieces
 * @piece: the next of them
 *
 * Which pieces GIMP has scaled so far for the block that is needed next.
 */
typedef struct
{
  guint64 key;
  int     pyramid_level;
  int     piece;
} WfBlockWarming;

void     wf_block_warming_init  (WfBlockWarming      *warming);
void     wf_block_warming_begin (WfBlockWarming      *warming,
                                 guint64              key,
                                 const WfBlockPixels *pixels);
gboolean wf_block_warming_step  (WfBlockWarming      *warming,
                                 WfBlockPixels       *pixels,
                                 int                  pyramid_level,
                                 const GeglRectangle *part,
                                 WfFetch             *fetch);

G_END_DECLS

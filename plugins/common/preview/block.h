/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfBlock:
 * @key: in the store
 * @width: in pixels
 * @height: in pixels
 * @type: of the levels
 * @levels: row by row
 * @colors: red, green, blue and alpha of 8 bits, or %NULL
 * @wanted: the last fetch that wanted it; 0 if it was only needed for a higher level
 * @generation: of the store when this block came
 *
 * Some of the pixels of a store.
 */
typedef struct
{
  guint64  key;
  int      width;
  int      height;
  WfType   type;
  gpointer levels;
  guint8  *colors;
  guint64  wanted;
  guint    generation;
} WfBlock;

WfBlock * wf_block_new        (guint64        key,
                               int            width,
                               int            height,
                               WfType         type,
                               gboolean       colors);
void      wf_block_free       (gpointer       block);
gsize     wf_block_n_bytes    (const WfBlock *block);
gboolean  wf_block_differs    (const WfBlock *block,
                               const WfBlock *other);
void      wf_block_put_halved (WfBlock       *block,
                               int            x,
                               int            y,
                               int            width,
                               int            height,
                               const WfBlock *large);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfBlock, wf_block_free)

G_END_DECLS

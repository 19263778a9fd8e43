/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfBlock:
 * @key: which one
 * @width: in pixels
 * @height: in pixels
 * @type: of the levels
 * @levels: a row after the other
 * @colors: red, green, blue and alpha of 8 bits, or %NULL
 * @wanted: when it was wanted last; 0 if only for a smaller one
 * @generation: how often blocks had been doubted when this one came
 *
 * Some of the pixels that a store has.
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

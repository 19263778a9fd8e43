/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image in memory as a source and a sink of blocks, which looks at how it is read and written,
 * and which can fail.
 */

#pragma once

#include "guarded-image.h"

G_BEGIN_DECLS

/* Options of functions in blocks: how these are joined, and how many rows they have at most. */
#define BLOCKS(way_, rows_) \
  (&(const WfBlockOptions) { .size = sizeof (WfBlockOptions), .way = (int) (way_), \
                             .rows = (int) (rows_) })
#define BLOCKS_OF(rows_) BLOCKS (WF_BLOCKS_AUTO, rows_)

/**
 * BlockStore:
 * @image: the pixels
 * @source: reads them
 * @sink: writes them, and reads them back
 * @n_reads: how often a block was read, also back
 * @n_writes: how often one was written
 * @fail_at_read: the number of the call, from 1, that fails; 0: none
 * @fail_at_write: likewise
 * @finished: for each row, or slice, whether an operation has finished it; stays the caller's;
 *   %NULL: operations are not told
 * @largest: pixels of the largest block so far
 * @n_written: pixels written so far; they came in raster order, each once, if @in_order
 */
typedef struct
{
  GuardedImage  *image;
  WfBlockSource  source;
  WfBlockSink    sink;
  guint          n_reads;
  guint          n_writes;
  guint          fail_at_read;
  guint          fail_at_write;
  guint8        *finished;
  gint64         largest;
  gint64         n_written;
  gboolean       in_order;
} BlockStore;

void block_store_init  (BlockStore    *store,
                        GuardedImage  *image);
void block_store_resume
                       (BlockStore    *store,
                        guint8        *finished);
void block_store_clear (BlockStore    *store);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BlockStore, block_store_clear)

G_END_DECLS

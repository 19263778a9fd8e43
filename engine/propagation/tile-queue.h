/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A priority queue of tiles, the most urgent first. */

#pragma once

#include "engine/core/image.h"

/**
 * WfTileQueue:
 * @n: tiles in the queue
 *
 * A binary heap of tiles, each at most once.  Of equally urgent tiles the one that was
 * queued first leaves first.
 */
typedef struct
{
  gint64   n;
  gint64  *heap;        /* tiles; the key of each is no less than those of its children */
  gint64  *place;       /* of each tile in the heap, or −1 */
  guint64 *key;         /* of each tile: urgency, then age */
  guint32  n_pushed;
} WfTileQueue;

gboolean wf_tile_queue_init  (WfTileQueue  *queue,
                              gint64        n_tiles,
                              GError      **error);
void     wf_tile_queue_clear (WfTileQueue  *queue);
void     wf_tile_queue_push  (WfTileQueue  *queue,
                              gint64        tile,
                              guint32       urgency);
gint64   wf_tile_queue_pop   (WfTileQueue  *queue);

/* Bytes for each tile. */
#define WF_TILE_QUEUE_BYTES (2 * sizeof (gint64) + sizeof (guint64))

static inline gint64
wf_tile_queue_first (const WfTileQueue *queue)
{
  return queue->heap[0];
}

static inline guint32
wf_tile_queue_urgency (const WfTileQueue *queue,
                       gint64             tile)
{
  return queue->key[tile] >> 32;
}

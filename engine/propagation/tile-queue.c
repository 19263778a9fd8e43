/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A binary heap that keeps the place of each of its tiles: a waiting tile that becomes
 * more urgent moves up, and no tile is queued twice.
 *
 * The key of a tile is its urgency in the upper 32 bits and, below, a number that
 * decreases with each push: equally urgent tiles leave in the order in which they came,
 * which spreads a front evenly.  After 2³² pushes that number wraps around and newer tiles
 * go before older ones once; only the order depends on it.
 */

#include "config.h"

#include "tile-queue.h"


/* @queue: zeroed; must be cleared even if this fails */
gboolean
wf_tile_queue_init (WfTileQueue  *queue,
                    gint64        n_tiles,
                    GError      **error)
{
  if (! (queue->heap = wf_allocate (n_tiles, sizeof (gint64), error)) ||
      ! (queue->place = wf_allocate (n_tiles, sizeof (gint64), error)) ||
      ! (queue->key = wf_allocate (n_tiles, sizeof (guint64), error)))
    return FALSE;

  for (gint64 tile = 0; tile < n_tiles; tile++)
    queue->place[tile] = -1;
  return TRUE;
}

void
wf_tile_queue_clear (WfTileQueue *queue)
{
  g_free (queue->heap);
  g_free (queue->place);
  g_free (queue->key);
  *queue = (WfTileQueue) { 0 };
}

static inline void
put (WfTileQueue *queue,
     gint64       place,
     gint64       tile)
{
  queue->heap[place] = tile;
  queue->place[tile] = place;
}

static void
move_up (WfTileQueue *queue,
         gint64       place)
{
  const gint64  tile = queue->heap[place];
  const guint64 key  = queue->key[tile];

  while (place > 0)
    {
      gint64 parent = (place - 1) / 2;

      if (queue->key[queue->heap[parent]] >= key)
        break;
      put (queue, place, queue->heap[parent]);
      place = parent;
    }
  put (queue, place, tile);
}

static void
move_down (WfTileQueue *queue,
           gint64       place)
{
  const gint64  tile = queue->heap[place];
  const guint64 key  = queue->key[tile];

  for (;;)
    {
      gint64 child = 2 * place + 1;

      if (child >= queue->n)
        break;
      if (child + 1 < queue->n &&
          queue->key[queue->heap[child + 1]] > queue->key[queue->heap[child]])
        child++;
      if (queue->key[queue->heap[child]] <= key)
        break;
      put (queue, place, queue->heap[child]);
      place = child;
    }
  put (queue, place, tile);
}

/* Adds @tile, or raises its urgency to @urgency if it is queued. */
void
wf_tile_queue_push (WfTileQueue *queue,
                    gint64       tile,
                    guint32      urgency)
{
  if (queue->place[tile] >= 0)
    {
      if (wf_tile_queue_urgency (queue, tile) >= urgency)
        return;
      queue->key[tile] = (guint64) urgency << 32 | (guint32) queue->key[tile];
    }
  else
    {
      queue->key[tile] = (guint64) urgency << 32 | (G_MAXUINT32 - queue->n_pushed++);
      put (queue, queue->n++, tile);
    }
  move_up (queue, queue->place[tile]);
}

/* Removes the most urgent tile; there must be one. */
gint64
wf_tile_queue_pop (WfTileQueue *queue)
{
  const gint64 tile = queue->heap[0];
  const gint64 last = queue->heap[--queue->n];

  queue->place[tile] = -1;
  if (queue->n > 0)
    {
      put (queue, 0, last);
      move_down (queue, 0);
    }
  return tile;
}

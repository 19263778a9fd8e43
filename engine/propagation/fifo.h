/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A growing first-in first-out queue of pixels. */

#pragma once

#include <string.h>

#include "engine/core/image.h"

typedef struct
{
  gint64 *items;
  gint64  capacity;     /* a power of two, or 0 */
  gint64  head;
  gint64  n;
} WfFifo;

static inline void
wf_fifo_clear (WfFifo *fifo)
{
  g_free (fifo->items);
  *fifo = (WfFifo) { 0 };
}

static inline gboolean
wf_fifo_grow (WfFifo  *fifo,
              GError **error)
{
  gint64  capacity = fifo->capacity ? 2 * fifo->capacity : 1024;
  gint64  first    = MIN (fifo->n, fifo->capacity - fifo->head);
  gint64 *items    = wf_allocate (capacity, sizeof (gint64), error);

  if (! items)
    return FALSE;
  if (fifo->n > 0)
    {
      memcpy (items, fifo->items + fifo->head, first * sizeof (gint64));
      memcpy (items + first, fifo->items, (fifo->n - first) * sizeof (gint64));
    }
  g_free (fifo->items);
  fifo->items    = items;
  fifo->capacity = capacity;
  fifo->head     = 0;
  return TRUE;
}

static inline gboolean
wf_fifo_push (WfFifo  *fifo,
              gint64   item,
              GError **error)
{
  if (G_UNLIKELY (fifo->n == fifo->capacity) && ! wf_fifo_grow (fifo, error))
    return FALSE;
  fifo->items[(fifo->head + fifo->n++) & (fifo->capacity - 1)] = item;
  return TRUE;
}

static inline gint64
wf_fifo_pop (WfFifo *fifo)
{
  gint64 item = fifo->items[fifo->head];

  fifo->head = (fifo->head + 1) & (fifo->capacity - 1);
  fifo->n--;
  return item;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of keys of 96 bits, such as edges of a graph, and their sorting. */

#pragma once

#include "engine/core/image.h"

/**
 * WfTriple:
 * @word: the last is the most significant
 *
 * A sort key of 96 bits.
 */
typedef struct
{
  guint32 word[3];
} WfTriple;

/**
 * WfTriples:
 *
 * A growing list.
 */
typedef struct
{
  WfTriple *items;
  gint64    n;
  gint64    capacity;
} WfTriples;

gboolean wf_triples_grow           (WfTriples   *triples,
                                    gint64       least,
                                    GError     **error);
gboolean wf_triples_sort           (WfTriples   *triples,
                                    gint64       first,
                                    int          least_word,
                                    WfTriples   *scratch,
                                    WfRun       *run,
                                    GError     **error);

static inline gboolean
wf_triples_push (WfTriples  *triples,
                 WfTriple    triple,
                 GError    **error)
{
  if (G_UNLIKELY (triples->n == triples->capacity) &&
      ! wf_triples_grow (triples, triples->n + 1, error))
    return FALSE;
  triples->items[triples->n++] = triple;
  return TRUE;
}

static inline void
wf_triples_clear (WfTriples *triples)
{
  g_free (triples->items);
  *triples = (WfTriples) { 0 };
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfTriples, wf_triples_clear)

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Non-temporal stores, which bypass the caches.
 *
 * A plain store reads the cache line before it writes to it.  A non-temporal store of a
 * whole line does not, which makes writing a large result up to 1.7 times as fast (measured
 * from 256 MB on).  Small results use plain stores: they stay in the cache for their next
 * reader.
 *
 * What is small depends on the last cache.  Where that has 300 MB (Sapphire Rapids), openings by a
 * square of radius 1 take up to 1.4 times as long with non-temporal stores for results of 16 to
 * 64 MB, by which a processor with 32 MB (EPYC) gains.
 */

#pragma once

#include "engine/core/image.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* By default, a result of this size is no longer in the caches when it is complete. */
#define WF_STREAM_BYTES ((gint64) 128 << 20)

#define WF_LINE 64

gboolean wf_is_streamed (gint64 bytes,
                         gint64 least);

static inline gboolean
wf_image_is_streamed (const WfImage *image)
{
  return wf_is_streamed (wf_image_n_pixels (image) * (gint64) wf_type_size (image->type),
                         WF_STREAM_BYTES);
}

/* Copies; other threads see it after wf_stream_finish() and the next barrier. */
static inline void
wf_stream_bytes (gpointer       to,
                 gconstpointer  from,
                 gsize          size)
{
#ifdef __SSE2__
  guint8       *target = to;
  const guint8 *source = from;
  gsize         head   = MIN (-(guintptr) target % WF_LINE, size);

  memcpy (target, source, head);
  target += head;
  source += head;
  for (size -= head; size >= WF_LINE; size -= WF_LINE)
    {
      const __m128i *line   = (const __m128i *) source;
      __m128i       *stream = (__m128i *) target;

      for (int i = 0; i < WF_LINE / (int) sizeof *line; i++)
        _mm_stream_si128 (stream + i, _mm_loadu_si128 (line + i));
      target += WF_LINE;
      source += WF_LINE;
    }
  memcpy (target, source, size);
#else
  memcpy (to, from, size);
#endif
}

/* Waits for the stores, some hundred cycles. */
static inline void
wf_stream_finish (void)
{
#ifdef __SSE2__
  _mm_sfence ();
#endif
}

/* Copies a row; other threads see it after the next barrier, as with memcpy(). */
static inline void
wf_stream_row (gpointer       to,
               gconstpointer  from,
               gsize          size)
{
  wf_stream_bytes (to, from, size);
  wf_stream_finish ();
}

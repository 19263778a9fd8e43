/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter of an image in bands, as a source: what it makes of a band is read (band-filter.c). */

#pragma once

#include "engine/blocks/bands.h"

/**
 * WfBandFilterFunc:
 * @data: the filter's
 * @image: to be filtered
 * @result: set to a packed image of the filter's type and the size of @image
 * @memory: set to its pixels, to be freed
 *
 * Filters an image as if there was nothing beyond it.
 */
typedef gboolean (* WfBandFilterFunc)       (gconstpointer   data,
                                             const WfImage  *image,
                                             WfImage        *result,
                                             gpointer       *memory,
                                             WfRun          *run,
                                             GError        **error);

/* Bytes that this takes beside @image and the result, where @n_threads may work. */
typedef guint64  (* WfBandFilterMemoryFunc) (gconstpointer  data,
                                             const WfImage *image,
                                             guint          n_threads);

/**
 * WfBandFilter:
 * @source: reads whole rows (of a stack: whole slices) of the result, and refuses NaN in the image;
 *   it is read through this, so a #WfBandFilter stays where it was made; its type is the result's
 */
typedef struct
{
  WfBlockSource           source;
  /*< private >*/
  WfContext              *context;  /* its own: blocks are read by any lane */
  const WfBlockSource    *image;
  WfBands                 bands;    /* of the image; only its size and type count */
  WfBandFilterFunc        apply;    /* NULL: the image as it is */
  WfBandFilterMemoryFunc  memory;
  gconstpointer           data;
  gint64                  margin;   /* rows, or slices, at each side that the filter looks at */
  gint64                  at_once;  /* rows, or slices, that are filtered at a time */
} WfBandFilter;

void    wf_band_filter_init   (WfBandFilter           *filter,
                               WfContext              *context,
                               const WfBlockSource    *image,
                               WfType                  type,
                               WfBandFilterFunc        apply,
                               WfBandFilterMemoryFunc  memory,
                               gconstpointer           data,
                               gint64                  margin);
void    wf_band_filter_clear  (WfBandFilter           *filter);
guint64 wf_band_filter_memory (const WfBandFilter     *filter);
gboolean
        wf_band_filter_write  (WfBandFilter           *filter,
                               WfContext              *context,
                               const WfBlockSink      *sink,
                               gint64                  rows,
                               GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBandFilter, wf_band_filter_clear)

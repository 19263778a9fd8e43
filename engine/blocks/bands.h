/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image larger than memory, in bands: blocks of whole rows, or in a stack of whole slices.
 *
 * A band is the simplest block.  It has a rim at two sides only, files store it in one piece,
 * and a sink gets the bands of a result in raster order.
 */

#pragma once

#include "engine/ranks/communicator.h"

/**
 * WfBands:
 * @shape: of the whole image
 * @type: of its pixels
 * @part: of this rank, which the bands divide
 * @length: rows of a band, or slices in a stack; the last band may have fewer
 * @n: how many bands there are; 0 for a rank without rows
 */
typedef struct
{
  WfShape shape;
  WfType  type;
  WfPart  part;
  gint64  length;
  gint64  n;
} WfBands;

/* The two sides of a band, beside the rows before it and beside those after it. */
typedef enum
{
  WF_BAND_FIRST,
  WF_BAND_LAST
} WfBandSide;

/* Bytes of memory that a band of this shape takes in all. */
typedef guint64 (* WfBandMemoryFunc) (gconstpointer  data,
                                      const WfShape *band);

gboolean wf_bands_divide     (WfBands             *bands,
                              const WfContext     *context,
                              const WfBlockSource *image,
                              gint64               rows,
                              WfBandMemoryFunc     memory,
                              guint64              held,
                              gconstpointer        data,
                              GError             **error);

gboolean wf_bands_refuse_memory
                             (const WfContext     *context,
                              guint64              needed,
                              guint64              limit,
                              GError             **error);

gint64   wf_bands_first      (const WfBands       *bands,
                              gint64               number);
gint64   wf_bands_end        (const WfBands       *bands,
                              gint64               number);
gboolean wf_bands_have_seam  (const WfBands       *bands,
                              gint64               number,
                              WfBandSide           side);
gboolean wf_bands_allocate   (const WfBands       *bands,
                              WfType               type,
                              gint64               margin,
                              WfImage             *band,
                              GError             **error);
void     wf_bands_fit_view   (const WfBands       *bands,
                              gint64               number,
                              WfImage             *band);

int      wf_bands_connectivity
                             (int                  connectivity,
                              gint64               depth);
gboolean wf_bands_read       (const WfBands       *bands,
                              const WfContext     *context,
                              const WfBlockSource *source,
                              gint64               number,
                              const char          *what,
                              WfImage             *band,
                              GError             **error);
gboolean wf_bands_read_again (const WfBands       *bands,
                              const WfBlockSource *source,
                              gint64               first,
                              gint64               end,
                              WfImage             *image,
                              GError             **error);
gboolean wf_bands_read_span  (const WfBands       *bands,
                              const WfContext     *context,
                              const WfBlockSource *source,
                              gint64               first,
                              gint64               end,
                              const char          *what,
                              WfImage             *image,
                              GError             **error);
void     wf_bands_view       (const WfBands       *bands,
                              const WfImage       *whole,
                              gint64               first,
                              gint64               end,
                              WfImage             *view);
void     wf_bands_open_output
                             (const WfBands       *bands,
                              const WfBlockSink   *sink,
                              gint64               number,
                              WfImage             *band);
gboolean wf_bands_write      (const WfBands       *bands,
                              const WfBlockSink   *sink,
                              gint64               number,
                              const WfImage       *band,
                              GError             **error);
gboolean wf_bands_are_finished
                             (const WfBands       *bands,
                              const WfBlockSink   *sink,
                              gint64               number);
gboolean wf_bands_finish     (const WfBands       *bands,
                              const WfBlockSink   *sink,
                              gint64               number,
                              const WfImage       *band,
                              GError             **error);

/**
 * WfSteps:
 *
 * The operations on single bands as steps of one operation: each reports its progress as a part
 * of the whole, with the caller's function, and only the whole ends at 1.  The context's report has
 * the time of all.
 */
typedef struct
{
  /*< private >*/
  WfContext      *context;
  WfProgressFunc  progress;
  gpointer        progress_data;
  double          start;
  gint64          n;
  gint64          done;
  double          reported;
  gint64          begun_at;
  gboolean        within;     /* another operation's steps */
} WfSteps;

void     wf_steps_begin      (WfSteps             *steps,
                              WfContext           *context,
                              gint64               n);
void     wf_steps_set_left   (WfSteps             *steps,
                              gint64               n);
gboolean wf_steps_next       (WfSteps             *steps,
                              GError             **error);
void     wf_steps_advance    (WfSteps             *steps,
                              gint64               n);
void     wf_steps_end        (WfSteps             *steps);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfSteps, wf_steps_end)

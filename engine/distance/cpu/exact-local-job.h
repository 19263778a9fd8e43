/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a distance map by `local`. */

#pragma once

#include "exact-local.h"

/* Rows of a band: enough that its borders take little memory and time, and few enough that
 * its column distances stay in the second-level cache.
 */
#define WF_BAND 32

typedef struct
{
  guint8  *foreground;
  guint8  *first;
  guint8  *last;
  guint16 *above;
  guint16 *columns;     /* of a whole band */
  guint16 *squares;
  double  *heights;
  double  *candidates;
  double  *candidate_heights;
  gint32  *sites;
  gpointer line;        /* of the result, if that is streamed */
  guint16 *kept_line;   /* of what is kept, likewise */
} WfLocalWorker;

/**
 * WfLocalJob:
 * @padded: width in whole blocks
 * @above: column distances in the row above each band, and below the last
 * @below: column distances in the row above the image, and below each band
 * @order: the bands, the kept ones first
 * @n_kept: bands kept in short form
 * @first: in @order, of the bands being worked on
 * @own: the result, where it cannot be written in place
 * @stride: of the result
 * @is_streamed: rows of the result are finished in the cache and streamed (stream.h)
 * @kept_is_streamed: so are rows in short form
 */
typedef struct
{
  const WfDistanceTask *task;
  const WfLocalSteps   *steps;
  WfRun                *run;
  gint64                padded;
  gint64                n_bands;
  guint16              *above;
  guint16              *below;
  gint64               *order;
  gint64                n_kept;
  gint64                first;
  guint16              *kept;
  guint8               *has_far;    /* a byte for each band that is kept */
  guint                 n_workers;
  WfLocalWorker        *workers;
  guint8               *memory;     /* the borders, and @scratch */
  guint8               *scratch;    /* of all workers */
  gsize                 worker_room;
  gpointer              own;
  gpointer              result;
  gint64                stride;
  gboolean              is_streamed;
  gboolean              kept_is_streamed;
} WfLocalJob;

static inline gint64
wf_local_band_height (const WfLocalJob *job,
                      gint64            band)
{
  return MIN (WF_BAND, job->task->shape.height - band * WF_BAND);
}

const guint8 * wf_local_pixels_at        (const WfLocalJob     *job,
                                          const WfLocalWorker  *worker,
                                          gint64                y,
                                          guint8               *most);
gboolean       wf_local_measure_borders  (WfLocalJob           *job,
                                          GError              **error);
gboolean       wf_local_reaches_columns  (const WfDistanceTask *task);
gboolean       wf_local_finds_background (const WfLocalJob     *job);

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The queue of bands (blocks-queue.c): its state, the comparison of rims at seams
 * (blocks-queue-rims.c), and bands that stay on devices (blocks-queue-kept.c).
 */

#pragma once

#include "blocks.h"

/**
 * WfSeat:
 * @mask, @levels: of a band: its mask; the marker, then the result
 * @row: the pixels of a rim of another band
 * @beside: keys of a rim beside the band: its levels
 * @mask_beside: and its masks
 * @own, @own_mask: keys of the rim of the band that faces it
 * @spread: keys across a seam
 * @copies: in memory: pixels of the rims of the bands beside it
 * @risen: in memory: pixels of the band's own rims, raised
 * @raised: whether the band visited can be raised at a side
 * @raises: whether it can raise the band there
 * @anew: whether the band visited was to go on from its rims, but was computed anew
 *
 * What one lane needs for a visit.
 */
typedef struct
{
  WfImage   mask;
  WfImage   levels;
  WfImage   row;
  guint32  *beside;
  guint32  *mask_beside;
  guint32  *own;
  guint32  *own_mask;
  guint32  *spread;
  guint8   *copies[WF_N_RIMS];
  guint8   *risen[WF_N_RIMS];
  gboolean  raised[WF_N_RIMS];
  gboolean  raises[WF_N_RIMS];
  gboolean  anew;
} WfSeat;

/**
 * WfQueuedBand:
 * @on_device: the band where it stays, or %NULL; @worker: which keeps it
 * @goes_on: whether a visit of it goes on from its rims there
 * @stale: another worker has changed the band since
 *
 * A band of the first pass.
 */
typedef struct
{
  gpointer on_device;
  guint    worker;
  gboolean goes_on;
  gboolean stale;
} WfQueuedBand;

/**
 * WfBandQueue:
 * @n_seats: as many as lanes
 * @visited: for each band whether it has been written
 * @raised: for each band and side whether that side can be raised
 * @rims: of an image in memory: the pixels of the two rims of each band, as they were written
 * @has_rims: for each band whether they are there, or else it has not been visited since the image
 *   was divided, and they are those of the image
 * @lock: of rims and of what is kept, in memory
 * @first_pass: whether each band is visited once
 * @parts: in memory: into how many bands each of the first pass is divided
 * @kept: the @n_kept bands of the first pass, in memory
 * @spare: for each worker the bytes that bands may still take where they stay
 * @needed: for each worker what a band takes there, with what its algorithm knows of it
 * @home: for each band the worker that keeps it, or −1
 */
typedef struct
{
  const WfReconstructBlocks *blocks;
  WfWorkers                 *workers;
  WfBands                    bands;
  WfSeat                    *seats;
  guint                      n_seats;
  gboolean                  *visited;
  gboolean                 (*raised)[WF_N_RIMS];
  guint8                    *rims;
  gboolean                  *has_rims;
  GMutex                     lock;
  gboolean                   first_pass;
  gint64                     parts;
  WfQueuedBand              *kept;
  gint64                     n_kept;
  guint64                   *spare;
  guint64                   *needed;
  int                       *home;
  WfPass                     pass;
} WfBandQueue;

static inline gboolean
wf_queue_is_in_memory (const WfBandQueue *queue)
{
  return queue->blocks->out->image != NULL;
}

static inline gsize
wf_queue_rim_size (const WfBandQueue *queue)
{
  return wf_rim_n_pixels (&queue->blocks->rim) * wf_type_size (queue->blocks->rim.type);
}

gboolean wf_queue_raise_rims    (WfBandQueue   *queue,
                                 WfSeat        *seat,
                                 gint64         number,
                                 GError       **error);
void     wf_queue_begin_change  (WfBandQueue   *queue,
                                 gint64         number);
void     wf_queue_find_risen    (WfBandQueue   *queue,
                                 WfSeat        *seat,
                                 gint64         number,
                                 const WfImage *marker,
                                 gconstpointer  risen[WF_N_RIMS]);
gboolean wf_queue_compare_rims  (WfBandQueue   *queue,
                                 WfSeat        *seat,
                                 gint64         number,
                                 GError       **error);

void     wf_queue_begin_keeping (WfBandQueue   *queue);
void     wf_queue_find_homes    (WfBandQueue   *queue);
gboolean wf_queue_goes_on       (const WfBandQueue
                                               *queue);
void     wf_queue_release       (WfBandQueue   *queue);
gboolean wf_queue_visit_kept    (WfBandQueue   *queue,
                                 const WfLane  *lane,
                                 WfSeat        *seat,
                                 gint64         number,
                                 const WfImage *marker,
                                 gboolean      *done,
                                 GError       **error);

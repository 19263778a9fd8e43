/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pace of the devices: how many pixels an operation does in a second, how many bytes a link
 * transfers, and the time of a task that follows from them.
 *
 * A pace is measured on a generated picture of 8-bit levels (pace-measure.c), once on a machine,
 * and kept in the user's cache folder (pace-store.c).  Before that, paces are built-in estimates
 * (pace-defaults.c).  pace.c finds a pace and makes the forecast of a time.
 */

#pragma once

#include "backend.h"

/* Numbers of threads for which a pace is kept. */
#define WF_PACE_POINTS 12

/* What a pace may be: anything else comes from a damaged file or a clock that was set. */
#define WF_PACE_MIN 1e3
#define WF_PACE_MAX 1e15

/**
 * WfPaceCurve:
 * @latency: seconds of an operation beyond its pixels and transfers; on the CPU 0
 * @n: how many points there are
 * @threads: of each point, increasing; on a GPU 1
 * @rate: of each point, u8 pixels a second
 *
 * The pace of an algorithm on a device.
 */
typedef struct
{
  double latency;
  guint  n;
  guint  threads[WF_PACE_POINTS];
  double rate[WF_PACE_POINTS];
} WfPaceCurve;

/**
 * WfWorkload:
 * @n_pixels: of the image
 * @up: bytes of the inputs
 * @down: bytes of the outputs
 * @scale: bytes of a pixel, in and out, over those of the u8 picture that is measured, times the
 *   work for each, over that with the default options
 * @image: the first input
 * @out: the first output, or %NULL
 *
 * What the time of a task depends on.
 */
typedef struct
{
  gint64         n_pixels;
  guint64        up;
  guint64        down;
  double         scale;
  const WfImage *image;
  const WfImage *out;
} WfWorkload;

/**
 * WfPlace:
 * @backend: the device's
 * @device: its number in that
 * @operation: what is done there
 * @algorithm: by which it is done
 * @threads: of the CPU; on a GPU 1
 */
typedef struct
{
  const WfBackend *backend;
  guint            device;
  WfOperation      operation;
  const char      *algorithm;
  guint            threads;
} WfPlace;

/**
 * WfExpectation:
 * @seconds: of the task in all
 * @transfers: those of them that images travel
 * @measured: whether all of it comes from measurements on this machine
 */
typedef struct
{
  double   seconds;
  double   transfers;
  gboolean measured;
} WfExpectation;


/*  workload.c  */

void     wf_workload_init        (WfWorkload        *workload,
                                  WfOperation        operation,
                                  gconstpointer      task,
                                  gint64             n_pixels);
void     wf_workload_imagine     (WfWorkload        *workload,
                                  WfOperation        operation,
                                  const WfImage     *image);


/*  pace.c  */

void     wf_pace_expect          (const WfPlace     *place,
                                  const WfWorkload  *workload,
                                  WfExpectation     *expectation);
gboolean wf_pace_find_rate       (const WfPlace     *place,
                                  double            *rate,
                                  double            *latency);
gboolean wf_pace_find_link       (const WfPlace     *place,
                                  WfLinkPace        *link);
void     wf_pace_add_rate        (const WfPlace     *place,
                                  double             rate,
                                  double             latency);
void     wf_pace_add_link        (const WfPlace     *place,
                                  const WfLinkPace  *link);


/*  pace-defaults.c  */

void     wf_pace_estimate_rate   (const WfPlace     *place,
                                  guint              n_units,
                                  double            *rate,
                                  double            *latency);
double   wf_pace_estimate_growth (const WfPlace     *place);
void     wf_pace_estimate_link   (WfLinkPace        *link);


/*  pace-store.c: what is kept, from any thread  */

char *   wf_pace_store_name      (const WfPlace     *place);
gboolean wf_pace_store_get       (const WfPlace     *place,
                                  const char        *key,
                                  char             **value);
void     wf_pace_store_set       (const WfPlace     *place,
                                  const char        *key,
                                  const char        *value);
gboolean wf_pace_store_save      (GError           **error);
void     wf_pace_store_reload    (void);
guint    wf_pace_count_units     (const WfPlace     *place);
gboolean wf_pace_are_alike       (const WfPlace     *a,
                                  const WfPlace     *b);


/*  pace-picture.c  */

/**
 * WfPacePicture:
 * @side: of each image, in pixels
 * @image: u8: soft waves of several lengths, with some noise
 * @marker: u8: @image minus 40, at least 0
 * @labels: u32: squares of 16 × 16 pixels
 * @out: room for a result of any type up to 4 bytes a pixel
 *
 * What is worked on while a pace is measured.
 */
typedef struct
{
  gint64   side;
  WfImage  image;
  WfImage  marker;
  WfImage  labels;
  guint32 *out;
} WfPacePicture;

gboolean wf_pace_picture_init    (WfPacePicture     *picture,
                                  gint64             side,
                                  gboolean           labels,
                                  GError           **error);
void     wf_pace_picture_clear   (WfPacePicture     *picture);
gboolean wf_pace_picture_run     (const WfPacePicture *picture,
                                  gint64             side,
                                  const WfPlace     *place,
                                  WfContext         *context,
                                  double            *seconds,
                                  GError           **error);



/*  pace-measure.c  */

gboolean wf_pace_measure_link    (WfContext         *context,
                                  const WfPlace     *place,
                                  GError           **error);
gboolean wf_pace_measure_rate    (WfContext         *context,
                                  const WfPacePicture *picture,
                                  const WfPlace     *place,
                                  GError           **error);
void     wf_pace_measure_missing (WfContext         *context,
                                  const WfPlace     *places,
                                  guint              n_places);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPacePicture, wf_pace_picture_clear)

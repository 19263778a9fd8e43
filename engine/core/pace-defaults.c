/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paces of machines on which nothing was measured: those of an x86-64 processor of some years ago
 * with AVX2, and of NVIDIA GPUs by the number of their multiprocessors; about two thirds of what
 * docs/benchmarks.md has.  They decide until something is measured, which happens where they are
 * close (plan.c).
 */

#include "config.h"

#include <math.h>

#include "pace.h"

/**
 * Estimate:
 * @operation: which
 * @algorithm: by its name, or %NULL for all others
 * @rate: of one thread of the CPU, u8 pixels a second
 * @growth: n threads are n to the power of this times as fast
 * @gpu: of one multiprocessor, u8 pixels a second
 */
typedef struct
{
  WfOperation operation;
  const char *algorithm;
  double      rate;
  double      growth;
  double      gpu;
} Estimate;

/* Those by their names first. */
static const Estimate estimates[] =
{
  { WF_OPERATION_RECONSTRUCT, "tiled",       100e6, 0.65, 800e6 },
  { WF_OPERATION_RECONSTRUCT, "non-tiled",    80e6, 0.65, 800e6 },
  { WF_OPERATION_RECONSTRUCT, "sequential",   20e6, 0,    100e6 },
  { WF_OPERATION_RECONSTRUCT, "queue",        10e6, 0,    100e6 },
  { WF_OPERATION_RECONSTRUCT, "hybrid",       90e6, 0,    100e6 },
  { WF_OPERATION_RECONSTRUCT, NULL,          250e6, 0.75, 800e6 },
  { WF_OPERATION_DISTANCE,    "envelope",     20e6, 0.95, 1000e6 },
  { WF_OPERATION_DISTANCE,    "propagation",  30e6, 0.85, 200e6 },
  { WF_OPERATION_DISTANCE,    NULL,          550e6, 0.75, 2000e6 },
  { WF_OPERATION_GEODESIC_DISTANCE, NULL,     40e6, 0.8,  200e6 },
  { WF_OPERATION_WATERSHED,   NULL,           70e6, 0.75, 450e6 },
  { WF_OPERATION_LABEL,       NULL,          600e6, 0.85, 1500e6 },
  { WF_OPERATION_HIERARCHY,   NULL,          200e6, 0.7,  500e6 },
  { WF_OPERATION_GAUSSIAN,    NULL,          300e6, 0.85, 800e6 },
  { WF_OPERATION_GRADIENT,    NULL,         1000e6, 0.7,  1500e6 },
  { WF_OPERATION_EROSION,     NULL,         2000e6, 0.7,  3000e6 },
  { WF_OPERATION_DILATION,    NULL,         2000e6, 0.7,  3000e6 },
  { WF_OPERATION_OPENING,     NULL,         1000e6, 0.7,  1600e6 },
  { WF_OPERATION_CLOSING,     NULL,         1000e6, 0.7,  1600e6 },
  { WF_OPERATION_WHITE_TOP_HAT, NULL,        900e6, 0.7,  1500e6 },
  { WF_OPERATION_BLACK_TOP_HAT, NULL,        900e6, 0.7,  1500e6 },
  { WF_OPERATION_MEDIAN,      NULL,          300e6, 0.9,   800e6 },
  { WF_OPERATION_AREA_OPENING,   NULL,        30e6, 0,    100e6 },
  { WF_OPERATION_AREA_CLOSING,   NULL,        30e6, 0,    100e6 },
  { WF_OPERATION_HEIGHT_OPENING, NULL,        30e6, 0,    100e6 },
  { WF_OPERATION_HEIGHT_CLOSING, NULL,        30e6, 0,    100e6 },
  { WF_OPERATION_VOLUME_OPENING, NULL,        25e6, 0,    100e6 },
  { WF_OPERATION_VOLUME_CLOSING, NULL,        25e6, 0,    100e6 },
  { WF_OPERATION_THRESHOLD,      NULL,       300e6, 0.85, 800e6 },
  { WF_OPERATION_REMOVE_SMALL,   NULL,      2500e6, 0.7, 3000e6 },
  { WF_OPERATION_KEEP_LARGEST,   NULL,      2500e6, 0.7, 3000e6 },
  { WF_OPERATION_EXPAND_LABELS,  NULL,        60e6, 0.8,  600e6 },
  { WF_OPERATION_RELABEL,        NULL,      2500e6, 0.7, 3000e6 },
  { WF_TASK_MEASURE,             NULL,       200e6, 0.75, 150e6 },
};

/* All that is built on reconstruction. */
static const Estimate of_others = { WF_OPERATION_FILL_HOLES, NULL, 150e6, 0.7, 400e6 };

static const Estimate *
find_estimate (const WfPlace *place)
{
  for (guint i = 0; i < G_N_ELEMENTS (estimates); i++)
    if (estimates[i].operation == place->operation &&
        (! estimates[i].algorithm || g_strcmp0 (estimates[i].algorithm, place->algorithm) == 0))
      return &estimates[i];
  return &of_others;
}

/* n threads are n to the power of this times as fast as one. */
double
wf_pace_estimate_growth (const WfPlace *place)
{
  return find_estimate (place)->growth;
}

void
wf_pace_estimate_rate (const WfPlace *place,
                       guint          n_units,
                       double        *rate,
                       double        *latency)
{
  const Estimate *estimate = find_estimate (place);
  const guint     threads  = MIN (place->threads, n_units);

  if (place->backend == wf_backend_cpu ())
    {
      *rate    = estimate->rate * pow (threads, estimate->growth);
      *latency = 0.0;
    }
  else
    {
      *rate    = estimate->gpu * n_units;
      *latency = 3e-4;
    }
}

/* PCI Express 3 with 16 lanes; a thread copies a few GB/s to and from its pinned buffers. */
void
wf_pace_estimate_link (WfLinkPace *link)
{
  const double pinned = 11e9;
  const double plain  = MIN (pinned, 2.5e9 * MIN (16, g_get_num_processors ()));

  *link = (WfLinkPace) { .up = { plain, pinned }, .down = { plain, pinned } };
}

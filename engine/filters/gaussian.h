/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weights of a Gaussian, which every back end takes from here. */

#pragma once

#include "engine/core/tasks.h"

/* Weights of u8 and u16 add up to 2 to this power, along each axis. */
#define WF_GAUSSIAN_BITS_U8  16
#define WF_GAUSSIAN_BITS_U16 31

/* Sums of u16 are rounded to multiples of 2 to minus this power after each axis but the last. */
#define WF_GAUSSIAN_STORED_U16 15

/* The largest radius: three times the largest sigma. */
#define WF_GAUSSIAN_MOST (3 * WF_MAX_SIGMA)

/**
 * WfGaussian:
 * @radius: of the window along each axis; outside it weights are 0
 * @whole: for integers: [k] is the weight of each of the two pixels at distance k
 * @real: the same for floats
 */
struct _WfGaussian
{
  gint64  radius;
  guint32 whole[WF_GAUSSIAN_MOST + 1];
  float   real[WF_GAUSSIAN_MOST + 1];
};

void wf_gaussian_init (WfGaussian *gaussian,
                       WfType      type,
                       double      sigma);

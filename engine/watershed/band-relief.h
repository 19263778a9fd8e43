/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a watershed in bands floods, as a source: the image, or what smoothing and the gradient
 * make of it (band-relief.c).
 */

#pragma once

#include "engine/filters/band-filter.h"
#include "engine/filters/gaussian.h"

/**
 * WfBandRelief:
 * @filter: its source is the relief, and is read through this, so a #WfBandRelief stays where it
 *   was made
 */
typedef struct
{
  WfBandFilter filter;
  /*< private >*/
  WfGaussian   smoothing;
  gboolean     is_smoothed;
  gint64       gradient;
} WfBandRelief;

void    wf_band_relief_init   (WfBandRelief             *relief,
                               WfContext                *context,
                               const WfBlockSource      *image,
                               const WfWatershedOptions *options);
void    wf_band_relief_clear  (WfBandRelief             *relief);
guint64 wf_band_relief_memory (const WfBandRelief       *relief);

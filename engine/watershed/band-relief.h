/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a watershed in bands floods, as a source: the image, or what smoothing and the gradient
 * make of it (band-relief.c).
 */

#pragma once

#include "engine/blocks/bands.h"
#include "engine/filters/gaussian.h"

/**
 * WfBandRelief:
 * @source: reads whole rows (of a stack: whole slices) of the relief, and refuses NaN in the image;
 *   it is read through this, so a #WfBandRelief stays where it was made
 */
typedef struct
{
  WfBlockSource         source;
  /*< private >*/
  WfContext            *context;    /* its own: blocks are read by any lane */
  const WfBlockSource  *image;
  WfBands               bands;      /* of the image; only its size and type count */
  WfGaussian            smoothing;
  gboolean              is_smoothed;
  gint64                gradient;
  gint64                margin;     /* rows, or slices, at each side that a filter looks at */
  gint64                at_once;    /* rows, or slices, that are filtered at a time */
} WfBandRelief;

void    wf_band_relief_init   (WfBandRelief             *relief,
                               WfContext                *context,
                               const WfBlockSource      *image,
                               const WfWatershedOptions *options);
void    wf_band_relief_clear  (WfBandRelief             *relief);
guint64 wf_band_relief_memory (const WfBandRelief       *relief);

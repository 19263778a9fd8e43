/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef enum
{
  WF_INPUT_LEVELS,
  WF_INPUT_GRADIENT,
  WF_INPUT_OBJECTS
} WfWatershedInput;

/**
 * WfReliefOptions:
 * @input: what is flooded: the levels, their gradient, or the objects that they show
 * @smoothing: sigma of the Gaussian that the levels are smoothed by first; 0: not
 * @gradient: radius of the gradient's square, at least 1
 * @bright: whether what is flooded is turned upside down; not for objects
 * @threshold: between objects and background, in the levels' own units
 * @dark: whether objects are what is not above the threshold
 */
typedef struct
{
  WfWatershedInput input;
  double           smoothing;
  int              gradient;
  gboolean         bright;
  double           threshold;
  gboolean         dark;
} WfReliefOptions;

gboolean wf_relief_make (WfContext              *context,
                         WfImage                *levels,
                         gboolean                keep_levels,
                         const WfReliefOptions  *options,
                         WfImage                *relief,
                         WfImage                *objects,
                         GError                **error);

G_END_DECLS

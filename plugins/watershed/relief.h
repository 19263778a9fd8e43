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
 * @input: the levels, their gradient, or the distances inside objects
 * @smoothing: sigma of the Gaussian smoothing of the levels; 0: none
 * @gradient: radius of the gradient's square, at least 1
 * @bright: whether the relief is inverted; not for objects
 * @threshold: between objects and background, in the levels' own units
 * @dark: whether objects are the pixels that are not above the threshold
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

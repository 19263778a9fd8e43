/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The recipe of an operation built on reconstruction: which marker it reconstructs from, and
 * what it makes of the result.  It stands in the operation's record, and a task carries it to
 * the back ends.
 */

#pragma once

#include "engine/core/tasks.h"

/* What becomes the marker. */
typedef enum
{
  WF_MARKER_BORDER,     /* the image at its border, inside what reconstruction changes all of */
  WF_MARKER_MOVED,      /* the image, moved by the height */
  WF_MARKER_STEPPED,    /* the image, moved by one value of the type */
  WF_MARKER_ELEMENT,    /* the image, eroded or dilated */
  WF_MARKER_IMPOSED     /* the given markers, and a mask that holds them */
} WfRecipeMarker;

/* What becomes the output. */
typedef enum
{
  WF_OUTPUT_RECONSTRUCTED,
  WF_OUTPUT_DIFFERENCE, /* between that and the image */
  WF_OUTPUT_CHANGED,    /* where that differs from the image */
  WF_OUTPUT_EXTREMA     /* of that */
} WfRecipeOutput;

struct _WfRecipe
{
  WfRecipeMarker marker;
  WfDirection    by;
  WfRecipeOutput output;
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations built on reconstruction, in which all back ends agree: from what each
 * reconstructs, and what it makes of the result.
 */

#pragma once

#include "wavefront.h"

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

typedef struct
{
  WfOperation    operation;
  WfRecipeMarker marker;
  WfDirection    by;
  WfRecipeOutput output;
} WfRecipe;

/* Here, not in a source file, because a module is not linked with the library's private
 * parts.
 */
static inline const WfRecipe *
wf_recipe_of (WfOperation operation)
{
  static const WfRecipe recipes[] =
  {
    { WF_OPERATION_FILL_HOLES,      WF_MARKER_BORDER,  WF_BY_EROSION,  WF_OUTPUT_RECONSTRUCTED },
    { WF_OPERATION_CLEAR_BORDER,    WF_MARKER_BORDER,  WF_BY_DILATION, WF_OUTPUT_DIFFERENCE },
    { WF_OPERATION_H_MAXIMA,        WF_MARKER_MOVED,   WF_BY_DILATION, WF_OUTPUT_RECONSTRUCTED },
    { WF_OPERATION_H_MINIMA,        WF_MARKER_MOVED,   WF_BY_EROSION,  WF_OUTPUT_RECONSTRUCTED },
    { WF_OPERATION_H_DOME,          WF_MARKER_MOVED,   WF_BY_DILATION, WF_OUTPUT_DIFFERENCE },
    { WF_OPERATION_H_BASIN,         WF_MARKER_MOVED,   WF_BY_EROSION,  WF_OUTPUT_DIFFERENCE },
    { WF_OPERATION_REGIONAL_MAXIMA, WF_MARKER_STEPPED, WF_BY_DILATION, WF_OUTPUT_CHANGED },
    { WF_OPERATION_REGIONAL_MINIMA, WF_MARKER_STEPPED, WF_BY_EROSION,  WF_OUTPUT_CHANGED },
    { WF_OPERATION_EXTENDED_MAXIMA, WF_MARKER_MOVED,   WF_BY_DILATION, WF_OUTPUT_EXTREMA },
    { WF_OPERATION_EXTENDED_MINIMA, WF_MARKER_MOVED,   WF_BY_EROSION,  WF_OUTPUT_EXTREMA },
    { WF_OPERATION_OPENING,         WF_MARKER_ELEMENT, WF_BY_DILATION, WF_OUTPUT_RECONSTRUCTED },
    { WF_OPERATION_CLOSING,         WF_MARKER_ELEMENT, WF_BY_EROSION,  WF_OUTPUT_RECONSTRUCTED },
    { WF_OPERATION_WHITE_TOP_HAT,   WF_MARKER_ELEMENT, WF_BY_DILATION, WF_OUTPUT_DIFFERENCE },
    { WF_OPERATION_BLACK_TOP_HAT,   WF_MARKER_ELEMENT, WF_BY_EROSION,  WF_OUTPUT_DIFFERENCE },
    { WF_OPERATION_IMPOSE_MINIMA,   WF_MARKER_IMPOSED, WF_BY_EROSION,  WF_OUTPUT_RECONSTRUCTED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (recipes); i++)
    if (recipes[i].operation == operation)
      return &recipes[i];
  g_return_val_if_reached (NULL);
}

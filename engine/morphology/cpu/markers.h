/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers of recipes that are made of the image pixel by pixel. */

#pragma once

#include "engine/morphology/recipes.h"

/* Makes a row of the marker of an image, or, for %WF_MARKER_IMPOSED, of the mask that holds the
 * minima; not of %WF_MARKER_ELEMENT.  @at_border: the row lies at a border of the image; @target:
 * must not overlap @levels
 */
void wf_marker_row (const WfRecipe *recipe,
                    WfType          type,
                    double          height,
                    gconstpointer   levels,
                    gint64          n,
                    gboolean        at_border,
                    gpointer        target);

/* Whether row @y of slice @z belongs to the border of an image of @shape: in a stack this is all
 * six of its faces.
 */
static inline gboolean
wf_is_border_row (const WfShape *shape,
                  gint64         y,
                  gint64         z)
{
  return y == 0 || y == shape->height - 1 ||
         (shape->depth > 1 && (z == 0 || z == shape->depth - 1));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "markers.h"
#include "pixels.h"


/* Inside the image a marker is what reconstruction changes all of. */
static void
border_row (WfType        type,
            gboolean      greatest,
            gconstpointer levels,
            gint64        n,
            gboolean      at_border,
            gpointer      target)
{
  const gsize pixel = wf_type_size (type);
  const gsize last  = (n - 1) * pixel;

  if (at_border)
    {
      memcpy (target, levels, n * pixel);
      return;
    }
  wf_pixel_steps (type)->fill (target, n, greatest);
  memcpy (target, levels, pixel);
  memcpy ((char *) target + last, (const char *) levels + last, pixel);
}

void
wf_marker_row (const WfRecipe *recipe,
               WfType          type,
               double          height,
               gconstpointer   levels,
               gint64          n,
               gboolean        at_border,
               gpointer        target)
{
  const WfPixelSteps *steps = wf_pixel_steps (type);
  const gboolean      raise = recipe->by == WF_BY_EROSION;

  switch (recipe->marker)
    {
    case WF_MARKER_BORDER:
      border_row (type, raise, levels, n, at_border, target);
      return;
    case WF_MARKER_MOVED:
      steps->move (levels, n, height, raise, target);
      return;
    case WF_MARKER_STEPPED:
      steps->step (levels, n, raise, target);
      return;
    case WF_MARKER_IMPOSED:
      steps->keep_least (levels, n, target);
      return;
    case WF_MARKER_ELEMENT:
      break;
    }
  g_return_if_reached ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From levels to distances: the same for the procedure and its preview. */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "measuring.h"
#include "plugins/common/input/foreground.h"


/**
 * wf_distance_map_check:
 * @own: the procedure's own options
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether they are consistent.
 */
gboolean
wf_distance_map_check (const WfDistanceMapOptions  *own,
                       GError                     **error)
{
  if (own->output == WF_DISTANCES_CLIPPED && ! (own->maximum > 0))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The distance that becomes white must be greater than 0."));
      return FALSE;
    }
  if (own->output == WF_DISTANCES_CONTOURS && ! (own->step > 0))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The step between two contour lines must be greater than 0."));
      return FALSE;
    }
  return TRUE;
}

/* The engine measures the distances of pixels above a threshold.  For the other
 * side it gets a mask of them; the area outside the layer is then ignored, because
 * these distances do not lead to it.
 */
static gboolean
choose_side (WfImage                     *image,
             const WfDistanceMapOptions  *own,
             WfDistanceOptions           *options,
             double                      *fraction,
             GError                     **error)
{
  g_auto (WfImage) mask = { 0 };

  if (! wf_foreground_find_threshold (image, own->automatic_threshold, &options->threshold,
                                      fraction, error))
    return FALSE;
  if (own->side == WF_DISTANCES_INSIDE)
    return TRUE;

  if (! wf_image_allocate (&mask, WF_TYPE_U8, image->width, image->height, image->depth, error))
    return FALSE;
  wf_foreground_mark (image, options->threshold, FALSE, &mask);
  wf_image_clear (image);
  *image = mask;
  mask   = (WfImage) { 0 };
  options->threshold         = NAN;
  options->border_background = FALSE;
  return TRUE;
}

/**
 * wf_distance_map_measure:
 * @context: of the computation
 * @image: levels; may be freed by the call
 * @own: the procedure's own options
 * @options: the engine's options
 * @distances: set to a new image
 * @nearest: set to a new image of the nearest pixels, if the output needs them
 * @fraction: (out): the threshold, as a fraction of the range from black to white
 * @error: as wf_distance() sets it
 *
 * All images are to be cleared by the caller.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_distance_map_measure (WfContext                   *context,
                         WfImage                     *image,
                         const WfDistanceMapOptions  *own,
                         const WfDistanceOptions     *options,
                         WfImage                     *distances,
                         WfImage                     *nearest,
                         double                      *fraction,
                         GError                     **error)
{
  WfDistanceOptions chosen = *options;

  if (! choose_side (image, own, &chosen, fraction, error) ||
      ! wf_image_allocate (distances, wf_distance_get_type (&chosen), image->width,
                           image->height, image->depth, error) ||
      (own->output == WF_DISTANCES_NEAREST &&
       ! wf_image_allocate (nearest, WF_TYPE_U64, image->width, image->height, image->depth,
                            error)))
    return FALSE;

  return wf_distance (context, image, distances, nearest->data ? nearest : NULL, &chosen, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From levels to distances: the same for the procedure and its preview. */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "measuring.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"


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
             const WfImage               *mask,
             const WfDistanceMapOptions  *own,
             WfDistanceOptions           *options,
             double                      *fraction,
             GError                     **error)
{
  g_auto (WfImage) marks = { 0 };

  if (! wf_foreground_find_threshold (image, mask, own->automatic_threshold, &options->threshold,
                                      fraction, error))
    return FALSE;
  if (own->side == WF_DISTANCES_INSIDE && ! mask)
    return TRUE;

  if (! wf_swap_allocate (&marks, WF_TYPE_U8, image->width, image->height, image->depth, error))
    return FALSE;
  wf_foreground_mark_parts (image, options->threshold, own->side == WF_DISTANCES_INSIDE, &marks);
  wf_swap_clear (image);
  *image = marks;
  marks  = (WfImage) { 0 };
  options->threshold         = NAN;
  options->border_background = options->border_background && own->side == WF_DISTANCES_INSIDE;
  return TRUE;
}


/*  Within a selection  */

/* A pixel that is not selected has no place among the colors either. */
static void
forget_outside (const WfImage *mask,
                WfImage       *nearest)
{
  const guint8 *inside = mask->data;
  guint64      *index  = nearest->data;

  WF_FOR_PARTS (part, mask)
    {
      WfReach reach = { 0 };

      for (gint64 i = part.first; i < part.end; i++)
        {
          if (inside[i] && index[i] != WF_NEAREST_NONE)
            wf_swap_reach (&reach, index[i]);
          if (! inside[i] || (index[i] != WF_NEAREST_NONE && ! inside[index[i]]))
            index[i] = WF_NEAREST_NONE;
        }
    }
}

/* Distances and nearest pixels of what is not marked, to what is. */
static gboolean
measure_other_side (WfContext                *context,
                    const WfImage            *mask,
                    const WfImage            *marks,
                    const WfDistanceOptions  *options,
                    WfImage                  *distances,
                    WfImage                  *nearest,
                    GError                  **error)
{
  g_auto (WfImage)   others = { 0 };
  WfDistanceOptions  plain  = *options;
  guint8            *pixels;

  if (! wf_mask_copy (marks, &others, error) ||
      ! wf_swap_allocate (distances, WF_TYPE_F32, mask->width, mask->height, mask->depth,
                           error) ||
      (nearest && ! wf_swap_allocate (nearest, WF_TYPE_U64, mask->width, mask->height,
                                       mask->depth, error)))
    return FALSE;
  pixels = others.data;
  WF_FOR_PARTS (part, &others)
    for (gint64 i = part.first; i < part.end; i++)
      pixels[i] = ! pixels[i];
  wf_mask_fill (mask, &others, 1);
  plain.signed_distance   = FALSE;
  plain.border_background = FALSE;
  return wf_swap_distance (context, &others, distances, nearest, &plain, error);
}

/* Signed maps hold floats. */
static void
join_sides (const WfImage *marks,
            const WfImage *other_distances,
            const WfImage *other_nearest,
            WfImage       *distances,
            WfImage       *nearest)
{
  const guint8 *marked = marks->data;

  WF_FOR_PARTS (part, marks)
    for (gint64 i = part.first; i < part.end; i++)
      if (! marked[i])
        {
          ((float *) distances->data)[i] = -((const float *) other_distances->data)[i];
          if (nearest)
            ((guint64 *) nearest->data)[i] = ((const guint64 *) other_nearest->data)[i];
        }
}

/* What is not selected is neither foreground nor background, as beyond the border of the image:
 * so it counts as the side whose distances are measured.  If everything outside is to count as
 * background, it does.
 */
static gboolean
measure_within (WfContext                *context,
                const WfImage            *mask,
                WfImage                  *marks,
                const WfDistanceOptions  *options,
                WfImage                  *distances,
                WfImage                  *nearest,
                GError                  **error)
{
  g_auto (WfImage)   other_distances = { 0 };
  g_auto (WfImage)   other_nearest   = { 0 };
  WfDistanceOptions  plain           = *options;

  if (options->signed_distance && distances->type != WF_TYPE_F32)   /* this is refused */
    return wf_swap_distance (context, marks, distances, nearest, options, error);

  plain.signed_distance = FALSE;
  if (options->signed_distance &&
      ! measure_other_side (context, mask, marks, options, &other_distances,
                            nearest ? &other_nearest : NULL, error))
    return FALSE;
  wf_mask_fill (mask, marks, options->border_background ? 0 : 1);
  if (! wf_swap_distance (context, marks, distances, nearest, &plain, error))
    return FALSE;

  if (options->signed_distance)
    join_sides (marks, &other_distances, &other_nearest, distances, nearest);
  if (nearest)
    forget_outside (mask, nearest);
  return TRUE;
}

/* Contour lines end where the selection does; anywhere else a number is needed. */
static double
get_outside (const WfDistanceMapOptions *own)
{
  return own->output == WF_DISTANCES_CONTOURS ? INFINITY : 0;
}

/**
 * wf_distance_map_measure:
 * @context: of the computation
 * @image: levels; may be freed by the call
 * @mask: (nullable): u8, 0 where nothing is selected; %NULL or empty if all is
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
                         const WfImage               *mask,
                         const WfDistanceMapOptions  *own,
                         const WfDistanceOptions     *options,
                         WfImage                     *distances,
                         WfImage                     *nearest,
                         double                      *fraction,
                         GError                     **error)
{
  const WfImage     *within = mask && mask->data ? mask : NULL;
  WfDistanceOptions  chosen = *options;
  WfImage           *index;

  if (! choose_side (image, within, own, &chosen, fraction, error) ||
      ! wf_swap_allocate (distances, wf_distance_get_type (&chosen), image->width,
                           image->height, image->depth, error) ||
      (own->output == WF_DISTANCES_NEAREST &&
       ! wf_swap_allocate (nearest, WF_TYPE_U64, image->width, image->height, image->depth,
                            error)))
    return FALSE;

  index = nearest->data ? nearest : NULL;
  if (! within)
    return wf_swap_distance (context, image, distances, index, &chosen, error);
  if (! measure_within (context, within, image, &chosen, distances, index, error))
    return FALSE;
  wf_mask_fill (within, distances, get_outside (own));
  return TRUE;
}

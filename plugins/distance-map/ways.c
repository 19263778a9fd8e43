/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From levels and marks to geodesic distances: the same for the procedure and its preview.
 *
 * Ways lead through the pixels on one side of a threshold, or through all of them; within a
 * selection, through selected ones only.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/swap.h"
#include "ways.h"


/* Sets @inside to 255 where ways lead through. */
static gboolean
find_inside (const WfImage               *image,
             const WfImage               *mask,
             const WfDistanceMapOptions  *own,
             const WfGeodesicOptions     *options,
             WfImage                     *inside,
             double                      *fraction,
             GError                     **error)
{
  double threshold = options->threshold;

  if (! wf_foreground_find_threshold (image, mask, own->automatic_threshold, &threshold, fraction,
                                      error) ||
      ! wf_swap_allocate (inside, WF_TYPE_U8, image->width, image->height, image->depth, error))
    return FALSE;
  if (own->side == WF_DISTANCES_EVERYWHERE)
    memset (inside->data, 255, (gsize) wf_image_n_pixels (inside));
  else
    wf_foreground_mark_parts (image, threshold, own->side == WF_DISTANCES_INSIDE, inside);
  wf_mask_fill (mask, inside, 0);
  return TRUE;
}

static gboolean
any_is_set (const WfImage *first,
            const WfImage *second)
{
  const guint8 *a = first->data;
  const guint8 *b = second->data;
  const gint64  n = wf_image_n_pixels (first);

  for (gint64 i = 0; i < n; i++)
    if (a[i] && b[i])
      return TRUE;
  return FALSE;
}

static gboolean
check_inside (const WfImage               *inside,
              const WfDistanceMapOptions  *own,
              GError                     **error)
{
  if (any_is_set (inside, inside))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       own->side == WF_DISTANCES_INSIDE
                       ? _("No pixel is lighter than the threshold, so that ways lead nowhere.")
                       : own->side == WF_DISTANCES_EVERYWHERE
                       ? _("No pixel is selected by at least half, so that ways lead nowhere.")
                       : _("No pixel is darker than the threshold, so that ways lead nowhere."));
  return FALSE;
}

static gboolean
check_marks (const WfImage  *inside,
             const WfImage  *marks,
             GError        **error)
{
  if (! any_is_set (marks, marks))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The marker has no pixel in the processed region."));
      return FALSE;
    }
  if (any_is_set (inside, marks))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("No pixel of the marker is among those that ways lead through."));
  return FALSE;
}

static void
fill_with_infinity (WfImage *distances)
{
  float        *distance = distances->data;
  const gint64  n        = wf_image_n_pixels (distances);

  for (gint64 i = 0; i < n; i++)
    distance[i] = INFINITY;
}

/**
 * wf_ways_measure:
 * @context: of the computation
 * @image: u8, u16 or f32: levels
 * @marks: u8, not 0 where the marker is
 * @mask: (nullable): u8, 0 where nothing is selected; %NULL or empty if all is
 * @whole: whether this is all of the layer: a part of it need not have marks
 * @own: the procedure's own options
 * @options: the engine's options
 * @distances: set to a new image, f32: infinity where no way leads to, and where ways may not
 *   lead through
 * @fraction: (out): the threshold, as a fraction of the range from black to white
 * @error: %WF_ERROR_INVALID where there is nothing to measure, or as wf_geodesic_distance() sets it
 *
 * All images are to be cleared by the caller.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_ways_measure (WfContext                   *context,
                 const WfImage               *image,
                 const WfImage               *marks,
                 const WfImage               *mask,
                 gboolean                     whole,
                 const WfDistanceMapOptions  *own,
                 const WfGeodesicOptions     *options,
                 WfImage                     *distances,
                 double                      *fraction,
                 GError                     **error)
{
  g_auto (WfImage)  inside = { 0 };
  WfGeodesicOptions chosen = *options;

  if (! find_inside (image, mask, own, options, &inside, fraction, error) ||
      (whole && ! (check_inside (&inside, own, error) && check_marks (&inside, marks, error))) ||
      ! wf_swap_allocate (distances, WF_TYPE_F32, image->width, image->height, image->depth,
                          error))
    return FALSE;
  if (! any_is_set (marks, marks))
    {
      fill_with_infinity (distances);
      return TRUE;
    }
  chosen.threshold = NAN;
  return wf_geodesic_distance (context, &inside, marks, NULL, distances, &chosen, error);
}

static void
scale (WfImage *distances,
       double   unit)
{
  float        *distance = distances->data;
  const gint64  n        = wf_image_n_pixels (distances);

  for (gint64 i = 0; i < n && unit != 1; i++)
    distance[i] = (float) (distance[i] * unit);
}

/* Levels show pixels that no way leads to like those that ways may not lead through. */
static void
make_finite (WfImage *distances)
{
  float        *distance = distances->data;
  const gint64  n        = wf_image_n_pixels (distances);

  for (gint64 i = 0; i < n; i++)
    if (isinf (distance[i]))
      distance[i] = 0;
}

/**
 * wf_ways_finish:
 * @distances: of wf_ways_measure()
 * @mask: (nullable): likewise
 * @pixel: the side of a pixel in the unit of the distances
 * @output: what is made of them
 *
 * Converts distances in pixels to those of the output: levels have 0 where no way leads to, numbers
 * and contour lines infinity.
 */
void
wf_ways_finish (WfImage           *distances,
                const WfImage     *mask,
                double             pixel,
                WfDistancesOutput  output)
{
  scale (distances, pixel);
  if (output != WF_DISTANCES_IMAGE && output != WF_DISTANCES_CONTOURS)
    make_finite (distances);
  if (output == WF_DISTANCES_IMAGE)
    wf_mask_fill (mask, distances, 0);
}

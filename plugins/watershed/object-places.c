/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the number of an object is written: around its deepest pixel, which is always inside, as
 * the centroid of a bent object or of a ring is not.
 */

#include "config.h"

#include "object-places.h"

#define INSCRIBED_CIRCLE (G_GUINT64_CONSTANT (1) << WF_REGION_INSCRIBED_CIRCLE)


/**
 * wf_object_places_find:
 * @context: of the computation
 * @labels: u32, one slice
 * @error: as wf_regions_measure() sets it
 *
 * Returns: (transfer full) (nullable) (element-type WfPreviewNumber): for each label the middle and
 *   the radius of its inscribed circle, in pixels of @labels, and the label as its number
 */
GArray *
wf_object_places_find (WfContext      *context,
                       const WfImage  *labels,
                       GError        **error)
{
  g_autoptr (WfRegions)  regions = wf_regions_measure (context, labels, NULL, INSCRIBED_CIRCLE,
                                                       NULL, error);
  GArray                *places;
  gint64                 n;

  if (! regions)
    return NULL;
  n      = wf_regions_get_n_regions (regions);
  places = g_array_sized_new (FALSE, FALSE, sizeof (WfPreviewNumber), (guint) n);
  for (gint64 i = 0; i < n; i++)
    {
      const WfPreviewNumber place = { wf_regions_get_values (regions, 1)[i],
                                      wf_regions_get_values (regions, 2)[i],
                                      wf_regions_get_values (regions, 3)[i],
                                      (guint32) wf_regions_get_values (regions, 0)[i] };

      g_array_append_val (places, place);
    }
  return places;
}

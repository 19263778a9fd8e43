/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The relief and the flooding of the pixels of a mask, as if the image ended where it ends.
 *
 * Outside the mask the relief is infinitely high, and nowhere else while it is flooded: so no
 * flood comes from there, and nothing is lower inside.  Smoothing and gradients see the level of
 * the nearest pixel of the mask there.  In a distance map of objects the outside is neither object
 * nor background.
 *
 * Parts of the mask that do not touch are flooded separately, and what lies between them is
 * infinitely high for merging, too: nothing joins basins of different parts.
 * A part without a marker is not flooded from markers.
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "masked-flood.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"
#include "swapped-flood.h"


/*  The relief  */

static gboolean
smooth (WfContext  *context,
        WfImage    *levels,
        double      sigma,
        GError    **error)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.smoothing = sigma;
  return wf_watershed_make_relief (context, levels, levels, &options, error);
}

/* What lies outside counts as object, so that no distance leads there. */
static gboolean
prepare_objects (WfContext        *context,
                 const WfImage    *mask,
                 WfImage          *levels,
                 WfReliefOptions  *options,
                 GError          **error)
{
  if (options->smoothing > 0 && ! smooth (context, levels, options->smoothing, error))
    return FALSE;
  options->smoothing = 0;
  wf_mask_fill (mask, levels, options->invert ? wf_mask_lowest (levels->type)
                                              : wf_mask_highest (levels->type));
  return TRUE;
}

/* Sets @objects to what it and @mask have in common, or to @mask if it is empty.  A background
 * inside the mask is then as high as the outside: where a part of the mask has no object, it would
 * be a minimum.
 */
static gboolean
limit_objects (const WfImage  *mask,
               WfImage        *objects,
               WfImage        *relief,
               GError        **error)
{
  if (! objects->data)
    return wf_mask_copy (mask, objects, error);
  wf_mask_fill (mask, objects, 0);
  wf_mask_fill (objects, relief, INFINITY);
  return TRUE;
}

/* Of levels in the swap that are kept a copy is made. */
static gboolean
make (WfContext              *context,
      WfImage                *levels,
      gboolean                keep_levels,
      const WfReliefOptions  *options,
      WfImage                *relief,
      WfImage                *objects,
      GError                **error)
{
  g_auto (WfImage) copy = { 0 };

  if (! wf_swap_is_on ())
    return wf_relief_make (context, levels, keep_levels, options, relief, objects, error);
  if (keep_levels && ! wf_mask_copy (levels, &copy, error))
    return FALSE;
  return wf_swapped_relief_make (context, keep_levels ? &copy : levels, options, relief, objects,
                                 error);
}

/**
 * wf_masked_relief_make:
 * @context: of the computation
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count
 * @levels: as for wf_relief_make()
 * @keep_levels: as for wf_relief_make()
 * @options: as for wf_relief_make()
 * @relief: set to a new image: f32 if there is a mask, with infinity outside of it
 * @objects: set to a new image: what is flooded; left empty if these are all pixels
 * @error: as wf_relief_make() sets it
 *
 * Makes the image that wf_masked_relief_flood() floods.  Levels of 8 and 16 bits are exact in it.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_relief_make (WfContext              *context,
                       const WfImage          *mask,
                       WfImage                *levels,
                       gboolean                keep_levels,
                       const WfReliefOptions  *options,
                       WfImage                *relief,
                       WfImage                *objects,
                       GError                **error)
{
  g_auto (WfImage) filled = { 0 };
  g_auto (WfImage) made   = { 0 };
  WfReliefOptions  taken  = *options;

  if (! mask || ! mask->data)
    return make (context, levels, keep_levels, options, relief, objects, error);
  if (! wf_mask_copy (levels, &filled, error))
    return FALSE;
  if (! keep_levels)
    wf_swap_clear (levels);

  if ((taken.smoothing > 0 || taken.input == WF_INPUT_GRADIENT) &&
      ! wf_mask_spread (context, mask, &filled, error))
    return FALSE;
  if (taken.input == WF_INPUT_OBJECTS &&
      ! prepare_objects (context, mask, &filled, &taken, error))
    return FALSE;
  if (! make (context, &filled, FALSE, &taken, &made, objects, error) ||
      ! wf_mask_to_floats (mask, &made, INFINITY, relief, error))
    return FALSE;
  wf_swap_clear (&made);
  return limit_objects (mask, objects, relief, error);
}


/*  The flooding  */

/* Parts of the mask without a marker become background: what is left is the mask's reconstruction
 * from the markers.
 */
static gboolean
drop_unmarked (WfContext                 *context,
               const WfImage             *mask,
               const WfImage             *markers,
               WfImage                   *objects,
               const WfWatershedOptions  *options,
               GError                   **error)
{
  g_auto (WfImage)      marked = { 0 };
  WfReconstructOptions  reconstruct;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &reconstruct);
  reconstruct.connectivity = options->connectivity;
  if (! wf_swap_allocate (&marked, WF_TYPE_U8, mask->width, mask->height, mask->depth, error))
    return FALSE;
  wf_foreground_mark_parts (markers, NAN, TRUE, &marked);
  if (! wf_swap_reconstruct (context, mask, &marked, &reconstruct, error))
    return FALSE;
  wf_mask_fill (&marked, objects, 0);
  wf_swap_clear (&marked);
  return TRUE;
}

/* Also in parts without a marker, and, for merging, in the background of objects. */
static void
raise_background (const WfImage *objects,
                  WfImage       *relief)
{
  wf_mask_fill (objects, relief, INFINITY);
}

static gboolean
flood (WfContext                 *context,
       const WfImage             *relief,
       const WfImage             *objects,
       gboolean                   from_markers,
       WfImage                   *labels,
       guint32                   *n_basins,
       const WfWatershedOptions  *options,
       GError                   **error)
{
  return wf_swap_is_on ()
         ? wf_swapped_relief_flood (context, relief, objects, from_markers, labels, n_basins,
                                    options, error)
         : wf_relief_flood (context, relief, objects, from_markers, labels, n_basins, options,
                            error);
}

/**
 * wf_masked_relief_flood:
 * @context: of the computation
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count; may be @objects
 * @relief: as wf_masked_relief_make() makes it; with a mask, infinite where nothing was flooded
 *   afterwards
 * @objects: (nullable): as wf_masked_relief_make() makes them; with a mask, without what no
 *   marker reaches afterwards
 * @from_markers: whether @labels hold markers
 * @labels: the markers, 0 elsewhere, and then the basins; 0 outside the mask
 * @n_basins: (out): how many basins there are
 * @options: as for wf_relief_flood()
 * @error: as wf_relief_flood() sets it; also %WF_ERROR_INVALID if no marker lies in the mask
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_relief_flood (WfContext                 *context,
                        const WfImage             *mask,
                        WfImage                   *relief,
                        WfImage                   *objects,
                        gboolean                   from_markers,
                        WfImage                   *labels,
                        guint32                   *n_basins,
                        const WfWatershedOptions  *options,
                        GError                   **error)
{
  WfWatershedOptions taken = *options;

  if (! mask || ! mask->data)
    return flood (context, relief, objects, from_markers, labels, n_basins, options, error);
  if (from_markers && ! wf_foreground_limit_parts (mask, labels))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, mask == objects
                           ? _("No marker lies on an object: check the threshold.")
                           : _("No marker lies in the selection."));
      return FALSE;
    }
  if (from_markers && ! drop_unmarked (context, mask, labels, objects, options, error))
    return FALSE;

  /* what is higher by the tolerance is still lower than the outside */
  taken.tolerance = MIN (taken.tolerance, FLT_MAX / 2);
  if (! flood (context, relief, objects, from_markers, labels, n_basins, &taken, error))
    return FALSE;
  raise_background (objects, relief);
  /* where markers touch, lines may leave nothing of a basin inside */
  return ! from_markers || ! options->lines ||
         wf_swap_count_labels (context, labels, n_basins, error);
}

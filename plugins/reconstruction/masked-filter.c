/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters by reconstruction on the pixels of a mask, as if the image ended where it ends.
 *
 * Outside the mask the image has the level that nothing can pass: the lowest one for a
 * reconstruction by dilation, the highest one for one by erosion.  The edge of the mask is the
 * border from which holes are filled and objects are cleared.
 *
 * Marks of extrema and erosions are made in floats, in which the level outside is none that occurs
 * inside.  Closings and minima are openings and maxima of the inverted image.  Parts that do not
 * touch have no influence on each other, except under a structuring element.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "masked-attributes.h"
#include "masked-filter.h"
#include "masked-windows.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"

/* What does not change from step to step. */
typedef struct
{
  WfContext                 *context;
  const WfImage             *mask;
  const WfMorphologyOptions *options;   /* NULL for others than those by reconstruction */
} Filter;


/*  Reconstruction  */

static double
get_barrier (WfType type,
             int    by)
{
  return by == WF_BY_DILATION ? wf_mask_lowest (type) : wf_mask_highest (type);
}

/**
 * wf_masked_reconstruct:
 * @context: of the computation
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count
 * @levels: the image under or over which is reconstructed; changed outside @mask
 * @marker: changed outside @mask, and then the result; 0 outside @mask
 * @options: as for wf_reconstruct()
 * @error: as wf_reconstruct() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_reconstruct (WfContext                   *context,
                       const WfImage               *mask,
                       WfImage                     *levels,
                       WfImage                     *marker,
                       const WfReconstructOptions  *options,
                       GError                     **error)
{
  wf_mask_fill (mask, levels, get_barrier (levels->type, options->by));
  wf_mask_fill (mask, marker, get_barrier (levels->type, options->by));
  if (! wf_swap_reconstruct (context, levels, marker, options, error))
    return FALSE;
  wf_mask_fill (mask, marker, 0);
  return TRUE;
}

static gboolean
reconstruct (const Filter   *filter,
             const WfImage  *levels,
             WfImage        *marker,
             int             by,
             int             connectivity,
             GError        **error)
{
  WfReconstructOptions taken;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &taken);
  taken.by           = by;
  taken.connectivity = connectivity;
  taken.algorithm    = filter->options->algorithm;
  return wf_swap_reconstruct (filter->context, levels, marker, &taken, error);
}


/*  From the border  */

static gboolean
is_at_border (const WfImage *image,
              gint64         i)
{
  const gint64 x = i % image->width;
  const gint64 y = i / image->width % image->height;
  const gint64 z = i / image->width / image->height;

  return x == 0 || x == image->width - 1 || y == 0 || y == image->height - 1 ||
         (image->depth > 1 && (z == 0 || z == image->depth - 1));
}

#define KEEP_BORDER(Type) \
  WF_FOR_PARTS (part, marker) \
    for (gint64 i = part.first; i < part.end; i++) \
      if (inside[i] && ! is_at_border (marker, i)) \
        ((Type *) marker->data)[i] = (Type) level

/* Outside the mask, and at the image's border, the marker keeps its level. */
static void
fill_interior (const WfImage *mask,
               WfImage       *marker,
               double         level)
{
  const guint8 *inside = mask->data;

  switch (marker->type)
    {
    case WF_TYPE_U8:
      KEEP_BORDER (guint8);
      break;
    case WF_TYPE_U16:
      KEEP_BORDER (guint16);
      break;
    default:
      KEEP_BORDER (float);
      break;
    }
}

/* What lies outside leads to the border: it is the lowest for holes, the highest for objects. */
static gboolean
reconstruct_from_border (const Filter  *filter,
                         WfImage       *image,
                         WfImage       *marker,
                         int            by,
                         int            connectivity,
                         GError       **error)
{
  const gboolean holes = by == WF_BY_EROSION;
  const WfType   type  = image->type;

  wf_mask_fill (filter->mask, image, holes ? wf_mask_lowest (type) : wf_mask_highest (type));
  if (! wf_mask_copy (image, marker, error))
    return FALSE;
  fill_interior (filter->mask, marker, holes ? wf_mask_highest (type) : wf_mask_lowest (type));
  return reconstruct (filter, image, marker, by, connectivity, error);
}

/**
 * wf_levels_differ:
 * @levels: levels, without gaps between their rows
 * @others: type and size of @levels
 * @difference: likewise; set to how far they are apart; may be either of them
 */
void
wf_levels_differ (const WfImage *levels,
                  const WfImage *others,
                  WfImage       *difference)
{
  WF_FOR_PARTS (part, levels)
    {
      const WfImage first  = wf_swap_view (levels, &part);
      const WfImage second = wf_swap_view (others, &part);
      WfImage       out    = wf_swap_view (difference, &part);

      wf_image_find_difference (&first, &second, &out);
    }
}

static gboolean
clear_border (const Filter  *filter,
              WfImage       *image,
              WfImage       *cleared,
              GError       **error)
{
  if (! reconstruct_from_border (filter, image, cleared, WF_BY_DILATION,
                                 filter->options->connectivity, error))
    return FALSE;
  wf_levels_differ (image, cleared, cleared);
  return TRUE;
}

/* By default holes have the dual connectivity. */
static gboolean
fill_holes (const Filter  *filter,
            WfImage       *image,
            WfImage       *filled,
            GError       **error)
{
  const int given = filter->options->connectivity;
  const int dual  = image->depth > 1 ? 6 : 4;

  return reconstruct_from_border (filter, image, filled, WF_BY_EROSION, given ? given : dual,
                                  error);
}


/*  Extrema  */

static gboolean
cut_extrema (const Filter  *filter,
             WfImage       *image,
             WfImage       *cut,
             gboolean       maxima,
             GError       **error)
{
  wf_mask_fill (filter->mask, image,
                get_barrier (image->type, maxima ? WF_BY_DILATION : WF_BY_EROSION));
  return wf_swap_allocate (cut, image->type, image->width, image->height, image->depth, error) &&
         wf_swap_run (filter->context, maxima ? WF_OPERATION_H_MAXIMA : WF_OPERATION_H_MINIMA,
                      image, cut, filter->options, error);
}

/* @image: of regional extrema; of extended ones after cut_extrema() */
static gboolean
mark_extrema (const Filter   *filter,
              const WfImage  *image,
              WfImage        *marks,
              gboolean        maxima,
              GError        **error)
{
  g_auto (WfImage) floats = { 0 };

  return wf_mask_to_floats (filter->mask, image, maxima ? -INFINITY : INFINITY, &floats, error) &&
         wf_swap_allocate (marks, WF_TYPE_U8, image->width, image->height, image->depth, error) &&
         wf_swap_run (filter->context, maxima ? WF_OPERATION_REGIONAL_MAXIMA
                                              : WF_OPERATION_REGIONAL_MINIMA,
                      &floats, marks, filter->options, error);
}

static gboolean
mark_extended (const Filter  *filter,
               WfImage       *image,
               WfImage       *marks,
               gboolean       maxima,
               GError       **error)
{
  g_auto (WfImage) cut = { 0 };

  return cut_extrema (filter, image, &cut, maxima, error) &&
         mark_extrema (filter, &cut, marks, maxima, error);
}


/*  Openings and closings  */

/* As openings by reconstruction do, with levels outside that do not count. */
static gboolean
erode (const Filter   *filter,
       const WfImage  *image,
       WfImage        *eroded,
       GError        **error)
{
  WfFilterOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_EROSION), &options);
  options.element = filter->options->element;
  options.radius  = filter->options->radius;
  return wf_swap_allocate (eroded, image->type, image->width, image->height, image->depth,
                           error) &&
         wf_swap_run (filter->context, WF_OPERATION_EROSION, image, eroded, &options, error);
}

static gboolean
open_image (const Filter   *filter,
            const WfImage  *image,
            WfImage        *opened,
            GError        **error)
{
  g_auto (WfImage) floats = { 0 };
  g_auto (WfImage) marker = { 0 };

  if (! wf_mask_to_floats (filter->mask, image, INFINITY, &floats, error) ||
      ! erode (filter, &floats, &marker, error) ||
      ! wf_swap_allocate (opened, image->type, image->width, image->height, image->depth, error))
    return FALSE;
  wf_mask_fill (filter->mask, &floats, -INFINITY);
  wf_mask_fill (filter->mask, &marker, -INFINITY);
  if (! reconstruct (filter, &floats, &marker, WF_BY_DILATION, filter->options->connectivity,
                     error))
    return FALSE;
  wf_mask_from_floats (filter->mask, &marker, opened);
  return TRUE;
}

/* @closing: whether dark parts are meant; @residue: whether what is removed is the result */
static gboolean
open_or_close (const Filter  *filter,
               WfImage       *image,
               WfImage       *result,
               gboolean       closing,
               gboolean       residue,
               GError       **error)
{
  if (closing)
    wf_swap_invert (image);
  if (! open_image (filter, image, result, error))
    return FALSE;
  if (residue)
    {
      wf_mask_fill (filter->mask, image, 0);
      wf_levels_differ (image, result, result);
    }
  else if (closing)
    wf_swap_invert (result);
  return TRUE;
}


/*  All of them  */

static gboolean
compute (const Filter  *filter,
         WfOperation    operation,
         WfImage       *image,
         WfImage       *result,
         GError       **error)
{
  switch (operation)
    {
    case WF_OPERATION_FILL_HOLES:
      return fill_holes (filter, image, result, error);
    case WF_OPERATION_CLEAR_BORDER:
      return clear_border (filter, image, result, error);
    case WF_OPERATION_H_MAXIMA:
    case WF_OPERATION_H_MINIMA:
      return cut_extrema (filter, image, result, operation == WF_OPERATION_H_MAXIMA, error);
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
      return mark_extrema (filter, image, result, operation == WF_OPERATION_REGIONAL_MAXIMA,
                           error);
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      return mark_extended (filter, image, result, operation == WF_OPERATION_EXTENDED_MAXIMA,
                            error);
    default:
      return open_or_close (filter, image, result,
                            operation == WF_OPERATION_CLOSING_BY_RECONSTRUCTION ||
                            operation == WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
                            operation == WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION ||
                            operation == WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, error);
    }
}

/**
 * wf_masked_filter_run:
 * @context: of the computation
 * @operation: one that the plug-ins offer: holes, border, extrema, openings, closings and top-hats,
 *   erosion, dilation, gradient, median and threshold, openings and closings by attributes
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count
 * @image: u8, u16 or f32, without gaps between its rows
 * @result: of the type that the operation gives, likewise; 0 outside @mask; may be @image, but not
 *   without a mask in the swap
 * @options: of the operation
 * @error: as the operation sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_filter_run (WfContext      *context,
                      WfOperation     operation,
                      const WfImage  *mask,
                      const WfImage  *image,
                      WfImage        *result,
                      gconstpointer   options,
                      GError        **error)
{
  const gboolean   windows = ! (wf_operation_describe (operation)->flags
                                & WF_WORKS_BY_RECONSTRUCTION);
  const Filter     filter  = { context, mask && mask->data ? mask : NULL,
                               windows ? NULL : options };
  g_auto (WfImage) changed = { 0 };
  g_auto (WfImage) made    = { 0 };

  if (! filter.mask)
    return wf_swap_run (context, operation, image, result, options, error);
  if (wf_masked_attributes_has (operation))
    return wf_masked_attributes_run (context, operation, mask, image, result, options, error);
  if (! wf_mask_copy (image, &changed, error) ||
      ! (windows ? wf_masked_windows_run (context, operation, mask, &changed, &made, options,
                                          error)
                 : compute (&filter, operation, &changed, &made, error)))
    return FALSE;
  wf_mask_fill (mask, &made, 0);
  wf_mask_copy_pixels (&made, result);
  return TRUE;
}

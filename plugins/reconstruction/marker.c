/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker of a reconstruction: another drawable of the image that covers the
 * processed region, the selection, or the region itself, lowered or raised.
 *
 * In a stack one drawable marks every slice, and a group marks each slice with its
 * layer of the same index.  If the selection is the marker, it does not limit
 * the processed region.
 *
 * GIMP does not keep items among a procedure's last values.  So that "Repeat" uses
 * the same marker, its name is kept, in an argument that only dialogs
 * use; it also applies to another image with a layer of this name.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "marker-levels.h"
#include "marker.h"
#include "plugins/common/input/stack.h"
#include "plugins/common/preview/layer-pixels.h"
#include "plugins/common/swap/swap.h"


/**
 * wf_marker_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds the arguments "marker" and "from-selection".
 */
void
wf_marker_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_drawable_argument (procedure, "marker", _("_Marker"),
                                        _("The layer or channel that is the marker; it must "
                                          "cover the processed region"),
                                        TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "from-selection", _("_From the selection"),
                                       _("Use the selection as the marker, and process the "
                                         "whole layer"),
                                       FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_string_aux_argument (procedure, "marker-name", "Marker name",
                                          "The marker that was chosen last time",
                                          "", G_PARAM_READWRITE);
}

/**
 * wf_marker_takes_selection:
 * @run: a run
 *
 * Returns: whether its marker is the selection
 */
gboolean
wf_marker_takes_selection (WfJob *run)
{
  g_autoptr (GimpDrawable) marker    = NULL;
  gboolean                 selection = FALSE;

  g_object_get (run->config, "marker", &marker, "from-selection", &selection, NULL);
  return selection || GIMP_IS_SELECTION (marker);
}

/**
 * wf_marker_is_given:
 * @run: a run
 *
 * Returns: whether its marker is not the lowered or raised layer
 */
gboolean
wf_marker_is_given (WfJob *run)
{
  g_autoptr (GimpDrawable) marker = NULL;

  g_object_get (run->config, "marker", &marker, NULL);
  return marker || wf_marker_takes_selection (run);
}

/**
 * wf_marker_check:
 * @run: a run
 * @marker: a drawable
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether @marker belongs to the same image and covers the processed region.
 */
gboolean
wf_marker_check (WfJob         *run,
                 GimpDrawable  *marker,
                 GError       **error)
{
  const WfRegion  *region = &run->region;
  g_autofree char *name   = gimp_item_get_name (GIMP_ITEM (marker));
  const int        slack  = region->scale < 1 ? 1 : 0;   /* for rounding */
  int              left;
  int              top;

  if (gimp_item_get_image (GIMP_ITEM (marker)) != run->image)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” belongs to another image."), name);
      return FALSE;
    }

  gimp_drawable_get_offsets (marker, &left, &top);
  left = wf_region_to_scale (region, left);
  top  = wf_region_to_scale (region, top);
  if (left > region->image_x || top > region->image_y ||
      left + wf_region_to_scale (region, gimp_drawable_get_width (marker)) + slack <
      region->image_x + region->width ||
      top + wf_region_to_scale (region, gimp_drawable_get_height (marker)) + slack <
      region->image_y + region->height)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” does not cover the processed region: %d × %d pixels at "
                     "%d, %d."),
                   name, region->width, region->height, region->image_x, region->image_y);
      return FALSE;
    }
  return TRUE;
}

static GimpDrawable *
find_by_name (GimpImage  *image,
              const char *name)
{
  GimpLayer *layer = gimp_image_get_layer_by_name (image, name);

  if (layer)
    return GIMP_DRAWABLE (layer);
  return GIMP_DRAWABLE (gimp_image_get_channel_by_name (image, name));
}

/**
 * wf_marker_recall:
 * @run: a run that starts from the last values
 * @error: %WF_ERROR_INVALID if the run has no dialog and the last marker is not in the image
 *
 * Returns: whether the last marker has been set, or there was none.
 */
gboolean
wf_marker_recall (WfJob   *run,
                  GError **error)
{
  g_autoptr (GimpDrawable)  given = NULL;
  g_autofree char          *name  = NULL;
  GimpDrawable             *marker;

  g_object_get (run->config, "marker", &given, "marker-name", &name, NULL);
  if (given || ! name || ! *name)
    return TRUE;

  marker = find_by_name (run->image, name);
  if (marker && (run->mode != GIMP_RUN_INTERACTIVE || wf_marker_check (run, marker, NULL)))
    g_object_set (run->config, "marker", marker, NULL);
  else if (run->mode != GIMP_RUN_INTERACTIVE)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The last marker, “%s”, is not in this image."), name);
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_marker_remember:
 * @run: a run that succeeded
 *
 * Keeps the marker for wf_marker_recall().
 */
void
wf_marker_remember (WfJob *run)
{
  g_autoptr (GimpDrawable)  marker = NULL;
  g_autofree char          *name   = NULL;

  g_object_get (run->config, "marker", &marker, NULL);
  if (marker)
    name = gimp_item_get_name (GIMP_ITEM (marker));
  g_object_set (run->config, "marker-name", name ? name : "", NULL);
}


/*  What is read  */

/* Both at the same time would be ambiguous. */
static gboolean
check_choice (WfJob         *run,
              GimpDrawable  *drawable,
              GError       **error)
{
  g_autofree char *name = NULL;

  if (! drawable || GIMP_IS_SELECTION (drawable) || ! wf_marker_takes_selection (run))
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (drawable));
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The marker is either “%s” or the selection, not both."), name);
  return FALSE;
}

static gboolean
check_not_empty (WfJob   *run,
                 GError **error)
{
  if (! gimp_selection_is_empty (run->image))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The selection is the marker, but it is empty."));
  return FALSE;
}

static gboolean
check_number (GimpDrawable  *group,
              guint          n_layers,
              guint          n_slices,
              GError       **error)
{
  g_autofree char *name = NULL;

  if (n_layers == n_slices)
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (group));
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The marker “%s” has %u visible layers, but the stack has %u slices."),
               name, n_layers, n_slices);
  return FALSE;
}

static GPtrArray *
list_one (gpointer drawable)
{
  GPtrArray *list = g_ptr_array_new ();

  g_ptr_array_add (list, drawable);
  return list;
}

/* The number of drawables: one for all slices, or one for each; the selection is one, too. */
static GPtrArray *
list_drawables (WfJob   *run,
                guint    n_slices,
                GError **error)
{
  g_autoptr (GimpDrawable) marker = NULL;
  g_autoptr (GPtrArray)    list   = NULL;

  g_object_get (run->config, "marker", &marker, NULL);
  if (marker && ! gimp_item_is_valid (GIMP_ITEM (marker)))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The marker was deleted."));
      return NULL;
    }
  if (! check_choice (run, marker, error))
    return NULL;
  if (wf_marker_takes_selection (run))
    return check_not_empty (run, error) ? list_one (gimp_image_get_selection (run->image)) : NULL;

  if (n_slices > 1 && gimp_item_is_group (GIMP_ITEM (marker)))
    list = wf_stack_list_group (GIMP_GROUP_LAYER (marker));
  if (list && ! check_number (marker, list->len, n_slices, error))
    return NULL;
  if (! list)
    list = list_one (marker);
  for (guint i = 0; i < list->len; i++)
    if (! wf_marker_check (run, list->pdata[i], error))
      return NULL;
  return g_steal_pointer (&list);
}


/*  All at once  */

static gboolean
read_one (WfJob         *run,
          GimpDrawable  *drawable,
          WfImage       *marker,
          gint64         index,
          GError       **error)
{
  const WfRegion      *region = &run->region;
  const GeglRectangle  part   = { region->image_x, region->image_y,
                                  region->width, region->height };
  gboolean             success;
  WfSlice              slice;

  wf_slice_open (&slice, drawable);
  success = wf_slice_copy (&slice, &part, error);
  if (success)
    wf_slice_read_parts (&slice, region, WF_COMPONENT_LUMINANCE, marker, index);
  wf_slice_close (&slice);
  return success;
}

static void
repeat_first (WfImage *marker)
{
  const gsize size = (gsize) marker->slice_stride * wf_type_size (marker->type);

  for (gint64 i = 1; i < marker->depth; i++)
    {
      memcpy ((char *) marker->data + i * size, marker->data, size);
      wf_swap_release ();
    }
}

static gboolean
read_selection (WfJob          *run,
                GimpDrawable   *selection,
                const WfImage  *mask,
                WfDirection     by,
                WfImage        *marker,
                GError        **error)
{
  WfRegion region   = run->region;
  WfImage  coverage = { 0 };

  if (! wf_swap_allocate (&coverage, WF_TYPE_F32, region.width, region.height, 1, error))
    return FALSE;
  region.selection = selection;
  WF_FOR_PARTS (part, &coverage)
    wf_region_read_selection (&region, (int) part.row, (int) part.n_rows,
                              (float *) coverage.data + part.first);
  wf_marker_from_coverage (mask, coverage.data, by, marker);
  wf_swap_clear (&coverage);
  return TRUE;
}

/**
 * wf_marker_read:
 * @run: the run
 * @mask: the levels of the region, at full resolution
 * @by: the direction of the reconstruction
 * @height: by which to lower or raise @mask if no marker was given
 * @marker: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there is a marker.
 */
gboolean
wf_marker_read (WfJob          *run,
                const WfImage  *mask,
                WfDirection     by,
                double          height,
                WfImage        *marker,
                GError        **error)
{
  g_autoptr (GPtrArray) list = NULL;

  if ((wf_marker_is_given (run) &&
       ! (list = list_drawables (run, (guint) mask->depth, error))) ||
      ! wf_swap_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;

  if (! list)
    {
      wf_marker_shift (mask, by == WF_BY_DILATION ? -height : height, marker);
      return TRUE;
    }
  if (wf_marker_takes_selection (run))
    return read_selection (run, list->pdata[0], mask, by, marker, error);
  for (guint i = 0; i < list->len; i++)
    if (! read_one (run, list->pdata[i], marker, i, error))
      return FALSE;
  if (list->len == 1)
    repeat_first (marker);
  return TRUE;
}


/*  A little at a time  */

/* Reads levels of the mask's type, or the coverage by the selection. */
static WfType
find_type (WfJob *run)
{
  return wf_marker_takes_selection (run) ? WF_TYPE_F32 : run->type;
}

static gboolean
open_pixels (WfJob     *part,
             gpointer  *pixels,
             GError   **error)
{
  g_autoptr (GPtrArray) list = list_drawables (part, part->source->n_slices, error);

  if (! list || (*pixels && ! wf_layer_pixels_are_of (*pixels, list)))
    g_clear_pointer (pixels, wf_layer_pixels_free);
  if (! list)
    return FALSE;
  if (! *pixels)
    *pixels = wf_layer_pixels_new (list, find_type (part), FALSE);
  return TRUE;
}

/**
 * wf_marker_fetch:
 * @part: a run on the previewed region
 * @fetched: the data to keep, for functions of #WfLayerPixels; %NULL at first
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if the marker does not fit
 *
 * Fetches a part of the marker, if it is not the layer itself.
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_fetch (WfJob     *part,
                 gpointer  *fetched,
                 WfFetch   *fetch,
                 GError   **error)
{
  if (! wf_marker_is_given (part))
    return TRUE;
  if ((! *fetched || ! wf_layer_pixels_is_begun (*fetched, &part->region)) &&
      ! open_pixels (part, fetched, error))
    return FALSE;
  wf_layer_pixels_fetch (fetched, &part->region, fetch);
  return TRUE;
}

/* Pixels outside the image, and thus outside the selection, are not selected. */
static gboolean
read_fetched_selection (const WfRegion  *region,
                        WfLayerPixels   *pixels,
                        float           *coverage,
                        GError         **error)
{
  WfRegion         inside = *region;
  g_auto (WfImage) image  = { 0 };
  GeglRectangle    bounds;
  int              right;
  int              bottom;

  wf_layer_pixels_get_bounds (pixels, 0, &bounds);
  right  = MIN (region->image_x + region->width, wf_region_to_scale (region, bounds.width));
  bottom = MIN (region->image_y + region->height, wf_region_to_scale (region, bounds.height));
  inside.image_x = MAX (region->image_x, 0);
  inside.image_y = MAX (region->image_y, 0);
  inside.width   = right - inside.image_x;
  inside.height  = bottom - inside.image_y;
  memset (coverage, 0, (gsize) region->width * region->height * sizeof *coverage);
  if (inside.width <= 0 || inside.height <= 0)
    return TRUE;

  if (! wf_image_allocate (&image, WF_TYPE_F32, inside.width, inside.height, 1, error))
    return FALSE;
  wf_layer_pixels_read_levels (pixels, 0, &inside, &image, 0);
  for (int row = 0; row < inside.height; row++)
    memcpy (coverage + (gsize) (inside.image_y - region->image_y + row) * region->width +
            inside.image_x - region->image_x,
            (const float *) image.data + row * image.row_stride,
            inside.width * sizeof *coverage);
  return TRUE;
}

/* A preview of a very large stack has only some of the slices. */
static gboolean
check_depth (WfJob   *part,
             guint    n_layers,
             guint    depth,
             GError **error)
{
  g_autoptr (GimpDrawable) marker = NULL;

  g_object_get (part->config, "marker", &marker, NULL);
  return check_number (marker, n_layers, depth, error);
}

/**
 * wf_marker_read_fetched:
 * @part: a run on the previewed region
 * @fetched: the data of wf_marker_fetch()
 * @mask: the levels of its region
 * @by: the direction of the reconstruction
 * @marker: set to a new image, to be cleared by the caller; left empty if the marker is
 *   the layer itself
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_read_fetched (WfJob          *part,
                        gpointer        fetched,
                        const WfImage  *mask,
                        WfDirection     by,
                        WfImage        *marker,
                        GError        **error)
{
  const WfRegion   *region   = &part->region;
  g_autofree float *coverage = NULL;
  guint             n;

  if (! wf_marker_is_given (part))
    return TRUE;
  if (! wf_image_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;
  if (wf_marker_takes_selection (part))
    {
      coverage = g_new (float, (gsize) region->width * region->height);
      if (! read_fetched_selection (region, fetched, coverage, error))
        return FALSE;
      wf_marker_from_coverage (mask, coverage, by, marker);
      return TRUE;
    }

  n = wf_layer_pixels_get_n (fetched);
  if (n > 1 && ! check_depth (part, n, (guint) mask->depth, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    wf_layer_pixels_read_levels (fetched, i, region, marker, i);
  if (n == 1)
    repeat_first (marker);
  return TRUE;
}

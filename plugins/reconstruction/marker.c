/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker of a reconstruction: another drawable of the image that covers the
 * region worked on, the selection, or the region itself, lowered or raised.
 *
 * In a stack one drawable marks every slice, and a group marks each slice by its
 * layer of the same number.  The selection, where it is the marker, does not limit
 * what is worked on.
 *
 * GIMP does not keep items among a procedure's last values.  So that "Repeat" does
 * the same again, the marker's name is kept, in an argument that only dialogs
 * see; it also serves another image that has a layer of that name.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "marker-levels.h"
#include "marker.h"
#include "stack.h"


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
                                        _("The layer or channel to grow from; it covers what "
                                          "is worked on"),
                                        TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "from-selection", _("_From the selection"),
                                       _("Grow from what is selected, in all of the layer"),
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
wf_marker_takes_selection (WfRun *run)
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
 * Returns: whether its marker is something else than the layer itself, changed
 */
gboolean
wf_marker_is_given (WfRun *run)
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
 * Returns: whether @marker is of the same image and covers what is worked on.
 */
gboolean
wf_marker_check (WfRun         *run,
                 GimpDrawable  *marker,
                 GError       **error)
{
  const WfRegion  *region = &run->region;
  g_autofree char *name   = gimp_item_get_name (GIMP_ITEM (marker));
  const int        slack  = region->scale < 1 ? 1 : 0;   /* for what was rounded */
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
                   _("The marker “%s” does not cover what is worked on: %d × %d pixels "
                     "at %d, %d."),
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
 * @error: %WF_ERROR_INVALID if it is to go on without asking and the marker that was
 *   chosen last time is not in the image
 *
 * Returns: whether the marker of last time has been set, or there was none.
 */
gboolean
wf_marker_recall (WfRun   *run,
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
                   _("The marker of last time, “%s”, is not in this image."), name);
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
wf_marker_remember (WfRun *run)
{
  g_autoptr (GimpDrawable)  marker = NULL;
  g_autofree char          *name   = NULL;

  g_object_get (run->config, "marker", &marker, NULL);
  if (marker)
    name = gimp_item_get_name (GIMP_ITEM (marker));
  g_object_set (run->config, "marker-name", name ? name : "", NULL);
}

static gboolean
read_one (WfRun         *run,
          GimpDrawable  *drawable,
          WfImage       *marker,
          gint64         index,
          GError       **error)
{
  const WfRegion      *region  = &run->region;
  const GeglRectangle  part    = { region->image_x, region->image_y,
                                   region->width, region->height };
  gboolean             success = TRUE;
  WfSlice              slice;

  wf_slice_open (&slice, drawable);
  if (region->scale == 1)
    success = wf_slice_copy (&slice, &part, error);
  if (success)
    wf_slice_read_levels (&slice, region, WF_COMPONENT_LUMINANCE, marker, index);
  wf_slice_close (&slice);
  return success;
}

static gboolean
read_drawable (WfRun         *run,
               GimpDrawable  *drawable,
               WfImage       *marker,
               GError       **error)
{
  gsize size = (gsize) marker->slice_stride * wf_type_size (marker->type);

  if (! wf_marker_check (run, drawable, error) ||
      ! read_one (run, drawable, marker, 0, error))
    return FALSE;

  for (gint64 i = 1; i < marker->depth; i++)
    memcpy ((char *) marker->data + i * size, marker->data, size);
  return TRUE;
}

static gboolean
read_group (WfRun           *run,
            GimpGroupLayer  *group,
            WfImage         *marker,
            GError         **error)
{
  g_autoptr (GPtrArray) layers = wf_stack_list_group (group);

  if (layers->len != marker->depth)
    {
      g_autofree char *name = gimp_item_get_name (GIMP_ITEM (group));

      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” has %u visible layers, but the stack has %u slices."),
                   name, layers->len, (guint) marker->depth);
      return FALSE;
    }

  for (guint i = 0; i < layers->len; i++)
    if (! wf_marker_check (run, layers->pdata[i], error) ||
        ! read_one (run, layers->pdata[i], marker, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_selection (WfRun          *run,
                const WfImage  *mask,
                WfDirection     by,
                WfImage        *marker,
                GError        **error)
{
  WfRegion          region   = run->region;
  g_autofree float *coverage = NULL;

  if (gimp_selection_is_empty (run->image))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The selection, which is to be the marker, is empty."));
      return FALSE;
    }

  region.selection = GIMP_DRAWABLE (gimp_image_get_selection (run->image));
  coverage         = g_new (float, (gsize) region.width * region.height);
  wf_region_read_selection (&region, 0, region.height, coverage);
  wf_marker_from_coverage (mask, coverage, by, marker);
  return TRUE;
}

/* Both at once would be a riddle. */
static gboolean
check_choice (WfRun         *run,
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

/**
 * wf_marker_read:
 * @run: the run
 * @mask: the levels of the region
 * @by: the direction of the reconstruction
 * @height: how far to lower or raise @mask where no marker was given
 * @marker: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there is a marker.
 */
gboolean
wf_marker_read (WfRun          *run,
                const WfImage  *mask,
                WfDirection     by,
                double          height,
                WfImage        *marker,
                GError        **error)
{
  g_autoptr (GimpDrawable) drawable = NULL;

  g_object_get (run->config, "marker", &drawable, NULL);
  if (! check_choice (run, drawable, error) ||
      ! wf_image_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;

  if (wf_marker_takes_selection (run))
    return read_selection (run, mask, by, marker, error);
  if (drawable && mask->depth > 1 && gimp_item_is_group (GIMP_ITEM (drawable)))
    return read_group (run, GIMP_GROUP_LAYER (drawable), marker, error);
  if (drawable)
    return read_drawable (run, drawable, marker, error);

  wf_marker_shift (mask, by == WF_BY_DILATION ? -height : height, marker);
  return TRUE;
}

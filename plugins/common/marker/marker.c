/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker that a procedure takes beside its layer: another drawable of the image that covers the
 * processed region, or the selection.
 *
 * In a stack one drawable marks every slice, and a group marks each slice with its
 * layer of the same index.  If the selection is the marker, it does not limit
 * the processed region.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "marker.h"
#include "plugins/common/input/stack.h"
#include "plugins/common/procedure/item-memory.h"


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
  wf_item_memory_add_arguments (procedure, "marker");
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
 * Returns: whether it has a marker
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

  if (gimp_item_get_image (GIMP_ITEM (marker)) != run->image)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” belongs to another image."), name);
      return FALSE;
    }

  if (! wf_region_is_covered (region, marker))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” does not cover the processed region: %d × %d pixels at "
                     "%d, %d."),
                   name, region->width, region->height, region->image_x, region->image_y);
      return FALSE;
    }
  return TRUE;
}

/* Of WfItemFits. */
static gboolean
fits (WfJob    *run,
      GimpItem *item)
{
  return wf_marker_check (run, GIMP_DRAWABLE (item), NULL);
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
  g_autofree char *missing = wf_item_memory_recall (run, "marker", fits);

  if (! missing)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The last marker, “%s”, is not in this image."), missing);
  return FALSE;
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
  wf_item_memory_keep (run, "marker");
}


/*  What it consists of  */

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

/**
 * wf_marker_check_number:
 * @run: a run
 * @n_layers: how many drawables the marker has
 * @n_slices: for how many slices
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether there are as many
 */
gboolean
wf_marker_check_number (WfJob   *run,
                        guint    n_layers,
                        guint    n_slices,
                        GError **error)
{
  g_autoptr (GimpDrawable)  group = NULL;
  g_autofree char          *name  = NULL;

  if (n_layers == n_slices)
    return TRUE;

  g_object_get (run->config, "marker", &group, NULL);
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

/**
 * wf_marker_list:
 * @run: a run whose marker is given
 * @n_slices: of the source
 * @error: %WF_ERROR_INVALID if the marker does not fit
 *
 * Returns: (transfer full) (nullable) (element-type GimpDrawable): one drawable for all slices, or
 *   one for each; the selection is one, too
 */
GPtrArray *
wf_marker_list (WfJob   *run,
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
  if (list && ! wf_marker_check_number (run, list->len, n_slices, error))
    return NULL;
  if (! list)
    list = list_one (marker);
  for (guint i = 0; i < list->len; i++)
    if (! wf_marker_check (run, list->pdata[i], error))
      return NULL;
  return g_steal_pointer (&list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers as the slices of a stack.
 *
 * If one layer is selected, the slices are all visible layers of its group or image; if a
 * group is selected, the visible layers in it; if several layers are selected, these
 * layers, visible or not.  The lowest layer is the first slice, as
 * it is the first frame of an animation.
 *
 * Groups are slices, as they look, only if they are selected themselves: the group
 * of the previous result lies beside the layers from which it was made, and is
 * not a slice.  All slices have the same size and position.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "stack.h"
#include "wavefront.h"


static void
append_visible (GPtrArray *slices,
                GimpItem **items)
{
  gsize n = gimp_core_object_array_get_length ((GObject **) items);

  for (gsize i = n; i-- > 0; )
    if (gimp_item_get_visible (items[i]) && ! gimp_item_is_group (items[i]))
      g_ptr_array_add (slices, items[i]);
}

/**
 * wf_stack_list_group:
 * @group: a group
 *
 * Returns: (element-type GimpDrawable) (transfer container): its visible layers, the
 *   lowest first
 */
GPtrArray *
wf_stack_list_group (GimpGroupLayer *group)
{
  GPtrArray            *slices = g_ptr_array_new ();
  g_autofree GimpItem **items  = gimp_item_get_children (GIMP_ITEM (group));

  append_visible (slices, items);
  return slices;
}

static GPtrArray *
list_beside (GimpImage *image,
             GimpItem  *layer)
{
  GimpItem             *parent = gimp_item_get_parent (layer);
  g_autofree GimpItem **items  = NULL;
  GPtrArray            *slices;

  if (parent)
    return wf_stack_list_group (GIMP_GROUP_LAYER (parent));

  slices = g_ptr_array_new ();
  items  = (GimpItem **) gimp_image_get_layers (image);
  append_visible (slices, items);
  return slices;
}

/* Appends the items of @wanted that are among @items or below them, the lowest first. */
static void
append_wanted (GPtrArray     *slices,
               GimpItem     **items,
               GimpDrawable **wanted)
{
  gsize n = gimp_core_object_array_get_length ((GObject **) items);

  for (gsize i = n; i-- > 0; )
    {
      if (gimp_item_is_group (items[i]))
        {
          g_autofree GimpItem **children = gimp_item_get_children (items[i]);

          append_wanted (slices, children, wanted);
        }
      for (gsize k = 0; wanted[k]; k++)
        if (GIMP_ITEM (wanted[k]) == items[i])
          {
            g_ptr_array_add (slices, items[i]);
            break;
          }
    }
}

static gboolean
are_layers (GimpDrawable **drawables,
            GError       **error)
{
  for (gsize i = 0; drawables[i]; i++)
    if (! GIMP_IS_LAYER (drawables[i]))
      {
        g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawables[i]));

        g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                     _("Only layers can be the slices of a stack, and “%s” is not a layer."),
                     name);
        return FALSE;
      }
  return TRUE;
}

static GPtrArray *
list_slices (GimpImage     *image,
             GimpDrawable **drawables)
{
  g_autofree GimpItem **layers = NULL;
  GPtrArray            *slices;

  if (! drawables[1])
    return gimp_item_is_group (GIMP_ITEM (drawables[0]))
           ? wf_stack_list_group (GIMP_GROUP_LAYER (drawables[0]))
           : list_beside (image, GIMP_ITEM (drawables[0]));

  slices = g_ptr_array_new ();
  layers = (GimpItem **) gimp_image_get_layers (image);
  append_wanted (slices, layers, drawables);
  return slices;
}

/**
 * wf_stack_find_slices:
 * @image: the image
 * @drawables: the selected ones, at least one, terminated by %NULL
 * @error: %WF_ERROR_INVALID
 *
 * Returns: (element-type GimpDrawable) (transfer container) (nullable): the layers that
 *   are the slices, the lowest first
 */
GPtrArray *
wf_stack_find_slices (GimpImage     *image,
                      GimpDrawable **drawables,
                      GError       **error)
{
  g_autoptr (GPtrArray) slices = NULL;

  if (! are_layers (drawables, error))
    return NULL;

  slices = list_slices (image, drawables);
  if (slices->len < 2)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("A stack needs two visible layers or more, and there are %u."),
                   slices->len);
      return NULL;
    }
  return wf_stack_check (slices, error) ? g_steal_pointer (&slices) : NULL;
}

typedef struct
{
  int left;
  int top;
  int width;
  int height;
} Place;

static Place
place_of (GimpDrawable *drawable)
{
  Place place;

  gimp_drawable_get_offsets (drawable, &place.left, &place.top);
  place.width  = gimp_drawable_get_width (drawable);
  place.height = gimp_drawable_get_height (drawable);
  return place;
}

/**
 * wf_stack_check:
 * @slices: (element-type GimpDrawable): layers
 * @error: %WF_ERROR_INVALID, which names the layer that does not fit
 *
 * Returns: whether they have the same size and position.
 */
gboolean
wf_stack_check (GPtrArray  *slices,
                GError    **error)
{
  Place first = place_of (slices->pdata[0]);

  for (guint i = 1; i < slices->len; i++)
    {
      Place            place  = place_of (slices->pdata[i]);
      g_autofree char *name   = NULL;
      g_autofree char *lowest = NULL;

      if (place.left == first.left && place.top == first.top &&
          place.width == first.width && place.height == first.height)
        continue;

      name   = gimp_item_get_name (slices->pdata[i]);
      lowest = gimp_item_get_name (slices->pdata[0]);
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The layer “%s”, %d × %d pixels at %d, %d, does not lie exactly over the "
                     "lowest of the stack, “%s”, %d × %d pixels at %d, %d."),
                   name, place.width, place.height, place.left, place.top,
                   lowest, first.width, first.height, first.left, first.top);
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_stack_get_name:
 * @image: the image
 * @slices: (element-type GimpDrawable): layers
 *
 * Returns: (transfer full): the name of their group, or of the image
 */
char *
wf_stack_get_name (GimpImage *image,
                   GPtrArray *slices)
{
  GimpItem *parent = gimp_item_get_parent (slices->pdata[slices->len - 1]);

  return parent ? gimp_item_get_name (parent) : gimp_image_get_name (image);
}

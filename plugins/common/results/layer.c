/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers with results.
 *
 * They have the size and the position of the processed region, and the type
 * and the precision of its image.  They are filled before they are inserted:
 * an error or the end of the process leaves the image unchanged.
 *
 * The result for a stack is a group with a layer for each slice.  GIMP cannot insert layers
 * into a group that is not in an image, so the layers are kept beside it until then.
 *
 * strip.c fills them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "layer.h"


static GimpImageType
layer_type (GimpImage *image,
            gboolean   alpha)
{
  if (gimp_image_get_base_type (image) == GIMP_GRAY)
    return alpha ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE;
  return alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE;
}

static char *
fill_in (const char *format,
         const char *name)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);

  return g_strjoinv (name, parts);
}

static GimpLayer *
layer_new (WfJob        *run,
           const char   *format,
           GimpDrawable *drawable,
           gboolean      alpha)
{
  const WfRegion  *region = &run->region;
  g_autofree char *source = gimp_item_get_name (GIMP_ITEM (drawable));
  g_autofree char *name   = fill_in (format, source);
  GimpLayer       *layer;

  layer = gimp_layer_new (run->image, name, region->width, region->height,
                          layer_type (run->image, alpha), 100.0,
                          gimp_image_get_default_new_layer_mode (run->image));
  gimp_layer_set_offsets (layer, region->image_x, region->image_y);
  return layer;
}

/**
 * wf_result_layer_new:
 * @run: the run
 * @name: of the layer, with %s for the name of the processed layer
 * @alpha: whether some of its pixels are transparent; it always has alpha if the region is
 *   not completely selected and opaque
 *
 * Makes an empty layer, or a group of layers for a stack, which is inserted if the
 * run succeeds, above those made before.
 *
 * Returns: (transfer none): the layer or the group, not yet in the image
 */
GimpLayer *
wf_result_layer_new (WfJob      *run,
                     const char *name,
                     gboolean    alpha)
{
  const WfSource *source = run->source;
  WfResult       *result = g_new0 (WfResult, 1);

  alpha |= wf_source_has_alpha (source);
  result->source = source;
  result->layers = g_ptr_array_new ();
  for (guint i = 0; i < source->n_slices; i++)
    g_ptr_array_add (result->layers,
                     layer_new (run, name, source->slices[i].drawable, alpha));

  if (source->n_slices == 1)
    result->layer = result->layers->pdata[0];
  else
    {
      g_autofree char *full = fill_in (name, source->name);

      result->layer = GIMP_LAYER (gimp_group_layer_new (run->image, full));
    }
  g_ptr_array_add (run->results, result);
  return result->layer;
}

/**
 * wf_result_find:
 * @run: the run
 * @layer: a layer, or a group, made for it
 *
 * Returns: (transfer none): its result
 */
const WfResult *
wf_result_find (WfJob     *run,
                GimpLayer *layer)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const WfResult *result = run->results->pdata[i];

      if (result->layer == layer)
        return result;
    }
  g_return_val_if_reached (NULL);
}


/*  The results of a run  */

static void
result_free (WfResult *result)
{
  g_ptr_array_unref (result->layers);
  g_free (result);
}

/**
 * wf_results_new:
 *
 * Returns: (transfer full): an empty list of results
 */
GPtrArray *
wf_results_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) result_free);
}

/* Results of a mask are inserted above its layer, those of a channel on top. */
static void
find_place (GimpImage  *image,
            GimpItem   *item,
            GimpLayer **parent,
            int        *position)
{
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));

  *parent   = NULL;
  *position = 0;
  if (item && GIMP_IS_LAYER (item))
    {
      *parent   = GIMP_LAYER (gimp_item_get_parent (item));
      *position = gimp_image_get_item_position (image, item);
    }
}

static void
insert (GimpImage      *image,
        const WfResult *result,
        const WfResult *below)
{
  gboolean   first = ! below || below->source != result->source;
  GimpLayer *parent;
  int        position;

  find_place (image, first ? result->source->anchor : GIMP_ITEM (below->layer),
              &parent, &position);
  gimp_image_insert_layer (image, result->layer, parent, position);
  if (result->source->n_slices > 1)
    for (guint i = 0; i < result->layers->len; i++)
      gimp_image_insert_layer (image, result->layers->pdata[i], result->layer, 0);
}

/* Inserting a layer selects it.  This restores the user's selection of layers for the next
 * filter; "Repeat" and "Re-show" then use the same layers.
 */
static void
select_again (GimpImage  *image,
              GimpItem  **selected)
{
  if (! selected[0])
    return;

  if (GIMP_IS_LAYER (selected[0]))
    gimp_image_set_selected_layers (image, (const GimpLayer **) selected);
  else if (GIMP_IS_LAYER_MASK (selected[0]))
    {
      const GimpLayer *layers[] = { gimp_layer_from_mask (GIMP_LAYER_MASK (selected[0])), NULL };

      gimp_image_set_selected_layers (image, layers);
    }
  else if (GIMP_IS_CHANNEL (selected[0]))
    gimp_image_set_selected_channels (image, (const GimpChannel **) selected);
}

/**
 * wf_results_insert:
 * @run: the run
 *
 * Inserts the layers into the image, above their sources, the first one lowest.
 */
void
wf_results_insert (WfJob *run)
{
  g_autofree GimpItem **selected = NULL;

  selected = (GimpItem **) gimp_image_get_selected_drawables (run->image);
  for (guint i = 0; i < run->results->len; i++)
    insert (run->image, run->results->pdata[i], i > 0 ? run->results->pdata[i - 1] : NULL);
  select_again (run->image, selected);
}

/**
 * wf_results_delete:
 * @run: the run
 *
 * Deletes the layers, which are not in the image yet.
 */
void
wf_results_delete (WfJob *run)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const WfResult *result = run->results->pdata[i];

      for (guint k = 0; k < result->layers->len; k++)
        gimp_item_delete (result->layers->pdata[k]);
      if (result->source->n_slices > 1)
        gimp_item_delete (GIMP_ITEM (result->layer));
    }
}

/**
 * wf_results_list:
 * @run: the run
 *
 * Returns: (array zero-terminated=1) (transfer full): the layers, for a stack the groups,
 *   in the order in which they were made, as a #GimpCoreObjectArray
 */
GObject **
wf_results_list (WfJob *run)
{
  GObject **list = g_new0 (GObject *, run->results->len + 1);

  for (guint i = 0; i < run->results->len; i++)
    list[i] = G_OBJECT (((const WfResult *) run->results->pdata[i])->layer);
  return list;
}

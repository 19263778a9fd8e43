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
#include "plugins/common/script/history.h"


static GimpImageType
layer_type (GimpImage *image,
            gboolean   alpha)
{
  if (gimp_image_get_base_type (image) == GIMP_GRAY)
    return alpha ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE;
  return alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE;
}

/* New layers do not fit into the palette of an indexed image. */
static gboolean
becomes_rgb (const WfJob *run)
{
  return run->to_rgb || gimp_image_get_base_type (run->image) == GIMP_INDEXED;
}

/* GIMP makes no layer of colours for a grey image.  If the image will be converted, its new layers
 * are first made for another image, which is of the new type.
 */
static GimpImage *
get_home (WfJob *run)
{
  if (! becomes_rgb (run))
    return run->image;
  if (! run->home)
    {
      run->home = gimp_image_new_with_precision (gimp_image_get_width (run->image),
                                                 gimp_image_get_height (run->image), GIMP_RGB,
                                                 gimp_image_get_precision (run->image));
      gimp_image_undo_disable (run->home);
    }
  return run->home;
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
  GimpImage       *home   = get_home (run);
  GimpLayer       *layer;

  layer = gimp_layer_new (home, name, region->width, region->height,
                          layer_type (home, alpha), 100.0,
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

      result->layer = GIMP_LAYER (gimp_group_layer_new (get_home (run), full));
    }
  g_ptr_array_add (run->results, result);
  return result->layer;
}

static WfResult *
find_result (WfJob     *run,
             GimpLayer *layer)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      WfResult *result = run->results->pdata[i];

      if (result->layer == layer)
        return result;
    }
  g_return_val_if_reached (NULL);
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
  return find_result (run, layer);
}

/**
 * wf_result_layer_set_next:
 * @run: the run
 * @layer: a layer, or a group, made for it
 *
 * Selects @layer instead of its source when it is inserted, because it takes the place of the
 * source in the next step.  A script's selection of layers does not change.
 */
void
wf_result_layer_set_next (WfJob     *run,
                          GimpLayer *layer)
{
  find_result (run, layer)->next = TRUE;
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

static gboolean
is_covered (GimpImage *image,
            GimpItem  *item)
{
  GimpItem             *parent = gimp_item_get_parent (item);
  g_autofree GimpItem **beside = parent ? gimp_item_get_children (parent)
                                        : (GimpItem **) gimp_image_get_layers (image);

  for (gsize i = 0; beside[i] && beside[i] != item; i++)
    if (gimp_item_get_visible (beside[i]))
      return TRUE;
  return FALSE;
}

/* The group in which a new layer is visible on top: that of the source, or the next one outside
 * where something lies over that.  Results of a mask belong to its layer, those of a channel
 * to the image.
 */
static GimpLayer *
find_parent (GimpImage *image,
             GimpItem  *item)
{
  GimpItem *parent = NULL;

  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));
  if (item && GIMP_IS_LAYER (item))
    parent = gimp_item_get_parent (item);
  while (parent && is_covered (image, parent))
    parent = gimp_item_get_parent (parent);
  return (GimpLayer *) parent;
}

static GimpLayer *
move_layer (WfJob     *run,
            GimpLayer *layer)
{
  GimpItem        *item = GIMP_ITEM (layer);
  g_autofree char *name = gimp_item_get_name (item);
  GimpLayer       *moved;
  int              x, y;

  moved = gimp_item_is_group (item)
          ? GIMP_LAYER (gimp_group_layer_new (run->image, name))
          : gimp_layer_new_from_drawable (GIMP_DRAWABLE (layer), run->image);
  gimp_drawable_get_offsets (GIMP_DRAWABLE (layer), &x, &y);
  gimp_layer_set_offsets (moved, x, y);
  gimp_layer_set_opacity (moved, gimp_layer_get_opacity (layer));
  gimp_item_set_visible (GIMP_ITEM (moved), gimp_item_get_visible (item));
  gimp_item_set_name (GIMP_ITEM (moved), name);
  return moved;
}

static void
replace_value (WfJob     *run,
               GimpLayer *layer,
               GimpLayer *moved)
{
  for (int i = 0; i < gimp_value_array_length (run->values); i++)
    {
      GValue *value = gimp_value_array_index (run->values, i);

      if (G_VALUE_HOLDS_OBJECT (value) && g_value_get_object (value) == layer)
        g_value_set_object (value, moved);
    }
}

/* Brings a result from the image it was made for into the converted one. */
static void
move (WfJob    *run,
      WfResult *result)
{
  GimpLayer *whole = result->layer;
  gboolean   stack = result->source->n_slices > 1;

  for (guint i = 0; i < result->layers->len; i++)
    {
      GimpLayer *layer = result->layers->pdata[i];

      result->layers->pdata[i] = move_layer (run, layer);
      if (! stack)
        result->layer = result->layers->pdata[i];
      else
        gimp_item_delete (GIMP_ITEM (layer));
    }
  if (stack)
    result->layer = move_layer (run, whole);
  replace_value (run, whole, result->layer);
  gimp_item_delete (GIMP_ITEM (whole));
}

static void
insert (GimpImage      *image,
        const WfResult *result)
{
  gimp_image_insert_layer (image, result->layer, find_parent (image, result->source->anchor), 0);
  if (result->source->n_slices > 1)
    for (guint i = 0; i < result->layers->len; i++)
      gimp_image_insert_layer (image, result->layers->pdata[i], result->layer, 0);
}

/* Inserting a layer selects it.  This restores the user's selection of layers for the next
 * filter, unless that works on the results; "Repeat" and "Re-show" then use the same layers.
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

static gboolean
select_next (WfJob *run)
{
  g_autoptr (GPtrArray) next = g_ptr_array_new ();

  for (guint i = 0; i < run->results->len; i++)
    {
      const WfResult *result = run->results->pdata[i];

      if (result->next)
        g_ptr_array_add (next, result->layer);
    }
  if (next->len == 0 || run->mode == GIMP_RUN_NONINTERACTIVE)
    return FALSE;
  g_ptr_array_add (next, NULL);
  gimp_image_set_selected_layers (run->image, (const GimpLayer **) next->pdata);
  return TRUE;
}

/**
 * wf_results_insert:
 * @run: the run
 *
 * Converts the image to RGB if that is requested or it is indexed, and inserts the layers into it,
 * above all layers beside their sources, the first one lowest: what has just been made is
 * visible, also above older results.
 */
void
wf_results_insert (WfJob *run)
{
  g_autofree GimpItem **selected = NULL;

  selected = (GimpItem **) gimp_image_get_selected_drawables (run->image);
  if (run->results->len > 0 && becomes_rgb (run))
    {
      gimp_image_convert_rgb (run->image);
      for (guint i = 0; i < run->results->len; i++)
        move (run, run->results->pdata[i]);
    }
  for (guint i = 0; i < run->results->len; i++)
    insert (run->image, run->results->pdata[i]);
  if (! select_next (run))
    select_again (run->image, selected);
}

/**
 * wf_result_add_history:
 * @run: the run, after wf_history_begin()
 * @result: one of its results, in the image
 *
 * Keeps with its layers how they were made.
 */
void
wf_result_add_history (WfJob          *run,
                       const WfResult *result)
{
  wf_history_add (run, result->source, GIMP_ITEM (result->layer));
  for (guint i = 0; result->source->n_slices > 1 && i < result->layers->len; i++)
    wf_history_add (run, result->source, result->layers->pdata[i]);
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

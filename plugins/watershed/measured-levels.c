/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The levels that are measured: those of the picture that is flooded, or of another layer or
 * channel of the image, such as another fluorescence channel, or of another component of the same
 * layer.
 *
 * What is measured must cover all that is flooded, wherever it lies and whatever its size and its
 * precision: an object of which a part is not covered would get a mean that says nothing of it.
 * For a stack it is a group with a layer for each slice.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "item-choice.h"
#include "measured-levels.h"
#include "object-options.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/input/stack.h"
#include "plugins/common/marker/marker-pixels.h"
#include "plugins/common/preview/layer-pixels.h"
#include "plugins/common/procedure/arguments.h"
#include "plugins/common/procedure/item-memory.h"
#include "plugins/common/swap/swap.h"

/**
 * MeasuredOptions:
 * @source: the choice among wf_components
 */
typedef struct
{
  gsize size;
  int   source;
} MeasuredOptions;

static const WfOption options[] =
{
  { "measure-source", WF_OPTION_CHOICE, G_STRUCT_OFFSET (MeasuredOptions, source),
    N_("Measured le_vels"),
    N_("The component of a pixel of the measured layer that is its level"),
    NULL, 0, 0, WF_COMPONENT_LUMINANCE, wf_components },
};

static const WfOptionGroup group =
{
  "measured-levels", NULL, NULL, options, G_N_ELEMENTS (options), sizeof (MeasuredOptions)
};


/*  Arguments  */

/**
 * wf_measured_levels_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds the arguments "measure-on" and "measure-source".
 */
void
wf_measured_levels_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_drawable_argument (procedure, "measure-on", _("Mea_sure on"),
                                        _("The layer or channel whose levels are measured, and "
                                          "whose mean levels are limited; for a stack a group "
                                          "with a layer for each slice; without one the levels "
                                          "that are flooded"),
                                        TRUE, G_PARAM_READWRITE);
  wf_arguments_add (procedure, &group, NULL);
  wf_item_memory_add_arguments (procedure, "measure-on");
}

/**
 * wf_measured_levels_recall:
 * @run: a run that starts from the last values
 * @error: %WF_ERROR_INVALID if the run has no dialog, mean levels are limited, and the last layer
 *   is not in the image
 *
 * Returns: whether the last layer has been set, or it is not needed
 */
gboolean
wf_measured_levels_recall (WfJob   *run,
                           GError **error)
{
  g_autofree char *missing = wf_item_memory_recall (run, "measure-on", NULL);

  /* a repetition writes no table, so only limits depend on the layer */
  if (! missing || ! wf_object_options_limit_levels (G_OBJECT (run->config)))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The layer that was measured last, “%s”, is not in this image."), missing);
  return FALSE;
}

/**
 * wf_measured_levels_remember:
 * @run: a run that succeeded
 *
 * Keeps the layer for wf_measured_levels_recall().
 */
void
wf_measured_levels_remember (WfJob *run)
{
  wf_item_memory_keep (run, "measure-on");
}

/**
 * wf_measured_levels_are_others:
 * @config: the values of the arguments
 *
 * Returns: whether other levels are measured than those that are flooded
 */
gboolean
wf_measured_levels_are_others (GObject *config)
{
  g_autoptr (GimpDrawable) drawable = NULL;

  g_object_get (config, "measure-on", &drawable, NULL);
  return drawable != NULL;
}

/**
 * wf_measured_levels_get_type:
 * @run: a run, whose dialog may be open
 *
 * Returns: the type of the measured levels
 */
WfType
wf_measured_levels_get_type (WfJob *run)
{
  g_autoptr (GimpDrawable) drawable = NULL;

  g_object_get (run->config, "measure-on", &drawable, NULL);
  return drawable && gimp_item_is_valid (GIMP_ITEM (drawable)) ? wf_pixels_get_type (drawable)
                                                               : run->type;
}


/*  What is measured  */

static gboolean
refuse (GimpDrawable  *drawable,
        const char    *format,
        GError       **error)
{
  g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawable));
  g_auto (GStrv)   ends = g_strsplit (format, "%s", 2);

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID, "%s%s%s", ends[0], name, ends[1]);
  return FALSE;
}

static gboolean
check_one (WfJob         *run,
           GimpDrawable  *drawable,
           WfComponent    component,
           GError       **error)
{
  g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawable));

  if (! wf_region_is_covered (&run->region, drawable))
    return refuse (drawable, _("The layer “%s”, on which objects are measured, does not cover all "
                               "that is flooded."), error);
  return wf_component_check (component, wf_pixels_get_own_format (drawable), name, error);
}

/* The layers of a group for a stack, or the only one. */
static GPtrArray *
list_layers (WfJob         *run,
             GimpDrawable  *drawable,
             GError       **error)
{
  const guint           n_slices = run->source->n_slices;
  g_autoptr (GPtrArray) list     = NULL;

  if (n_slices > 1 && gimp_item_is_group (GIMP_ITEM (drawable)))
    list = wf_stack_list_group (GIMP_GROUP_LAYER (drawable));
  else
    {
      list = g_ptr_array_new ();
      g_ptr_array_add (list, drawable);
    }
  if (list->len == n_slices)
    return g_steal_pointer (&list);
  refuse (drawable, _("To measure a stack on “%s”, it must be a group with as many visible layers "
                      "as the stack has slices."), error);
  return NULL;
}

/* Returns: (transfer full) (nullable): the layers of a run that measures others */
static GPtrArray *
open_layers (WfJob        *run,
             WfComponent  *component,
             GError      **error)
{
  g_autoptr (GimpDrawable) drawable = NULL;
  g_autoptr (GPtrArray)    list     = NULL;
  g_autofree char         *stain    = NULL;
  MeasuredOptions          chosen;

  g_object_get (run->config, "measure-on", &drawable, WF_OWN_STAIN, &stain, NULL);
  if (! wf_arguments_read (G_OBJECT (run->config), &group, run->type, &chosen, error) ||
      ! wf_own_stain_choose (chosen.source, stain, component, error))
    return NULL;
  if (! gimp_item_is_valid (GIMP_ITEM (drawable)))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The layer on which objects are measured was deleted."));
      return NULL;
    }
  if (gimp_item_get_image (GIMP_ITEM (drawable)) != run->image)
    {
      refuse (drawable, _("The layer “%s”, on which objects are measured, belongs to another "
                          "image."), error);
      return NULL;
    }
  list = list_layers (run, drawable, error);
  for (guint i = 0; list && i < list->len; i++)
    if (! check_one (run, list->pdata[i], *component, error))
      return NULL;
  return g_steal_pointer (&list);
}

/**
 * wf_measured_levels_read:
 * @run: a run
 * @levels: set to a new image, to be cleared by the caller; left empty if the levels that are
 *   flooded are measured
 * @error: %WF_ERROR_INVALID if the layer does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_measured_levels_read (WfJob    *run,
                         WfImage  *levels,
                         GError  **error)
{
  g_autoptr (GPtrArray) list = NULL;
  WfComponent           component;

  if (! wf_measured_levels_are_others (G_OBJECT (run->config)))
    return TRUE;
  list = open_layers (run, &component, error);
  return list &&
         wf_swap_allocate (levels, wf_pixels_get_type (list->pdata[0]), run->region.width,
                           run->region.height, list->len, error) &&
         wf_marker_read_levels (run, list, component, levels, error);
}


/*  For a preview  */

/**
 * wf_measured_levels_fetch:
 * @part: a run on the previewed region
 * @fetched: the data to keep, for functions of #WfLayerPixels; %NULL at first
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if the layer does not fit
 *
 * Fetches some of the levels.
 *
 * Returns: whether there was no error
 */
gboolean
wf_measured_levels_fetch (WfJob     *part,
                          gpointer  *fetched,
                          WfFetch   *fetch,
                          GError   **error)
{
  g_autoptr (GPtrArray) list = NULL;
  WfComponent           component;

  if (! wf_measured_levels_are_others (G_OBJECT (part->config)))
    {
      g_clear_pointer (fetched, wf_layer_pixels_free);
      return TRUE;
    }
  if (! *fetched || ! wf_layer_pixels_is_begun (*fetched, &part->region))
    {
      list = open_layers (part, &component, error);
      if (! list || (*fetched && ! wf_layer_pixels_are_of (*fetched, list)))
        g_clear_pointer (fetched, wf_layer_pixels_free);
      if (! list)
        return FALSE;
      if (! *fetched)
        *fetched = wf_layer_pixels_new (list, wf_pixels_get_type (list->pdata[0]), component,
                                        FALSE);
    }
  wf_layer_pixels_fetch (fetched, &part->region, fetch);
  return TRUE;
}

/**
 * wf_measured_levels_read_fetched:
 * @part: a run on the previewed region
 * @fetched: (nullable): the data of wf_measured_levels_fetch()
 * @first: the first slice to read
 * @n: how many slices to read
 * @levels: set to a new image, as by wf_measured_levels_read()
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_measured_levels_read_fetched (WfJob     *part,
                                 gpointer   fetched,
                                 gint64     first,
                                 gint64     n,
                                 WfImage   *levels,
                                 GError   **error)
{
  if (! fetched)
    return TRUE;
  if (! wf_image_allocate (levels, wf_measured_levels_get_type (part), part->region.width,
                           part->region.height, n, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    wf_layer_pixels_read_levels (fetched, (guint) (first + i), &part->region, levels, i);
  return TRUE;
}


/*  The controls in the dialog  */

static gboolean
is_of_image (GimpImage *image,
             GimpItem  *item,
             gpointer   run)
{
  return gimp_item_get_image (item) == ((WfJob *) run)->image;
}

/* The levels of gray layers are one component. */
static void
follow_layer (GObject    *config,
              GParamSpec *pspec,
              GtkWidget  *source)
{
  g_autoptr (GimpDrawable) drawable = NULL;
  gboolean                 has_choice;

  g_object_get (config, "measure-on", &drawable, NULL);
  has_choice = drawable && gimp_item_is_valid (GIMP_ITEM (drawable)) &&
               (! gimp_drawable_is_gray (drawable) || gimp_drawable_has_alpha (drawable));
  if (! has_choice)
    g_object_set (config, "measure-source", "luminance", NULL);
  gtk_widget_set_visible (source, has_choice);
}

/**
 * wf_measured_levels_add_controls:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds the rows with the layer and its component.
 */
void
wf_measured_levels_add_controls (WfDialog     *dialog,
                                 WfOptionGrid *grid)
{
  WfJob             *run    = wf_dialog_get_run (dialog);
  GObject           *config = G_OBJECT (run->config);
  g_autoptr (GList)  labels = NULL;
  GtkWidget         *source;

  wf_arguments_repair (config, &group, NULL);
  wf_item_choice_add (dialog, grid, gimp_drawable_combo_box_new (is_of_image, run, NULL),
                      "measure-on", _("The levels that are flooded"));
  source = wf_option_grid_add_option (grid, &options[0]);
  labels = gtk_widget_list_mnemonic_labels (source);
  for (GList *label = labels; label; label = label->next)
    g_object_bind_property (source, "visible", label->data, "visible", G_BINDING_SYNC_CREATE);
  follow_layer (config, NULL, source);
  g_signal_connect_object (config, "notify::measure-on", G_CALLBACK (follow_layer), source, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was chosen last time of arguments that are items of the image.
 *
 * GIMP does not keep items among a procedure's last values.  So that "Repeat" uses the same item,
 * its kind and its name are kept, in arguments that only dialogs use; they also apply to another
 * image with such an item.  In an image no two layers have the same name, nor two channels, nor two
 * paths, but a channel may have that of a layer.
 */

#include "config.h"

#include <string.h>

#include "item-memory.h"

#define LAYER     "layer"
#define CHANNEL   "channel"
#define PATH      "path"
#define SELECTION "selection"


static char *
name_argument (const char *property)
{
  return g_strconcat (property, "-name", NULL);
}

static char *
kind_argument (const char *property)
{
  return g_strconcat (property, "-kind", NULL);
}

/**
 * wf_item_memory_add_arguments:
 * @procedure: a procedure under construction
 * @property: an argument that is an item
 *
 * Adds the arguments that keep which one was chosen.
 */
void
wf_item_memory_add_arguments (GimpProcedure *procedure,
                              const char    *property)
{
  g_autofree char *name = name_argument (property);
  g_autofree char *kind = kind_argument (property);

  gimp_procedure_add_string_aux_argument (procedure, name, name,
                                          "The name of what was chosen last time", "",
                                          G_PARAM_READWRITE);
  gimp_procedure_add_string_aux_argument (procedure, kind, kind,
                                          "Whether that was a layer, a channel, a path or the "
                                          "selection", "", G_PARAM_READWRITE);
}

static const char *
kind_of (GimpItem *item)
{
  return GIMP_IS_SELECTION (item) ? SELECTION
         : GIMP_IS_LAYER (item) ? LAYER
         : GIMP_IS_CHANNEL (item) ? CHANNEL : PATH;
}

/* @fits: (nullable): what a dialog needs; without a dialog the run itself says what does not fit */
static gboolean
can_be (WfJob      *run,
        const char *property,
        WfItemFits  fits,
        GimpItem   *item)
{
  const GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (run->config),
                                                          property);

  return G_TYPE_CHECK_INSTANCE_TYPE (item, pspec->value_type) &&
         (run->mode != GIMP_RUN_INTERACTIVE || ! fits || fits (run, item));
}

/* What was chosen, if @image has it; an empty selection is none. */
static GimpItem *
find_kind (GimpImage  *image,
           const char *kind,
           const char *name)
{
  gpointer item = NULL;

  if (strcmp (kind, SELECTION) == 0 && ! gimp_selection_is_empty (image))
    item = gimp_image_get_selection (image);
  else if (strcmp (kind, LAYER) == 0)
    item = gimp_image_get_layer_by_name (image, name);
  else if (strcmp (kind, CHANNEL) == 0)
    item = gimp_image_get_channel_by_name (image, name);
  else if (strcmp (kind, PATH) == 0)
    item = gimp_image_get_path_by_name (image, name);
  return item;
}

/* Older versions have kept no kind: it is the first one that can be. */
static GimpItem *
find (WfJob      *run,
      const char *property,
      WfItemFits  fits,
      const char *kind,
      const char *name)
{
  static const char *const kinds[] = { LAYER, CHANNEL, PATH };
  const gboolean           known   = kind && *kind;

  for (guint i = 0; i < (known ? 1 : G_N_ELEMENTS (kinds)); i++)
    {
      GimpItem *item = find_kind (run->image, known ? kind : kinds[i], name);

      if (item && can_be (run, property, fits, item))
        return item;
    }
  return NULL;
}

/**
 * wf_item_memory_keep:
 * @run: a run that succeeded
 * @property: the argument
 *
 * Keeps its item for wf_item_memory_recall().
 */
void
wf_item_memory_keep (WfJob      *run,
                     const char *property)
{
  g_autofree char      *name_memory = name_argument (property);
  g_autofree char      *kind_memory = kind_argument (property);
  g_autoptr (GimpItem)  item        = NULL;
  g_autofree char      *name        = NULL;

  g_object_get (run->config, property, &item, NULL);
  if (item)
    name = gimp_item_get_name (item);
  g_object_set (run->config, name_memory, name ? name : "", kind_memory,
                item ? kind_of (item) : "", NULL);
}

/**
 * wf_item_memory_recall:
 * @run: a run that starts from the last values
 * @property: the argument
 * @fits: (nullable): what a dialog needs
 *
 * Sets the last item, unless one is given or there was none.
 *
 * Returns: (transfer full) (nullable): the name of the item, if it is missing and no dialog will
 *   show that
 */
char *
wf_item_memory_recall (WfJob      *run,
                       const char *property,
                       WfItemFits  fits)
{
  const gboolean        has_dialog  = run->mode == GIMP_RUN_INTERACTIVE;
  g_autofree char      *name_memory = name_argument (property);
  g_autofree char      *kind_memory = kind_argument (property);
  g_autoptr (GimpItem)  given       = NULL;
  g_autofree char      *name        = NULL;
  g_autofree char      *kind        = NULL;
  GimpItem             *item;

  g_object_get (run->config, property, &given, name_memory, &name, kind_memory, &kind, NULL);
  if (given || ! name || ! *name)
    return NULL;

  item = find (run, property, fits, kind, name);
  if (item)
    {
      g_object_set (run->config, property, item, NULL);
      return NULL;
    }
  return has_dialog ? NULL : g_steal_pointer (&name);
}

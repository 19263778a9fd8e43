/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters that stay in a layer: GIMP applies them to its pixels, which the recorded steps have
 * made, each time that it shows them.  They are no record but what is there now.
 *
 * Of the operations of Wavefront for GEGL (plugins/gegl/) the title and the options are given, as
 * GIMP has them.  That module need not be loaded in this process.  What those of others mean is not
 * known here: they have a name only.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "filters.h"
#include "plugins/common/script/call.h"
#include "plugins/gegl/names.h"


static void
filter_free (gpointer data)
{
  WfHistoryFilter *filter = data;

  g_free (filter->operation);
  g_clear_pointer (&filter->arguments, g_ptr_array_unref);
  g_free (filter);
}

/* Operations of GEGL that have another name or title than the engine's. */
static const struct
{
  const char  *name;
  WfOperation  operation;
  const char  *title;
} others[] =
{
  { WF_GEGL_DISTANCE_MAP,    WF_OPERATION_DISTANCE,  NULL },
  { WF_GEGL_WATERSHED_LINES, WF_OPERATION_WATERSHED, WF_GEGL_WATERSHED_LINES_TITLE },
  { WF_GEGL_WATERSHED_MEANS, WF_OPERATION_WATERSHED, WF_GEGL_WATERSHED_MEANS_TITLE },
};

/* NULL: an operation of others.  One of a later version has its name as its title. */
static const char *
find_title (const char *operation)
{
  const char *name = operation + strlen (WF_GEGL_PREFIX);

  if (! g_str_has_prefix (operation, WF_GEGL_PREFIX))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].name, name) == 0)
      return g_dgettext (GETTEXT_PACKAGE,
                         others[i].title ? others[i].title
                         : wf_operation_get_options (others[i].operation)->title);
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOptionGroup *group = wf_operation_get_options ((WfOperation) i);

      if (strcmp (group->name, name) == 0)
        return g_dgettext (GETTEXT_PACKAGE, group->title);
    }
  return g_intern_string (name);
}

static GPtrArray *
read_arguments (GimpDrawableFilter *filter)
{
  GPtrArray               *arguments;
  GObject                 *config = G_OBJECT (gimp_drawable_filter_get_config (filter));
  guint                    n_specs;
  g_autofree GParamSpec  **specs  = g_object_class_list_properties (G_OBJECT_GET_CLASS (config),
                                                                    &n_specs);

  arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_call_value_free);
  for (guint i = 0; i < n_specs; i++)
    g_ptr_array_add (arguments, wf_call_value_new (config, specs[i]));
  return arguments;
}

static const char *
spell_mode (GimpLayerMode mode)
{
  GEnumClass *modes = g_type_class_ref (GIMP_TYPE_LAYER_MODE);
  const char *name  = g_enum_get_value (modes, (int) mode)->value_nick;

  g_type_class_unref (modes);
  return name;
}

static WfHistoryFilter *
filter_new (GimpDrawableFilter *filter)
{
  WfHistoryFilter *self = g_new0 (WfHistoryFilter, 1);

  self->operation = gimp_drawable_filter_get_operation_name (filter);
  self->title     = find_title (self->operation);
  self->visible   = gimp_drawable_filter_get_visible (filter);
  self->opacity   = gimp_drawable_filter_get_opacity (filter);
  self->mode      = spell_mode (gimp_drawable_filter_get_blend_mode (filter));
  if (self->title)
    self->arguments = read_arguments (filter);
  return self;
}

/**
 * wf_history_filters_read:
 * @item: a layer, a channel or a path
 *
 * Returns: (transfer full) (element-type WfHistoryFilter): the filters that it has, the one that is
 *   applied first as the first one
 */
GPtrArray *
wf_history_filters_read (GimpItem *item)
{
  GPtrArray                      *filters = g_ptr_array_new_with_free_func (filter_free);
  g_autofree GimpDrawableFilter **list    = NULL;
  gsize                           n       = 0;

  if (GIMP_IS_DRAWABLE (item))
    list = gimp_drawable_get_filters (GIMP_DRAWABLE (item));
  while (list && list[n])
    n++;
  while (n > 0)
    g_ptr_array_add (filters, filter_new (list[--n]));
  return filters;
}

static void
write_filter (const WfHistoryFilter *filter,
              JsonBuilder           *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "operation");
  json_builder_add_string_value (builder, filter->operation);
  if (filter->title)
    {
      json_builder_set_member_name (builder, "title");
      json_builder_add_string_value (builder, filter->title);
    }
  json_builder_set_member_name (builder, "visible");
  json_builder_add_boolean_value (builder, filter->visible);
  json_builder_set_member_name (builder, "opacity");
  json_builder_add_double_value (builder, filter->opacity);
  json_builder_set_member_name (builder, "mode");
  json_builder_add_string_value (builder, filter->mode);
  if (filter->arguments)
    wf_call_write_arguments (filter->arguments, builder);
  json_builder_end_object (builder);
}

/**
 * wf_history_filters_to_json:
 * @filters: (element-type WfHistoryFilter): filters
 *
 * Returns: (transfer full): a list of objects
 */
char *
wf_history_filters_to_json (GPtrArray *filters)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode)    root    = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < filters->len; i++)
    write_filter (filters->pdata[i], builder);
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

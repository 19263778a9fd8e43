/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Properties of GEGL's operations from the engine's tables of options, and options from their
 * values.
 *
 * As in the arguments of the plug-ins, levels are fractions of the range from black to white, so
 * that a setting means the same at every precision.  Unlike those, numbers have their real range,
 * which GEGL keeps, and choices are enumerations.  What makes no difference to the result, or
 * is for stacks only, is no property.  The sizes of a pixel along x and y are two.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "layer-texts.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/results/line-kinds.h"
#include "properties.h"
#include "ui/options/level-fraction.h"

/* Of numbers whose table has no limit. */
#define HIGHEST 1e12

/* The least size of a pixel. */
#define LEAST_SPACING 1e-6

/* GEGL makes a pad of each, and computes again after a change. */
#define FLAGS ((GParamFlags) (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | GEGL_PARAM_PAD_INPUT))

typedef struct
{
  gsize size;
  int   source;
  int   encoding;
} ComponentOptions;

static const WfChoice encodings[] =
{
  { "non-linear", WF_GEGL_NON_LINEAR, N_("Non-linear, as colors are shown") },
  { "stored",     WF_GEGL_STORED,     N_("As the input has them") },
  { NULL,         0,                  NULL }
};

/* GIMP gives linear light to a filter above another one, whatever the layer has. */
static const WfOption component_options[] =
{
  WF_COMPONENT_OPTION (ComponentOptions, source),
  { "encoding", WF_OPTION_CHOICE, G_STRUCT_OFFSET (ComponentOptions, encoding),
    N_("Encoding of levels"),
    N_("The levels that thresholds and heights count in: above another filter the input is linear "
       "light"),
    NULL, 0, 0, WF_GEGL_NON_LINEAR, encodings },
};

static const WfOptionGroup component_group =
{
  "source", NULL, NULL,
  component_options, G_N_ELEMENTS (component_options), sizeof (ComponentOptions)
};


static const WfOptionGroup *
get_group (const WfGeglKind *kind,
           WfGeglGroup       group)
{
  switch (group)
    {
    case WF_GEGL_OWN:
      return kind->own;
    case WF_GEGL_OPERATION:
      return wf_operation_get_options (kind->operation);
    case WF_GEGL_COLORS:
      return kind->takes_colors ? wf_colors_get_options () : NULL;
    default:
      return &component_group;
    }
}


/*  Descriptions  */

static gboolean
is_listed (const char * const *list,
           const char         *name)
{
  return list && g_strv_contains (list, name);
}

/* A label without its mnemonic, which Chinese and Japanese append in brackets. */
static char *
plain_label (const char *label)
{
  const char    *text     = g_dgettext (GETTEXT_PACKAGE, label);
  const char    *appended = strstr (text, "(_");
  g_auto (GStrv) parts    = NULL;

  if (appended)
    return g_strndup (text, (gsize) (appended - text));
  parts = g_strsplit (text, "_", -1);
  return g_strjoinv (NULL, parts);
}

static const char *
get_blurb (const WfOption       *option,
           const WfArgumentNote *notes)
{
  const WfArgumentNote *note = wf_arguments_find_note (notes, option->name);

  return wf_gegl_translate (note && note->blurb ? note->blurb : option->blurb);
}

static gboolean
is_choice_hidden (const WfGeglKind *kind,
                  const WfOption   *option,
                  const WfChoice   *choice)
{
  g_autofree char *name = g_strdup_printf ("%s/%s", option->name, choice->name);

  return choice->for_comparison ||
         (option->meaning == WF_OPTION_CONNECTIVITY && wf_is_stack_connectivity (choice->value)) ||
         is_listed (kind->hidden, name);
}

/* Turns "fill-holes" into "FillHoles". */
static void
append_words (GString    *text,
              const char *name)
{
  gboolean start = TRUE;

  for (; *name; name++)
    if (*name == '-')
      start = TRUE;
    else
      {
        g_string_append_c (text, start ? g_ascii_toupper (*name) : *name);
        start = FALSE;
      }
}

/* The enumeration of an option's choices, which lives as long as the process. */
static GType
register_choices (const WfGeglKind *kind,
                  const WfOption   *option)
{
  g_autoptr (GString)  name   = g_string_new ("WfGegl");
  GArray              *values = g_array_new (TRUE, TRUE, sizeof (GEnumValue));
  GType                type;

  append_words (name, wf_gegl_kind_get_name (kind));
  append_words (name, option->name);
  type = g_type_from_name (name->str);
  for (const WfChoice *choice = option->choices; choice->name && type == 0; choice++)
    if (! is_choice_hidden (kind, option, choice))
      {
        GEnumValue value = { choice->value, wf_gegl_translate (choice->label), choice->name };

        g_array_append_val (values, value);
      }
  if (type == 0)
    return g_enum_register_static (name->str, (GEnumValue *) g_array_free (values, FALSE));
  g_array_unref (values);
  return type;
}


/*  Properties  */

/* The range of a control: what is usual. */
static double
get_usual_maximum (const WfOption *option)
{
  switch (option->meaning)
    {
    case WF_OPTION_LENGTH:
      return 100;
    case WF_OPTION_AREA:
    case WF_OPTION_VOLUME:
      return 10000;
    case WF_OPTION_SLOPE:
      return 1;
    default:
      return option->maximum;
    }
}

/* Sliders of sizes move slowly where they are small. */
static double
get_gamma (const WfOption *option)
{
  switch (option->meaning)
    {
    case WF_OPTION_LENGTH:
      return 2;
    case WF_OPTION_AREA:
    case WF_OPTION_VOLUME:
      return 3;
    default:
      return 1;
    }
}

static GParamSpec *
make_level (const WfOption *option,
            const char     *label,
            const char     *blurb,
            double          initially)
{
  const double lowest = wf_level_lowest (option);
  GParamSpec  *spec   = gegl_param_spec_double (option->name, label, blurb, lowest, 1, initially,
                                                lowest, 1, 1, FLAGS);

  gegl_param_spec_double_set_steps (GEGL_PARAM_SPEC_DOUBLE (spec), 0.001, 0.01);
  gegl_param_spec_double_set_digits (GEGL_PARAM_SPEC_DOUBLE (spec), 4);
  return spec;
}

static GParamSpec *
make_real (const WfOption *option,
           const char     *label,
           const char     *blurb,
           double          initially)
{
  const double highest = MIN (option->maximum, HIGHEST);
  const double lowest  = MAX (option->minimum, -HIGHEST);
  const double usual   = MIN (get_usual_maximum (option), highest);
  GParamSpec  *spec;

  if (wf_level_is_fraction (option))
    return make_level (option, label, blurb, initially);
  spec = gegl_param_spec_double (option->name, label, blurb, lowest, highest, initially,
                                 lowest, MAX (usual, initially), get_gamma (option), FLAGS);
  gegl_param_spec_double_set_steps (GEGL_PARAM_SPEC_DOUBLE (spec), usual > 10 ? 1 : 0.01,
                                    usual > 10 ? 10 : 0.1);
  gegl_param_spec_double_set_digits (GEGL_PARAM_SPEC_DOUBLE (spec), 2);
  return spec;
}

static GParamSpec *
make_int (const WfOption *option,
          const char     *label,
          const char     *blurb,
          double          initially)
{
  const int highest = (int) option->maximum;
  const int usual   = (int) MIN (get_usual_maximum (option), option->maximum);

  return gegl_param_spec_int (option->name, label, blurb, (int) option->minimum, highest,
                              (int) initially, (int) option->minimum, usual, get_gamma (option),
                              FLAGS);
}

static GParamSpec *
make_spec (const WfGeglKind *kind,
           const WfOption   *option)
{
  g_autofree char *label     = plain_label (option->label);
  const char      *blurb     = get_blurb (option, kind->notes);
  const double     initially = wf_argument_get_default (option, kind->notes);

  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      return g_param_spec_boolean (option->name, label, blurb, initially != 0, FLAGS);
    case WF_OPTION_INT:
      return make_int (option, label, blurb, initially);
    case WF_OPTION_REAL:
      return make_real (option, label, blurb, initially);
    case WF_OPTION_CHOICE:
      return gegl_param_spec_enum (option->name, label, blurb, register_choices (kind, option),
                                   (int) initially, FLAGS);
    default:
      return NULL;
    }
}

static void
add_property (GArray           *properties,
              const WfGeglKind *kind,
              WfGeglProperty    property)
{
  const WfGeglSensitivity *rule = kind->sensitive;

  if (property.option && property.option->meaning == WF_OPTION_LENGTH)
    gegl_param_spec_set_property_key (property.spec, "unit", "pixel-distance");
  for (; rule && rule->property; rule++)
    if (strcmp (rule->property, property.spec->name) == 0)
      gegl_param_spec_set_property_key (property.spec, "sensitive", rule->condition);
  g_array_append_val (properties, property);
}

static void
add_spacing (GArray           *properties,
             const WfGeglKind *kind,
             const WfOption   *option,
             WfGeglGroup       group)
{
  static const char * const labels[] = { N_("Pixel width"), N_("Pixel height") };
  static const char * const blurbs[] = { N_("Size of a pixel along x"),
                                         N_("Size of a pixel along y") };

  for (int axis = 0; axis < 2; axis++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%c", option->name, "xy"[axis]);
      WfGeglProperty   property = { NULL, option, group, axis };

      property.spec = gegl_param_spec_double (name, _(labels[axis]), _(blurbs[axis]),
                                              LEAST_SPACING, HIGHEST, 1, 0.01, 100, 2, FLAGS);
      add_property (properties, kind, property);
    }
}

/* GEGL's pads have these names. */
static const char *
get_property_name (const WfOption *option)
{
  return strcmp (option->name, "input") == 0 ? "relief" :
         strcmp (option->name, "output") == 0 ? "result" : option->name;
}

static void
add_group (GArray           *properties,
           const WfGeglKind *kind,
           WfGeglGroup       group)
{
  const WfOptionGroup *options = get_group (kind, group);

  for (guint i = 0; options && i < options->n_options; i++)
    {
      const WfOption *option   = &options->options[i];
      WfGeglProperty  property = { NULL, option, group, 0 };
      WfOption        named    = *option;

      named.name = get_property_name (option);
      if (option->meaning == WF_OPTION_ALGORITHM || option->meaning == WF_OPTION_COMPARISON ||
          is_listed (kind->hidden, option->name))
        continue;
      if (option->kind == WF_OPTION_SPACING)
        add_spacing (properties, kind, option, group);
      else if ((property.spec = make_spec (kind, &named)))
        add_property (properties, kind, property);
    }
}

/* What is described by a text, beside the choice of it. */
static void
add_own_stain (GArray           *properties,
               const WfGeglKind *kind)
{
  WfGeglProperty property = { NULL };

  property.spec = g_param_spec_string (WF_OWN_STAIN, wf_own_stain_get_label (),
                                       wf_own_stain_get_blurb (), "", FLAGS);
  gegl_param_spec_set_property_key (property.spec, "sensitive", "source {own-stain}");
  add_property (properties, kind, property);
}

/**
 * wf_gegl_properties_new:
 * @kind: a kind of operations
 *
 * Returns: (transfer full): the #WfGeglProperty that it has, in their order in dialogs
 */
GArray *
wf_gegl_properties_new (const WfGeglKind *kind)
{
  GArray          *properties = g_array_new (FALSE, FALSE, sizeof (WfGeglProperty));
  g_autofree char *label      = plain_label (N_("_Line color"));

  for (int group = 0; group < WF_GEGL_COMPONENT; group++)
    add_group (properties, kind, (WfGeglGroup) group);
  if (kind->has_lines)
    {
      WfGeglProperty property = { NULL };

      property.spec = gegl_param_spec_color_from_string ("line-color", label,
                                                         _("The color of the lines"),
                                                         WF_LINE_COLOR, FLAGS);
      add_property (properties, kind, property);
    }
  add_group (properties, kind, WF_GEGL_COMPONENT);
  add_own_stain (properties, kind);
  return properties;
}


/*  Values  */

static void
read_value (const WfGeglProperty *property,
            const GValue         *value,
            WfType                type,
            gpointer              field)
{
  const WfOption *option = property->option;
  double          number;

  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case WF_OPTION_INT:
      *(int *) field = g_value_get_int (value);
      break;
    case WF_OPTION_CHOICE:
      *(int *) field = g_value_get_enum (value);
      break;
    case WF_OPTION_REAL:
      number = g_value_get_double (value);
      *(double *) field = wf_level_is_fraction (option)
                          ? wf_level_from_fraction (number, type)
                          : number * wf_level_get_factor (option, type);
      break;
    default:
      ((double *) field)[property->axis] = g_value_get_double (value);
      break;
    }
}

/**
 * wf_gegl_properties_read:
 * @properties: of wf_gegl_properties_new()
 * @values: of each
 * @group: the options to read
 * @kind: the kind of operations
 * @type: of the image, for levels
 * @options: the struct that the group describes; all fields are set
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether the values are valid
 */
gboolean
wf_gegl_properties_read (const GArray      *properties,
                         const GValue      *values,
                         WfGeglGroup        group,
                         const WfGeglKind  *kind,
                         WfType             type,
                         gpointer           options,
                         GError           **error)
{
  const WfOptionGroup *described = get_group (kind, group);

  wf_option_group_init (described, options);
  for (guint i = 0; i < properties->len; i++)
    {
      const WfGeglProperty *property = &g_array_index (properties, WfGeglProperty, i);

      if (property->option && property->group == group)
        read_value (property, &values[i], type,
                    G_STRUCT_MEMBER_P (options, property->option->offset));
    }
  return wf_option_group_check (described, options, error);
}

/**
 * wf_gegl_properties_new_options:
 * @kind: a kind of operations
 * @group: a group
 *
 * Returns: (transfer full) (nullable): memory for wf_gegl_properties_read(); %NULL if the kind has
 *   no such options
 */
gpointer
wf_gegl_properties_new_options (const WfGeglKind *kind,
                                WfGeglGroup       group)
{
  const WfOptionGroup *described = get_group (kind, group);

  return described ? g_malloc0 (described->size) : NULL;
}

/**
 * wf_gegl_colors_get:
 * @options: (nullable): those of %WF_GEGL_COLORS, if the kind has them
 *
 * Returns: what becomes of colors
 */
WfColorWay
wf_gegl_colors_get (gconstpointer options)
{
  return options ? (WfColorWay) ((const WfColorOptions *) options)->colors : WF_COLORS_GRAY;
}

/**
 * wf_gegl_encoding_get:
 * @options: those of %WF_GEGL_COMPONENT
 *
 * Returns: the encoding in which levels are taken
 */
WfGeglEncoding
wf_gegl_encoding_get (gconstpointer options)
{
  return (WfGeglEncoding) ((const ComponentOptions *) options)->encoding;
}

/**
 * wf_gegl_component_get:
 * @options: those of %WF_GEGL_COMPONENT
 * @stain: (nullable): the value of the property %WF_OWN_STAIN
 * @component: set to the component that is the level
 * @error: %WF_ERROR_INVALID if @stain is not one, and it is chosen
 *
 * Returns: whether there is such a component
 */
gboolean
wf_gegl_component_get (gconstpointer   options,
                       const char     *stain,
                       WfComponent    *component,
                       GError        **error)
{
  return wf_own_stain_choose (((const ComponentOptions *) options)->source, stain, component,
                              error);
}

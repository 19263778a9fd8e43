/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The record of a call: the procedure, what it is called for, and the values of all its arguments,
 * as texts and numbers that outlive the image.  Scripts are written from it (python.c,
 * script-fu.c), and it is kept with the layers that the call made (history.c), as JSON
 * (call-json.c).
 *
 * The arguments are those that the procedure has registered, whatever they are: there is no other
 * list of them.  Values that only dialogs use are not among them.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "call.h"
#include "command-line.h"
#include "plugins/common/procedure/plug-in.h"

/* What differs less from a color of 8 bits is that color. */
#define COLOR_SLACK 1e-4


/**
 * wf_call_value_free:
 * @value: a value
 */
void
wf_call_value_free (WfCallValue *value)
{
  g_free (value->name);
  g_free (value->text);
  g_free (value);
}

static GPtrArray *
values_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) wf_call_value_free);
}

/**
 * wf_call_new_empty:
 *
 * Returns: (transfer full): a call without anything
 */
WfCall *
wf_call_new_empty (void)
{
  WfCall *call = g_new0 (WfCall, 1);

  call->drawables = values_new ();
  call->arguments = values_new ();
  return call;
}

/**
 * wf_call_free:
 * @call: (nullable): a call
 */
void
wf_call_free (WfCall *call)
{
  if (! call)
    return;
  g_free (call->procedure);
  g_free (call->operation);
  g_free (call->version);
  g_free (call->image);
  g_free (call->command);
  g_free (call->made);
  g_clear_pointer (&call->drawables, g_ptr_array_unref);
  g_clear_pointer (&call->arguments, g_ptr_array_unref);
  g_free (call);
}

/**
 * wf_call_spell:
 * @number: a number
 *
 * Returns: (transfer full): it with a decimal point, and with as few digits as tell it from other
 *   numbers
 */
char *
wf_call_spell (double number)
{
  const WfOption option = { .name = "number", .kind = WF_OPTION_REAL, .offset = sizeof (gsize) };
  const struct { gsize size; double number; } options = { sizeof options, number };

  return wf_option_format (&option, &options);
}


/*  Values  */

/* A marker may have been deleted while a dialog is open. */
static void
set_item (WfCallValue *value,
          gpointer     item)
{
  if (item && ! gimp_item_is_valid (item))
    item = NULL;
  if (item && GIMP_IS_LAYER_MASK (item))
    {
      value->kind = WF_CALL_MASK;
      item        = gimp_layer_from_mask (item);
    }
  else
    value->kind = ! item || GIMP_IS_LAYER (item) ? WF_CALL_LAYER
                  : GIMP_IS_SELECTION (item)     ? WF_CALL_SELECTION
                  : GIMP_IS_PATH (item)          ? WF_CALL_PATH : WF_CALL_CHANNEL;
  if (item)
    value->text = gimp_item_get_name (item);
}

/* A default color does not reach the procedure as such (plugins/common/dialog/line-color.c). */
static void
set_color (WfCallValue *value,
           GeglColor   *color,
           GeglColor   *usual)
{
  const Babl *format = babl_format ("R'G'B'A double");
  double      given[4];
  double      plain[4];
  guint       bytes[3];

  value->kind       = WF_CALL_COLOR;
  value->is_default = TRUE;
  if (! color)
    return;
  gegl_color_get_pixel (color, format, given);
  if (given[3] <= 0)
    return;
  for (int i = 0; i < 3; i++)
    {
      bytes[i] = (guint) (CLAMP (given[i], 0, 1) * 255 + 0.5);
      value->is_rounded |= fabs (given[i] * 255 - bytes[i]) > COLOR_SLACK * 255;
    }
  value->text = g_strdup_printf ("#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
  if (usual)
    gegl_color_get_pixel (usual, format, plain);
  for (int i = 0; i < 3; i++)
    value->is_default &= usual && fabs (given[i] - plain[i]) <= COLOR_SLACK;
}

static void
set_number (WfCallValue  *value,
            WfCallKind    kind,
            GParamSpec   *spec,
            const GValue *given,
            double        number)
{
  value->kind       = kind;
  value->number     = number;
  value->is_default = g_param_values_cmp (spec, given, g_param_spec_get_default_value (spec)) == 0;
}

/* A string that is not set is an empty one: GIMP may give either for the other. */
static const char *
get_text (const GValue *string)
{
  const char *text = g_value_get_string (string);

  return text ? text : "";
}

/**
 * wf_call_value_new:
 * @config: has the value
 * @spec: of the argument
 *
 * Returns: (transfer full): the present value
 */
WfCallValue *
wf_call_value_new (GObject    *config,
                   GParamSpec *spec)
{
  WfCallValue  *value   = g_new0 (WfCallValue, 1);
  GValue        given   = G_VALUE_INIT;
  const GValue *usual   = g_param_spec_get_default_value (spec);

  value->name = g_strdup (spec->name);
  g_value_init (&given, G_PARAM_SPEC_VALUE_TYPE (spec));
  g_object_get_property (config, spec->name, &given);
  if (G_VALUE_HOLDS_BOOLEAN (&given))
    set_number (value, WF_CALL_BOOLEAN, spec, &given, g_value_get_boolean (&given));
  else if (G_VALUE_HOLDS_INT (&given))
    set_number (value, WF_CALL_INT, spec, &given, g_value_get_int (&given));
  else if (G_VALUE_HOLDS_DOUBLE (&given))
    set_number (value, WF_CALL_REAL, spec, &given, g_value_get_double (&given));
  else if (G_VALUE_HOLDS (&given, GEGL_TYPE_COLOR))
    set_color (value, g_value_get_object (&given), g_value_get_object (usual));
  else if (G_VALUE_HOLDS (&given, G_TYPE_FILE))
    {
      GFile *file = g_value_get_object (&given);

      value->kind       = WF_CALL_FILE;
      value->text       = file ? g_file_get_parse_name (file) : NULL;
      value->is_default = file == NULL;
    }
  else if (G_VALUE_HOLDS (&given, GIMP_TYPE_ITEM))
    {
      set_item (value, g_value_get_object (&given));
      value->is_default = value->text == NULL;
    }
  else
    {
      value->kind       = WF_CALL_TEXT;
      value->text       = G_VALUE_HOLDS_STRING (&given) ? g_strdup (get_text (&given)) : NULL;
      value->is_default = ! G_VALUE_HOLDS_STRING (&given) ||
                          strcmp (value->text, get_text (usual)) == 0;
    }
  g_value_unset (&given);
  return value;
}

/* GIMP's own arguments are not recorded as values. */
static gboolean
is_own (GParamSpec *spec)
{
  return strcmp (spec->name, "run-mode") != 0 && strcmp (spec->name, "image") != 0 &&
         strcmp (spec->name, "drawables") != 0;
}

static void
add_arguments (WfCall *call,
               WfJob  *run)
{
  GimpProcedure  *procedure = gimp_procedure_config_get_procedure (run->config);
  int             n_specs;
  GParamSpec    **specs     = gimp_procedure_get_arguments (procedure, &n_specs);

  for (int i = 0; i < n_specs; i++)
    if (is_own (specs[i]))
      g_ptr_array_add (call->arguments, wf_call_value_new (G_OBJECT (run->config), specs[i]));
}

/**
 * wf_call_new:
 * @run: a run, whose dialog may be open
 * @drawables: what is processed, terminated by %NULL
 *
 * Returns: (transfer full): what @run does with the present values of the arguments
 */
WfCall *
wf_call_new (WfJob         *run,
             GimpDrawable **drawables)
{
  WfCall *call = wf_call_new_empty ();

  call->procedure = g_strdup (run->procedure->name);
  call->operation = g_strdup (wf_operation_get_options (run->procedure->operation)->name);
  call->version   = g_strdup (WF_VERSION);
  call->image     = gimp_image_get_name (run->image);
  for (gsize i = 0; drawables[i]; i++)
    {
      WfCallValue *value = g_new0 (WfCallValue, 1);

      set_item (value, drawables[i]);
      g_ptr_array_add (call->drawables, value);
    }
  add_arguments (call, run);
  call->command = wf_command_line_write (run, drawables, call);
  return call;
}

/**
 * wf_call_find:
 * @call: a call
 * @name: of an argument
 *
 * Returns: (transfer none) (nullable): its value
 */
const WfCallValue *
wf_call_find (const WfCall *call,
              const char   *name)
{
  for (guint i = 0; i < call->arguments->len; i++)
    {
      const WfCallValue *value = call->arguments->pdata[i];

      if (strcmp (value->name, name) == 0)
        return value;
    }
  return NULL;
}

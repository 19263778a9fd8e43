/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls in Python, for GIMP's console or a file that gimp-console runs. */

#include "config.h"

#include "scripts.h"


static void
add_call (GString    *script,
          const char *function,
          const char *text,
          const char *end)
{
  g_string_append (script, function);
  g_string_append_c (script, '(');
  wf_script_add_text (script, '\'', text);
  g_string_append (script, end);
}

static void
add_value (GString           *script,
           const WfCallValue *value)
{
  g_autofree char *number = NULL;

  switch (value->kind)
    {
    case WF_CALL_BOOLEAN:
      g_string_append (script, value->number != 0 ? "True" : "False");
      break;
    case WF_CALL_INT:
    case WF_CALL_REAL:
      number = wf_call_spell (value->number);
      g_string_append (script, number);
      break;
    case WF_CALL_TEXT:
      wf_script_add_text (script, '\'', value->text ? value->text : "");
      break;
    case WF_CALL_COLOR:
      add_call (script, "Gegl.Color.new", value->text, ")");
      break;
    case WF_CALL_FILE:
      add_call (script, "Gio.File.parse_name", value->text, ")");
      break;
    case WF_CALL_LAYER:
      add_call (script, "image.get_layer_by_name", value->text, ")");
      break;
    case WF_CALL_MASK:
      add_call (script, "image.get_layer_by_name", value->text, ").get_mask()");
      break;
    case WF_CALL_CHANNEL:
      add_call (script, "image.get_channel_by_name", value->text, ")");
      break;
    case WF_CALL_SELECTION:
      g_string_append (script, "image.get_selection()");
      break;
    case WF_CALL_PATH:
      add_call (script, "image.get_path_by_name", value->text, ")");
      break;
    }
}

static void
add_image (GString             *script,
           const WfScriptImage *image)
{
  if (image->number)
    {
      g_string_append_printf (script, "image = Gimp.Image.get_by_id(%d)\n", image->number);
      return;
    }
  g_string_append (script, "image = next(image for image in Gimp.get_images()\n"
                           "             if image.get_name() == ");
  wf_script_add_text (script, '\'', image->name);
  g_string_append (script, ")\n");
}

static void
add_step (GString         *script,
          const GPtrArray *calls,
          guint            index)
{
  const WfCall   *call      = calls->pdata[index];
  const gboolean  continues = wf_script_continues (calls, index);

  wf_script_add_rounding (script, "#", call);
  g_string_append (script, "\nprocedure = ");
  add_call (script, "Gimp.get_pdb().lookup_procedure", call->procedure, ")\n");
  g_string_append (script, "config = procedure.create_config()\n"
                           "config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)\n"
                           "config.set_property('image', image)\n"
                           "config.set_core_object_array('drawables', [");
  for (guint i = 0; i < call->drawables->len; i++)
    {
      g_string_append (script, i > 0 ? ", " : "");
      if (continues)
        g_string_append (script, "result.index(1)");
      else
        add_value (script, call->drawables->pdata[i]);
    }
  g_string_append (script, "])\n");
  for (guint i = 0; i < call->arguments->len; i++)
    {
      const WfCallValue *value = call->arguments->pdata[i];

      if (! wf_script_is_said (call, value))
        continue;
      add_call (script, "config.set_property", value->name, ", ");
      add_value (script, value);
      g_string_append (script, ")\n");
    }
  g_string_append (script, "result = procedure.run(config)\n"
                           "if result.index(0) != Gimp.PDBStatusType.SUCCESS:\n"
                           "    raise RuntimeError(Gimp.get_pdb().get_last_error())\n");
}

/**
 * wf_script_write_python:
 * @calls: (element-type WfCall): at least one
 * @image: the image that the script is for
 *
 * Returns: (transfer full): the script
 */
char *
wf_script_write_python (const GPtrArray     *calls,
                        const WfScriptImage *image)
{
  GString *script = g_string_new (NULL);

  wf_script_add_title (script, "#", calls);
  g_string_append (script, "import gi\n"
                           "gi.require_version('Gegl', '0.4')\n"
                           "gi.require_version('Gimp', '3.0')\n"
                           "from gi.repository import Gegl, Gimp, Gio\n\n");
  add_image (script, image);
  for (guint i = 0; i < calls->len; i++)
    add_step (script, calls, i);
  g_string_append (script, "Gimp.displays_flush()\n");
  return g_string_free (script, FALSE);
}

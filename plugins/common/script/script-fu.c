/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls in Script-Fu, GIMP's Scheme. */

#include "config.h"

#include <stdlib.h>

#include "scripts.h"


/* A function whose result is the first of a list. */
static void
add_item (GString    *script,
          const char *function,
          const char *name)
{
  g_string_append_printf (script, "(car (%s image ", function);
  wf_script_add_text (script, '"', name);
  g_string_append (script, "))");
}

static void
add_color (GString    *script,
           const char *color)
{
  const gulong rgb = strtoul (color + 1, NULL, 16);

  g_string_append_printf (script, "'(%lu %lu %lu)", rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
}

static void
add_value (GString           *script,
           const WfCallValue *value)
{
  g_autofree char *number = NULL;

  switch (value->kind)
    {
    case WF_CALL_BOOLEAN:
      g_string_append (script, value->number != 0 ? "TRUE" : "FALSE");
      break;
    case WF_CALL_INT:
    case WF_CALL_REAL:
      number = wf_call_spell (value->number);
      g_string_append (script, number);
      break;
    case WF_CALL_TEXT:
    case WF_CALL_FILE:
      wf_script_add_text (script, '"', value->text ? value->text : "");
      break;
    case WF_CALL_COLOR:
      add_color (script, value->text);
      break;
    case WF_CALL_LAYER:
      add_item (script, "gimp-image-get-layer-by-name", value->text);
      break;
    case WF_CALL_MASK:
      g_string_append (script, "(car (gimp-layer-get-mask ");
      add_item (script, "gimp-image-get-layer-by-name", value->text);
      g_string_append (script, "))");
      break;
    case WF_CALL_CHANNEL:
      add_item (script, "gimp-image-get-channel-by-name", value->text);
      break;
    case WF_CALL_SELECTION:
      g_string_append (script, "(car (gimp-image-get-selection image))");
      break;
    case WF_CALL_PATH:
      add_item (script, "gimp-image-get-path-by-name", value->text);
      break;
    }
}

static void
add_image (GString             *script,
           const WfScriptImage *image)
{
  if (image->number)
    {
      g_string_append_printf (script, "(let ((image %d))\n", image->number);
      return;
    }
  g_string_append (script, "(let ((image (let find ((images (vector->list "
                           "(car (gimp-get-images)))))\n"
                           "               (if (string=? (car (gimp-image-get-name (car images)))"
                           "\n                             ");
  wf_script_add_text (script, '"', image->name);
  g_string_append (script, ")\n"
                           "                   (car images)\n"
                           "                   (find (cdr images))))))\n");
}

static void
add_step (GString         *script,
          const GPtrArray *calls,
          guint            index)
{
  const WfCall   *call      = calls->pdata[index];
  const gboolean  continues = wf_script_continues (calls, index);
  const gboolean  returns   = wf_script_continues (calls, index + 1);

  if (returns)
    g_string_append_printf (script, "  (define layer%u (car\n", index + 1);
  g_string_append_printf (script, "  (%s #:run-mode RUN-NONINTERACTIVE\n"
                                  "    #:image image\n"
                                  "    #:drawables (vector", call->procedure);
  for (guint i = 0; i < call->drawables->len; i++)
    {
      g_string_append_c (script, ' ');
      if (continues)
        g_string_append_printf (script, "layer%u", index);
      else
        add_value (script, call->drawables->pdata[i]);
    }
  g_string_append_c (script, ')');
  for (guint i = 0; i < call->arguments->len; i++)
    {
      const WfCallValue *value = call->arguments->pdata[i];

      if (! wf_script_is_said (call, value))
        continue;
      g_string_append_printf (script, "\n    #:%s ", value->name);
      add_value (script, value);
    }
  g_string_append (script, returns ? ")))\n" : ")\n");
}

/**
 * wf_script_write_scheme:
 * @calls: (element-type WfCall): at least one
 * @image: the image that the script is for
 *
 * Returns: (transfer full): the script
 */
char *
wf_script_write_scheme (const GPtrArray     *calls,
                        const WfScriptImage *image)
{
  GString *script = g_string_new (NULL);

  wf_script_add_title (script, ";", calls);
  for (guint i = 0; i < calls->len; i++)
    wf_script_add_rounding (script, ";", calls->pdata[i]);
  add_image (script, image);
  for (guint i = 0; i < calls->len; i++)
    add_step (script, calls, i);
  g_string_append (script, "  (gimp-displays-flush))\n");
  return g_string_free (script, FALSE);
}

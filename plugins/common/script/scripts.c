/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls as texts: one call, or several that follow each other.
 *
 * A script works on an open image, which it finds by its name, with the layers, channels and paths
 * of the recorded names.  It gives the arguments that differ from their defaults; all of them if
 * another version was called, whose defaults may have been others.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "command-line.h"
#include "scripts.h"


/**
 * wf_script_is_said:
 * @call: a call
 * @value: of one of its arguments
 *
 * Returns: whether a script gives the argument
 */
gboolean
wf_script_is_said (const WfCall      *call,
                   const WfCallValue *value)
{
  const gboolean is_number = value->kind <= WF_CALL_REAL;

  return ! value->is_default ||
         (strcmp (call->version, WF_VERSION) != 0 && (is_number || value->text));
}

/**
 * wf_script_add_text:
 * @script: grows
 * @quote: the character that begins and ends a literal in its language
 * @text: a text
 *
 * Adds a literal; Python and Scheme escape alike.
 */
void
wf_script_add_text (GString    *script,
                    char        quote,
                    const char *text)
{
  g_string_append_c (script, quote);
  for (; *text; text++)
    if (*text == quote || *text == '\\')
      g_string_append_printf (script, "\\%c", *text);
    else if ((guchar) *text < ' ' || *text == 0x7f)
      g_string_append_printf (script, "\\x%02x", (guchar) *text);
    else
      g_string_append_c (script, *text);
  g_string_append_c (script, quote);
}

/* Whether the first value of a call is the only layer that it makes. */
static gboolean
returns_layer (const WfCall *call)
{
  static const char *const others[]  = { "watershed", "distance", "geodesic-distance", NULL };
  static const char *const several[] = { "stack", "dome", "basin" };

  for (guint i = 0; i < G_N_ELEMENTS (several); i++)
    {
      const WfCallValue *value = wf_call_find (call, several[i]);

      if (value && value->number != 0)
        return FALSE;
    }
  return call->drawables->len == 1 && ! g_strv_contains (others, call->operation);
}

/**
 * wf_script_continues:
 * @calls: (element-type WfCall): calls that follow each other
 * @index: of one of them, or one beyond
 *
 * Returns: whether its source is the layer that the call before it returns
 */
gboolean
wf_script_continues (const GPtrArray *calls,
                     guint            index)
{
  const WfCall      *call;
  const WfCall      *before;
  const WfCallValue *source;

  if (index == 0 || index >= calls->len)
    return FALSE;
  call   = calls->pdata[index];
  before = calls->pdata[index - 1];
  if (call->drawables->len != 1 || ! before->made || ! returns_layer (before))
    return FALSE;
  source = call->drawables->pdata[0];
  return source->kind == WF_CALL_LAYER && strcmp (source->text, before->made) == 0;
}

/**
 * wf_script_add_comment:
 * @script: a script
 * @mark: what begins a comment
 * @text: of the comment, which becomes one line whatever is in it
 */
void
wf_script_add_comment (GString    *script,
                       const char *mark,
                       const char *text)
{
  g_autofree char *line = g_strdup (text);

  for (char *byte = line; *byte; byte++)
    if ((guchar) *byte < ' ' || *byte == 0x7f)
      *byte = ' ';
  g_string_append_printf (script, "%s %s\n", mark, line);
}

/**
 * wf_script_add_title:
 * @script: a script
 * @mark: what begins a comment
 * @calls: (element-type WfCall): what the script does
 */
void
wf_script_add_title (GString         *script,
                     const char      *mark,
                     const GPtrArray *calls)
{
  const WfCall    *last = calls->pdata[calls->len - 1];
  g_autofree char *text = g_strdup_printf ("Wavefront %s: %s", last->version, last->operation);

  wf_script_add_comment (script, mark, text);
}

/**
 * wf_script_add_rounding:
 * @script: a script
 * @mark: what begins a comment
 * @call: one of its calls
 *
 * Adds a comment if a color of the call is not exactly what the script says.
 */
void
wf_script_add_rounding (GString      *script,
                        const char   *mark,
                        const WfCall *call)
{
  for (guint i = 0; i < call->arguments->len; i++)
    if (((const WfCallValue *) call->arguments->pdata[i])->is_rounded)
      wf_script_add_comment (script, mark, _("Colors are rounded to 8 bits"));
}

/* The file between a call and the one before it, if that writes the levels of its layer: marks are
 * 1 in a file, and files have no colors.
 */
static char *
find_file_before (const GPtrArray *calls,
                  guint            index)
{
  const WfCall *before;
  const WfCall *call;

  if (! wf_script_continues (calls, index))
    return NULL;
  before = calls->pdata[index - 1];
  call   = calls->pdata[index];
  if (strcmp (before->operation, "threshold") == 0 ||
      g_str_has_prefix (before->operation, "regional-") ||
      g_str_has_prefix (before->operation, "extended-") ||
      ! strstr (before->command, " -o out.tif") || strstr (call->command, " --channel ") ||
      strstr (call->command, " --stain "))
    return NULL;
  return g_strdup_printf ("step%u.tif", index);
}

static char *
write_commands (const GPtrArray *calls)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < calls->len; i++)
    {
      const WfCall    *call   = calls->pdata[i];
      g_autofree char *input  = find_file_before (calls, i);
      g_autofree char *output = find_file_before (calls, i + 1);
      g_autofree char *lines  = wf_command_line_connect (call->command, input, output);

      g_string_append (text, lines);
    }
  return g_string_free (text, FALSE);
}


/*  The image  */

static int
find_number_if_needed (GimpImage  *image,
                       const char *name)
{
  g_autofree GimpImage **images = gimp_get_images ();
  guint                  n      = 0;

  for (gsize i = 0; images[i]; i++)
    {
      g_autofree char *other = gimp_image_get_name (images[i]);

      n += strcmp (name, other) == 0;
    }
  return n > 1 ? gimp_image_get_id (image) : 0;
}

static gboolean
has_source (GimpImage    *image,
            const WfCall *call)
{
  const WfCallValue *source = call->drawables->len > 0 ? call->drawables->pdata[0] : NULL;

  if (! source || source->kind == WF_CALL_SELECTION)
    return TRUE;
  return source->kind == WF_CALL_CHANNEL
         ? gimp_image_get_channel_by_name (image, source->text) != NULL
         : gimp_image_get_layer_by_name (image, source->text) != NULL;
}

/* A new image does not have the layers from which it was made: that one does which has its name
 * still.
 */
static GimpImage *
find_image (const WfCall *call,
            GimpImage    *image)
{
  g_autofree GimpImage **images = gimp_get_images ();

  if (has_source (image, call))
    return image;
  for (gsize i = 0; images[i]; i++)
    {
      g_autofree char *name = gimp_image_get_name (images[i]);

      if (strcmp (name, call->image) == 0 && has_source (images[i], call))
        return images[i];
    }
  return NULL;
}

/**
 * wf_script_write:
 * @kind: the language
 * @calls: (element-type WfCall): at least one
 * @image: the image that the script is for, which may have another name by now than the calls
 *   say; if it has not what they start from, an open image of that name
 *
 * Returns: (transfer full): the script that does what @calls do, one after the other
 */
char *
wf_script_write (WfScriptKind     kind,
                 const GPtrArray *calls,
                 GimpImage       *image)
{
  const WfCall    *first  = calls->pdata[0];
  GimpImage       *found  = find_image (first, image);
  g_autofree char *name   = found ? gimp_image_get_name (found) : g_strdup (first->image);
  WfScriptImage    target = { name, found ? find_number_if_needed (found, name) : 0 };

  switch (kind)
    {
    case WF_SCRIPT_PYTHON:
      return wf_script_write_python (calls, &target);
    case WF_SCRIPT_SCRIPT_FU:
      return wf_script_write_scheme (calls, &target);
    default:
      return write_commands (calls);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call as JSON: the names of procedure, operation, version and image, the drawables that were
 * processed, and the values of the arguments: "arguments" differ from the defaults, "defaults" are
 * those of that version.  Items, files and colors are objects with one member that names the kind.
 *
 * What is read may come from anyone's file, and scripts are made from it: names must be names,
 * procedures ours, colors colors; all texts are quoted where they are written, and the command is
 * checked.
 */

#include "config.h"

#include <string.h>

#include "call.h"
#include "command-line.h"

#define PREFIX "plug-in-wavefront-"

static const char *const item_names[] =
{
  [WF_CALL_COLOR]     = "color",
  [WF_CALL_FILE]      = "file",
  [WF_CALL_LAYER]     = "layer",
  [WF_CALL_MASK]      = "mask",
  [WF_CALL_CHANNEL]   = "channel",
  [WF_CALL_SELECTION] = "selection",
  [WF_CALL_PATH]      = "path",
};

static void
write_value (const WfCallValue *value,
             JsonBuilder       *builder)
{
  if (value->kind == WF_CALL_BOOLEAN)
    json_builder_add_boolean_value (builder, value->number != 0);
  else if (value->kind == WF_CALL_INT)
    json_builder_add_int_value (builder, (gint64) value->number);
  else if (value->kind == WF_CALL_REAL)
    json_builder_add_double_value (builder, value->number);
  else if (! value->text)
    json_builder_add_null_value (builder);
  else if (value->kind == WF_CALL_TEXT)
    json_builder_add_string_value (builder, value->text);
  else
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, item_names[value->kind]);
      json_builder_add_string_value (builder, value->text);
      json_builder_end_object (builder);
    }
}

static void
write_text (JsonBuilder *builder,
            const char  *name,
            const char  *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
write_values (const GPtrArray *values,
              JsonBuilder     *builder,
              const char      *member,
              gboolean         usual)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  for (guint i = 0; i < values->len; i++)
    {
      const WfCallValue *value = values->pdata[i];

      if (value->is_default != usual)
        continue;
      json_builder_set_member_name (builder, value->name);
      write_value (value, builder);
    }
  json_builder_end_object (builder);
}

/**
 * wf_call_write_arguments:
 * @arguments: (element-type WfCallValue): the arguments of a call
 * @builder: of an object, which gets two members: those that differ from their defaults, and the
 *   others
 */
void
wf_call_write_arguments (const GPtrArray *arguments,
                         JsonBuilder     *builder)
{
  write_values (arguments, builder, "arguments", FALSE);
  write_values (arguments, builder, "defaults", TRUE);
}

/**
 * wf_call_write:
 * @call: a call
 * @builder: gets it as an object
 */
void
wf_call_write (const WfCall *call,
               JsonBuilder  *builder)
{
  json_builder_begin_object (builder);
  write_text (builder, "procedure", call->procedure);
  write_text (builder, "operation", call->operation);
  write_text (builder, "version", call->version);
  write_text (builder, "image", call->image);
  json_builder_set_member_name (builder, "sources");
  json_builder_begin_array (builder);
  for (guint i = 0; i < call->drawables->len; i++)
    write_value (call->drawables->pdata[i], builder);
  json_builder_end_array (builder);
  wf_call_write_arguments (call->arguments, builder);
  write_text (builder, "command", call->command);
  if (call->made)
    write_text (builder, "made", call->made);
  json_builder_end_object (builder);
}

/* Names are written into scripts as they are: nothing else may be taken for one. */
static gboolean
is_name (const char *name)
{
  return name && *name &&
         strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen (name);
}

/* No other procedure than ours is called. */
static gboolean
is_procedure (const char *name)
{
  return is_name (name) && g_str_has_prefix (name, PREFIX) && name[strlen (PREFIX)];
}

static gboolean
is_color (const char *text)
{
  return strlen (text) == 7 && *text == '#' &&
         strspn (text + 1, "0123456789abcdefABCDEF") == 6;
}

static gboolean
is_source (const WfCallValue *value)
{
  return value->text && (value->kind == WF_CALL_LAYER || value->kind == WF_CALL_MASK ||
                         value->kind == WF_CALL_CHANNEL || value->kind == WF_CALL_SELECTION);
}

static gboolean
refuse (GError **error)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, "");
  return FALSE;
}

static gboolean
read_item (JsonObject  *object,
           WfCallValue *value)
{
  for (int kind = WF_CALL_COLOR; kind <= WF_CALL_PATH; kind++)
    {
      const char *text = json_object_get_string_member_with_default (object, item_names[kind],
                                                                     NULL);

      if (text)
        {
          value->kind = (WfCallKind) kind;
          value->text = g_strdup (text);
          return kind != WF_CALL_COLOR || is_color (text);
        }
    }
  return FALSE;
}

static gboolean
read_value (JsonNode    *node,
            WfCallValue *value)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return read_item (json_node_get_object (node), value);
  if (JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;

  switch (JSON_NODE_HOLDS_NULL (node) ? G_TYPE_INVALID : json_node_get_value_type (node))
    {
    case G_TYPE_BOOLEAN:
      value->kind   = WF_CALL_BOOLEAN;
      value->number = json_node_get_boolean (node);
      break;
    case G_TYPE_INT64:
      value->kind   = WF_CALL_INT;
      value->number = (double) json_node_get_int (node);
      break;
    case G_TYPE_DOUBLE:
      value->kind   = WF_CALL_REAL;
      value->number = json_node_get_double (node);
      break;
    default:
      value->kind = WF_CALL_TEXT;
      value->text = g_strdup (json_node_get_string (node));
      break;
    }
  return TRUE;
}

static gboolean
read_arguments (WfCall     *call,
                JsonObject *step,
                const char *member,
                gboolean    usual)
{
  JsonNode         *node    = json_object_get_member (step, member);
  g_autoptr (GList) names   = NULL;
  JsonObject       *values;

  if (! node || ! JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  values = json_node_get_object (node);
  names  = json_object_get_members (values);
  for (GList *name = names; name; name = name->next)
    {
      WfCallValue *value = g_new0 (WfCallValue, 1);

      value->name       = g_strdup (name->data);
      value->is_default = usual;
      g_ptr_array_add (call->arguments, value);
      if (! is_name (value->name) ||
          ! read_value (json_object_get_member (values, name->data), value))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_drawables (WfCall     *call,
                JsonObject *step)
{
  JsonNode  *node = json_object_get_member (step, "sources");
  JsonArray *list;

  if (! node || ! JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  list = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      WfCallValue *value = g_new0 (WfCallValue, 1);

      g_ptr_array_add (call->drawables, value);
      if (! read_value (json_array_get_element (list, i), value) || ! is_source (value))
        return FALSE;
    }
  return list != NULL;
}

/**
 * wf_call_read:
 * @step: an object as wf_call_write() makes it
 * @error: %WF_ERROR_INVALID, without a message, if it is not one
 *
 * Returns: (transfer full) (nullable): the call
 */
WfCall *
wf_call_read (JsonObject  *step,
              GError     **error)
{
  g_autoptr (WfCall)  call    = wf_call_new_empty ();
  g_autofree char    *command = NULL;

#define TEXT(name) g_strdup (json_object_get_string_member_with_default (step, name, NULL))
  call->procedure = TEXT ("procedure");
  call->operation = TEXT ("operation");
  call->version   = TEXT ("version");
  call->image     = TEXT ("image");
  command         = TEXT ("command");
  call->made      = TEXT ("made");
#undef TEXT
  if (! is_procedure (call->procedure) || ! call->operation || ! call->version || ! call->image ||
      ! command || ! read_drawables (call, step) ||
      ! read_arguments (call, step, "arguments", FALSE) ||
      ! read_arguments (call, step, "defaults", TRUE))
    {
      refuse (error);
      return NULL;
    }
  call->command = wf_command_line_check (command);
  return g_steal_pointer (&call);
}

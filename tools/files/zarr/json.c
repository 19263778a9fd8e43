/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files come from anywhere: their size and the depth of their brackets are limited before they are
 * parsed, and members of another type than the expected one are taken as missing.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "json.h"
#include "tools/files/bytes.h"
#include "tools/message.h"

#define MAX_BYTES ((gint64) 16 << 20)
#define MAX_DEPTH 32


/**
 * zarr_json_is_there:
 * @folder: a folder
 * @name: of a file
 *
 * Returns: whether there is such a file in it
 */
gboolean
zarr_json_is_there (const char *folder,
                    const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Whether brackets are nested no deeper than any metadata needs; those in strings do not count. */
static gboolean
is_flat (const char *text,
         gsize       n)
{
  gboolean quoted = FALSE;
  int      depth  = 0;

  for (gsize i = 0; i < n; i++)
    if (quoted && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      quoted = ! quoted;
    else if (! quoted && (text[i] == '[' || text[i] == '{') && ++depth > MAX_DEPTH)
      return FALSE;
    else if (! quoted && (text[i] == ']' || text[i] == '}'))
      depth--;
  return TRUE;
}

static char *
load (const char  *path,
      gsize       *n,
      GError     **error)
{
  const int           descriptor = bytes_open (path, error);
  g_autofree char    *text       = NULL;
  g_autoptr (GError)  problem    = NULL;
  struct stat         status;

  if (descriptor < 0)
    return NULL;
  if (fstat (descriptor, &status) != 0)
    refuse_to_read (path, g_strerror (errno), error);
  else if (status.st_size > MAX_BYTES)
    refuse_to_read (path, _("it is too large for metadata"), error);
  else
    {
      *n   = (gsize) status.st_size;
      text = g_malloc0 (*n + 1);
      if (! bytes_read_at (descriptor, 0, text, *n, 1, &problem))
        {
          refuse_to_read (path, problem->message, error);
          g_clear_pointer (&text, g_free);
        }
    }
  close (descriptor);
  return g_steal_pointer (&text);
}

/**
 * zarr_json_read:
 * @folder: a folder
 * @name: of a file in it
 * @error: %TOOL_ERROR_FILE, with the file's name
 *
 * Returns: (transfer full) (nullable): an object
 */
JsonNode *
zarr_json_read (const char  *folder,
                const char  *name,
                GError     **error)
{
  g_autofree char        *path   = g_build_filename (folder, name, NULL);
  gsize                   n      = 0;
  g_autofree char        *text   = load (path, &n, error);
  g_autoptr (JsonParser)  parser = json_parser_new_immutable ();
  JsonNode               *root;

  if (! text)
    return NULL;
  if (! g_utf8_validate (text, (gssize) n, NULL) || ! is_flat (text, n) ||
      ! json_parser_load_from_data (parser, text, (gssize) n, NULL) ||
      ! (root = json_parser_get_root (parser)) || ! JSON_NODE_HOLDS_OBJECT (root))
    {
      refuse_to_read (path, _("it is no valid JSON object"), error);
      return NULL;
    }
  return json_parser_steal_root (parser);
}

/**
 * zarr_json_write:
 * @root: descriptor of a folder
 * @name: of a file in it; one that an interrupted run has left is replaced
 * @builder: what it is to contain
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
zarr_json_write (int           root,
                 const char   *name,
                 JsonBuilder  *builder,
                 GError      **error)
{
  g_autoptr (JsonGenerator) generator  = json_generator_new ();
  g_autoptr (JsonNode)      node       = json_builder_get_root (builder);
  g_autofree char          *text       = NULL;
  gboolean                  written    = FALSE;
  const int                 flags      = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  int                       descriptor = openat (root, name, flags, 0666);

  if (descriptor < 0)
    return refuse_because (g_strerror (errno), error);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, node);
  text    = json_generator_to_data (generator, NULL);
  written = bytes_write (descriptor, text, strlen (text), 1, error) &&
            bytes_write (descriptor, "\n", 1, 1, error);
  if (close (descriptor) != 0 && written)
    written = refuse_because (g_strerror (errno), error);
  return written;
}

/**
 * zarr_json_get_number:
 * @node: (nullable): of a number
 * @number: set to it
 *
 * Returns: whether it is one
 */
gboolean
zarr_json_get_number (JsonNode *node,
                      double   *number)
{
  const GType type = node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : 0;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;
  *number = type == G_TYPE_INT64 ? (double) json_node_get_int (node) : json_node_get_double (node);
  return TRUE;
}

/**
 * zarr_json_get_string:
 * @object: (nullable): an object
 * @name: of its member
 *
 * Returns: (nullable): its value, if it is a string
 */
const char *
zarr_json_get_string (JsonObject *object,
                      const char *name)
{
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/**
 * zarr_json_get_array:
 * @object: (nullable): an object
 * @name: of its member
 *
 * Returns: (nullable): its value, if it is an array
 */
JsonArray *
zarr_json_get_array (JsonObject *object,
                     const char *name)
{
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/**
 * zarr_json_get_object:
 * @array: (nullable): an array
 * @i: number of an element
 *
 * Returns: (nullable): the element, if it is there and an object
 */
JsonObject *
zarr_json_get_object (JsonArray *array,
                      guint      i)
{
  JsonNode *node = array && i < json_array_get_length (array) ? json_array_get_element (array, i)
                                                              : NULL;

  return node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source: the storage specification of Zarr, version 2. */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "header.h"
#include "json.h"
#include "tools/message.h"
#include "wavefront.h"

/* Of blosc, and of every program that has the length of a chunk in an int. */
#define MAX_CHUNK ((gsize) G_MAXINT32 - 65536)

/**
 * Dtype:
 * @name: without the byte order
 */
typedef struct
{
  const char  *name;
  ElementType  type;
} Dtype;

/* Truth values are 0 and 1. */
static const Dtype dtypes[] =
{
  { "u1", ELEMENT_U8 },  { "b1", ELEMENT_U8 },  { "u2", ELEMENT_U16 }, { "u4", ELEMENT_U32 },
  { "u8", ELEMENT_U64 }, { "i1", ELEMENT_I8 },  { "i2", ELEMENT_I16 }, { "i4", ELEMENT_I32 },
  { "i8", ELEMENT_I64 }, { "f4", ELEMENT_F32 }, { "f8", ELEMENT_F64 },
};


/*  Reading  */

static gboolean
parse_type (ZarrArray   *array,
            JsonObject  *header,
            GError     **error)
{
  const char      *dtype  = zarr_json_get_string (header, "dtype");
  g_autofree char *reason = NULL;

  for (guint i = 0; dtype && i < G_N_ELEMENTS (dtypes); i++)
    if (strchr ("<>|", dtype[0]) && dtype[0] && strcmp (dtype + 1, dtypes[i].name) == 0)
      {
        array->type    = dtypes[i].type;
        array->swapped = elements_size (array->type) > 1 &&
                         dtype[0] == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');
        return TRUE;
      }

  if (! dtype)
    return refuse_because (_("it has no plain “dtype”"), error);
  reason = g_strdup_printf (_("its elements of type “%s” are no gray levels and no labels"), dtype);
  return refuse_because (reason, error);
}

/* @numbers: set to those of the member @name, each at least 1 */
static gboolean
parse_sides (JsonObject  *header,
             const char  *name,
             guint       *n,
             gint64      *numbers,
             GError     **error)
{
  JsonArray       *sides  = zarr_json_get_array (header, name);
  g_autofree char *reason = NULL;

  *n = sides ? json_array_get_length (sides) : 0;
  for (guint i = 0; i < MIN (*n, ZARR_MAX_AXES); i++)
    {
      JsonNode *node = json_array_get_element (sides, i);
      double    side = 0.0;

      if (! zarr_json_get_number (node, &side) || side != floor (side) || side < 1 ||
          side > WF_MAX_SIDE)
        {
          reason = g_strdup_printf (_("“%s” has numbers other than 1 to 2^30"), name);
          return refuse_because (reason, error);
        }
      numbers[i] = (gint64) side;
    }
  if (*n >= 2 && *n <= ZARR_MAX_AXES)
    return TRUE;
  reason = g_strdup_printf (_("“%s” does not have 2 to 5 numbers"), name);
  return refuse_because (reason, error);
}

static gboolean
parse_shape (ZarrArray   *array,
             JsonObject  *header,
             GError     **error)
{
  gsize bytes = elements_size (array->type);
  guint n;

  if (! parse_sides (header, "shape", &array->n_axes, array->shape, error) ||
      ! parse_sides (header, "chunks", &n, array->chunks, error))
    return FALSE;
  if (n != array->n_axes)
    return refuse_because (_("“shape” and “chunks” differ in length"), error);
  for (guint i = 0; i < n; i++)
    if (! g_size_checked_mul (&bytes, bytes, (gsize) array->chunks[i]) || bytes > MAX_CHUNK)
      return refuse_because (_("its chunks have 2 GiB or more"), error);
  return TRUE;
}

/* The value in the member "fill_value"; what programs write for special numbers are strings. */
static gboolean
parse_fill_value (JsonNode *node,
                  double   *value)
{
  const char *text;

  *value = 0.0;
  if (! node || JSON_NODE_HOLDS_NULL (node) || zarr_json_get_number (node, value))
    return TRUE;
  if (! JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    {
      *value = json_node_get_boolean (node) ? 1.0 : 0.0;
      return TRUE;
    }

  text = json_node_get_string (node);
  *value = g_strcmp0 (text, "NaN") == 0         ? NAN
           : g_strcmp0 (text, "Infinity") == 0  ? INFINITY
           : g_strcmp0 (text, "-Infinity") == 0 ? -INFINITY
                                                : 0.0;
  return *value != 0.0;
}

#define STORE(Type, least, most)                                                \
  {                                                                             \
    Type element;                                                               \
                                                                                \
    if (! (value >= (least) && value <= (most)) || value != floor (value))      \
      return FALSE;                                                             \
    element = (Type) value;                                                     \
    memcpy (fill, &element, sizeof element);                                    \
    return TRUE;                                                                \
  }

/* Stores an element where its type has such a value. */
static gboolean
store (ElementType  type,
       double       value,
       guint64     *fill)
{
  const float  single = (float) value;

  *fill = 0;
  switch (type)
    {
    case ELEMENT_U8:
      STORE (guint8, 0, G_MAXUINT8)
    case ELEMENT_I8:
      STORE (gint8, G_MININT8, G_MAXINT8)
    case ELEMENT_U16:
      STORE (guint16, 0, G_MAXUINT16)
    case ELEMENT_I16:
      STORE (gint16, G_MININT16, G_MAXINT16)
    case ELEMENT_U32:
      STORE (guint32, 0, G_MAXUINT32)
    case ELEMENT_I32:
      STORE (gint32, G_MININT32, G_MAXINT32)
    case ELEMENT_U64:
      STORE (guint64, 0, 9.2e18)
    case ELEMENT_I64:
      STORE (gint64, -9.2e18, 9.2e18)
    case ELEMENT_F32:
      memcpy (fill, &single, sizeof single);
      return TRUE;
    case ELEMENT_F64:
      memcpy (fill, &value, sizeof value);
      return TRUE;
    }
  return FALSE;
}

static gboolean
parse_separator (ZarrArray   *array,
                 JsonObject  *header,
                 GError     **error)
{
  JsonNode   *node = json_object_get_member (header, "dimension_separator");
  const char *text = zarr_json_get_string (header, "dimension_separator");

  array->separator = text ? text[0] : '.';
  return (! node || JSON_NODE_HOLDS_NULL (node) || text) &&
         (! text || strcmp (text, "/") == 0 || strcmp (text, ".") == 0)
         ? TRUE : refuse_because (_("its “dimension_separator” is neither “.” nor “/”"), error);
}

static gboolean
parse_filters (JsonObject  *header,
               GError     **error)
{
  JsonNode *node = json_object_get_member (header, "filters");

  return ! node || JSON_NODE_HOLDS_NULL (node) ||
         (JSON_NODE_HOLDS_ARRAY (node) && json_array_get_length (json_node_get_array (node)) == 0)
         ? TRUE : refuse_because (_("its chunks went through filters, which are not read"), error);
}

/**
 * zarr_header_parse:
 * @array: gets what is said
 * @header: of .zarray
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether it describes an array that can be read
 */
gboolean
zarr_header_parse (ZarrArray   *array,
                   JsonObject  *header,
                   GError     **error)
{
  double version = 0.0;
  double fill;

  if (! zarr_json_get_number (json_object_get_member (header, "zarr_format"), &version) ||
      version != 2.0)
    return refuse_because (_("it is not of version 2 of Zarr"), error);
  if (g_strcmp0 (zarr_json_get_string (header, "order"), "C") != 0)
    return refuse_because (_("its elements are not in the order “C”"), error);
  if (! parse_type (array, header, error) ||
      ! parse_shape (array, header, error) ||
      ! parse_filters (header, error) ||
      ! parse_separator (array, header, error) ||
      ! zarr_codec_find (json_object_get_member (header, "compressor"), &array->codec, error))
    return FALSE;
  return (parse_fill_value (json_object_get_member (header, "fill_value"), &fill) &&
          store (array->type, fill, &array->fill)) ||
         refuse_because (_("its “fill_value” does not have the type of its elements"), error);
}


/*  Writing  */

static void
add_sides (JsonBuilder  *builder,
           const char   *name,
           const gint64 *sides,
           guint         n)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, sides[i]);
  json_builder_end_array (builder);
}

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/**
 * zarr_header_build:
 * @array: as it is written: in the machine's byte order, with chunks of a #ZarrCoder
 * @builder: gets the contents of .zarray
 */
void
zarr_header_build (const ZarrArray *array,
                   JsonBuilder     *builder)
{
  const char       separator[2] = { array->separator, '\0' };
  const char       order        = elements_size (array->type) == 1           ? '|'
                                  : G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>';
  g_autofree char *dtype        = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (dtypes) && ! dtype; i++)
    if (dtypes[i].type == array->type)
      dtype = g_strdup_printf ("%c%s", order, dtypes[i].name);

  json_builder_begin_object (builder);
  add_sides (builder, "chunks", array->chunks, array->n_axes);
  json_builder_set_member_name (builder, "compressor");
  zarr_coder_describe (builder);
  add_string (builder, "dimension_separator", separator);
  add_string (builder, "dtype", dtype);
  json_builder_set_member_name (builder, "fill_value");
  json_builder_add_int_value (builder, 0);
  json_builder_set_member_name (builder, "filters");
  json_builder_add_null_value (builder);
  add_string (builder, "order", "C");
  add_sides (builder, "shape", array->shape, array->n_axes);
  json_builder_set_member_name (builder, "zarr_format");
  json_builder_add_int_value (builder, 2);
  json_builder_end_object (builder);
}

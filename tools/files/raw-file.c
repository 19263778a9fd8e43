/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "tools/message.h"
#include "raw-file.h"
#include "stream.h"


static gboolean
refuse_spec (const char  *text,
             const char  *reason,
             GError     **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --raw: %s."), text, reason);
  return FALSE;
}

static gboolean
parse_sides (const char  *text,
             const char  *sides_text,
             gint64      *sides,
             GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (sides_text, "x", -1);
  guint          n     = g_strv_length (parts);

  if (n < 2 || n > 3)
    return refuse_spec (text, _("the form is WxH:TYPE or WxHxD:TYPE, as in 640x480:u8"), error);

  sides[2] = 1;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) number_error = NULL;

      if (g_ascii_string_to_signed (parts[i], 10, 1, WF_MAX_SIDE, &sides[i], &number_error))
        continue;
      if (g_error_matches (number_error, G_NUMBER_PARSER_ERROR,
                           G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS))
        return refuse_spec (text, parts[i][0] == '-' || strspn (parts[i], "0") == strlen (parts[i])
                                  ? _("each side must have at least one pixel")
                                  : _("each side must have at most 2^30 pixels"),
                            error);
      return refuse_spec (text, _("each side must be a whole number of pixels"), error);
    }
  return TRUE;
}

static gboolean
n_bytes (const RawSpec *spec,
         WfType         type,
         guint64       *bytes)
{
  return g_uint64_checked_mul (bytes, (guint64) spec->width, (guint64) spec->height) &&
         g_uint64_checked_mul (bytes, *bytes, (guint64) spec->depth) &&
         g_uint64_checked_mul (bytes, *bytes, wf_type_size (type)) &&
         *bytes <= (guint64) G_MAXINT64 && *bytes <= G_MAXSIZE;
}

/**
 * raw_spec_parse:
 * @spec: filled
 * @text: WxH:TYPE or WxHxD:TYPE, where TYPE is u8, u16, f32 or f64
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether @text describes an image that there can be.
 */
gboolean
raw_spec_parse (RawSpec     *spec,
                const char  *text,
                GError     **error)
{
  static const WfType  types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_F64 };
  const char          *colon   = strchr (text, ':');
  g_autofree char     *sides_text = NULL;
  gint64               sides[3];
  guint64              bytes;

  if (! colon)
    return refuse_spec (text, _("the form is WxH:TYPE or WxHxD:TYPE, as in 640x480:u8"), error);

  spec->type = 0;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (colon + 1, wf_type_name (types[i])) == 0)
      spec->type = types[i];
  if (spec->type == 0)
    return refuse_spec (text, _("the type must be u8, u16, f32 or f64"), error);

  sides_text = g_strndup (text, colon - text);
  if (! parse_sides (text, sides_text, sides, error))
    return FALSE;

  spec->width  = sides[0];
  spec->height = sides[1];
  spec->depth  = sides[2];
  /* Labels and distances of the same image take up to eight bytes a pixel. */
  if (! n_bytes (spec, WF_TYPE_U64, &bytes))
    return refuse_spec (text, _("the image is too large for any memory"), error);
  return TRUE;
}

/* On a machine with the other byte order the mapping will not do. */
static gboolean
copy_swapped (GMappedFile  *mapping,
              WfImage      *image,
              GError      **error)
{
  WfImage copy;
  gsize   bytes = g_mapped_file_get_length (mapping);

  if (! wf_image_allocate (&copy, image->type, image->width, image->height, image->depth, error))
    return FALSE;

  memcpy (copy.data, image->data, bytes);
  bytes_swap (copy.data, bytes, wf_type_size (image->type));
  *image = copy;
  return TRUE;
}

static gboolean
check_length (const char     *path,
              const RawSpec  *spec,
              WfType          type,
              guint64         length,
              GError        **error)
{
  g_autofree char *name = stream_show_name (path);
  guint64          expected;

  if (! n_bytes (spec, type, &expected))
    g_return_val_if_reached (FALSE);
  if (length == expected)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               length < expected
               ? _("“%s” is too short: it has %" PRIu64 " bytes, but %" PRId64
                   " × %" PRId64 " × %" PRId64 " pixels of type %s take %"
                   PRIu64 ".")
               : _("“%s” is too long: it has %" PRIu64 " bytes, but %" PRId64
                   " × %" PRId64 " × %" PRId64 " pixels of type %s take %"
                   PRIu64 "."),
               name, length, spec->width, spec->height, spec->depth, wf_type_name (type),
               expected);
  return FALSE;
}

/* The type of whole numbers that take @length bytes in all; u32 if none does. */
static WfType
find_width (const RawSpec *spec,
            guint64        length)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      guint64 expected;

      if (n_bytes (spec, types[i], &expected) && length == expected)
        return types[i];
    }
  return WF_TYPE_U32;
}

/* Finds the type of labels; the length must be exactly what @spec says. */
static gboolean
resolve_type (const char     *path,
              const RawSpec  *spec,
              guint64         length,
              WfType         *type,
              GError        **error)
{
  if (*type == 0)
    *type = find_width (spec, length);
  return check_length (path, spec, *type, length, error);
}

/**
 * raw_spec_get_type:
 * @spec: what --raw says
 * @content: what a file holds
 *
 * Returns: the type of its pixels; 0 for whole numbers of 8, 16 or 32 bits, as the length of the
 *   file has it
 */
WfType
raw_spec_get_type (const RawSpec *spec,
                   WfContent      content)
{
  return content == WF_CONTENT_LEVELS ? spec->type : content == WF_CONTENT_LABELS ? WF_TYPE_U32 : 0;
}

/**
 * raw_file_open:
 * @path: a raw file
 * @spec: its size
 * @type: (inout): its type, as raw_spec_get_type() returns it
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: a descriptor to read blocks from, to be closed, or −1
 */
int
raw_file_open (const char     *path,
               const RawSpec  *spec,
               WfType         *type,
               GError        **error)
{
  const int   descriptor = bytes_open (path, error);
  struct stat status;

  if (descriptor < 0)
    return -1;
  if (fstat (descriptor, &status) != 0)
    refuse_to_read (path, g_strerror (errno), error);
  else if (resolve_type (path, spec, (guint64) status.st_size, type, error))
    return descriptor;
  close (descriptor);
  return -1;
}

/**
 * raw_file_read:
 * @path: a raw file
 * @spec: its size
 * @type: its type, as raw_spec_get_type() returns it
 * @image: set to a view of the pixels, not to be written to; to be cleared
 * @mapping: the mapped file, to be kept as long as @image
 * @error: %TOOL_ERROR_FILE
 *
 * Maps the file into memory.  Its size must be exactly what @spec says.
 *
 * Returns: success.
 */
gboolean
raw_file_read (const char     *path,
               const RawSpec  *spec,
               WfType          type,
               WfImage        *image,
               GMappedFile   **mapping,
               GError        **error)
{
  *mapping = bytes_map (path, error);
  if (! *mapping)
    return FALSE;

  if (! resolve_type (path, spec, g_mapped_file_get_length (*mapping), &type, error) ||
      ! wf_image_init (image, type, spec->width, spec->height, spec->depth,
                       g_mapped_file_get_contents (*mapping), error) ||
      (G_BYTE_ORDER == G_BIG_ENDIAN && ! copy_swapped (*mapping, image, error)))
    {
      g_clear_pointer (mapping, g_mapped_file_unref);
      return FALSE;
    }
  return TRUE;
}

/**
 * raw_file_write:
 * @descriptor: of an open file
 * @image: without gaps between its rows
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Returns: success.
 */
gboolean
raw_file_write (int             descriptor,
                const WfImage  *image,
                GError        **error)
{
  gsize size = wf_type_size (image->type);

  return bytes_write (descriptor, image->data, (gsize) wf_image_n_pixels (image) * size, size,
                      error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result is written as it is or not at all: nothing is clipped, rounded or
 * scaled to please a format.  What a format has no type for is stored in another
 * type only where each pixel keeps its value: labels below 2^16 in 16 bits, and
 * 64-bit integers up to 2^53 as 64-bit floating point.
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "format.h"
#include "tools/message.h"


#define BIT(type) (1u << (type))

#define INTEGERS   (BIT (WF_TYPE_U8) | BIT (WF_TYPE_U16))
#define PICTURES   (INTEGERS | BIT (WF_TYPE_U32) | BIT (WF_TYPE_F32) | BIT (WF_TYPE_F64))
#define EVERYTHING (PICTURES | BIT (WF_TYPE_U64))

/* All integers up to here are exact in 64-bit floating point. */
#define MAX_EXACT (G_GUINT64_CONSTANT (1) << 53)

/* Of libvips, which counts the rows of all slices of a stack together. */
#define MAX_SIDE 10000000

static const Format formats[] =
{
  { FORMAT_RAW,  ".raw",  "raw",  EVERYTHING,        TRUE,  FALSE, TRUE,  0, COLORS_NONE },
  { FORMAT_PFM,  ".pfm",  "PFM",  BIT (WF_TYPE_F32), FALSE, FALSE, TRUE,  0, COLORS_NONE },
  { FORMAT_NPY,  ".npy",  "NPY",  EVERYTHING,        TRUE,  FALSE, TRUE,  0, COLORS_ALPHA },
  { FORMAT_ZARR, ".zarr", "Zarr", PICTURES,          TRUE,  FALSE, FALSE, 0, COLORS_NONE },
  { FORMAT_VIPS, ".tif",  "TIFF", PICTURES,          TRUE,  FALSE, TRUE,  MAX_SIDE, COLORS_ALPHA },
  { FORMAT_VIPS, ".tiff", "TIFF", PICTURES,          TRUE,  FALSE, TRUE,  MAX_SIDE, COLORS_ALPHA },
  { FORMAT_VIPS, ".v",    "VIPS", PICTURES,          TRUE,  FALSE, TRUE,  MAX_SIDE, COLORS_ALPHA },
  { FORMAT_VIPS, ".vips", "VIPS", PICTURES,          TRUE,  FALSE, TRUE,  MAX_SIDE, COLORS_ALPHA },
  { FORMAT_VIPS, ".png",  "PNG",  INTEGERS,          FALSE, FALSE, FALSE, MAX_SIDE, COLORS_ALPHA },
  { FORMAT_VIPS, ".pgm",  "PGM",  INTEGERS,          FALSE, FALSE, TRUE,  MAX_SIDE, COLORS_NONE },
  { FORMAT_VIPS, ".pnm",  "PNM",  INTEGERS,          FALSE, FALSE, TRUE,  MAX_SIDE, COLORS_OPAQUE },
  { FORMAT_VIPS, ".jpg",  "JPEG", BIT (WF_TYPE_U8),  FALSE, TRUE,  FALSE, 65500, COLORS_OPAQUE },
  { FORMAT_VIPS, ".jpeg", "JPEG", BIT (WF_TYPE_U8),  FALSE, TRUE,  FALSE, 65500, COLORS_OPAQUE },
  { FORMAT_VIPS, ".webp", "WebP", BIT (WF_TYPE_U8),  FALSE, TRUE,  FALSE, 16383, COLORS_ALPHA },
};

static const Format in_store =
{
  FORMAT_STORE, "", "memory", EVERYTHING, TRUE, FALSE, FALSE, 0, COLORS_ALPHA
};


/**
 * format_of_store:
 *
 * Returns: the format of what stays in memory
 */
const Format *
format_of_store (void)
{
  return &in_store;
}

/**
 * format_find:
 * @path: a file's name
 *
 * Returns: the format that its suffix stands for, or %NULL.
 */
const Format *
format_find (const char *path)
{
  gsize length = strlen (path);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      gsize suffix = strlen (formats[i].suffix);

      if (length >= suffix &&
          g_ascii_strcasecmp (path + length - suffix, formats[i].suffix) == 0)
        return &formats[i];
    }
  return NULL;
}

/**
 * format_find_name:
 * @name: a suffix without its point, as --format takes it
 *
 * Returns: the format, or %NULL.
 */
const Format *
format_find_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_ascii_strcasecmp (name, formats[i].suffix + 1) == 0)
      return &formats[i];
  return NULL;
}

static const char *
content_name (WfContent content)
{
  switch (content)
    {
    case WF_CONTENT_LEVELS:
      return _("gray levels");
    case WF_CONTENT_DISTANCES:
      return _("distances");
    case WF_CONTENT_NEAREST:
      return _("nearest pixels");
    case WF_CONTENT_LABELS:
      return _("labels");
    case WF_CONTENT_MARKS:
      return _("marks");
    case WF_CONTENT_SALIENCY:
      return _("saliency");
    }
  g_return_val_if_reached ("");
}

static gboolean
holds (const Format *format,
       WfContent     content,
       WfType        type)
{
  if (format->types & BIT (type))
    return TRUE;
  if (content == WF_CONTENT_LABELS)
    return (format->types & BIT (WF_TYPE_U16)) != 0;
  return type == WF_TYPE_U64 && (format->types & BIT (WF_TYPE_F64));
}

/**
 * format_accepts:
 * @format: a format
 * @file_name: of the file, to be shown
 * @content: what is to be written
 * @type: type of a pixel
 * @depth: slices
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether such an image can be written; whether its values can is for
 *   format_adapt() to say.
 */
gboolean
format_accepts (const Format  *format,
                const char    *file_name,
                WfContent      content,
                WfType         type,
                gint64         depth,
                GError       **error)
{
  if (format->lossy && content != WF_CONTENT_LEVELS)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                 _("Cannot write “%s”: %s would change the %s; use .tif or .raw."),
                 file_name, format->name, content_name (content));
  else if (! holds (format, content, type))
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                 _("Cannot write “%s”: %s does not hold %s of type %s; use .tif or .raw."),
                 file_name, format->name, content_name (content), wf_type_name (type));
  else if (depth > 1 && ! format->stacks)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                 _("Cannot write “%s”: %s does not hold a stack of %" PRId64
                   " slices; use .tif or .raw."),
                 file_name, format->name, depth);
  else
    return TRUE;

  return FALSE;
}

/**
 * format_accepts_colors:
 * @format: a format
 * @file_name: of the file, to be shown
 * @alpha: whether the image has alpha
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the command writes colors in this format.
 */
gboolean
format_accepts_colors (const Format  *format,
                       const char    *file_name,
                       gboolean       alpha,
                       GError       **error)
{
  if (format->colors == COLORS_NONE)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                 _("Cannot write “%s”: as %s only gray levels are written; with --colors use .png "
                   "or .tif."), file_name, format->name);
  else if (alpha && format->colors == COLORS_OPAQUE)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                 _("Cannot write “%s”: %s holds no alpha, which the image has; use .png or .tif."),
                 file_name, format->name);
  else
    return TRUE;
  return FALSE;
}

/**
 * format_is_tiff:
 * @format: a format
 *
 * Returns: whether it is TIFF
 */
gboolean
format_is_tiff (const Format *format)
{
  return g_str_has_prefix (format->suffix, ".tif");
}

/**
 * format_drops_profile:
 * @format: one that holds colors
 *
 * Returns: whether its files have no color profile
 */
gboolean
format_drops_profile (const Format *format)
{
  return format->kind == FORMAT_NPY || g_str_equal (format->suffix, ".pnm");
}

/**
 * format_accepts_size:
 * @format: a format
 * @file_name: of the file, to be shown
 * @model: an image of the size
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the format holds images of this size.
 */
gboolean
format_accepts_size (const Format   *format,
                     const char     *file_name,
                     const WfImage  *model,
                     GError        **error)
{
  if (format->max_side == 0 || (model->width <= format->max_side &&
                                model->height <= format->max_side / model->depth))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot write “%s”: %s holds sides of at most %d pixels, all slices of a stack "
                 "together; use .raw."),
               file_name, format->name, format->max_side);
  return FALSE;
}

/**
 * format_has_type:
 * @format: a format
 * @type: type of a pixel
 *
 * Returns: whether it stores such pixels without format_adapt().
 */
gboolean
format_has_type (const Format *format,
                 WfType        type)
{
  return (format->types & BIT (type)) != 0;
}

/**
 * format_count_bytes:
 * @format: a format that accepts the type
 * @type: type of a pixel
 * @n_pixels: how many
 *
 * Returns: how many bytes a file will have at least; 0 where compression decides.
 */
guint64
format_count_bytes (const Format *format,
                    WfType        type,
                    gint64        n_pixels)
{
  gsize size = wf_type_size (type);

  if (! format->plain)
    return 0;
  if (! (format->types & BIT (type)) && type == WF_TYPE_U32)
    size = sizeof (guint16);
  return (guint64) n_pixels * size;
}

/* 16 bits hold labels up to here. */
static gboolean
check_label (const Format  *format,
             const char    *file_name,
             guint32        label,
             GError       **error)
{
  if ((format->types & BIT (WF_TYPE_U32)) || label <= G_MAXUINT16)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot write “%s”: %s holds labels up to 65535, but there is a label %u; "
                 "use .tif or .raw."), file_name, format->name, label);
  return FALSE;
}

static guint32
find_largest (const WfImage *labels)
{
  const guint32 *label = labels->data;
  gint64         n     = wf_image_n_pixels (labels);
  guint32        most  = 0;

  for (gint64 i = 0; i < n; i++)
    most = MAX (most, label[i]);
  return most;
}

/**
 * format_accepts_labels:
 * @format: a format that accepts labels
 * @file_name: of the file, to be shown
 * @labels: packed labels, all of which will be in the file
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the format holds the largest.
 */
gboolean
format_accepts_labels (const Format   *format,
                       const char     *file_name,
                       const WfImage  *labels,
                       GError        **error)
{
  return (format->types & BIT (WF_TYPE_U32)) ||
         check_label (format, file_name, find_largest (labels), error);
}

/* Pixels of 64 bits change type where they lie. */
static gboolean
make_double (WfImage    *image,
             WfContent   content,
             const char *file_name,
             GError    **error)
{
  gint64         n    = wf_image_n_pixels (image);
  const guint64 *from = image->data;
  char          *to   = image->data;

  for (gint64 i = 0; i < n; i++)
    if (from[i] > MAX_EXACT && from[i] != G_MAXUINT64)
      {
        g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                     _("Cannot write “%s”: its %s exceed 2^53, which only .raw holds "
                       "exactly."), file_name, content_name (content));
        return FALSE;
      }

  for (gint64 i = 0; i < n; i++)
    {
      guint64 whole;
      double  value;

      memcpy (&whole, to + i * sizeof whole, sizeof whole);
      if (whole == G_MAXUINT64)
        value = content == WF_CONTENT_NEAREST ? -1 : INFINITY;
      else
        value = (double) whole;
      memcpy (to + i * sizeof value, &value, sizeof value);
    }
  image->type = WF_TYPE_F64;
  return TRUE;
}

static gboolean
make_16_bits (WfImage       *image,
              const Format  *format,
              const char    *file_name,
              GError       **error)
{
  gint64         n      = wf_image_n_pixels (image);
  char          *to     = image->data;

  if (! check_label (format, file_name, find_largest (image), error))
    return FALSE;

  for (gint64 i = 0; i < n; i++)
    {
      guint32 label;
      guint16 narrow;

      memcpy (&label, to + i * sizeof label, sizeof label);
      narrow = (guint16) label;
      memcpy (to + i * sizeof narrow, &narrow, sizeof narrow);
    }
  image->type = WF_TYPE_U16;
  return TRUE;
}

/**
 * format_adapt:
 * @format: a format that accepts the image
 * @file_name: of the file, to be shown
 * @content: what the pixels mean
 * @image: packed pixels, which may be changed where they lie
 * @error: %TOOL_ERROR_FILE
 *
 * Gives the pixels a type that the format has, if none loses its value.  The
 * infinite squared distance becomes infinity, a nearest pixel that there is not
 * becomes -1.
 *
 * Returns: success; on failure the image is as it was.
 */
gboolean
format_adapt (const Format  *format,
              const char    *file_name,
              WfContent      content,
              WfImage       *image,
              GError       **error)
{
  if (format->types & BIT (image->type))
    return TRUE;
  if (image->type == WF_TYPE_U64)
    return make_double (image, content, file_name, error);
  if (image->type == WF_TYPE_U32)
    return make_16_bits (image, format, file_name, error);

  g_return_val_if_reached (FALSE);
}

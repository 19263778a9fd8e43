/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines as a file, whose name tells its format. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/whole-file.h"
#include "outline-formats.h"

static const struct
{
  const char      *suffix;
  WfOutlineFormat  format;
} suffixes[] =
{
  { ".geojson", WF_OUTLINE_GEOJSON },
  { ".json",    WF_OUTLINE_GEOJSON },
  { ".zip",     WF_OUTLINE_ROIS },
};


/**
 * wf_outline_format_find:
 * @name: of a file
 * @format: (out): set if there is one
 *
 * Finds the format by the suffix of a name: .geojson, .json or .zip, in any case.
 *
 * Returns: whether there is one
 */
gboolean
wf_outline_format_find (const char      *name,
                        WfOutlineFormat *format)
{
  gsize n;

  g_return_val_if_fail (name != NULL && format != NULL, FALSE);

  n = strlen (name);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      const gsize length = strlen (suffixes[i].suffix);

      if (n >= length && g_ascii_strcasecmp (name + n - length, suffixes[i].suffix) == 0)
        {
          *format = suffixes[i].format;
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * wf_outlines_format:
 * @outlines: outlines
 * @format: of the result
 * @is_stack: whether the slice of each region is told
 * @object_type: (nullable): of GeoJSON: that of the objects in QuPath, such as "annotation" or
 *   "detection"
 * @spacing: (array fixed-size=2) (nullable): of GeoJSON: size of a pixel along x and y; 1 for
 *   coordinates in pixels, as those of ImageJ are
 * @error: %WF_ERROR_INVALID with the reason alone, to follow the name of a file: outlines beyond
 *   the coordinates that ImageJ has, from −5000 to 32767, and more than 4 GiB
 *
 * Formats outlines; see the tops of outline-json.c and outline-roi.c.
 *
 * Returns: (transfer full) (nullable): the contents of a file, or %NULL with @error set
 */
GBytes *
wf_outlines_format (const WfOutlines  *outlines,
                    WfOutlineFormat    format,
                    gboolean           is_stack,
                    const char        *object_type,
                    const double      *spacing,
                    GError           **error)
{
  char *text;

  g_return_val_if_fail (outlines != NULL, NULL);

  if (format == WF_OUTLINE_ROIS)
    return wf_outlines_format_rois (outlines, is_stack, error);
  g_return_val_if_fail (object_type != NULL && spacing != NULL, NULL);
  text = wf_outlines_format_geojson (outlines, is_stack, object_type, spacing);
  return g_bytes_new_take (text, strlen (text));
}

/**
 * wf_outlines_write:
 * @outlines: outlines
 * @file: where to; its suffix is that of a format
 * @is_stack: whether the slice of each region is told
 * @error: %WF_ERROR_INVALID: @file has no such suffix, or why it cannot be written
 *
 * Writes outlines in pixels, of GeoJSON as detections, whole, in place of what was there.
 *
 * Returns: %FALSE with @error set; then @file is as it was.
 */
gboolean
wf_outlines_write (const WfOutlines  *outlines,
                   GFile             *file,
                   gboolean           is_stack,
                   GError           **error)
{
  static const double  pixels[] = { 1, 1 };
  g_autofree char     *name     = NULL;
  g_autoptr (GError)   reason   = NULL;
  g_autoptr (GBytes)   bytes    = NULL;
  WfOutlineFormat      format;
  gconstpointer        contents;
  gsize                size;

  g_return_val_if_fail (outlines != NULL && file != NULL, FALSE);

  name = g_file_get_parse_name (file);
  if (! wf_outline_format_find (name, &format))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The name of outlines must end in .geojson, .json or .zip, but “%s” does "
                     "not."), name);
      return FALSE;
    }
  bytes = wf_outlines_format (outlines, format, is_stack, "detection", pixels, &reason);
  if (bytes)
    {
      contents = g_bytes_get_data (bytes, &size);
      if (wf_whole_file_write (file, contents, size, &reason))
        return TRUE;
    }
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("The outlines “%s” cannot be written: %s"),
               name, reason->message);
  return FALSE;
}

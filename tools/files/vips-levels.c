/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "doubles.h"
#include "elements.h"
#include "tools/message.h"
#include "vips-levels.h"


/* Complex numbers are refused. */
static gboolean
find_type (VipsBandFormat   format,
           ElementType     *type,
           GError         **error)
{
  static const ElementType types[VIPS_FORMAT_LAST] =
  {
    [VIPS_FORMAT_UCHAR]  = ELEMENT_U8,
    [VIPS_FORMAT_CHAR]   = ELEMENT_I8,
    [VIPS_FORMAT_USHORT] = ELEMENT_U16,
    [VIPS_FORMAT_SHORT]  = ELEMENT_I16,
    [VIPS_FORMAT_UINT]   = ELEMENT_U32,
    [VIPS_FORMAT_INT]    = ELEMENT_I32,
    [VIPS_FORMAT_FLOAT]  = ELEMENT_F32,
    [VIPS_FORMAT_DOUBLE] = ELEMENT_F64,
  };

  *type = types[format];
  return ! vips_band_format_iscomplex (format) ||
         refuse_because (_("its pixels are complex numbers"), error);
}

/**
 * vips_levels_to_float:
 * @pixels: of one band
 * @format: their type
 * @n: how many
 * @levels: as many pixels
 * @path: its file
 * @notice: set to a sentence about rounding, if there was any
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * As elements_to_levels().
 *
 * Returns: success.
 */
gboolean
vips_levels_to_float (gconstpointer    pixels,
                      VipsBandFormat   format,
                      gsize            n,
                      float           *levels,
                      const char      *path,
                      char           **notice,
                      GError         **error)
{
  gboolean    rounded = FALSE;
  ElementType type;

  if (! find_type (format, &type, error) ||
      ! elements_to_levels (pixels, type, n, levels, &rounded, error))
    return FALSE;
  if (type == ELEMENT_F64)
    *notice = rounded ? doubles_make_notice (path) : NULL;
  return TRUE;
}

/**
 * vips_levels_to_labels:
 * @pixels: of one band
 * @format: their type
 * @n: how many
 * @labels: as many pixels
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * As elements_to_labels().
 *
 * Returns: success.
 */
gboolean
vips_levels_to_labels (gconstpointer    pixels,
                       VipsBandFormat   format,
                       gsize            n,
                       guint32         *labels,
                       GError         **error)
{
  ElementType type;

  return find_type (format, &type, error) && elements_to_labels (pixels, type, n, labels, error);
}

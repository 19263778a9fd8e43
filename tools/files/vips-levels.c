/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "tools/message.h"
#include "vips-levels.h"


/* The value of pixel @i, exactly: 32-bit integers fit a double. */
static inline double
value_at (gconstpointer   pixels,
          VipsBandFormat  format,
          gsize           i)
{
  switch (format)
    {
    case VIPS_FORMAT_UCHAR:
      return ((const guint8 *) pixels)[i];
    case VIPS_FORMAT_CHAR:
      return ((const gint8 *) pixels)[i];
    case VIPS_FORMAT_USHORT:
      return ((const guint16 *) pixels)[i];
    case VIPS_FORMAT_SHORT:
      return ((const gint16 *) pixels)[i];
    case VIPS_FORMAT_UINT:
      return ((const guint32 *) pixels)[i];
    case VIPS_FORMAT_INT:
      return ((const gint32 *) pixels)[i];
    case VIPS_FORMAT_FLOAT:
      return ((const float *) pixels)[i];
    case VIPS_FORMAT_DOUBLE:
      return ((const double *) pixels)[i];
    default:
      return NAN;
    }
}

static gboolean
refuse_complex (VipsBandFormat   format,
                GError         **error)
{
  if (! vips_band_format_iscomplex (format))
    return FALSE;

  refuse_because (_("its pixels are complex numbers"), error);
  return TRUE;
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
 * Integers that would be rounded are refused: two levels could become one.
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
  gboolean rounded = FALSE;

  if (refuse_complex (format, error))
    return FALSE;
  if (format == VIPS_FORMAT_DOUBLE)
    {
      if (! doubles_to_floats (pixels, n, levels, &rounded, error))
        return FALSE;
      *notice = rounded ? doubles_make_notice (path) : NULL;
      return TRUE;
    }

  for (gsize i = 0; i < n; i++)
    {
      double value = value_at (pixels, format, i);

      levels[i] = (float) value;
      rounded  |= ! isnan (value) && levels[i] != value;
    }
  if (rounded)
    return refuse_because (_("it holds integers beyond 2^24, which 32-bit floating point would "
                             "round"), error);
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
 * Returns: %FALSE if a value is no label: not a whole number from 0 to 2^32 - 1.
 */
gboolean
vips_levels_to_labels (gconstpointer    pixels,
                       VipsBandFormat   format,
                       gsize            n,
                       guint32         *labels,
                       GError         **error)
{
  if (refuse_complex (format, error))
    return FALSE;

  for (gsize i = 0; i < n; i++)
    {
      double value = value_at (pixels, format, i);

      if (isnan (value) || value != floor (value))
        return refuse_because (_("it holds a label that is not a whole number"), error);
      if (value < 0)
        return refuse_because (_("it holds a label below 0"), error);
      if (value > G_MAXUINT32)
        return refuse_because (_("it holds a label above 2^32 - 1"), error);
      labels[i] = (guint32) value;
    }
  return TRUE;
}

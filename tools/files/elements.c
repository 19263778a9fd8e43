/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "elements.h"
#include "tools/message.h"

/* Integers up to here are exact as 64-bit floating point. */
#define MAX_EXACT 9007199254740992.0


/**
 * elements_size:
 * @type: of pixels
 *
 * Returns: the bytes of one
 */
gsize
elements_size (ElementType type)
{
  switch (type)
    {
    case ELEMENT_U8:
    case ELEMENT_I8:
      return 1;
    case ELEMENT_U16:
    case ELEMENT_I16:
      return 2;
    case ELEMENT_U32:
    case ELEMENT_I32:
    case ELEMENT_F32:
      return 4;
    default:
      return 8;
    }
}

/**
 * elements_get_type:
 * @type: of pixels
 * @labels: whether they are labels, not gray levels
 * @is_same: set to whether they have that type as they are
 *
 * Returns: the type that the engine works on: u32 for labels, else u8, u16 or f32.
 */
WfType
elements_get_type (ElementType  type,
                   gboolean     labels,
                   gboolean    *is_same)
{
  const WfType same = type == ELEMENT_U8    ? WF_TYPE_U8
                      : type == ELEMENT_U16 ? WF_TYPE_U16
                      : type == ELEMENT_U32 ? WF_TYPE_U32
                      : type == ELEMENT_F32 ? WF_TYPE_F32
                                            : 0;

  *is_same = labels ? same == WF_TYPE_U32 : same != 0 && same != WF_TYPE_U32;
  return *is_same ? same : labels ? WF_TYPE_U32 : WF_TYPE_F32;
}

/* The value of pixel @i, exactly but for integers of 64 bits beyond 2^53. */
static inline double
value_at (gconstpointer pixels,
          ElementType   type,
          gsize         i)
{
  switch (type)
    {
    case ELEMENT_U8:
      return ((const guint8 *) pixels)[i];
    case ELEMENT_I8:
      return ((const gint8 *) pixels)[i];
    case ELEMENT_U16:
      return ((const guint16 *) pixels)[i];
    case ELEMENT_I16:
      return ((const gint16 *) pixels)[i];
    case ELEMENT_U32:
      return ((const guint32 *) pixels)[i];
    case ELEMENT_I32:
      return ((const gint32 *) pixels)[i];
    case ELEMENT_U64:
      return (double) ((const guint64 *) pixels)[i];
    case ELEMENT_I64:
      return (double) ((const gint64 *) pixels)[i];
    case ELEMENT_F32:
      return ((const float *) pixels)[i];
    case ELEMENT_F64:
      return ((const double *) pixels)[i];
    }
  g_return_val_if_reached (NAN);
}

/**
 * elements_to_levels:
 * @pixels: of a file
 * @type: of them
 * @n: how many
 * @levels: as many pixels
 * @rounded: set to %TRUE if 64-bit floating point was rounded
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Integers that would be rounded are refused: two levels could become one.
 *
 * Returns: success.
 */
gboolean
elements_to_levels (gconstpointer   pixels,
                    ElementType     type,
                    gsize           n,
                    float          *levels,
                    gboolean       *rounded,
                    GError        **error)
{
  const gboolean is_long = type == ELEMENT_U64 || type == ELEMENT_I64;
  gboolean       changed = FALSE;

  if (type == ELEMENT_F64)
    return doubles_to_floats (pixels, n, levels, rounded, error);

  for (gsize i = 0; i < n; i++)
    {
      const double value = value_at (pixels, type, i);

      levels[i] = (float) value;
      changed  |= (! isnan (value) && levels[i] != value) || (is_long && fabs (value) >= MAX_EXACT);
    }
  return ! changed || refuse_because (_("it holds integers beyond 2^24, which 32-bit floating "
                                        "point would round"), error);
}

/**
 * elements_to_labels:
 * @pixels: of a file
 * @type: of them
 * @n: how many
 * @labels: as many pixels
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: %FALSE if a value is no label: not a whole number from 0 to 2^32 - 1.
 */
gboolean
elements_to_labels (gconstpointer   pixels,
                    ElementType     type,
                    gsize           n,
                    guint32        *labels,
                    GError        **error)
{
  for (gsize i = 0; i < n; i++)
    {
      const double value = value_at (pixels, type, i);

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

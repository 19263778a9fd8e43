/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Gray levels as settings store them: as fractions of the range from black to white, so that a
 * number means the same at every precision.
 */

#include "config.h"

#include <math.h>

#include "level-fraction.h"


/**
 * wf_level_is_fraction:
 * @option: of the kind %WF_OPTION_REAL
 *
 * Other real numbers, such as a length in pixels, are stored as they are.
 *
 * Returns: whether settings store it as a fraction of the range from black to white.
 */
gboolean
wf_level_is_fraction (const WfOption *option)
{
  return option->meaning == WF_OPTION_LEVEL;
}

/**
 * wf_level_lowest:
 * @option: one that settings store as a fraction
 *
 * A level that is 0 by default, but may be lower, is a difference of levels.
 *
 * Returns: the lowest fraction: 0, or −1 of such a difference; the highest one is 1
 */
double
wf_level_lowest (const WfOption *option)
{
  return option->default_value == 0 && option->minimum < 0 ? -1 : 0;
}

/**
 * wf_level_maximum:
 * @type: the type of an image
 *
 * Returns: the level of white: 255, 65535, or 1 for real numbers.
 */
double
wf_level_maximum (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return G_MAXUINT8;
    case WF_TYPE_U16:
      return G_MAXUINT16;
    default:
      return 1.0;
    }
}

/**
 * wf_level_get_factor:
 * @option: of the kind %WF_OPTION_REAL
 * @type: the type of an image
 *
 * Settings store volumes and slopes with white as the unit of levels, so that they mean the same at
 * every precision.
 *
 * Returns: the factor from what settings store to the units of @type; 1 for all other options
 */
double
wf_level_get_factor (const WfOption *option,
                     WfType          type)
{
  return option->meaning == WF_OPTION_VOLUME || option->meaning == WF_OPTION_SLOPE
         ? wf_level_maximum (type) : 1;
}

/**
 * wf_level_from_fraction:
 * @fraction: of the range from black to white
 * @type: the type of an image
 *
 * Returns: the level in the units of @type, rounded as a pixel of @type: a pixel at 0.2 does
 *   not exceed the level of 0.2.
 */
double
wf_level_from_fraction (double fraction,
                        WfType type)
{
  double level = fraction * wf_level_maximum (type);

  return type == WF_TYPE_U8 || type == WF_TYPE_U16 ? round (level) : (float) level;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images have no place for it: the engine has no use of it.  Units have the names of OME-Zarr,
 * which are those of UDUNITS-2; OME-TIFF has the signs.
 */

#include "config.h"

#include <math.h>

#include "pixel-size.h"

/**
 * Unit:
 * @name: in OME-Zarr
 * @sign: in OME-TIFF
 * @more: (nullable): another name that is used
 * @millimeters: how long it is
 */
typedef struct
{
  const char *name;
  const char *sign;
  const char *more;
  double      millimeters;
} Unit;

static const Unit units[] =
{
  { "micrometer", "\302\265m", "micron",  1e-3 },
  { "micrometer", "\316\274m", "microns", 1e-3 },
  { "micrometer", "um",        "\\u00B5m", 1e-3 },
  { "nanometer",  "nm",        NULL,      1e-6 },
  { "picometer",  "pm",        NULL,      1e-9 },
  { "angstrom",   "\303\205",  NULL,      1e-7 },
  { "millimeter", "mm",        NULL,      1 },
  { "centimeter", "cm",        NULL,      10 },
  { "decimeter",  "dm",        NULL,      100 },
  { "meter",      "m",         NULL,      1e3 },
  { "kilometer",  "km",        NULL,      1e6 },
  { "inch",       "in",        NULL,      25.4 },
  { "foot",       "ft",        NULL,      304.8 },
  { "yard",       "yd",        NULL,      914.4 },
  { "mile",       "mi",        NULL,      1609344 },
};

/* There is one process, hence one state. */
static PixelSize noted = PIXEL_SIZE_NONE;
static gboolean  is_noted;


static const Unit *
find_unit (const char *name)
{
  for (guint i = 0; name && i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (name, units[i].name) || g_str_equal (name, units[i].sign) ||
        g_strcmp0 (name, units[i].more) == 0)
      return &units[i];
  return NULL;
}

/**
 * pixel_size_name_unit:
 * @name: of a unit, or its sign
 *
 * Returns: (nullable): its name in PixelSize, if it is a known length
 */
const char *
pixel_size_name_unit (const char *name)
{
  const Unit *unit = find_unit (name);

  return unit ? unit->name : NULL;
}

/**
 * pixel_size_sign_unit:
 * @unit: (nullable): of PixelSize
 *
 * Returns: (nullable): its sign in OME-TIFF, if it is a known length
 */
const char *
pixel_size_sign_unit (const char *unit)
{
  const Unit *found = find_unit (unit);

  return found ? found->sign : NULL;
}

/**
 * pixel_size_get_density:
 * @size: of a pixel
 * @axis: x, y or z
 *
 * Returns: pixels in a millimeter; 0 if that is not known
 */
double
pixel_size_get_density (const PixelSize *size,
                        guint            axis)
{
  const Unit  *unit    = find_unit (size->unit[axis]);
  const double density = unit ? 1.0 / (size->size[axis] * unit->millimeters) : 0.0;

  return isfinite (density) && density > 0.0 ? density : 0.0;
}

/**
 * pixel_size_note:
 * @size: of a pixel of an input
 *
 * That of the first input counts, which is the image.
 */
void
pixel_size_note (const PixelSize *size)
{
  if (is_noted)
    return;
  is_noted       = TRUE;
  noted.of_print = size->of_print;
  for (guint i = 0; i < G_N_ELEMENTS (noted.size); i++)
    {
      noted.size[i] = size->size[i];
      noted.unit[i] = g_strdup (size->unit[i]);
    }
}

/**
 * pixel_size_get:
 *
 * Returns: that of the result; 1 without units if no input has one
 */
const PixelSize *
pixel_size_get (void)
{
  return &noted;
}

/**
 * pixel_size_forget:
 *
 * Before another image is read, which has nothing to do with this one.
 */
void
pixel_size_forget (void)
{
  pixel_size_clear (&noted);
  is_noted = FALSE;
}

/**
 * pixel_size_clear:
 * @size: one that owns its units
 *
 * It is as one of no input.
 */
void
pixel_size_clear (PixelSize *size)
{
  for (guint i = 0; i < G_N_ELEMENTS (size->unit); i++)
    g_free (size->unit[i]);
  *size = (PixelSize) PIXEL_SIZE_NONE;
}

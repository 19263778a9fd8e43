/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of colours: one definition for all depths, and that of GIMP's layers, so that the
 * same picture has the same levels at 8, 16 and 32 bits, in the command and in GIMP.
 *
 * It is that of linear light, in the encoding of the colours: components that are encoded as in
 * sRGB are decoded, weighted and encoded again; linear ones are weighted as they are.  White is
 * 255, 65535 or 1.0.  The weights are the luminances of the sRGB primaries, adapted to D50 as in
 * colour profiles.  The curve is continued beyond white, and below black by its mirror image.
 *
 * u8 and u16 are rounded to the nearest level: a table has the luminance of each component, another
 * the luminances halfway between two levels, and a third, for equal parts of the range of
 * luminances, the level to begin the search at.  Grey keeps its level at all depths.
 */

#include "config.h"

#include <math.h>

#include "luminance.h"

#define RED   0.22248840
#define GREEN 0.71690369
#define BLUE  0.06060791

/* Parts of the range of luminances. */
#define N_PARTS 65536

/**
 * Tables:
 * @highest: level
 * @decoded: the luminance of each level
 * @limits: the luminance from which on the next level is nearer
 * @starts: the level of the least luminance of each part
 */
typedef struct
{
  guint    highest;
  double  *decoded;
  double  *limits;
  guint16 *starts;
} Tables;


static double
decode (double level)
{
  const double positive = fabs (level);

  return copysign (positive <= 0.04045 ? positive / 12.92
                                       : pow ((positive + 0.055) / 1.055, 2.4), level);
}

/**
 * luminance_encode:
 * @luminance: linear light, of a color or a component
 *
 * Returns: the same, encoded as in sRGB
 */
double
luminance_encode (double luminance)
{
  const double positive = fabs (luminance);

  return copysign (positive <= 0.0031308 ? positive * 12.92
                                         : 1.055 * pow (positive, 1 / 2.4) - 0.055, luminance);
}

static inline double
weigh (double red,
       double green,
       double blue)
{
  return RED * red + GREEN * green + BLUE * blue;
}

/**
 * luminance_of:
 * @red: a component, as the others; 1 is white
 * @linear: whether components are linear light, not encoded as in sRGB
 *
 * Returns: the luminance, linear or encoded as the components are.
 */
double
luminance_of (double   red,
              double   green,
              double   blue,
              gboolean linear)
{
  if (red == green && green == blue)
    return red;
  return linear ? weigh (red, green, blue)
                : luminance_encode (weigh (decode (red), decode (green), decode (blue)));
}

static Tables *
make_tables (guint highest)
{
  Tables *tables = g_new (Tables, 1);
  guint   level  = 0;

  tables->highest = highest;
  tables->decoded = g_new (double, highest + 1);
  tables->limits  = g_new (double, highest + 1);
  tables->starts  = g_new (guint16, N_PARTS + 1);
  for (guint i = 0; i <= highest; i++)
    {
      tables->decoded[i] = decode ((double) i / highest);
      tables->limits[i]  = i < highest ? decode ((i + 0.5) / highest) : INFINITY;
    }
  for (guint i = 0; i <= N_PARTS; i++)
    {
      while ((double) i / N_PARTS >= tables->limits[level])
        level++;
      tables->starts[i] = (guint16) level;
    }
  return tables;
}

/* @made: the tables for @highest, once they are made */
static const Tables *
get_tables (gsize *made,
            guint  highest)
{
  if (g_once_init_enter (made))
    g_once_init_leave (made, (gsize) make_tables (highest));
  return (const Tables *) *made;
}

static inline guint
find_level (const Tables *tables,
            guint         red,
            guint         green,
            guint         blue)
{
  const double *decoded   = tables->decoded;
  const double  luminance = weigh (decoded[red], decoded[green], decoded[blue]);
  guint         level;

  if (red == green && green == blue)
    return red;
  level = tables->starts[(guint) (MIN (luminance, 1) * N_PARTS)];
  while (luminance >= tables->limits[level])
    level++;
  return level;
}

/**
 * luminance_of_u8:
 * @colours: red, green and blue of @n pixels, encoded as in sRGB
 * @levels: set to their luminances, encoded in the same way
 */
void
luminance_of_u8 (const guint8 *colours,
                 gsize         n,
                 guint8       *levels)
{
  static gsize  made   = 0;
  const Tables *tables = get_tables (&made, G_MAXUINT8);

  for (gsize i = 0; i < n; i++, colours += 3)
    levels[i] = (guint8) find_level (tables, colours[0], colours[1], colours[2]);
}

/* The same for u16. */
void
luminance_of_u16 (const guint16 *colours,
                  gsize          n,
                  guint16       *levels)
{
  static gsize  made   = 0;
  const Tables *tables = get_tables (&made, G_MAXUINT16);

  for (gsize i = 0; i < n; i++, colours += 3)
    levels[i] = (guint16) find_level (tables, colours[0], colours[1], colours[2]);
}

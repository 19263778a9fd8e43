/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of pixels, and pixels that get another one and keep their colors.
 *
 * The luminance is that of linear light, in the encoding of the components: those that are encoded
 * as in sRGB are decoded, weighted and encoded again; linear ones are weighted as they are.  White
 * is 255, 65535 or 1.  The weights are the luminances of the sRGB primaries, adapted to D50 as in
 * color profiles.  u8 and u16 are rounded to the nearest level.  Gray keeps its level in all types.
 *
 * A pixel whose level has changed from L to L′ gets the luminance of L′ by the definition in
 * luminance.c, from the luminance that it had before rounding; then its components are encoded and
 * rounded.  A pixel for which L′ = L stays exactly as it is.
 *
 * Components are three planes, or lie side by side.  Each pixel is read once for its level, and
 * once more, and written, where its level has changed: for u8 4 bytes, and 5 or 8.
 */

#include "config.h"

#include "encoding.h"

#define RED   0.22248840
#define GREEN 0.71690369
#define BLUE  0.06060791

/* Pixels that are changed together. */
#define PART 512

/**
 * Layout:
 * @step: from a component of a pixel to that of the next, in components
 * @table: of the levels, where they are whole numbers and encoded; else %NULL
 *
 * How the components of pixels are stored.
 */
typedef struct
{
  WfType                 type;
  WfColorEncoding        encoding;
  const gpointer        *components;
  gint64                 step;
  const WfEncodingTable *table;
} Layout;


static void
layout_init (Layout          *layout,
             WfType           type,
             WfColorEncoding  encoding,
             const gpointer  *components,
             guint            step)
{
  const gboolean whole = type == WF_TYPE_U8 || type == WF_TYPE_U16;

  *layout = (Layout) { type, encoding, components, step,
                       whole && encoding == WF_ENCODING_SRGB ? wf_encoding_get_table (type)
                                                             : NULL };
}

static inline double
weigh (double red,
       double green,
       double blue)
{
  return red == green && green == blue ? red : RED * red + GREEN * green + BLUE * blue;
}

static inline double
find_luminance (WfColorEncoding encoding,
                double          red,
                double          green,
                double          blue)
{
  if (encoding == WF_ENCODING_LINEAR || (red == green && green == blue))
    return weigh (red, green, blue);
  return wf_encoding_encode (weigh (wf_encoding_decode (red), wf_encoding_decode (green),
                                    wf_encoding_decode (blue)));
}


/*  Levels  */

/* @half: 0.5 to round to integers, or 0 */
#define TAKE(Type, white, half) \
  for (gint64 i = 0; i < n; i++) \
    { \
      const gint64 k = i * layout->step; \
\
      ((Type *) levels)[i] = \
        (Type) ((white) * find_luminance (layout->encoding, \
                                          ((const Type *) red)[k] / (double) (white), \
                                          ((const Type *) green)[k] / (double) (white), \
                                          ((const Type *) blue)[k] / (double) (white)) + (half)); \
    }

#define TAKE_ENCODED(Type) \
  for (gint64 i = 0; i < n; i++) \
    { \
      const guint r = ((const Type *) red)[i * layout->step]; \
      const guint g = ((const Type *) green)[i * layout->step]; \
      const guint b = ((const Type *) blue)[i * layout->step]; \
\
      ((Type *) levels)[i] = r == g && g == b ? (Type) r \
                             : (Type) wf_encoding_find_level (table, weigh (table->decoded[r], \
                                                                            table->decoded[g], \
                                                                            table->decoded[b])); \
    }

static void
take_encoded (const Layout *layout,
              gint64        n,
              gpointer      levels)
{
  const WfEncodingTable *table = layout->table;
  gconstpointer          red   = layout->components[0];
  gconstpointer          green = layout->components[1];
  gconstpointer          blue  = layout->components[2];

  if (layout->type == WF_TYPE_U8)
    TAKE_ENCODED (guint8)
  else
    TAKE_ENCODED (guint16)
}

static void
take (const Layout *layout,
      gint64        n,
      gpointer      levels)
{
  gconstpointer red   = layout->components[0];
  gconstpointer green = layout->components[1];
  gconstpointer blue  = layout->components[2];

  switch (layout->type)
    {
    case WF_TYPE_U8:
      TAKE (guint8, G_MAXUINT8, 0.5)
      break;
    case WF_TYPE_U16:
      TAKE (guint16, G_MAXUINT16, 0.5)
      break;
    case WF_TYPE_F64:
      TAKE (double, 1, 0)
      break;
    default:
      TAKE (float, 1, 0)
      break;
    }
}

/**
 * wf_colors_take_luminance:
 * @type: of components and levels: u8, u16, f32 or f64
 * @encoding: of both
 * @components: red, green and blue of the first pixel
 * @step: from there to the next pixel, in components: 1 in planes
 * @n: the number of pixels
 * @levels: set to the luminance of each
 *
 * Takes the luminance of pixels, by the definition at the top of this file.
 */
void
wf_colors_take_luminance (WfType           type,
                          WfColorEncoding  encoding,
                          const gpointer   components[3],
                          guint            step,
                          gint64           n,
                          gpointer         levels)
{
  Layout layout;

  layout_init (&layout, type, encoding, components, step);
  if (layout.table)
    take_encoded (&layout, n, levels);
  else
    take (&layout, n, levels);
}


/*  Colors  */

/* The component, or level, number @i as light. */
static inline double
get_light (const Layout  *layout,
           gconstpointer  levels,
           gint64         i)
{
  const gboolean encoded = layout->encoding == WF_ENCODING_SRGB;
  double         level;

  switch (layout->type)
    {
    case WF_TYPE_U8:
      return encoded ? layout->table->decoded[((const guint8 *) levels)[i]]
                     : ((const guint8 *) levels)[i] / (double) G_MAXUINT8;
    case WF_TYPE_U16:
      return encoded ? layout->table->decoded[((const guint16 *) levels)[i]]
                     : ((const guint16 *) levels)[i] / (double) G_MAXUINT16;
    default:
      level = ((const float *) levels)[i];
      return encoded ? wf_encoding_decode (level) : level;
    }
}

static inline void
set_light (const Layout *layout,
           float         light,
           gpointer      component,
           gint64        i)
{
  const gboolean encoded = layout->encoding == WF_ENCODING_SRGB;
  const double   limited = CLAMP ((double) light, 0, 1);

  switch (layout->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) component)[i] = (guint8)
        (encoded ? wf_encoding_find_level (layout->table, limited)
                 : (guint) (limited * G_MAXUINT8 + 0.5));
      break;
    case WF_TYPE_U16:
      ((guint16 *) component)[i] = (guint16)
        (encoded ? wf_encoding_find_level (layout->table, limited)
                 : (guint) (limited * G_MAXUINT16 + 0.5));
      break;
    default:
      ((float *) component)[i] = encoded ? (float) wf_encoding_encode (light) : light;
      break;
    }
}

static gboolean
differ (WfType        type,
        gconstpointer before,
        gconstpointer after,
        gint64        i)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) before)[i] != ((const guint8 *) after)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) before)[i] != ((const guint16 *) after)[i];
    default:
      return ((const float *) before)[i] != ((const float *) after)[i];
    }
}

/* Pixels that change, PART at most. */
typedef struct
{
  guint  n;
  gint64 places[PART];
  float  colors[3 * PART];
  float  were[PART];
  float  wanted[PART];
} Changed;

static void
changed_apply (const Layout *layout,
               Changed      *changed)
{
  wf_colors_set_luminance (changed->colors, 3, changed->were, changed->wanted, changed->n,
                           layout->type != WF_TYPE_F32);
  for (guint i = 0; i < changed->n; i++)
    for (int c = 0; c < 3; c++)
      set_light (layout, changed->colors[3 * i + c], layout->components[c], changed->places[i]);
  changed->n = 0;
}

static void
changed_add (const Layout  *layout,
             gconstpointer  after,
             gint64         i,
             Changed       *changed)
{
  const gint64 place = i * layout->step;
  const guint  k     = changed->n++;
  double       light[3];

  for (int c = 0; c < 3; c++)
    {
      light[c]                   = get_light (layout, layout->components[c], place);
      changed->colors[3 * k + c] = (float) light[c];
    }
  changed->places[k] = place;
  changed->were[k]   = (float) weigh (light[0], light[1], light[2]);
  changed->wanted[k] = (float) get_light (layout, after, i);
}

/**
 * wf_colors_keep:
 * @type: of components and levels: u8, u16 or f32
 * @encoding: of both
 * @components: as for wf_colors_take_luminance(); changed in place
 * @step: as above
 * @before: the luminance of each pixel, as wf_colors_take_luminance() takes it
 * @after: the luminance that it is to have
 * @n: the number of pixels
 *
 * Gives pixels another luminance and keeps their colors, by the definition at the top of this
 * file.
 */
void
wf_colors_keep (WfType           type,
                WfColorEncoding  encoding,
                const gpointer   components[3],
                guint            step,
                gconstpointer    before,
                gconstpointer    after,
                gint64           n)
{
  Changed changed = { 0 };
  Layout  layout;

  layout_init (&layout, type, encoding, components, step);
  for (gint64 i = 0; i < n; i++)
    {
      if (! differ (type, before, after, i))
        continue;
      changed_add (&layout, after, i, &changed);
      if (changed.n == PART)
        changed_apply (&layout, &changed);
    }
  changed_apply (&layout, &changed);
}

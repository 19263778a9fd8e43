/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of images that libvips reads, or the levels of a stain, row by row as they are
 * decoded.
 *
 * libvips has one of its own for 8 and 16 bits only, with other weights and from a coarse table.
 * Colours are linear light, as they are in GIMP, if their colour profile or their format says so
 * (Radiance, OpenEXR); otherwise they are encoded as in sRGB.  libvips calls every TIFF file in
 * floating point linear; TIFF does not, and its profile is what counts.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "vips-luminance.h"

/**
 * Colours:
 * @linear: whether they are linear light
 * @white: the level of white
 * @stain: (nullable): whose levels are wanted
 */
typedef struct
{
  gboolean       linear;
  double         white;
  const WfStain *stain;
} Colours;


static guint32
number_at (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* A curve without points, with one that is the power 1, or of two that are a straight line; or the
 * parametric one of the power 1.
 */
static gboolean
is_straight (const guint8 *curve,
             gsize         length)
{
  if (length >= 12 && memcmp (curve, "curv", 4) == 0)
    switch (number_at (curve + 8))
      {
      case 0:
        return TRUE;
      case 1:
        return length >= 14 && curve[12] == 1 && curve[13] == 0;
      case 2:
        return length >= 16 && number_at (curve + 12) == 0xffff;
      default:
        return FALSE;
      }
  return length >= 16 && memcmp (curve, "para", 4) == 0 &&
         curve[8] == 0 && curve[9] == 0 && number_at (curve + 12) == 0x10000;
}

/* Whether the profile of @image has a straight curve for red, and so for all. */
static gboolean
has_linear_profile (VipsImage *image)
{
  const void   *blob   = NULL;
  const guint8 *bytes;
  size_t        length = 0;
  guint32       n;

  if (vips_image_get_typeof (image, VIPS_META_ICC_NAME) == 0 ||
      vips_image_get_blob (image, VIPS_META_ICC_NAME, &blob, &length) != 0 || length < 132)
    return FALSE;

  bytes = blob;
  n     = number_at (bytes + 128);
  for (gsize i = 0; i < n && 132 + 12 * (i + 1) <= length; i++)
    {
      const guint8  *tag   = bytes + 132 + 12 * i;
      const guint32  start = number_at (tag + 4);

      if (memcmp (tag, "rTRC", 4) == 0)
        return start < length && is_straight (bytes + start, length - start);
    }
  return FALSE;
}

static gboolean
has_linear_format (VipsImage *image)
{
  const char *loader = "";

  if (image->Type != VIPS_INTERPRETATION_scRGB)
    return FALSE;
  if (vips_image_get_typeof (image, VIPS_META_LOADER) != 0)
    vips_image_get_string (image, VIPS_META_LOADER, &loader);
  return ! g_str_has_prefix (loader, "tiffload");
}

/**
 * vips_luminance_is_linear:
 * @colour: red, green and blue
 *
 * Returns: whether they are linear light
 */
gboolean
vips_luminance_is_linear (VipsImage *colour)
{
  return has_linear_profile (colour) || has_linear_format (colour);
}

static double
white_of (VipsBandFormat format)
{
  switch (format)
    {
    case VIPS_FORMAT_UCHAR:
      return G_MAXUINT8;
    case VIPS_FORMAT_CHAR:
      return G_MAXINT8;
    case VIPS_FORMAT_USHORT:
      return G_MAXUINT16;
    case VIPS_FORMAT_SHORT:
      return G_MAXINT16;
    case VIPS_FORMAT_UINT:
      return G_MAXUINT32;
    case VIPS_FORMAT_INT:
      return G_MAXINT32;
    default:
      return 1;
    }
}

/* Components whose white is 1, in floats encoded as in sRGB.  @pixels: floats or doubles */
static void
encode (const Colours *colours,
        VipsBandFormat format,
        gconstpointer  pixels,
        gsize          n,
        float         *encoded)
{
  for (gsize i = 0; i < n; i++)
    {
      const double component = format == VIPS_FORMAT_UCHAR    ? ((const guint8 *) pixels)[i]
                               : format == VIPS_FORMAT_USHORT ? ((const guint16 *) pixels)[i]
                               : format == VIPS_FORMAT_FLOAT  ? ((const float *) pixels)[i]
                                                              : ((const double *) pixels)[i];

      encoded[i] = (float) (component / colours->white);
      if (colours->linear)
        encoded[i] = (float) wf_color_encode (encoded[i]);
    }
}

#define STORE(Type, half) \
  for (gsize i = 0; i < n; i++) \
    ((Type *) levels)[i] = (Type) (colours->white * (double) found[i] + (half))

/* The levels of a stain in pixels that it does not take as they are. */
static void
take_stain (const Colours *colours,
            VipsBandFormat format,
            gconstpointer  pixels,
            gsize          n,
            gpointer       levels)
{
  g_autofree float *encoded = g_new (float, 3 * n);
  g_autofree float *found   = g_new (float, n);

  encode (colours, format, pixels, 3 * n, encoded);
  wf_stain_take_levels (colours->stain, WF_TYPE_F32, encoded, 3, (gint64) n, found);
  if (format == VIPS_FORMAT_UCHAR)
    STORE (guint8, 0.5);
  else if (format == VIPS_FORMAT_USHORT)
    STORE (guint16, 0.5);
  else if (format == VIPS_FORMAT_FLOAT)
    STORE (float, 0);
  else
    STORE (double, 0);
}

static void
take_luminance (const Colours *colours,
                WfType         type,
                gconstpointer  pixels,
                gsize          n,
                gpointer       levels)
{
  const char     *first        = pixels;
  const gsize     size         = wf_type_size (type);
  const gpointer  components[] = { (gpointer) first, (gpointer) (first + size),
                                   (gpointer) (first + 2 * size) };

  wf_colors_take_luminance (type, colours->linear ? WF_ENCODING_LINEAR : WF_ENCODING_SRGB,
                            components, 3, (gint64) n, levels);
}

/* Doubles, which are also those of integers, whose white is another than 1. */
static void
take_doubles (const Colours *colours,
              const double  *pixels,
              gsize          n,
              double        *levels)
{
  g_autofree double *scaled = g_new (double, 3 * n);

  for (gsize i = 0; i < 3 * n; i++)
    scaled[i] = pixels[i] / colours->white;
  take_luminance (colours, WF_TYPE_F64, scaled, n, levels);
  for (gsize i = 0; i < n; i++)
    levels[i] *= colours->white;
}

static void
weigh_row (const Colours *colours,
           VipsBandFormat format,
           gconstpointer  pixels,
           gsize          n,
           gpointer       levels)
{
  const gboolean whole = format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT;
  const WfType   type  = format == VIPS_FORMAT_UCHAR    ? WF_TYPE_U8
                         : format == VIPS_FORMAT_USHORT ? WF_TYPE_U16
                                                        : WF_TYPE_F32;

  if (colours->stain && whole && ! colours->linear)
    wf_stain_take_levels (colours->stain, type, pixels, 3, (gint64) n, levels);
  else if (colours->stain)
    take_stain (colours, format, pixels, n, levels);
  else if (format == VIPS_FORMAT_DOUBLE)
    take_doubles (colours, pixels, n, levels);
  else
    take_luminance (colours, type, pixels, n, levels);
}

/* Of VipsGenerateFn. */
static int
generate (VipsRegion *out,
          void       *sequence,
          void       *image,
          void       *colours,
          gboolean   *stop)
{
  VipsRegion     *in   = sequence;
  const VipsRect *area = &out->valid;

  if (vips_region_prepare (in, area) != 0)
    return -1;
  for (int y = area->top; y < area->top + area->height; y++)
    weigh_row (colours, in->im->BandFmt, VIPS_REGION_ADDR (in, area->left, y),
               (gsize) area->width, VIPS_REGION_ADDR (out, area->left, y));
  return 0;
}

/**
 * vips_luminance:
 * @colour: red, green and blue
 * @stain: (nullable): whose levels are wanted instead
 *
 * Integers of other types than u8 and u16 become doubles.
 *
 * Returns: (nullable) (transfer full): the luminance, computed when it is read.
 */
VipsImage *
vips_luminance (VipsImage     *colour,
                const WfStain *stain)
{
  const VipsBandFormat  format  = colour->BandFmt;
  VipsImage            *wide    = NULL;
  VipsImage            *grey    = vips_image_new ();
  Colours              *colours = VIPS_NEW (grey, Colours);
  int                   failed;

  colours->linear = vips_luminance_is_linear (colour);
  colours->white  = white_of (format);
  colours->stain  = stain;
  if (format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT ||
      format == VIPS_FORMAT_FLOAT || format == VIPS_FORMAT_DOUBLE)
    wide = g_object_ref (colour);
  else if (vips_cast (colour, &wide, VIPS_FORMAT_DOUBLE, NULL) != 0)
    {
      g_object_unref (grey);
      return NULL;
    }

  vips_object_local (grey, wide);
  failed = vips_image_pipelinev (grey, VIPS_DEMAND_STYLE_THINSTRIP, wide, NULL);
  if (! failed)
    {
      grey->Bands = 1;
      grey->Type  = VIPS_INTERPRETATION_B_W;
      failed      = vips_image_generate (grey, vips_start_one, generate, vips_stop_one, wide,
                                         colours);
    }
  if (failed)
    g_clear_object (&grey);
  return grey;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A colour profile that makes an image of small numbers readable, and leaves the numbers as
 * they are.
 *
 * In an image of 16-bit integers with the numbers from 0 to some hundred all pixels are nearly
 * black.  Stretching them would change the numbers; so would an effect of the layer, on
 * export.  A profile states how stored values are shown: this one shows 0 as black, 1 as a dark
 * grey, and the highest number as white.  With n = 65535 x, the stored value, the luminance is
 *
 *   Y = 0                  for n = 0,
 *   Y = (a x + b)^2.2      otherwise, with b = 1/4 and a + b = 1 at the highest number,
 *
 * a parametric curve of ICC.1:2010, section 10.16, function type 3.  Values are exported
 * unchanged, with or without the profile.
 */

#include "config.h"

#include <string.h>

#include "number-profile.h"

/* The level of number 1, before gamma. */
#define LEAST_SHOWN 0.25
#define GAMMA       2.2

/* The largest s15Fixed16Number. */
#define LARGEST_FIXED 32767.0

/* The white point of the profile connection space, D50. */
static const double white[] = { 0.9642, 1, 0.8249 };


static void
add_16 (GByteArray *bytes,
        guint16     value)
{
  const guint8 data[] = { value >> 8, value & 0xff };

  g_byte_array_append (bytes, data, sizeof data);
}

static void
add_32 (GByteArray *bytes,
        guint32     value)
{
  add_16 (bytes, (guint16) (value >> 16));
  add_16 (bytes, (guint16) (value & 0xffff));
}

static void
add_fixed (GByteArray *bytes,
           double      value)
{
  add_32 (bytes, (guint32) (gint32) (value * 65536 + 0.5));
}

static void
add_signature (GByteArray *bytes,
               const char *signature)
{
  g_byte_array_append (bytes, (const guint8 *) signature, 4);
}

static void
add_white (GByteArray *bytes)
{
  for (guint i = 0; i < G_N_ELEMENTS (white); i++)
    add_fixed (bytes, white[i]);
}

/* A tag of one text, in English. */
static GByteArray *
text_new (const char *text)
{
  GByteArray *tag = g_byte_array_new ();
  gsize       n   = strlen (text);

  add_signature (tag, "mluc");
  add_32 (tag, 0);
  add_32 (tag, 1);                    /* texts */
  add_32 (tag, 12);                   /* bytes of a record */
  add_signature (tag, "enUS");
  add_32 (tag, (guint32) (2 * n));
  add_32 (tag, 28);                   /* where the text begins */
  for (gsize i = 0; i < n; i++)
    add_16 (tag, (guint8) text[i]);
  return tag;
}

static GByteArray *
white_new (void)
{
  GByteArray *tag = g_byte_array_new ();

  add_signature (tag, "XYZ ");
  add_32 (tag, 0);
  add_white (tag);
  return tag;
}

static GByteArray *
curve_new (guint16 highest)
{
  GByteArray *tag = g_byte_array_new ();

  add_signature (tag, "para");
  add_32 (tag, 0);
  add_16 (tag, 3);
  add_16 (tag, 0);
  add_fixed (tag, GAMMA);
  add_fixed (tag, MIN ((1 - LEAST_SHOWN) * G_MAXUINT16 / highest, LARGEST_FIXED));
  add_fixed (tag, LEAST_SHOWN);
  add_fixed (tag, 0);                 /* the slope below the limit */
  add_32 (tag, 1);                    /* the limit, 1 / 65536: between 0 and 1 / 65535 */
  return tag;
}

/* Of version 4.2, for grey displays. */
static void
add_header (GByteArray *profile,
            gsize       size)
{
  static const guint16 date[] = { 2026, 1, 1, 0, 0, 0 };
  const guint          start  = profile->len;

  add_32 (profile, (guint32) size);
  add_32 (profile, 0);
  add_32 (profile, 0x04200000);
  add_signature (profile, "mntr");
  add_signature (profile, "GRAY");
  add_signature (profile, "XYZ ");
  for (guint i = 0; i < G_N_ELEMENTS (date); i++)
    add_16 (profile, date[i]);
  add_signature (profile, "acsp");
  while (profile->len < start + 68)
    add_32 (profile, 0);
  add_white (profile);
  while (profile->len < start + 128)
    add_32 (profile, 0);
}

/**
 * wf_number_profile_new:
 * @highest: the highest number, at least 1
 *
 * Returns: (transfer full) (nullable): the profile for 16-bit gray
 */
GimpColorProfile *
wf_number_profile_new (guint16 highest)
{
  g_autofree char       *name    = g_strdup_printf ("Numbers from 0 to %d", highest);
  g_autoptr (GByteArray) profile = g_byte_array_new ();
  struct
  {
    const char *signature;
    GByteArray *data;
  }
  tags[] =
  {
    { "desc", text_new (name) },
    { "cprt", text_new ("No copyright, use freely") },
    { "wtpt", white_new () },
    { "kTRC", curve_new (highest) },
  };
  gsize size = 128 + 4 + 12 * G_N_ELEMENTS (tags);

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    size += (tags[i].data->len + 3) & ~3u;
  add_header (profile, size);

  add_32 (profile, G_N_ELEMENTS (tags));
  size = 128 + 4 + 12 * G_N_ELEMENTS (tags);
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      add_signature (profile, tags[i].signature);
      add_32 (profile, (guint32) size);
      add_32 (profile, tags[i].data->len);
      size += (tags[i].data->len + 3) & ~3u;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      g_byte_array_append (profile, tags[i].data->data, tags[i].data->len);
      while (profile->len % 4 != 0)
        g_byte_array_append (profile, (const guint8 *) "", 1);
      g_byte_array_unref (tags[i].data);
    }
  return gimp_color_profile_new_from_icc_profile (profile->data, profile->len, NULL);
}

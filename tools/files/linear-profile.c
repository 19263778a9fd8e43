/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A color profile that says of red, green and blue that they are linear light with the primaries of
 * sRGB: of a file whose format says so, written in a format that does not.
 *
 * It is one of version 2.1, whose description every reader knows: a matrix of the primaries,
 * relative to the white of D50, and curves without points, which are straight lines.
 *
 * Source: ICC.1:2001-04, sections 6.1 to 6.5; IEC 61966-2-1, adapted to D50 by Bradford's matrix.
 */

#include "config.h"

#include <string.h>

#include "linear-profile.h"

#define DESCRIPTION "Linear light, primaries of sRGB"
#define RIGHTS      "No copyright, use freely"

/* Bytes of the header, and of an entry of the table behind it. */
#define HEADER 128
#define ENTRY  12

/* In parts of 65536: X, Y and Z. */
static const guint32 white[] = { 0xf6d6, 0x10000, 0xd32d };
static const guint32 red[]   = { 0x6fa2, 0x38f5, 0x0390 };
static const guint32 green[] = { 0x6299, 0xb785, 0x18da };
static const guint32 blue[]  = { 0x24a0, 0x0f84, 0xb6cf };

typedef struct
{
  const char    *signature;
  const guint32 *color;     /* or none: a straight curve */
  const char    *text;      /* or none */
} Tag;

static const Tag tags[] =
{
  { "desc", NULL, DESCRIPTION },
  { "cprt", NULL, RIGHTS },
  { "wtpt", white, NULL },
  { "rXYZ", red, NULL },
  { "gXYZ", green, NULL },
  { "bXYZ", blue, NULL },
  { "rTRC", NULL, NULL },
  { "gTRC", NULL, NULL },
  { "bTRC", NULL, NULL },
};


static void
add_number (GByteArray *bytes,
            guint32     value)
{
  const guint32 ordered = GUINT32_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *) &ordered, sizeof ordered);
}

static void
add_signature (GByteArray *bytes,
               const char *signature)
{
  g_byte_array_append (bytes, (const guint8 *) signature, 4);
}

static void
add_zeros (GByteArray *bytes,
           guint       end)
{
  while (bytes->len < end)
    g_byte_array_append (bytes, (const guint8 *) "", 1);
}

/* A description is a text with its length, and two more in other scripts, which are empty. */
static void
add_text (GByteArray *bytes,
          const char *signature,
          const char *text)
{
  const gboolean described = strcmp (signature, "desc") == 0;

  add_signature (bytes, described ? "desc" : "text");
  add_number (bytes, 0);
  if (described)
    add_number (bytes, (guint32) strlen (text) + 1);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text) + 1);
  if (described)
    add_zeros (bytes, bytes->len + 8 + 3 + 67);
}

static void
add_tag (GByteArray *bytes,
         const Tag  *tag)
{
  if (tag->text)
    add_text (bytes, tag->signature, tag->text);
  else
    {
      add_signature (bytes, tag->color ? "XYZ " : "curv");
      add_number (bytes, 0);
      for (int i = 0; tag->color && i < 3; i++)
        add_number (bytes, tag->color[i]);
      if (! tag->color)
        add_number (bytes, 0);      /* points */
    }
}

static void
add_header (GByteArray *bytes,
            guint32     size)
{
  static const guint8 date[] = { 2026 >> 8, 2026 & 0xff, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0 };

  add_number (bytes, size);
  add_number (bytes, 0);
  add_number (bytes, 0x02100000);
  g_byte_array_append (bytes, (const guint8 *) "mntrRGB XYZ ", 12);
  g_byte_array_append (bytes, date, sizeof date);
  add_signature (bytes, "acsp");
  add_zeros (bytes, 68);
  for (int i = 0; i < 3; i++)
    add_number (bytes, white[i]);
  add_zeros (bytes, HEADER);
}

/**
 * linear_profile_new:
 *
 * Returns: (transfer full): the profile
 */
GBytes *
linear_profile_new (void)
{
  const guint             start = HEADER + 4 + ENTRY * G_N_ELEMENTS (tags);
  g_autoptr (GByteArray)  data  = g_byte_array_new ();
  g_autoptr (GByteArray)  table = g_byte_array_new ();
  GByteArray             *bytes = g_byte_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      const guint begin = data->len;

      add_tag (data, &tags[i]);
      add_signature (table, tags[i].signature);
      add_number (table, start + begin);
      add_number (table, data->len - begin);
      add_zeros (data, (data->len + 3) / 4 * 4);
    }
  add_header (bytes, start + data->len);
  add_number (bytes, G_N_ELEMENTS (tags));
  g_byte_array_append (bytes, table->data, table->len);
  g_byte_array_append (bytes, data->data, data->len);
  return g_byte_array_free_to_bytes (bytes);
}

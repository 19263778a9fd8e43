/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A header of text, "Pf width height scale", then the rows from the bottom to the
 * top.  A negative scale says that the least significant byte comes first; how
 * large it is says nothing that pixels need.  "PF" has three bands.
 *
 * Libvips knows these files too, but its versions differ in which row comes first
 * and in the byte order that they announce, and they convert grey levels as if
 * they were colours of a screen when they write.
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "pfm-file.h"


/* Rows are written together, not each by itself. */
#define WRITE_BYTES ((gsize) 1 << 20)

typedef char Word[64];

typedef struct
{
  gint64   width;
  gint64   height;
  int      n_bands;
  gboolean big_endian;
  gsize    length;
} Header;


/* The next word, and the one byte behind it; comments run to the end of a line. */
static gboolean
next_word (const char *bytes,
           gsize       n,
           gsize      *at,
           Word        word)
{
  gsize start;

  while (*at < n && (g_ascii_isspace (bytes[*at]) || bytes[*at] == '#'))
    if (bytes[*at] == '#')
      while (*at < n && bytes[*at] != '\n')
        ++*at;
    else
      ++*at;

  start = *at;
  while (*at < n && *at - start < sizeof (Word) - 1 && g_ascii_isgraph (bytes[*at]))
    ++*at;
  if (*at >= n || ! g_ascii_isspace (bytes[*at]))
    return FALSE;

  memcpy (word, bytes + start, *at - start);
  word[*at - start] = '\0';
  ++*at;
  return TRUE;
}

static gboolean
parse_header (const char *bytes,
              gsize       n,
              Header     *header)
{
  Word    words[4];
  char   *end;
  double  scale;
  gsize   at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (! next_word (bytes, n, &at, words[i]))
      return FALSE;

  if (strcmp (words[0], "Pf") != 0 && strcmp (words[0], "PF") != 0)
    return FALSE;
  scale = g_ascii_strtod (words[3], &end);
  if (*end != '\0' || ! isfinite (scale) || scale == 0 ||
      ! g_ascii_string_to_signed (words[1], 10, 1, WF_MAX_SIDE, &header->width, NULL) ||
      ! g_ascii_string_to_signed (words[2], 10, 1, WF_MAX_SIDE, &header->height, NULL))
    return FALSE;

  header->n_bands    = strcmp (words[0], "PF") == 0 ? 3 : 1;
  header->big_endian = scale > 0;
  header->length     = at;
  return TRUE;
}

static gboolean
has_length (const Header *header,
            guint64       length)
{
  guint64 expected;

  return g_uint64_checked_mul (&expected, (guint64) header->width, (guint64) header->height) &&
         g_uint64_checked_mul (&expected, expected, header->n_bands * sizeof (float)) &&
         g_uint64_checked_add (&expected, expected, header->length) &&
         length == expected;
}

static inline float
float_at (const char *bytes,
          gboolean    big_endian)
{
  guint32 bits;
  float   value;

  memcpy (&bits, bytes, sizeof bits);
  bits = big_endian ? GUINT32_FROM_BE (bits) : GUINT32_FROM_LE (bits);
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Colour becomes luminance, or the level of a stain; it is linear light here, as GIMP takes it. */
static float
read_color (const Header  *header,
            const char    *bytes,
            const WfStain *stain)
{
  float          color[3];
  const gpointer components[] = { &color[0], &color[1], &color[2] };
  float          level;

  for (int i = 0; i < 3; i++)
    color[i] = float_at (bytes + 4 * i, header->big_endian);
  if (! stain)
    {
      wf_colors_take_luminance (WF_TYPE_F32, WF_ENCODING_LINEAR, components, 3, 1, &level);
      return level;
    }
  for (int i = 0; i < 3; i++)
    color[i] = (float) wf_color_encode (color[i]);
  wf_stain_take_levels (stain, WF_TYPE_F32, color, 3, 1, &level);
  return level;
}

static void
read_row (const Header  *header,
          const char    *bytes,
          const WfStain *stain,
          float         *row)
{
  for (gint64 x = 0; x < header->width; x++)
    row[x] = header->n_bands == 1 ? float_at (bytes + 4 * x, header->big_endian)
                                  : read_color (header, bytes + 12 * x, stain);
}

/**
 * pfm_file_is_likely:
 * @path: a file
 *
 * Returns: whether it begins as PFM files do.
 */
gboolean
pfm_file_is_likely (const char *path)
{
  g_autoptr (GMappedFile)  mapping = bytes_map (path, NULL);
  const char              *bytes   = mapping ? g_mapped_file_get_contents (mapping) : NULL;

  return bytes && g_mapped_file_get_length (mapping) > 2 &&
         bytes[0] == 'P' && (bytes[1] == 'f' || bytes[1] == 'F') && g_ascii_isspace (bytes[2]);
}

/**
 * pfm_file_read:
 * @path: a file
 * @choice: what is read of it: the stain, if any
 * @image: set to an f32 image, to be cleared
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: success.
 */
gboolean
pfm_file_read (const char    *path,
               const Choice  *choice,
               WfImage       *image,
               GError       **error)
{
  g_autoptr (GMappedFile)  mapping = bytes_map (path, error);
  const char              *bytes;
  Header                   header;
  gsize                    row_length;

  if (! mapping)
    return FALSE;
  bytes = g_mapped_file_get_contents (mapping);
  if (! parse_header (bytes, g_mapped_file_get_length (mapping), &header))
    return refuse_to_read (path, _("it does not have the header of a PFM file"), error);
  if (! has_length (&header, g_mapped_file_get_length (mapping)))
    return refuse_to_read (path, _("its length does not match its header"), error);
  if (header.n_bands == 1)
    {
      g_autofree char *name = g_filename_display_name (path);

      if (! choice_refuse_stain (choice, name, error))
        return FALSE;
    }
  if (! memory_claim_to_read (path, (guint64) header.width * (guint64) header.height
                                    * sizeof (float), error) ||
      ! wf_image_allocate (image, WF_TYPE_F32, header.width, header.height, 1, error))
    return FALSE;

  row_length = (gsize) header.width * header.n_bands * sizeof (float);
  for (gint64 y = 0; y < header.height; y++)
    read_row (&header, bytes + header.length + (gsize) (header.height - 1 - y) * row_length,
              choice->stain, (float *) image->data + y * header.width);
  return TRUE;
}

/**
 * pfm_file_write:
 * @descriptor: of an open file
 * @image: f32, packed, one slice
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Returns: success.
 */
gboolean
pfm_file_write (int             descriptor,
                const WfImage  *image,
                GError        **error)
{
  gsize             length = (gsize) image->width * sizeof (float);
  gint64            n_rows = CLAMP ((gint64) (WRITE_BYTES / length), 1, image->height);
  g_autofree char  *header = g_strdup_printf ("Pf\n%" PRId64 " %" PRId64
                                              "\n-1.0\n", image->width, image->height);
  g_autofree float *rows   = g_malloc ((gsize) n_rows * length);

  if (! bytes_write (descriptor, header, strlen (header), 1, error))
    return FALSE;

  for (gint64 y = image->height; y > 0; y -= n_rows)
    {
      gint64 n = MIN (n_rows, y);

      for (gint64 i = 0; i < n; i++)
        memcpy (rows + i * image->width,
                (const float *) image->data + (y - 1 - i) * image->width, length);
      if (! bytes_write (descriptor, rows, (gsize) n * length, sizeof (float), error))
        return FALSE;
    }
  return TRUE;
}

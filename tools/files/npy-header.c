/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of NumPy's format, versions 1.0 to 3.0: the bytes 93 “NUMPY”, two bytes of version,
 * the length of the text as a little-endian number of two bytes (1.0) or four, then the text, a
 * dictionary as Python writes it,
 *
 *   {'descr': '<u2', 'fortran_order': False, 'shape': (480, 640), }
 *
 * in Latin-1, or UTF-8 from version 3.0 on, filled up by spaces and ended by a line break.  The
 * three keys come in any order, each once.  The pixels follow: rows of columns, or slices of rows.
 * A shape of three sides is a stack, whatever the last side is.
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "npy-file.h"
#include "tools/message.h"


static const char magic[] = "\x93NUMPY";

#define MAGIC_LENGTH (sizeof magic - 1)

/* Of the text; NumPy itself refuses longer ones by default. */
#define MAX_TEXT 10000

/* Pixels begin at a multiple of this. */
#define ALIGNMENT 64

/* More sides than any array has. */
#define MAX_SIDES 64

typedef enum
{
  KEY_DESCR,
  KEY_ORDER,
  KEY_SHAPE,
  N_KEYS
} Key;

/* @at: where the text is read; @given: a bit for each #Key */
typedef struct
{
  const char *at;
  guint       given;
  char        descr[64];
  gboolean    fortran;
  gint64      sides[MAX_SIDES];
  guint       n_sides;
} Reader;


static gboolean
refuse_header (GError **error)
{
  return refuse_because (_("it does not have the header of an NPY file"), error);
}

static void
skip_space (Reader *reader)
{
  while (g_ascii_isspace (*reader->at))
    reader->at++;
}

/* Whether @word comes next, which is skipped. */
static gboolean
take (Reader     *reader,
      const char *word)
{
  skip_space (reader);
  if (! g_str_has_prefix (reader->at, word))
    return FALSE;
  reader->at += strlen (word);
  return TRUE;
}

/* A text in quotes without escapes. */
static gboolean
take_text (Reader *reader,
           char   *text,
           gsize   size)
{
  const char  quote = take (reader, "'") ? '\'' : take (reader, "\"") ? '"' : '\0';
  const char *end   = quote ? strchr (reader->at, quote) : NULL;

  if (! end || (gsize) (end - reader->at) >= size)
    return FALSE;
  memcpy (text, reader->at, end - reader->at);
  text[end - reader->at] = '\0';
  reader->at             = end + 1;
  return strchr (text, '\\') == NULL;
}

static gboolean
take_side (Reader *reader)
{
  const char *start = reader->at;
  gint64     *side  = &reader->sides[reader->n_sides];

  if (! g_ascii_isdigit (*start) || reader->n_sides == MAX_SIDES)
    return FALSE;
  for (*side = 0; g_ascii_isdigit (*reader->at); reader->at++)
    *side = MIN (*side * 10 + (*reader->at - '0'), G_MAXINT64 / 16);
  take (reader, "L");   /* of Python 2 */
  reader->n_sides++;
  return TRUE;
}

static gboolean
take_shape (Reader *reader)
{
  if (! take (reader, "("))
    return FALSE;
  while (! take (reader, ")"))
    {
      if (! take_side (reader) || (! take (reader, ",") && ! g_str_has_prefix (reader->at, ")")))
        return FALSE;
      skip_space (reader);
    }
  return TRUE;
}

static gboolean
take_value (Reader *reader,
            Key     key)
{
  switch (key)
    {
    case KEY_DESCR:
      if (! take (reader, "["))
        return take_text (reader, reader->descr, sizeof reader->descr);
      strcpy (reader->descr, "[");
      reader->at += strcspn (reader->at, "]");
      return take (reader, "]");
    case KEY_ORDER:
      reader->fortran = take (reader, "True");
      return reader->fortran || take (reader, "False");
    default:
      return take_shape (reader);
    }
}

static gboolean
take_entry (Reader *reader)
{
  static const char * const names[] = { "descr", "fortran_order", "shape" };
  char                      name[16];

  if (! take_text (reader, name, sizeof name) || ! take (reader, ":"))
    return FALSE;
  for (guint key = 0; key < N_KEYS; key++)
    if (strcmp (name, names[key]) == 0)
      {
        if (reader->given & 1u << key)
          return FALSE;
        reader->given |= 1u << key;
        return take_value (reader, (Key) key);
      }
  return FALSE;
}

static gboolean
take_dictionary (Reader *reader)
{
  if (! take (reader, "{"))
    return FALSE;
  while (! take (reader, "}"))
    if (! take_entry (reader) || (! take (reader, ",") && *reader->at != '}'))
      return FALSE;
  skip_space (reader);
  return *reader->at == '\0' && reader->given == (1u << N_KEYS) - 1;
}

/* The text of the header, to be freed, and where the pixels begin. */
static char *
find_text (const char *bytes,
           gsize       n,
           gsize      *length)
{
  const guint8 *header = (const guint8 *) bytes;
  const gsize   start  = n > MAGIC_LENGTH && header[MAGIC_LENGTH] == 1 ? 10 : 12;
  gsize         size;

  if (n < start || memcmp (bytes, magic, MAGIC_LENGTH) != 0 || header[6] < 1 || header[6] > 3 ||
      header[7] != 0)
    return NULL;
  size = header[8] | (gsize) header[9] << 8;
  if (start == 12)
    size |= (gsize) header[10] << 16 | (gsize) header[11] << 24;
  if (size > MAX_TEXT || size > n - start || memchr (bytes + start, '\0', size))
    return NULL;
  *length = start + size;
  return g_strndup (bytes + start, size);
}

static gboolean
find_type (const Reader  *reader,
           NpyHeader     *header,
           GError       **error)
{
  static const struct { const char *name; ElementType type; } types[] =
  {
    { "b1", ELEMENT_U8 },  { "u1", ELEMENT_U8 },  { "i1", ELEMENT_I8 },  { "u2", ELEMENT_U16 },
    { "i2", ELEMENT_I16 }, { "u4", ELEMENT_U32 }, { "i4", ELEMENT_I32 }, { "u8", ELEMENT_U64 },
    { "i8", ELEMENT_I64 }, { "f4", ELEMENT_F32 }, { "f8", ELEMENT_F64 },
  };
  const char       order  = reader->descr[0];
  const char       other  = G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<';
  g_autofree char *reason = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types) && order && strchr ("<>|=", order); i++)
    if (strcmp (reader->descr + 1, types[i].name) == 0 &&
        (order != '|' || elements_size (types[i].type) == 1))
      {
        header->type    = types[i].type;
        header->swapped = order == other && elements_size (types[i].type) > 1;
        return TRUE;
      }
  if (order == '[')
    return refuse_because (_("it is an array of records"), error);
  reason = g_strdup_printf (_("it is an array of type “%s”: bool, integers of 8 to 64 bits and "
                              "floating point of 32 and 64 bits can be read"), reader->descr);
  return refuse_because (reason, error);
}

static gboolean
find_sides (const Reader  *reader,
            NpyHeader     *header,
            GError       **error)
{
  const guint      n      = reader->n_sides;
  g_autofree char *reason = NULL;

  if (n < 2 || n > 3)
    {
      reason = g_strdup_printf (_("it is an array of %u dimensions: images have 2, stacks 3"), n);
      return refuse_because (reason, error);
    }
  for (guint i = 0; i < n; i++)
    if (reader->sides[i] < 1 || reader->sides[i] > WF_MAX_SIDE)
      return refuse_because (reader->sides[i] < 1 ? _("it has no pixels")
                                                  : _("each side must have at most 2^30 pixels"),
                             error);
  header->width   = reader->sides[n - 1];
  header->height  = reader->sides[n - 2];
  header->depth   = n == 3 ? reader->sides[0] : 1;
  header->n_sides = n;
  return TRUE;
}

/**
 * npy_header_parse:
 * @header: filled
 * @bytes: the beginning of a file
 * @n: bytes of it
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether it is a file that can be read, as far as the header says
 */
gboolean
npy_header_parse (NpyHeader   *header,
                  const char  *bytes,
                  gsize        n,
                  GError     **error)
{
  g_autofree char *text   = find_text (bytes, n, &header->length);
  Reader           reader = { .at = text };

  if (! text || ! take_dictionary (&reader))
    return refuse_header (error);
  if (! find_type (&reader, header, error) || ! find_sides (&reader, header, error))
    return FALSE;
  return ! reader.fortran ||
         refuse_because (_("its columns are stored one after the other (Fortran's order); "
                           "numpy.ascontiguousarray() stores rows"), error);
}

static const char *
name_type (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return "|u1";
    case WF_TYPE_U16:
      return "<u2";
    case WF_TYPE_U32:
      return "<u4";
    case WF_TYPE_U64:
      return "<u8";
    case WF_TYPE_F32:
      return "<f4";
    case WF_TYPE_F64:
      return "<f8";
    }
  g_return_val_if_reached (NULL);
}

/**
 * npy_header_format:
 * @image: type and size
 * @n_sides: of the array at least: 3 even for one slice; 0 for as many as @image has
 * @length: (out): bytes of the header
 *
 * Returns: (transfer full): the header of a file of version 1.0
 */
char *
npy_header_format (const WfImage *image,
                   guint          n_sides,
                   gsize         *length)
{
  const gboolean   stack  = image->depth > 1 || n_sides > 2;
  g_autofree char *slices = stack ? g_strdup_printf ("%" PRId64 ", ", image->depth) : g_strdup ("");
  g_autofree char *text   = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': "
                                             "(%s%" PRId64 ", %" PRId64 "), }",
                                             name_type (image->type), slices, image->height,
                                             image->width);
  const gsize      start  = 10;
  const gsize      n      = strlen (text);
  char            *header;

  *length = (start + n + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  header  = g_malloc (*length);
  memset (header, ' ', *length);
  memcpy (header, magic, MAGIC_LENGTH);
  header[6] = 1;
  header[7] = 0;
  header[8] = (char) ((*length - start) & 0xff);
  header[9] = (char) ((*length - start) >> 8);
  memcpy (header + start, text, n);
  header[*length - 1] = '\n';
  return header;
}

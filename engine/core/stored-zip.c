/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format of PKWARE's APPNOTE.TXT (6.3.10), little-endian, as far as stored entries need it:
 *
 *   local file header   for each entry, followed by its name and its contents
 *   central directory   a header for each entry, followed by its name
 *   end records         of more than 65534 entries those of Zip64, and the plain one
 *
 * Entries have no time, but the first one that the format knows, so that equal contents give equal
 * files.  All of it is kept in memory: it has up to 4 GiB.
 */

#include "config.h"

#include <string.h>

#include "stored-zip.h"

#define LOCAL_HEADER      0x04034b50u
#define DIRECTORY_HEADER  0x02014b50u
#define END               0x06054b50u
#define ZIP64_END         0x06064b50u
#define ZIP64_END_LOCATOR 0x07064b50u

/* The versions of the format that a reader must know, for plain entries and for Zip64. */
#define VERSION_PLAIN 20
#define VERSION_ZIP64 45

/* Names are in UTF-8. */
#define FLAGS 0x0800

/* January 1, 1980. */
#define FIRST_DATE 0x21

#define MAX_ENTRIES 0xfffeu

/* What follows the last entry beside the directory. */
#define END_BYTES 98

/* Reversed, of CRC-32. */
#define POLYNOMIAL 0xedb88320u


static guint32
find_checksum (const guint8 *bytes,
               gsize         n)
{
  static gsize   ready = 0;
  static guint32 table[256];
  guint32        sum   = G_MAXUINT32;

  if (g_once_init_enter (&ready))
    {
      for (guint32 i = 0; i < G_N_ELEMENTS (table); i++)
        {
          table[i] = i;
          for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? POLYNOMIAL : 0);
        }
      g_once_init_leave (&ready, 1);
    }
  for (gsize i = 0; i < n; i++)
    sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
  return ~sum;
}

/* Appends a number of @n_bytes. */
static void
append (GByteArray *bytes,
        guint64     number,
        int         n_bytes)
{
  const guint64 ordered = GUINT64_TO_LE (number);

  g_byte_array_append (bytes, (const guint8 *) &ordered, (guint) n_bytes);
}

/* What both headers of an entry say of it. */
static void
append_entry (GByteArray *bytes,
              guint32     checksum,
              gsize       size,
              gsize       name_length)
{
  append (bytes, VERSION_PLAIN, 2);
  append (bytes, FLAGS, 2);
  append (bytes, 0, 2);             /* stored */
  append (bytes, 0, 2);             /* time */
  append (bytes, FIRST_DATE, 2);
  append (bytes, checksum, 4);
  append (bytes, size, 4);          /* compressed */
  append (bytes, size, 4);
  append (bytes, name_length, 2);
  append (bytes, 0, 2);             /* no extra field */
}

/**
 * wf_stored_zip_begin:
 * @zip: set to an empty file
 */
void
wf_stored_zip_begin (WfStoredZip *zip)
{
  *zip = (WfStoredZip) { g_byte_array_new (), g_byte_array_new (), 0 };
}

/**
 * wf_stored_zip_add:
 * @zip: a file that was begun
 * @name: of the entry, UTF-8, of up to 65535 bytes
 * @contents: its bytes
 * @size: their number
 *
 * Adds an entry.
 *
 * Returns: %FALSE if the file would have more than 4 GiB; it is as it was then
 */
gboolean
wf_stored_zip_add (WfStoredZip   *zip,
                   const char    *name,
                   gconstpointer  contents,
                   gsize          size)
{
  const gsize   length   = strlen (name);
  const guint32 checksum = find_checksum (contents, size);
  const guint32 offset   = zip->file->len;

  g_return_val_if_fail (length <= G_MAXUINT16, FALSE);

  if (size > G_MAXUINT32 || (guint64) zip->file->len + zip->directory->len + size +
                            2 * length + END_BYTES + 30 + 46 > G_MAXUINT32)
    return FALSE;

  append (zip->file, LOCAL_HEADER, 4);
  append_entry (zip->file, checksum, size, length);
  g_byte_array_append (zip->file, (const guint8 *) name, (guint) length);
  g_byte_array_append (zip->file, contents, (guint) size);

  append (zip->directory, DIRECTORY_HEADER, 4);
  append (zip->directory, VERSION_PLAIN, 2);   /* made by */
  append_entry (zip->directory, checksum, size, length);
  append (zip->directory, 0, 2);               /* no comment */
  append (zip->directory, 0, 2);               /* first disk */
  append (zip->directory, 0, 2);               /* internal attributes */
  append (zip->directory, 0, 4);               /* external ones */
  append (zip->directory, offset, 4);
  g_byte_array_append (zip->directory, (const guint8 *) name, (guint) length);
  zip->n_entries++;
  return TRUE;
}

static void
append_zip64_end (const WfStoredZip *zip,
                  guint32            directory)
{
  const guint32 end = zip->file->len;

  append (zip->file, ZIP64_END, 4);
  append (zip->file, 44, 8);                   /* bytes that follow */
  append (zip->file, VERSION_ZIP64, 2);
  append (zip->file, VERSION_ZIP64, 2);
  append (zip->file, 0, 4);                    /* this disk */
  append (zip->file, 0, 4);                    /* that of the directory */
  append (zip->file, zip->n_entries, 8);       /* on this disk */
  append (zip->file, zip->n_entries, 8);
  append (zip->file, zip->directory->len, 8);
  append (zip->file, directory, 8);

  append (zip->file, ZIP64_END_LOCATOR, 4);
  append (zip->file, 0, 4);                    /* disk */
  append (zip->file, end, 8);
  append (zip->file, 1, 4);                    /* number of disks */
}

/**
 * wf_stored_zip_end:
 * @zip: a file that was begun; cleared
 *
 * Returns: (transfer full): its contents
 */
GBytes *
wf_stored_zip_end (WfStoredZip *zip)
{
  const guint32  directory = zip->file->len;
  const gboolean zip64     = zip->n_entries > MAX_ENTRIES;
  const guint64  n         = zip64 ? G_MAXUINT16 : zip->n_entries;
  GBytes        *bytes;

  g_byte_array_append (zip->file, zip->directory->data, zip->directory->len);
  if (zip64)
    append_zip64_end (zip, directory);
  append (zip->file, END, 4);
  append (zip->file, 0, 2);                    /* this disk */
  append (zip->file, 0, 2);                    /* that of the directory */
  append (zip->file, n, 2);                    /* on this disk */
  append (zip->file, n, 2);
  append (zip->file, zip->directory->len, 4);
  append (zip->file, directory, 4);
  append (zip->file, 0, 2);                    /* no comment */
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&zip->file));
  wf_stored_zip_clear (zip);
  return bytes;
}

/**
 * wf_stored_zip_clear:
 * @zip: a file that was begun
 *
 * Frees it.
 */
void
wf_stored_zip_clear (WfStoredZip *zip)
{
  g_clear_pointer (&zip->file, g_byte_array_unref);
  g_clear_pointer (&zip->directory, g_byte_array_unref);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libtiff compresses to files only: so it is given one of a single strip, of which the compressed
 * bytes are kept and all else is dropped.  It shares nothing with other files, so that threads can
 * compress at the same time.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include <tiffio.h>

#include "lzw.h"

/* In front of the strip. */
#define HEADER 8

/**
 * File:
 * @out: gets what is written from HEADER on, as far as there is @room
 * @n: bytes that it has
 * @at: where it is written to
 */
typedef struct
{
  guint8 *out;
  gsize   room;
  gsize   n;
  gsize   at;
} File;


/**
 * lzw_bound:
 * @n: bytes
 *
 * Returns: as many bytes as they take at most: a code of 12 bits for each of them, one that begins
 *   the table anew for every 3,000 and more, and those at the ends
 */
gsize
lzw_bound (gsize n)
{
  return n + n / 2 + n / 1024 + 16;
}

/* Of TIFFReadWriteProc. */
static tmsize_t
read_nothing (thandle_t  file,
              void      *bytes,
              tmsize_t   n)
{
  return 0;
}

/* Of TIFFReadWriteProc. */
static tmsize_t
write_bytes (thandle_t  data,
             void      *bytes,
             tmsize_t   n)
{
  File        *file = data;
  const gsize  skip = file->at < HEADER ? MIN ((gsize) n, HEADER - file->at) : 0;
  const gsize  to   = MAX (file->at, HEADER) - HEADER;

  if (to < file->room)
    memcpy (file->out + to, (const guint8 *) bytes + skip,
            MIN ((gsize) n - skip, file->room - to));
  file->at += (gsize) n;
  file->n   = MAX (file->n, file->at);
  return n;
}

/* Of TIFFSeekProc. */
static toff_t
seek (thandle_t data,
      toff_t    offset,
      int       whence)
{
  File *file = data;

  file->at = (gsize) offset + (whence == SEEK_CUR ? file->at : whence == SEEK_END ? file->n : 0);
  return file->at;
}

/* Of TIFFCloseProc. */
static int
close_nothing (thandle_t file)
{
  return 0;
}

/* Of TIFFSizeProc. */
static toff_t
get_size (thandle_t file)
{
  return ((const File *) file)->n;
}

static gboolean
write_strip (TIFF          *tiff,
             gconstpointer  bytes,
             gsize          n)
{
  return TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) n) &&
         TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1) &&
         TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 1) &&
         TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8) &&
         TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
         TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
         TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW) &&
         TIFFWriteEncodedStrip (tiff, 0, (void *) bytes, (tmsize_t) n) == (tmsize_t) n;
}

/**
 * lzw_compress:
 * @bytes: what is compressed
 * @n: how many; 1 to 2³¹ − 1
 * @out: for the compressed bytes
 * @room: what is there, at least lzw_bound()
 *
 * Returns: how many were written; 0 if there was no memory
 */
gsize
lzw_compress (gconstpointer bytes,
              gsize         n,
              gpointer      out,
              gsize         room)
{
  File   file = { out, room, 0, 0 };
  TIFF  *tiff = TIFFClientOpen ("strip", "w", &file, read_nothing, write_bytes, seek,
                                close_nothing, get_size, NULL, NULL);
  gsize  made = 0;

  if (! tiff)
    return 0;
  if (write_strip (tiff, bytes, n) && TIFFGetStrileOffset (tiff, 0) == HEADER)
    made = TIFFGetStrileByteCount (tiff, 0);
  file.room = 0;      /* the directory is dropped */
  TIFFClose (tiff);
  return made <= room ? made : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format of ImageJ's RoiEncoder, version 228, big-endian:
 *
 *    0  “Iout”, version (2 bytes), type (1 byte) and 1 byte
 *    8  top, left, bottom, right of the bounding box (2 bytes each)
 *   16  number of corners (2 bytes); 0: it is at 18, in 4 bytes
 *   36  of a composite: number of floats (4 bytes)
 *   56  slice, from 1; 0: none (4 bytes)
 *   60  where more follows; 0: nothing (4 bytes)
 *   64  the coordinates
 *
 * A region of one ring is a traced one (type 8): all x, then all y, relative to the bounding box,
 * in 2 bytes each.  Others are composites (type 1): floats, 0 x y to begin a ring, 1 x y for a
 * line to the next corner, and 4 to close it.  Coordinates are corners of pixels in both.
 */

#include "config.h"

#include <string.h>

#include "roi-file.h"

#define HEADER_BYTES 64
#define VERSION      228

enum
{
  TYPE_COMPOSITE = 1,
  TYPE_TRACED    = 8
};

enum
{
  SEGMENT_MOVE,
  SEGMENT_LINE,
  SEGMENT_CLOSE = 4
};

typedef struct
{
  gint64 left;
  gint64 top;
  gint64 right;
  gint64 bottom;
} Box;


static void
append_short (GByteArray *bytes,
              gint64      number)
{
  const guint16 value = GUINT16_TO_BE ((guint16) number);

  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
append_float (GByteArray *bytes,
              float       number)
{
  guint32 bits;

  memcpy (&bits, &number, sizeof bits);
  bits = GUINT32_TO_BE (bits);
  g_byte_array_append (bytes, (const guint8 *) &bits, sizeof bits);
}

static void
put_long (GByteArray *bytes,
          guint       at,
          gint64      number)
{
  const guint32 value = GUINT32_TO_BE ((guint32) number);

  memcpy (bytes->data + at, &value, sizeof value);
}

static void
put_short (GByteArray *bytes,
           guint       at,
           gint64      number)
{
  const guint16 value = GUINT16_TO_BE ((guint16) number);

  memcpy (bytes->data + at, &value, sizeof value);
}

static Box
find_box (const WfOutline *region)
{
  Box box = { G_MAXINT32, G_MAXINT32, 0, 0 };

  for (gint64 ring = 0; ring < region->n_rings; ring++)
    for (gint64 i = 0; i < region->rings[ring].n_points; i++)
      {
        const WfOutlinePoint *point = &region->rings[ring].points[i];

        box = (Box) { MIN (box.left, point->x), MIN (box.top, point->y),
                      MAX (box.right, point->x), MAX (box.bottom, point->y) };
      }
  return box;
}

static void
append_traced (GByteArray          *bytes,
               const WfOutlineRing *ring,
               const Box           *box)
{
  const gint64 n = ring->n_points;

  if (n <= G_MAXUINT16)
    put_short (bytes, 16, n);
  else
    put_long (bytes, 18, n);
  for (gint64 i = 0; i < n; i++)
    append_short (bytes, ring->points[i].x - box->left);
  for (gint64 i = 0; i < n; i++)
    append_short (bytes, ring->points[i].y - box->top);
}

static void
append_composite (GByteArray      *bytes,
                  const WfOutline *region)
{
  gint64 n = 0;

  for (gint64 ring = 0; ring < region->n_rings; ring++)
    {
      const WfOutlineRing *points = &region->rings[ring];

      for (gint64 i = 0; i < points->n_points; i++)
        {
          append_float (bytes, i == 0 ? SEGMENT_MOVE : SEGMENT_LINE);
          append_float (bytes, (float) points->points[i].x);
          append_float (bytes, (float) points->points[i].y);
        }
      append_float (bytes, SEGMENT_CLOSE);
      n += 3 * points->n_points + 1;
    }
  put_long (bytes, 36, n);
}

/**
 * roi_file_format:
 * @region: an outline, within %ROI_FILE_MAX_SIDE
 * @is_stack: whether its slice is told
 *
 * Returns: (transfer full): the contents of a .roi file
 */
GByteArray *
roi_file_format (const WfOutline *region,
                 gboolean         is_stack)
{
  const gboolean  single = region->n_rings == 1;
  const Box       box    = find_box (region);
  GByteArray     *bytes  = g_byte_array_new ();

  g_byte_array_set_size (bytes, HEADER_BYTES);
  memset (bytes->data, 0, HEADER_BYTES);
  memcpy (bytes->data, "Iout", 4);
  put_short (bytes, 4, VERSION);
  bytes->data[6] = single ? TYPE_TRACED : TYPE_COMPOSITE;
  put_short (bytes, 8, box.top);
  put_short (bytes, 10, box.left);
  put_short (bytes, 12, box.bottom);
  put_short (bytes, 14, box.right);
  put_long (bytes, 56, is_stack ? region->slice + 1 : 0);
  if (single)
    append_traced (bytes, &region->rings[0], &box);
  else
    append_composite (bytes, region);
  return bytes;
}

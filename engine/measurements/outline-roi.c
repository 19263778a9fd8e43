/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines as the list of ImageJ's ROI manager: a zip file with a .roi file for each region, whose
 * name is what the manager shows.  The same outlines give the same file.
 *
 * A .roi file has the format of ImageJ's RoiEncoder, version 228, big-endian:
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

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/stored-zip.h"
#include "outline-formats.h"

#define HEADER_BYTES 64
#define VERSION      228

/* Coordinates have 16 bits and a sign; of negative ones ImageJ takes those below −5000 for large
 * ones.
 */
#define LEAST_PLACE    -5000
#define GREATEST_PLACE G_MAXINT16

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
  Box box = { G_MAXINT32, G_MAXINT32, G_MININT32, G_MININT32 };

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

static GByteArray *
format_region (const WfOutline *region,
               const Box       *box,
               gboolean         is_stack)
{
  const gboolean  single = region->n_rings == 1;
  GByteArray     *bytes  = g_byte_array_new ();

  g_byte_array_set_size (bytes, HEADER_BYTES);
  memset (bytes->data, 0, HEADER_BYTES);
  memcpy (bytes->data, "Iout", 4);
  put_short (bytes, 4, VERSION);
  bytes->data[6] = single ? TYPE_TRACED : TYPE_COMPOSITE;
  put_short (bytes, 8, box->top);
  put_short (bytes, 10, box->left);
  put_short (bytes, 12, box->bottom);
  put_short (bytes, 14, box->right);
  put_long (bytes, 56, is_stack ? region->slice + 1 : 0);
  if (single)
    append_traced (bytes, &region->rings[0], box);
  else
    append_composite (bytes, region);
  return bytes;
}

static gboolean
add_region (WfStoredZip      *zip,
            const WfOutline  *region,
            gboolean          is_stack,
            GError          **error)
{
  const Box               box   = find_box (region);
  g_autoptr (GByteArray)  bytes = NULL;
  g_autofree char        *name  = NULL;

  if (MIN (box.left, box.top) < LEAST_PLACE || MAX (box.right, box.bottom) > GREATEST_PLACE)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("regions of ImageJ have coordinates from %d to %d pixels"), LEAST_PLACE,
                   GREATEST_PLACE);
      return FALSE;
    }
  bytes = format_region (region, &box, is_stack);
  name  = is_stack ? g_strdup_printf ("%" PRId64 "-%u.roi", region->slice + 1, region->label)
                   : g_strdup_printf ("%u.roi", region->label);
  if (wf_stored_zip_add (zip, name, bytes->data, bytes->len))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("regions of ImageJ would take more than 4 GiB"));
  return FALSE;
}

/* The contents of a .zip file, or NULL with @error set.  Time: linear in the corners. */
GBytes *
wf_outlines_format_rois (const WfOutlines  *outlines,
                         gboolean           is_stack,
                         GError           **error)
{
  g_auto (WfStoredZip) zip = { 0 };

  wf_stored_zip_begin (&zip);
  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines); i++)
    if (! add_region (&zip, wf_outlines_get_region (outlines, i), is_stack, error))
      return NULL;
  return wf_stored_zip_end (&zip);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of pixels between regions are closed: their pixels are added to the regions beside them, so
 * that one boundary runs between two regions, and not one on each side of the line.
 *
 * In rounds a pixel takes the label of a neighbor that has one, of the four in its slice: that to
 * the left, above, to the right, below.  All pixels of a round take theirs at once, so that a line
 * two pixels wide is divided in its middle.  Pixels that are still without a label are listed, 12
 * bytes for each, so that only the first round goes over the image.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/image.h"
#include "engine/core/run.h"

/**
 * Closing:
 * @inside: (nullable): 0 where label 0 is not a line
 * @pixels: (element-type gint64): without a label, numbered row by row
 * @found: (element-type guint32): their labels in this round
 */
typedef struct
{
  WfImage       *labels;
  const WfImage *inside;
  GArray        *pixels;
  GArray        *found;
} Closing;


static void
closing_clear (Closing *closing)
{
  g_clear_pointer (&closing->pixels, g_array_unref);
  g_clear_pointer (&closing->found, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Closing, closing_clear)

/* Where a pixel is, after those before it: @start is the first pixel of its row, and @y that row in
 * its slice.
 */
typedef struct
{
  gint64   start;
  gint64   end;
  gint64   y;
  guint32 *labels;
} Row;

/* Most pixels of a list are in the row of the one before. */
static inline guint32 *
find_pixel (const WfImage *labels,
            gint64         pixel,
            Row           *row)
{
  if (pixel >= row->end)
    {
      const gint64 number = pixel / labels->width;

      *row = (Row) { number * labels->width, (number + 1) * labels->width, number % labels->height,
                     wf_image_row (labels, number) };
    }
  return row->labels + (pixel - row->start);
}

/* The label that a pixel gets from a neighbor, or 0. */
static inline guint32
label_beside (const WfImage *labels,
              gint64         pixel,
              Row           *row)
{
  const guint32 *here = find_pixel (labels, pixel, row);

  if (pixel > row->start && here[-1])
    return here[-1];
  if (row->y > 0 && here[-labels->row_stride])
    return here[-labels->row_stride];
  if (pixel + 1 < row->end && here[1])
    return here[1];
  if (row->y + 1 < labels->height && here[labels->row_stride])
    return here[labels->row_stride];
  return 0;
}

static gboolean
list_pixels (Closing *closing,
             WfRun   *run)
{
  const WfImage *labels = closing->labels;

  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    {
      const guint32 *here   = wf_image_row (labels, row);
      const guint8  *inside = closing->inside ? wf_image_row (closing->inside, row) : NULL;

      for (gint64 x = 0; x < labels->width; x++)
        if (here[x] == 0 && (! inside || inside[x]))
          {
            const gint64 pixel = row * labels->width + x;

            g_array_append_val (closing->pixels, pixel);
          }
      if (! wf_run_advance (run, labels->width))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether any pixel had a neighbor with a label; those that had none stay in the list. */
static gboolean
label_pixels (Closing *closing)
{
  gint64      *list   = (gint64 *) closing->pixels->data;
  const guint  n      = closing->pixels->len;
  guint        n_left = 0;
  Row          first  = { 0 };
  Row          second = { 0 };
  guint32     *found;

  g_array_set_size (closing->found, n);
  found = (guint32 *) closing->found->data;
  for (guint i = 0; i < n; i++)
    found[i] = label_beside (closing->labels, list[i], &first);
  for (guint i = 0; i < n; i++)
    if (found[i] != 0)
      *find_pixel (closing->labels, list[i], &second) = found[i];
    else
      list[n_left++] = list[i];
  g_array_set_size (closing->pixels, n_left);
  return n_left < n;
}

/* Of WfContextWorkFunc.  Cancelling is noticed before the first pixel gets a label. */
static gboolean
close_all (gpointer   data,
           WfRun     *run,
           GError   **error)
{
  Closing *closing = data;

  wf_run_begin (run, 1.0, wf_image_n_pixels (closing->labels));
  if (! list_pixels (closing, run))
    return wf_run_set_cancelled (error);
  wf_run_commit (run);
  while (label_pixels (closing))
    continue;
  return TRUE;
}

/**
 * wf_labels_close_lines:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u32, in which narrow lines have label 0; changed in place
 * @inside: (nullable): u8, size of @labels: 0 where label 0 is not a line; %NULL: it is everywhere
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Adds the pixels of lines to the regions beside them, in each slice of a stack; see the top of
 * close-lines.c for the definition.  By distances, and for the background as well,
 * wf_labels_expand() does so.
 *
 * Time: linear in the pixels, and in the pixels of lines times their width, by one thread.  Memory:
 * 12 bytes for each pixel of a line.
 *
 * Returns: %FALSE with @error set; then @labels are as they were.
 */
gboolean
wf_labels_close_lines (WfContext      *context,
                       WfImage        *labels,
                       const WfImage  *inside,
                       GError        **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (Closing)      closing = { .labels = labels, .inside = inside };

  if (! wf_image_check (labels, _("label image"), error) ||
      ! wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error) ||
      (inside && (! wf_image_check (inside, _("mask"), error) ||
                  ! wf_image_check_type (inside, WF_TYPE_U8, _("mask"), error) ||
                  ! wf_image_check_size (inside, _("mask"), labels, _("label image"), error))))
    return FALSE;

  closing.pixels = g_array_new (FALSE, FALSE, sizeof (gint64));
  closing.found  = g_array_new (FALSE, FALSE, sizeof (guint32));
  return wf_context_work (own, "lines", 0, close_all, &closing, error);
}

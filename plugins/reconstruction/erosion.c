/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The erosion by a structuring element, as openings by reconstruction take it
 * (engine/morphology/openings.c), of an image whose highest levels are not to count.
 *
 * An element is divided into horizontal segments.  The least level along a segment of any length
 * takes three comparisons a pixel (van Herk, Pattern Recognition Letters 13, 1992): from the
 * minima from the start of each block of that length, and to its end.
 */

#include "config.h"

#include <math.h>

#include "erosion.h"
#include "plugins/common/swap/swap.h"

/* Of an image in the swap, pixels that are read before its memory is given back. */
#define PIXELS_AT_ONCE ((gint64) 1 << 19)


/**
 * Line:
 * @padded: a row with infinities around it
 * @forward: its minima from the starts of the blocks
 * @backward: its minima to their ends
 * @n_read: pixels that were read since memory was given back
 *
 * Memory for a row, for each thread.
 */
typedef struct
{
  float  *padded;
  float  *forward;
  float  *backward;
  gint64  n_read;
} Line;


/* Half of the segment of the element at (@dy, @dz), or −1 if it has none there. */
static gint64
find_reach (const WfMorphologyOptions *options,
            gint64                     dy,
            gint64                     dz)
{
  const gint64 radius = options->radius;
  const gint64 rest   = radius * radius - dy * dy - dz * dz;
  gint64       reach;

  if (options->element == WF_ELEMENT_SQUARE)
    return radius;
  if (rest < 0)
    return -1;
  reach = (gint64) sqrt ((double) rest);
  while (reach * reach > rest)
    reach--;
  while ((reach + 1) * (reach + 1) <= rest)
    reach++;
  return reach;
}

/* Lowers @least to the minima of @row from x − @reach to x + @reach. */
static void
take_segment (const float *row,
              gint64       width,
              gint64       reach,
              const Line  *line,
              float       *least)
{
  const gint64 length = 2 * reach + 1;
  const gint64 n      = (width + 2 * reach + length - 1) / length * length;

  for (gint64 i = 0; i < n; i++)
    line->padded[i] = i >= reach && i < reach + width ? row[i - reach] : INFINITY;
  for (gint64 i = 0; i < n; i++)
    line->forward[i] = i % length == 0 ? line->padded[i]
                                       : MIN (line->forward[i - 1], line->padded[i]);
  for (gint64 i = n - 1; i >= 0; i--)
    line->backward[i] = i % length == length - 1
                        ? line->padded[i] : MIN (line->backward[i + 1], line->padded[i]);
  for (gint64 x = 0; x < width; x++)
    least[x] = MIN (least[x], MIN (line->backward[x], line->forward[x + length - 1]));
}

static void
erode_row (const WfImage             *image,
           const WfMorphologyOptions *options,
           gint64                     y,
           gint64                     z,
           Line                      *line,
           float                     *least)
{
  const gint64 up   = MAX (y - options->radius, 0);
  const gint64 down = MIN (y + options->radius, image->height - 1);
  const gint64 from = MAX (z - options->radius, 0);
  const gint64 to   = MIN (z + options->radius, image->depth - 1);

  for (gint64 x = 0; x < image->width; x++)
    least[x] = INFINITY;
  for (gint64 slice = from; slice <= to; slice++)
    for (gint64 row = up; row <= down; row++)
      {
        const gint64 reach = MIN (find_reach (options, row - y, slice - z), image->width - 1);

        if (reach >= 0)
          take_segment ((const float *) image->data + (slice * image->height + row) * image->width,
                        image->width, reach, line, least);
        line->n_read += image->width;
        if (line->n_read < PIXELS_AT_ONCE)
          continue;
        line->n_read = 0;
        wf_swap_release ();
      }
}

/**
 * wf_erode:
 * @image: f32, without gaps between its rows
 * @options: element and radius
 * @eroded: set to a new image: the least level under the element at each pixel; what lies beyond
 *   the border does not count
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_erode (const WfImage              *image,
          const WfMorphologyOptions  *options,
          WfImage                    *eroded,
          GError                    **error)
{
  const gint64 n_rows = image->height * image->depth;
  const gsize  length = 5 * (gsize) image->width;   /* a row, twice its reach, and a block */

  if (! wf_swap_allocate (eroded, WF_TYPE_F32, image->width, image->height, image->depth, error))
    return FALSE;
#pragma omp parallel
  {
    Line line = { g_new (float, length), g_new (float, length), g_new (float, length), 0 };

#pragma omp for schedule (dynamic)
    for (gint64 row = 0; row < n_rows; row++)
      erode_row (image, options, row % image->height, row / image->height, &line,
                 (float *) eroded->data + row * image->width);
    g_free (line.padded);
    g_free (line.forward);
    g_free (line.backward);
  }
  return TRUE;
}

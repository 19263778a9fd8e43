/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small copy of an image: of a stack its middle slice; each pixel is the mean of a square. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/core/image.h"
#include "proposal.h"

typedef struct
{
  double lowest;
  double highest;
} Range;


/* Of the finite levels; 0 to 0 without any. */
static Range
find_range (const WfImage *levels,
            gint64         slice)
{
  Range    range = { 0, 0 };
  gboolean any   = FALSE;

  for (gint64 y = 0; y < levels->height; y++)
    {
      const float *row = wf_image_row (levels, slice * levels->height + y);

      for (gint64 x = 0; x < levels->width; x++)
        if (isfinite (row[x]))
          {
            range.lowest  = any ? MIN (range.lowest, row[x]) : row[x];
            range.highest = any ? MAX (range.highest, row[x]) : row[x];
            any           = TRUE;
          }
    }
  return range;
}

#define ADD(Type, level) \
  for (gint64 x = 0; x < width; x++) \
    { \
      const Type pixel = ((const Type *) row)[x]; \
\
      sums[x / step] += level; \
    }

static void
add_row (const WfImage *levels,
         gconstpointer  row,
         gint64         width,
         gint64         step,
         const Range   *range,
         double        *sums)
{
  switch (levels->type)
    {
    case WF_TYPE_U8:
      ADD (guint8, pixel)
      break;
    case WF_TYPE_U16:
      ADD (guint16, pixel)
      break;
    default:
      ADD (float, isnan (pixel) ? range->lowest : CLAMP (pixel, range->lowest, range->highest))
      break;
    }
}

static void
set_row (WfImage      *copy,
         gint64        y,
         const double *sums,
         double        n)
{
  gpointer row = wf_image_row (copy, y);

  for (gint64 x = 0; x < copy->width; x++)
    switch (copy->type)
      {
      case WF_TYPE_U8:
        ((guint8 *) row)[x] = (guint8) floor (sums[x] / n + 0.5);
        break;
      case WF_TYPE_U16:
        ((guint16 *) row)[x] = (guint16) floor (sums[x] / n + 0.5);
        break;
      default:
        ((float *) row)[x] = (float) (sums[x] / n);
        break;
      }
}

/**
 * wf_proposal_copy_small:
 * @levels: u8, u16 or f32
 * @largest: how many pixels the copy has at most
 * @copy: set to a new image of the same type, of finite levels, to be cleared by the caller
 * @step: (out): the side of the squares
 * @error: %WF_ERROR_MEMORY
 *
 * Copies the middle slice of an image.  Rows and columns that fill no square are left out.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_proposal_copy_small (const WfImage  *levels,
                        gint64          largest,
                        WfImage        *copy,
                        gint64         *step,
                        GError        **error)
{
  const gint64        slice = levels->depth / 2;
  g_autofree double  *sums  = NULL;
  Range               range = { 0, 0 };
  gint64              width;
  gint64              height;
  gint64              across;
  gint64              down;

  for (*step = 1; ; ++*step)
    {
      width  = MAX (levels->width / *step, 1);
      height = MAX (levels->height / *step, 1);
      if (width * height <= largest)
        break;
    }
  across = MIN (*step, levels->width);
  down   = MIN (*step, levels->height);

  sums = wf_allocate (width, sizeof *sums, error);
  if (! sums || ! wf_image_allocate (copy, levels->type, width, height, 1, error))
    return FALSE;
  if (levels->type == WF_TYPE_F32)
    range = find_range (levels, slice);
  for (gint64 y = 0; y < height; y++)
    {
      memset (sums, 0, (gsize) width * sizeof *sums);
      for (gint64 i = 0; i < down; i++)
        add_row (levels, wf_image_row (levels, slice * levels->height + y * down + i),
                 width * across, across, &range, sums);
      set_row (copy, y, sums, (double) (across * down));
    }
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that are computed from the mask. */

#include "config.h"

#include <math.h>

#include "marker-levels.h"
#include "plugins/common/swap/swap.h"


/* Integers are clamped to their range; real numbers have no limits. */
#define SHIFT(Type, least, most) \
  WF_FOR_PARTS (part, mask) \
    for (gint64 i = part.first; i < part.end; i++) \
      { \
        double level = ((const Type *) mask->data)[i] + difference; \
\
        ((Type *) marker->data)[i] = (Type) CLAMP (level, least, most); \
      }

/**
 * wf_marker_shift:
 * @mask: u8, u16 or f32, as wf_image_allocate() makes it
 * @difference: in gray levels; a negative one lowers
 * @marker: type and size of @mask; set to @mask raised by @difference
 */
void
wf_marker_shift (const WfImage *mask,
                 double         difference,
                 WfImage       *marker)
{
  switch (mask->type)
    {
    case WF_TYPE_U8:
      SHIFT (guint8, 0, G_MAXUINT8)
      break;
    case WF_TYPE_U16:
      SHIFT (guint16, 0, G_MAXUINT16)
      break;
    default:
      SHIFT (float, -INFINITY, INFINITY)
      break;
    }
}

/* Exact at both ends for all numbers. */
static double
between (double from,
         double to,
         double share)
{
  if (share <= 0)
    return from;
  if (share >= 1)
    return to;
  return from + share * (to - from);
}

#define COVER(Type, round) \
  WF_FOR_PARTS (part, mask) \
    for (gint64 i = part.first; i < part.end; i++) \
      ((Type *) marker->data)[i] = \
        (Type) round (between (unmarked, ((const Type *) mask->data)[i], coverage[i]));

#define LIMIT(Type) \
  WF_FOR_PARTS (part, mask) \
    for (gint64 i = part.first; i < part.end; i++) \
      { \
        double level = ((const Type *) mask->data)[i]; \
\
        limit = by == WF_BY_DILATION ? fmin (limit, level) : fmax (limit, level); \
      }

/* The level of unmarked pixels: the lowest of @mask by dilation, the highest by erosion. */
static double
find_unmarked_level (const WfImage *mask,
                     WfDirection    by)
{
  double limit = by == WF_BY_DILATION ? INFINITY : -INFINITY;

  switch (mask->type)
    {
    case WF_TYPE_U8:
      LIMIT (guint8)
      break;
    case WF_TYPE_U16:
      LIMIT (guint16)
      break;
    default:
      LIMIT (float)
      break;
    }
  return limit;
}

static void
cover_slice (const WfImage *mask,
             const float   *coverage,
             double         unmarked,
             WfImage       *marker)
{
  switch (mask->type)
    {
    case WF_TYPE_U8:
      COVER (guint8, round)
      break;
    case WF_TYPE_U16:
      COVER (guint16, round)
      break;
    default:
      COVER (float, )
      break;
    }
}

/**
 * wf_marker_from_coverage:
 * @mask: u8, u16 or f32, as wf_image_allocate() makes it
 * @coverage: for each pixel of a slice, the degree to which it is marked, from 0 to 1
 * @by: the direction of the reconstruction
 * @marker: type and size of @mask; interpolated between the lowest level of @mask (by erosion
 *   the highest), where coverage is 0, and the level of @mask, where it is 1
 */
void
wf_marker_from_coverage (const WfImage *mask,
                         const float   *coverage,
                         WfDirection    by,
                         WfImage       *marker)
{
  const gint64 n        = mask->width * mask->height;
  const double unmarked = find_unmarked_level (mask, by);

  for (gint64 slice = 0; slice < mask->depth; slice++)
    {
      const WfPart  all    = { slice * mask->height, mask->height, slice * n, (slice + 1) * n };
      const WfImage levels = wf_swap_view (mask, &all);
      WfImage       marked = wf_swap_view (marker, &all);

      cover_slice (&levels, coverage, unmarked, &marked);
    }
}

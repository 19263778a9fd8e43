/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on the pixels of a mask, which the selection's shape is: u8, 0 where a pixel is
 * outside.
 *
 * The engine works on whole images.  To work on the pixels of a mask only, what lies outside gets
 * the level that has no effect in an operation: the lowest one for a dilation, the highest for an
 * erosion, infinity for a flood, the level of the nearest pixel of the mask for smoothing.  All
 * images have the size of the mask, and no gaps between their rows.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"


/**
 * wf_mask_lowest:
 * @type: of levels: u8, u16 or f32
 *
 * Returns: the level below or equal to all others
 */
double
wf_mask_lowest (WfType type)
{
  return type == WF_TYPE_F32 ? -INFINITY : 0;
}

/**
 * wf_mask_highest:
 * @type: of levels: u8, u16 or f32
 *
 * Returns: the level above or equal to all others
 */
double
wf_mask_highest (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return G_MAXUINT8;
    case WF_TYPE_U16:
      return G_MAXUINT16;
    default:
      return INFINITY;
    }
}

#define FILL(Type, value) \
  WF_FOR_PARTS (part, image) \
    for (gint64 i = part.first; i < part.end; i++) \
      if (! inside[i]) \
        ((Type *) image->data)[i] = (Type) (value)

/**
 * wf_mask_fill:
 * @mask: (nullable): a mask; %NULL or empty: nothing is outside
 * @image: changed outside the mask
 * @level: what @image gets there; of u64, infinity is the greatest number
 */
void
wf_mask_fill (const WfImage *mask,
              WfImage       *image,
              double         level)
{
  const guint8 *inside = mask ? mask->data : NULL;

  if (! inside)
    return;
  switch (image->type)
    {
    case WF_TYPE_U8:
      FILL (guint8, level);
      break;
    case WF_TYPE_U16:
      FILL (guint16, level);
      break;
    case WF_TYPE_U32:
      FILL (guint32, level);
      break;
    case WF_TYPE_U64:
      FILL (guint64, isinf (level) ? G_MAXUINT64 : (guint64) level);
      break;
    case WF_TYPE_F64:
      FILL (double, level);
      break;
    default:
      FILL (float, level);
      break;
    }
}

/**
 * wf_mask_copy:
 * @image: any image
 * @copy: set to a copy of it
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_mask_copy (const WfImage  *image,
              WfImage        *copy,
              GError        **error)
{
  if (! wf_swap_allocate (copy, image->type, image->width, image->height, image->depth, error))
    return FALSE;
  wf_mask_copy_pixels (image, copy);
  return TRUE;
}

/**
 * wf_mask_copy_pixels:
 * @image: any image
 * @copy: type and size of @image; set to it
 */
void
wf_mask_copy_pixels (const WfImage *image,
                     WfImage       *copy)
{
  const gsize size = wf_type_size (image->type);

  WF_FOR_PARTS (part, image)
    memcpy ((char *) copy->data + (gsize) part.first * size,
            (const char *) image->data + (gsize) part.first * size,
            (gsize) (part.end - part.first) * size);
}

static gboolean
add_part (WfHistogram    **histogram,
          const WfImage   *mask,
          const WfPart    *part,
          const WfImage   *levels,
          GError         **error)
{
  const WfImage            view    = wf_swap_view (levels, part);
  const WfImage            inside  = mask ? wf_swap_view (mask, part) : (WfImage) { 0 };
  g_autoptr (WfHistogram)  counted = wf_histogram_new_masked (&view, mask ? &inside : NULL, error);

  if (! counted)
    return FALSE;
  if (! *histogram)
    *histogram = g_steal_pointer (&counted);
  else
    for (guint i = 0; i < counted->n_levels; i++)
      (*histogram)->counts[i] += counted->counts[i];
  return TRUE;
}

static gboolean
is_empty (const WfHistogram *histogram)
{
  for (guint i = 0; i < histogram->n_levels; i++)
    if (histogram->counts[i] > 0)
      return FALSE;
  return TRUE;
}

/**
 * wf_mask_histogram:
 * @mask: (nullable): a mask; %NULL, empty or without a pixel inside: all levels count
 * @levels: u8, u16 or f32
 * @error: as wf_histogram_new_masked() sets it
 *
 * Returns: (transfer full): the histogram of the levels inside the mask, or %NULL with @error set
 */
WfHistogram *
wf_mask_histogram (const WfImage  *mask,
                   const WfImage  *levels,
                   GError        **error)
{
  g_autoptr (WfHistogram) histogram = NULL;

  if (mask && ! mask->data)
    mask = NULL;
  WF_FOR_PARTS (part, levels)
    if (! add_part (&histogram, mask, &part, levels, error))
      return NULL;
  return mask && is_empty (histogram) ? wf_mask_histogram (NULL, levels, error)
                                      : g_steal_pointer (&histogram);
}

/* The index of the nearest pixel inside the mask, for each pixel. */
static gboolean
find_nearest (WfContext      *context,
              const WfImage  *mask,
              WfImage        *nearest,
              GError        **error)
{
  g_auto (WfImage)   outside = { 0 };
  WfDistanceOptions  options;

  if (! wf_swap_allocate (&outside, WF_TYPE_U8, mask->width, mask->height, mask->depth, error) ||
      ! wf_swap_allocate (nearest, WF_TYPE_U64, mask->width, mask->height, mask->depth, error))
    return FALSE;
  WF_FOR_PARTS (part, mask)
    for (gint64 i = part.first; i < part.end; i++)
      ((guint8 *) outside.data)[i] = ((const guint8 *) mask->data)[i] == 0;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  if (! wf_swap_distance (context, &outside, NULL, nearest, &options, error))
    return FALSE;
  wf_swap_clear (&outside);
  return TRUE;
}

/* Sets the pixels of a part outside the mask to those at the indices @from.  In the swap one thread
 * does so: the others would have what it releases.
 */
static void
spread_part (const WfImage *mask,
             const guint64 *from,
             const WfPart  *part,
             WfImage       *levels)
{
  const guint8 *inside = mask->data;
  const gsize   size   = wf_type_size (levels->type);
  char         *pixels = levels->data;

#pragma omp parallel if (! wf_swap_is_on ())
  {
    WfReach reach = { 0 };

#pragma omp for
    for (gint64 i = part->first; i < part->end; i++)
      if (! inside[i] && from[i] != WF_NEAREST_NONE)
        {
          wf_swap_reach (&reach, from[i] * size);
          memcpy (pixels + (gsize) i * size, pixels + from[i] * size, size);
        }
  }
}

/**
 * wf_mask_spread:
 * @context: of the computation
 * @mask: a mask
 * @levels: u8, u16 or f32; outside the mask set to the level of the nearest pixel inside
 * @error: as wf_swap_distance() sets it
 *
 * What is computed from the neighborhood of a pixel sees no other levels then, as beyond the
 * image's border, where the pixels at the border are repeated.  Takes 9 bytes a pixel, and what a
 * distance map takes.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_mask_spread (WfContext      *context,
                const WfImage  *mask,
                WfImage        *levels,
                GError        **error)
{
  g_auto (WfImage) nearest = { 0 };

  if (! find_nearest (context, mask, &nearest, error))
    return FALSE;
  WF_FOR_PARTS (part, levels)
    spread_part (mask, nearest.data, &part, levels);
  wf_swap_clear (&nearest);
  return TRUE;
}

#define TO_FLOATS(Type) \
  WF_FOR_PARTS (part, levels) \
    for (gint64 i = part.first; i < part.end; i++) \
      to[i] = inside[i] ? CLAMP ((float) ((const Type *) levels->data)[i], least, most) \
                        : (float) outside

/**
 * wf_mask_to_floats:
 * @mask: a mask
 * @levels: u8, u16 or f32
 * @outside: an infinity, which all pixels outside get
 * @floats: set to a new image: f32, the same levels inside; those that equal @outside become
 *   finite
 * @error: %WF_ERROR_MEMORY
 *
 * Levels of 8 and 16 bits are exact.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_mask_to_floats (const WfImage  *mask,
                   const WfImage  *levels,
                   double          outside,
                   WfImage        *floats,
                   GError        **error)
{
  const guint8 *inside = mask->data;
  const float   least  = outside < 0 ? -FLT_MAX : -INFINITY;
  const float   most   = outside > 0 ? FLT_MAX : INFINITY;
  float        *to;

  if (! wf_swap_allocate (floats, WF_TYPE_F32, mask->width, mask->height, mask->depth, error))
    return FALSE;
  to = floats->data;
  switch (levels->type)
    {
    case WF_TYPE_U8:
      TO_FLOATS (guint8);
      break;
    case WF_TYPE_U16:
      TO_FLOATS (guint16);
      break;
    default:
      TO_FLOATS (float);
      break;
    }
  return TRUE;
}

#define FROM_FLOATS(Type) \
  WF_FOR_PARTS (part, levels) \
    for (gint64 i = part.first; i < part.end; i++) \
      ((Type *) levels->data)[i] = (Type) ((const float *) floats->data)[i]

/**
 * wf_mask_from_floats:
 * @mask: a mask
 * @floats: f32; 0 outside @mask afterwards
 * @levels: u8, u16 or f32; set to @floats
 *
 * The inverse of wf_mask_to_floats(), for levels of the mask.
 */
void
wf_mask_from_floats (const WfImage *mask,
                     WfImage       *floats,
                     WfImage       *levels)
{
  wf_mask_fill (mask, floats, 0);
  switch (levels->type)
    {
    case WF_TYPE_U8:
      FROM_FLOATS (guint8);
      break;
    case WF_TYPE_U16:
      FROM_FLOATS (guint16);
      break;
    default:
      FROM_FLOATS (float);
      break;
    }
}

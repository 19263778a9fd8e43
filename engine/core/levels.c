/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What levels of images are as numbers: the range that they take, and how far two images are apart.
 * All loops go along rows, which threads share.
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include "image.h"


/*  The range  */

/* Without branches: what does not count is replaced by what changes nothing. */
#define RANGE_OF_ROW(Type, Number, counts, low, high) \
  { \
    const Type *level    = pixels; \
    Number      smallest = (low); \
    Number      largest  = (high); \
\
    for (gint64 x = 0; x < n; x++) \
      { \
        const Number value = level[x]; \
        const Number below = (counts) ? value : (low); \
        const Number above = (counts) ? value : (high); \
\
        smallest = MIN (smallest, below); \
        largest  = MAX (largest, above); \
      } \
    any    = smallest <= largest; \
    *least = (double) smallest; \
    *most  = (double) largest; \
  }

/* Returns whether there is a finite level. */
static gboolean
find_range_of_row (WfType         type,
                   gconstpointer  pixels,
                   gint64         n,
                   double        *least,
                   double        *most)
{
  gboolean any;

  switch (type)
    {
    case WF_TYPE_U8:
      RANGE_OF_ROW (guint8, guint8, TRUE, G_MAXUINT8, 0)
      break;
    case WF_TYPE_U16:
      RANGE_OF_ROW (guint16, guint16, TRUE, G_MAXUINT16, 0)
      break;
    case WF_TYPE_U32:
      RANGE_OF_ROW (guint32, guint32, TRUE, G_MAXUINT32, 0)
      break;
    case WF_TYPE_U64:
      RANGE_OF_ROW (guint64, guint64, value != G_MAXUINT64, G_MAXUINT64, 0)
      any = any && *least < (double) G_MAXUINT64;
      break;
    case WF_TYPE_F64:
      RANGE_OF_ROW (double, double, value >= -DBL_MAX && value <= DBL_MAX, (double) INFINITY,
                    (double) -INFINITY)
      break;
    default:
      RANGE_OF_ROW (float, float, value >= -FLT_MAX && value <= FLT_MAX, INFINITY, -INFINITY)
      break;
    }
  return any;
}

/**
 * wf_image_find_range:
 * @image: u8, u16, u32, u64, f32 or f64, in main memory
 * @least: (out): the least finite level
 * @most: (out): the greatest finite level
 *
 * Finds the range of an image.  Infinities and NaN do not count; in u64, of which squared distances
 * are, the greatest number counts as infinite.
 *
 * Time: that of reading the pixels once, on all processors.
 *
 * Returns: whether there is a finite level; else @least is +infinity and @most −infinity
 */
gboolean
wf_image_find_range (const WfImage *image,
                     double        *least,
                     double        *most)
{
  const gint64 n_rows = image->height * image->depth;
  double       low    = INFINITY;
  double       high   = -INFINITY;

  g_return_val_if_fail (image->memory == WF_MEMORY_HOST, FALSE);

#pragma omp parallel for if (wf_image_is_large (image)) reduction (min: low) reduction (max: high)
  for (gint64 row = 0; row < n_rows; row++)
    {
      double smallest;
      double largest;

      if (find_range_of_row (image->type, wf_image_row (image, row), image->width, &smallest,
                             &largest))
        {
          low  = MIN (low, smallest);
          high = MAX (high, largest);
        }
    }
  *least = low;
  *most  = high;
  return low <= high;
}


/*  The difference  */

/* Equal levels have no difference, even if they are infinite. */
#define DIFFERENCE(Type) \
  for (gint64 x = 0; x < n; x++) \
    { \
      const Type a = ((const Type *) first)[x]; \
      const Type b = ((const Type *) second)[x]; \
\
      ((Type *) out)[x] = (Type) (a == b ? 0 : a > b ? a - b : b - a); \
    }

static void
find_difference_of_row (WfType         type,
                        gconstpointer  first,
                        gconstpointer  second,
                        gpointer       out,
                        gint64         n)
{
  switch (type)
    {
    case WF_TYPE_U8:
      DIFFERENCE (guint8)
      break;
    case WF_TYPE_U16:
      DIFFERENCE (guint16)
      break;
    default:
      DIFFERENCE (float)
      break;
    }
}

/**
 * wf_image_find_difference:
 * @image: u8, u16 or f32, in main memory
 * @other: type and size of @image
 * @difference: type and size of @image: set to how far they are apart; may be either of them
 *
 * Finds the absolute difference of two images: 0 where they are equal, also where both have the
 * same infinity.
 *
 * Time: that of reading and writing the pixels once, on all processors.
 */
void
wf_image_find_difference (const WfImage *image,
                          const WfImage *other,
                          WfImage       *difference)
{
  const gint64 n_rows = image->height * image->depth;

  g_return_if_fail (image->memory == WF_MEMORY_HOST && other->memory == WF_MEMORY_HOST &&
                    difference->memory == WF_MEMORY_HOST);
  g_return_if_fail (other->type == image->type && difference->type == image->type);
  g_return_if_fail (other->width == image->width && other->height == image->height &&
                    other->depth == image->depth && difference->width == image->width &&
                    difference->height == image->height && difference->depth == image->depth);

#pragma omp parallel for if (wf_image_is_large (image))
  for (gint64 row = 0; row < n_rows; row++)
    find_difference_of_row (image->type, wf_image_row (image, row), wf_image_row (other, row),
                            wf_image_row (difference, row), image->width);
}

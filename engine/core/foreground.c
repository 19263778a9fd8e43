/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Foreground and background, bright and dark: marking the pixels on one side of a threshold,
 * clearing labels outside the marks, and inverting levels.
 *
 * Inverted integers stay within their range, and inverted real numbers change their sign: both
 * are exact, and inverting twice gives the image back.
 */

#include "config.h"

#include <math.h>

#include "image.h"

#define MARK(Type) \
  for (gint64 x = 0; x < image->width; x++) \
    { \
      const Type level = ((const Type *) levels)[x]; \
\
      marks[x] = (any ? level != 0 : level > threshold) == above; \
    }


/* Marks a row of @image, u8, u16, u32 or f32, whose @levels they are, as wf_foreground_mark()
 * does.
 */
void
wf_foreground_mark_row (const WfImage *image,
                        gconstpointer  levels,
                        double         threshold,
                        gboolean       above,
                        guint8        *marks)
{
  const gboolean any = isnan (threshold);

  switch (image->type)
    {
    case WF_TYPE_U8:
      MARK (guint8)
      break;
    case WF_TYPE_U16:
      MARK (guint16)
      break;
    case WF_TYPE_U32:
      MARK (guint32)
      break;
    default:
      MARK (float)
      break;
    }
}

/**
 * wf_foreground_mark:
 * @image: u8, u16, u32 or f32
 * @threshold: a level in its own units; NaN: 0, and negative levels count as above
 * @above: whether the foreground is above @threshold; otherwise it is not above it
 * @foreground: u8, size of @image: set to 1 in the foreground and 0 elsewhere
 *
 * Marks the foreground.
 */
void
wf_foreground_mark (const WfImage *image,
                    double         threshold,
                    gboolean       above,
                    WfImage       *foreground)
{
  const gint64 n_rows = image->height * image->depth;

  g_return_if_fail (image->memory == WF_MEMORY_HOST && foreground->memory == WF_MEMORY_HOST);
  g_return_if_fail (foreground->type == WF_TYPE_U8 && foreground->width == image->width &&
                    foreground->height == image->height && foreground->depth == image->depth);

#pragma omp parallel for if (wf_image_is_large (image))
  for (gint64 row = 0; row < n_rows; row++)
    wf_foreground_mark_row (image, wf_image_row (image, row), threshold, above != FALSE,
                            wf_image_row (foreground, row));
}

/**
 * wf_foreground_limit:
 * @foreground: u8, not 0 in the foreground
 * @labels: u32, size of @foreground
 *
 * Sets @labels to 0 outside the foreground.
 *
 * Returns: whether a label is left
 */
gboolean
wf_foreground_limit (const WfImage *foreground,
                     WfImage       *labels)
{
  const gint64 n_rows = labels->height * labels->depth;
  guint32      any    = 0;

  g_return_val_if_fail (foreground->memory == WF_MEMORY_HOST && labels->memory == WF_MEMORY_HOST,
                        FALSE);
  g_return_val_if_fail (foreground->type == WF_TYPE_U8 && labels->type == WF_TYPE_U32 &&
                        foreground->width == labels->width &&
                        foreground->height == labels->height &&
                        foreground->depth == labels->depth, FALSE);

#pragma omp parallel for if (wf_image_is_large (labels)) reduction (|: any)
  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint8 *inside = wf_image_row (foreground, row);
      guint32      *label  = wf_image_row (labels, row);

      for (gint64 x = 0; x < labels->width; x++)
        {
          label[x] = inside[x] ? label[x] : 0;
          any     |= label[x];
        }
    }
  return any != 0;
}

#define INVERT(Type, expression) \
  for (gint64 x = 0; x < n; x++) \
    { \
      const Type level = ((const Type *) from)[x]; \
\
      ((Type *) to)[x] = (Type) (expression); \
    }

static void
invert_row (WfType         type,
            gconstpointer  from,
            gpointer       to,
            gint64         n)
{
  switch (type)
    {
    case WF_TYPE_U8:
      INVERT (guint8, G_MAXUINT8 - level)
      break;
    case WF_TYPE_U16:
      INVERT (guint16, G_MAXUINT16 - level)
      break;
    default:
      INVERT (float, -level)
      break;
    }
}

/**
 * wf_image_invert:
 * @image: u8, u16 or f32
 * @out: type and size of @image: the inverted levels; may be @image itself
 *
 * Exchanges dark and bright; see the top of foreground.c.
 */
void
wf_image_invert (const WfImage *image,
                 WfImage       *out)
{
  const gint64 n_rows = image->height * image->depth;

  g_return_if_fail (image->memory == WF_MEMORY_HOST && out->memory == WF_MEMORY_HOST);
  g_return_if_fail (out->type == image->type && out->width == image->width &&
                    out->height == image->height && out->depth == image->depth);

#pragma omp parallel for if (wf_image_is_large (image))
  for (gint64 row = 0; row < n_rows; row++)
    invert_row (image->type, wf_image_row (image, row), wf_image_row (out, row), image->width);
}

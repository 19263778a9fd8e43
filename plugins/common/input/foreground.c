/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Foreground and background: the pixels above a threshold, and all others. */

#include "config.h"

#include "foreground.h"
#include "ui/options/level-entry.h"


/**
 * wf_foreground_find_threshold:
 * @image: u8, u16 or f32
 * @automatic: whether to compute the threshold, by Otsu's method
 * @threshold: (inout): a level in the image's own units
 * @fraction: (out): the same as a fraction of the range from black to white
 * @error: as wf_histogram_new() sets it
 *
 * Returns: whether there is a threshold.
 */
gboolean
wf_foreground_find_threshold (const WfImage  *image,
                              gboolean        automatic,
                              double         *threshold,
                              double         *fraction,
                              GError        **error)
{
  if (automatic)
    {
      g_autoptr (WfHistogram) histogram = wf_histogram_new (image, error);

      if (! histogram)
        return FALSE;
      *threshold = wf_histogram_get_threshold (histogram);
    }
  *fraction = *threshold / wf_level_maximum (image->type);
  return TRUE;
}

#define MARK(Type) \
  for (gint64 i = 0; i < n; i++) \
    marks[i] = (((const Type *) image->data)[i] > threshold) == (above != FALSE);

/**
 * wf_foreground_mark:
 * @image: u8, u16 or f32, packed
 * @threshold: a level in its own units
 * @above: whether the foreground is above @threshold; otherwise it is not above it
 * @foreground: u8, size of @image: set to 1 in the foreground and 0 elsewhere
 */
void
wf_foreground_mark (const WfImage *image,
                    double         threshold,
                    gboolean       above,
                    WfImage       *foreground)
{
  const gint64  n     = wf_image_n_pixels (image);
  guint8       *marks = foreground->data;

  switch (image->type)
    {
    case WF_TYPE_U8:
      MARK (guint8)
      break;
    case WF_TYPE_U16:
      MARK (guint16)
      break;
    default:
      MARK (float)
      break;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* H-extrema and regional extrema of images in the swap, as engine/morphology/extrema.c defines
 * them, from one reconstruction in blocks.
 *
 * An h-maxima transform is the reconstruction of the image from itself less the height.  A pixel
 * belongs to a regional maximum if the reconstruction from the image less one value of its type
 * differs from the image; an image of only the least value is its own maximum.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "marker-levels.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"
#include "swapped-filter.h"


static gboolean
reconstruct (WfContext                  *context,
             const WfImage              *image,
             WfImage                    *marker,
             gboolean                    maxima,
             const WfMorphologyOptions  *options,
             GError                    **error)
{
  WfReconstructOptions taken;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &taken);
  taken.by           = maxima ? WF_BY_DILATION : WF_BY_EROSION;
  taken.connectivity = options->connectivity;
  taken.algorithm    = options->algorithm;
  return wf_swap_reconstruct (context, image, marker, &taken, error);
}

/**
 * wf_swapped_cut_extrema:
 * @context: of the computation
 * @image: an image in the swap
 * @cut: set to a new image: its h-maxima or h-minima transform
 * @maxima: whether maxima are cut off
 * @options: the height, connectivity, algorithm
 * @error: as wf_swap_reconstruct() sets it
 *
 * Of a height only the whole part counts for levels that are integers.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swapped_cut_extrema (WfContext                  *context,
                        const WfImage              *image,
                        WfImage                    *cut,
                        gboolean                    maxima,
                        const WfMorphologyOptions  *options,
                        GError                    **error)
{
  const double height = image->type == WF_TYPE_F32 ? options->height : floor (options->height);

  if (! wf_swap_allocate (cut, image->type, image->width, image->height, image->depth, error))
    return FALSE;
  wf_marker_shift (image, maxima ? -height : height, cut);
  return reconstruct (context, image, cut, maxima, options, error);
}

#define STEP(Type, next) \
  WF_FOR_PARTS (part, image) \
    for (gint64 i = part.first; i < part.end; i++) \
      { \
        const Type level = ((const Type *) image->data)[i]; \
\
        ((Type *) marker->data)[i] = (Type) (next); \
      }

/* Sets @marker to the next lower values of the type, for minima the next higher ones. */
static void
step (const WfImage *image,
      gboolean       lower,
      WfImage       *marker)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      STEP (guint8, lower ? level - (level > 0) : level + (level < G_MAXUINT8))
      break;
    case WF_TYPE_U16:
      STEP (guint16, lower ? level - (level > 0) : level + (level < G_MAXUINT16))
      break;
    default:
      STEP (float, nextafterf (level, lower ? -INFINITY : INFINITY))
      break;
    }
}

#define COMPARE(Type) \
  WF_FOR_PARTS (part, image) \
    for (gint64 i = part.first; i < part.end; i++) \
      { \
        const Type level = ((const Type *) image->data)[i]; \
\
        marked[i] = level != ((const Type *) other->data)[i] ? G_MAXUINT8 : 0; \
        any      |= marked[i] | (level != (Type) extreme); \
      }

/* Marks where @image differs from @other; all of it, if it is nowhere other than @extreme. */
static void
compare (const WfImage *image,
         const WfImage *other,
         double         extreme,
         WfImage       *marks)
{
  guint8 *marked = marks->data;
  guint8  any    = 0;

  switch (image->type)
    {
    case WF_TYPE_U8:
      COMPARE (guint8)
      break;
    case WF_TYPE_U16:
      COMPARE (guint16)
      break;
    default:
      COMPARE (float)
      break;
    }
  if (any)
    return;
  WF_FOR_PARTS (part, marks)
    memset (marked + part.first, G_MAXUINT8, (gsize) (part.end - part.first));
}

/**
 * wf_swapped_mark_extrema:
 * @context: of the computation
 * @image: an image in the swap
 * @marks: set to a new image: u8, 255 in its regional maxima or minima
 * @maxima: whether maxima are marked
 * @options: connectivity, algorithm
 * @error: as wf_swap_reconstruct() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swapped_mark_extrema (WfContext                  *context,
                         const WfImage              *image,
                         WfImage                    *marks,
                         gboolean                    maxima,
                         const WfMorphologyOptions  *options,
                         GError                    **error)
{
  WfImage marker = { 0 };

  if (! wf_swap_allocate (&marker, image->type, image->width, image->height, image->depth,
                          error) ||
      ! wf_swap_allocate (marks, WF_TYPE_U8, image->width, image->height, image->depth, error))
    return FALSE;
  step (image, maxima, &marker);
  if (! reconstruct (context, image, &marker, maxima, options, error))
    return FALSE;
  compare (image, &marker, maxima ? wf_mask_lowest (image->type) : wf_mask_highest (image->type),
           marks);
  wf_swap_clear (&marker);
  return TRUE;
}

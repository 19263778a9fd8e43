/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The mask of imposed minima in bands: the image, one value of the type higher, with the type's
 * least value at the markers.  It has that value nowhere else, so that the marker of the
 * reconstruction follows from it.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "band-imposed.h"
#include "cpu/pixels.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"

/* Pixels of markers that are read at a time. */
#define MARKERS_AT_ONCE (1 << 16)

/* Rows of the image that become rows of the mask, and the markers there. */
typedef struct
{
  const WfImage *marked;
  WfImage       *rows;
} Part;


static gint64
unit_pixels (const WfBlockSource *image)
{
  return image->width * (image->depth > 1 ? image->height : 1);
}

static gboolean
impose_row (gpointer data,
            WfRow    row)
{
  const Part   *part   = data;
  const gint64  width  = part->rows->width;
  const gsize   size   = width * wf_type_size (part->rows->type);
  gpointer      levels = wf_image_row (part->rows, row.number);
  guint8       *flags  = (guint8 *) row.scratch + 2 * size;

  memcpy (row.scratch, levels, size);
  wf_find_marked (part->marked, 0, row.number, width, flags);
  wf_pixel_steps (part->rows->type)->impose (row.scratch, flags, width,
                                             (guint8 *) row.scratch + size, levels);
  return TRUE;
}

static gboolean
impose (const WfBandImposed  *imposed,
        WfImage              *rows,
        GError              **error)
{
  Part         part   = { &imposed->marked, rows };
  const WfRows all    = { .n = rows->height * rows->depth, .amount = rows->width,
                          .scratch_size = rows->width * (2 * wf_type_size (rows->type) + 1) };
  WfRun        run;

  wf_run_init (&run, imposed->context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (imposed->context);
  wf_run_begin (&run, 1.0, all.n * all.amount);
  return wf_run_rows (&run, &all, impose_row, &part, error);
}

/* Of WfReadBlockFunc, for whole rows or slices. */
static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  WfBandImposed  *imposed = data;
  const gboolean  stack   = imposed->bands.shape.depth > 1;
  const gint64    at      = stack ? z : y;
  const gint64    n       = stack ? block->depth : block->height;

  if (! wf_bands_read_span (&imposed->bands, imposed->context, imposed->image, at, at + n,
                            _("image"), block, error))
    return FALSE;
  for (gint64 i = 0; i < n; i += imposed->at_once)
    {
      const gint64 end = MIN (i + imposed->at_once, n);
      WfImage      part;

      wf_bands_view (&imposed->bands, block, i, end, &part);
      if (! wf_bands_read_span (&imposed->bands, imposed->context, imposed->markers, at + i,
                                at + end, _("marker image"), &imposed->marked, error))
        return FALSE;
      imposed->is_marked = imposed->is_marked || wf_image_check_marked (&imposed->marked, NULL);
      if (! impose (imposed, &part, error))
        return FALSE;
    }
  return TRUE;
}

/* @context, @image and @markers are kept. */
gboolean
wf_band_imposed_init (WfBandImposed        *imposed,
                      const WfContext      *context,
                      const WfBlockSource  *image,
                      const WfBlockSource  *markers,
                      GError              **error)
{
  const gboolean stack = image->depth > 1;
  const gint64   n     = MAX (MARKERS_AT_ONCE / unit_pixels (image), 1);

  imposed->source       = *image;
  imposed->source.read  = read_block;
  imposed->source.data  = imposed;
  imposed->source.image = NULL;
  imposed->context      = context;
  imposed->image        = image;
  imposed->markers      = markers;
  imposed->bands        = (WfBands) { .shape = { image->width, image->height, image->depth },
                                      .type = image->type };
  imposed->at_once      = MIN (n, stack ? image->depth : image->height);
  return wf_image_allocate (&imposed->marked, markers->type, image->width,
                            stack ? image->height : imposed->at_once,
                            stack ? imposed->at_once : 1, error);
}

void
wf_band_imposed_clear (WfBandImposed *imposed)
{
  wf_image_clear (&imposed->marked);
}

/* Fails if all ranks have read all of their parts, and nothing was marked. */
gboolean
wf_band_imposed_check (const WfBandImposed  *imposed,
                       GError              **error)
{
  return wf_source_check_marked (imposed->context, imposed->is_marked, error);
}

/* Bytes that it takes. */
guint64
wf_band_imposed_memory (const WfBandImposed *imposed)
{
  return imposed->at_once * unit_pixels (imposed->image) * wf_type_size (imposed->markers->type);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter of an image in bands.
 *
 * A filter looks at the pixels within its radius only.  So a block is read with as many rows (of a
 * stack: slices) more at each side, as far as the image goes, filtered as an image in memory is,
 * and the rows at the sides are left out.  What is wrong beside them, where the filter takes the
 * end of what was read for the end of the image, never reaches the block.
 *
 * Time and reading: the rows at the sides are read and filtered as well, so a block is filtered in
 * parts that are high beside them, as far as a share of the memory allows.  Memory:
 * wf_band_filter_memory(), only while a block is read.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "band-filter.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"

/* The filter may take a quarter of the memory while a block is read. */
#define SHARE_OF_FILTER 4

/* The bytes of the part of a block that is filtered at a time, if that is at least as many margins:
 * more would take memory and little less time.
 */
#define PART_BYTES      (1 << 22)
#define PART_OF_MARGINS 16

/* A part of a block with its margin, and what is made of it. */
typedef struct
{
  const WfBandFilter *filter;
  WfImage             image;
  gint64              before;   /* pixels of the margin before the block */
  WfImage            *block;
} Filtering;


/* What bands of the whole have a number of: slices of a stack, rows of an image. */
static gint64 *
units_of (WfShape       *shape,
          const WfShape *whole)
{
  return whole->depth > 1 ? &shape->depth : &shape->height;
}

static gboolean
run_filter (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  const Filtering     *filtering = data;
  const WfBandFilter  *filter    = filtering->filter;
  g_autofree gpointer  memory    = NULL;
  WfImage              result;

  if (! filter->apply (filter->data, &filtering->image, &result, &memory, run, error))
    return FALSE;
  wf_image_unpack (filtering->block,
                   (const guint8 *) memory + filtering->before * wf_type_size (result.type), run);
  return TRUE;
}

static gboolean
filter_part (const WfBandFilter  *filter,
             const Filtering     *filtering,
             GError             **error)
{
  const WfVariant variant = { .algorithm = "bands", .run = run_filter, .checks_nan = TRUE };
  const WfPlan    plan    = { .variant = &variant, .backend = wf_backend_cpu () };

  return wf_context_run (filter->context, WF_OPERATION_GAUSSIAN, &plan, filtering, error);
}

/* Reads and filters the part of an image that begins at row, or slice, @at. */
static gboolean
read_part (const WfBandFilter  *filter,
           gint64               at,
           WfImage             *part,
           GError             **error)
{
  WfShape   whole     = filter->bands.shape;
  WfShape   shape     = wf_image_shape (part);
  gint64   *units     = units_of (&shape, &whole);
  Filtering filtering = { .filter = filter, .block = part };
  gint64    first     = MAX (at - filter->margin, 0);
  gint64    end       = MIN (at + *units + filter->margin, *units_of (&whole, &whole));
  gboolean  done;

  *units           = end - first;
  filtering.before = (at - first) * whole.width * (whole.depth > 1 ? whole.height : 1);
  if (! wf_image_allocate (&filtering.image, filter->bands.type, shape.width, shape.height,
                           shape.depth, error))
    return FALSE;
  done = wf_bands_read_span (&filter->bands, filter->context, filter->image, first, end,
                             _("image"), &filtering.image, error) &&
         filter_part (filter, &filtering, error);
  wf_image_clear (&filtering.image);
  return done;
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
  const WfBandFilter *filter = data;
  const gboolean      stack  = filter->bands.shape.depth > 1;
  const gint64        at     = stack ? z : y;
  const gint64        n      = stack ? block->depth : block->height;

  if (! filter->apply)
    return wf_bands_read_span (&filter->bands, filter->context, filter->image, at, at + n,
                               _("image"), block, error);
  for (gint64 i = 0; i < n; i += filter->at_once)
    {
      WfImage part = *block;

      part.data                             = wf_image_row (block, stack ? i * block->height : i);
      *(stack ? &part.depth : &part.height) = MIN (filter->at_once, n - i);
      if (! read_part (filter, at + i, &part, error))
        return FALSE;
    }
  return TRUE;
}

/* Bytes that filtering @at_once rows, or slices, takes. */
static guint64
count_bytes (const WfBandFilter *filter,
             gint64              at_once)
{
  WfShape whole = filter->bands.shape;
  WfShape shape = whole;
  WfImage image;

  *units_of (&shape, &whole) = MIN (at_once + 2 * filter->margin, *units_of (&whole, &whole));
  image = wf_image_without_pixels (filter->bands.type, &shape);
  return (wf_type_size (image.type) + wf_type_size (filter->source.type))
         * wf_shape_n_pixels (&shape)
         + filter->memory (filter->data, &image, wf_context_count_threads (filter->context));
}

/* Rows, or slices, that are filtered at a time where memory is no matter. */
static gint64
find_most (const WfBandFilter *filter)
{
  WfShape      whole = filter->bands.shape;
  const gint64 units = *units_of (&whole, &whole);
  const gint64 unit  = wf_shape_n_pixels (&whole) / units * wf_type_size (filter->bands.type);

  return MIN (MAX (MAX (PART_BYTES / unit, PART_OF_MARGINS * filter->margin), 1), units);
}

/* @image and @data are kept.  @type: of the result; @apply: NULL for the image as it is; @margin:
 * rows, or slices, at each side that the filter looks at, however few the image has
 */
void
wf_band_filter_init (WfBandFilter           *filter,
                     WfContext              *context,
                     const WfBlockSource    *image,
                     WfType                  type,
                     WfBandFilterFunc        apply,
                     WfBandFilterMemoryFunc  memory,
                     gconstpointer           data,
                     gint64                  margin)
{
  const guint64 limit = wf_context_get_memory (context);
  WfShape       whole = { image->width, image->height, image->depth };

  filter->source       = *image;
  filter->source.type  = type;
  filter->source.read  = read_block;
  filter->source.data  = filter;
  filter->source.image = NULL;      /* it is filtered first */
  filter->context      = wf_context_new_quiet (context);
  filter->image        = image;
  filter->bands        = (WfBands) { .shape = whole, .type = image->type };
  filter->apply        = apply;
  filter->memory       = memory;
  filter->data         = data;
  filter->margin       = MIN (margin, *units_of (&whole, &whole));
  filter->at_once      = find_most (filter);
  while (limit > 0 && apply && filter->at_once > 1 &&
         count_bytes (filter, filter->at_once) > limit / SHARE_OF_FILTER)
    filter->at_once = (filter->at_once + 1) / 2;
}

void
wf_band_filter_clear (WfBandFilter *filter)
{
  g_clear_pointer (&filter->context, wf_context_unref);
}

/* Bytes that reading a block takes beside it. */
guint64
wf_band_filter_memory (const WfBandFilter *filter)
{
  return filter->apply ? count_bytes (filter, filter->at_once) : 0;
}

/* Of WfBandMemoryFunc. */
static guint64
count_band (gconstpointer  data,
            const WfShape *band)
{
  const WfBandFilter *filter = data;

  return wf_band_filter_memory (filter) + wf_shape_n_pixels (band)
                                          * wf_type_size (filter->source.type);
}

/* Writes the result of the ranks' parts, as one operation of @context.  @rows: of a block, at most;
 * 0: as many as memory allows
 */
gboolean
wf_band_filter_write (WfBandFilter       *filter,
                      WfContext          *context,
                      const WfBlockSink  *sink,
                      gint64              rows,
                      GError            **error)
{
  g_auto (WfSteps) steps = { 0 };
  g_auto (WfImage) band  = { 0 };
  WfBands          bands;

  if (! wf_bands_divide (&bands, context, filter->image, rows, count_band, 0, filter, error) ||
      ! wf_bands_allocate (&bands, filter->source.type, 0, &band, error))
    return FALSE;
  wf_steps_begin (&steps, context, bands.n);
  for (gint64 i = 0; i < bands.n; i++)
    if ((! wf_bands_are_finished (&bands, sink, i) &&
         (! wf_bands_read_again (&bands, &filter->source, wf_bands_first (&bands, i),
                                 wf_bands_end (&bands, i), &band, error) ||
          ! wf_bands_finish (&bands, sink, i, &band, error))) ||
        ! wf_steps_next (&steps, error))
      return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The relief of a watershed in bands.
 *
 * A filter looks at the pixels within its radius only: the Gaussian at those within the radius of
 * its window, the gradient at those within its own.  So a block is read with as many rows (of a
 * stack: slices) more at each side as both radii add up to, as far as the image goes, filtered as
 * the whole is in memory (engine/filters/cpu/filters.c), and the rows at the sides are left out.
 * What is wrong beside them, where the filters take the end of what was read for the end of the
 * image, never reaches the block.
 *
 * Time and reading: the rows at the sides are read and filtered as well, so a block is filtered in
 * as few parts as a share of the memory allows.  Memory: wf_band_relief_memory(), only while a
 * block is read.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "band-relief.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "engine/filters/cpu/filters.h"

/* The filters may take a quarter of the memory while a block is read. */
#define SHARE_OF_FILTERS 4

/* A part of a block with its margin, and what is made of it. */
typedef struct
{
  WfWatershedTask  task;
  WfImage          image;
  gint64           before;    /* pixels of the margin before the block */
  WfImage         *block;
} Filtering;


/* What bands of the whole have a number of: slices of a stack, rows of an image. */
static gint64 *
units_of (WfShape       *shape,
          const WfShape *whole)
{
  return whole->depth > 1 ? &shape->depth : &shape->height;
}

static gboolean
is_filtered (const WfBandRelief *relief)
{
  return relief->is_smoothed || relief->gradient > 0;
}

static void
fill_task (const WfBandRelief *relief,
           const WfImage      *image,
           WfWatershedTask    *task)
{
  *task = (WfWatershedTask) {
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .smoothing = relief->is_smoothed ? &relief->smoothing : NULL,
    .gradient  = relief->gradient,
    .image     = image,
  };
}

static gboolean
run_filters (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  const Filtering     *filtering = *(const Filtering *const *) data;
  g_autofree gpointer  memory    = NULL;
  WfImage              relief;

  if (! wf_cpu_relief (&filtering->task, &relief, &memory, run, 1.0, error))
    return FALSE;
  wf_image_unpack (filtering->block,
                   (const guint8 *) memory + filtering->before * wf_type_size (relief.type), run);
  return TRUE;
}

static gboolean
filter (const WfBandRelief  *relief,
        Filtering           *filtering,
        GError             **error)
{
  const WfVariant variant = { .algorithm = "steepest", .run = run_filters, .checks_nan = TRUE };
  const WfPlan    plan    = { .variant = &variant, .backend = wf_backend_cpu () };

  fill_task (relief, &filtering->image, &filtering->task);
  return wf_context_run (relief->context, WF_OPERATION_WATERSHED, &plan, &filtering, error);
}

/* Reads and filters the part of an image that begins at row, or slice, @at. */
static gboolean
read_part (const WfBandRelief  *relief,
           gint64               at,
           WfImage             *part,
           GError             **error)
{
  WfShape   whole     = relief->bands.shape;
  WfShape   shape     = wf_image_shape (part);
  gint64   *units     = units_of (&shape, &whole);
  Filtering filtering = { .block = part };
  gint64    first     = MAX (at - relief->margin, 0);
  gint64    end       = MIN (at + *units + relief->margin, *units_of (&whole, &whole));
  gboolean  done;

  *units           = end - first;
  filtering.before = (at - first) * whole.width * (whole.depth > 1 ? whole.height : 1);
  if (! wf_image_allocate (&filtering.image, part->type, shape.width, shape.height, shape.depth,
                           error))
    return FALSE;
  done = wf_bands_read_span (&relief->bands, relief->context, relief->image, first, end,
                             _("image"), &filtering.image, error) &&
         filter (relief, &filtering, error);
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
  const WfBandRelief *relief = data;
  const gboolean      stack  = relief->bands.shape.depth > 1;
  const gint64        at     = stack ? z : y;
  const gint64        n      = stack ? block->depth : block->height;

  if (! is_filtered (relief))
    return wf_bands_read_span (&relief->bands, relief->context, relief->image, at, at + n,
                               _("image"), block, error);
  for (gint64 i = 0; i < n; i += relief->at_once)
    {
      WfImage part = *block;

      part.data                            = wf_image_row (block, stack ? i * block->height : i);
      *(stack ? &part.depth : &part.height) = MIN (relief->at_once, n - i);
      if (! read_part (relief, at + i, &part, error))
        return FALSE;
    }
  return TRUE;
}

/* Bytes that filtering @at_once rows, or slices, takes. */
static guint64
count_bytes (const WfBandRelief *relief,
             gint64              at_once)
{
  WfShape          whole = relief->bands.shape;
  WfShape          shape = whole;
  WfImage          image;
  WfWatershedTask  task;

  *units_of (&shape, &whole) = MIN (at_once + 2 * relief->margin, *units_of (&whole, &whole));
  image = wf_image_without_pixels (relief->bands.type, &shape);
  fill_task (relief, &image, &task);
  return 2 * wf_type_size (image.type) * wf_shape_n_pixels (&shape) + wf_cpu_relief_memory (&task);
}

/* @image is kept.  Of @options only smoothing and gradient count. */
void
wf_band_relief_init (WfBandRelief             *relief,
                     WfContext                *context,
                     const WfBlockSource      *image,
                     const WfWatershedOptions *options)
{
  const guint64 limit = wf_context_get_memory (context);
  WfShape       whole = { image->width, image->height, image->depth };

  relief->source       = *image;
  relief->source.read  = read_block;
  relief->source.data  = relief;
  relief->source.image = NULL;      /* it is filtered first */
  relief->context      = wf_context_new_quiet (context);
  relief->image        = image;
  relief->bands        = (WfBands) { .shape = whole, .type = image->type };
  relief->is_smoothed  = options->smoothing > 0;
  relief->gradient     = options->gradient;
  relief->margin       = options->gradient;
  relief->at_once      = *units_of (&whole, &whole);
  if (relief->is_smoothed)
    {
      wf_gaussian_init (&relief->smoothing, image->type, options->smoothing);
      relief->margin += relief->smoothing.radius;
    }
  while (limit > 0 && relief->at_once > 1 &&
         count_bytes (relief, relief->at_once) > limit / SHARE_OF_FILTERS)
    relief->at_once = (relief->at_once + 1) / 2;
}

void
wf_band_relief_clear (WfBandRelief *relief)
{
  g_clear_pointer (&relief->context, wf_context_unref);
}

/* Bytes that reading a block takes beside it. */
guint64
wf_band_relief_memory (const WfBandRelief *relief)
{
  return is_filtered (relief) ? count_bytes (relief, relief->at_once) : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "bands.h"
#include "engine/core/context-private.h"
#include "engine/core/refusals.h"


/*  Division  */

static gboolean
is_stack (const WfShape *shape)
{
  return shape->depth > 1;
}

/* What is divided: the number of slices of a stack, of rows in an image. */
static gint64
count_units (const WfShape *shape)
{
  return is_stack (shape) ? shape->depth : shape->height;
}

static WfShape
shape_of (const WfShape *whole,
          gint64         length)
{
  return is_stack (whole) ? (WfShape) { whole->width, whole->height, length }
                          : (WfShape) { whole->width, length, 1 };
}

static gint64
count_bands (gint64 units,
             gint64 length)
{
  return (units + length - 1) / length;
}

/**
 * Division:
 * @units: rows, or slices, that are divided
 * @memory: that a band takes; @data: its
 * @held: bytes for each band beside it
 */
typedef struct
{
  WfShape           whole;
  gint64            units;
  WfBandMemoryFunc  memory;
  gconstpointer     data;
  guint64           held;
} Division;

static guint64
count_band (const Division *division,
            gint64          length)
{
  const WfShape band = shape_of (&division->whole, length);

  return division->memory (division->data, &band);
}

static guint64
count_held (const Division *division,
            gint64          length)
{
  return division->held * count_bands (division->units, length);
}

/* The most rows or slices, not more than @most, of which one band lies within @limit; 0 if a single
 * one takes more.
 */
static gint64
find_length (const Division *division,
             gint64          most,
             guint64         limit)
{
  gint64 fits   = 0;
  gint64 beyond = most + 1;

  while (beyond - fits > 1)
    {
      const gint64 middle = fits + (beyond - fits) / 2;

      if (count_band (division, middle) <= limit)
        fits = middle;
      else
        beyond = middle;
    }
  return fits;
}

/* The same with what is held for each band: the shorter the bands, the more.  No length that fits
 * is longer than one that fits beside what the length before it holds.
 * @needed: what the least of those that were tried takes.
 */
static gint64
find_length_held (const Division *division,
                  gint64          most,
                  guint64         limit,
                  guint64        *needed)
{
  gint64 length = most;

  *needed = count_band (division, 1) + count_held (division, 1);
  while (length > 0)
    {
      const guint64 held   = count_held (division, length);
      const gint64  before = length;

      *needed = MIN (*needed, count_band (division, length) + held);
      length  = held < limit ? find_length (division, length, limit - held) : 0;
      if (length == before)
        break;
    }
  return length;
}

/* Sets an error; returns FALSE. */
gboolean
wf_bands_refuse_memory (const WfContext  *context,
                        guint64           needed,
                        guint64           limit,
                        GError          **error)
{
  g_autofree char *needed_text  = g_format_size (needed);
  g_autofree char *allowed_text = g_format_size (limit);

  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               context->memory_limit
               ? _("The operation needs %s of memory, but only %s are allowed.")
               : _("The operation needs %s of memory, but only %s are available."),
               needed_text, allowed_text);
  return FALSE;
}

/* Divides this rank's part of an image, which was checked, so that what is done with one band takes
 * no more memory than @context allows.  @rows: of a band, at most; 0 for no other limit.  @held:
 * bytes that each band keeps to the end.  Bands are of equal length but for the last.
 */
gboolean
wf_bands_divide (WfBands              *bands,
                 const WfContext      *context,
                 const WfBlockSource  *image,
                 gint64                rows,
                 WfBandMemoryFunc      memory,
                 guint64               held,
                 gconstpointer         data,
                 GError              **error)
{
  const WfShape  shape    = { image->width, image->height, image->depth };
  const WfPart   part     = wf_ranks_find_part (context->ranks, count_units (&shape));
  const gint64   units    = part.end - part.first;
  const Division division = { shape, units, memory, data, held };
  const guint64  limit    = wf_context_get_memory (context);
  gint64         length   = MAX (rows > 0 ? MIN (rows, units) : units, 1);
  guint64        needed   = 0;

  if (limit > 0)
    length = find_length_held (&division, length, limit, &needed);
  if (length == 0)
    return wf_bands_refuse_memory (context, needed, limit, error);

  bands->shape  = shape;
  bands->type   = image->type;
  bands->part   = part;
  bands->n      = count_bands (units, length);
  bands->length = rows > 0 || units == 0 ? length : count_bands (units, bands->n);
  return TRUE;
}


/*  Bands  */

/* The first row, or slice, of a band. */
gint64
wf_bands_first (const WfBands *bands,
                gint64         number)
{
  return bands->part.first + number * bands->length;
}

/* The row, or slice, after the last one of a band. */
gint64
wf_bands_end (const WfBands *bands,
              gint64         number)
{
  return MIN (wf_bands_first (bands, number) + bands->length, bands->part.end);
}

/* Whether the image goes on at a side of a band, in another band or in another rank's part. */
gboolean
wf_bands_have_seam (const WfBands *bands,
                    gint64         number,
                    WfBandSide     side)
{
  return side == WF_BAND_FIRST ? wf_bands_first (bands, number) > 0
                               : wf_bands_end (bands, number) < count_units (&bands->shape);
}

/* Memory for the pixels of any band with @margin rows, or slices, before and after it. */
gboolean
wf_bands_allocate (const WfBands  *bands,
                   WfType          type,
                   gint64          margin,
                   WfImage        *band,
                   GError        **error)
{
  const gint64  units = count_units (&bands->shape);
  const WfShape shape = shape_of (&bands->shape, MIN (bands->length + 2 * margin, units));

  return wf_image_allocate (band, type, shape.width, shape.height, shape.depth, error);
}

static void
fit_view (const WfBands *bands,
          gint64         length,
          WfImage       *image)
{
  const WfShape shape = shape_of (&bands->shape, length);

  image->height       = shape.height;
  image->depth        = shape.depth;
  image->slice_stride = shape.width * shape.height;
}

/* Gives a view that wf_bands_allocate() has made the size of band @number. */
void
wf_bands_fit_view (const WfBands *bands,
                   gint64         number,
                   WfImage       *band)
{
  fit_view (bands, wf_bands_end (bands, number) - wf_bands_first (bands, number), band);
}

/* The connectivity in a band of @depth slices: one slice of a stack is an image. */
int
wf_bands_connectivity (int    connectivity,
                       gint64 depth)
{
  if (depth > 1 || ! wf_is_stack_connectivity (connectivity))
    return connectivity;
  return connectivity == 6 ? 4 : 8;
}

/* The error names the row in the whole image. */
static gboolean
check_nan (const WfBands    *bands,
           const WfContext  *context,
           gint64            first,
           const WfImage    *image,
           const char       *what,
           GError          **error)
{
  WfRun  run;
  gint64 row;

  wf_run_init (&run, context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (context);
  if (! wf_image_find_nan (image, &run, &row, error))
    return FALSE;
  return row < 0 ||
         wf_refuse_nan (what, is_stack (&bands->shape) ? row % image->height : first + row, error);
}

/* Makes @view show rows, or slices, from @first to @end of @whole, which is packed. */
void
wf_bands_view (const WfBands *bands,
               const WfImage *whole,
               gint64         first,
               gint64         end,
               WfImage       *view)
{
  const WfShape unit = shape_of (&bands->shape, 1);

  *view      = *whole;
  view->data = (char *) whole->data +
               first * wf_shape_n_pixels (&unit) * wf_type_size (whole->type);
  fit_view (bands, end - first, view);
  view->allocated = NULL;
}

/* Reads rows, or slices, from @first to @end into @image, of wf_bands_allocate().  They were
 * checked before.
 */
gboolean
wf_bands_read_again (const WfBands        *bands,
                     const WfBlockSource  *source,
                     gint64                first,
                     gint64                end,
                     WfImage              *image,
                     GError              **error)
{
  const gboolean stack = is_stack (&bands->shape);
  WfImage        view;

  fit_view (bands, end - first, image);
  if (source->image)
    {
      wf_bands_view (bands, source->image, first, end, &view);
      memcpy (image->data, view.data, wf_image_n_pixels (&view) * wf_type_size (view.type));
      return TRUE;
    }
  return source->read (source->data, 0, stack ? 0 : first, stack ? first : 0, image, error);
}

/* The same for what is read for the first time: refuses NaN.  @what: the image's name to the
 * user.
 */
gboolean
wf_bands_read_span (const WfBands        *bands,
                    const WfContext      *context,
                    const WfBlockSource  *source,
                    gint64                first,
                    gint64                end,
                    const char           *what,
                    WfImage              *image,
                    GError              **error)
{
  return wf_bands_read_again (bands, source, first, end, image, error) &&
         check_nan (bands, context, first, image, what, error);
}

/* The same for band @number. */
gboolean
wf_bands_read (const WfBands        *bands,
               const WfContext      *context,
               const WfBlockSource  *source,
               gint64                number,
               const char           *what,
               WfImage              *band,
               GError              **error)
{
  return wf_bands_read_span (bands, context, source, wf_bands_first (bands, number),
                             wf_bands_end (bands, number), what, band, error);
}

/* Where band @number is computed: a view of a sink in memory, or memory of wf_bands_allocate(). */
void
wf_bands_open_output (const WfBands     *bands,
                      const WfBlockSink *sink,
                      gint64             number,
                      WfImage           *band)
{
  if (sink->image)
    wf_bands_view (bands, sink->image, wf_bands_first (bands, number),
                   wf_bands_end (bands, number), band);
  else
    wf_bands_fit_view (bands, number, band);
}

gboolean
wf_bands_write (const WfBands      *bands,
                const WfBlockSink  *sink,
                gint64              number,
                const WfImage      *band,
                GError            **error)
{
  const gint64   first = wf_bands_first (bands, number);
  const gboolean stack = is_stack (&bands->shape);
  WfImage        view;

  if (sink->image)
    {
      wf_bands_view (bands, sink->image, first, wf_bands_end (bands, number), &view);
      memcpy (view.data, band->data, wf_image_n_pixels (&view) * wf_type_size (view.type));
      return TRUE;
    }
  return sink->write (sink->data, 0, stack ? 0 : first, stack ? first : 0, band, error);
}

/* Whether band @number is in the result already, as an operation before has left it. */
gboolean
wf_bands_are_finished (const WfBands     *bands,
                       const WfBlockSink *sink,
                       gint64             number)
{
  return sink->are_finished &&
         sink->are_finished (sink->data, wf_bands_first (bands, number),
                             wf_bands_end (bands, number));
}

/* Writes band @number for the last time. */
gboolean
wf_bands_finish (const WfBands      *bands,
                 const WfBlockSink  *sink,
                 gint64              number,
                 const WfImage      *band,
                 GError            **error)
{
  return wf_bands_write (bands, sink, number, band, error) &&
         (! sink->finish || sink->finish (sink->data, wf_bands_first (bands, number),
                                          wf_bands_end (bands, number), error));
}


/*  Steps  */

/* Which part of the whole is done; @fraction: of the present step */
static double
find_progress (const WfSteps *steps,
               double         fraction)
{
  const double part = steps->n > 0 ? MIN (1.0, (steps->done + fraction) / steps->n) : 1.0;

  return steps->start + (1.0 - steps->start) * part;
}

static void
report_step (double   fraction,
             gpointer data)
{
  WfSteps *steps = data;

  wf_joint_work_look (steps->context->joint_work);
  steps->reported = CLAMP (find_progress (steps, fraction), steps->reported, 1.0);
  if (steps->progress)
    steps->progress (steps->reported, steps->progress_data);
}

/* @n: how many operations there will be, each ended by wf_steps_next(); what an operation without
 * it does more than once does not move the progress back
 */
void
wf_steps_begin (WfSteps   *steps,
                WfContext *context,
                gint64     n)
{
  *steps = (WfSteps) {
    .context       = context,
    .progress      = context->progress,
    .progress_data = context->progress_data,
    .n             = n,
    .begun_at      = g_get_monotonic_time (),
    .within        = context->in_blocks,
  };
  if (! steps->within)
    wf_context_begin_report (context);
  wf_context_set_progress (context, report_step, steps);
  context->in_blocks = TRUE;
}

/* How many steps are left, where that depends on those before: they share what is left of the
 * progress.  With none left the whole is at its end.
 */
void
wf_steps_set_left (WfSteps *steps,
                   gint64   n)
{
  steps->start = find_progress (steps, 0.0);
  steps->n     = n;
  steps->done  = 0;
  if (n == 0)
    report_step (0.0, steps);
}

/* @n steps are done. */
void
wf_steps_advance (WfSteps *steps,
                  gint64   n)
{
  steps->done += n;
  report_step (0.0, steps);
}

/* A step is done.  Fails where the operation has been cancelled. */
gboolean
wf_steps_next (WfSteps  *steps,
               GError  **error)
{
  wf_steps_advance (steps, 1);
  return ! g_cancellable_is_cancelled (steps->context->cancellable) ||
         wf_run_set_cancelled (error);
}

void
wf_steps_end (WfSteps *steps)
{
  if (! steps->context)
    return;
  wf_context_set_progress (steps->context, steps->progress, steps->progress_data);
  steps->context->in_blocks      = steps->within;
  steps->context->report.seconds = (g_get_monotonic_time () - steps->begun_at)
                                   / (double) G_USEC_PER_SEC;
  steps->context = NULL;
}

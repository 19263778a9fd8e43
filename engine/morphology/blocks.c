/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is built on reconstruction, of images larger than memory: by the recipe of the operation
 * (recipes.h), as in memory (cpu/morphology.c).
 *
 *   marker    made of each band of the image as the band is read; an eroded or dilated one with as
 *             many rows around the band as the radius has (engine/filters/band-filter.c).
 *   result    the reconstruction, or the difference between it and the image.  With the summary a
 *             band is made and written once.  The queue changes bands that it has written; so they
 *             go to a store that is read back, and the result is made in a pass at the end.
 *   extrema   regional extrema without reconstruction (blocks-extrema.c): of the image or, for
 *             extended ones, of its h-maxima or h-minima in the store.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "band-imposed.h"
#include "blocks.h"
#include "cpu/markers.h"
#include "cpu/pixels.h"
#include "cpu/structuring-element.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/filters/band-filter.h"
#include "engine/ranks/communicator.h"
#include "engine/reconstruction/blocks.h"
#include "morphology.h"

/**
 * Work:
 * @task: of the whole image, without pixels
 * @image: what is worked on
 * @out: where the result goes, by its functions
 * @store: what is reconstructed, where it is read back; no functions where there is none
 * @filter: of the marker, where it is eroded or dilated
 * @imposed: the mask, where minima are imposed
 * @mask: that, or the image
 */
typedef struct
{
  const WfBlocksCall  *call;
  WfMorphologyOptions  options;
  WfMorphologyTask     task;
  const WfBlockSource *image;
  WfBlockSink          out;
  WfBlockSink          store;
  WfBandFilter         filter;
  WfBandImposed        imposed;
  const WfBlockSource *mask;
} Work;


static void
work_clear (Work *work)
{
  wf_band_filter_clear (&work->filter);
  wf_band_imposed_clear (&work->imposed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Rows  */

/* Two bands, the first of which makes the second; @first: row, or slice, of both in the image */
typedef struct
{
  const Work    *work;
  gint64         first;
  const WfImage *from;
  WfImage       *to;
} Pair;

static gboolean
over_rows (const Pair  *pair,
           WfRowFunc    visit,
           GError     **error)
{
  const WfContext *context = pair->work->call->context;
  const WfRows     rows    = { .n = pair->to->height * pair->to->depth, .amount = pair->to->width };
  WfRun            run;

  wf_run_init (&run, context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (context);
  wf_run_begin (&run, 1.0, rows.n * rows.amount);
  return wf_run_rows (&run, &rows, visit, (gpointer) pair, error);
}

static gboolean
marker_row (gpointer data,
            WfRow    row)
{
  const Pair             *pair = data;
  const WfMorphologyTask *task = &pair->work->task;
  const gint64            at   = row.number + pair->first * (task->shape.depth > 1
                                                             ? task->shape.height : 1);

  wf_marker_row (task->recipe, task->type, task->height, wf_image_row (pair->from, row.number),
                 task->shape.width,
                 wf_is_border_row (&task->shape, at % task->shape.height, at / task->shape.height),
                 wf_image_row (pair->to, row.number));
  return TRUE;
}

static gboolean
difference_row (gpointer data,
                WfRow    row)
{
  const Pair *pair   = data;
  gpointer    levels = wf_image_row (pair->to, row.number);

  wf_pixel_steps (pair->to->type)->differ (wf_image_row (pair->from, row.number), levels,
                                           pair->to->width, levels);
  return TRUE;
}


/*  Both ends of a reconstruction  */

/* Makes the marker of a band. */
static gboolean
start_band (gpointer        data,
            gint64          first,
            const WfImage  *mask,
            WfImage        *marker,
            GError        **error)
{
  const Work          *work   = data;
  const WfBlockSource *source = &work->filter.source;
  const gboolean       stack  = work->task.shape.depth > 1;
  const Pair           pair   = { work, first, mask, marker };

  return work->task.recipe->marker == WF_MARKER_ELEMENT
         ? source->read (source->data, 0, stack ? 0 : first, stack ? first : 0, marker, error)
         : over_rows (&pair, marker_row, error);
}

/* Makes the difference between a band and its reconstruction, in the place of that. */
static gboolean
finish_band (gpointer        data,
             const WfImage  *mask,
             WfImage        *levels,
             GError        **error)
{
  const Pair pair = { data, 0, mask, levels };

  return over_rows (&pair, difference_row, error);
}

static gboolean
is_difference (const Work *work)
{
  return work->task.recipe->output == WF_OUTPUT_DIFFERENCE;
}

static gboolean
has_markers (const Work *work)
{
  return work->task.recipe->marker == WF_MARKER_IMPOSED;
}

static WfBlocksWay
find_way (const Work *work)
{
  return work->store.read ? work->call->way : WF_BLOCKS_SUMMARY;
}

/* Reconstructs within what the filter leaves of the memory.  @finished: result: whether the output
 * was written, or else the store
 */
static gboolean
reconstruct (const Work  *work,
             gboolean    *finished,
             GError     **error)
{
  WfContext            *context = work->call->context;
  const guint64         before  = context->memory_limit;
  const guint64         limit   = wf_context_get_memory (context);
  const guint64         taken   = wf_band_filter_memory (&work->filter)
                                  + (has_markers (work) ? wf_band_imposed_memory (&work->imposed)
                                                        : 0);
  const gboolean        extrema = work->task.recipe->output == WF_OUTPUT_EXTREMA;
  WfReconstructEnds     ends    = { .start = start_band, .data = (gpointer) work,
                                    .finish = is_difference (work) ? finish_band : NULL,
                                    .out    = extrema ? &work->store : &work->out };
  WfReconstructOptions  options;
  gboolean              done;

  if (limit > 0 && limit <= taken)
    return wf_bands_refuse_memory (context, taken, limit, error);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = work->task.recipe->by;
  options.connectivity = work->task.connectivity;
  options.algorithm    = work->options.algorithm;
  wf_context_set_memory_limit (context, limit > 0 ? limit - taken : 0);
  done = wf_reconstruct_between (context, work->mask, &ends, &work->store, &options,
                                 find_way (work), work->call->rows, error);
  wf_context_set_memory_limit (context, before);
  *finished = ends.is_finished;
  return done && (! has_markers (work) || wf_band_imposed_check (&work->imposed, error));
}


/*  Results  */

/* Whether what is in the store is the result, where it is to be. */
static gboolean
is_in_place (const Work *work)
{
  return work->store.data == work->out.data && work->store.write == work->out.write;
}

/* Twice what a band of the store, and of the image, takes: memory that the reconstruction has freed
 * may still be the process's.
 */
static guint64
pair_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work *work = data;

  return 2 * (is_difference (work) ? 2 : 1) * wf_shape_n_pixels (band)
         * wf_type_size (work->task.type);
}

/* Makes the result of what is in the store. */
static gboolean
write_result (const Work  *work,
              WfSteps     *steps,
              GError     **error)
{
  const WfBlockSource stored = wf_source_of_sink (&work->store, work->image);
  g_auto (WfImage)    levels = { 0 };
  g_auto (WfImage)    image  = { 0 };
  WfBands             bands;

  if (! wf_bands_divide (&bands, work->call->context, work->image, work->call->rows, pair_memory, 0,
                         work, error) ||
      ! wf_bands_allocate (&bands, work->task.type, 0, &levels, error) ||
      (is_difference (work) && ! wf_bands_allocate (&bands, work->task.type, 0, &image, error)))
    return FALSE;
  wf_steps_set_left (steps, bands.n);
  for (gint64 i = 0; i < bands.n; i++)
    {
      const gint64 first = wf_bands_first (&bands, i);
      const gint64 end   = wf_bands_end (&bands, i);

      if (! wf_bands_read_again (&bands, &stored, first, end, &levels, error) ||
          (is_difference (work) &&
           (! wf_bands_read_again (&bands, work->image, first, end, &image, error) ||
            ! finish_band ((gpointer) work, &image, &levels, error))) ||
          ! wf_bands_write (&bands, &work->out, i, &levels, error) ||
          ! wf_steps_next (steps, error))
        return FALSE;
    }
  return TRUE;
}

/* In a context of its own: the report is that of the reconstruction, if there was one.  A rank also
 * reads rows that its neighbours have reconstructed.
 */
static gboolean
find_extrema (const Work          *work,
              const WfBlockSource *image,
              GError             **error)
{
  WfContext              *context  = work->call->context;
  g_autoptr (WfContext)   quiet    = wf_context_new_quiet (context);
  const WfRegionalBlocks  regional = {
    .context      = image == work->image ? context : quiet,
    .image        = image,
    .out          = &work->out,
    .connectivity = work->task.connectivity,
    .maxima       = work->task.recipe->by == WF_BY_DILATION,
    .wide         = image != work->image,
    .rows         = work->call->rows,
  };

  wf_context_set_progress (quiet, context->progress, context->progress_data);
  wf_context_set_communicator (quiet, context->ranks);
  quiet->joint_work = context->joint_work;
  return wf_ranks_await (context->ranks, error) && wf_regional_blocks (&regional, error);
}

/* Regional extrema are found without reconstruction. */
static gboolean
check_regional (const Work  *work,
                GError     **error)
{
  const char *algorithm = work->options.algorithm;

  if (! algorithm || strcmp (algorithm, "auto") == 0 || strcmp (algorithm, "plateaux") == 0)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
               _("The algorithm “%s” of %s cannot do this task."), algorithm,
               wf_operation_get_options (work->call->operation)->name);
  return FALSE;
}

static gboolean
run_by_reconstruction (const Work  *work,
                       GError     **error)
{
  const gboolean      extrema  = work->task.recipe->output == WF_OUTPUT_EXTREMA;
  const WfBlockSource stored   = wf_source_of_sink (&work->store, work->image);
  const gboolean      direct   = ! extrema && ((is_in_place (work) && ! is_difference (work)) ||
                                               find_way (work) == WF_BLOCKS_SUMMARY);
  gboolean            finished = FALSE;
  g_auto (WfSteps)    steps    = { 0 };

  wf_steps_begin (&steps, work->call->context, direct ? 1 : 2);
  if (! reconstruct (work, &finished, error) || ! wf_steps_next (&steps, error))
    return FALSE;
  if (extrema)
    return find_extrema (work, &stored, error);
  if (! direct && ! finished)
    return write_result (work, &steps, error);
  wf_steps_set_left (&steps, 0);
  return TRUE;
}


/*  The whole  */

/* Of WfBandFilterFunc. */
static gboolean
apply_element (gconstpointer   data,
               const WfImage  *image,
               WfImage        *result,
               gpointer       *memory,
               WfRun          *run,
               GError        **error)
{
  const WfMorphologyTask *task    = data;
  const WfElementTask     element = {
    .image    = image,
    .target   = result,
    .element  = task->element,
    .radius   = task->radius,
    .dilation = task->recipe->by == WF_BY_EROSION,
  };

  return wf_image_allocate_like (image, result, memory, error) &&
         wf_cpu_element (&element, run, 1.0, error);
}

/* Of WfBandFilterMemoryFunc. */
static guint64
element_memory (gconstpointer  data,
                const WfImage *image,
                guint          n_threads)
{
  const WfMorphologyTask *task    = data;
  const WfElementTask     element = { .image = image, .element = task->element,
                                      .radius = task->radius };

  return wf_cpu_element_memory (&element, n_threads);
}

/* Where what is reconstructed is written and read back. */
static WfBlockSink
choose_store (const Work *work)
{
  const WfBlocksCall *call    = work->call;
  const gboolean      extrema = work->task.recipe->output == WF_OUTPUT_EXTREMA;
  WfBlockSink         store;

  /* what is stored in the output is not the result yet */
  if (work->out.read && ! extrema)
    {
      store              = work->out;
      store.are_finished = NULL;
      store.finish       = NULL;
      return store;
    }
  return call->scratch ? wf_sink_with_calls (call->scratch) : (WfBlockSink) { 0 };
}

/* @view: of the image, without pixels */
static gboolean
use_markers (Work           *work,
             const WfImage  *view,
             GError        **error)
{
  const WfBlockSource *markers     = work->call->inputs[1];
  const WfImage        marker_view = wf_source_view (markers);

  work->mask = &work->imposed.source;
  return wf_source_check_room (markers, _("marker image"), error) &&
         wf_morphology_check_markers (view, &marker_view, error) &&
         wf_band_imposed_init (&work->imposed, work->call->context, work->image, markers, error);
}

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfBlocksCall *call = work->call;
  gboolean            element;
  WfImage             view;

  work->image = work->mask = call->inputs[0];
  if (! wf_source_check (work->image, _("image"), error))
    return FALSE;
  view = wf_source_view (work->image);
  if (! wf_morphology_prepare (call->operation, &view, call->options, &work->options, &work->task,
                               error))
    return FALSE;
  work->task.image = NULL;
  work->out        = wf_sink_with_calls (call->output);
  work->store      = choose_store (work);
  element          = work->task.recipe->marker == WF_MARKER_ELEMENT;
  wf_band_filter_init (&work->filter, call->context, work->image, work->image->type,
                       element ? apply_element : NULL, element_memory, &work->task,
                       work->task.radius);
  return ! has_markers (work) || use_markers (work, &view, error);
}

/* Of WfOperationRecord. */
gboolean
wf_morphology_blocks (const WfBlocksCall  *call,
                      GError             **error)
{
  g_auto (Work) work = { .call = call };

  if (! work_init (&work, error))
    return FALSE;
  if (work.task.recipe->output == WF_OUTPUT_CHANGED)
    return check_regional (&work, error) && find_extrema (&work, work.image, error);
  g_return_val_if_fail (work.store.read || (work.task.recipe->output != WF_OUTPUT_EXTREMA &&
                                            call->way != WF_BLOCKS_QUEUE), FALSE);
  return run_by_reconstruction (&work, error);
}

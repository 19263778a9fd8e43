/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components of an image larger than memory, in bands.
 *
 *   summary   Each band is labelled by itself.
 *   solve     Labels that touch across the seams between bands are joined, and all are numbered
 *             (engine/blocks/seams.c).
 *   finish    Each band is read and its components are found once more, and get their numbers.
 *
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/seams.h"
#include "engine/blocks/sharing.h"
#include "engine/blocks/sources.h"
#include "engine/blocks/workers.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"

/* What one lane needs for a visit. */
typedef struct
{
  WfImage  image;     /* of one band */
  WfImage  labels;
  guint32 *number_of;
} Seat;

/**
 * Summary:
 * @rims: labels of the band's first and of its last row, or slice; NULL before they are known and
 *   after they have been added to the seams
 * @n_labels: that the band has by itself
 */
typedef struct
{
  guint32 *rims[2];
  guint32  n_labels;
} Summary;

/**
 * Work:
 * @connectivity: of the whole
 * @summaries: of the bands
 * @n_added: bands whose summaries the seams have, from the first on
 */
typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *sink;
  WfLabelOptions        options;
  int                   connectivity;
  WfBands               bands;
  WfWorkers            *workers;
  Seat                 *seats;
  guint                 n_seats;
  Summary              *summaries;
  gint64                n_added;
  WfSeams               seams;
} Work;


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work     *work    = data;
  WfLabelOptions  options = work->options;
  const WfImage   image   = wf_image_without_pixels (work->source->type, band);
  const guint64   n       = wf_shape_n_pixels (band);
  const guint64   rim     = n / (band->depth > 1 ? band->depth : band->height);
  WfEstimate      result  = { .n_threads = wf_context_count_threads (work->context) };
  guint64         bytes;

  options.connectivity = wf_bands_connectivity (work->connectivity, band->depth);
  wf_operation_get_record (WF_OPERATION_LABEL)->estimate (WF_OPERATION_LABEL, &image, &options,
                                                          &result, NULL);
  /* at most half as many numbers as pixels, rims; of files also image and labels */
  bytes = result.bytes + n / 2 * sizeof (guint32) + 3 * rim * sizeof (guint32);
  if (! work->source->image)
    bytes += n * wf_type_size (work->source->type);
  if (! work->sink->image)
    bytes += n * sizeof (guint32);
  bytes *= work->n_seats;
  return bytes + bytes / (WF_SHARE_OF_NODES - 1);
}

static void
summary_clear (Summary *summary)
{
  for (int side = 0; side < 2; side++)
    g_clear_pointer (&summary->rims[side], g_free);
}

static void
work_clear (Work *work)
{
  for (guint i = 0; work->seats && i < work->n_seats; i++)
    {
      wf_image_clear (&work->seats[i].image);
      wf_image_clear (&work->seats[i].labels);
      g_free (work->seats[i].number_of);
    }
  g_free (work->seats);
  for (gint64 i = 0; work->summaries && i < work->bands.n; i++)
    summary_clear (&work->summaries[i]);
  g_free (work->summaries);
  wf_seams_clear (&work->seams);
  g_clear_pointer (&work->workers, wf_workers_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Bands  */

/* Reads a band, and does its task as an operation of the lane's context. */
static gboolean
visit_band (Work               *work,
            const WfLane       *lane,
            gint64              number,
            const WfLabelBand  *band,
            guint32            *n_labels,
            GError            **error)
{
  Seat        *seat = &work->seats[lane->number];
  WfLabelTask  task;
  WfPlan       plan;

  wf_bands_open_output (&work->bands, work->sink, number, &seat->labels);
  if (! wf_workers_read (work->workers, lane, &work->bands, work->source, number, _("image"),
                         &seat->image, error))
    return FALSE;
  task = (WfLabelTask) {
    .shape        = wf_image_shape (&seat->image),
    .connectivity = wf_bands_connectivity (work->connectivity, seat->image.depth),
    .threshold    = work->options.threshold,
    .image        = &seat->image,
    .labels       = &seat->labels,
    .n_components = n_labels,
    .band         = band,
  };
  return (wf_workers_plan (lane, WF_OPERATION_LABEL, work->options.algorithm, &task, &plan,
                           error) &&
          wf_context_run (lane->context, WF_OPERATION_LABEL, &plan, &task, error)) ||
         wf_workers_blame_device (work->workers, lane);
}

/* Adds the summaries that are known to the seams, in the order of their bands. */
static gboolean
add_summaries (Work    *work,
               GError **error)
{
  for (; work->n_added < work->bands.n; work->n_added++)
    {
      Summary *summary = &work->summaries[work->n_added];

      if (! summary->rims[0])
        break;
      if (! wf_seams_add_band (&work->seams, work->n_added, summary->rims[0], summary->rims[1],
                               summary->n_labels, error))
        return FALSE;
      summary_clear (summary);
    }
  return TRUE;
}

/* Of WfBlockFunc. */
static gboolean
summarize_band (gpointer       data,
                const WfLane  *lane,
                gint64         number,
                GError       **error)
{
  Work          *work    = data;
  const gint64   rim     = work->seams.width * work->seams.height;
  Summary        summary = { { NULL, NULL }, 0 };
  WfLabelBand    band    = { .rim_rows = work->seams.height };
  gboolean       success;

  for (int side = 0; side < 2; side++)
    if (! (band.rims[side] = summary.rims[side] = wf_allocate (rim, sizeof (guint32), error)))
      {
        summary_clear (&summary);
        return FALSE;
      }
  if (! visit_band (work, lane, number, &band, &summary.n_labels, error))
    {
      summary_clear (&summary);
      return FALSE;
    }
  wf_workers_begin_files (work->workers, lane);
  summary_clear (&work->summaries[number]);
  work->summaries[number] = summary;
  success = add_summaries (work, error);
  wf_workers_end_files (work->workers, lane, "join");
  return success;
}

/* Of WfBlockFunc. */
static gboolean
finish_band (gpointer       data,
             const WfLane  *lane,
             gint64         number,
             GError       **error)
{
  Work        *work     = data;
  Seat        *seat     = &work->seats[lane->number];
  guint32      n_labels = wf_seams_count_labels (&work->seams, number);
  WfLabelBand  band     = { .rim_rows = work->seams.height, .n_labels = n_labels };

  if (wf_bands_are_finished (&work->bands, work->sink, number))
    return TRUE;
  g_free (seat->number_of);
  seat->number_of = wf_allocate ((gint64) n_labels + 1, sizeof (guint32), error);
  if (! seat->number_of)
    return FALSE;
  wf_seams_number_band (&work->seams, number, seat->number_of);
  band.number_of = seat->number_of;
  return visit_band (work, lane, number, &band, &n_labels, error) &&
         wf_workers_finish (work->workers, lane, &work->bands, work->sink, number, &seat->labels,
                            error);
}

static gboolean
count_components (const WfSeams  *seams,
                  GError        **error)
{
  if (seams->n_components <= G_MAXUINT32)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("The image has more than %u connected components."), G_MAXUINT32);
  return FALSE;
}


/*  The whole  */

static gboolean
seat_init (const Work  *work,
           Seat        *seat,
           GError     **error)
{
  return (work->source->image ||
          wf_bands_allocate (&work->bands, work->source->type, 0, &seat->image, error)) &&
         (work->sink->image ||
          wf_bands_allocate (&work->bands, WF_TYPE_U32, 0, &seat->labels, error));
}

static void
find_workers (Work   *work,
              gint64 *rows)
{
  const WfImage     whole = wf_source_view (work->source);
  const WfLabelBand band  = { .rim_rows = 1 };
  const WfLabelTask task  = { .shape = wf_image_shape (&whole), .threshold = NAN,
                              .connectivity = work->connectivity, .image = &whole, .band = &band };
  const WfImage     image = wf_source_image (work->source);

  work->workers = wf_workers_new (work->context, WF_OPERATION_LABEL, work->options.algorithm,
                                  &task, &image);
  work->n_seats = wf_workers_count_lanes (work->workers);
  *rows = wf_workers_limit_rows (work->workers, WF_OPERATION_LABEL, &work->options, work->source,
                                 *rows);
}

static gboolean
prepare (Work                  *work,
         const WfLabelOptions  *options,
         gint64                 rows,
         GError               **error)
{
  const WfBlockSource *source = work->source;
  const WfShape        shape  = { source->width, source->height, source->depth };

  if (! wf_source_check (source, _("image"), error) ||
      ! wf_operation_take (WF_OPERATION_LABEL, options, &work->options, error) ||
      ! wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity, error))
    return FALSE;
  find_workers (work, &rows);
  if (! wf_bands_divide (&work->bands, work->context, source, rows, band_memory, 0, work, error) ||
      ! wf_seams_init (&work->seams, &work->bands, work->connectivity,
                       wf_context_get_memory (work->context), error))
    return FALSE;
  work->summaries = g_new0 (Summary, work->bands.n);
  work->seats     = g_new0 (Seat, work->n_seats);
  for (guint i = 0; i < work->n_seats; i++)
    if (! seat_init (work, &work->seats[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
label (Work                  *work,
       const WfLabelOptions  *options,
       gint64                 rows,
       GError               **error)
{
  g_auto (WfSteps) steps = { 0 };

  if (! prepare (work, options, rows, error) ||
      ! wf_source_check_nan (work->context, work->source, _("image"), error))
    return FALSE;

  wf_steps_begin (&steps, work->context, 2 * work->bands.n);
  if (! wf_workers_visit_each (work->workers, &work->bands, summarize_band, work, work->bands.n,
                               &steps, error) ||
      ! wf_seams_solve_ranks (&work->seams, work->context->ranks, error) ||
      ! count_components (&work->seams, error) ||
      ! wf_workers_visit_each (work->workers, &work->bands, finish_band, work, 0, &steps, error))
    return FALSE;
  wf_steps_set_left (&steps, 0);
  return TRUE;
}

/**
 * wf_label_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @labels: takes the labels, u32
 * @n_components: (out) (optional): how many components there are
 * @options: (nullable): threshold, connectivity, …
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_label(), and those of @image and @labels
 *
 * Numbers the connected components of an image that need not fit into memory; the labels are
 * those of wf_label().  @image is read twice, in blocks of whole rows or slices; then @labels is
 * written once, in raster order.
 *
 * Time: twice that of wf_label(), but labels are written once, plus reading and writing.  Memory:
 * within the context's limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @labels may have been written.
 */
gboolean
wf_label_blocks (WfContext             *context,
                 const WfBlockSource   *image,
                 const WfBlockSink     *labels,
                 guint32               *n_components,
                 const WfLabelOptions  *options,
                 const WfBlockOptions  *blocks,
                 GError               **error)
{
  g_autoptr (WfContext) own  = wf_context_ensure (context);
  g_auto (Work)         work = { .context = own, .source = image, .sink = labels };
  WfBlockOptions        taken;
  WfJointWork           joint;

  g_return_val_if_fail (image != NULL && labels != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  if (! wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                   wf_sink_check_room (labels, _("labels"), error) &&
                                   label (&work, options, taken.rows, error), error))
    return FALSE;
  if (n_components)
    *n_components = work.seams.n_components;
  return TRUE;
}

/* As wf_context_run(): if it fails, the output is as it was, unless partial outputs are allowed. */
gboolean
wf_label_shared (WfContext             *context,
                 const WfLabelTask     *task,
                 const WfLabelOptions  *options,
                 GError               **error)
{
  const WfBlockSource     source = wf_source_in_memory (task->image);
  const gboolean          direct = ! wf_image_overlaps (task->labels, task->image);
  g_auto (WfSharedResult) result = { 0 };
  const WfBlockOptions    bands  = { .size = sizeof bands, .rows = context->tile_size };
  WfBlockSink             sink   = { 0 };

  if (! wf_shared_result_init (&result, context, task->labels, direct, error))
    return FALSE;
  sink.image = result.image;
  if (! wf_label_blocks (context, &source, &sink, task->n_components, options, &bands, error))
    return FALSE;
  wf_shared_result_finish (&result, context, task->labels);
  return TRUE;
}

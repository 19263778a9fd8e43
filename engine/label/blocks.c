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

#include <glib/gi18n-lib.h>

#include "engine/blocks/seams.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"

typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *sink;
  WfLabelOptions        options;
  int                   connectivity;   /* of the whole */
  WfBands               bands;
  WfImage               image;          /* of one band */
  WfImage               labels;
  guint32              *rims[2];        /* labels of its first and of its last row, or slice */
  WfSeams               seams;
} Work;


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work     *work    = data;
  WfLabelOptions  options = work->options;
  WfImage         image   = { .type = work->source->type, .width = band->width,
                              .height = band->height, .depth = band->depth,
                              .row_stride = band->width,
                              .slice_stride = band->width * band->height,
                              .data = (gpointer) work };
  const guint64   n       = wf_shape_n_pixels (band);
  const guint64   rim     = n / (band->depth > 1 ? band->depth : band->height);
  WfEstimate      result  = { 0 };
  guint64         bytes;

  options.connectivity = wf_bands_connectivity (work->connectivity, band->depth);
  wf_operation_get_record (WF_OPERATION_LABEL)->estimate (WF_OPERATION_LABEL, &image, &options,
                                                          &result, NULL);
  /* image, labels, at most half as many numbers, rims */
  bytes = result.bytes + n * (wf_type_size (work->source->type) + sizeof (guint32))
          + n / 2 * sizeof (guint32) + 3 * rim * sizeof (guint32);
  return bytes + bytes / (WF_SHARE_OF_NODES - 1);
}

static void
work_clear (Work *work)
{
  wf_image_clear (&work->image);
  wf_image_clear (&work->labels);
  g_free (work->rims[0]);
  g_free (work->rims[1]);
  wf_seams_clear (&work->seams);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Bands  */

/* Reads a band, and does its task as an operation of the context. */
static gboolean
visit_band (Work               *work,
            gint64              number,
            const WfLabelBand  *band,
            guint32            *n_labels,
            GError            **error)
{
  const WfPlan plan = { .variant = wf_cpu_label_variants, .backend = wf_backend_cpu () };
  WfLabelTask  task;

  if (! wf_bands_read (&work->bands, work->context, work->source, number, _("image"),
                       &work->image, error))
    return FALSE;
  wf_bands_fit_view (&work->bands, number, &work->labels);
  task = (WfLabelTask) {
    .shape        = wf_image_shape (&work->image),
    .connectivity = wf_bands_connectivity (work->connectivity, work->image.depth),
    .threshold    = work->options.threshold,
    .image        = &work->image,
    .labels       = &work->labels,
    .n_components = n_labels,
    .band         = band,
  };
  return wf_context_run (work->context, WF_OPERATION_LABEL, &plan, &task, error);
}

static gboolean
summarize_band (Work    *work,
                gint64   number,
                GError **error)
{
  const WfLabelBand band     = { .rim_rows = work->seams.height,
                                 .rims     = { work->rims[0], work->rims[1] } };
  guint32           n_labels = 0;

  return visit_band (work, number, &band, &n_labels, error) &&
         wf_seams_add_band (&work->seams, number, band.rims[0], band.rims[1], n_labels, error);
}

static gboolean
finish_band (Work    *work,
             gint64   number,
             GError **error)
{
  guint32             n_labels  = wf_seams_count_labels (&work->seams, number);
  g_autofree guint32 *number_of = wf_allocate ((gint64) n_labels + 1, sizeof (guint32), error);
  const WfLabelBand   band      = { .rim_rows = work->seams.height, .n_labels = n_labels,
                                    .number_of = number_of };

  if (! number_of)
    return FALSE;
  wf_seams_number_band (&work->seams, number, number_of);
  return visit_band (work, number, &band, &n_labels, error) &&
         wf_bands_write (&work->bands, work->sink, number, &work->labels, error);
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
prepare (Work                  *work,
         const WfLabelOptions  *options,
         gint64                 rows,
         GError               **error)
{
  const WfBlockSource *source = work->source;
  const WfShape        shape  = { source->width, source->height, source->depth };
  const gint64         rim    = shape.width * (shape.depth > 1 ? shape.height : 1);

  return wf_operation_take (WF_OPERATION_LABEL, options, &work->options, error) &&
         wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity,
                                  error) &&
         wf_bands_divide (&work->bands, work->context, source, rows, band_memory, work, error) &&
         wf_seams_init (&work->seams, &work->bands, work->connectivity,
                        wf_context_get_memory (work->context), error) &&
         (work->rims[0] = wf_allocate (rim, sizeof (guint32), error)) &&
         (work->rims[1] = wf_allocate (rim, sizeof (guint32), error)) &&
         wf_bands_allocate (&work->bands, source->type, 0, &work->image, error) &&
         wf_bands_allocate (&work->bands, WF_TYPE_U32, 0, &work->labels, error);
}

/**
 * wf_label_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @labels: takes the labels, u32
 * @n_components: (out) (optional): how many components there are
 * @options: (nullable): threshold, connectivity, …
 * @rows: of a block, at most (of a stack: slices); 0: as many as memory allows
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
                 gint64                 rows,
                 GError               **error)
{
  g_autoptr (WfContext) own   = wf_context_ensure (context);
  g_auto (Work)         work  = { .context = own, .source = image, .sink = labels };
  g_auto (WfSteps)      steps = { 0 };

  g_return_val_if_fail (image != NULL && labels != NULL && rows >= 0, FALSE);

  if (! prepare (&work, options, rows, error))
    return FALSE;

  wf_steps_begin (&steps, own, 2 * work.bands.n);
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! summarize_band (&work, i, error) || ! wf_steps_next (&steps, error))
      return FALSE;
  wf_seams_solve (&work.seams);
  if (! count_components (&work.seams, error))
    return FALSE;
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error) || ! wf_steps_next (&steps, error))
      return FALSE;

  if (n_components)
    *n_components = work.seams.n_components;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components on the CPU, `union-find`: the foreground of each row is converted
 * to bits, its runs are connected to those of the rows before (runs.c), and labels are
 * written row by row.  The image is read once and the labels are written once.
 */

#include "config.h"

#include <math.h>

#include "runs.h"
#include "engine/core/refusals.h"
#include "engine/cpu/stream.h"

/**
 * Labelling:
 * @task: what is to be labelled; its labels may be left out until they are written
 * @run: the operation under way
 * @runs: the components, once they are connected
 * @lines: one for each worker, or %NULL
 */
typedef struct
{
  const WfLabelTask *task;
  WfRun             *run;
  WfRuns             runs;
  WfForeground       foreground;
  guint32           *lines;
  void            (* bits_of) (gconstpointer row, gint64 n, const WfForeground *foreground,
                               guint64 *bits);
} Labelling;

static void
labelling_clear (Labelling *labelling)
{
  g_free (labelling->lines);
  wf_runs_clear (&labelling->runs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labelling, labelling_clear)


/* An integer is above a threshold if it is above the threshold's whole part; an f32, if it
 * is above the threshold rounded down to single precision.  An unset threshold is 0.
 */
static void
choose_foreground (Labelling *labelling)
{
  const double        threshold  = labelling->task->threshold;
  const WfImage      *image      = labelling->task->image;
  WfForeground       *foreground = &labelling->foreground;
  const WfLabelSteps *steps      = labelling->runs.steps;

  *foreground = (WfForeground) { .nonzero = isnan (threshold) };
  if (! foreground->nonzero)
    {
      foreground->whole = threshold < 0 ? -1
                        : threshold >= G_MAXUINT32 ? G_MAXUINT32 : (gint64) threshold;
      foreground->real  = threshold;
      if ((double) foreground->real > threshold)
        foreground->real = nextafterf (foreground->real, -INFINITY);
    }
  labelling->bits_of = image->type == WF_TYPE_U8  ? steps->bits_of_u8
                     : image->type == WF_TYPE_U16 ? steps->bits_of_u16 : steps->bits_of_f32;
}

static gboolean
find_runs (gpointer data,
           WfRow    row)
{
  const Labelling *labelling = data;
  const WfImage   *image     = labelling->task->image;

  labelling->bits_of (wf_image_row (image, row.number), image->width, &labelling->foreground,
                      wf_runs_row (&labelling->runs, row.number));
  wf_runs_count_row (&labelling->runs, row.number);
  return TRUE;
}

static gboolean
write_labels (gpointer data,
              WfRow    row)
{
  const Labelling *labelling = data;
  const gint64     width     = labelling->task->labels->width;
  guint32         *labels    = wf_image_row (labelling->task->labels, row.number);
  guint32         *line      = labelling->lines ? labelling->lines + row.worker * width : NULL;

  wf_runs_fill_row (&labelling->runs, row.number, line ? line : labels);
  if (line)
    wf_stream_row (labels, line, width * sizeof *labels);
  return TRUE;
}

/* Large results are streamed (stream.h) from a line of memory for each worker.  The lines
 * are allocated before the first pixel is written.
 */
static gboolean
lines_init (Labelling  *labelling,
            GError    **error)
{
  const WfImage *labels = labelling->task->labels;

  if (! wf_image_is_streamed (labels))
    return TRUE;
  labelling->lines = wf_allocate (labelling->run->n_threads * labels->width, sizeof (guint32),
                                  error);
  return labelling->lines != NULL;
}

/* Finds the components of the task's image and numbers them.  @labelling: the task and the run, all
 * else zero.  @share: of the run
 */
static gboolean
connect_image (Labelling  *labelling,
               double      share,
               guint32    *n_components,
               GError    **error)
{
  const WfLabelTask *task = labelling->task;
  const WfRows       rows = { .n = task->shape.height * task->shape.depth,
                              .amount = task->shape.width };
  const gint64       n    = wf_shape_n_pixels (&task->shape);

  if (! wf_runs_init (&labelling->runs, &task->shape, task->connectivity, labelling->run, error))
    return FALSE;
  choose_foreground (labelling);
  wf_run_begin (labelling->run, share / 3, n);
  if (! wf_run_rows (labelling->run, &rows, find_runs, labelling, error))
    return FALSE;
  wf_run_begin (labelling->run, share * 2 / 3, 3 * n);
  return wf_runs_connect (&labelling->runs, labelling->run, n_components, error);
}

/* Writes the task's labels, or what wf_runs_renumber() has made of them. */
static gboolean
write_image (Labelling  *labelling,
             double      share,
             GError    **error)
{
  const WfLabelTask *task = labelling->task;
  WfRun             *run  = labelling->run;
  const WfRows       rows = { .n = task->shape.height * task->shape.depth,
                              .amount = task->shape.width };

  if (! lines_init (labelling, error))
    return FALSE;
  wf_run_begin (run, share, rows.n * rows.amount);
  if (! run->partial_outputs || wf_image_overlaps (task->labels, task->image))
    wf_run_commit (run);
  return wf_run_rows (run, &rows, write_labels, labelling, error);
}


/*  Bands  */

/* Writes the labels of a band's first and last rows. */
static void
fill_rims (const Labelling *labelling)
{
  const WfLabelBand *band   = labelling->task->band;
  const WfShape     *shape  = &labelling->task->shape;
  const gint64       n_rows = shape->height * shape->depth;

  for (int end = 0; end < 2; end++)
    for (gint64 y = 0; band->rims[end] && y < band->rim_rows; y++)
      wf_runs_fill_row (&labelling->runs, y + (end ? n_rows - band->rim_rows : 0),
                        band->rims[end] + y * shape->width);
}

static gboolean
run_band (const WfLabelTask  *task,
          WfRun              *run,
          GError            **error)
{
  const WfLabelBand    *band      = task->band;
  g_auto (Labelling)  labelling = { .task = task, .run = run };

  if (! band->number_of)
    {
      if (! connect_image (&labelling, 1.0, task->n_components, error))
        return FALSE;
      fill_rims (&labelling);
      return TRUE;
    }
  return connect_image (&labelling, 0.6, task->n_components, error) &&
         wf_check_unchanged (*task->n_components, band->n_labels, error) &&
         wf_runs_renumber (&labelling.runs, band->number_of, band->n_labels, error) &&
         write_image (&labelling, 0.4, error);
}

static gboolean
run_union_find (gconstpointer   data,
                WfRun          *run,
                GError        **error)
{
  const WfLabelTask   *task      = data;
  g_auto (Labelling) labelling = { .task = task, .run = run };

  if (task->band)
    return run_band (task, run, error);
  return connect_image (&labelling, 0.6, task->n_components, error) &&
         write_image (&labelling, 0.4, error);
}

static guint64
union_find_memory (gconstpointer data,
                   guint         n_threads)
{
  const WfLabelTask *task = data;

  return wf_runs_memory (&task->shape) + n_threads * task->shape.width * sizeof (guint32);
}

const WfVariant wf_cpu_label_variants[] =
{
  { .algorithm = "union-find", .memory = union_find_memory, .run = run_union_find },
  { .algorithm = NULL }
};

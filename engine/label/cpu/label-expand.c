/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels grown over the pixels without one, on the CPU.
 *
 * An exact distance map gives each pixel without a label the index of the nearest one that has a
 * label (engine/distance/cpu/); its label is taken from there.  Pixels with a label stay as they
 * are, so the result may be the image itself.
 */

#include "config.h"

#include <math.h>

#include "engine/cpu/cpu.h"
#include "label-tools.h"

/* The shares of the steps in the time. */
#define SHARE_OF_COUNT    0.1
#define SHARE_OF_MARK     0.05
#define SHARE_OF_DISTANCE 0.65
#define SHARE_OF_FILL     0.2

/**
 * Growth:
 * @mask: 0 where there is a label
 * @nearest: index of the nearest labelled pixel
 * @most: the square of the longest distance
 */
typedef struct
{
  const WfLabelsTask *task;
  WfImage             mask;
  WfImage             nearest;
  double              most;
} Growth;

/* The part of the work that a run within it does. */
typedef struct
{
  WfRun  *run;
  double  start;
  double  share;
} Inner;


static void
growth_clear (Growth *growth)
{
  wf_image_clear (&growth->mask);
  wf_image_clear (&growth->nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Growth, growth_clear)

static guint32
label_at (const WfImage *labels,
          gconstpointer  row,
          gint64         x)
{
  return labels->type == WF_TYPE_U8    ? ((const guint8 *) row)[x]
         : labels->type == WF_TYPE_U16 ? ((const guint16 *) row)[x]
                                       : ((const guint32 *) row)[x];
}

static gboolean
mark_row (gpointer data,
          WfRow    row)
{
  const Growth  *growth = data;
  const WfImage *labels = growth->task->labels;
  gconstpointer  pixels = wf_image_row (labels, row.number);
  guint8        *mask   = wf_image_row (&growth->mask, row.number);

  for (gint64 x = 0; x < labels->width; x++)
    mask[x] = label_at (labels, pixels, x) == 0;
  return TRUE;
}

/* The label of pixel @q, or 0 if it is too far from @x, @y, @z. */
static guint32
label_of (const Growth *growth,
          gint64        q,
          gint64        x,
          gint64        y,
          gint64        z)
{
  const WfImage *labels = growth->task->labels;
  const gint64   row    = q / labels->width;
  const double   dx     = (double) (q - row * labels->width - x);
  const double   dy     = (double) (row % labels->height - y);
  const double   dz     = (double) (row / labels->height - z);

  return dx * dx + dy * dy + dz * dz > growth->most
         ? 0 : label_at (labels, wf_image_row (labels, row), q - row * labels->width);
}

static gboolean
fill_row (gpointer data,
          WfRow    row)
{
  const Growth  *growth  = data;
  const WfImage *labels  = growth->task->labels;
  const guint64 *nearest = wf_image_row (&growth->nearest, row.number);
  const guint8  *mask    = wf_image_row (&growth->mask, row.number);
  gconstpointer  pixels  = wf_image_row (labels, row.number);
  gpointer       target  = wf_image_row (growth->task->out, row.number);

  for (gint64 x = 0; x < labels->width; x++)
    {
      const guint32 label = mask[x] ? label_of (growth, (gint64) nearest[x], x,
                                                row.number % labels->height,
                                                row.number / labels->height)
                                    : label_at (labels, pixels, x);

      if (labels->type == WF_TYPE_U8)
        ((guint8 *) target)[x] = (guint8) label;
      else if (labels->type == WF_TYPE_U16)
        ((guint16 *) target)[x] = (guint16) label;
      else
        ((guint32 *) target)[x] = label;
    }
  return TRUE;
}

static gboolean
go_over (Growth     *growth,
         WfRun      *run,
         double      share,
         WfRowFunc   visit,
         GError    **error)
{
  const WfImage *labels = growth->task->labels;
  const WfRows   rows   = { .n = labels->height * labels->depth, .amount = labels->width };

  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, visit, growth, error);
}

/* Of WfProgressFunc. */
static void
report (double   fraction,
        gpointer data)
{
  const Inner *inner = data;

  inner->run->progress (inner->start + inner->share * fraction, inner->run->progress_data);
}

static WfDistanceTask
distance_task (const WfImage *mask,
               WfImage       *nearest,
               gboolean      *no_background)
{
  return (WfDistanceTask) {
    .shape          = wf_image_shape (mask),
    .metric         = WF_METRIC_EUCLIDEAN,
    .threshold      = NAN,
    .exact_integers = TRUE,
    .spacing        = { 1, 1, 1 },
    .connectivity   = mask->depth > 1 ? 26 : 8,
    .image          = mask,
    .nearest        = nearest,
    .no_background  = no_background,
  };
}

/* The first algorithm of distances that can do the task. */
static const WfVariant *
find_variant (const WfDistanceTask *task)
{
  const WfVariant *variant = wf_cpu_distance_variants;

  while (variant->supports && ! variant->supports (task))
    variant++;
  return variant;
}

static gboolean
find_nearest (Growth    *growth,
              WfRun     *run,
              GError   **error)
{
  gboolean             none  = FALSE;
  const WfDistanceTask task  = distance_task (&growth->mask, &growth->nearest, &none);
  Inner                inner = { run, SHARE_OF_COUNT + SHARE_OF_MARK, SHARE_OF_DISTANCE };
  WfRun                part;

  wf_run_init (&part, run->cancellable, run->progress ? report : NULL, &inner, 0.0);
  part.n_threads       = run->n_threads;
  part.tile_size       = run->tile_size;
  part.partial_outputs = TRUE;
  if (! find_variant (&task)->run (&task, &part, error))
    return FALSE;
  wf_run_begin (run, SHARE_OF_DISTANCE, 1);     /* done */
  return TRUE;
}

static gboolean
count_regions (const WfLabelsTask  *task,
               WfRun               *run,
               GError             **error)
{
  g_auto (WfLabelTable) table = { .labels = task->labels, .context = task->context,
                                  .run = run };

  return wf_label_table_count (&table, NULL, SHARE_OF_COUNT, error) &&
         wf_label_table_decide (&table, task, error);
}

gboolean
wf_cpu_expand_labels (const WfLabelsTask  *task,
                      WfRun               *run,
                      GError             **error)
{
  const WfImage  *labels = task->labels;
  g_auto (Growth) growth = { .task = task };

  growth.most = isnan (task->distance) ? INFINITY : task->distance * task->distance;
  if (! count_regions (task, run, error))
    return FALSE;
  if (! wf_image_allocate (&growth.mask, WF_TYPE_U8, labels->width, labels->height, labels->depth,
                           error) ||
      ! wf_image_allocate (&growth.nearest, WF_TYPE_U64, labels->width, labels->height,
                           labels->depth, error) ||
      ! go_over (&growth, run, SHARE_OF_MARK, mark_row, error))
    return FALSE;
  if (*task->n_regions == 0)
    growth.most = -1;       /* no pixel is near */
  else if (! find_nearest (&growth, run, error))
    return FALSE;

  wf_run_commit (run);
  return go_over (&growth, run, SHARE_OF_FILL, fill_row, error);
}

guint64
wf_cpu_expand_labels_memory (const WfLabelsTask *task,
                             guint               n_threads)
{
  const WfShape        shape    = wf_image_shape (task->labels);
  const WfImage        mask     = wf_image_without_pixels (WF_TYPE_U8, &shape);
  WfImage              nearest  = wf_image_without_pixels (WF_TYPE_U64, &shape);
  gboolean             none     = FALSE;
  const WfDistanceTask distance = distance_task (&mask, &nearest, &none);
  const guint64        bytes    = (guint64) wf_image_n_pixels (task->labels)
                                  * (sizeof (guint8) + sizeof (guint64));

  return MAX (wf_label_table_memory (task->labels, NULL),
              bytes + find_variant (&distance)->memory (&distance, n_threads));
}

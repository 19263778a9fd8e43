/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps of an image larger than memory, in bands (engine/blocks/bands.h).
 *
 * A column is a line across the bands: along y, in a stack along z.  Of the background beyond a
 * band, only the nearest pixel above and below in each column can be the nearest of a pixel.
 *
 *   summary   For each band the first and the last background position of each column are noted.
 *   solve     From the last band to the first these become the first position in a band or
 *             below it, and from the first band to the last the last one in a band or above it.
 *             The outside of the image is one more position, if it is background.
 *   finish    Each band is read once more.  Its distances come from the same algorithms as those
 *             of a whole image, which are given the positions above and below (WfDistanceBand).
 *
 * A signed map has the same positions of the foreground.
 *
 * Nearest pixels.  Where distances are whole numbers, and no maxima, other pixels of a column are
 * further away, so the positions above and below are all that is needed.  Rounded sums and maxima
 * make distances equal: then the first of a column's pixels may lie anywhere above.  Such pixels
 * know the position in their column from which on it may lie, and rows above the band are searched,
 * from the first of these positions on (blocks-nearest.c).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"


typedef WfDistanceBlocks Work;
typedef WfDistanceSeat   Seat;

static void
seat_clear (Seat *seat)
{
  wf_image_clear (&seat->image);
  wf_image_clear (&seat->distances);
  wf_image_clear (&seat->nearest);
  wf_image_clear (&seat->above);
  g_free (seat->since);
  g_free (seat->kinds);
  g_free (seat->kinds_above);
}

static void
work_clear (Work *work)
{
  wf_context_set_partial_outputs (work->context, work->partial_outputs);
  for (guint i = 0; work->seats && i < work->n_seats; i++)
    seat_clear (&work->seats[i]);
  g_free (work->seats);
  for (int kind = 0; kind < 2; kind++)
    {
      g_free (work->firsts[kind]);
      g_free (work->lasts[kind]);
    }
  for (int level = 0; level < WF_RANK_LEVELS; level++)
    g_free (work->halves[level]);
  g_free (work->summary);
  g_clear_pointer (&work->workers, wf_workers_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Tasks  */

/* A band before anything is known of the others. */
static WfDistanceBand
start_band (const Work *work,
            gint64      number)
{
  return (WfDistanceBand) {
    .axis   = work->axis,
    .first  = wf_bands_first (&work->bands, number),
    .length = work->axis == 2 ? work->source->depth : work->source->height,
  };
}

/* The task of a band; without outputs its summary.  @no_background: is not of use */
static gboolean
make_task (const Work            *work,
           const WfDistanceBand  *band,
           const WfImage         *image,
           WfImage               *distances,
           WfImage               *nearest,
           gboolean              *no_background,
           WfDistanceTask        *task,
           GError               **error)
{
  WfDistanceOptions options = work->options;

  options.connectivity = wf_bands_connectivity (work->connectivity, image->depth);
  if (! wf_distance_make_task (task, image, distances, nearest, &options, error))
    return FALSE;
  task->band          = band;
  task->no_background = no_background;
  return TRUE;
}


/*  Memory  */

/* The task of a band without pixels. */
typedef struct
{
  WfDistanceBand band;
  WfImage        image;
  WfImage        distances;
  WfImage        nearest;
  gboolean       no_background;
  WfDistanceTask task;
} Imagined;

static gboolean
imagine (const Work     *work,
         const WfShape  *shape,
         Imagined       *imagined,
         GError        **error)
{
  const WfType type = wf_distance_get_type (&work->options);

  imagined->band      = start_band (work, 0);
  imagined->image     = wf_image_without_pixels (work->source->type, shape);
  imagined->distances = wf_image_without_pixels (type, shape);
  imagined->nearest   = wf_image_without_pixels (WF_TYPE_U64, shape);
  return make_task (work, &imagined->band, &imagined->image,
                    work->distances ? &imagined->distances : NULL,
                    work->nearest ? &imagined->nearest : NULL, &imagined->no_background,
                    &imagined->task, error);
}

/* The memory of the CPU's variant. */
static gboolean
estimate_variant (const Work     *work,
                  const WfShape  *shape,
                  guint64        *bytes,
                  GError        **error)
{
  WfEstimate estimate = { .n_threads = wf_context_count_threads (work->context) };
  Imagined   imagined;

  if (! imagine (work, shape, &imagined, error) ||
      ! wf_context_estimate (WF_OPERATION_DISTANCE, work->options.algorithm, &imagined.task,
                             &estimate, error))
    return FALSE;
  *bytes = estimate.bytes;
  return TRUE;
}

/* What is known of each band, to the end. */
static guint64
count_positions (const Work *work)
{
  return (guint64) 2 * work->n_kinds * work->n_columns * sizeof (gint32);
}

/* What all seats take, and the positions outside the image. */
static guint64
band_memory (gconstpointer  data,
             const WfShape *shape)
{
  const Work   *work    = data;
  const guint64 n       = wf_shape_n_pixels (shape);
  const guint64 pixel   = work->source->image ? 0 : wf_type_size (work->source->type);
  guint64       a_pixel = pixel;
  guint64       bytes   = 0;

  estimate_variant (work, shape, &bytes, NULL);
  if (work->distances && ! work->distances->image)
    a_pixel += wf_type_size (wf_distance_get_type (&work->options));
  if (work->nearest)
    a_pixel += (work->nearest->image ? 0 : sizeof (guint64)) + sizeof (gint32) + pixel + 2;
  return work->n_seats * (bytes + n * a_pixel) + count_positions (work)
         + wf_distance_ranks_memory (work);
}

static gboolean
allocate_positions (Work    *work,
                    GError **error)
{
  const gint64 n = (work->bands.n + 1) * work->n_columns;

  for (int kind = 0; kind < work->n_kinds; kind++)
    {
      const gboolean outside = work->options.border_background && kind == 0;
      const gint64   end     = work->axis == 2 ? work->source->depth : work->source->height;
      const gboolean first   = outside && work->bands.part.first == 0;
      const gboolean last    = outside && work->bands.part.end == end;

      if (! (work->firsts[kind] = wf_allocate (n, sizeof (gint32), error)) ||
          ! (work->lasts[kind] = wf_allocate (n, sizeof (gint32), error)))
        return FALSE;
      for (gint64 column = 0; column < work->n_columns; column++)
        {
          work->lasts[kind][column]                         = first ? -1 : WF_NO_SITE;
          work->firsts[kind][n - work->n_columns + column]  = last ? end : WF_NO_SITE;
        }
    }
  return TRUE;
}

static gboolean
allocate_nearest (const Work  *work,
                  Seat        *seat,
                  GError     **error)
{
  const gint64 n = work->bands.length * work->n_columns;

  return (work->nearest->image ||
          wf_bands_allocate (&work->bands, WF_TYPE_U64, 0, &seat->nearest, error)) &&
         (work->source->image ||
          wf_bands_allocate (&work->bands, work->source->type, 0, &seat->above, error)) &&
         (seat->since = wf_allocate (n, sizeof (gint32), error)) &&
         (seat->kinds = wf_allocate (n, 1, error)) &&
         (seat->kinds_above = wf_allocate (n, 1, error));
}

static gboolean
seat_init (const Work  *work,
           Seat        *seat,
           GError     **error)
{
  seat->held = -1;
  return (work->source->image ||
          wf_bands_allocate (&work->bands, work->source->type, 0, &seat->image, error)) &&
         (! work->distances || work->distances->image ||
          wf_bands_allocate (&work->bands, wf_distance_get_type (&work->options), 0,
                             &seat->distances, error)) &&
         (! work->nearest || allocate_nearest (work, seat, error));
}

static gboolean
allocate (Work    *work,
          GError **error)
{
  if (! allocate_positions (work, error))
    return FALSE;
  work->seats = g_new0 (Seat, work->n_seats);
  for (guint i = 0; i < work->n_seats; i++)
    if (! seat_init (work, &work->seats[i], error))
      return FALSE;
  return TRUE;
}


/*  Visits  */

static gboolean
open_band (const Work    *work,
           const WfLane  *lane,
           gint64         number,
           GError       **error)
{
  Seat *seat = &work->seats[lane->number];

  if (seat->held != number &&
      ! wf_workers_read (work->workers, lane, &work->bands, work->source, number, _("image"),
                         &seat->image, error))
    return FALSE;
  seat->held = number;
  return TRUE;
}

/* Runs a task of a band on the lane's device; @algorithm: NULL for a summary */
static gboolean
run_task (const Work            *work,
          const WfLane          *lane,
          const char            *algorithm,
          const WfDistanceTask  *task,
          GError               **error)
{
  WfPlan plan;

  return (wf_workers_plan (lane, WF_OPERATION_DISTANCE, algorithm, task, &plan, error) &&
          wf_context_run (lane->context, WF_OPERATION_DISTANCE, &plan, task, error)) ||
         wf_workers_blame_device (work->workers, lane);
}

/* Of WfBlockFunc. */
static gboolean
summarize_band (gpointer       data,
                const WfLane  *lane,
                gint64         number,
                GError       **error)
{
  const Work     *work = data;
  WfDistanceBand  band = start_band (work, number);
  gboolean        no_background;
  WfDistanceTask  task;

  for (int kind = 0; kind < work->n_kinds; kind++)
    {
      band.firsts[kind] = work->firsts[kind] + number * work->n_columns;
      band.lasts[kind]  = work->lasts[kind] + (number + 1) * work->n_columns;
    }
  return open_band (work, lane, number, error) &&
         make_task (work, &band, &work->seats[lane->number].image, NULL, NULL, &no_background,
                    &task, error) &&
         run_task (work, lane, NULL, &task, error);
}

/* Gives the positions @at of a band those of the band beside it where it has none. */
static void
carry (const Work *work,
       gint32     *at,
       gint64      to_beside)
{
  for (gint64 i = 0; i < work->n_columns; i++)
    at[i] = at[i] == WF_NO_SITE ? at[i + to_beside] : at[i];
}

static void
carry_all (const Work *work)
{
  for (int kind = 0; kind < work->n_kinds; kind++)
    for (gint64 i = 0; i < work->bands.n; i++)
      {
        carry (work, work->lasts[kind] + (i + 1) * work->n_columns, -work->n_columns);
        carry (work, work->firsts[kind] + (work->bands.n - 1 - i) * work->n_columns,
               work->n_columns);
      }
}

static gboolean
solve (Work    *work,
       GError **error)
{
  carry_all (work);
  if (! wf_ranks_are_several (work->context->ranks))
    return TRUE;
  if (! wf_distance_tell_ranks (work, error))
    return FALSE;
  carry_all (work);
  return TRUE;
}

/* Whether any rank has seen background. */
static gboolean
find_background (Work      *work,
                 gboolean  *found,
                 GError   **error)
{
  gint64 n = 0;

  for (gint64 i = 0; i < work->n_columns && n == 0; i++)
    n = work->firsts[0][i] != WF_NO_SITE || work->lasts[0][i] != WF_NO_SITE;
  if (! wf_ranks_sum (work->context->ranks, &n, 1, error))
    return FALSE;
  *found = n > 0;
  return TRUE;
}

static gboolean
measure_band (const Work    *work,
              const WfLane  *lane,
              gint64         number,
              GError       **error)
{
  Seat           *seat      = &work->seats[lane->number];
  WfImage        *distances = work->distances ? &seat->distances : NULL;
  WfImage        *nearest   = work->nearest ? &seat->nearest : NULL;
  WfDistanceBand  band      = start_band (work, number);
  gboolean        no_background;
  WfDistanceTask  task;

  for (int kind = 0; kind < work->n_kinds; kind++)
    {
      band.before[kind] = work->lasts[kind] + number * work->n_columns;
      band.after[kind]  = work->firsts[kind] + (number + 1) * work->n_columns;
    }
  band.since = seat->since;
  for (gint64 p = 0; nearest && p < wf_image_n_pixels (&seat->image); p++)
    seat->since[p] = WF_NO_SITE;
  return make_task (work, &band, &seat->image, distances, nearest, &no_background, &task, error) &&
         run_task (work, lane, work->options.algorithm, &task, error) &&
         (! nearest || wf_distance_search_above (work, lane, &task, error));
}

/* Writes the outputs of a band.  Those that are written in order go first: a lane may have to give
 * its band back before its turn.
 */
static gboolean
write_band (const Work    *work,
            const WfLane  *lane,
            gint64         number,
            GError       **error)
{
  const Seat        *seat     = &work->seats[lane->number];
  const WfBlockSink *sinks[]  = { work->distances, work->nearest };
  const WfImage     *images[] = { &seat->distances, &seat->nearest };

  for (int any_order = 0; any_order < 2; any_order++)
    for (int i = 0; i < 2; i++)
      if (sinks[i] && ((sinks[i]->flags & WF_SINK_TAKES_ANY_ORDER) != 0) == any_order &&
          ! wf_workers_finish (work->workers, lane, &work->bands, sinks[i], number, images[i],
                               error))
        return FALSE;
  return TRUE;
}

/* Whether all that is wanted of the band has been written by an operation before. */
static gboolean
is_finished (const Work *work,
             gint64      number)
{
  return (! work->distances || wf_bands_are_finished (&work->bands, work->distances, number)) &&
         (! work->nearest || wf_bands_are_finished (&work->bands, work->nearest, number));
}

/* Of WfBlockFunc. */
static gboolean
finish_band (gpointer       data,
             const WfLane  *lane,
             gint64         number,
             GError       **error)
{
  const Work *work = data;
  Seat       *seat = &work->seats[lane->number];

  if (is_finished (work, number))
    return TRUE;
  if (work->distances)
    wf_bands_open_output (&work->bands, work->distances, number, &seat->distances);
  if (work->nearest)
    wf_bands_open_output (&work->bands, work->nearest, number, &seat->nearest);
  return open_band (work, lane, number, error) &&
         measure_band (work, lane, number, error) &&
         write_band (work, lane, number, error);
}


/*  The whole  */

static gboolean
prepare (Work                     *work,
         const WfDistanceOptions  *options,
         gint64                    rows,
         GError                  **error)
{
  const WfBlockSource *source = work->source;
  const WfShape        shape  = { source->width, source->height, source->depth };
  const gboolean       stack  = shape.depth > 1;
  const WfShape        least  = { shape.width, stack ? shape.height : 1, 1 };
  const WfImage        image  = wf_source_image (source);
  guint64              bytes;
  Imagined             block;

  if (! wf_source_check (source, _("image"), error) ||
      ! wf_distance_take_options (options, &work->options, error) ||
      ! wf_distance_check_outputs (work->distances != NULL, work->nearest != NULL, error) ||
      ! wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity, error))
    return FALSE;

  work->axis      = stack ? 2 : 1;
  work->n_columns = wf_shape_n_pixels (&least);
  work->n_kinds   = work->options.signed_distance ? 2 : 1;
  if (! imagine (work, &least, &block, error))
    return FALSE;
  work->workers = wf_workers_new (work->context, WF_OPERATION_DISTANCE, work->options.algorithm,
                                  &block.task, &image);
  work->n_seats = wf_workers_count_lanes (work->workers);

  rows = wf_workers_limit_rows (work->workers, WF_OPERATION_DISTANCE, &work->options,
                                source, rows);
  if (! stack && shape.height > WF_DISTANCE_MOST_ROWS)
    rows = rows > 0 ? MIN (rows, WF_DISTANCE_MOST_ROWS) : WF_DISTANCE_MOST_ROWS;
  if (! estimate_variant (work, &least, &bytes, error) ||
      ! wf_bands_divide (&work->bands, work->context, source, rows, band_memory,
                         count_positions (work), work, error) ||
      ! allocate (work, error))
    return FALSE;

  /* outputs of a band are the operation's own */
  wf_context_set_partial_outputs (work->context, TRUE);
  return TRUE;
}

static gboolean
measure (Work                     *work,
         const WfDistanceOptions  *options,
         gint64                    rows,
         GError                  **error)
{
  g_auto (WfSteps) steps = { 0 };
  gboolean         found;

  if (! prepare (work, options, rows, error) ||
      ! wf_source_check_nan (work->context, work->source, _("image"), error))
    return FALSE;

  wf_steps_begin (&steps, work->context, 2 * work->bands.n);
  if (! wf_workers_visit_each (work->workers, &work->bands, summarize_band, work, work->bands.n,
                               &steps, error) ||
      ! solve (work, error) ||
      ! wf_workers_visit_each (work->workers, &work->bands, finish_band, work, 0, &steps, error) ||
      ! find_background (work, &found, error))
    return FALSE;
  wf_steps_set_left (&steps, 0);

  if (! found)
    wf_distance_report_no_background (work->context);
  return TRUE;
}

/**
 * wf_distance_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; NaN is refused
 * @distances: (nullable): takes the distances, of type wf_distance_get_type()
 * @nearest: (nullable): takes the linear indices of the nearest pixels, u64.  One of @distances and
 *   @nearest may be %NULL.
 * @options: (nullable): metric, threshold, spacing, …
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_distance(), and those of @image, @distances and @nearest
 *
 * Measures the distances in an image that need not fit into memory; distances and nearest pixels
 * are those of wf_distance(), and the context's report says if there is no background.  @image is
 * read twice, in blocks of whole rows or slices; then @distances and @nearest are written once,
 * in raster order.  For nearest pixels with a spacing other than 1 or with the chessboard metric,
 * rows above a block are read again, as far as distances reach.
 *
 * The algorithms are the exact ones: `propagation` is refused.  A GPU finds nearest pixels with
 * metrics whose distances are whole numbers; all others the CPU finds.
 *
 * Time: that of wf_distance(), plus noting the first and last background of each column, reading
 * and writing.  Memory: within the context's limit, blocks included; 8 bytes for each column and
 * block are kept, in a signed map 16.
 *
 * Returns: %FALSE with @error set; then part of @distances and @nearest may have been written.
 */
gboolean
wf_distance_blocks (WfContext                *context,
                    const WfBlockSource      *image,
                    const WfBlockSink        *distances,
                    const WfBlockSink        *nearest,
                    const WfDistanceOptions  *options,
                    const WfBlockOptions     *blocks,
                    GError                  **error)
{
  g_autoptr (WfContext) own  = wf_context_ensure (context);
  g_auto (Work)         work = { .context = own, .source = image, .distances = distances,
                                 .nearest = nearest, .partial_outputs = own->partial_outputs };
  WfBlockOptions        taken;
  WfJointWork           joint;

  g_return_val_if_fail (image != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  return wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                    wf_sink_check_room (distances, _("distances"), error) &&
                                    wf_sink_check_room (nearest, _("result"), error) &&
                                    measure (&work, options, taken.rows, error), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps of an image larger than memory, in bands (engine/blocks/bands.h).
 *
 * A column is a line across the bands: along y, in a stack along z.  Of the background beyond a
 * band, only the nearest pixel above and below in each column can be the nearest of a pixel.
 *
 *   summary   For each band the first background position of each column is noted.
 *   solve     From the last band to the first these become the first position in a band or
 *             below it.  The outside of the image is one more position, if it is background.
 *   finish    Each band is read once more, in raster order.  Its distances come from the same
 *             algorithms as those of a whole image, which are given the positions above and
 *             below (WfDistanceBand).  Those above are noted on the way.
 *
 * A signed map has the same positions of the foreground.
 *
 * Nearest pixels.  Where distances are whole numbers, and no maxima, other pixels of a column are
 * further away, so the positions above and below are all that is needed.  Rounded sums and maxima
 * make distances equal: then the first of a column's pixels may lie anywhere above.  Such pixels
 * know the position in their column from which on it may lie, and rows above the band are read
 * again, from the first of these positions on, until each pixel has found its nearest one.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "distance.h"
#include "engine/blocks/bands.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/distance/cpu/distance.h"

/* The part of the memory that is left for positions below the bands. */
#define SHARE_OF_POSITIONS 8

/**
 * Work:
 * @n_kinds: kinds of sites: background, and in a signed map foreground
 * @run: what is done here with a band
 * @held: the band that @image holds, or −1
 * @before: for each column the last site before the band
 * @first: for each band, and each column, the first site in the band, later in it or below;
 *   and once more for what is below the last band
 * @since: of WfDistanceBand
 * @above: rows above the band, read again
 * @kinds: of the band's pixels, 1 for foreground
 * @kinds_above: of the pixels of @above
 */
typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *distances;
  const WfBlockSink    *nearest;
  gboolean              partial_outputs;    /* what the context's caller wants */
  WfDistanceOptions     options;
  int                   connectivity;       /* of the whole */
  int                   axis;
  gint64                n_columns;
  int                   n_kinds;
  WfBands               bands;
  WfRun                 run;
  gint64                held;
  WfImage               image;
  WfImage               distance_band;
  WfImage               nearest_band;
  gint32               *before[2];
  gint32               *first[2];
  gint32               *since;
  WfImage               above;
  guint8               *kinds;
  guint8               *kinds_above;
} Work;

static void
work_clear (Work *work)
{
  wf_context_set_partial_outputs (work->context, work->partial_outputs);
  wf_image_clear (&work->image);
  wf_image_clear (&work->distance_band);
  wf_image_clear (&work->nearest_band);
  wf_image_clear (&work->above);
  for (int kind = 0; kind < 2; kind++)
    {
      g_free (work->before[kind]);
      g_free (work->first[kind]);
    }
  g_free (work->since);
  g_free (work->kinds);
  g_free (work->kinds_above);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Tasks  */

/* What a task needs to know beyond the band @number, once it is known. */
static WfDistanceBand
band_of (const Work *work,
         gint64      number)
{
  WfDistanceBand band = {
    .axis   = work->axis,
    .first  = wf_bands_first (&work->bands, number),
    .length = work->axis == 2 ? work->source->depth : work->source->height,
    .since  = work->since,
  };

  for (int kind = 0; kind < work->n_kinds && work->first[kind]; kind++)
    {
      band.before[kind] = work->before[kind];
      band.after[kind]  = work->first[kind] + (number + 1) * work->n_columns;
    }
  return band;
}

/* Chooses the variant; @no_background: takes what a task reports of its band alone */
static gboolean
plan_band (const Work            *work,
           const WfDistanceBand  *band,
           const WfImage         *image,
           WfImage               *distances,
           WfImage               *nearest,
           gboolean              *no_background,
           WfDistanceTask        *task,
           WfEstimate            *estimate,
           GError               **error)
{
  WfDistanceOptions options = work->options;

  options.connectivity = wf_bands_connectivity (work->connectivity, image->depth);
  if (! wf_distance_make_task (task, image, distances, nearest, &options, error))
    return FALSE;
  task->band          = band;
  task->no_background = no_background;
  *estimate           = (WfEstimate) { 0 };
  return wf_context_estimate (WF_OPERATION_DISTANCE, options.algorithm, task, estimate, error);
}


/*  Memory  */

static WfImage
view_of (WfType         type,
         const WfShape *shape)
{
  static char no_pixels;

  return (WfImage) { .type = type, .width = shape->width, .height = shape->height,
                     .depth = shape->depth, .row_stride = shape->width,
                     .slice_stride = shape->width * shape->height, .data = &no_pixels };
}

/* The variant's memory for a band of @shape. */
static gboolean
estimate_variant (const Work     *work,
                  const WfShape  *shape,
                  guint64        *bytes,
                  GError        **error)
{
  const WfDistanceBand band      = band_of (work, 0);
  const WfImage        image     = view_of (work->source->type, shape);
  WfImage              distances = view_of (wf_distance_get_type (&work->options), shape);
  WfImage              nearest   = view_of (WF_TYPE_U64, shape);
  gboolean             no_background;
  WfDistanceTask       task;
  WfEstimate           estimate;

  if (! plan_band (work, &band, &image, work->distances ? &distances : NULL,
                   work->nearest ? &nearest : NULL, &no_background, &task, &estimate, error))
    return FALSE;
  *bytes = estimate.bytes;
  return TRUE;
}

static guint64
count_bytes (const Work    *work,
             const WfShape *shape)
{
  const guint64 n       = wf_shape_n_pixels (shape);
  const guint64 pixel   = wf_type_size (work->source->type);
  guint64       bytes   = 0;
  guint64       a_pixel = pixel;

  estimate_variant (work, shape, &bytes, NULL);
  if (work->distances)
    a_pixel += wf_type_size (wf_distance_get_type (&work->options));
  if (work->nearest)
    a_pixel += sizeof (guint64) + sizeof (gint32) + pixel + 2;
  return bytes + n * a_pixel + work->n_kinds * work->n_columns * sizeof (gint32);
}

static guint64
band_memory (gconstpointer  data,
             const WfShape *shape)
{
  const guint64 bytes = count_bytes (data, shape);

  return bytes + bytes / (SHARE_OF_POSITIONS - 1);
}

/* Positions are kept for each band: short bands have many. */
static gboolean
check_positions (const Work  *work,
                 GError     **error)
{
  const guint64 limit = wf_context_get_memory (work->context);
  const WfShape shape = wf_image_shape (&work->image);
  const guint64 bytes = count_bytes (work, &shape) + (work->bands.n + 1) * work->n_kinds *
                                                     work->n_columns * sizeof (gint32);

  return limit == 0 || bytes <= limit ||
         wf_bands_refuse_memory (work->context, bytes, limit, error);
}

static gboolean
allocate_positions (Work    *work,
                    GError **error)
{
  const gint64 n = (work->bands.n + 1) * work->n_columns;

  for (int kind = 0; kind < work->n_kinds; kind++)
    {
      const gboolean outside = work->options.border_background && kind == 0;

      if (! (work->before[kind] = wf_allocate (work->n_columns, sizeof (gint32), error)) ||
          ! (work->first[kind] = wf_allocate (n, sizeof (gint32), error)))
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        work->first[kind][i] = WF_NO_SITE;
      for (gint64 column = 0; column < work->n_columns; column++)
        work->before[kind][column] = outside ? -1 : WF_NO_SITE;
    }
  return TRUE;
}

static gboolean
allocate_nearest (Work    *work,
                  GError **error)
{
  const gint64 n = wf_image_n_pixels (&work->image);

  return wf_bands_allocate (&work->bands, WF_TYPE_U64, 0, &work->nearest_band, error) &&
         wf_bands_allocate (&work->bands, work->source->type, 0, &work->above, error) &&
         (work->since = wf_allocate (n, sizeof (gint32), error)) &&
         (work->kinds = wf_allocate (n, 1, error)) &&
         (work->kinds_above = wf_allocate (n, 1, error));
}

static gboolean
allocate (Work    *work,
          GError **error)
{
  return wf_bands_allocate (&work->bands, work->source->type, 0, &work->image, error) &&
         check_positions (work, error) &&
         allocate_positions (work, error) &&
         (! work->distances ||
          wf_bands_allocate (&work->bands, wf_distance_get_type (&work->options), 0,
                             &work->distance_band, error)) &&
         (! work->nearest || allocate_nearest (work, error));
}


/*  Summary and solution  */

static gboolean
read_band (Work    *work,
           gint64   number,
           GError **error)
{
  if (work->held != number &&
      ! wf_bands_read (&work->bands, work->context, work->source, number, _("image"),
                       &work->image, error))
    return FALSE;
  work->held = number;
  return TRUE;
}

/* Notes the first or the last sites of the band that is held. */
static gboolean
note_sites (Work      *work,
            gboolean   last,
            GError   **error)
{
  const WfDistanceBand band = band_of (work, work->held);
  const WfDistanceTask task = { .shape = wf_image_shape (&work->image), .image = &work->image,
                                .threshold = work->options.threshold, .band = &band };

  for (int kind = 0; kind < work->n_kinds; kind++)
    if (! wf_distance_note_columns (&task, kind == 1, last, band.first,
                                    last ? work->before[kind]
                                         : work->first[kind] + work->held * work->n_columns,
                                    &work->run, error))
      return FALSE;
  return TRUE;
}

static void
solve (Work *work)
{
  const gint64 end = work->axis == 2 ? work->source->depth : work->source->height;

  for (int kind = 0; kind < work->n_kinds; kind++)
    {
      gint32 *below = work->first[kind] + work->bands.n * work->n_columns;

      for (gint64 i = 0; kind == 0 && work->options.border_background && i < work->n_columns; i++)
        below[i] = end;
      for (; below > work->first[kind]; below -= work->n_columns)
        {
          gint32 *here = below - work->n_columns;

          for (gint64 i = 0; i < work->n_columns; i++)
            here[i] = here[i] == WF_NO_SITE ? below[i] : here[i];
        }
    }
}

static gboolean
has_background (const Work *work)
{
  for (gint64 i = 0; i < work->n_columns; i++)
    if (work->first[0][i] != WF_NO_SITE)
      return TRUE;
  return FALSE;
}


/*  Nearest pixels far above  */

/* Of the rows from @first up to @end the kinds are known. */
typedef struct
{
  const Work *work;
  gint64      first;
  gint64      end;
} Search;

/* The first position from which a pixel of the band searches its column, or @first. */
static gint64
find_earliest (const Work *work,
               gint64      first)
{
  const gint64 n        = wf_image_n_pixels (&work->image);
  gint64       earliest = first;

  for (gint64 p = 0; p < n; p++)
    if (work->since[p] != WF_NO_SITE)
      earliest = MIN (earliest, work->since[p]);
  return earliest;
}

/* Searches the rows above for the pixels of one row of the band. */
static gboolean
search_for_row (gpointer data,
                WfRow    row)
{
  const Search *search  = data;
  const Work   *work    = search->work;
  const gint64  width   = work->image.width;
  guint64      *nearest = work->nearest_band.data;

  for (gint64 p = row.number * width; p < (row.number + 1) * width; p++)
    if (work->since[p] != WF_NO_SITE && work->since[p] < search->end)
      {
        const gint64  column = nearest[p] % work->n_columns;
        const guint8 *kinds  = work->kinds_above + column;
        gint64        i      = MAX (work->since[p], search->first);

        while (i < search->end && kinds[(i - search->first) * work->n_columns] == work->kinds[p])
          i++;
        if (i < search->end)
          {
            nearest[p]     = i * work->n_columns + column;
            work->since[p] = WF_NO_SITE;
          }
      }
  return TRUE;
}

/* Finds the first pixels of columns above the band; @task: of the band, which was done */
static gboolean
search_above (Work                  *work,
              const WfDistanceTask  *task,
              GError               **error)
{
  const WfRows   rows   = { .n = work->image.height * work->image.depth,
                            .amount = work->image.width };
  const gint64   first  = task->band->first;
  gint64         at     = find_earliest (work, first);
  WfDistanceTask above  = *task;
  Search         search = { .work = work };

  if (at < first)
    wf_distance_mark (task, work->kinds);
  above.image = &work->above;
  for (; at < first; at = MAX (search.end, find_earliest (work, first)))
    {
      search.first = at;
      search.end   = MIN (at + work->bands.length, first);
      if (! wf_bands_read_again (&work->bands, work->source, at, search.end, &work->above, error))
        return FALSE;
      wf_distance_mark (&above, work->kinds_above);
      wf_run_begin (&work->run, 0.0, rows.n * rows.amount);
      if (! wf_run_rows (&work->run, &rows, search_for_row, &search, error))
        return FALSE;
    }
  return TRUE;
}


/*  Finish  */

static gboolean
measure_band (Work     *work,
              gint64    number,
              GError  **error)
{
  const WfDistanceBand band      = band_of (work, number);
  WfImage             *distances = work->distances ? &work->distance_band : NULL;
  WfImage             *nearest   = work->nearest ? &work->nearest_band : NULL;
  gboolean             no_background;
  WfDistanceTask       task;
  WfEstimate           estimate;

  if (distances)
    wf_bands_fit_view (&work->bands, number, distances);
  if (nearest)
    wf_bands_fit_view (&work->bands, number, nearest);
  for (gint64 p = 0; nearest && p < wf_image_n_pixels (nearest); p++)
    work->since[p] = WF_NO_SITE;

  return plan_band (work, &band, &work->image, distances, nearest, &no_background, &task,
                    &estimate, error) &&
         wf_context_run (work->context, WF_OPERATION_DISTANCE, &estimate.plan, &task, error) &&
         (! nearest || search_above (work, &task, error));
}

static gboolean
finish_band (Work     *work,
             gint64    number,
             GError  **error)
{
  if (! read_band (work, number, error) ||
      ! measure_band (work, number, error) ||
      ! note_sites (work, TRUE, error))
    return FALSE;
  return (! work->distances || wf_bands_write (&work->bands, work->distances, number,
                                               &work->distance_band, error)) &&
         (! work->nearest || wf_bands_write (&work->bands, work->nearest, number,
                                             &work->nearest_band, error));
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
  guint64              bytes;

  if (! wf_distance_take_options (options, &work->options, error) ||
      ! wf_distance_check_outputs (work->distances != NULL, work->nearest != NULL, error) ||
      ! wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity, error))
    return FALSE;

  work->axis      = stack ? 2 : 1;
  work->n_columns = wf_shape_n_pixels (&least);
  work->n_kinds   = work->options.signed_distance ? 2 : 1;
  if (! estimate_variant (work, &least, &bytes, error) ||
      ! wf_bands_divide (&work->bands, work->context, source, rows, band_memory, work, error) ||
      ! allocate (work, error))
    return FALSE;

  wf_run_init (&work->run, work->context->cancellable, NULL, NULL, 0.0);
  work->run.n_threads = wf_context_count_threads (work->context);
  /* outputs of a band are the operation's own */
  wf_context_set_partial_outputs (work->context, TRUE);
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
 * @rows: of a block, at most (of a stack: slices); 0: as many as memory allows
 * @error: as for wf_distance(), and those of @image, @distances and @nearest
 *
 * Measures the distances in an image that need not fit into memory; distances and nearest pixels
 * are those of wf_distance(), and the context's report says if there is no background.  @image is
 * read twice, in blocks of whole rows or slices; then @distances and @nearest are written once,
 * in raster order.  For nearest pixels with a spacing other than 1 or with the chessboard metric,
 * rows above a block are read again, as far as distances reach.
 *
 * All is computed on the CPU, by the exact algorithms: `propagation` and those of GPUs are refused.
 *
 * Time: that of wf_distance() on the CPU, plus noting the first and last background of each
 * column, reading and writing.  Memory: within the context's limit, blocks included; 4 bytes for
 * each column and block are kept, in a signed map 8.
 *
 * Returns: %FALSE with @error set; then part of @distances and @nearest may have been written.
 */
gboolean
wf_distance_blocks (WfContext                *context,
                    const WfBlockSource      *image,
                    const WfBlockSink        *distances,
                    const WfBlockSink        *nearest,
                    const WfDistanceOptions  *options,
                    gint64                    rows,
                    GError                  **error)
{
  g_autoptr (WfContext) own   = wf_context_ensure (context);
  g_auto (Work)         work  = { .context = own, .source = image, .distances = distances,
                                  .nearest = nearest, .held = -1,
                                  .partial_outputs = own->partial_outputs };
  g_auto (WfSteps)      steps = { 0 };

  g_return_val_if_fail (image != NULL && rows >= 0, FALSE);

  if (! prepare (&work, options, rows, error))
    return FALSE;

  wf_steps_begin (&steps, own, 2 * work.bands.n);
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! read_band (&work, i, error) || ! note_sites (&work, FALSE, error) ||
        ! wf_steps_next (&steps, error))
      return FALSE;
  solve (&work);
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error) || ! wf_steps_next (&steps, error))
      return FALSE;

  if (! has_background (&work))
    wf_distance_report_no_background (own);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed of an image larger than memory, from its minima, in bands.
 *
 * What a band must know of others is at the seams between bands: the levels of the rows on both
 * sides, which are read with it (its halo), and their L2.  Then its arrows are those of the whole
 * image, and each path ends in a minimum or at a pixel of the halo, its exit.
 *
 *   strips    L2 at each seam from the rows around it alone.  L2 only falls, so this is never too
 *             little, and seldom too much.
 *   summary   Each band is read once: L2, its minima, the ends of the paths from its first and its
 *             last row.  If this lowers any L2 at a seam, bands are visited down and up until
 *             none is lowered, and the summary is made again.
 *   solve     Minima that touch across seams are one (engine/blocks/seams.c); paths are followed
 *             from exit to exit.
 *   finish    Each band is read once more, and flooded with its minima and exits labelled.
 *
 * The definition is that of engine/watershed/watershed.c, the steps inside a band are those of
 * the CPU's `steepest` (engine/watershed/cpu/).
 *
 * Source: of the division, Barnes, Parallel priority-flood depression filling for trillion cell
 * digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/blocks/seams.h"
#include "engine/core/record.h"
#include "engine/label/cpu/runs.h"
#include "engine/watershed/cpu/flood.h"

/* Rows, or slices, of a strip at each side of a seam: more than most plateaux are wide. */
#define STRIP_IN_IMAGE 64
#define STRIP_IN_STACK 8

/* At each seam there are two sides: the last row of the band before it and the first row of the
 * band after it.
 */
typedef enum
{
  SIDE_BEFORE,
  SIDE_AFTER
} Side;

typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *sink;
  WfWatershedOptions    options;
  int                   connectivity;   /* of the whole */
  WfBands               bands;
  WfSeams               seams;
  gint64                rim;            /* pixels of a side */
  WfImage               image;          /* a band with its halo */
  guint8               *arrows;
  guint32              *basins;
  guint32              *lines;          /* the result, if lines are drawn */
  guint32              *distance;       /* L2 at the seams */
  guint32              *label;          /* of the paths from there: in the band, later of all */
  gint64                n_told;         /* bands whose summary is counted as progress */
} Work;

/* One band at work.
 *
 * @number: the band, or −1 in a strip
 * @before, @after: rows, or slices, of the halo: 0 or 1
 * @units: rows, or slices, with the halo
 * @changed: whether L2 at a seam was lowered
 * @tell: whether it was in the halo before, or after: that band can change
 */
typedef struct
{
  Work             *work;
  gint64            number;
  gint64            before;
  gint64            after;
  gint64            units;
  WfWatershedTask   task;
  WfFlood           flood;
  gpointer          plateau;
  guint32           n_minima;
  gboolean          changed;
  gboolean          tell[2];
} Visit;


/*  Seams  */

/* Where the values of a side begin. */
static gint64
side_of (const Work *work,
         gint64      seam,
         Side        side)
{
  return (2 * seam + side) * work->rim;
}

static gint64
count_sides (const Work *work)
{
  return 2 * (work->bands.n - 1) * work->rim;
}

static guint32
distance_at (const WfFlood *flood,
             gint64         p)
{
  guint8 narrow;

  if (flood->wide)
    return ((const guint32 *) flood->plateau)[p];
  narrow = ((const guint8 *) flood->plateau)[p];
  return narrow == WF_UNREACHED_NARROW ? WF_UNREACHED_WIDE : narrow;
}

/* Lowers L2 at a side to that of a row, or slice, of the band; returns whether any was higher. */
static gboolean
lower_side (Visit  *visit,
            gint64  seam,
            Side    side,
            gint64  unit)
{
  const Work *work     = visit->work;
  guint32    *distance = work->distance + side_of (work, seam, side);
  gboolean    any      = FALSE;

  for (gint64 i = 0; i < work->rim; i++)
    {
      const guint32 found = distance_at (&visit->flood, unit * work->rim + i);

      if (found >= distance[i])
        continue;
      distance[i] = found;
      any         = TRUE;
    }
  return any;
}


/*  Visits  */

static void
visit_clear (Visit *visit)
{
  g_free (visit->plateau);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Visit, visit_clear)

/* Reads @first to @end with the halo that there is, and describes the flood. */
static gboolean
visit_begin (Visit   *visit,
             Work    *work,
             gint64   number,
             gint64   first,
             gint64   end,
             GError **error)
{
  WfFlood *flood = &visit->flood;

  visit->work   = work;
  visit->number = number;
  visit->units  = end - first;
  if (! wf_bands_read_span (&work->bands, work->context, work->source, first, end, _("image"),
                            &work->image, error))
    return FALSE;

  visit->task = (WfWatershedTask) {
    .shape        = wf_image_shape (&work->image),
    .type         = work->image.type,
    .connectivity = wf_bands_connectivity (work->connectivity, work->image.depth),
    .lines        = work->options.lines,
    .last_index   = work->options.last_index,
    .image        = &work->image,
  };
  *flood = (WfFlood) {
    .task   = &visit->task,
    .image  = work->image.data,
    .level  = work->image.data,
    .arrows = work->arrows,
    .basins = work->basins,
    .labels = work->lines ? work->lines : work->basins,
  };
  wf_neighbourhood_init (&flood->neighbours, visit->task.connectivity, &visit->task.shape);
  return TRUE;
}

static gboolean
visit_begin_band (Visit   *visit,
                  Work    *work,
                  gint64   number,
                  GError **error)
{
  visit->before = number > 0;
  visit->after  = number < work->bands.n - 1;
  if (! visit_begin (visit, work, number, wf_bands_first (&work->bands, number) - visit->before,
                     wf_bands_end (&work->bands, number) + visit->after, error))
    return FALSE;
  if (visit->before)
    visit->flood.halo[0] = work->distance + side_of (work, number - 1, SIDE_BEFORE);
  if (visit->after)
    visit->flood.halo[1] = work->distance + side_of (work, number, SIDE_AFTER);
  return TRUE;
}

/* Completes L2 of a band as far as it is known at its halo, and lowers it at its seams. */
static gboolean
measure_band (Visit   *visit,
              double   share,
              GError **error)
{
  const gint64 number = visit->number;
  const gint64 last   = visit->units - 1;

  if (! wf_flood_measure_plateaux (&visit->flood, &visit->plateau, share, error))
    return FALSE;
  if (visit->before)
    {
      visit->tell[0]  = lower_side (visit, number - 1, SIDE_BEFORE, 0);
      visit->changed |= visit->tell[0] | lower_side (visit, number - 1, SIDE_AFTER, 1);
    }
  if (visit->after)
    {
      visit->tell[1]  = lower_side (visit, number, SIDE_AFTER, last);
      visit->changed |= visit->tell[1] | lower_side (visit, number, SIDE_BEFORE, last - 1);
    }
  return TRUE;
}

/* Numbers the minima of the band itself, without its halo. */
static gboolean
label_own_minima (Visit   *visit,
                  GError **error)
{
  const Work      *work  = visit->work;
  const gint64     start = visit->before * work->rim;
  WfWatershedTask  task  = visit->task;
  WfFlood          own   = visit->flood;

  if (work->bands.shape.depth > 1)
    task.shape.depth -= visit->before + visit->after;
  else
    task.shape.height -= visit->before + visit->after;
  task.connectivity = wf_bands_connectivity (work->connectivity, task.shape.depth);
  own.task    = &task;
  own.plateau = (guint8 *) own.plateau + start * (own.wide ? sizeof (guint32) : 1);
  return wf_flood_label_minima (&own, work->basins + start, &visit->n_minima, 0.2, error);
}

/* The labels of a row, or slice, of a band with its halo. */
static guint32 *
basins_of (const Visit *visit,
           gint64       unit)
{
  return visit->work->basins + unit * visit->work->rim;
}

static gboolean
follow_paths (Visit   *visit,
              GError **error)
{
  wf_run_begin (visit->flood.run, 0.4, 2 * wf_shape_n_pixels (&visit->task.shape));
  return wf_flood_follow (&visit->flood, wf_flood_steps (&visit->flood), error);
}


/*  Strips  */

static gboolean
run_strip (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  Visit *visit = *(Visit *const *) data;

  visit->flood.run = run;
  return wf_flood_measure_plateaux (&visit->flood, &visit->plateau, 1.0, error);
}

/*  Summary  */

static gboolean
run_summary (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  Visit       *visit  = *(Visit *const *) data;
  Work        *work   = visit->work;
  const gint64 number = visit->number;
  const gint64 first  = visit->before;
  const gint64 last   = visit->units - visit->after - 1;
  const gsize  size   = work->rim * sizeof (guint32);

  visit->flood.run = run;
  if (! measure_band (visit, 0.4, error))
    return FALSE;
  if (visit->changed)
    return TRUE;
  if (! label_own_minima (visit, error) ||
      ! wf_seams_add_band (&work->seams, number, basins_of (visit, first), basins_of (visit, last),
                           visit->n_minima, error))
    return FALSE;

  /* each pixel of the halo is an end of its own */
  for (gint64 i = 0; visit->before && i < work->rim; i++)
    basins_of (visit, 0)[i] = visit->n_minima + 1 + i;
  for (gint64 i = 0; visit->after && i < work->rim; i++)
    basins_of (visit, last + 1)[i] = visit->n_minima + 1 + work->rim + i;
  if (! follow_paths (visit, error))
    return FALSE;
  if (visit->before)
    memcpy (work->label + side_of (work, number - 1, SIDE_AFTER), basins_of (visit, first), size);
  if (visit->after)
    memcpy (work->label + side_of (work, number, SIDE_BEFORE), basins_of (visit, last), size);
  return TRUE;
}

static gboolean
run_distances (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  Visit *visit = *(Visit *const *) data;

  visit->flood.run = run;
  return measure_band (visit, 1.0, error);
}


/*  Finish  */

static void
number_minima (Visit         *visit,
               const guint32 *number_of)
{
  guint32      *basins = basins_of (visit, visit->before);
  const gint64  n      = (visit->units - visit->before - visit->after) * visit->work->rim;

#pragma omp parallel for num_threads(visit->flood.run->n_threads)
  for (gint64 p = 0; p < n; p++)
    basins[p] = number_of[basins[p]];
}

/* For the lines: in a halo, too, only minima come before all else. */
static void
mark_minima_of_halo (Visit  *visit,
                     gint64  unit)
{
  const gint64 start = unit * visit->work->rim;

  for (gint64 p = start; p < start + visit->work->rim; p++)
    visit->flood.arrows[p] = distance_at (&visit->flood, p) == WF_UNREACHED_WIDE ? WF_ARROW_ROOT
                                                                                 : 0;
}

static gboolean
draw_lines (Visit   *visit,
            GError **error)
{
  if (! visit->work->lines)
    return TRUE;
  if (visit->before)
    mark_minima_of_halo (visit, 0);
  if (visit->after)
    mark_minima_of_halo (visit, visit->units - 1);
  return wf_flood_steps (&visit->flood)->draw_lines (&visit->flood, error);
}

static gboolean
run_finish (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  Visit              *visit     = *(Visit *const *) data;
  Work               *work      = visit->work;
  const gint64        number    = visit->number;
  const guint32       n_minima  = wf_seams_count_labels (&work->seams, number);
  const gsize         size      = work->rim * sizeof (guint32);
  g_autofree guint32 *number_of = wf_allocate ((gint64) n_minima + 1, sizeof (guint32), error);

  visit->flood.run = run;
  if (! number_of ||
      ! measure_band (visit, 0.4, error) ||
      ! label_own_minima (visit, error))
    return FALSE;
  wf_seams_number_band (&work->seams, number, number_of);
  number_minima (visit, number_of);
  if (visit->before)
    memcpy (basins_of (visit, 0), work->label + side_of (work, number - 1, SIDE_BEFORE), size);
  if (visit->after)
    memcpy (basins_of (visit, visit->units - 1), work->label + side_of (work, number, SIDE_AFTER),
            size);
  return follow_paths (visit, error) && draw_lines (visit, error);
}


/*  Passes  */

static gboolean
run_visit (Visit     *visit,
           gboolean (*run) (gconstpointer task, WfRun *run, GError **error),
           GError   **error)
{
  const WfVariant variant = { .algorithm = "steepest", .run = run, .checks_nan = TRUE };
  const WfPlan    plan    = { .variant = &variant, .backend = wf_backend_cpu () };

  return wf_context_run (visit->work->context, WF_OPERATION_WATERSHED, &plan, &visit, error);
}

static gboolean
measure_strip (Work    *work,
               gint64   seam,
               GError **error)
{
  g_auto (Visit)  visit = { 0 };
  const gint64    most  = work->bands.shape.depth > 1 ? STRIP_IN_STACK : STRIP_IN_IMAGE;
  const gint64    reach = MIN (most, (work->bands.length + 2) / 2);   /* as a band with its halo */
  const gint64    at    = wf_bands_first (&work->bands, seam + 1);
  const gint64    first = MAX (at - reach, 0);
  const gint64    end   = MIN (at + reach, wf_bands_end (&work->bands, work->bands.n - 1));

  if (! visit_begin (&visit, work, -1, first, end, error) ||
      ! run_visit (&visit, run_strip, error))
    return FALSE;
  lower_side (&visit, seam, SIDE_BEFORE, at - first - 1);
  lower_side (&visit, seam, SIDE_AFTER, at - first);
  return TRUE;
}

/* Visits the bands in @waiting, down and up, until none is left. */
static gboolean
settle_distances (Work      *work,
                  gboolean  *waiting,
                  GError   **error)
{
  gint64 n_waiting = 0;
  gint64 step      = 1;

  for (gint64 i = 0; i < work->bands.n; i++)
    n_waiting += waiting[i];
  for (gint64 i = 0; n_waiting > 0; i += step)
    {
      g_auto (Visit) visit = { 0 };

      if (i < 0 || i >= work->bands.n)
        {
          step = -step;
          continue;
        }
      if (! waiting[i])
        continue;
      waiting[i] = FALSE;
      n_waiting--;
      if (! visit_begin_band (&visit, work, i, error) || ! run_visit (&visit, run_distances, error))
        return FALSE;
      for (int k = 0; k < 2; k++)
        if (visit.tell[k] && ! waiting[i + 2 * k - 1])
          {
            waiting[i + 2 * k - 1] = TRUE;
            n_waiting++;
          }
    }
  return TRUE;
}

/* Sets @settled to FALSE, and L2 right, if it was not right at some seam. */
static gboolean
summarize_bands (Work      *work,
                 WfSteps   *steps,
                 gboolean  *settled,
                 GError   **error)
{
  g_autofree gboolean *waiting = g_new0 (gboolean, work->bands.n);

  *settled = TRUE;
  wf_seams_begin (&work->seams);
  for (gint64 i = 0; i < work->bands.n; i++)
    {
      g_auto (Visit) visit = { 0 };

      if (! visit_begin_band (&visit, work, i, error) || ! run_visit (&visit, run_summary, error))
        return FALSE;
      if (! visit.changed)
        {
          if (i < work->n_told)
            continue;
          work->n_told++;
          if (! wf_steps_next (steps, error))
            return FALSE;
          continue;
        }

      /* those before are complete, those after are not visited yet */
      *settled = FALSE;
      memset (waiting, 0, work->bands.n * sizeof *waiting);
      for (gint64 k = i; k < work->bands.n; k++)
        waiting[k] = TRUE;
      if (visit.tell[0])
        waiting[i - 1] = TRUE;
      return settle_distances (work, waiting, error);
    }
  return TRUE;
}

/* The band that a pixel at a seam belongs to. */
static gint64
band_of (const Work *work,
         gint64      p)
{
  return (p / work->rim + 1) / 2;
}

/* The pixel at a seam at which the path from another one leaves its band, or −1. */
static gint64
find_exit (const Work *work,
           gint64      p)
{
  const gint64 band = band_of (work, p);
  const gint64 exit = (gint64) work->label[p] - wf_seams_count_labels (&work->seams, band) - 1;

  return exit < 0          ? -1
       : exit < work->rim  ? side_of (work, band - 1, SIDE_BEFORE) + exit
                           : side_of (work, band, SIDE_AFTER) + exit - work->rim;
}

/* Follows the path from a pixel at a seam, and gives all pixels on it the label at its end.
 * @known: for each pixel whether that is done
 */
static void
follow_exits (Work   *work,
              gint64  start,
              guint8 *known)
{
  gint64  p = start;
  gint64  next;
  guint32 label;

  while (! known[p] && (next = find_exit (work, p)) >= 0)
    p = next;
  label = known[p] ? work->label[p]
                   : wf_seams_find_number (&work->seams, band_of (work, p), work->label[p]);
  for (p = start; p >= 0 && ! known[p]; p = next)
    {
      next           = find_exit (work, p);
      work->label[p] = label;
      known[p]       = TRUE;
    }
}

static gboolean
solve (Work    *work,
       GError **error)
{
  const gint64       n     = count_sides (work);
  g_autofree guint8 *known = wf_allocate (n, 1, error);

  if (! known)
    return FALSE;
  wf_seams_solve (&work->seams);
  if (work->seams.n_components > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u minima."), G_MAXUINT32);
      return FALSE;
    }
  memset (known, FALSE, n);
  for (gint64 p = 0; p < n; p++)
    follow_exits (work, p, known);
  return TRUE;
}

static gboolean
finish_band (Work    *work,
             gint64   number,
             GError **error)
{
  g_auto (Visit) visit = { 0 };
  WfImage        own   = { 0 };

  if (! visit_begin_band (&visit, work, number, error) || ! run_visit (&visit, run_finish, error))
    return FALSE;
  if (! wf_image_init (&own, WF_TYPE_U32, work->image.width, work->image.height, work->image.depth,
                       visit.flood.labels + visit.before * work->rim, error))
    return FALSE;
  wf_bands_fit_view (&work->bands, number, &own);
  return wf_bands_write (&work->bands, work->sink, number, &own, error);
}


/*  The whole  */

/* The seams may take as much as the nodes. */
#define SHARE_OF_SEAMS WF_SHARE_OF_NODES

/* Bytes for a pixel at a side of a seam: L2, label, whether it is known. */
#define SIDE_BYTES (2 * sizeof (guint32) + 1)

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work    *work  = data;
  const gboolean stack = work->source->depth > 1;
  const gint64   units = stack ? band->depth : band->height;
  const guint64  rim   = wf_shape_n_pixels (band) / units;
  WfShape        whole = *band;
  guint64        bytes;

  if (stack)
    whole.depth += 2;
  else
    whole.height += 2;
  /* levels, L2 in 32 bits, arrows, labels, lines; numbers of at most every second pixel */
  bytes = wf_shape_n_pixels (&whole)
          * (wf_type_size (work->source->type) + sizeof (guint32) + 1 + sizeof (guint32)
             + (work->options.lines ? sizeof (guint32) : 0) + sizeof (guint32) / 2)
          + wf_runs_memory (&whole) + rim * sizeof (guint32);
  return bytes + bytes * 2 / (WF_SHARE_OF_NODES - 2);
}

static gboolean
allocate_seams (Work    *work,
                GError **error)
{
  const gint64     n     = count_sides (work);
  const guint64    limit = wf_context_get_memory (work->context);
  g_autofree char *text  = NULL;

  if (limit > 0 && (guint64) n * SIDE_BYTES > limit / SHARE_OF_SEAMS)
    {
      text = g_format_size (n * SIDE_BYTES * SHARE_OF_SEAMS);
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("The image is so wide that %s of memory are needed."), text);
      return FALSE;
    }
  if (! (work->distance = wf_allocate (n, sizeof (guint32), error)) ||
      ! (work->label = wf_allocate (n, sizeof (guint32), error)))
    return FALSE;
  memset (work->distance, 0xff, n * sizeof (guint32));
  return TRUE;
}

static gboolean
allocate_band (Work    *work,
               GError **error)
{
  gint64 n;

  if (! wf_bands_allocate (&work->bands, work->source->type, 1, &work->image, error))
    return FALSE;
  n = wf_image_n_pixels (&work->image);
  return (work->arrows = wf_allocate (n, 1, error)) &&
         (work->basins = wf_allocate (n, sizeof (guint32), error)) &&
         (! work->options.lines || (work->lines = wf_allocate (n, sizeof (guint32), error)));
}

static gboolean
check_options (const WfWatershedOptions  *options,
               GError                   **error)
{
  if (options->tolerance == 0 && options->smoothing == 0 && options->gradient == 0)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("In blocks there is no watershed with a tolerance, smoothing or a "
                         "gradient."));
  return FALSE;
}

static gboolean
prepare (Work                      *work,
         const WfWatershedOptions  *options,
         gint64                     rows,
         GError                   **error)
{
  const WfBlockSource *source = work->source;
  const WfShape        shape  = { source->width, source->height, source->depth };

  work->rim = shape.width * (shape.depth > 1 ? shape.height : 1);
  return wf_operation_take (WF_OPERATION_WATERSHED, options, &work->options, error) &&
         check_options (&work->options, error) &&
         wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity,
                                  error) &&
         wf_bands_divide (&work->bands, work->context, source, rows, band_memory, work, error) &&
         wf_seams_init (&work->seams, &work->bands, work->connectivity,
                        wf_context_get_memory (work->context), error) &&
         allocate_seams (work, error) &&
         allocate_band (work, error);
}

static void
work_clear (Work *work)
{
  wf_image_clear (&work->image);
  wf_seams_clear (&work->seams);
  g_free (work->arrows);
  g_free (work->basins);
  g_free (work->lines);
  g_free (work->distance);
  g_free (work->label);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
flood_bands (Work     *work,
             WfSteps  *steps,
             GError  **error)
{
  const gint64 n       = work->bands.n;
  gboolean     settled = FALSE;

  for (gint64 i = 0; i + 1 < n; i++)
    if (! measure_strip (work, i, error) || ! wf_steps_next (steps, error))
      return FALSE;
  while (! settled)
    if (! summarize_bands (work, steps, &settled, error))
      return FALSE;
  if (! solve (work, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (! finish_band (work, i, error) || ! wf_steps_next (steps, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_watershed_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @labels: takes the labels, u32
 * @n_basins: (out) (optional): how many basins there are
 * @options: (nullable): lines, connectivity, …; no tolerance, smoothing or gradient
 * @rows: of a block, at most (of a stack: slices); 0: as many as memory allows
 * @error: as for wf_watershed(), and those of @image and @labels
 *
 * The watershed, from its minima, of an image that need not fit into memory; the labels are those
 * of wf_watershed().  @image is read twice, and once more at the borders of the blocks, which are
 * whole rows or slices; a plateau that is wider than some dozens of pixels and lies at such a
 * border costs more readings.  Then @labels is written once, in raster order.
 *
 * Time: twice that of wf_watershed(), plus reading and writing.  Memory: within the context's
 * limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @labels may have been written.
 */
gboolean
wf_watershed_blocks (WfContext                 *context,
                     const WfBlockSource       *image,
                     const WfBlockSink         *labels,
                     guint32                   *n_basins,
                     const WfWatershedOptions  *options,
                     gint64                     rows,
                     GError                   **error)
{
  g_autoptr (WfContext) own   = wf_context_ensure (context);
  g_auto (Work)         work  = { .context = own, .source = image, .sink = labels };
  g_auto (WfSteps)      steps = { 0 };

  g_return_val_if_fail (image != NULL && labels != NULL && rows >= 0, FALSE);

  if (! prepare (&work, options, rows, error))
    return FALSE;
  wf_steps_begin (&steps, own, 3 * work.bands.n - 1);
  if (! flood_bands (&work, &steps, error))
    return FALSE;

  if (n_basins)
    *n_basins = work.seams.n_components;
  return TRUE;
}

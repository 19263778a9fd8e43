/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One band of a watershed in bands (blocks.c): its steps, each an operation of the context. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/label/cpu/runs.h"

/* Rows, or slices, of a strip at each side of a seam: more than most plateaux are wide. */
#define STRIP_IN_IMAGE 64
#define STRIP_IN_STACK 8


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
lower_side (WfBandVisit *visit,
            gint64       seam,
            WfSide       side,
            gint64       unit)
{
  const WfFloodBlocks *blocks   = visit->blocks;
  guint32             *distance = blocks->distance + wf_flood_side (blocks, seam, side);
  gboolean             any      = FALSE;

  for (gint64 i = 0; i < blocks->rim; i++)
    {
      const guint32 found = distance_at (&visit->flood, unit * blocks->rim + i);

      if (found >= distance[i])
        continue;
      distance[i] = found;
      any         = TRUE;
    }
  return any;
}


/*  Visits  */

void
wf_band_visit_clear (WfBandVisit *visit)
{
  g_free (visit->plateau);
}

/* Reads @first to @end with the halo that there is, and describes the flood. */
static gboolean
begin_span (WfBandVisit    *visit,
            WfFloodBlocks  *blocks,
            gint64          number,
            gint64          first,
            gint64          end,
            GError        **error)
{
  WfFlood *flood = &visit->flood;

  visit->blocks = blocks;
  visit->number = number;
  visit->units  = end - first;
  if (! wf_bands_read_span (&blocks->bands, blocks->context, blocks->source, first, end, _("image"),
                            &blocks->image, error))
    return FALSE;

  visit->task = (WfWatershedTask) {
    .shape        = wf_image_shape (&blocks->image),
    .type         = blocks->image.type,
    .connectivity = wf_bands_connectivity (blocks->connectivity, blocks->image.depth),
    .lines        = blocks->options.lines,
    .last_index   = blocks->options.last_index,
    .image        = &blocks->image,
  };
  *flood = (WfFlood) {
    .task   = &visit->task,
    .image  = blocks->image.data,
    .level  = blocks->image.data,
    .arrows = blocks->arrows,
    .basins = blocks->basins,
    .labels = blocks->lines ? blocks->lines : blocks->basins,
  };
  wf_neighbourhood_init (&flood->neighbours, visit->task.connectivity, &visit->task.shape);
  return TRUE;
}

/* Reads a band with its halo.  @visit: zeroed; must be cleared even if this fails */
gboolean
wf_band_visit_begin (WfBandVisit    *visit,
                     WfFloodBlocks  *blocks,
                     gint64          number,
                     GError        **error)
{
  visit->before = number > 0;
  visit->after  = number < blocks->bands.n - 1;
  if (! begin_span (visit, blocks, number,
                    wf_bands_first (&blocks->bands, number) - visit->before,
                    wf_bands_end (&blocks->bands, number) + visit->after, error))
    return FALSE;
  if (visit->before)
    visit->flood.halo[0] = blocks->distance + wf_flood_side (blocks, number - 1, WF_SIDE_BEFORE);
  if (visit->after)
    visit->flood.halo[1] = blocks->distance + wf_flood_side (blocks, number, WF_SIDE_AFTER);
  return TRUE;
}

/* Completes L2 of a band as far as it is known at its halo, and lowers it at its seams. */
static gboolean
measure_band (WfBandVisit  *visit,
              double        share,
              GError      **error)
{
  const gint64 number = visit->number;
  const gint64 last   = visit->units - 1;

  if (! wf_flood_measure_plateaux (&visit->flood, &visit->plateau, share, error))
    return FALSE;
  if (visit->before)
    {
      visit->tell[0]  = lower_side (visit, number - 1, WF_SIDE_BEFORE, 0);
      visit->changed |= visit->tell[0] | lower_side (visit, number - 1, WF_SIDE_AFTER, 1);
    }
  if (visit->after)
    {
      visit->tell[1]  = lower_side (visit, number, WF_SIDE_AFTER, last);
      visit->changed |= visit->tell[1] | lower_side (visit, number, WF_SIDE_BEFORE, last - 1);
    }
  return TRUE;
}

/* Numbers the minima of the band itself, without its halo. */
static gboolean
label_own_minima (WfBandVisit  *visit,
                  GError      **error)
{
  const WfFloodBlocks *blocks = visit->blocks;
  const gint64         start  = visit->before * blocks->rim;
  WfWatershedTask      task   = visit->task;
  WfFlood              own    = visit->flood;

  if (blocks->bands.shape.depth > 1)
    task.shape.depth -= visit->before + visit->after;
  else
    task.shape.height -= visit->before + visit->after;
  task.connectivity = wf_bands_connectivity (blocks->connectivity, task.shape.depth);
  own.task    = &task;
  own.plateau = (guint8 *) own.plateau + start * (own.wide ? sizeof (guint32) : 1);
  return wf_flood_label_minima (&own, blocks->basins + start, &visit->n_minima, 0.2, error);
}

/* The labels of a row, or slice, of a band with its halo. */
static guint32 *
basins_of (const WfBandVisit *visit,
           gint64             unit)
{
  return visit->blocks->basins + unit * visit->blocks->rim;
}

static gboolean
follow_paths (WfBandVisit  *visit,
              GError      **error)
{
  wf_run_begin (visit->flood.run, 0.4, 2 * wf_shape_n_pixels (&visit->task.shape));
  return wf_flood_follow (&visit->flood, wf_flood_steps (&visit->flood), NULL, error);
}


/*  Strips  */

static gboolean
run_strip (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  WfBandVisit *visit = *(WfBandVisit *const *) data;

  visit->flood.run = run;
  return wf_flood_measure_plateaux (&visit->flood, &visit->plateau, 1.0, error);
}

/*  Summary  */

static gboolean
run_summary (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  WfBandVisit   *visit  = *(WfBandVisit *const *) data;
  WfFloodBlocks *blocks = visit->blocks;
  const gint64   number = visit->number;
  const gint64   first  = visit->before;
  const gint64   last   = visit->units - visit->after - 1;
  const gsize    size   = blocks->rim * sizeof (guint32);

  visit->flood.run = run;
  if (! measure_band (visit, 0.4, error))
    return FALSE;
  if (visit->changed)
    return TRUE;
  if (! label_own_minima (visit, error) ||
      ! wf_seams_add_band (&blocks->seams, number, basins_of (visit, first),
                           basins_of (visit, last), visit->n_minima, error))
    return FALSE;

  /* each pixel of the halo is an end of its own */
  for (gint64 i = 0; visit->before && i < blocks->rim; i++)
    basins_of (visit, 0)[i] = visit->n_minima + 1 + i;
  for (gint64 i = 0; visit->after && i < blocks->rim; i++)
    basins_of (visit, last + 1)[i] = visit->n_minima + 1 + blocks->rim + i;
  if (! follow_paths (visit, error))
    return FALSE;
  if (visit->before)
    memcpy (blocks->label + wf_flood_side (blocks, number - 1, WF_SIDE_AFTER),
            basins_of (visit, first), size);
  if (visit->after)
    memcpy (blocks->label + wf_flood_side (blocks, number, WF_SIDE_BEFORE),
            basins_of (visit, last), size);
  return TRUE;
}

static gboolean
run_distances (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  WfBandVisit *visit = *(WfBandVisit *const *) data;

  visit->flood.run = run;
  return measure_band (visit, 1.0, error);
}


/*  Finish  */

static void
number_minima (WfBandVisit   *visit,
               const guint32 *number_of)
{
  guint32      *basins = basins_of (visit, visit->before);
  const gint64  n      = (visit->units - visit->before - visit->after) * visit->blocks->rim;

#pragma omp parallel for num_threads(visit->flood.run->n_threads)
  for (gint64 p = 0; p < n; p++)
    basins[p] = number_of[basins[p]];
}

/* For the lines: in a halo, too, only minima come before all else. */
static void
mark_minima_of_halo (WfBandVisit *visit,
                     gint64       unit)
{
  const gint64 start = unit * visit->blocks->rim;

  for (gint64 p = start; p < start + visit->blocks->rim; p++)
    visit->flood.arrows[p] = distance_at (&visit->flood, p) == WF_UNREACHED_WIDE ? WF_ARROW_ROOT
                                                                                 : 0;
}

static gboolean
draw_lines (WfBandVisit  *visit,
            GError      **error)
{
  if (! visit->blocks->lines)
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
  WfBandVisit        *visit     = *(WfBandVisit *const *) data;
  WfFloodBlocks      *blocks    = visit->blocks;
  const gint64        number    = visit->number;
  const guint32       n_minima  = wf_seams_count_labels (&blocks->seams, number);
  const gsize         size      = blocks->rim * sizeof (guint32);
  g_autofree guint32 *number_of = wf_allocate ((gint64) n_minima + 1, sizeof (guint32), error);

  visit->flood.run = run;
  if (! number_of ||
      ! measure_band (visit, 0.4, error) ||
      ! label_own_minima (visit, error))
    return FALSE;
  wf_seams_number_band (&blocks->seams, number, number_of);
  number_minima (visit, number_of);
  if (visit->before)
    memcpy (basins_of (visit, 0),
            blocks->label + wf_flood_side (blocks, number - 1, WF_SIDE_BEFORE), size);
  if (visit->after)
    memcpy (basins_of (visit, visit->units - 1),
            blocks->label + wf_flood_side (blocks, number, WF_SIDE_AFTER), size);
  return follow_paths (visit, error) && draw_lines (visit, error);
}



/*  Visits of the context  */

static gboolean
run_visit (WfBandVisit     *visit,
           gboolean (*run) (gconstpointer task, WfRun *run, GError **error),
           GError   **error)
{
  const WfVariant variant = { .algorithm = "steepest", .run = run, .checks_nan = TRUE };
  const WfPlan    plan    = { .variant = &variant, .backend = wf_backend_cpu () };

  return wf_context_run (visit->blocks->context, WF_OPERATION_WATERSHED, &plan, &visit, error);
}

/* Completes L2 of the band as far as it is known at its halo, and lowers it at its seams. */
gboolean
wf_band_visit_measure (WfBandVisit  *visit,
                       GError      **error)
{
  return run_visit (visit, run_distances, error);
}

/* The same; where this lowers nothing, also adds the band's minima to the seams, and finds the ends
 * of the paths from its first and its last row.
 */
gboolean
wf_band_visit_summarize (WfBandVisit  *visit,
                         GError      **error)
{
  return run_visit (visit, run_summary, error);
}

/* Labels the band, when the minima and the ends of paths are known. */
gboolean
wf_band_visit_finish (WfBandVisit  *visit,
                      GError      **error)
{
  return run_visit (visit, run_finish, error);
}


/* L2 at a seam from the rows around it. */
gboolean
wf_strip_measure (WfFloodBlocks  *blocks,
                  gint64          seam,
                  GError        **error)
{
  g_auto (WfBandVisit)  visit = { 0 };
  const gint64    most  = blocks->bands.shape.depth > 1 ? STRIP_IN_STACK : STRIP_IN_IMAGE;
  const gint64    reach = MIN (most, (blocks->bands.length + 2) / 2);   /* a band and its halo */
  const gint64    at    = wf_bands_first (&blocks->bands, seam + 1);
  const gint64    first = MAX (at - reach, 0);
  const gint64    end   = MIN (at + reach, wf_bands_end (&blocks->bands, blocks->bands.n - 1));

  if (! begin_span (&visit, blocks, -1, first, end, error) ||
      ! run_visit (&visit, run_strip, error))
    return FALSE;
  lower_side (&visit, seam, WF_SIDE_BEFORE, at - first - 1);
  lower_side (&visit, seam, WF_SIDE_AFTER, at - first);
  return TRUE;
}


/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One band of a watershed in bands (blocks.c): its steps, each an operation of the context. */

#include "config.h"

#include <string.h>

#include "blocks.h"

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
  g_free (visit->label_of);
  g_free (visit->marked[0]);
  g_free (visit->marked[1]);
}

/* Reads the markers of the span, which are the first pixels of the basins. */
static gboolean
read_markers (WfBandVisit  *visit,
              GError      **error)
{
  WfFloodBlocks *blocks  = visit->blocks;
  WfImage        markers = blocks->image;

  if (! blocks->markers)
    return TRUE;
  markers.type         = WF_TYPE_U32;
  markers.data         = blocks->basins;
  visit->flood.markers = blocks->basins;
  return wf_bands_read_again (&blocks->bands, blocks->markers, visit->first,
                              visit->first + visit->units, &markers, error);
}

/* Reads the levels that minima have, with a tolerance. */
static gboolean
read_ground (WfBandVisit  *visit,
             GError      **error)
{
  WfFloodBlocks *blocks = visit->blocks;

  if (blocks->options.tolerance == 0)
    return TRUE;
  visit->flood.image = blocks->ground.data;
  return wf_bands_read_again (&blocks->bands, &blocks->relief.filter.source, visit->first,
                              visit->first + visit->units, &blocks->ground, error);
}

/* Reads L1 and the markers from @first to @end, and describes the flood. */
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
  visit->first  = first;
  visit->units  = end - first;
  if (! wf_bands_read_again (&blocks->bands, blocks->source, first, end, &blocks->image, error))
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
  return read_markers (visit, error);
}

/* Reads a band with its halo.  @visit: zeroed; must be cleared even if this fails */
gboolean
wf_band_visit_begin (WfBandVisit    *visit,
                     WfFloodBlocks  *blocks,
                     gint64          number,
                     GError        **error)
{
  visit->before = wf_bands_have_seam (&blocks->bands, number, WF_BAND_FIRST);
  visit->after  = wf_bands_have_seam (&blocks->bands, number, WF_BAND_LAST);
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
  return wf_flood_label_minima (&own, blocks->basins + start, &visit->n_ends, 0.2, error) &&
         (blocks->options.tolerance == 0 ||
          wf_flood_restore_minima (&visit->flood, blocks->image.data, error));
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

/* In lower bands nearly all pixels lie on the paths from the rims. */
#define LEAST_UNITS_OF_SOME 16

/* Follows the paths from the band's first and last row, or slice. */
static gboolean
follow_rims (WfBandVisit  *visit,
             GError      **error)
{
  const WfFlood      *flood   = &visit->flood;
  const WfFloodSteps *steps   = wf_flood_steps (flood);
  const gint64        rows    = visit->blocks->rim / visit->task.shape.width;
  const gint64        first   = visit->before * rows;
  const gint64        last    = (visit->units - visit->after - 1) * rows;
  g_autofree guint8  *pointed = NULL;

  if (visit->units < LEAST_UNITS_OF_SOME)
    return follow_paths (visit, error);
  wf_run_begin (flood->run, 0.4, 2 * wf_shape_n_pixels (&visit->task.shape));
  pointed = wf_allocate (wf_flood_n_rows (flood), 1, error);
  if (! pointed)
    return FALSE;
  memset (pointed, FALSE, wf_flood_n_rows (flood));
  return (! visit->before ||
          wf_flood_follow_some (flood, steps, first, first + rows, pointed, error)) &&
         (! visit->after ||
          wf_flood_follow_some (flood, steps, last, last + rows, pointed, error));
}

/* Numbers the runs of markers of the band itself, instead of their labels, which may be any. */
static gboolean
number_markers (WfBandVisit  *visit,
                GError      **error)
{
  guint32      *basins = basins_of (visit, visit->before);
  const gint64  n      = (visit->units - visit->before - visit->after) * visit->blocks->rim;
  guint32       label  = 0;

  for (gint64 p = 0; p < n; label = basins[p++])
    visit->n_ends += basins[p] != 0 && basins[p] != label;
  visit->label_of = wf_allocate ((gint64) visit->n_ends + 1, sizeof (guint32), error);
  if (! visit->label_of)
    return FALSE;
  visit->n_ends = 0;
  label         = 0;
  for (gint64 p = 0; p < n; p++)
    {
      const guint32 own = basins[p];

      if (own != 0 && own != label)
        visit->label_of[++visit->n_ends] = own;
      basins[p] = own == 0 ? 0 : visit->n_ends;
      label     = own;
    }
  return TRUE;
}

/* Whether L2 has reached all pixels of the band itself, as it does from markers in the end. */
static gboolean
is_reached (const WfBandVisit *visit)
{
  const gint64   n     = (visit->units - visit->before - visit->after) * visit->blocks->rim;
  const gint64   start = visit->before * visit->blocks->rim;
  const guint32 *wide  = (const guint32 *) visit->flood.plateau + start;

  if (! visit->flood.wide)
    return ! memchr ((const guint8 *) visit->flood.plateau + start, WF_UNREACHED_NARROW, n);
  for (gint64 p = 0; p < n; p++)
    if (wide[p] == WF_UNREACHED_WIDE)
      return FALSE;
  return TRUE;
}

/* Numbers what ends paths in the band itself. */
static gboolean
number_ends (WfBandVisit  *visit,
             GError      **error)
{
  WfFloodBlocks *blocks = visit->blocks;
  const gint64   last   = visit->units - visit->after - 1;

  if (blocks->markers)
    return number_markers (visit, error);
  return label_own_minima (visit, error) &&
         wf_seams_add_band (&blocks->seams, visit->number, basins_of (visit, visit->before),
                            basins_of (visit, last), visit->n_ends, error);
}

/* Keeps where the paths of the band's first or last row end: with the label of a marker that is the
 * end in the whole.
 */
static void
keep_ends (WfBandVisit *visit,
           gint64       seam,
           WfSide       side,
           gint64       unit)
{
  WfFloodBlocks *blocks = visit->blocks;
  const gint64   start  = wf_flood_side (blocks, seam, side);
  const guint32 *ends   = basins_of (visit, unit);

  for (gint64 i = 0; i < blocks->rim; i++)
    {
      const WfPathEnd known = blocks->markers && ends[i] <= visit->n_ends ? WF_END_IN_WHOLE
                                                                          : WF_END_IN_BAND;

      blocks->known[start + i] = known;
      blocks->label[start + i] = known             ? visit->label_of[ends[i]]
                                 : blocks->markers ? ends[i] - visit->n_ends
                                                   : ends[i];
    }
}

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

  visit->flood.run = run;
  if (! measure_band (visit, 0.4, error))
    return FALSE;
  /* otherwise this is not the last summary */
  if (visit->changed || (blocks->markers && ! is_reached (visit)))
    return TRUE;
  if (! number_ends (visit, error))
    return FALSE;

  /* each pixel of the halo is an end of its own */
  for (gint64 i = 0; visit->before && i < blocks->rim; i++)
    basins_of (visit, 0)[i] = visit->n_ends + 1 + i;
  for (gint64 i = 0; visit->after && i < blocks->rim; i++)
    basins_of (visit, last + 1)[i] = visit->n_ends + 1 + blocks->rim + i;
  if (! follow_rims (visit, error))
    return FALSE;
  if (visit->before)
    keep_ends (visit, number - 1, WF_SIDE_AFTER, first);
  if (visit->after)
    keep_ends (visit, number, WF_SIDE_BEFORE, last);
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

/* Gives the minima of the band itself their numbers in the whole. */
static gboolean
number_minima (WfBandVisit  *visit,
               GError      **error)
{
  const WfSeams      *seams     = &visit->blocks->seams;
  const guint32       n_minima  = wf_seams_count_labels (seams, visit->number);
  guint32            *basins    = basins_of (visit, visit->before);
  const gint64        n         = (visit->units - visit->before - visit->after)
                                  * visit->blocks->rim;
  g_autofree guint32 *number_of = wf_allocate ((gint64) n_minima + 1, sizeof (guint32), error);

  if (! number_of || ! label_own_minima (visit, error))
    return FALSE;
  wf_seams_number_band (seams, visit->number, number_of);
#pragma omp parallel for num_threads(visit->flood.run->n_threads)
  for (gint64 p = 0; p < n; p++)
    basins[p] = number_of[basins[p]];
  return TRUE;
}

/* Notes which pixels of a halo are markers, which come before all else in the order of lines. */
static gboolean
note_markers (WfBandVisit  *visit,
              WfSide        side,
              gint64        unit,
              GError      **error)
{
  const WfFloodBlocks *blocks = visit->blocks;
  const guint32       *basins = basins_of (visit, unit);
  guint8              *marked = wf_allocate (blocks->rim, 1, error);

  visit->marked[side] = marked;
  for (gint64 i = 0; marked && i < blocks->rim; i++)
    marked[i] = blocks->markers ? basins[i] != 0
                                : distance_at (&visit->flood, unit * blocks->rim + i)
                                  == WF_UNREACHED_WIDE;
  return marked != NULL;
}

/* Gives a row, or slice, of the halo the labels of the whole. */
static gboolean
label_halo (WfBandVisit  *visit,
            WfSide        side,
            GError      **error)
{
  const WfFloodBlocks *blocks = visit->blocks;
  const gint64         unit   = side == WF_SIDE_BEFORE ? 0 : visit->units - 1;
  const gint64         seam   = side == WF_SIDE_BEFORE ? visit->number - 1 : visit->number;

  if (blocks->lines && ! note_markers (visit, side, unit, error))
    return FALSE;
  memcpy (basins_of (visit, unit), blocks->label + wf_flood_side (blocks, seam, side),
          blocks->rim * sizeof (guint32));
  return TRUE;
}

static void
mark_halo (WfBandVisit *visit,
           WfSide       side,
           gint64       unit)
{
  guint8 *arrows = visit->flood.arrows + unit * visit->blocks->rim;

  for (gint64 i = 0; i < visit->blocks->rim; i++)
    arrows[i] = visit->marked[side][i] ? WF_ARROW_ROOT : 0;
}

static gboolean
draw_lines (WfBandVisit  *visit,
            GError      **error)
{
  if (! visit->blocks->lines)
    return TRUE;
  if (visit->before)
    mark_halo (visit, WF_SIDE_BEFORE, 0);
  if (visit->after)
    mark_halo (visit, WF_SIDE_AFTER, visit->units - 1);
  return wf_flood_steps (&visit->flood)->draw_lines (&visit->flood, error);
}

static gboolean
run_finish (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  WfBandVisit *visit = *(WfBandVisit *const *) data;

  visit->flood.run = run;
  return measure_band (visit, 0.4, error) &&
         (visit->blocks->markers || number_minima (visit, error)) &&
         (! visit->before || label_halo (visit, WF_SIDE_BEFORE, error)) &&
         (! visit->after || label_halo (visit, WF_SIDE_AFTER, error)) &&
         follow_paths (visit, error) &&
         draw_lines (visit, error);
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

/* The same; where this lowers nothing, also adds the band's minima, if they are the markers, to the
 * seams, and finds the ends of the paths from its first and its last row.
 */
gboolean
wf_band_visit_summarize (WfBandVisit  *visit,
                         GError      **error)
{
  return read_ground (visit, error) && run_visit (visit, run_summary, error);
}

/* Labels the band, when the minima, if any, and the ends of paths are known. */
gboolean
wf_band_visit_finish (WfBandVisit  *visit,
                      GError      **error)
{
  return read_ground (visit, error) && run_visit (visit, run_finish, error);
}


/* L2 at a seam from the rows around it, which may be another rank's. */
gboolean
wf_strip_measure (WfFloodBlocks  *blocks,
                  gint64          seam,
                  GError        **error)
{
  g_auto (WfBandVisit)  visit = { 0 };
  const gint64    most  = blocks->bands.shape.depth > 1 ? STRIP_IN_STACK : STRIP_IN_IMAGE;
  const gint64    reach = MIN (most, (blocks->bands.length + 2) / 2);   /* a band and its halo */
  const gint64    at    = seam + 1 < blocks->bands.n ? wf_bands_first (&blocks->bands, seam + 1)
                                                      : wf_bands_end (&blocks->bands, seam);
  const gint64    first = MAX (at - reach, 0);
  const gint64    units = blocks->bands.shape.depth > 1 ? blocks->bands.shape.depth
                                                         : blocks->bands.shape.height;
  const gint64    end   = MIN (at + reach, units);

  if (! begin_span (&visit, blocks, -1, first, end, error) ||
      ! run_visit (&visit, run_strip, error))
    return FALSE;
  lower_side (&visit, seam, WF_SIDE_BEFORE, at - first - 1);
  lower_side (&visit, seam, WF_SIDE_AFTER, at - first);
  return TRUE;
}


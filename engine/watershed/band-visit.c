/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A visit of one band of a watershed in bands (blocks.c) by a lane: the band and its halo are read,
 * its task (#WfFloodBand) is an operation of the lane's context, and what it tells is kept.
 *
 * A lane of a CPU reads what is flooded, made by the filters as it is read (band-relief.c).  Others
 * get the image with what the filters look at, and make it themselves.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"

/* Rows, or slices, of a strip at each side of a seam: more than most plateaux are wide. */
#define STRIP_IN_IMAGE 64
#define STRIP_IN_STACK 8

/**
 * Visit:
 * @first, @end: rows, or slices, with the halo
 * @image: of the span with its margin
 * @labels: of the band itself
 */
typedef struct
{
  WfFloodBlocks   *blocks;
  const WfLane    *lane;
  WfFloodSeat     *seat;
  gint64           first;
  gint64           end;
  WfImage          image;
  WfImage          labels;
  WfFloodBand      band;
} Visit;


static gint64
count_units (const WfFloodBlocks *blocks)
{
  const WfShape *shape = &blocks->bands.shape;

  return shape->depth > 1 ? shape->depth : shape->height;
}


/*  Reading  */

/* What a lane reads: what is flooded, or the image of which a device makes it. */
static const WfBlockSource *
find_source (const Visit *visit)
{
  const WfFloodBlocks *blocks = visit->blocks;
  const WfBandFilter  *filter = &blocks->relief.filter;

  if (blocks->is_made)
    return blocks->source;
  return wf_flood_works_here (blocks, visit->lane->number) && filter->apply ? blocks->source
                                                                            : filter->image;
}

/* Reads the span with as many rows, or slices, more as the filters look at. */
static gboolean
read_image (Visit   *visit,
            GError **error)
{
  WfFloodBlocks       *blocks = visit->blocks;
  const WfBlockSource *source = find_source (visit);
  const gboolean       raw    = source == blocks->relief.filter.image;
  const gint64         margin = raw ? blocks->relief.filter.margin : 0;
  const gint64         first  = MAX (visit->first - margin, 0);
  const gint64         end    = MIN (visit->end + margin, count_units (blocks));
  gboolean             done;

  visit->band.margin[0] = visit->first - first;
  visit->band.margin[1] = end - visit->end;
  if (source->image)
    {
      wf_bands_view (&blocks->bands, source->image, first, end, &visit->image);
      return TRUE;
    }
  visit->image = visit->seat->image;
  wf_workers_begin_files (blocks->workers, visit->lane);
  done = raw ? wf_bands_read_span (&blocks->bands, visit->lane->context, source, first, end,
                                   _("image"), &visit->image, error)
             : wf_bands_read_again (&blocks->bands, source, first, end, &visit->image, error);
  wf_workers_end_files (blocks->workers, visit->lane, "read");
  return done;
}

/* Reads what belongs to the span beside the image: markers, or the levels that minima have. */
static gboolean
read_beside (Visit                *visit,
             const WfBlockSource  *source,
             WfImage              *image,
             GError              **error)
{
  WfFloodBlocks *blocks = visit->blocks;
  gboolean       done;

  wf_workers_begin_files (blocks->workers, visit->lane);
  done = wf_bands_read_again (&blocks->bands, source, visit->first, visit->end, image, error);
  wf_workers_end_files (blocks->workers, visit->lane, "read");
  return done;
}

static gboolean
read_span (Visit   *visit,
           GError **error)
{
  WfFloodBlocks *blocks = visit->blocks;
  WfFloodSeat   *seat   = visit->seat;

  if (! read_image (visit, error) ||
      (blocks->markers && ! read_beside (visit, blocks->markers, &seat->markers, error)))
    return FALSE;
  if (blocks->options.tolerance == 0 || visit->band.step == WF_FLOOD_MEASURE)
    return TRUE;
  visit->band.ground = &seat->ground;
  return read_beside (visit, &blocks->relief.filter.source, &seat->ground, error);
}


/*  The task  */

static Visit
begin (WfFloodBlocks *blocks,
       const WfLane  *lane,
       WfFloodStep    step,
       gint64         first,
       gint64         end)
{
  Visit visit = { .blocks = blocks, .lane = lane, .seat = &blocks->seats[lane->number],
                  .first = first, .end = end };

  visit.band = (WfFloodBand) {
    .step   = step,
    .unit   = blocks->rim,
    .arrows = visit.seat->arrows,
    .basins = visit.seat->basins,
    .lines  = visit.seat->lines,
  };
  return visit;
}

/* Begins a visit of a band, with what is known at its halo. */
static Visit
begin_band (WfFloodBlocks *blocks,
            const WfLane  *lane,
            WfFloodStep    step,
            gint64         number)
{
  const gint64 before = wf_flood_has_seam (blocks, number, 0);
  const gint64 after  = wf_flood_has_seam (blocks, number, 1);
  const gint64 first  = wf_bands_first (&blocks->bands, number) - before;
  const gint64 end    = wf_bands_end (&blocks->bands, number) + after;
  Visit        visit  = begin (blocks, lane, step, first, end);

  visit.band.halo[0] = before;
  visit.band.halo[1] = after;
  visit.band.rows[0] = before;
  visit.band.rows[1] = end - first - after - 1;
  g_mutex_lock (&blocks->lock);
  for (int side = 0; side < 2; side++)
    if (visit.band.halo[side])
      {
        visit.band.outside[side] = visit.seat->outside[side];
        visit.band.inside[side]  = visit.seat->inside[side];
        memcpy (visit.seat->outside[side],
                blocks->distance + wf_flood_outside (blocks, number, side),
                blocks->rim * sizeof (guint32));
      }
  g_mutex_unlock (&blocks->lock);
  return visit;
}

/* The image of a finish on a device that has all it needs of it. */
static void
imagine_image (Visit *visit)
{
  const WfFloodBlocks *blocks = visit->blocks;
  WfShape              shape  = blocks->bands.shape;

  *(shape.depth > 1 ? &shape.depth : &shape.height) = visit->end - visit->first;
  visit->image = wf_image_without_pixels (blocks->source->type, &shape);
}

/* The plan for the task on the lane's device, or on the CPU where that cannot do it. */
static WfPlan
find_plan (const Visit           *visit,
           const WfWatershedTask *task)
{
  const WfContext *context = visit->lane->context;
  WfPlan           plan    = { .backend = wf_backend_cpu () };

  if (! wf_flood_works_here (visit->blocks, visit->lane->number))
    {
      plan.backend = wf_backend_loaded (NULL);
      plan.device  = context->device_index;
      plan.variant = wf_backend_find_variant (plan.backend, WF_OPERATION_WATERSHED,
                                              visit->blocks->options.algorithm, task);
    }
  if (! plan.variant)
    plan = (WfPlan) { .backend = wf_backend_cpu (),
                      .variant = wf_backend_find_variant (wf_backend_cpu (),
                                                          WF_OPERATION_WATERSHED, NULL, task) };
  return plan;
}

/* Does the task as an operation of the lane's context. */
static gboolean
run (Visit   *visit,
     GError **error)
{
  WfFloodBlocks         *blocks = visit->blocks;
  const gboolean         raw    = find_source (visit) == blocks->relief.filter.image;
  const WfWatershedTask  task   =
  {
    .shape        = wf_image_shape (&visit->image),
    .type         = visit->image.type,
    .connectivity = wf_bands_connectivity (blocks->connectivity, visit->image.depth),
    .lines        = blocks->options.lines,
    .last_index   = blocks->options.last_index,
    .smoothing    = raw && blocks->relief.is_smoothed ? &blocks->relief.smoothing : NULL,
    .gradient     = raw ? blocks->relief.gradient : 0,
    .image        = &visit->image,
    .markers      = blocks->markers ? &visit->seat->markers : NULL,
    .labels       = &visit->labels,
    .band         = &visit->band,
  };
  const WfPlan           plan   = find_plan (visit, &task);

  return wf_context_run (visit->lane->context, WF_OPERATION_WATERSHED, &plan, &task, error) ||
         wf_workers_blame_device (blocks->workers, visit->lane);
}


/*  L2 at the seams  */

/* Lowers L2 at a side of a seam; returns whether any was higher. */
static gboolean
lower_side (WfFloodBlocks *blocks,
            gint64         start,
            const guint32 *found)
{
  guint32  *distance = blocks->distance + start;
  gboolean  any      = FALSE;

  for (gint64 i = 0; i < blocks->rim; i++)
    if (found[i] < distance[i])
      {
        distance[i] = found[i];
        any         = TRUE;
      }
  return any;
}

/* Of WfBlockFunc: L2 at a seam from the rows around it, which may be another rank's.  @seam: from 0
 * on, which is that with the rank before, if there is one
 */
gboolean
wf_flood_measure_strip (gpointer       data,
                        const WfLane  *lane,
                        gint64         number,
                        GError       **error)
{
  WfFloodBlocks *blocks = data;
  const WfBands *bands  = &blocks->bands;
  const gint64   seam   = number - blocks->has_outer;
  const gint64   most   = bands->shape.depth > 1 ? STRIP_IN_STACK : STRIP_IN_IMAGE;
  const gint64   reach  = MIN (most, (bands->length + 2) / 2);   /* a band and its halo */
  const gint64   at     = seam + 1 < bands->n ? wf_bands_first (bands, seam + 1)
                                              : wf_bands_end (bands, seam);
  Visit          visit  = begin (blocks, lane, WF_FLOOD_MEASURE, MAX (at - reach, 0),
                                 MIN (at + reach, count_units (blocks)));

  for (int side = 0; side < 2; side++)
    {
      visit.band.rows[side]   = at - visit.first - 1 + side;
      visit.band.inside[side] = visit.seat->inside[side];
    }
  if (! read_span (&visit, error) || ! run (&visit, error))
    return FALSE;
  g_mutex_lock (&blocks->lock);
  lower_side (blocks, wf_flood_side (blocks, seam, WF_SIDE_BEFORE), visit.seat->inside[0]);
  lower_side (blocks, wf_flood_side (blocks, seam, WF_SIDE_AFTER), visit.seat->inside[1]);
  g_mutex_unlock (&blocks->lock);
  return TRUE;
}

/* What the band tells of L2. */
static void
lower_sides (Visit  *visit,
             gint64  number)
{
  WfFloodBlocks *blocks = visit->blocks;
  WfFloodSeat   *seat   = visit->seat;

  g_mutex_lock (&blocks->lock);
  for (int side = 0; side < 2; side++)
    {
      seat->tell[side] = FALSE;
      if (! visit->band.halo[side])
        continue;
      lower_side (blocks, wf_flood_outside (blocks, number, side), seat->outside[side]);
      seat->tell[side] = lower_side (blocks, wf_flood_inside (blocks, number, side),
                                     seat->inside[side]);
    }
  g_mutex_unlock (&blocks->lock);
}


/*  Summary  */

/* Where the band's values are written: no other lane visits it. */
static void
open_summary (Visit  *visit,
              gint64  number)
{
  WfFloodBlocks *blocks = visit->blocks;

  for (int side = 0; side < 2; side++)
    if (visit->band.halo[side])
      {
        const gint64 start = wf_flood_inside (blocks, number, side);

        visit->band.minima[side]    = blocks->markers ? NULL : blocks->minima + start;
        visit->band.ends[side]      = blocks->label + start;
        visit->band.is_marker[side] = blocks->known + start;
      }
}

/* The band is being summarized: if it was before, its minima are not what they were. */
static void
begin_joining (WfFloodBlocks *blocks,
               gint64         number)
{
  g_rw_lock_writer_lock (&blocks->join_lock);
  blocks->kept[number].has_begun = TRUE;
  blocks->kept[number].is_known  = FALSE;
  if (number < blocks->n_joined)
    {
      wf_flood_end_early (blocks);
      wf_seams_begin (&blocks->seams);
      blocks->n_joined = 0;
    }
  g_rw_lock_writer_unlock (&blocks->join_lock);
}

/* Whether a visit has lowered L2 in the halo of a band whose summary has begun: then paths may lead
 * from one of the two to the other and back until that is summarized once more.
 */
static gboolean
has_contradicted (const WfFloodBlocks *blocks,
                  const WfFloodSeat   *seat,
                  gint64               number)
{
  for (int side = 0; side < 2; side++)
    {
      const gint64 beside = number + 2 * side - 1;

      if (seat->tell[side] && beside >= 0 && beside < blocks->bands.n &&
          blocks->kept[beside].has_begun)
        return TRUE;
    }
  return FALSE;
}

/* Joins the minima of the bands that are known across the seams between them, in the order of the
 * bands.
 */
static gboolean
join_minima (WfFloodBlocks      *blocks,
             const WfFloodSeat  *seat,
             gint64              number,
             GError            **error)
{
  static const guint32 none;
  gboolean             done = TRUE;

  g_rw_lock_writer_lock (&blocks->join_lock);
  blocks->kept[number].is_known = TRUE;
  if (has_contradicted (blocks, seat, number))
    wf_flood_end_early (blocks);
  while (done && ! blocks->markers && blocks->n_joined < blocks->bands.n &&
         blocks->kept[blocks->n_joined].is_known)
    {
      const gint64   band     = blocks->n_joined;
      const guint32 *rims[2] = { &none, &none };

      for (int side = 0; side < 2; side++)
        if (wf_flood_has_seam (blocks, band, side))
          rims[side] = blocks->minima + wf_flood_inside (blocks, band, side);
      done = wf_seams_add_band (&blocks->seams, band, rims[0], rims[1],
                                blocks->kept[band].n_minima, error);
      blocks->n_joined += done;
      if (done)
        wf_flood_number_bands (blocks);
    }
  g_rw_lock_writer_unlock (&blocks->join_lock);
  return done;
}

/* Of WfBlockFunc: completes L2 of a band as far as it is known at its halo, and lowers it at its
 * seams; keeps its minima there, and the ends of the paths from there.
 */
gboolean
wf_flood_summarize_band (gpointer       data,
                         const WfLane  *lane,
                         gint64         number,
                         GError       **error)
{
  WfFloodBlocks *blocks = data;
  Visit          visit  = begin_band (blocks, lane, WF_FLOOD_SUMMARY, number);
  WfFloodKept   *kept   = &blocks->kept[number];
  gboolean       done;

  begin_joining (blocks, number);
  if (blocks->early.is_done)
    blocks->early.is_done[number] = FALSE;
  wf_flood_release (blocks, number);
  open_summary (&visit, number);
  visit.band.may_keep = wf_flood_reserve (blocks, lane->worker);
  done = read_span (&visit, error) && run (&visit, error);
  kept->on_device = visit.band.on_device;
  kept->worker    = lane->worker;
  if (visit.band.may_keep && ! kept->on_device)
    wf_flood_give_back (blocks, lane->worker);
  if (! done)
    return FALSE;
  kept->n_minima = visit.band.n_minima;
  lower_sides (&visit, number);
  return join_minima (blocks, visit.seat, number, error);
}


/*  Finish  */

/* What a finish is given beyond a side of the band: labels, and the numbers of its minima there
 * that were joined to others.
 */
static void
open_side (Visit    *visit,
           gint64    number,
           int       side,
           gboolean  early)
{
  WfFloodBlocks *blocks = visit->blocks;
  const gint64   start  = wf_flood_inside (blocks, number, side);

  if (early)
    {
      visit->band.beyond[side] = blocks->early.beyond + start;
      visit->band.minima[side] = blocks->early.minima + start;
      return;
    }
  visit->band.beyond[side] = blocks->label + wf_flood_outside (blocks, number, side);
  if (blocks->markers)
    return;
  visit->band.minima[side] = visit->seat->minima[side];
  wf_flood_tell_joined (blocks, number, side, visit->seat->minima[side]);
}

/* @early: from what is known before all bands have been summarized */
static void
open_finish (Visit    *visit,
             gint64    number,
             gboolean  early)
{
  WfFloodBlocks *blocks = visit->blocks;

  visit->band.n_minima = blocks->kept[number].n_minima;
  if (early)
    visit->band.n_before = blocks->early.n_before[number];
  else if (! blocks->markers)
    visit->band.n_before = wf_seams_count_before (&blocks->seams, number);
  for (int side = 0; side < 2; side++)
    if (visit->band.halo[side])
      open_side (visit, number, side, early);
}

/* A CPU leaves the labels where it makes them, if they are to be written from memory. */
static void
open_labels (Visit  *visit,
             gint64  number)
{
  const WfFloodBlocks *blocks = visit->blocks;
  const WfFloodSeat   *seat   = visit->seat;

  visit->labels = seat->labels;
  wf_bands_open_output (&blocks->bands, blocks->sink, number, &visit->labels);
  if (! blocks->sink->image && seat->basins)
    visit->labels.data = (seat->lines ? seat->lines : seat->basins) +
                         visit->band.halo[0] * blocks->rim;
}

/* Which of the markers' labels are in the result must be known of each band. */
static gboolean
is_finished (const WfFloodBlocks *blocks,
             gint64               number)
{
  return ! blocks->markers && wf_bands_are_finished (&blocks->bands, blocks->sink, number);
}

static gboolean
count_labels (Visit   *visit,
              GError **error)
{
  WfFloodBlocks *blocks = visit->blocks;
  gboolean       done;

  if (! blocks->markers)
    return TRUE;
  g_mutex_lock (&blocks->lock);
  done = wf_label_set_add (&blocks->labels, visit->labels.data,
                           wf_image_n_pixels (&visit->labels), error);
  g_mutex_unlock (&blocks->lock);
  return done;
}

static gboolean
is_kept_here (const WfFloodBlocks *blocks,
              const WfLane        *lane,
              gint64               number)
{
  const WfFloodKept *kept = &blocks->kept[number];

  return kept->on_device && kept->worker == lane->worker;
}

static gboolean
finish (WfFloodBlocks  *blocks,
        const WfLane   *lane,
        gint64          number,
        gboolean        early,
        GError        **error)
{
  Visit visit = begin_band (blocks, lane, WF_FLOOD_FINISH, number);

  open_finish (&visit, number, early);
  open_labels (&visit, number);
  if (is_kept_here (blocks, lane, number))
    {
      visit.band.on_device = blocks->kept[number].on_device;
      imagine_image (&visit);
    }
  else if (! read_span (&visit, error))
    return FALSE;
  if (! run (&visit, error) || ! count_labels (&visit, error) ||
      ! wf_workers_finish (blocks->workers, lane, &blocks->bands, blocks->sink, number,
                           &visit.labels, error))
    return FALSE;
  wf_flood_release (blocks, number);
  return TRUE;
}

/* Of WfBlockFunc: labels a band, when the minima, if any, and the ends of paths are known. */
gboolean
wf_flood_finish_band (gpointer       data,
                      const WfLane  *lane,
                      gint64         number,
                      GError       **error)
{
  WfFloodBlocks *blocks = data;

  return is_finished (blocks, number) ||
         finish (blocks, lane, number, FALSE, error);
}

/* Of WfBlockFunc, where bands are finished early: the first blocks are the finishes of the bands,
 * the others their summaries.  A band that is not settled yet, or that the lane's device does not
 * keep, is left to the pass that follows: the image itself would be flooded with L2 in the halo,
 * which may change yet.
 */
gboolean
wf_flood_visit_band (gpointer       data,
                     const WfLane  *lane,
                     gint64         block,
                     GError       **error)
{
  WfFloodBlocks *blocks = data;

  if (block >= blocks->bands.n)
    return wf_flood_summarize_band (data, lane, block - blocks->bands.n, error);
  if (! is_kept_here (blocks, lane, block) || ! wf_flood_settle_band (blocks, block))
    return TRUE;
  if (! finish (blocks, lane, block, TRUE, error))
    return FALSE;
  blocks->early.is_done[block] = TRUE;
  return TRUE;
}

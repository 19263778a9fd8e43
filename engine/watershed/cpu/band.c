/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One band of a larger image on the CPU (#WfFloodBand): the steps of `steepest` (steepest.c) with
 * the bands beside it as a halo, where paths end.
 */

#include "config.h"

#include <string.h>

#include "band.h"
#include "engine/blocks/bands.h"
#include "engine/core/refusals.h"
#include "flood.h"

/* In lower bands nearly all pixels lie on the paths from the rims. */
#define LEAST_UNITS_OF_SOME 16

/**
 * BandFlood:
 * @task: of the band with its halo, without the margin
 * @image: what is flooded there
 * @units: rows, or slices, of it
 * @memory: what was not given: arrows, basins and lines
 * @label_of: the labels of runs of markers
 * @n_ends: of paths in the band itself: its minima, or runs of markers
 * @marked: for each pixel of the halo whether it is a marker
 */
typedef struct
{
  WfFloodBand     *band;
  WfWatershedTask  task;
  WfImage          image;
  WfFlood          flood;
  gint64           units;
  gpointer         packed;
  gpointer         plateau;
  gpointer         memory[3];
  guint32         *label_of;
  guint32          n_ends;
  guint8          *marked[2];
} BandFlood;


static void
band_flood_clear (BandFlood *own)
{
  g_free (own->packed);
  g_free (own->plateau);
  for (int i = 0; i < 3; i++)
    g_free (own->memory[i]);
  g_free (own->label_of);
  g_free (own->marked[0]);
  g_free (own->marked[1]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BandFlood, band_flood_clear)

/* Room for @n values: what was @given, or memory of the flood's own. */
static gpointer
find_room (BandFlood  *own,
           int         which,
           gpointer    given,
           gint64      n,
           gsize       size,
           GError    **error)
{
  if (! given)
    given = own->memory[which] = wf_run_allocate (own->flood.run, n, size, error);
  return given;
}

/* Leaves out the margin of an image that is packed. */
static void
cut_margin (BandFlood     *own,
            const WfImage *image,
            gconstpointer  pixels)
{
  const gint64 unit  = own->band->unit;
  const gint64 first = own->band->margin[0];
  const gint64 units = wf_image_n_pixels (image) / unit - first - own->band->margin[1];
  const gsize  size  = wf_type_size (image->type);
  const gboolean stack = image->depth > 1 || unit > image->width;

  own->units = units;
  own->image = (WfImage) {
    .type = image->type, .width = image->width, .row_stride = image->width,
    .height = stack ? image->height : units, .depth = stack ? units : 1,
    .data = (char *) pixels + first * unit * size,
  };
  own->image.slice_stride = own->image.width * own->image.height;
}

static gboolean
find_memory (BandFlood  *own,
             GError    **error)
{
  const WfFloodBand *band  = own->band;
  WfFlood           *flood = &own->flood;
  const gint64       n     = own->units * band->unit;

  if (band->step == WF_FLOOD_MEASURE && ! own->task.markers)
    return TRUE;
  if (! (flood->arrows = find_room (own, 0, band->arrows, n, 1, error)) ||
      ! (flood->basins = find_room (own, 1, band->basins, n, sizeof (guint32), error)))
    return FALSE;
  flood->labels = flood->basins;
  return ! own->task.lines || band->step != WF_FLOOD_FINISH ||
         (flood->labels = find_room (own, 2, band->lines, n, sizeof (guint32), error));
}

/* The markers are the first pixels of the basins. */
static void
take_markers (BandFlood *own)
{
  WfFlood *flood = &own->flood;

  if (! own->task.markers)
    return;
  if (flood->basins != own->task.markers->data)
    memcpy (flood->basins, own->task.markers->data,
            own->units * own->band->unit * sizeof (guint32));
  flood->markers = flood->basins;
}

/* @own: zeroed; must be cleared even if this fails */
static gboolean
band_flood_begin (BandFlood              *own,
                  const WfWatershedTask  *task,
                  const WfImage          *image,
                  WfRun                  *run,
                  GError                **error)
{
  WfFlood       *flood = &own->flood;
  gconstpointer  pixels;

  own->band = task->band;
  own->task = *task;
  if (! wf_image_pack (image, &pixels, &own->packed, error))
    return FALSE;
  cut_margin (own, image, pixels);
  own->task.image        = &own->image;
  own->task.shape        = wf_image_shape (&own->image);
  own->task.connectivity = wf_bands_connectivity (task->connectivity, own->image.depth);
  flood->task            = &own->task;
  flood->run             = run;
  flood->image           = task->band->ground ? task->band->ground->data : own->image.data;
  flood->level           = own->image.data;
  for (int side = 0; side < 2; side++)
    flood->halo[side] = task->band->halo[side] ? task->band->outside[side] : NULL;
  wf_neighbourhood_init (&flood->neighbours, own->task.connectivity, &own->task.shape);
  if (! find_memory (own, error))
    return FALSE;
  take_markers (own);
  return TRUE;
}

/* The basins of a row, or slice, of the band with its halo. */
static guint32 *
basins_of (const BandFlood *own,
           gint64           unit)
{
  return own->flood.basins + unit * own->band->unit;
}

/* The first and the last row, or slice, of the band itself. */
static gint64
find_row (const BandFlood *own,
          int              side)
{
  return side == 0 ? own->band->halo[0] : own->units - own->band->halo[1] - 1;
}

/* The row, or slice, of the halo at a side. */
static gint64
find_halo (const BandFlood *own,
           int              side)
{
  return side == 0 ? 0 : own->units - 1;
}

static gint64
count_pixels (const BandFlood *own)
{
  return (own->units - own->band->halo[0] - own->band->halo[1]) * own->band->unit;
}


/*  L2  */

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

static void
tell_distances (const BandFlood *own,
                gint64           row,
                guint32         *distances)
{
  for (gint64 i = 0; distances && i < own->band->unit; i++)
    distances[i] = distance_at (&own->flood, row * own->band->unit + i);
}

/* Completes L2 of a band as far as it is known at its halo. */
static gboolean
measure (BandFlood  *own,
         double      share,
         GError    **error)
{
  const WfFloodBand *band = own->band;

  if (! wf_flood_measure_plateaux (&own->flood, &own->plateau, share, error))
    return FALSE;
  for (int side = 0; side < 2; side++)
    {
      tell_distances (own, band->rows[side], band->inside[side]);
      if (band->halo[side])
        tell_distances (own, find_halo (own, side), band->outside[side]);
    }
  return TRUE;
}

/* Whether L2 has reached all pixels of the band itself, as it does from markers in the end. */
static gboolean
is_reached (const BandFlood *own)
{
  const gint64   n     = count_pixels (own);
  const gint64   start = own->band->halo[0] * own->band->unit;
  const guint32 *wide  = (const guint32 *) own->flood.plateau + start;

  if (! own->flood.wide)
    return ! memchr ((const guint8 *) own->flood.plateau + start, WF_UNREACHED_NARROW, n);
  for (gint64 p = 0; p < n; p++)
    if (wide[p] == WF_UNREACHED_WIDE)
      return FALSE;
  return TRUE;
}


/*  What ends paths in the band  */

/* Numbers the minima of the band itself, without its halo. */
static gboolean
label_minima (BandFlood  *own,
              GError    **error)
{
  const WfFloodBand *band  = own->band;
  const gint64       start = band->halo[0] * band->unit;
  WfWatershedTask    task  = own->task;
  WfFlood            inner = own->flood;

  *(task.shape.depth > 1 ? &task.shape.depth
                         : &task.shape.height) -= band->halo[0] + band->halo[1];
  task.connectivity = wf_bands_connectivity (task.connectivity, task.shape.depth);
  inner.task        = &task;
  inner.plateau     = (guint8 *) inner.plateau + start * (inner.wide ? sizeof (guint32) : 1);
  return wf_flood_label_minima (&inner, basins_of (own, band->halo[0]), &own->n_ends, 0.2,
                                error) &&
         (! band->ground ||
          wf_flood_restore_minima (&own->flood, own->image.data, error));
}

/* Numbers the runs of markers of the band itself, instead of their labels, which may be any. */
static gboolean
number_markers (BandFlood  *own,
                GError    **error)
{
  guint32      *basins = basins_of (own, own->band->halo[0]);
  const gint64  n      = count_pixels (own);
  guint32       label  = 0;

  for (gint64 p = 0; p < n; label = basins[p++])
    own->n_ends += basins[p] != 0 && basins[p] != label;
  own->label_of = wf_allocate ((gint64) own->n_ends + 1, sizeof (guint32), error);
  if (! own->label_of)
    return FALSE;
  own->n_ends = 0;
  label       = 0;
  for (gint64 p = 0; p < n; p++)
    {
      const guint32 here = basins[p];

      if (here != 0 && here != label)
        own->label_of[++own->n_ends] = here;
      basins[p] = here == 0 ? 0 : own->n_ends;
      label     = here;
    }
  return TRUE;
}

/* Numbers what ends paths in the band itself, and tells the minima of its rims. */
static gboolean
number_ends (BandFlood  *own,
             GError    **error)
{
  WfFloodBand *band = own->band;

  if (own->task.markers)
    return number_markers (own, error);
  if (! label_minima (own, error))
    return FALSE;
  band->n_minima = own->n_ends;
  for (int side = 0; side < 2; side++)
    if (band->minima[side])
      memcpy (band->minima[side], basins_of (own, find_row (own, side)),
              band->unit * sizeof (guint32));
  return TRUE;
}


/*  Paths  */

static gboolean
follow_paths (BandFlood  *own,
              GError    **error)
{
  wf_run_begin (own->flood.run, 0.4, 3 * wf_shape_n_pixels (&own->task.shape));
  return wf_flood_follow (&own->flood, wf_flood_steps (&own->flood), NULL, error);
}

/* Follows the paths from the band's first and last row, or slice. */
static gboolean
follow_rims (BandFlood  *own,
             GError    **error)
{
  const WfFlood      *flood   = &own->flood;
  const WfFloodSteps *steps   = wf_flood_steps (flood);
  const gint64        rows    = own->band->unit / own->task.shape.width;
  g_autofree guint8  *pointed = NULL;

  if (own->units < LEAST_UNITS_OF_SOME)
    return follow_paths (own, error);
  wf_run_begin (flood->run, 0.4, 2 * wf_shape_n_pixels (&own->task.shape));
  pointed = wf_allocate (wf_flood_n_rows (flood), 1, error);
  if (! pointed)
    return FALSE;
  memset (pointed, FALSE, wf_flood_n_rows (flood));
  for (int side = 0; side < 2; side++)
    {
      const gint64 first = find_row (own, side) * rows;

      if (own->band->ends[side] &&
          ! wf_flood_follow_some (flood, steps, first, first + rows, pointed, error))
        return FALSE;
    }
  return TRUE;
}

/* Tells where the paths of the band's first or last row end: with the label of a marker that is
 * the end in the whole.
 */
static void
tell_ends (const BandFlood *own,
           int              side)
{
  const WfFloodBand *band   = own->band;
  const guint32     *basins = basins_of (own, find_row (own, side));
  guint32           *ends   = band->ends[side];

  if (! ends)
    return;
  if (! own->task.markers)
    {
      memcpy (ends, basins, band->unit * sizeof (guint32));
      return;
    }
  for (gint64 i = 0; i < band->unit; i++)
    {
      band->is_marker[side][i] = basins[i] <= own->n_ends;
      ends[i]                  = basins[i] <= own->n_ends ? own->label_of[basins[i]]
                                                          : basins[i] - own->n_ends;
    }
}

static gboolean
summarize (BandFlood  *own,
           GError    **error)
{
  WfFloodBand *band = own->band;

  band->is_complete = ! own->task.markers || is_reached (own);
  if (! band->is_complete)
    return TRUE;
  if (! number_ends (own, error))
    return FALSE;

  /* each pixel of the halo is an end of its own */
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; band->halo[side] && i < band->unit; i++)
      basins_of (own, find_halo (own, side))[i] = own->n_ends + 1 + side * band->unit + i;
  if (! follow_rims (own, error))
    return FALSE;
  tell_ends (own, 0);
  tell_ends (own, 1);
  return TRUE;
}


/*  Finish  */

/* Finds the numbers of the band's minima in the whole. */
static guint32 *
find_numbers (const BandFlood  *own,
              GError          **error)
{
  const WfFloodBand *band      = own->band;
  guint32           *number_of = wf_allocate ((gint64) own->n_ends + 1, sizeof (guint32), error);
  guint32            number    = band->n_before;

  if (! number_of)
    return NULL;
  memset (number_of, 0, ((gint64) own->n_ends + 1) * sizeof (guint32));
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; band->minima[side] && i < band->unit; i++)
      if (band->minima[side][i])
        number_of[basins_of (own, find_row (own, side))[i]] = band->minima[side][i];
  for (gint64 label = 1; label <= own->n_ends; label++)
    if (! number_of[label])
      number_of[label] = ++number;
  return number_of;
}

/* Gives the minima of the band itself their numbers in the whole. */
static gboolean
number_minima (BandFlood  *own,
               GError    **error)
{
  guint32             *basins = basins_of (own, own->band->halo[0]);
  const gint64         n      = count_pixels (own);
  g_autofree guint32  *number_of = NULL;

  if (! label_minima (own, error) ||
      ! wf_check_unchanged (own->n_ends, own->band->n_minima, error) ||
      ! (number_of = find_numbers (own, error)))
    return FALSE;
#pragma omp parallel for num_threads(own->flood.run->n_threads)
  for (gint64 p = 0; p < n; p++)
    basins[p] = number_of[basins[p]];
  return TRUE;
}

/* Notes which pixels of a halo are markers, which come before all else in the order of lines. */
static gboolean
note_markers (BandFlood  *own,
              int         side,
              GError    **error)
{
  const gint64   unit   = find_halo (own, side);
  const guint32 *basins = basins_of (own, unit);
  guint8        *marked = wf_allocate (own->band->unit, 1, error);

  own->marked[side] = marked;
  for (gint64 i = 0; marked && i < own->band->unit; i++)
    marked[i] = own->task.markers ? basins[i] != 0
                                  : distance_at (&own->flood, unit * own->band->unit + i)
                                    == WF_UNREACHED_WIDE;
  return marked != NULL;
}

/* Gives a row, or slice, of the halo the labels of the whole. */
static gboolean
label_halo (BandFlood  *own,
            int         side,
            GError    **error)
{
  if (! own->band->halo[side])
    return TRUE;
  if (own->task.lines && ! note_markers (own, side, error))
    return FALSE;
  memcpy (basins_of (own, find_halo (own, side)), own->band->beyond[side],
          own->band->unit * sizeof (guint32));
  return TRUE;
}

static gboolean
draw_lines (BandFlood  *own,
            GError    **error)
{
  if (! own->task.lines)
    return TRUE;
  for (int side = 0; side < 2; side++)
    {
      guint8 *arrows = own->flood.arrows + find_halo (own, side) * own->band->unit;

      for (gint64 i = 0; own->band->halo[side] && i < own->band->unit; i++)
        arrows[i] = own->marked[side][i] ? WF_ARROW_ROOT : 0;
    }
  return wf_flood_steps (&own->flood)->draw_lines (&own->flood, error);
}

static gboolean
finish (BandFlood  *own,
        GError    **error)
{
  const guint32 *labels = own->flood.labels + own->band->halo[0] * own->band->unit;

  if ((! own->task.markers && ! number_minima (own, error)) ||
      ! label_halo (own, 0, error) || ! label_halo (own, 1, error) ||
      ! follow_paths (own, error) || ! draw_lines (own, error))
    return FALSE;
  if (own->task.labels->data != labels)
    wf_image_unpack (own->task.labels, labels, own->flood.run);
  return TRUE;
}


/*  The task  */

gboolean
wf_flood_band (const WfWatershedTask  *task,
               const WfImage          *image,
               WfRun                  *run,
               GError                **error)
{
  g_auto (BandFlood) own  = { 0 };
  const WfFloodStep  step = task->band->step;

  return band_flood_begin (&own, task, image, run, error) &&
         measure (&own, step == WF_FLOOD_MEASURE ? 1.0 : 0.4, error) &&
         (step == WF_FLOOD_MEASURE ? TRUE
          : step == WF_FLOOD_SUMMARY ? summarize (&own, error) : finish (&own, error));
}

/* Bytes beyond the task's images, and what was given. */
guint64
wf_flood_band_memory (const WfWatershedTask *task)
{
  const WfFloodBand *band  = task->band;
  const guint64      n     = wf_shape_n_pixels (&task->shape);
  guint64            bytes = sizeof (guint32);

  if (! band->arrows)
    bytes += 1;
  if (! band->basins)
    bytes += sizeof (guint32);
  if (task->lines && ! band->lines)
    bytes += sizeof (guint32);
  /* labels of runs of markers, or numbers of every second pixel */
  bytes += task->markers ? sizeof (guint32) : sizeof (guint32) / 2;
  return bytes * n + (task->markers ? 0 : wf_runs_memory (&task->shape));
}

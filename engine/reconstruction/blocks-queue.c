/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in bands that are visited until nothing changes.
 *
 * A visit reads a band, raises its rims to what they touch in the bands beside it, reconstructs it
 * by itself and writes it.  Then the rims at its two seams are compared: a band that the one
 * beside it can raise waits for a visit.  First all bands are visited from first to last.  Then the
 * image is divided anew into bands of a fraction of the rows, as most waves that cross a seam are
 * short, and those that wait are visited in order, up and down in turn, so that a wave that
 * crosses many bands crosses each of them once.
 *
 * Several workers visit bands at the same time (engine/blocks/workers.h).  A band and the one
 * beside it may then be visited together: whichever is written last compares the rims of both as
 * they were written, in both directions, so nothing is missed.
 *
 * The levels so far are those that were written.  Of an image in files a visit reads back the
 * rims of other bands.  In an image in memory bands are views of it, and the rims of each band are
 * kept beside it, because a band that is being visited may not be looked at.
 *
 * Source: of the propagation between tiles and of workers that ask for it, Teodoro, Pan, Kurc,
 * Kong, Cooper, Saltz, Efficient irregular wavefront propagation algorithms on hybrid CPU–GPU
 * machines, Parallel Computing 39 (2013).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/workers.h"

/**
 * Seat:
 * @mask, @levels: of a band: its mask; the marker, then the result
 * @row: the pixels of a rim of another band
 * @beside: keys of a rim beside the band: its levels
 * @mask_beside: and its masks
 * @own, @own_mask: keys of the rim of the band that faces it
 * @spread: keys across a seam
 * @raised: whether the band visited can be raised at a side
 * @raises: whether it can raise the band there
 *
 * What one lane needs for a visit.
 */
typedef struct
{
  WfImage   mask;
  WfImage   levels;
  WfImage   row;
  guint32  *beside;
  guint32  *mask_beside;
  guint32  *own;
  guint32  *own_mask;
  guint32  *spread;
  gboolean  raised[WF_N_RIMS];
  gboolean  raises[WF_N_RIMS];
} Seat;

/**
 * Work:
 * @n_seats: as many as lanes
 * @visited: for each band whether it has been written
 * @raised: for each band and side whether that side can be raised
 * @rims: of an image in memory: the pixels of the two rims of each band, as they were written
 * @first_pass: whether each band is visited once
 */
typedef struct
{
  const WfReconstructBlocks *blocks;
  WfWorkers                 *workers;
  WfBands                    bands;
  Seat                      *seats;
  guint                      n_seats;
  gboolean                  *visited;
  gboolean                 (*raised)[WF_N_RIMS];
  guint8                    *rims;
  gboolean                   first_pass;
  WfPass                     pass;
} Work;

/* How many parts a band is divided into after the first pass.  More parts mean fewer pixels but
 * more visits, and the threads wait for each other at the end of each: long on a busy machine.
 */
#define PARTS 4

/* The same for bands in memory, which are large, and whose visits cost little beside the pixels. */
#define PARTS_IN_MEMORY 16

/* Rows of these parts, at least: the rims that are kept of each take little memory. */
#define LEAST_IN_MEMORY 32

/* Keys for each pixel of a rim. */
#define N_KEYS 5


static gboolean
is_in_memory (const Work *work)
{
  return work->blocks->out->image != NULL;
}

static gsize
rim_size (const Work *work)
{
  return wf_rim_n_pixels (&work->blocks->rim) * wf_type_size (work->blocks->rim.type);
}


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work                *work   = data;
  const WfReconstructBlocks *blocks = work->blocks;
  const gsize                size   = wf_type_size (blocks->mask->type);
  guint64                    bytes  = wf_reconstruct_band_memory (blocks, band) +
                                      wf_rim_n_pixels (&blocks->rim) * N_KEYS * sizeof (guint32);

  if (! is_in_memory (work))
    bytes += 2 * size * wf_shape_n_pixels (band) + rim_size (work);
  return bytes * work->n_seats;
}

static void
seat_clear (Seat *seat)
{
  wf_image_clear (&seat->mask);
  wf_image_clear (&seat->levels);
  wf_image_clear (&seat->row);
  g_free (seat->beside);
  g_free (seat->mask_beside);
  g_free (seat->own);
  g_free (seat->own_mask);
  g_free (seat->spread);
}

static gboolean
seat_init (const Work  *work,
           Seat        *seat,
           GError     **error)
{
  const WfRim *rim = &work->blocks->rim;
  const gint64 n   = wf_rim_n_pixels (rim);

  return (seat->beside = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->mask_beside = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->own = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->own_mask = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->spread = wf_allocate (n, sizeof (guint32), error)) &&
         (is_in_memory (work) ||
          (wf_bands_allocate (&work->bands, rim->type, 0, &seat->mask, error) &&
           wf_bands_allocate (&work->bands, rim->type, 0, &seat->levels, error) &&
           wf_image_allocate (&seat->row, rim->type, rim->width, rim->height, 1, error)));
}

static void
bands_clear (Work *work)
{
  g_clear_pointer (&work->visited, g_free);
  g_clear_pointer (&work->raised, g_free);
  g_clear_pointer (&work->rims, g_free);
  g_clear_pointer (&work->pass.waits, g_free);
}

/* What is kept of each band. */
static gboolean
bands_init (Work    *work,
            GError **error)
{
  const gint64 n = work->bands.n;

  work->visited        = g_new0 (gboolean, n);
  work->raised         = g_malloc0_n (n, sizeof *work->raised);
  work->pass.n         = n;
  work->pass.n_pixels  = work->bands.length * wf_rim_n_pixels (&work->blocks->rim);
  work->pass.waits     = g_new0 (gboolean, n);
  work->pass.n_waiting = 0;
  return ! is_in_memory (work) ||
         (work->rims = wf_allocate (n * WF_N_RIMS, rim_size (work), error)) != NULL;
}

static void
work_clear (Work *work)
{
  for (guint i = 0; work->seats && i < work->n_seats; i++)
    seat_clear (&work->seats[i]);
  g_free (work->seats);
  bands_clear (work);
  g_clear_pointer (&work->workers, wf_workers_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;

  work->workers = wf_reconstruct_find_workers (blocks);
  work->n_seats = wf_workers_count_lanes (work->workers);
  if (! wf_bands_divide (&work->bands, blocks->context, blocks->mask,
                         wf_reconstruct_limit_rows (blocks, work->workers), band_memory, 0, work,
                         error) ||
      ! bands_init (work, error))
    return FALSE;
  work->seats = g_new0 (Seat, work->n_seats);
  for (guint i = 0; i < work->n_seats; i++)
    if (! seat_init (work, &work->seats[i], error))
      return FALSE;
  return TRUE;
}


/*  Bands beside the one visited  */

/* The number of the band beside band @number, or −1 if there is none or it has not been visited. */
static gint64
find_beside (const Work *work,
             gint64      number,
             WfBandSide   side)
{
  const gint64 other = side == WF_BAND_FIRST ? number - 1 : number + 1;

  return other >= 0 && other < work->bands.n && work->visited[other] ? other : -1;
}

/* The first or the last row of a band. */
static gint64
find_row (const Work *work,
          gint64      number,
          WfBandSide   side)
{
  return side == WF_BAND_FIRST ? wf_bands_first (&work->bands, number)
                              : wf_bands_end (&work->bands, number) - 1;
}

static guint8 *
find_kept (const Work *work,
           gint64      number,
           WfBandSide   side)
{
  return work->rims + (number * WF_N_RIMS + side) * rim_size (work);
}

/* Keeps a rim of a band in memory as it has been written. */
static void
keep_rim (Work      *work,
          gint64     number,
          WfBandSide  side)
{
  const gint64 row = find_row (work, number, side);
  WfImage      view;

  wf_bands_view (&work->bands, work->blocks->out->image, row, row + 1, &view);
  memcpy (find_kept (work, number, side), view.data, rim_size (work));
}

/* Reads the keys of row, or slice, @row from files. */
static gboolean
read_rim (const Work       *work,
          Seat             *seat,
          WfReadBlockFunc   read,
          gpointer          data,
          gint64            row,
          guint32          *keys,
          GError          **error)
{
  const gboolean stack = work->bands.shape.depth > 1;

  if (! read (data, 0, stack ? 0 : row, stack ? row : 0, &seat->row, error))
    return FALSE;
  wf_rim_read (&work->blocks->rim, &seat->row, WF_BAND_FIRST, keys);
  return TRUE;
}

/* Reads the levels of the rim of band @other that lies at @side of the band visited. */
static gboolean
read_beside (const Work  *work,
             Seat        *seat,
             gint64       other,
             WfBandSide    side,
             GError     **error)
{
  const WfBlockSink *out    = work->blocks->out;
  const WfBandSide    facing = side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST;
  WfImage            kept;

  if (! is_in_memory (work))
    return read_rim (work, seat, out->read, out->data, find_row (work, other, facing),
                     seat->beside, error);
  wf_bands_view (&work->bands, out->image, 0, 1, &kept);
  kept.data = find_kept (work, other, facing);
  wf_rim_read (&work->blocks->rim, &kept, WF_BAND_FIRST, seat->beside);
  return TRUE;
}

static gboolean
read_mask_beside (const Work  *work,
                  Seat        *seat,
                  gint64       other,
                  WfBandSide    side,
                  GError     **error)
{
  const WfBlockSource *mask = work->blocks->mask;
  const gint64         row  = find_row (work, other,
                                        side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST);
  WfImage              view;

  if (! mask->image)
    return read_rim (work, seat, mask->read, mask->data, row, seat->mask_beside, error);
  wf_bands_view (&work->bands, mask->image, row, row + 1, &view);
  wf_rim_read (&work->blocks->rim, &view, WF_BAND_FIRST, seat->mask_beside);
  return TRUE;
}

/* Whether keys that have been spread across a seam can raise a rim. */
static gboolean
can_raise (const Work    *work,
           const guint32 *spread,
           const guint32 *mask,
           const guint32 *levels)
{
  gboolean can = FALSE;

  for (gint64 i = 0; i < wf_rim_n_pixels (&work->blocks->rim); i++)    /* for vectors: to the end */
    can |= MIN (spread[i], mask[i]) > levels[i];
  return can;
}

/* Compares the rims at one seam of the band visited, as they were written. */
static gboolean
compare_rims (const Work  *work,
              Seat        *seat,
              gint64       number,
              WfBandSide    side,
              GError     **error)
{
  const WfRim *rim   = &work->blocks->rim;
  const gint64 other = find_beside (work, number, side);

  seat->raised[side] = FALSE;
  seat->raises[side] = FALSE;
  if (other < 0)
    return TRUE;
  if (! read_beside (work, seat, other, side, error) ||
      ! read_mask_beside (work, seat, other, side, error))
    return FALSE;
  wf_rim_read (rim, &seat->levels, side, seat->own);
  wf_rim_read (rim, &seat->mask, side, seat->own_mask);
  wf_rim_spread (rim, seat->own, seat->spread);
  seat->raises[side] = can_raise (work, seat->spread, seat->mask_beside, seat->beside);
  wf_rim_spread (rim, seat->beside, seat->spread);
  seat->raised[side] = can_raise (work, seat->spread, seat->own_mask, seat->own);
  return TRUE;
}


/*  Visits  */

/* Raises the rims of a band to what they touch. */
static gboolean
raise_rims (const Work  *work,
            Seat        *seat,
            gint64       number,
            GError     **error)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 other = find_beside (work, number, side);

      if (other < 0)
        continue;
      if (! read_beside (work, seat, other, side, error))
        return FALSE;
      wf_rim_spread (&work->blocks->rim, seat->beside, seat->spread);
      wf_rim_raise (&work->blocks->rim, &seat->levels, side, seat->spread);
    }
  return TRUE;
}

/* Of files: reads a band.  @marker: what it is reconstructed from */
static gboolean
read_band (const Work    *work,
           const WfLane  *lane,
           Seat          *seat,
           gint64         number,
           WfImage       *marker,
           GError       **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfBlockSource        so_far = wf_reconstruct_so_far (blocks);

  if (! wf_bands_read (&work->bands, lane->context, blocks->mask, number, blocks->mask_name,
                       &seat->mask, error) ||
      ! (work->visited[number]
         ? wf_bands_read (&work->bands, lane->context, &so_far, number, _("marker"),
                          &seat->levels, error)
         : wf_reconstruct_read_marker (blocks, &work->bands, lane->context, number, &seat->mask,
                                       &seat->levels, error)) ||
      ! raise_rims (work, seat, number, error))
    return FALSE;
  *marker = seat->levels;
  return TRUE;
}

/* In memory: views of a band.  The caller's marker is not raised. */
static gboolean
view_band (const Work  *work,
           Seat        *seat,
           gint64       number,
           WfImage     *marker,
           GError     **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfBands             *bands  = &work->bands;
  const gint64               first  = wf_bands_first (bands, number);
  const gint64               end    = wf_bands_end (bands, number);

  wf_bands_view (bands, blocks->mask->image, first, end, &seat->mask);
  wf_bands_view (bands, blocks->out->image, first, end, &seat->levels);
  wf_bands_view (bands, work->visited[number] ? blocks->out->image : blocks->marker->image, first,
                 end, marker);
  return ! work->visited[number] || raise_rims (work, seat, number, error);
}

/* Writes the band and compares its rims with those beside it. */
static gboolean
write_band (Work    *work,
            Seat    *seat,
            gint64   number,
            GError **error)
{
  if (! is_in_memory (work) &&
      ! wf_bands_write (&work->bands, work->blocks->out, number, &seat->levels, error))
    return FALSE;
  work->visited[number] = TRUE;
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      if (is_in_memory (work))
        keep_rim (work, number, side);
      if (! compare_rims (work, seat, number, side, error))
        return FALSE;
    }
  return TRUE;
}

/* Of WfBlockFunc. */
static gboolean
visit (gpointer       data,
       const WfLane  *lane,
       gint64         number,
       GError       **error)
{
  Work     *work = data;
  Seat     *seat = &work->seats[lane->number];
  WfImage   marker;
  gboolean  success;

  wf_workers_begin_files (work->workers, lane);
  success = is_in_memory (work) ? view_band (work, seat, number, &marker, error)
                                : read_band (work, lane, seat, number, &marker, error);
  wf_workers_end_files (work->workers, lane, "read");
  if (! success)
    return FALSE;
  if (! wf_reconstruct_band (work->blocks, lane->context, &seat->mask, &marker, &seat->levels,
                             error))
    return wf_workers_blame_device (work->workers, lane);

  wf_workers_begin_files (work->workers, lane);
  success = write_band (work, seat, number, error);
  wf_workers_end_files (work->workers, lane, "write");
  return success;
}

/* A band can be raised at a side.  In the first pass it does not wait: it will be divided. */
static void
set_raised (Work      *work,
            gint64     number,
            WfBandSide  side)
{
  if (work->first_pass)
    work->raised[number][side] = TRUE;
  else
    wf_pass_set_waiting (&work->pass, number, TRUE);
}

/* Of WfBlockDoneFunc.  What another lane has said of this band since its rims were compared stays
 * true.
 */
static void
follow_visit (gpointer      data,
              const WfLane *lane,
              gint64        number)
{
  Work       *work = data;
  const Seat *seat = &work->seats[lane->number];

  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 other = side == WF_BAND_FIRST ? number - 1 : number + 1;

      if (seat->raised[side])
        set_raised (work, number, side);
      if (seat->raises[side])
        set_raised (work, other, side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST);
    }
}


/*  The whole  */

/* Divides the image into bands that are lower.  Of a band that can be raised at a side, the one
 * that has the row there waits; if that has rows of the band beside it as well, both are
 * reconstructed together.
 */
static gboolean
divide_anew (Work    *work,
             GError **error)
{
  const WfBands           before = work->bands;
  const gint64            units  = before.shape.depth > 1 ? before.shape.depth
                                                          : before.shape.height;
  const int               parts  = is_in_memory (work) ? PARTS_IN_MEMORY : PARTS;
  g_autofree gpointer     kept   = work->raised;
  gboolean const        (*raised)[WF_N_RIMS] = kept;

  work->raised = NULL;
  bands_clear (work);
  work->bands.length = (before.length + parts - 1) / parts;
  if (is_in_memory (work))
    work->bands.length = MAX (work->bands.length, MIN (LEAST_IN_MEMORY, before.length));
  work->bands.n      = (units + work->bands.length - 1) / work->bands.length;
  if (! bands_init (work, error))
    return FALSE;
  for (gint64 i = 0; i < before.n; i++)
    for (int side = 0; side < WF_N_RIMS; side++)
      if (raised[i][side])
        {
          const gint64 row = side == WF_BAND_FIRST ? wf_bands_first (&before, i)
                                                  : wf_bands_end (&before, i) - 1;

          wf_pass_set_waiting (&work->pass, row / work->bands.length, TRUE);
        }
  for (gint64 i = 0; i < work->bands.n; i++)
    {
      work->visited[i] = TRUE;
      for (int side = 0; side < WF_N_RIMS && is_in_memory (work); side++)
        keep_rim (work, i, side);
    }
  return TRUE;
}

/* The marker is read once and the mask for each visit; the output is written and read back for
 * each visit.  @most: visits of a band, on average, or 0; @settled: result: whether they were
 * enough, or else the output is between the marker and the result
 */
gboolean
wf_reconstruct_queue_bands (const WfReconstructBlocks  *blocks,
                            gint64                      most,
                            gboolean                   *settled,
                            GError                    **error)
{
  g_auto (Work) work = { .blocks = blocks,
                         .pass   = { .visit = visit, .done = follow_visit, .data = &work } };

  if (! work_init (&work, error))
    return FALSE;
  work.first_pass   = TRUE;
  work.pass.n_later = work.bands.n;
  for (gint64 i = 0; i < work.bands.n; i++)
    wf_pass_set_waiting (&work.pass, i, TRUE);
  if (! wf_workers_run (work.workers, &work.pass, blocks->steps, error) ||
      ! divide_anew (&work, error))
    return FALSE;
  work.first_pass   = FALSE;
  work.pass.most    = most > 0 ? (most - 1) * work.bands.n : 0;
  work.pass.n_later = 0;
  if (work.pass.n_waiting > 0 &&
      ! wf_workers_run (work.workers, &work.pass, blocks->steps, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, work.pass.n_waiting);
  *settled = work.pass.n_waiting == 0;
  return TRUE;
}

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
 * rims of other bands.  In an image in memory bands are views of it, and GPUs keep those that they
 * have visited (blocks-queue-kept.c).  There every other band comes first: most of those between
 * them begin with rims that their neighbors have raised, and so half of the bands need no second
 * visit where waves are short.
 *
 * Source: of the propagation between tiles and of workers that ask for it, Teodoro, Pan, Kurc,
 * Kong, Cooper, Saltz, Efficient irregular wavefront propagation algorithms on hybrid CPU–GPU
 * machines, Parallel Computing 39 (2013).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks-queue.h"

/* How many parts a band is divided into after the first pass.  More parts mean fewer pixels but
 * more visits, and the threads wait for each other at the end of each: long on a busy machine.
 */
#define PARTS 4

/* The same for bands in memory, which are large, and whose visits cost little beside the pixels. */
#define PARTS_IN_MEMORY 16

/* Rows of these parts, at least: the rims that are kept of each take little memory. */
#define LEAST_IN_MEMORY 32

/* Rows of a tile of a GPU. */
#define TILE 32

/* Keys for each pixel of a rim. */
#define N_KEYS 5


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const WfBandQueue         *queue  = data;
  const WfReconstructBlocks *blocks = queue->blocks;
  const gsize                size   = wf_type_size (blocks->mask->type);
  guint64                    bytes  = wf_reconstruct_band_memory (blocks, band) +
                                      wf_rim_n_pixels (&blocks->rim) * N_KEYS * sizeof (guint32);

  if (wf_queue_is_in_memory (queue))
    bytes += 2 * WF_N_RIMS * wf_queue_rim_size (queue);
  else
    bytes += 2 * size * wf_shape_n_pixels (band) + wf_queue_rim_size (queue);
  return bytes * queue->n_seats;
}

static void
seat_clear (WfSeat *seat)
{
  wf_image_clear (&seat->mask);
  wf_image_clear (&seat->levels);
  wf_image_clear (&seat->row);
  g_free (seat->beside);
  g_free (seat->mask_beside);
  g_free (seat->own);
  g_free (seat->own_mask);
  g_free (seat->spread);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      g_free (seat->copies[side]);
      g_free (seat->risen[side]);
    }
}

static gboolean
seat_init_in_memory (const WfBandQueue  *queue,
                     WfSeat             *seat,
                     GError            **error)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    if (! (seat->copies[side] = wf_allocate (wf_queue_rim_size (queue), 1, error)) ||
        ! (seat->risen[side] = wf_allocate (wf_queue_rim_size (queue), 1, error)))
      return FALSE;
  return TRUE;
}

static gboolean
seat_init (const WfBandQueue  *queue,
           WfSeat             *seat,
           GError            **error)
{
  const WfRim *rim = &queue->blocks->rim;
  const gint64 n   = wf_rim_n_pixels (rim);

  return (seat->beside = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->mask_beside = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->own = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->own_mask = wf_allocate (n, sizeof (guint32), error)) &&
         (seat->spread = wf_allocate (n, sizeof (guint32), error)) &&
         (wf_queue_is_in_memory (queue)
          ? seat_init_in_memory (queue, seat, error)
          : (wf_bands_allocate (&queue->bands, rim->type, 0, &seat->mask, error) &&
             wf_bands_allocate (&queue->bands, rim->type, 0, &seat->levels, error) &&
             wf_image_allocate (&seat->row, rim->type, rim->width, rim->height, 1, error)));
}

static void
bands_clear (WfBandQueue *queue)
{
  g_clear_pointer (&queue->visited, g_free);
  g_clear_pointer (&queue->raised, g_free);
  g_clear_pointer (&queue->rims, g_free);
  g_clear_pointer (&queue->has_rims, g_free);
  g_clear_pointer (&queue->pass.waits, g_free);
}

/* What is kept of each band. */
static gboolean
bands_init (WfBandQueue  *queue,
            GError      **error)
{
  const gint64 n = queue->bands.n;

  queue->visited        = g_new0 (gboolean, n);
  queue->raised         = g_malloc0_n (n, sizeof *queue->raised);
  queue->has_rims       = g_new0 (gboolean, n);
  queue->pass.n         = n;
  queue->pass.n_pixels  = queue->bands.length * wf_rim_n_pixels (&queue->blocks->rim);
  queue->pass.waits     = g_new0 (gboolean, n);
  queue->pass.n_waiting = 0;
  return ! wf_queue_is_in_memory (queue) ||
         (queue->rims = wf_allocate (n * WF_N_RIMS, wf_queue_rim_size (queue), error)) != NULL;
}

static void
queue_clear (WfBandQueue *queue)
{
  for (guint i = 0; queue->seats && i < queue->n_seats; i++)
    seat_clear (&queue->seats[i]);
  g_free (queue->seats);
  wf_queue_release (queue);
  bands_clear (queue);
  g_clear_pointer (&queue->workers, wf_workers_free);
  g_mutex_clear (&queue->lock);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBandQueue, queue_clear)

/* Rows (of a stack: slices) of a part of a band of @length rows. */
static gint64
count_part (const WfBandQueue *queue,
            gint64             length)
{
  const gboolean in_memory = wf_queue_is_in_memory (queue);
  const int      parts     = in_memory ? PARTS_IN_MEMORY : PARTS;
  const gint64   part      = (length + parts - 1) / parts;

  return in_memory ? MAX (part, MIN (LEAST_IN_MEMORY, length)) : part;
}

static gint64
count_units (const WfShape *shape)
{
  return shape->depth > 1 ? shape->depth : shape->height;
}

/* The most rows of a band.  Where their number is free, a band in memory has whole parts, and a
 * part whole tiles of a GPU.
 */
static gint64
limit_rows (const WfBandQueue *queue)
{
  const WfReconstructBlocks *blocks = queue->blocks;
  const gint64               rows   = wf_reconstruct_limit_rows (blocks, queue->workers);
  WfImage                    block  = wf_source_view (blocks->mask);
  gint64                    *length = block.depth > 1 ? &block.depth : &block.height;
  const gint64               units  = *length;
  gint64                     part;

  if (! wf_queue_is_in_memory (queue) || blocks->rows > 0 || rows < PARTS_IN_MEMORY * TILE ||
      rows >= units)
    return rows;
  part    = count_part (queue, (units - 1) / ((units + rows - 1) / rows) + 1);
  *length = (part + TILE - 1) / TILE * TILE * PARTS_IN_MEMORY;
  return wf_workers_fit (queue->workers, WF_OPERATION_RECONSTRUCT, &blocks->options, &block)
         ? *length : rows;
}

/* In memory a part lies in one band. */
static void
fit_parts (WfBandQueue *queue)
{
  queue->parts        = queue->bands.length / count_part (queue, queue->bands.length);
  queue->bands.length = queue->parts * count_part (queue, queue->bands.length);
  queue->bands.n      = (count_units (&queue->bands.shape) + queue->bands.length - 1) /
                        queue->bands.length;
}

static gboolean
queue_init (WfBandQueue  *queue,
            GError      **error)
{
  const WfReconstructBlocks *blocks = queue->blocks;

  g_mutex_init (&queue->lock);
  queue->workers = wf_reconstruct_find_workers (blocks);
  queue->n_seats = wf_workers_count_lanes (queue->workers);
  if (! wf_bands_divide (&queue->bands, blocks->context, blocks->mask, limit_rows (queue),
                         band_memory, 0, queue, error))
    return FALSE;
  if (wf_queue_is_in_memory (queue))
    fit_parts (queue);
  if (! bands_init (queue, error))
    return FALSE;
  queue->seats = g_new0 (WfSeat, queue->n_seats);
  for (guint i = 0; i < queue->n_seats; i++)
    if (! seat_init (queue, &queue->seats[i], error))
      return FALSE;
  if (wf_queue_is_in_memory (queue) && queue->n_seats > 1)
    wf_queue_begin_keeping (queue);
  return TRUE;
}


/*  Visits  */

/* Of files: reads a band.  @marker: what it is reconstructed from */
static gboolean
read_band (WfBandQueue   *queue,
           const WfLane  *lane,
           WfSeat        *seat,
           gint64         number,
           WfImage       *marker,
           GError       **error)
{
  const WfReconstructBlocks *blocks = queue->blocks;
  const WfBlockSource        so_far = wf_reconstruct_so_far (blocks);

  if (! wf_bands_read (&queue->bands, lane->context, blocks->mask, number, blocks->mask_name,
                       &seat->mask, error) ||
      ! (queue->visited[number]
         ? wf_bands_read (&queue->bands, lane->context, &so_far, number, _("marker"),
                          &seat->levels, error)
         : wf_reconstruct_read_marker (blocks, &queue->bands, lane->context, number, &seat->mask,
                                       &seat->levels, error)) ||
      ! wf_queue_raise_rims (queue, seat, number, error))
    return FALSE;
  *marker = seat->levels;
  return TRUE;
}

/* Visits a band of files. */
static gboolean
visit_files (WfBandQueue   *queue,
             const WfLane  *lane,
             WfSeat        *seat,
             gint64         number,
             GError       **error)
{
  WfImage  marker;
  gboolean success;

  wf_workers_begin_files (queue->workers, lane);
  success = read_band (queue, lane, seat, number, &marker, error);
  wf_workers_end_files (queue->workers, lane, "read");
  if (! success)
    return FALSE;
  if (! wf_reconstruct_band (queue->blocks, lane->context, &seat->mask, &marker, &seat->levels,
                             error))
    return wf_workers_blame_device (queue->workers, lane);

  wf_workers_begin_files (queue->workers, lane);
  success = wf_bands_write (&queue->bands, queue->blocks->out, number, &seat->levels, error) &&
            wf_queue_compare_rims (queue, seat, number, error);
  wf_workers_end_files (queue->workers, lane, "write");
  return success;
}

/* Visits a view of a band with images in memory only.  @marker: the caller's, which is not changed,
 * or what has been reconstructed, which is raised
 */
static gboolean
visit_plain (WfBandQueue    *queue,
             const WfLane   *lane,
             WfSeat         *seat,
             gint64          number,
             const WfImage  *marker,
             GError        **error)
{
  gboolean success;

  wf_workers_begin_access (queue->workers, lane);
  success = ! queue->visited[number] || wf_queue_raise_rims (queue, seat, number, error);
  wf_workers_end_access (queue->workers, lane, "read");
  if (! success)
    return FALSE;
  return wf_reconstruct_band (queue->blocks, lane->context, &seat->mask, marker, &seat->levels,
                              error) ||
         wf_workers_blame_device (queue->workers, lane);
}

/* Visits a view of a band in memory, on a GPU with what that keeps. */
static gboolean
visit_view (WfBandQueue   *queue,
            const WfLane  *lane,
            WfSeat        *seat,
            gint64         number,
            GError       **error)
{
  const WfReconstructBlocks *blocks = queue->blocks;
  const WfBands             *bands  = &queue->bands;
  const gint64               first  = wf_bands_first (bands, number);
  const gint64               end    = wf_bands_end (bands, number);
  const WfImage             *levels = queue->visited[number] ? blocks->out->image
                                                             : blocks->marker->image;
  WfImage                    marker;
  gboolean                   success;

  wf_bands_view (bands, blocks->mask->image, first, end, &seat->mask);
  wf_bands_view (bands, blocks->out->image, first, end, &seat->levels);
  wf_bands_view (bands, levels, first, end, &marker);
  wf_queue_begin_change (queue, number);
  if (! wf_queue_visit_kept (queue, lane, seat, number, &marker, &success, error))
    return wf_workers_blame_device (queue->workers, lane);
  if (! success && ! visit_plain (queue, lane, seat, number, &marker, error))
    return FALSE;
  wf_workers_begin_access (queue->workers, lane);
  success = wf_queue_compare_rims (queue, seat, number, error);
  wf_workers_end_access (queue->workers, lane, "write");
  return success;
}

/* Of WfBlockFunc. */
static gboolean
visit (gpointer       data,
       const WfLane  *lane,
       gint64         number,
       GError       **error)
{
  WfBandQueue *queue = data;

  return (wf_queue_is_in_memory (queue) ? visit_view : visit_files)
         (queue, lane, &queue->seats[lane->number], number, error);
}

/* A band can be raised at a side.  In the first pass it does not wait: it will be divided. */
static void
set_raised (WfBandQueue *queue,
            gint64       number,
            WfBandSide   side)
{
  if (queue->first_pass)
    queue->raised[number][side] = TRUE;
  else
    wf_pass_set_waiting (&queue->pass, number, TRUE);
}

/* Of WfBlockDoneFunc.  What another lane has said of this band since its rims were compared stays
 * true.
 */
static void
follow_visit (gpointer      data,
              const WfLane *lane,
              gint64        number)
{
  WfBandQueue  *queue = data;
  const WfSeat *seat  = &queue->seats[lane->number];

  if (seat->anew && queue->pass.most > 0)
    queue->pass.most = MAX (queue->pass.most - (PARTS_IN_MEMORY - 1), 1);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 other = side == WF_BAND_FIRST ? number - 1 : number + 1;

      if (seat->raised[side])
        set_raised (queue, number, side);
      if (seat->raises[side])
        set_raised (queue, other, side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST);
    }
}


/*  The whole  */

/* Divides the image into bands that are lower, unless those that are there go on from their rims.
 * Of a band that can be raised at a side, the one that has the row there waits; if that has rows of
 * the band beside it as well, as in files, both are reconstructed together.
 */
static gboolean
divide_anew (WfBandQueue  *queue,
             GError      **error)
{
  const WfBands        before = queue->bands;
  const gint64         units  = count_units (&before.shape);
  g_autofree gpointer  kept   = queue->raised;
  gboolean const     (*raised)[WF_N_RIMS] = kept;

  queue->raised = NULL;
  bands_clear (queue);
  if (wf_queue_goes_on (queue))
    queue->parts = 1;
  queue->bands.length = wf_queue_is_in_memory (queue) ? before.length / queue->parts
                                                      : count_part (queue, before.length);
  queue->bands.n      = (units + queue->bands.length - 1) / queue->bands.length;
  if (! bands_init (queue, error))
    return FALSE;
  for (gint64 i = 0; i < before.n; i++)
    for (int side = 0; side < WF_N_RIMS; side++)
      if (raised[i][side])
        {
          const gint64 row = side == WF_BAND_FIRST ? wf_bands_first (&before, i)
                                                  : wf_bands_end (&before, i) - 1;

          wf_pass_set_waiting (&queue->pass, row / queue->bands.length, TRUE);
        }
  for (gint64 i = 0; i < queue->bands.n; i++)
    queue->visited[i] = TRUE;
  if (queue->kept)
    wf_queue_find_homes (queue);
  return TRUE;
}

/* As many visits of bands, after the first pass, as take the time of @most visits of each.  Where
 * they go on from their rims, they are counted as if they were divided; one that is computed anew
 * after all counts as all of its parts (follow_visit()).
 */
static gint64
count_most (const WfBandQueue *queue,
            gint64             most)
{
  return most * queue->bands.n * (wf_queue_goes_on (queue) ? PARTS_IN_MEMORY : 1);
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
  g_auto (WfBandQueue) queue = { .blocks = blocks,
                                 .pass   = { .visit = visit, .done = follow_visit,
                                             .data  = &queue } };

  if (! queue_init (&queue, error))
    return FALSE;
  queue.first_pass       = TRUE;
  queue.pass.every_other = wf_queue_is_in_memory (&queue) && queue.n_seats > 1;
  queue.pass.n_later     = queue.bands.n;
  for (gint64 i = 0; i < queue.bands.n; i++)
    wf_pass_set_waiting (&queue.pass, i, TRUE);
  if (! wf_workers_run (queue.workers, &queue.pass, blocks->steps, error) ||
      ! divide_anew (&queue, error))
    return FALSE;
  queue.first_pass       = FALSE;
  queue.pass.every_other = FALSE;
  queue.pass.most        = most > 0 ? count_most (&queue, most - 1) : 0;
  queue.pass.n_later     = 0;
  if (queue.pass.n_waiting > 0 &&
      ! wf_workers_run (queue.workers, &queue.pass, blocks->steps, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, queue.pass.n_waiting);
  *settled = queue.pass.n_waiting == 0;
  return TRUE;
}

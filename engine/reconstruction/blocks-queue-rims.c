/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rims of bands that are visited until nothing changes (blocks-queue.c).
 *
 * A visit raises the rims of its band to what they touch, and compares them afterwards with those
 * beside the band, in both directions.  Two bands that touch may be visited at the same time: each
 * first writes its own rims and then reads the other's, so the later one of the two sees both.
 *
 * In memory a lane reads the rims of a band from a copy, because a band that is being visited may
 * not be looked at.  Copies are made when a band is first visited after the image was divided: most
 * bands of a large image never are, and their rims are read in the image.  Lanes exclude each
 * other only while they copy a rim, some microseconds; what they compute with it is their own.
 */

#include "config.h"

#include <string.h>

#include "blocks-queue.h"


/* The first or the last row of a band. */
static gint64
find_row (const WfBandQueue *queue,
          gint64             number,
          WfBandSide         side)
{
  return side == WF_BAND_FIRST ? wf_bands_first (&queue->bands, number)
                               : wf_bands_end (&queue->bands, number) - 1;
}

static WfBandSide
find_facing (WfBandSide side)
{
  return side == WF_BAND_FIRST ? WF_BAND_LAST : WF_BAND_FIRST;
}

/* The number of the band beside band @number, or −1 if there is none or it has not been visited;
 * in memory called with the lock held.
 */
static gint64
find_beside (const WfBandQueue *queue,
             gint64             number,
             WfBandSide         side)
{
  const gint64 other = side == WF_BAND_FIRST ? number - 1 : number + 1;

  return other >= 0 && other < queue->bands.n && queue->visited[other] ? other : -1;
}

static guint8 *
find_copy (const WfBandQueue *queue,
           gint64             number,
           WfBandSide         side)
{
  return queue->rims + (number * WF_N_RIMS + side) * wf_queue_rim_size (queue);
}

/* The pixels of a rim in an image in memory. */
static gconstpointer
find_pixels (const WfBandQueue *queue,
             const WfImage     *image,
             gint64             number,
             WfBandSide         side)
{
  const gint64 row = find_row (queue, number, side);
  WfImage      view;

  wf_bands_view (&queue->bands, image, row, row + 1, &view);
  return view.data;
}

/* Keys of packed pixels of a rim, of the type of @image, which is in memory. */
static void
read_pixels (const WfBandQueue *queue,
             const WfImage     *image,
             gconstpointer      pixels,
             guint32           *keys)
{
  WfImage view;

  wf_bands_view (&queue->bands, image, 0, 1, &view);
  view.data = (gpointer) pixels;
  wf_rim_read (&queue->blocks->rim, &view, WF_BAND_FIRST, keys);
}

/* Copies the rims of a band as they are in the image; called with the lock held. */
static void
copy_rims (WfBandQueue *queue,
           gint64       number)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    memcpy (find_copy (queue, number, side),
            find_pixels (queue, queue->blocks->out->image, number, side),
            wf_queue_rim_size (queue));
  queue->has_rims[number] = TRUE;
}

/* In memory: lets others look at a band while it is changed. */
void
wf_queue_begin_change (WfBandQueue *queue,
                       gint64       number)
{
  g_mutex_lock (&queue->lock);
  if (queue->visited[number] && ! queue->has_rims[number])
    copy_rims (queue, number);
  g_mutex_unlock (&queue->lock);
}

/* Copies the rims beside a band for this lane.  @there: result: whether there are such; called with
 * the lock held
 */
static void
take_rims_beside (const WfBandQueue *queue,
                  const WfSeat      *seat,
                  gint64             number,
                  gboolean           there[WF_N_RIMS])
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64     other  = find_beside (queue, number, side);
      const WfBandSide facing = find_facing (side);

      there[side] = other >= 0;
      if (other >= 0)
        memcpy (seat->copies[side],
                queue->has_rims[other] ? find_copy (queue, other, facing)
                                       : find_pixels (queue, queue->blocks->out->image, other,
                                                      facing),
                wf_queue_rim_size (queue));
    }
}

/* Reads the keys of row, or slice, @row from files. */
static gboolean
read_rim (const WfBandQueue *queue,
          WfSeat            *seat,
          WfReadBlockFunc    read,
          gpointer           data,
          gint64             row,
          guint32           *keys,
          GError           **error)
{
  const gboolean stack = queue->bands.shape.depth > 1;

  if (! read (data, 0, stack ? 0 : row, stack ? row : 0, &seat->row, error))
    return FALSE;
  wf_rim_read (&queue->blocks->rim, &seat->row, WF_BAND_FIRST, keys);
  return TRUE;
}

/* Finds the levels of the rims beside a band.  @there: result; where TRUE, they can be read */
static void
find_rims_beside (WfBandQueue  *queue,
                  const WfSeat *seat,
                  gint64        number,
                  gboolean      there[WF_N_RIMS])
{
  if (wf_queue_is_in_memory (queue))
    {
      g_mutex_lock (&queue->lock);
      take_rims_beside (queue, seat, number, there);
      g_mutex_unlock (&queue->lock);
    }
  else
    for (int side = 0; side < WF_N_RIMS; side++)
      there[side] = find_beside (queue, number, side) >= 0;
}

/* Reads the levels of the rim at @side of the band visited, which belongs to the band there. */
static gboolean
read_beside (const WfBandQueue *queue,
             WfSeat            *seat,
             gint64             number,
             WfBandSide         side,
             GError           **error)
{
  const WfBlockSink *out   = queue->blocks->out;
  const gint64       other = side == WF_BAND_FIRST ? number - 1 : number + 1;

  if (! wf_queue_is_in_memory (queue))
    return read_rim (queue, seat, out->read, out->data,
                     find_row (queue, other, find_facing (side)), seat->beside, error);
  read_pixels (queue, out->image, seat->copies[side], seat->beside);
  return TRUE;
}

static gboolean
read_mask_beside (const WfBandQueue *queue,
                  WfSeat            *seat,
                  gint64             number,
                  WfBandSide         side,
                  GError           **error)
{
  const WfBlockSource *mask  = queue->blocks->mask;
  const gint64         other = side == WF_BAND_FIRST ? number - 1 : number + 1;

  if (! mask->image)
    return read_rim (queue, seat, mask->read, mask->data,
                     find_row (queue, other, find_facing (side)), seat->mask_beside, error);
  read_pixels (queue, mask->image, find_pixels (queue, mask->image, other, find_facing (side)),
               seat->mask_beside);
  return TRUE;
}

/* Whether keys that have been spread across a seam can raise a rim. */
static gboolean
can_raise (const WfBandQueue *queue,
           const guint32     *spread,
           const guint32     *mask,
           const guint32     *levels)
{
  const gint64 n   = wf_rim_n_pixels (&queue->blocks->rim);
  guint32      can = 0;

  for (gint64 i = 0; i < n; i++)    /* for vectors: to the end */
    can |= MIN (spread[i], mask[i]) > levels[i];
  return can != 0;
}

/* Raises the rims of a band, which the lane may change, to what they touch. */
gboolean
wf_queue_raise_rims (WfBandQueue  *queue,
                     WfSeat       *seat,
                     gint64        number,
                     GError      **error)
{
  gboolean there[WF_N_RIMS];

  find_rims_beside (queue, seat, number, there);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      if (! there[side])
        continue;
      if (! read_beside (queue, seat, number, side, error))
        return FALSE;
      wf_rim_spread (&queue->blocks->rim, seat->beside, seat->spread);
      wf_rim_raise (&queue->blocks->rim, &seat->levels, side, seat->spread);
    }
  return TRUE;
}

/* In memory: the rims of band @number of the marker, which is not changed, raised to what they
 * touch.  @risen: result: their pixels, or %NULL
 */
void
wf_queue_find_risen (WfBandQueue   *queue,
                     WfSeat        *seat,
                     gint64         number,
                     const WfImage *marker,
                     gconstpointer  risen[WF_N_RIMS])
{
  const gsize    size   = wf_queue_rim_size (queue);
  const gint64   last   = wf_image_n_pixels (marker) * wf_type_size (marker->type) - size;
  gboolean       there[WF_N_RIMS];

  find_rims_beside (queue, seat, number, there);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gboolean again = last == 0 && side == WF_BAND_LAST && there[WF_BAND_FIRST];
      guint8        *row   = seat->risen[again ? WF_BAND_FIRST : side];
      WfImage        view;

      risen[side] = NULL;
      if (! there[side])
        continue;
      if (! again)    /* a band of one row, or slice, has one rim */
        {
          memcpy (row, (char *) marker->data + (side == WF_BAND_LAST ? last : 0), size);
          risen[side] = row;
        }
      wf_bands_view (&queue->bands, marker, 0, 1, &view);
      view.data = row;
      read_pixels (queue, queue->blocks->out->image, seat->copies[side], seat->beside);
      wf_rim_spread (&queue->blocks->rim, seat->beside, seat->spread);
      wf_rim_raise (&queue->blocks->rim, &view, WF_BAND_FIRST, seat->spread);
    }
}

/* Compares the rims at one seam of the band visited. */
static gboolean
compare_seam (const WfBandQueue *queue,
              WfSeat            *seat,
              gint64             number,
              WfBandSide         side,
              GError           **error)
{
  const WfRim *rim = &queue->blocks->rim;

  if (! read_beside (queue, seat, number, side, error) ||
      ! read_mask_beside (queue, seat, number, side, error))
    return FALSE;
  wf_rim_read (rim, &seat->levels, side, seat->own);
  wf_rim_read (rim, &seat->mask, side, seat->own_mask);
  wf_rim_spread (rim, seat->own, seat->spread);
  seat->raises[side] = can_raise (queue, seat->spread, seat->mask_beside, seat->beside);
  wf_rim_spread (rim, seat->beside, seat->spread);
  seat->raised[side] = can_raise (queue, seat->spread, seat->own_mask, seat->own);
  return TRUE;
}

/* A band has been written: tells others its rims, and compares them with those beside it, as they
 * were written.
 */
gboolean
wf_queue_compare_rims (WfBandQueue  *queue,
                       WfSeat       *seat,
                       gint64        number,
                       GError      **error)
{
  const gboolean in_memory = wf_queue_is_in_memory (queue);
  gboolean       there[WF_N_RIMS];

  if (in_memory)
    {
      g_mutex_lock (&queue->lock);
      copy_rims (queue, number);
    }
  queue->visited[number] = TRUE;
  if (in_memory)
    g_mutex_unlock (&queue->lock);
  find_rims_beside (queue, seat, number, there);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      seat->raised[side] = FALSE;
      seat->raises[side] = FALSE;
      if (there[side] && ! compare_seam (queue, seat, number, side, error))
        return FALSE;
    }
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in bands that are visited until nothing changes.
 *
 * A visit reads a band, raises its rims to what they touch in the bands beside it, reconstructs it
 * by itself and writes it.  Then the rims beside it are compared: a band that this one can raise
 * waits for a visit.  First all bands are visited from first to last.  Then the image is divided
 * anew into bands of a fraction of the rows, as most waves that cross a seam are short, and those
 * that wait are visited in order, up and down in turn, so that a wave that crosses many bands
 * crosses each of them once.
 *
 * The levels so far are those that were written: of other bands a visit reads back only the rims.
 * So memory holds one band and four rims, however large the image is.
 *
 * Source: of the propagation between tiles, Teodoro, Pan, Kurc, Kong, Cooper, Saltz, Efficient
 * irregular wavefront propagation algorithms on hybrid CPU–GPU machines, Parallel Computing 39
 * (2013).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"

/**
 * Work:
 * @levels: of a band: the marker, then the result
 * @row: the pixels of a rim of another band
 * @beside: keys of the rims of the bands beside the one visited: their levels
 * @mask_beside: and their masks
 * @own: keys of a rim of the band visited
 * @spread: keys across a seam
 * @n_first: bands that have been visited
 * @waits: for each band: whether a band beside it can raise it
 * @n_waiting: how many do
 */
typedef struct
{
  const WfReconstructBlocks *blocks;
  WfBands                    bands;
  WfImage                    mask;
  WfImage                    levels;
  WfImage                    row;
  guint32                   *beside[WF_N_RIMS];
  guint32                   *mask_beside[WF_N_RIMS];
  guint32                   *own;
  guint32                   *spread;
  gint64                     n_first;
  gboolean                  *waits;
  gint64                     n_waiting;
} Work;

/* How many parts a band is divided into after the first pass.  More parts mean fewer pixels but
 * more visits, and the threads wait for each other at the end of each: long on a busy machine.
 */
#define PARTS 4

/* Keys for each pixel of a rim. */
#define N_KEYS (2 * WF_N_RIMS + 2)


static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const WfReconstructBlocks *blocks = data;
  const gsize                size   = wf_type_size (blocks->mask->type);

  return wf_reconstruct_band_memory (blocks, band) + 2 * size * wf_shape_n_pixels (band)
         + wf_rim_n_pixels (&blocks->rim) * (size + N_KEYS * sizeof (guint32));
}

static void
work_clear (Work *work)
{
  wf_image_clear (&work->mask);
  wf_image_clear (&work->levels);
  wf_image_clear (&work->row);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      g_free (work->beside[side]);
      g_free (work->mask_beside[side]);
    }
  g_free (work->own);
  g_free (work->spread);
  g_free (work->waits);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfRim               *rim    = &blocks->rim;
  const gint64               n      = wf_rim_n_pixels (rim);

  if (! wf_bands_divide (&work->bands, blocks->context, blocks->mask, blocks->rows, band_memory,
                         blocks, error))
    return FALSE;
  work->waits = g_new0 (gboolean, work->bands.n);
  for (int side = 0; side < WF_N_RIMS; side++)
    if (! (work->beside[side] = wf_allocate (n, sizeof (guint32), error)) ||
        ! (work->mask_beside[side] = wf_allocate (n, sizeof (guint32), error)))
      return FALSE;
  return (work->own = wf_allocate (n, sizeof (guint32), error)) &&
         (work->spread = wf_allocate (n, sizeof (guint32), error)) &&
         wf_bands_allocate (&work->bands, rim->type, 0, &work->mask, error) &&
         wf_bands_allocate (&work->bands, rim->type, 0, &work->levels, error) &&
         wf_image_allocate (&work->row, rim->type, rim->width, rim->height, 1, error);
}


/*  Bands beside the one visited  */

/* The number of the band beside band @number, or −1 if there is none or it has not been visited. */
static gint64
find_beside (const Work *work,
             gint64      number,
             WfRimSide   side)
{
  const gint64 other = side == WF_RIM_FIRST ? number - 1 : number + 1;

  return other < work->n_first ? other : -1;
}

/* Reads the rims that face the band, levels and masks. */
static gboolean
read_beside (Work       *work,
             gint64      other,
             WfRimSide   side,
             GError    **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const gboolean             stack  = work->bands.shape.depth > 1;
  const gint64               first  = side == WF_RIM_FIRST
                                      ? wf_bands_first (&work->bands, other + 1) - 1
                                      : wf_bands_first (&work->bands, other);
  const gint64               y      = stack ? 0 : first;
  const gint64               z      = stack ? first : 0;

  if (! blocks->out->read (blocks->out->data, 0, y, z, &work->row, error))
    return FALSE;
  wf_rim_read (&blocks->rim, &work->row, WF_RIM_FIRST, work->beside[side]);
  if (! blocks->mask->read (blocks->mask->data, 0, y, z, &work->row, error))
    return FALSE;
  wf_rim_read (&blocks->rim, &work->row, WF_RIM_FIRST, work->mask_beside[side]);
  return TRUE;
}

/* Whether the rim of the visited band, spread across the seam, can raise the rim beside it. */
static gboolean
can_raise (const Work *work,
           WfRimSide   side)
{
  const guint32 *beside = work->beside[side];
  const guint32 *mask   = work->mask_beside[side];

  for (gint64 i = 0; i < wf_rim_n_pixels (&work->blocks->rim); i++)
    if (MIN (work->spread[i], mask[i]) > beside[i])
      return TRUE;
  return FALSE;
}

static void
set_waiting (Work     *work,
             gint64    number,
             gboolean  waits)
{
  work->n_waiting    += (waits != FALSE) - (work->waits[number] != FALSE);
  work->waits[number] = waits;
}


/*  Visits  */

static gboolean
read_band (Work    *work,
           gint64   number,
           GError **error)
{
  const WfReconstructBlocks *blocks  = work->blocks;
  const WfBlockSource        so_far  = wf_reconstruct_so_far (blocks);
  const gboolean             visited = number < work->n_first;

  wf_bands_fit_view (&work->bands, number, &work->mask);
  return wf_bands_read (&work->bands, blocks->context, blocks->mask, number, _("mask"),
                        &work->mask, error) &&
         wf_bands_read (&work->bands, blocks->context, visited ? &so_far : blocks->marker, number,
                        _("marker"), &work->levels, error);
}

static gboolean
visit (Work    *work,
       gint64   number,
       GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;

  if (! read_band (work, number, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 other = find_beside (work, number, side);

      if (other < 0)
        continue;
      if (! read_beside (work, other, side, error))
        return FALSE;
      wf_rim_spread (&blocks->rim, work->beside[side], work->spread);
      wf_rim_raise (&blocks->rim, &work->levels, side, work->spread);
    }
  if (! wf_reconstruct_band (blocks, &work->mask, &work->levels, &work->levels, error) ||
      ! wf_bands_write (&work->bands, blocks->out, number, &work->levels, error))
    return FALSE;

  set_waiting (work, number, FALSE);
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 other = find_beside (work, number, side);

      if (other < 0)
        continue;
      wf_rim_read (&blocks->rim, &work->levels, side, work->own);
      wf_rim_spread (&blocks->rim, work->own, work->spread);
      set_waiting (work, other, work->waits[other] || can_raise (work, side));
    }
  return TRUE;
}


/*  The whole  */

/* The next band that waits from @number on, up or down, or −1 if there is none. */
static gint64
find_waiting (const Work *work,
              gint64      number,
              int         step)
{
  for (; number >= 0 && number < work->bands.n; number += step)
    if (work->waits[number])
      return number;
  return -1;
}

/* Divides the image into bands that are PARTS times lower.  Of a band that waited for a visit from
 * below, the one that has its last row waits; if that has rows of the next as well, both are
 * reconstructed together.
 */
static void
divide_anew (Work *work)
{
  const WfBands       before = work->bands;
  const gint64        units  = before.shape.depth > 1 ? before.shape.depth : before.shape.height;
  g_autofree gboolean *waited = g_steal_pointer (&work->waits);

  work->bands.length = (before.length + PARTS - 1) / PARTS;
  work->bands.n      = (units + work->bands.length - 1) / work->bands.length;
  work->waits        = g_new0 (gboolean, work->bands.n);
  work->n_waiting    = 0;
  work->n_first      = work->bands.n;
  for (gint64 i = 0; i < before.n; i++)
    if (waited[i])
      set_waiting (work, (wf_bands_first (&before, i + 1) - 1) / work->bands.length, TRUE);
}

/* Visits the bands that wait until none does, or @most times. */
static gboolean
visit_again (Work     *work,
             gint64    most,
             GError  **error)
{
  gint64 at   = work->bands.n - 1;
  int    step = -1;

  for (gint64 i = 0; i < most && work->n_waiting > 0;)
    {
      const gint64 next = find_waiting (work, at, step);

      if (next < 0)
        {
          step = -step;
          continue;
        }
      wf_steps_set_left (work->blocks->steps, work->n_waiting + 1);
      if (! visit (work, next, error) || ! wf_steps_next (work->blocks->steps, error))
        return FALSE;
      at = next;
      i++;
    }
  if (work->n_waiting == 0)
    wf_steps_set_left (work->blocks->steps, 0);
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
  g_auto (Work) work = { .blocks = blocks };

  if (! work_init (&work, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, 2 * work.bands.n);
  for (gint64 i = 0; i < work.bands.n; i++)
    {
      if (! visit (&work, i, error) || ! wf_steps_next (blocks->steps, error))
        return FALSE;
      work.n_first++;
    }
  divide_anew (&work);
  if (! visit_again (&work, most > 0 ? (most - 1) * work.bands.n : G_MAXINT64, error))
    return FALSE;
  *settled = work.n_waiting == 0;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The memory of a watershed in bands (blocks.c), all of which is counted before the image is
 * divided: a band with what is made of it, and the sides and the minima at all seams, of which
 * there are the more the lower the bands are.
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"
#include "engine/label/cpu/runs.h"

/* Bytes for a pixel at a side of a seam: L2, label, minimum, whether it is known; and of a halo:
 * whether it is a marker.
 */
#define SIDE_BYTES (3 * sizeof (guint32) + 2)

/* The same where bands are finished early. */
#define EARLY_SIDE_BYTES (SIDE_BYTES + 2 * sizeof (guint32))

/* Bytes for a pixel along a seam that each lane needs: L2 at four sides, minima at two. */
#define SEAT_BYTES (6 * sizeof (guint32))

/* The part of the memory that the labels of markers may take. */
#define SHARE_OF_LABELS 16


static gint64
count_units (const WfFloodBlocks *blocks)
{
  return blocks->source->depth > 1 ? blocks->source->depth : blocks->source->height;
}

/* Rows, or slices, of this rank. */
static gint64
count_own (const WfFloodBlocks *blocks)
{
  const WfPart part = wf_ranks_find_part (blocks->context->ranks, count_units (blocks));

  return MAX (part.end - part.first, 1);
}

/* Bytes of pixels of what is flooded, with the halo, that a lane keeps in main memory. */
static guint64
count_pixel (const WfFloodBlocks *blocks,
             gboolean             here)
{
  const gboolean view  = ! blocks->is_made && blocks->relief.filter.image->image &&
                         (! here || ! blocks->relief.filter.apply);
  guint64        bytes = view ? 0 : wf_type_size (blocks->source->type);

  if (blocks->options.tolerance > 0)
    bytes += wf_type_size (blocks->source->type);
  if (! here)
    return bytes + (blocks->markers ? sizeof (guint32) : 0)
           + (blocks->sink->image ? 0 : sizeof (guint32));
  return bytes + 1 + sizeof (guint32) + (blocks->options.lines ? sizeof (guint32) : 0);
}

/* Bytes for a band with its halo, of this shape: with a lane of the CPU, whether it works or is a
 * reserve, and the other lanes.
 */
static guint64
count_band (const WfFloodBlocks *blocks,
            const WfShape       *band)
{
  const guint64 n = wf_shape_n_pixels (band);

  /* L2 in 32 bits; labels of runs of markers, or minima and numbers of every second pixel */
  const guint64 flood = (blocks->markers ? 2 * sizeof (guint32)
                                         : sizeof (guint32) + sizeof (guint32) / 2) * n
                        + (blocks->markers ? 0 : wf_runs_memory (band));

  return count_pixel (blocks, TRUE) * n + (blocks->n_seats - 1) * count_pixel (blocks, FALSE) * n
         + MAX (flood, wf_band_relief_memory (&blocks->relief));
}

/* Bytes for counting the labels of markers. */
static guint64
count_labels (const WfFloodBlocks *blocks)
{
  return blocks->markers ? wf_context_get_memory (blocks->context) / SHARE_OF_LABELS : 0;
}

/* Bytes for a pixel at a side of a seam. */
static guint64
count_side (const WfFloodBlocks *blocks)
{
  return wf_flood_can_be_early (blocks) ? EARLY_SIDE_BYTES : SIDE_BYTES;
}

/* Bytes for bands of @length rows, or slices. */
static guint64
count_bytes (const WfFloodBlocks *blocks,
             gint64               length)
{
  const WfBlockSource *source  = blocks->source;
  const gint64         n_bands = (count_own (blocks) + length - 1) / length;
  const gint64         longest = MIN (length + 2, count_units (blocks));
  const WfShape        band    = source->depth > 1
                                 ? (WfShape) { source->width, source->height, longest }
                                 : (WfShape) { source->width, longest, 1 };

  return count_band (blocks, &band) + count_labels (blocks)
         + blocks->n_seats * blocks->rim * SEAT_BYTES
         + 2 * (n_bands + (blocks->has_outer ? 1 : -1)) * blocks->rim * count_side (blocks)
         + wf_flood_exits_memory (blocks)
         + wf_seams_memory (blocks->rim, n_bands, blocks->context->ranks);
}

/* The number of rows that takes the least memory. */
static gint64
find_least_length (const WfFloodBlocks *blocks)
{
  const gint64 units = count_own (blocks);
  const double seam  = 2.0 * blocks->rim * count_side (blocks)
                       + wf_seams_memory (blocks->rim, 2, NULL);
  const double unit  = (count_bytes (blocks, units) + 1.0) / units;

  return CLAMP ((gint64) sqrt (seam * units / unit), 1, units);
}

/* The bytes never decrease with the length: lengths below that which takes the least memory, and
 * those that are not wanted, count as the nearest that may be taken.
 */
static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const WfFloodBlocks *blocks = data;
  const gint64         units  = count_own (blocks);
  const gint64         length = MAX (blocks->source->depth > 1 ? band->depth : band->height,
                                     find_least_length (blocks));

  return count_bytes (blocks, MIN (length, blocks->rows > 0 ? MIN (blocks->rows, units) : units));
}

static gboolean
allocate_seams (WfFloodBlocks  *blocks,
                GError        **error)
{
  const gint64 n = wf_flood_count_sides (blocks);

  if (! wf_seams_init (&blocks->seams, &blocks->bands, blocks->connectivity, 0, error) ||
      ! (blocks->distance = wf_allocate (n, sizeof (guint32), error)) ||
      ! (blocks->label = wf_allocate_zeroed (n, sizeof (guint32), error)) ||
      ! (blocks->minima = wf_allocate_zeroed (n, sizeof (guint32), error)) ||
      ! (blocks->known = wf_allocate_zeroed (n, 1, error)))          /* WF_END_IN_BAND */
    return FALSE;
  memset (blocks->distance, 0xff, n * sizeof (guint32));
  return TRUE;
}

/* What a CPU works in; others have memory of their own. */
static gboolean
allocate_here (const WfFloodBlocks  *blocks,
               WfFloodSeat          *seat,
               gint64                n,
               GError              **error)
{
  return (seat->arrows = wf_allocate (n, 1, error)) &&
         (seat->basins = wf_allocate (n, sizeof (guint32), error)) &&
         (! blocks->options.lines || (seat->lines = wf_allocate (n, sizeof (guint32), error)));
}

static gboolean
seat_init (const WfFloodBlocks  *blocks,
           WfFloodSeat          *seat,
           gboolean              here,
           GError              **error)
{
  const WfBandFilter *filter = &blocks->relief.filter;
  const WfType        type   = blocks->source->type;
  const gboolean      raw    = ! blocks->is_made && (! here || ! filter->apply);
  const WfShape      *shape  = &blocks->bands.shape;
  const gint64        units  = shape->depth > 1 ? shape->depth : shape->height;

  for (int side = 0; side < 2; side++)
    if (! (seat->outside[side] = wf_allocate (blocks->rim, sizeof (guint32), error)) ||
        ! (seat->inside[side] = wf_allocate (blocks->rim, sizeof (guint32), error)) ||
        ! (seat->minima[side] = wf_allocate (blocks->rim, sizeof (guint32), error)))
      return FALSE;
  if ((! (raw && filter->image->image) &&
       ! wf_bands_allocate (&blocks->bands, type, 1 + (raw ? filter->margin : 0), &seat->image,
                            error)) ||
      (blocks->options.tolerance > 0 &&
       ! wf_bands_allocate (&blocks->bands, type, 1, &seat->ground, error)) ||
      (here && ! allocate_here (blocks, seat, MIN (blocks->bands.length + 2, units) * blocks->rim,
                                error)) ||
      (! blocks->sink->image && ! here &&
       ! wf_bands_allocate (&blocks->bands, WF_TYPE_U32, 0, &seat->labels, error)))
    return FALSE;
  if (here)
    {
      seat->labels  = wf_image_without_pixels (WF_TYPE_U32, shape);
      seat->markers = seat->labels;
      seat->markers.data = seat->basins;
      return TRUE;
    }
  return ! blocks->markers ||
         wf_bands_allocate (&blocks->bands, WF_TYPE_U32, 1, &seat->markers, error);
}

static void
seat_clear (WfFloodSeat *seat)
{
  wf_image_clear (&seat->image);
  wf_image_clear (&seat->ground);
  if (! seat->basins)
    wf_image_clear (&seat->markers);
  if (! seat->basins)
    wf_image_clear (&seat->labels);
  g_free (seat->arrows);
  g_free (seat->basins);
  g_free (seat->lines);
  for (int side = 0; side < 2; side++)
    {
      g_free (seat->outside[side]);
      g_free (seat->inside[side]);
      g_free (seat->minima[side]);
    }
}

/* Divides the image so that bands are within the memory and their pixels, with as many ends of
 * paths in their halo, are numbered by 32 bits.
 */
gboolean
wf_flood_blocks_divide (WfFloodBlocks  *blocks,
                        GError        **error)
{
  const gint64 most = G_MAXUINT32 / blocks->rim - 4;

  if (most < 1)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                   _("The size of the %s, %" PRId64 " × %" PRId64
                     " × %" PRId64 ", is too large to be addressed."),
                   _("image"), blocks->source->width, blocks->source->height,
                   blocks->source->depth);
      return FALSE;
    }
  if (most < count_units (blocks))
    blocks->rows = blocks->rows > 0 ? MIN (blocks->rows, most) : most;
  return wf_bands_divide (&blocks->bands, blocks->context, blocks->source, blocks->rows,
                          band_memory, 0, blocks, error);
}

/* Allocates what all visits of bands need. */
gboolean
wf_flood_blocks_allocate (WfFloodBlocks  *blocks,
                          GError        **error)
{
  g_mutex_init (&blocks->lock);
  g_rw_lock_init (&blocks->join_lock);
  blocks->kept  = g_new0 (WfFloodKept, blocks->bands.n);
  blocks->home  = g_new (int, 2 * blocks->bands.n);
  blocks->waits = g_new (gboolean, 2 * blocks->bands.n + 1);
  blocks->seats = g_new0 (WfFloodSeat, blocks->n_seats);
  if (! allocate_seams (blocks, error))
    return FALSE;
  for (guint i = 0; i < blocks->n_seats; i++)
    if (! seat_init (blocks, &blocks->seats[i], wf_flood_works_here (blocks, i), error))
      return FALSE;
  if (blocks->markers)
    wf_label_set_init (&blocks->labels, count_labels (blocks));
  return ! wf_flood_can_be_early (blocks) || wf_flood_early_init (blocks, error);
}

void
wf_flood_blocks_clear (WfFloodBlocks *blocks)
{
  for (gint64 i = 0; blocks->kept && i < blocks->bands.n; i++)
    wf_flood_release (blocks, i);
  for (guint i = 0; blocks->seats && i < blocks->n_seats; i++)
    seat_clear (&blocks->seats[i]);
  if (blocks->seats)
    {
      g_mutex_clear (&blocks->lock);
      g_rw_lock_clear (&blocks->join_lock);
    }
  g_clear_pointer (&blocks->workers, wf_workers_free);
  wf_band_relief_clear (&blocks->relief);
  wf_label_set_clear (&blocks->labels);
  wf_flood_early_clear (&blocks->early);
  wf_seams_clear (&blocks->seams);
  g_free (blocks->seats);
  g_free (blocks->kept);
  g_free (blocks->spare);
  g_free (blocks->home);
  g_free (blocks->waits);
  g_free (blocks->distance);
  g_free (blocks->label);
  g_free (blocks->minima);
  g_free (blocks->known);
}

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

/* Bytes for a pixel at a side of a seam: L2, label, whether it is known; and of a halo: whether it
 * is a marker.
 */
#define SIDE_BYTES (2 * sizeof (guint32) + 2)

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

/* Bytes for a band with its halo, of this shape. */
static guint64
count_band (const WfFloodBlocks *blocks,
            const WfShape       *band)
{
  const guint64 n = wf_shape_n_pixels (band);

  /* levels, with a tolerance also those of the relief; arrows, labels, lines */
  const guint64 kept = wf_type_size (blocks->source->type) * (blocks->options.tolerance > 0 ? 2 : 1)
                       + 1 + sizeof (guint32) + (blocks->options.lines ? sizeof (guint32) : 0);

  /* L2 in 32 bits; labels of runs of markers, or minima and numbers of every second pixel */
  const guint64 flood = (blocks->markers ? 2 * sizeof (guint32)
                                         : sizeof (guint32) + sizeof (guint32) / 2) * n
                        + (blocks->markers ? 0 : wf_runs_memory (band));

  return kept * n + MAX (flood, wf_band_relief_memory (&blocks->relief));
}

/* Bytes for counting the labels of markers. */
static guint64
count_labels (const WfFloodBlocks *blocks)
{
  return blocks->markers ? wf_context_get_memory (blocks->context) / SHARE_OF_LABELS : 0;
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
         + 2 * (n_bands + (blocks->has_outer ? 1 : -1)) * blocks->rim * SIDE_BYTES
         + wf_flood_exits_memory (blocks)
         + wf_seams_memory (blocks->rim, n_bands, blocks->context->ranks);
}

/* The number of rows that takes the least memory. */
static gint64
find_least_length (const WfFloodBlocks *blocks)
{
  const gint64 units = count_own (blocks);
  const double seam  = 2.0 * blocks->rim * SIDE_BYTES + wf_seams_memory (blocks->rim, 2, NULL);
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
      ! (blocks->label = wf_allocate (n, sizeof (guint32), error)) ||
      ! (blocks->known = wf_allocate (n, 1, error)))
    return FALSE;
  memset (blocks->distance, 0xff, n * sizeof (guint32));
  memset (blocks->label, 0, n * sizeof (guint32));
  memset (blocks->known, WF_END_IN_BAND, n);
  return TRUE;
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
  const WfType type = blocks->source->type;
  gint64       n;

  if (! allocate_seams (blocks, error) ||
      ! wf_bands_allocate (&blocks->bands, type, 1, &blocks->image, error) ||
      (blocks->options.tolerance > 0 &&
       ! wf_bands_allocate (&blocks->bands, type, 1, &blocks->ground, error)))
    return FALSE;
  if (blocks->markers)
    wf_label_set_init (&blocks->labels, count_labels (blocks));
  n = wf_image_n_pixels (&blocks->image);
  return (blocks->arrows = wf_allocate (n, 1, error)) &&
         (blocks->basins = wf_allocate (n, sizeof (guint32), error)) &&
         (! blocks->options.lines || (blocks->lines = wf_allocate (n, sizeof (guint32), error)));
}

void
wf_flood_blocks_clear (WfFloodBlocks *blocks)
{
  wf_band_relief_clear (&blocks->relief);
  wf_image_clear (&blocks->image);
  wf_image_clear (&blocks->ground);
  wf_label_set_clear (&blocks->labels);
  wf_seams_clear (&blocks->seams);
  g_free (blocks->arrows);
  g_free (blocks->basins);
  g_free (blocks->lines);
  g_free (blocks->distance);
  g_free (blocks->label);
  g_free (blocks->known);
}

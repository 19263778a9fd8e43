/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Has GIMP scale the pixels of a block in small pieces.
 *
 * GIMP computes a level of its pyramid when it is first needed, from the levels below, and
 * for a block that can take many seconds.  So single pixels of the tiles under the block
 * are requested first, level by level upward: each request makes GIMP compute one tile from
 * a bounded number of bytes.  After that the block itself comes at once.  Where GIMP has
 * everything already the requests take hardly any time.
 */

#include "config.h"

#include "block-warming.h"

/* GIMP computes a piece from at most this many bytes, in about a hundredth of a second. */
#define PIECE_BYTES (4 << 20)
/* A piece is one of GIMP's tiles; the next ones are this many pyramid levels higher. */
#define PIECE_SIDE  128
#define PIECE_STEP  2


/**
 * wf_block_warming_init:
 * @warming: set to no block
 */
void
wf_block_warming_init (WfBlockWarming *warming)
{
  *warming = (WfBlockWarming) { .key = G_MAXUINT64 };
}

/**
 * wf_block_warming_begin:
 * @warming: set to the first pieces of a block
 * @key: the block
 * @pixels: where it comes from
 *
 * The first pieces are at the highest pyramid level at which one is computed soon.
 */
void
wf_block_warming_begin (WfBlockWarming      *warming,
                        guint64              key,
                        const WfBlockPixels *pixels)
{
  const int size  = PIECE_SIDE * PIECE_SIDE * babl_format_get_bytes_per_pixel (pixels->format);
  int       level = 0;

  while (size << 2 * (level + 1) <= PIECE_BYTES)
    level++;
  *warming = (WfBlockWarming) { .key = key, .pyramid_level = level };
}

/* Requests one pixel of each piece at the present level; returns whether all are done. */
static gboolean
touch_pieces (WfBlockWarming      *warming,
              WfBlockPixels       *pixels,
              int                  pyramid_level,
              const GeglRectangle *part,
              WfFetch             *fetch)
{
  const int below     = pyramid_level - warming->pyramid_level;
  const int n_columns = ((part->width << below) + PIECE_SIDE - 1) / PIECE_SIDE;
  const int n_rows    = ((part->height << below) + PIECE_SIDE - 1) / PIECE_SIDE;

  for (; warming->piece < n_columns * n_rows; warming->piece++)
    {
      if (! wf_fetch_has_time (fetch))
        return FALSE;
      wf_block_pixels_touch (pixels, warming->pyramid_level,
                             (part->x << below) + warming->piece % n_columns * PIECE_SIDE,
                             (part->y << below) + warming->piece / n_columns * PIECE_SIDE);
      fetch->n_requests++;
    }
  return TRUE;
}

/**
 * wf_block_warming_step:
 * @warming: of the block, begun
 * @pixels: where it comes from
 * @pyramid_level: of the block
 * @part: its pixels at that level
 * @fetch: the step
 *
 * Returns: whether GIMP has all that the block needs
 */
gboolean
wf_block_warming_step (WfBlockWarming      *warming,
                       WfBlockPixels       *pixels,
                       int                  pyramid_level,
                       const GeglRectangle *part,
                       WfFetch             *fetch)
{
  for (; warming->pyramid_level < pyramid_level;
       warming->pyramid_level += PIECE_STEP, warming->piece = 0)
    if (! touch_pieces (warming, pixels, pyramid_level, part, fetch))
      return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A block of pixels, levels and colours, and how the next level of the pyramid is computed:
 * each pixel is the mean of the four under it.
 */

#include "config.h"

#include <string.h>

#include "block.h"


/**
 * wf_block_new:
 * @key: in the store
 * @width: in pixels
 * @height: in pixels
 * @type: of the levels
 * @colors: whether with colors
 *
 * Returns: (transfer full): a block with undefined pixels
 */
WfBlock *
wf_block_new (guint64  key,
              int      width,
              int      height,
              WfType   type,
              gboolean colors)
{
  WfBlock    *block = g_new0 (WfBlock, 1);
  const gsize n     = (gsize) width * height;

  *block = (WfBlock) { .key = key, .width = width, .height = height, .type = type };
  block->levels = g_malloc (n * wf_type_size (type));
  block->colors = colors ? g_malloc (4 * n) : NULL;
  return block;
}

/**
 * wf_block_free:
 * @block: (type WfBlock) (transfer full): a block
 */
void
wf_block_free (gpointer block)
{
  g_free (((WfBlock *) block)->levels);
  g_free (((WfBlock *) block)->colors);
  g_free (block);
}

/**
 * wf_block_n_bytes:
 * @block: a block
 *
 * Returns: the size of its pixels in bytes
 */
gsize
wf_block_n_bytes (const WfBlock *block)
{
  return (gsize) block->width * block->height *
         (wf_type_size (block->type) + (block->colors ? 4 : 0));
}

/**
 * wf_block_differs:
 * @block: a block
 * @other: one of the same size and type
 *
 * Returns: whether their levels, or colors that both have, differ
 */
gboolean
wf_block_differs (const WfBlock *block,
                  const WfBlock *other)
{
  const gsize n = (gsize) block->width * block->height;

  return memcmp (block->levels, other->levels, n * wf_type_size (block->type)) != 0 ||
         (block->colors && other->colors && memcmp (block->colors, other->colors, 4 * n) != 0);
}


/*  Halves  */

#define HALVE(Type, Sum, half) \
  for (int y = 0; y < height; y++) \
    { \
      const Type *upper = (const Type *) from + (gsize) 2 * y * from_width; \
      const Type *lower = upper + from_width; \
      Type       *out   = (Type *) to + (gsize) y * to_width; \
 \
      for (int x = 0; x < width; x++) \
        out[x] = (Type) (((Sum) upper[2 * x] + upper[2 * x + 1] + \
                          lower[2 * x] + lower[2 * x + 1] + (half)) / 4); \
    }

static void
halve_levels (WfType        type,
              gconstpointer from,
              int           from_width,
              gpointer      to,
              int           to_width,
              int           width,
              int           height)
{
  switch (type)
    {
    case WF_TYPE_U8:
      HALVE (guint8, guint, 2);
      break;
    case WF_TYPE_U16:
      HALVE (guint16, guint, 2);
      break;
    default:
      HALVE (float, float, 0);
      break;
    }
}

/* Colours are weighted by their alpha. */
static void
mix (const guint8 *const  pixels[4],
     guint8              *out)
{
  guint opacity = 0;
  guint sums[3] = { 0 };

  for (int i = 0; i < 4; i++)
    {
      opacity += pixels[i][3];
      for (int c = 0; c < 3; c++)
        sums[c] += pixels[i][3] * pixels[i][c];
    }
  for (int c = 0; c < 3; c++)
    out[c] = opacity > 0 ? (guint8) ((sums[c] + opacity / 2) / opacity) : 0;
  out[3] = (guint8) ((opacity + 2) / 4);
}

static void
halve_colors (const guint8 *from,
              int           from_width,
              guint8       *to,
              int           to_width,
              int           width,
              int           height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint8       *upper     = from + 4 * ((gsize) 2 * y * from_width + 2 * x);
        const guint8       *lower     = upper + 4 * (gsize) from_width;
        const guint8 *const pixels[4] = { upper, upper + 4, lower, lower + 4 };

        mix (pixels, to + 4 * ((gsize) y * to_width + x));
      }
}

/**
 * wf_block_put_halved:
 * @block: a block
 * @x: left edge of the pixels of @block to set
 * @y: upper edge
 * @width: number of them along the axis
 * @height: likewise
 * @large: the block whose means they are: at least twice as many pixels along each axis,
 *   with colors if @block has some
 */
void
wf_block_put_halved (WfBlock       *block,
                     int            x,
                     int            y,
                     int            width,
                     int            height,
                     const WfBlock *large)
{
  const gsize place = (gsize) y * block->width + x;

  halve_levels (block->type, large->levels, large->width,
                (guint8 *) block->levels + place * wf_type_size (block->type), block->width,
                width, height);
  if (block->colors)
    halve_colors (large->colors, large->width, block->colors + 4 * place, block->width, width,
                  height);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median of levels that are too many for a histogram: u16 and f32.
 *
 * The pixels of a tile and its margin are sorted by their levels.  Runs of equal length in this
 * order are at most 256 bins; the bin of the median is found as levels of u8 are
 * (median-steps-simd.c), and with it how many of the bin come before the median.  The bin is a list
 * of places in the order of their levels; those in the window are counted.  So the time does not
 * depend on the levels, and on the radius only as larger tiles have longer lists.
 *
 * A place is a number of 10 bits along each axis, so a tile with its margin has sides of at most
 * 1024 pixels.  It is sorted as the lower half of 64 bits, below the level's key, one byte of the
 * key after the other.
 */

#include "config.h"

#include <string.h>

#include "engine/core/image.h"
#include "engine/cpu/ordered-key.h"
#include "median.h"
#include "median-steps.h"

#define BITS_ALONG 10
#define MASK_ALONG ((1 << BITS_ALONG) - 1)

/* Of the scratch. */
#define ALIGNMENT 64

/* What is made of a tile; sizes have the margin. */
typedef struct
{
  const WfMedianTile *tile;
  gint64              size[3];
  gint64              n;
  guint64            *sorted;
  guint64            *other;
  guint16            *at[3];
  guint8             *bins;
  guint16            *columns;
  guint8             *bin;
  guint16            *rank;
  int                 shift;      /* of a number in the order, to its bin */
} Levels;


static gpointer
take (char  **scratch,
      gsize   bytes)
{
  char *taken = *scratch;

  *scratch += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return taken;
}

/* Divides the scratch; returns its bytes.  @padded: the size with the margin; @width: without it */
static gsize
levels_divide (Levels       *levels,
               const gint64 *padded,
               gint64        width,
               char         *scratch)
{
  const gsize n    = padded[0] * padded[1] * padded[2];
  char       *next = scratch;

  levels->n      = n;
  levels->sorted = take (&next, n * sizeof (guint64));
  levels->other  = take (&next, n * sizeof (guint64));
  for (int axis = 0; axis < 3; axis++)
    levels->at[axis] = take (&next, (n + WF_MEDIAN_AT_ONCE) * sizeof (guint16));
  levels->bins    = take (&next, n);
  levels->columns = take (&next, padded[0] * WF_MEDIAN_COUNTS * sizeof (guint16));
  levels->bin     = take (&next, width);
  levels->rank    = take (&next, width * sizeof (guint16));
  for (int axis = 0; axis < 3; axis++)
    levels->size[axis] = padded[axis];
  return next - scratch;
}

/* @padded: the size of a tile with its margin; @width: without it */
gsize
wf_median_scratch_of_levels (const gint64 *padded,
                             gint64        width)
{
  static char none;
  Levels      levels;

  return levels_divide (&levels, padded, width, &none);
}

static void
collect (Levels *levels)
{
  const WfMedianTile *tile  = levels->tile;
  const WfImage      *image = tile->image;
  guint64            *item  = levels->sorted;

  for (gint64 k = 0; k < levels->size[2]; k++)
    for (gint64 j = 0; j < levels->size[1]; j++)
      {
        gconstpointer row = wf_median_row_under (tile, j, k);

        for (gint64 i = 0; i < levels->size[0]; i++)
          {
            const gint64 x     = CLAMP (tile->at[0] + i - tile->radius[0], 0, image->width - 1);
            const gint64 place = (k << BITS_ALONG | j) << BITS_ALONG | i;

            *item++ = (guint64) wf_level_key (row, x, image->type) << 32 | (guint64) place;
          }
      }
}

/* By the bytes of the key, the last one first; a byte that all have in common is left out. */
static void
sort (Levels *levels)
{
  guint32 starts[4][256] = { { 0 } };

  for (gint64 i = 0; i < levels->n; i++)
    for (int byte = 0; byte < 4; byte++)
      starts[byte][levels->sorted[i] >> (32 + 8 * byte) & 255]++;
  for (int byte = 0; byte < 4; byte++)
    {
      guint64 *swap  = levels->sorted;
      guint32  start = 0;
      int      shift = 32 + 8 * byte;

      if (starts[byte][levels->sorted[0] >> shift & 255] == levels->n)
        continue;
      for (int value = 0; value < 256; value++)
        {
          const guint32 n = starts[byte][value];

          starts[byte][value] = start;
          start += n;
        }
      for (gint64 i = 0; i < levels->n; i++)
        levels->other[starts[byte][levels->sorted[i] >> shift & 255]++] = levels->sorted[i];
      levels->sorted = levels->other;
      levels->other  = swap;
    }
}

/* The lists and the bins of the order. */
static void
divide (Levels *levels)
{
  levels->shift = 0;
  while ((levels->n - 1) >> levels->shift > 255)
    levels->shift++;
  for (gint64 i = 0; i < levels->n; i++)
    {
      const guint32 place = (guint32) levels->sorted[i];
      const guint32 x     = place & MASK_ALONG;
      const guint32 y     = place >> BITS_ALONG & MASK_ALONG;
      const guint32 z     = place >> 2 * BITS_ALONG;

      levels->at[0][i] = (guint16) x;
      levels->at[1][i] = (guint16) y;
      levels->at[2][i] = (guint16) z;
      levels->bins[(z * levels->size[1] + y) * levels->size[0] + x] =
        (guint8) (i >> levels->shift);
    }
  for (int axis = 0; axis < 3; axis++)
    memset (levels->at[axis] + levels->n, 255, WF_MEDIAN_AT_ONCE * sizeof (guint16));
}

static void
write_row (const Levels *levels,
           gint64        y,
           gint64        z)
{
  const WfMedianSteps *steps  = wf_median_steps ();
  const WfMedianTile  *tile   = levels->tile;
  WfImage             *target = tile->target;
  const gint64         row    = (tile->at[2] + z) * target->height + tile->at[1] + y;
  const char          *pixels = wf_image_row (target, row);
  WfMedianList         list   = { .start = { 0, (guint16) y, (guint16) z } };

  for (int axis = 0; axis < 3; axis++)
    list.length[axis] = (guint16) (2 * tile->radius[axis]);
  for (gint64 x = 0; x < tile->size[0]; x++)
    {
      const gint64 first = (gint64) levels->bin[x] << levels->shift;
      gint64       found;
      double       level;

      for (int axis = 0; axis < 3; axis++)
        list.at[axis] = levels->at[axis] + first;
      list.start[0] = (guint16) x;
      found = first + (tile->radius[2] > 0 ? steps->find_in_stack : steps->find_in_image)
                        (&list, levels->rank[x]);
      level = wf_key_level ((guint32) (levels->sorted[found] >> 32), target->type);
      if (target->type == WF_TYPE_F32)
        ((float *) pixels)[tile->at[0] + x] = (float) level;
      else
        ((guint16 *) pixels)[tile->at[0] + x] = (guint16) level;
    }
}

/* @scratch: of wf_median_scratch_of_levels() bytes */
void
wf_median_tile_of_levels (const WfMedianTile *tile,
                          gpointer            scratch)
{
  Levels       levels = { .tile = tile };
  WfMedianBins bins;
  gint64       padded[3];

  for (int axis = 0; axis < 3; axis++)
    padded[axis] = tile->size[axis] + 2 * tile->radius[axis];
  levels_divide (&levels, padded, tile->size[0], scratch);
  collect (&levels);
  sort (&levels);
  divide (&levels);

  bins = (WfMedianBins) { .bins = levels.bins, .columns = levels.columns, .bin = levels.bin,
                          .rank = levels.rank };
  memcpy (bins.size, padded, sizeof padded);
  memcpy (bins.radius, tile->radius, sizeof tile->radius);
  for (gint64 z = 0; z < tile->size[2]; z++)
    for (gint64 y = 0; y < tile->size[1]; y++)
      {
        wf_median_steps ()->row (&bins, y, z);
        write_row (&levels, y, z);
      }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median on the CPU; engine/filters/median.c has the definition.
 *
 *   radius 1 and 2, in an image    a network of comparisons in registers, some rows together
 *                                  (median-few.inc.h); without vectors levels are sorted by
 *                                  loops, row by row (median-small.inc.h)
 *   to 11 (u8), 13 (f32),          a network of comparisons as a list of steps on rows of pixels
 *   18 (u16), in an image          (median-by-network.c); less with narrower vectors, see there
 *   above, in stacks, and in       u8: histograms of columns (median-steps-simd.c), in tiles with
 *   small images                   their margins; u16 and f32: the same for the order of the levels
 *                                  in a tile, then lists of places (median-levels.c)
 *
 * Time on one thread, with vectors of 64 bytes, in ns a pixel:
 *
 *   radius    1      2     3     5    10    15    20
 *   u8       0.2    1.0    2     4    17    24    22
 *   u16      0.4    1.8    5     9    38    90   110
 *   f32      0.9    2.7    9    17    80   140   140
 */

#include "config.h"

#include <string.h>

#include "engine/core/image.h"
#include "median.h"
#include "median-steps.h"

/* Consecutive rows that one worker makes: they read mostly the same rows. */
#define ROWS_TOGETHER 32

/* Sides of tiles without their margins.  Of u8: the histograms of a row of columns stay in the
 * second-level cache, and few rows are counted once more.  Of others: the pixels of a tile, and its
 * lists are short.
 */
#define WIDTH_OF_BYTES     384
#define LEAST_OF_BYTES     256
#define RADII_OF_BYTES     8
#define LEAST_OF_LEVELS    96
#define MOST_OF_LEVELS     320
#define RADII_OF_LEVELS    6
#define WIDTH_IN_STACK     128
#define HEIGHT_IN_STACK    64
#define DEPTH_IN_STACK     16
#define LEVELS_IN_STACK    40

typedef struct
{
  const WfImage *image;
  WfImage       *target;
  gboolean      *nan;           /* NULL: not asked for */
  gint64         radius[3];
  gint64         tile[3];       /* the sides of tiles that are not cut off */
  gint64         n_tiles[3];
} Median;


/*  Small windows without vectors  */

static void
make_positive_zeros (const WfImage *image,
                     gpointer       row)
{
  float *levels = row;

  if (image->type == WF_TYPE_F32)
    for (gint64 x = 0; x < image->width; x++)
      levels[x] += 0.0f;
}

/* The row of the image under row @i of the windows around row @y. */
static const char *
row_under (const Median *median,
           gint64        y,
           gint64        i)
{
  return wf_image_row (median->image, CLAMP (y + i - median->radius[1], 0,
                                             median->image->height - 1));
}

static void
copy_pixel (char       *target,
            const char *source,
            gint64      size)
{
  if (size == 1)
    *target = *source;
  else if (size == 2)
    memcpy (target, source, 2);
  else
    memcpy (target, source, 4);
}

/* Few pixels, from @x0 to @x1, whose windows may leave the image. */
static void
find_at_ends (const Median *median,
              gint64        y,
              gint64        x0,
              gint64        x1)
{
  enum { MOST = 4 * WF_MEDIAN_SMALL };    /* pixels of the result, or of it and its margin */

  const gint64 radius = median->radius[0];
  const gint64 size   = (gint64) wf_type_size (median->image->type);
  char         pixels[2 * WF_MEDIAN_SMALL + 1][MOST * sizeof (float)];
  WfMedianRow  row    = {
    .n      = x1 - x0,
    .target = (char *) wf_image_row (median->target, y) + x0 * size,
  };

  for (gint64 i = 0; i <= 2 * radius; i++)
    {
      const char *under = row_under (median, y, i);

      for (gint64 j = 0; j < row.n + 2 * radius; j++)
        copy_pixel (pixels[i] + j * size,
                    under + CLAMP (x0 + j - radius, 0, median->image->width - 1) * size, size);
      row.rows[i] = pixels[i];
    }
  wf_median_steps ()->small[wf_median_type (median->image->type)][radius - 1] (&row);
}

static gboolean
do_row (gpointer data,
        WfRow    part)
{
  const Median *median = data;
  const gint64  y      = part.number;
  const gint64  width  = median->image->width;
  const gint64  radius = median->radius[0];
  const gint64  size   = (gint64) wf_type_size (median->image->type);
  char         *target = wf_image_row (median->target, y);
  WfMedianRow   row    = { .n = width - 2 * radius, .target = target + radius * size };

  if (width <= 2 * radius)
    find_at_ends (median, y, 0, width);
  else
    {
      find_at_ends (median, y, 0, radius);
      for (gint64 i = 0; i <= 2 * radius; i++)
        row.rows[i] = row_under (median, y, i);
      wf_median_steps ()->small[wf_median_type (median->image->type)][radius - 1] (&row);
      find_at_ends (median, y, width - radius, width);
    }
  make_positive_zeros (median->image, target);
  return TRUE;
}

static gboolean
copy_row (gpointer data,
          WfRow    part)
{
  const Median *median = data;
  gpointer      target = wf_image_row (median->target, part.number);

  memcpy (target, wf_image_row (median->image, part.number),
          median->image->width * wf_type_size (median->image->type));
  make_positive_zeros (median->image, target);
  return TRUE;
}


/*  By vectors  */

/* In the rows from @y on, which were just read. */
static void
look_for_nan (const Median *median,
              gint64        y,
              gint64        n)
{
  const WfImage *image = median->image;

  if (median->nan == NULL || image->type != WF_TYPE_F32)
    return;
  for (gint64 i = y; i < MIN (y + n, image->height); i++)
    if (wf_row_has_nan (wf_image_row (image, i), image->width))
      __atomic_store_n (median->nan, TRUE, __ATOMIC_RELAXED);
}

static gboolean
do_pair (gpointer data,
         WfRow    part)
{
  const Median *median = data;

  wf_median_of_pair (median->image, 2 * part.number, median->target);
  look_for_nan (median, 2 * part.number, 2);
  return TRUE;
}

static gboolean
do_rows_of_network (gpointer data,
                    WfRow    part)
{
  const Median *median = data;
  const gint64  radius = median->radius[0];
  const gint64  n      = wf_median_rows_of_network (radius);

  wf_median_by_network (median->image, radius, part.number * n, median->target, part.scratch);
  look_for_nan (median, part.number * n, n);
  return TRUE;
}


/*  Tiles of u8  */

/* The scratch: the tile with its margin, the columns, and what is found in a row. */
static void
do_tile_of_bytes (const WfMedianTile *tile,
                  gpointer            scratch)
{
  const WfImage *image  = tile->image;
  WfMedianBins   bins;
  guint8        *copy;

  for (int axis = 0; axis < 3; axis++)
    {
      bins.radius[axis] = tile->radius[axis];
      bins.size[axis]   = tile->size[axis] + 2 * tile->radius[axis];
    }
  bins.columns = scratch;
  bins.rank    = bins.columns + bins.size[0] * WF_MEDIAN_COUNTS;
  copy         = (guint8 *) (bins.rank + tile->size[0]);
  bins.bins    = copy;
  for (gint64 k = 0; k < bins.size[2]; k++)
    for (gint64 j = 0; j < bins.size[1]; j++)
      {
        const guint8 *row = wf_median_row_under (tile, j, k);

        for (gint64 i = 0; i < bins.size[0]; i++)
          *copy++ = row[CLAMP (tile->at[0] + i - bins.radius[0], 0, image->width - 1)];
      }
  for (gint64 z = 0; z < tile->size[2]; z++)
    for (gint64 y = 0; y < tile->size[1]; y++)
      {
        bins.bin = (guint8 *) wf_image_row (tile->target, (tile->at[2] + z) * image->height
                                                          + tile->at[1] + y) + tile->at[0];
        wf_median_steps ()->row (&bins, y, z);
      }
}

static gsize
scratch_of_bytes (const gint64 *padded,
                  gint64        width)
{
  return padded[0] * WF_MEDIAN_COUNTS * sizeof (guint16) + width * sizeof (guint16)
         + padded[0] * padded[1] * padded[2];
}


/*  Tiles  */

static void
choose_tiles (Median *median)
{
  const WfImage *image   = median->image;
  const gint64   size[3] = { image->width, image->height, image->depth };
  const gint64   radius  = median->radius[0];
  const gboolean bytes   = image->type == WF_TYPE_U8;
  const gint64   levels  = CLAMP (RADII_OF_LEVELS * radius, LEAST_OF_LEVELS, MOST_OF_LEVELS);
  const gint64   best[2][2][3] =
  {
    { { levels, levels, 1 }, { LEVELS_IN_STACK, LEVELS_IN_STACK, LEVELS_IN_STACK } },
    { { WIDTH_OF_BYTES, MAX (LEAST_OF_BYTES, RADII_OF_BYTES * radius), 1 },
      { WIDTH_IN_STACK, HEIGHT_IN_STACK, DEPTH_IN_STACK } }
  };

  for (int axis = 0; axis < 3; axis++)
    {
      const gint64 side = MIN (best[bytes][image->depth > 1][axis], size[axis]);

      /* As many as are needed, of about the same size. */
      median->n_tiles[axis] = (size[axis] + side - 1) / side;
      median->tile[axis]    = (size[axis] + median->n_tiles[axis] - 1) / median->n_tiles[axis];
      median->n_tiles[axis] = (size[axis] + median->tile[axis] - 1) / median->tile[axis];
    }
}

static gsize
tile_scratch (const Median *median)
{
  gint64 padded[3];

  for (int axis = 0; axis < 3; axis++)
    padded[axis] = median->tile[axis] + 2 * median->radius[axis];
  return (median->image->type == WF_TYPE_U8 ? scratch_of_bytes : wf_median_scratch_of_levels)
           (padded, median->tile[0]);
}

static gboolean
do_tile (gpointer data,
         WfRow    part)
{
  const Median  *median  = data;
  const WfImage *image   = median->image;
  const gint64   size[3] = { image->width, image->height, image->depth };
  gint64         number  = part.number;
  WfMedianTile   tile    = { .image = image, .target = median->target };

  for (int axis = 0; axis < 3; axis++)
    {
      tile.at[axis]     = number % median->n_tiles[axis] * median->tile[axis];
      tile.size[axis]   = MIN (median->tile[axis], size[axis] - tile.at[axis]);
      tile.radius[axis] = median->radius[axis];
      number           /= median->n_tiles[axis];
    }
  (image->type == WF_TYPE_U8 ? do_tile_of_bytes : wf_median_tile_of_levels) (&tile, part.scratch);
  return TRUE;
}


/*  All  */

static Median
median_of (const WfImage *image,
           gint64         radius,
           WfImage       *target)
{
  Median median = {
    .image  = image,
    .target = target,
    .radius = { radius, radius, image->depth > 1 ? radius : 0 },
  };

  choose_tiles (&median);
  return median;
}

/* By rows of the image: copied, or by loops for small windows. */
static gboolean
is_small (const Median *median)
{
  return median->radius[0] == 0 ||
         (median->radius[0] <= WF_MEDIAN_SMALL && median->image->depth == 1);
}

/* How the work is divided, and what does a part of it. */
static WfRowFunc
divide (const Median *median,
        WfRows       *rows)
{
  const WfImage *image  = median->image;
  const gint64   radius = median->radius[0];

  if (wf_median_suits_pairs (image, radius))
    {
      *rows = (WfRows) { .n = (image->height + 1) / 2, .chunk = ROWS_TOGETHER / 2,
                         .amount = 2 * image->width };
      return do_pair;
    }
  if (wf_median_suits_network (image, radius))
    {
      const gint64 n = wf_median_rows_of_network (radius);

      *rows = (WfRows) { .n = (image->height + n - 1) / n, .chunk = ROWS_TOGETHER / n,
                         .amount       = image->width * n,
                         .scratch_size = wf_median_scratch_of_network (image, radius) };
      return do_rows_of_network;
    }
  if (is_small (median))
    {
      *rows = (WfRows) { .n = image->height * image->depth, .chunk = ROWS_TOGETHER,
                         .amount = image->width };
      return radius == 0 ? copy_row : do_row;
    }
  *rows = (WfRows) { .n = median->n_tiles[0] * median->n_tiles[1] * median->n_tiles[2],
                     .chunk        = 1,
                     .amount       = median->tile[0] * median->tile[1] * median->tile[2],
                     .scratch_size = tile_scratch (median) };
  return do_tile;
}

/* Before all is done, where that does not look for it. */
static gboolean
find_nan (const Median  *median,
          WfRowFunc      visit,
          WfRun         *run,
          GError       **error)
{
  gint64 row;

  if (median->nan == NULL || visit == do_pair || visit == do_rows_of_network)
    return TRUE;
  wf_run_begin (run, 0.0, wf_image_n_pixels (median->image));
  if (! wf_image_find_nan (median->image, run, &row, error))
    return FALSE;
  *median->nan = row >= 0;
  return TRUE;
}

gboolean
wf_cpu_median (const WfImage  *image,
               gint64          radius,
               WfImage        *target,
               gboolean       *nan,
               WfRun          *run,
               double          share,
               GError        **error)
{
  Median          median = median_of (image, radius, target);
  WfRows          rows;
  const WfRowFunc visit  = divide (&median, &rows);

  median.nan = nan;
  if (! find_nan (&median, visit, run, error))
    return FALSE;
  if (nan && *nan)
    return TRUE;
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, visit, &median, error);
}

guint64
wf_cpu_median_memory (const WfImage *image,
                      gint64         radius,
                      guint          n_threads)
{
  const Median  median = median_of (image, radius, NULL);
  const guint64 common = wf_median_suits_network (image, radius)
                         ? wf_median_memory_of_network (radius) : 0;
  WfRows        rows;

  divide (&median, &rows);
  return common + (guint64) rows.scratch_size * n_threads;
}

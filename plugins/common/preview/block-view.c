/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A region of a slice at any scale, read from stored blocks.
 *
 * The blocks are read at a level of the pyramid whose pixels are no larger than those of
 * the region.  A pixel of the region is the mean of those under it, weighted by the area
 * that lies under it.  At full size the pixels are copied.
 *
 * Colours are weighted by their alpha as well.  Pixels that are not fetched yet are
 * transparent.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "block-view.h"

#define TOLERANCE 1e-6

/**
 * Taps:
 * @first: for each pixel of the region the first one under it
 * @n: how many are under it
 * @weights: of these, @most for each pixel of the region
 * @most: the largest possible @n
 *
 * The pixels under those of a region, along an axis.
 */
typedef struct
{
  int   *first;
  int   *n;
  float *weights;
  int    most;
} Taps;


/*  Taps  */

static void
init_weights (const Taps *taps,
              int         i,
              double      start,
              double      end)
{
  float *weights = taps->weights + (gsize) i * taps->most;
  double sum     = 0;

  for (int k = 0; k < taps->n[i]; k++)
    {
      const int    place  = taps->first[i] + k;
      const double weight = fmin (end, place + 1) - fmax (start, place);

      weights[k] = (float) fmax (weight, TOLERANCE);
      sum       += weights[k];
    }
  for (int k = 0; k < taps->n[i]; k++)
    weights[k] = (float) (weights[k] / sum);
}

static void
init_taps (Taps   *taps,
           double  origin,
           double  step,
           int     n,
           int     size)
{
  taps->most    = (int) ceil (step) + 2;
  taps->first   = g_new (int, n);
  taps->n       = g_new (int, n);
  taps->weights = g_new (float, (gsize) n * taps->most);

  for (int i = 0; i < n; i++)
    {
      const double start = origin + i * step;
      const double end   = start + step;
      const int    last  = (int) CLAMP (ceil (end - TOLERANCE) - 1, 0, size - 1);

      taps->first[i] = (int) CLAMP (floor (start + TOLERANCE), 0, last);
      taps->n[i]     = MIN (last - taps->first[i] + 1, taps->most);
      init_weights (taps, i, start, end);
    }
}

static void
taps_clear (Taps *taps)
{
  g_free (taps->first);
  g_free (taps->n);
  g_free (taps->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Taps, taps_clear)


/*  Views  */

/**
 * wf_block_view_init:
 * @view: to set up
 * @store: a store
 * @slice: which slice
 * @pyramid_level: of the pixels to read
 * @whole: what the procedure works on
 * @region: a region of it
 */
void
wf_block_view_init (WfBlockView           *view,
                    WfBlockStore          *store,
                    guint                  slice,
                    int                    pyramid_level,
                    const WfRegion        *whole,
                    const WfPreviewRegion *region)
{
  const double  size = 1 << pyramid_level;
  GeglRectangle bounds;

  wf_block_store_get_size (store, slice, pyramid_level, &bounds);
  *view = (WfBlockView)
    {
      .store    = store,
      .slice    = slice,
      .pyramid_level = pyramid_level,
      .x        = (whole->image_x - bounds.x + region->x / region->scale) / size,
      .y        = (whole->image_y - bounds.y + region->y / region->scale) / size,
      .step     = 1 / (region->scale * size),
      .width    = region->width,
      .height   = region->height,
      .columns  = bounds.width,
      .rows     = bounds.height,
    };
}

/**
 * wf_block_view_init_in_image:
 * @view: to set up
 * @store: a store
 * @slice: which slice
 * @region: a region of the image
 */
void
wf_block_view_init_in_image (WfBlockView    *view,
                             WfBlockStore   *store,
                             guint           slice,
                             const WfRegion *region)
{
  const WfRegion        all  = { .scale = 1 };
  const WfPreviewRegion part = { region->scale, region->image_x, region->image_y,
                                 region->width, region->height, 0 };

  wf_block_view_init (view, store, slice, wf_block_store_get_pyramid_level (store, region->scale),
                      &all, &part);
}

static void
find_part (double  origin,
           double  length,
           int     size,
           int    *start,
           int    *n)
{
  const int last = (int) CLAMP (ceil (origin + length - TOLERANCE) - 1, 0, size - 1);

  *start = (int) CLAMP (floor (origin + TOLERANCE), 0, last);
  *n     = last - *start + 1;
}

/**
 * wf_block_view_fetch:
 * @view: a view
 * @colors: whether its colors are wanted, besides its levels
 * @fetch: the step; not complete unless all of @view is there
 */
void
wf_block_view_fetch (const WfBlockView *view,
                     gboolean           colors,
                     WfFetch           *fetch)
{
  GeglRectangle part;

  find_part (view->x, view->width * view->step, view->columns, &part.x, &part.width);
  find_part (view->y, view->height * view->step, view->rows, &part.y, &part.height);
  wf_block_store_fetch (view->store, view->slice, view->pyramid_level, &part, colors, fetch);
}

static gboolean
is_full_size (const WfBlockView *view)
{
  return view->pyramid_level == 0 && view->step == 1;
}


/*  Levels  */

#define ADD(Type) \
  for (int i = 0; i < n; i++) \
    sums[i] += weight * ((const Type *) levels)[i]

static void
add_levels (WfType         type,
            gconstpointer  levels,
            int            n,
            float          weight,
            float         *sums)
{
  switch (type)
    {
    case WF_TYPE_U8:
      ADD (guint8);
      break;
    case WF_TYPE_U16:
      ADD (guint16);
      break;
    default:
      ADD (float);
      break;
    }
}

static void
put_level (WfType   type,
           float    level,
           gpointer levels,
           gint64   i)
{
  switch (type)
    {
    case WF_TYPE_U8:
      ((guint8 *) levels)[i] = (guint8) CLAMP (level + 0.5f, 0, G_MAXUINT8);
      break;
    case WF_TYPE_U16:
      ((guint16 *) levels)[i] = (guint16) CLAMP (level + 0.5f, 0, G_MAXUINT16);
      break;
    default:
      ((float *) levels)[i] = level;
      break;
    }
}

/* Adds what lies under a row of the region, column by column. */
static void
sum_levels (const WfBlockView *view,
            WfType             type,
            const Taps        *rows,
            int                j,
            int                start,
            int                n,
            gpointer           row,
            float             *sums)
{
  memset (sums, 0, n * sizeof *sums);
  for (int k = 0; k < rows->n[j]; k++)
    {
      wf_block_store_read_levels (view->store, view->slice, view->pyramid_level, start,
                                  rows->first[j] + k, n, row);
      add_levels (type, row, n, rows->weights[j * rows->most + k], sums);
    }
}

/**
 * wf_block_view_read_levels:
 * @view: a view, fetched
 * @levels: an image of its size and of the source's type
 * @index: the slice of @levels to set
 */
void
wf_block_view_read_levels (const WfBlockView *view,
                           WfImage           *levels,
                           gint64             index)
{
  const WfType  type    = levels->type;
  guint8       *data    = (guint8 *) levels->data +
                          index * levels->slice_stride * wf_type_size (type);
  const gsize   stride  = levels->row_stride * wf_type_size (type);
  g_auto (Taps) columns = { 0 };
  g_auto (Taps) rows    = { 0 };
  int           start, n;

  init_taps (&columns, view->x, view->step, view->width, view->columns);
  init_taps (&rows, view->y, view->step, view->height, view->rows);
  start = columns.first[0];
  n     = columns.first[view->width - 1] + columns.n[view->width - 1] - start;

#pragma omp parallel
  {
    g_autofree float   *sums = g_new (float, n);
    g_autofree gpointer row  = g_malloc (n * wf_type_size (type));

#pragma omp for
    for (int j = 0; j < view->height; j++)
      {
        if (is_full_size (view))
          {
            wf_block_store_read_levels (view->store, view->slice, 0, start, rows.first[j], n,
                                        data + j * stride);
            continue;
          }
        sum_levels (view, type, &rows, j, start, n, row, sums);
        for (int i = 0; i < view->width; i++)
          {
            float level = 0;

            for (int k = 0; k < columns.n[i]; k++)
              level += columns.weights[i * columns.most + k] * sums[columns.first[i] - start + k];
            put_level (type, level, data + j * stride, i);
          }
      }
  }
}


/*  Colours  */

static void
sum_colors (const WfBlockView *view,
            const Taps        *rows,
            int                j,
            int                start,
            int                n,
            guint8            *row,
            float             *sums)
{
  memset (sums, 0, 4 * n * sizeof *sums);
  for (int k = 0; k < rows->n[j]; k++)
    {
      const float weight = rows->weights[j * rows->most + k];

      wf_block_store_read_colors (view->store, view->slice, view->pyramid_level, start,
                                  rows->first[j] + k, n, row);
      for (int i = 0; i < n; i++)
        {
          const float seen = weight * row[4 * i + 3];

          for (int c = 0; c < 3; c++)
            sums[4 * i + c] += seen * row[4 * i + c];
          sums[4 * i + 3] += seen;
        }
    }
}

static void
put_color (const float *sums,
           const float *weights,
           int          n,
           guint8      *pixel)
{
  float color[4] = { 0 };

  for (int k = 0; k < n; k++)
    for (int c = 0; c < 4; c++)
      color[c] += weights[k] * sums[4 * k + c];
  for (int c = 0; c < 3; c++)
    pixel[c] = color[3] > 0 ? (guint8) MIN (color[c] / color[3] + 0.5f, G_MAXUINT8) : 0;
  pixel[3] = (guint8) MIN (color[3] + 0.5f, G_MAXUINT8);
}

/**
 * wf_block_view_read_colors:
 * @view: a view
 * @pixels: set to its red, green, blue and alpha
 */
void
wf_block_view_read_colors (const WfBlockView *view,
                           guint8            *pixels)
{
  g_auto (Taps) columns = { 0 };
  g_auto (Taps) rows    = { 0 };
  int           start, n;

  init_taps (&columns, view->x, view->step, view->width, view->columns);
  init_taps (&rows, view->y, view->step, view->height, view->rows);
  start = columns.first[0];
  n     = columns.first[view->width - 1] + columns.n[view->width - 1] - start;

#pragma omp parallel
  {
    g_autofree float  *sums = g_new (float, 4 * (gsize) n);
    g_autofree guint8 *row  = g_malloc (4 * (gsize) n);

#pragma omp for
    for (int j = 0; j < view->height; j++)
      {
        guint8 *to = pixels + 4 * (gsize) j * view->width;

        if (is_full_size (view))
          {
            wf_block_store_read_colors (view->store, view->slice, 0, start, rows.first[j], n, to);
            continue;
          }
        sum_colors (view, &rows, j, start, n, row, sums);
        for (int i = 0; i < view->width; i++)
          put_color (sums + 4 * (columns.first[i] - start),
                     columns.weights + (gsize) i * columns.most, columns.n[i], to + 4 * i);
      }
  }
}

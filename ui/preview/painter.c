/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paints the pixels of an image, and levels that were computed from it, into a view.
 *
 * The surfaces have the size of the view in device pixels.  Enlarged pixels have hard
 * edges.  Reduced levels are averaged; the image is read at the scale at which it is shown
 * and need not be.
 */

#include "config.h"

#include <string.h>

#include "painter.h"
#include "pixels.h"


/*  The image  */

/* Of R, G, B, A in the order of memory. */
static inline guint32
color_of (guint32 pixel)
{
  pixel = GUINT32_FROM_LE (pixel);
  return (pixel & 0xff) << 16 | (pixel & 0xff00) | (pixel >> 16 & 0xff);
}

static inline guint8
alpha_of (guint32 pixel)
{
  return (guint8) (GUINT32_FROM_LE (pixel) >> 24);
}

static void
paint_color_row (guint32             *out,
                 const guint32       *pixels,
                 const WfPreviewAxis *columns,
                 gboolean             opaque,
                 int                  y,
                 int                  check_size)
{
  const int n = columns->end - columns->first;

  if (opaque && wf_preview_axis_is_one_to_one (columns))
    {
      pixels += columns->here[0];
#pragma omp simd
      for (int i = 0; i < n; i++)
        out[i] = WF_OPAQUE | color_of (pixels[i]);
    }
  else if (opaque)
    {
      for (int i = 0; i < n; i++)
        out[i] = WF_OPAQUE | color_of (pixels[columns->here[i]]);
    }
  else
    {
      for (int i = 0; i < n; i++)
        {
          const guint32 pixel = pixels[columns->here[i]];

          out[i] = wf_mix (wf_check_at (columns->first + i, y, check_size), color_of (pixel),
                           wf_share_of_alpha (alpha_of (pixel)));
        }
    }
}

/* The pixels of a row of the region. */
static inline const guint32 *
color_row (const WfPreviewColors *colors,
           int                    row)
{
  return (const guint32 *) (gconstpointer) colors->pixels + (gsize) row * colors->region.width;
}

/**
 * wf_preview_paint_colors:
 * @surface: ARGB32, of the view's size
 * @viewport: of the view
 * @colors: the pixels
 * @check_size: of a square of the checkerboard behind transparent pixels
 *
 * Paints the image; the surface is transparent outside of it.
 */
void
wf_preview_paint_colors (cairo_surface_t       *surface,
                         const WfViewport      *viewport,
                         const WfPreviewColors *colors,
                         int                    check_size)
{
  g_auto (WfPreviewAxis) columns = { 0 };
  g_auto (WfPreviewAxis) rows    = { 0 };

  wf_preview_axis_init_columns (&columns, viewport, &colors->region, 1);
  wf_preview_axis_init_rows (&rows, viewport, &colors->region, 1);

  cairo_surface_flush (surface);
#pragma omp parallel for
  for (int y = 0; y < viewport->view_height; y++)
    {
      guint32 *out = wf_surface_row (surface, y);

      memset (out, 0, (gsize) viewport->view_width * sizeof (guint32));
      if (y >= rows.first && y < rows.end && columns.first < columns.end)
        paint_color_row (out + columns.first,
                         color_row (colors, rows.here[y - rows.first]),
                         &columns, colors->opaque, y, check_size);
    }
  cairo_surface_mark_dirty (surface);
}


/*  Levels  */

/**
 * Grays:
 * @black: the level that is shown black
 * @factor: from levels above it to 0 … 255
 * @table: the grays of levels of 8 bits
 */
typedef struct
{
  const WfImage       *image;
  const WfPreviewAxis *columns;
  const WfPreviewAxis *rows;
  float                black;
  float                factor;
  guint32              table[256];
} Greys;

/* Infinite distances are white. */
static inline guint32
grey_of (const Greys *greys,
         float        level)
{
  const float   shade = (level - greys->black) * greys->factor + 0.5f;
  const float   least = shade > 0 ? shade : 0;
  const guint32 grey  = (guint32) (least < 255 ? least : 255);

  return WF_OPAQUE | grey << 16 | grey << 8 | grey;
}

/* Adds the levels of a row of the region to @sums, one for each pixel of the view. */
#define ADD_LEVELS(Type)                                                                \
static void                                                                             \
add_##Type (const Greys *greys,                                                         \
            gint64       y,                                                             \
            float       *sums)                                                          \
{                                                                                       \
  const Type *levels = (const Type *) greys->image->data + y * greys->image->row_stride; \
  const int   n      = greys->columns->end - greys->columns->first;                     \
                                                                                        \
  for (int i = 0; i < n; i++)                                                           \
    {                                                                                   \
      int x = greys->columns->from[i];                                                  \
                                                                                        \
      do                                                                                \
        sums[i] += levels[x++];                                                         \
      while (x < greys->columns->from[i + 1]);                                          \
    }                                                                                   \
}

ADD_LEVELS (guint8)
ADD_LEVELS (guint16)
ADD_LEVELS (float)

static void
add_levels (const Greys *greys,
            gint64       y,
            float       *sums)
{
  switch (greys->image->type)
    {
    case WF_TYPE_U8:
      add_guint8 (greys, y, sums);
      break;
    case WF_TYPE_U16:
      add_guint16 (greys, y, sums);
      break;
    default:
      add_float (greys, y, sums);
      break;
    }
}

/* Reduced: means of the region's pixels. */
static void
paint_mean_row (guint32     *out,
                const Greys *greys,
                int          row)
{
  const int         n     = greys->columns->end - greys->columns->first;
  const int        *from  = greys->columns->from;
  const int         first = greys->rows->from[row];
  const int         end   = MAX (greys->rows->from[row + 1], first + 1);
  g_autofree float *sums  = g_new0 (float, n);

  for (int y = first; y < end; y++)
    add_levels (greys, y, sums);
  for (int i = 0; i < n; i++)
    out[i] = grey_of (greys, sums[i] / ((end - first) * MAX (from[i + 1] - from[i], 1)));
}

/* At full size, or enlarged. */
static void
paint_grey_row (guint32     *out,
                const Greys *greys,
                int          row)
{
  const gsize  start = (gsize) greys->rows->here[row] * greys->image->row_stride;
  const int   *here  = greys->columns->here;
  const int    n     = greys->columns->end - greys->columns->first;

  switch (greys->image->type)
    {
    case WF_TYPE_U8:
      for (int i = 0; i < n; i++)
        out[i] = greys->table[((const guint8 *) greys->image->data + start)[here[i]]];
      break;
    case WF_TYPE_U16:
      for (int i = 0; i < n; i++)
        out[i] = grey_of (greys, ((const guint16 *) greys->image->data + start)[here[i]]);
      break;
    default:
      for (int i = 0; i < n; i++)
        out[i] = grey_of (greys, ((const float *) greys->image->data + start)[here[i]]);
      break;
    }
}

static void
paint_level_row (guint32     *out,
                 const Greys *greys,
                 int          row)
{
  if (greys->columns->pixel < 1 && ! wf_preview_axis_is_one_to_one (greys->columns))
    paint_mean_row (out, greys, row);
  else
    paint_grey_row (out, greys, row);
}

/* Shows the checkerboard where the image is transparent. */
static void
fade_row (guint32             *out,
          const guint32       *pixels,
          const WfPreviewAxis *columns,
          const WfPreviewAxis *painted,
          int                  y,
          int                  check_size)
{
  for (int x = MAX (columns->first, painted->first); x < MIN (columns->end, painted->end); x++)
    {
      const guint8 alpha = alpha_of (pixels[columns->here[x - columns->first]]);

      out[x] = wf_mix (wf_check_at (x, y, check_size), out[x], wf_share_of_alpha (alpha));
    }
}

/* Shows the picture where nothing was computed. */
static void
restore_row (guint32             *out,
             const guint32       *picture,
             const WfImage       *mask,
             const WfPreviewAxis *columns,
             int                  row)
{
  const guint8 *inside = (const guint8 *) mask->data + (gsize) row * mask->row_stride;

  for (int x = columns->first; x < columns->end; x++)
    if (! inside[columns->here[x - columns->first]])
      out[x] = picture[x];
}

/**
 * wf_preview_paint_levels:
 * @surface: ARGB32, of the view's size
 * @under: likewise: the picture outside of the result, and of its mask
 * @viewport: of the view
 * @result: levels
 * @colors: (nullable): the image, for its transparency
 * @check_size: of a square of the checkerboard behind transparent pixels
 *
 * Paints levels as grays, from the result's black to its white.
 */
void
wf_preview_paint_levels (cairo_surface_t       *surface,
                         cairo_surface_t       *under,
                         const WfViewport      *viewport,
                         const WfPreviewResult *result,
                         const WfPreviewColors *colors,
                         int                    check_size)
{
  const double           range = result->white - result->black;
  g_auto (WfPreviewAxis) columns         = { 0 };
  g_auto (WfPreviewAxis) rows            = { 0 };
  g_auto (WfPreviewAxis) covered_columns = { 0 };
  g_auto (WfPreviewAxis) covered_rows    = { 0 };
  Greys                  greys           = {
    .image   = &result->image,
    .columns = &columns,
    .rows    = &rows,
    .black   = (float) result->black,
    .factor  = range > 0 ? (float) (255 / range) : 0,
  };

  for (int i = 0; i < 256; i++)
    greys.table[i] = grey_of (&greys, i);
  wf_preview_axis_init_columns (&columns, viewport, &result->region, 1);
  wf_preview_axis_init_rows (&rows, viewport, &result->region, 1);
  if (colors && ! colors->opaque)
    {
      wf_preview_axis_init_columns (&covered_columns, viewport, &colors->region, 1);
      wf_preview_axis_init_rows (&covered_rows, viewport, &colors->region, 1);
    }

  cairo_surface_flush (surface);
  cairo_surface_flush (under);
  wf_surface_copy_around (surface, under, &columns, &rows);
#pragma omp parallel for
  for (int y = rows.first; y < rows.end; y++)
    {
      guint32 *out = wf_surface_row (surface, y);

      paint_level_row (out + columns.first, &greys, y - rows.first);
      if (y >= covered_rows.first && y < covered_rows.end)
        fade_row (out,
                  color_row (colors, covered_rows.here[y - covered_rows.first]),
                  &covered_columns, &columns, y, check_size);
      if (result->mask.data)
        restore_row (out, wf_surface_row (under, y), &result->mask, &columns,
                     rows.here[y - rows.first]);
    }
  cairo_surface_mark_dirty (surface);
}

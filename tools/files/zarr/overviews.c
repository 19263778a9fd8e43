/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of chunks are dealt to the ranks.  Each chunk is made of four of the level before, which are
 * read again, by threads; others compress and write it (tile-rows.c).
 */

#include "config.h"

#include <errno.h>

#include "overviews.h"
#include "tools/files/tile-pixels.h"
#include "tools/message.h"
#include "tools/ranks.h"

/**
 * Overview:
 * @larger: the level before
 * @pyramid: of all levels; @level: the one that is made
 * @own: of that level alone
 */
typedef struct
{
  const ZarrArray   *larger;
  const ZarrArray   *array;
  const TilePyramid *pyramid;
  guint              level;
  gboolean           pick;
  TilePyramid        own;
} Overview;


/*  Chunks  */

/* Of TileFormat. */
static gpointer
new_coder (gpointer data)
{
  const Overview *overview = data;

  return zarr_coder_new (tile_pyramid_tile_bytes (&overview->own),
                         wf_type_size (overview->own.type));
}

/* Of TileFormat. */
static void
free_coder (gpointer coder)
{
  zarr_coder_free (coder);
}

/* Of TileFormat. */
static gboolean
encode (gpointer   data,
        gpointer   coder,
        TileRow   *row,
        gint64     x,
        GError   **error)
{
  const Overview *overview = data;
  const gint64    stack[3] = { row->page, row->number, x };

  return zarr_array_write_chunk (overview->array, stack + 3 - overview->array->n_axes, coder,
                                 row->tiles + (gsize) x * row->stride, error);
}

/* Shrinks chunk (@x, @y) of the level before into its quarter of a chunk.  @stored, @pixels: room
 */
static gboolean
shrink_chunk (const Overview  *overview,
              gint64           page,
              gint64           x,
              gint64           y,
              gpointer         stored,
              gpointer         pixels,
              guint8          *chunk,
              GError         **error)
{
  const TilePyramid *pyramid  = overview->pyramid;
  const TileLevel   *larger   = &pyramid->levels[overview->level - 1];
  const gint64       wide     = pyramid->tile_width;
  const gint64       tall     = pyramid->tile_height;
  const gint64       stack[3] = { page, y, x };
  const gint64       first    = y % 2 * (tall / 2) * wide + x % 2 * (wide / 2);
  const TilePart     part     = { pixels, wide, MIN (wide, larger->width - x * wide),
                                  MIN (tall, larger->height - y * tall) };

  if (x >= larger->across || y >= larger->down)
    return TRUE;
  if (! zarr_array_read_chunk (overview->larger, stack + 3 - overview->larger->n_axes, stored,
                               pixels, error))
    return FALSE;
  tile_pixels_shrink (pyramid->type, overview->pick, &part,
                      chunk + (gsize) first * wf_type_size (pyramid->type));
  return TRUE;
}

static gboolean
shrink_four (const Overview  *overview,
             TileRow         *row,
             gint64           x,
             GError         **error)
{
  const gsize         bytes  = tile_pyramid_tile_bytes (&overview->own);
  g_autofree gpointer stored = g_try_malloc (zarr_codec_bound (bytes));
  g_autofree gpointer pixels = g_try_malloc (bytes);
  guint8             *chunk  = row->tiles + (gsize) x * row->stride;

  if (! stored || ! pixels)
    return refuse_because (g_strerror (ENOMEM), error);
  for (gint64 i = 0; i < 4; i++)
    if (! shrink_chunk (overview, row->page, 2 * x + i % 2, 2 * row->number + i / 2, stored, pixels,
                        chunk, error))
      return FALSE;
  return TRUE;
}

/* Fills a row of chunks. */
static gboolean
fill_row (const Overview  *overview,
          TileRow         *row,
          guint            n_threads,
          GError         **error)
{
  GError *failure = NULL;

#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
  for (gint64 x = 0; x < overview->own.levels[0].across; x++)
    {
      GError *problem = NULL;

      if (shrink_four (overview, row, x, &problem))
        continue;
#pragma omp critical
      if (failure)
        g_error_free (problem);
      else
        failure = problem;
    }
  if (failure)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/**
 * zarr_overview_make:
 * @larger: the level before, complete
 * @array: the overview
 * @pyramid: of all levels
 * @level: the overview's
 * @pick: whether single pixels are taken, or means
 * @n_threads: that read and compress
 * @error: %TOOL_ERROR_FILE, the reason alone, or %WF_ERROR_MEMORY
 *
 * Makes this rank's part of an overview.
 *
 * Returns: success
 */
gboolean
zarr_overview_make (const ZarrArray    *larger,
                    const ZarrArray    *array,
                    const TilePyramid  *pyramid,
                    guint               level,
                    gboolean            pick,
                    guint               n_threads,
                    GError            **error)
{
  Overview    overview = { larger, array, pyramid, level, pick, *pyramid };
  const gsize bytes    = tile_pyramid_tile_bytes (pyramid);
  TileFormat  format   = { .stride = (bytes + 63) / 64 * 64, .new_coder = new_coder,
                           .coder_bytes = zarr_coder_memory (bytes), .free_coder = free_coder,
                           .encode = encode, .data = &overview };
  const gint64 down    = pyramid->levels[level].down;
  TileRows   *rows;
  gint64      first, end;
  gboolean    made     = TRUE;

  overview.own.n_levels  = 1;
  overview.own.levels[0] = pyramid->levels[level];
  rows = tile_rows_new (&overview.own, &format, pick, n_threads, 0, error);
  if (! rows)
    return FALSE;
  ranks_deal (down * pyramid->depth, &first, &end);
  for (gint64 i = first; made && i < end; i++)
    {
      TileRow *row = tile_rows_begin (rows, i / down, i % down, error);

      made = row && fill_row (&overview, row, n_threads, error);
      if (made)
        tile_rows_end (rows, row);
    }
  made = made && tile_rows_finish (rows, error);
  tile_rows_free (rows);
  return made;
}

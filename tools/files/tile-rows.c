/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The caller fills a row of tiles and ends it; threads shrink its tiles into the row of the next
 * overview, compress them where they lie, and write the row when those before it are written.  A
 * row of an overview is compressed when all rows that it is made of have been.  So the order in the
 * file follows from the order in which rows are ended, whatever the threads do.
 *
 * The number of rows in memory is fixed: the caller waits for one that is free, and works like one
 * of the threads meanwhile.  It returns while the last rows are still being compressed, and so may
 * compute what comes next.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "tile-pixels.h"
#include "tile-rows.h"

/**
 * Coder:
 * @compressor: of the format
 *
 * What a thread needs.
 */
typedef struct
{
  TileRows *rows;
  gpointer  compressor;
  GThread  *thread;
} Coder;

/**
 * TileRows:
 * @coders: of the caller, and of each thread
 * @changed: something has been done, or is to be done
 * @unused: rows of tiles, for each level
 * @filling: for each level the row that is being made
 * @ready: rows whose tiles are to be compressed
 * @order: all rows that are complete or will be, in the order of the file
 * @writing: whether a thread writes the first of them
 */
struct _TileRows
{
  const TilePyramid *pyramid;
  TileFormat         format;
  gboolean           pick;
  guint              n_coders;
  Coder             *coders;
  GMutex             lock;
  GCond              changed;
  GQueue             unused[TILE_MAX_LEVELS];
  TileRow           *filling[TILE_MAX_LEVELS];
  GQueue             ready;
  GQueue             order;
  gboolean           writing;
  gboolean           ended;
  GError            *error;
};


/*  One row  */

static const TileLevel *
level_of (const TileRows *rows,
          const TileRow  *row)
{
  return &rows->pyramid->levels[row->level];
}

/* What of a tile lies in the image. */
static TilePart
find_part (const TileRows *rows,
           const TileRow  *row,
           gint64          x)
{
  const TileLevel *level = level_of (rows, row);
  const gint64     wide  = rows->pyramid->tile_width;
  const gint64     tall  = rows->pyramid->tile_height;

  return (TilePart) {
    .pixels = row->tiles + (gsize) x * row->stride,
    .stride = wide,
    .width  = MIN (wide, level->width - x * wide),
    .height = MIN (tall, level->height - row->number * tall),
  };
}

/* Where a quarter of the tile of the next overview belongs. */
static gpointer
find_quarter (const TileRows *rows,
              const TileRow  *row,
              gint64          x)
{
  const gint64 wide  = rows->pyramid->tile_width;
  const gint64 first = (row->number % 2) * rows->pyramid->tile_height / 2 * wide
                       + (x % 2) * wide / 2;

  return row->smaller->tiles + (gsize) (x / 2) * row->stride
         + (gsize) first * wf_type_size (rows->pyramid->type);
}

/* The compressed tile replaces its pixels. */
static gboolean
encode (TileRows  *rows,
        TileRow   *row,
        gint64     x,
        Coder     *coder,
        GError   **error)
{
  const TilePart part = find_part (rows, row, x);

  if (row->smaller)
    tile_pixels_shrink (rows->pyramid->type, rows->pick, &part, find_quarter (rows, row, x));
  return rows->format.encode (rows->format.data, coder->compressor, row, x, error);
}


/*  Work; the lock is held, but for the work itself  */

static gboolean
is_complete (const TileRows *rows,
             const TileRow  *row)
{
  return row->n_missing == 0 && row->n_done == level_of (rows, row)->across;
}

/* Keeps the first failure. */
static void
note_failure (TileRows *rows,
              GError   *error)
{
  if (error && ! rows->error)
    rows->error = error;
  else
    g_clear_error (&error);
}

/* Writes the row that comes next in the file, if it is complete. */
static gboolean
write_next (TileRows *rows)
{
  TileRow *row   = g_queue_peek_head (&rows->order);
  GError  *error = NULL;

  if (rows->writing || ! row || ! is_complete (rows, row))
    return FALSE;

  rows->writing = TRUE;
  g_queue_pop_head (&rows->order);
  if (! rows->error && rows->format.write)
    {
      g_mutex_unlock (&rows->lock);
      rows->format.write (rows->format.data, row, &error);
      g_mutex_lock (&rows->lock);
    }
  note_failure (rows, error);
  rows->writing = FALSE;
  g_queue_push_tail (&rows->unused[row->level], row);
  g_cond_broadcast (&rows->changed);
  return TRUE;
}

/* A row has all its tiles compressed: the next overview may be ready. */
static void
leave_row (TileRows *rows,
           TileRow  *row)
{
  if (row->smaller && --row->smaller->n_missing == 0)
    g_queue_push_head (&rows->ready, row->smaller);
  g_cond_broadcast (&rows->changed);
}

static gboolean
encode_next (TileRows *rows,
             Coder    *coder)
{
  TileRow *row   = g_queue_peek_head (&rows->ready);
  GError  *error = NULL;
  gint64   x;

  if (! row)
    return FALSE;
  x = row->n_taken++;
  if (row->n_taken == level_of (rows, row)->across)
    g_queue_pop_head (&rows->ready);

  if (! rows->error)
    {
      g_mutex_unlock (&rows->lock);
      encode (rows, row, x, coder, &error);
      g_mutex_lock (&rows->lock);
    }
  note_failure (rows, error);
  if (++row->n_done == level_of (rows, row)->across)
    leave_row (rows, row);
  return TRUE;
}

/* Does what there is to do, or waits until there may be something. */
static void
work_or_wait (TileRows *rows,
              Coder    *coder)
{
  if (! write_next (rows) && ! encode_next (rows, coder))
    g_cond_wait (&rows->changed, &rows->lock);
}

static gpointer
run_thread (gpointer data)
{
  Coder    *coder = data;
  TileRows *rows  = coder->rows;

  g_mutex_lock (&rows->lock);
  while (! rows->ended)
    work_or_wait (rows, coder);
  g_mutex_unlock (&rows->lock);
  return NULL;
}


/*  All rows  */

/* How many rows of tiles of a level are in memory. */
static guint
count_rows (guint level,
            guint n_waiting)
{
  return level == 0 ? 1 + n_waiting : 1 + MIN (n_waiting, 1);
}

/**
 * tile_rows_get_memory:
 * @pyramid: the image and its overviews
 * @format: of the file
 * @n_threads: that compress
 * @n_waiting: as for tile_rows_new()
 *
 * Returns: the bytes of memory that all take
 */
guint64
tile_rows_get_memory (const TilePyramid *pyramid,
                      const TileFormat  *format,
                      guint              n_threads,
                      guint              n_waiting)
{
  guint64 bytes = n_threads * (guint64) format->coder_bytes;

  for (guint k = 0; k < pyramid->n_levels; k++)
    bytes += count_rows (k, n_waiting) * (guint64) pyramid->levels[k].across
             * (format->stride + sizeof (gsize));
  return bytes;
}

static gboolean
add_row (TileRows *rows,
         guint     k)
{
  const gsize  n   = (gsize) rows->pyramid->levels[k].across;
  TileRow     *row = g_new0 (TileRow, 1);

  row->level   = k;
  row->stride  = rows->format.stride;
  row->lengths = g_new (gsize, n);
  row->tiles   = g_try_malloc_n (n, row->stride);
  g_queue_push_tail (&rows->unused[k], row);
  return row->tiles != NULL;
}

static gboolean
start_coders (TileRows *rows)
{
  for (guint i = 0; i < rows->n_coders; i++)
    {
      Coder *coder = &rows->coders[i];

      coder->rows       = rows;
      coder->compressor = rows->format.new_coder (rows->format.data);
      if (! coder->compressor)
        return FALSE;
    }
  for (guint i = 1; i < rows->n_coders; i++)
    rows->coders[i].thread = g_thread_new ("tiles", run_thread, &rows->coders[i]);
  return TRUE;
}

/**
 * tile_rows_new:
 * @pyramid: the image and its overviews; it stays in use
 * @format: of the file
 * @pick: whether overviews are made of single pixels, as those of labels, and not of means
 * @n_threads: that compress, the caller's included
 * @n_waiting: how many complete rows of tiles may wait to be compressed and written
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (nullable): what writes rows of tiles
 */
TileRows *
tile_rows_new (const TilePyramid  *pyramid,
               const TileFormat   *format,
               gboolean            pick,
               guint               n_threads,
               guint               n_waiting,
               GError            **error)
{
  TileRows *rows      = g_new0 (TileRows, 1);
  gboolean  allocated = TRUE;

  rows->pyramid  = pyramid;
  rows->format   = *format;
  rows->pick     = pick;
  rows->n_coders = n_threads;
  rows->coders   = g_new0 (Coder, n_threads);
  g_mutex_init (&rows->lock);
  g_cond_init (&rows->changed);
  for (guint k = 0; k < pyramid->n_levels; k++)
    for (guint i = 0; i < count_rows (k, n_waiting); i++)
      allocated = allocated && add_row (rows, k);
  if (allocated && start_coders (rows))
    return rows;

  g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, g_strerror (ENOMEM));
  tile_rows_free (rows);
  return NULL;
}

/* A row of tiles of zeros where nothing is written. */
static void
clear_row (const TileRows *rows,
           TileRow        *row)
{
  const TileLevel *level = level_of (rows, row);
  const gsize      size  = tile_pyramid_tile_bytes (rows->pyramid);
  const gboolean   last  = (row->number + 1) * rows->pyramid->tile_height > level->height;

  for (gint64 x = last ? 0 : level->across - 1; x < level->across; x++)
    memset (row->tiles + (gsize) x * row->stride, 0, size);
}

/* Waits for a row that is not in use. */
static TileRow *
take_row (TileRows *rows,
          guint     k,
          gint64    page,
          gint64    number)
{
  TileRow *row;

  while (! (row = g_queue_pop_head (&rows->unused[k])))
    work_or_wait (rows, &rows->coders[0]);
  row->page      = page;
  row->number    = number;
  row->n_missing = 0;
  row->n_taken   = 0;
  row->n_done    = 0;
  if (k > 0)
    row->n_missing = MIN (2, rows->pyramid->levels[k - 1].down - 2 * number);
  clear_row (rows, row);
  return row;
}

/**
 * tile_rows_begin:
 * @rows: rows of tiles
 * @page: page by page
 * @number: of the row of tiles in the page, one after the other
 * @error: %TOOL_ERROR_FILE, the reason alone, of rows before
 *
 * Returns: (nullable): a row of tiles to be filled with pixels
 */
TileRow *
tile_rows_begin (TileRows  *rows,
                 gint64     page,
                 gint64     number,
                 GError   **error)
{
  TileRow *row = NULL;

  g_mutex_lock (&rows->lock);
  for (guint k = rows->pyramid->n_levels; k-- > 0 && ! rows->error;)
    {
      if (number % ((gint64) 1 << k) == 0)
        rows->filling[k] = take_row (rows, k, page, number >> k);
      rows->filling[k]->smaller = k + 1 < rows->pyramid->n_levels ? rows->filling[k + 1] : NULL;
    }
  if (rows->error)
    g_propagate_error (error, g_error_copy (rows->error));
  else
    row = rows->filling[0];
  g_mutex_unlock (&rows->lock);
  return row;
}

/**
 * tile_rows_end:
 * @rows: rows of tiles
 * @row: the one that was begun, filled
 *
 * The threads take it.
 */
void
tile_rows_end (TileRows *rows,
               TileRow  *row)
{
  const gboolean last = row->number + 1 == level_of (rows, row)->down;

  g_mutex_lock (&rows->lock);
  g_queue_push_tail (&rows->ready, row);
  for (guint k = 0; k < rows->pyramid->n_levels; k++)
    if (last || (row->number + 1) % ((gint64) 1 << k) == 0)
      g_queue_push_tail (&rows->order, g_steal_pointer (&rows->filling[k]));
  g_cond_broadcast (&rows->changed);
  g_mutex_unlock (&rows->lock);
}

/**
 * tile_rows_finish:
 * @rows: rows of tiles, of which none is being filled
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether all are in the file
 */
gboolean
tile_rows_finish (TileRows  *rows,
                  GError   **error)
{
  gboolean done;

  g_mutex_lock (&rows->lock);
  while (rows->writing || ! g_queue_is_empty (&rows->order))
    work_or_wait (rows, &rows->coders[0]);
  done = ! rows->error;
  if (! done)
    g_propagate_error (error, g_error_copy (rows->error));
  g_mutex_unlock (&rows->lock);
  return done;
}

static void
free_row (gpointer data)
{
  TileRow *row = data;

  if (! row)
    return;
  g_free (row->tiles);
  g_free (row->lengths);
  g_free (row);
}

static void
stop_threads (TileRows *rows)
{
  g_mutex_lock (&rows->lock);
  rows->ended = TRUE;
  g_cond_broadcast (&rows->changed);
  g_mutex_unlock (&rows->lock);
  for (guint i = 0; i < rows->n_coders; i++)
    {
      if (rows->coders[i].thread)
        g_thread_join (rows->coders[i].thread);
      if (rows->coders[i].compressor)
        rows->format.free_coder (rows->coders[i].compressor);
    }
  g_free (rows->coders);
}

void
tile_rows_free (TileRows *rows)
{
  stop_threads (rows);
  for (guint k = 0; k < TILE_MAX_LEVELS; k++)
    g_queue_clear_full (&rows->unused[k], free_row);
  /* those that are ready are in order as well, or being filled */
  for (guint k = 0; k < TILE_MAX_LEVELS; k++)
    free_row (rows->filling[k]);
  g_queue_clear (&rows->ready);
  g_queue_clear_full (&rows->order, free_row);
  g_clear_error (&rows->error);
  g_mutex_clear (&rows->lock);
  g_cond_clear (&rows->changed);
  g_free (rows);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of drawables for a preview: in blocks, at full size and at a half, a quarter
 * and so on of it, each asked of GIMP (block-pixels.c) once and kept.
 *
 * Smaller ones that GIMP has not needed so far it makes now, from the pixels under them, and
 * for a block that can take many seconds.  So GIMP is first asked for single pixels of the
 * tiles under it, from which it makes the block then: no request takes long, and where all
 * is there hardly any time.  Where it gives no smaller ones a block is made of the four under
 * it, which are given up then unless they are wanted themselves.
 *
 * Of a block levels and colours are kept, from the same pixels: at most 8 bytes a pixel,
 * where those of GIMP have up to 32.  What was not wanted for the longest time is given up
 * when all of it is more than MOST_BYTES.
 *
 * What is in a drawable may change.  Then blocks are doubted: each is asked for once more
 * when it is wanted, stays until then, and is compared with what comes.
 *
 * All of it asks GIMP, and is for the main thread.
 */

#include "config.h"

#include <string.h>

#include "block-pixels.h"
#include "block-store.h"

/* Of a block, in pixels: two of GIMP's tiles. */
#define SIDE_BITS 8
#define SIDE      (1 << SIDE_BITS)

/* What GIMP may have to make of a piece of so many bytes takes a hundredth of a second. */
#define PIECE_BYTES (4 << 20)
/* It is one of its own tiles, and those of the next pieces are so often halved again. */
#define PIECE_SIDE  (SIDE / 2)
#define PIECE_STEP  2

/* No image is as large as this makes small. */
#define MOST_PYRAMID_LEVEL 24

#define MOST_BYTES ((gsize) 192 << 20)

/**
 * WfBlockStore:
 * @pixels: of each slice
 * @scaled: whether GIMP gives scaled pixels
 * @now: counts what is wanted, for the age of blocks
 * @generation: how often blocks were doubted
 * @changed: whether since then one came that was different
 * @n_bytes: of all blocks
 * @warming: the block whose pieces are asked for
 * @halves: how often the size of these pieces is halved
 * @piece: the next of them
 * @n_got: how many requests there were
 */
struct _WfBlockStore
{
  const WfSource *source;
  WfBlockPixels  *pixels;
  GHashTable     *blocks;
  gboolean        scaled;
  guint64         now;
  guint           generation;
  gboolean        changed;
  gsize           n_bytes;
  guint64         warming;
  int             halves;
  int             piece;
  guint           n_got;
};


/*  Blocks  */

static guint64
make_key (guint slice,
          int   pyramid_level,
          int   column,
          int   row)
{
  return (guint64) slice << 45 | (guint64) pyramid_level << 40 | (guint64) column << 20 | row;
}

static WfBlock *
find_block (WfBlockStore *store,
            guint         slice,
            int           pyramid_level,
            int           x,
            int           y)
{
  const guint64 key = make_key (slice, pyramid_level, x >> SIDE_BITS, y >> SIDE_BITS);

  return g_hash_table_lookup (store->blocks, &key);
}

static WfBlockPixels *
get_pixels (WfBlockStore *store,
            guint         slice)
{
  WfBlockPixels *pixels = &store->pixels[slice];

  wf_block_pixels_init (pixels, store->source, slice, store->scaled,
                        babl_format ("R'G'B'A u8"), store->pixels[0].conversions);
  return pixels;
}

/**
 * wf_block_store_new:
 * @source: what is worked on; it must stay
 *
 * Returns: (transfer full): nothing of its pixels yet
 */
WfBlockStore *
wf_block_store_new (const WfSource *source)
{
  WfBlockStore *store = g_new0 (WfBlockStore, 1);

  store->source = source;
  store->pixels = g_new0 (WfBlockPixels, source->n_slices);
  store->scaled = wf_block_pixels_have_thumbnails ();
  store->blocks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, wf_block_free);
  get_pixels (store, 0);
  return store;
}

/**
 * wf_block_store_free:
 * @store: (transfer full): a store
 */
void
wf_block_store_free (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    wf_block_pixels_clear (&store->pixels[i]);
  g_hash_table_unref (store->blocks);
  g_free (store->pixels);
  g_free (store);
}


/*  Sizes  */

/**
 * wf_block_store_get_pyramid_level:
 * @store: a store
 * @scale: at which pixels are wanted, above 0 and at most 1
 *
 * Returns: how often the size is best halved: the pixels are no larger than the wanted ones
 */
int
wf_block_store_get_pyramid_level (WfBlockStore *store,
                                  double        scale)
{
  const WfBlockPixels *pixels   = get_pixels (store, 0);
  const int            least    = MIN (pixels->bounds.width, pixels->bounds.height);
  int                  pyramid_level = 0;

  while (scale * (2 << pyramid_level) <= 1 && least >> (pyramid_level + 1) > 0)
    pyramid_level++;
  return pyramid_level;
}

/**
 * wf_block_store_get_size:
 * @store: a store
 * @slice: which slice
 * @pyramid_level: how often its size is halved
 * @bounds: set to how many pixels it has then, whole ones, and to where it is in the image
 *   at full size
 */
void
wf_block_store_get_size (WfBlockStore  *store,
                         guint          slice,
                         int            pyramid_level,
                         GeglRectangle *bounds)
{
  *bounds = get_pixels (store, slice)->bounds;
  bounds->width  = MAX (bounds->width >> pyramid_level, 1);
  bounds->height = MAX (bounds->height >> pyramid_level, 1);
}


/*  GIMP's pixels  */

/* Has GIMP make what is under a block at the size of the present pieces, of each of which
 * one pixel is asked for; returns whether that is done.
 */
static gboolean
touch_pieces (WfBlockStore        *store,
              WfBlockPixels       *pixels,
              int                  pyramid_level,
              const GeglRectangle *part,
              gint64               until)
{
  const int more      = pyramid_level - store->halves;
  const int n_columns = ((part->width << more) + PIECE_SIDE - 1) / PIECE_SIDE;
  const int n_rows    = ((part->height << more) + PIECE_SIDE - 1) / PIECE_SIDE;

  for (; store->piece < n_columns * n_rows; store->piece++)
    {
      if (store->n_got > 0 && g_get_monotonic_time () >= until)
        return FALSE;
      wf_block_pixels_touch (pixels, store->halves,
                             (part->x << more) + store->piece % n_columns * PIECE_SIDE,
                             (part->y << more) + store->piece / n_columns * PIECE_SIDE);
      store->n_got++;
    }
  return TRUE;
}

/* Returns whether a smaller image of all that is in a block was made. */
static gboolean
is_in_larger_block (WfBlockStore        *store,
                    guint                slice,
                    int                  pyramid_level,
                    const GeglRectangle *part)
{
  for (int more = 1; more < MOST_PYRAMID_LEVEL - pyramid_level; more++)
    {
      const WfBlock *block = find_block (store, slice, pyramid_level + more, part->x >> more,
                                       part->y >> more);

      if (block && block->generation == store->generation)
        return TRUE;
    }
  return FALSE;
}

/* How often the size of a piece is halved that GIMP makes soon. */
static int
find_piece_level (const WfBlockPixels *pixels)
{
  const int size     = PIECE_SIDE * PIECE_SIDE * babl_format_get_bytes_per_pixel (pixels->format);
  int       pyramid_level = 0;

  while (size << 2 * (pyramid_level + 1) <= PIECE_BYTES)
    pyramid_level++;
  return pyramid_level;
}

/* Returns whether GIMP has what a block needs: else some of it was made. */
static gboolean
is_warm (WfBlockStore        *store,
         guint64              key,
         guint                slice,
         int                  pyramid_level,
         const GeglRectangle *part,
         gint64               until)
{
  WfBlockPixels *pixels = get_pixels (store, slice);

  if (store->warming != key)
    {
      store->warming = key;
      store->halves  = find_piece_level (pixels);
      store->piece   = 0;
      if (is_in_larger_block (store, slice, pyramid_level, part))
        store->halves = pyramid_level;
    }
  for (; store->halves < pyramid_level; store->halves += PIECE_STEP, store->piece = 0)
    if (! touch_pieces (store, pixels, pyramid_level, part, until))
      return FALSE;
  return TRUE;
}


/*  One block after the other  */

static void
give_up_block (WfBlockStore  *store,
               const WfBlock *block)
{
  store->n_bytes -= wf_block_n_bytes (block);
  g_hash_table_remove (store->blocks, &block->key);
}

static WfBlock * get_block (WfBlockStore *store,
                            guint         index,
                            int           pyramid_level,
                            int           column,
                            int           row,
                            gboolean      colors,
                            gint64        until);

/* From the four blocks under it, fewer at the right edge and the lower one. */
static gboolean
fill_from_quarters (WfBlockStore        *store,
                    guint                index,
                    int                  pyramid_level,
                    const GeglRectangle *part,
                    gint64               until,
                    WfBlock             *block)
{
  const int  half        = SIDE / 2;
  WfBlock   *quarters[4] = { NULL };

  for (int i = 0; i < 4; i++)
    if (i % 2 * half < part->width && i / 2 * half < part->height)
      {
        quarters[i] = get_block (store, index, pyramid_level - 1,
                                 (part->x + i % 2 * half) >> (SIDE_BITS - 1),
                                 (part->y + i / 2 * half) >> (SIDE_BITS - 1),
                                 block->colors != NULL, until);
        if (! quarters[i])
          return FALSE;
      }

  for (int i = 0; i < 4; i++)
    if (quarters[i])
      {
        wf_block_put_halved (block, i % 2 * half, i / 2 * half,
                             MIN (part->width - i % 2 * half, half),
                             MIN (part->height - i / 2 * half, half), quarters[i]);
        if (quarters[i]->wanted == 0)
          give_up_block (store, quarters[i]);
      }
  return TRUE;
}

static gboolean
fill_block (WfBlockStore        *store,
            guint                index,
            int                  pyramid_level,
            const GeglRectangle *part,
            gint64               until,
            WfBlock             *block)
{
  WfBlockPixels *pixels = get_pixels (store, index);

  if (pyramid_level > 0 && ! pixels->scaled)
    return fill_from_quarters (store, index, pyramid_level, part, until, block);
  return is_warm (store, block->key, index, pyramid_level, part, until) &&
         wf_conversions_await (pixels->conversions, until) &&
         wf_block_pixels_read (pixels, pyramid_level, part, block);
}

/* Returns the block unless there is not enough time, or nothing to read any more. */
static WfBlock *
get_block (WfBlockStore *store,
           guint         index,
           int           pyramid_level,
           int           column,
           int           row,
           gboolean      colors,
           gint64        until)
{
  const WfBlockPixels *pixels = get_pixels (store, index);
  const guint64        key    = make_key (index, pyramid_level, column, row);
  WfBlock             *old    = g_hash_table_lookup (store->blocks, &key);
  g_autoptr (WfBlock)  block  = NULL;
  GeglRectangle        all;
  GeglRectangle        part;

  if (old && (old->colors || ! colors) &&
      (old->generation == store->generation || wf_slice_is_copy (pixels->slice)))
    return old;
  if (store->n_got > 0 && g_get_monotonic_time () >= until)
    return NULL;
  if (! wf_block_pixels_can_be_read (pixels))
    return NULL;

  wf_block_store_get_size (store, index, pyramid_level, &all);
  part  = *GEGL_RECTANGLE (column * SIDE, row * SIDE, MIN (SIDE, all.width - column * SIDE),
                           MIN (SIDE, all.height - row * SIDE));
  block = wf_block_new (key, part.width, part.height, store->source->type, colors);
  if (! fill_block (store, index, pyramid_level, &part, until, block))
    return NULL;

  block->generation = store->generation;
  if (old)
    {
      store->changed |= wf_block_differs (old, block);
      give_up_block (store, old);
    }
  g_hash_table_insert (store->blocks, &block->key, block);
  store->n_bytes += wf_block_n_bytes (block);
  store->n_got++;
  return g_steal_pointer (&block);
}


/*  Fetching  */

/**
 * wf_block_store_invalidate:
 * @store: a store
 *
 * Has all that is wanted from now on fetched once more.
 */
void
wf_block_store_invalidate (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    wf_block_pixels_release (&store->pixels[i]);
  store->generation++;
  store->changed = FALSE;
  store->warming = G_MAXUINT64;
}

/**
 * wf_block_store_has_changed:
 * @store: a store
 *
 * Returns: whether a block that was fetched once more since wf_block_store_invalidate() was
 *   different
 */
gboolean
wf_block_store_has_changed (WfBlockStore *store)
{
  return store->changed;
}

/**
 * wf_block_store_slice_is_valid:
 * @store: a store
 * @slice: which slice
 *
 * Returns: whether the drawable is there, with the size, place and format that it had
 */
gboolean
wf_block_store_slice_is_valid (WfBlockStore *store,
                               guint         slice)
{
  const WfSlice *read = &store->source->slices[slice];

  return (wf_slice_is_copy (read) || gimp_item_is_valid (GIMP_ITEM (read->drawable))) &&
         wf_block_pixels_are_valid (get_pixels (store, slice));
}

/**
 * wf_block_store_is_valid:
 * @store: a store
 *
 * Returns: whether the drawables that are read still have the size, place and format that
 *   they had; those that are not there any more are not asked
 */
gboolean
wf_block_store_is_valid (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    if (! wf_block_pixels_are_valid (&store->pixels[i]))
      return FALSE;
  return TRUE;
}

/**
 * wf_block_store_begin:
 * @store: a store
 *
 * Begins to fetch what is wanted now; at least one block is fetched, whatever the time is.
 */
void
wf_block_store_begin (WfBlockStore *store)
{
  store->now++;
  store->n_got = 0;
}

/**
 * wf_block_store_fetch:
 * @store: a store
 * @slice: which slice
 * @pyramid_level: how often its size is halved
 * @part: which of its pixels then, counted from its own corner
 * @colors: whether with colours
 * @until: the monotonic time at which to stop
 *
 * Returns: whether all of @part is there
 */
gboolean
wf_block_store_fetch (WfBlockStore        *store,
                      guint                slice,
                      int                  pyramid_level,
                      const GeglRectangle *part,
                      gboolean             colors,
                      gint64               until)
{
  const int last_column = (part->x + part->width - 1) >> SIDE_BITS;
  const int last_row    = (part->y + part->height - 1) >> SIDE_BITS;

  for (int row = part->y >> SIDE_BITS; row <= last_row; row++)
    for (int column = part->x >> SIDE_BITS; column <= last_column; column++)
      {
        WfBlock *block = get_block (store, slice, pyramid_level, column, row, colors, until);

        if (! block)
          return FALSE;
        block->wanted = store->now;
      }
  return TRUE;
}

static int
compare_ages (gconstpointer a,
              gconstpointer b)
{
  const WfBlock *one   = *(const WfBlock *const *) a;
  const WfBlock *other = *(const WfBlock *const *) b;

  return (one->wanted > other->wanted) - (one->wanted < other->wanted);
}

/**
 * wf_block_store_end:
 * @store: a store, from which everything was fetched that is wanted
 *
 * Gives up what is more than is worth keeping, but nothing that was wanted just now.
 */
void
wf_block_store_end (WfBlockStore *store)
{
  g_autoptr (GPtrArray) blocks = NULL;

  for (guint i = 0; i < store->source->n_slices; i++)
    wf_block_pixels_release (&store->pixels[i]);
  if (store->n_bytes <= MOST_BYTES)
    return;

  blocks = g_hash_table_get_values_as_ptr_array (store->blocks);
  g_ptr_array_sort (blocks, compare_ages);
  for (guint i = 0; i < blocks->len && store->n_bytes > MOST_BYTES; i++)
    {
      const WfBlock *block = blocks->pdata[i];

      if (block->wanted + 1 >= store->now)
        return;
      give_up_block (store, block);
    }
}


/*  Reading  */

static void
read_row (WfBlockStore *store,
          guint         slice,
          int           pyramid_level,
          int           x,
          int           y,
          int           n,
          gboolean      colors,
          gpointer      out)
{
  const gsize size = colors ? 4 : wf_type_size (store->source->type);
  guint8     *to   = out;

  while (n > 0)
    {
      const WfBlock  *block  = x >= 0 && y >= 0 ? find_block (store, slice, pyramid_level, x, y) : NULL;
      const guint8 *from   = NULL;
      const int     inside = x & (SIDE - 1);
      int           length = MIN (n, SIDE - inside);

      if (block)
        from = colors ? block->colors : block->levels;
      if (from && inside < block->width && (y & (SIDE - 1)) < block->height)
        {
          length = MIN (length, block->width - inside);
          memcpy (to, from + ((gsize) (y & (SIDE - 1)) * block->width + inside) * size,
                  length * size);
        }
      else
        {
          memset (to, 0, length * size);
        }
      to += length * size;
      x  += length;
      n  -= length;
    }
}

/**
 * wf_block_store_read_levels:
 * @store: a store
 * @slice: which slice
 * @pyramid_level: how often its size is halved
 * @x: of the first pixel, counted from its own corner
 * @y: likewise
 * @n: how many, to the right
 * @levels: set, of the type of the source; 0 where nothing was fetched
 *
 * Several threads can read at once.
 */
void
wf_block_store_read_levels (WfBlockStore *store,
                            guint         slice,
                            int           pyramid_level,
                            int           x,
                            int           y,
                            int           n,
                            gpointer      levels)
{
  read_row (store, slice, pyramid_level, x, y, n, FALSE, levels);
}

/**
 * wf_block_store_read_colors:
 * @store: a store
 * @slice: which slice
 * @pyramid_level: how often its size is halved
 * @x: of the first pixel, counted from its own corner
 * @y: likewise
 * @n: how many, to the right
 * @colors: set to red, green, blue and alpha; 0 where nothing was fetched
 *
 * Several threads can read at once.
 */
void
wf_block_store_read_colors (WfBlockStore *store,
                            guint         slice,
                            int           pyramid_level,
                            int           x,
                            int           y,
                            int           n,
                            guint8       *colors)
{
  read_row (store, slice, pyramid_level, x, y, n, TRUE, colors);
}

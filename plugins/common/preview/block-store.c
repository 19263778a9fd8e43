/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile store of a preview: the pixels of drawables in blocks, at the levels of a pyramid
 * (full size, half of it, a quarter and so on), each requested from GIMP (block-pixels.c)
 * once and kept.
 *
 * GIMP may have to compute a scaled block first, in many small steps (block-warming.c).
 * Where it gives no scaled pixels a block is the mean of the four under it, which are
 * dropped afterwards unless they are wanted themselves.
 *
 * A block holds levels and colours of the same pixels: at most 8 bytes a pixel, where those
 * of GIMP have up to 32.  When all blocks take more than MOST_BYTES the ones that were
 * wanted least recently are dropped.
 *
 * When drawables may have changed the store is invalidated: each block is requested again
 * when it is next wanted, stays fetch then, and is compared with the new one.
 *
 * Everything but reading is for the main thread, as it calls GIMP.
 */

#include "config.h"

#include <string.h>

#include "block-pixels.h"
#include "block-store.h"
#include "block-warming.h"

/* Of a block, in pixels: two of GIMP's tiles. */
#define SIDE_BITS 8
#define SIDE      (1 << SIDE_BITS)

/* Larger than the pyramid of any image is high. */
#define MOST_PYRAMID_LEVEL 24

#define MOST_BYTES ((gsize) 192 << 20)

/**
 * WfBlockStore:
 * @pixels: of each slice
 * @blocks: by their keys
 * @scaled: whether GIMP gives scaled pixels
 * @now: counts fetches, for the age of blocks
 * @generation: how often the blocks were invalidated
 * @changed: whether a block came since then that differs from the old one
 * @n_bytes: of all blocks
 * @warming: of the block that is needed next
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
  WfBlockWarming  warming;
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

  wf_block_pixels_init (pixels, &store->source->slices[slice], store->source->type,
                        store->source->component, store->scaled, babl_format ("R'G'B'A u8"),
                        store->pixels[0].conversions);
  return pixels;
}

/**
 * wf_block_store_new:
 * @source: what is read; it must outlive the store
 *
 * Returns: (transfer full): an empty store
 */
WfBlockStore *
wf_block_store_new (const WfSource *source)
{
  WfBlockStore *store = g_new0 (WfBlockStore, 1);

  store->source = source;
  store->pixels = g_new0 (WfBlockPixels, source->n_slices);
  store->scaled = wf_block_pixels_have_thumbnails ();
  store->blocks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, wf_block_free);
  wf_block_warming_init (&store->warming);
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
 * @scale: of the wanted pixels, above 0 and at most 1
 *
 * Returns: the highest level of the pyramid whose pixels are no larger than the wanted ones
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
 * @pyramid_level: at which level
 * @bounds: set to its size there, in whole pixels, and to its place in the image at full
 *   size
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


/*  Scaling by GIMP  */

/* Returns whether there is a valid block that covers a block and more: then GIMP has scaled
 * what is under both.
 */
static gboolean
is_in_larger_block (WfBlockStore        *store,
                    guint                slice,
                    int                  pyramid_level,
                    const GeglRectangle *part)
{
  for (int above = 1; above < MOST_PYRAMID_LEVEL - pyramid_level; above++)
    {
      const WfBlock *block = find_block (store, slice, pyramid_level + above,
                                         part->x >> above, part->y >> above);

      if (block && block->generation == store->generation)
        return TRUE;
    }
  return FALSE;
}

/* Returns whether GIMP has what a block needs; else some of it was computed. */
static gboolean
is_warm (WfBlockStore        *store,
         guint64              key,
         guint                slice,
         int                  pyramid_level,
         const GeglRectangle *part,
         WfFetch             *fetch)
{
  WfBlockPixels *pixels = get_pixels (store, slice);

  if (store->warming.key != key)
    {
      wf_block_warming_begin (&store->warming, key, pixels);
      if (is_in_larger_block (store, slice, pyramid_level, part))
        store->warming.pyramid_level = pyramid_level;
    }
  return wf_block_warming_step (&store->warming, pixels, pyramid_level, part, fetch);
}


/*  Making blocks  */

static void
drop_block (WfBlockStore  *store,
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
                            WfFetch      *fetch);

/* From the four blocks under it; at the right and lower edges there are fewer. */
static gboolean
fill_from_quarters (WfBlockStore        *store,
                    guint                index,
                    int                  pyramid_level,
                    const GeglRectangle *part,
                    WfFetch             *fetch,
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
                                 block->colors != NULL, fetch);
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
          drop_block (store, quarters[i]);
      }
  return TRUE;
}

static gboolean
fill_block (WfBlockStore        *store,
            guint                index,
            int                  pyramid_level,
            const GeglRectangle *part,
            WfFetch             *fetch,
            WfBlock             *block)
{
  WfBlockPixels *pixels = get_pixels (store, index);

  if (pyramid_level > 0 && ! pixels->scaled)
    return fill_from_quarters (store, index, pyramid_level, part, fetch, block);
  return is_warm (store, block->key, index, pyramid_level, part, fetch) &&
         wf_conversions_await (pixels->conversions, fetch->deadline) &&
         wf_block_pixels_read (pixels, pyramid_level, part, block);
}

/* Returns a valid block, or %NULL if there is no time or the drawable is gone. */
static WfBlock *
get_block (WfBlockStore *store,
           guint         index,
           int           pyramid_level,
           int           column,
           int           row,
           gboolean      colors,
           WfFetch      *fetch)
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
  if (! wf_fetch_has_time (fetch) || ! wf_block_pixels_can_be_read (pixels))
    return NULL;

  wf_block_store_get_size (store, index, pyramid_level, &all);
  part  = *GEGL_RECTANGLE (column * SIDE, row * SIDE, MIN (SIDE, all.width - column * SIDE),
                           MIN (SIDE, all.height - row * SIDE));
  block = wf_block_new (key, part.width, part.height, store->source->type, colors);
  if (! fill_block (store, index, pyramid_level, &part, fetch, block))
    return NULL;

  block->generation = store->generation;
  if (old)
    {
      store->changed |= wf_block_differs (old, block);
      drop_block (store, old);
    }
  g_hash_table_insert (store->blocks, &block->key, block);
  store->n_bytes += wf_block_n_bytes (block);
  fetch->n_requests++;
  return g_steal_pointer (&block);
}


/*  Fetching  */

/**
 * wf_block_store_invalidate:
 * @store: a store
 *
 * Makes everything that is wanted from now on be fetched again.
 */
void
wf_block_store_invalidate (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    wf_block_pixels_release (&store->pixels[i]);
  store->generation++;
  store->changed = FALSE;
  wf_block_warming_init (&store->warming);
}

/**
 * wf_block_store_has_changed:
 * @store: a store
 *
 * Returns: whether a block that was fetched again since wf_block_store_invalidate() differs
 *   from the old one
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
 * Returns: whether the drawable exists, with the size, place and format that it had
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
 * Returns: whether the drawables still have the size, place and format that they had;
 *   deleted ones are not looked at
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
 * @fetch: the step
 *
 * Begins to fetch what is wanted now, as a stage of @fetch.
 */
void
wf_block_store_begin (WfBlockStore *store,
                      WfFetch      *fetch)
{
  store->now++;
  wf_fetch_begin_stage (fetch);
}

/**
 * wf_block_store_fetch:
 * @store: a store
 * @slice: which slice
 * @pyramid_level: at which level
 * @part: of the slice at that level, from its own corner
 * @colors: whether with colors
 * @fetch: the step; not complete unless all of @part is there
 */
void
wf_block_store_fetch (WfBlockStore        *store,
                      guint                slice,
                      int                  pyramid_level,
                      const GeglRectangle *part,
                      gboolean             colors,
                      WfFetch             *fetch)
{
  const int last_column = (part->x + part->width - 1) >> SIDE_BITS;
  const int last_row    = (part->y + part->height - 1) >> SIDE_BITS;

  for (int row = part->y >> SIDE_BITS; row <= last_row; row++)
    for (int column = part->x >> SIDE_BITS; column <= last_column; column++)
      {
        WfBlock *block = get_block (store, slice, pyramid_level, column, row, colors, fetch);

        if (! block)
          {
            fetch->complete = FALSE;
            return;
          }
        block->wanted = store->now;
      }
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
 * Drops blocks beyond the limit, but none that was wanted by this fetch or the last.
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
      drop_block (store, block);
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
      const WfBlock *block  = NULL;
      const guint8  *from   = NULL;
      const int      inside = x & (SIDE - 1);
      int            length = MIN (n, SIDE - inside);

      if (x >= 0 && y >= 0)
        block = find_block (store, slice, pyramid_level, x, y);
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
 * @pyramid_level: at which level
 * @x: of the first pixel, from the slice's corner
 * @y: likewise
 * @n: number of pixels, to the right
 * @levels: set, of the type of the source; 0 where nothing was fetched
 *
 * May be called by several threads at once.
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
 * @pyramid_level: at which level
 * @x: of the first pixel, from the slice's corner
 * @y: likewise
 * @n: number of pixels, to the right
 * @colors: set to red, green, blue and alpha; 0 where nothing was fetched
 *
 * May be called by several threads at once.
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

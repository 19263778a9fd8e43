/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of drawables for a preview: in blocks, at full size and at a half, a quarter
 * and so on of it, each asked of GIMP once and kept.
 *
 * At full size GIMP hands out tiles.  It has no smaller ones for plug-ins: GEGL makes them
 * here, from all tiles of full size, which for a slide of 30000 × 30000 pixels takes
 * seconds.  But GIMP itself keeps every drawable at half its size, and so on, for its own
 * views, and a thumbnail of a part of a drawable is cut from that: pixels in the drawable's
 * own format, nothing is lost in precision, each the mean of those under it.  Where the
 * size is divided by a power of two the thumbnail is what is stored, not resampled.  So
 * this is where scaled pixels are taken from.
 *
 * Where GIMP has not needed them so far it makes them now, from the pixels under them, and
 * for a block that can take many seconds.  So GIMP is first asked for single pixels of the
 * tiles under it, from which it makes the block then: no request takes long, and where all
 * is there hardly any time.
 *
 * Thumbnails are what is seen, filters and all, and so those of full size are, too, where
 * there are filters: then no layer has to be copied.  Where thumbnails are turned off, a
 * block is made of the four under it (block-halves.c), which are given up then unless they
 * are wanted themselves.
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

#include "block-halves.h"
#include "block-store.h"
#include "conversions.h"

/* Of a block, in pixels: two of GIMP's tiles. */
#define SIDE_BITS 8
#define SIDE      (1 << SIDE_BITS)

/* What GIMP may have to make of a piece of so many bytes takes a hundredth of a second. */
#define PIECE_BYTES (4 << 20)
/* It is one of its own tiles, and those of the next pieces are so often halved again. */
#define PIECE_SIDE  (SIDE / 2)
#define PIECE_STEP  2

/* No image is as large as this makes small. */
#define MOST_HALVES 24

#define MOST_BYTES ((gsize) 192 << 20)

/**
 * Block:
 * @key: which one
 * @width: in pixels; less than SIDE at the right edge
 * @height: likewise
 * @levels: of the source's type
 * @colors: red, green, blue and alpha of 8 bits, or %NULL
 * @wanted: when it was wanted last; 0 if only for a smaller one
 * @n_doubts: how often blocks had been doubted when this one came
 */
typedef struct
{
  guint64  key;
  int      width;
  int      height;
  gpointer levels;
  guint8  *colors;
  guint64  wanted;
  guint    n_doubts;
} Block;

/**
 * Slice:
 * @slice: where the pixels are; %NULL before the first of them is asked for
 * @bounds: of it, at the place that counts for the source
 * @format: of it
 * @scaled: whether GIMP gives scaled pixels of it, and full-size ones as filters leave them
 * @piece_halves: how often the size of a piece is halved that GIMP makes soon
 * @conversions: to levels and to colours
 * @pixels: opened while some are read
 */
typedef struct
{
  WfSlice       *slice;
  GeglRectangle  bounds;
  const Babl    *format;
  gboolean       scaled;
  int            piece_halves;
  WfConversions *conversions;
  WfPixels       pixels;
} Slice;

/**
 * WfBlockStore:
 * @scaled: whether GIMP gives scaled pixels
 * @now: counts what is wanted, for the age of blocks
 * @n_doubts: how often blocks were doubted
 * @changed: whether since then one came that was different
 * @n_bytes: of all blocks
 * @warming: the block whose pieces are asked for
 * @halves: how often the size of these pieces is halved
 * @piece: the next of them
 * @n_got: how many requests there were
 * @scratch: the pixels of a block, in their own format
 */
struct _WfBlockStore
{
  const WfSource *source;
  Slice          *slices;
  GHashTable     *blocks;
  gboolean        scaled;
  guint64         now;
  guint           n_doubts;
  gboolean        changed;
  gsize           n_bytes;
  guint64         warming;
  int             halves;
  int             piece;
  guint           n_got;
  GByteArray     *scratch;
};


/*  Blocks  */

static guint64
make_key (guint slice,
          int   n_halves,
          int   column,
          int   row)
{
  return (guint64) slice << 45 | (guint64) n_halves << 40 | (guint64) column << 20 | row;
}

static void
block_free (gpointer data)
{
  Block *block = data;

  g_free (block->levels);
  g_free (block->colors);
  g_free (block);
}

static gsize
block_n_bytes (const WfBlockStore *store,
               const Block        *block)
{
  return (gsize) block->width * block->height *
         (wf_type_size (store->source->type) + (block->colors ? 4 : 0));
}

static Block *
find_block (WfBlockStore *store,
            guint         slice,
            int           n_halves,
            int           x,
            int           y)
{
  const guint64 key = make_key (slice, n_halves, x >> SIDE_BITS, y >> SIDE_BITS);

  return g_hash_table_lookup (store->blocks, &key);
}

static Slice *
get_slice (WfBlockStore *store,
           guint         index)
{
  Slice          *slice  = &store->slices[index];
  const WfSource *source = store->source;

  if (slice->slice)
    return slice;

  slice->slice  = &source->slices[index];
  slice->scaled = store->scaled && ! wf_slice_is_copy (slice->slice);
  slice->format = wf_slice_get_format (slice->slice);
  wf_slice_get_bounds (slice->slice, &slice->bounds);
  while (PIECE_SIDE * PIECE_SIDE * babl_format_get_bytes_per_pixel (slice->format) <<
         2 * (slice->piece_halves + 1) <= PIECE_BYTES)
    slice->piece_halves++;
  slice->conversions = wf_conversions_new (slice->format, source->type, source->component,
                                           store->slices[0].conversions);
  return slice;
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
  WfBlockStore    *store   = g_new0 (WfBlockStore, 1);
  g_autofree char *setting = gimp_gimprc_query ("layer-previews");

  store->source = source;
  store->slices = g_new0 (Slice, source->n_slices);
  store->scaled = g_strcmp0 (setting, "no") != 0;
  store->blocks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, block_free);
  store->scratch = g_byte_array_new ();
  get_slice (store, 0);
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
    {
      wf_pixels_close (&store->slices[i].pixels);
      g_clear_pointer (&store->slices[i].conversions, wf_conversions_unref);
    }
  g_byte_array_unref (store->scratch);
  g_hash_table_unref (store->blocks);
  g_free (store->slices);
  g_free (store);
}


/*  Sizes  */

/**
 * wf_block_store_get_n_halves:
 * @store: a store
 * @scale: at which pixels are wanted, above 0 and at most 1
 *
 * Returns: how often the size is best halved: the pixels are no larger than the wanted ones
 */
int
wf_block_store_get_n_halves (WfBlockStore *store,
                             double        scale)
{
  const Slice *slice    = get_slice (store, 0);
  const int    least    = MIN (slice->bounds.width, slice->bounds.height);
  int          n_halves = 0;

  while (scale * (2 << n_halves) <= 1 && least >> (n_halves + 1) > 0)
    n_halves++;
  return n_halves;
}

/**
 * wf_block_store_get_size:
 * @store: a store
 * @slice: which slice
 * @n_halves: how often its size is halved
 * @bounds: set to how many pixels it has then, whole ones, and to where it is in the image
 *   at full size
 */
void
wf_block_store_get_size (WfBlockStore  *store,
                         guint          slice,
                         int            n_halves,
                         GeglRectangle *bounds)
{
  *bounds = get_slice (store, slice)->bounds;
  bounds->width  = MAX (bounds->width >> n_halves, 1);
  bounds->height = MAX (bounds->height >> n_halves, 1);
}


/*  GIMP's pixels  */

static gboolean
get_thumbnail (const Slice         *slice,
               int                  n_halves,
               const GeglRectangle *part,
               gpointer             pixels)
{
  const gsize        size  = (gsize) babl_format_get_bytes_per_pixel (slice->format);
  const gsize        all   = size * part->width * part->height;
  int                width, height, n_bytes;
  g_autoptr (GBytes) bytes =
    gimp_drawable_get_sub_thumbnail_data (slice->slice->drawable,
                                          part->x << n_halves, part->y << n_halves,
                                          part->width << n_halves, part->height << n_halves,
                                          part->width, part->height,
                                          &width, &height, &n_bytes);

  if (! bytes || width != part->width || height != part->height || n_bytes != (int) size ||
      g_bytes_get_size (bytes) != all)
    return FALSE;
  memcpy (pixels, g_bytes_get_data (bytes, NULL), all);
  return TRUE;
}

/* Where GIMP gives no pixels in which filters are seen they are copied; there is nothing to
 * be seen if there is no memory for it.
 */
static gboolean
open_pixels (Slice *slice)
{
  if (slice->pixels.format)
    return TRUE;
  if (! wf_slice_copy (slice->slice, &slice->bounds, NULL))
    return FALSE;
  wf_slice_open_pixels (slice->slice, &slice->pixels);
  return TRUE;
}

static void
get_full_size (Slice               *slice,
               const GeglRectangle *part,
               gpointer             pixels)
{
  GeglRectangle place = *part;

  if (! open_pixels (slice))
    {
      memset (pixels, 0, (gsize) part->width * part->height *
                         babl_format_get_bytes_per_pixel (slice->format));
      return;
    }
  if (wf_slice_is_copy (slice->slice))
    {
      place.x += slice->bounds.x - slice->slice->left;
      place.y += slice->bounds.y - slice->slice->top;
    }
  wf_pixels_get (&slice->pixels, &place, slice->format, pixels);
}

/* Of full size, or as GIMP keeps them. */
static gboolean
get_pixels (Slice               *slice,
            int                  n_halves,
            const GeglRectangle *part,
            gpointer             pixels)
{
  if (slice->scaled && (n_halves > 0 || slice->slice->filtered))
    return get_thumbnail (slice, n_halves, part, pixels);
  get_full_size (slice, part, pixels);
  return TRUE;
}

/* Has GIMP make what is under a block at the size of the present pieces, of each of which
 * one pixel is asked for; returns whether that is done.
 */
static gboolean
touch_pieces (WfBlockStore        *store,
              const Slice         *slice,
              int                  n_halves,
              const GeglRectangle *part,
              gint64               until)
{
  const int more      = n_halves - store->halves;
  const int n_columns = ((part->width << more) + PIECE_SIDE - 1) / PIECE_SIDE;
  const int n_rows    = ((part->height << more) + PIECE_SIDE - 1) / PIECE_SIDE;

  g_byte_array_set_size (store->scratch,
                         (guint) babl_format_get_bytes_per_pixel (slice->format));
  for (; store->piece < n_columns * n_rows; store->piece++)
    {
      const GeglRectangle pixel = { (part->x << more) + store->piece % n_columns * PIECE_SIDE,
                                    (part->y << more) + store->piece / n_columns * PIECE_SIDE,
                                    1, 1 };

      if (store->n_got > 0 && g_get_monotonic_time () >= until)
        return FALSE;
      get_thumbnail (slice, store->halves, &pixel, store->scratch->data);
      store->n_got++;
    }
  return TRUE;
}

/* Returns whether a smaller image of all that is in a block was made. */
static gboolean
is_in_larger_block (WfBlockStore        *store,
                    guint                slice,
                    int                  n_halves,
                    const GeglRectangle *part)
{
  for (int more = 1; more < MOST_HALVES - n_halves; more++)
    {
      const Block *block = find_block (store, slice, n_halves + more, part->x >> more,
                                       part->y >> more);

      if (block && block->n_doubts == store->n_doubts)
        return TRUE;
    }
  return FALSE;
}

/* Returns whether GIMP has what a block needs: else some of it was made. */
static gboolean
is_warm (WfBlockStore        *store,
         guint64              key,
         const Slice         *slice,
         int                  n_halves,
         const GeglRectangle *part,
         gint64               until)
{
  if (store->warming != key)
    {
      store->warming = key;
      store->halves  = slice->piece_halves;
      store->piece   = 0;
      if (is_in_larger_block (store, (guint) (slice - store->slices), n_halves, part))
        store->halves = n_halves;
    }
  for (; store->halves < n_halves; store->halves += PIECE_STEP, store->piece = 0)
    if (! touch_pieces (store, slice, n_halves, part, until))
      return FALSE;
  return TRUE;
}

/* What GIMP does not give it will not give another time. */
static gboolean
fill_from_pixels (WfBlockStore        *store,
                  Slice               *slice,
                  int                  n_halves,
                  const GeglRectangle *part,
                  Block               *block)
{
  const gsize n = (gsize) part->width * part->height;

  g_byte_array_set_size (store->scratch,
                         (guint) n * babl_format_get_bytes_per_pixel (slice->format));
  if (! get_pixels (slice, n_halves, part, store->scratch->data))
    {
      slice->scaled = FALSE;
      return FALSE;
    }
  wf_conversions_get_levels (slice->conversions, store->scratch->data, n, block->levels);
  if (block->colors)
    wf_conversions_get_colors (slice->conversions, store->scratch->data, n, block->colors);
  return TRUE;
}

static void
put_quarter (const WfBlockStore *store,
             const Block        *quarter,
             int                 x,
             int                 y,
             Block              *block)
{
  const int   width  = MIN (block->width - x, SIDE / 2);
  const int   height = MIN (block->height - y, SIDE / 2);
  const gsize place  = (gsize) y * block->width + x;

  wf_halve_levels (store->source->type, quarter->levels, quarter->width,
                   (guint8 *) block->levels + place * wf_type_size (store->source->type),
                   block->width, width, height);
  if (block->colors)
    wf_halve_colors (quarter->colors, quarter->width, block->colors + 4 * place, block->width,
                     width, height);
}

static void
give_up_block (WfBlockStore *store,
               const Block  *block)
{
  store->n_bytes -= block_n_bytes (store, block);
  g_hash_table_remove (store->blocks, &block->key);
}

static Block * get_block (WfBlockStore *store,
                          guint         index,
                          int           n_halves,
                          int           column,
                          int           row,
                          gboolean      colors,
                          gint64        until);

/* From the four blocks under it, fewer at the right edge and the lower one. */
static gboolean
fill_from_quarters (WfBlockStore        *store,
                    guint                index,
                    int                  n_halves,
                    const GeglRectangle *part,
                    gint64               until,
                    Block               *block)
{
  Block *quarters[4] = { NULL };

  for (int i = 0; i < 4; i++)
    {
      const int x = i % 2 * (SIDE / 2);
      const int y = i / 2 * (SIDE / 2);

      if (x >= part->width || y >= part->height)
        continue;
      quarters[i] = get_block (store, index, n_halves - 1, (2 * (part->x + x)) >> SIDE_BITS,
                               (2 * (part->y + y)) >> SIDE_BITS, block->colors != NULL, until);
      if (! quarters[i])
        return FALSE;
    }

  for (int i = 0; i < 4; i++)
    if (quarters[i])
      {
        put_quarter (store, quarters[i], i % 2 * (SIDE / 2), i / 2 * (SIDE / 2), block);
        if (quarters[i]->wanted == 0)
          give_up_block (store, quarters[i]);
      }
  return TRUE;
}

static gboolean
fill_block (WfBlockStore        *store,
            guint                index,
            int                  n_halves,
            const GeglRectangle *part,
            gint64               until,
            Block               *block)
{
  Slice *slice = get_slice (store, index);

  if (n_halves > 0 && ! slice->scaled)
    return fill_from_quarters (store, index, n_halves, part, until, block);
  return is_warm (store, block->key, slice, n_halves, part, until) &&
         wf_conversions_await (slice->conversions, until) &&
         fill_from_pixels (store, slice, n_halves, part, block);
}

static Block *
block_new (const WfBlockStore  *store,
           guint64              key,
           const GeglRectangle *part,
           gboolean             colors)
{
  Block      *block = g_new0 (Block, 1);
  const gsize n     = (gsize) part->width * part->height;

  *block = (Block) { .key = key, .width = part->width, .height = part->height,
                     .n_doubts = store->n_doubts };
  block->levels = g_malloc (n * wf_type_size (store->source->type));
  block->colors = colors ? g_malloc (4 * n) : NULL;
  return block;
}

static gboolean
are_different (const WfBlockStore *store,
               const Block        *one,
               const Block        *other)
{
  const gsize n = (gsize) other->width * other->height;

  return memcmp (one->levels, other->levels, n * wf_type_size (store->source->type)) != 0 ||
         (one->colors && other->colors && memcmp (one->colors, other->colors, 4 * n) != 0);
}

/* Returns the block unless there is not enough time, or nothing to read any more. */
static Block *
get_block (WfBlockStore *store,
           guint         index,
           int           n_halves,
           int           column,
           int           row,
           gboolean      colors,
           gint64        until)
{
  const WfSlice *slice = get_slice (store, index)->slice;
  const guint64  key   = make_key (index, n_halves, column, row);
  Block         *old   = g_hash_table_lookup (store->blocks, &key);
  Block         *block;
  GeglRectangle  all;
  GeglRectangle  part;

  if (old && (old->colors || ! colors) &&
      (old->n_doubts == store->n_doubts || wf_slice_is_copy (slice)))
    return old;
  if (store->n_got > 0 && g_get_monotonic_time () >= until)
    return NULL;
  if (! wf_slice_is_copy (slice) && ! gimp_item_is_valid (GIMP_ITEM (slice->drawable)))
    return NULL;

  wf_block_store_get_size (store, index, n_halves, &all);
  part  = *GEGL_RECTANGLE (column * SIDE, row * SIDE, MIN (SIDE, all.width - column * SIDE),
                           MIN (SIDE, all.height - row * SIDE));
  block = block_new (store, key, &part, colors);
  if (! fill_block (store, index, n_halves, &part, until, block))
    {
      block_free (block);
      return NULL;
    }

  if (old)
    {
      store->changed |= are_different (store, old, block);
      give_up_block (store, old);
    }
  g_hash_table_insert (store->blocks, &block->key, block);
  store->n_bytes += block_n_bytes (store, block);
  store->n_got++;
  return block;
}


/*  Fetching  */

/**
 * wf_block_store_doubt:
 * @store: a store
 *
 * Has all that is wanted from now on fetched once more.
 */
void
wf_block_store_doubt (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    wf_pixels_close (&store->slices[i].pixels);
  store->n_doubts++;
  store->changed = FALSE;
  store->warming = G_MAXUINT64;
}

/**
 * wf_block_store_has_changed:
 * @store: a store
 *
 * Returns: whether a block that was fetched once more since wf_block_store_doubt() was
 *   different
 */
gboolean
wf_block_store_has_changed (WfBlockStore *store)
{
  return store->changed;
}

/**
 * wf_block_store_is_current:
 * @store: a store
 *
 * Returns: whether the drawables that are read still have the size, place and format that
 *   they had; those that are not there any more are not asked
 */
gboolean
wf_block_store_is_current (WfBlockStore *store)
{
  for (guint i = 0; i < store->source->n_slices; i++)
    {
      const Slice   *slice = &store->slices[i];
      GeglRectangle  bounds;

      if (! slice->slice || wf_slice_is_copy (slice->slice) ||
          ! gimp_item_is_valid (GIMP_ITEM (slice->slice->drawable)))
        continue;
      wf_slice_get_bounds (slice->slice, &bounds);
      if (! gegl_rectangle_equal (&bounds, &slice->bounds) ||
          wf_slice_get_format (slice->slice) != slice->format)
        return FALSE;
    }
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
 * @n_halves: how often its size is halved
 * @part: which of its pixels then, counted from its own corner
 * @colors: whether with colours
 * @until: the monotonic time at which to stop
 *
 * Returns: whether all of @part is there
 */
gboolean
wf_block_store_fetch (WfBlockStore        *store,
                      guint                slice,
                      int                  n_halves,
                      const GeglRectangle *part,
                      gboolean             colors,
                      gint64               until)
{
  const int last_column = (part->x + part->width - 1) >> SIDE_BITS;
  const int last_row    = (part->y + part->height - 1) >> SIDE_BITS;

  for (int row = part->y >> SIDE_BITS; row <= last_row; row++)
    for (int column = part->x >> SIDE_BITS; column <= last_column; column++)
      {
        Block *block = get_block (store, slice, n_halves, column, row, colors, until);

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
  const Block *one   = *(const Block *const *) a;
  const Block *other = *(const Block *const *) b;

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
    wf_pixels_close (&store->slices[i].pixels);
  if (store->n_bytes <= MOST_BYTES)
    return;

  blocks = g_hash_table_get_values_as_ptr_array (store->blocks);
  g_ptr_array_sort (blocks, compare_ages);
  for (guint i = 0; i < blocks->len && store->n_bytes > MOST_BYTES; i++)
    {
      const Block *block = blocks->pdata[i];

      if (block->wanted + 1 >= store->now)
        return;
      give_up_block (store, block);
    }
}


/*  Reading  */

static void
read_row (WfBlockStore *store,
          guint         slice,
          int           n_halves,
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
      const Block  *block  = x >= 0 && y >= 0 ? find_block (store, slice, n_halves, x, y) : NULL;
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
 * @n_halves: how often its size is halved
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
                            int           n_halves,
                            int           x,
                            int           y,
                            int           n,
                            gpointer      levels)
{
  read_row (store, slice, n_halves, x, y, n, FALSE, levels);
}

/**
 * wf_block_store_read_colors:
 * @store: a store
 * @slice: which slice
 * @n_halves: how often its size is halved
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
                            int           n_halves,
                            int           x,
                            int           y,
                            int           n,
                            guint8       *colors)
{
  read_row (store, slice, n_halves, x, y, n, TRUE, colors);
}

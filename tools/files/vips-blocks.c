/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TIFF files in tiles of plain gray levels, the usual ones, are read by tiff-tiles.c with all
 * threads; libvips only says what they are.
 *
 * Of others rows are decoded few at a time, as they are asked for.  A file in tiles is opened
 * once, for access in any order; libvips keeps one and a half rows of tiles.  Strips of TIFF and
 * the rows of PNG are read from the first to the last: to go back, the file is opened again.
 *
 * Formats that libvips decodes as a whole are refused.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>
#include <vips/vips.h>

#include "tiff-doubles.h"
#include "tiff-file.h"
#include "tiff-tiles.h"
#include "tools/message.h"
#include "vips-blocks.h"
#include "vips-file.h"
#include "vips-levels.h"
#include "vips-library.h"

/* Rows that libvips decodes in one call; more if they are short. */
#define MIN_ROWS    16
#define MAX_ROWS    1024
#define PIXELS_ONCE 65536

/* Rows that libvips keeps beyond those of its tiles or strips, with one thread. */
#define MORE_ROWS (64 + 4 * MIN_ROWS)

/* Of PNG: four bands of 16 bits. */
#define MAX_PNG_PIXEL 8


/**
 * VipsBlocks:
 * @tiles: (nullable): what reads the file, if it is not libvips; then the rest is not needed
 * @image: one band, all slices below one another
 * @region: its rows that were decoded last
 * @next: the row after the last one read; only then comes what can be read without going back
 * @is_same: whether pixels are what the engine takes
 * @rounded: (nullable): a sentence about rounding
 */
struct _VipsBlocks
{
  char       *path;
  gboolean    labels;
  Choice      choice;
  gboolean    random;
  TiffTiles  *tiles;
  VipsImage  *image;
  VipsRegion *region;
  gint64      next;
  gint64      height;
  gboolean    is_same;
  guint64     memory;
  char       *rounded;
};

/* Of all open files; there is one libvips, whose threads are restored by the last one. */
static guint n_open;
static int   n_threads_before;

static gboolean
fail (const char  *path,
      GError     **error)
{
  g_autofree char *reason = vips_library_take_reason ();

  return refuse_to_read (path, reason, error);
}

static gboolean
refuse (const char  *path,
        const char  *what,
        GError     **error)
{
  g_autofree char *reason = g_strdup_printf (_("%s cannot be read in blocks; TIFF, PNG, Zarr "
                                               "and raw files can"), what);

  return refuse_to_read (path, reason, error);
}

/* The name of the format, from that of libvips' loader, such as VipsForeignLoadJpegFile. */
static char *
name_format (const char *loader)
{
  const char *start  = "VipsForeignLoad";
  char       *name   = g_strdup (g_str_has_prefix (loader, start) ? loader + strlen (start)
                                                                  : loader);

  if (g_str_has_suffix (name, "File"))
    name[strlen (name) - strlen ("File")] = '\0';
  return name;
}

/* Finds out how a file can be read, and how much memory that takes. */
static gboolean
find_access (VipsBlocks  *blocks,
             GError     **error)
{
  g_autofree char *file   = vips_filename_get_filename (blocks->path);
  const char      *loader = vips_foreign_find_load (blocks->path);
  g_autofree char *format = name_format (loader ? loader : "");
  TiffLayout       layout;

  if (g_str_has_prefix (format, "Png"))
    return TRUE;
  if (! g_str_has_prefix (format, "Tiff") || ! tiff_file_find_layout (file, &layout))
    return refuse (blocks->path, format, error);
  if (tiff_doubles_are_in (file))
    return refuse (blocks->path, _("TIFF of 64-bit floating point"), error);
  blocks->random = layout.tiled;
  blocks->memory = (layout.tiled ? 2 : 3) * layout.part_bytes + MORE_ROWS * layout.row_bytes;
  return TRUE;
}

static gboolean
open_image (VipsBlocks  *blocks,
            char       **notice,
            GError     **error)
{
  const VipsAccess access = blocks->random ? VIPS_ACCESS_RANDOM : VIPS_ACCESS_SEQUENTIAL;
  int              height;

  g_clear_object (&blocks->region);
  g_clear_object (&blocks->image);
  blocks->next  = 0;
  blocks->image = vips_file_open (blocks->path, blocks->labels, &blocks->choice, access, &height,
                                  notice);
  if (blocks->image)
    blocks->region = vips_region_new (blocks->image);
  if (! blocks->region)
    return fail (blocks->path, error);
  blocks->height = height;
  return TRUE;
}

static gboolean
open_first (VipsBlocks     *blocks,
            WfBlockSource  *source,
            char          **notice,
            GError        **error)
{
  VipsImage *image;

  if (! vips_file_check (blocks->path, error) || ! find_access (blocks, error) ||
      ! open_image (blocks, notice, error))
    return FALSE;

  image = blocks->image;
  if (vips_image_get_typeof (image, "interlaced") != 0)
    return refuse (blocks->path, _("interlaced PNG"), error);
  if (blocks->memory == 0)
    blocks->memory = (guint64) image->Xsize * MAX_PNG_PIXEL * MORE_ROWS;
  source->type   = vips_file_get_type (image, blocks->labels, &blocks->is_same);
  source->width  = image->Xsize;
  source->height = blocks->height;
  source->depth  = image->Ysize / blocks->height;
  return TRUE;
}

static gboolean
is_default (const Choice *choice)
{
  return choice->channel <= 0 && choice->series <= 0 && choice->level <= 0 && choice->slice <= 0;
}

/* Whether the image is the first page of the file: there is no other, or it is a pyramid. */
static gboolean
is_first_page (const VipsBlocks    *blocks,
               const WfBlockSource *source)
{
  g_autofree char *options = vips_filename_get_options (blocks->path);
  const char      *text    = "";

  if (vips_image_get_typeof (blocks->image, VIPS_META_IMAGEDESCRIPTION) != 0)
    vips_image_get_string (blocks->image, VIPS_META_IMAGEDESCRIPTION, &text);
  return options[0] == '\0' && source->depth == 1 && is_default (&blocks->choice) &&
         (vips_library_count_pages (blocks->image) == 1 || text[0] == '\0');
}

/* Lets threads decode the file, if they can. */
static void
take_tiles (VipsBlocks          *blocks,
            const WfBlockSource *source,
            guint                n_threads)
{
  if (! blocks->random || ! blocks->is_same || ! is_first_page (blocks, source))
    return;
  blocks->tiles = tiff_tiles_open (blocks->path, source, n_threads);
  if (! blocks->tiles)
    {
      vips_error_clear ();
      return;
    }
  blocks->memory = tiff_tiles_get_memory (blocks->tiles);
  g_clear_object (&blocks->region);
  g_clear_object (&blocks->image);
}

/**
 * vips_blocks_open:
 * @path: a file, perhaps followed by options of libvips in brackets
 * @labels: whether it holds labels, not gray levels
 * @choice: which of its planes are read
 * @n_threads: that decode, where several can
 * @source: gets type and size
 * @notice: set to what is left out, or %NULL
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: (nullable): the file, if it can be read in blocks
 */
VipsBlocks *
vips_blocks_open (const char     *path,
                  gboolean        labels,
                  const Choice   *choice,
                  guint           n_threads,
                  WfBlockSource  *source,
                  char          **notice,
                  GError        **error)
{
  VipsBlocks *blocks;

  if (! vips_library_start (error))
    return NULL;

  blocks         = g_new0 (VipsBlocks, 1);
  blocks->path   = g_strdup (path);
  blocks->labels = labels;
  blocks->choice = *choice;
  if (n_open++ == 0)
    n_threads_before = vips_concurrency_get ();
  /* One thread decodes; the more of them, the more rows libvips keeps. */
  vips_concurrency_set (1);
  if (! open_first (blocks, source, notice, error))
    g_clear_pointer (&blocks, vips_blocks_free);
  else
    take_tiles (blocks, source, n_threads);
  return blocks;
}

/**
 * vips_blocks_get_memory:
 * @blocks: an open file
 *
 * Returns: the bytes that reading takes beside the blocks
 */
guint64
vips_blocks_get_memory (const VipsBlocks *blocks)
{
  return blocks->memory;
}

/* One row of the region, as the engine takes it; @error: the reason alone */
static gboolean
take_row (VipsBlocks      *blocks,
          const VipsRect  *area,
          int              y,
          gpointer         to,
          GError         **error)
{
  const VipsBandFormat  format  = blocks->image->BandFmt;
  gconstpointer         from    = VIPS_REGION_ADDR (blocks->region, area->left, area->top + y);
  const gsize           n       = (gsize) area->width;
  g_autofree char      *rounded = NULL;

  if (blocks->is_same)
    memcpy (to, from, n * VIPS_IMAGE_SIZEOF_PEL (blocks->image));
  else if (blocks->labels)
    return vips_levels_to_labels (from, format, n, to, error);
  else if (! vips_levels_to_float (from, format, n, to, blocks->path, &rounded, error))
    return FALSE;
  if (rounded && ! blocks->rounded)
    blocks->rounded = g_steal_pointer (&rounded);
  return TRUE;
}

/* Rows of one slice; @error: the reason alone */
static gboolean
read_rows (VipsBlocks  *blocks,
           gint64       x,
           gint64       first,
           WfImage     *block,
           gint64       z,
           GError     **error)
{
  const gint64 at_once = CLAMP (PIXELS_ONCE / block->width, MIN_ROWS, MAX_ROWS);
  const gsize  size    = wf_type_size (block->type);

  for (gint64 y = 0; y < block->height; y += at_once)
    {
      const VipsRect area = { (int) x, (int) (first + y), (int) block->width,
                              (int) MIN (at_once, block->height - y) };

      if (vips_region_prepare (blocks->region, &area) != 0)
        {
          g_autofree char *reason = vips_library_take_reason ();

          g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE, reason);
          return FALSE;
        }
      for (int row = 0; row < area.height; row++)
        if (! take_row (blocks, &area, row,
                        (guint8 *) block->data + (gsize) (z * block->slice_stride
                                                          + (y + row) * block->row_stride) * size,
                        error))
          return FALSE;
    }
  blocks->next = first + block->height;
  return TRUE;
}

/**
 * vips_blocks_read:
 * @blocks: an open file
 * @x: the block's first pixel
 * @y: likewise
 * @z: likewise
 * @block: to be filled
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: success
 */
gboolean
vips_blocks_read (VipsBlocks  *blocks,
                  gint64       x,
                  gint64       y,
                  gint64       z,
                  WfImage     *block,
                  GError     **error)
{
  g_autoptr (GError) problem = NULL;

  if (blocks->tiles)
    return tiff_tiles_read (blocks->tiles, x, y, block, &problem) ||
           refuse_to_read (blocks->path, problem->message, error);
  for (gint64 k = 0; k < block->depth; k++)
    {
      const gint64 first = (z + k) * blocks->height + y;

      if (! blocks->random && first < blocks->next && ! open_image (blocks, NULL, error))
        return FALSE;
      if (! read_rows (blocks, x, first, block, k, &problem))
        return refuse_to_read (blocks->path, problem->message, error);
    }
  return TRUE;
}

/**
 * vips_blocks_get_notice:
 * @blocks: a file that was read
 *
 * Returns: (nullable): what reading changed, a sentence
 */
const char *
vips_blocks_get_notice (const VipsBlocks *blocks)
{
  return blocks->rounded;
}

void
vips_blocks_free (VipsBlocks *blocks)
{
  if (--n_open == 0)
    vips_concurrency_set (n_threads_before);
  g_clear_pointer (&blocks->tiles, tiff_tiles_free);
  g_clear_object (&blocks->region);
  g_clear_object (&blocks->image);
  g_free (blocks->path);
  g_free (blocks->rounded);
  g_free (blocks);
}

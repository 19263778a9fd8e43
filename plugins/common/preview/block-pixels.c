/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a slice for a block store, at the levels of a pyramid: full size, half of it,
 * a quarter and so on.
 *
 * At full size GIMP gives plug-ins tiles.  It gives them no scaled tiles: GEGL would compute
 * these here, from all tiles of full size, which takes seconds for a slide of
 * 30000 × 30000 pixels.  But GIMP keeps a pyramid of each drawable for its own views, and
 * cuts thumbnails of parts of a drawable from it: pixels in the drawable's own format and
 * precision, each the mean of those under it.  If the size is divided by a power of two the
 * thumbnail is a copy of the pyramid, without resampling.  So scaled pixels are read as
 * thumbnails.
 *
 * Thumbnails show a drawable with its filters.  So if there are filters, thumbnails of full
 * size are read as well, and no layer has to be copied.
 *
 * All functions are for the main thread, as they call GIMP.
 */

#include "config.h"

#include <string.h>

#include "block-pixels.h"


/**
 * wf_block_pixels_have_thumbnails:
 *
 * Returns: whether GIMP makes thumbnails
 */
gboolean
wf_block_pixels_have_thumbnails (void)
{
  g_autofree char *setting = gimp_gimprc_query ("layer-previews");

  return g_strcmp0 (setting, "no") != 0;
}

/**
 * wf_block_pixels_init:
 * @pixels: to set up, unless it is already; all 0 before
 * @slice: what is read
 * @type: of the levels
 * @component: that they are read from
 * @scaled: whether GIMP makes thumbnails
 * @colors: the format of colors
 * @like: (nullable): conversions to share if they are the same
 */
void
wf_block_pixels_init (WfBlockPixels *pixels,
                      WfSlice       *slice,
                      WfType         type,
                      WfComponent    component,
                      gboolean       scaled,
                      const Babl    *colors,
                      WfConversions *like)
{
  if (pixels->slice)
    return;

  pixels->slice       = slice;
  pixels->scaled      = scaled && ! wf_slice_is_copy (pixels->slice);
  pixels->format      = wf_slice_get_format (pixels->slice);
  pixels->scratch     = g_byte_array_new ();
  pixels->conversions = wf_conversions_new (pixels->format, type, component, colors, like);
  wf_slice_get_bounds (pixels->slice, &pixels->bounds);
}

/**
 * wf_block_pixels_clear:
 * @pixels: set up, or all 0
 */
void
wf_block_pixels_clear (WfBlockPixels *pixels)
{
  wf_pixels_close (&pixels->tiles);
  g_clear_pointer (&pixels->scratch, g_byte_array_unref);
  g_clear_pointer (&pixels->conversions, wf_conversions_unref);
}

/**
 * wf_block_pixels_release:
 * @pixels: set up, or all 0
 *
 * Frees what is needed only while pixels are read.
 */
void
wf_block_pixels_release (WfBlockPixels *pixels)
{
  wf_pixels_close (&pixels->tiles);
}

/**
 * wf_block_pixels_can_be_read:
 * @pixels: set up
 *
 * Returns: whether the drawable still exists, or is not needed
 */
gboolean
wf_block_pixels_can_be_read (const WfBlockPixels *pixels)
{
  return wf_slice_is_copy (pixels->slice) ||
         gimp_item_is_valid (GIMP_ITEM (pixels->slice->drawable));
}

/**
 * wf_block_pixels_are_valid:
 * @pixels: set up, or all 0
 *
 * Returns: %FALSE if the drawable is read and still exists, but with another size, place or
 *   format, or with filters if it had none, or the other way round
 */
gboolean
wf_block_pixels_are_valid (const WfBlockPixels *pixels)
{
  GeglRectangle bounds;
  WfSlice       now;

  if (! pixels->slice || wf_slice_is_copy (pixels->slice) ||
      ! gimp_item_is_valid (GIMP_ITEM (pixels->slice->drawable)))
    return TRUE;

  wf_slice_open (&now, pixels->slice->drawable);
  wf_slice_get_bounds (&now, &bounds);
  return gegl_rectangle_equal (&bounds, &pixels->bounds) &&
         wf_slice_get_format (&now) == pixels->format &&
         now.filtered == pixels->slice->filtered;
}

static gboolean
get_thumbnail (const WfBlockPixels *pixels,
               int                  pyramid_level,
               const GeglRectangle *part,
               gpointer             out)
{
  const gsize        size  = (gsize) babl_format_get_bytes_per_pixel (pixels->format);
  const gsize        all   = size * part->width * part->height;
  int                width, height, n_bytes;
  g_autoptr (GBytes) bytes =
    gimp_drawable_get_sub_thumbnail_data (pixels->slice->drawable,
                                          part->x << pyramid_level,
                                          part->y << pyramid_level,
                                          part->width << pyramid_level,
                                          part->height << pyramid_level,
                                          part->width, part->height,
                                          &width, &height, &n_bytes);

  if (! bytes || width != part->width || height != part->height || n_bytes != (int) size ||
      g_bytes_get_size (bytes) != all)
    return FALSE;
  memcpy (out, g_bytes_get_data (bytes, NULL), all);
  return TRUE;
}

/* If GIMP gives no pixels with filters applied, a copy is taken; fails if there is no memory
 * for it.
 */
static gboolean
open_tiles (WfBlockPixels *pixels)
{
  if (pixels->tiles.format)
    return TRUE;
  if (! wf_slice_copy (pixels->slice, &pixels->bounds, NULL))
    return FALSE;
  wf_slice_open_pixels (pixels->slice, &pixels->tiles);
  return TRUE;
}

static void
get_from_tiles (WfBlockPixels       *pixels,
                const GeglRectangle *part,
                gpointer             out)
{
  GeglRectangle place = *part;

  if (! open_tiles (pixels))
    {
      memset (out, 0, (gsize) part->width * part->height *
                      babl_format_get_bytes_per_pixel (pixels->format));
      return;
    }
  if (wf_slice_is_copy (pixels->slice))
    {
      place.x += pixels->bounds.x - pixels->slice->left;
      place.y += pixels->bounds.y - pixels->slice->top;
    }
  wf_pixels_get (&pixels->tiles, &place, pixels->format, out);
}

/* At full size from tiles, else from the pyramid. */
static gboolean
get_pixels (WfBlockPixels       *pixels,
            int                  pyramid_level,
            const GeglRectangle *part,
            gpointer             out)
{
  if (pixels->scaled && (pyramid_level > 0 || pixels->slice->filtered))
    return get_thumbnail (pixels, pyramid_level, part, out);
  get_from_tiles (pixels, part, out);
  return TRUE;
}

static gpointer
make_room (WfBlockPixels       *pixels,
           const GeglRectangle *part)
{
  g_byte_array_set_size (pixels->scratch,
                         (guint) part->width * part->height *
                         babl_format_get_bytes_per_pixel (pixels->format));
  return pixels->scratch->data;
}

/**
 * wf_block_pixels_touch:
 * @pixels: set up; GIMP gives scaled pixels of it
 * @pyramid_level: at which level
 * @x: of a pixel there
 * @y: likewise
 *
 * Has GIMP compute the tile of its pyramid around that pixel.
 */
void
wf_block_pixels_touch (WfBlockPixels *pixels,
                       int            pyramid_level,
                       int            x,
                       int            y)
{
  const GeglRectangle part = { x, y, 1, 1 };

  get_thumbnail (pixels, pyramid_level, &part, make_room (pixels, &part));
}

/**
 * wf_block_pixels_read:
 * @pixels: set up, with conversions that are known
 * @pyramid_level: at which level; 0 if GIMP gives no scaled pixels
 * @part: of the pixels there, from the slice's corner
 * @block: of that size; its pixels are set
 *
 * Returns: %FALSE if GIMP does not give them scaled; @scaled is %FALSE from then on
 */
gboolean
wf_block_pixels_read (WfBlockPixels       *pixels,
                      int                  pyramid_level,
                      const GeglRectangle *part,
                      WfBlock             *block)
{
  const gsize n   = (gsize) part->width * part->height;
  gpointer    own = make_room (pixels, part);

  if (! get_pixels (pixels, pyramid_level, part, own))
    {
      pixels->scaled = FALSE;
      return FALSE;
    }
  wf_conversions_get_levels (pixels->conversions, own, n, block->levels);
  if (block->colors)
    wf_conversions_get_colors (pixels->conversions, own, n, block->colors);
  return TRUE;
}

/**
 * wf_block_pixels_get:
 * @pixels: set up
 * @part: of the pixels at full size, from the slice's corner
 *
 * Returns: (transfer none): these, in the format of the slice; valid until the next call
 */
gconstpointer
wf_block_pixels_get (WfBlockPixels       *pixels,
                     const GeglRectangle *part)
{
  gpointer own = make_room (pixels, part);

  if (! get_pixels (pixels, 0, part, own))
    {
      pixels->scaled = FALSE;
      get_pixels (pixels, 0, part, own);
    }
  return own;
}

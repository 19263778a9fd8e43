/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a slice for a store of blocks, at full size and at a half, a quarter and so
 * on of it.
 *
 * At full size GIMP hands out tiles.  It has no smaller ones for plug-ins: GEGL makes them
 * here, from all tiles of full size, which for a slide of 30000 × 30000 pixels takes
 * seconds.  But GIMP itself keeps every drawable at half its size, and so on, for its own
 * views, and a thumbnail of a part of a drawable is cut from that: pixels in the drawable's
 * own format, nothing is lost in precision, each the mean of those under it.  Where the
 * size is divided by a power of two the thumbnail is what is stored, not resampled.  So
 * this is where scaled pixels are taken from.
 *
 * Thumbnails are what is seen, filters and all, and so those of full size are, too, where
 * there are filters: then no layer has to be copied.
 *
 * All of it asks GIMP, and is for the main thread.
 */

#include "config.h"

#include <string.h>

#include "block-pixels.h"


/**
 * wf_block_pixels_have_thumbnails:
 *
 * Returns: whether GIMP makes any
 */
gboolean
wf_block_pixels_have_thumbnails (void)
{
  g_autofree char *setting = gimp_gimprc_query ("layer-previews");

  return g_strcmp0 (setting, "no") != 0;
}

/**
 * wf_block_pixels_init:
 * @pixels: set up, unless it is; all 0 before
 * @source: what is worked on
 * @slice: which slice of it
 * @scaled: whether GIMP makes thumbnails
 * @colors: the format of colours
 * @like: (nullable): conversions that may be the same
 */
void
wf_block_pixels_init (WfBlockPixels  *pixels,
                      const WfSource *source,
                      guint           slice,
                      gboolean        scaled,
                      const Babl     *colors,
                      WfConversions  *like)
{
  if (pixels->slice)
    return;

  pixels->slice       = &source->slices[slice];
  pixels->scaled      = scaled && ! wf_slice_is_copy (pixels->slice);
  pixels->format      = wf_slice_get_format (pixels->slice);
  pixels->scratch     = g_byte_array_new ();
  pixels->conversions = wf_conversions_new (pixels->format, source->type, source->component,
                                            colors, like);
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
 * Lets go of what is needed only while pixels are read.
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
 * Returns: whether the drawable is still there, where it is asked
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
 * Returns: whether the drawable, if it is read and still there, has the size, place and
 *   format that it had, and filters if it had some
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
                                          part->x << pyramid_level, part->y << pyramid_level,
                                          part->width << pyramid_level, part->height << pyramid_level,
                                          part->width, part->height,
                                          &width, &height, &n_bytes);

  if (! bytes || width != part->width || height != part->height || n_bytes != (int) size ||
      g_bytes_get_size (bytes) != all)
    return FALSE;
  memcpy (out, g_bytes_get_data (bytes, NULL), all);
  return TRUE;
}

/* Where GIMP gives no pixels in which filters are seen they are copied; there is nothing to
 * be seen if there is no memory for it.
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

/* Of full size, or as GIMP keeps them. */
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
 * @pixels: set up, of which GIMP gives scaled pixels
 * @pyramid_level: how often the size is halved
 * @x: of a pixel then
 * @y: likewise
 *
 * Has GIMP make what is around that pixel.
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
 * @pyramid_level: how often the size is halved; 0 where GIMP gives no scaled pixels
 * @part: which of the pixels then, counted from the slice's corner
 * @block: a block of that size, which is filled
 *
 * Returns: %FALSE if GIMP does not give them scaled, which then is known
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
 * @part: which of the pixels at full size, counted from the slice's corner
 *
 * Returns: (transfer none): these, as they are stored, until others are asked for
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

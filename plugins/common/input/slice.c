/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The visible pixels of a drawable.
 *
 * GIMP gives plug-ins the pixels of a layer below its non-destructive filters, and
 * those of a group below the group's own, but users expect the operation to work on what
 * they see.  So a layer with visible filters is copied to a separate image,
 * which does not change the undo history of the user's image, and the filters
 * are applied there: a layer merges its filters, a group is merged.
 *
 * A layer of an indexed image is read from a copy in an RGB image in the same way.
 *
 * The transparency of a layer is its alpha and, if applied, its mask.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "plugins/common/swap/swap.h"
#include "slice.h"

/* Strips of a part that is read at a time into an image in the swap. */
#define PART_STRIPS 4


static gboolean
has_visible_filters (GimpDrawable *drawable)
{
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gboolean                        visible = FALSE;

  for (int i = 0; filters && filters[i]; i++)
    visible |= gimp_drawable_filter_get_visible (filters[i]);
  return visible;
}

/* The pixels of a group cannot be read if GIMP shows more of it than its size: filters of its
 * layers can cause that, too.
 */
static gboolean
is_filtered (GimpItem *item)
{
  g_autofree GimpItem **inside = NULL;
  gboolean              found;

  found = has_visible_filters (GIMP_DRAWABLE (item));
  if (found || ! gimp_item_is_group (item))
    return found;

  inside = gimp_item_get_children (item);
  for (int i = 0; inside && inside[i] && ! found; i++)
    found = gimp_item_get_visible (inside[i]) && is_filtered (inside[i]);
  return found;
}

static GimpImage *
image_like (GimpImage *image)
{
  GimpImage        *copy;
  GimpColorProfile *profile = gimp_image_get_color_profile (image);

  copy = gimp_image_new_with_precision (gimp_image_get_width (image),
                                        gimp_image_get_height (image),
                                        gimp_image_get_base_type (image) == GIMP_GRAY ? GIMP_GRAY
                                                                                      : GIMP_RGB,
                                        gimp_image_get_precision (image));
  gimp_image_undo_disable (copy);
  if (profile)
    {
      gimp_image_set_color_profile (copy, profile);
      g_object_unref (profile);
    }
  return copy;
}

/* A group of its own clips what filters add around the group.  The group's pixels cannot be read
 * from there, because GIMP tells their size without what its filters add.
 */
static GimpLayer *
insert_group (GimpImage *image,
              GimpLayer *layer)
{
  GimpGroupLayer *around = gimp_group_layer_new (image, NULL);

  gimp_image_insert_layer (image, GIMP_LAYER (around), NULL, 0);
  gimp_image_insert_layer (image, layer, GIMP_LAYER (around), 0);
  gimp_item_set_visible (GIMP_ITEM (layer), TRUE);
  gimp_layer_set_opacity (layer, 100.0);
  gimp_layer_set_mode (layer, GIMP_LAYER_MODE_NORMAL);
  if (gimp_layer_get_mask (layer))
    gimp_layer_set_apply_mask (layer, FALSE);
  return gimp_image_merge_visible_layers (image, GIMP_EXPAND_AS_NECESSARY);
}

/* Inserts a copy whose pixels are those that are visible; NULL if GIMP makes none. */
static GimpLayer *
insert_copy (GimpImage    *image,
             GimpDrawable *drawable)
{
  GimpLayer *layer = gimp_layer_new_from_drawable (drawable, image);
  int        left;
  int        top;

  if (! layer || gimp_item_is_group (GIMP_ITEM (layer)))
    return layer ? insert_group (image, layer) : NULL;

  gimp_drawable_get_offsets (drawable, &left, &top);
  gimp_image_insert_layer (image, layer, NULL, 0);
  gimp_layer_set_offsets (layer, left, top);
  return gimp_drawable_merge_filters (GIMP_DRAWABLE (layer)) ? layer : NULL;
}

static void
find_bounds (GimpDrawable  *drawable,
             GeglRectangle *bounds)
{
  gimp_drawable_get_offsets (drawable, &bounds->x, &bounds->y);
  bounds->width  = gimp_drawable_get_width (drawable);
  bounds->height = gimp_drawable_get_height (drawable);
}

/* Filters may have enlarged the layer on all sides, or made it smaller. */
static gboolean
take_pixels (WfSlice              *slice,
             GimpDrawable         *copy,
             const GeglRectangle  *part,
             GError              **error)
{
  GeglRectangle all;
  GeglRectangle wanted;

  find_bounds (copy, &all);
  if (! part || ! gegl_rectangle_intersect (&wanted, &all, part))
    wanted = all;

  slice->left = wanted.x;
  slice->top  = wanted.y;
  return wf_pixels_copy (&slice->seen, copy,
                         GEGL_RECTANGLE (wanted.x - all.x, wanted.y - all.y,
                                         wanted.width, wanted.height),
                         error);
}

static void
report_filters (GimpDrawable  *drawable,
                GError       **error)
{
  g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawable));

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("GIMP could not apply the filters of “%s”."), name);
}

/**
 * wf_slice_open:
 * @slice: to be closed by wf_slice_close()
 * @drawable: a drawable
 */
void
wf_slice_open (WfSlice      *slice,
               GimpDrawable *drawable)
{
  *slice = (WfSlice) { .drawable = drawable,
                       .filtered = GIMP_IS_LAYER (drawable) &&
                                   (gimp_drawable_is_indexed (drawable) ||
                                    is_filtered (GIMP_ITEM (drawable))) };
}

/**
 * wf_slice_copy:
 * @slice: an open slice with a valid drawable
 * @part: (nullable): the part that will be read, in the image; %NULL for all of it
 * @error: %WF_ERROR_MEMORY, or %WF_ERROR_INVALID if GIMP cannot apply the filters
 *
 * Copies the visible pixels if there are filters; all pixels are then read from the copy.
 * Without a copy, filtered pixels can be read only at a scale, for a preview.
 *
 * Returns: whether there was no error
 */
gboolean
wf_slice_copy (WfSlice              *slice,
               const GeglRectangle  *part,
               GError              **error)
{
  GimpImage *image;
  GimpLayer *copy;
  gboolean   success = FALSE;

  if (! slice->filtered || wf_slice_is_copy (slice))
    return TRUE;

  image = image_like (gimp_item_get_image (GIMP_ITEM (slice->drawable)));
  copy  = insert_copy (image, slice->drawable);
  if (copy)
    success = take_pixels (slice, GIMP_DRAWABLE (copy), part, error);
  else
    report_filters (slice->drawable, error);
  gimp_image_delete (image);
  return success;
}

/**
 * wf_slice_close:
 * @slice: an open slice
 */
void
wf_slice_close (WfSlice *slice)
{
  wf_pixels_close (&slice->seen);
  *slice = (WfSlice) { 0 };
}


/*  Where the pixels are  */

/**
 * wf_slice_is_copy:
 * @slice: an open slice
 *
 * Returns: whether its pixels are in this process and not read from GIMP.
 */
gboolean
wf_slice_is_copy (const WfSlice *slice)
{
  return slice->seen.copy != NULL;
}

/**
 * wf_slice_get_format:
 * @slice: an open slice
 *
 * Returns: the format of its pixels
 */
const Babl *
wf_slice_get_format (const WfSlice *slice)
{
  return wf_slice_is_copy (slice) ? slice->seen.format
                                  : wf_pixels_get_own_format (slice->drawable);
}

/**
 * wf_slice_get_bounds:
 * @slice: an open slice
 * @bounds: set to its size and its position in the image
 */
void
wf_slice_get_bounds (const WfSlice *slice,
                     GeglRectangle *bounds)
{
  if (wf_slice_is_copy (slice))
    *bounds = *GEGL_RECTANGLE (slice->left, slice->top, slice->seen.width, slice->seen.height);
  else
    find_bounds (slice->drawable, bounds);
}

/**
 * wf_slice_open_pixels:
 * @slice: an open slice with a valid drawable, or a copy
 * @pixels: set to its pixels, to be closed by wf_pixels_close()
 */
void
wf_slice_open_pixels (const WfSlice *slice,
                      WfPixels      *pixels)
{
  if (! wf_slice_is_copy (slice))
    {
      wf_pixels_open (pixels, slice->drawable);
      return;
    }
  *pixels = slice->seen;
  g_bytes_ref (pixels->copy);
}

static void
find_place (const WfSlice  *slice,
            const WfRegion *region,
            int            *x,
            int            *y)
{
  int left = slice->left;
  int top  = slice->top;

  if (! wf_slice_is_copy (slice))
    gimp_drawable_get_offsets (slice->drawable, &left, &top);
  *x = region->image_x - left;
  *y = region->image_y - top;
}


/*  Reading  */

/**
 * wf_slice_read_levels:
 * @slice: an open slice
 * @region: the pixels to read, at full resolution
 * @component: the component that is the level
 * @image: of the size of @region
 * @index: of the slice of @image to set
 */
void
wf_slice_read_levels (WfSlice        *slice,
                      const WfRegion *region,
                      WfComponent     component,
                      WfImage        *image,
                      gint64          index)
{
  g_auto (WfPixels) pixels = { 0 };
  int               x;
  int               y;

  find_place (slice, region, &x, &y);
  wf_slice_open_pixels (slice, &pixels);
  slice->opaque = wf_levels_read (&pixels, x, y, component, image, index);
}

/* The row after a part, which ends where a row of GIMP's tiles does. */
static int
find_part_end (const WfRegion *region,
               int             row)
{
  const int n = PART_STRIPS * WF_STRIP_ROWS;

  return MIN (region->height, row + n - (region->y + row) % n);
}

/**
 * wf_slice_read_parts:
 * @slice: an open slice
 * @region: the pixels to read, at full resolution
 * @component: the component that is the level
 * @image: of the size of @region; in the swap, one part of it at a time is in memory
 * @index: of the slice of @image to set
 */
void
wf_slice_read_parts (WfSlice        *slice,
                     const WfRegion *region,
                     WfComponent     component,
                     WfImage        *image,
                     gint64          index)
{
  gboolean opaque = TRUE;
  int      end;

  if (! wf_swap_is_on ())
    {
      wf_slice_read_levels (slice, region, component, image, index);
      return;
    }
  for (int row = 0; row < region->height; row = end)
    {
      WfRegion     part = *region;
      const gint64 from = index * image->height + row;
      WfPart       rows;
      WfImage      view;

      end           = find_part_end (region, row);
      part.image_y += row;
      part.height   = end - row;
      rows          = (WfPart) { from, end - row, from * image->width,
                                 (from + end - row) * image->width };
      view          = wf_swap_view (image, &rows);
      wf_slice_read_levels (slice, &part, component, &view, 0);
      opaque &= slice->opaque;
      wf_swap_release ();
    }
  slice->opaque = opaque;
}

/**
 * wf_slice_read_colors:
 * @slice: an open slice
 * @region: the pixels to read, at full resolution
 * @row: the first row, in @region
 * @n_rows: the number of rows
 * @format: of the pixels
 * @colors: set, row by row
 */
void
wf_slice_read_colors (const WfSlice  *slice,
                      const WfRegion *region,
                      int             row,
                      int             n_rows,
                      const Babl     *format,
                      gpointer        colors)
{
  g_auto (WfPixels) pixels = { 0 };
  int               x;
  int               y;

  find_place (slice, region, &x, &y);
  wf_slice_open_pixels (slice, &pixels);
  wf_pixels_get (&pixels, GEGL_RECTANGLE (x, y + row, region->width, n_rows), format, colors);
}


/*  Transparency  */

static GimpDrawable *
get_mask (const WfSlice *slice)
{
  GimpLayer *layer = GIMP_IS_LAYER (slice->drawable) ? GIMP_LAYER (slice->drawable) : NULL;

  if (! layer || ! gimp_layer_get_mask (layer) || ! gimp_layer_get_apply_mask (layer))
    return NULL;
  return GIMP_DRAWABLE (gimp_layer_get_mask (layer));
}

static gboolean
has_alpha (const WfSlice *slice)
{
  return babl_format_has_alpha (wf_slice_get_format (slice));
}

/**
 * wf_slice_has_alpha:
 * @slice: an open slice
 *
 * Returns: whether it has alpha or a mask.
 */
gboolean
wf_slice_has_alpha (const WfSlice *slice)
{
  return has_alpha (slice) || get_mask (slice) != NULL;
}

/**
 * wf_slice_is_transparent:
 * @slice: an open slice
 *
 * Returns: whether some of its pixels may be transparent.  Most layers with alpha are opaque;
 *   this is known after their levels have been read.
 */
gboolean
wf_slice_is_transparent (const WfSlice *slice)
{
  return get_mask (slice) != NULL ||
         (has_alpha (slice) && ! slice->opaque);
}

static void
multiply_mask (GimpDrawable   *mask,
               const WfRegion *region,
               int             row,
               int             n_rows,
               float          *coverage)
{
  g_autoptr (GeglBuffer)  buffer   = gimp_drawable_get_buffer (mask);
  gsize                   n_pixels = (gsize) region->width * n_rows;
  g_autofree float       *shares   = g_new (float, n_pixels);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (region->x, region->y + row, region->width, n_rows),
                   1.0, wf_pixels_get_grey_format (mask, FALSE, WF_TYPE_F32),
                   shares, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < n_pixels; i++)
    coverage[i] *= shares[i];
}

/**
 * wf_slice_multiply_alpha:
 * @slice: an open slice
 * @region: the pixels to read
 * @row: the first row, in @region
 * @n_rows: the number of rows
 * @coverage: multiplied, row by row, by the opacity of each pixel, from 0 to 1
 */
void
wf_slice_multiply_alpha (const WfSlice  *slice,
                         const WfRegion *region,
                         int             row,
                         int             n_rows,
                         float          *coverage)
{
  GimpDrawable      *mask   = get_mask (slice);
  g_auto (WfPixels)  pixels = { 0 };
  int                x;
  int                y;

  if (has_alpha (slice) && ! slice->opaque)
    {
      find_place (slice, region, &x, &y);
      wf_slice_open_pixels (slice, &pixels);
      wf_pixels_multiply_alpha (&pixels, GEGL_RECTANGLE (x, y + row, region->width, n_rows),
                                coverage);
    }
  if (mask)
    multiply_mask (mask, region, row, n_rows, coverage);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a drawable as they are seen.
 *
 * GIMP gives plug-ins the pixels of a layer below its non-destructive filters, and
 * those of a group below the group's own.  People want the operation done on what
 * they see.  So a layer with visible filters is copied into an image of its own,
 * which leaves the undo history of the user's image alone, and there the filters
 * are applied: a layer merges its own, a group is seen by a group around it.
 *
 * A layer's transparency is its alpha and, where it is in force, its mask.
 */

#include "config.h"

#include <string.h>

#include "block-view.h"
#include "slice.h"


static gboolean
has_visible_filters (GimpDrawable *drawable)
{
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gboolean                        visible = FALSE;

  for (int i = 0; filters && filters[i]; i++)
    visible |= gimp_drawable_filter_get_visible (filters[i]);
  return visible;
}

static GimpImage *
image_like (GimpImage *image)
{
  GimpImage        *copy;
  GimpColorProfile *profile = gimp_image_get_color_profile (image);

  copy = gimp_image_new_with_precision (gimp_image_get_width (image),
                                        gimp_image_get_height (image),
                                        gimp_image_get_base_type (image),
                                        gimp_image_get_precision (image));
  gimp_image_undo_disable (copy);
  if (profile)
    {
      gimp_image_set_color_profile (copy, profile);
      g_object_unref (profile);
    }
  return copy;
}

static GimpDrawable *
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
  return GIMP_DRAWABLE (around);
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
  GimpLayer *layer;
  int        left;
  int        top;

  *slice = (WfSlice) { drawable, drawable, NULL, FALSE };
  if (! GIMP_IS_LAYER (drawable) || ! has_visible_filters (drawable))
    return;

  slice->copy = image_like (gimp_item_get_image (GIMP_ITEM (drawable)));
  layer       = gimp_layer_new_from_drawable (drawable, slice->copy);
  gimp_drawable_get_offsets (drawable, &left, &top);

  if (gimp_item_is_group (GIMP_ITEM (layer)))
    slice->pixels = insert_group (slice->copy, layer);
  else
    {
      gimp_image_insert_layer (slice->copy, layer, NULL, 0);
      gimp_layer_set_offsets (layer, left, top);
      gimp_drawable_merge_filters (GIMP_DRAWABLE (layer));
      slice->pixels = GIMP_DRAWABLE (layer);
    }
}

/**
 * wf_slice_close:
 * @slice: an open slice
 */
void
wf_slice_close (WfSlice *slice)
{
  if (slice->copy)
    gimp_image_delete (slice->copy);
  *slice = (WfSlice) { 0 };
}

/* Filters may have made the layer larger, to all sides. */
static void
find_place (const WfSlice  *slice,
            const WfRegion *region,
            int            *x,
            int            *y)
{
  int left;
  int top;

  gimp_drawable_get_offsets (slice->pixels, &left, &top);
  *x = region->image_x - wf_region_to_scale (region, left);
  *y = region->image_y - wf_region_to_scale (region, top);
}

/* Scaled ones, from what GIMP has of them. */
static void
read_scaled_levels (WfSlice        *slice,
                    const WfRegion *region,
                    WfComponent     component,
                    WfImage        *image,
                    gint64          index)
{
  const WfSource            source = { .slices    = slice,
                                       .n_slices  = 1,
                                       .type      = image->type,
                                       .component = component };
  const WfRegion            all    = { .scale = 1 };
  const WfPreviewRegion     part   = { region->scale, region->image_x, region->image_y,
                                       region->width, region->height, 0 };
  const gint64              until  = g_get_monotonic_time () + G_TIME_SPAN_DAY;
  g_autoptr (WfBlockStore)  store  = wf_block_store_new (&source);
  WfBlockView               view;

  wf_block_view_init (&view, store, 0, wf_block_store_get_n_halves (store, region->scale),
                      &all, &part);
  while (! wf_block_view_fetch (&view, FALSE, until) &&
         gimp_item_is_valid (GIMP_ITEM (slice->pixels)))
    ;
  wf_block_view_read_levels (&view, image, index);
}

/**
 * wf_slice_read_levels:
 * @slice: an open slice
 * @region: which of its pixels
 * @component: what of them
 * @image: of the size of @region
 * @index: the slice of @image that they become
 */
void
wf_slice_read_levels (WfSlice        *slice,
                      const WfRegion *region,
                      WfComponent     component,
                      WfImage        *image,
                      gint64          index)
{
  int x;
  int y;

  if (region->scale < 1)
    {
      read_scaled_levels (slice, region, component, image, index);
      return;
    }

  find_place (slice, region, &x, &y);
  slice->opaque = wf_pixels_read (slice->pixels, x, y, region->scale, component, image,
                                  index);
}

/**
 * wf_slice_read_colors:
 * @slice: an open slice
 * @region: which of its pixels
 * @row: the first row, in @region
 * @n_rows: how many
 * @format: of the pixels
 * @pixels: set, a row after the other
 */
void
wf_slice_read_colors (const WfSlice  *slice,
                      const WfRegion *region,
                      int             row,
                      int             n_rows,
                      const Babl     *format,
                      gpointer        pixels)
{
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (slice->pixels);
  int                    x;
  int                    y;

  find_place (slice, region, &x, &y);
  gegl_buffer_get (buffer, GEGL_RECTANGLE (x, y + row, region->width, n_rows), region->scale,
                   format, pixels, GEGL_AUTO_ROWSTRIDE, wf_pixels_get_abyss (region->scale));
}

/* A row of the drawable itself, from which those pixels are taken that lie in the middle of
 * what is read.
 */
static void
pick_row (GeglBuffer     *buffer,
          const WfRegion *region,
          int             x,
          int             y,
          const Babl     *format,
          guint8         *row,
          guint8         *pixels)
{
  const int size = babl_format_get_bytes_per_pixel (format);
  const int left = (int) (x / region->scale);
  const int wide = (int) ((x + region->width) / region->scale) - left + 1;

  gegl_buffer_get (buffer,
                   GEGL_RECTANGLE (left, (int) ((y + 0.5) / region->scale), wide, 1), 1.0,
                   format, row, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_CLAMP);
  for (int i = 0; i < region->width; i++)
    memcpy (pixels + i * size,
            row + ((int) ((x + i + 0.5) / region->scale) - left) * size, size);
}

/**
 * wf_slice_pick_colors:
 * @slice: an open slice
 * @region: which of its pixels
 * @row: the first row, in @region
 * @n_rows: how many
 * @format: of the pixels
 * @pixels: set, a row after the other
 *
 * As wf_slice_read_colors(), but where pixels are read at a scale each is one of the
 * drawable, not a mean, which may be a colour that is not there.
 */
void
wf_slice_pick_colors (const WfSlice  *slice,
                      const WfRegion *region,
                      int             row,
                      int             n_rows,
                      const Babl     *format,
                      gpointer        pixels)
{
  g_autoptr (GeglBuffer)  buffer = NULL;
  g_autofree guint8      *line   = NULL;
  gsize                   size   = (gsize) babl_format_get_bytes_per_pixel (format);
  int                     x;
  int                     y;

  if (region->scale == 1)
    {
      wf_slice_read_colors (slice, region, row, n_rows, format, pixels);
      return;
    }

  buffer = gimp_drawable_get_buffer (slice->pixels);
  line   = g_malloc (size * ((gsize) (region->width / region->scale) + 2));
  find_place (slice, region, &x, &y);
  for (int i = 0; i < n_rows; i++)
    pick_row (buffer, region, x, y + row + i, format, line,
              (guint8 *) pixels + size * i * region->width);
}

static GimpDrawable *
get_mask (const WfSlice *slice)
{
  GimpLayer *layer = GIMP_IS_LAYER (slice->drawable) ? GIMP_LAYER (slice->drawable) : NULL;

  if (! layer || ! gimp_layer_get_mask (layer) || ! gimp_layer_get_apply_mask (layer))
    return NULL;
  return GIMP_DRAWABLE (gimp_layer_get_mask (layer));
}

/**
 * wf_slice_has_alpha:
 * @slice: an open slice
 *
 * Returns: whether its pixels could be transparent.
 */
gboolean
wf_slice_has_alpha (const WfSlice *slice)
{
  return gimp_drawable_has_alpha (slice->pixels) || get_mask (slice) != NULL;
}

/**
 * wf_slice_is_transparent:
 * @slice: an open slice
 *
 * Returns: whether some of its pixels may be transparent, as far as is known: those of
 *   most layers are not, even where there is alpha, and need not be read again.
 */
gboolean
wf_slice_is_transparent (const WfSlice *slice)
{
  return get_mask (slice) != NULL ||
         (gimp_drawable_has_alpha (slice->pixels) && ! slice->opaque);
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
 * @region: which of its pixels
 * @row: the first row, in @region
 * @n_rows: how many
 * @coverage: multiplied, a row after the other, by how opaque a pixel is, from 0 to 1
 */
void
wf_slice_multiply_alpha (const WfSlice  *slice,
                         const WfRegion *region,
                         int             row,
                         int             n_rows,
                         float          *coverage)
{
  GimpDrawable *mask = get_mask (slice);
  int           x;
  int           y;

  find_place (slice, region, &x, &y);
  if (gimp_drawable_has_alpha (slice->pixels) && ! slice->opaque)
    wf_pixels_multiply_alpha (slice->pixels, x, y + row, region->width, n_rows, coverage);
  if (mask)
    multiply_mask (mask, region, row, n_rows, coverage);
}

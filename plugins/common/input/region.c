/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The intersection of a drawable and the selection: the processed region is its bounding box, and
 * what is selected within it is worked on, and visible in the results.  A pixel is selected if at
 * least half of it is: the edges of a selection may be soft.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "formats.h"
#include "pixels.h"
#include "plugins/common/swap/swap.h"
#include "region.h"


/* A rectangle of whole pixels needs no alpha in the results. */
static void
look_at_selection (const WfRegion *region,
                   gboolean       *all,
                   gboolean       *any)
{
  g_autofree float *selected = g_new (float, (gsize) region->width * WF_STRIP_ROWS);

  *all = TRUE;
  *any = FALSE;
  for (int row = 0; row < region->height && (*all || ! *any); row += WF_STRIP_ROWS)
    {
      int   n_rows   = MIN (WF_STRIP_ROWS, region->height - row);
      gsize n_pixels = (gsize) region->width * n_rows;

      wf_region_read_selection (region, row, n_rows, selected);
      for (gsize i = 0; i < n_pixels; i++)
        {
          *all &= selected[i] >= 1;
          *any |= selected[i] >= WF_SELECTED;
        }
    }
}

/* Sets the selection unless all of the region is selected. */
static gboolean
find_selection (WfRegion      *region,
                GimpDrawable  *drawable,
                GError       **error)
{
  GimpImage       *image = gimp_item_get_image (GIMP_ITEM (drawable));
  g_autofree char *name  = NULL;
  gboolean         all;
  gboolean         any;

  if (gimp_selection_is_empty (image))
    return TRUE;
  region->selection = GIMP_DRAWABLE (gimp_image_get_selection (image));
  look_at_selection (region, &all, &any);
  if (all)
    region->selection = NULL;
  if (any)
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (drawable));
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("No pixel of “%s” is selected by at least half: the edges of the selection are "
                 "too soft."), name);
  return FALSE;
}

static gboolean
find_bounds (WfRegion     *region,
             GimpDrawable *drawable,
             gboolean      selected)
{
  if (selected)
    return gimp_drawable_mask_intersect (drawable, &region->x, &region->y,
                                         &region->width, &region->height);

  region->width  = gimp_drawable_get_width (drawable);
  region->height = gimp_drawable_get_height (drawable);
  return TRUE;
}

/**
 * wf_region_init:
 * @region: set to the intersection of @drawable and the selection
 * @drawable: a drawable
 * @selected: %FALSE to ignore the selection and take all of @drawable
 * @error: %WF_ERROR_INVALID if nothing of @drawable is selected
 *
 * Returns: whether the region is not empty.
 */
gboolean
wf_region_init (WfRegion      *region,
                GimpDrawable  *drawable,
                gboolean       selected,
                GError       **error)
{
  int left;
  int top;

  *region = (WfRegion) { .scale = 1 };
  if (! find_bounds (region, drawable, selected))
    {
      g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawable));

      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Nothing of “%s” is selected: the selection lies outside it."), name);
      return FALSE;
    }

  gimp_drawable_get_offsets (drawable, &left, &top);
  region->image_x = left + region->x;
  region->image_y = top + region->y;

  return ! selected || find_selection (region, drawable, error);
}

/**
 * wf_region_is_valid:
 * @region: set by wf_region_init()
 * @drawable: a valid drawable
 * @selected: as in wf_region_init()
 *
 * Returns: whether wf_region_init() would find the same place now; the shape of a selection that
 *   is no rectangle may have changed
 */
gboolean
wf_region_is_valid (const WfRegion *region,
                    GimpDrawable   *drawable,
                    gboolean        selected)
{
  WfRegion now;

  return wf_region_init (&now, drawable, selected, NULL) &&
         now.x == region->x && now.y == region->y && wf_region_is_same (&now, region) &&
         ! now.selection == ! region->selection;
}

/**
 * wf_region_is_same:
 * @region: a region
 * @other: another one
 *
 * Returns: whether they have the same pixels of the image at the same scale.
 */
gboolean
wf_region_is_same (const WfRegion *region,
                   const WfRegion *other)
{
  return region->image_x == other->image_x && region->image_y == other->image_y &&
         region->width == other->width && region->height == other->height &&
         region->scale == other->scale;
}

/**
 * wf_region_to_scale:
 * @region: a region
 * @place: a coordinate in pixels of the drawable or the image
 *
 * Returns: the coordinate in pixels of the scaled region
 */
int
wf_region_to_scale (const WfRegion *region,
                    int             place)
{
  return (int) round (place * region->scale);
}

/* Of 8 or 16 bits, as shares of the largest one. */
static void
scale_to_one (gconstpointer  levels,
              WfType         type,
              gsize          n,
              float         *shares)
{
  for (gsize i = 0; i < n; i++)
    shares[i] = type == WF_TYPE_U8 ? ((const guint8 *) levels)[i] / (float) G_MAXUINT8
                                   : ((const guint16 *) levels)[i] / (float) G_MAXUINT16;
}

/**
 * wf_region_is_covered:
 * @region: a region
 * @drawable: any drawable of the image
 *
 * Returns: whether @drawable has all of it
 */
gboolean
wf_region_is_covered (const WfRegion *region,
                      GimpDrawable   *drawable)
{
  const int slack = region->scale < 1 ? 1 : 0;   /* for rounding */
  int       left;
  int       top;

  gimp_drawable_get_offsets (drawable, &left, &top);
  left = wf_region_to_scale (region, left);
  top  = wf_region_to_scale (region, top);
  return left <= region->image_x && top <= region->image_y &&
         left + wf_region_to_scale (region, gimp_drawable_get_width (drawable)) + slack >=
         region->image_x + region->width &&
         top + wf_region_to_scale (region, gimp_drawable_get_height (drawable)) + slack >=
         region->image_y + region->height;
}

/**
 * wf_region_read_selection:
 * @region: a region
 * @row: the first row, in the region
 * @n_rows: the number of rows
 * @selected: set, row by row: the coverage of each pixel by the selection, from 0 to 1
 *
 * Selections of 8 and 16 bits are read as they are stored: babl takes half a second and hundreds of
 * megabytes to find a conversion to floats.
 */
void
wf_region_read_selection (const WfRegion *region,
                          int             row,
                          int             n_rows,
                          float          *selected)
{
  gsize                  n_pixels = (gsize) region->width * n_rows;
  g_autoptr (GeglBuffer) buffer   = NULL;
  g_autofree gpointer    stored   = NULL;
  WfType                 type;

  if (! region->selection)
    {
      for (gsize i = 0; i < n_pixels; i++)
        selected[i] = 1;
      return;
    }

  buffer = gimp_drawable_get_buffer (region->selection);
  type   = wf_format_get_type (gegl_buffer_get_format (buffer));
  if (type != WF_TYPE_F32)
    stored = g_malloc (n_pixels * wf_type_size (type));
  gegl_buffer_get (buffer,
                   GEGL_RECTANGLE (region->image_x, region->image_y + row,
                                   region->width, n_rows),
                   region->scale, wf_pixels_get_grey_format (region->selection, FALSE, type),
                   stored ? stored : selected, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  if (stored)
    scale_to_one (stored, type, n_pixels, selected);
}

/**
 * wf_region_read_mask:
 * @region: a region
 * @depth: the number of slices; the selection is the same in each
 * @mask: set to a new image: u8, 1 where @region is selected and 0 elsewhere; left empty if there
 *   is no selection, or a rectangular one
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_region_read_mask (const WfRegion  *region,
                     gint64           depth,
                     WfImage         *mask,
                     GError         **error)
{
  const gsize       slice    = (gsize) region->width * region->height;
  g_autofree float *selected = NULL;
  guint8           *inside;

  if (! region->selection)
    return TRUE;
  if (! wf_swap_allocate (mask, WF_TYPE_U8, region->width, region->height, depth, error))
    return FALSE;

  selected = g_new (float, (gsize) region->width * WF_STRIP_ROWS);
  inside   = mask->data;
  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int   n_rows   = MIN (WF_STRIP_ROWS, region->height - row);
      gsize n_pixels = (gsize) region->width * n_rows;

      wf_region_read_selection (region, row, n_rows, selected);
      for (gsize i = 0; i < n_pixels; i++)
        *inside++ = selected[i] >= WF_SELECTED;
      wf_swap_release ();
    }
  for (gint64 z = 1; z < depth; z++)
    {
      memcpy ((guint8 *) mask->data + slice * (gsize) z, mask->data, slice);
      wf_swap_release ();
    }
  return TRUE;
}

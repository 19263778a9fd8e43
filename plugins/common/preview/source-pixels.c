/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview shows and computes on: what the procedure would work on if the dialog
 * were accepted now, that is, the bounding box of the selection in the first of the layers,
 * as it is seen, or in the slices of a stack, and a mask of what is selected in it.
 *
 * Levels are read as the procedure reads them, so that at full resolution the preview is
 * what the procedure makes.  At a smaller scale they are the means of the pixels.
 *
 * A layer can be much larger than what GIMP delivers while a person waits.  So pixels are
 * first fetched, a little at a time, into a store (block-store.c), from which everything
 * is read (block-view.c):
 *
 *   - a layer of moderate size is fetched once as a whole, at full size, and smaller scales
 *     are computed from that;
 *   - of a larger one the visible part is fetched, at a level of GIMP's pyramid;
 *   - each pixel is requested once, for colours and levels, and kept for the next zoom as
 *     long as memory allows.
 *
 * Of a stack the middle slice is shown first.  It is computed with the others, or in a very
 * large stack with as many neighbours on both sides as memory and time allow.
 *
 * All functions are for the main thread, as they call GIMP.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "block-view.h"
#include "source-pixels.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/label-source.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/input/stack.h"
#include "plugins/common/input/stain-pixels.h"

/* About how many levels of a stack are computed on at once. */
#define MOST_LEVELS (G_GINT64_CONSTANT (1) << 24)

/* A color is picked from a square that reaches this far around a place. */
#define PICK_RADIUS 2

/**
 * WfSourcePixels:
 * @sources: what the procedure would work on, one after the other
 * @source: the first of them
 * @stack: whether that is a stack
 * @selected: whether the selection counts
 * @store: its pixels
 */
struct _WfSourcePixels
{
  GPtrArray      *sources;
  const WfSource *source;
  gboolean        stack;
  gboolean        selected;
  WfBlockStore   *store;
};


static WfSourcePixels *
open_sources (WfJob              *run,
              const WfComponent  *instead,
              GError            **error)
{
  GimpDrawable    *first[]  = { run->drawables[0], NULL };
  gboolean         selected = ! run->procedure->takes_selection ||
                              ! run->procedure->takes_selection (run);
  WfSourceOptions  options;
  GPtrArray       *sources;
  WfSourcePixels  *pixels;

  if (! wf_source_read_options (G_OBJECT (run->config), run->type, instead, &options, error))
    return NULL;
  sources = wf_sources_open (run->image, options.stack ? run->drawables : first, selected, &options,
                             error);
  if (! sources)
    return NULL;
  if (! wf_sources_suit (sources, run->procedure->operation, error))
    {
      g_ptr_array_unref (sources);
      return NULL;
    }

  pixels           = g_new0 (WfSourcePixels, 1);
  pixels->sources  = sources;
  pixels->source   = sources->pdata[0];
  pixels->stack    = options.stack;
  pixels->selected = selected;
  pixels->store    = wf_block_store_new (pixels->source);
  return pixels;
}

/**
 * wf_source_pixels_new:
 * @run: a run whose dialog is open
 * @error: as wf_sources_open() sets it
 *
 * Returns: (transfer full) (nullable): the pixels that @run would work on first
 */
WfSourcePixels *
wf_source_pixels_new (WfJob   *run,
                      GError **error)
{
  static const WfComponent luminance = WF_COMPONENT_LUMINANCE;

  if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[0])))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
      return NULL;
    }
  return open_sources (run, wf_job_keeps_colors (run) ? &luminance : NULL, error);
}

/**
 * wf_source_pixels_new_of:
 * @run: a run whose dialog is open, on a layer that exists
 * @component: that is the level, instead of that which is chosen
 * @error: as wf_sources_open() sets it
 *
 * Returns: (transfer full) (nullable): the pixels that @run would work on first
 */
WfSourcePixels *
wf_source_pixels_new_of (WfJob        *run,
                         WfComponent   component,
                         GError      **error)
{
  return open_sources (run, &component, error);
}

/**
 * wf_source_pixels_get_format:
 * @pixels: pixels
 *
 * Returns: the format of the pixels that the levels are taken from
 */
const Babl *
wf_source_pixels_get_format (const WfSourcePixels *pixels)
{
  return wf_slice_get_format (&pixels->source->slices[0]);
}

/**
 * wf_source_pixels_free:
 * @pixels: (transfer full): pixels
 */
void
wf_source_pixels_free (WfSourcePixels *pixels)
{
  wf_block_store_free (pixels->store);
  g_ptr_array_unref (pixels->sources);
  g_free (pixels);
}

/**
 * wf_source_pixels_get_type:
 * @pixels: pixels
 *
 * Returns: the type of the levels
 */
WfType
wf_source_pixels_get_type (const WfSourcePixels *pixels)
{
  return pixels->source->type;
}

/**
 * wf_source_pixels_get_size:
 * @pixels: pixels
 * @size: set to width and height in pixels, and the number of slices
 */
void
wf_source_pixels_get_size (const WfSourcePixels *pixels,
                           gint64                size[3])
{
  size[0] = pixels->source->region.width;
  size[1] = pixels->source->region.height;
  size[2] = pixels->source->n_slices;
}

/**
 * wf_source_pixels_get_region:
 * @pixels: pixels
 *
 * Returns: where they are in the image
 */
const WfRegion *
wf_source_pixels_get_region (const WfSourcePixels *pixels)
{
  return &pixels->source->region;
}

/* Finds the slices to compute on; returns their number. */
static guint
find_slices (const WfSourcePixels  *pixels,
             const WfPreviewRegion *region,
             guint                 *first)
{
  guint  all     = pixels->source->n_slices;
  guint  shown   = region->slice;
  gint64 n_pixels  = wf_preview_region_n_pixels (region);
  guint  on_side = (guint) MIN (MAX (MOST_LEVELS / n_pixels / 2, 1), all);
  guint  end     = MIN (shown + on_side + 1, all);

  *first = shown > on_side ? shown - on_side : 0;
  return end - *first;
}

/**
 * wf_source_pixels_get_shown:
 * @pixels: pixels
 * @region: what is computed on
 *
 * Returns: the index of the shown slice among those that are read for @region
 */
gint64
wf_source_pixels_get_shown (const WfSourcePixels  *pixels,
                            const WfPreviewRegion *region)
{
  guint first;

  find_slices (pixels, region, &first);
  return region->slice - first;
}

/* The place of @part in the drawable and in the image, in pixels at its scale. */
static void
init_region (const WfSourcePixels  *pixels,
             const WfPreviewRegion *part,
             WfRegion              *region)
{
  const WfRegion *whole = &pixels->source->region;

  region->scale     = part->scale;
  region->selection = whole->selection;
  region->width     = part->width;
  region->height    = part->height;
  region->x         = wf_region_to_scale (region, whole->x) + part->x;
  region->y         = wf_region_to_scale (region, whole->y) + part->y;
  region->image_x   = wf_region_to_scale (region, whole->image_x) + part->x;
  region->image_y   = wf_region_to_scale (region, whole->image_y) + part->y;
}


/*  Reading  */

static gboolean
check_layer (const WfSourcePixels  *pixels,
             guint                  slice,
             GError               **error)
{
  if (gimp_item_is_valid (GIMP_ITEM (pixels->source->slices[slice].drawable)))
    return TRUE;

  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
  return FALSE;
}

static void
init_view (const WfSourcePixels  *pixels,
           const WfPreviewRegion *region,
           guint                  slice,
           WfBlockView           *view)
{
  const WfRegion *whole    = &pixels->source->region;
  const gboolean  small    = (gint64) whole->width * whole->height <= WF_PREVIEW_WHOLE_LIMIT;
  const int       pyramid_level = small ? 0 : wf_block_store_get_pyramid_level (pixels->store,
                                                                      region->scale);

  wf_block_view_init (view, pixels->store, slice, pyramid_level, whole, region);
}

static gboolean
has_same_slices (const WfSourcePixels *pixels,
                 WfJob                *run)
{
  const WfSource        *first  = pixels->source;
  g_autoptr (GPtrArray)  slices = NULL;

  if (! pixels->stack)
    return TRUE;
  slices = wf_stack_find_slices (run->image, run->drawables, NULL);
  if (! slices || slices->len != first->n_slices)
    return FALSE;
  for (guint i = 0; i < first->n_slices; i++)
    if (slices->pdata[i] != first->slices[i].drawable)
      return FALSE;
  return TRUE;
}

/**
 * wf_source_pixels_invalidate:
 * @pixels: pixels
 * @run: the run that they were opened for
 *
 * Has pixels fetched again, as they may have changed in GIMP, except for copies
 * (wf_slice_copy()).
 *
 * Returns: %FALSE if what is worked on has another size or place by now, or other slices:
 *   then new pixels are needed
 */
gboolean
wf_source_pixels_invalidate (WfSourcePixels *pixels,
                             WfJob          *run)
{
  GimpDrawable *first = pixels->source->slices[0].drawable;

  /* fetching reports deleted layers */
  if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[0])) ||
      ! gimp_item_is_valid (GIMP_ITEM (first)))
    return TRUE;
  if (! has_same_slices (pixels, run) || ! wf_block_store_is_valid (pixels->store) ||
      ! wf_region_is_valid (&pixels->source->region, first, pixels->selected))
    return FALSE;

  wf_block_store_invalidate (pixels->store);
  return TRUE;
}

/**
 * wf_source_pixels_has_changed:
 * @pixels: pixels
 *
 * Returns: whether pixels that were fetched again since wf_source_pixels_invalidate() differ
 */
gboolean
wf_source_pixels_has_changed (const WfSourcePixels *pixels)
{
  return wf_block_store_has_changed (pixels->store);
}

/**
 * wf_source_pixels_fetch:
 * @pixels: pixels
 * @region: what is to be read
 * @part: whether colors or levels are wanted
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if a layer was deleted
 *
 * Fetches some of the pixels from GIMP.  The levels of the slice that is shown come with
 * its colors.
 *
 * Returns: whether there was no error
 */
gboolean
wf_source_pixels_fetch (WfSourcePixels         *pixels,
                        const WfPreviewRegion  *region,
                        WfPreviewPart           part,
                        WfFetch                *fetch,
                        GError                **error)
{
  guint first = region->slice;
  guint n     = part == WF_PREVIEW_INPUTS ? find_slices (pixels, region, &first) : 1;

  if (! check_layer (pixels, region->slice, error))
    return FALSE;

  wf_block_store_begin (pixels->store, fetch);
  for (guint i = first; i < first + n && fetch->complete; i++)
    {
      WfBlockView view;

      init_view (pixels, region, i, &view);
      wf_block_view_fetch (&view, i == (guint) region->slice, fetch);
      if (! fetch->complete && ! check_layer (pixels, i, error))
        return FALSE;
    }
  if (fetch->complete)
    wf_block_store_end (pixels->store);
  return TRUE;
}

/**
 * wf_source_pixels_read_colors:
 * @pixels: pixels
 * @region: what to read
 * @colors: set to red, green, blue and alpha, 8 bits of non-linear sRGB; transparent where
 *   nothing is fetched yet
 */
void
wf_source_pixels_read_colors (WfSourcePixels        *pixels,
                              const WfPreviewRegion *region,
                              guint8                *colors)
{
  WfBlockView view;

  init_view (pixels, region, region->slice, &view);
  wf_block_view_read_colors (&view, colors);
}

/**
 * wf_source_pixels_read_levels:
 * @pixels: pixels
 * @region: what to read, fetched
 * @levels: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_source_pixels_read_levels (WfSourcePixels         *pixels,
                              const WfPreviewRegion  *region,
                              WfImage                *levels,
                              GError                **error)
{
  guint first;
  guint n = find_slices (pixels, region, &first);

  if (! wf_image_allocate (levels, pixels->source->type, region->width, region->height, n,
                           error))
    return FALSE;

  for (guint i = 0; i < n; i++)
    {
      WfBlockView view;

      init_view (pixels, region, first + i, &view);
      wf_block_view_read_levels (&view, levels, i);
    }
  return TRUE;
}

/**
 * wf_source_pixels_read_slice:
 * @pixels: pixels
 * @region: what to read of its slice alone, fetched
 * @levels: of the size of @region and the type of the levels, without gaps between its rows; set
 */
void
wf_source_pixels_read_slice (WfSourcePixels        *pixels,
                             const WfPreviewRegion *region,
                             WfImage               *levels)
{
  WfBlockView view;

  init_view (pixels, region, region->slice, &view);
  wf_block_view_read_levels (&view, levels, 0);
}

/**
 * wf_source_pixels_has_mask:
 * @pixels: pixels
 *
 * Returns: whether the selection is no rectangle
 */
gboolean
wf_source_pixels_has_mask (const WfSourcePixels *pixels)
{
  return pixels->source->region.selection != NULL;
}

/**
 * wf_source_pixels_read_mask:
 * @pixels: pixels
 * @region: what to read
 * @mask: set to a new image of the size of the levels: u8, 0 where nothing is selected; left empty
 *   if there is no selection, or a rectangular one
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_source_pixels_read_mask (const WfSourcePixels   *pixels,
                            const WfPreviewRegion  *region,
                            WfImage                *mask,
                            GError                **error)
{
  WfRegion part;
  guint    first;

  init_region (pixels, region, &part);
  return wf_region_read_mask (&part, find_slices (pixels, region, &first), mask, error);
}

/**
 * wf_source_pixels_init_run:
 * @pixels: pixels
 * @region: a part of it
 * @run: the run whose dialog is open
 * @part: set to a copy of @run that works on @region only
 *
 * For reading what the operation takes besides the levels.  @part owns nothing.
 */
void
wf_source_pixels_init_run (const WfSourcePixels  *pixels,
                           const WfPreviewRegion *region,
                           const WfJob           *run,
                           WfJob                 *part)
{
  *part          = *run;
  part->source   = pixels->source;
  part->drawable = pixels->source->slices[0].drawable;
  part->type     = pixels->source->type;
  init_region (pixels, region, &part->region);
}

/**
 * wf_source_pixels_pick:
 * @pixels: pixels with colors
 * @slice: an index
 * @x: a column in the region
 * @y: a row in the region
 * @densities: set to the mean optical densities of the pixels there and around (wf_stain_pick())
 * @error: %WF_ERROR_INVALID if the layer was deleted, %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_source_pixels_pick (const WfSourcePixels  *pixels,
                       guint                  slice,
                       int                    x,
                       int                    y,
                       double                 densities[3],
                       GError               **error)
{
  const WfRegion       *whole  = &pixels->source->region;
  const int             left   = CLAMP (x - PICK_RADIUS, 0, whole->width - 1);
  const int             top    = CLAMP (y - PICK_RADIUS, 0, whole->height - 1);
  const int             width  = CLAMP (x + PICK_RADIUS, left, whole->width - 1) - left + 1;
  const int             height = CLAMP (y + PICK_RADIUS, top, whole->height - 1) - top + 1;
  const WfPreviewRegion part   = { .x = left, .y = top, .width = width, .height = height,
                                   .scale = 1 };
  WfRegion              region;

  if (! check_layer (pixels, slice, error))
    return FALSE;
  init_region (pixels, &part, &region);
  region.selection = NULL;
  return wf_stain_pixels_pick (pixels->source->slices[slice].drawable, &region, densities, error);
}

/**
 * wf_source_pixels_pick_selected:
 * @pixels: pixels with colors
 * @slice: an index
 * @densities: set to the mean optical densities of the selected pixels (wf_stain_pick())
 * @error: %WF_ERROR_INVALID if nothing is selected, or the layer was deleted; %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_source_pixels_pick_selected (const WfSourcePixels  *pixels,
                                guint                  slice,
                                double                 densities[3],
                                GError               **error)
{
  GimpDrawable *drawable = pixels->source->slices[slice].drawable;
  WfRegion      region;

  if (! check_layer (pixels, slice, error))
    return FALSE;
  if (gimp_selection_is_empty (gimp_item_get_image (GIMP_ITEM (drawable))))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("Nothing is selected: select pixels of the image in which the stain "
                             "is alone."));
      return FALSE;
    }
  return wf_region_init (&region, drawable, TRUE, error) &&
         wf_stain_pixels_pick (drawable, &region, densities, error);
}

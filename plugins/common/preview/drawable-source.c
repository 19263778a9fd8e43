/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview shows and computes on: what the procedure would work on if the dialog
 * were accepted now, that is the bounding box of the selection in the first of the layers,
 * as it is seen, or in the slices of a stack.
 *
 * Levels are taken as the procedure takes them, so that at full resolution the preview is
 * what the procedure makes.  At a smaller scale they are the means of the pixels.
 *
 * A layer can be much larger than what can be had of GIMP while a person waits.  So pixels
 * are fetched first, a little at a time, into a store (block-store.c), and what is shown and
 * computed on is made from that (block-view.c):
 *
 *   - of a layer of moderate size everything is fetched at full size, once, and smaller
 *     scales are made of it;
 *   - of a larger one what is seen at full size or smaller, at a size that GIMP has;
 *   - each pixel is asked for once, for colours and levels, and is kept for the next zoom
 *     as long as memory for it is left.
 *
 * Of a stack the middle slice is shown first, and it is computed with the others; with so
 * many of them on both sides, where there are very many, as memory and time allow.
 *
 * All of it asks GIMP, and is for the main thread.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "block-view.h"
#include "drawable-source.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/input/stack.h"

/* Levels of a stack that are computed on at once, about. */
#define MOST_LEVELS (G_GINT64_CONSTANT (1) << 24)
/* Pixels of a slice that is kept as a whole. */
#define MOST_WHOLE  (G_GINT64_CONSTANT (1) << 21)

struct _WfDrawableSource
{
  GPtrArray      *sources;
  const WfSource *source;   /* the first of them */
  gboolean        stack;
  gboolean        selected;
  WfBlockStore   *store;
};


static gboolean
read_source_options (WfRun            *run,
                     WfSourceOptions  *options,
                     GError          **error)
{
  return wf_arguments_read (G_OBJECT (run->config), wf_source_get_options (), run->type, options,
                            error);
}

/**
 * wf_drawable_source_new:
 * @run: a run whose dialog is open
 * @error: as wf_sources_open() sets it
 *
 * Returns: (transfer full) (nullable): what @run would work on first
 */
WfDrawableSource *
wf_drawable_source_new (WfRun   *run,
                        GError **error)
{
  GimpDrawable     *first[]  = { run->drawables[0], NULL };
  gboolean          selected = ! run->procedure->takes_selection ||
                               ! run->procedure->takes_selection (run);
  WfSourceOptions   options;
  GPtrArray        *sources;
  WfDrawableSource *source;

  if (! gimp_item_is_valid (GIMP_ITEM (first[0])))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
      return NULL;
    }
  if (! read_source_options (run, &options, error))
    return NULL;
  sources = wf_sources_open (run->image, options.stack ? run->drawables : first, selected,
                             &options, error);
  if (! sources)
    return NULL;

  source          = g_new0 (WfDrawableSource, 1);
  source->sources  = sources;
  source->source   = sources->pdata[0];
  source->stack    = options.stack;
  source->selected = selected;
  source->store    = wf_block_store_new (source->source);
  return source;
}

/**
 * wf_drawable_source_free:
 * @source: (transfer full): a source
 */
void
wf_drawable_source_free (WfDrawableSource *source)
{
  wf_block_store_free (source->store);
  g_ptr_array_unref (source->sources);
  g_free (source);
}

/**
 * wf_drawable_source_get_type:
 * @source: a source
 *
 * Returns: the type of its levels
 */
WfType
wf_drawable_source_get_type (const WfDrawableSource *source)
{
  return source->source->type;
}

/**
 * wf_drawable_source_get_size:
 * @source: a source
 * @size: set to its width and height in pixels, and how many slices it has
 */
void
wf_drawable_source_get_size (const WfDrawableSource *source,
                             gint64                  size[3])
{
  size[0] = source->source->region.width;
  size[1] = source->source->region.height;
  size[2] = source->source->n_slices;
}

/* The slices to compute on: from the first one on, as many as are returned. */
static guint
find_slices (const WfDrawableSource *source,
             const WfPreviewRegion  *region,
             guint                  *first)
{
  guint  all     = source->source->n_slices;
  guint  shown   = region->slice;
  gint64 pixels  = wf_preview_region_n_pixels (region);
  guint  on_side = (guint) MIN (MAX (MOST_LEVELS / pixels / 2, 1), all);
  guint  end     = MIN (shown + on_side + 1, all);

  *first = shown > on_side ? shown - on_side : 0;
  return end - *first;
}

/**
 * wf_drawable_source_get_shown:
 * @source: a source
 * @region: what is computed on
 *
 * Returns: which slice of the levels is the one that @region shows
 */
gint64
wf_drawable_source_get_shown (const WfDrawableSource *source,
                              const WfPreviewRegion  *region)
{
  guint first;

  find_slices (source, region, &first);
  return region->slice - first;
}

/* Where @part is in the drawable and in the image, in its own pixels. */
static void
init_region (const WfDrawableSource *source,
             const WfPreviewRegion  *part,
             WfRegion               *region)
{
  const WfRegion *whole = &source->source->region;

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
check_layer (const WfDrawableSource  *source,
             guint                    slice,
             GError                 **error)
{
  if (gimp_item_is_valid (GIMP_ITEM (source->source->slices[slice].drawable)))
    return TRUE;

  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
  return FALSE;
}

static void
init_view (const WfDrawableSource *source,
           const WfPreviewRegion  *region,
           guint                   slice,
           WfBlockView            *view)
{
  const WfRegion *whole    = &source->source->region;
  const gboolean  small    = (gint64) whole->width * whole->height <= MOST_WHOLE;
  const int       n_halves = small ? 0 : wf_block_store_get_n_halves (source->store,
                                                                      region->scale);

  wf_block_view_init (view, source->store, slice, n_halves, whole, region);
}

static gboolean
has_same_slices (const WfDrawableSource *source,
                 WfRun                  *run)
{
  const WfSource        *first  = source->source;
  g_autoptr (GPtrArray)  slices = NULL;

  if (! source->stack)
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
 * wf_drawable_source_doubt:
 * @source: a source
 * @run: the run that it was opened for
 *
 * Has pixels fetched again that may have changed in GIMP, but not those that were copied
 * (wf_slice_copy()).
 *
 * Returns: %FALSE if what is worked on has another size or place by now, or other slices:
 *   then a new source is needed
 */
gboolean
wf_drawable_source_doubt (WfDrawableSource *source,
                          WfRun            *run)
{
  GimpDrawable *first = source->source->slices[0].drawable;

  /* fetching tells what is not there any more */
  if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[0])) ||
      ! gimp_item_is_valid (GIMP_ITEM (first)))
    return TRUE;
  if (! has_same_slices (source, run) || ! wf_block_store_is_current (source->store) ||
      ! wf_region_is_valid (&source->source->region, first, source->selected))
    return FALSE;

  wf_block_store_doubt (source->store);
  return TRUE;
}

/**
 * wf_drawable_source_has_changed:
 * @source: a source
 *
 * Returns: whether pixels that were fetched again since wf_drawable_source_doubt() were others
 */
gboolean
wf_drawable_source_has_changed (const WfDrawableSource *source)
{
  return wf_block_store_has_changed (source->store);
}

/**
 * wf_drawable_source_fetch:
 * @source: a source
 * @region: what is to be read
 * @part: whether colours or levels are wanted
 * @until: the monotonic time at which to stop
 * @complete: set to whether all is there, to be read
 * @error: %WF_ERROR_INVALID if a layer is not there any more
 *
 * Gets some of the pixels from GIMP.  The levels of the slice that is shown come with its
 * colours.
 *
 * Returns: whether there was no error
 */
gboolean
wf_drawable_source_fetch (WfDrawableSource       *source,
                          const WfPreviewRegion  *region,
                          WfPreviewPart           part,
                          gint64                  until,
                          gboolean               *complete,
                          GError                **error)
{
  guint first = region->slice;
  guint n     = part == WF_PREVIEW_INPUTS ? find_slices (source, region, &first) : 1;

  *complete = TRUE;
  if (! check_layer (source, region->slice, error))
    return FALSE;

  wf_block_store_begin (source->store);
  for (guint i = first; i < first + n && *complete; i++)
    {
      WfBlockView view;

      init_view (source, region, i, &view);
      *complete = wf_block_view_fetch (&view, i == (guint) region->slice, until);
      if (! *complete && ! check_layer (source, i, error))
        return FALSE;
    }
  if (*complete)
    wf_block_store_end (source->store);
  return TRUE;
}

/**
 * wf_drawable_source_read_colors:
 * @source: a source
 * @region: what to read
 * @pixels: set to red, green, blue and alpha, 8 bits of non-linear sRGB; those that are not
 *   fetched are transparent
 */
void
wf_drawable_source_read_colors (WfDrawableSource      *source,
                                const WfPreviewRegion *region,
                                guint8                *pixels)
{
  WfBlockView view;

  init_view (source, region, region->slice, &view);
  wf_block_view_read_colors (&view, pixels);
}

/**
 * wf_drawable_source_read_levels:
 * @source: a source
 * @region: what to read, fetched
 * @levels: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_drawable_source_read_levels (WfDrawableSource       *source,
                                const WfPreviewRegion  *region,
                                WfImage                *levels,
                                GError                **error)
{
  guint first;
  guint n = find_slices (source, region, &first);

  if (! wf_image_allocate (levels, source->source->type, region->width, region->height, n,
                           error))
    return FALSE;

  for (guint i = 0; i < n; i++)
    {
      WfBlockView view;

      init_view (source, region, first + i, &view);
      wf_block_view_read_levels (&view, levels, i);
    }
  return TRUE;
}

/**
 * wf_drawable_source_init_run:
 * @source: a source
 * @region: a part of it
 * @run: the run whose dialog is open
 * @part: set to a copy of @run that works on @region only
 *
 * For what else is to be read for that part.  It owns nothing.
 */
void
wf_drawable_source_init_run (const WfDrawableSource *source,
                             const WfPreviewRegion  *region,
                             const WfRun            *run,
                             WfRun                  *part)
{
  *part          = *run;
  part->source   = source->source;
  part->drawable = source->source->slices[0].drawable;
  part->type     = source->source->type;
  init_region (source, region, &part->region);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview shows and computes on: what the procedure would work on if the dialog
 * were accepted now, that is the bounding box of the selection in the first of the layers,
 * as it is seen, or in the slices of a stack.
 *
 * Levels are read as the procedure reads them, so that at full resolution the preview is
 * what the procedure makes.  At a smaller scale GEGL gives the mean of the pixels.
 *
 * Of a stack the middle slice is shown, and it is computed with the others; with so many
 * of them on both sides, where there are very many, as memory and time allow.
 *
 * All of it asks GIMP, and is for the main thread.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "drawable-source.h"
#include "plug-in.h"

/* Levels of a stack that are computed on at once, about. */
#define MOST_LEVELS (G_GINT64_CONSTANT (1) << 24)

struct _WfDrawableSource
{
  GPtrArray      *sources;
  const WfSource *source;   /* the first of them */
  guint           shown;
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
  source->sources = sources;
  source->source  = sources->pdata[0];
  source->shown   = source->source->n_slices / 2;
  return source;
}

/**
 * wf_drawable_source_free:
 * @source: (transfer full): a source
 */
void
wf_drawable_source_free (WfDrawableSource *source)
{
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
  gint64 pixels  = wf_preview_region_n_pixels (region);
  guint  on_side = (guint) MIN (MAX (MOST_LEVELS / pixels / 2, 1), all);
  guint  end     = MIN (source->shown + on_side + 1, all);

  *first = source->shown > on_side ? source->shown - on_side : 0;
  return end - *first;
}

/**
 * wf_drawable_source_get_shown:
 * @source: a source
 * @region: what is computed on
 *
 * Returns: which slice of the levels is shown
 */
gint64
wf_drawable_source_get_shown (const WfDrawableSource *source,
                              const WfPreviewRegion  *region)
{
  guint first;

  find_slices (source, region, &first);
  return source->shown - first;
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

static gboolean
check_layers (const WfDrawableSource  *source,
              GError                 **error)
{
  for (guint i = 0; i < source->source->n_slices; i++)
    if (! gimp_item_is_valid (GIMP_ITEM (source->source->slices[i].drawable)))
      {
        g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("The layer was deleted."));
        return FALSE;
      }
  return TRUE;
}

/**
 * wf_drawable_source_read_colors:
 * @source: a source
 * @region: what to read
 * @pixels: set to red, green, blue and alpha, 8 bits of non-linear sRGB
 * @error: %WF_ERROR_INVALID if the layer is not there any more
 *
 * Returns: whether it was read
 */
gboolean
wf_drawable_source_read_colors (WfDrawableSource       *source,
                                const WfPreviewRegion  *region,
                                guint8                 *pixels,
                                GError                **error)
{
  WfRegion part;

  if (! check_layers (source, error))
    return FALSE;
  init_region (source, region, &part);
  wf_slice_read_colors (&source->source->slices[source->shown], &part, 0, part.height,
                        babl_format ("R'G'B'A u8"), pixels);
  return TRUE;
}

/**
 * wf_drawable_source_read_levels:
 * @source: a source
 * @region: what to read
 * @levels: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if a layer is not there any more, %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_drawable_source_read_levels (WfDrawableSource       *source,
                                const WfPreviewRegion  *region,
                                WfImage                *levels,
                                GError                **error)
{
  const WfSource *whole = source->source;
  WfRegion        part;
  guint           first;
  guint           n     = find_slices (source, region, &first);

  init_region (source, region, &part);
  if (! check_layers (source, error) ||
      ! wf_image_allocate (levels, whole->type, part.width, part.height, n, error))
    return FALSE;

  for (guint i = 0; i < n; i++)
    wf_slice_read_levels (&whole->slices[first + i], &part, whole->component, levels, i);
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

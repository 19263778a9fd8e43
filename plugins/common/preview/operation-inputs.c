/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a procedure's preview reads: levels, colors and masks of what is previewed, and what the
 * operation takes beside them, for a view and for the whole image.
 */

#include "config.h"

#include "plugins/common/procedure/plug-in.h"
#include "preview-link.h"


static gboolean
check_pixels (WfPreviewLink  *link,
              GError        **error)
{
  if (link->problem)
    g_propagate_error (error, g_error_copy (link->problem));
  return link->pixels != NULL;
}

/**
 * wf_preview_link_read_colors:
 *
 * Of #WfPreviewSource.
 */
gboolean
wf_preview_link_read_colors (const WfPreviewRegion  *region,
                             guint8                 *pixels,
                             gpointer                data,
                             GError                **error)
{
  WfPreviewLink *link = data;

  if (! check_pixels (link, error))
    return FALSE;
  wf_source_pixels_read_colors (link->pixels, region, pixels);
  return TRUE;
}

static void
part_clear (WfJob *part)
{
  g_free (part->operation);
  g_free (part->own);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfJob, part_clear)

/* Sets @part to a run on @region; its options have to be freed also after an error. */
static gboolean
init_part (WfPreviewLink          *link,
           const WfPreviewRegion  *region,
           WfJob                  *part,
           GError                **error)
{
  const WfProcedure *procedure = link->run->procedure;

  wf_source_pixels_init_run (link->pixels, region, link->run, part);
  part->operation = part->own = NULL;
  return wf_preview_link_read_options (link, wf_operation_get_options (procedure->operation),
                                       part->type, &part->operation, error) &&
         wf_preview_link_read_options (link, procedure->own, part->type, &part->own, error);
}

/**
 * wf_preview_link_fetch:
 *
 * Of #WfPreviewSource.  The levels come first: they arrive with the colors, which are shown
 * meanwhile.
 */
gboolean
wf_preview_link_fetch (const WfPreviewRegion  *region,
                       WfPreviewPart           part,
                       WfFetch                *fetch,
                       gpointer                data,
                       GError                **error)
{
  WfPreviewLink       *link = data;
  const WfPreviewKind *kind = link->run->procedure->preview;
  g_auto (WfJob)       run  = { 0 };

  if (! check_pixels (link, error) ||
      ! wf_source_pixels_fetch (link->pixels, region, part, fetch, error) ||
      (part == WF_PREVIEW_INPUTS && link->colors &&
       ! wf_color_pixels_fetch (link->colors, region, fetch, error)))
    return FALSE;
  return ! fetch->complete || part != WF_PREVIEW_INPUTS || ! kind->fetch_second ||
         (init_part (link, region, &run, error) &&
          kind->fetch_second (&run, &link->fetched, fetch, error));
}

/* What the levels are read with, for a view and for the whole image. */
static gboolean
read_besides (WfPreviewLink          *link,
              gpointer                fetched,
              const WfPreviewRegion  *region,
              WfImage                *inputs,
              GError                **error)
{
  const WfPreviewKind *kind = link->run->procedure->preview;
  g_auto (WfJob)       run  = { 0 };

  return ! kind->read_second ||
         (init_part (link, region, &run, error) &&
          kind->read_second (&run, fetched, &inputs[0], &inputs[1], error) &&
          (! kind->read_third ||
           kind->read_third (&run, fetched, &inputs[0],
                             region->slice - wf_source_pixels_get_shown (link->pixels, region),
                             &inputs[3], error)) &&
          (! link->colors || ! kind->read_second_colors ||
           kind->read_second_colors (&run, fetched, &inputs[WF_PREVIEW_COMPONENTS],
                                     &inputs[WF_PREVIEW_SECOND], error)));
}

/**
 * wf_preview_link_read_inputs:
 *
 * Of #WfPreviewSource.
 */
gboolean
wf_preview_link_read_inputs (const WfPreviewRegion  *region,
                             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                             gpointer                data,
                             GError                **error)
{
  WfPreviewLink *link = data;

  if (! check_pixels (link, error))
    return FALSE;
  link->slice = wf_source_pixels_get_shown (link->pixels, region);
  return wf_source_pixels_read_levels (link->pixels, region, &inputs[0], error) &&
         wf_source_pixels_read_mask (link->pixels, region, &inputs[2], error) &&
         (! link->colors || wf_color_pixels_read (link->colors, region, inputs, error)) &&
         read_besides (link, link->fetched, region, inputs, error);
}


/*  Reading the whole image  */

/* The slices of a large stack are not read together. */
static gboolean
get_whole (WfPreviewRegion *region,
           gpointer         data)
{
  WfPreviewLink *link = data;
  gint64         size[3];

  if (! link->pixels)
    return FALSE;
  wf_source_pixels_get_size (link->pixels, size);
  wf_preview_region_whole (region, (int) size[0], (int) size[1], 1);
  return size[2] == 1 && wf_preview_region_n_pixels (region) > WF_PREVIEW_WHOLE_LIMIT;
}

static gboolean
fetch_levels (const WfPreviewRegion  *region,
              WfFetch                *fetch,
              gpointer                data,
              GError                **error)
{
  WfPreviewLink *link = data;

  return check_pixels (link, error) &&
         wf_source_pixels_fetch (link->pixels, region, WF_PREVIEW_INPUTS, fetch, error);
}

static gboolean
read_levels (const WfPreviewRegion  *region,
             WfImage                *levels,
             gpointer                data,
             GError                **error)
{
  WfPreviewLink *link = data;

  return wf_source_pixels_read_levels (link->pixels, region, levels, error);
}

static gboolean
read_mask (const WfPreviewRegion  *region,
           WfImage                *mask,
           gpointer                data,
           GError                **error)
{
  WfPreviewLink *link = data;

  return wf_source_pixels_read_mask (link->pixels, region, mask, error);
}

static gboolean
fetch_whole_second (const WfPreviewRegion  *region,
                    WfFetch                *fetch,
                    gpointer                data,
                    GError                **error)
{
  WfPreviewLink       *link = data;
  const WfPreviewKind *kind = link->run->procedure->preview;
  g_auto (WfJob)       run  = { 0 };

  return ! kind->fetch_second ||
         (init_part (link, region, &run, error) &&
          kind->fetch_second (&run, &link->whole_fetched, fetch, error));
}

static gboolean
read_whole_besides (const WfPreviewRegion  *region,
                    WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                    gpointer                data,
                    GError                **error)
{
  WfPreviewLink *link = data;

  return read_besides (link, link->whole_fetched, region, inputs, error);
}

const WfWholeReader wf_preview_whole_reader =
{
  .get_region   = get_whole,
  .fetch_levels = fetch_levels,
  .read_levels  = read_levels,
  .read_mask    = read_mask,
  .fetch_second = fetch_whole_second,
  .read_besides = read_whole_besides,
};

/**
 * wf_preview_link_forget_fetched:
 * @link: a preview
 *
 * Has what is read beside the levels fetched again.
 */
void
wf_preview_link_forget_fetched (WfPreviewLink *link)
{
  const WfPreviewKind *kind = link->run->procedure->preview;

  if (link->fetched)
    kind->free_second (link->fetched);
  if (link->whole_fetched)
    kind->free_second (link->whole_fetched);
  link->fetched       = NULL;
  link->whole_fetched = NULL;
}

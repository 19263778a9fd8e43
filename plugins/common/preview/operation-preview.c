/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview in a procedure's dialog: between the arguments, GIMP's pixels and ui/.
 *
 * Each change of an argument is handled at once: it changes what is read, what is computed,
 * or nothing that is shown.  Settings are copied in the main thread, where the arguments
 * are; an error in them is shown in place of the result.
 *
 * The preview is destroyed with the dialog, which cancels its computation.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "color-pixels.h"
#include "operation-preview.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/input/own-stain.h"
#include "whole-preview.h"
#include "plugins/common/results/palette.h"
#include "plugins/common/procedure/plug-in.h"

/* Of the pane: beside the controls it fits on a small screen. */
#define LEAST_WIDTH  480
#define LEAST_HEIGHT 360

/**
 * Link:
 * @pixels: what is previewed, or %NULL
 * @colors: its components, if colors are kept, or %NULL
 * @problem: why there is nothing, or %NULL
 * @slice: the index of the shown slice among those that were read last
 * @fetched: what is kept of the second input, or %NULL
 * @whole: of basins: the computation of the whole image
 * @whole_fetched: what is kept of its second input, or %NULL
 *
 * The data of the preview's functions.
 */
typedef struct
{
  WfJob          *run;
  WfPreview      *preview;
  WfSourcePixels *pixels;
  WfColorPixels  *colors;
  GError         *problem;
  gint64          slice;
  gpointer        fetched;
  WfWholePreview *whole;
  gpointer        whole_fetched;
} Link;

/* Arguments that change what is previewed. */
static const char *const opening[] = { "source", "stack", "select-basins", "from-selection",
                                       WF_OWN_STAIN, "colors", NULL };
/* Arguments that concern GIMP alone. */
static const char *const others[] = { "run-mode", "image", "drawables", NULL };


/*  Reading  */

static gboolean
check_pixels (Link    *link,
              GError **error)
{
  if (link->problem)
    g_propagate_error (error, g_error_copy (link->problem));
  return link->pixels != NULL;
}

static gboolean
read_colors (const WfPreviewRegion  *region,
             guint8                 *pixels,
             gpointer                data,
             GError                **error)
{
  Link *link = data;

  if (! check_pixels (link, error))
    return FALSE;
  wf_source_pixels_read_colors (link->pixels, region, pixels);
  return TRUE;
}

static gboolean
read_options (Link                 *link,
              const WfOptionGroup  *group,
              WfType                type,
              gpointer             *options,
              GError              **error)
{
  if (! group)
    return TRUE;
  *options = g_malloc0 (group->size);
  return wf_arguments_read (G_OBJECT (link->run->config), group, type, *options, error);
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
init_part (Link                   *link,
           const WfPreviewRegion  *region,
           WfJob                  *part,
           GError                **error)
{
  const WfProcedure *procedure = link->run->procedure;

  wf_source_pixels_init_run (link->pixels, region, link->run, part);
  part->operation = part->own = NULL;
  return read_options (link, wf_operation_get_options (procedure->operation), part->type,
                       &part->operation, error) &&
         read_options (link, procedure->own, part->type, &part->own, error);
}

/* The levels come first: they arrive with the colours, which are shown meanwhile. */
static gboolean
fetch (const WfPreviewRegion  *region,
       WfPreviewPart           part,
       WfFetch                *fetch,
       gpointer                data,
       GError                **error)
{
  Link                *link = data;
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
read_besides (Link                   *link,
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

static gboolean
read_inputs (const WfPreviewRegion  *region,
             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
             gpointer                data,
             GError                **error)
{
  Link *link = data;

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
  Link   *link = data;
  gint64  size[3];

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
  Link *link = data;

  return check_pixels (link, error) &&
         wf_source_pixels_fetch (link->pixels, region, WF_PREVIEW_INPUTS, fetch, error);
}

static gboolean
read_levels (const WfPreviewRegion  *region,
             WfImage                *levels,
             gpointer                data,
             GError                **error)
{
  Link *link = data;

  return wf_source_pixels_read_levels (link->pixels, region, levels, error);
}

static gboolean
read_mask (const WfPreviewRegion  *region,
           WfImage                *mask,
           gpointer                data,
           GError                **error)
{
  Link *link = data;

  return wf_source_pixels_read_mask (link->pixels, region, mask, error);
}

static gboolean
fetch_whole_second (const WfPreviewRegion  *region,
                    WfFetch                *fetch,
                    gpointer                data,
                    GError                **error)
{
  Link                *link = data;
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
  Link *link = data;

  return read_besides (link, link->whole_fetched, region, inputs, error);
}

static const WfWholeReader whole_reader =
{
  .get_region   = get_whole,
  .fetch_levels = fetch_levels,
  .read_levels  = read_levels,
  .read_mask    = read_mask,
  .fetch_second = fetch_whole_second,
  .read_besides = read_whole_besides,
};


/*  Following the image  */

static void open_pixels (Link *link);

/* What is previewed is opened again if its size or place has changed, or if it failed before. */
static gboolean
invalidate (gpointer data)
{
  Link *link = data;

  if (link->fetched)
    link->run->procedure->preview->invalidate_second (link->fetched);
  if (link->whole_fetched)
    link->run->procedure->preview->invalidate_second (link->whole_fetched);
  if (link->pixels && wf_source_pixels_invalidate (link->pixels, link->run) &&
      (! link->colors || wf_color_pixels_invalidate (link->colors, link->run)))
    {
      if (link->whole)
        wf_whole_preview_look_again (link->whole);
      return TRUE;
    }
  open_pixels (link);
  return FALSE;
}

/* The second input and the mask are always read and compared. */
static gboolean
has_changed (WfPreviewPart part,
             gpointer      data)
{
  Link *link = data;

  return wf_source_pixels_has_changed (link->pixels) ||
         (link->colors && wf_color_pixels_has_changed (link->colors)) ||
         (part == WF_PREVIEW_INPUTS && (link->run->procedure->preview->read_second ||
                                        wf_source_pixels_has_mask (link->pixels)));
}

static void
forget_fetched (Link *link)
{
  const WfPreviewKind *kind = link->run->procedure->preview;

  if (link->fetched)
    kind->free_second (link->fetched);
  if (link->whole_fetched)
    kind->free_second (link->whole_fetched);
  link->fetched       = NULL;
  link->whole_fetched = NULL;
}

/* Sets what becomes of colors, as far as the arguments can be used, and opens the components. */
static gboolean
open_colors (Link *link)
{
  WfJob               *run   = link->run;
  const WfOptionGroup *group = wf_colors_get_options ();
  WfColorOptions       options;

  g_clear_pointer (&link->colors, wf_color_pixels_free);
  run->colors = WF_COLORS_GRAY;
  if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[0])) ||
      ! wf_operation_takes_colors (run->procedure->operation) ||
      ! wf_arguments_read (G_OBJECT (run->config), group, run->type, &options, NULL))
    return TRUE;
  run->colors = (WfColorWay) options.colors;
  if (! wf_job_keeps_colors (run))
    return TRUE;
  link->colors = wf_color_pixels_new (run, &link->problem);
  return link->colors != NULL;
}

/* A preview of nothing has the layer's size, and shows the error. */
static void
open_pixels (Link *link)
{
  WfPreviewSource source = { .width       = link->run->region.width,
                             .height      = link->run->region.height,
                             .read_colors = read_colors,
                             .read_inputs = read_inputs,
                             .fetch       = fetch,
                             .invalidate  = invalidate,
                             .has_changed = has_changed };

  forget_fetched (link);
  g_clear_pointer (&link->pixels, wf_source_pixels_free);
  g_clear_error (&link->problem);
  link->pixels = open_colors (link) ? wf_source_pixels_new (link->run, &link->problem) : NULL;
  if (link->pixels)
    {
      gint64 size[3];

      wf_source_pixels_get_size (link->pixels, size);
      source.width    = (int) size[0];
      source.height   = (int) size[1];
      source.n_slices = (int) size[2];
      source.slice    = (int) size[2] / 2;
      /* the selection or the layer may have moved since the dialog was opened */
      link->run->region = *wf_source_pixels_get_region (link->pixels);
    }
  wf_preview_set_source (link->preview, &source, link);
  if (link->whole)
    wf_whole_preview_forget_pixels (link->whole);
}


/*  Computing  */

static void
free_settings (gpointer data)
{
  WfPreviewSettings *settings = data;

  g_free (settings->operation);
  g_free (settings->own);
  g_free (settings->merge_by);
  g_clear_pointer (&settings->strokes, wf_strokes_free);
  g_clear_error (&settings->error);
  g_free (settings);
}

static char *
get_merge_by (GObject *config)
{
  char *merge_by = NULL;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (config), "merge-by"))
    g_object_get (config, "merge-by", &merge_by, NULL);
  return merge_by;
}

static gpointer
copy_settings (gpointer data)
{
  Link              *link      = data;
  const WfProcedure *procedure = link->run->procedure;
  WfPreviewSettings *settings  = g_new0 (WfPreviewSettings, 1);

  settings->procedure = procedure;
  settings->type      = link->pixels ? wf_source_pixels_get_type (link->pixels)
                                     : link->run->type;
  settings->slice     = link->slice;
  settings->colors    = link->colors ? link->run->colors : WF_COLORS_GRAY;
  settings->format    = link->pixels ? wf_source_pixels_get_format (link->pixels) : NULL;
  settings->merge_by  = get_merge_by (G_OBJECT (link->run->config));
  if (wf_line_color_is_used (link->run))
    wf_line_color_get_contrast (link->run, &settings->line);
  if (link->pixels)
    wf_source_pixels_get_size (link->pixels, settings->size);

  if (read_options (link, wf_operation_get_options (procedure->operation), settings->type,
                    &settings->operation, &settings->error) &&
      read_options (link, procedure->own, settings->type, &settings->own, &settings->error) &&
      wf_arguments_read (G_OBJECT (link->run->config), wf_context_get_options (),
                         settings->type, &settings->context, &settings->error) &&
      procedure->preview->prepare)
    procedure->preview->prepare (link->run, settings);
  return settings;
}

static gboolean
compute (WfContext              *context,
         const WfPreviewInputs  *inputs,
         gconstpointer           data,
         WfPreviewResult        *result,
         GError                **error)
{
  const WfPreviewSettings *settings = data;

  if (settings->error)
    {
      g_propagate_error (error, g_error_copy (settings->error));
      return FALSE;
    }
  result->complete = settings->procedure->preview->complete == NULL;
  result->slice    = settings->slice;
  return wf_preview_copy_slice (&inputs->images[2], 0, &result->mask, error) &&
         wf_context_configure (context, &settings->context, error) &&
         settings->procedure->preview->compute (context, inputs, settings, result, error);
}

static gboolean
complete (WfContext              *context,
          const WfPreviewInputs  *inputs,
          gconstpointer           data,
          WfPreviewResult        *result,
          GError                **error)
{
  const WfPreviewSettings *settings = data;
  const WfPreviewKind     *kind     = settings->procedure->preview;

  return kind->complete (context, inputs, settings, result, error);
}


/*  Following the arguments  */

static gboolean
is_one_of (const char        *name,
           const char *const *names)
{
  return names && g_strv_contains (names, name);
}

static void
get_color (guint32  label,
           float    color[3],
           gpointer data)
{
  wf_palette_get_color (label, color);
}

static void
get_grey (guint32  label,
          float    color[3],
          gpointer data)
{
  color[0] = color[1] = color[2] = wf_palette_get_grey (label);
}

/* The preview paints in the colours that the new layers will have. */
static void
choose_palette (Link *link)
{
  const gboolean grey = ! wf_job_makes_colors (link->run);

  g_object_set (link->preview, "gray", grey, NULL);
  wf_preview_set_palette (link->preview, grey ? get_grey : get_color, NULL);
}

static void
argument_changed (GObject    *config,
                  GParamSpec *pspec,
                  Link       *link)
{
  const WfPreviewKind *kind = link->run->procedure->preview;

  if (strcmp (pspec->name, WF_TO_RGB) == 0)
    choose_palette (link);
  if (is_one_of (pspec->name, others))
    return;
  if (is_one_of (pspec->name, kind->ignored))
    {
      if (link->whole)
        wf_whole_preview_try_again (link->whole);
    }
  else if (is_one_of (pspec->name, opening))
    open_pixels (link);
  else if (is_one_of (pspec->name, kind->reads))
    {
      forget_fetched (link);
      wf_preview_reload (link->preview);
      if (link->whole)
        wf_whole_preview_forget_pixels (link->whole);
    }
  else
    {
      wf_preview_recompute (link->preview);
      if (link->whole)
        wf_whole_preview_settings_changed (link->whole);
    }
}

static void
link_free (gpointer  data,
           GObject  *preview)
{
  Link *link = data;

  g_signal_handlers_disconnect_by_data (link->run->config, link);
  g_clear_pointer (&link->whole, wf_whole_preview_free);
  forget_fetched (link);
  g_clear_pointer (&link->pixels, wf_source_pixels_free);
  g_clear_pointer (&link->colors, wf_color_pixels_free);
  g_clear_error (&link->problem);
  g_free (link);
}

static const WfPreviewComputation computation =
{
  .copy_settings = copy_settings,
  .free_settings = free_settings,
  .compute       = compute,
  .complete      = complete,
};

/**
 * wf_operation_preview_new:
 * @run: a run whose dialog is being made, of a procedure that can be previewed
 *
 * Returns: a #WfPreviewPane that follows the arguments of @run
 */
GtkWidget *
wf_operation_preview_new (WfJob *run)
{
  GtkWidget *pane = wf_preview_pane_new (run->procedure->preview->basins);
  Link      *link = g_new0 (Link, 1);

  link->run     = run;
  link->preview = wf_preview_pane_get_preview (WF_PREVIEW_PANE (pane));
  gtk_widget_set_size_request (pane, LEAST_WIDTH, LEAST_HEIGHT);
  choose_palette (link);
  wf_preview_set_computation (link->preview, &computation, link);
  open_pixels (link);
  if (run->procedure->preview->basins)
    link->whole = wf_whole_preview_new (link->preview, &whole_reader, &computation, link);
  g_signal_connect (run->config, "notify", G_CALLBACK (argument_changed), link);
  g_object_weak_ref (G_OBJECT (link->preview), link_free, link);
  return pane;
}

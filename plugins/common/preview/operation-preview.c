/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview in a procedure's dialog: between the arguments, GIMP's pixels and ui/.
 *
 * Each change of an argument is handled at once: it changes what is read, what is computed,
 * or nothing that is shown.
 *
 * The preview is destroyed with the dialog, which cancels its computation.
 */

#include "config.h"

#include <string.h>

#include "plugins/common/dialog/line-color.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/results/palette.h"
#include "preview-link.h"

/* Of the pane: beside the controls it fits on a small screen. */
#define LEAST_WIDTH  480
#define LEAST_HEIGHT 360

/* Arguments that change what is previewed. */
static const char *const opening[] = { "source", "stack", "select-basins", "from-selection",
                                       WF_OWN_STAIN, "colors", NULL };
/* Arguments that concern GIMP alone. */
static const char *const others[] = { "run-mode", "image", "drawables", NULL };


/*  Following the image  */

static void open_pixels (WfPreviewLink *link);

/* What is previewed is opened again if its size or place has changed, or if it failed before. */
static gboolean
invalidate (gpointer data)
{
  WfPreviewLink *link = data;

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
  WfPreviewLink *link = data;

  return wf_source_pixels_has_changed (link->pixels) ||
         (link->colors && wf_color_pixels_has_changed (link->colors)) ||
         (part == WF_PREVIEW_INPUTS && (link->run->procedure->preview->read_second ||
                                        wf_source_pixels_has_mask (link->pixels)));
}

/* Sets what becomes of colors, as far as the arguments can be used, and opens the components. */
static gboolean
open_colors (WfPreviewLink *link)
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
open_pixels (WfPreviewLink *link)
{
  WfPreviewSource source = { .width       = link->run->region.width,
                             .height      = link->run->region.height,
                             .read_colors = wf_preview_link_read_colors,
                             .read_inputs = wf_preview_link_read_inputs,
                             .fetch       = wf_preview_link_fetch,
                             .invalidate  = invalidate,
                             .has_changed = has_changed };

  wf_preview_link_forget_fetched (link);
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
choose_palette (WfPreviewLink *link)
{
  const gboolean grey = ! wf_job_makes_colors (link->run);

  g_object_set (link->preview, "gray", grey, NULL);
  wf_preview_set_palette (link->preview, grey ? get_grey : get_color, NULL);
}

static void
argument_changed (GObject       *config,
                  GParamSpec    *pspec,
                  WfPreviewLink *link)
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
      wf_preview_link_forget_fetched (link);
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
  WfPreviewLink *link = data;

  g_signal_handlers_disconnect_by_data (link->run->config, link);
  g_clear_pointer (&link->whole, wf_whole_preview_free);
  wf_preview_link_forget_fetched (link);
  g_clear_pointer (&link->pixels, wf_source_pixels_free);
  g_clear_pointer (&link->colors, wf_color_pixels_free);
  g_clear_error (&link->problem);
  g_free (link);
}

/**
 * wf_operation_preview_new:
 * @run: a run whose dialog is being made, of a procedure that can be previewed
 *
 * Returns: a #WfPreviewPane that follows the arguments of @run
 */
GtkWidget *
wf_operation_preview_new (WfJob *run)
{
  GtkWidget     *pane = wf_preview_pane_new (run->procedure->preview->basins);
  WfPreviewLink *link = g_new0 (WfPreviewLink, 1);

  link->run     = run;
  link->preview = wf_preview_pane_get_preview (WF_PREVIEW_PANE (pane));
  gtk_widget_set_size_request (pane, LEAST_WIDTH, LEAST_HEIGHT);
  choose_palette (link);
  wf_preview_set_computation (link->preview, &wf_preview_link_computation, link);
  open_pixels (link);
  if (run->procedure->preview->basins)
    link->whole = wf_whole_preview_new (link->preview, &wf_preview_whole_reader,
                                        &wf_preview_link_computation, link);
  g_signal_connect (run->config, "notify", G_CALLBACK (argument_changed), link);
  g_object_weak_ref (G_OBJECT (link->preview), link_free, link);
  return pane;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The arguments of a procedure as its preview computes with them: copied in the main thread, where
 * they are; an error in them is shown in place of the result.
 */

#include "config.h"

#include "plugins/common/dialog/line-color.h"
#include "plugins/common/procedure/plug-in.h"
#include "preview-link.h"


/**
 * wf_preview_link_read_options:
 * @link: a preview
 * @group: (nullable): options
 * @type: of the levels
 * @options: set to a new struct of their values, if there are any; to be freed also after an error
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether the arguments are valid
 */
gboolean
wf_preview_link_read_options (WfPreviewLink        *link,
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
  WfPreviewLink     *link      = data;
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

  if (wf_preview_link_read_options (link, wf_operation_get_options (procedure->operation),
                                    settings->type, &settings->operation, &settings->error) &&
      wf_preview_link_read_options (link, procedure->own, settings->type, &settings->own,
                                    &settings->error) &&
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

const WfPreviewComputation wf_preview_link_computation =
{
  .copy_settings = copy_settings,
  .free_settings = free_settings,
  .compute       = compute,
  .complete      = complete,
};

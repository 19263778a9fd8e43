/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The new layers of a filter that keeps colors.
 *
 * Red, green and blue are read as three images, filtered in the way that is chosen, and written
 * together.  The layer of the change is made first, since the filtered layer lies above it; if both
 * are wanted it is made of a copy, which is filtered once more.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "color-layers.h"
#include "filter-colors.h"
#include "filter.h"
#include "plugins/common/results/layer.h"


/**
 * wf_color_layer_add:
 * @run: the run
 * @name: of the layer, to be translated, with %s for that of the old one
 * @value: the name of the return value that it is
 * @next: whether the next step works on it
 * @components: its red, green and blue
 *
 * Makes a new layer of colors.
 */
void
wf_color_layer_add (WfJob         *run,
                    const char    *name,
                    const char    *value,
                    gboolean       next,
                    const WfImage  components[3])
{
  GimpLayer *layer = wf_result_layer_new (run, g_dgettext (GETTEXT_PACKAGE, name), FALSE);

  wf_result_layer_set_components (run, layer, components);
  if (next)
    wf_result_layer_set_next (run, layer);
  g_value_set_object (wf_job_get_value (run, value), layer);
}

/* @components: changed */
static gboolean
filter_colors (WfJob          *run,
               const WfImage  *mask,
               gboolean        residue,
               WfImage         components[3],
               GError        **error)
{
  WfFilterStep step = { run->context, run->procedure->operation, mask, run->operation, residue };

  return wf_colors_filter (run->colors, wf_job_get_format (run), components, wf_filter_step, &step,
                           error);
}

/* The residue of colors is that of each component, or that of the luminance, with colors. */
static gboolean
make_color_layers (WfJob          *run,
                   const WfImage  *mask,
                   WfImage         components[3],
                   WfImage         copy[3],
                   GError        **error)
{
  const WfFilter *filter = run->procedure->data;
  const gboolean  both   = wf_filter_wants_residue (run) && wf_filter_wants_filtered (run);
  WfImage        *changed = both ? copy : components;

  if (both && ! wf_components_copy (components, copy, error))
    return FALSE;
  wf_job_set_stage (run, 0.0, both ? 0.4 : 0.8);
  if (wf_filter_wants_residue (run))
    {
      if (! filter_colors (run, mask, TRUE, changed, error))
        return FALSE;
      wf_color_layer_add (run, filter->residue_name, filter->residue_value, ! both, changed);
    }
  if (! wf_filter_wants_filtered (run))
    return TRUE;
  wf_job_set_stage (run, both ? 0.5 : 0.0, 0.9);
  if (! filter_colors (run, mask, FALSE, components, error))
    return FALSE;
  wf_color_layer_add (run, filter->layer_name, "layer", TRUE, components);
  return TRUE;
}

/**
 * wf_color_layers_run:
 * @run: the run of a procedure whose data is a #WfFilter, which keeps colors
 * @error: as the operation sets it; %WF_ERROR_MEMORY
 *
 * Makes the new layers of a filter in colors.
 *
 * Returns: whether there are results
 */
gboolean
wf_color_layers_run (WfJob   *run,
                     GError **error)
{
  g_auto (WfImage) mask          = { 0 };
  WfImage          components[3] = { 0 };
  WfImage          copy[3]       = { 0 };
  gboolean         success;

  success = wf_job_read_components (run, components, error) &&
            wf_job_read_mask (run, &mask, error) &&
            make_color_layers (run, &mask, components, copy, error);
  wf_components_clear (components);
  wf_components_clear (copy);
  return success;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for images of labels, such as the watershed's image of numbers: from the layer, whose
 * levels are the labels, to a new one.
 *
 * Regions need not be connected, so that the engine needs the whole image in memory.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "filter.h"
#include "label-preview.h"
#include "label-tools.h"
#include "masked-labels.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/script/command-line.h"

#define LABELS N_("_Labels")

/* A label whose area is smaller is dust in most images. */
#define USUAL_AREA 100

static const WfArgumentNote notes[] =
{
  { "area", USUAL_AREA, NULL },
  { "distance", 0, N_("Regions grow by so many pixels; 0: until they meet") },
  { NULL, 0, NULL }
};

#define FILTER(variable, its_frame, its_layer_name) \
  static const WfFilter variable = { .frame = its_frame, .layer_name = its_layer_name };

FILTER (remove_small, N_("Regions to Keep"), N_("%s without small regions"))
FILTER (keep_largest, N_("Regions to Keep"), N_("Largest regions of %s"))
FILTER (expand_labels, N_("Growth"), N_("%s, expanded"))
FILTER (relabel, NULL, N_("%s, relabeled"))


/**
 * wf_label_tools_adapt:
 * @operation: a tool for labels
 * @options: its options as the arguments give them; changed to those of the engine
 *
 * An argument has no missing value: a distance of 0 is none.
 */
void
wf_label_tools_adapt (WfOperation operation,
                      gpointer    options)
{
  WfLabelToolOptions *tool = options;

  if (operation == WF_OPERATION_EXPAND_LABELS && tool->distance == 0)
    tool->distance = NAN;
}

static void
add_values (GimpProcedure *procedure)
{
  wf_filter_add_values (procedure);
  gimp_procedure_add_int_return_value (procedure, "n-regions", _("Regions"),
                                       _("The number of regions in the new layer"),
                                       0, G_MAXINT, 0, G_PARAM_READWRITE);
}

/* Algorithms are no choice here: a tool without other options has no frame. */
static void
fill_dialog (WfDialog *dialog)
{
  const WfFilter *filter = wf_dialog_get_run (dialog)->procedure->data;

  if (filter->frame)
    wf_filter_fill_dialog (dialog);
}

static const char *
find_whole (WfJob *run)
{
  const WfOptionGroup *group = wf_operation_get_options (run->procedure->operation);

  return g_dgettext (GETTEXT_PACKAGE, group->title);
}

/* Of WfProcedure. */
static void
write_command (WfCommandLine *line)
{
  wf_label_tools_adapt (line->run->procedure->operation, line->operation);
}

static gboolean
run (WfJob   *run,
     GError **error)
{
  const WfFilter   *filter    = run->procedure->data;
  const WfOperation operation = run->procedure->operation;
  g_auto (WfImage)  labels    = { 0 };
  g_auto (WfImage)  mask      = { 0 };
  guint32           n_regions = 0;
  GimpLayer        *layer;

  wf_label_tools_adapt (operation, run->operation);
  if (! wf_job_read (run, &labels, error) || ! wf_job_read_mask (run, &mask, error))
    return FALSE;

  wf_job_set_stage (run, 0.0, 0.8);
  if (! wf_masked_labels_run (run->context, operation, &mask, &labels, &n_regions, run->operation,
                              error))
    return FALSE;

  wf_job_set_stage (run, 0.8, 1.0);
  layer = wf_result_layer_new (run, g_dgettext (GETTEXT_PACKAGE, filter->layer_name), FALSE);
  wf_result_layer_set_image (run, layer, &labels);
  wf_result_layer_set_next (run, layer);
  g_value_set_object (wf_job_get_value (run, "layer"), layer);
  g_value_set_int (wf_job_get_value (run, "n-regions"), (int) n_regions);
  return TRUE;
}

#define PROCEDURE(variable, name_of_operation, label, which, text) \
  const WfProcedure wf_##variable##_procedure = \
  { \
    .name          = "plug-in-wavefront-" name_of_operation, \
    .menu_label    = label, \
    .submenu       = LABELS, \
    .menu_place    = 4, \
    .operation     = which, \
    .help          = text, \
    .notes         = notes, \
    .data          = &variable, \
    .add_values    = add_values, \
    .fill_dialog   = fill_dialog, \
    .preview       = &wf_label_preview, \
    .find_whole    = find_whole, \
    .count_further = wf_filter_count_further, \
    .folder        = &wf_folder_of_layers, \
    .write_command = write_command, \
    .run           = run, \
  };

PROCEDURE (remove_small, "remove-small", N_("Remove _Small Regions..."),
           WF_OPERATION_REMOVE_SMALL,
           N_("Makes a new layer without the regions of fewer pixels than an area: they become "
              "background. A region is what has one level, its label; level 0 is background.  The "
              "layer is gray, of 8 or 16 bits."))

PROCEDURE (keep_largest, "keep-largest", N_("_Keep Largest Regions..."),
           WF_OPERATION_KEEP_LARGEST,
           N_("Makes a new layer with the regions of the most pixels, as many as wanted: all "
              "others become background. A region is what has one level, its label; level 0 is "
              "background.  The layer is gray, of 8 or 16 bits."))

PROCEDURE (expand_labels, "expand-labels", N_("_Expand Labels..."), WF_OPERATION_EXPAND_LABELS,
           N_("Makes a new layer in which regions have grown into the background, by a distance "
              "or until they meet: a pixel gets the label of the nearest region. A region is what "
              "has one level, its label; level 0 is background.  The layer is gray, of 8 or 16 "
              "bits."))

PROCEDURE (relabel, "relabel", N_("_Relabel..."), WF_OPERATION_RELABEL,
           N_("Makes a new layer in which the labels of the regions are 1, 2, 3 and so on, in "
              "their order, without gaps. A region is what has one level, its label; level 0 is "
              "background.  The layer is gray, of 8 or 16 bits."))

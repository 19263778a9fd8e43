/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for labels: from an image of labels to another.  They are no operations of the
 * library's list, as they read no levels.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/files/input.h"
#include "tools/files/output.h"
#include "tools/job.h"
#include "tools/message.h"

typedef gboolean (* ToolFunc) (WfContext                 *context,
                               const WfImage             *labels,
                               WfImage                   *out,
                               guint32                   *n_regions,
                               const WfLabelToolOptions  *options,
                               GError                   **error);

typedef struct
{
  ToolFunc                  tool;
  const WfImage            *labels;
  WfImage                   result;
  guint32                   n_regions;
  const WfLabelToolOptions *options;
} Task;


static void
task_clear (Task *task)
{
  wf_image_clear (&task->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  return task->tool (context, task->labels, &task->result, &task->n_regions, task->options,
                     error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  static const ToolFunc tools[WF_N_LABEL_TOOLS] =
  {
    [WF_LABELS_REMOVE_SMALL] = wf_labels_remove_small,
    [WF_LABELS_KEEP_LARGEST] = wf_labels_keep_largest,
    [WF_LABELS_EXPAND]       = wf_labels_expand,
    [WF_LABELS_RELABEL]      = wf_labels_relabel,
  };
  g_auto (Input)  labels = { 0 };
  g_auto (Output) output = { 0 };
  g_auto (Job)    job    = { 0 };
  g_auto (Task)   task   = { .labels = &labels.image, .options = arguments->own };

  for (guint tool = 0; tool < WF_N_LABEL_TOOLS; tool++)
    if (arguments->command->own == wf_labels_get_options ((WfLabelTool) tool))
      task.tool = tools[tool];
  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! input_read (&labels, arguments->files[0], WF_CONTENT_LABELS, arguments->raw,
                    &arguments->choice, error) ||
      ! output_allocate (&output, WF_CONTENT_LABELS, labels.image.type, &labels.image,
                         &task.result, error))
    return FALSE;

  return job_run (&job, arguments, labels.name, compute, &task, error) &&
         output_write (&output, &task.result, WF_CONTENT_LABELS, error) &&
         output_commit (&output, error) &&
         input_tell (&labels) &&
         job_finish_counted (&job, arguments, &labels.image, "regions", task.n_regions, error);
}

/* Name, blurb and options are the library's. */
static Command commands[WF_N_LABEL_TOOLS] =
{
  [WF_LABELS_REMOVE_SMALL] =
  {
    .usage    = "LABELS -o OUT --area PIXELS [OPTION…]",
    .notes    = N_("OUT has 0 where the region of a pixel in LABELS has fewer than PIXELS pixels, "
                   "and is LABELS elsewhere. A region is what has one label; it need not be "
                   "connected. The number of regions that stay is printed."),
    .examples = "  wavefront remove-small labels.tif --area 50 -o large.tif\n",
  },
  [WF_LABELS_KEEP_LARGEST] =
  {
    .usage    = "LABELS -o OUT [OPTION…]",
    .notes    = N_("OUT has the labels of the N regions of LABELS with the most pixels, and 0 "
                   "elsewhere; of regions of equal size those with the lowest labels stay. The "
                   "number of regions that stay is printed."),
    .examples = "  wavefront keep-largest labels.tif --count 10 -o largest.tif\n",
  },
  [WF_LABELS_EXPAND] =
  {
    .usage    = "LABELS -o OUT [OPTION…]",
    .notes    = N_("OUT has the label of the nearest labelled pixel of LABELS where that is no "
                   "further than PIXELS, by Euclidean distance between the centers of pixels, so "
                   "that regions grow until they meet. The number of regions is printed."),
    .examples = "  wavefront expand-labels seeds.tif --distance 5 -o cells.tif\n",
  },
  [WF_LABELS_RELABEL] =
  {
    .usage    = "LABELS -o OUT [OPTION…]",
    .notes    = N_("OUT has the regions of LABELS with the labels 1, 2, 3 and so on, in the order "
                   "of their labels in LABELS. The number of regions is printed."),
    .examples = "  wavefront relabel labels.tif -o numbered.tif\n",
  },
};

/**
 * command_label_tools:
 *
 * A function, as the library's description of the options is no constant to the compiler.
 *
 * Returns: (transfer none): the subcommands, ended by %NULL
 */
const Command * const *
command_label_tools (void)
{
  static const Command *list[WF_N_LABEL_TOOLS + 1];

  for (guint tool = 0; tool < WF_N_LABEL_TOOLS; tool++)
    {
      const WfOptionGroup *group   = wf_labels_get_options ((WfLabelTool) tool);
      Command             *command = &commands[tool];

      command->name         = group->name;
      command->blurb        = group->blurb;
      command->own          = group;
      command->n_files      = 1;
      command->operation    = -1;
      command->makes_image  = TRUE;
      command->takes_labels = TRUE;
      command->run          = run;
      list[tool]            = command;
    }
  return list;
}

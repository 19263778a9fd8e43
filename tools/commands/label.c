/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/foreground.h"
#include "tools/measurements.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/files/output.h"
#include "tools/residence.h"


typedef struct
{
  const WfImage        *levels;
  const WfImage        *image;
  WfImage              *labels;
  guint32               n_components;
  const WfLabelOptions *options;
  Measurements         *measurements;
} Task;


static gboolean
label (WfContext  *context,
       gpointer    data,
       GError    **error)
{
  Task *task = data;

  return wf_label (context, task->image, task->labels, &task->n_components, task->options,
                   error);
}

static gboolean
measure (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  const Task *task = data;

  return measurements_measure (task->measurements, context, task->levels, NULL, task->labels, NULL,
                               task->options->connectivity, error);
}

/* Of BlockFunc. */
static gboolean
label_blocks (WfContext            *context,
              const WfBlockSource  *sources,
              const WfBlockSink    *sink,
              gpointer              data,
              GError              **error)
{
  Task *task = data;

  return wf_label_blocks (context, &sources[0], sink, &task->n_components, task->options, NULL,
                          error);
}

/* Of BlockMeasureFunc. */
static gboolean
measure_blocks (WfContext            *context,
                const WfBlockSource  *levels,
                const WfBlockSource  *sources,
                const WfBlockSource  *result,
                gpointer              data,
                GError              **error)
{
  const Task *task = data;

  return measurements_measure_blocks (task->measurements, context, levels, NULL, result,
                                      task->options->connectivity, error);
}

/* With the whole image in memory. */
static gboolean
run_whole (const Arguments  *arguments,
           Job              *job,
           Output           *output,
           Measurements     *measurements,
           GError          **error)
{
  g_auto (Input)       input      = { 0 };
  g_auto (WfImage)     labels     = { 0 };
  g_auto (Foreground)  foreground = { 0 };
  WfLabelOptions      *options    = arguments->options;
  WfTablePlace         place      = { .size = sizeof place, .without_depths = TRUE };
  Task                 task       = { &input.image, NULL, &labels, 0, options, measurements };
  const ResidenceTask  step       = { .operation = WF_OPERATION_LABEL, .options = options,
                                      .inputs = { &input }, .n_inputs = 1, .output = output,
                                      .content = WF_CONTENT_LABELS, .type = WF_TYPE_U32 };

  if (! input_read_anywhere (&input, arguments->files[0], WF_CONTENT_LEVELS, arguments->raw,
                             &arguments->choice, ! foreground_reads_pixels (arguments), error) ||
      ! foreground_take (&foreground, arguments, &input, &options->threshold, error) ||
      ! residence_settle (&step, job, &labels, error))
    return FALSE;

  task.image  = foreground.image;
  place.stack = input.image.depth > 1;
  if (measurements->wanted)
    job_set_conclusion (job, measure, 1);
  return job_run (job, arguments, input.name, label, &task, error) &&
         measurements_write (measurements, &place, error) &&
         output_write (output, &labels, WF_CONTENT_LABELS, error) &&
         output_commit (output, error) &&
         measurements_commit (measurements, error) &&
         input_tell (&input) &&
         foreground_report (&foreground) &&
         job_finish_counted (job, arguments, &input.image, "components", task.n_components,
                             error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Output)       output       = { 0 };
  g_auto (Measurements) measurements = { 0 };
  g_auto (Job)          job          = { 0 };
  g_auto (Blocks)       blocks       = { 0 };
  WfLabelOptions       *options      = arguments->options;
  Task                  task         = { .options = options, .measurements = &measurements };

  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! output_accepts (&output, WF_CONTENT_LABELS, WF_TYPE_U32, 1, error) ||
      ! measurements_prepare (&measurements, arguments, &output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! blocks_prepare (&blocks, arguments, &job, &output, error))
    return FALSE;
  if (! blocks.wanted)
    return run_whole (arguments, &job, &output, &measurements, error);

  blocks_set_measurements (&blocks, &measurements, measure_blocks, 1, TRUE,
                           &(WfTablePlace) { .size = sizeof (WfTablePlace),
                                             .without_depths = TRUE });
  return blocks_run (&blocks, &job, &output, label_blocks, &task, &options->threshold, error) &&
         job_finish_counted (&job, arguments, &blocks.image, "components", task.n_components,
                             error);
}

const Command command_label =
{
  .usage        = "IMAGE -o LABELS [OPTION…]",
  .n_files      = 1,
  .operation    = WF_OPERATION_LABEL,
  .table_blurb  = N_("Write the measurements of each component to FILE, as comma-separated values: "
                     "area, centroid, bounding box, minimum, mean"),
  .invert_blurb = N_("Number the components of the dark pixels: those that are not above the "
                     "threshold, or without it those that are 0"),
  .blocks       = blocks_auto,
  .notes        = N_("LABELS gives each foreground pixel the number of its component, as 32-bit "
                     "integers, from 1 in raster order of their first pixels; the background has "
                     "label 0. Components have 8 neighbors, in a stack 26, if no connectivity is "
                     "given; their background then has 4, or 6, as fill-holes takes it by default. "
                     "The number of components is printed on standard output, as a line of its own "
                     "or with --stats as “components”. PNG and PGM hold labels up to 65535."),
  .examples     = "  wavefront label cells.png --threshold 100 -o labels.tif\n"
                  "  wavefront label text.png --threshold otsu --invert -o letters.tif\n"
                  "  wavefront label mask.raw --raw 512x512x90:u8 --connectivity 6"
                  " -o labels.raw\n",
  .run          = run,
};

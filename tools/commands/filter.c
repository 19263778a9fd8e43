/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters: what makes an image from an image before it is flooded. */

#include "config.h"

#include <glib/gi18n.h>

#include "command.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/files/output.h"


typedef struct
{
  WfOperation            operation;
  const WfImage         *image;
  WfImage               *out;
  const WfFilterOptions *options;
} Task;


static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  return (task->operation == WF_OPERATION_GAUSSIAN ? wf_gaussian : wf_gradient)
           (context, task->image, task->out, task->options, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)   input  = { 0 };
  g_auto (Output)  output = { 0 };
  g_auto (Job)     job    = { 0 };
  g_auto (WfImage) result = { 0 };
  Task             task   = { arguments->command->operation, &input.image, &result,
                              arguments->options };

  return output_prepare (&output, arguments->output, error) &&
         job_prepare (&job, arguments, error) &&
         input_read (&input, arguments->files[0], INPUT_LEVELS, arguments->raw, error) &&
         output_allocate (&output, CONTENT_LEVELS, input.image.type, &input.image, &result,
                          error) &&
         job_run (&job, arguments, input.name, compute, &task, error) &&
         output_write (&output, &result, CONTENT_LEVELS, error) &&
         output_commit (&output, error) &&
         input_tell (&input) &&
         job_finish (&job, arguments, &input.image, "", error);
}

#define IMAGE_TO_OUT \
  .usage   = "IMAGE -o OUT [OPTION…]", \
  .n_files = 1, \
  .run     = run

const Command command_gaussian =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_GAUSSIAN,
  .notes     = N_("OUT has the type of IMAGE: weighted means of the pixels up to three times "
                  "SIGMA away along each axis. Pixels at the border are repeated outside. "
                  "Integers are rounded once."),
  .examples  = "  wavefront gaussian cells.png --sigma 2 -o smooth.png\n",
};

const Command command_gradient =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_GRADIENT,
  .notes     = N_("OUT has the type of IMAGE: the dilation of IMAGE by the structuring element "
                  "less its erosion. Pixels outside the image do not count."),
  .examples  = "  wavefront gradient cells.png -o gradient.png\n",
};

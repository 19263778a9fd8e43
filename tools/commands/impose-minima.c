/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "command.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/files/output.h"


typedef struct
{
  const WfImage             *image;
  const WfImage             *markers;
  WfImage                   *out;
  const WfMorphologyOptions *options;
} Task;


static gboolean
impose_minima (WfContext  *context,
               gpointer    data,
               GError    **error)
{
  Task *task = data;

  return wf_impose_minima (context, task->image, task->markers, task->out, task->options,
                           error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)   input   = { 0 };
  g_auto (Input)   markers = { 0 };
  g_auto (Output)  output  = { 0 };
  g_auto (Job)     job     = { 0 };
  g_auto (WfImage) result  = { 0 };
  g_autofree char *names   = NULL;
  Task             task    = { &input.image, &markers.image, &result, arguments->options };

  if (! output_prepare (&output, arguments->output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! input_read (&input, arguments->files[0], INPUT_LEVELS, arguments->raw, error) ||
      ! input_read (&markers, arguments->files[1], INPUT_MARKERS, arguments->raw, error) ||
      ! input_check_same_size (&input, &markers, error) ||
      ! output_allocate (&output, CONTENT_LEVELS, input.image.type, &input.image, &result, error))
    return FALSE;

  names = g_strdup_printf ("%s, %s", input.name, markers.name);
  return job_run (&job, arguments, names, impose_minima, &task, error) &&
         output_write (&output, &result, CONTENT_LEVELS, error) &&
         output_commit (&output, error) &&
         input_tell (&input) &&
         job_finish (&job, arguments, &input.image, "", error);
}

const Command command_impose_minima =
{
  .usage     = "IMAGE MARKERS -o OUT [OPTION…]",
  .n_files   = 2,
  .operation = WF_OPERATION_IMPOSE_MINIMA,
  .notes     = N_("OUT has the type of IMAGE, and regional minima where MARKERS is not 0 and "
                  "nowhere else. MARKERS has the size of IMAGE and holds whole numbers; with "
                  "--raw it has 8, 16 or 32 bits a pixel, as its length says."),
  .examples  = "  wavefront impose-minima gradient.png seeds.png -o relief.png\n",
  .run       = run,
};

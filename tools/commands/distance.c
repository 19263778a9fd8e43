/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/foreground.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/files/output.h"
#include "tools/residence.h"


typedef struct
{
  const WfImage           *image;
  WfImage                 *out;
  WfImage                 *nearest;
  const WfBlockSink       *nearest_sink;    /* in blocks */
  const WfDistanceOptions *options;
} Task;


static gboolean
distance (WfContext  *context,
          gpointer    data,
          GError    **error)
{
  Task *task = data;

  return wf_distance (context, task->image, task->out, task->nearest, task->options, error);
}

/* Of BlockFunc. */
static gboolean
distance_blocks (WfContext            *context,
                 const WfBlockSource  *sources,
                 const WfBlockSink    *sink,
                 gpointer              data,
                 GError              **error)
{
  const Task *task = data;

  return wf_distance_blocks (context, &sources[0], sink, task->nearest_sink, task->options, NULL,
                             error);
}

/* Of Command. */
static gboolean
check_blocks (const Arguments  *arguments,
              GError          **error)
{
  static const char * const  exact[] = { "auto", "local", "envelope", "scan", NULL };
  const WfDistanceOptions   *options = arguments->options;

  return blocks_check_algorithm (arguments, options->algorithm, exact, error);
}

/* Of Command. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  const WfDistanceOptions *options = arguments->options;

  return ! options->signed_distance || options->metric != WF_METRIC_SQUARED ||
         refuse_usage (_("Squared distances have no sign: --signed cannot be combined with "
                         "--metric squared."), error);
}

/* Two results that take the same name would leave one. */
static gboolean
prepare_outputs (const Arguments  *arguments,
                 Output           *output,
                 Output           *nearest,
                 GError          **error)
{
  if (! output_prepare (output, arguments->output, arguments->format,
                        arguments->compression, error))
    return FALSE;
  if (! arguments->other)
    return TRUE;
  if (! output_prepare (nearest, arguments->other, arguments->format,
                        arguments->compression, error))
    return FALSE;
  if (! output_is_same (output, nearest))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The distances and the nearest pixels cannot both be written to “%s”."),
               nearest->name);
  return FALSE;
}

static gboolean
check_formats (const Arguments  *arguments,
               const Output     *output,
               const Output     *nearest,
               GError          **error)
{
  return output_accepts (output, WF_CONTENT_DISTANCES, wf_distance_get_type (arguments->options), 1,
                         error) &&
         (! arguments->other ||
          output_accepts (nearest, WF_CONTENT_NEAREST, WF_TYPE_U64, 1, error));
}

static gboolean
finish (Job              *job,
        const Arguments  *arguments,
        const WfImage    *image,
        GError          **error)
{
  return job_finish (job, arguments, image,
                     job->no_background ? ",\"no_background\":true"
                                        : ",\"no_background\":false", error);
}

/* With the whole image in memory. */
static gboolean
run_whole (const Arguments  *arguments,
           Job              *job,
           Output           *output,
           Output           *nearest,
           GError          **error)
{
  g_auto (Input)      input      = { 0 };
  g_auto (WfImage)    distances  = { 0 };
  g_auto (WfImage)    pixels     = { 0 };
  g_auto (Foreground) foreground = { 0 };
  gboolean            both       = arguments->other != NULL;
  WfDistanceOptions  *options    = arguments->options;
  WfType              type       = wf_distance_get_type (options);
  Task                task       = { NULL, &distances, both ? &pixels : NULL, NULL, options };
  const ResidenceTask step       = { .operation = WF_OPERATION_DISTANCE, .options = options,
                                     .inputs = { &input }, .n_inputs = 1, .output = output,
                                     .content = WF_CONTENT_DISTANCES, .type = type };

  if (! input_read_anywhere (&input, arguments->files[0], WF_CONTENT_LEVELS, arguments->raw,
                             &arguments->choice, ! foreground_reads_pixels (arguments), error) ||
      ! foreground_take (&foreground, arguments, &input, &options->threshold, error) ||
      ! residence_settle (&step, job, &distances, error) ||
      (both && ! output_allocate (nearest, WF_CONTENT_NEAREST, WF_TYPE_U64, &input.image, &pixels,
                                  error)))
    return FALSE;

  task.image = foreground.image;
  return job_run (job, arguments, input.name, distance, &task, error) &&
         output_write (output, &distances, WF_CONTENT_DISTANCES, error) &&
         (! both || output_write (nearest, &pixels, WF_CONTENT_NEAREST, error)) &&
         output_commit (output, error) &&
         (! both || output_commit (nearest, error)) &&
         input_tell (&input) &&
         foreground_report (&foreground) &&
         finish (job, arguments, &input.image, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Output)    output  = { 0 };
  g_auto (Output)    nearest = { 0 };
  g_auto (Job)       job     = { 0 };
  g_auto (Blocks)    blocks  = { .further = { arguments->other ? &nearest : NULL,
                                              WF_CONTENT_NEAREST, WF_TYPE_U64 } };
  WfDistanceOptions *options = arguments->options;
  Task               task    = { .options = options };

  /* The type is known already: a format that does not fit is refused first. */
  if (! prepare_outputs (arguments, &output, &nearest, error) ||
      ! check_formats (arguments, &output, &nearest, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! blocks_prepare (&blocks, arguments, &job, &output, error))
    return FALSE;
  if (! blocks.wanted)
    return run_whole (arguments, &job, &output, &nearest, error);

  task.nearest_sink = arguments->other ? &blocks.further_output.sink : NULL;
  return blocks_run (&blocks, &job, &output, distance_blocks, &task, &options->threshold, error) &&
         finish (&job, arguments, &blocks.image, error);
}

const Command command_distance =
{
  .usage             = "IMAGE -o OUT [OPTION…]",
  .n_files           = 1,
  .operation         = WF_OPERATION_DISTANCE,
  .other_option      = "nearest",
  .other_placeholder = "FILE",
  .other_is_output   = TRUE,
  .other_blurb       = N_("Write the nearest background pixels to FILE, as linear indices: u64 "
                          "in a .raw file, else 64-bit floating point; where there is none, "
                          "2^64 - 1 or -1"),
  .invert_blurb      = N_("Measure the distances of the dark pixels, those that are not above the "
                          "threshold, or without it those that are 0, to the bright ones"),
  .blocks            = blocks_auto,
  .check             = check,
  .check_blocks      = check_blocks,
  .notes             = N_("OUT holds 32-bit floating point, 0 on the background or, with "
                          "--signed, less than 0 there. Squared distances are u64 in a .raw "
                          "file and 64-bit floating point in others; with a spacing they are "
                          "64-bit floating point in both. Without any background each distance "
                          "is infinite (squared: the largest u64 in a .raw file)."),
  .examples          = "  wavefront distance cells.png --threshold 100 -o distance.tif\n"
                       "  wavefront distance in.raw --raw 512x512x90:u8 --spacing 0.5,0.5,2"
                       " -o out.raw\n"
                       "  wavefront distance cells.png --threshold otsu --signed -o levels.pfm\n",
  .run               = run,
};

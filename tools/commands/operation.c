/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Any operation that makes one image of the files that it reads: what is read and written
 * follows from the library's description of it.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/foreground.h"
#include "tools/files/input.h"
#include "tools/files/output.h"
#include "tools/files/scratch-file.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/residence.h"


typedef struct
{
  const WfOperationInfo *info;
  Input                  files[WF_MAX_OPERANDS];
  guint                  n_files;
  Foreground             foreground;
  const WfImage         *inputs[WF_MAX_OPERANDS];
  WfImage                result;
  WfImage               *outputs[WF_MAX_OPERANDS];
  guint32                count;
  gconstpointer          options;
} Task;


static void
task_clear (Task *task)
{
  for (guint i = 0; i < WF_MAX_OPERANDS; i++)
    input_clear (&task->files[i]);
  foreground_clear (&task->foreground);
  wf_image_clear (&task->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  return wf_operation_run (context, task->info->operation, task->inputs, task->outputs,
                           &task->count, task->options, error);
}

/* The file of an input, or NULL where none is given: one that may be left out comes from the option
 * of its name, if the command has that.
 */
static const char *
find_file (const Arguments *arguments,
           const Task      *task,
           const WfOperand *operand)
{
  if (! operand->optional)
    return arguments->files[task->n_files];
  return g_strcmp0 (arguments->command->other_option, operand->name) == 0 ? arguments->other : NULL;
}

/* The option of the operation that --threshold sets, or NULL if it has none. */
static double *
find_threshold (const Arguments *arguments)
{
  const WfOptionGroup *group  = wf_operation_get_options (arguments->command->operation);
  const WfOption      *option = wf_option_group_find (group, "threshold");

  return option ? &G_STRUCT_MEMBER (double, arguments->options, option->offset) : NULL;
}

/* Levels, or what is in front of a threshold where the operation has one. */
static gboolean
take_foreground (const Arguments  *arguments,
                 Task             *task,
                 GError          **error)
{
  double *threshold = find_threshold (arguments);

  if (! threshold)
    return foreground_invert (&task->foreground, arguments, &task->files[0], error);
  return foreground_take (&task->foreground, arguments, &task->files[0], threshold, error);
}

/* Whether planes of a file can be chosen for an input: what is worked on, and levels beside it. */
static gboolean
takes_choice (const WfOperand *operand,
              guint            number)
{
  return number == 0 || (operand->content == WF_CONTENT_LEVELS && ! operand->optional);
}

static gboolean
read_inputs (const Arguments  *arguments,
             Task             *task,
             GError          **error)
{
  const Command *command = arguments->command;

  for (guint i = 0; i < task->info->n_inputs; i++)
    {
      const WfOperand *operand = &task->info->inputs[i];
      const char      *name    = find_file (arguments, task, operand);
      Input           *file    = &task->files[task->n_files];
      const Choice     choice  = choice_of_input (&arguments->choice, i);

      if (! name)
        continue;
      if (! input_read_anywhere (file, name, operand->content, arguments->raw,
                                 takes_choice (operand, i) ? &choice : NULL,
                                 ! foreground_reads_pixels (arguments), error) ||
          (i > 0 && ! input_check_same_size (&task->files[0], file, error)))
        return FALSE;
      task->inputs[i] = &file->image;
      task->n_files++;
    }
  if (! take_foreground (arguments, task, error))
    return FALSE;
  task->inputs[0] = task->foreground.image;
  return ! command->check_inputs ||
         command->check_inputs (&task->files[0], &task->files[1], error);
}

static char *
join_names (const Task *task)
{
  const Input *inputs[WF_MAX_OPERANDS];

  for (guint i = 0; i < task->n_files; i++)
    inputs[i] = &task->files[i];
  return input_join_names (inputs, task->n_files);
}

static gboolean
report_inputs (const Task *task)
{
  for (guint i = 0; i < task->n_files; i++)
    if (! input_tell (&task->files[i]))
      return FALSE;
  return TRUE;
}

static gboolean
finish_job (Job              *job,
            const Arguments  *arguments,
            const Task       *task,
            GError          **error)
{
  const WfImage *image = &task->files[0].image;

  return task->info->counts
         ? job_finish_counted (job, arguments, image, task->info->counts, task->count, error)
         : job_finish (job, arguments, image, "", error);
}

/* With the whole images in memory. */
static gboolean
run_whole (const Arguments  *arguments,
           Job              *job,
           Output           *output,
           GError          **error)
{
  const WfOperation operation = (WfOperation) arguments->command->operation;
  const WfOperand  *written;
  g_auto (Task)     task      = { wf_operation_describe (operation) };
  g_autofree char  *names     = NULL;
  const WfImage    *image     = &task.files[0].image;
  ResidenceTask     step      = { .operation = operation, .options = arguments->options,
                                  .output = output };

  written         = &task.info->outputs[0];
  task.outputs[0] = &task.result;
  task.options    = arguments->options;
  if (! read_inputs (arguments, &task, error))
    return FALSE;
  step.result_here = arguments->invert && arguments->command->inverts_result;
  step.content     = written->content;
  step.type        = wf_operation_get_output_type (operation, 0, image->type, task.options);
  for (; step.n_inputs < task.n_files; step.n_inputs++)
    step.inputs[step.n_inputs] = &task.files[step.n_inputs];
  if (! residence_settle (&step, job, &task.result, error))
    return FALSE;

  names = join_names (&task);
  if (! job_run (job, arguments, names, compute, &task, error))
    return FALSE;

  if (arguments->invert && arguments->command->inverts_result)
    wf_image_invert (&task.result, &task.result);
  return output_write (output, &task.result, written->content, error) &&
         output_commit (output, error) &&
         report_inputs (&task) &&
         foreground_report (&task.foreground) &&
         finish_job (job, arguments, &task, error);
}

/* What a command without a BlockFunc of its own does in blocks; @scratch: NULL where none is
 * needed
 */
typedef struct
{
  const Arguments   *arguments;
  const WfBlockSink *scratch;
} BlockTask;

/* Of BlockFunc. */
static gboolean
compute_blocks (WfContext            *context,
                const WfBlockSource  *sources,
                const WfBlockSink    *sink,
                gpointer              data,
                GError              **error)
{
  const BlockTask      *task      = data;
  const Arguments      *arguments = task->arguments;
  const WfOperation     operation = (WfOperation) arguments->command->operation;
  const WfBlockOptions  blocks    = { .size = sizeof blocks,
                                      .way  = (int) blocks_find_way (arguments) };
  const WfBlockSource  *inputs[WF_MAX_OPERANDS];

  for (guint i = 0; i < wf_operation_describe (operation)->n_inputs; i++)
    inputs[i] = &sources[i];
  return wf_operation_run_blocks (context, operation, inputs, sink, task->scratch,
                                  arguments->options, &blocks, error);
}

static gboolean
run_blocks (const Arguments  *arguments,
            Job              *job,
            Output           *output,
            Blocks           *blocks,
            GError          **error)
{
  const Command      *command = arguments->command;
  g_auto (ScratchFile) scratch = SCRATCH_FILE_NONE;
  BlockTask            task    = { .arguments = arguments };

  if (command->run_blocks)
    return blocks_run (blocks, job, output, command->run_blocks, (gpointer) arguments,
                       find_threshold (arguments), error);
  if (command->needs_scratch &&
      command->needs_scratch (arguments, block_output_is_readable (output)))
    {
      if (! scratch_file_open (&scratch, output, &blocks->image, error))
        return FALSE;
      task.scratch = &scratch.sink;
    }
  return blocks_run (blocks, job, output, compute_blocks, &task, find_threshold (arguments), error);
}

/**
 * operation_run:
 * @arguments: what the user wants of an operation
 * @error: the operation's, or one of files
 *
 * Reads, computes and writes.
 *
 * Returns: success.
 */
gboolean
operation_run (const Arguments  *arguments,
               GError          **error)
{
  g_auto (Output) output  = { 0 };
  g_auto (Job)    job     = { 0 };
  g_auto (Blocks) blocks  = { 0 };
  gboolean        is_gray = TRUE;

  if (arguments->colors.colors != WF_COLORS_GRAY)
    {
      if (! operation_run_colors (arguments, &is_gray, error))
        return FALSE;
      if (! is_gray)
        return TRUE;
    }
  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! blocks_prepare (&blocks, arguments, &job, &output, error))
    return FALSE;
  if (! blocks.wanted)
    return run_whole (arguments, &job, &output, error);

  return run_blocks (arguments, &job, &output, &blocks, error) &&
         job_finish (&job, arguments, &blocks.image, "", error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "blocks.h"
#include "command.h"
#include "foreground.h"
#include "memory.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "resume.h"

/* Without --memory-limit, this part of the memory that is free is taken: files that are read and
 * written need some of it, too.
 */
#define SHARE_OF_FREE 0.75

/* A thread that reads and writes takes less than a tenth of this. */
#define BYTES_A_THREAD ((guint64) 8 << 20)

const char * const blocks_auto[] = { "auto", NULL };
const char * const blocks_ways[] = { "auto", "queue", "summary", NULL };


/**
 * blocks_find_way:
 * @arguments: what the user wants
 *
 * Returns: how the blocks of a reconstruction are joined.
 */
WfBlocksWay
blocks_find_way (const Arguments *arguments)
{
  const char *wanted = arguments->blocks ? arguments->blocks : "auto";

  if (arguments->resume)
    return WF_BLOCKS_SUMMARY;
  return strcmp (wanted, "queue") == 0     ? WF_BLOCKS_QUEUE
         : strcmp (wanted, "summary") == 0 ? WF_BLOCKS_SUMMARY
                                           : WF_BLOCKS_AUTO;
}


/*  What is possible  */

/**
 * blocks_refuse_option:
 * @arguments: what the user wants
 * @option: on the command line, without its hyphens
 * @error: %TOOL_ERROR_USAGE
 *
 * For what a command cannot do in blocks; names what asks for them.
 *
 * Returns: %FALSE
 */
gboolean
blocks_refuse_option (const Arguments  *arguments,
                      const char       *option,
                      GError          **error)
{
  if (arguments->resume && ! arguments->blocks)
    return resume_refuse (option, error);
  if (ranks_are_several () && ! arguments->blocks)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("--%s cannot be combined with several processes: start the command without an "
                   "MPI launcher, or with --distributed no."), option);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("--blocks cannot be combined with --%s: leave out one of them."), option);
  return FALSE;
}

/* As above, for an option whose value matters. */
static gboolean
refuse_value (const Arguments  *arguments,
              const char       *option,
              const char       *value,
              GError          **error)
{
  g_autofree char *both = g_strdup_printf ("%s %s", option, value);

  return blocks_refuse_option (arguments, both, error);
}

/**
 * blocks_check_algorithm:
 * @arguments: what the user wants
 * @algorithm: (nullable): the algorithm that the user wants
 * @algorithms: those that there are in blocks, ended by %NULL
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether it allows blocks
 */
gboolean
blocks_check_algorithm (const Arguments     *arguments,
                        const char          *algorithm,
                        const char * const  *algorithms,
                        GError             **error)
{
  return ! algorithm || g_strv_contains (algorithms, algorithm) ||
         refuse_value (arguments, "algorithm", algorithm, error);
}

/**
 * blocks_check_cpu:
 * @arguments: what the user wants of an operation whose blocks are computed on the CPU
 * @algorithm: the algorithm that the user wants
 * @algorithms: those that there are in blocks, ended by %NULL
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether device and algorithm allow blocks
 */
gboolean
blocks_check_cpu (const Arguments     *arguments,
                  const char          *algorithm,
                  const char * const  *algorithms,
                  GError             **error)
{
  const char *device = arguments->context.device;

  if (device && g_str_has_prefix (device, "cuda"))
    return refuse_value (arguments, "device", device, error);
  return blocks_check_algorithm (arguments, algorithm, algorithms, error);
}

/* What is computed of the whole image, or more than once. */
static gboolean
check_options (const Arguments      *arguments,
               const FurtherOutput  *further,
               GError              **error)
{
  if (arguments->other && ! arguments->command->other_is_input && ! further->output)
    return blocks_refuse_option (arguments, arguments->command->other_option, error);
  if (arguments->mask)
    return blocks_refuse_option (arguments, "mask", error);
  if (arguments->repeat != 1)
    return blocks_refuse_option (arguments, "repeat", error);
  return ! arguments->command->check_blocks ||
         arguments->command->check_blocks (arguments, error);
}

/* Threads that read and write; each takes some memory. */
static guint
count_threads (const Arguments *arguments)
{
  const guint   n    = arguments->context.threads > 0 ? (guint) arguments->context.threads
                                                      : g_get_num_processors ();
  const guint64 left = memory_left ();

  return left == 0 ? n : (guint) CLAMP (left / BYTES_A_THREAD, 1, n);
}

/* Opens the next input. */
static gboolean
open_input (Blocks           *blocks,
            const Arguments  *arguments,
            const char       *path,
            WfContent         content,
            GError          **error)
{
  const Command       *command = arguments->command;
  const guint          i       = blocks->n_inputs++;
  const Input         *first   = &blocks->inputs[0].input;
  const Input         *input   = &blocks->inputs[i].input;
  static const Choice  all     = CHOICE_NONE;
  const Choice         choice  = choice_of_input (&arguments->choice, i);

  return block_input_open (&blocks->inputs[i], path, content, arguments->raw,
                           content == WF_CONTENT_LEVELS ? &choice : &all,
                           count_threads (arguments), error) &&
         (i == 0 || input_check_same_size (first, input, error)) &&
         (i == 0 || ! command->check_inputs || command->check_inputs (first, input, error));
}

static gboolean
open_inputs (Blocks           *blocks,
             const Arguments  *arguments,
             GError          **error)
{
  const WfOperation      operation = (WfOperation) arguments->command->operation;
  const WfOperationInfo *info      = wf_operation_describe (operation);

  for (guint i = 0; i < arguments->n_files; i++)
    if (! open_input (blocks, arguments, arguments->files[i], info->inputs[i].content, error))
      return FALSE;
  if (arguments->other && arguments->command->other_is_input &&
      ! open_input (blocks, arguments, arguments->other, WF_CONTENT_LABELS, error))
    return FALSE;
  blocks->image = blocks->inputs[0].input.image;
  return TRUE;
}

static void
find_result (Blocks *blocks)
{
  const Arguments   *arguments = blocks->arguments;
  const WfOperation  operation = (WfOperation) arguments->command->operation;

  blocks->content = wf_operation_describe (operation)->outputs[0].content;
  blocks->type    = wf_operation_get_output_type (operation, 0, blocks->image.type,
                                                  arguments->options);
  if (arguments->command->find_result)
    arguments->command->find_result (arguments, &blocks->type, &blocks->content);
}

static gboolean
can_be (Blocks        *blocks,
        const Output  *output,
        GError       **error)
{
  const FurtherOutput *further = &blocks->further;

  if (! check_options (blocks->arguments, further, error) ||
      ! open_inputs (blocks, blocks->arguments, error))
    return FALSE;
  find_result (blocks);
  return block_output_check (output, blocks->content, blocks->type, &blocks->image,
                             blocks->arguments->resume, error) &&
         (! further->output ||
          block_output_check (further->output, further->content, further->type, &blocks->image,
                              FALSE, error));
}


/*  What is needed  */

/* The images as the command holds them; with a limit files that are mapped are not counted. */
static guint64
count_images (const Blocks *blocks)
{
  const Command *command = blocks->arguments->command;
  const guint64  n       = (guint64) wf_image_n_pixels (&blocks->image);
  guint64        bytes   = n * wf_type_size (blocks->type);

  for (guint i = 0; i < blocks->n_inputs; i++)
    if (! blocks->inputs[i].is_raw || memory_left () == 0)
      bytes += n * wf_type_size (blocks->inputs[i].source.type);
  if (blocks->arguments->invert)
    bytes += n * wf_type_size (WF_TYPE_U8);
  if (blocks->further.output)
    bytes += n * wf_type_size (blocks->further.type);
  if (command->count_further)
    bytes += n * command->count_further (blocks->arguments, blocks->image.type);
  return bytes;
}

static gboolean
is_too_large (Blocks    *blocks,
              WfContext *context)
{
  const WfOperation      operation = (WfOperation) blocks->arguments->command->operation;
  g_autoptr (WfForecast) forecast  = NULL;

  wf_context_set_memory_limit (context, memory_left ());
  forecast = wf_context_forecast (context, operation, &blocks->image, blocks->arguments->options,
                                  NULL);
  if (! forecast || forecast->memory_available == 0)
    return FALSE;
  blocks->available = forecast->memory_available;
  return count_images (blocks) + forecast->memory_needed > forecast->memory_available;
}

/* Several processes divide the image; blocks that are finished are kept. */
static gboolean
is_forced (const Arguments *arguments)
{
  return arguments->blocks || arguments->resume || ranks_are_several ();
}

/**
 * blocks_prepare:
 * @blocks: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @job: a prepared job
 * @output: a prepared output
 * @error: with --blocks: why it cannot be done in blocks; of standard input, why it is not read
 *
 * Decides whether the work is done in blocks: where --blocks asks for it, for one of several
 * processes, or where images, result and working memory take more than there may be, and files and
 * options allow it.
 *
 * Returns: success
 */
gboolean
blocks_prepare (Blocks           *blocks,
                const Arguments  *arguments,
                Job              *job,
                Output           *output,
                GError          **error)
{
  g_autoptr (GError) problem = NULL;

  *blocks = (Blocks) { .arguments = arguments, .further = blocks->further,
                       .scratch = SCRATCH_FILE_NONE };
  if (! arguments->command->blocks || output->stored)
    return TRUE;
  if (! resume_check (arguments, error))
    return FALSE;
  if (arguments->resume && blocks->further.output)
    return resume_refuse (arguments->command->other_option, error);
  if (arguments->overviews == OVERVIEWS_YES && ! output_is_tiff (output) &&
      ! output_is_zarr (output))
    return refuse_usage (_("--overviews yes: only .tif and .zarr files have overviews."), error);

  if (can_be (blocks, output, &problem))
    blocks->wanted = is_too_large (blocks, job->context) || is_forced (arguments);
  else if (is_forced (arguments) ||
           (blocks->n_inputs > 0 && block_input_is_lost (&blocks->inputs[blocks->n_inputs - 1])))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (blocks->wanted)
    return TRUE;
  blocks_clear (blocks);
  if (arguments->overviews != OVERVIEWS_AUTO)
    output_set_overviews (output, arguments->overviews == OVERVIEWS_YES,
                          count_threads (arguments));
  return TRUE;
}


/*  Work  */

static gboolean
find_threshold (Blocks  *blocks,
                GError **error)
{
  const Arguments *arguments = blocks->arguments;

  if (! arguments->finds_threshold || ! blocks->threshold)
    return TRUE;
  if (! block_foreground_find_threshold (&blocks->inputs[0].source, &arguments->threshold,
                                         arguments->progress ? progress_update : NULL,
                                         blocks->threshold, error))
    return FALSE;
  blocks->found = *blocks->threshold;
  progress_next_step ();
  return TRUE;
}

static gboolean
is_measured (const Blocks *blocks)
{
  return blocks->measurements && blocks->measurements->wanted;
}

/* Whether the result is read back, and cannot be. */
static gboolean
needs_scratch (const Blocks *blocks)
{
  const Command *command = blocks->arguments->command;

  return ((command->reads_result && command->reads_result (blocks->arguments)) ||
          (is_measured (blocks) && blocks->measures_result)) &&
         ! blocks->output.sink.read;
}

/* From the scratch file to the output. */
static gboolean
copy_result (Blocks  *blocks,
             GError **error)
{
  if (! needs_scratch (blocks))
    return TRUE;
  progress_next_step ();
  return scratch_file_copy (&blocks->scratch, &blocks->output.sink,
                            blocks->arguments->progress ? progress_update : NULL, error);
}

/* Of JobFunc. */
static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Blocks            *blocks  = data;
  const Command     *command = blocks->arguments->command;
  const WfBlockSink *sink    = &blocks->output.sink;
  WfBlockSource     *sources = blocks->sources;
  const gboolean     inverts = blocks->arguments->invert && ! blocks->inverts_itself;

  if (! find_threshold (blocks, error))
    return FALSE;
  for (guint i = 0; i < blocks->n_inputs; i++)
    sources[i] = blocks->inputs[i].source;
  if (inverts && blocks->threshold)
    {
      block_foreground_mark (&blocks->foreground, &blocks->inputs[0].source, *blocks->threshold,
                             FALSE);
      sources[0]         = blocks->foreground.source;
      *blocks->threshold = NAN;
    }
  else if (inverts)
    {
      block_inverse_init (&blocks->inverse, &blocks->inputs[0].source, sink);
      sources[0] = blocks->inverse.source;
      sink       = command->inverts_result ? &blocks->inverse.sink : sink;
    }
  if (! needs_scratch (blocks))
    return blocks->run (context, sources, sink, blocks->task, error);
  return blocks->run (context, sources, &blocks->scratch.sink, blocks->task, error) &&
         (is_measured (blocks) || copy_result (blocks, error));
}

/* Of JobFunc: measures what compute() has made. */
static gboolean
conclude (WfContext  *context,
          gpointer    data,
          GError    **error)
{
  Blocks            *blocks = data;
  const WfBlockSink *sink   = needs_scratch (blocks) ? &blocks->scratch.sink
                                                     : &blocks->output.sink;
  WfImage            model  = blocks->image;
  WfBlockSource      result;

  model.type = blocks->type;
  result     = blocks_make_source (sink, &model);
  return blocks->measure (context, &blocks->inputs[0].source, blocks->sources, &result,
                          blocks->task, error) &&
         copy_result (blocks, error);
}

/**
 * blocks_make_source:
 * @sink: one that can be read back
 * @model: an image of the type and size of what was written to it
 *
 * Returns: what was written
 */
WfBlockSource
blocks_make_source (const WfBlockSink *sink,
                    const WfImage     *model)
{
  return (WfBlockSource) { .type = model->type, .width = model->width, .height = model->height,
                           .depth = model->depth, .read = sink->read, .data = sink->data };
}

/**
 * blocks_set_measurements:
 * @blocks: prepared, and wanted
 * @measurements: prepared; if they are wanted, blocks_run() writes them
 * @measure: fills them
 * @n_steps: of how many calls of the library it consists
 * @of_result: whether it reads the result
 * @place: which columns the table has, but for those of stacks
 *
 * Lets the result be measured.
 */
void
blocks_set_measurements (Blocks             *blocks,
                         Measurements       *measurements,
                         BlockMeasureFunc    measure,
                         guint               n_steps,
                         gboolean            of_result,
                         const WfTablePlace *place)
{
  blocks->measurements    = measurements;
  blocks->measure         = measure;
  blocks->n_measures      = n_steps;
  blocks->measures_result = of_result;
  blocks->place           = *place;
  blocks->place.stack     = blocks->image.depth > 1;
}

/* Says how much an interrupted run has left. */
static void
tell_resumed (const Blocks *blocks,
              const Output *output)
{
  const gint64     n      = blocks->output.n_finished;
  const gint64     all    = blocks->image.height * blocks->image.depth;
  g_autofree char *notice = NULL;

  if (n == 0 || ! ranks_is_first ())
    return;
  notice = g_strdup_printf (_("%s: an earlier run has finished %d %% of it."), output->name,
                            (int) (100 * n / all));
  message_print (notice);
}

static gboolean
open_further (Blocks          *blocks,
              const TilePlan  *plan,
              GError         **error)
{
  const FurtherOutput *further = &blocks->further;
  TilePlan             own     = *plan;

  own.type    = further->type;
  own.content = further->content;
  return ! further->output ||
         block_output_open (&blocks->further_output, further->output, &own, &blocks->image, NULL,
                            error);
}

static gboolean
begin (Blocks  *blocks,
       Job     *job,
       Output  *output,
       GError **error)
{
  const TilePlan plan = { blocks->type, blocks->content,
                          blocks->arguments->overviews != OVERVIEWS_NO,
                          count_threads (blocks->arguments),
                          .compression = blocks->arguments->compression };

  g_autofree char *task = blocks->arguments->resume ? resume_describe_task (blocks->arguments)
                                                    : NULL;

  for (guint i = 0; i < blocks->n_inputs; i++)
    if (! block_input_claim (&blocks->inputs[i], error))
      return FALSE;
  if (! block_output_open (&blocks->output, output, &plan, &blocks->image, task, error) ||
      ! open_further (blocks, &plan, error))
    return FALSE;
  tell_resumed (blocks, output);

  job->n_steps = (blocks->arguments->finds_threshold && blocks->threshold ? 2 : 1)
                 + blocks->n_steps_more;
  if (needs_scratch (blocks))
    {
      WfImage model = blocks->image;

      model.type = plan.type;
      if (! scratch_file_open (&blocks->scratch, output, &model, error))
        return FALSE;
      if (! is_measured (blocks))
        job->n_steps++;
    }
  if (is_measured (blocks))
    job_set_conclusion (job, conclude, blocks->n_measures + (needs_scratch (blocks) ? 1 : 0));
  if (memory_left () == 0)
    job->memory_limit = (guint64) (SHARE_OF_FREE * (double) blocks->available)
                        / ranks_count_on_host ();
  return TRUE;
}

static void
report (const Blocks *blocks)
{
  for (guint i = 0; i < blocks->n_inputs; i++)
    block_input_tell (&blocks->inputs[i]);
  if (blocks->arguments->finds_threshold && blocks->threshold)
    {
      g_autofree char *notice = foreground_make_notice (block_input_get_name (&blocks->inputs[0]),
                                                        blocks->found);

      message_print (notice);
    }
}

/* The names of the files that the engine would call "the image". */
static char *
join_names (const Blocks *blocks)
{
  const Input *inputs[G_N_ELEMENTS (blocks->inputs)];

  for (guint i = 0; i < blocks->n_inputs; i++)
    inputs[i] = &blocks->inputs[i].input;
  return input_join_names (inputs, blocks->n_inputs);
}

/**
 * blocks_run:
 * @blocks: prepared, and wanted
 * @job: a prepared job
 * @output: a prepared output; it is committed
 * @run: the operation
 * @task: for @run
 * @threshold: (inout) (nullable): the operation's option, where --threshold and --invert mean one
 * @error: the operation's, or one of files
 *
 * Reads, computes and writes; what remains is job_finish().
 *
 * Returns: success
 */
gboolean
blocks_run (Blocks     *blocks,
            Job        *job,
            Output     *output,
            BlockFunc   run,
            gpointer    task,
            double     *threshold,
            GError    **error)
{
  g_autofree char *names = join_names (blocks);

  blocks->run       = run;
  blocks->task      = task;
  blocks->threshold = threshold;
  if (! begin (blocks, job, output, error) ||
      ! job_run (job, blocks->arguments, names, compute, blocks, error) ||
      (is_measured (blocks) && ranks_is_first () &&
       ! measurements_write (blocks->measurements, &blocks->place, error)) ||
      ! block_output_finish (&blocks->output, error) ||
      (blocks->further.output && ! block_output_finish (&blocks->further_output, error)) ||
      ! ranks_wait (error) ||
      (is_measured (blocks) && ranks_is_first () &&
       ! measurements_commit (blocks->measurements, error)) ||
      ! block_output_commit (&blocks->output, error) ||
      (blocks->further.output && ! block_output_commit (&blocks->further_output, error)))
    return FALSE;
  block_output_end (&blocks->output);
  job->n_blocks = blocks->output.n_blocks;
  report (blocks);
  return TRUE;
}

void
blocks_clear (Blocks *blocks)
{
  for (guint i = 0; i < blocks->n_inputs; i++)
    block_input_clear (&blocks->inputs[i]);
  block_output_clear (&blocks->output);
  block_output_clear (&blocks->further_output);
  scratch_file_clear (&blocks->scratch);
  *blocks = (Blocks) { .scratch = SCRATCH_FILE_NONE };
}

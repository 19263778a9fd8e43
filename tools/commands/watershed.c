/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/block-relief.h"
#include "tools/blocks.h"
#include "tools/corrections.h"
#include "tools/foreground.h"
#include "tools/measurements.h"
#include "tools/memory.h"
#include "tools/merging.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/preset.h"
#include "tools/files/output.h"
#include "tools/files/scratch-file.h"
#include "tools/progress.h"
#include "tools/residence.h"
#include "tools/strokes.h"


/**
 * WatershedInput:
 * @input: a #WfWatershedInput
 * @threshold: of objects, as #WfReliefOptions has it
 * @background: likewise
 * @merging: of the basins
 *
 * What is made of the image before it is flooded, and of the basins afterwards.
 */
typedef struct
{
  gsize   size;
  int     input;
  double  threshold;
  int     background;
  Merging merging;
} WatershedInput;

/* Of Command.texts. */
enum { TEXT_PRESET, TEXT_CORRECTIONS, TEXT_STROKES };

static const WfChoice inputs[] =
{
  { "levels",   WF_INPUT_LEVELS,   NULL },
  { "gradient", WF_INPUT_GRADIENT, NULL },
  { "objects",  WF_INPUT_OBJECTS,  NULL },
  { NULL }
};

static const WfChoice backgrounds[] =
{
  { "none",   WF_BACKGROUND_NONE,   NULL },
  { "dark",   WF_BACKGROUND_DARK,   NULL },
  { "bright", WF_BACKGROUND_BRIGHT, NULL },
  { NULL }
};

static const WfOption input_options[] =
{
  {
    .name          = "input",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WatershedInput, input),
    .blurb         = N_("Flood the levels, their gradient, or the inverted distances inside "
                        "objects, which divides touching objects at their necks; the tolerance is "
                        "then a distance, 1 if it is not given"),
    .placeholder   = "levels|gradient|objects",
    .default_value = WF_INPUT_LEVELS,
    .choices       = inputs,
  },
  {
    .name          = "threshold",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WatershedInput, threshold),
    .blurb         = N_("Pixels above this level are objects; without it, all pixels that are "
                        "not 0"),
    .minimum       = -G_MAXDOUBLE,
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  {
    .name          = "background",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WatershedInput, background),
    .blurb         = N_("Flood levels or gradients only where the smoothed image is above the "
                        "threshold (dark) or not above it (bright); nothing crosses the other "
                        "pixels, which get label 0"),
    .placeholder   = "none|dark|bright",
    .default_value = WF_BACKGROUND_NONE,
    .choices       = backgrounds,
  },
  MERGING_OPTIONS (WatershedInput),
};

static const WfOptionGroup input_group =
{
  .name      = "watershed-input",
  .title     = N_("What is flooded, and which basins are merged"),
  .options   = input_options,
  .n_options = G_N_ELEMENTS (input_options),
  .size      = sizeof (WatershedInput),
};

/**
 * Task:
 * @levels: the input
 * @mask: what is flooded of it, or %NULL
 * @relief: made of it, or without pixels: wf_watershed() makes what it needs
 * @objects: where objects are flooded, or what is no background
 * @with_relief: whether @relief is made, and flooded
 * @merging: which basins are merged, or %NULL
 * @limits: which objects are kept
 * @corrections: what is corrected by hand before
 * @strokes: draw the markers, if there is a list
 * @from_markers, @scratch: in blocks: whether markers are read, and for the levels made of them or
 *   of a tolerance, and then for the relief that is measured
 * @block_relief: in blocks: the relief, where it is made
 */
typedef struct
{
  WfImage                  *levels;
  const WfImage            *markers;
  const WfImage            *mask;
  WfImage                   relief;
  WfImage                   objects;
  WfImage                   labels;
  guint32                   n_basins;
  gboolean                  with_relief;
  const WfReliefOptions    *how;
  const WfWatershedOptions *options;
  Measurements             *measurements;
  const Merging            *merging;
  const WfObjectOptions    *limits;
  Corrections              *corrections;
  Strokes                  *strokes;
  gboolean                  from_markers;
  const WfBlockSink        *scratch;
  BlockRelief              *block_relief;
} Task;


static void
task_clear (Task *task)
{
  wf_image_clear (&task->relief);
  wf_image_clear (&task->objects);
  wf_image_clear (&task->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gboolean
flood_relief (WfContext  *context,
              Task       *task,
              GError    **error)
{
  WfWatershedOptions options = *task->options;

  options.smoothing = 0;
  options.gradient  = 0;
  wf_image_clear (&task->relief);
  wf_image_clear (&task->objects);
  if (! wf_relief_make (context, task->levels, TRUE, task->how, &task->relief, &task->objects,
                        error))
    return FALSE;

  progress_next_step ();
  if (task->mask || task->how->background)
    return wf_watershed_masked (context, &task->relief, task->markers,
                                task->mask ? task->mask : &task->objects, &task->labels,
                                &task->n_basins, &options, error);
  if (task->markers)
    memcpy (task->labels.data, task->markers->data,
            (gsize) wf_image_n_pixels (task->markers) * sizeof (guint32));
  return wf_relief_flood (context, &task->relief, task->objects.data ? &task->objects : NULL,
                          task->markers != NULL, &task->labels, &task->n_basins, &options, error);
}

static gboolean
flood (WfContext  *context,
       Task       *task,
       GError    **error)
{
  if (task->with_relief)
    return flood_relief (context, task, error);
  return wf_watershed_masked (context, task->levels, task->markers, task->mask, &task->labels,
                              &task->n_basins, task->options, error);
}

static gboolean
watershed (WfContext  *context,
           gpointer    data,
           GError    **error)
{
  Task *task = data;

  if (! flood (context, task, error))
    return FALSE;
  return ! task->strokes->list ||
         strokes_drop_background (task->strokes, task->objects.data ? &task->objects : task->mask,
                                  &task->labels, &task->n_basins, error);
}

/* Basins of objects are those of their pixels: without an object there is none. */
static gboolean
flood_relief_blocks (WfContext            *context,
                     const WfBlockSource  *sources,
                     const WfBlockSink    *sink,
                     Task                 *task,
                     GError              **error)
{
  BlockRelief        *relief  = task->block_relief;
  const gboolean      objects = task->how->input == WF_INPUT_OBJECTS;
  WfWatershedOptions  options = *task->options;

  options.smoothing = 0;
  options.gradient  = 0;
  if (! block_relief_make (relief, context, &sources[0], error))
    return FALSE;
  if (task->from_markers && objects && ! block_relief_limit_markers (relief, &sources[1], error))
    return FALSE;
  if (objects)
    block_relief_limit_labels (relief, sink);
  if (! wf_watershed_blocks (context, &relief->source,
                             ! task->from_markers ? NULL : objects ? &relief->markers : &sources[1],
                             task->scratch, objects ? &relief->labels : sink, &task->n_basins,
                             &options, NULL, error))
    return FALSE;
  if (objects && ! relief->any_object)
    task->n_basins = 0;
  return TRUE;
}

/* Of BlockFunc. */
static gboolean
watershed_blocks (WfContext            *context,
                  const WfBlockSource  *sources,
                  const WfBlockSink    *sink,
                  gpointer              data,
                  GError              **error)
{
  Task *task = data;

  if (task->with_relief)
    return flood_relief_blocks (context, sources, sink, task, error);
  return wf_watershed_blocks (context, &sources[0], task->from_markers ? &sources[1] : NULL,
                              task->scratch, sink, &task->n_basins, task->options, NULL, error);
}

/* What is not background, if there is one, as far as the library does not know itself. */
static const WfImage *
get_inside (const Task *task)
{
  return task->strokes && task->strokes->inside.data ? &task->strokes->inside : task->mask;
}

/* Of Command. */
static gboolean
check_blocks (const Arguments  *arguments,
              GError          **error)
{
  static const char * const  steepest[] = { "auto", "steepest", NULL };
  const WfWatershedOptions  *options    = arguments->options;
  const WfOptionGroup       *limits     = wf_objects_get_options ();

  if (options->compactness > 0)
    return blocks_refuse_option (arguments, "compactness", error);
  for (guint i = 0; i < limits->n_options; i++)
    if (wf_objects_are_limited (arguments->objects) &&
        arguments_has_given (arguments, limits->options[i].name))
      return blocks_refuse_option (arguments, limits->options[i].name, error);
  if (arguments_has_given (arguments, "background"))
    return blocks_refuse_option (arguments, "background", error);
  if (merging_find_given (arguments))
    return blocks_refuse_option (arguments, merging_find_given (arguments), error);
  if (arguments->texts[TEXT_CORRECTIONS])
    return blocks_refuse_option (arguments, "corrections", error);
  if (arguments->texts[TEXT_STROKES])
    return blocks_refuse_option (arguments, "strokes", error);

  return blocks_check_cpu (arguments, options->algorithm, steepest, error);
}

static gboolean
is_corrected (const Task *task)
{
  return corrections_are_wanted (task->corrections);
}

/* Whether the relief is made again to be measured or flooded: wf_watershed() does not keep what it
 * floods.
 */
static gboolean
lacks_relief (const Task *task)
{
  return ! task->with_relief && (task->options->smoothing > 0 || task->options->gradient > 0) &&
         (task->measurements->wanted || task->merging || is_corrected (task));
}

static gboolean
make_relief (WfContext  *context,
             Task       *task,
             GError    **error)
{
  WfImage *levels = task->levels;

  if (! lacks_relief (task))
    return TRUE;
  if (! wf_image_allocate (&task->relief, levels->type, levels->width, levels->height,
                           levels->depth, error) ||
      ! wf_watershed_make_relief (context, levels, &task->relief, task->options, error))
    return FALSE;
  progress_next_step ();
  return TRUE;
}

/* What was flooded. */
static const WfImage *
get_relief (const Task *task)
{
  return task->relief.data ? &task->relief : task->levels;
}

/* What is not background, if there is one, the objects included. */
static const WfImage *
get_flooded (const Task *task)
{
  return ! task->strokes->inside.data && task->objects.data ? &task->objects : get_inside (task);
}

static gboolean
merge (WfContext  *context,
       Task       *task,
       GError    **error)
{
  if (! task->merging)
    return TRUE;
  if (! merging_make (task->merging, context, get_relief (task), get_flooded (task),
                      &task->labels, task->options->connectivity, &task->n_basins, error))
    return FALSE;
  if (task->measurements->wanted || task->limits || is_corrected (task))
    progress_next_step ();
  return TRUE;
}

static gboolean
correct (WfContext  *context,
         Task       *task,
         GError    **error)
{
  if (! is_corrected (task))
    return TRUE;
  return corrections_make (task->corrections, context, get_relief (task), get_flooded (task),
                           &task->labels, task->options, error);
}

static gboolean
measure_basins (WfContext  *context,
                Task       *task,
                GError    **error)
{
  return measurements_measure (task->measurements, context, task->levels,
                               task->relief.data ? &task->relief : NULL, &task->labels,
                               get_inside (task), task->options->connectivity, error);
}

static gboolean
keep_objects (WfContext  *context,
              Task       *task,
              GError    **error)
{
  return corrections_keep (task->corrections, context, task->levels, get_inside (task),
                           task->limits, &task->labels, &task->n_basins, task->measurements,
                           error);
}

/* Of JobFunc: what is done with the basins once. */
static gboolean
conclude (WfContext  *context,
          gpointer    data,
          GError    **error)
{
  Task *task = data;

  if (! make_relief (context, task, error) ||
      ! merge (context, task, error) ||
      ! correct (context, task, error) ||
      (task->measurements->wanted && ! measure_basins (context, task, error)))
    return FALSE;
  if (! task->limits && ! is_corrected (task))
    return TRUE;
  if (task->measurements->wanted)
    progress_next_step ();
  return keep_objects (context, task, error);
}

static guint
count_conclusion (const Task *task)
{
  return (task->limits || is_corrected (task) ? 1 : 0) + (lacks_relief (task) ? 1 : 0) +
         (task->merging ? 1 : 0) +
         (task->measurements->wanted ? 1 : 0);
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
  const Task    *task   = data;
  const WfImage  model  = { .type = levels->type, .width = levels->width,
                            .height = levels->height, .depth = levels->depth };
  WfBlockSource  relief = task->with_relief ? task->block_relief->source : *levels;

  if (lacks_relief (task))
    {
      if (! wf_watershed_make_relief_blocks (context, levels, task->scratch, task->options, NULL,
                                             error))
        return FALSE;
      relief = blocks_make_source (task->scratch, &model);
      progress_next_step ();
    }
  return measurements_measure_blocks (task->measurements, context, levels,
                                      task->with_relief || lacks_relief (task) ? &relief : NULL,
                                      result,
                                      task->options->connectivity, error);
}

static gboolean
has_markers (const Arguments *arguments)
{
  return arguments->other || arguments->texts[TEXT_STROKES];
}

/* Of Command. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  const WfWatershedOptions *options = arguments->options;
  const WatershedInput     *own     = arguments->own;

  if (own->input != WF_INPUT_OBJECTS && own->background == WF_BACKGROUND_NONE &&
      arguments_has_given (arguments, "threshold"))
    return refuse_usage (_("--threshold distinguishes objects: it needs --input objects or "
                           "--background."), error);
  if (own->input == WF_INPUT_OBJECTS && own->background != WF_BACKGROUND_NONE)
    return refuse_usage (_("--background cannot be combined with --input objects."), error);
  if (arguments->mask && own->background != WF_BACKGROUND_NONE)
    return refuse_usage (_("--mask cannot be combined with --background."), error);
  if (own->input == WF_INPUT_OBJECTS && options->gradient > 0)
    return refuse_usage (_("--gradient cannot be combined with --input objects."), error);
  if (own->input == WF_INPUT_LEVELS && options->gradient > 0 &&
      arguments_has_given (arguments, "input"))
    return refuse_usage (_("--gradient cannot be combined with --input levels."), error);
  if (arguments->mask && own->input == WF_INPUT_OBJECTS)
    return refuse_usage (_("--mask cannot be combined with --input objects."), error);
  if (! merging_check (arguments, error))
    return FALSE;
  if (arguments->other && arguments->texts[TEXT_STROKES])
    return refuse_usage (_("--strokes draws the markers, so it cannot be combined with "
                           "--markers."), error);
  if (options->compactness > 0 && ! has_markers (arguments))
    return refuse_usage (_("--compactness counts the distance from markers: it needs --markers or "
                           "--strokes."), error);
  if (options->compactness > 0 && options->lines)
    return refuse_usage (_("--compactness cannot be combined with --lines."), error);
  if (arguments->other && arguments_has_given (arguments, "tolerance"))
    return refuse_usage (_("--tolerance selects minima, so it cannot be combined with "
                           "--markers."), error);
  if (arguments->texts[TEXT_STROKES] && arguments_has_given (arguments, "tolerance"))
    return refuse_usage (_("--tolerance selects minima, so it cannot be combined with "
                           "--strokes."), error);
  return TRUE;
}

/* Completes the options by what --input says of them. */
static void
complete_options (const Arguments *arguments)
{
  WfWatershedOptions      *options = arguments->options;
  const WatershedInput    *own     = arguments->own;
  const WfWatershedPreset *preset  = preset_get (arguments);

  if (own->input == WF_INPUT_GRADIENT)
    options->gradient = MAX (options->gradient, 1);
  if (own->input == WF_INPUT_OBJECTS && ! has_markers (arguments) &&
      ! (preset && preset->input == own->input) && ! arguments_has_given (arguments, "tolerance"))
    options->tolerance = 1;
}

/* The tolerance of a preset, which depends on the levels. */
static void
complete_tolerance (const Arguments *arguments,
                    WfType           type)
{
  const WfWatershedPreset *preset  = preset_get (arguments);
  WfWatershedOptions      *options = arguments->options;
  const WatershedInput    *own     = arguments->own;

  if (preset && own->input == preset->input && ! has_markers (arguments) &&
      ! arguments_has_given (arguments, "tolerance"))
    options->tolerance = preset_tolerance (preset, type);
}

static void
choose_relief (const Arguments *arguments,
               Task            *task,
               WfReliefOptions *how)
{
  const WfWatershedOptions *options = arguments->options;
  const WatershedInput     *own     = arguments->own;

  wf_option_group_init (wf_relief_get_options (), how);
  how->input      = options->gradient > 0 ? WF_INPUT_GRADIENT : own->input;
  how->smoothing  = options->smoothing;
  how->gradient   = options->gradient;
  how->threshold  = own->threshold;
  how->invert     = arguments->invert;
  how->background = own->background;

  task->with_relief = arguments->invert || own->input == WF_INPUT_OBJECTS ||
                      own->background != WF_BACKGROUND_NONE;
}

/* Of Command. */
static gsize
count_further (const Arguments *arguments,
               WfType           type)
{
  const WatershedInput *own = arguments->own;

  if (own->input == WF_INPUT_OBJECTS || own->background != WF_BACKGROUND_NONE)
    return sizeof (float) + sizeof (guint8);
  return arguments->invert ? wf_type_size (type) : 0;
}

/* Whether only the library looks at the levels and the markers. */
static gboolean
may_be_anywhere (const Arguments *arguments)
{
  const WatershedInput *own = arguments->own;

  return ! arguments->mask && ! arguments->texts[TEXT_CORRECTIONS] &&
         ! merging_is_wanted (&own->merging) &&
         ! arguments->texts[TEXT_STROKES] && own->input != WF_INPUT_OBJECTS &&
         own->background == WF_BACKGROUND_NONE &&
         ! foreground_reads_pixels (arguments);
}

static gboolean
read_inputs (const Arguments  *arguments,
             Input            *input,
             Input            *markers,
             Input            *mask,
             GError          **error)
{
  const gboolean anywhere = may_be_anywhere (arguments);

  if (! input_read_anywhere (input, arguments->files[0], WF_CONTENT_LEVELS, arguments->raw,
                             &arguments->choice, anywhere, error))
    return FALSE;
  if (arguments->mask &&
      (! input_read (mask, arguments->mask, WF_CONTENT_MARKS, arguments->raw, NULL, error) ||
       ! input_check_same_size (input, mask, error)))
    return FALSE;
  if (! arguments->other)
    return TRUE;

  return input_read_anywhere (markers, arguments->other, WF_CONTENT_LABELS, arguments->raw, NULL,
                              anywhere, error) &&
         input_check_same_size (input, markers, error);
}

/* The labels of markers are known beforehand; a line or the background may remove one.  The store
 * accepts all.
 */
static gboolean
check_labels (const Task    *task,
              const Output  *output,
              GError       **error)
{
  return ! task->markers || task->strokes->list || task->merging || task->options->lines ||
         task->mask || output->stored || task->how->input == WF_INPUT_OBJECTS ||
         task->how->background ||
         output_accepts_labels (output, task->markers, error);
}

/* Makes sure of the memory for the relief, which is kept beside the image and its labels. */
static gboolean
claim_relief (const Arguments  *arguments,
              const Task       *task,
              GError          **error)
{
  const gsize size = task->how->input == WF_INPUT_OBJECTS || task->how->background
                     ? sizeof (float) + sizeof (guint8) : wf_type_size (task->levels->type);

  return ! (task->with_relief || lacks_relief (task)) ||
         memory_claim_to_read (arguments->files[0],
                               (guint64) wf_image_n_pixels (task->levels) * size, error);
}

/* Of the markers, what is flooded, and, while they are drawn, the pixels of the strokes. */
static gboolean
draw_strokes (const Arguments  *arguments,
              WfContext        *context,
              Strokes          *strokes,
              Task             *task,
              GError          **error)
{
  const guint64 n_pixels = (guint64) wf_image_n_pixels (task->levels);

  task->markers = &strokes->markers;
  return memory_claim_to_read (arguments->files[0],
                               n_pixels * (sizeof (guint32) + 2 * sizeof (guint8)), error) &&
         strokes_draw (strokes, context, task->levels, task->options->connectivity, error);
}

/* With the whole image in memory. */
static gboolean
run_whole (const Arguments  *arguments,
           Job              *job,
           Output           *output,
           Measurements     *measurements,
           GError          **error)
{
  g_auto (Input)        input      = { 0 };
  g_auto (Input)        markers    = { 0 };
  g_auto (Input)        mask       = { 0 };
  g_auto (Foreground)   foreground = { 0 };
  g_auto (Corrections)  corrections = { 0 };
  g_auto (Strokes)      strokes    = { 0 };
  g_autofree char      *names      = NULL;
  const WatershedInput *own        = arguments->own;
  WfReliefOptions       how;
  g_auto (Task)         task       = { .levels       = &input.image,
                                       .markers      = arguments->other ? &markers.image : NULL,
                                       .mask         = arguments->mask ? &mask.image : NULL,
                                       .how          = &how,
                                       .options      = arguments->options,
                                       .merging      = merging_is_wanted (&own->merging)
                                                       ? &own->merging : NULL,
                                       .limits       = wf_objects_are_limited (arguments->objects)
                                                       ? arguments->objects : NULL,
                                       .corrections  = &corrections,
                                       .strokes      = &strokes,
                                       .measurements = measurements };
  ResidenceTask         step       = { .operation   = WF_OPERATION_WATERSHED,
                                       .options     = arguments->options,
                                       .inputs      = { &input, &markers },
                                       .n_inputs    = arguments->other ? 2 : 1,
                                       .output      = output,
                                       .content     = WF_CONTENT_LABELS,
                                       .type        = WF_TYPE_U32,
                                       .result_here = task.limits != NULL };

  if (! corrections_read (&corrections, arguments->texts[TEXT_CORRECTIONS], error) ||
      ! strokes_read (&strokes, arguments->texts[TEXT_STROKES], error) ||
      ! read_inputs (arguments, &input, &markers, &mask, error) ||
      (strokes.list && ! draw_strokes (arguments, job->context, &strokes, &task, error)))
    return FALSE;

  complete_tolerance (arguments, input.image.type);
  choose_relief (arguments, &task, &how);
  step.inputs_here  = task.with_relief || task.mask || task.merging || is_corrected (&task) ||
                      strokes.list;
  step.result_here |= task.merging || is_corrected (&task) || strokes.list;
  if (! check_labels (&task, output, error) ||
      ! foreground_find_threshold (&foreground, arguments, &input, &how.threshold, error) ||
      ! residence_settle (&step, job, &task.labels, error) ||
      ! claim_relief (arguments, &task, error))
    return FALSE;

  names = input_join_names ((const Input *[]) { &input, &markers, &mask }, 3);
  if (task.with_relief)
    job->n_steps = 2;
  if (count_conclusion (&task) > 0)
    job_set_conclusion (job, conclude, count_conclusion (&task));
  return job_run (job, arguments, names, watershed, &task, error) &&
         measurements_write (measurements, &(WfTablePlace) { .size = sizeof (WfTablePlace),
                                                               .stack = input.image.depth > 1 },
                             error) &&
         output_write (output, &task.labels, WF_CONTENT_LABELS, error) &&
         output_commit (output, error) &&
         measurements_commit (measurements, error) &&
         input_tell (&input) &&
         input_tell (&markers) &&
         input_tell (&mask) &&
         foreground_report (&foreground) &&
         corrections_report (&corrections) &&
         job_finish_counted (job, arguments, &input.image, "basins", task.n_basins, error);
}

static gboolean
run_blocks (const Arguments  *arguments,
            Job              *job,
            Output           *output,
            Blocks           *blocks,
            Measurements     *measurements,
            GError          **error)
{
  const WfWatershedOptions *options = arguments->options;
  WfReliefOptions           how;
  g_auto (BlockRelief)      relief  = BLOCK_RELIEF_NONE;
  g_auto (ScratchFile)      scratch = SCRATCH_FILE_NONE;
  g_auto (Task)             task    = { .how          = &how,
                                        .options      = options,
                                        .measurements = measurements,
                                        .from_markers = arguments->other != NULL,
                                        .scratch      = &scratch.sink,
                                        .block_relief = &relief };
  WfImage                   model   = blocks->image;

  complete_tolerance (arguments, blocks->image.type);
  choose_relief (arguments, &task, &how);
  if (task.with_relief)
    {
      model.type = block_relief_get_type (&how, model.type);
      if (! block_relief_open (&relief, &how, output, &blocks->image, error))
        return FALSE;
      blocks->n_steps_more   = block_relief_count_steps (&relief);
      blocks->inverts_itself = TRUE;
    }
  if ((arguments->other || options->tolerance > 0 ||
       lacks_relief (&task)) &&
      ! scratch_file_open (&scratch, output, &model, error))
    return FALSE;
  blocks_set_measurements (blocks, measurements, measure_blocks, lacks_relief (&task) ? 2 : 1, TRUE,
                           &(WfTablePlace) { .size = sizeof (WfTablePlace) });
  return blocks_run (blocks, job, output, watershed_blocks, &task,
                     how.input == WF_INPUT_OBJECTS ? &how.threshold : NULL, error) &&
         job_finish_counted (job, arguments, &blocks->image, "basins", task.n_basins, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Output)       output       = { 0 };
  g_auto (Measurements) measurements = { 0 };
  g_auto (Job)          job          = { 0 };
  g_auto (Blocks)       blocks       = { 0 };

  complete_options (arguments);
  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! output_accepts (&output, WF_CONTENT_LABELS, WF_TYPE_U32, 1, error) ||
      ! measurements_prepare (&measurements, arguments, &output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! blocks_prepare (&blocks, arguments, &job, &output, error))
    return FALSE;
  return blocks.wanted ? run_blocks (arguments, &job, &output, &blocks, &measurements, error)
                       : run_whole (arguments, &job, &output, &measurements, error);
}

const Command command_watershed =
{
  .usage             = "IMAGE -o LABELS [OPTION…]",
  .n_files           = 1,
  .operation         = WF_OPERATION_WATERSHED,
  .own               = &input_group,
  .selects_objects   = TRUE,
  .texts             =
  {
    [TEXT_PRESET] =
    { "preset", "NAME",
      N_("Take the options that are not given from a preset for a kind of images: “wavefront "
         "presets” lists them") },
    [TEXT_CORRECTIONS] = CORRECTIONS_OPTION,
    [TEXT_STROKES] =
    { "strokes", "LIST",
      N_("Flood from markers that strokes draw: a JSON list such as [{\"object\": [[12, 7], [30, "
         "9]], \"width\": 5}, {\"background\": [[2, 2]]}], or the name of a file with one; what "
         "is flooded from the background is no object") },
    { NULL }
  },
  .other_option      = "markers",
  .other_placeholder = "FILE",
  .other_blurb       = N_("Flood from the labels in FILE (0: none), not from the minima"),
  .mask_blurb        = N_("Flood only where FILE is not 0: nothing crosses the other pixels, which "
                          "get label 0"),
  .table_blurb       = N_("Write the measurements of each basin to FILE, as comma-separated "
                          "values: area, centroid, bounding box, minimum, mean, depth"),
  .invert_blurb      = N_("Bright regions are the basins; with --input objects, objects are the "
                          "pixels that are not above the threshold"),
  .blocks            = blocks_auto,
  .other_is_input    = TRUE,
  .complete          = preset_apply,
  .check             = check,
  .check_blocks      = check_blocks,
  .count_further     = count_further,
  .notes             = N_("LABELS gives each pixel the number of its basin, as 32-bit integers. "
                          "Basins of minima are numbered from 1 in raster order of their first "
                          "pixel, those of markers have the marker's label. Strokes of objects "
                          "that touch are one marker; they are numbered in raster order, and the "
                          "background's basin has label 0. With --input objects or --background "
                          "the background has label 0. Merged basins are numbered from 1 by "
                          "the smallest basin in each. If objects are left out, as they are not "
                          "within the limits, they get label 0, and the others are numbered from "
                          "1 in the same order. The number of basins is printed on "
                          "standard output, as a line of its own or with --stats as “basins”. PNG "
                          "and PGM hold labels up to 65535."),
  .examples          = "  wavefront watershed gradient.png --tolerance 5 --lines -o labels.tif\n"
                       "  wavefront watershed cells.png --smoothing 2 --input gradient"
                       " -o labels.tif\n"
                       "  wavefront watershed cells.png --input objects --threshold otsu"
                       " -o cells.tif\n"
                       "  wavefront watershed cells.png --input gradient --background dark"
                       " --threshold otsu -o cells.tif\n"
                       "  wavefront watershed cells.png --input objects --threshold otsu"
                       " --min-area 20 --inside -o cells.tif\n"
                       "  wavefront watershed cells.png --input objects --threshold otsu"
                       " --corrections '[{\"split\": [[30, 20], [30, 30]]}]' -o cells.tif\n"
                       "  wavefront watershed cells.png --strokes '[{\"object\": [[30, 20]], "
                       "\"width\": 9}, {\"background\": [[2, 2], [60, 2]]}]' -o cells.tif\n"
                       "  wavefront watershed cells.png --preset nuclei-fluorescence"
                       " --table cells.csv -o cells.tif\n"
                       "  wavefront watershed cells.png --tolerance 8 --table cells.csv"
                       " -o labels.tif\n"
                       "  wavefront watershed gradient.png --merge-count 100 -o regions.tif\n"
                       "  wavefront watershed relief.png --mask inside.png --tolerance 5"
                       " -o labels.tif\n"
                       "  wavefront watershed relief.tif --markers seeds.tif --compactness 2"
                       " -o labels.tif\n"
                       "  wavefront watershed relief.tif --markers seeds.tif --connectivity 4"
                       " -o labels.tif\n",
  .run               = run,
};

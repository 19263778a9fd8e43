/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy is computed anew at each call: its cost is one pass over the image,
 * which is small beside reading and writing the files.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/corrections.h"
#include "tools/foreground.h"
#include "tools/measurements.h"
#include "tools/merging.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/files/output.h"
#include "tools/progress.h"


/**
 * HierarchyCut:
 * @depth: up to which basins are merged, or NaN
 * @count: how many regions are to be left, or 0
 * @saliency: whether the map of depths is wanted, not a partition
 *
 * What is made from the hierarchy: one of the three.
 */
typedef struct
{
  gsize    size;
  double   depth;
  int      count;
  gboolean saliency;
} HierarchyCut;

static const WfOption cut_options[] =
{
  { "depth", WF_OPTION_REAL, G_STRUCT_OFFSET (HierarchyCut, depth),
    NULL,
    N_("Merge all basins up to this depth, in the unit of the measure: gray levels, pixels, or "
       "gray levels times pixels"),
    "D", 0, G_MAXDOUBLE, NAN, NULL },
  { "count", WF_OPTION_INT, G_STRUCT_OFFSET (HierarchyCut, count),
    NULL,
    N_("Merge basins until no more than N regions are left; with --mask each of its separate parts "
       "keeps at least one"),
    "N", 1, G_MAXINT, 0, NULL },
  { "saliency", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (HierarchyCut, saliency),
    NULL,
    N_("Give each pixel of a boundary the depth at which the boundary disappears"),
    NULL, 0, 1, FALSE, NULL },
};

static const WfOptionGroup cut_group =
{
  "hierarchy-cut", N_("Result, exactly one of these"), NULL,
  cut_options, G_N_ELEMENTS (cut_options), sizeof (HierarchyCut)
};

/* Of Command.texts. */
enum { TEXT_CORRECTIONS };

/**
 * Task:
 * @levels: the input
 * @image: the same, or inverted
 * @mask: where basins are merged, or %NULL
 * @n_merged: how many regions are left by the merging
 * @n_regions: how many there are in the result
 * @corrections: what is corrected by hand, if there is a list
 */
typedef struct
{
  const WfImage            *levels;
  const WfImage            *image;
  const WfImage            *labels;
  const WfImage            *mask;
  WfImage                  *out;
  const WfHierarchyOptions *options;
  const HierarchyCut       *cut;
  guint32                   n_merged;
  guint32                   n_regions;
  Measurements             *measurements;
  Corrections              *corrections;
  gboolean                  is_inverted;
} Task;


/* The partition that @task asks for, to be freed; %NULL with @error set.  @type: of the levels */
static guint32 *
cut (const WfHierarchy  *hierarchy,
     Task               *task,
     WfType              type,
     GError            **error)
{
  guint32 *regions = merging_cut (hierarchy, task->options->measure, type, task->cut->depth,
                                  task->cut->count, &task->n_merged, error);

  task->n_regions = task->n_merged;
  return regions;
}

static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task                    *task      = data;
  g_autoptr (WfHierarchy)  hierarchy = wf_hierarchy_new_masked (context, task->image,
                                                                task->labels, task->mask,
                                                                task->options, error);
  g_autofree guint32      *regions   = NULL;

  if (! hierarchy)
    return FALSE;
  progress_next_step ();
  if (! task->cut->saliency)
    return (regions = cut (hierarchy, task, task->image->type, error)) &&
           wf_hierarchy_relabel_masked (context, hierarchy, regions, task->labels, task->mask,
                                        task->out, error);

  task->n_regions = wf_hierarchy_get_n_basins (hierarchy);
  return wf_hierarchy_saliency_masked (context, hierarchy, task->labels, task->mask, task->out,
                                       error);
}

/* Of BlockFunc. */
static gboolean
compute_blocks (WfContext            *context,
                const WfBlockSource  *sources,
                const WfBlockSink    *sink,
                gpointer              data,
                GError              **error)
{
  Task                    *task      = data;
  g_autoptr (WfHierarchy)  hierarchy = wf_hierarchy_new_blocks (context, &sources[0], &sources[1],
                                                                task->options, NULL, error);
  g_autofree guint32      *regions   = NULL;

  if (! hierarchy)
    return FALSE;
  progress_next_step ();
  if (! task->cut->saliency)
    return (regions = cut (hierarchy, task, sources[0].type, error)) &&
           wf_hierarchy_relabel_blocks (context, hierarchy, regions, &sources[1], sink, NULL,
                                        error);

  task->n_regions = wf_hierarchy_get_n_basins (hierarchy);
  return wf_hierarchy_saliency_blocks (context, hierarchy, &sources[1], sink, WF_TYPE_F32, NULL,
                                       error);
}

/* With --saliency there are no regions but the basins. */
static gboolean
measure (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  const Task *task = data;

  return measurements_measure (task->measurements, context, task->levels, task->image,
                               task->cut->saliency ? task->labels : task->out, task->mask,
                               task->options->connectivity, error);
}

/* Whether there are pixels without a label, as lines have none: then they divide what is split.
 * What was read is packed.
 */
static gboolean
find_lines (const Task  *task,
            gboolean    *lines,
            GError     **error)
{
  const WfImage    *labels = task->labels;
  g_auto (WfImage)  inside = { 0 };
  const guint32    *label;
  const guint8     *mark;

  *lines = FALSE;
  if (task->mask)
    {
      if (! wf_image_allocate (&inside, WF_TYPE_U8, labels->width, labels->height, labels->depth,
                               error))
        return FALSE;
      wf_foreground_mark (task->mask, NAN, TRUE, &inside);
    }
  label = labels->data;
  mark  = inside.data;
  for (gint64 i = 0; i < wf_image_n_pixels (labels) && ! *lines; i++)
    *lines = label[i] == 0 && (! mark || mark[i]);
  return TRUE;
}

static gboolean
correct (WfContext  *context,
         Task       *task,
         GError    **error)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = task->options->connectivity;
  return find_lines (task, &options.lines, error) &&
         corrections_make (task->corrections, context, task->image, task->mask, task->out,
                           &options, error);
}

/* Of JobFunc: what is done with the regions once. */
static gboolean
conclude (WfContext  *context,
          gpointer    data,
          GError    **error)
{
  Task           *task         = data;
  const gboolean  is_corrected = corrections_are_wanted (task->corrections);

  if ((is_corrected && ! correct (context, task, error)) ||
      (task->measurements->wanted && ! measure (context, task, error)))
    return FALSE;
  if (! is_corrected)
    return TRUE;
  if (task->measurements->wanted)
    progress_next_step ();
  return corrections_keep (task->corrections, context, task->levels, task->mask, NULL, task->out,
                           &task->n_regions, task->measurements, error);
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

  return measurements_measure_blocks (task->measurements, context, levels,
                                      task->is_inverted ? &sources[0] : NULL,
                                      task->cut->saliency ? &sources[1] : result,
                                      task->options->connectivity, error);
}

/* Of Command. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  const HierarchyCut *cut = arguments->own;

  if (cut->saliency && arguments->texts[TEXT_CORRECTIONS])
    return refuse_usage (_("--corrections changes a partition: it cannot be combined with "
                           "--saliency."), error);
  return ! isnan (cut->depth) + (cut->count > 0) + cut->saliency == 1 ||
         refuse_usage (_("wavefront hierarchy takes exactly one of --depth, --count and "
                         "--saliency."), error);
}

static gboolean
read_inputs (const Arguments  *arguments,
             Input            *input,
             Input            *labels,
             Input            *mask,
             GError          **error)
{
  return input_read (input, arguments->files[0], WF_CONTENT_LEVELS, arguments->raw,
                     &arguments->choice, error) &&
         input_read (labels, arguments->files[1], WF_CONTENT_LABELS, arguments->raw, NULL,
                     error) &&
         input_check_same_size (input, labels, error) &&
         (! arguments->mask ||
          (input_read (mask, arguments->mask, WF_CONTENT_MARKS, arguments->raw, NULL, error) &&
           input_check_same_size (input, mask, error)));
}

/* Says why more regions are left than --count asks for. */
static gboolean
tell_parts (const Task  *task,
            const Input *mask)
{
  g_autofree char *text = NULL;

  if (! task->mask || task->cut->count == 0 || task->n_merged <= (guint32) task->cut->count)
    return TRUE;
  text = g_strdup_printf (_("--count %d: %u regions are left, one in each separate part of the "
                            "mask “%s”."), task->cut->count, task->n_merged, mask->name);
  message_print (text);
  return TRUE;
}

/* Of Command. */
static void
find_result (const Arguments *arguments,
             WfType          *type,
             WfContent       *content)
{
  const HierarchyCut *wanted = arguments->own;

  *type    = wanted->saliency ? WF_TYPE_F32 : WF_TYPE_U32;
  *content = wanted->saliency ? WF_CONTENT_SALIENCY : WF_CONTENT_LABELS;
}

/* Of Command. */
static gboolean
check_blocks (const Arguments  *arguments,
              GError          **error)
{
  static const char * const  boundaries[] = { "auto", "boundaries", NULL };
  const WfHierarchyOptions  *options      = arguments->options;

  if (arguments->texts[TEXT_CORRECTIONS])
    return blocks_refuse_option (arguments, "corrections", error);
  return blocks_check_cpu (arguments, options->algorithm, boundaries, error);
}

/* With the whole images in memory. */
static gboolean
run_whole (const Arguments  *arguments,
           Job              *job,
           Output           *output,
           Measurements     *measurements,
           GError          **error)
{
  g_auto (Input)        input      = { 0 };
  g_auto (Input)        labels     = { 0 };
  g_auto (Input)        mask       = { 0 };
  g_auto (WfImage)      result     = { 0 };
  g_auto (Foreground)   foreground = { 0 };
  g_auto (Corrections)  corrections = { 0 };
  g_autofree char      *names      = NULL;
  Task                  task       = { .levels       = &input.image,
                                       .labels       = &labels.image,
                                       .mask         = arguments->mask ? &mask.image : NULL,
                                       .out          = &result,
                                       .options      = arguments->options,
                                       .cut          = arguments->own,
                                       .corrections  = &corrections,
                                       .measurements = measurements };
  WfContent             content;
  WfType                type;

  find_result (arguments, &type, &content);
  if (! corrections_read (&corrections, arguments->texts[TEXT_CORRECTIONS], error) ||
      ! read_inputs (arguments, &input, &labels, &mask, error) ||
      ! foreground_invert (&foreground, arguments, &input, error) ||
      ! output_allocate (output, content, type, &input.image, &result, error))
    return FALSE;

  names        = input_join_names ((const Input *[]) { &input, &labels, &mask }, 3);
  task.image   = foreground.image;
  job->n_steps = 2;
  if (measurements->wanted || corrections.list)
    job_set_conclusion (job, conclude, ! ! measurements->wanted + (corrections.list != NULL));
  return job_run (job, arguments, names, compute, &task, error) &&
         measurements_write (measurements, &(WfTablePlace) { .size = sizeof (WfTablePlace),
                                                               .stack = input.image.depth > 1 },
                             error) &&
         output_write (output, &result, content, error) &&
         output_commit (output, error) &&
         measurements_commit (measurements, error) &&
         input_tell (&input) &&
         input_tell (&labels) &&
         input_tell (&mask) &&
         tell_parts (&task, &mask) &&
         corrections_report (&corrections) &&
         job_finish_counted (job, arguments, &input.image, "regions", task.n_regions, error);
}

static gboolean
run_blocks (const Arguments  *arguments,
            Job              *job,
            Output           *output,
            Blocks           *blocks,
            Measurements     *measurements,
            GError          **error)
{
  Task task = { .options = arguments->options, .cut = arguments->own,
                .measurements = measurements, .is_inverted = arguments->invert };

  blocks->n_steps_more = 1;
  blocks_set_measurements (blocks, measurements, measure_blocks, 1, ! task.cut->saliency,
                           &(WfTablePlace) { .size = sizeof (WfTablePlace) });
  return blocks_run (blocks, job, output, compute_blocks, &task, NULL, error) &&
         job_finish_counted (job, arguments, &blocks->image, "regions", task.n_regions, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Output)       output       = { 0 };
  g_auto (Measurements) measurements = { 0 };
  g_auto (Job)          job          = { 0 };
  g_auto (Blocks)       blocks       = { 0 };
  WfContent             content;
  WfType                type;

  find_result (arguments, &type, &content);
  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! output_accepts (&output, content, type, 1, error) ||
      ! measurements_prepare (&measurements, arguments, &output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! blocks_prepare (&blocks, arguments, &job, &output, error))
    return FALSE;
  return blocks.wanted ? run_blocks (arguments, &job, &output, &blocks, &measurements, error)
                       : run_whole (arguments, &job, &output, &measurements, error);
}

const Command command_hierarchy =
{
  .usage        = "IMAGE LABELS -o OUT --depth D|--count N|--saliency [OPTION…]",
  .n_files      = 2,
  .operation    = WF_OPERATION_HIERARCHY,
  .own          = &cut_group,
  .texts        = { [TEXT_CORRECTIONS] = CORRECTIONS_OPTION, { NULL } },
  .mask_blurb   = N_("Merge only basins where FILE is not 0: nothing is merged across the other "
                     "pixels, which are 0 in OUT"),
  .table_blurb  = N_("Write the measurements of each region (with --saliency: of each basin) to "
                     "FILE, as comma-separated values: area, centroid, bounding box, minimum, "
                     "mean, depth"),
  .blocks       = blocks_auto,
  .check        = check,
  .check_blocks = check_blocks,
  .find_result  = find_result,
  .invert_blurb = N_("The basins are those of the inverted image, whose bright regions were "
                     "flooded"),
  .notes        = N_("LABELS are the basins of IMAGE, as “wavefront watershed” writes them. OUT is "
                     "the partition that remains after the least significant basins are merged, "
                     "as 32-bit labels, numbered from 1 by the smallest basin in each region; or "
                     "with --saliency a map in 32-bit floating point, 0 inside the basins: where "
                     "it is above D, the partition at depth D has a boundary. The number of "
                     "regions (with --saliency: of basins) is printed on standard output, as a "
                     "line of its own or with --stats as “regions”. After --corrections the "
                     "regions that stay are numbered from 1 in the order of their labels."),
  .examples     = "  wavefront hierarchy gradient.png labels.tif --count 100 -o regions.tif\n"
                  "  wavefront hierarchy gradient.png labels.tif --measure area --depth 50"
                  " -o regions.tif\n"
                  "  wavefront hierarchy gradient.png labels.tif --saliency -o saliency.tif\n"
                  "  wavefront hierarchy relief.png labels.tif --mask inside.png --depth 20"
                  " -o regions.tif\n"
                  "  wavefront hierarchy gradient.png labels.tif --count 100 --corrections"
                  " '[{\"join\": [[12, 7], [90, 80]]}]' -o regions.tif\n",
  .run          = run,
};

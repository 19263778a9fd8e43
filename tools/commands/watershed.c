/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/measurements.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/files/output.h"
#include "tools/progress.h"


typedef struct
{
  const WfImage            *image;
  const WfImage            *markers;
  WfImage                  *labels;
  guint32                   n_basins;
  const WfWatershedOptions *options;
  Measurements             *measurements;
} Task;


static gboolean
watershed (WfContext  *context,
           gpointer    data,
           GError    **error)
{
  Task *task = data;

  return wf_watershed (context, task->image, task->markers, task->labels, &task->n_basins,
                       task->options, error);
}

static gboolean
is_filtered (const WfWatershedOptions *options)
{
  return options->smoothing > 0 || options->gradient > 0;
}

/* The relief is made once more: the flood does not keep it. */
static gboolean
measure (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  const Task      *task   = data;
  const WfImage   *image  = task->image;
  g_auto (WfImage) relief = { 0 };

  if (is_filtered (task->options))
    {
      if (! wf_image_allocate (&relief, image->type, image->width, image->height, image->depth,
                               error) ||
          ! wf_watershed_make_relief (context, image, &relief, task->options, error))
        return FALSE;
      progress_next_step ();
    }
  return measurements_measure (task->measurements, context, image, relief.data ? &relief : NULL,
                               task->labels, task->options->connectivity, error);
}

static gboolean
check_usage (const Arguments  *arguments,
             GError          **error)
{
  if (! arguments->other)
    return TRUE;
  if (arguments_has_given (arguments, "tolerance"))
    {
      g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                           _("--tolerance selects minima, so it cannot be combined with "
                             "--markers."));
      return FALSE;
    }
  return input_check_name (arguments->other, arguments->raw, error);
}

static gboolean
read_inputs (const Arguments  *arguments,
             Input            *input,
             Input            *markers,
             GError          **error)
{
  if (! input_read (input, arguments->files[0], WF_CONTENT_LEVELS, arguments->raw, error))
    return FALSE;
  if (! arguments->other)
    return TRUE;

  return input_read (markers, arguments->other, WF_CONTENT_LABELS, arguments->raw, error) &&
         input_check_same_size (input, markers, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)        input        = { 0 };
  g_auto (Input)        markers      = { 0 };
  g_auto (Output)       output       = { 0 };
  g_auto (Measurements) measurements = { 0 };
  g_auto (Job)          job          = { 0 };
  g_auto (WfImage)      labels       = { 0 };
  g_autofree char      *names        = NULL;
  g_autofree char      *basins       = NULL;
  Task                  task         = { &input.image, arguments->other ? &markers.image : NULL,
                                         &labels, 0, arguments->options, &measurements };

  if (! check_usage (arguments, error) ||
      ! output_prepare (&output, arguments->output, error) ||
      ! output_accepts (&output, WF_CONTENT_LABELS, WF_TYPE_U32, 1, error) ||
      ! measurements_prepare (&measurements, arguments, &output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! read_inputs (arguments, &input, &markers, error) ||
      ! output_allocate (&output, WF_CONTENT_LABELS, WF_TYPE_U32, &input.image, &labels, error))
    return FALSE;

  names = arguments->other ? g_strdup_printf ("%s, %s", input.name, markers.name)
                           : g_strdup (input.name);
  if (measurements.wanted)
    job_set_conclusion (&job, measure, is_filtered (arguments->options) ? 2 : 1);
  if (! job_run (&job, arguments, names, watershed, &task, error))
    return FALSE;

  basins = g_strdup_printf (",\"basins\":%u", task.n_basins);
  return measurements_write (&measurements, &(WfTablePlace) { .stack = input.image.depth > 1 },
                             error) &&
         output_write (&output, &labels, WF_CONTENT_LABELS, error) &&
         output_commit (&output, error) &&
         measurements_commit (&measurements, error) &&
         input_tell (&input) &&
         job_finish (&job, arguments, &input.image, basins, error);
}

const Command command_watershed =
{
  .usage             = "IMAGE -o LABELS [OPTION…]",
  .n_files           = 1,
  .operation         = WF_OPERATION_WATERSHED,
  .other_option      = "markers",
  .other_placeholder = "FILE",
  .other_blurb       = N_("Flood from the labels in FILE (0: none), not from the minima"),
  .table_blurb       = N_("Write the measurements of each basin to FILE, as comma-separated "
                          "values: area, centroid, bounding box, minimum, mean, depth"),
  .notes             = N_("LABELS gives each pixel the number of its basin, as 32-bit integers. "
                          "Basins of minima are numbered from 1 in raster order of their first "
                          "pixel, those of markers have the marker's label. PNG and PGM hold "
                          "them up to 65535."),
  .examples          = "  wavefront watershed gradient.png --tolerance 5 --lines -o labels.tif\n"
                       "  wavefront watershed cells.png --smoothing 2 --gradient 1 -o labels.tif\n"
                       "  wavefront watershed cells.png --tolerance 8 --table cells.csv"
                       " -o labels.tif\n"
                       "  wavefront watershed relief.tif --markers seeds.tif --connectivity 4"
                       " -o labels.tif\n",
  .run               = run,
};

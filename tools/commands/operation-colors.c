/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters of levels on images of colors, which are kept (--colors): each component by itself, or
 * the luminance.  Alpha is that of the input.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/files/color-image.h"
#include "tools/files/input.h"
#include "tools/files/output.h"
#include "tools/files/store.h"
#include "tools/job.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "tools/progress.h"
#include "tools/ranks.h"

/* Pixels that a thread takes at a time. */
#define PIECE 8192

/* Red, green and blue; the number of what is made of all three. */
#define LUMINANCE 3

/**
 * Task:
 * @image: the input
 * @marker: (nullable): the second input, if it has colors
 * @gray_marker: the second input, if not
 * @result: red, green and blue
 * @marker_level: the luminance of @marker
 * @before: the luminance of the input
 * @after: that of the result
 */
typedef struct
{
  const Arguments *arguments;
  WfOperation      operation;
  gboolean         luminance;
  ColorImage       image;
  ColorImage       marker;
  Input            gray_marker;
  WfImage          result[3];
  WfImage          marker_level;
  WfImage          before;
  WfImage          after;
} Task;


static void
task_clear (Task *task)
{
  color_image_clear (&task->image);
  color_image_clear (&task->marker);
  input_clear (&task->gray_marker);
  for (int c = 0; c < 3; c++)
    wf_image_clear (&task->result[c]);
  wf_image_clear (&task->marker_level);
  wf_image_clear (&task->before);
  wf_image_clear (&task->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gsize
count_bytes (const WfImage *image)
{
  return (gsize) wf_image_n_pixels (image) * wf_type_size (image->type);
}

static gpointer
find_pixel (const WfImage *image,
            gint64         i)
{
  return (char *) image->data + (gsize) i * wf_type_size (image->type);
}


/*  Luminance  */

static void
keep_colors (Task *task)
{
  const gint64 n = wf_image_n_pixels (&task->before);

#pragma omp parallel for schedule (dynamic)
  for (gint64 i = 0; i < n; i += PIECE)
    {
      const gpointer places[] = { find_pixel (&task->result[0], i),
                                  find_pixel (&task->result[1], i),
                                  find_pixel (&task->result[2], i) };

      wf_colors_keep (task->before.type, task->image.encoding, places, 1,
                      find_pixel (&task->before, i), find_pixel (&task->after, i),
                      MIN (PIECE, n - i));
    }
}


/*  Computing  */

static const WfImage *
find_marker (const Task *task,
             int         which)
{
  if (task->gray_marker.name)
    return &task->gray_marker.image;
  if (! task->marker.name)
    return NULL;
  return which == LUMINANCE ? &task->marker_level : &task->marker.components[which];
}

/* In place. */
static gboolean
filter_levels (WfContext   *context,
               const Task  *task,
               int          which,
               WfImage     *levels,
               GError     **error)
{
  const gboolean  invert    = task->arguments->invert;
  const WfImage  *inputs[]  = { levels, find_marker (task, which) };
  WfImage        *outputs[] = { levels };

  if (invert)
    wf_image_invert (levels, levels);
  if (! wf_operation_run (context, task->operation, inputs, outputs, NULL,
                          task->arguments->options, error))
    return FALSE;
  if (invert && task->arguments->command->inverts_result)
    wf_image_invert (levels, levels);
  return TRUE;
}

static gboolean
filter_components (WfContext  *context,
                   Task       *task,
                   GError    **error)
{
  for (int c = 0; c < 3; c++)
    {
      if (c > 0)
        progress_next_step ();
      if (! filter_levels (context, task, c, &task->result[c], error))
        return FALSE;
    }
  return TRUE;
}

/* Of JobFunc. */
static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  for (int c = 0; c < 3; c++)
    memcpy (task->result[c].data, task->image.components[c].data, count_bytes (&task->result[c]));
  if (! task->luminance)
    return filter_components (context, task, error);
  memcpy (task->after.data, task->before.data, count_bytes (&task->before));
  if (! filter_levels (context, task, LUMINANCE, &task->after, error))
    return FALSE;
  keep_colors (task);
  return TRUE;
}


/*  Images  */

/* For messages. */
static Input
show (const ColorImage *image)
{
  return (Input) { .name = image->name, .image = image->components[0] };
}

static gboolean
read_marker (Task         *task,
             const char   *path,
             GError      **error)
{
  const Choice choice = choice_of_input (&task->arguments->choice, 1);
  const Input  first  = show (&task->image);
  Input        second;

  if (! color_image_read (&task->marker, path, NULL, &choice, error))
    return FALSE;
  second = show (&task->marker);
  if (! color_image_has_colors (&task->marker))
    {
      color_image_clear (&task->marker);
      if (! input_read (&task->gray_marker, path, WF_CONTENT_LEVELS, NULL, &choice, error))
        return FALSE;
      second = task->gray_marker;
    }
  return input_check_same_size (&first, &second, error) &&
         (! task->arguments->command->check_inputs ||
          task->arguments->command->check_inputs (&first, &second, error));
}

static gboolean
allocate (const Task  *task,
          WfImage     *image,
          GError     **error)
{
  const WfImage   *red    = &task->image.components[0];
  g_autofree char *reason = memory_claim (count_bytes (red));

  if (reason)
    return refuse_to_read (task->image.name, reason, error);
  return wf_image_allocate (image, red->type, red->width, red->height, red->depth, error);
}

static gboolean
allocate_all (Task    *task,
              GError **error)
{
  for (int c = 0; c < 3; c++)
    if (! allocate (task, &task->result[c], error))
      return FALSE;
  if (! task->luminance)
    return TRUE;
  if (! allocate (task, &task->before, error) || ! allocate (task, &task->after, error))
    return FALSE;
  color_image_take_luminance (&task->image, &task->before);
  if (! task->marker.name)
    return TRUE;
  if (! allocate (task, &task->marker_level, error))
    return FALSE;
  color_image_take_luminance (&task->marker, &task->marker_level);
  return TRUE;
}

/* The result with the alpha of the input. */
static gboolean
write_result (Task    *task,
              Output  *output,
              GError **error)
{
  ColorImage written = task->image;

  for (int c = 0; c < 3; c++)
    written.components[c] = task->result[c];
  if (! output->stored)
    return color_image_write (&written, output, error) && output_commit (output, error);
  if (! store_put_colors (output->stored, &written, error))
    return FALSE;
  memset (task->result, 0, sizeof task->result);
  memset (&task->image.components[3], 0, sizeof (WfImage));
  return TRUE;
}

static char *
join_names (const Task *task)
{
  const Input  first    = show (&task->image);
  const Input  second   = task->marker.name ? show (&task->marker) : task->gray_marker;
  const Input *inputs[] = { &first, &second };

  return input_join_names (inputs, G_N_ELEMENTS (inputs));
}

static gboolean
report_inputs (const Task   *task,
               const Output *output)
{
  color_image_tell (&task->image, output);
  if (task->marker.notice)
    message_print (task->marker.notice);
  return ! task->gray_marker.name || input_tell (&task->gray_marker);
}

static gboolean
run (const Arguments  *arguments,
     Task             *task,
     Job              *job,
     Output           *output,
     GError          **error)
{
  g_autofree char *names = NULL;

  if (! color_image_accepts (&task->image, output, error) ||
      (arguments->n_files > 1 && ! read_marker (task, arguments->files[1], error)) ||
      ! allocate_all (task, error))
    return FALSE;
  names        = join_names (task);
  job->n_steps = task->luminance ? 1 : 3;
  return job_run (job, arguments, names, compute, task, error) &&
         write_result (task, output, error) &&
         report_inputs (task, output) &&
         job_finish (job, arguments, &task->image.components[0], "", error);
}

/**
 * operation_run_colors:
 * @arguments: what the user wants of a filter of levels, with colors
 * @is_gray: set to whether the image has none: then nothing is done
 * @error: the operation's, or one of files
 *
 * Reads, computes and writes.
 *
 * Returns: success.
 */
gboolean
operation_run_colors (const Arguments  *arguments,
                      gboolean         *is_gray,
                      GError          **error)
{
  const Choice    choice = choice_of_input (&arguments->choice, 0);
  g_auto (Output) output = { 0 };
  g_auto (Job)    job    = { 0 };
  g_auto (Task)   task   = { .arguments = arguments,
                             .operation = (WfOperation) arguments->command->operation,
                             .luminance = arguments->colors.colors == WF_COLORS_LUMINANCE };

  *is_gray = FALSE;
  if (ranks_are_several ())
    return blocks_refuse_option (arguments, "colors", error);
  if (! output_prepare (&output, arguments->output, arguments->format,
                        arguments->compression, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! color_image_read (&task.image, arguments->files[0], NULL, &choice, error))
    return FALSE;
  *is_gray = ! color_image_has_colors (&task.image);
  return *is_gray || run (arguments, &task, &job, &output, error);
}

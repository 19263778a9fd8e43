/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "command.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/files/output.h"


typedef struct
{
  const WfImage              *mask;
  const WfImage              *marker;
  WfImage                    *out;
  const WfReconstructOptions *options;
} Task;


static gboolean
reconstruct (WfContext  *context,
             gpointer    data,
             GError    **error)
{
  Task *task = data;

  return wf_reconstruct (context, task->mask, task->marker, task->out, task->options, error);
}

static gboolean
check_match (const Input  *mask,
             const Input  *marker,
             GError      **error)
{
  if (! input_check_same_size (mask, marker, error))
    return FALSE;
  if (mask->image.type == marker->image.type)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("The mask “%s” has pixels of type %s, but the marker “%s” of type %s."),
               mask->name, wf_type_name (mask->image.type),
               marker->name, wf_type_name (marker->image.type));
  return FALSE;
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)   mask   = { 0 };
  g_auto (Input)   marker = { 0 };
  g_auto (Output)  output = { 0 };
  g_auto (Job)     job    = { 0 };
  g_auto (WfImage) result = { 0 };
  g_autofree char *names  = NULL;
  Task             task   = { &mask.image, &marker.image, &result, arguments->options };

  if (! output_prepare (&output, arguments->output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! input_read (&mask, arguments->files[0], INPUT_LEVELS, arguments->raw, error) ||
      ! input_read (&marker, arguments->files[1], INPUT_LEVELS, arguments->raw, error) ||
      ! check_match (&mask, &marker, error) ||
      ! output_allocate (&output, CONTENT_LEVELS, mask.image.type, &mask.image, &result, error))
    return FALSE;

  names = g_strdup_printf ("%s, %s", mask.name, marker.name);
  return job_run (&job, arguments, names, reconstruct, &task, error) &&
         output_write (&output, &result, CONTENT_LEVELS, error) &&
         output_commit (&output, error) &&
         input_tell (&mask) && input_tell (&marker) &&
         job_finish (&job, arguments, &mask.image, "", error);
}

const Command command_reconstruct =
{
  .usage     = "MASK MARKER -o OUT [OPTION…]",
  .n_files   = 2,
  .operation = WF_OPERATION_RECONSTRUCT,
  .notes     = N_("By dilation OUT is the largest image below MASK that is the limit of growing "
                  "MARKER, first lowered to MASK, one neighbourhood at a time without leaving "
                  "MASK; by erosion it is the dual. MASK and MARKER have the same size and "
                  "type, and so has OUT."),
  .examples  = "  wavefront reconstruct cells.png seeds.png -o filled.png\n"
               "  wavefront reconstruct mask.raw marker.raw --raw 4096x4096:u16 -o out.raw\n",
  .run       = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines are no operation of the library's list, as their result is no image. */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/files/input.h"
#include "tools/files/output.h"
#include "tools/job.h"
#include "tools/message.h"


/**
 * OutlineOptions:
 * @object: what the regions are in QuPath, an index of @objects
 * @spacing: of coordinates
 */
typedef struct
{
  gsize  size;
  int    object;
  double spacing[3];
} OutlineOptions;

static const WfChoice objects[] =
{
  { "detection",  0, NULL },
  { "annotation", 1, NULL },
  { NULL }
};

static const WfOption outline_options[] =
{
  {
    .name        = "object",
    .kind        = WF_OPTION_CHOICE,
    .offset      = G_STRUCT_OFFSET (OutlineOptions, object),
    .blurb       = N_("Of GeoJSON: what the regions are when QuPath opens them"),
    .placeholder = "detection|annotation",
    .choices     = objects,
  },
  {
    .name          = "spacing",
    .kind          = WF_OPTION_SPACING,
    .offset        = G_STRUCT_OFFSET (OutlineOptions, spacing),
    .blurb         = N_("Of GeoJSON: size of a pixel along x and y, by which coordinates are "
                        "multiplied; QuPath takes pixels"),
    .placeholder   = "X,Y[,Z]",
    .maximum       = G_MAXDOUBLE,
    .default_value = 1,
  },
};

static const WfOptionGroup outline_group =
{
  .name      = "outlines",
  .title     = N_("Outlines"),
  .options   = outline_options,
  .n_options = G_N_ELEMENTS (outline_options),
  .size      = sizeof (OutlineOptions),
};

typedef struct
{
  const WfImage *labels;
  WfOutlines    *outlines;
} Task;


static void
task_clear (Task *task)
{
  g_clear_pointer (&task->outlines, wf_outlines_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gboolean
trace (WfContext  *context,
       gpointer    data,
       GError    **error)
{
  Task *task = data;

  task_clear (task);
  task->outlines = wf_outlines_trace (context, task->labels, error);
  return task->outlines != NULL;
}

/* The suffix selects the format; standard output gets GeoJSON. */
static gboolean
find_format (const char      *path,
             WfOutlineFormat *format)
{
  *format = WF_OUTLINE_GEOJSON;
  return strcmp (path, "-") == 0 || wf_outline_format_find (path, format);
}

/* Of Command.  In a chain the name may come later, from that of its result. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  const char      *path = arguments->output ? arguments->output : "-";
  g_autofree char *name = g_filename_display_name (path);
  WfOutlineFormat  format;

  if (! find_format (path, &format))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The name of outlines must end in .geojson, .json or .zip, but “%s” does "
                     "not."), name);
      return FALSE;
    }
  if (format == WF_OUTLINE_ROIS && arguments_has_given (arguments, "spacing"))
    return refuse_usage (_("--spacing is for GeoJSON: regions of ImageJ are in pixels."), error);
  if (format == WF_OUTLINE_ROIS && arguments_has_given (arguments, "object"))
    return refuse_usage (_("--object is for GeoJSON."), error);
  return TRUE;
}

static gboolean
write_outlines (const Arguments  *arguments,
                const Task       *task,
                Output           *output,
                GError          **error)
{
  const OutlineOptions *options = arguments->own;
  g_autoptr (GBytes)    bytes   = NULL;
  g_autoptr (GError)    problem = NULL;
  WfOutlineFormat       format;

  find_format (arguments->output, &format);
  bytes = wf_outlines_format (task->outlines, format, task->labels->depth > 1,
                              objects[options->object].name, options->spacing, &problem);
  if (! bytes)
    return refuse_to_write (output->name, problem->message, error);
  return output_write_bytes (output, bytes, error) && output_commit (output, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)  labels = { 0 };
  g_auto (Output) output = { 0 };
  g_auto (Job)    job    = { 0 };
  g_auto (Task)   task   = { &labels.image, NULL };

  if (! check (arguments, error) ||
      ! output_prepare_text (&output, arguments->output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! input_read (&labels, arguments->files[0], WF_CONTENT_LABELS, arguments->raw, NULL,
                    error))
    return FALSE;

  return job_run (&job, arguments, labels.name, trace, &task, error) &&
         write_outlines (arguments, &task, &output, error) &&
         input_tell (&labels) &&
         job_finish_counted (&job, arguments, &labels.image, "regions",
                             (guint32) wf_outlines_get_n_regions (task.outlines), error);
}

const Command command_outlines =
{
  .name         = "outlines",
  .blurb        = N_("Write the outlines of labelled regions as GeoJSON, or as regions of ImageJ"),
  .usage        = "LABELS -o OUT.geojson|OUT.zip [OPTION…]",
  .n_files      = 1,
  .operation    = -1,
  .makes_file   = TRUE,
  .takes_labels = TRUE,
  .own          = &outline_group,
  .check        = check,
  .notes        = N_("Outlines follow the edges of pixels; pixel x is between x and x + 1. A "
                     ".geojson or .json file is a collection of one feature for each region, as "
                     "QuPath opens it: a polygon with its holes, or several where the region is in "
                     "pieces; pixels that touch at a corner only are two pieces. A .zip file is a "
                     "list of ImageJ's ROI manager: traced regions, and composite ones where there "
                     "are holes or pieces. The label is the name of a region. Regions of stacks "
                     "have an outline in each slice. The number of outlines is printed on "
                     "standard output."),
  .examples     = "  wavefront outlines labels.tif -o cells.geojson\n"
                  "  wavefront outlines labels.tif -o rois.zip\n",
  .run          = run,
};

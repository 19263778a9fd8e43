/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measuring is no operation of the library's list, as its result is no image. */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/files/input.h"
#include "tools/files/output.h"
#include "tools/files/pixel-size.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/residence.h"
#include "tools/table-format.h"

/* The options of text. */
enum
{
  TEXT_MEASURES,
  TEXT_UNIT
};

typedef struct
{
  const WfImage         *labels;
  const WfImage         *image;
  guint64                measures;
  const WfRegionOptions *options;
  WfRegions             *regions;
} Task;


static void
task_clear (Task *task)
{
  g_clear_pointer (&task->regions, wf_regions_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  task_clear (task);
  task->regions = wf_regions_measure (context, task->labels, task->image, task->measures,
                                      task->options, error);
  return task->regions != NULL;
}

static gboolean
find_measures (const Arguments  *arguments,
               guint64          *measures,
               GError          **error)
{
  g_autoptr (GError) problem = NULL;

  return ! arguments->texts[TEXT_MEASURES] ||
         wf_region_measures_parse (arguments->texts[TEXT_MEASURES], measures, &problem) ||
         refuse_usage (problem->message, error);
}

/* Of Command. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  guint64 measures;

  return find_measures (arguments, &measures, error);
}

static gboolean
read_inputs (const Arguments  *arguments,
             Input            *labels,
             Input            *image,
             GError          **error)
{
  if (! input_read_anywhere (labels, arguments->files[0], WF_CONTENT_LABELS, arguments->raw, NULL,
                             TRUE, error))
    return FALSE;
  return ! arguments->other ||
         (input_read_anywhere (image, arguments->other, WF_CONTENT_LEVELS, arguments->raw,
                               &arguments->choice, TRUE, error) &&
          input_check_same_size (labels, image, error));
}

/* Without --spacing and --unit the size of a pixel is that of the files, if all sides that count
 * have one unit, and it is not the resolution of a print.
 */
static const char *
choose_spacing (const Arguments *arguments,
                const WfImage   *labels,
                WfRegionOptions *options)
{
  const PixelSize *size = pixel_size_get ();
  const char      *unit = arguments->texts[TEXT_UNIT];

  if (unit || arguments_has_given (arguments, "spacing") || ! size->unit[0] ||
      size->of_print ||
      g_strcmp0 (size->unit[0], size->unit[1]) != 0 ||
      (labels->depth > 1 && g_strcmp0 (size->unit[0], size->unit[2]) != 0))
    return unit && *unit ? unit : NULL;
  memcpy (options->spacing, size->size, sizeof options->spacing);
  return size->unit[0];
}

static gboolean
write_table (Output             *output,
             const Task         *task,
             const TableFormat  *format,
             const char         *unit,
             GError            **error)
{
  g_autofree char *text = wf_regions_format (task->regions, format->format, unit, NULL);

  return output_write_text (output, text, error) &&
         output_commit (output, error);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_auto (Input)      labels  = { 0 };
  g_auto (Input)      image   = { 0 };
  g_auto (Output)     output  = { 0 };
  g_auto (Job)        job     = { 0 };
  WfRegionOptions     options = *(const WfRegionOptions *) arguments->own;
  g_auto (Task)       task    = { &labels.image, arguments->other ? &image.image : NULL, 0,
                                  &options, NULL };
  const TableFormat  *format  = table_format_choose (arguments->output, arguments->format, error);
  const char         *unit;
  g_autofree char    *names   = NULL;

  if (! format ||
      ! find_measures (arguments, &task.measures, error) ||
      ! output_prepare_text (&output, arguments->output, error) ||
      ! job_prepare (&job, arguments, error) ||
      ! read_inputs (arguments, &labels, &image, error))
    return FALSE;

  job.inputs_on = MAX (labels.image.memory, image.image.memory);
  unit  = choose_spacing (arguments, &labels.image, &options);
  names = input_join_names ((const Input *[]) { &labels, &image }, 2);
  return job_run (&job, arguments, names, compute, &task, error) &&
         write_table (&output, &task, format, unit, error) &&
         input_tell (&labels) &&
         input_tell (&image) &&
         job_finish_counted (&job, arguments, &labels.image, "regions",
                             (guint32) wf_regions_get_n_regions (task.regions), error);
}

static Command command =
{
  .name              = "measure",
  .blurb             = N_("Measure labelled regions: areas, perimeters, Feret diameters, levels "
                          "and more"),
  .usage             = "LABELS [--image IMAGE] -o TABLE [OPTION…]",
  .n_files           = 1,
  .operation         = -1,
  .makes_table       = TRUE,
  .texts             =
  {
    { "measures", "LIST",
      N_("What is measured, names between commas (default: all): area, bounding-box, centroid, "
         "equivalent-diameter, perimeter, circularity, convex-area, solidity, feret, ellipse, "
         "eccentricity, orientation, extent, euler-number, neighbors, inscribed-circle, "
         "touches-border; with IMAGE mean, minimum, maximum, standard-deviation, median, sum, "
         "weighted-centroid") },
    { "unit", "UNIT",
      N_("The unit of the spacing, such as µm: the table names it") },
    { NULL }
  },
  .other_option      = "image",
  .other_placeholder = "IMAGE",
  .other_blurb       = N_("Measure the levels of IMAGE, too"),
  .check             = check,
  .notes             = N_("LABELS gives each pixel the number of its region, 0 for none, as "
                          "“wavefront label” and “wavefront watershed” write it; labels may be "
                          "any numbers, and a region may have several parts. TABLE has a line "
                          "for each region, by increasing label: a .csv file with "
                          "comma-separated values, or a .json file with an array of objects. "
                          "The number of regions is printed on standard output, as a line of "
                          "its own or with --stats as “regions”.\n\nPixels are boxes; the "
                          "center of the first pixel is at 0.5, 0.5. Lengths, places and areas "
                          "are in the unit of the spacing, in pixels without one; without "
                          "--spacing and --unit those of OME-Zarr, OME-TIFF and ImageJ files are "
                          "taken. With a spacing the column “pixels” counts pixels. The bounding "
                          "box is always in pixels, from 0. Angles are in degrees from 0 up "
                          "to 180, "
                          "counter-clockwise from the x axis.\n\nThe perimeter follows "
                          "Crofton's formula in four directions, as scikit-image's "
                          "perimeter_crofton and MorphoLibJ; the circularity is 4π area ∕ "
                          "perimeter². Convex area, solidity and Feret diameters are those of "
                          "the convex hull of the pixels' corners. Axes of the ellipse count "
                          "pixels as boxes, as MorphoLibJ does. Neighbors are regions that "
                          "touch, or lie beyond an unlabelled line of one pixel. The inscribed "
                          "circle is that around the pixel with the greatest distance to what "
                          "is not the region's. “touches_border” is 1 for regions with a pixel in "
                          "the first or last column or row, in a stack also slice. The standard "
                          "deviation divides by the number of "
                          "pixels; the sum is the integrated density. Of stacks, perimeters, "
                          "circularities, hulls, ellipses, Euler numbers and inscribed circles "
                          "are not measured."),
  .examples          = "  wavefront measure labels.tif --image gradient.png -o table.csv\n"
                       "  wavefront measure labels.tif --measures area,perimeter,feret"
                       " --spacing 0.5,0.5 --unit µm -o table.json\n",
  .run               = run,
};

/**
 * command_measure:
 *
 * A function, as the library's description of the options is no constant to the compiler.
 *
 * Returns: (transfer none): the subcommand
 */
const Command *
command_measure (void)
{
  command.own = wf_regions_get_options ();
  return &command;
}

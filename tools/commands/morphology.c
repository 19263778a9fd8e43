/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations built on reconstruction that make an image from an image: they
 * differ in the function that is called, and in whether the result has grey levels
 * or marks.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "command.h"
#include "tools/files/input.h"
#include "tools/job.h"
#include "tools/message.h"
#include "tools/files/output.h"


typedef gboolean (* MorphologyFunc) (WfContext                  *context,
                                     const WfImage              *image,
                                     WfImage                    *out,
                                     const WfMorphologyOptions  *options,
                                     GError                    **error);

/**
 * Morphology:
 * @operation: the operation
 * @function: what does it
 * @content: what its result means
 */
typedef struct
{
  WfOperation    operation;
  MorphologyFunc function;
  Content        content;
} Morphology;

typedef struct
{
  MorphologyFunc             function;
  const WfImage             *image;
  WfImage                   *out;
  const WfMorphologyOptions *options;
} Task;

static const Morphology morphologies[] =
{
  { WF_OPERATION_FILL_HOLES,      wf_fill_holes,                      CONTENT_LEVELS },
  { WF_OPERATION_CLEAR_BORDER,    wf_clear_border,                    CONTENT_LEVELS },
  { WF_OPERATION_H_MAXIMA,        wf_h_maxima,                        CONTENT_LEVELS },
  { WF_OPERATION_H_MINIMA,        wf_h_minima,                        CONTENT_LEVELS },
  { WF_OPERATION_H_DOME,          wf_h_dome,                          CONTENT_LEVELS },
  { WF_OPERATION_H_BASIN,         wf_h_basin,                         CONTENT_LEVELS },
  { WF_OPERATION_REGIONAL_MAXIMA, wf_regional_maxima,                 CONTENT_MARKS },
  { WF_OPERATION_REGIONAL_MINIMA, wf_regional_minima,                 CONTENT_MARKS },
  { WF_OPERATION_EXTENDED_MAXIMA, wf_extended_maxima,                 CONTENT_MARKS },
  { WF_OPERATION_EXTENDED_MINIMA, wf_extended_minima,                 CONTENT_MARKS },
  { WF_OPERATION_OPENING,         wf_opening_by_reconstruction,       CONTENT_LEVELS },
  { WF_OPERATION_CLOSING,         wf_closing_by_reconstruction,       CONTENT_LEVELS },
  { WF_OPERATION_WHITE_TOP_HAT,   wf_white_top_hat_by_reconstruction, CONTENT_LEVELS },
  { WF_OPERATION_BLACK_TOP_HAT,   wf_black_top_hat_by_reconstruction, CONTENT_LEVELS },
};


static const Morphology *
find_morphology (int operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (morphologies); i++)
    if ((int) morphologies[i].operation == operation)
      return &morphologies[i];

  g_return_val_if_reached (NULL);
}

static gboolean
compute (WfContext  *context,
         gpointer    data,
         GError    **error)
{
  Task *task = data;

  return task->function (context, task->image, task->out, task->options, error);
}

/* A height has no default: which one means something depends on the image. */
static gboolean
check_usage (const Arguments  *arguments,
             GError          **error)
{
  const WfOptionGroup       *group   = wf_operation_get_options (arguments->command->operation);
  const WfMorphologyOptions *options = arguments->options;

  if (! wf_option_group_find (group, "height") || ! isnan (options->height))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The height is missing: wavefront %s takes --height H, in grey levels."),
               group->name);
  return FALSE;
}

static WfType
result_type (const Morphology *morphology,
             const WfImage    *image)
{
  return morphology->content == CONTENT_MARKS ? WF_TYPE_U8 : image->type;
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  const Morphology *morphology = find_morphology (arguments->command->operation);
  g_auto (Input)    input      = { 0 };
  g_auto (Output)   output     = { 0 };
  g_auto (Job)      job        = { 0 };
  g_auto (WfImage)  result     = { 0 };
  Task              task       = { morphology->function, &input.image, &result,
                                   arguments->options };

  return check_usage (arguments, error) &&
         output_prepare (&output, arguments->output, error) &&
         job_prepare (&job, arguments, error) &&
         input_read (&input, arguments->files[0], INPUT_LEVELS, arguments->raw, error) &&
         output_allocate (&output, morphology->content, result_type (morphology, &input.image),
                          &input.image, &result, error) &&
         job_run (&job, arguments, input.name, compute, &task, error) &&
         output_write (&output, &result, morphology->content, error) &&
         output_commit (&output, error) &&
         input_tell (&input) &&
         job_finish (&job, arguments, &input.image, "", error);
}

#define IMAGE_TO_OUT \
  .usage   = "IMAGE -o OUT [OPTION…]", \
  .n_files = 1, \
  .run     = run

#define IMAGE_TO_OUT_BY_HEIGHT \
  .usage   = "IMAGE -o OUT --height H [OPTION…]", \
  .n_files = 1, \
  .run     = run

const Command command_fill_holes =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_FILL_HOLES,
  .notes     = N_("OUT has the type of IMAGE. A hole is a dark part that is not connected to "
                  "the border of the image, of any depth; in a binary image, a background "
                  "component that does not touch it. The connectivity is that of the dark "
                  "part."),
  .examples  = "  wavefront fill-holes cells.png -o filled.png --connectivity 4\n",
};

const Command command_clear_border =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_CLEAR_BORDER,
  .notes     = N_("OUT has the type of IMAGE: IMAGE less what can be reconstructed from its "
                  "border. In a binary image the components that touch the border are gone "
                  "and the others stay."),
  .examples  = "  wavefront clear-border cells.png -o whole.png\n",
};

const Command command_h_maxima =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_H_MAXIMA,
  .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed from IMAGE − H. In images of "
                  "integers H counts with its whole part."),
  .examples  = "  wavefront h-maxima relief.png --height 10 -o flat.png\n",
};

const Command command_h_minima =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_H_MINIMA,
  .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed by erosion from IMAGE + H. In "
                  "images of integers H counts with its whole part."),
  .examples  = "  wavefront h-minima relief.png --height 10 -o flat.png\n",
};

const Command command_h_dome =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_H_DOME,
  .notes     = N_("OUT has the type of IMAGE: IMAGE less its h-maxima. In images of integers H "
                  "counts with its whole part."),
  .examples  = "  wavefront h-dome cells.png --height 30 -o domes.png\n",
};

const Command command_h_basin =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_H_BASIN,
  .notes     = N_("OUT has the type of IMAGE: the h-minima of IMAGE less IMAGE. In images of "
                  "integers H counts with its whole part."),
  .examples  = "  wavefront h-basin cells.png --height 30 -o basins.png\n",
};

const Command command_regional_maxima =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_REGIONAL_MAXIMA,
  .notes     = N_("OUT has 8 bits: 255 in the maxima, 0 elsewhere."),
  .examples  = "  wavefront regional-maxima relief.png -o maxima.png\n",
};

const Command command_regional_minima =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_REGIONAL_MINIMA,
  .notes     = N_("OUT has 8 bits: 255 in the minima, 0 elsewhere."),
  .examples  = "  wavefront regional-minima relief.png -o minima.png\n",
};

const Command command_extended_maxima =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_EXTENDED_MAXIMA,
  .notes     = N_("OUT has 8 bits: 255 in the maxima that are higher than H, 0 elsewhere. In "
                  "images of integers H counts with its whole part."),
  .examples  = "  wavefront extended-maxima distance.tif --height 1.5 -o seeds.png\n",
};

const Command command_extended_minima =
{
  IMAGE_TO_OUT_BY_HEIGHT,
  .operation = WF_OPERATION_EXTENDED_MINIMA,
  .notes     = N_("OUT has 8 bits: 255 in the minima that are deeper than H, 0 elsewhere. In "
                  "images of integers H counts with its whole part."),
  .examples  = "  wavefront extended-minima gradient.png --height 5 -o seeds.png\n",
};

const Command command_opening =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_OPENING,
  .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed from its erosion by the "
                  "structuring element. Pixels outside the image do not count."),
  .examples  = "  wavefront opening cells.png --element disc --radius 8 -o large.png\n",
};

const Command command_closing =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_CLOSING,
  .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed by erosion from its dilation "
                  "by the structuring element. Pixels outside the image do not count."),
  .examples  = "  wavefront closing cells.png --radius 8 -o closed.png\n",
};

const Command command_white_top_hat =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_WHITE_TOP_HAT,
  .notes     = N_("OUT has the type of IMAGE: IMAGE less its opening by reconstruction, which "
                  "is what is bright and small."),
  .examples  = "  wavefront white-top-hat cells.png --element disc --radius 8 -o spots.png\n",
};

const Command command_black_top_hat =
{
  IMAGE_TO_OUT,
  .operation = WF_OPERATION_BLACK_TOP_HAT,
  .notes     = N_("OUT has the type of IMAGE: its closing by reconstruction less IMAGE, which "
                  "is what is dark and small."),
  .examples  = "  wavefront black-top-hat cells.png --radius 8 -o pits.png\n",
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/message.h"


/* Of Command.  Options that the method does not look at are mistakes. */
static gboolean
check (const Arguments  *arguments,
       GError          **error)
{
  static const struct { const char *option; guint methods; } uses[] =
  {
    { "threshold", 1 << WF_LOCAL_NONE },
    { "radius",    1 << WF_LOCAL_MEAN | 1 << WF_LOCAL_SAUVOLA },
    { "sigma",     1 << WF_LOCAL_GAUSSIAN },
    { "k",         1 << WF_LOCAL_SAUVOLA },
    { "range",     1 << WF_LOCAL_SAUVOLA },
    { "offset",    1 << WF_LOCAL_MEAN | 1 << WF_LOCAL_GAUSSIAN | 1 << WF_LOCAL_SAUVOLA },
  };
  const WfThresholdOptions *options = arguments->options;

  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    if (arguments_has_given (arguments, uses[i].option) &&
        ! (uses[i].methods & 1u << options->method))
      {
        const WfOption *method = wf_option_group_find (
          wf_operation_get_options (WF_OPERATION_THRESHOLD), "method");

        g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                     _("--%s cannot be combined with --method %s."), uses[i].option,
                     method->choices[options->method].name);
        return FALSE;
      }
  return TRUE;
}

/* Of Command. */
static gboolean
check_blocks (const Arguments  *arguments,
              GError          **error)
{
  return blocks_check_cpu (arguments, NULL, NULL, error);
}

const Command command_threshold =
{
  .operation    = WF_OPERATION_THRESHOLD,
  .usage        = "IMAGE -o OUT [--threshold T|--method METHOD] [OPTION…]",
  .n_files      = 1,
  .blocks       = blocks_auto,
  .check        = check,
  .check_blocks = check_blocks,
  .notes        = N_("OUT has 255 where a pixel of IMAGE is above its threshold, else 0. "
                     "Without --method there is one threshold for all pixels. A local threshold "
                     "is lower by --offset than the mean of a square window of 2 R + 1 pixels a "
                     "side (in a stack, a cube), of which what lies outside the image is left "
                     "out, or than the image smoothed by a Gaussian. Sauvola's is m (1 + K (s ∕ "
                     "RANGE − 1)), with the mean m and the standard deviation s in the window. "
                     "For dark objects on a bright background give --below."),
  .examples     = "  wavefront threshold cells.png --threshold otsu -o mask.png\n"
                  "  wavefront threshold page.png --method sauvola --radius 12 --below"
                  " -o text.png\n"
                  "  wavefront threshold cells.tif --method mean --radius 25 --offset -10"
                  " -o mask.tif\n",
};

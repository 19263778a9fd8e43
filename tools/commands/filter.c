/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for the filters. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"


const Command filter_commands[] =
{
  {
    .operation = WF_OPERATION_GAUSSIAN,
    .notes     = N_("OUT has the type of IMAGE: weighted means of the pixels up to three times "
                    "SIGMA away along each axis. Pixels at the border are repeated outside. "
                    "Integers are rounded once."),
    .examples  = "  wavefront gaussian cells.png --sigma 2 -o smooth.png\n",
  },
  {
    .operation = WF_OPERATION_GRADIENT,
    .notes     = N_("OUT has the type of IMAGE: the dilation of IMAGE by the structuring element "
                    "minus its erosion. Pixels outside the image are ignored."),
    .examples  = "  wavefront gradient cells.png -o gradient.png\n",
  },
  { NULL }
};

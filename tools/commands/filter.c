/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for the filters. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"


/* Of Command. */
static gboolean
check_blocks (const Arguments  *arguments,
              GError          **error)
{
  return blocks_check_cpu (arguments, NULL, NULL, error);
}

const Command filter_commands[] =
{
  {
    .operation = WF_OPERATION_GAUSSIAN,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: weighted means of the pixels up to three times "
                    "SIGMA away along each axis. Pixels at the border are repeated outside. "
                    "Integers are rounded once."),
    .examples  = "  wavefront gaussian cells.png --sigma 2 -o smooth.png\n",
  },
  {
    .operation = WF_OPERATION_GRADIENT,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the dilation of IMAGE by the structuring element "
                    "minus its erosion. Pixels outside the image are ignored."),
    .examples  = "  wavefront gradient cells.png -o gradient.png\n",
  },
  {
    .operation = WF_OPERATION_EROSION,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the lowest level under the structuring element. "
                    "Pixels outside the image are ignored. A square has a side of 2 R + 1 pixels, "
                    "a line as many pixels; a disc has the pixels no further than R."),
    .examples  = "  wavefront erosion cells.png --element disc --radius 3 -o eroded.png\n",
  },
  {
    .operation = WF_OPERATION_DILATION,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the highest level under the structuring element. "
                    "Pixels outside the image are ignored. A square has a side of 2 R + 1 pixels, "
                    "a line as many pixels; a disc has the pixels no further than R."),
    .examples  = "  wavefront dilation cells.png --element line --radius 10 --angle 45 "
                 "-o dilated.png\n",
  },
  {
    .operation = WF_OPERATION_OPENING,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the dilation of its erosion by the structuring "
                    "element. Pixels outside the image are ignored. What stays loses the corners "
                    "that the element does not reach; opening-by-reconstruction keeps them."),
    .examples  = "  wavefront opening cells.png --element disc --radius 3 -o opened.png\n",
  },
  {
    .operation = WF_OPERATION_CLOSING,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the erosion of its dilation by the structuring "
                    "element. Pixels outside the image are ignored. What stays loses the corners "
                    "that the element does not reach; closing-by-reconstruction keeps them."),
    .examples  = "  wavefront closing cells.png --radius 4 -o closed.png\n",
  },
  {
    .operation = WF_OPERATION_WHITE_TOP_HAT,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: IMAGE minus its opening by the structuring "
                    "element. Pixels outside the image are ignored. Corners that the element does "
                    "not reach are in OUT as well; white-top-hat-by-reconstruction has only parts "
                    "that hold no element."),
    .examples  = "  wavefront white-top-hat cells.png --element disc --radius 8 -o spots.png\n",
  },
  {
    .operation = WF_OPERATION_BLACK_TOP_HAT,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the closing of IMAGE by the structuring element, "
                    "minus IMAGE. Pixels outside the image are ignored. Corners that the element "
                    "does not reach are in OUT as well; black-top-hat-by-reconstruction has only "
                    "parts that hold no element."),
    .examples  = "  wavefront black-top-hat cells.png --radius 8 -o pits.png\n",
  },
  {
    .operation = WF_OPERATION_MEDIAN,
    .blocks       = blocks_auto,
    .check_blocks = check_blocks,
    .notes     = N_("OUT has the type of IMAGE: the middle one of the levels in the square of 2 R "
                    "+ 1 pixels a side around each pixel, in a stack in the cube. Beyond the ends "
                    "of the image the pixels at the end are repeated. In a stack R is 15 at most."),
    .examples  = "  wavefront median cells.png --radius 2 -o smooth.png\n"
                 "  wavefront median photo.png --radius 1 --colors components -o clean.png\n",
  },
  { NULL }
};

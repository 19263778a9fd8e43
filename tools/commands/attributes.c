/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for the openings and closings by attributes. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"

const Command attribute_commands[] =
{
  {
    .operation = WF_OPERATION_AREA_OPENING,
    .notes     = N_("OUT has the type of IMAGE: each pixel gets the highest level at which it is "
                    "part of at least PIXELS connected pixels that are not darker. In a binary "
                    "image components of fewer pixels are removed."),
    .examples  = "  wavefront area-opening cells.png --area 200 -o large.png\n",
  },
  {
    .operation = WF_OPERATION_AREA_CLOSING,
    .notes     = N_("OUT has the type of IMAGE: each pixel gets the lowest level at which it is "
                    "part of at least PIXELS connected pixels that are not brighter."),
    .examples  = "  wavefront area-closing cells.png --area 50 -o closed.png\n",
  },
  {
    .operation = WF_OPERATION_HEIGHT_OPENING,
    .notes     = N_("OUT has the type of IMAGE: maxima are removed if the way to a higher pixel "
                    "descends by less than H. h-maxima lowers all maxima by H; this keeps those "
                    "that are high enough as they are."),
    .examples  = "  wavefront height-opening cells.png --height 10 -o high.png\n",
  },
  {
    .operation = WF_OPERATION_HEIGHT_CLOSING,
    .notes     = N_("OUT has the type of IMAGE: minima are filled if the way to a deeper pixel "
                    "climbs by less than H. h-minima raises all minima by H; this keeps those "
                    "that are deep enough as they are."),
    .examples  = "  wavefront height-closing relief.png --height 5 -o deep.png\n",
  },
  {
    .operation = WF_OPERATION_VOLUME_OPENING,
    .notes     = N_("OUT has the type of IMAGE: bright parts of a smaller volume get the level "
                    "around them. The volume is the sum, over a part's pixels, of their "
                    "difference from that level."),
    .examples  = "  wavefront volume-opening cells.png --volume 5000 -o large.png\n",
  },
  {
    .operation = WF_OPERATION_VOLUME_CLOSING,
    .notes     = N_("OUT has the type of IMAGE: dark parts of a smaller volume get the level "
                    "around them. The volume is the sum, over a part's pixels, of their "
                    "difference from that level."),
    .examples  = "  wavefront volume-closing cells.png --volume 5000 -o closed.png\n",
  },
  { NULL }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for the tools for labels. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"

const Command label_tool_commands[] =
{
  {
    .operation = WF_OPERATION_REMOVE_SMALL,
    .notes     = N_("OUT has 0 where the region of a pixel in LABELS has fewer than PIXELS pixels, "
                    "and is LABELS elsewhere. A region is what has one label; it need not be "
                    "connected. The number of regions that stay is printed."),
    .examples  = "  wavefront remove-small labels.tif --area 50 -o large.tif\n",
  },
  {
    .operation = WF_OPERATION_KEEP_LARGEST,
    .notes     = N_("OUT has the labels of the N regions of LABELS with the most pixels, and 0 "
                    "elsewhere; of regions of equal size those with the lowest labels stay. The "
                    "number of regions that stay is printed."),
    .examples  = "  wavefront keep-largest labels.tif --count 10 -o largest.tif\n",
  },
  {
    .operation = WF_OPERATION_EXPAND_LABELS,
    .notes     = N_("OUT has the label of the nearest labelled pixel of LABELS where that is no "
                    "further than PIXELS, by Euclidean distance between the centers of pixels, so "
                    "that regions grow until they meet. The number of regions is printed."),
    .examples  = "  wavefront expand-labels seeds.tif --distance 5 -o cells.tif\n",
  },
  {
    .operation = WF_OPERATION_RELABEL,
    .notes     = N_("OUT has the regions of LABELS with the labels 1, 2, 3 and so on, in the order "
                    "of their labels in LABELS. The number of regions is printed."),
    .examples  = "  wavefront relabel labels.tif -o numbered.tif\n",
  },
  { NULL }
};

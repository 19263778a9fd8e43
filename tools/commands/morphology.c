/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for the operations built on reconstruction. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"


/* Of Command: what is reconstructed is changed until the end, unless by the summary. */
static gboolean
needs_store (const Arguments *arguments,
             gboolean         readable)
{
  return ! readable && blocks_find_way (arguments) != WF_BLOCKS_SUMMARY;
}

/* Of Command: the extrema are those of a whole image of levels. */
static gboolean
needs_levels (const Arguments *arguments,
              gboolean         readable)
{
  return TRUE;
}

/* Of Command. */
static gboolean
check_regional (const Arguments  *arguments,
                GError          **error)
{
  static const char * const  plateaux[] = { "auto", "plateaux", NULL };
  const WfMorphologyOptions *options    = arguments->options;

  return blocks_check_cpu (arguments, options->algorithm, plateaux, error);
}

#define RECONSTRUCTED_IN_BLOCKS(scratch) \
  .blocks        = blocks_ways, \
  .needs_scratch = scratch

const Command morphology_commands[] =
{
  {
    .operation = WF_OPERATION_FILL_HOLES,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .invert_blurb   = N_("Fill the bright holes of dark parts"),
    .inverts_result = TRUE,
    .notes     = N_("OUT has the type of IMAGE. A hole is a dark part that is not connected to "
                    "the border of the image, of any depth; in a binary image, a background "
                    "component that does not touch it. The connectivity is that of the dark "
                    "part, 4 if none is given, or 6 in a stack: objects of 8 (26) neighbors, as "
                    "label finds them by default, enclose the holes of a background of 4 (6). "
                    "For objects of 4 (6) neighbors give --connectivity 8 (26)."),
    .examples  = "  wavefront fill-holes cells.png -o filled.png\n"
                 "  wavefront fill-holes cells.png --connectivity 8 -o filled.png\n",
  },
  {
    .operation = WF_OPERATION_CLEAR_BORDER,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .invert_blurb = N_("Work on the dark parts: OUT is that of the inverted image, bright on "
                       "black"),
    .notes     = N_("OUT has the type of IMAGE: IMAGE minus its reconstruction from its border. In "
                    "a binary image the components that touch the border are removed and the "
                    "others are kept."),
    .examples  = "  wavefront clear-border cells.png -o whole.png\n",
  },
  {
    .operation = WF_OPERATION_H_MAXIMA,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed from IMAGE − H. In integer "
                    "images H is rounded down."),
    .examples  = "  wavefront h-maxima relief.png --height 10 -o flat.png\n",
  },
  {
    .operation = WF_OPERATION_H_MINIMA,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed by erosion from IMAGE + H. In "
                    "integer images H is rounded down."),
    .examples  = "  wavefront h-minima relief.png --height 10 -o flat.png\n",
  },
  {
    .operation = WF_OPERATION_H_DOME,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE minus its h-maxima. In integer images H is "
                    "rounded down."),
    .examples  = "  wavefront h-dome cells.png --height 30 -o domes.png\n",
  },
  {
    .operation = WF_OPERATION_H_BASIN,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: the h-minima of IMAGE minus IMAGE. In integer "
                    "images H is rounded down."),
    .examples  = "  wavefront h-basin cells.png --height 30 -o basins.png\n",
  },
  {
    .operation = WF_OPERATION_REGIONAL_MAXIMA,
    .blocks       = blocks_auto,
    .check_blocks = check_regional,
    .notes     = N_("OUT has 8 bits: 255 in the maxima, 0 elsewhere."),
    .examples  = "  wavefront regional-maxima relief.png -o maxima.png\n",
  },
  {
    .operation = WF_OPERATION_REGIONAL_MINIMA,
    .blocks       = blocks_auto,
    .check_blocks = check_regional,
    .notes     = N_("OUT has 8 bits: 255 in the minima, 0 elsewhere."),
    .examples  = "  wavefront regional-minima relief.png -o minima.png\n",
  },
  {
    .operation = WF_OPERATION_EXTENDED_MAXIMA,
    RECONSTRUCTED_IN_BLOCKS (needs_levels),
    .notes     = N_("OUT has 8 bits: 255 in the maxima that are higher than H, 0 elsewhere. In "
                    "integer images H is rounded down."),
    .examples  = "  wavefront extended-maxima distance.tif --height 1.5 -o seeds.png\n",
  },
  {
    .operation = WF_OPERATION_EXTENDED_MINIMA,
    RECONSTRUCTED_IN_BLOCKS (needs_levels),
    .notes     = N_("OUT has 8 bits: 255 in the minima that are deeper than H, 0 elsewhere. In "
                    "integer images H is rounded down."),
    .examples  = "  wavefront extended-minima gradient.png --height 5 -o seeds.png\n",
  },
  {
    .operation = WF_OPERATION_OPENING_BY_RECONSTRUCTION,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed from its erosion by the "
                    "structuring element. Pixels outside the image are ignored."),
    .examples  = "  wavefront opening-by-reconstruction cells.png --element disc --radius 8 "
                 "-o large.png\n",
  },
  {
    .operation = WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE reconstructed by erosion from its dilation "
                    "by the structuring element. Pixels outside the image are ignored."),
    .examples  = "  wavefront closing-by-reconstruction cells.png --radius 8 -o closed.png\n",
  },
  {
    .operation = WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: IMAGE minus its opening by reconstruction, which "
                    "leaves small bright parts."),
    .examples  = "  wavefront white-top-hat-by-reconstruction cells.png --element disc "
                 "--radius 8 -o spots.png\n",
  },
  {
    .operation = WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .notes     = N_("OUT has the type of IMAGE: its closing by reconstruction minus IMAGE, which "
                    "leaves small dark parts."),
    .examples  = "  wavefront black-top-hat-by-reconstruction cells.png --radius 8 -o pits.png\n",
  },
  {
    .operation = WF_OPERATION_IMPOSE_MINIMA,
    RECONSTRUCTED_IN_BLOCKS (needs_store),
    .invert_blurb   = N_("Impose maxima: OUT has regional maxima exactly where MARKERS is not 0"),
    .inverts_result = TRUE,
    .notes     = N_("OUT has the type of IMAGE, and regional minima exactly where MARKERS is not "
                    "0. MARKERS has the size of IMAGE and holds whole numbers; with --raw it has "
                    "8, 16 or 32 bits per pixel, according to its length."),
    .examples  = "  wavefront impose-minima gradient.png seeds.png -o relief.png\n",
  },
  { NULL }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/chain-run.h"


const Command command_run =
{
  .name        = "run",
  .blurb       = N_("Run several commands one after the other, with the images between them in "
                    "memory"),
  .usage       = "STEPS IMAGE… [-o OUT] [OPTION…]",
  .n_files     = 1,
  .operation   = -1,
  .takes_steps = TRUE,
  .table_blurb = N_("Write the table of the last step to FILE"),
  .notes       = N_("STEPS are commands with their options, divided by semicolons or line breaks. "
                    "A step works on the image that the step before it has made, the first one on "
                    "IMAGE. “= NAME” at the end of a step names its result: @NAME stands for it "
                    "wherever a later step takes a file, and @in for IMAGE. Of the inputs of a "
                    "step, a last one that is not named is the result before: “reconstruct @in” "
                    "takes that as the marker. Quotes and backslashes are "
                    "those of a shell, # begins a comment.\n\nOUT is the result of the last step. "
                    "A step with -o FILE writes its result to FILE, too; placeholders as in OUT. "
                    "“measure” and “outlines” make no image: the step after them works on the "
                    "image before. With --table the last step writes its table to FILE, and OUT is "
                    "the last image. Files are written when all steps have succeeded."),
  .examples    = "  wavefront run 'gaussian --sigma 1.5; gradient; watershed --tolerance 5'"
                 " cells.png -o basins.tif\n"
                 "  wavefront run 'gaussian --sigma 2 = smooth; h-maxima --height 20;"
                 " regional-maxima; label = seeds; gradient @smooth; watershed --markers @seeds'"
                 " cells.png -o basins.tif\n"
                 "  wavefront run 'label --threshold otsu; measure --image @in' cells.png"
                 " -o cells.csv\n",
  .run         = chain_run,
};

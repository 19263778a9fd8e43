/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the arguments of the filters mean to the command. */

#include "config.h"

#include "command.h"
#include "filter.h"
#include "notes.h"
#include "plugins/common/marker/marker.h"


/**
 * wf_reconstruct_write_command:
 * @line: of a reconstruction
 *
 * Of WfProcedure: without a marker it is another command.
 */
void
wf_reconstruct_write_command (WfCommandLine *line)
{
  const WfReconstructOptions    *options = line->operation;
  const WfReconstructOwnOptions *own     = line->own;

  if (wf_marker_is_given (line->run))
    wf_command_line_add_marker (line, "marker");
  else
    {
      line->name = options->by == WF_BY_DILATION ? "h-maxima" : "h-minima";
      wf_command_line_add_level (line, "height", own->height);
      wf_command_line_take_all (line, "by", "from-selection", NULL);
    }
  wf_command_line_take (line, "height");
}

/**
 * wf_filter_write_command:
 * @line: of a filter that may have a second layer
 *
 * Of WfProcedure: the second layer is made by another command.
 */
void
wf_filter_write_command (WfCommandLine *line)
{
  const WfFilter         *filter = line->run->procedure->data;
  const WfResidueOptions *own    = line->own;
  const gboolean          maxima = line->run->procedure->operation == WF_OPERATION_H_MAXIMA;

  if (! filter->residue_name)
    return;
  wf_command_line_take_all (line, "filtered", maxima ? "dome" : "basin", NULL);
  if (own->residue && own->filtered)
    wf_command_line_repeat (line, maxima ? "h-dome" : "h-basin", "residue.tif");
  else if (own->residue)
    line->name = maxima ? "h-dome" : "h-basin";
}

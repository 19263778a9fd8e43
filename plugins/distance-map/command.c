/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the arguments of the distance maps mean to the command, which writes the distances
 * themselves.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "command.h"
#include "measuring.h"
#include "resolution.h"


static void
write_threshold (WfCommandLine *line,
                 gboolean       dark,
                 double        *threshold)
{
  const WfDistanceMapOptions *own = line->own;

  if (own->automatic_threshold)
    {
      wf_command_line_add (line, "threshold", "otsu");
      *threshold = NAN;
    }
  if (dark)
    wf_command_line_add (line, "invert", NULL);
  wf_command_line_take (line, "automatic-threshold");
}

/* Lengths that the output does not use have no effect. */
static void
write_output (WfCommandLine *line)
{
  const WfDistanceMapOptions *own = line->own;

  if (own->output != WF_DISTANCES_CLIPPED)
    wf_command_line_take (line, "maximum");
  if (own->output != WF_DISTANCES_CONTOURS)
    wf_command_line_take_all (line, "step", "line-color", "convert-to-rgb", NULL);
  if (own->output == WF_DISTANCES_IMAGE)
    wf_command_line_take (line, "output");
  wf_command_line_note (line, _("%s: the distances, as 32-bit floating point"), line->output);
}

/**
 * wf_distance_map_write_command:
 * @line: of a distance map
 *
 * Of WfProcedure.
 */
void
wf_distance_map_write_command (WfCommandLine *line)
{
  const WfDistanceMapOptions *own     = line->own;
  WfDistanceOptions          *options = line->operation;
  const gboolean              outside = own->side == WF_DISTANCES_OUTSIDE;

  write_threshold (line, outside, &options->threshold);
  options->border_background = options->border_background && ! outside;
  if (own->unit == WF_DISTANCES_BY_RESOLUTION)
    wf_resolution_get_spacing (line->run->image, options->spacing);
  wf_command_line_take_all (line, "side", "unit", NULL);
  write_output (line);
  if (own->output != WF_DISTANCES_NEAREST)
    return;
  wf_command_line_add (line, "nearest", "nearest.tif");
  wf_command_line_note (line, _("%s: the index of the nearest pixel, not its color"),
                        "nearest.tif");
}

/**
 * wf_geodesic_write_command:
 * @line: of geodesic distances
 *
 * Of WfProcedure.
 */
void
wf_geodesic_write_command (WfCommandLine *line)
{
  const WfDistanceMapOptions *own     = line->own;
  WfGeodesicOptions          *options = line->operation;

  wf_command_line_add_marker (line, "marker");
  if (own->side == WF_DISTANCES_EVERYWHERE)
    {
      options->threshold = -1;   /* below every level */
      wf_command_line_take (line, "automatic-threshold");
    }
  else
    write_threshold (line, own->side == WF_DISTANCES_OUTSIDE, &options->threshold);
  wf_command_line_take (line, "through");
  if (own->unit == WF_DISTANCES_BY_SPACING)
    wf_command_line_take (line, "unit");
  write_output (line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings that the distance map's dialog proposes: Otsu's threshold, and the side on which
 * objects are, if wf_watershed_propose() finds any.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "proposer.h"

static const char *const settings[] = { "threshold", "automatic-threshold", "side", NULL };


static char *
propose (WfJob         *run,
         const WfImage *levels,
         double         scale)
{
  GObject             *config = G_OBJECT (run->config);
  WfWatershedProposal  found;

  if (! wf_watershed_propose (NULL, levels, scale, &found, NULL) || found.n_basins == 0)
    return NULL;

  g_object_set (config, "automatic-threshold", TRUE, NULL);
  if (found.input != WF_INPUT_OBJECTS)
    return g_strdup (_("Proposed for this image: an automatic threshold."));
  if (! found.invert)
    return g_strdup (_("Proposed for this image: an automatic threshold; its objects are bright."));
  g_object_set (config, "side", "outside", NULL);
  return g_strdup (_("Proposed for this image: an automatic threshold; its objects are dark."));
}

const WfProposer wf_distance_map_proposer =
{
  .settings = settings,
  .looks    = TRUE,
  .propose  = propose,
};

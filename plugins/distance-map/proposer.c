/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings that the distance map's dialog proposes: an automatic threshold, and the side on
 * which objects are.
 */

#include "config.h"

#include "plugins/common/dialog/threshold-proposal.h"
#include "proposer.h"

static const char *const settings[] = { "threshold", "automatic-threshold", "side", NULL };


static char *
propose (WfJob         *run,
         const WfImage *levels,
         double         scale)
{
  gboolean  dark;
  char     *words = wf_threshold_propose (run, levels, scale, &dark);

  if (dark)
    g_object_set (run->config, "side", "outside", NULL);
  return words;
}

const WfProposer wf_distance_map_proposer =
{
  .settings = settings,
  .looks    = TRUE,
  .propose  = propose,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What dialogs with a threshold propose: an automatic one, and whether objects are dark, if
 * wf_watershed_propose() finds any.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "threshold-proposal.h"


/**
 * wf_threshold_propose:
 * @run: a run with the argument "automatic-threshold"
 * @levels: as a #WfProposer gets them
 * @scale: likewise
 * @dark: (out): whether the objects are dark
 *
 * Sets the argument if the image shows something.
 *
 * Returns: (transfer full) (nullable): what is proposed, in a sentence
 */
char *
wf_threshold_propose (WfJob         *run,
                      const WfImage *levels,
                      double         scale,
                      gboolean      *dark)
{
  g_autoptr (WfWatershedProposal) found = wf_watershed_propose (NULL, levels, scale, NULL);

  *dark = FALSE;
  if (! found || found->n_basins == 0)
    return NULL;

  g_object_set (run->config, "automatic-threshold", TRUE, NULL);
  if (found->input != WF_INPUT_OBJECTS)
    return g_strdup (_("Proposed for this image: an automatic threshold."));
  *dark = found->invert;
  if (! *dark)
    return g_strdup (_("Proposed for this image: an automatic threshold; its objects are bright."));
  return g_strdup (_("Proposed for this image: an automatic threshold; its objects are dark."));
}

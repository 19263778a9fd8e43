/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The radius that the dialogs of openings, closings and top-hats propose, from the size of what
 * they work on, and the threshold that a dialog proposes by looking at it.  An opening removes
 * details, so that its radius is small; what a top-hat keeps can be as large as an object.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "plugins/common/dialog/threshold-proposal.h"
#include "proposer.h"

#define DETAIL 60.0   /* sides of the image per radius */
#define OBJECT 12.0

static const char *const settings[]      = { "radius", NULL };
static const char *const of_thresholds[] = { "method", "threshold", "automatic-threshold", "below",
                                             NULL };


static char *
propose (WfJob  *run,
         double  part)
{
  const double side   = sqrt ((double) run->region.width * run->region.height);
  const int    radius = (int) MAX (floor (side / part + 0.5), 1);

  g_object_set (run->config, "radius", radius, NULL);
  return g_strdup_printf (ngettext ("Proposed for the size of this image: a radius of %d pixel.",
                                    "Proposed for the size of this image: a radius of %d pixels.",
                                    (gulong) radius), radius);
}

static char *
propose_detail (WfJob         *run,
                const WfImage *levels,
                double         scale)
{
  return propose (run, DETAIL);
}

static char *
propose_object (WfJob         *run,
                const WfImage *levels,
                double         scale)
{
  return propose (run, OBJECT);
}

static char *
propose_threshold (WfJob         *run,
                   const WfImage *levels,
                   double         scale)
{
  gboolean  dark;
  char     *words = wf_threshold_propose (run, levels, scale, &dark);

  g_object_set (run->config, "below", dark, NULL);
  return words;
}

const WfProposer wf_opening_proposer = { .settings = settings, .propose = propose_detail };
const WfProposer wf_top_hat_proposer = { .settings = settings, .propose = propose_object };
const WfProposer wf_threshold_proposer =
{
  .settings = of_thresholds,
  .looks    = TRUE,
  .propose  = propose_threshold,
};

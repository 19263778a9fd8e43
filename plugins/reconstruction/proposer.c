/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the dialogs of openings, closings and top-hats propose, from the size of what they work on,
 * and the threshold that a dialog proposes by looking at it.  An opening removes details, so that
 * its radius is small; what a top-hat keeps can be as large as an object.  An opening by area
 * removes what a disc of that radius has, one by volume what it has at a usual height.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "filter.h"
#include "plugins/common/dialog/threshold-proposal.h"
#include "proposer.h"

#define DETAIL 60.0   /* sides of the image per radius */
#define OBJECT 12.0

static const char *const settings[]        = { "radius", NULL };
static const char *const area_settings[]   = { "area", NULL };
static const char *const volume_settings[] = { "volume", NULL };
static const char *const of_thresholds[]   = { "method", "threshold", "automatic-threshold",
                                               "below", NULL };


static int
find_radius (const WfJob *run,
             double       part)
{
  const double side = sqrt ((double) run->region.width * run->region.height);

  return (int) MAX (floor (side / part + 0.5), 1);
}

static char *
propose (WfJob  *run,
         double  part)
{
  const int radius = find_radius (run, part);

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

static int
find_area (const WfJob *run)
{
  const int radius = find_radius (run, DETAIL);

  return (int) (G_PI * radius * radius + 0.5);
}

static char *
propose_area (WfJob         *run,
              const WfImage *levels,
              double         scale)
{
  const int area = find_area (run);

  g_object_set (run->config, "area", (double) area, NULL);
  return g_strdup_printf (ngettext ("Proposed for the size of this image: an area of %d pixel.",
                                    "Proposed for the size of this image: an area of %d pixels.",
                                    (gulong) area), area);
}

static char *
propose_volume (WfJob         *run,
                const WfImage *levels,
                double         scale)
{
  const int area = find_area (run);

  g_object_set (run->config, "volume", area * WF_USUAL_HEIGHT, NULL);
  return g_strdup_printf (ngettext ("Proposed for the size of this image: the volume of %d pixel "
                                    "that differs by %.1f.",
                                    "Proposed for the size of this image: the volume of %d pixels "
                                    "that differ by %.1f.",
                                    (gulong) area), area, WF_USUAL_HEIGHT);
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
const WfProposer wf_area_proposer    = { .settings = area_settings, .propose = propose_area };
const WfProposer wf_volume_proposer  = { .settings = volume_settings, .propose = propose_volume };
const WfProposer wf_threshold_proposer =
{
  .settings = of_thresholds,
  .looks    = TRUE,
  .propose  = propose_threshold,
};

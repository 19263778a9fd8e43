/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings that the watershed's dialog proposes: what wf_watershed_propose() finds. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "proposer.h"
#include "ui/options/level-entry.h"

static const char *const settings[] =
{
  "input", "smoothing", "gradient", "valleys", "objects", "background", "automatic-threshold",
  "split-tolerance", "markers", "compactness", "tolerance", "merge-by", "merge-value", NULL
};


/* Arguments are fractions of the range, where the engine has levels. */
static void
set_merging (GObject                   *config,
             const WfWatershedProposal *found,
             WfType                     type)
{
  const double unit = found->input == WF_INPUT_OBJECTS ? 1 : wf_level_maximum (type);

  g_object_set (config,
                "merge-by", found->measure == WF_MEASURE_VOLUME ? "volume" : "dynamics",
                "merge-value", found->depth / unit,
                NULL);
}

static char *
say_objects (const WfWatershedProposal *found)
{
  const char *text;

  if (found->invert)
    text = ngettext ("Proposed for this image: dark objects on a bright background, smoothed by "
                     "%.1f pixels; about %u basin.",
                     "Proposed for this image: dark objects on a bright background, smoothed by "
                     "%.1f pixels; about %u basins.", found->n_basins);
  else
    text = ngettext ("Proposed for this image: bright objects on a dark background, smoothed by "
                     "%.1f pixels; about %u basin.",
                     "Proposed for this image: bright objects on a dark background, smoothed by "
                     "%.1f pixels; about %u basins.", found->n_basins);
  return g_strdup_printf (text, found->smoothing, found->n_basins);
}

static char *
say_regions (const WfWatershedProposal *found)
{
  const char *text;

  text = ngettext ("Proposed for this image: regions between edges, smoothed by %.1f pixels, "
                   "small ones merged; about %u basin.",
                   "Proposed for this image: regions between edges, smoothed by %.1f pixels, "
                   "small ones merged; about %u basins.", found->n_basins);
  return g_strdup_printf (text, found->smoothing, found->n_basins);
}

static char *
propose (WfJob         *run,
         const WfImage *levels,
         double         scale)
{
  GObject                         *config = G_OBJECT (run->config);
  g_autoptr (WfWatershedProposal)  found  = wf_watershed_propose (NULL, levels, scale, NULL);

  if (! found || found->n_basins == 0)
    return NULL;

  g_object_set (config, "smoothing", found->smoothing, NULL);
  set_merging (config, found, levels->type);
  if (found->input == WF_INPUT_OBJECTS)
    {
      g_object_set (config,
                    "input", "objects",
                    "objects", found->invert ? "dark" : "light",
                    "split-tolerance", found->tolerance,
                    NULL);
      return say_objects (found);
    }
  g_object_set (config, "input", "gradient", "gradient", found->gradient, NULL);
  return say_regions (found);
}

const WfProposer wf_watershed_proposer =
{
  .settings = settings,
  .looks    = TRUE,
  .propose  = propose,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Settings of the watershed for kinds of images that are often counted.
 *
 * A preset is a start for images of its kind at the usual magnification, where an object is some
 * ten to some forty pixels wide; sizes are in pixels, so of images that are much larger or smaller
 * smoothing, tolerance and least area have to follow.  Every value has been chosen by counting:
 * on drawn images, whose truth is known, and on photographs that were counted by eye.
 *
 *   objects   Levels are smoothed so far that noise makes no holes in an object; the tolerance is
 *             larger than the steps that ragged outlines make in the distances, and smaller than
 *             the necks between objects that touch; the least area is that of specks.
 *   levels    The tolerance is above the noise that smoothing leaves.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/wavefront.h"

static const WfWatershedPreset presets[] =
{
  {
    .name      = "nuclei-fluorescence",
    .label     = N_("Nuclei, fluorescence"),
    .blurb     = N_("Bright nuclei on a dark background, as a fluorescence microscope shows them; "
                    "those that touch are divided."),
    .input     = WF_INPUT_OBJECTS,
    .smoothing = 2,
    .tolerance = 1,
    .min_area  = 50,
  },
  {
    .name      = "nuclei-he",
    .label     = N_("Nuclei, H&E"),
    .blurb     = N_("Nuclei in a slide stained with hematoxylin and eosin, by the level of "
                    "hematoxylin."),
    .stain     = "hematoxylin",
    .input     = WF_INPUT_OBJECTS,
    .invert    = TRUE,
    .smoothing = 1,
    .tolerance = 0.75,
    .min_area  = 20,
  },
  {
    .name      = "nuclei-h-dab",
    .label     = N_("Nuclei, H-DAB"),
    .blurb     = N_("Nuclei in a slide stained with hematoxylin and DAB, by the level of "
                    "hematoxylin."),
    .stain     = "hematoxylin-dab",
    .input     = WF_INPUT_OBJECTS,
    .invert    = TRUE,
    .smoothing = 1,
    .tolerance = 0.75,
    .min_area  = 20,
  },
  {
    .name      = "membranes",
    .label     = N_("Cells by their membranes"),
    .blurb     = N_("Dark cells between bright membranes: each cell is a basin, divided where the "
                    "membrane is brightest."),
    .input     = WF_INPUT_LEVELS,
    .smoothing = 2,
    .tolerance = 0.05,
    .min_area  = 30,
  },
  {
    .name            = "coins",
    .label           = N_("Coins and grains"),
    .blurb           = N_("Separate round things, brighter than an uneven background; what is far "
                          "from round is left out."),
    .input           = WF_INPUT_OBJECTS,
    .smoothing       = 2,
    .tolerance       = 1.5,
    .min_area        = 150,
    .min_circularity = 0.6,
  },
  {
    .name      = "pores",
    .label     = N_("Pores"),
    .blurb     = N_("Dark pores of all sizes in a brighter material; pores that open into each "
                    "other are divided."),
    .input     = WF_INPUT_OBJECTS,
    .invert    = TRUE,
    .smoothing = 1,
    .tolerance = 1,
    .min_area  = 10,
  },
  {
    .name      = "particles",
    .label     = N_("Touching particles"),
    .blurb     = N_("Bright particles that touch each other, sharp against a dark background, such "
                    "as powders and beads."),
    .input     = WF_INPUT_OBJECTS,
    .smoothing = 1,
    .tolerance = 0.5,
    .min_area  = 20,
  },
  {
    .name      = "terrain",
    .label     = N_("Terrain"),
    .blurb     = N_("An elevation map: each basin is the land whose water flows to one hollow; "
                    "hollows shallower than a fiftieth of the range overflow."),
    .input     = WF_INPUT_LEVELS,
    .smoothing = 1,
    .tolerance = 0.02,
  },
};


/**
 * wf_watershed_get_preset:
 * @number: from 0
 *
 * Gets settings for a kind of images.
 *
 * Returns: (transfer none) (nullable): the preset of that number, or %NULL after the last one
 */
const WfWatershedPreset *
wf_watershed_get_preset (guint number)
{
  return number < G_N_ELEMENTS (presets) ? &presets[number] : NULL;
}

/**
 * wf_watershed_find_preset:
 * @name: a name
 *
 * Looks a preset up.
 *
 * Returns: (transfer none) (nullable): the preset of that name
 */
const WfWatershedPreset *
wf_watershed_find_preset (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts of options.  The engine's speak of images and of stacks, but a layer is no stack. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "layer-texts.h"

static const struct
{
  const char *of_stacks;
  const char *of_layers;
}
replaced[] =
{
  { "All neighbors (8, or 26 in a stack)", N_("All neighbors (8)") },
  { "Neighbors with a common side (4, or 6 in a stack)", N_("Neighbors with a common side (4)") },
  { "Which pixels are neighbors: 4 or 8 in an image, 6 or 26 in a stack",
    N_("Which pixels are neighbors: 4 or 8") },
  { "Which dark pixels are neighbors, on paths out of a hole: 4 or 8 in an image, 6 or 26 in a "
    "stack",
    N_("Which dark pixels are neighbors, on paths out of a hole: 4 or 8") },
};


/**
 * wf_gegl_translate:
 * @text: of an option or of one of its choices
 *
 * Returns: (transfer none): what it says of a layer, translated
 */
const char *
wf_gegl_translate (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (replaced); i++)
    if (g_strcmp0 (text, replaced[i].of_stacks) == 0)
      text = replaced[i].of_layers;
  return g_dgettext (GETTEXT_PACKAGE, text);
}

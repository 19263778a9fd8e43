/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/message.h"
#include "tools/preset.h"
#include "tools/wrap.h"

#define INDENT 4
#define WIDTH  79


static void
append_line (GString    *out,
             const char *text)
{
  g_string_append_printf (out, "%*s", INDENT, "");
  wrap_append (out, text, INDENT, INDENT, WIDTH);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  GString                 *out = g_string_new (NULL);
  const WfWatershedPreset *preset;

  for (guint i = 0; (preset = wf_watershed_get_preset (i)); i++)
    {
      g_autofree char *options = preset_spell (preset);

      g_string_append_printf (out, "%s%s: %s\n", out->len ? "\n" : "", preset->name,
                              g_dgettext (GETTEXT_PACKAGE, preset->label));
      append_line (out, g_dgettext (GETTEXT_PACKAGE, preset->blurb));
      g_string_append_printf (out, "%*s%s\n", INDENT, "", options);
    }
  text_print (stdout, out->str);
  g_string_free (out, TRUE);
  return stdout_finish (error);
}

const Command command_presets =
{
  .name      = "presets",
  .blurb     = N_("List the presets of the watershed, settings for kinds of images"),
  .usage     = "",
  .n_files   = 0,
  .operation = -1,
  .notes     = N_("Of each preset there are its name, as “wavefront watershed --preset” takes it, "
                  "the images that it is for, and its options, as they could be given instead. A "
                  "tolerance is that of 8-bit levels, where it is not that of objects: it is the "
                  "same part of 65535 in 16-bit levels, and of 1 in real numbers. Sizes are in "
                  "pixels: give smoothing, tolerance and least area as well where objects are "
                  "much larger or smaller than some tens of pixels."),
  .run       = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The levels of pixels.
 *
 * Levels are the drawable's own component values, as they are stored: morphology
 * compares levels only, which gives the same result in every encoding, but a conversion
 * could make different levels equal or equal levels different.  Thus 8 and 16 bits stay as
 * they are, all else becomes 32-bit floating point, and a colour layer is reduced to its
 * luminance in its own encoding (linear, non-linear or perceptual) or to one of its
 * components, or by its non-linear components to the level of a stain.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "formats.h"
#include "level-picker.h"
#include "own-stain.h"

const WfChoice wf_components[] =
{
  { "luminance",       WF_COMPONENT_LUMINANCE,       N_("Luminance") },
  { "red",             WF_COMPONENT_RED,             N_("Red") },
  { "green",           WF_COMPONENT_GREEN,           N_("Green") },
  { "blue",            WF_COMPONENT_BLUE,            N_("Blue") },
  { "alpha",           WF_COMPONENT_ALPHA,           N_("Alpha") },
  { "hematoxylin",     WF_COMPONENT_HEMATOXYLIN,     N_("Hematoxylin (of H&E)") },
  { "eosin",           WF_COMPONENT_EOSIN,           N_("Eosin (of H&E)") },
  { "hematoxylin-dab", WF_COMPONENT_HEMATOXYLIN_DAB, N_("Hematoxylin (of H-DAB)") },
  { "dab",             WF_COMPONENT_DAB,             N_("DAB (of H-DAB)") },
  { "own-stain",       WF_COMPONENT_OWN_STAIN,       N_("Own stain") },
  { NULL,              0,                            NULL }
};

/**
 * wf_component_is_stain:
 * @component: a choice
 *
 * Returns: whether it is a stain, which is taken from colors
 */
gboolean
wf_component_is_stain (WfComponent component)
{
  return component >= WF_COMPONENT_HEMATOXYLIN;
}

/**
 * wf_component_is_in:
 * @component: a choice
 * @format: of pixels
 *
 * Returns: whether the pixels have it; red, green and blue of gray are its level
 */
gboolean
wf_component_is_in (WfComponent  component,
                    const Babl  *format)
{
  return wf_component_is_stain (component)
         ? ! wf_format_is_grey (format)
         : component != WF_COMPONENT_ALPHA || babl_format_has_alpha (format);
}

/**
 * wf_component_check:
 * @component: a choice
 * @format: of pixels
 * @name: to the user, of what has them
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether the pixels have it
 */
gboolean
wf_component_check (WfComponent   component,
                    const Babl   *format,
                    const char   *name,
                    GError      **error)
{
  if (wf_component_is_in (component, format))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               wf_component_is_stain (component)
               ? _("“%s” has no colors that a stain could be found in.")
               : _("“%s” has no alpha channel to take the levels from."), name);
  return FALSE;
}

/* Stays as long as the process. */
static const WfStain *
find_stain (WfComponent component)
{
  static gsize     stains[WF_COMPONENT_OWN_STAIN];
  const WfChoice  *choice = wf_components;
  gsize           *stain;

  if (component > WF_COMPONENT_OWN_STAIN)
    return wf_own_stain_get (component);
  g_return_val_if_fail (component < WF_COMPONENT_OWN_STAIN, NULL);

  stain = &stains[component];
  while (choice->value != (int) component)
    choice++;
  if (g_once_init_enter (stain))
    g_once_init_leave (stain, (gsize) wf_stain_new (choice->name, NULL));
  return (const WfStain *) *stain;
}


#define PICK(Type) \
  for (gsize i = 0; i < n_pixels; i++) \
    ((Type *) levels)[i] = ((const Type *) pixels)[i * n_components + component]

/* Takes one component of pixels that have several. */
static void
pick (WfType        type,
      gconstpointer pixels,
      gsize         n_pixels,
      int           n_components,
      int           component,
      gpointer      levels)
{
  switch (type)
    {
    case WF_TYPE_U8:
      PICK (guint8);
      break;
    case WF_TYPE_U16:
      PICK (guint16);
      break;
    default:
      PICK (float);
      break;
    }
}

/**
 * wf_level_picker_init:
 * @picker: set
 * @format: of the pixels, as they are stored
 * @type: of the levels
 * @component: the component that is the level, or the stain; in gray pixels red, green and blue
 *   are equal
 */
void
wf_level_picker_init (WfLevelPicker *picker,
                      const Babl    *format,
                      WfType         type,
                      WfComponent    component)
{
  const gboolean rgb = ! wf_format_is_grey (format);

  picker->type         = type;
  picker->luminance    = component == WF_COMPONENT_LUMINANCE && rgb;
  picker->alpha        = babl_format_has_alpha (format) || component == WF_COMPONENT_ALPHA;
  picker->grey         = wf_format_find_grey (format, FALSE, type);
  picker->stain        = wf_component_is_stain (component) ? find_stain (component) : NULL;
  picker->format       = picker->stain ? wf_format_find_encoded (format, picker->alpha, type)
                                       : wf_format_find (format, picker->alpha, type);
  picker->n_components = babl_format_get_n_components (picker->format);
  picker->direct       = picker->n_components == 1;

  if (picker->stain)
    picker->component = 0;
  else if (component == WF_COMPONENT_ALPHA)
    picker->component = picker->n_components - 1;
  else
    picker->component = rgb ? MAX ((int) component - WF_COMPONENT_RED, 0) : 0;
}

/**
 * wf_level_picker_take:
 * @picker: a picker that is not direct
 * @pixels: pixels in its format
 * @n_pixels: the number of pixels
 * @levels: set to their levels
 */
void
wf_level_picker_take (const WfLevelPicker *picker,
                      gconstpointer        pixels,
                      gsize                n_pixels,
                      gpointer             levels)
{
  if (picker->luminance)
    babl_process (babl_fish (picker->format, picker->grey), pixels, levels, (long) n_pixels);
  else if (picker->stain)
    wf_stain_take_levels (picker->stain, picker->type, pixels, (guint) picker->n_components,
                          (gint64) n_pixels, levels);
  else
    pick (picker->type, pixels, n_pixels, picker->n_components, picker->component, levels);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stains that the user describes by their colors.
 *
 * A stain that has been described once gets a number, above those of the components that have
 * names, and keeps it as long as the process: so all that reads levels takes it like any other
 * component, in whatever thread, while the next one is described.  A stain takes a few bytes.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "own-stain.h"

typedef struct
{
  char    *text;
  WfStain *stain;
} Own;

static GMutex     mutex;
static GPtrArray *all;     /* the first one has the number WF_COMPONENT_OWN_STAIN + 1 */


static WfComponent
number (guint index)
{
  return (WfComponent) (WF_COMPONENT_OWN_STAIN + 1 + index);
}

static gboolean
find (const char  *text,
      WfComponent *component)
{
  for (guint i = 0; all && i < all->len; i++)
    if (strcmp (((const Own *) all->pdata[i])->text, text) == 0)
      {
        *component = number (i);
        return TRUE;
      }
  return FALSE;
}

static WfComponent
add (const char *text,
     WfStain    *stain)
{
  Own *own = g_new (Own, 1);

  own->text  = g_strdup (text);
  own->stain = stain;
  if (! all)
    all = g_ptr_array_new ();
  g_ptr_array_add (all, own);
  return number (all->len - 1);
}

/**
 * wf_own_stain_choose:
 * @source: the value of a choice among wf_components
 * @text: (nullable): of a stain of one's own, as wf_stain_new() takes it
 * @component: set to the component that is chosen
 * @error: %WF_ERROR_INVALID if such a stain is chosen and @text is not one
 *
 * Returns: whether there is such a component
 */
gboolean
wf_own_stain_choose (int           source,
                     const char   *text,
                     WfComponent  *component,
                     GError      **error)
{
  g_autoptr (GMutexLocker)  locker = NULL;
  WfStain                  *stain;

  *component = (WfComponent) source;
  if (source != WF_COMPONENT_OWN_STAIN)
    return TRUE;
  if (! text || ! *text)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("There is no color of the stain that the levels are to be taken from (%s)."),
                   WF_OWN_STAIN);
      return FALSE;
    }

  locker = g_mutex_locker_new (&mutex);
  if (find (text, component))
    return TRUE;
  stain = wf_stain_new (text, error);
  if (! stain)
    return FALSE;
  *component = add (text, stain);
  return TRUE;
}

/**
 * wf_own_stain_get:
 * @component: of wf_own_stain_choose(), above %WF_COMPONENT_OWN_STAIN
 *
 * Returns: (transfer none): the stain
 */
const WfStain *
wf_own_stain_get (WfComponent component)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  return ((const Own *) all->pdata[component - number (0)])->stain;
}

/**
 * wf_own_stain_get_label:
 *
 * Returns: the label of the argument %WF_OWN_STAIN, translated
 */
const char *
wf_own_stain_get_label (void)
{
  return _("Own stain");
}

/**
 * wf_own_stain_get_blurb:
 *
 * Returns: what the argument %WF_OWN_STAIN says, translated
 */
const char *
wf_own_stain_get_blurb (void)
{
  return _("With levels from an own stain: the color of the stain, #RRGGBB, or its optical "
           "densities R,G,B; after “;” those of one or two stains beside it");
}

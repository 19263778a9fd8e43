/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The module that GEGL loads: its operations, by the names "wavefront:…".
 *
 * Enumerations and descriptions of properties live as long as the process, so the module stays.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "operation.h"

G_MODULE_EXPORT const GeglModuleInfo * gegl_module_query    (GTypeModule *module);
G_MODULE_EXPORT gboolean               gegl_module_register (GTypeModule *module);
G_MODULE_EXPORT const char *           g_module_check_init  (GModule     *module);


const char *
g_module_check_init (GModule *module)
{
  g_module_make_resident (module);
  return NULL;
}

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  static const GeglModuleInfo info = { .abi_version = GEGL_MODULE_ABI_VERSION };

  return &info;
}

/* The plug-ins, in whose processes this module is, too, may have bound the same domain to a folder
 * beside them.
 */
static void
bind_texts (void)
{
  g_autofree char *unbound = g_strdup (bindtextdomain (GETTEXT_PACKAGE "-unbound", NULL));

  if (g_strcmp0 (bindtextdomain (GETTEXT_PACKAGE, NULL), unbound) != 0)
    return;
  bindtextdomain (GETTEXT_PACKAGE, WF_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

gboolean
gegl_module_register (GTypeModule *module)
{
  const WfGeglKinds * const lists[] = { &wf_gegl_levels, &wf_gegl_distances, &wf_gegl_basins,
                                        &wf_gegl_reconstructions };

  bind_texts ();
  wf_gegl_basins_init ();
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; k < lists[i]->n_kinds; k++)
      wf_gegl_operation_register (module, &lists[i]->kinds[k]);
  return TRUE;
}

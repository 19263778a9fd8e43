/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <stdlib.h>

#include <gmodule.h>
#include <glib/gi18n-lib.h>

#include "module.h"


static char *
find_path (const WfModule *module)
{
  const char      *folder = secure_getenv ("WAVEFRONT_MODULE_DIR");
  g_autofree char *name   = g_strconcat (module->file, "." G_MODULE_SUFFIX, NULL);

  return g_build_filename (folder && *folder ? folder : WF_MODULE_DIR, name, NULL);
}

/* Loads a module, for good, and finds its symbol; %NULL with @error set if there is none. */
gpointer
wf_module_find (const WfModule  *module,
                GError         **error)
{
  g_autofree char *path = find_path (module);
  GModule         *loaded;
  gpointer         symbol;

  if (! g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, WF_ERROR, module->code, _("The %s module “%s” is not installed."),
                   module->title, path);
      return NULL;
    }
  loaded = g_module_open (path, G_MODULE_BIND_LOCAL | G_MODULE_BIND_LAZY);
  if (! loaded)
    {
      g_set_error (error, WF_ERROR, module->code, _("The %s module cannot be loaded: %s."),
                   module->title, g_module_error ());
      return NULL;
    }
  /* neither CUDA nor MPI can be taken down and set up again */
  g_module_make_resident (loaded);
  if (g_module_symbol (loaded, module->symbol, &symbol))
    return symbol;
  g_set_error (error, WF_ERROR, module->code, _("The %s module “%s” is not a module of Wavefront."),
               module->title, path);
  return NULL;
}

/* @same: whether the module was built for this version */
gboolean
wf_module_check_abi (const WfModule  *module,
                     gboolean         same,
                     GError         **error)
{
  g_autofree char *path = same ? NULL : find_path (module);

  if (! same)
    g_set_error (error, WF_ERROR, module->code,
                 _("The %s module “%s” belongs to another version of Wavefront."),
                 module->title, path);
  return same;
}

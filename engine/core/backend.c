/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loading of the CUDA module.
 *
 * The library is never linked with CUDA.  wavefront-cuda.so is looked for in
 * the folder that WAVEFRONT_MODULE_DIR names or, if that is not set, in the one of
 * the installation; without it, or without a driver, everything works on the CPU.
 * A program with more rights than its user (set-user-ID, set-group-ID, capabilities)
 * ignores the variable, by which the user could run code with these rights.
 */

#include "config.h"

#include <stdlib.h>

#include <gmodule.h>
#include <glib/gi18n-lib.h>

#include "backend.h"


static GModule *
open_module (GError **error)
{
  const char      *folder = secure_getenv ("WAVEFRONT_MODULE_DIR");
  g_autofree char *path   = NULL;
  GModule         *module;

  path = g_build_filename (folder && *folder ? folder : WF_MODULE_DIR,
                           "wavefront-cuda." G_MODULE_SUFFIX, NULL);
  if (! g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                   _("The CUDA module “%s” is not installed."), path);
      return NULL;
    }

  module = g_module_open (path, G_MODULE_BIND_LOCAL | G_MODULE_BIND_LAZY);
  if (! module)
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The CUDA module cannot be loaded: %s."), g_module_error ());
  return module;
}

static const WfBackend *
load_backend (GError **error)
{
  GModule         *module = open_module (error);
  gpointer         symbol;
  const WfBackend *backend;

  if (! module)
    return NULL;

  /* A CUDA context cannot be taken down and set up again safely. */
  g_module_make_resident (module);
  if (! g_module_symbol (module, WF_BACKEND_SYMBOL, &symbol))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                   _("The CUDA module “%s” is not a module of Wavefront."), g_module_name (module));
      return NULL;
    }
  backend = ((WfBackendFunc) symbol) (error);
  if (backend && backend->abi != WF_BACKEND_ABI)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                   _("The CUDA module “%s” belongs to another version of Wavefront."),
                   g_module_name (module));
      return NULL;
    }
  return backend;
}

/* The module's back end, loaded once; NULL with @problem set if there is none. */
const WfBackend *
wf_backend_loaded (GError **problem)
{
  static gsize            once;
  static const WfBackend *backend;
  static GError          *reason;

  if (g_once_init_enter (&once))
    {
      backend = load_backend (&reason);
      g_once_init_leave (&once, 1);
    }
  if (! backend && problem)
    *problem = g_error_copy (reason);
  return backend;
}

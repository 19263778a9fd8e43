/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loading of the CUDA module.
 *
 * The library is never linked with CUDA.  Without wavefront-cuda.so (module.h), or without a
 * driver, everything works on the CPU.
 */

#include "config.h"

#include "backend.h"
#include "module.h"


static const WfBackend *
load_backend (GError **error)
{
  static const WfModule  module  = { "wavefront-cuda", "CUDA", WF_BACKEND_SYMBOL, WF_ERROR_DEVICE };
  const gpointer         symbol  = wf_module_find (&module, error);
  const WfBackend       *backend = symbol ? ((WfBackendFunc) symbol) (error) : NULL;

  return backend && wf_module_check_abi (&module, backend->abi == WF_BACKEND_ABI, error)
         ? backend : NULL;
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

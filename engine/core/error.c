/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "wavefront.h"


/**
 * wf_error_quark:
 *
 * Returns: the domain of #WfError.
 */
GQuark
wf_error_quark (void)
{
  return g_quark_from_static_string ("wavefront-error-quark");
}

/**
 * wf_version:
 *
 * Returns: the version of the library that is running, as in "0.1.0".
 */
const char *
wf_version (void)
{
  return WF_VERSION;
}

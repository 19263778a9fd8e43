/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "wavefront.h"


/**
 * wf_error_quark:
 *
 * Registers the error domain of the library, which %WF_ERROR stands for.
 *
 * Returns: the domain of #WfError.
 */
GQuark
wf_error_quark (void)
{
  return g_quark_from_static_string ("wavefront-error-quark");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Modules: parts of the library that need others, which need not be installed.
 *
 * A module is looked for in the folder that WAVEFRONT_MODULE_DIR names or, if that is not set, in
 * the one of the installation.  A program with more rights than its user (set-user-ID,
 * set-group-ID, capabilities) ignores the variable, by which the user could run code with these
 * rights.
 */

#pragma once

#include "engine/wavefront.h"

/**
 * WfModule:
 * @file: its name without suffix
 * @title: to the user
 * @symbol: its one exported symbol
 * @code: of errors
 */
typedef struct
{
  const char *file;
  const char *title;
  const char *symbol;
  WfError     code;
} WfModule;

gpointer wf_module_find       (const WfModule  *module,
                               GError         **error);
gboolean wf_module_check_abi  (const WfModule  *module,
                               gboolean         same,
                               GError         **error);

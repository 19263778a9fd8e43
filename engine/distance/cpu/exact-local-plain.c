/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Local search for distances, compiled for the baseline. */

#include "config.h"

#define WF_VECTOR_PLAIN
#include "exact-local.h"

#define WF_LOCAL_TABLE wf_local_plain
#include "exact-local.inc.h"

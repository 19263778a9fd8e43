/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Local search for distances, compiled for SSE2, which every x86-64 has. */

#include "config.h"

#include "exact-local.h"

#define WF_LOCAL_TABLE wf_local_sse2
#include "exact-local.inc.h"

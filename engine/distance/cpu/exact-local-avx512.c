/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Local search for distances, compiled for AVX-512. */

#include "config.h"

#include "exact-local.h"

#define WF_LOCAL_TABLE wf_local_avx512
#include "exact-local.inc.h"

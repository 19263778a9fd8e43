/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#define WF_MARK_TABLE wf_marks_avx512
#include "boundary-rows.inc.h"

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#define WF_VECTOR_PLAIN
#define WF_MARK_TABLE wf_marks_plain
#include "boundary-rows.inc.h"
